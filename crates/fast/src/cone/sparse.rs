//! Sparse factors of faer, of a matrix given by its compressed rows.

use faer::linalg::solvers::Solve;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::solvers::{Llt, Lu, SymbolicLlt, SymbolicLu};
use faer::{MatMut, Side};

/// A factor with what it keeps from one matrix to the next of the same pattern.
pub(super) struct Sparse {
    /// Whether the matrix is symmetric: then Cholesky is tried first.
    is_symmetric: bool,
    cholesky: Option<SymbolicLlt<usize>>,
    lu: Option<SymbolicLu<usize>>,
    factor: Factor,
}

enum Factor {
    Cholesky(Box<Llt<usize, f64>>),
    /// Of the transpose: compressed rows are the compressed columns of it.
    Lu(Box<Lu<usize, f64>>),
    None,
}

impl Sparse {
    pub fn new(is_symmetric: bool) -> Self {
        Self {
            is_symmetric,
            cholesky: None,
            lu: None,
            factor: Factor::None,
        }
    }

    /// Whether the last factor is Cholesky's.
    #[cfg(test)]
    pub fn is_cholesky(&self) -> bool {
        matches!(self.factor, Factor::Cholesky(_))
    }

    /// Factors the transpose of `matrix`, always of one pattern; `false` where that is singular.
    pub fn factor(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> bool {
        self.factor = Factor::None;
        if !matrix.val().iter().all(|value| value.is_finite()) {
            return false;
        }
        if self.is_symmetric {
            self.factor = self.cholesky(matrix).unwrap_or(Factor::None);
        }
        if let Factor::None = self.factor {
            self.factor = self.lu(matrix).unwrap_or(Factor::None);
        }
        !matches!(self.factor, Factor::None)
    }

    fn cholesky(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> Option<Factor> {
        if self.cholesky.is_none() {
            self.cholesky = SymbolicLlt::try_new(matrix.symbolic(), Side::Lower).ok();
        }
        let symbolic = self.cholesky.clone()?;
        let factor = Llt::try_new_with_symbolic(symbolic, matrix, Side::Lower).ok()?;
        Some(Factor::Cholesky(Box::new(factor)))
    }

    fn lu(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> Option<Factor> {
        if self.lu.is_none() {
            self.lu = SymbolicLu::try_new(matrix.symbolic()).ok();
        }
        let factor = Lu::try_new_with_symbolic(self.lu.clone()?, matrix).ok()?;
        Some(Factor::Lu(Box::new(factor)))
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = x.len();
        let side = MatMut::from_column_major_slice_mut(x, n, 1);
        match &self.factor {
            Factor::Cholesky(factor) => factor.solve_in_place(side),
            Factor::Lu(factor) => factor.solve_transpose_in_place(side),
            Factor::None => x.fill(f64::NAN),
        }
    }
}
