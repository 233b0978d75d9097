//! Fractions as integers over one denominator: the only arithmetic of the kernel. Whatever may
//! grow is paid for before it does.

use rug::{Integer, Rational};

use crate::{Refusal, budget::*};

/// Numerators over one positive denominator.
pub(crate) struct Exact<'b> {
    pub numerators: Vec<Integer>,
    pub denominator: Integer,
    pub held: Held<'b>,
}

/// The numbers, each paid for as it comes: one alone is no longer than a record, all may be.
pub(crate) fn read<'b>(
    numbers: impl IntoIterator<Item = Rational>, budget: &'b Budget,
) -> Result<(Vec<Rational>, Held<'b>), Refusal> {
    let (mut values, mut held) = (Vec::new(), budget.hold(0, 0)?);
    for value in numbers {
        held.more(2, fraction_bits(&value))?;
        values.push(value);
    }
    Ok((values, held))
}

/// The numerator of a fraction over a multiple of its denominator.
pub(crate) fn over(value: &Rational, denominator: &Integer) -> Integer {
    value.numer() * Integer::from(denominator.div_exact_ref(value.denom()))
}

impl<'b> Exact<'b> {
    /// The values over their least common denominator, if that takes no more than this share of
    /// what is left. Unrelated denominators multiply, so a short text can ask for far more.
    pub fn new(values: &[Rational], share: u64, budget: &'b Budget) -> Result<Self, Refusal> {
        let (count, limit) = (values.len() as u64, budget.left().0 / share);
        let mut denominator = Integer::from(1);
        for own in values.iter().map(Rational::denom) {
            budget.multiply(1, bits(&denominator), bits(own))?;
            if !denominator.is_divisible(own) {
                budget.reduce(1, bits(&denominator), bits(own))?;
                denominator.lcm_mut(own);
                let fits = bits(&denominator).saturating_mul(count) <= limit;
                fits.then_some(()).ok_or(Refusal::MEMORY)?;
            }
        }
        let (mut numerators, mut held) = (Vec::new(), budget.hold(0, 0)?);
        for value in values {
            let factor = bits(&denominator) - bits(value.denom()) + 1;
            held.more(1, bits(value.numer()) + factor)?;
            budget.multiply(1, factor, fraction_bits(value))?;
            numerators.push(over(value, &denominator));
        }
        Ok(Self { numerators, denominator, held })
    }
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numerators_stand_over_the_least_common_denominator() {
        let budget = Budget::default();
        let all = budget.left().0;
        let values = [Rational::from((1, 2)), Rational::from((-2, 3)), Rational::from(5)];
        let exact = Exact::new(&values, 1, &budget).unwrap();
        assert_eq!(
            (&exact.numerators[..], &exact.denominator),
            (&[3, -4, 30].map(Integer::from)[..], &Integer::from(6))
        );
        // Three numbers of 1, 2 and 3 bits, with factors of 3 - 2 + 1, 3 - 2 + 1 and 3 - 1 + 1 bits.
        assert_eq!(all - budget.left().0, 3 * 512 + 6 + 7);
        drop(exact);
        assert_eq!(budget.left().0, all);
    }

    #[test]
    fn a_growing_denominator_is_noticed_before_it_has_grown() {
        // 60 unrelated numbers of 400 digits: over their denominator 60 * 60 * 1,300 bits.
        let long =
            |k: u32| Rational::from((1, Integer::from(Integer::u_pow_u(10, 400)) + (2 * k + 1)));
        let values: Vec<_> = (0..60).map(long).collect();
        let budget = Budget::new(1 << 20, 1 << 32);
        assert!(matches!(Exact::new(&values, 1, &budget), Err(Refusal::MEMORY)));
        assert_eq!(budget.left().0, 1 << 20);
        let share = Budget::new(1 << 23, 1 << 32);
        assert!(matches!(Exact::new(&values, 4, &share), Err(Refusal::MEMORY)));
        assert!(Exact::new(&values, 1, &share).is_ok());
        assert!(matches!(Exact::new(&values, 1, &Budget::new(1 << 23, 99)), Err(Refusal::WORK)));
    }

    #[test]
    fn numbers_are_paid_for_as_they_come() {
        let budget = Budget::new(10_000, 0);
        let (values, held) = read((0..5).map(Rational::from), &budget).unwrap();
        assert_eq!((values.len(), budget.left().0), (5, 10_000 - 10 * 512 - 8 - 5));
        drop(held);
        assert_eq!(read((0..).map(Rational::from), &budget).unwrap_err(), Refusal::MEMORY);
        assert_eq!(budget.left().0, 10_000);
    }
}
