//! The mixed form of a problem, paid for before it is made.

use etalon_lcp::{Problem, Reduction, Row};

use crate::budget::{Budget, Held, OverBudget, bits};
use crate::integers::{IntegerRow, exact, numerators};

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
            Row::Nonnegative | Row::Free => [None, None],
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

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record;

    /// What the reduction takes, and the bits that the numbers of the mixed form have.
    fn of(text: &str) -> ((u64, u64), u64) {
        let problem = record::read_problem(text).unwrap().record;
        let budget = Budget::default();
        let (reduction, held) = reduction(&problem, &budget).unwrap();
        let all = Budget::default().left();
        let taken = (all.0 - budget.left().0, all.1 - budget.left().1);
        drop(held);
        assert_eq!(budget.left().0, all.0, "all given back");
        let lcp = reduction.mixed();
        let numbers = (0..lcp.n()).flat_map(|i| lcp.m().row(i).map(|(_, value)| value));
        let bits = numbers
            .chain(lcp.q())
            .map(|v| crate::budget::fraction_bits(&v.to_rational()));
        (taken, bits.sum())
    }

    #[test]
    fn the_mixed_form_is_paid_for() {
        let plain =
            of(r#"{"name": "p", "M": [[1, 2], [3, 4]], "q": [1, 1], "lower": [0, "-inf"]}"#);
        assert_eq!(plain.0, (0, 0), "it is the problem itself");
        let long = "7".repeat(1000);
        for bounds in [
            format!(r#""lower": ["1/{long}", "3/{long}"]"#),
            format!(r#""upper": ["1/{long}", "{long}"]"#),
            format!(r#""lower": ["-inf", "-inf"], "upper": ["1/{long}", "3/{long}"]"#),
            format!(r#""friction": [{{"row": 1, "normal": 0, "mu": "1/{long}"}}]"#),
            format!(
                r#""lower": ["1/{long}", 0], "friction": [{{"row": 1, "normal": 0, "mu": "1/{long}"}}]"#
            ),
        ] {
            let text = format!(
                r#"{{"name": "p", "M": [["1/3", "2/7"], ["3/5", "{long}"]], "q": [1, 1], {bounds}}}"#
            );
            let ((held, work), bits) = of(&text);
            assert!(
                held >= bits && held < 60 * bits,
                "{held} for {bits} bits: {bounds}"
            );
            // A sum of fractions of 3,000 bits for each entry at least.
            assert!(work > 4 * 8 * 50 * 50, "{work}: {bounds}");
        }
        // A dense matrix of zeros has 16 bytes a place, with rows for the upper bounds.
        let zeros = |n: usize| {
            let rows = vec![format!("[{}]", vec!["0"; n].join(",")); n].join(",");
            let upper = vec!["1"; n].join(",");
            let q = vec!["0"; n].join(",");
            of(&format!(
                r#"{{"name": "p", "M": [{rows}], "q": [{q}], "upper": [{upper}]}}"#
            ))
            .0
            .0
        };
        let (small, large) = (zeros(30), zeros(60));
        assert!(small > 4 * 128 * 900 && large > 4 * 128 * 3600 && large < 8 * 128 * 3600);
    }

    #[test]
    fn the_substitutions_of_friction_rows_are_counted_one_by_one() {
        let (taken, _) = of(
            r#"{"name": "p", "M": [[1, 1, 1], [1, 1, 1], [1, 1, 1]], "q": [1, 1, 1],
            "friction": [{"row": 1, "normal": 0, "mu": "1/2"}, {"row": 2, "normal": 0, "mu": "1/3"}]}"#,
        );
        // 3/6 and 2/6 have 5 bits, a sum in a row 2 of its own, twice those, and 64 more.
        let (shift, size) = (5, 2 + 2 * 5 + 64);
        // Eight numbers for each row, and two substitutions with two numbers for each friction row.
        let substitutions = 3 * 8 * 512 + 2 * 2 * 2 * shift;
        // Six entries and q in each row.
        let entries = 3 * 7 * (3 * 512 + size);
        let zeros = 128 * 6 * 6;
        let reading = (2 * (1 + 8) + 2) + 3 * 8;
        let sums = 3 * 6 * 2 * 8 * 2 * 2;
        assert_eq!(taken, (substitutions + entries + zeros, reading + sums));
    }
}
