//! Primes p = 2^50 - delta with a small delta.

/// Bits of a residue.
pub(crate) const BITS: u32 = 50;
/// Bits of half a residue.
pub(crate) const HALF: u32 = 25;
/// The lower half.
pub(crate) const HALF_MASK: u64 = (1 << HALF) - 1;
const MASK: u64 = (1 << BITS) - 1;

/// The deltas below 2^10 with 2^50 - delta prime; the tests find them anew.
const DELTAS: [u32; 37] = [
    27, 35, 51, 71, 113, 117, 131, 161, 195, 233, 267, 341, 351, 377, 423, 447, 545, 591, 603, 611,
    651, 653, 665, 675, 681, 707, 723, 741, 765, 813, 821, 873, 911, 951, 971, 1001, 1011,
];

/// A prime 2^50 - delta with delta < 2^10.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prime {
    p: u64,
    /// Kept in 32 bits, so that the compiler sees how little of a product there is.
    delta: u32,
}

impl Prime {
    /// The primes at hand.
    pub const COUNT: usize = DELTAS.len();

    /// The k-th largest prime below 2^50; `None` from [`COUNT`](Self::COUNT) on.
    pub fn nth(k: usize) -> Option<Self> {
        let delta = *DELTAS.get(k)?;
        let p = (1 << BITS) - u64::from(delta);
        Some(Self { p, delta })
    }

    /// The prime.
    pub fn p(self) -> u64 {
        self.p
    }

    #[inline(always)]
    fn delta(self) -> u64 {
        u64::from(self.delta)
    }

    /// s0 + s1 2^25 + s2 2^50 modulo p, in [0, p), for any s0 and other sums below 2^63.
    #[inline(always)]
    pub(crate) fn reduce(self, s0: u64, s1: u64, s2: u64) -> u64 {
        // low < 2^51 (two terms below 2^50), high < 2^63 + 2^38 + 2^14.
        let low = (s0 & MASK) + ((s1 & HALF_MASK) << HALF);
        let high = s2 + (s1 >> HALF) + (s0 >> BITS);
        // high = 2^50 h + l: delta h < 2^24, so what delta multiplies stays below 2^51.
        let high = (high & MASK) + (high >> BITS) * self.delta();
        self.finish(high * self.delta() + low)
    }

    /// x modulo p for any x.
    #[inline(always)]
    fn finish(self, x: u64) -> u64 {
        let x = (x & MASK) + (x >> BITS) * self.delta();
        x.min(x.wrapping_sub(self.p))
    }

    /// x modulo p.
    pub fn residue(self, x: u64) -> u64 {
        self.finish(x)
    }

    /// a b modulo p for residues a and b.
    #[inline(always)]
    pub fn multiply(self, a: u64, b: u64) -> u64 {
        let (a0, a1) = (a & HALF_MASK, a >> HALF);
        let (b0, b1) = (b & HALF_MASK, b >> HALF);
        self.reduce(a0 * b0, a0 * b1 + a1 * b0, a1 * b1)
    }

    /// -a modulo p for a residue a.
    #[inline(always)]
    pub fn negate(self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.p - a }
    }

    /// The inverse of a residue that is not 0 (for 0 it is 0), by Fermat's theorem.
    pub fn invert(self, a: u64) -> u64 {
        let mut power = 1;
        let mut square = a;
        let mut exponent = self.p - 2;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.multiply(power, square);
            }
            square = self.multiply(square, square);
            exponent >>= 1;
        }
        power
    }

    /// The residue of a number of so many 64-bit words, least word first, in two's complement.
    pub fn residue_of_words(self, words: &[u64]) -> u64 {
        // 2^64 = 2^14 2^50 = 2^14 delta < 2^24.
        let base = self.delta() << 14;
        let fold = |high: u64, &word: &u64| {
            let (h0, h1) = (high & HALF_MASK, high >> HALF);
            let word_high = (word >> BITS) * self.delta();
            self.reduce(h0 * base + (word & MASK) + word_high, h1 * base, 0)
        };
        let value = words.iter().rev().fold(0, fold);
        let negative = words.last().is_some_and(|&top| top >> 63 == 1);
        if negative {
            self.subtract(value, self.power_of_word(words.len()))
        } else {
            value
        }
    }

    /// x modulo p, quickest for x below 2^86 in absolute value.
    #[inline]
    pub fn residue_of_wide(self, x: i128) -> u64 {
        // x = 2^50 high + low with low in [0, 2^50).
        let high = (x >> BITS) as i64;
        if i128::from(high) != x >> BITS || high.unsigned_abs() >> 36 != 0 {
            return self.residue_of_words(&[x as u64, (x >> 64) as u64]);
        }
        // delta < 2^10, so this is between -2^46 and 2^50 + 2^46.
        let sum = (x as u64 & MASK) as i64 + high * i64::from(self.delta);
        let raised = if sum < 0 { sum + self.p as i64 } else { sum };
        self.finish(raised as u64)
    }

    /// 2^(64 count) modulo p.
    fn power_of_word(self, count: usize) -> u64 {
        (0..count).fold(1, |power, _| self.multiply(power, self.delta() << 14))
    }

    fn subtract(self, a: u64, b: u64) -> u64 {
        let difference = a.wrapping_sub(b);
        difference.min(difference.wrapping_add(self.p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Miller and Rabin's test with bases that are enough below 2^64.
    fn is_prime(n: u64) -> bool {
        let multiply = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
        let power = |mut base: u64, mut exponent: u64| {
            let mut result = 1;
            while exponent > 0 {
                if exponent & 1 == 1 {
                    result = multiply(result, base);
                }
                base = multiply(base, base);
                exponent >>= 1;
            }
            result
        };
        let shift = (n - 1).trailing_zeros();
        [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
            .iter()
            .all(|&base| {
                let mut x = power(base, (n - 1) >> shift);
                if x == 1 || x == n - 1 {
                    return true;
                }
                (1..shift).any(|_| {
                    x = multiply(x, x);
                    x == n - 1
                })
            })
    }

    #[test]
    fn the_primes_are_the_largest_below_2_to_the_50() {
        let found: Vec<u32> = (1..1 << 10)
            .filter(|&delta| is_prime((1 << BITS) - u64::from(delta)))
            .collect();
        assert_eq!(found, DELTAS);
    }

    proptest! {
        #[test]
        fn reducing_is_the_remainder(
            k in 0..Prime::COUNT, s in prop::array::uniform3(0..1u64 << 63),
        ) {
            let prime = Prime::nth(k).unwrap();
            let p = u128::from(prime.p());
            let [s0, s1, s2] = s.map(u128::from);
            let value = s0 % p + ((s1 % p) << HALF) + ((s2 % p) << BITS);
            prop_assert_eq!(u128::from(prime.reduce(s[0], s[1], s[2])), value % p);
            prop_assert_eq!(u128::from(prime.residue(s[0])), s0 % p);
            let (a, b) = (prime.residue(s[0]), prime.residue(s[1]));
            prop_assert_eq!(u128::from(prime.multiply(a, b)), u128::from(a) * u128::from(b) % p);
            prop_assert_eq!(prime.multiply(a, prime.invert(a)), u64::from(a != 0));
        }

        #[test]
        fn words_have_the_residue_of_the_number(k in 0..Prime::COUNT, value: i128) {
            let prime = Prime::nth(k).unwrap();
            let words = [value as u64, (value >> 64) as u64];
            let expected = value.rem_euclid(i128::from(prime.p())) as u64;
            prop_assert_eq!(prime.residue_of_words(&words), expected);
            prop_assert_eq!(prime.residue_of_words(&[]), 0);
            for shift in [0, 40, 41, 42, 64, 78] {
                let value = value >> shift;
                let expected = value.rem_euclid(i128::from(prime.p())) as u64;
                prop_assert_eq!(prime.residue_of_wide(value), expected);
            }
            let one = (words[0] as i64).rem_euclid(prime.p() as i64) as u64;
            prop_assert_eq!(prime.residue_of_words(&words[..1]), one);
        }
    }

    #[test]
    fn extremes_reduce() {
        for k in 0..Prime::COUNT {
            let prime = Prime::nth(k).unwrap();
            let p = prime.p();
            assert_eq!(prime.residue(p), 0);
            assert_eq!(prime.residue(p - 1), p - 1);
            assert_eq!(
                u128::from(prime.residue(u64::MAX)),
                u128::from(u64::MAX) % u128::from(p)
            );
            assert_eq!(prime.multiply(p - 1, p - 1), 1);
            assert_eq!(prime.negate(0), 0);
        }
    }
}
