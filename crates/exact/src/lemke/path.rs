//! Following Lemke's path through dictionaries.

use std::collections::HashSet;

use etalon_lcp::{Basis, MixedLcp};
use rug::{Integer, Rational};
use std::borrow::Cow;

use super::{Augmented, Lemke, LemkeOutcome, LemkeRun, Ray, Ties};
use crate::budget::{Exhausted, Meter, check_rows};
use crate::dictionary::Dictionary;
use crate::lexicographic::{Perturbation, Ratio, compare_constants};
use crate::scaling::{IntegerLcp, Room};
use crate::tableau::Variable;
use crate::trace::{PivotStep, Progress, Trace};

/// A run in progress.
pub(crate) struct Path {
    dictionary: Dictionary,
    ties: Ties,
    meter: Meter,
    /// The bases so far, for rules that may cycle.
    visited: HashSet<Vec<u64>>,
    trace: Option<Trace>,
}

/// Why a path ends.
enum End {
    Solved,
    /// In the column of the entering variable.
    Ray(usize),
    Cycle,
    Exhausted(Exhausted),
}

impl Path {
    /// The dictionary of w = q + Mz + d z_0 with the free z basic; `None` when the bilateral
    /// block is singular. What that takes is on the meter, with which the path goes on.
    pub fn new(
        settings: &Lemke,
        lcp: &MixedLcp,
        cover: &[Rational],
        meter: &Meter,
    ) -> Result<Option<Self>, Exhausted> {
        check_rows(lcp.n())?;
        let mut dictionary = augmented(lcp, cover, &mut Room::new(meter))?;
        if !dictionary.bring_in_free(meter)?.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            dictionary,
            ties: settings.ties,
            meter: meter.clone(),
            visited: HashSet::new(),
            trace: settings.trace.then(Trace::default),
        }))
    }

    /// The dictionary of a basis, as far as principal pivots lead there, with z_0 covering its
    /// basic variables; `None` when the bilateral block is singular.
    ///
    /// It is the dictionary of an LCP again, that of the principal transform of M, with the same
    /// solutions (CPS section 2.3).
    pub fn from_basis(
        settings: &Lemke,
        lcp: &MixedLcp,
        basis: &Basis,
    ) -> Result<Option<Self>, Exhausted> {
        check_rows(lcp.n())?;
        let meter = Meter::new(&settings.budget);
        let units = IntegerLcp::new(lcp, &mut Room::new(&meter))?;
        let mut dictionary = Dictionary::new(units, None);
        if !dictionary.bring_in_free(&meter)?.is_empty() {
            return Ok(None);
        }
        let rows = 0..lcp.n();
        let rows = rows.filter(|&i| basis.z_is_basic(i) && !lcp.bilateral()[i]);
        dictionary.bring_in(&rows.collect::<Vec<_>>(), &meter)?;
        let tableau = &mut dictionary.tableau;
        // In the columns' units, each basic variable grows with z_0 as fast as every other.
        let free = |variable: &Variable| matches!(variable, Variable::Z(j) if lcp.bilateral()[*j]);
        let rates = tableau.basic().iter().map(|variable| {
            if free(variable) {
                Integer::new()
            } else {
                tableau.denominator().clone()
            }
        });
        let rates = rates.collect();
        tableau.push_column(Variable::Artificial, rates);
        Ok(Some(Self {
            dictionary,
            ties: settings.ties,
            meter,
            visited: HashSet::new(),
            trace: settings.trace.then(Trace::default),
        }))
    }

    /// Goes to the end of the path.
    pub fn follow(mut self) -> LemkeRun {
        let outcome = match self.walk() {
            End::Solved => self.solved(),
            End::Ray(c) => LemkeOutcome::Ray(Box::new(self.ray(c))),
            End::Cycle => LemkeOutcome::Cycle,
            End::Exhausted(exhausted) => LemkeOutcome::Exhausted(exhausted),
        };
        LemkeRun {
            outcome,
            pivots: self.meter.pivots(),
            bits: self.meter.into_bits(),
            trace: self.trace,
        }
    }

    fn walk(&mut self) -> End {
        let mut entering = Variable::Artificial;
        loop {
            // Every variable that is to enter has just left, or is z_0.
            let Some(c) = self.dictionary.column(entering) else {
                return End::Solved;
            };
            let blocking = if entering == Variable::Artificial {
                match self.first_row(c) {
                    Some(r) => r,
                    None => return End::Solved,
                }
            } else {
                match self.leaving_row(c) {
                    Some(r) => r,
                    None => return End::Ray(c),
                }
            };
            let leaving = self.dictionary.tableau.basic()[blocking];
            if let Err(exhausted) = self.exchange(blocking, c) {
                return End::Exhausted(exhausted);
            }
            match leaving.complement() {
                None => return End::Solved,
                Some(_) if self.repeats() => return End::Cycle,
                Some(complement) => entering = complement,
            }
        }
    }

    /// Whether rows can block: a free z never does.
    fn blocks(&self, r: usize) -> bool {
        !matches!(self.dictionary.tableau.basic()[r], Variable::Z(j) if self.dictionary.units.bilateral[j])
    }

    /// The row that becomes zero last as z_0 falls, if z_0 is needed at all.
    fn first_row(&self, c: usize) -> Option<usize> {
        // Every row competes, not only the negative ones: with the least q_r / d_r, z_0 = -q_r /
        // d_r makes all rows nonnegative.
        let rows = || (0..self.dictionary.tableau.rows()).filter(|&r| self.blocks(r));
        rows()
            .any(|r| *self.dictionary.tableau.constant(r) < 0)
            .then(|| self.choose(c, rows()))
            .flatten()
    }

    /// The row that blocks the increase of nonbasic variable c.
    fn leaving_row(&self, c: usize) -> Option<usize> {
        let rows = (0..self.dictionary.tableau.rows()).filter(|&r| self.blocks(r));
        self.choose(
            c,
            rows.filter(|&r| *self.dictionary.tableau.entry(r, c) < 0),
        )
    }

    /// The row of the least ratio constant / |entry in column c|.
    fn choose(&self, c: usize, rows: impl Iterator<Item = usize>) -> Option<usize> {
        let mut tied: Vec<usize> = Vec::new();
        for r in rows {
            let Some(&best) = tied.first() else {
                tied.push(r);
                continue;
            };
            let order = compare_constants(&self.ratio(r, c), &self.ratio(best, c));
            if order.is_lt() {
                tied.clear();
            }
            if order.is_le() {
                tied.push(r);
            }
        }
        let basic = |r: usize| self.dictionary.tableau.basic()[r];
        // With z_0 = 0 the point solves the problem itself, whatever the perturbed path would do
        // next (`docs/lemke.md`, "Ties").
        let artificial = tied.iter().find(|&&r| basic(r) == Variable::Artificial);
        if let Some(&r) = artificial {
            return Some(r);
        }
        match self.ties {
            Ties::FirstRow => tied.first().copied(),
            Ties::SmallestVariable => tied.into_iter().min_by_key(|&r| basic(r)),
            Ties::Lexicographic => self.lexicographically_least(tied, c),
        }
    }

    fn lexicographically_least(&self, tied: Vec<usize>, c: usize) -> Option<usize> {
        if tied.len() <= 1 {
            return tied.first().copied();
        }
        // Only for ties: entries of T whose columns the dictionary has dropped are computed each
        // time.
        let perturbation = self.perturbation();
        let order =
            |a: &usize, b: &usize| perturbation.compare(&self.ratio(*a, c), &self.ratio(*b, c));
        tied.into_iter().min_by(order)
    }

    /// The perturbation of q, off the bilateral rows.
    fn perturbation(&self) -> Perturbation<'_> {
        let bilateral = self.dictionary.units.bilateral.iter().enumerate();
        // Rows of free z never block, so their constants need no perturbation.
        let rows = bilateral.filter(|(_, bilateral)| !**bilateral);
        let base = rows.map(|(k, _)| (Variable::W(k), false));
        Perturbation::new(&self.dictionary, base)
    }

    fn ratio(&self, r: usize, c: usize) -> Ratio<'_> {
        Ratio {
            constant: Cow::Borrowed(self.dictionary.tableau.constant(r)),
            row: Some(r),
            negated: false,
            rate: self.dictionary.tableau.entry(r, c),
        }
    }

    fn exchange(&mut self, r: usize, c: usize) -> Result<(), Exhausted> {
        // The pivot is the next denominator. It is paid for before it is made: one pivot of long
        // numbers may take longer than all before it.
        let bits = self.dictionary.tableau.entry(r, c).significant_bits();
        let size = self.dictionary.tableau.size();
        self.dictionary.tableau.room_for_pivot(r, c)?;
        self.meter.pivot(u64::from(bits), size)?;
        let (leaving, entering) = (
            self.dictionary.tableau.basic()[r],
            self.dictionary.tableau.nonbasic()[c],
        );
        self.dictionary.exchange(r, c);
        if self.trace.is_some() {
            let step = self.step(r, entering, leaving);
            if let Some(trace) = &mut self.trace {
                trace.steps.push(step);
            }
        }
        Ok(())
    }

    /// Whether the basis came up before. Only naive rules are watched: the lexicographic one
    /// cannot repeat, and would only pay for the memory.
    fn repeats(&mut self) -> bool {
        if self.ties == Ties::Lexicographic {
            return false;
        }
        let n = self.dictionary.units.n;
        let mut bits = vec![0_u64; (2 * n).div_ceil(64)];
        for variable in self.dictionary.tableau.basic() {
            let position = match *variable {
                Variable::W(i) => i,
                Variable::Z(j) => n + j,
                // Basic from the first pivot to the last.
                Variable::Artificial => continue,
            };
            bits[position / 64] |= 1 << (position % 64);
        }
        !self.visited.insert(bits)
    }

    fn step(&self, r: usize, entering: Variable, leaving: Variable) -> PivotStep {
        let Augmented { w, z, z0 } = self.point();
        let mut basic = self.dictionary.tableau.basic().to_vec();
        basic.sort_unstable();
        PivotStep {
            entering,
            leaving,
            length: self
                .dictionary
                .units
                .value(entering, self.dictionary.tableau.value(r)),
            basic,
            z,
            w,
            progress: Progress::Artificial(self.perturbed_artificial(z0)),
        }
    }

    fn perturbed_artificial(&self, z0: Rational) -> Vec<Rational> {
        let mut coefficients = vec![z0];
        if let Some(r) = self.dictionary.tableau.row_of(Variable::Artificial) {
            let denominator = self.dictionary.tableau.denominator();
            let perturbation = self.perturbation();
            coefficients.extend(perturbation.row(r).map(|(w, entry)| {
                let scaled = Rational::from((&entry, denominator));
                // By how much z_0 changes for a unit of q_k, both in original units.
                self.dictionary
                    .units
                    .direction(Variable::Artificial, scaled)
                    / self.dictionary.units.direction(w, Rational::from(1))
            }));
        }
        coefficients
    }

    fn solved(&self) -> LemkeOutcome {
        let mut basic = vec![false; self.dictionary.units.n];
        for variable in self.dictionary.tableau.basic() {
            if let Variable::Z(j) = *variable {
                basic[j] = true;
            }
        }
        LemkeOutcome::Solved {
            z: self.point().z,
            basis: Basis::new(basic),
        }
    }

    fn ray(&self, c: usize) -> Ray {
        let scaled = |r: usize| self.fraction(self.dictionary.tableau.entry(r, c));
        let mut direction =
            self.augmented(|variable, r| self.dictionary.units.direction(variable, scaled(r)));
        let entering = self.dictionary.tableau.nonbasic()[c];
        let one = self.dictionary.units.direction(entering, Rational::from(1));
        direction.set(entering, one);
        let point = self.point();
        Ray { point, direction }
    }

    fn point(&self) -> Augmented {
        self.augmented(|variable, r| {
            self.dictionary
                .units
                .value(variable, self.dictionary.tableau.value(r))
        })
    }

    fn fraction(&self, entry: &Integer) -> Rational {
        Rational::from((entry, self.dictionary.tableau.denominator()))
    }

    /// A vector from the values of the basic variables, all others zero.
    fn augmented(&self, value: impl Fn(Variable, usize) -> Rational) -> Augmented {
        let n = self.dictionary.units.n;
        let mut augmented = Augmented {
            w: vec![Rational::new(); n],
            z: vec![Rational::new(); n],
            z0: Rational::new(),
        };
        for (r, &variable) in self.dictionary.tableau.basic().iter().enumerate() {
            augmented.set(variable, value(variable, r));
        }
        augmented
    }
}

impl Augmented {
    fn set(&mut self, variable: Variable, value: Rational) {
        match variable {
            Variable::W(i) => self.w[i] = value,
            Variable::Z(j) => self.z[j] = value,
            Variable::Artificial => self.z0 = value,
        }
    }
}

/// The dictionary w = Mz + d z_0 + q with d = 0 on bilateral rows.
fn augmented(
    lcp: &MixedLcp,
    cover: &[Rational],
    room: &mut Room<'_>,
) -> Result<Dictionary, Exhausted> {
    let mut units = IntegerLcp::new(lcp, room)?;
    let covered = |(d, &bilateral): (&Rational, &bool)| {
        if bilateral {
            Rational::new()
        } else {
            d.clone()
        }
    };
    let cover: Vec<_> = cover.iter().zip(&units.bilateral).map(covered).collect();
    let cover = units.cover(&cover, room)?;
    Ok(Dictionary::new(units, Some(cover)))
}
