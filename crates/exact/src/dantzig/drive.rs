//! Driving rows to zero in a bounded dictionary. Why it ends is told in `dantzig/mod.rs`.

use std::borrow::Cow;
use std::cmp::Ordering;

use rug::{Integer, Rational};

use super::boxes::{Boxes, Dependent, pair};
use super::{Dantzig, DantzigOutcome, DantzigRun, Next};
use crate::budget::{Exhausted, Meter};
use crate::lexicographic::{Perturbation, Ratio, compare_constants};
use crate::tableau::Variable;
use crate::trace::{PivotStep, Progress, Trace};

/// A run in progress.
pub(crate) struct Driver {
    boxes: Boxes,
    next: Next,
    meter: Meter,
    /// The rows of C and NC, whose conditions hold and are kept.
    settled: Vec<bool>,
    /// What the current drive perturbs, and the reflections at its start.
    base: Vec<(Variable, bool)>,
    trace: Option<Trace>,
}

/// The event that stops the driving variable.
enum Block {
    /// w_d is zero, in its row.
    Goal(usize),
    /// z_d is at its other bound.
    OwnBound,
    /// The basic variable of this row is zero.
    Zero(usize),
    /// The basic z of this row is at its other bound.
    Bound(usize),
}

/// Why the run cannot go on.
enum Stop {
    Exhausted(Exhausted),
    Unbounded(usize),
    OutOfClass(Vec<usize>),
    Dependent(Dependent),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Driver {
    pub fn new(settings: &Dantzig, boxes: Boxes, meter: Meter) -> Self {
        Self {
            settled: vec![false; boxes.dictionary.units.n],
            base: Vec::new(),
            boxes,
            next: settings.next,
            meter,
            trace: settings.trace.then(Trace::default),
        }
    }

    pub fn run(mut self) -> DantzigRun {
        let outcome = match self.drive_all() {
            Ok(()) => DantzigOutcome::Solved {
                z: self.boxes.point(None).0,
                basis: self.boxes.basis(),
            },
            Err(stop) => self.stopped(stop),
        };
        DantzigRun {
            outcome,
            steps: self.meter.pivots(),
            trace: self.trace,
        }
    }

    fn stopped(&self, stop: Stop) -> DantzigOutcome {
        match stop {
            Stop::Exhausted(exhausted) => DantzigOutcome::Exhausted(exhausted),
            Stop::Unbounded(c) => DantzigOutcome::Unbounded {
                direction: self.boxes.direction(c),
            },
            Stop::OutOfClass(minor) => DantzigOutcome::OutOfClass { minor },
            Stop::Dependent(Dependent::Inconsistent(y)) => DantzigOutcome::Inconsistent { y },
            Stop::Dependent(Dependent::OutOfClass) => DantzigOutcome::OutOfClass {
                minor: self.boxes.bilateral_rows(),
            },
        }
    }

    /// Baraff's compute-forces.
    fn drive_all(&mut self) -> Result<(), Stop> {
        let left_over = self.boxes.dictionary.bring_in_free(&self.meter)?;
        self.boxes
            .settle_dependent(&left_over)
            .map_err(Stop::Dependent)?;
        while let Some(d) = self.next() {
            self.rebase();
            self.drive_to_zero(d)?;
            self.settle();
        }
        Ok(())
    }

    /// Perturbs all basic variables anew, off the bounds on which they may be. The order makes a
    /// first tie go to the row that Baraff's maxstep would take: C before NC, each ascending.
    fn rebase(&mut self) {
        for j in 0..self.settled.len() {
            if self.boxes.basic_at_width(j) {
                self.boxes.reflect(j);
            }
        }
        let mut basic = self.boxes.dictionary.tableau.basic().to_vec();
        basic.sort_unstable_by_key(|variable| match *variable {
            Variable::W(i) => (0, std::cmp::Reverse(i)),
            Variable::Z(i) => (1, std::cmp::Reverse(i)),
            Variable::Artificial => (2, std::cmp::Reverse(0)),
        });
        let reflected = &self.boxes.dictionary.reflected;
        let pairs = basic.into_iter().map(|v| (v, reflected[pair(v)]));
        self.base = pairs.collect();
    }

    /// Takes every row into NC that meets its condition after a drive.
    fn settle(&mut self) {
        let tableau = &self.boxes.dictionary.tableau;
        for (r, &variable) in tableau.basic().iter().enumerate() {
            if let Variable::W(i) = variable {
                self.settled[i] |= *tableau.constant(r) >= 0 && !self.boxes.is_fixed(i);
            }
        }
    }

    /// The row d with w_d < 0 to drive next.
    fn next(&self) -> Option<usize> {
        let tableau = &self.boxes.dictionary.tableau;
        let negative = |r: &usize| *tableau.constant(*r) < 0;
        let row = |r: usize| match tableau.basic()[r] {
            Variable::W(d) if !self.settled[d] && !self.boxes.is_fixed(d) => Some((d, r)),
            _ => None,
        };
        // A row with z_d = 0 and w_d >= 0 keeps its condition without a drive (Baraff 1994, section 4.3).
        let waiting = (0..tableau.rows()).filter(negative).filter_map(row);
        let next = match self.next {
            Next::Lowest => waiting.min_by_key(|&(d, _)| d),
            Next::MostNegative => {
                let value = |&(d, r): &(usize, usize)| {
                    (
                        self.boxes
                            .dictionary
                            .units
                            .value(Variable::W(d), tableau.value(r)),
                        d,
                    )
                };
                waiting.min_by_key(value)
            }
        };
        next.map(|(d, _)| d)
    }

    /// Baraff's drive-to-zero. The driving variable is nonbasic but not zero; where it is needs
    /// no bookkeeping, since every ratio is its value, counted from the start of the drive, at
    /// which something happens.
    fn drive_to_zero(&mut self, d: usize) -> Result<(), Stop> {
        let mut reached = Rational::new();
        while !self.settled[d] {
            // One maxstep call, whatever comes of it.
            // It looks at one column; an exchange is counted where it is made.
            let rows = self.boxes.dictionary.tableau.rows();
            self.meter.pivot(0, rows)?;
            let column = self.boxes.dictionary.column(Variable::Z(d));
            let tableau = &self.boxes.dictionary.tableau;
            let (Some(goal), Some(c)) = (tableau.row_of(Variable::W(d)), column) else {
                break;
            };
            // The entry is det M_(C+d) / det M_C: negative only where M is neither a P-matrix nor
            // positive semidefinite.
            if *tableau.entry(goal, c) < 0 {
                return Err(Stop::OutOfClass(self.boxes.minor(d)));
            }
            let Some((block, value)) = self.first_block(goal, c) else {
                return Err(Stop::Unbounded(c));
            };
            let before = std::mem::replace(&mut reached, value);
            let length = &reached - before;
            let exchanged = self.pass(block, d, goal, c)?;
            self.record(d, exchanged, length, &reached);
        }
        Ok(())
    }

    /// Baraff's maxstep, perturbed: what comes first as nonbasic variable c grows, and at which
    /// value of it.
    fn first_block(&self, goal: usize, c: usize) -> Option<(Block, Rational)> {
        let tableau = &self.boxes.dictionary.tableau;
        let perturbation = self.perturbation();
        let rows = (0..tableau.rows()).filter_map(|r| self.row_block(r, c));
        let first = rows.min_by(|(_, a), (_, b)| perturbation.compare(a, b));
        // The end of the drive comes first where it ties, and is not perturbed.
        let ends = self.goal_block(goal, c).into_iter();
        let (block, ratio) = ends
            .chain(self.own_bound(c))
            .chain(first)
            .min_by(|(_, a), (_, b)| compare_constants(a, b))?;
        let rate = Integer::from(ratio.rate.abs_ref());
        Some((block, Rational::from((&*ratio.constant, &rate))))
    }

    fn perturbation(&self) -> Perturbation<'_> {
        let reflected = &self.boxes.dictionary.reflected;
        let base = self.base.iter();
        let base = base.map(|&(variable, then)| (variable, then != reflected[pair(variable)]));
        Perturbation::new(&self.boxes.dictionary, base)
    }

    fn goal_block(&self, goal: usize, c: usize) -> Option<(Block, Ratio<'_>)> {
        let tableau = &self.boxes.dictionary.tableau;
        let rate = tableau.entry(goal, c);
        let ratio = Ratio {
            constant: Cow::Owned(Integer::from(-tableau.constant(goal))),
            row: Some(goal),
            negated: true,
            rate,
        };
        // At the rate 0 w_d stands still, and its goal is never reached.
        (*rate > 0).then_some((Block::Goal(goal), ratio))
    }

    fn own_bound(&self, c: usize) -> Option<(Block, Ratio<'_>)> {
        let tableau = &self.boxes.dictionary.tableau;
        let width = self.boxes.width(pair(tableau.nonbasic()[c]))?;
        let ratio = Ratio {
            constant: Cow::Owned(Integer::from(width * tableau.denominator())),
            row: None,
            negated: false,
            rate: tableau.denominator(),
        };
        Some((Block::OwnBound, ratio))
    }

    /// When the basic variable of a row meets a bound, if it ever does and counts.
    fn row_block(&self, r: usize, c: usize) -> Option<(Block, Ratio<'_>)> {
        let tableau = &self.boxes.dictionary.tableau;
        let (rate, variable) = (tableau.entry(r, c), tableau.basic()[r]);
        let i = pair(variable);
        // A row in neither set has no condition to keep.
        if !self.settled[i] {
            return None;
        }
        let constant = tableau.constant(r);
        let ratio = |constant, negated| Ratio {
            constant,
            row: Some(r),
            negated,
            rate,
        };
        match (rate.cmp0(), variable) {
            (Ordering::Less, _) => Some((Block::Zero(r), ratio(Cow::Borrowed(constant), false))),
            (Ordering::Greater, Variable::Z(_)) => {
                let width = Integer::from(self.boxes.width(i)? * tableau.denominator());
                Some((Block::Bound(r), ratio(Cow::Owned(width - constant), true)))
            }
            _ => None,
        }
    }

    /// Passes a block: the exchange, as (entering, leaving).
    fn pass(
        &mut self,
        block: Block,
        d: usize,
        goal: usize,
        c: usize,
    ) -> Result<(Variable, Variable), Stop> {
        let driving = Variable::Z(d);
        let stalled = *self.boxes.dictionary.tableau.entry(goal, c) == 0;
        match block {
            Block::OwnBound => {
                // w_d has the sign that the other bound asks for.
                self.settled[d] = true;
                self.boxes.reflect(d);
                self.boxes.dictionary.forget(c);
                Ok((driving, driving))
            }
            Block::Goal(r) => {
                self.settled[d] = true;
                self.exchange(r, c)
            }
            Block::Zero(r) | Block::Bound(r) => {
                let leaving = self.boxes.dictionary.tableau.basic()[r];
                let i = pair(leaving);
                // S_dd = 0, and another w falls. In a semidefinite Schur complement a zero on the diagonal
                // stands in a row and a column of zeros, along which no w moves.
                if stalled && leaving == Variable::W(i) {
                    return Err(Stop::OutOfClass(self.boxes.minor(d)));
                }
                if let Block::Bound(_) = block {
                    self.boxes.reflect(i);
                }
                let complement = leaving.complement();
                let column = complement.and_then(|v| self.boxes.dictionary.column(v));
                // The entry is the quotient of two principal minors: positive for a P-matrix. For a
                // semidefinite matrix 0 would mean a row of zeros, and this one has moved.
                let positive = |&c: &usize| *self.boxes.dictionary.tableau.entry(r, c) > 0;
                match column.filter(positive) {
                    Some(c) => self.exchange(r, c),
                    None => Err(Stop::OutOfClass(self.boxes.minor(i))),
                }
            }
        }
    }

    fn exchange(&mut self, r: usize, c: usize) -> Result<(Variable, Variable), Stop> {
        let tableau = &self.boxes.dictionary.tableau;
        tableau.room_for_pivot(r, c)?;
        self.meter.uncounted(
            u64::from(tableau.entry(r, c).significant_bits()),
            tableau.size(),
        )?;
        let exchanged = (tableau.nonbasic()[c], tableau.basic()[r]);
        self.boxes.dictionary.exchange(r, c);
        Ok(exchanged)
    }

    fn record(
        &mut self,
        d: usize,
        (entering, leaving): (Variable, Variable),
        length: Rational,
        reached: &Rational,
    ) {
        let Some(trace) = &mut self.trace else {
            return;
        };
        let driving = Variable::Z(d);
        let mut basic = self.boxes.dictionary.tableau.basic().to_vec();
        basic.sort_unstable();
        // Off a bound, the driving variable is nonbasic but not zero.
        let column = self.boxes.dictionary.tableau.column_of(driving);
        let column = column.filter(|_| leaving != driving);
        let (z, w) = self.boxes.point(column.map(|c| (c, reached)));
        trace.steps.push(PivotStep {
            entering,
            leaving,
            length: self.boxes.dictionary.units.value(driving, length),
            basic,
            z,
            w,
            progress: Progress::Driven(d),
        });
    }
}
