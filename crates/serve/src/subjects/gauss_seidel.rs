//! Projected Gauss-Seidel with a fixed number of sweeps, from forces of zero.
//!
//! Row by row, f_i is moved to where a_i = 0 and cut at its bounds (Cottle, Pang, Stone, algorithm 5.2.1). It converges for
//! symmetric positive definite A. Engines stop it after some sweeps, and take what there is.

use etalon_planar::LcpEvent;

use super::range;

/// The forces after so many sweeps.
pub fn forces(event: &LcpEvent<'_>, sweeps: u32) -> Vec<f64> {
    let n = event.b.len();
    let mut f = vec![0.0; n];
    for _ in 0..sweeps {
        for i in 0..n {
            let row = &event.a[i * n..(i + 1) * n];
            if row[i] <= 0.0 {
                continue;
            }
            let a = event.b[i] + row.iter().zip(&f).map(|(a, f)| a * f).sum::<f64>();
            let (least, most) = range(&event.bounds[i], &f);
            f[i] = (f[i] - a / row[i]).max(least).min(most);
        }
    }
    f
}
