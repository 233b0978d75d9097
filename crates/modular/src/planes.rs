//! Matrices of nonnegative integers cut into limbs, to be multiplied by vector after vector.

use crate::dispatch::Backend;
use crate::kernels::halves;
use crate::lanes::LANES;
use crate::prime::{HALF, Prime};

/// The most columns of a matrix: sums of so many products still reduce.
pub const MAX_COLUMNS: usize = 1 << 12;

/// A vector of residues, cut into halves.
#[derive(Debug, Clone, Default)]
pub struct Halves {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Halves {
    /// The vector of n residues below 2^50.
    pub fn set(&mut self, values: impl ExactSizeIterator<Item = u64>) {
        let length = values.len().next_multiple_of(LANES);
        self.low.clear();
        self.high.clear();
        for value in values {
            let [low, high] = halves(value);
            self.low.push(low);
            self.high.push(high);
        }
        self.low.resize(length, 0);
        self.high.resize(length, 0);
    }
}

/// A matrix of nonnegative integers, entry = sum over k of limb k times 2^(width k). The limbs
/// of one entry stand in consecutive rows of 32-bit numbers.
#[derive(Debug, Clone)]
pub struct Planes {
    columns: usize,
    stride: usize,
    limbs: usize,
    width: u32,
    values: Vec<u32>,
    backend: Backend,
}

impl Planes {
    /// The widest limbs whose dot products of so many columns fit 64 bits, at most 32.
    pub fn max_width(columns: usize) -> u32 {
        let sum_bits = columns.next_power_of_two().trailing_zeros();
        (64 - HALF - sum_bits).min(32)
    }

    /// A matrix without rows yet, whose entries have `limbs` limbs of `width` bits.
    ///
    /// # Panics
    /// When the width is over [`max_width`](Self::max_width), or the columns over
    /// [`MAX_COLUMNS`].
    pub fn new(columns: usize, limbs: usize, width: u32, backend: Backend) -> Self {
        assert!(columns <= MAX_COLUMNS, "sums reduce");
        assert!(
            width <= Self::max_width(columns),
            "dot products fit 64 bits"
        );
        Self {
            columns,
            stride: columns.next_multiple_of(LANES).max(LANES),
            limbs,
            width,
            values: Vec::new(),
            backend,
        }
    }

    /// The n by n matrix of residues, in two limbs.
    ///
    /// # Panics
    /// When `matrix` is no multiple of n long.
    pub fn of_residues(matrix: &[u64], n: usize, backend: Backend) -> Self {
        let mut planes = Self::new(n, 2, HALF, backend);
        planes.values.reserve(2 * n * planes.stride);
        for row in matrix.chunks_exact(n.max(1)) {
            planes.push_row(|j, limb| halves(row[j])[limb]);
        }
        planes
    }

    /// Adds a row: `limb(j, k)` is limb k of the entry in column j, below 2^width.
    pub fn push_row(&mut self, mut limb: impl FnMut(usize, usize) -> u32) {
        for k in 0..self.limbs {
            let start = self.values.len();
            self.values.extend((0..self.columns).map(|j| limb(j, k)));
            self.values.resize(start + self.stride, 0);
        }
    }

    /// How many limbs an entry has.
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// Bits of a limb.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / (self.stride * self.limbs).max(1)
    }

    /// The product with a vector: for each row and each limb k, the sums s with row * vector =
    /// sum over k of (s_0 + s_1 2^25) 2^(width k). `sums` is overwritten.
    ///
    /// # Panics
    /// When the vector has another length than rows.
    pub fn multiply(&self, vector: &Halves, sums: &mut Vec<[u64; 2]>) {
        assert_eq!(vector.low.len().max(LANES), self.stride, "lengths agree");
        sums.resize(self.rows() * self.limbs, [0; 2]);
        let vectors = [vector.low.as_slice(), vector.high.as_slice()];
        self.backend
            .products(&self.values, self.stride, vectors, sums);
    }

    /// Residues of a product with a matrix [`of_residues`](Self::of_residues), from its sums.
    pub fn residues(sums: &[[u64; 2]], prime: Prime) -> impl ExactSizeIterator<Item = u64> {
        let rows = sums.chunks_exact(2);
        rows.map(move |row| {
            let [[s00, s01], [s10, s11]] = [row[0], row[1]];
            prime.reduce(s00, s01 + s10, s11)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_backend_has_the_same_exact_sums(
            n in 1_usize..70, limbs in 1_usize..4, seed: u64,
        ) {
            let width = Planes::max_width(n);
            let mask = u32::MAX >> (32 - width);
            // Extreme limbs, so that sums come close to overflowing.
            let limb = |i: usize, j: usize, k: usize| {
                let mixed = seed.wrapping_mul((1 + i + 7 * j + 31 * k) as u64) >> 13;
                if mixed & 3 == 0 { mixed as u32 & mask } else { mask }
            };
            let vector: Vec<u64> = (0..n as u64)
                .map(|j| (1 << 50) - 1 - (seed.rotate_left(j as u32) & 7))
                .collect();
            let mut halves = Halves::default();
            halves.set(vector.iter().copied());
            for backend in Backend::available() {
                let mut planes = Planes::new(n, limbs, width, backend);
                (0..n).for_each(|i| planes.push_row(|j, k| limb(i, j, k)));
                let mut sums = Vec::new();
                planes.multiply(&halves, &mut sums);
                prop_assert_eq!(planes.rows(), n);
                for i in 0..n {
                    for k in 0..limbs {
                        let products = vector.iter().enumerate();
                        let exact: u128 = products
                            .map(|(j, &v)| u128::from(limb(i, j, k)) * u128::from(v))
                            .sum();
                        let [low, high] = sums[i * limbs + k].map(u128::from);
                        prop_assert_eq!(low + (high << HALF), exact);
                    }
                }
            }
        }
    }
}
