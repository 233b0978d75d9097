//! Projected Gauss-Seidel for the linear complementarity problem w = Mz + q, z >= 0, w >= 0, z'w = 0, as
//! physics engines have it: row by row, z_i is moved to where w_i = 0 and cut at 0 (Cottle, Pang, Stone,
//! algorithm 5.2.1). It converges for symmetric positive definite M, as slowly as M is badly conditioned.

/// The most sweeps over all rows.
const SWEEPS: usize = 2_000;

/// The largest change of an entry in the last sweep, relative to the largest entry.
const SMALL: f64 = 1e-14;

/// Solves LCP(q, M), M given by its n rows of n entries; `None` where the sweeps do not settle, or a diagonal
/// entry is not positive.
pub fn solve(m: &[Vec<f64>], q: &[f64]) -> Option<Vec<f64>> {
    let n = q.len();
    if (0..n).any(|i| m[i][i] <= 0.0) {
        return None;
    }
    let mut z = vec![0.0; n];
    for _ in 0..SWEEPS {
        let (mut change, mut size) = (0.0, 0.0);
        for i in 0..n {
            let product: f64 = m[i].iter().zip(&z).map(|(a, b)| a * b).sum();
            let moved = f64::max(0.0, z[i] - (product + q[i]) / m[i][i]);
            change = f64::max(change, (moved - z[i]).abs());
            size = f64::max(size, moved);
            z[i] = moved;
        }
        if change <= SMALL * size {
            return Some(z);
        }
    }
    None
}
