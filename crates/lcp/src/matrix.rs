//! Square matrices of exact numbers, dense or sparse, read row by row.

use std::sync::Arc;

use crate::limits::MAX_ROWS;
use crate::number::Number;

/// A square matrix M. Sparse data stay sparse: all that the checker asks for is the nonzeros of
/// a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    n: usize,
    /// Never changed, so that copies of a matrix share it.
    storage: Arc<Storage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Storage {
    /// Row-major, n * n values.
    Dense(Vec<Number>),
    /// Compressed rows: the entries of row i are `starts[i]..starts[i + 1]`, columns ascending.
    Sparse {
        starts: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<Number>,
    },
}

/// Why data make no square matrix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// More rows than [`MAX_ROWS`].
    #[error("M has {rows} rows, over the limit of {MAX_ROWS}")]
    TooManyRows {
        /// The number of rows asked for.
        rows: u64,
    },
    /// A row of another length than the number of rows.
    #[error("M[{row}] has {length} entries where {n} rows make a square matrix")]
    Ragged {
        /// The first such row.
        row: usize,
        /// Its length.
        length: usize,
        /// The number of rows.
        n: usize,
    },
    /// A sparse shape that is not square.
    #[error("M has the shape {rows} x {columns}, which is not square")]
    NotSquare {
        /// Rows of the shape.
        rows: u64,
        /// Columns of the shape.
        columns: u64,
    },
    /// A sparse entry outside the shape.
    #[error(
        "M.entries[{entry}] stands at ({row}, {column}), outside the shape {n} x {n} (indices start at 0)"
    )]
    Outside {
        /// Position in the list of entries.
        entry: usize,
        /// Its row.
        row: u64,
        /// Its column.
        column: u64,
        /// The size.
        n: usize,
    },
    /// Two sparse entries at one place.
    #[error("M.entries gives ({row}, {column}) twice; add the values up or drop one")]
    Duplicate {
        /// Row of both.
        row: usize,
        /// Column of both.
        column: usize,
    },
}

/// An entry of a sparse matrix: row, column, value.
pub type Entry = (u64, u64, Number);

impl Matrix {
    /// A dense matrix from its rows.
    ///
    /// # Errors
    /// [`MatrixError::Ragged`], [`MatrixError::TooManyRows`].
    pub fn from_rows(rows: Vec<Vec<Number>>) -> Result<Self, MatrixError> {
        let n = checked_size(rows.len() as u64)?;
        if let Some((row, short)) = rows.iter().enumerate().find(|(_, r)| r.len() != n) {
            let length = short.len();
            return Err(MatrixError::Ragged { row, length, n });
        }
        let mut values = Vec::with_capacity(n * n);
        rows.into_iter().for_each(|row| values.extend(row));
        Ok(Self::from_row_major(n, values))
    }

    /// A sparse matrix of the given shape; entries in any order, at most one at each place.
    ///
    /// # Errors
    /// Every variant of [`MatrixError`] but `Ragged`.
    pub fn from_entries(shape: (u64, u64), mut entries: Vec<Entry>) -> Result<Self, MatrixError> {
        let (rows, columns) = shape;
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        let n = checked_size(rows)?;
        let outside = |&(row, column, _): &Entry| row >= rows || column >= rows;
        if let Some(entry) = entries.iter().position(outside) {
            let (row, column, _) = entries[entry];
            return Err(MatrixError::Outside {
                entry,
                row,
                column,
                n,
            });
        }
        entries.sort_by_key(|&(row, column, _)| (row, column));
        let twice = |pair: &&[Entry]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        if let Some(pair) = entries.windows(2).find(twice) {
            let (row, column) = (pair[0].0 as usize, pair[0].1 as usize);
            return Err(MatrixError::Duplicate { row, column });
        }
        let matrix = Self::from_ascending(shape, entries.len(), |push| {
            entries.into_iter().try_for_each(push)
        });
        // By now it is square, and its entries are inside and ascend.
        matrix.ok_or(MatrixError::NotSquare { rows, columns })
    }

    /// A sparse matrix from the nonzeros of its rows, columns ascending in each.
    pub(crate) fn from_sparse_rows(rows: impl Iterator<Item = Vec<(usize, Number)>>) -> Self {
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in rows {
            columns.extend(row.iter().map(|(j, _)| *j as u32));
            values.extend(row.into_iter().map(|(_, value)| value));
            starts.push(values.len());
        }
        Self::compressed(starts, columns, values)
    }

    /// A dense matrix from n * n values, row by row.
    pub(crate) fn from_row_major(n: usize, values: Vec<Number>) -> Self {
        debug_assert_eq!(values.len(), n * n);
        let storage = Arc::new(Storage::Dense(values));
        Self { n, storage }
    }

    /// A sparse matrix of at most so many entries that `fill` gives in ascending order; none where it gives none, or others.
    pub(crate) fn from_ascending(
        shape: (u64, u64),
        most: usize,
        fill: impl FnOnce(&mut dyn FnMut(Entry) -> Option<()>) -> Option<()>,
    ) -> Option<Self> {
        let n = checked_size(shape.0).ok().filter(|_| shape.0 == shape.1)?;
        let mut starts = vec![0; n + 1];
        let (mut columns, mut values) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut last = None;
        fill(&mut |(row, column, value)| {
            if row.max(column) >= n as u64 || last >= Some((row, column)) {
                return None;
            }
            last = Some((row, column));
            starts[row as usize + 1] += 1;
            // `checked_size` keeps indices far below 2^32.
            columns.push(column as u32);
            values.push(value);
            Some(())
        })?;
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        Some(Self::compressed(starts, columns, values))
    }

    fn compressed(starts: Vec<usize>, columns: Vec<u32>, values: Vec<Number>) -> Self {
        let n = starts.len() - 1;
        let storage = Arc::new(Storage::Sparse {
            starts,
            columns,
            values,
        });
        Self { n, storage }
    }

    /// The number of rows n.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Whether the matrix stands in sparse form in its record.
    pub fn is_sparse(&self) -> bool {
        matches!(*self.storage, Storage::Sparse { .. })
    }

    /// The number of stored values: n * n for a dense matrix.
    pub fn stored(&self) -> usize {
        self.values().len()
    }

    /// All stored values of row i, zeros of a dense row included, as (column, value).
    ///
    /// # Panics
    /// When i is not below n.
    pub fn stored_row(&self, i: usize) -> impl Iterator<Item = (usize, &Number)> {
        let (columns, values) = self.raw_row(i);
        let column = move |k: usize| columns.map_or(k, |columns| columns[k] as usize);
        values
            .iter()
            .enumerate()
            .map(move |(k, value)| (column(k), value))
    }

    /// The nonzeros of row i as (column, value), columns ascending.
    ///
    /// # Panics
    /// When i is not below n.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Number)> {
        self.stored_row(i).filter(|(_, value)| !value.is_zero())
    }

    /// The entry at (i, j), `None` where nothing is stored.
    ///
    /// # Panics
    /// When i is not below n.
    pub fn get(&self, i: usize, j: usize) -> Option<&Number> {
        match self.raw_row(i) {
            (None, values) => values.get(j),
            (Some(columns), values) => {
                let at = columns.binary_search(&u32::try_from(j).ok()?);
                at.ok().map(|at| &values[at])
            }
        }
    }

    /// The columns of row i, where these are stored, and its values.
    fn raw_row(&self, i: usize) -> (Option<&[u32]>, &[Number]) {
        match &*self.storage {
            Storage::Dense(values) => (None, &values[i * self.n..(i + 1) * self.n]),
            Storage::Sparse {
                starts,
                columns,
                values,
            } => {
                let range = starts[i]..starts[i + 1];
                (Some(&columns[range.clone()]), &values[range])
            }
        }
    }

    /// Whether every entry stands in its record as a binary64 number.
    pub fn is_binary64(&self) -> bool {
        let mut values = self.values().iter();
        values.all(|value| value.as_binary64().is_some())
    }

    fn values(&self) -> &[Number] {
        match &*self.storage {
            Storage::Dense(values) | Storage::Sparse { values, .. } => values,
        }
    }
}

fn checked_size(rows: u64) -> Result<usize, MatrixError> {
    if rows > MAX_ROWS as u64 {
        return Err(MatrixError::TooManyRows { rows });
    }
    Ok(rows as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> Number {
        Number::from(value)
    }

    #[test]
    fn rows_yield_nonzeros_alike_for_dense_and_sparse() {
        let dense = Matrix::from_rows(vec![vec![int(0), int(2)], vec![int(3), int(0)]]).unwrap();
        let sparse = Matrix::from_entries((2, 2), vec![(1, 0, int(3)), (0, 1, int(2))]).unwrap();
        for i in 0..2 {
            assert!(dense.row(i).eq(sparse.row(i)));
        }
        assert_eq!(sparse.get(0, 0), None);
        assert_eq!(sparse.to_dmatrix(), dense.to_dmatrix());
    }

    #[test]
    fn entries_in_ascending_order_make_the_same_matrix_and_others_none() {
        let of = |shape, entries: &[(u64, u64)]| {
            let mut entries = entries.iter();
            Matrix::from_ascending(shape, 1, |push| {
                entries.try_for_each(|&(row, column)| push((row, column, int(7))))
            })
        };
        let ascending = [(0, 1), (0, 2), (2, 0), (2, 2)];
        let entries = ascending.map(|(row, column)| (row, column, int(7)));
        let sorted = Matrix::from_entries((3, 3), entries.to_vec()).unwrap();
        assert_eq!(of((3, 3), &ascending), Some(sorted));
        assert_eq!(
            of((0, 0), &[]),
            Matrix::from_entries((0, 0), Vec::new()).ok()
        );
        for (shape, entries) in [
            ((3, 2), &[(0, 1)][..]),
            ((1 << 40, 1 << 40), &[]),
            ((3, 3), &[(0, 3)]),
            ((3, 3), &[(3, 0)]),
            ((3, 3), &[(0, 1), (0, 1)]),
            ((3, 3), &[(0, 1), (0, 0)]),
            ((3, 3), &[(1, 0), (0, 1)]),
        ] {
            assert_eq!(of(shape, entries), None, "{shape:?} {entries:?}");
        }
    }

    #[test]
    fn bad_shapes_are_typed_errors() {
        use MatrixError as E;
        let ragged = Matrix::from_rows(vec![vec![int(1), int(2)], vec![int(1)]]);
        assert!(matches!(
            ragged,
            Err(E::Ragged {
                row: 1,
                length: 1,
                n: 2
            })
        ));
        let of = |shape, entries| Matrix::from_entries(shape, entries).unwrap_err();
        assert!(matches!(of((2, 3), vec![]), E::NotSquare { .. }));
        let huge = 4_000_000_000;
        assert!(matches!(of((huge, huge), vec![]), E::TooManyRows { .. }));
        assert!(matches!(
            of((2, 2), vec![(0, 2, int(1))]),
            E::Outside { entry: 0, .. }
        ));
        let twice = vec![(0, 1, int(1)), (1, 1, int(1)), (0, 1, int(2))];
        assert!(matches!(
            of((2, 2), twice),
            E::Duplicate { row: 0, column: 1 }
        ));
    }
}
