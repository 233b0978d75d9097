//! Products of long numbers in base p, many at a time: one number in each lane.
//!
//! p-adic digits come as a vector for each power of p, so that lanes lie side by side as they are.
//! The lower half of a product of k digits takes k^2 / 2 multiplications, all of them in registers.
//! Up to some thousands of digits that is faster than fast multiplication of the single numbers.

use std::ops::Range;

use crate::dispatch::Backend;
use crate::lanes::{LANES, STEP};
use crate::prime::Prime;

/// The most digits that [`scale_digits`] takes: sums of so many products fit 64 bits.
pub const MAX_DIGITS: usize = 1 << 12;

/// Multiplies some of n numbers by one factor, modulo p^k, all in base p: `digits` has the n digits of
/// p^0, then the n digits of p^1, and so on, k in all; the k digits of the factor stand in a row. What comes back has the digits
/// of these numbers alone.
///
/// # Panics
/// When there are more than [`MAX_DIGITS`] digits, or not n k of them, or fewer than these numbers.
pub fn scale_digits(
    digits: &[u64],
    n: usize,
    numbers: Range<usize>,
    factor: &[u64],
    prime: Prime,
    backend: Backend,
) -> Vec<u64> {
    assert!(factor.len() <= MAX_DIGITS, "sums fit 64 bits");
    assert_eq!(digits.len(), n * factor.len(), "n numbers of k digits");
    assert!(numbers.end <= n, "n numbers");
    let own = numbers.len();
    let mut scaled = vec![0; own * factor.len()];
    // Zeros in front stand for the digits of negative powers.
    let mut padded = vec![0; STEP - 1];
    padded.extend_from_slice(factor);
    padded.resize(factor.len().next_multiple_of(STEP) + STEP - 1, 0);
    let mut columns = vec![[0; LANES]; factor.len().next_multiple_of(STEP)];
    for start in (0..own).step_by(LANES) {
        let count = LANES.min(own - start);
        let first = numbers.start + start;
        for (column, row) in columns.iter_mut().zip(digits.chunks_exact(n)) {
            column[..count].copy_from_slice(&row[first..first + count]);
        }
        let mut carry = [0; LANES];
        let mut k = 0;
        backend.convolve(&columns, &padded, &mut |lows, highs| {
            if let Some(out) = scaled.get_mut(k * own + start..k * own + start + count) {
                for (lane, out) in out.iter_mut().enumerate() {
                    (*out, carry[lane]) = divided(lows[lane], highs[lane], carry[lane], prime);
                }
            }
            k += 1;
        });
    }
    scaled
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
    use proptest::prelude::*;

    /// One number after the other, one digit after the other.
    fn product(digits: &[u64], factor: &[u64], prime: Prime) -> Vec<u64> {
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn products_are_those_of_single_digits(
            n in 1_usize..20, k in 1_usize..25, ends: [prop::sample::Index; 2], which in 0..Prime::COUNT, seed: u64,
        ) {
            let prime = Prime::nth(which).unwrap();
            let digit = |k: u64| {
                let mixed = seed.wrapping_mul(2 * k + 1);
                if mixed >> 62 == 0 { prime.p() - 1 } else { prime.residue(mixed) }
            };
            let digits: Vec<u64> = (0..(n * k) as u64).map(digit).collect();
            let factor: Vec<u64> = (0..k as u64).map(|j| digit(j + 1_000)).collect();
            for backend in Backend::available() {
                let [start, end] = ends.map(|end| end.index(n + 1));
                for numbers in [0..n, start.min(end)..start.max(end)] {
                    let scaled = scale_digits(&digits, n, numbers.clone(), &factor, prime, backend);
                    prop_assert_eq!(scaled.len(), numbers.len() * k);
                    for i in numbers.clone() {
                        let of = |all: &[u64], i: usize, n: usize| -> Vec<u64> {
                            all.iter().skip(i).step_by(n).copied().collect()
                        };
                        let own = of(&scaled, i - numbers.start, numbers.len());
                        prop_assert_eq!(own, product(&of(&digits, i, n), &factor, prime));
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_sums_carry() {
        // -1 times -1 is 1 modulo p^k.
        let prime = Prime::nth(Prime::COUNT - 1).unwrap();
        let digits = vec![prime.p() - 1; MAX_DIGITS];
        for backend in Backend::available() {
            let scaled = scale_digits(&digits, 1, 0..1, &digits, prime, backend);
            assert_eq!(scaled[0], 1);
            assert!(scaled[1..].iter().all(|&digit| digit == 0));
        }
    }
}
