//! A sparse symmetric problem.

use crate::tiny::{is_tiny, without_tiny};

/// Why entries make no sparse symmetric problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// An entry outside, or not finite.
    #[error("the entry at ({row}, {column}) stands outside or is not finite")]
    Entry {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// Two entries at one place.
    #[error("two entries stand at ({row}, {column})")]
    Duplicate {
        /// Row of both.
        row: usize,
        /// Column of both.
        column: usize,
    },
    /// M is not its own transpose.
    #[error("M is not symmetric at ({row}, {column})")]
    NotSymmetric {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// An entry of q is not finite.
    #[error("q[{row}] is not finite")]
    Q {
        /// The row.
        row: usize,
    },
}

/// A pure LCP with a sparse M, by compressed rows. Every diagonal place is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseLcp {
    pub(crate) starts: Vec<usize>,
    pub(crate) columns: Vec<usize>,
    pub(crate) values: Vec<f64>,
    pub(crate) q: Vec<f64>,
    /// The most entries in a row.
    pub(crate) widest: usize,
    pub(crate) is_symmetric: bool,
}

impl SparseLcp {
    /// The problem with 0 in place of numbers below the range of safe products, if it has any.
    pub(crate) fn without_tiny(&self) -> Option<Self> {
        let mut all = self.values.iter().chain(&self.q);
        all.any(|value| is_tiny(*value)).then(|| {
            let mut other = self.clone();
            for value in other.values.iter_mut().chain(&mut other.q) {
                *value = without_tiny(*value);
            }
            other
        })
    }

    /// The LCP of a symmetric M, given by entries (row, column, value) of both triangles in any order, and q
    /// of length n.
    ///
    /// # Errors
    /// Every case of [`SparseError`].
    pub fn new(entries: &[(usize, usize, f64)], q: &[f64]) -> Result<Self, SparseError> {
        let lcp = Self::general(entries, q)?;
        lcp.check_symmetric()?;
        Ok(lcp)
    }

    /// The same of any M.
    ///
    /// # Errors
    /// Every case of [`SparseError`] but `NotSymmetric`.
    pub fn general(entries: &[(usize, usize, f64)], q: &[f64]) -> Result<Self, SparseError> {
        let n = q.len();
        if let Some(row) = q.iter().position(|q| !q.is_finite()) {
            return Err(SparseError::Q { row });
        }
        let wrong = |&&(i, j, v): &&(usize, usize, f64)| i >= n || j >= n || !v.is_finite();
        if let Some(&(row, column, _)) = entries.iter().find(wrong) {
            return Err(SparseError::Entry { row, column });
        }
        let mut sorted = entries.to_vec();
        sorted.sort_unstable_by_key(|&(i, j, _)| (i, j));
        let twice =
            |pair: &&[(usize, usize, f64)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        if let Some(pair) = sorted.windows(2).find(twice) {
            let (row, column, _) = pair[0];
            return Err(SparseError::Duplicate { row, column });
        }
        let mut lcp = Self {
            starts: vec![0; n + 1],
            columns: Vec::with_capacity(sorted.len() + n),
            values: Vec::with_capacity(sorted.len() + n),
            q: q.to_vec(),
            widest: 0,
            is_symmetric: false,
        };
        let mut rest = sorted.as_slice();
        for i in 0..n {
            let end = rest.partition_point(|entry| entry.0 == i);
            let (row, after) = rest.split_at(end);
            lcp.push_row(i, row);
            rest = after;
        }
        lcp.is_symmetric = lcp.check_symmetric().is_ok();
        Ok(lcp)
    }

    fn push_row(&mut self, i: usize, row: &[(usize, usize, f64)]) {
        let before = row.partition_point(|&(_, j, _)| j < i);
        let has_diagonal = row.get(before).is_some_and(|&(_, j, _)| j == i);
        let zero = [(i, i, 0.0)];
        let diagonal = if has_diagonal { &[][..] } else { &zero[..] };
        for &(_, j, value) in row[..before].iter().chain(diagonal).chain(&row[before..]) {
            self.columns.push(j);
            self.values.push(value);
        }
        self.starts[i + 1] = self.columns.len();
        self.widest = self.widest.max(self.starts[i + 1] - self.starts[i]);
    }

    fn check_symmetric(&self) -> Result<(), SparseError> {
        for row in 0..self.n() {
            for (column, value) in self.row(row) {
                if self.get(column, row) != Some(value) {
                    return Err(SparseError::NotSymmetric { row, column });
                }
            }
        }
        Ok(())
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// The stored entries of row i.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[i]..self.starts[i + 1];
        let columns = self.columns[range.clone()].iter().copied();
        columns.zip(self.values[range].iter().copied())
    }

    fn get(&self, i: usize, j: usize) -> Option<f64> {
        let start = self.starts[i];
        let columns = &self.columns[start..self.starts[i + 1]];
        let position = columns.binary_search(&j).ok()?;
        Some(self.values[start + position])
    }

    pub(crate) fn diagonal(&self, i: usize) -> f64 {
        self.get(i, i).unwrap_or(0.0)
    }
}
