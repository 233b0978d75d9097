//! Random draws that are the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The random numbers of one problem.
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    /// The draws of problem k. The four arguments fill ChaCha's key, so that no problem's draws
    /// depend on how many problems came before it.
    pub fn new(family: &str, n: usize, seed: u64, k: u64) -> Self {
        let words = [fnv1a(family), n as u64, seed, k];
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// An integer from 0 to `bound` - 1, each equally likely; 0 when the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let Some(largest) = bound.checked_sub(1) else {
            return 0;
        };
        // As many bits as the largest has, drawn again when they exceed it: at worst one in two.
        let mask = u64::MAX.checked_shr(largest.leading_zeros()).unwrap_or(0);
        loop {
            let bits = self.0.next_u64() & mask;
            if bits <= largest {
                return bits;
            }
        }
    }

    /// An index below `length`.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// An integer from `low` to `high`, both included; the families ask for small ones only.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True one time in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A multiple of 2^-53 strictly between -1 and 1, so with a full mantissa as a rule.
    pub fn unit(&mut self) -> f64 {
        const LARGEST: i64 = (1 << 53) - 1;
        self.between(-LARGEST, LARGEST) as f64 * power_of_two(-53)
    }

    /// The indices below n in random order (Fisher and Yates).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.index(i + 1));
        }
        order
    }

    /// `length` values, drawn one after the other.
    pub fn vector<T>(&mut self, length: usize, mut entry: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..length).map(|_| entry(self)).collect()
    }

    /// A matrix, drawn row by row.
    pub fn matrix<T>(
        &mut self,
        rows: usize,
        columns: usize,
        mut entry: impl FnMut(&mut Self) -> T,
    ) -> Vec<Vec<T>> {
        (0..rows)
            .map(|_| self.vector(columns, &mut entry))
            .collect()
    }
}

/// 2^exponent for normal numbers, put together from its bits: `powi` promises no exact result.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent));
    f64::from_bits(((1023 + i64::from(exponent)) as u64) << 52)
}

/// The 64-bit FNV-1a hash: it keeps the families' draws apart, and will not change.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_draws_reach_every_value_and_no_other() {
        let mut draw = Draw::new("test", 0, 0, 0);
        for bound in 1..20 {
            let mut seen = vec![0; bound as usize];
            for _ in 0..400 {
                seen[draw.below(bound) as usize] += 1;
            }
            assert!(seen.iter().all(|&times| times > 0), "{bound}: {seen:?}");
        }
        assert_eq!(draw.below(0), 0);
        assert!((0..100).all(|_| (-2..=3).contains(&draw.between(-2, 3))));
    }

    #[test]
    fn units_are_on_the_grid_and_of_both_signs() {
        let mut draw = Draw::new("test", 0, 0, 1);
        let values = draw.vector(100, Draw::unit);
        assert!(values.iter().all(|value| value.abs() < 1.0));
        assert!(
            values
                .iter()
                .all(|value| (value * power_of_two(53)).fract() == 0.0)
        );
        assert!(values.iter().any(|&value| value < 0.0) && values.iter().any(|&value| value > 0.0));
    }

    #[test]
    fn powers_of_two_are_exact() {
        assert_eq!(power_of_two(0), 1.0);
        assert_eq!(power_of_two(10), 1024.0);
        assert_eq!(power_of_two(-3), 0.125);
    }

    #[test]
    fn permutations_hold_every_index_once() {
        let mut order = Draw::new("test", 0, 0, 2).permutation(50);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
