//! Semismooth Newton steps with a line search.

use super::CircularWork;
use super::residual::{Residual, length};

/// Steps of one round.
const STEPS: u32 = 40;

/// Halvings of a step.
const HALVINGS: u32 = 12;

/// Goes on while the residual falls.
pub fn run(residual: &Residual<'_>, f: &mut Vec<f64>, work: &mut CircularWork) {
    let mut phi = residual.value(f);
    let mut norm = length(&phi);
    for _ in 0..STEPS {
        let scale = length(f).max(f64::MIN_POSITIVE);
        if norm == 0.0 || !norm.is_finite() {
            return;
        }
        work.newton += 1;
        // Redundant contacts make the derivative singular. The shift falls with the residual; its limits are chosen.
        let shift = (norm / scale).clamp(1e-11, 1e-4);
        let Some(step) = step(residual.derivative(f), &phi, shift) else {
            return;
        };
        let mut t = 1.0;
        let mut moved = None;
        for _ in 0..HALVINGS {
            let tried: Vec<f64> = f.iter().zip(&step).map(|(f, d)| f + t * d).collect();
            let value = residual.value(&tried);
            let size = length(&value);
            // Sufficient decrease with the usual constant of Armijo's rule, 1e-4.
            if size < norm * (1.0 - 1e-4 * t) {
                moved = Some((tried, value, size));
                break;
            }
            t *= 0.5;
        }
        match moved {
            Some(better) => (*f, phi, norm) = better,
            None => return,
        }
    }
}

/// The solution of (J + shift) d = -phi by elimination with partial pivoting.
fn step(mut rows: Vec<Vec<f64>>, phi: &[f64], shift: f64) -> Option<Vec<f64>> {
    let n = phi.len();
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] += shift;
        row.push(-phi[i]);
    }
    for k in 0..n {
        let size = |i: &usize| rows[*i][k].abs();
        // `total_cmp` calls NaN the largest, which is refused below.
        let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        rows.swap(k, pivot);
        let (above, below) = rows.split_at_mut(k + 1);
        let pivot_row = &above[k];
        let pivot = pivot_row[k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        for row in below {
            let factor = row[k] / pivot;
            if factor == 0.0 {
                continue;
            }
            for (own, other) in row[k..].iter_mut().zip(&pivot_row[k..]) {
                *own -= factor * other;
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x.iter().all(|x: &f64| x.is_finite()).then_some(x)
}
