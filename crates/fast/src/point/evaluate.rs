//! w and s of a z.

use pulp::Simd;

use super::Point;
use crate::problem::LcpRef;
use crate::simd::{Kernel, dispatch};

impl Point {
    /// w and s from z. `symmetric`: the caller has seen M = M', so rows may stand for columns.
    pub(crate) fn evaluate(&mut self, lcp: LcpRef<'_>, symmetric: bool) {
        self.touched.clear();
        let nonzero = |&j: &usize| self.z[j] != 0.0;
        self.touched.extend((0..self.z.len()).filter(nonzero));
        let Self {
            z, w, s, touched, ..
        } = self;
        // Most z_i are 0, and the columns of a symmetric M lie in memory as rows: only those of
        // nonzero z are read.
        if symmetric {
            w.copy_from_slice(lcp.q);
            for (s, q) in s.iter_mut().zip(lcp.q) {
                *s = q.abs();
            }
            dispatch(Columns {
                lcp,
                touched,
                z,
                w,
                s,
            });
        } else {
            dispatch(Rows { lcp, z, w, s });
        }
    }
}

/// w += M z and s += |M||z| by the columns of nonzero z of a symmetric M.
struct Columns<'a> {
    lcp: LcpRef<'a>,
    touched: &'a [usize],
    z: &'a [f64],
    w: &'a mut [f64],
    s: &'a mut [f64],
}

impl Kernel for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let n = self.w.len();
        let lcp = self.lcp;
        let (ws, w_rest) = S::as_mut_simd_f64s(self.w);
        let (ss, s_rest) = S::as_mut_simd_f64s(&mut self.s[..n]);
        let (fours, rest) = self.touched.as_chunks::<4>();
        for &[j0, j1, j2, j3] in fours {
            let (x0, rest0) = S::as_simd_f64s(lcp.row(j0));
            let (x1, rest1) = S::as_simd_f64s(lcp.row(j1));
            let (x2, rest2) = S::as_simd_f64s(lcp.row(j2));
            let (x3, rest3) = S::as_simd_f64s(lcp.row(j3));
            let a0 = simd.splat_f64s(self.z[j0]);
            let a1 = simd.splat_f64s(self.z[j1]);
            let a2 = simd.splat_f64s(self.z[j2]);
            let a3 = simd.splat_f64s(self.z[j3]);
            let four = FourColumns {
                simd,
                a: [a0, a1, a2, a3],
            };
            let outs = ws.iter_mut().zip(ss.iter_mut());
            for (((((w, s), x0), x1), x2), x3) in outs.zip(x0).zip(x1).zip(x2).zip(x3) {
                (*w, *s) = four.add([*x0, *x1, *x2, *x3], *w, *s);
            }
            if !w_rest.is_empty() {
                let x = [
                    simd.partial_load_f64s(rest0),
                    simd.partial_load_f64s(rest1),
                    simd.partial_load_f64s(rest2),
                    simd.partial_load_f64s(rest3),
                ];
                let (w, s) = (
                    simd.partial_load_f64s(w_rest),
                    simd.partial_load_f64s(s_rest),
                );
                let (w, s) = four.add(x, w, s);
                simd.partial_store_f64s(w_rest, w);
                simd.partial_store_f64s(s_rest, s);
            }
        }
        for &j in rest {
            let (xs, x_rest) = S::as_simd_f64s(lcp.row(j));
            let a = simd.splat_f64s(self.z[j]);
            let size = simd.abs_f64s(a);
            for ((w, s), x) in ws.iter_mut().zip(ss.iter_mut()).zip(xs) {
                *w = simd.mul_add_e_f64s(a, *x, *w);
                *s = simd.mul_add_e_f64s(size, simd.abs_f64s(*x), *s);
            }
            if !w_rest.is_empty() {
                let x = simd.partial_load_f64s(x_rest);
                let w = simd.mul_add_e_f64s(a, x, simd.partial_load_f64s(w_rest));
                let x = simd.abs_f64s(x);
                let s = simd.mul_add_e_f64s(size, x, simd.partial_load_f64s(s_rest));
                simd.partial_store_f64s(w_rest, w);
                simd.partial_store_f64s(s_rest, s);
            }
        }
    }
}

/// Four values of z for a vector's width of rows.
#[derive(Clone, Copy)]
struct FourColumns<S: Simd> {
    simd: S,
    a: [S::f64s; 4],
}

impl<S: Simd> FourColumns<S> {
    #[inline(always)]
    fn add(self, x: [S::f64s; 4], w: S::f64s, s: S::f64s) -> (S::f64s, S::f64s) {
        let Self { simd, a } = self;
        let w = simd.mul_add_e_f64s(a[1], x[1], simd.mul_add_e_f64s(a[0], x[0], w));
        let w = simd.mul_add_e_f64s(a[3], x[3], simd.mul_add_e_f64s(a[2], x[2], w));
        // |a||x| = |a x|, exactly.
        let (a0, a1) = (simd.abs_f64s(a[0]), simd.abs_f64s(a[1]));
        let (a2, a3) = (simd.abs_f64s(a[2]), simd.abs_f64s(a[3]));
        let (x0, x1) = (simd.abs_f64s(x[0]), simd.abs_f64s(x[1]));
        let (x2, x3) = (simd.abs_f64s(x[2]), simd.abs_f64s(x[3]));
        let s = simd.mul_add_e_f64s(a1, x1, simd.mul_add_e_f64s(a0, x0, s));
        let s = simd.mul_add_e_f64s(a3, x3, simd.mul_add_e_f64s(a2, x2, s));
        (w, s)
    }
}

/// w = M z + q and s = |M||z| + |q| row by row.
struct Rows<'a> {
    lcp: LcpRef<'a>,
    z: &'a [f64],
    w: &'a mut [f64],
    s: &'a mut [f64],
}

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (zs, z_rest) = S::as_simd_f64s(self.z);
        let zero = simd.splat_f64s(0.0);
        for i in 0..self.w.len() {
            let (mut sum, mut size) = (zero, zero);
            let (xs, x_rest) = S::as_simd_f64s(self.lcp.row(i));
            for (x, z) in xs.iter().zip(zs) {
                sum = simd.mul_add_e_f64s(*x, *z, sum);
                size = simd.mul_add_e_f64s(simd.abs_f64s(*x), simd.abs_f64s(*z), size);
            }
            if !z_rest.is_empty() {
                let (x, z) = (
                    simd.partial_load_f64s(x_rest),
                    simd.partial_load_f64s(z_rest),
                );
                sum = simd.mul_add_e_f64s(x, z, sum);
                size = simd.mul_add_e_f64s(simd.abs_f64s(x), simd.abs_f64s(z), size);
            }
            let q = self.lcp.q[i];
            self.w[i] = q + simd.reduce_sum_f64s(sum);
            self.s[i] = q.abs() + simd.reduce_sum_f64s(size);
        }
    }
}
