//! Frictionless contact: the drive to zero in any order, and what to say when b is outside the
//! range of A.

use etalon_certify::Truth;
use etalon_exact::{Budget, Dantzig, DantzigOutcome, Trace};
use etalon_lcp::{Bound, Certificate, Matrix, Number, Problem, Row};
use etalon_rigid::{Dense, LinearSolution, Scalar};
use rug::Rational;

use crate::error::ForceError;
use crate::formulation::Formulation;

/// Whether b = A x for some x, as Baraff's theorems ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Range<S> {
    /// It is: frictionless forces exist, and no clamped block is ever singular.
    Inside {
        /// The rank of A.
        rank: usize,
    },
    /// It is not: y'A = 0 and y'b < 0. Velocity terms can do that.
    Outside {
        /// The proof, n values. When y >= 0, too, there are no contact forces.
        y: Vec<S>,
    },
}

impl<S: Scalar> Formulation<S> {
    /// Decides whether b is in the range of A (up to rounding in binary64).
    pub fn range(&self) -> Range<S> {
        range(self.a(), self.b())
    }
}

fn range<S: Scalar>(a: &Dense<S>, b: &[S]) -> Range<S> {
    match a.solve(b) {
        LinearSolution::Inside { rank, .. } => Range::Inside { rank },
        LinearSolution::Outside { y } => Range::Outside { y },
    }
}

/// How a drive to zero ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Driven {
    /// The forces or the proof that there are none.
    pub outcome: DriveOutcome,
    /// Steps: Baraff's maxstep calls.
    pub steps: u64,
    /// The steps in the rows of the problem as driven (row k is row `order[k]`).
    pub trace: Option<Trace>,
}

/// The end of a drive to zero.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DriveOutcome {
    /// f, n values.
    Solved(Vec<Rational>),
    /// No forces, by a checked Farkas vector: y >= 0 (free on joints), A'y <= 0 and b'y < 0.
    NoForces(Vec<Rational>),
    /// The matrix is outside the class of the method, or the budget ran out.
    Failed(String),
}

/// Drives contact by contact to zero in the order given (Baraff 1994, section 4.3), exactly. For
/// symmetric positive semidefinite A all orders lead to the same accelerations, but, where
/// contacts are redundant, to different forces.
///
/// `order` is a permutation of the rows, the first driven first; bilateral rows come before all.
///
/// # Errors
/// [`ForceError::Length`] when `order` is no permutation of the rows.
pub fn drive_to_zero(
    problem: &Problem,
    order: &[usize],
    budget: &Budget,
) -> Result<Driven, ForceError> {
    let permuted = permuted(problem, order)?;
    let dantzig = Dantzig {
        budget: budget.clone(),
        trace: true,
        ..Dantzig::default()
    };
    let run = dantzig.solve(&permuted);
    let run = run.map_err(|error| ForceError::Problem(error.to_string()))?;
    let back = |values: Vec<Rational>| {
        let mut original = vec![Rational::new(); values.len()];
        for (value, &row) in values.into_iter().zip(order) {
            original[row] = value;
        }
        original
    };
    let outcome = match run.outcome {
        DantzigOutcome::Solved { z, .. } => DriveOutcome::Solved(back(z)),
        // A direction in which nothing stops a drive lets b'y fall without end: a Farkas vector, if
        // the checker agrees.
        DantzigOutcome::Unbounded { direction: y } | DantzigOutcome::Inconsistent { y } => {
            farkas(problem, back(y))
        }
        DantzigOutcome::OutOfClass { minor } => DriveOutcome::Failed(format!(
            "A is outside the class: the minor of rows {minor:?}"
        )),
        DantzigOutcome::Exhausted(exhausted) => DriveOutcome::Failed(exhausted.to_string()),
        _ => DriveOutcome::Failed("an outcome that is not known here".to_owned()),
    };
    Ok(Driven {
        outcome,
        steps: run.steps,
        trace: run.trace,
    })
}

fn farkas(problem: &Problem, y: Vec<Rational>) -> DriveOutcome {
    let certificate = Certificate::Farkas {
        y: y.iter().cloned().map(Number::from).collect(),
    };
    match Truth::default().add_certificate(problem, &certificate) {
        Ok(()) => DriveOutcome::NoForces(y),
        Err(error) => DriveOutcome::Failed(format!("an unbounded drive proves nothing: {error}")),
    }
}

/// The same problem with row k taken from row `order[k]`.
fn permuted(problem: &Problem, order: &[usize]) -> Result<Problem, ForceError> {
    let n = problem.n();
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    // A row driven twice, or never, would leave a condition unasked.
    if !sorted.iter().copied().eq(0..n) {
        let length = order.len();
        return Err(ForceError::Length { length, n });
    }
    let entry = |i: usize, j: usize| {
        let value = problem.m().get(i, j).cloned();
        value.unwrap_or_else(|| Number::from(0))
    };
    let row = |&i: &usize| order.iter().map(|&j| entry(i, j)).collect();
    let matrix = Matrix::from_rows(order.iter().map(row).collect());
    let matrix = matrix.map_err(|error| ForceError::Problem(error.to_string()))?;
    let q = order.iter().map(|&i| problem.q()[i].clone()).collect();
    let rows = problem.rows();
    let lower = order.iter().map(|&i| match rows[i] {
        Row::Free => Bound::NegativeInfinity,
        _ => Bound::Finite(Number::from(0)),
    });
    let permuted = Problem::new(problem.name(), matrix, q)?;
    Ok(permuted.with_bounds(Some(lower.collect()), None)?)
}
