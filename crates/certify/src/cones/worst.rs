//! The least eps for which a contact obeys its law, to 24 bits, and the largest of many.

use etalon_kernel::{At, Cone, Refusal, obeys};
use rug::Rational;

use crate::budget::Budget;
use crate::evaluate::Worst as PlainWorst;

/// Bits of an error: it is printed with some seven digits.
const BITS: u32 = 24;

/// The largest error so far, from above: of plain rows itself, of contacts rounded up to so many bits, or the
/// tolerance where that is less. It is at most the tolerance if and only if the error is.
#[derive(Debug, Clone, Default)]
pub(super) struct Worst {
    pub high: Rational,
    /// The row that sets it: of a cone, its normal.
    pub row: Option<usize>,
}

/// What is known of a contact: other readings have the same one.
#[derive(Default)]
pub(super) struct Known {
    /// It obeys its law within this.
    obeys: Option<Rational>,
    /// A number within which it does not, and its error as it is taken.
    error: Option<(Rational, Rational)>,
}

/// Whether a contact obeys its law within eps for certain; false says nothing.
pub(super) type Certain<'a> = dyn Fn(&Rational) -> bool + 'a;

/// The rows of a contact, for the kernel.
pub(super) type Rows<'a> = dyn Fn() -> Result<Vec<At>, Refusal> + 'a;

impl Worst {
    /// The error of plain rows.
    pub fn of_plain(plain: PlainWorst) -> Self {
        let (row, high) = (plain.row(), plain.error);
        Self { high, row }
    }

    /// Takes a contact, whose error is looked for only where it is above the largest so far: its errors
    /// are those at which it obeys its law and all above (`docs/cones.md`, theorem 1).
    pub fn take_cone(
        &mut self,
        cone: &Cone,
        (certain, rows): (&Certain<'_>, &Rows<'_>),
        (tol, known): (&Rational, &mut Known),
        budget: &Budget,
    ) -> Result<(), Refusal> {
        if known.obeys.as_ref().is_some_and(|eps| *eps <= self.high) {
            return Ok(());
        }
        if let Some((not, error)) = known.error.as_ref().filter(|(not, _)| self.high <= *not) {
            debug_assert!(not < error, "the error is above what does not do");
            (self.high, self.row) = (error.clone(), Some(cone.normal));
            return Ok(());
        }
        if certain(&self.high) {
            known.obeys = Some(self.high.clone());
            return Ok(());
        }
        let rows = rows()?;
        let asked = |eps: &Rational| obeys(cone, &rows, eps, budget);
        if asked(&self.high)? {
            known.obeys = Some(self.high.clone());
            return Ok(());
        }
        let obeys = |eps: &Rational| Ok(certain(eps) || asked(eps)?);
        let mut high = rounded_up(&self.high, obeys)?;
        if high > *tol && obeys(tol)? {
            high.clone_from(tol);
        }
        let not = std::mem::replace(&mut self.high, high.clone());
        self.row = Some(cone.normal);
        known.obeys = Some(high.clone());
        known.error = Some((not, high));
        Ok(())
    }
}

/// The least number above 0 that does, rounded up to [`BITS`] bits: what is found does not depend on where the search
/// begins, at a number `not` that does not do. All above a number that does do too.
fn rounded_up(
    not: &Rational,
    does: impl Fn(&Rational) -> Result<bool, Refusal>,
) -> Result<Rational, Refusal> {
    // Powers of two first: 2^low does not do, 2^high does.
    let (mut low, mut high) = (None, None);
    let (mut exponent, mut step) = (exponent(not), 1_i32);
    let exponent = loop {
        if does(&power(exponent))? {
            high = Some(exponent);
        } else {
            low = Some(exponent);
        }
        exponent = match (low, high) {
            (Some(low), Some(high)) if high - low <= 1 => break high,
            (Some(low), Some(high)) => low + (high - low) / 2,
            (Some(low), None) => low.saturating_add(step),
            (None, high) => high.unwrap_or_default().saturating_sub(step),
        };
        step = step.saturating_mul(2);
    };
    // The digits, on a grid from 2^(exponent - 1) to 2^exponent.
    let unit = power(exponent - 1 - BITS as i32);
    let (mut below, mut above) = (1_u64 << BITS, 2_u64 << BITS);
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if does(&Rational::from(&unit * middle))? {
            above = middle;
        } else {
            below = middle;
        }
    }
    Ok(unit * above)
}

/// A power of two near a number; 1 where that is 0.
fn exponent(value: &Rational) -> i32 {
    if value.is_zero() {
        return 0;
    }
    let [above, below] = [value.numer(), value.denom()].map(rug::Integer::significant_bits);
    i32::try_from(i64::from(above) - i64::from(below)).unwrap_or_default()
}

fn power(exponent: i32) -> Rational {
    Rational::from(1) << exponent
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_rounded_up_wherever_the_search_begins() {
        for error in [
            "1/3",
            "1",
            "3",
            "1e-40",
            "12345678901234567",
            "1/1024",
            "0x1.000001p-7",
        ] {
            let error = etalon_lcp::parse_rational(error).unwrap();
            let does = |eps: &Rational| Ok(*eps >= error);
            let found = rounded_up(&Rational::new(), does).unwrap();
            let unit = Rational::from(&found >> BITS);
            assert!(
                found >= error && Rational::from(&found - &unit) < error,
                "{error} {found}"
            );
            for before in [
                Rational::from(&error / 2u32),
                Rational::from(&error / 1_000_003u32),
            ] {
                assert_eq!(rounded_up(&before, does).unwrap(), found, "{error}");
            }
        }
    }

    #[test]
    fn nothing_is_found_without_means() {
        let refuses = |_: &Rational| Err(Refusal::WORK);
        assert_eq!(rounded_up(&Rational::new(), refuses), Err(Refusal::WORK));
    }
}
