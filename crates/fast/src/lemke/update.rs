//! The changes of the tableau, looked up before and applied after they are kept aside.

use crate::simd::{Kernel, MulAdd, axpy, axpy4, four_rows};

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
    fn run<A: MulAdd>(self) {
        let length = self.out.len();
        let mut p = 0;
        let mut fours = self.rows.chunks_exact(4 * length.max(1));
        for four in &mut fours {
            let factor = |k: usize| self.factors[(p + k) * self.stride];
            let factors = [factor(0), factor(1), factor(2), factor(3)];
            axpy4::<A>(factors, four_rows(four, 0, length), self.out);
            p += 4;
        }
        for row in fours.remainder().chunks_exact(length.max(1)) {
            axpy::<A>(self.factors[p * self.stride], row, self.out);
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
}

/// Columns taken together: four pieces of v and four of T, this long, fit the fastest cache.
const PANEL: usize = 256;

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: MulAdd>(mut self) {
        let (n, width) = (self.n, self.n + 1);
        if self.count < 4 {
            for i in 0..n {
                self.row::<A>(i, 0, width, 0);
            }
            return;
        }
        for from in (0..width).step_by(PANEL) {
            let to = (from + PANEL).min(width);
            let mut i = 0;
            while i + 4 <= n {
                self.four::<A>(i, from, to);
                i += 4;
            }
            for i in i..n {
                self.row::<A>(i, from, to, 0);
            }
        }
    }
}

impl Apply<'_> {
    /// Columns from..to of the rows i to i + 3.
    #[inline(always)]
    fn four<A: MulAdd>(&mut self, i: usize, from: usize, to: usize) {
        let (n, width) = (self.n, self.n + 1);
        let length = to - from;
        let mut p = 0;
        while p + 4 <= self.count {
            let [u0, u1, u2, u3] = four_rows(self.u, p, n);
            let f = [
                [u0[i], u1[i], u2[i], u3[i]],
                [u0[i + 1], u1[i + 1], u2[i + 1], u3[i + 1]],
                [u0[i + 2], u1[i + 2], u2[i + 2], u3[i + 2]],
                [u0[i + 3], u1[i + 3], u2[i + 3], u3[i + 3]],
            ];
            // Problems with friction have many rows that most pivots leave alone.
            if f != [[0.0; 4]; 4] {
                let [v0, v1, v2, v3] = four_rows(self.v, p, width);
                let (v0, v1) = (&v0[from..to], &v1[from..to]);
                let (v2, v3) = (&v2[from..to], &v3[from..to]);
                let (t0, rest) = self.t[i * width..].split_at_mut(width);
                let (t1, rest) = rest.split_at_mut(width);
                let (t2, t3) = rest.split_at_mut(width);
                let (t0, t1) = (&mut t0[from..to], &mut t1[from..to]);
                let (t2, t3) = (&mut t2[from..to], &mut t3[from..to]);
                for j in 0..length {
                    let v = [v0[j], v1[j], v2[j], v3[j]];
                    t0[j] = four_products::<A>(f[0], v, t0[j]);
                    t1[j] = four_products::<A>(f[1], v, t1[j]);
                    t2[j] = four_products::<A>(f[2], v, t2[j]);
                    t3[j] = four_products::<A>(f[3], v, t3[j]);
                }
            }
            p += 4;
        }
        if p < self.count {
            for i in i..i + 4 {
                self.row::<A>(i, from, to, p);
            }
        }
    }

    /// Columns from..to of row i, the changes from `first` on.
    #[inline(always)]
    fn row<A: MulAdd>(&mut self, i: usize, from: usize, to: usize, first: usize) {
        let (n, width) = (self.n, self.n + 1);
        let row = &mut self.t[i * width + from..i * width + to];
        for p in first..self.count {
            let factor = self.u[p * n + i];
            if factor != 0.0 {
                axpy::<A>(factor, &self.v[p * width + from..p * width + to], row);
            }
        }
    }
}

#[inline(always)]
fn four_products<A: MulAdd>(f: [f64; 4], v: [f64; 4], t: f64) -> f64 {
    let first = A::mul_add(f[1], v[1], A::mul_add(f[0], v[0], t));
    A::mul_add(f[3], v[3], A::mul_add(f[2], v[2], first))
}
