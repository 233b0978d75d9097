//! The sparse factor of a Newton step's matrix: Cholesky's where that is symmetric and definite, else LU.

use faer::sparse::SparseColMatRef;

use crate::sparse::{Cholesky, RowLu};

/// A factor with what it keeps from one matrix to the next of the same pattern.
pub(super) struct Sparse {
    /// Whether the matrix is symmetric: then Cholesky is tried first.
    is_symmetric: bool,
    cholesky: Option<Cholesky>,
    lu: Option<RowLu>,
    factor: Factor,
}

/// Which factor is that of the last matrix.
#[derive(PartialEq, Eq)]
enum Factor {
    Cholesky,
    Lu,
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
        self.factor == Factor::Cholesky
    }

    /// Factors `matrix`, given by its compressed rows and always of one pattern; `false` where it is singular.
    pub fn factor(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> bool {
        self.factor = Factor::None;
        if !matrix.val().iter().all(|value| value.is_finite()) {
            return false;
        }
        if self.is_symmetric && self.cholesky(matrix).is_some_and(|works| works) {
            self.factor = Factor::Cholesky;
        } else if self.lu(matrix).is_some_and(|works| works) {
            self.factor = Factor::Lu;
        }
        self.factor != Factor::None
    }

    fn cholesky(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> Option<bool> {
        if self.cholesky.is_none() {
            self.cholesky = Cholesky::new(matrix.symbolic());
        }
        Some(self.cholesky.as_mut()?.factor(matrix))
    }

    fn lu(&mut self, matrix: SparseColMatRef<'_, u32, f64>) -> Option<bool> {
        if self.lu.is_none() {
            self.lu = RowLu::new(matrix.symbolic());
        }
        Some(self.lu.as_mut()?.factor(matrix))
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        match (&self.factor, &mut self.cholesky, &self.lu) {
            (Factor::Cholesky, Some(cholesky), _) => cholesky.solve(x),
            (Factor::Lu, _, Some(lu)) => lu.solve(x),
            _ => x.fill(f64::NAN),
        }
    }
}
