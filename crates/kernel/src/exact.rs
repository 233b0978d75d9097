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
