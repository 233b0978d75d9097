//! Numbers from their digits by several primes: Chinese remainders.

use std::ops::Range;

use etalon_modular::Positional;
use rug::Integer;
use rug::integer::Order;

use crate::lifting::lift::Lifting;
use crate::lifting::radix::Radix;

/// Entries times a factor, modulo the product of powers of primes.
///
/// With P_j the power of the prime j, P their product and Q_j = P / P_j, the number f x is the sum of (f Q_j^-1 x modulo P_j) Q_j modulo P: modulo
/// P_j all terms but one vanish, and that one is f x.
pub(crate) struct Remainders<'a> {
    parts: Vec<Part<'a>>,
    /// P.
    pub modulus: Integer,
}

struct Part<'a> {
    lifting: &'a Lifting,
    radix: Radix,
    /// P_j.
    power: Integer,
    /// Q_j.
    others: Integer,
    /// f Q_j^-1 modulo P_j, and its digits, as many as are taken of the entries.
    factor: Integer,
    digits: Vec<u64>,
    /// Where the products are made in vector registers, with the power of p that a piece counts as.
    positional: Option<(Positional, Integer)>,
}

impl<'a> Remainders<'a> {
    /// With the factor f, from so many digits of all sides together, or from all where there are fewer.
    pub fn new(sides: &'a [Lifting], factor: &Integer, count: usize) -> Self {
        let own = count.div_ceil(sides.len().max(1));
        let powers = sides.iter().map(|side| {
            let radix = Radix::new(side.prime());
            let count = own.min(side.len());
            (side, radix.power(count), radix, count)
        });
        let powers: Vec<_> = powers.collect();
        let modulus: Integer = powers.iter().map(|(_, power, ..)| power).product();
        let parts = powers.into_iter().map(|(lifting, power, radix, count)| {
            let others = Integer::from(modulus.div_exact_ref(&power));
            let factor = Integer::from(factor % &power);
            // Powers of other primes have an inverse.
            let factor = match sides.len() {
                1 => factor,
                _ => factor * others.clone().invert(&power).unwrap_or_default() % &power,
            };
            let positional = lifting.positional(count);
            Part {
                positional: positional.map(|own| {
                    let piece = radix.power(own.piece());
                    (own, piece)
                }),
                lifting,
                digits: radix.digits(factor.clone(), count),
                radix,
                power,
                others,
                factor,
            }
        });
        Self {
            parts: parts.collect(),
            modulus,
        }
    }

    /// The numbers f x_i from 0 to P - 1.
    pub fn of(&self, entries: Range<usize>) -> Vec<Integer> {
        let parts = self.parts.iter();
        let mut parts: Vec<_> = parts.map(|part| part.of(entries.clone())).collect();
        if parts.len() == 1 {
            return parts.pop().unwrap_or_default();
        }
        let value = |i: usize| {
            let terms = self.parts.iter().zip(&parts);
            let terms = terms.map(|(part, values)| Integer::from(&values[i] * &part.others));
            let mut sum: Integer = terms.sum();
            // Each term is below P.
            while sum >= self.modulus {
                sum -= &self.modulus;
            }
            sum
        };
        (0..entries.len()).map(value).collect()
    }
}

impl Part<'_> {
    /// The entries times the own factor, modulo P_j.
    fn of(&self, entries: Range<usize>) -> Vec<Integer> {
        let Some((positional, power)) = &self.positional else {
            let value = |i: usize| {
                let value = self.lifting.entry(i, self.digits.len());
                self.radix.value(&value) * &self.factor % &self.power
            };
            return entries.map(value).collect();
        };
        let scaled = self.lifting.scaled(positional, &self.digits, entries);
        let value = |pieces: Vec<Vec<u64>>| {
            let pieces = pieces.into_iter().rev();
            let pieces = pieces.map(|words| Integer::from_digits(&words, Order::Lsf));
            // All but one are rare.
            let joined = pieces.reduce(|value, piece| value * power + piece);
            joined.unwrap_or_default()
        };
        scaled.into_iter().map(value).collect()
    }
}

/// The number with these remainders, each with its modulus: from 0 to the product of the moduli, which comes with it. The moduli
/// share no factor.
pub(crate) fn joined(remainders: Vec<(Integer, Integer)>) -> (Integer, Integer) {
    let join = |(value, modulus): (Integer, Integer), (other, by): (Integer, Integer)| {
        let inverse = modulus.clone().invert(&by).unwrap_or_default();
        let missing = ((other - &value) * inverse).modulo(&by);
        (value + missing * &modulus, modulus * by)
    };
    let mut remainders = remainders.into_iter();
    let first = remainders.next().unwrap_or_default();
    remainders.fold(first, join)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_that_of_its_remainders() {
        let power = |base: u32, exponent: u32| Integer::from(Integer::u_pow_u(base, exponent));
        let moduli = [power(3, 40), power(5, 60), power(7, 5)];
        let number = power(2, 200) + 77;
        for count in 1..=moduli.len() {
            let product: Integer = moduli[..count].iter().product();
            let number = Integer::from(&number % &product);
            let own = moduli[..count].iter();
            let own = own.map(|by| (Integer::from(&number % by), by.clone()));
            assert_eq!(joined(own.collect()), (number.clone(), product));
        }
    }
}
