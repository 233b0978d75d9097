//! Dense matrices and their elimination, exact or with partial pivoting.

use std::cmp::Ordering;
use std::ops::{Index, IndexMut};

use crate::row::Row;
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

    /// Whether the matrix equals its transpose, up to rounding of the entry or of the diagonal beside it where arithmetic rounds.
    pub fn is_symmetric(&self) -> bool {
        let close = |i: usize, j: usize| {
            let (a, b) = (&self[(i, j)], &self[(j, i)]);
            // In R I R' with equal moments the entries off the diagonal are nothing but rounding.
            let diagonal = self[(i, i)].abs() + self[(j, j)].abs();
            (a.clone() - b).is_negligible(&(a.abs() + b.abs() + diagonal))
        };
        self.rows == self.columns && (0..self.rows).all(|i| (0..i).all(|j| close(i, j)))
    }

    /// Whether all pivots of elimination down the diagonal are positive: for a symmetric matrix,
    /// whether it is positive definite.
    pub fn has_positive_pivots(&self) -> bool {
        let mut work = Elimination::of(self);
        (0..self.rows).all(|k| {
            let positive = work.rows[k].entry(k).signum() > 0;
            if positive {
                work.clear_below(k);
            }
            positive
        })
    }

    /// Of a symmetric positive semidefinite matrix of scalar products the rows that depend on those before them: the pivots that are
    /// at most that share of their diagonal entry, or zero up to rounding where arithmetic rounds.
    pub fn dependent_rows(&self, share: &S) -> Vec<usize> {
        let mut work = Elimination::of(self);
        let mut dependent = Vec::new();
        for k in 0..self.rows {
            let (pivot, entry) = (work.rows[k].entry(k), &self[(k, k)]);
            if pivot.is_negligible(entry) || pivot <= entry.clone() * share {
                // What is left of its column is zero, too.
                dependent.push(k);
                continue;
            }
            work.clear_below(k);
        }
        dependent
    }

    /// The inverse; `None` for a singular matrix.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.rows;
        if n != self.columns {
            return None;
        }
        let work = Self::from_fn(n, 2 * n, |i, j| match j.checked_sub(n) {
            None => self[(i, j)].clone(),
            Some(j) => S::integer(i64::from(i == j)),
        });
        let mut work = Elimination::of(&work);
        (work.reduce(n).len() == n).then(|| Self::from_fn(n, n, |i, j| work.rows[i].entry(j + n)))
    }

    /// Solves A x = b, for any A: the basic solution with zeros off the pivot columns, or the
    /// proof that b is outside the range of A.
    ///
    /// # Panics
    /// When b has another length than A has rows.
    pub fn solve(&self, b: &[S]) -> LinearSolution<S> {
        let (m, n) = (self.rows, self.columns);
        assert_eq!(b.len(), m, "the right-hand side has another length");
        let work = Self::from_fn(m, n + 1 + m, |i, j| match j.checked_sub(n) {
            None => self[(i, j)].clone(),
            Some(0) => b[i].clone(),
            Some(j) => S::integer(i64::from(i + 1 == j)),
        });
        let mut work = Elimination::of(&work);
        let pivots = work.reduce(n);
        let scale = b
            .iter()
            .map(S::abs)
            .fold(S::one(), |sum, value| sum + value);
        let outside = work.rows[pivots.len()..].iter();
        let mut outside = outside.map(|row| (row, row.entry(n)));
        let outside = outside.find(|(_, right)| !right.is_negligible(&scale));
        if let Some((row, right)) = outside {
            // y'b = right and y'A = 0; the sign makes y'b negative.
            let positive = right.signum() > 0;
            let y = (n + 1..n + 1 + m).map(|j| row.entry(j));
            let y = y.map(|value| if positive { -value } else { value });
            return LinearSolution::Outside { y: y.collect() };
        }
        let mut x = vec![S::zero(); n];
        for (k, &c) in pivots.iter().enumerate() {
            x[c] = work.rows[k].entry(n);
        }
        LinearSolution::Inside {
            x,
            rank: pivots.len(),
        }
    }

    /// The determinant of a square matrix.
    pub fn determinant(&self) -> S {
        let mut work = Elimination::of(self);
        let mut product = S::one();
        for k in 0..self.rows {
            let Some(p) = work.pivot_row(k, k, &S::zero()) else {
                return S::zero();
            };
            if p != k {
                work.rows.swap(p, k);
                product = -product;
            }
            product = product * &work.rows[k].entry(k);
            work.clear_below(k);
        }
        product
    }
}

/// The rows of a matrix under elimination, and the size of its largest entry before it.
struct Elimination<S: Scalar> {
    rows: Vec<S::Row>,
    largest: S,
}

impl<S: Scalar> Elimination<S> {
    fn of(matrix: &Dense<S>) -> Self {
        let larger = |a: S, b: S| if b > a { b } else { a };
        Self {
            rows: (0..matrix.rows)
                .map(|i| S::Row::new(matrix.row(i)))
                .collect(),
            largest: matrix.entries.iter().map(S::abs).fold(S::zero(), larger),
        }
    }

    /// Clears column k below row k.
    fn clear_below(&mut self, k: usize) {
        if let Some((pivot, below)) = self.rows[k..].split_first_mut() {
            for row in below {
                row.clear(k, pivot);
            }
        }
    }

    /// Gauss-Jordan elimination on the first `columns` columns: the pivot columns, of which the
    /// k-th has its 1 in row k.
    fn reduce(&mut self, columns: usize) -> Vec<usize> {
        let scale = self.largest.clone();
        let mut pivots = Vec::new();
        for c in 0..columns {
            let k = pivots.len();
            let Some(p) = self.pivot_row(k, c, &scale) else {
                continue;
            };
            self.rows.swap(p, k);
            self.rows[k].divide(c);
            let (above, rest) = self.rows.split_at_mut(k);
            if let Some((pivot, below)) = rest.split_first_mut() {
                for row in above.iter_mut().chain(below) {
                    row.clear(c, pivot);
                }
            }
            pivots.push(c);
        }
        pivots
    }

    /// Any nonzero entry will do where arithmetic is exact; otherwise the largest.
    fn pivot_row(&self, from: usize, c: usize, scale: &S) -> Option<usize> {
        let mut candidates = from..self.rows.len();
        if S::EXACT {
            return candidates.find(|&i| !self.rows[i].is_zero(c));
        }
        let entry = |i: usize| self.rows[i].entry(c).abs();
        let candidates = candidates.filter(|&i| !entry(i).is_negligible(scale));
        candidates.max_by(|&i, &j| entry(i).partial_cmp(&entry(j)).unwrap_or(Ordering::Equal))
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
