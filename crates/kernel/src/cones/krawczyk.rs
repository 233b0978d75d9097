//! Krawczyk's theorem: equations that are sums of products of two linear expressions have one zero in
//! the box |x - c| <= d where
//!
//! > |C F(c)| + |I - C F'(c)| d + |C| E < d,
//!
//! with E_l the sum over j, k of |F_l'' in j, k| d_j d_k, for any matrix C. (Krawczyk 1969;
//! `docs/certificates-cones.md`, "A solution is near".)

use rug::{Integer, Rational};

use crate::{Checked, budget::*, cone::*, ensure, exact::*};

/// A linear expression: its value at the center, coefficients of the unknowns, and how far it moves
/// in the box.
#[derive(Clone, Default)]
pub(crate) struct Linear {
    pub value: Rational,
    pub slope: Vec<(usize, Rational)>,
    pub reach: Rational,
}

/// A sum of products of a number and one or two linear expressions: an equation, if it is to be 0.
pub(crate) type Equation = Vec<(Rational, Linear, Option<Linear>)>;

/// Checks that the equations, as many as unknowns, have one zero in the box that reaches d > 0 far. The
/// matrix C has a row for each unknown.
///
/// # Errors
/// An unknown, as the row, whose distance from c may grow; the budget.
pub(crate) fn check_zero(
    equations: Vec<Equation>, d: Vec<Rational>, c: &[Vec<Rational>], paid: &Paid<'_>,
    held: &mut Held<'_>,
) -> Checked {
    let count = equations.len();
    // Of each equation its gradient, then F(c) and E.
    let mut rows = Vec::new();
    for equation in equations {
        let mut row = vec![Rational::new(); count + 2];
        for (factor, one, other) in equation {
            let unit = Linear { value: Rational::from(1), ..Linear::default() };
            let [first, second] = [&one, other.as_ref().unwrap_or(&unit)];
            for (this, that) in [(first, second), (second, first)] {
                let by = paid.product(&factor, &that.value);
                for (x, slope) in &this.slope {
                    row[*x] = paid.sum(&row[*x], &paid.product(&by, slope));
                }
            }
            let value = paid.product(&first.value, &second.value);
            row[count] = paid.sum(&row[count], &paid.product(&factor, &value));
            // The second derivative of a product is that of both factors, twice.
            let moves = paid.product(&first.reach, &second.reach);
            let moves = paid.product(&(factor.abs() * 2u32), &moves);
            row[count + 1] = paid.sum(&row[count + 1], &moves);
        }
        paid.found(())?;
        let nonzeros = row.into_iter().enumerate().filter(|(_, own)| *own != 0);
        rows.push(Exact::new(nonzeros, held)?);
    }
    let d = Exact::new(d.into_iter().enumerate(), held)?;
    ensure(c.len() == count, "the inverse has not a row for each unknown")?;
    for (i, c) in c.iter().enumerate() {
        check_row(i, c, (&rows, &d), paid, held.budget).map_err(|no| no.at_row(i))?;
    }
    Ok(())
}

/// The test of one unknown, in integers.
fn check_row(
    i: usize, c: &[Rational], (rows, d): (&[Exact], &Exact), paid: &Paid<'_>, budget: &Budget,
) -> Checked {
    let (count, mut held) = (rows.len(), budget.hold(0, 0)?);
    ensure(c.len() == count, "a row of the inverse has not an entry for each unknown")?;
    // A row is over its denominator.
    let over = |(own, row): (&Rational, &Exact)| paid.ratio(own, &Rational::from(&row.denominator));
    let factors = c.iter().zip(rows).map(over).enumerate();
    let factors = Exact::new(factors.filter(|(_, own)| *own != 0), &mut held)?;
    paid.found(())?;
    let longest = rows.iter().map(|row| row.longest).max().unwrap_or(0) + factors.longest;
    held.more(count as u64 + 3, (count as u64 + 3) * (longest + 64))?;
    let mut sums = vec![Integer::new(); count + 2];
    // I is the denominator of the factors in column i.
    sums[i] -= &factors.denominator;
    for (l, factor) in &factors.entries {
        let row = &rows[*l];
        budget.multiply(row.entries.len() as u64, row.longest, bits(factor))?;
        for (x, own) in &row.entries {
            if *x == count + 1 {
                sums[*x] += Integer::from(own * factor).abs();
            } else {
                sums[*x] += own * factor;
            }
        }
    }
    let rest = sums.split_off(count);
    budget.multiply(count as u64 + 3, longest + 64, d.longest)?;
    let mut left: Integer = rest.into_iter().map(|own| own.abs() * &d.denominator).sum();
    for ((_, d), sum) in d.entries.iter().zip(sums) {
        left += sum.abs() * d;
    }
    let limit = d.entries.get(i).map(|(_, d)| Integer::from(d * &factors.denominator));
    ensure(limit.is_some_and(|limit| left < limit), "the box is not mapped into itself")
}
