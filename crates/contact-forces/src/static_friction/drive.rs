//! Baraff's drive to zero with static friction.

use std::collections::HashSet;

use etalon_rigid::Scalar;

use super::sets::{Kind, Set, Sets};
use super::{StaticFailure, Work, limit};
use crate::formulation::Formulation;
use crate::path::{DriveEnd, DriveEvent};

/// A step in the direction of a drive: how far, and what happens there.
struct Step<S> {
    length: S,
    /// The row that changes its set, and the set that it changes to.
    row: usize,
    to: Set,
}

pub(super) fn run<S: Scalar>(
    formulation: &Formulation<S>,
) -> (Result<Vec<S>, StaticFailure>, Work) {
    let rows: Vec<usize> = (0..formulation.n()).collect();
    let ran = run_in(formulation, &rows);
    (ran.outcome, ran.work)
}

/// What a drive in an order did.
pub(super) struct Ran<S> {
    pub outcome: Result<Vec<S>, StaticFailure>,
    pub work: Work,
    pub trace: Vec<DriveEvent<S>>,
    /// The change of forces along which the last drive would go on for ever.
    pub direction: Option<Vec<S>>,
}

/// The same with rows taken in an order; those of joints come before all, and friction after its normal force.
pub(super) fn run_in<S: Scalar>(formulation: &Formulation<S>, order: &[usize]) -> Ran<S> {
    let mut drive = Drive {
        sets: Sets::new(formulation),
        work: Work::default(),
        limit: limit(formulation.n()),
        order,
        trace: Vec::new(),
        direction: None,
    };
    let outcome = drive.all(formulation.b());
    Ran {
        outcome: outcome.map(|()| drive.sets.f),
        work: drive.work,
        trace: drive.trace,
        direction: drive.direction,
    }
}

struct Drive<'a, S> {
    sets: Sets<'a, S>,
    work: Work,
    limit: u64,
    order: &'a [usize],
    trace: Vec<DriveEvent<S>>,
    direction: Option<Vec<S>>,
}

impl<S: Scalar> Drive<'_, S> {
    /// compute-forces: bilateral rows first, then contact by contact.
    fn all(&mut self, b: &[S]) -> Result<(), StaticFailure> {
        // Only joints are clamped at the start.
        let joints = self.sets.solve_all(b).ok_or(StaticFailure::Singular)?;
        self.advance(&joints, &S::one());
        while let Some(d) = self.next() {
            self.drive(d)?;
            if let Kind::Normal { tangents } = self.sets.kind[d].clone() {
                // Friction of this contact before the next normal force (Baraff 1994, section 5).
                for tangent in tangents {
                    self.friction(d, tangent)?;
                }
            }
        }
        Ok(())
    }

    /// The first normal row not settled whose acceleration is negative.
    fn next(&self) -> Option<usize> {
        self.order.iter().copied().find(|&i| {
            let waiting = matches!(self.sets.kind[i], Kind::Normal { .. });
            waiting && self.sets.set[i] == Set::Idle && self.is_negative(i)
        })
    }

    fn is_negative(&self, i: usize) -> bool {
        let a = &self.sets.acceleration[i];
        a.signum() < 0 && !a.is_negligible(&S::one())
    }

    fn friction(&mut self, normal: usize, tangent: usize) -> Result<(), StaticFailure> {
        if self.sets.set[normal] != Set::Clamped {
            return Ok(());
        }
        if self.sets.acceleration[tangent].is_negligible(&S::one()) {
            self.sets.set[tangent] = Set::Clamped;
            return Ok(());
        }
        self.drive(tangent)
    }

    /// drive-to-zero: changes the force of row d until the row meets its condition.
    fn drive(&mut self, d: usize) -> Result<(), StaticFailure> {
        let upwards = self.sets.acceleration[d].signum() < 0;
        let amount = S::integer(if upwards { 1 } else { -1 });
        let mut seen = HashSet::new();
        while self.sets.set[d] == Set::Idle {
            // With friction nothing proves that a drive ends: the directions depend on the sets. So
            // the sets are remembered.
            if !seen.insert(self.sets.set.clone()) {
                let steps = self.work.steps;
                return Err(StaticFailure::Cycle { steps });
            }
            if self.work.steps >= self.limit {
                return Err(StaticFailure::Limit { steps: self.limit });
            }
            self.work.steps += 1;
            let change = self.sets.direction(d, amount.clone());
            let change = change.ok_or(StaticFailure::Singular)?;
            let gain = self.sets.a.times(&change);
            self.work.away += u64::from((gain[d].clone() * &amount).signum() < 0);
            let step = self.max_step(d, &amount, &change, &gain);
            let Some(step) = step else {
                self.direction = Some(change);
                return Err(StaticFailure::Unbounded { row: d });
            };
            self.trace.push(DriveEvent {
                driven: d,
                blocking: step.row,
                end: match step.to {
                    _ if step.row == d && step.to == Set::Clamped => DriveEnd::Goal,
                    Set::Open => DriveEnd::Force,
                    Set::Plus | Set::Minus => DriveEnd::Limit,
                    Set::Clamped | Set::Idle => DriveEnd::Acceleration,
                },
                length: step.length.clone(),
            });
            self.work.degenerate += u64::from(step.length.is_zero());
            self.advance(&change, &step.length);
            self.enter(step.row, step.to);
            let opened = matches!(self.sets.kind[d], Kind::Tangent { normal, .. } if self.sets.set[normal] == Set::Open);
            if opened {
                return Ok(());
            }
        }
        self.settle();
        Ok(())
    }

    fn advance(&mut self, change: &[S], length: &S) {
        for (f, change) in self.sets.f.iter_mut().zip(change) {
            *f += &(change.clone() * length);
        }
        let gain = self.sets.a.times(change);
        for (a, gain) in self.sets.acceleration.iter_mut().zip(gain) {
            *a += &(gain * length);
        }
    }

    /// Moves a row into its new set, and its friction with it.
    fn enter(&mut self, row: usize, to: Set) {
        self.sets.set[row] = to;
        match to {
            Set::Clamped => {
                self.sets.acceleration[row] = S::zero();
                // A contact that closes has f_N = 0: its friction begins at the limit, 0, against
                // the acceleration, and grows with f_N.
                if self.sets.f[row].is_zero() {
                    self.sets.engage(row);
                }
            }
            Set::Open => {
                self.sets.f[row] = S::zero();
                self.sets.silence(row);
            }
            _ => {}
        }
    }

    /// Every normal row whose acceleration is not negative after a drive joins NC: it stays so.
    fn settle(&mut self) {
        for i in 0..self.sets.n() {
            let normal = matches!(self.sets.kind[i], Kind::Normal { .. });
            if normal && self.sets.set[i] == Set::Idle && !self.is_negative(i) {
                self.sets.set[i] = Set::Open;
            }
        }
    }

    /// maxstep: the goal, or the first row whose condition would break. Ties go to the goal, then
    /// to the lowest row.
    fn max_step(&self, d: usize, amount: &S, change: &[S], gain: &[S]) -> Option<Step<S>> {
        let mut best: Option<Step<S>> = None;
        let mut offer = |row, to, distance: S, rate: S| {
            // In binary64 a rate that is rounding would end the step anywhere.
            if rate.signum() <= 0 || rate.is_negligible(&S::one()) {
                return;
            }
            // The conditions hold when a step begins: below 0 is rounding.
            let distance = if distance.signum() < 0 {
                S::zero()
            } else {
                distance
            };
            let length = distance / &rate;
            if best.as_ref().is_none_or(|best| length < best.length) {
                best = Some(Step { length, row, to });
            }
        };
        let sets = &self.sets;
        // The driven acceleration reaches zero.
        // The acceleration is below 0 where the force is raised, above where it is lowered: gain times
        // amount leads to 0 in both.
        let towards = gain[d].clone() * amount;
        offer(d, Set::Clamped, sets.acceleration[d].abs(), towards);
        for i in 0..sets.n() {
            let (f, a) = (&sets.f[i], &sets.acceleration[i]);
            match (&sets.kind[i], sets.set[i]) {
                (Kind::Normal { .. }, Set::Clamped) => {
                    offer(i, Set::Open, f.clone(), -change[i].clone());
                }
                (Kind::Normal { .. }, Set::Open) => {
                    offer(i, Set::Clamped, a.clone(), -gain[i].clone());
                }
                (Kind::Tangent { normal, mu }, set) if set == Set::Clamped || i == d => {
                    // The limits move with the normal force: mu f_N - f_F and mu f_N + f_F fall at these
                    // rates.
                    let (bound, rate) = (sets.bound(i), change[*normal].clone() * mu);
                    let plus = change[i].clone() - &rate;
                    offer(i, Set::Plus, bound.clone() - f, plus);
                    offer(i, Set::Minus, bound + f, -(change[i].clone() + &rate));
                }
                (Kind::Tangent { .. }, Set::Plus) => {
                    offer(i, Set::Clamped, -a.clone(), gain[i].clone());
                }
                (Kind::Tangent { .. }, Set::Minus) => {
                    offer(i, Set::Clamped, a.clone(), -gain[i].clone());
                }
                _ => {}
            }
        }
        best
    }
}
