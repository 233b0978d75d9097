//! b - A x for some x, with bounds on what rounding hides.

use super::bounds::{gamma, underflow, up};
use super::data::System;
use super::simd::{Kernel, dispatch, fold};

/// b - A x, rounded.
pub(super) struct Residual {
    pub values: Vec<f64>,
    /// A bound for the Euclidean norm of the exact one.
    pub norm: f64,
    /// The part of it that comes from rounding, about.
    pub floor: f64,
}

impl System {
    /// The residual with bounds on its rounding errors.
    pub(super) fn residual(&self, x: &[f64]) -> Option<Residual> {
        let rows = self.residual_rows(x)?;
        let mut values = Vec::with_capacity(self.k);
        let (mut squares, mut floor) = (0.0, 0.0);
        for (value, radius) in rows {
            values.push(value);
            let largest = up(value.abs() + radius, 1);
            // NaN, of infinities that cancel, must not pass for small.
            if !largest.is_finite() {
                return None;
            }
            // Squares of less would underflow.
            let largest = largest.max(1e-150);
            squares += largest * largest;
            // This sum only decides when refinement ends, so its own rounding is not bounded.
            floor += radius * radius;
        }
        let norm = up(up(squares, self.k + 2).sqrt(), 2);
        norm.is_finite().then_some(Residual {
            values,
            norm,
            floor: floor.sqrt(),
        })
    }

    /// The entries of b - A x, and what each may be off by.
    pub(super) fn residual_rows(&self, x: &[f64]) -> Option<Vec<(f64, f64)>> {
        let gamma = gamma(self.k + 2)?;
        Some(dispatch(Rows {
            system: self,
            x,
            gamma,
            lost: underflow(self.k + 1),
        }))
    }
}

struct Rows<'a> {
    system: &'a System,
    x: &'a [f64],
    gamma: f64,
    lost: f64,
}

impl Kernel for Rows<'_> {
    type Output = Vec<(f64, f64)>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Self::Output {
        let k = self.system.k;
        let rows = self.system.a.chunks_exact(k.max(1)).zip(&self.system.b);
        let mut out = Vec::with_capacity(k);
        for (row, b) in rows {
            let [sum, size] = fold(row, self.x, |a, x| [a * x, (a * x).abs()]);
            let radius = self.gamma * up(b.abs() + size, k + 1) + self.lost;
            out.push((b - sum, up(radius, 4)));
        }
        out
    }
}
