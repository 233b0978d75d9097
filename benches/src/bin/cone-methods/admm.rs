//! ADMM with a spectral penalty, de Saxcé's lift taken from the dual variable (Carpentier et al. 2024).

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, SymmetricEigen};

use super::Clock;
use super::local::Local;

/// The power of the condition number in the penalty, and how far it is moved.
const POWER: f64 = 0.05;
const MOVE: f64 = 0.05;
/// The residuals may differ by this factor.
const APART: f64 = 10.0;
/// Iterations between two looks at them.
const EVERY: u64 = 10;

/// The factor of W + penalty I.
fn factor(w: &DMatrix<f64>, penalty: f64) -> Option<Cholesky<f64, Dyn>> {
    let n = w.nrows();
    Cholesky::new(w + DMatrix::identity(n, n) * penalty)
}

/// Iterations until both residuals are rounding.
pub fn solve(local: &Local, clock: &Clock) -> Option<DVector<f64>> {
    let w = (&local.w + local.w.transpose()) / 2.0;
    let n = local.q.len();
    let values = SymmetricEigen::new(w.clone()).eigenvalues;
    let large = values.amax();
    let small = values.min().max(1e-9 * large);
    let (middle, condition) = ((large * small).sqrt(), large / small);
    let mut power = POWER;
    let mut penalty = middle * condition.powf(power);
    let mut cholesky = factor(&w, penalty)?;
    let (mut y, mut dual) = (DVector::zeros(n), DVector::zeros(n));
    for iteration in 1_u64.. {
        // In the limit Wx + q + lift = -dual.
        let lift = local.lift(&-&dual);
        let x = cholesky.solve(&(&y * penalty - &dual - &local.q - lift));
        let next = local.project(&(&x + &dual / penalty));
        let step = (&next - &y).amax() * penalty;
        let gap = (&x - &next).amax();
        y = next;
        dual += (&x - &y) * penalty;
        let (force, velocity) = (y.amax(), dual.amax().max(local.q.amax()));
        if gap <= 1e-15 * force && step <= 1e-15 * velocity {
            return Some(y);
        }
        if clock.is_over() {
            return None;
        }
        if iteration % EVERY == 0 {
            let ratio =
                (gap / force.max(f64::MIN_POSITIVE)) / (step / velocity).max(f64::MIN_POSITIVE);
            let wanted = match ratio {
                ratio if ratio > APART => power + MOVE,
                ratio if ratio < 1.0 / APART => power - MOVE,
                _ => power,
            };
            let wanted = wanted.clamp(-0.5, 0.5);
            if wanted != power {
                power = wanted;
                penalty = middle * condition.powf(power);
                cholesky = factor(&w, penalty)?;
            }
        }
    }
    None
}
