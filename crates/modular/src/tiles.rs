//! Square matrices of nonnegative integers of up to 84 bits in tiles, to be multiplied by vector
//! after vector: for processors that multiply 52 by 52 bits in every lane.
//!
//! Two instructions make the two halves of a product and add them up, where 32-bit lanes need four
//! products and four sums. Then memory is what takes the time, so entries take 8 bytes, or 12
//! above 52 bits, and of a symmetric matrix one triangle is kept: a tile that is in a register
//! serves its mirror image too.

use crate::dispatch::Backend;
use crate::lanes::{LANES, LOW_BITS, first_block};
use crate::planes::MAX_COLUMNS;

/// Rows and columns of a tile.
const SIDE: usize = LANES;

/// An n by n matrix, entry = low + 2^52 high, the low part below 2^52.
#[derive(Debug, Clone)]
pub struct Tiles {
    n: usize,
    symmetric: bool,
    /// Tile after tile, block row after block row; from the diagonal on in a symmetric matrix.
    low: Vec<[[u64; SIDE]; SIDE]>,
    /// The same; empty where all are 0.
    high: Vec<[[u32; SIDE]; SIDE]>,
    backend: Backend,
}

/// A product with a matrix: sums of products of limbs, in halves.
#[derive(Debug, Clone, Default)]
pub struct TileSums {
    vector: Vec<[u64; SIDE]>,
    low: Vec<[[u64; SIDE]; 2]>,
    high: Vec<[[u64; SIDE]; 2]>,
}

impl Tiles {
    /// The most columns: the halves of so many products, of 52 bits each, add up to less than 2^64.
    pub const MAX_COLUMNS: usize = MAX_COLUMNS;

    /// Bits of a lower limb.
    pub const LOW_BITS: u32 = LOW_BITS;

    /// Bits of an entry, at most.
    pub const MAX_BITS: u32 = LOW_BITS + 32;

    /// The matrix of the entries (i, j), each below 2^84. Of a symmetric one, those above the
    /// diagonal are not looked at beyond the tiles on it.
    ///
    /// # Panics
    /// When there are more than [`MAX_COLUMNS`](Self::MAX_COLUMNS) columns.
    pub fn new(
        n: usize,
        symmetric: bool,
        backend: Backend,
        entry: impl Fn(usize, usize) -> u128,
    ) -> Self {
        assert!(n <= Self::MAX_COLUMNS, "sums fit 64 bits");
        let blocks = n.div_ceil(SIDE);
        let count = if symmetric {
            blocks * (blocks + 1) / 2
        } else {
            blocks * blocks
        };
        let mut low = Vec::with_capacity(count);
        let mut high = Vec::with_capacity(count);
        let mut all = 0;
        for row in 0..blocks {
            for column in first_block(symmetric, row)..blocks {
                let mut lows = [[0; SIDE]; SIDE];
                let mut highs = [[0; SIDE]; SIDE];
                for i in row * SIDE..n.min((row + 1) * SIDE) {
                    for j in column * SIDE..n.min((column + 1) * SIDE) {
                        let value = entry(i, j);
                        lows[i % SIDE][j % SIDE] = value as u64 & ((1 << LOW_BITS) - 1);
                        highs[i % SIDE][j % SIDE] = (value >> LOW_BITS) as u32;
                        all |= value >> LOW_BITS;
                    }
                }
                low.push(lows);
                high.push(highs);
            }
        }
        if all == 0 {
            high = Vec::new();
        }
        Self {
            n,
            symmetric,
            low,
            high,
            backend,
        }
    }

    /// Whether one triangle stands for all.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The product with a vector of n numbers below 2^52. Both are the same for all backends.
    ///
    /// # Panics
    /// When the vector has another length.
    pub fn multiply(&self, vector: &[u64], sums: &mut TileSums) {
        assert_eq!(vector.len(), self.n, "lengths agree");
        let TileSums {
            vector: own,
            low,
            high,
        } = sums;
        own.clear();
        let (whole, rest) = vector.as_chunks::<SIDE>();
        own.extend_from_slice(whole);
        if !rest.is_empty() {
            let mut last = [0; SIDE];
            last[..rest.len()].copy_from_slice(rest);
            own.push(last);
        }
        low.clear();
        low.resize(own.len(), [[0; SIDE]; 2]);
        self.backend.low_tiles(&self.low, self.symmetric, own, low);
        high.clear();
        if !self.high.is_empty() {
            high.resize(own.len(), [[0; SIDE]; 2]);
            self.backend
                .high_tiles(&self.high, self.symmetric, own, high);
        }
    }
}

impl TileSums {
    /// How many limbs the matrix has: 1 or 2.
    #[inline(always)]
    pub fn limbs(&self) -> usize {
        if self.high.is_empty() { 1 } else { 2 }
    }

    /// The product of limb k of row i with the vector.
    ///
    /// # Panics
    /// When there is no such row or limb.
    #[inline(always)]
    pub fn sum(&self, i: usize, k: usize) -> u128 {
        let sums = if k == 0 { &self.low } else { &self.high };
        let [low, high] = &sums[i / SIDE];
        u128::from(low[i % SIDE]) + (u128::from(high[i % SIDE]) << LOW_BITS)
    }

    /// Row i of the product of a matrix and a vector of residues, modulo the prime.
    ///
    /// # Panics
    /// When there is no such row.
    #[inline(always)]
    pub fn residue(&self, i: usize, prime: crate::Prime) -> u64 {
        let [low, high] = &self.low[i / SIDE];
        // Products are below 2^100, so their upper halves are below 2^48, and four times the sum of these below 2^62.
        prime.reduce(low[i % SIDE], 0, high[i % SIDE] << 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Prime;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_backend_has_the_same_exact_sums(
            n in 1_usize..45, bits in prop_oneof![Just(50_u32), Just(52), 53_u32..=84],
            symmetric: bool, seed: u64,
        ) {
            let mask = u128::MAX >> (128 - bits);
            // Extreme entries, so that sums come close to overflowing.
            let entry = |i: usize, j: usize| {
                let (i, j) = if symmetric { (i.min(j), i.max(j)) } else { (i, j) };
                let mixed = seed.wrapping_mul((1 + i * 41 + 7 * j) as u64);
                let wide = u128::from(mixed) << 64 | u128::from(mixed.rotate_left(31));
                if mixed >> 60 == 0 { 0 } else if mixed >> 62 == 0 { wide & mask } else { mask }
            };
            let vector: Vec<u64> = (0..n as u64)
                .map(|j| (1 << 52) - 1 - (seed.rotate_left(j as u32) & 7))
                .collect();
            for backend in Backend::available() {
                let tiles = Tiles::new(n, symmetric, backend, entry);
                let mut sums = TileSums::default();
                tiles.multiply(&vector, &mut sums);
                for i in 0..n {
                    let exact = |part: fn(u128) -> u128| -> u128 {
                        let products = vector.iter().enumerate();
                        products.map(|(j, &v)| part(entry(i, j)) * u128::from(v)).sum()
                    };
                    prop_assert_eq!(sums.sum(i, 0), exact(|e| e & ((1 << LOW_BITS) - 1)));
                    let high = if sums.limbs() == 2 { sums.sum(i, 1) } else { 0 };
                    prop_assert_eq!(high, exact(|e| e >> LOW_BITS));
                }
            }
        }

        #[test]
        fn residues_of_products_are_right(n in 1_usize..45, seed: u64, k in 0..Prime::COUNT) {
            let prime = Prime::nth(k).unwrap();
            let residue = |k: usize| {
                let mixed = seed.wrapping_mul(2 * k as u64 + 1);
                if mixed >> 63 == 0 { prime.p() - 1 } else { prime.residue(mixed) }
            };
            let vector: Vec<u64> = (0..n).map(|j| residue(n * n + j)).collect();
            for backend in Backend::available() {
                let tiles = Tiles::new(n, false, backend, |i, j| residue(i * n + j).into());
                let mut sums = TileSums::default();
                tiles.multiply(&vector, &mut sums);
                for i in 0..n {
                    let exact = (0..n).fold(0, |sum, j| {
                        prime.residue(sum + prime.multiply(residue(i * n + j), vector[j]))
                    });
                    prop_assert_eq!(sums.residue(i, prime), exact);
                }
            }
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        let n = Tiles::MAX_COLUMNS;
        let largest = (1 << 52) - 1;
        let vector = vec![[largest; SIDE]; n / SIDE];
        // Only the first block row is there, which is as many products as any row has.
        let low = vec![[[largest; SIDE]; SIDE]; n / SIDE];
        let high = vec![[[u32::MAX; SIDE]; SIDE]; n / SIDE];
        for symmetric in [false, true] {
            for backend in Backend::available() {
                let zeros = vec![[[0; SIDE]; 2]; n / SIDE];
                let mut sums = TileSums {
                    vector: vector.clone(),
                    low: zeros.clone(),
                    high: zeros,
                };
                backend.low_tiles(&low, symmetric, &vector, &mut sums.low);
                backend.high_tiles(&high, symmetric, &vector, &mut sums.high);
                let x = u128::from(largest);
                for i in 0..SIDE {
                    assert_eq!(sums.sum(i, 0), n as u128 * x * x);
                    assert_eq!(sums.sum(i, 1), n as u128 * x * u128::from(u32::MAX));
                }
            }
        }
    }

    #[test]
    fn the_largest_residues_reduce() {
        let n = Tiles::MAX_COLUMNS as u64;
        for k in [0, Prime::COUNT - 1] {
            let prime = Prime::nth(k).unwrap();
            let product = u128::from(prime.p() - 1) * u128::from(prime.p() - 1);
            let half = |part: u128| [part as u64 * n; SIDE];
            let sums = TileSums {
                low: vec![[
                    half(product & ((1 << LOW_BITS) - 1)),
                    half(product >> LOW_BITS),
                ]],
                ..TileSums::default()
            };
            // Each product is (-1)^2.
            assert_eq!(sums.residue(0, prime), n);
            // And halves of all ones, which no product has.
            let most = [[(1_u64 << LOW_BITS) - 1, (1 << 48) - 1]]
                .map(|[low, high]| [[low * n; SIDE], [high * n; SIDE]]);
            let exact = (u128::from(most[0][0][0]) + (u128::from(most[0][1][0]) << LOW_BITS))
                % u128::from(prime.p());
            let sums = TileSums {
                low: most.to_vec(),
                ..TileSums::default()
            };
            assert_eq!(u128::from(sums.residue(0, prime)), exact);
        }
    }
}
