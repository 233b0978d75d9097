//! The grids: all matrices and right-hand sides with integer entries of a range.

use super::cramer::{Matrix, Vector};

/// All problems of n rows with entries from -bound to bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grid {
    /// 1, 2 or 3.
    pub n: usize,
    /// At least 1.
    pub bound: i64,
}

impl Grid {
    fn values(self) -> u64 {
        self.bound.unsigned_abs() * 2 + 1
    }

    /// How many matrices there are.
    pub fn matrices(self) -> u64 {
        self.values().pow((self.n * self.n) as u32)
    }

    /// How many right-hand sides there are.
    pub fn vectors(self) -> u64 {
        self.values().pow(self.n as u32)
    }

    /// How many problems there are.
    pub fn problems(self) -> u64 {
        self.matrices() * self.vectors()
    }

    /// The matrix of an index: its entries by rows are the digits, the last one the lowest.
    pub fn matrix(self, mut index: u64) -> Matrix {
        let mut rows = [[0; 3]; 3];
        for row in rows[..self.n].iter_mut().rev() {
            for entry in row[..self.n].iter_mut().rev() {
                *entry = (index % self.values()) as i64 - self.bound;
                index /= self.values();
            }
        }
        Matrix { n: self.n, rows }
    }

    /// The right-hand side of an index.
    pub fn vector(self, mut index: u64) -> Vector {
        let mut vector = [0; 3];
        for entry in vector[..self.n].iter_mut().rev() {
            *entry = (index % self.values()) as i64 - self.bound;
            index /= self.values();
        }
        vector
    }

    /// The index of a matrix of this grid.
    pub fn index(self, m: &Matrix) -> u64 {
        let entries = m.rows[..self.n].iter().flat_map(|row| &row[..self.n]);
        entries.fold(0, |index, entry| {
            index * self.values() + (entry + self.bound) as u64
        })
    }

    /// The indices of the matrices that are this one with rows and columns in another order, itself among them:
    /// ascending, each once.
    pub fn orbit(self, index: u64) -> Vec<u64> {
        let m = self.matrix(index);
        let orders: &[[usize; 3]] = match self.n {
            3 => &[
                [0, 1, 2],
                [0, 2, 1],
                [1, 0, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0],
            ],
            2 => &[[0, 1, 2], [1, 0, 2]],
            _ => &[[0, 1, 2]],
        };
        let reordered = |order: &[usize; 3]| {
            let row = |i: usize| order.map(|j| m.rows[order[i]][j]);
            let rows = [row(0), row(1), row(2)];
            self.index(&Matrix { n: self.n, rows })
        };
        let mut orbit: Vec<u64> = orders.iter().map(reordered).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }
}

/// As `n=2 -4..4`.
impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "n={} -{}..{}", self.n, self.bound, self.bound)
    }
}
