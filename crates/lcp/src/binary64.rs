//! Problems and matrices from binary64 ones of `nalgebra`, and back. No record comes this way.

use nalgebra::{DMatrix, DVector};

use crate::limits::MAX_ROWS;
use crate::matrix::Matrix;
use crate::number::Number;
use crate::problem::{Problem, ProblemError};

impl Matrix {
    /// The exact values of a binary64 matrix; `None` when it is not square or not finite.
    pub fn from_binary64(m: &DMatrix<f64>) -> Option<Self> {
        let n = m.nrows();
        if !m.is_square() || n > MAX_ROWS {
            return None;
        }
        let values = (0..n).flat_map(|i| (0..n).map(move |j| m[(i, j)]));
        let values: Option<Vec<_>> = values.map(Number::from_f64).collect();
        Some(Self::from_row_major(n, values?))
    }

    /// The matrix in binary64, each entry rounded to nearest.
    pub fn to_dmatrix(&self) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(self.n(), self.n());
        for i in 0..self.n() {
            for (j, value) in self.row(i) {
                dense[(i, j)] = value.to_f64();
            }
        }
        dense
    }
}

impl Problem {
    /// A pure LCP from binary64 data, taken exactly. `m` is n by n, `q` of length n.
    ///
    /// # Errors
    /// [`ProblemError::NotFinite`], [`ProblemError::Length`].
    pub fn from_binary64(
        name: impl Into<String>,
        m: &DMatrix<f64>,
        q: &DVector<f64>,
    ) -> Result<Self, ProblemError> {
        let m = Matrix::from_binary64(m).ok_or(ProblemError::NotFinite)?;
        let q: Option<_> = q.iter().copied().map(Number::from_f64).collect();
        Self::new(name, m, q.ok_or(ProblemError::NotFinite)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_doubles_make_no_matrix() {
        assert!(Matrix::from_binary64(&DMatrix::from_element(1, 1, f64::NAN)).is_none());
        assert!(Matrix::from_binary64(&DMatrix::from_element(1, 2, 1.0)).is_none());
    }
}
