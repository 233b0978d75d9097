//! Projections contact by contact, after Gauss and Seidel.

use super::CircularWork;
use super::residual::{Residual, length, shrink};

/// Sweeps over all rows, joints first.
pub fn run(residual: &Residual<'_>, f: &mut [f64], sweeps: u32, work: &mut CircularWork) {
    let mut acceleration = residual.acceleration(f);
    let change = |f: &mut [f64], acceleration: &mut [f64], row: usize, to: f64| {
        let by = to - f[row];
        if by != 0.0 {
            f[row] = to;
            // Updated after each row, so that the next one sees it: Gauss-Seidel, and O(n) a row.
            for (i, a) in acceleration.iter_mut().enumerate() {
                *a += by * residual.a[(i, row)];
            }
        }
    };
    for _ in 0..sweeps {
        work.sweeps += 1;
        for &joint in &residual.layout.joints {
            let to = f[joint] - residual.rho[joint] * acceleration[joint];
            change(f, &mut acceleration, joint, to);
        }
        for (k, cone) in residual.layout.cones.iter().enumerate() {
            let pressed = residual.pressed(k, f, &acceleration).max(0.0);
            change(f, &mut acceleration, cone.normal, pressed);
            // With the new normal force: its disc is the one that friction has to be inside of.
            let pulled = residual.pulled(k, f, &acceleration);
            let factor = shrink(length(&pulled), cone.mu * f[cone.normal]);
            for (&t, p) in cone.tangents.iter().zip(pulled) {
                change(f, &mut acceleration, t, factor * p);
            }
        }
    }
}
