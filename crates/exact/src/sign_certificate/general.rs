//! Any regular system: an approximate inverse R, and a bound for I - R A.
//!
//! Let e be the largest absolute row sum of I - R A. If e < 1, then A is regular. Then
//! x - x~ = (I - (I - R A))^-1 R (b - A x~) is at most |R| |b - A x~| / (1 - e) (Rump 1980).

use super::Enclosure;
use super::bounds::{gamma, underflow, up};
use super::data::System;
use super::simd::{absolute_dot, dot};

/// `None` when A is not found to be regular.
pub(super) fn enclose(system: &System) -> Option<Enclosure> {
    let k = system.k;
    let inverse = approximate_inverse(system)?;
    let margin = margin(system, &inverse)?;
    let row = |i: usize| &inverse[i * k..(i + 1) * k];
    let mut x: Vec<f64> = (0..k).map(|i| dot(row(i), &system.b)).collect();
    // One step of refinement.
    let residuals = system.residual_rows(&x)?;
    let residuals: Vec<f64> = residuals.into_iter().map(|(value, _)| value).collect();
    for (i, x) in x.iter_mut().enumerate() {
        *x += dot(row(i), &residuals);
    }
    let radius = radius(system, &inverse, margin, &x)?;
    Some(Enclosure { x, radius })
}

/// A lower bound for 1 less the norm of I - R A, above 1/2; `None` when there is none.
pub(super) fn margin(system: &System, inverse: &[f64]) -> Option<f64> {
    // 1 - defect is exact to within a rounding.
    let margin = (1.0 - defect(system, inverse)?).next_down();
    // The radius is divided by it, so above 1/2 it at most doubles.
    (margin > 0.5).then_some(margin)
}

/// The largest error of any x, for an inverse with that margin.
pub(super) fn radius(system: &System, inverse: &[f64], margin: f64, x: &[f64]) -> Option<f64> {
    let k = system.k;
    let row = |i: usize| &inverse[i * k..(i + 1) * k];
    let residuals = system.residual_rows(x)?;
    let size = |(value, radius): (f64, f64)| up(value.abs() + radius, 1);
    let sizes: Vec<f64> = residuals.into_iter().map(size).collect();
    let largest = (0..k).fold(0.0_f64, |most, i| {
        // NaN in place of a bound stays.
        let own = absolute_dot(row(i), &sizes);
        if own > most || own.is_nan() {
            own
        } else {
            most
        }
    });
    let radius = up(up(largest, k + 1) + underflow(k), 2) / margin;
    let radius = up(radius, 1);
    radius.is_finite().then_some(radius)
}

/// A bound for the largest absolute row sum of I - R A.
fn defect(system: &System, inverse: &[f64]) -> Option<f64> {
    let k = system.k;
    // |A| e bounds what the products of a row of R add up to.
    let sums: Vec<f64> = (0..k)
        .map(|i| up(system.row(i).iter().map(|v| v.abs()).sum(), k))
        .collect();
    let mut worst = 0.0_f64;
    let mut row = vec![0.0; k];
    for (i, r) in inverse.chunks_exact(k.max(1)).enumerate() {
        row.fill(0.0);
        row[i] = 1.0;
        for (factor, a) in r.iter().zip(system.a.chunks_exact(k)) {
            for (value, a) in row.iter_mut().zip(a) {
                *value -= factor * a;
            }
        }
        let found = up(row.iter().map(|v| v.abs()).sum(), k);
        let rounding = gamma(k + 2)? * up(1.0 + absolute_dot(r, &sums), k + 2);
        let total = up(found + rounding + underflow(k * (k + 1)), 4);
        if !total.is_finite() {
            return None;
        }
        worst = worst.max(total);
    }
    Some(worst)
}

/// Gauss-Jordan elimination with row pivoting.
pub(super) fn approximate_inverse(system: &System) -> Option<Vec<f64>> {
    let k = system.k;
    let mut a = system.a.clone();
    let mut order: Vec<usize> = (0..k).collect();
    for c in 0..k {
        let size = |i: &usize| a[i * k + c].abs();
        // `total_cmp` calls NaN the largest; its reciprocal is refused below.
        let p = (c..k).max_by(|i, j| size(i).total_cmp(&size(j)))?;
        order.swap(c, p);
        let (before, rest) = a.split_at_mut(c * k);
        let (pivot, after) = rest.split_at_mut(k);
        if p != c {
            pivot.swap_with_slice(&mut after[(p - c - 1) * k..(p - c) * k]);
        }
        let inverse = 1.0 / pivot[c];
        if !inverse.is_finite() {
            return None;
        }
        pivot[c] = 1.0;
        pivot.iter_mut().for_each(|value| *value *= inverse);
        for row in before.chunks_exact_mut(k).chain(after.chunks_exact_mut(k)) {
            let factor = std::mem::take(&mut row[c]);
            if factor != 0.0 {
                for (value, across) in row.iter_mut().zip(&*pivot) {
                    *value -= factor * across;
                }
            }
        }
    }
    let mut inverse = vec![0.0; k * k];
    for (out, row) in inverse
        .chunks_exact_mut(k.max(1))
        .zip(a.chunks_exact(k.max(1)))
    {
        for (&column, &value) in order.iter().zip(row) {
            out[column] = value;
        }
    }
    Some(inverse)
}
