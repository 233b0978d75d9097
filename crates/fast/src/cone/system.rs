//! The linear system of a Newton step: J = dPhi/dx + dPhi/dy (D M D + E), E a diagonal.

use faer::MatMut;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu as SparseLu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use super::groups::{Group, Kind, Local};
use super::scaled::Scaled;
use crate::dense::Lu;

/// Systems of up to so many rows are factored dense.
const DENSE: usize = 120;

/// Above it, those with more than one nonzero among so many entries, up to [`LARGEST_DENSE`] rows.
const DENSE_PART: usize = 8;

/// A dense factor takes n * n doubles.
const LARGEST_DENSE: usize = 3000;

/// The pattern of J by compressed rows, and its factor.
pub(super) struct System {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    factor: Factor,
}

enum Factor {
    Dense(Lu),
    /// Of the transpose: compressed rows of J are compressed columns of J'.
    Sparse(SymbolicLu<usize>, Option<Box<SparseLu<usize, f64>>>),
    /// Its pattern has no factor.
    None,
}

impl System {
    pub fn new(scaled: &Scaled<'_>) -> Self {
        let n = scaled.problem.n();
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); n];
        for group in &scaled.groups {
            let mut union: Vec<usize> = group.columns().collect();
            if group.kind != Kind::Zero {
                for &i in &group.rows {
                    union.extend(scaled.problem.row(i).map(|(j, _)| j));
                }
            }
            union.sort_unstable();
            union.dedup();
            for &i in &group.rows {
                own[i].clone_from(&union);
            }
        }
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for row in own {
            columns.extend(row);
            starts.push(columns.len());
        }
        let dense = n <= DENSE || (n <= LARGEST_DENSE && columns.len() * DENSE_PART > n * n);
        let factor = if dense {
            let mut lu = Lu::default();
            lu.reserve(n);
            Factor::Dense(lu)
        } else {
            let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &columns);
            match SymbolicLu::try_new(pattern) {
                Ok(symbolic) => Factor::Sparse(symbolic, None),
                Err(_) => Factor::None,
            }
        };
        let values = vec![0.0; columns.len()];
        Self {
            starts,
            columns,
            values,
            factor,
        }
    }

    fn place(&self, i: usize, j: usize) -> Option<usize> {
        let range = self.starts[i]..self.starts[i + 1];
        let place = self.columns[range.clone()].binary_search(&j).ok()?;
        Some(range.start + place)
    }

    fn add(&mut self, i: usize, j: usize, value: f64) {
        if let Some(place) = self.place(i, j) {
            self.values[place] += value;
        }
    }

    /// Forgets the last matrix.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds the rows of a group; `shift` is E.
    pub fn add_group(&mut self, scaled: &Scaled<'_>, group: &Group, local: &Local, shift: &[f64]) {
        let k = group.rows.len();
        for (a, &i) in group.rows.iter().enumerate() {
            for (c, j) in group.columns().enumerate() {
                let value = local.by_x[a * local.width + c];
                if value != 0.0 {
                    self.add(i, j, value);
                }
            }
            for (c, &row) in group.rows.iter().enumerate() {
                let value = local.by_y[a * k + c];
                if value != 0.0 {
                    self.add_row(scaled, i, row, value);
                    self.add(i, row, value * shift[row]);
                }
            }
        }
    }

    /// Adds a multiple of row `row` of D M D to row i.
    fn add_row(&mut self, scaled: &Scaled<'_>, i: usize, row: usize, value: f64) {
        let end = self.starts[i + 1];
        let mut place = self.starts[i];
        let factor = value * scaled.d[row];
        for (j, m) in scaled.problem.row(row) {
            // Both lists ascend.
            while place < end && self.columns[place] < j {
                place += 1;
            }
            self.values[place] += factor * m * scaled.d[j];
        }
    }

    /// Factors the matrix; `false` where it is singular.
    pub fn factor(&mut self) -> bool {
        let n = self.starts.len() - 1;
        match &mut self.factor {
            Factor::Dense(lu) => {
                lu.rows[..n * n].fill(0.0);
                for i in 0..n {
                    for place in self.starts[i]..self.starts[i + 1] {
                        lu.rows[i * n + self.columns[place]] = self.values[place];
                    }
                }
                lu.factor(n)
            }
            Factor::Sparse(symbolic, numeric) => {
                if !self.values.iter().all(|value| value.is_finite()) {
                    return false;
                }
                let pattern =
                    SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.columns);
                let matrix = SparseColMatRef::new(pattern, &self.values);
                *numeric = SparseLu::try_new_with_symbolic(symbolic.clone(), matrix)
                    .ok()
                    .map(Box::new);
                numeric.is_some()
            }
            Factor::None => false,
        }
    }

    /// Solves J x = b in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = x.len();
        match &self.factor {
            Factor::Dense(lu) => lu.solve(x),
            Factor::Sparse(_, Some(lu)) => {
                lu.solve_transpose_in_place(MatMut::from_column_major_slice_mut(x, n, 1));
            }
            _ => x.fill(f64::NAN),
        }
    }
}
