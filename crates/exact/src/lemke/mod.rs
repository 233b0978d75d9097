//! Lemke's method with exact arithmetic (CPS section 4.4).
//!
//! One artificial variable makes the start feasible: w = q + Mz + d z_0 with d > 0. The path starts at
//! the least z_0 for which z = 0 is feasible. Its points are feasible, and complementary except for one
//! pair. Complementary pivots follow it until z_0 = 0 (a solution) or an edge has no end (a secondary
//! ray). If no ratio test has a tie, no basis is repeated. The default is the perturbation of q that
//! excludes ties (CPS section 4.9). The two naive rules for ties exist to show that they do cycle, also
//! on contact problems with friction.
//!
//! A ray means that there is no solution when M is copositive-plus (CPS section 4.4) or
//! otherwise known to be processed by Lemke's method. In general a ray proves nothing, and another
//! covering vector d may end in a solution.
//!
//! With k of n z basic, a pivot costs about n (k + 2) pairs of products and exact divisions. Their
//! integers have some k times the bits of the data.

mod path;

use etalon_lcp::{Basis, MixedLcp, PureForm};
use rug::Rational;

use crate::budget::{Budget, Exhausted, Meter};
use crate::trace::Trace;
use path::Path;

/// Lemke's method and its settings.
///
/// ```
/// use etalon_exact::{Lemke, LemkeOutcome};
/// use etalon_lcp::{Matrix, MixedLcp, Number};
///
/// let int = |v: i64| Number::from(v);
/// let m = Matrix::from_rows(vec![vec![int(2), int(1)], vec![int(1), int(2)]])?;
/// let lcp = MixedLcp::new(m, vec![int(-5), int(-6)], vec![false; 2]).ok_or("lengths")?;
/// let run = Lemke::default().solve(&lcp)?;
/// let LemkeOutcome::Solved { z, .. } = run.outcome else {
///     return Err("a P-matrix has a solution".into());
/// };
/// assert_eq!(format!("{z:?}"), "[4/3, 7/3]");
/// assert_eq!(run.pivots, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lemke {
    /// The covering vector d > 0, in the units of w, n values; ones where none is given. Its
    /// entries on bilateral rows are not used.
    pub cover: Option<Vec<Rational>>,
    /// Which of several tied rows blocks.
    pub ties: Ties,
    /// The budget.
    pub budget: Budget,
    /// Whether to record every step.
    pub trace: bool,
}

/// Which of the rows that tie for the minimum ratio blocks. z_0 always does when it ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// The lexicographically least of (q, B^-1) over the entering column: never cycles.
    #[default]
    Lexicographic,
    /// The first row of the dictionary, where a variable takes the row of the one it replaces.
    /// May cycle.
    FirstRow,
    /// The smallest variable in the order w_0, w_1, ..., z_0, z_1, ... May cycle.
    SmallestVariable,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LemkeRun {
    /// The outcome.
    pub outcome: LemkeOutcome,
    /// Pivots, the first one that brings in z_0 included, eliminations of bilateral rows not.
    pub pivots: u64,
    /// The bits of the common denominator of the tableau after each of them: how the numbers grow.
    pub bits: Vec<u32>,
    /// The steps, where asked for. When the bilateral block is singular they are those of the
    /// split form ([`PureForm::split`]).
    pub trace: Option<Trace>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LemkeOutcome {
    /// z solves the problem.
    Solved {
        /// The n values.
        z: Vec<Rational>,
        /// A complementary basis that z belongs to; degenerate where a basic variable is 0. Its
        /// bits on bilateral rows are set, even where their block is singular and the bits
        /// name no basis in the strict sense.
        basis: Basis,
    },
    /// The path goes on for ever.
    Ray(Box<Ray>),
    /// A basis came up again: a naive rule for ties went in circles.
    Cycle,
    /// The budget ran out, which says nothing about the problem.
    Exhausted(Exhausted),
}

/// A secondary ray: all of point + t direction, t >= 0, are feasible for w = q + Mz + d z_0 and
/// complementary. With direction (w_h, z_h, z0_h): w_h = M z_h + d z0_h, z_h >= 0 and not zero
/// unless bilateral rows make it so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ray {
    /// Where it starts.
    pub point: Augmented,
    /// Where it goes.
    pub direction: Augmented,
}

/// A point or a direction of the augmented system w = q + Mz + d z_0, in original units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Augmented {
    /// w, n values.
    pub w: Vec<Rational>,
    /// z, n values.
    pub z: Vec<Rational>,
    /// The artificial variable.
    pub z0: Rational,
}

/// The faults of a covering vector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoverError {
    /// Another length than the problem has rows.
    #[error("the covering vector has {length} entries, but the problem has {n} rows")]
    Length {
        /// Its length.
        length: usize,
        /// The number of rows.
        n: usize,
    },
    /// An entry that is not positive.
    #[error("entry {row} of the covering vector is {value}, but must be positive")]
    NotPositive {
        /// The first such row.
        row: usize,
        /// The entry.
        value: Rational,
    },
}

impl Lemke {
    /// Runs the method on the mixed LCP. Bilateral rows are solved for first; when their block is
    /// singular, they are split instead.
    ///
    /// # Errors
    /// [`CoverError`] when the covering vector is not positive or has another length than n.
    pub fn solve(&self, lcp: &MixedLcp) -> Result<LemkeRun, CoverError> {
        let cover = self.checked_cover(lcp.n())?;
        // One budget for both attempts: what the first one took is gone for the second.
        let meter = Meter::new(&self.budget);
        match Path::new(self, lcp, &cover, &meter) {
            Ok(Some(path)) => Ok(path.follow()),
            Ok(None) => Ok(self.solve_split(lcp, cover, &meter)),
            Err(exhausted) => Ok(self.exhausted(exhausted)),
        }
    }

    /// Starts from a complementary basis in place of that of all w, with z_0 covering its basic
    /// variables: few pivots where few of them are negative, whatever the covering vector of the
    /// settings. `None` when the basis has not n bits, or the bilateral block is singular.
    ///
    /// This is the method on the principal transform of M, so that it solves whatever it solves
    /// for that: P-matrices and positive semidefinite ones are transformed into such (CPS
    /// section 4.1), others may end in a ray that the method does not meet from the start. A
    /// basis that principal pivots of one and two rows do not reach is approached as far as
    /// they go; reaching it takes one pivot a row.
    pub fn solve_from(&self, lcp: &MixedLcp, basis: &Basis) -> Option<LemkeRun> {
        if basis.n() != lcp.n() {
            return None;
        }
        match Path::from_basis(self, lcp, basis) {
            Ok(path) => path.map(Path::follow),
            Err(exhausted) => Some(self.exhausted(exhausted)),
        }
    }

    fn exhausted(&self, exhausted: Exhausted) -> LemkeRun {
        LemkeRun {
            outcome: LemkeOutcome::Exhausted(exhausted),
            pivots: 0,
            bits: Vec::new(),
            trace: self.trace.then(Trace::default),
        }
    }

    fn checked_cover(&self, n: usize) -> Result<Vec<Rational>, CoverError> {
        let Some(cover) = &self.cover else {
            return Ok(vec![Rational::from(1); n]);
        };
        if cover.len() != n {
            let length = cover.len();
            return Err(CoverError::Length { length, n });
        }
        match cover.iter().position(|value| *value <= 0) {
            Some(row) => {
                let value = cover[row].clone();
                Err(CoverError::NotPositive { row, value })
            }
            None => Ok(cover.clone()),
        }
    }

    fn solve_split(&self, lcp: &MixedLcp, mut cover: Vec<Rational>, meter: &Meter) -> LemkeRun {
        let split = PureForm::split(lcp);
        let bilateral = (0..lcp.n()).filter(|&i| lcp.bilateral()[i]);
        let second: Vec<_> = bilateral.map(|i| cover[i].clone()).collect();
        cover.extend(second);
        match Path::new(self, split.lcp(), &cover, meter) {
            Ok(Some(path)) => lift(path.follow(), &split, lcp),
            Err(exhausted) => self.exhausted(exhausted),
            // Never: a pure form has no bilateral rows, whose block could be singular.
            Ok(None) => self.exhausted(Exhausted::Pivots(self.budget.pivots)),
        }
    }
}

/// A run on the split form as one on the mixed form.
fn lift(run: LemkeRun, split: &PureForm, lcp: &MixedLcp) -> LemkeRun {
    let n = lcp.n();
    let augmented = |mut own: Augmented| {
        own.z = split.lift(&own.z);
        own.w.truncate(n);
        own
    };
    let outcome = match run.outcome {
        LemkeOutcome::Solved { z, basis } => LemkeOutcome::Solved {
            z: split.lift(&z),
            basis: Basis::new(
                (0..n)
                    .map(|i| lcp.bilateral()[i] || basis.z_is_basic(i))
                    .collect(),
            ),
        },
        LemkeOutcome::Ray(ray) => LemkeOutcome::Ray(Box::new(Ray {
            point: augmented(ray.point),
            direction: augmented(ray.direction),
        })),
        other => other,
    };
    LemkeRun { outcome, ..run }
}

#[cfg(test)]
mod tests;
