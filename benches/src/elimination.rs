//! The reference for solvers: the solution of M x = q by elimination, once.

use faer::Mat;
use faer::prelude::Solve;
use nalgebra::{DMatrix, DVector};

/// LU with partial pivoting and the solution, by nalgebra; `None` where a pivot is exactly zero.
pub fn nalgebra_solve(m: &DMatrix<f64>, q: &DVector<f64>) -> Option<DVector<f64>> {
    m.clone().lu().solve(q)
}

/// The same by faer, on one thread.
pub fn faer_solve(m: &Mat<f64>, q: &Mat<f64>) -> Mat<f64> {
    m.partial_piv_lu().solve(q)
}

/// A matrix in faer's own type.
pub fn to_faer(m: &DMatrix<f64>) -> Mat<f64> {
    Mat::from_fn(m.nrows(), m.ncols(), |i, j| m[(i, j)])
}

/// A vector in faer's own type.
pub fn to_faer_column(q: &[f64]) -> Mat<f64> {
    Mat::from_fn(q.len(), 1, |i, _| q[i])
}

/// Gaussian elimination with partial pivoting as textbooks have it, row by row and nothing blocked:
/// what Baraff (1994) compares with. `m` holds rows; `None` where a pivot is exactly zero.
pub fn textbook_solve(m: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    let n = q.len();
    let mut a: Vec<Vec<f64>> = m.to_vec();
    let mut x = q.to_vec();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        x.swap(k, pivot);
        if a[k][k] == 0.0 {
            return None;
        }
        let (above, below) = a.split_at_mut(k + 1);
        let top = &above[k];
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[k] / top[k];
            for (value, pivot) in row[k + 1..].iter_mut().zip(&top[k + 1..]) {
                *value -= factor * pivot;
            }
            x[k + 1 + i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
        x[k] = (x[k] - known) / a[k][k];
    }
    Some(x)
}

/// Multiplications and additions of that elimination.
pub fn textbook_flops(n: usize) -> f64 {
    let n = n as f64;
    2.0 / 3.0 * n * n * n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, find};

    #[test]
    fn all_three_solve_the_same_system() {
        let case = Case::new(find("pd").unwrap(), 30, 0).unwrap();
        let m = case.data.matrix();
        let q = DVector::from_column_slice(&case.data.q);
        let one = nalgebra_solve(&m, &q).unwrap();
        let two = faer_solve(&to_faer(&m), &to_faer_column(&case.data.q));
        let rows: Vec<Vec<f64>> = m.row_iter().map(|r| r.iter().copied().collect()).collect();
        let three = textbook_solve(&rows, &case.data.q).unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9 * one.amax();
        assert!((0..30).all(|i| close(one[i], two[(i, 0)]) && close(one[i], three[i])));
        assert!((&m * &one - &q).amax() < 1e-9);
    }

    #[test]
    fn singular_systems_have_no_solution() {
        let rows = [vec![1.0, 2.0], vec![2.0, 4.0]];
        assert_eq!(textbook_solve(&rows, &[1.0, 1.0]), None);
    }
}
