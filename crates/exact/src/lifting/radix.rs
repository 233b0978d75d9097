//! From digits in base p to integers, by halves.

use std::sync::OnceLock;

use etalon_modular::Prime;
use rug::integer::IntegerExt64;
use rug::{Complete, Integer};

use crate::lifting::residual::inverse_of;

/// Up to so many digits, Horner's rule is as fast.
const LEAF: usize = 16;

/// Enough levels for any number of digits that memory holds.
const LEVELS: usize = 40;

/// The powers p^(16 * 2^k), each computed when first needed.
#[derive(Debug)]
pub(crate) struct Radix {
    prime: Prime,
    p: u64,
    powers: [OnceLock<Integer>; LEVELS],
}

impl Radix {
    pub fn new(prime: Prime) -> Self {
        Self {
            prime,
            p: prime.p(),
            powers: [const { OnceLock::new() }; LEVELS],
        }
    }

    /// The sum of digit_k p^k. Digits may be larger than p.
    pub fn value(&self, digits: &[u64]) -> Integer {
        if digits.len() <= LEAF {
            let horner = |mut value: Integer, &digit: &u64| {
                value *= self.p;
                value += digit;
                value
            };
            return digits.iter().rev().fold(Integer::new(), horner);
        }
        // The largest level with fewer digits than there are.
        let level = ((digits.len() - 1) / LEAF).ilog2() as usize;
        let (low, high) = digits.split_at(LEAF << level);
        let high = self.value(high) * self.level(level);
        self.value(low) + high
    }

    /// The same of sums of either sign, modulo p to the power of their count.
    pub fn value_of_sums(&self, sums: &[i128]) -> Integer {
        let inverse = inverse_of(self.p);
        let carried = |carry: &mut i128, sum: &i128| {
            let sum = *carry + sum;
            let digit = self.prime.residue_of_wide(sum);
            // An exact division.
            *carry = (sum - i128::from(digit)).wrapping_mul(inverse as i128);
            Some(digit)
        };
        let digits: Vec<u64> = sums.iter().scan(0, carried).collect();
        self.value(&digits)
    }

    /// The first `count` digits of a number that is not negative.
    pub fn digits(&self, value: Integer, count: usize) -> Vec<u64> {
        let mut digits = Vec::with_capacity(count);
        self.push_digits(&mut digits, value, count);
        digits
    }

    /// Adds so many digits, by halves where they are many: one by one, each takes a division of all that is left.
    fn push_digits(&self, digits: &mut Vec<u64>, mut value: Integer, count: usize) {
        if count > 2 * LEAF {
            let level = ((count - 1) / LEAF).ilog2() as usize;
            let (high, low) = value.div_rem_ref(self.level(level)).complete();
            self.push_digits(digits, low, LEAF << level);
            return self.push_digits(digits, high, count - (LEAF << level));
        }
        for _ in 0..count {
            digits.push(value.mod_u64(self.p));
            value /= self.p;
        }
    }

    /// p^k.
    pub fn power(&self, k: usize) -> Integer {
        Integer::from(Integer::u64_pow_u64(self.p, k as u64))
    }

    fn level(&self, level: usize) -> &Integer {
        self.powers[level].get_or_init(|| self.power(LEAF << level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn halves_and_horner_agree(digits in prop::collection::vec(any::<u64>(), 0..200)) {
            let radix = Radix::new(Prime::nth(0).unwrap());
            let horner = digits.iter().rev().fold(Integer::new(), |value, &digit| {
                value * ((1_u64 << 50) - 27) + digit
            });
            prop_assert_eq!(&radix.value(&digits), &horner);
            let back = radix.digits(horner.clone(), digits.len() + 2);
            prop_assert!(back.iter().all(|digit| *digit < (1 << 50) - 27));
            prop_assert_eq!(radix.value(&back), horner);
        }

        #[test]
        fn sums_of_either_sign_carry(sums in prop::collection::vec(-(1_i128 << 120)..1 << 120, 0..50)) {
            let radix = Radix::new(Prime::nth(0).unwrap());
            let horner = sums.iter().rev().fold(Integer::new(), |value, &sum| {
                value * ((1_u64 << 50) - 27) + sum
            });
            let modulus = radix.power(sums.len());
            prop_assert_eq!(radix.value_of_sums(&sums), horner.modulo(&modulus));
        }
    }
}
