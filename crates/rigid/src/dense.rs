//! Dense matrices and their elimination, exact or with partial pivoting.

use std::cmp::Ordering;
use std::ops::{Index, IndexMut};

use crate::scalar::{Scalar, dot};

/// A dense matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense<S> {
    rows: usize,
    columns: usize,
    entries: Vec<S>,
}

impl<S: Scalar> Dense<S> {
    /// The matrix with entry (i, j) given by a function.
    pub fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> S) -> Self {
        let entry = &entry;
        let entries = (0..rows).flat_map(|i| (0..columns).map(move |j| entry(i, j)));
        Self {
            rows,
            columns,
            entries: entries.collect(),
        }
    }

    /// The zero matrix.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self::from_fn(rows, columns, |_, _| S::zero())
    }

    /// The identity of n rows.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| S::integer(i64::from(i == j)))
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row i.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn row(&self, i: usize) -> &[S] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// The matrix times a vector of as many entries as there are columns.
    pub fn times(&self, vector: &[S]) -> Vec<S> {
        (0..self.rows).map(|i| dot(self.row(i), vector)).collect()
    }

    /// The product of two matrices.
    pub fn product(&self, other: &Self) -> Self {
        let other = other.transposed();
        Self::from_fn(self.rows, other.rows, |i, j| dot(self.row(i), other.row(j)))
    }

    /// The transpose.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)].clone())
    }

    /// The rows and columns named.
    ///
    /// # Panics
    /// When one of them does not exist.
    pub fn block(&self, rows: &[usize], columns: &[usize]) -> Self {
        Self::from_fn(rows.len(), columns.len(), |i, j| {
            self[(rows[i], columns[j])].clone()
        })
    }

    /// Whether the matrix equals its transpose, up to rounding where arithmetic rounds.
    pub fn is_symmetric(&self) -> bool {
        let close = |i: usize, j: usize| {
            let (a, b) = (&self[(i, j)], &self[(j, i)]);
            (a.clone() - b).is_negligible(&(a.abs() + b.abs()))
        };
        self.rows == self.columns && (0..self.rows).all(|i| (0..i).all(|j| close(i, j)))
    }

    /// Whether all pivots of elimination down the diagonal are positive: for a symmetric matrix,
    /// whether it is positive definite.
    pub fn has_positive_pivots(&self) -> bool {
        let mut work = self.clone();
        for k in 0..self.rows {
            if work[(k, k)].signum() <= 0 {
                return false;
            }
            for i in k + 1..self.rows {
                work.subtract_row(i, k, k);
            }
        }
        true
    }

    /// Of a symmetric positive semidefinite matrix of scalar products the rows that depend on those before them: the pivots that are
    /// at most that share of their diagonal entry, or zero up to rounding where arithmetic rounds.
    pub fn dependent_rows(&self, share: &S) -> Vec<usize> {
        let mut work = self.clone();
        let mut dependent = Vec::new();
        for k in 0..self.rows {
            let (pivot, entry) = (&work[(k, k)], &self[(k, k)]);
            if pivot.is_negligible(entry) || *pivot <= entry.clone() * share {
                // What is left of its column is zero, too.
                dependent.push(k);
                continue;
            }
            for i in k + 1..self.rows {
                work.subtract_row(i, k, k);
            }
        }
        dependent
    }

    /// Row i minus the multiple of row p that clears column c.
    fn subtract_row(&mut self, i: usize, p: usize, c: usize) {
        if self[(i, c)].is_zero() || self[(p, c)].is_zero() {
            return;
        }
        let factor = self[(i, c)].clone() / &self[(p, c)];
        for j in 0..self.columns {
            if !self[(p, j)].is_zero() {
                let product = factor.clone() * &self[(p, j)];
                self[(i, j)] -= &product;
            }
        }
        self[(i, c)] = S::zero();
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            for j in 0..self.columns {
                self.entries
                    .swap(a * self.columns + j, b * self.columns + j);
            }
        }
    }

    /// The inverse; `None` for a singular matrix.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.rows;
        if n != self.columns {
            return None;
        }
        let mut work = Self::from_fn(n, 2 * n, |i, j| match j.checked_sub(n) {
            None => self[(i, j)].clone(),
            Some(j) => S::integer(i64::from(i == j)),
        });
        (work.reduce(n).len() == n).then(|| Self::from_fn(n, n, |i, j| work[(i, j + n)].clone()))
    }

    /// Gauss-Jordan elimination on the first `columns` columns: the pivot columns, of which the
    /// k-th has its 1 in row k.
    fn reduce(&mut self, columns: usize) -> Vec<usize> {
        let largest = |values: &[S]| {
            let larger = |a: S, b: S| if b > a { b } else { a };
            values.iter().map(S::abs).fold(S::zero(), larger)
        };
        let scale = largest(&self.entries);
        let mut pivots = Vec::new();
        for c in 0..columns {
            let k = pivots.len();
            let Some(p) = self.pivot_row(k, c, &scale) else {
                continue;
            };
            self.swap_rows(p, k);
            let pivot = self[(k, c)].clone();
            for j in 0..self.columns {
                if !self[(k, j)].is_zero() {
                    self[(k, j)] = self[(k, j)].clone() / &pivot;
                }
            }
            for i in (0..self.rows).filter(|&i| i != k) {
                self.subtract_row(i, k, c);
            }
            pivots.push(c);
        }
        pivots
    }

    /// Any nonzero entry will do where arithmetic is exact; otherwise the largest.
    fn pivot_row(&self, from: usize, c: usize, scale: &S) -> Option<usize> {
        let mut candidates = (from..self.rows).filter(|&i| !self[(i, c)].is_negligible(scale));
        if S::EXACT {
            return candidates.next();
        }
        candidates.max_by(|&i, &j| {
            let (a, b) = (self[(i, c)].abs(), self[(j, c)].abs());
            a.partial_cmp(&b).unwrap_or(Ordering::Equal)
        })
    }

    /// Solves A x = b, for any A: the basic solution with zeros off the pivot columns, or the
    /// proof that b is outside the range of A.
    ///
    /// # Panics
    /// When b has another length than A has rows.
    pub fn solve(&self, b: &[S]) -> LinearSolution<S> {
        let (m, n) = (self.rows, self.columns);
        assert_eq!(b.len(), m, "the right-hand side has another length");
        let mut work = Self::from_fn(m, n + 1 + m, |i, j| match j.checked_sub(n) {
            None => self[(i, j)].clone(),
            Some(0) => b[i].clone(),
            Some(j) => S::integer(i64::from(i + 1 == j)),
        });
        let pivots = work.reduce(n);
        let scale = b
            .iter()
            .map(S::abs)
            .fold(S::one(), |sum, value| sum + value);
        let outside = (pivots.len()..m).find(|&i| !work[(i, n)].is_negligible(&scale));
        if let Some(i) = outside {
            // y'b = work[(i, n)] and y'A = 0; the sign makes y'b negative.
            let positive = work[(i, n)].signum() > 0;
            let y = work.row(i)[n + 1..].iter().cloned();
            let y = y.map(|value| if positive { -value } else { value });
            return LinearSolution::Outside { y: y.collect() };
        }
        let mut x = vec![S::zero(); n];
        for (k, &c) in pivots.iter().enumerate() {
            x[c] = work[(k, n)].clone();
        }
        LinearSolution::Inside {
            x,
            rank: pivots.len(),
        }
    }

    /// The determinant of a square matrix.
    pub fn determinant(&self) -> S {
        let mut work = self.clone();
        let mut product = S::one();
        for k in 0..self.rows {
            let Some(p) = work.pivot_row(k, k, &S::zero()) else {
                return S::zero();
            };
            if p != k {
                work.swap_rows(p, k);
                product = -product;
            }
            product = product * &work[(k, k)];
            for i in k + 1..self.rows {
                work.subtract_row(i, k, k);
            }
        }
        product
    }
}

/// The answer to A x = b.
#[derive(Debug, Clone, PartialEq)]
pub enum LinearSolution<S> {
    /// b is in the range of A.
    Inside {
        /// A solution.
        x: Vec<S>,
        /// The rank of A.
        rank: usize,
    },
    /// b is not: y'A = 0, but y'b < 0.
    Outside {
        /// The proof.
        y: Vec<S>,
    },
}

impl<S> LinearSolution<S> {
    /// The solution, where there is one.
    pub fn solution(self) -> Option<Vec<S>> {
        match self {
            Self::Inside { x, .. } => Some(x),
            Self::Outside { .. } => None,
        }
    }
}

impl<S> Index<(usize, usize)> for Dense<S> {
    type Output = S;

    fn index(&self, (i, j): (usize, usize)) -> &S {
        &self.entries[i * self.columns + j]
    }
}

impl<S> IndexMut<(usize, usize)> for Dense<S> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut S {
        &mut self.entries[i * self.columns + j]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Rational;

    fn singular<S: Scalar>() -> Dense<S> {
        let rows = [[1, -1], [-1, 1]];
        Dense::from_fn(2, 2, |i, j| S::integer(rows[i][j]))
    }

    #[test]
    fn the_range_of_a_singular_matrix_is_decided() {
        fn check<S: Scalar>() {
            let inside = singular::<S>().solve(&[S::integer(3), S::integer(-3)]);
            let x = vec![S::integer(3), S::zero()];
            assert_eq!(inside, LinearSolution::Inside { x, rank: 1 });
            let outside = singular::<S>().solve(&[S::integer(-1), S::integer(-1)]);
            let y = vec![S::one(), S::one()];
            assert_eq!(outside, LinearSolution::Outside { y });
        }
        check::<Rational>();
        check::<f64>();
    }

    #[test]
    fn inverses_and_determinants_belong_together() {
        let matrix = Dense::from_fn(3, 3, |i, j| {
            Rational::from(((i * j + 1) as i64, (i + j + 2) as i64))
        });
        let inverse = matrix.inverse().unwrap();
        assert_eq!(matrix.product(&inverse), Dense::identity(3));
        assert_eq!(
            matrix.determinant() * inverse.determinant(),
            Rational::from(1)
        );
        assert!(singular::<Rational>().inverse().is_none());
        assert_eq!(singular::<Rational>().determinant(), 0);
    }
}
