//! Cottle-Dantzig principal pivoting in the form of Baraff's drive-to-zero, exact.
//!
//! Baraff (1994), section 4.3: all z start at zero. While some w_d is negative, z_d is raised, and
//! the clamped z_C follow so that w_C stays zero, until w_d is zero. Whenever a clamped z or a w
//! of NC reaches zero on the way, its row changes sides, which is one principal pivot (CPS
//! section 4.2). Both sets start empty; after each drive, every row with w >= 0 joins NC. A row
//! in one of the sets stays feasible for good, so there are at most n drives.
//!
//! **Class.** Symmetric positive semidefinite matrices and P-matrices. For every matrix the run
//! ends, in one of three ways. It solves the problem. It meets a principal minor that such a matrix
//! cannot have ([`DantzigOutcome::OutOfClass`]). Or a drive is unbounded
//! ([`DantzigOutcome::Unbounded`]), which for a symmetric positive semidefinite matrix proves
//! that there is no solution.
//!
//! **Bounds.** A row may have any lower and upper bound. A variable that blocks at its upper
//! bound u, or is driven up to it, is measured from there: u - z takes the place of z and -w that
//! of w.
//!
//! **Bilateral rows** come first (section 4.5): their free z are clamped for ever. A row that
//! depends on the others is skipped when it agrees with them, and a proof of inconsistency when
//! it does not.
//!
//! # Why it ends
//!
//! Each drive breaks ties by a lexicographic perturbation of its own (see `lexicographic.rs`),
//! which at its start moves every basic variable off the bound that it may be on. Baraff's
//! theorems 3 to 5 then hold without exception, for every matrix, as long as the run goes on:
//!
//! 1. *Each step has positive length.* At the start of a drive, all basic variables are strictly
//!    within their bounds. Every later step starts from a basic solution in which z_d and w_d are
//!    both basic and of some pair, the last that blocked, both were nonbasic; the perturbation
//!    keeps its basic variables off their bounds, and different ratios apart. Only the variable
//!    that the last pivot made basic is on a bound, and it moves away from it: its rate is minus
//!    the rate of the one that it replaced, which was falling, over the pivot, and the pivot is
//!    positive or the run is over.
//! 2. *w_d rises strictly* at the rate S_dd of the Schur complement S of M_CC, if S_dd > 0. If
//!    S_dd < 0 the run is over. If S_dd = 0 then w_d stands still, and the run is over unless a
//!    clamped z blocks; so C loses an index, and such steps cannot go on for ever. (For
//!    symmetric M, S_dd is positive after one of them.)
//! 3. *No clamped set repeats within a drive* (with the same variables at upper bounds). Let C
//!    come again later. In between, w_d has risen strictly, since steps of rate zero only remove
//!    indices. Given C, the point is an affine function of z_d, and w_d is S_dd z_d + constant.
//!    So S_dd > 0, and both points lie on one line, the later with the larger z_d. Both are
//!    feasible, hence so is all between; but at the first of them a step along this line was
//!    stopped, before w_d had risen as far, by a variable that would have become infeasible
//!    beyond. Contradiction.
//!
//! There are finitely many sets, so each drive ends, and so do the at most n of them. A drive may
//! end, and the perturbation with it, as soon as w_d = 0 ties for the block: without the
//! perturbation everything is feasible, which is all that the next drive asks for.
//!
//! In the problem itself, unperturbed, a tie shows as a step of length zero; w_d does not fall.
//! A row whose two bounds are one number is no condition at all, and is left alone.
//!
//! **The number of steps** is that of Baraff's maxstep calls, and but for the last of an unbounded
//! drive and for moves between bounds each is one pivot. A tie goes to w_d, then to C, then to NC
//! in ascending order, as in Baraff's pseudo-code, unless the perturbation has told the rows
//! apart in an earlier step of the drive; from there on the numbers may differ (and off the class
//! the pseudo-code may go on for ever).

pub(crate) mod boxes;
mod drive;

use etalon_lcp::{Basis, Problem};
use rug::Rational;

use crate::budget::{Budget, Exhausted, Meter, check_rows};
use crate::trace::Trace;
use boxes::{Axes, Boxes};
use drive::Driver;

/// Principal pivoting and its settings.
///
/// ```
/// use etalon_exact::{Dantzig, DantzigOutcome};
/// use etalon_lcp::{Matrix, Number, Problem};
///
/// // Three blocks in a stack: contact forces 60, 50, 30 (Baraff 1994).
/// let int = |v: i64| Number::from(v);
/// let text = [["1", "-1", "0"], ["-1", "3/2", "-1/2"], ["0", "-1/2", "5/6"]];
/// let row = |row: [&str; 3]| row.iter().map(|v| Number::parse_exact(v)).collect();
/// let rows = text.map(row).into_iter().collect::<Result<_, _>>()?;
/// let q = vec![int(-10), int(0), int(0)];
/// let stack = Problem::new("stack", Matrix::from_rows(rows)?, q)?;
/// let run = Dantzig::default().solve(&stack)?;
/// let DantzigOutcome::Solved { z, .. } = run.outcome else {
///     return Err("M is positive definite".into());
/// };
/// assert_eq!(z, [60, 50, 30]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dantzig {
    /// Which row is driven next.
    pub next: Next,
    /// How far to go; a step counts as a pivot.
    pub budget: Budget,
    /// Whether to record every step.
    pub trace: bool,
}

/// Which of the rows with w_d < 0 is driven next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Next {
    /// The first.
    #[default]
    Lowest,
    /// That of the most negative w, the first of several.
    MostNegative,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DantzigRun {
    /// The outcome.
    pub outcome: DantzigOutcome,
    /// Steps (Baraff's maxstep calls); eliminations of bilateral rows do not count.
    pub steps: u64,
    /// The steps, where asked for.
    pub trace: Option<Trace>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DantzigOutcome {
    /// z solves the problem.
    Solved {
        /// The n values.
        z: Vec<Rational>,
        /// A complementary basis that z belongs to, on the rows of the problem's mixed form
        /// ([`etalon_lcp::Reduction`]). Skipped bilateral rows count as basic.
        basis: Basis,
    },
    /// z can go on in this direction for ever without w_d becoming zero: for feasible rows z
    /// stays within its bounds and w keeps its sign. When M is symmetric positive semidefinite,
    /// M z_h = 0 and q'z_h + (the share of the bounds) < 0: a Farkas vector, so that there is no
    /// solution (reflected rows of the mixed form, z <= u, take it with the other sign).
    Unbounded {
        /// z_h, n values in original units, 1 at row d (-1 where z_d <= u is its only bound).
        direction: Vec<Rational>,
    },
    /// The equations of the bilateral rows contradict each other: y'M = 0 and y'q < 0 with y = 0
    /// off the bilateral rows, whatever M is.
    Inconsistent {
        /// y, n values.
        y: Vec<Rational>,
    },
    /// M is neither symmetric positive semidefinite nor a P-matrix.
    OutOfClass {
        /// Rows S, ascending, with det M_SS <= 0, which no P-matrix has. Nor has a symmetric
        /// positive semidefinite matrix, unless the determinant is zero; then it is here because
        /// entries beside it are not, as they would have to be. With bilateral rows, whose
        /// independent ones are all in S: det M_SS is zero or has another sign than the
        /// determinant of the bilateral rows in S.
        minor: Vec<usize>,
    },
    /// The budget ran out, which says nothing about the problem.
    Exhausted(Exhausted),
}

/// The problems that this method does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DantzigError {
    /// A row of a friction cone: the problem is no LCP.
    #[error("row {row} is one of a friction cone, which makes the problem no LCP")]
    Cone {
        /// The row.
        row: usize,
    },
    /// A row whose bounds depend on another row.
    #[error(
        "row {row} is a friction row, whose bounds move with row {normal}; reduce the problem and use Lemke's method"
    )]
    Friction {
        /// The row.
        row: usize,
        /// Its normal row.
        normal: usize,
    },
}

impl Dantzig {
    /// Runs the method on a problem with any bounds but friction.
    ///
    /// # Errors
    /// [`DantzigError::Friction`].
    pub fn solve(&self, problem: &Problem) -> Result<DantzigRun, DantzigError> {
        let axes = Axes::new(problem)?;
        let meter = Meter::new(&self.budget);
        let boxes = check_rows(problem.n()).and_then(|()| Boxes::new(problem, axes, &meter));
        Ok(match boxes {
            Ok(boxes) => Driver::new(self, boxes, meter).run(),
            Err(too_large) => DantzigRun {
                outcome: DantzigOutcome::Exhausted(too_large),
                steps: 0,
                trace: None,
            },
        })
    }
}

#[cfg(test)]
mod tests;
