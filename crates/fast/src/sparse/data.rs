//! A sparse problem.

use std::borrow::Cow;
use std::ops::Range;

use crate::tiny::{is_tiny, without_tiny};

/// Why entries make no sparse problem.
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
    /// More rows or entries than indices of 32 bits can count, which the factors are made with.
    #[error(
        "{entries} entries and {rows} rows are more than {} together",
        MOST_INDICES
    )]
    Size {
        /// The length of q.
        rows: usize,
        /// The number of entries.
        entries: usize,
    },
    /// An entry of q is not finite.
    #[error("q[{row}] is not finite")]
    Q {
        /// The row.
        row: usize,
    },
    /// The list of free rows has another length than q.
    #[error("free has {length} entries where {expected} are needed")]
    Free {
        /// Its length.
        length: usize,
        /// That of q.
        expected: usize,
    },
}

/// The most rows and entries together. Orders of elimination are made with signed numbers of 32 bits. Indices of 64 bits would take a
/// third more memory; so many entries take 50 GB as they are.
pub(crate) const MOST_INDICES: usize = i32::MAX as usize;

/// An LCP with a sparse M, by compressed rows: z, w >= 0, z'w = 0, but on [free](Self::mixed) rows. Every diagonal place is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseLcp {
    /// Row i has the entries `starts[i]..starts[i + 1]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Vec<f64>,
    pub(crate) q: Vec<f64>,
    /// Of each row 0, or minus infinity where it is free; empty where none is.
    pub(crate) lower: Vec<f64>,
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
        check_size(n, entries.len())?;
        if let Some(row) = q.iter().position(|q| !q.is_finite()) {
            return Err(SparseError::Q { row });
        }
        let wrong = |&&(i, j, v): &&(usize, usize, f64)| i >= n || j >= n || !v.is_finite();
        if let Some(&(row, column, _)) = entries.iter().find(wrong) {
            return Err(SparseError::Entry { row, column });
        }
        // Rows in order, as a record has them, are read where they are: a copy takes more than the problem made of it.
        let order = |&(i, j, _): &(usize, usize, f64)| (i, j);
        let mut sorted = Cow::Borrowed(entries);
        if !entries.is_sorted_by_key(order) {
            sorted.to_mut().sort_unstable_by_key(order);
        }
        let twice =
            |pair: &&[(usize, usize, f64)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        if let Some(pair) = sorted.windows(2).find(twice) {
            let (row, column, _) = pair[0];
            return Err(SparseError::Duplicate { row, column });
        }
        let mut lcp = Self::empty(n);
        lcp.q.extend(q);
        lcp.columns.reserve_exact(sorted.len() + n);
        lcp.values.reserve_exact(sorted.len() + n);
        let mut rest = &*sorted;
        for i in 0..n {
            let end = rest.partition_point(|entry| entry.0 == i);
            let (row, after) = rest.split_at(end);
            lcp.push_row(i, row);
            rest = after;
        }
        lcp.is_symmetric = lcp.check_symmetric().is_ok();
        Ok(lcp)
    }

    /// The mixed LCP of so many entries, given row by row with ascending columns: no more than a row of them is in memory twice. None where
    /// the rows are not so, or too many, or `fill` has none.
    pub(crate) fn of_rows(
        q: Vec<f64>,
        free: &[bool],
        entries: usize,
        mut fill: impl FnMut(usize, &mut Vec<(usize, usize, f64)>) -> Option<()>,
    ) -> Option<Self> {
        let n = q.len();
        check_size(n, entries).ok()?;
        let mut lcp = Self::empty(n);
        lcp.q = q;
        lcp.columns.reserve_exact(entries + n);
        lcp.values.reserve_exact(entries + n);
        let mut row = Vec::new();
        for i in 0..n {
            row.clear();
            fill(i, &mut row)?;
            let ascends = row.is_sorted_by(|a, b| a.1 < b.1);
            let is_inside = row.last().is_none_or(|last| last.1 < n);
            if !ascends || !is_inside {
                return None;
            }
            lcp.push_row(i, &row);
        }
        lcp.is_symmetric = lcp.check_symmetric().is_ok();
        lcp.bound(free);
        Some(lcp)
    }

    /// Takes these rows as free.
    fn bound(&mut self, free: &[bool]) {
        if free.contains(&true) {
            let bound = |free: &bool| if *free { f64::NEG_INFINITY } else { 0.0 };
            self.lower = free.iter().map(bound).collect();
        }
    }

    /// The mixed LCP of any M: z_i is free and w_i = 0 where `free` says so, as it is for velocities beside forces.
    ///
    /// # Errors
    /// As [`general`](Self::general), and [`SparseError::Free`].
    pub fn mixed(
        entries: &[(usize, usize, f64)],
        q: &[f64],
        free: &[bool],
    ) -> Result<Self, SparseError> {
        let (length, expected) = (free.len(), q.len());
        if length != expected {
            return Err(SparseError::Free { length, expected });
        }
        let mut lcp = Self::general(entries, q)?;
        lcp.bound(free);
        Ok(lcp)
    }

    fn push_row(&mut self, i: usize, row: &[(usize, usize, f64)]) {
        let before = row.partition_point(|&(_, j, _)| j < i);
        let has_diagonal = row.get(before).is_some_and(|&(_, j, _)| j == i);
        let zero = [(i, i, 0.0)];
        let diagonal = if has_diagonal { &[][..] } else { &zero[..] };
        for &(_, j, value) in row[..before].iter().chain(diagonal).chain(&row[before..]) {
            self.push(j, value);
        }
        self.end_row();
    }

    /// A problem to which up to n rows are added.
    pub(super) fn empty(n: usize) -> Self {
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        Self {
            starts,
            columns: Vec::new(),
            values: Vec::new(),
            q: Vec::with_capacity(n),
            lower: Vec::new(),
            widest: 0,
            is_symmetric: false,
        }
    }

    /// Adds an entry to the row that is not ended.
    pub(super) fn push(&mut self, j: usize, value: f64) {
        // Below [`MOST_INDICES`], as every problem is.
        self.columns.push(j as u32);
        self.values.push(value);
    }

    /// Ends the row whose entries are the last.
    pub(super) fn end_row(&mut self) {
        let start = self.starts.last().copied().unwrap_or(0) as usize;
        self.widest = self.widest.max(self.columns.len() - start);
        self.starts.push(self.columns.len() as u32);
    }

    /// Leaves out zeros beside the diagonal, and looks whether M is symmetric.
    pub(super) fn without_zeros(&mut self) {
        let (mut end, mut begin) = (0, 0);
        self.widest = 0;
        for i in 0..self.n() {
            let start = end;
            let until = self.starts[i + 1];
            for at in begin..until as usize {
                if self.values[at] != 0.0 || self.columns[at] as usize == i {
                    self.columns[end] = self.columns[at];
                    self.values[end] = self.values[at];
                    end += 1;
                }
            }
            begin = until as usize;
            self.starts[i + 1] = end as u32;
            self.widest = self.widest.max(end - start);
        }
        self.columns.truncate(end);
        self.values.truncate(end);
        self.is_symmetric = self.check_symmetric().is_ok();
    }

    fn check_symmetric(&self) -> Result<(), SparseError> {
        if self.mirrors() {
            return Ok(());
        }
        for row in 0..self.n() {
            for (column, value) in self.row(row) {
                if self.get(column, row) != Some(value) {
                    return Err(SparseError::NotSymmetric { row, column });
                }
            }
        }
        Ok(())
    }

    /// Whether M is symmetric, in one pass: the rows below row j that have an entry in column j come in the order of the entries of row j
    /// beyond the diagonal.
    fn mirrors(&self) -> bool {
        let beyond = |j: usize| self.place(j, j).map(|at| at + 1);
        let Some(mut next) = (0..self.n()).map(beyond).collect::<Option<Vec<_>>>() else {
            return false;
        };
        for i in 0..self.n() {
            for (j, value) in self.row(i).take_while(|(j, _)| *j < i) {
                let at = next[j];
                if at >= self.starts[j + 1] as usize
                    || self.columns[at] as usize != i
                    || self.values[at] != value
                {
                    return false;
                }
                next[j] += 1;
            }
        }
        let ends = self.starts.iter().skip(1);
        next.iter().zip(ends).all(|(at, end)| *at == *end as usize)
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// Whether z_i is free.
    pub(crate) fn is_free(&self, i: usize) -> bool {
        self.lower.get(i).is_some_and(|lower| lower.is_infinite())
    }

    /// Where the entries of row i are stored.
    pub(crate) fn range(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    /// The stored entries of row i.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.range(i);
        let columns = self.columns[range.clone()].iter();
        columns
            .map(|j| *j as usize)
            .zip(self.values[range].iter().copied())
    }

    pub(super) fn get(&self, i: usize, j: usize) -> Option<f64> {
        self.place(i, j).map(|at| self.values[at])
    }

    /// Where the entry at (i, j) is stored.
    pub(super) fn place(&self, i: usize, j: usize) -> Option<usize> {
        let range = self.range(i);
        let position = self.columns[range.clone()].binary_search(&u32::try_from(j).ok()?);
        Some(range.start + position.ok()?)
    }

    pub(crate) fn diagonal(&self, i: usize) -> f64 {
        self.get(i, i).unwrap_or(0.0)
    }

    /// The unit of E in row i: m_ii, and where that is 0 the largest |m_ij m_ji| / m_jj, what the elimination of row j would put there. It
    /// follows M into all units. 0 where there is none.
    ///
    /// The row mu f_n - sum f_t of a contact has no diagonal entry. After a proximal step w_i = E_i (change of z_i), so with an E_i of the
    /// size of m_jj w_i would be the rounding of other rows, whose terms are larger.
    pub(super) fn unit(&self, i: usize) -> f64 {
        let own = self.diagonal(i);
        if own != 0.0 {
            return own;
        }
        let eliminated =
            |(j, across): (usize, f64)| Some(across / self.diagonal(j) * self.get(j, i)?);
        let sizes = self.row(i).filter_map(eliminated).map(f64::abs);
        // Without m_jj it is infinite or NaN.
        sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
    }
}

fn check_size(rows: usize, entries: usize) -> Result<(), SparseError> {
    if rows.saturating_add(entries) > MOST_INDICES {
        return Err(SparseError::Size { rows, entries });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_row_without_diagonal_is_what_elimination_puts_there() {
        let unit = |rows: [f64; 2], columns: [f64; 2]| {
            let entries = [(0, 0, 64.0), (0, 1, 1.0), (1, 0, -1.0)];
            let scaled = entries.map(|(i, j, value)| (i, j, value * rows[i] * columns[j]));
            let lcp = SparseLcp::general(&scaled, &[1.0, 1.0]).unwrap();
            (lcp.unit(0), lcp.unit(1))
        };
        assert_eq!(unit([1.0; 2], [1.0; 2]), (64.0, 1.0 / 64.0));
        // In other units of rows and columns it changes as a diagonal entry does.
        assert_eq!(unit([4.0, 2.0], [8.0, 16.0]), (64.0 * 32.0, 0.5));
        // Rows that have no diagonal entry either say nothing.
        let skew = SparseLcp::general(&[(0, 1, 1.0), (1, 0, -1.0)], &[1.0, 1.0]).unwrap();
        assert_eq!((skew.unit(0), skew.unit(1)), (0.0, 0.0));
    }

    #[test]
    fn more_entries_than_indices_are_refused() {
        assert_eq!(check_size(1, MOST_INDICES - 1), Ok(()));
        let refused = check_size(2, MOST_INDICES - 1).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "2147483646 entries and 2 rows are more than 2147483647 together"
        );
        assert!(check_size(usize::MAX, 1).is_err());
    }

    #[test]
    fn a_problem_given_row_by_row_is_that_of_its_entries() {
        let entries = [(0, 0, 1.0), (0, 2, 5.0), (1, 0, 2.0), (2, 0, 5.0)];
        let (q, free) = ([1.0, -2.0, 3.0], [false, true, false]);
        let of = |entries: &[(usize, usize, f64)]| {
            SparseLcp::of_rows(q.to_vec(), &free, entries.len(), |i, row| {
                row.extend(entries.iter().filter(|entry| entry.0 == i));
                Some(())
            })
        };
        let whole = SparseLcp::mixed(&entries, &q, &free).unwrap();
        assert_eq!(of(&entries), Some(whole));
        // Columns that do not ascend, stand twice or outside.
        for wrong in [[(0, 2, 1.0), (0, 1, 1.0)], [(0, 1, 1.0); 2]] {
            assert_eq!(of(&wrong), None);
        }
        assert_eq!(of(&[(1, 3, 1.0)]), None);
        assert_eq!(SparseLcp::of_rows(q.to_vec(), &free, 0, |_, _| None), None);
    }

    #[test]
    fn a_matrix_is_symmetric_where_each_entry_has_its_mirror_image() {
        let both = [(0, 2, 5.0), (2, 0, 5.0), (1, 2, -1.0), (2, 1, -1.0)];
        let own = [(0, 0, 1.0), (2, 2, 2.0)];
        let all = [&both[..], &own].concat();
        let is_symmetric =
            |entries: &[_]| SparseLcp::general(entries, &[1.0; 4]).unwrap().is_symmetric;
        assert!(is_symmetric(&all) && is_symmetric(&own) && is_symmetric(&[]));
        for (at, _) in both.iter().enumerate() {
            let mut one_less = all.clone();
            one_less.remove(at);
            assert!(!is_symmetric(&one_less), "{at}");
            let mut other = all.clone();
            other[at].2 = 7.0;
            assert!(!is_symmetric(&other), "{at}");
        }
        // As many on either side, in the same rows.
        assert!(!is_symmetric(&[(0, 2, 5.0), (2, 1, 5.0)]));
        let one = SparseLcp::new(&[(3, 1, 1.0)], &[1.0; 4]);
        let wanted = SparseError::NotSymmetric { row: 3, column: 1 };
        assert_eq!(one, Err(wanted));
    }
}
