//! The mixed form of a problem, paid for before it is made.

use etalon_lcp::{Problem, Reduction, Row};

use super::budget::{Budget, Held, OverBudget, bits};
use super::integers::{IntegerRow, exact, numerators};

/// The reduction of a problem to its mixed form.
///
/// What is added up there are products of an entry of M with a bound, with a coefficient of
/// friction, or with both. So all sums of a row stay over the common denominator of the row and
/// twice that of all bounds and coefficients, and are no longer than it and the numerators are.
pub(crate) fn reduction<'b>(
    problem: &Problem,
    budget: &'b Budget,
) -> Result<(Reduction, Held<'b>), OverBudget> {
    let mut held = budget.hold(0, 0)?;
    let rows = problem.rows();
    let shifts: Vec<_> = (rows.iter())
        .flat_map(|row| match *row {
            Row::Nonnegative | Row::Free | Row::Cone => [None, None],
            Row::AtLeast(bound) | Row::AtMost(bound) => [Some(bound), None],
            Row::Between(lower, upper) => [Some(lower), Some(upper)],
            Row::Friction { mu, .. } => [Some(mu), None],
        })
        .flatten()
        .collect();
    if !shifts.is_empty() {
        let (values, _values) = exact(shifts, budget)?;
        let (shifts, denominator, _shifts) = numerators(&values, u64::MAX, budget)?;
        let shift = shifts.iter().map(bits).max().unwrap_or(0) + bits(&denominator);
        // A friction row has two substitutions with the bound of its normal row, and in each row
        // an entry of its own and one more of the normal row.
        let friction = problem.friction().len() as u64;
        held.more(8 * rows.len() as u64, 4 * friction * shift)?;
        for (i, q) in problem.q().iter().enumerate() {
            let row = IntegerRow::new(problem.m().row(i), q, budget)?;
            let size = row.longest() + 2 * shift + 64;
            let entries = (1 + friction.min(1)) * row.entries.len() as u64;
            // Each a fraction in a tree, then in the matrix: 160 bytes beside its digits.
            held.more(3 * (entries + 1), (entries + 1) * size)?;
            budget.reduce(2 * entries, size, size)?;
        }
        if !problem.m().is_sparse() {
            // A dense matrix has 16 bytes for each zero, and at most twice the rows.
            let n = 2 * rows.len() as u64;
            held.more(0, 128 * n * n)?;
        }
    }
    Ok((Reduction::new(problem), held))
}
