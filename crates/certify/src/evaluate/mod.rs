//! How far a candidate is from exact, in two measures, both exact throughout.
//!
//! The *componentwise backward error* is the smallest eps for which z exactly solves a problem
//! with |dM| <= eps |M|, |dq| <= eps |q| and, on friction rows, |dmu| <= eps mu. The rows are
//! perturbed independently, row i can move w_i to any value within eps s_i,
//! s_i = (|M||z| + |q|)_i, and to no other, and a friction row its bounds by eps times them. So
//! each row sets a bound of its own and the largest is the answer; the proof is in
//! `docs/backward-error.md`.
//!
//! The *natural-scale error* takes sigma_i in place of s_i, the size of a row when its unknowns
//! are taken at their natural sizes ([`Sizes`](crate::sizes::Sizes)), and lets unknowns move onto a
//! bound nearby at the cost of the move over their natural size: the theorems are in
//! `docs/measure.md`.

mod judged;
mod reading;

use etalon_lcp::{Measures, Problem};
use rug::Rational;

use judged::Judged;
pub use reading::RowError;
pub(crate) use reading::{Reader, Worst, natural_residual};
use reading::{Reading, grow};

use crate::bounds::Bounds;
use crate::budget::{Budget, OverBudget, fraction_bits, of_answer};
use crate::cones::FarMoves;
use crate::own::Own;
use crate::sizes::{Rows, Sizes, is_tight};
use crate::tolerance::Tolerance;
use crate::{CertificateError, ensure};

/// What an evaluation finds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluation {
    /// The measures of the contract.
    pub measures: Measures,
    /// The row that sets the natural-scale error, where it is a row and not a move that does.
    pub worst: Option<RowError>,
    /// Whether z as given, nothing moved, solves the problem exactly.
    pub exact: bool,
    /// The largest violation in any row, relative to the largest size of a row in the whole
    /// problem, both for rows and columns scaled to a diagonal of ones, squared. Only where the
    /// error is over the tolerance.
    pub(crate) share_of_largest: Option<Rational>,
    /// The point within the bounds that the error was found at, unless z is exact.
    pub reading: Option<Vec<Rational>>,
    /// With friction cones, the moves to it that sizes of blocks do not excuse.
    pub far: Option<FarMoves>,
    /// Whether the rows are right there in plain sizes.
    pub is_plain: bool,
    /// Whether there are friction cones.
    pub(crate) of_cones: bool,
    /// Whether nothing is wrong that free rows of bodies might not explain, and these were over the budget.
    pub(crate) unsolved: bool,
}

/// Evaluates a candidate that does not solve the problem, which has no friction cones.
pub(crate) fn evaluate_lcp(
    problem: &Problem,
    z: &[Rational],
    tolerance: &Tolerance,
    budget: &Budget,
) -> Result<Evaluation, CertificateError> {
    let (bounds, tol) = (Bounds::new(problem), &tolerance.tol);
    let at = Reader::new(problem, &bounds, tol, budget);
    let (mut plain, residual) = at.candidate(z)?;
    let mut measures = Measures {
        error: plain.plain.error.clone(),
        backward_error: plain.plain.error.clone(),
        worst_row: plain.plain.row(),
        residual: Some(residual),
        ..Measures::default()
    };
    let right = |measures, plain: Reading<'_>| Evaluation {
        measures,
        worst: plain.plain.at,
        reading: Some(plain.x),
        is_plain: true,
        ..Evaluation::default()
    };
    if plain.x == z && measures.error <= *tol {
        return Ok(right(measures, plain));
    }
    let sizes = at.sizes(&plain)?;
    let judged = at.judge(&plain, &sizes, z)?;
    measures.negativity.clone_from(&judged.furthest);
    measures.negative_row = judged.furthest_row;
    if plain.plain.error <= *tol && judged.furthest <= *tol {
        if judged.furthest > measures.error {
            (measures.error, measures.worst_row) = (judged.furthest, judged.furthest_row);
            plain.plain.at = None;
        }
        return Ok(right(measures, plain));
    }

    least(at, z, plain, (judged, sizes), measures, &tolerance.snap)
}

/// The componentwise backward error of z as it stands, nothing moved.
///
/// # Errors
/// A row on which z is outside its bounds, another length, or numbers over the budget.
pub(crate) fn backward_error(
    problem: &Problem,
    z: &[Rational],
) -> Result<Rational, CertificateError> {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let why = "the stated answer to a problem with friction cones cannot be held against its error";
    ensure(problem.is_lcp(), why)?;
    let (bounds, tol, budget) = (Bounds::new(problem), Rational::new(), of_answer(problem, z));
    for cone in bounds.cones() {
        budget.reduce(2, fraction_bits(&cone.mu), fraction_bits(&z[cone.normal]))?;
    }
    let inside = bounds.project(z);
    if let Some(row) = (0..z.len()).find(|&i| inside[i] != z[i]) {
        return Err(CertificateError::new("z is outside its bounds").at(format!("row {row}")));
    }
    let at = Reader::new(problem, &bounds, &tol, &budget);
    Ok(at.reading(inside)?.plain.error)
}

/// Which rows are loose at a point within the bounds: those that changes of the data by tol can
/// make equations.
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn loose_rows(
    problem: &Problem,
    x: &[Rational],
    tol: &Rational,
) -> Result<Vec<bool>, CertificateError> {
    let (bounds, Rows { w, s }) = (Bounds::new(problem), rows_at(problem, x)?);
    let tight = |i| is_tight(bounds.at(i, x), &w[i], &s[i], tol);
    Ok((0..x.len()).map(|i| !tight(i)).collect())
}

/// w = Mx + q and s = |M||x| + |q| at a point.
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn rows_at(problem: &Problem, x: &[Rational]) -> Result<Rows, CertificateError> {
    ensure(x.len() == problem.n(), "a point of another length")?;
    let (bounds, tol, budget) = (Bounds::new(problem), Rational::new(), of_answer(problem, x));
    let at = Reader::new(problem, &bounds, &tol, &budget);
    Ok(at.reading(x.to_vec())?.rows)
}

/// Whether z solves the problem exactly.
///
/// # Errors
/// Another length than the problem has rows, or numbers over the budget.
pub fn solves(problem: &Problem, z: &[Rational]) -> Result<bool, CertificateError> {
    solves_within(problem, z, &of_answer(problem, z))
}

pub(crate) fn solves_within(
    problem: &Problem,
    z: &[Rational],
    budget: &Budget,
) -> Result<bool, CertificateError> {
    let n = problem.n();
    let why = format!("z has {} entries, but the problem has {n} rows", z.len());
    ensure(z.len() == n, why)?;
    match etalon_kernel::check_solution(&Own::new(problem), z, budget) {
        Err(refusal) if refusal.is_over_budget() => Err(refusal.into()),
        checked => Ok(checked.is_ok()),
    }
}

/// The distance of z from an exact solution: max_j |z_j - y_j| / a_j, a_j the natural size of
/// unknown j at the solution y. An unknown that nothing measures counts as wrong altogether
/// (distance 1) unless it is equal.
///
/// # Errors
/// Numbers over the budget.
pub fn distance(
    problem: &Problem,
    z: &[Rational],
    solution: &[Rational],
    tol: &Rational,
) -> Result<Rational, OverBudget> {
    let (bounds, budget) = (Bounds::new(problem), of_answer(problem, solution));
    let at = Reader::new(problem, &bounds, tol, &budget);
    let reading = at.reading(solution.to_vec())?;
    let sizes = at.sizes(&reading)?;
    let mut furthest = Rational::new();
    for (j, (z, y)) in z.iter().zip(solution).enumerate() {
        grow(&mut furthest, at.cost(&sizes, j, z, y)?);
    }
    Ok(furthest)
}

/// Every reading is an upper bound of the error, so the least of them counts: the candidate as it stands,
/// and with entries moved onto bounds, few of them (within `snap`) or all that may.
fn least(
    at: Reader<'_>,
    z: &[Rational],
    plain: Reading<'_>,
    (mut best, sizes): (Judged, Sizes<'_>),
    mut measures: Measures,
    snap: &Rational,
) -> Result<Evaluation, CertificateError> {
    let mut at_best = None;
    let all = at.moved(&plain, &sizes, None)?;
    let few = at.moved(&plain, &sizes, Some(snap))?;
    drop(sizes);
    let same = all == few;
    let mut right_as_it_stands = None;
    for (x, snaps) in [(few, true), (all.filter(|_| !same), false)] {
        let Some(x) = x else { continue };
        let reading = at.reading(x)?;
        let other = at.judge(&reading, &at.sizes(&reading)?, z)?;
        // Friction rows that go along with their normal rows may have far to go.
        let near = other.furthest <= *at.tol.max(snap);
        if snaps && near && reading.plain.error < measures.backward_error {
            measures.backward_error.clone_from(&reading.plain.error);
            measures.snapped = other.moves.clone();
            if reading.plain.error <= *at.tol && *other.error() <= *at.tol {
                right_as_it_stands = Some(reading.x.clone());
            }
        }
        if other.error() < best.error() {
            measures.moved.clone_from(&other.moves);
            best = other;
            at_best = Some(reading);
        }
    }
    let reading = at_best.unwrap_or(plain);
    let is_plain = reading.plain.error <= *at.tol || right_as_it_stands.is_some();
    measures.error.clone_from(best.error());
    measures.worst_row = best.row();
    Ok(Evaluation {
        measures,
        worst: best.rows.at,
        share_of_largest: Some(best.share_of_largest),
        is_plain,
        // Rows that are right in plain sizes need no excuse, though others have a smaller error.
        reading: right_as_it_stands.or(Some(reading.x)),
        ..Evaluation::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Matrix, Number};

    #[test]
    fn a_check_without_means_is_neither_yes_nor_no() {
        let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(-1)]).unwrap();
        let z = [Rational::from(1)];
        assert_eq!(solves_within(&problem, &z, &Budget::default()), Ok(true));
        for budget in [Budget::new(1, 1 << 20), Budget::new(1 << 20, 1)] {
            let error = solves_within(&problem, &z, &budget).unwrap_err();
            assert!(error.is_over_budget(), "{error}");
        }
    }
}
