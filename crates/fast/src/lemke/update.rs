//! The changes of the tableau that are kept aside: read while they are, and applied together.

use std::ops::Range;

use pulp::Simd;

use crate::simd::{Kernel, axpy, axpy4, four_rows};

/// out += sum of factors[p * stride] * row p.
pub(super) struct Gather<'a> {
    pub(super) rows: &'a [f64],
    pub(super) factors: &'a [f64],
    pub(super) stride: usize,
    pub(super) out: &'a mut [f64],
}

impl Kernel for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let length = self.out.len();
        let mut p = 0;
        let mut fours = self.rows.chunks_exact(4 * length.max(1));
        for four in &mut fours {
            let factor = |k: usize| self.factors[(p + k) * self.stride];
            let factors = [factor(0), factor(1), factor(2), factor(3)];
            axpy4(simd, factors, four_rows(four, 0, length), self.out);
            p += 4;
        }
        for row in fours.remainder().chunks_exact(length.max(1)) {
            axpy(simd, self.factors[p * self.stride], row, self.out);
            p += 1;
        }
    }
}

/// T += sum of u_p v_p', T of n rows of n + 1, the first `count` changes.
pub(super) struct Apply<'a> {
    pub(super) n: usize,
    pub(super) t: &'a mut [f64],
    pub(super) u: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) count: usize,
    /// The factors of four rows side by side; room for 4 `count`.
    pub(super) packed: &'a mut [f64],
}

/// Columns taken together: the pieces of v, this long, fit the fastest cache.
/// With the most changes, 32, they take 32 KB.
const PANEL: usize = 128;

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (n, width) = (self.n, self.n + 1);
        if self.count < 4 {
            for i in 0..n {
                self.row(simd, i);
            }
            return;
        }
        for from in (0..width).step_by(PANEL) {
            let to = (from + PANEL).min(width);
            let mut i = 0;
            while i + 4 <= n {
                self.four(simd, i, from, to);
                i += 4;
            }
            for i in i..n {
                for p in 0..self.count {
                    let factor = self.u[p * n + i];
                    let v = &self.v[p * width + from..p * width + to];
                    axpy(
                        simd,
                        factor,
                        v,
                        &mut self.t[i * width + from..i * width + to],
                    );
                }
            }
        }
    }
}

impl Apply<'_> {
    /// Columns from..to of the rows i to i + 3.
    #[inline(always)]
    fn four<S: Simd>(&mut self, simd: S, i: usize, from: usize, to: usize) {
        let width = self.n + 1;
        // Problems with friction have many rows that most pivots leave alone.
        if !self.pack(i) {
            return;
        }
        let (factors, _) = self.packed.as_chunks::<4>();
        let four = Four {
            simd,
            factors: &factors[..self.count],
            v: self.v,
            width,
        };
        let (t0, rest) = self.t[i * width..].split_at_mut(width);
        let (t1, rest) = rest.split_at_mut(width);
        let (t2, t3) = rest.split_at_mut(width);
        four.add_to(
            [
                &mut t0[from..to],
                &mut t1[from..to],
                &mut t2[from..to],
                &mut t3[from..to],
            ],
            from,
        );
    }

    /// Packs the factors of the rows i to i + 3, and returns whether any is not 0.
    #[inline(always)]
    fn pack(&mut self, i: usize) -> bool {
        let (factors, _) = self.packed.as_chunks_mut::<4>();
        let mut any = 0.0;
        for (f, u) in factors[..self.count]
            .iter_mut()
            .zip(self.u.chunks_exact(self.n))
        {
            f.copy_from_slice(&u[i..i + 4]);
            any += f[0].abs() + f[1].abs() + f[2].abs() + f[3].abs();
        }
        // NaN counts as not 0.
        any != 0.0
    }

    /// Row i.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, i: usize) {
        let (n, width) = (self.n, self.n + 1);
        let row = &mut self.t[i * width..(i + 1) * width];
        for p in 0..self.count {
            let factor = self.u[p * n + i];
            if factor != 0.0 {
                axpy(simd, factor, &self.v[p * width..(p + 1) * width], row);
            }
        }
    }
}

/// The changes of four rows.
struct Four<'a, S> {
    simd: S,
    /// Of each change, the factors of the four rows.
    factors: &'a [[f64; 4]],
    /// Of each change, the row that the factors multiply.
    v: &'a [f64],
    width: usize,
}

impl<S: Simd> Four<'_, S> {
    /// Adds the changes to pieces of the four rows that begin at column `from`: two vectors of
    /// columns at a time, then one, then what is left of one.
    #[inline(always)]
    fn add_to(&self, t: [&mut [f64]; 4], from: usize) {
        let simd = self.simd;
        let [t0, t1, t2, t3] = t;
        let to = from + t0.len();
        let (t0, rest0) = S::as_mut_simd_f64s(t0);
        let (t1, rest1) = S::as_mut_simd_f64s(t1);
        let (t2, rest2) = S::as_mut_simd_f64s(t2);
        let (t3, rest3) = S::as_mut_simd_f64s(t3);
        let (t0, last0) = t0.as_chunks_mut::<2>();
        let (t1, last1) = t1.as_chunks_mut::<2>();
        let (t2, last2) = t2.as_chunks_mut::<2>();
        let (t3, last3) = t3.as_chunks_mut::<2>();
        let mut at = from;
        for (((t0, t1), t2), t3) in t0.iter_mut().zip(t1).zip(t2).zip(t3) {
            [*t0, *t1, *t2, *t3] = self.add_pairs([*t0, *t1, *t2, *t3], at);
            at += 2 * S::F64_LANES;
        }
        for (((t0, t1), t2), t3) in last0.iter_mut().zip(last1).zip(last2).zip(last3) {
            let columns = at..at + S::F64_LANES;
            [*t0, *t1, *t2, *t3] = self.add([*t0, *t1, *t2, *t3], columns);
            at += S::F64_LANES;
        }
        if at < to {
            let last = [
                simd.partial_load_f64s(rest0),
                simd.partial_load_f64s(rest1),
                simd.partial_load_f64s(rest2),
                simd.partial_load_f64s(rest3),
            ];
            let sums = self.add(last, at..to);
            simd.partial_store_f64s(rest0, sums[0]);
            simd.partial_store_f64s(rest1, sums[1]);
            simd.partial_store_f64s(rest2, sums[2]);
            simd.partial_store_f64s(rest3, sums[3]);
        }
    }

    /// Two vectors of columns of the four rows, from column `at` on.
    #[inline(always)]
    fn add_pairs(&self, t: [[S::f64s; 2]; 4], at: usize) -> [[S::f64s; 2]; 4] {
        let simd = self.simd;
        let [mut a, mut b, mut c, mut d] = t;
        // Eight sums stay in registers while all changes pass: T is read and written once for all of them.
        let end = at + 2 * S::F64_LANES;
        for (f, v) in self.factors.iter().zip(self.v.chunks_exact(self.width)) {
            let (v, _) = S::as_simd_f64s(&v[at..end]);
            let &[v0, v1] = v else {
                break;
            };
            let f0 = simd.splat_f64s(f[0]);
            let f1 = simd.splat_f64s(f[1]);
            let f2 = simd.splat_f64s(f[2]);
            let f3 = simd.splat_f64s(f[3]);
            a = [
                simd.mul_add_e_f64s(f0, v0, a[0]),
                simd.mul_add_e_f64s(f0, v1, a[1]),
            ];
            b = [
                simd.mul_add_e_f64s(f1, v0, b[0]),
                simd.mul_add_e_f64s(f1, v1, b[1]),
            ];
            c = [
                simd.mul_add_e_f64s(f2, v0, c[0]),
                simd.mul_add_e_f64s(f2, v1, c[1]),
            ];
            d = [
                simd.mul_add_e_f64s(f3, v0, d[0]),
                simd.mul_add_e_f64s(f3, v1, d[1]),
            ];
        }
        [a, b, c, d]
    }

    /// At most one vector of columns of the four rows.
    #[inline(always)]
    fn add(&self, t: [S::f64s; 4], columns: Range<usize>) -> [S::f64s; 4] {
        let simd = self.simd;
        let [mut a, mut b, mut c, mut d] = t;
        for (f, v) in self.factors.iter().zip(self.v.chunks_exact(self.width)) {
            let v = simd.partial_load_f64s(&v[columns.clone()]);
            a = simd.mul_add_e_f64s(simd.splat_f64s(f[0]), v, a);
            b = simd.mul_add_e_f64s(simd.splat_f64s(f[1]), v, b);
            c = simd.mul_add_e_f64s(simd.splat_f64s(f[2]), v, c);
            d = simd.mul_add_e_f64s(simd.splat_f64s(f[3]), v, d);
        }
        [a, b, c, d]
    }
}
