//! The ratio test of Lemke's method, without a branch per row.

use pulp::Simd;

use crate::simd::{Kernel, dispatch};
use crate::tolerances::{PIVOT_NOISE, TIE};

/// What the first look at the ratios shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    /// The largest entry of the column.
    pub(super) largest: f64,
    /// Ratios up to here are ties of the least; infinite where no row has one.
    pub(super) reach: f64,
}

/// Writes rhs / -column to `ratios` where the column is below minus its noise, infinity elsewhere.
pub(super) fn least_ratio(column: &[f64], rhs: &[f64], ratios: &mut [f64]) -> Least {
    dispatch(Ratios {
        column,
        rhs,
        ratios,
    })
}

struct Ratios<'a> {
    column: &'a [f64],
    rhs: &'a [f64],
    ratios: &'a mut [f64],
}

impl Kernel for Ratios<'_> {
    type Output = Least;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Least {
        let n = self.column.len();
        let (ds, d_rest) = S::as_simd_f64s(self.column);
        let (bs, b_rest) = S::as_simd_f64s(&self.rhs[..n]);
        let (outs, out_rest) = S::as_mut_simd_f64s(&mut self.ratios[..n]);
        let mut sizes = simd.splat_f64s(0.0);
        for d in ds {
            sizes = simd.max_f64s(sizes, simd.abs_f64s(*d));
        }
        if !d_rest.is_empty() {
            let d = simd.partial_load_f64s(d_rest);
            sizes = simd.max_f64s(sizes, simd.abs_f64s(d));
        }
        let largest = simd.reduce_max_f64s(sizes);
        // Compared strictly: a column of zeros has no row, and its `reach` is infinite.
        let noise = simd.splat_f64s(-PIVOT_NOISE * largest);
        let infinity = simd.splat_f64s(f64::INFINITY);
        let mut least = infinity;
        for ((out, d), b) in outs.iter_mut().zip(ds).zip(bs) {
            let ratio = simd.div_f64s(*b, simd.neg_f64s(*d));
            let ratio = simd.select_f64s(simd.less_than_f64s(*d, noise), ratio, infinity);
            least = simd.min_f64s(least, ratio);
            *out = ratio;
        }
        if !d_rest.is_empty() {
            let d = simd.partial_load_f64s(d_rest);
            let b = simd.partial_load_f64s(b_rest);
            let ratio = simd.div_f64s(b, simd.neg_f64s(d));
            let ratio = simd.select_f64s(simd.less_than_f64s(d, noise), ratio, infinity);
            least = simd.min_f64s(least, ratio);
            simd.partial_store_f64s(out_rest, ratio);
        }
        let least = simd.reduce_min_f64s(least);
        Least {
            largest,
            // Relative to |least|: a basic variable below 0 by rounding makes a ratio below 0.
            reach: least + TIE * least.abs(),
        }
    }
}
