//! LDL' of the clamped rows, updated in O(k^2) as rows come and go.

use pulp::Simd;

use crate::simd::{Kernel, axpy, dispatch, dot};
use crate::tolerances::NEARLY_SINGULAR;

/// A_CC = L D L' in the order in which rows came.
#[derive(Debug, Default)]
pub(crate) struct ClampedFactor {
    /// Rows of L, unit diagonal left out, `stride` apart.
    l: Vec<f64>,
    d: Vec<f64>,
    stride: usize,
}

impl ClampedFactor {
    /// Empty, with room for n rows.
    pub(crate) fn reset(&mut self, n: usize) {
        self.l.resize(self.l.len().max(n * n), 0.0);
        self.stride = n;
        self.d.clear();
        self.d.reserve(n);
    }

    /// Adds a row: `column` its entries in the rows there are, which it overwrites, `diagonal`
    /// its own. `false`, and nothing added, when A_CC would not be positive definite.
    pub(crate) fn append(&mut self, column: &mut [f64], diagonal: f64) -> bool {
        let k = self.d.len();
        dispatch(Forward(self, column));
        // The pivot is the Schur complement a_dd - a_dC A_CC^-1 a_Cd (Higham, chapter 10).
        let mut pivot = diagonal;
        let row = &mut self.l[k * self.stride..k * self.stride + k];
        for ((out, y), d) in row.iter_mut().zip(&*column).zip(&self.d) {
            *out = y / d;
            pivot -= y * *out;
        }
        // Written so that NaN fails.
        let good = pivot > NEARLY_SINGULAR * diagonal;
        if good {
            self.d.push(pivot);
        }
        good
    }

    /// Takes out row p: the rows below lose a column, whose product comes back as an update of
    /// rank one (Gill, Golub, Murray, Saunders 1974, method C1).
    pub(crate) fn remove(&mut self, p: usize, multipliers: &mut Vec<(f64, f64)>) {
        let k = self.d.len();
        let n = self.stride;
        let mut alpha = self.d.remove(p);
        multipliers.clear();
        // The rows before p do not hold row p, and stay.
        for i in p..k - 1 {
            let (above, below) = self.l.split_at_mut((i + 1) * n);
            let (row, source) = (&mut above[i * n..], &below[..=i]);
            row[..p].copy_from_slice(&source[..p]);
            let mut v = source[p];
            let moved = source[p + 1..].iter().zip(&*multipliers);
            for (out, (&l, &(first, beta))) in row[p..].iter_mut().zip(moved) {
                v -= first * l;
                *out = l + beta * v;
            }
            // alpha > 0 throughout: what comes back is d_p l_p l_p', so no pivot falls and none is
            // lost to cancellation.
            let d = self.d[i];
            self.d[i] = d + alpha * v * v;
            multipliers.push((v, v * alpha / self.d[i]));
            alpha *= d / self.d[i];
        }
    }

    /// Solves A_CC x = b in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        dispatch(Forward(self, x));
        for (x, d) in x.iter_mut().zip(&self.d) {
            *x /= d;
        }
        dispatch(Backward(self, x));
    }
}

struct Forward<'a>(&'a ClampedFactor, &'a mut [f64]);

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self(factor, x) = self;
        for i in 1..factor.d.len() {
            let row = &factor.l[i * factor.stride..i * factor.stride + i];
            x[i] -= dot(simd, row, &x[..i]);
        }
    }
}

struct Backward<'a>(&'a ClampedFactor, &'a mut [f64]);

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self(factor, x) = self;
        for i in (1..factor.d.len()).rev() {
            let row = &factor.l[i * factor.stride..i * factor.stride + i];
            let (left, right) = x.split_at_mut(i);
            axpy(simd, -right[0], row, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_and_go_and_the_product_stays() {
        let n = 7;
        let entry = |i: usize, j: usize| {
            let off = 1.0 / (1 + i + j) as f64;
            if i == j { 3.0 + i as f64 } else { off }
        };
        let mut factor = ClampedFactor::default();
        factor.reset(n);
        let mut rows: Vec<usize> = Vec::new();
        let mut scratch = Vec::new();
        for step in [0, 1, 2, 3, 4, -2, 5, -1, 6, -4, -1, 2] {
            if step >= 0 {
                let i = step as usize;
                let mut column: Vec<f64> = rows.iter().map(|&j| entry(i, j)).collect();
                assert!(factor.append(&mut column, entry(i, i)));
                rows.push(i);
            } else {
                let p = (-step - 1) as usize;
                factor.remove(p, &mut scratch);
                rows.remove(p);
            }
            let b: Vec<f64> = (1..=rows.len()).map(|v| v as f64).collect();
            let mut x = b.clone();
            factor.solve(&mut x);
            for (&i, b) in rows.iter().zip(&b) {
                let product: f64 = rows.iter().zip(&x).map(|(&j, x)| entry(i, j) * x).sum();
                assert!((product - b).abs() < 1e-12);
            }
        }
    }
}
