//! Products of long numbers in base p, many at a time: one number in each lane.
//!
//! p-adic digits come as a vector for each power of p, so that lanes lie side by side as they are.
//! The lower half of a product of k digits takes k^2 / 2 multiplications, all of them in registers.
//! Up to some thousands of digits that is faster than fast multiplication of the single numbers.

use std::ops::Range;

use crate::dispatch::Backend;
use crate::lanes::{LANES, LOW_BITS, STEP};
use crate::prime::Prime;

/// The most digits of numbers in base p that [`Positional`] takes: sums of so many products fit 64 bits.
pub const MAX_DIGITS: usize = 1 << 12;

/// Digits that Horner's rule makes a number of, at most.
const LEAF: usize = 8;

/// The most digits that are made one number: their limbs are a factor of [`MAX_LIMBS`] limbs twice.
const MAX_PIECE: usize = 1 << 11;

/// Numbers of so many digits in base p, to be multiplied and written in words.
///
/// Digits become numbers by halves: of p^m and the two halves of m digits each, all products are made in the lanes. That takes about
/// k^2 / 2 multiplications for k digits, as the product does.
#[derive(Debug, Clone)]
pub struct Positional {
    prime: Prime,
    backend: Backend,
    count: usize,
    /// Digits of a piece, which is what becomes one number.
    piece: usize,
    /// Digits that Horner's rule takes.
    leaf: usize,
    /// p^leaf, p^(2 leaf), ..., in limbs with zeros around them.
    powers: Vec<Vec<u64>>,
}

impl Positional {
    /// For numbers of `count` digits.
    ///
    /// # Panics
    /// When there are more than [`MAX_DIGITS`] digits.
    pub fn new(prime: Prime, count: usize, backend: Backend) -> Self {
        assert!(count <= MAX_DIGITS, "sums fit 64 bits");
        let piece = count.div_ceil(count.div_ceil(MAX_PIECE).max(1)).max(1);
        let levels = piece.div_ceil(LEAF).next_power_of_two().trailing_zeros();
        let leaf = piece.div_ceil(1 << levels);
        let mut power = vec![1];
        for _ in 0..leaf {
            power = product(&power, &[prime.p()]);
        }
        let mut powers = Vec::new();
        for level in 0..levels {
            if level > 0 {
                power = product(&power, &power);
            }
            power.truncate(limbs(leaf << level));
            power.resize(limbs(leaf << level), 0);
            let mut padded = vec![0; STEP - 1];
            padded.extend_from_slice(&power);
            padded.resize(power.len() + 2 * (STEP - 1), 0);
            powers.push(padded);
        }
        Self {
            prime,
            backend,
            count,
            piece,
            leaf,
            powers,
        }
    }

    /// How many digits stand for a piece: a number is the sum of its pieces times powers of p.
    pub fn piece(&self) -> usize {
        self.piece
    }

    /// Multiplies some of n numbers by one factor, modulo p^k: `digits` has the n digits of p^0, then the n digits of p^1, and so on;
    /// the k digits of the factor stand in a row. For each of these numbers there come back the words of all pieces of its digits, least
    /// first.
    ///
    /// # Panics
    /// When the factor has not k digits, or there are not n k of the numbers, or fewer than these numbers.
    pub fn scaled(
        &self,
        digits: &[u64],
        n: usize,
        numbers: Range<usize>,
        factor: &[u64],
    ) -> Vec<Vec<Vec<u64>>> {
        assert_eq!(factor.len(), self.count, "k digits");
        assert_eq!(digits.len(), n * factor.len(), "n numbers of k digits");
        assert!(numbers.end <= n, "n numbers");
        // Zeros in front stand for the digits of negative powers.
        let mut padded = vec![0; STEP - 1];
        padded.extend_from_slice(factor);
        padded.resize(factor.len().next_multiple_of(STEP) + STEP - 1, 0);
        let mut columns = vec![[0; LANES]; factor.len().next_multiple_of(STEP)];
        let mut all = Vec::with_capacity(numbers.len());
        for first in numbers.clone().step_by(LANES) {
            let count = LANES.min(numbers.end - first);
            for (column, row) in columns.iter_mut().zip(digits.chunks_exact(n.max(1))) {
                column[..count].copy_from_slice(&row[first..first + count]);
            }
            let scaled = self.product(&columns, &padded);
            let start = all.len();
            all.resize_with(start + count, Vec::new);
            for piece in scaled.chunks(self.piece) {
                let limbs = self.number(piece);
                for (lane, own) in all[start..].iter_mut().enumerate() {
                    own.push(words(&limbs, lane));
                }
            }
        }
        all
    }

    /// The digits of the products with a factor, which has zeros around it.
    fn product(&self, columns: &[[u64; LANES]], factor: &[u64]) -> Vec<[u64; LANES]> {
        let mut scaled = Vec::with_capacity(columns.len());
        let mut carry = [0; LANES];
        self.backend.convolve(columns, factor, &mut |lows, highs| {
            let mut digit = [0; LANES];
            for (lane, digit) in digit.iter_mut().enumerate() {
                (*digit, carry[lane]) = divided(lows[lane], highs[lane], carry[lane], self.prime);
            }
            scaled.push(digit);
        });
        scaled.truncate(self.count);
        scaled
    }

    /// The limbs of a number in each lane, by its digits of a piece or fewer.
    fn number(&self, digits: &[[u64; LANES]]) -> Vec<[u64; LANES]> {
        let mut own = limbs(self.leaf);
        let mut parts: Vec<[u64; LANES]> = Vec::new();
        for leaf in digits.chunks(self.leaf) {
            let start = parts.len();
            parts.resize(start + own, [0; LANES]);
            self.backend
                .horner(leaf, self.prime.p(), &mut parts[start..]);
        }
        let mut digits = self.leaf;
        for power in &self.powers {
            let longer = limbs(2 * digits);
            let pairs = parts.len().div_ceil(2 * own);
            let mut next = vec![[0; LANES]; pairs * longer];
            let mut product = vec![[0; LANES]; 2 * own];
            for (pair, out) in parts.chunks(2 * own).zip(next.chunks_exact_mut(longer)) {
                let (low, high) = pair.split_at(own);
                if high.is_empty() {
                    out[..own].copy_from_slice(low);
                    continue;
                }
                self.backend.multiply_up([low, high], power, &mut product);
                out.copy_from_slice(&product[..longer]);
            }
            (parts, own, digits) = (next, longer, 2 * digits);
        }
        parts
    }
}

/// Limbs of a number of so many digits.
fn limbs(digits: usize) -> usize {
    (50 * digits).div_ceil(LOW_BITS as usize)
}

/// The product of two numbers in limbs, one digit after the other.
fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    const MASK: u128 = (1 << LOW_BITS) - 1;
    let mut out = vec![0; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0_u128;
        for (out, &y) in out[i..].iter_mut().zip(b.iter().chain([&0])) {
            let sum = u128::from(x) * u128::from(y) + u128::from(*out) + carry;
            *out = (sum & MASK) as u64;
            carry = sum >> LOW_BITS;
        }
    }
    out
}

/// The words of 64 bits of one lane's limbs.
fn words(limbs: &[[u64; LANES]], lane: usize) -> Vec<u64> {
    let mut words = Vec::with_capacity(limbs.len());
    let (mut bits, mut held) = (0_u128, 0);
    for limb in limbs {
        bits |= u128::from(limb[lane]) << held;
        held += LOW_BITS;
        if held >= 64 {
            words.push(bits as u64);
            bits >>= 64;
            held -= 64;
        }
    }
    if held > 0 {
        words.push(bits as u64);
    }
    words
}

/// The remainder and quotient of low + 2^52 high + carry by p, for high below 2^60 and a carry below 2^63.
#[inline(always)]
fn divided(low: u64, high: u64, carry: u64, prime: Prime) -> (u64, u64) {
    const BITS: u32 = 50;
    const MASK: u64 = (1 << BITS) - 1;
    let delta = (1 << BITS) - prime.p();
    let total = u128::from(low) + (u128::from(high) << 52) + u128::from(carry);
    // 2^50 q + r = p q + (delta q + r), and q is below 2^62 + 2^15.
    let q = (total >> BITS) as u64;
    let rest = u128::from(q) * u128::from(delta) + u128::from(total as u64 & MASK);
    let again = (rest >> BITS) as u64;
    let rest = again * delta + (rest as u64 & MASK);
    // Below 2^51, hence below 3 p.
    let quotient = q + again;
    let more = rest / prime.p();
    (rest - more * prime.p(), quotient + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::MAX_LIMBS;
    use proptest::prelude::*;

    /// One number after the other, one digit after the other.
    fn scaled(digits: &[u64], factor: &[u64], prime: Prime) -> Vec<u64> {
        let p = u128::from(prime.p());
        let mut out = vec![0_u128; digits.len()];
        for (i, &a) in digits.iter().enumerate() {
            for (j, &b) in factor[..digits.len() - i].iter().enumerate() {
                let mut value = u128::from(a) * u128::from(b);
                for out in &mut out[i + j..] {
                    value += *out;
                    *out = value % p;
                    value /= p;
                }
            }
        }
        out.into_iter().map(|digit| digit as u64).collect()
    }

    /// The digits in base p of a number in words.
    fn in_base(words: &[u64], count: usize, prime: Prime) -> Vec<u64> {
        let mut words = words.to_vec();
        let p = u128::from(prime.p());
        let mut digit = || {
            let mut rest = 0;
            for word in words.iter_mut().rev() {
                let value = (rest << 64) | u128::from(*word);
                *word = (value / p) as u64;
                rest = value % p;
            }
            rest as u64
        };
        let digits = (0..count).map(|_| digit()).collect();
        assert!(words.iter().all(|&word| word == 0));
        digits
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn products_are_those_of_single_digits(
            n in 1_usize..20, k in 1_usize..40, ends: [prop::sample::Index; 2], which in 0..Prime::COUNT, seed: u64,
        ) {
            let prime = Prime::nth(which).unwrap();
            let digit = |k: u64| {
                let mixed = seed.wrapping_mul(2 * k + 1);
                if mixed >> 62 == 0 { prime.p() - 1 } else { prime.residue(mixed) }
            };
            let digits: Vec<u64> = (0..(n * k) as u64).map(digit).collect();
            let factor: Vec<u64> = (0..k as u64).map(|j| digit(j + 1_000)).collect();
            for backend in Backend::available() {
                let positional = Positional::new(prime, k, backend);
                let [start, end] = ends.map(|end| end.index(n + 1));
                for numbers in [0..n, start.min(end)..start.max(end)] {
                    let found = positional.scaled(&digits, n, numbers.clone(), &factor);
                    prop_assert_eq!(found.len(), numbers.len());
                    for (i, pieces) in numbers.zip(found) {
                        let own: Vec<u64> = digits.iter().skip(i).step_by(n).copied().collect();
                        prop_assert_eq!(pieces.len(), 1);
                        let found = in_base(&pieces[0], k, prime);
                        prop_assert_eq!(found, scaled(&own, &factor, prime));
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_sums_carry() {
        // -1 times -1 is 1 modulo p^k, and 1 times -1 is -1.
        let prime = Prime::nth(Prime::COUNT - 1).unwrap();
        for count in [MAX_DIGITS, MAX_PIECE, MAX_PIECE - 1, LEAF, LEAF + 1] {
            let most = vec![prime.p() - 1; count];
            let mut one = vec![0; count];
            one[0] = 1;
            for backend in Backend::available() {
                let positional = Positional::new(prime, count, backend);
                assert!(limbs(positional.piece().div_ceil(2) + LEAF) <= MAX_LIMBS);
                for (factor, digits) in [(&most, &one), (&one, &most)] {
                    let found = positional.scaled(&most, 1, 0..1, factor);
                    let found = found[0].iter().zip(digits.chunks(positional.piece()));
                    for (words, digits) in found {
                        assert!(in_base(words, digits.len(), prime) == digits, "{count}");
                    }
                }
            }
        }
    }
}
