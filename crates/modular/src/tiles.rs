//! Square matrices of nonnegative integers of up to 84 bits in tiles, to be multiplied by vector
//! after vector: for processors that multiply 52 by 52 bits in every lane.
//!
//! Two instructions make the two halves of a product and add them up, where 32-bit lanes need four
//! products and four sums. Then memory is what takes the time, so entries take 8 bytes, 10
//! above 64 bits and 12 above 80, and of a symmetric matrix one triangle is kept: a tile that is in a register
//! serves its mirror image too.

use crate::dispatch::Backend;
use crate::lanes::{LANES, LOW_BITS, first_block};
use crate::planes::MAX_COLUMNS;

/// Rows and columns of a tile.
const SIDE: usize = LANES;

/// An n by n matrix.
#[derive(Debug, Clone)]
pub struct Tiles {
    n: usize,
    symmetric: bool,
    entries: Entries,
    backend: Backend,
}

/// Tile after tile, block row after block row; from the diagonal on in a symmetric matrix.
#[derive(Debug, Clone)]
enum Entries {
    /// All below 2^52.
    Short(Vec<[[u64; SIDE]; SIDE]>),
    /// low + 2^64 high, or below 2^64 where there are no high parts.
    Wide(Vec<[[u64; SIDE]; SIDE]>, Vec<[[u16; SIDE]; SIDE]>),
    /// low + 2^52 high, the low part below 2^52.
    Long(Vec<[[u64; SIDE]; SIDE]>, Vec<[[u32; SIDE]; SIDE]>),
}

/// A product with a matrix: sums of products of limbs, in halves.
#[derive(Debug, Clone, Default)]
pub struct TileSums {
    vector: Vec<[u64; SIDE]>,
    low: Vec<[[u64; SIDE]; 2]>,
    high: Vec<[[u64; SIDE]; 2]>,
    /// Of wide entries; then there are no others.
    words: Vec<[[u64; SIDE]; 3]>,
}

impl Tiles {
    /// The most columns: the halves of so many products, of 52 bits each, add up to less than 2^64.
    pub const MAX_COLUMNS: usize = MAX_COLUMNS;

    /// The most columns of wide entries: with each comes a half of 52 bits and one of 50, and 2^64 / (5 2^50) is 3276.8.
    const MAX_WIDE: usize = 3276;

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
                        lows[i % SIDE][j % SIDE] = value as u64;
                        highs[i % SIDE][j % SIDE] = (value >> LOW_BITS) as u32;
                        all |= value;
                    }
                }
                low.push(lows);
                high.push(highs);
            }
        }
        let entries = match 128 - all.leading_zeros() {
            0..=LOW_BITS => Entries::Short(low),
            ..=64 if n <= Self::MAX_WIDE => Entries::Wide(low, Vec::new()),
            ..=80 if n <= Self::MAX_WIDE => {
                // Above the word, of which 12 bits are in the upper limb too.
                let above =
                    |tile: &[[u32; SIDE]; SIDE]| tile.map(|row| row.map(|v| (v >> 12) as u16));
                Entries::Wide(low, high.iter().map(above).collect())
            }
            _ => {
                let values = low.iter_mut().flatten().flatten();
                values.for_each(|value| *value &= (1 << LOW_BITS) - 1);
                Entries::Long(low, high)
            }
        };
        Self {
            n,
            symmetric,
            entries,
            backend,
        }
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Whether one triangle stands for all.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The product with a vector of n numbers below 2^50. All are the same for all backends.
    ///
    /// # Panics
    /// When the vector has another length.
    pub fn multiply(&self, vector: &[u64], sums: &mut TileSums) {
        assert_eq!(vector.len(), self.n, "lengths agree");
        let TileSums {
            vector: own,
            low,
            high,
            words,
        } = sums;
        own.clear();
        let (whole, rest) = vector.as_chunks::<SIDE>();
        own.extend_from_slice(whole);
        if !rest.is_empty() {
            let mut last = [0; SIDE];
            last[..rest.len()].copy_from_slice(rest);
            own.push(last);
        }
        let (symmetric, blocks) = (self.symmetric, own.len());
        low.clear();
        high.clear();
        words.clear();
        match &self.entries {
            Entries::Short(entries) => {
                low.resize(blocks, [[0; SIDE]; 2]);
                self.backend.low_tiles(entries, symmetric, own, low);
            }
            Entries::Wide(lower, above) => {
                words.resize(blocks, [[0; SIDE]; 3]);
                self.backend.wide_tiles(lower, above, symmetric, own, words);
            }
            Entries::Long(lower, upper) => {
                low.resize(blocks, [[0; SIDE]; 2]);
                high.resize(blocks, [[0; SIDE]; 2]);
                self.backend.low_tiles(lower, symmetric, own, low);
                self.backend.high_tiles(upper, symmetric, own, high);
            }
        }
    }
}

impl TileSums {
    /// How many sums a row has: 1 or 2.
    #[inline(always)]
    pub fn limbs(&self) -> usize {
        if self.high.is_empty() && self.words.is_empty() {
            1
        } else {
            2
        }
    }

    /// Sum k of row i: the product of the row with the vector is sum 0 and 2^52 times sum 1.
    ///
    /// # Panics
    /// When there is no such row or sum.
    #[inline(always)]
    pub fn sum(&self, i: usize, k: usize) -> u128 {
        let place = i % SIDE;
        if let Some([low, middle, high]) = self.words.get(i / SIDE) {
            return match k {
                0 => u128::from(low[place]) + (u128::from(middle[place]) << LOW_BITS),
                _ => u128::from(high[place]) << LOW_BITS,
            };
        }
        let sums = if k == 0 { &self.low } else { &self.high };
        let [low, high] = &sums[i / SIDE];
        u128::from(low[place]) + (u128::from(high[place]) << LOW_BITS)
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
            n in 1_usize..45, bits in prop_oneof![Just(50_u32), Just(52), 53_u32..=64, 65_u32..=80, 81_u32..=84],
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
                .map(|j| (1 << 50) - 1 - (seed.rotate_left(j as u32) & 7))
                .collect();
            for backend in Backend::available() {
                let tiles = Tiles::new(n, symmetric, backend, entry);
                let mut sums = TileSums::default();
                tiles.multiply(&vector, &mut sums);
                for i in 0..n {
                    let products = vector.iter().enumerate();
                    // Below 2^(84 + 50 + 6), which 128 bits do not hold.
                    let part = |part: &dyn Fn(u128) -> u128| -> u128 {
                        let products = products.clone();
                        products.map(|(j, &v)| part(entry(i, j)) * u128::from(v)).sum()
                    };
                    let (low, high) = (part(&|e| e & ((1 << 52) - 1)), part(&|e| e >> 52));
                    let found = |k: usize| if k < sums.limbs() { sums.sum(i, k) } else { 0 };
                    // Both in units of 1 and 2^52.
                    let unit = |low: u128, high: u128| (low & ((1 << 52) - 1), (low >> 52) + high);
                    prop_assert_eq!(unit(found(0), found(1)), unit(low, high));
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
                    words: Vec::new(),
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
    fn the_largest_sums_of_wide_entries_fit() {
        let blocks = Tiles::MAX_WIDE / SIDE;
        let n = (blocks * SIDE) as u128;
        let most = (1 << 50) - 1;
        for (entry, digit) in [
            (u128::from(u64::MAX), most),
            (3 << 52, 0x1_5555_5555_5555),
            ((1 << 80) - 1, most),
        ] {
            let tiles = vec![[[entry as u64; SIDE]; SIDE]; blocks];
            let above = match entry >> 64 {
                0 => Vec::new(),
                above => vec![[[above as u16; SIDE]; SIDE]; blocks],
            };
            let vector = vec![[digit; SIDE]; blocks];
            for symmetric in [false, true] {
                for backend in Backend::available() {
                    let mut sums = TileSums {
                        words: vec![[[0; SIDE]; 3]; blocks],
                        ..TileSums::default()
                    };
                    backend.wide_tiles(&tiles, &above, symmetric, &vector, &mut sums.words);
                    for i in 0..SIDE {
                        // Too long for 128 bits: the lower ones, and all but the lowest.
                        let [low, high] = [sums.sum(i, 0), sums.sum(i, 1)];
                        let parts = [entry & ((1 << 52) - 1), entry >> 52];
                        let [a, b] = parts.map(|part| n * part * u128::from(digit));
                        assert_eq!(low & ((1 << 52) - 1), a & ((1 << 52) - 1));
                        assert_eq!((low >> 52) + high, (a >> 52) + b);
                    }
                }
            }
        }
        // One column more has no room for the largest halves, and is kept as two limbs.
        let [low, middle] = [(1_u128 << 52) - 1, (1 << 50) - 1];
        assert!(Tiles::MAX_WIDE as u128 * (low + middle) <= u128::from(u64::MAX));
        assert!((Tiles::MAX_WIDE as u128 + 1) * (low + middle) > u128::from(u64::MAX));
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
