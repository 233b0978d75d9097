//! The loops over rows of M.

use pulp::Simd;

use crate::problem::LcpRef;
use crate::simd::{Kernel, axpy, axpy4};

/// out += sum of factors[k] row rows[k] of M.
pub(super) struct Combine<'a> {
    pub(super) lcp: LcpRef<'a>,
    pub(super) rows: &'a [usize],
    pub(super) factors: &'a [f64],
    pub(super) out: &'a mut [f64],
}

impl Kernel for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (fours, rest) = self.rows.as_chunks::<4>();
        let (factors, factors_rest) = self.factors.as_chunks::<4>();
        for (rows, factors) in fours.iter().zip(factors) {
            let [a, b, c, d] = *rows;
            let (a, b) = (self.lcp.row(a), self.lcp.row(b));
            let (c, d) = (self.lcp.row(c), self.lcp.row(d));
            axpy4(simd, *factors, [a, b, c, d], self.out);
        }
        for (&i, &factor) in rest.iter().zip(factors_rest) {
            axpy(simd, factor, self.lcp.row(i), self.out);
        }
    }
}

/// w += length dw.
pub(super) struct Advance<'a> {
    pub(super) length: f64,
    pub(super) dw: &'a [f64],
    pub(super) w: &'a mut [f64],
}

impl Kernel for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        axpy(simd, self.length, self.dw, self.w);
    }
}
