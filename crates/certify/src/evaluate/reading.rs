//! Readings: a candidate with its entries moved in some way, and how far its rows are from right.

use std::borrow::Cow;
use std::cmp::Ordering;

use etalon_lcp::Problem;
use rug::Rational;

use crate::bounds::{Bounds, BoundsAt, Vector};
use crate::budget::{Budget, Held, OverBudget, fraction_bits};
use crate::integers::ExactVector;
use crate::sizes::Rows;
use crate::transversal::Near;

/// Which condition a row breaks, as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowError {
    /// The row.
    pub row: usize,
    /// w_i at the candidate, moved onto its bounds.
    pub w: Rational,
    /// Whether z_i is at its lower and at its upper bound.
    pub at: (bool, bool),
}

/// A candidate with its entries moved in some way, within its bounds.
pub(super) struct Reading<'b> {
    pub(super) x: Vec<Rational>,
    pub(super) rows: Rows,
    /// The backward error, with plain sizes.
    pub(super) plain: Worst,
    pub(super) _held: Held<'b>,
}

/// The largest row error so far.
#[derive(Default, Clone)]
pub(crate) struct Worst {
    pub(crate) error: Rational,
    pub(crate) at: Option<RowError>,
    /// The largest error of a row, less than 3 parts in 2^63 off. What has surely less is not taken.
    near: Option<Near>,
}

impl Worst {
    pub(crate) fn row(&self) -> Option<usize> {
        self.at.as_ref().map(|at| at.row)
    }
}

/// Reads candidates: what their readings are judged by.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) bounds: &'a Bounds,
    pub(crate) tol: &'a Rational,
    pub(crate) budget: &'a Budget,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        bounds: &'a Bounds,
        tol: &'a Rational,
        budget: &'a Budget,
    ) -> Self {
        Self {
            problem,
            bounds,
            tol,
            budget,
        }
    }

    /// The candidate moved into its bounds, and its natural residual as it stands.
    pub(super) fn candidate(self, z: &[Rational]) -> Result<(Reading<'a>, Rational), OverBudget> {
        let own = self.reading(z.to_vec())?;
        let (mut residual, mut is_inside) = (Rational::new(), true);
        for (i, (z_i, w)) in z.iter().zip(&own.rows.w).enumerate() {
            let is_outside = self.bounds.nearest(i, z).is_some();
            is_inside &= !is_outside;
            // Within its bounds that of a row is 0 where its conditions hold, and never more than |w|.
            let is_less = || Near::of(&residual).surely_exceeds(Near::of(w));
            if is_outside || is_wrong(self.bounds.at(i, z), w.cmp0()) && !is_less() {
                self.budget
                    .reduce(2, fraction_bits(z_i), fraction_bits(w))?;
                let own = natural_residual(z_i, w, self.bounds.of(i, z));
                grow(&mut residual, own);
            }
        }
        if is_inside {
            return Ok((own, residual));
        }
        Ok((self.reading(self.bounds.project(z))?, residual))
    }

    pub(super) fn reading(self, x: Vec<Rational>) -> Result<Reading<'a>, OverBudget> {
        let n = x.len();
        let bits = x.iter().map(fraction_bits).sum();
        let mut held = self.budget.hold(3 * n as u64, bits)?;
        let (mut rows, mut plain) = (Rows::default(), Worst::default());
        let vector = ExactVector::new(&x, self.budget)?;
        for i in 0..n {
            let sums = vector.sums_of(self.problem, i, self.budget)?;
            let (w, s) = sums.reduced(self.budget)?;
            held.more(0, fraction_bits(&w) + fraction_bits(&s))?;
            self.take(&mut plain, i, (&w, &s), &x, &x)?;
            rows.w.push(w);
            rows.s.push(s);
        }
        drop(vector);
        Ok(Reading {
            x,
            rows,
            plain,
            _held: held,
        })
    }

    /// Takes row i with w and the size by which it is measured; `reach` are the sizes of the
    /// unknowns that bound friction rows. Returns whether the row is wrong.
    pub(crate) fn take(
        self,
        worst: &mut Worst,
        row: usize,
        (w, size): (&Rational, &Rational),
        x: &(impl Vector + ?Sized),
        reach: &(impl Vector + ?Sized),
    ) -> Result<bool, OverBudget> {
        let at = self.bounds.at(row, x);
        if !is_wrong(at, w.cmp0()) {
            return Ok(false);
        }
        // Long fractions are brought to lowest terms only where they may be the worst: another mu makes an error smaller.
        let near = Near::of(w).over(Near::of(size));
        if worst.near.is_some_and(|worst| worst.surely_exceeds(near)) {
            return Ok(true);
        }
        self.budget
            .reduce(1, fraction_bits(w), fraction_bits(size))?;
        // w is not 0, so neither is the size, which is at least |w|.
        let mut error = Rational::from(w.abs_ref()) / size;
        // Off its bounds a friction row may be brought to w = 0, or the bound to z by another mu.
        if let Some(change) = change_of_mu(self.bounds, row, x, reach, *w < 0)
            && change < error
        {
            error = change;
        }
        if error > worst.error {
            worst.near = Some(Near::of(&error));
            worst.error = error;
            let w = w.clone();
            worst.at = Some(RowError { row, w, at });
        }
        Ok(true)
    }
}

/// Whether w_i must have another sign where z_i is at its lower bound, at its upper one, or not.
fn is_wrong((at_lower, at_upper): (bool, bool), w: Ordering) -> bool {
    w.is_lt() && !at_upper || w.is_gt() && !at_lower
}

pub(super) fn grow(largest: &mut Rational, value: Rational) {
    if value > *largest {
        *largest = value;
    }
}

/// By which part of its size the bound mu z_n of a friction row would have to change for z_i to be
/// at it; none for other rows, and where no change of mu does it.
fn change_of_mu(
    bounds: &Bounds,
    i: usize,
    x: &(impl Vector + ?Sized),
    reach: &(impl Vector + ?Sized),
    upper: bool,
) -> Option<Rational> {
    let cone = bounds.cone(i)?;
    let limit = Rational::from(&cone.mu * x.at(cone.normal));
    let wanted = Rational::from(x.at(i) * if upper { 1 } else { -1 });
    let size = Rational::from(&cone.mu * reach.at(cone.normal)).abs();
    (limit > 0 && wanted >= 0).then(|| Rational::from(&wanted - &limit).abs() / size)
}

/// |z - mid(l, z - w, u)|: 0 exactly where the row's conditions hold.
pub(crate) fn natural_residual(
    z: &Rational,
    w: &Rational,
    (lower, upper): BoundsAt<'_>,
) -> Rational {
    let mid = Rational::from(z - w);
    let mid = upper.filter(|own| mid > **own).map_or(mid, Cow::into_owned);
    let mid = lower.filter(|own| mid < **own).map_or(mid, Cow::into_owned);
    (mid - z).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Matrix, Number};
    use rug::Integer;

    #[test]
    fn a_reading_holds_its_point_and_its_rows() {
        let problem = Problem::new(
            "p",
            Matrix::from_rows(vec![vec![Number::from(3), Number::from(5)]; 2]).unwrap(),
            vec![Number::from(1), Number::from(-2)],
        );
        let problem = problem.unwrap();
        let (bounds, budget, tol) = (Bounds::new(&problem), Budget::default(), Rational::new());
        let at = Reader::new(&problem, &bounds, &tol, &budget);
        let before = budget.left().0;
        let x = vec![Rational::from((1, 7)), Rational::from(2)];
        let reading = at.reading(x).unwrap();
        // Three numbers for each row: x of 1 + 3 and 2 + 1 bits, w = s = 80/7 in row 0, and in row 1
        // w = 59/7 and s = 87/7.
        let taken = 6 * 512 + (4 + 3) + 2 * (7 + 3) + (6 + 3) + (7 + 3);
        assert_eq!(before - budget.left().0, taken);
        drop(reading);
        assert_eq!(budget.left().0, before);
    }

    /// Of errors 1/3, 1/3 less and more a part in 2^70, and 1/4 the third is the worst, and the last costs nothing.
    #[test]
    fn long_fractions_that_cannot_be_the_worst_are_not_reduced() {
        let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(1)]).unwrap();
        let (bounds, budget, tol) = (Bounds::new(&problem), Budget::default(), Rational::new());
        let at = Reader::new(&problem, &bounds, &tol, &budget);
        let (mut worst, x) = (Worst::default(), [Rational::from(1)]);
        let third = Rational::from((1, 3));
        let part = Rational::from(1) >> 70;
        let mut spent = Vec::new();
        for error in [
            third.clone(),
            Rational::from(&third - &part),
            Rational::from(&third + &part),
            Rational::from((1, 4)),
        ] {
            let size = Rational::from((1, Integer::from(1) << 6_400_u32));
            let (w, before) = (Rational::from(&error * &size), budget.left().1);
            assert!(at.take(&mut worst, 0, (&w, &size), &x[..], &x[..]).unwrap());
            spent.push(before - budget.left().1);
        }
        assert_eq!(worst.error, third + part);
        assert!(spent[..3].iter().all(|spent| *spent > 0), "{spent:?}");
        assert_eq!(spent[3], 0);
    }
}
