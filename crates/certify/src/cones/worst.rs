//! The least eps for which a contact obeys its law, to 24 bits, and the largest of many.

use etalon_kernel::{At, Cone, Refusal, obeys};
use rug::Rational;

use crate::budget::Budget;

/// Bits to which an error is bisected: it is printed with some seven digits.
const BITS: u32 = 24;

/// The largest error so far, from above: of plain rows itself, of contacts by at most 2^-24 of it. It is at
/// most the tolerance if and only if the error is.
#[derive(Debug, Clone, Default)]
pub(super) struct Worst {
    pub high: Rational,
    /// The row that sets it: of a cone, its normal.
    pub row: Option<usize>,
}

impl Worst {
    /// Takes a contact, whose error is looked for only where it is above the largest so far: its errors
    /// are those at which it obeys its law and all above (`docs/cones.md`, theorem 3.1).
    pub fn take_cone(
        &mut self,
        cone: &Cone,
        rows: &[At],
        tol: &Rational,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        let obeys = |eps: &Rational| obeys(cone, rows, eps, budget);
        if obeys(&self.high)? {
            return Ok(());
        }
        let high = bisect(self.high.clone(), tol, obeys)?;
        *self = Self {
            high,
            row: Some(cone.normal),
        };
        Ok(())
    }
}

/// A number that does, and those below it by more than 2^-24 of it do not, nor does `not`. It is at most `tol`
/// if and only if a number is that does.
fn bisect(
    not: Rational,
    tol: &Rational,
    does: impl Fn(&Rational) -> Result<bool, Refusal>,
) -> Result<Rational, Refusal> {
    // The tolerance first: what is below it and what is above are told apart exactly.
    let (mut low, mut high) = (not, None);
    if *tol > low {
        if does(tol)? {
            high = Some(tol.clone());
        } else {
            low = tol.clone();
        }
    }
    // Powers of two: down from the upper end, or up from the lower one, by steps that double.
    let mut step = 1_u32;
    while high.is_none() {
        let next = if low.is_zero() {
            Rational::from(1)
        } else {
            Rational::from(&low << step)
        };
        if does(&next)? {
            high = Some(next);
        } else {
            low = next;
            step = step.saturating_mul(2);
        }
    }
    let mut high = high.unwrap_or_default();
    let mut step = 1_u32;
    while low.is_zero() {
        let next = Rational::from(&high >> step);
        if does(&next)? {
            high = next;
            step = step.saturating_mul(2);
        } else {
            low = next;
        }
    }
    // The exponent, then the digits.
    while Rational::from(&low << 1_u32) < high {
        let middle = geometric_middle(&low, &high);
        if does(&middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    while Rational::from(&high - &low) > Rational::from(&high >> BITS) {
        let middle = Rational::from(&low + &high) >> 1_u32;
        if does(&middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// A power of two between two numbers, the larger of which is more than twice the smaller, at about half
/// their distance in powers.
fn geometric_middle(low: &Rational, high: &Rational) -> Rational {
    let exponent = |value: &Rational| {
        let [above, below] = [value.numer(), value.denom()].map(rug::Integer::significant_bits);
        i64::from(above) - i64::from(below)
    };
    let (from, to) = (exponent(low), exponent(high));
    // low < 2^(from + 1), high > 2^(to - 1), and to - from >= 1.
    let middle = (from + to).div_euclid(2).max(from + 1).min(to);
    let one = Rational::from(1);
    let power = u32::try_from(middle.unsigned_abs()).unwrap_or(u32::MAX);
    let power = if middle < 0 {
        one >> power
    } else {
        one << power
    };
    if power > *low && power < *high {
        return power;
    }
    Rational::from(low << 1_u32)
}
