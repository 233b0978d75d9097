//! Problems of up to three rows in plain integers: Cramer's rule over the complementary cones.
//!
//! w = Mz + q, z >= 0, w >= 0, z'w = 0 says that q is a nonnegative combination of n columns, one of
//! each pair (I_i, -M_i). The 2^n choices are the complementary cones (Cottle, Pang and Stone 1992,
//! section 1.3). Everything here follows from determinants of at most three rows.
//!
//! This folder uses nothing of the other crates, so that an agreement with them means something
//! (`benches/tests/atlas.rs` looks at its imports). Numbers are `i64`. With entries of at most 16 no intermediate
//! value passes 2^40, and debug builds panic on overflow.

pub mod cells;
pub mod class;
pub mod cones;
pub mod lemke;
pub mod linear;
pub mod quadratic;
pub mod semimonotone;
pub mod system;
#[cfg(test)]
mod tests;

/// n <= 3 values; entries from n on are 0.
pub type Vector = [i64; 3];

/// A square matrix of n <= 3 rows; entries outside are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matrix {
    /// The number of rows.
    pub n: usize,
    /// By rows.
    pub rows: [Vector; 3],
}

impl Matrix {
    /// Column j.
    pub fn column(&self, j: usize) -> Vector {
        [self.rows[0][j], self.rows[1][j], self.rows[2][j]]
    }

    /// The columns of (I, -M): those of w first.
    pub fn columns(&self) -> Vec<Vector> {
        let unit = |i: usize| {
            let mut unit = [0; 3];
            unit[i] = 1;
            unit
        };
        let units = (0..self.n).map(unit);
        let others = (0..self.n).map(|j| self.column(j).map(|value| -value));
        units.chain(others).collect()
    }

    /// The columns of the complementary cone of alpha, a set of bits: -M_i for i in alpha, else I_i.
    pub fn cone(&self, alpha: usize) -> Vec<Vector> {
        let columns = self.columns();
        let chosen = |i: usize| columns[if alpha >> i & 1 == 1 { self.n + i } else { i }];
        (0..self.n).map(chosen).collect()
    }

    /// The principal submatrix of the rows in alpha, a set of bits.
    pub fn principal(&self, alpha: usize) -> Self {
        let kept: Vec<usize> = (0..self.n).filter(|i| alpha >> i & 1 == 1).collect();
        let mut rows = [[0; 3]; 3];
        for (row, &i) in rows.iter_mut().zip(&kept) {
            for (entry, &j) in row.iter_mut().zip(&kept) {
                *entry = self.rows[i][j];
            }
        }
        let n = kept.len();
        Self { n, rows }
    }

    /// The principal submatrices, but for the empty one.
    pub fn principals(&self) -> impl Iterator<Item = Self> + '_ {
        (1..1 << self.n).map(|alpha| self.principal(alpha))
    }

    /// M'.
    pub fn transposed(&self) -> Self {
        let rows = [self.column(0), self.column(1), self.column(2)];
        Self { n: self.n, rows }
    }

    /// M + M'.
    pub fn doubled_symmetric_part(&self) -> Self {
        let mut sum = *self;
        for (i, row) in sum.rows.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += self.rows[j][i];
            }
        }
        sum
    }

    /// DMD with D the diagonal matrix of -1 where a bit of `negative` is set, else 1.
    pub fn signed(&self, negative: usize) -> Self {
        let mut signed = *self;
        for (i, row) in signed.rows.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                if (negative >> i ^ negative >> j) & 1 == 1 {
                    *entry = -*entry;
                }
            }
        }
        signed
    }

    /// The determinant.
    pub fn determinant(&self) -> i64 {
        let columns: Vec<Vector> = (0..self.n).map(|j| self.column(j)).collect();
        linear::Inverse::new(&columns).determinant
    }
}
