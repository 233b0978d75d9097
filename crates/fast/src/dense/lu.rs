//! LU with row pivoting of a dense matrix by rows.

use pulp::Simd;

use crate::simd::{Kernel, axpy, axpy4, dispatch, dot, four_rows};

/// P A = L U, reused from one factorisation to the next.
#[derive(Debug, Default)]
pub(crate) struct Lu {
    /// Row-major k * k.
    pub(crate) rows: Vec<f64>,
    swaps: Vec<usize>,
    inverse: Vec<f64>,
}

impl Lu {
    /// Room for systems of up to n rows.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.rows.resize(self.rows.len().max(n * n), 0.0);
        self.swaps.resize(self.swaps.len().max(n), 0);
        self.inverse.resize(self.inverse.len().max(n), 0.0);
    }

    /// Factors the matrix that the caller wrote to the first k * k values of `rows`. `false` when
    /// a pivot is zero or not finite.
    pub(crate) fn factor(&mut self, k: usize) -> bool {
        dispatch(Factor {
            rows: &mut self.rows[..k * k],
            swaps: &mut self.swaps[..k],
            inverse: &mut self.inverse[..k],
        })
    }

    /// Solves A x = b in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let k = x.len();
        for (i, &r) in self.swaps[..k].iter().enumerate() {
            x.swap(i, r);
        }
        dispatch(Solve {
            rows: &self.rows[..k * k],
            inverse: &self.inverse[..k],
            x,
        });
    }
}

struct Factor<'a> {
    rows: &'a mut [f64],
    swaps: &'a mut [usize],
    inverse: &'a mut [f64],
}

impl Kernel for Factor<'_> {
    type Output = bool;

    /// Right-looking, four columns at a time.
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> bool {
        let k = self.swaps.len();
        for p in (0..k).step_by(4) {
            let end = (p + 4).min(k);
            for c in p..end {
                if !self.column(simd, c, end) {
                    return false;
                }
            }
            if end == k {
                break;
            }
            let (head, tail) = self.rows.split_at_mut(end * k);
            let panel = &mut head[p * k..];
            for r in 1..4 {
                let (above, row) = panel.split_at_mut(r * k);
                for (t, other) in above.chunks_exact(k).enumerate() {
                    axpy(simd, -row[p + t], &other[end..], &mut row[end..k]);
                }
            }
            let [a, b, c, d] = four_rows(panel, 0, k);
            let rows = [&a[end..], &b[end..], &c[end..], &d[end..]];
            for row in tail.chunks_exact_mut(k) {
                let (left, right) = row.split_at_mut(end);
                let left = &left[p..];
                axpy4(simd, [-left[0], -left[1], -left[2], -left[3]], rows, right);
            }
        }
        true
    }
}

impl Factor<'_> {
    /// Eliminates column c within the panel that ends before column `end`.
    #[inline(always)]
    fn column<S: Simd>(&mut self, simd: S, c: usize, end: usize) -> bool {
        let k = self.swaps.len();
        // Partial pivoting keeps |l_ij| <= 1: the backward error then depends on the growth of the entries
        // alone (Higham, chapter 9).
        let mut pivot = c;
        let mut largest = 0.0;
        for i in c..k {
            let size = self.rows[i * k + c].abs();
            if size > largest {
                (pivot, largest) = (i, size);
            }
        }
        self.swaps[c] = pivot;
        // No threshold as that of LDL': without definiteness the diagonal entry says nothing of the
        // error of a pivot, so a small one may be true. A system lost to rounding shows in the
        // backward error of its point.
        if !(largest > 0.0 && largest.is_finite()) {
            return false;
        }
        if pivot != c {
            let (upper, lower) = self.rows.split_at_mut(pivot * k);
            upper[c * k..(c + 1) * k].swap_with_slice(&mut lower[..k]);
        }
        let (upper, lower) = self.rows.split_at_mut((c + 1) * k);
        let top = &upper[c * k..];
        self.inverse[c] = 1.0 / top[c];
        for row in lower.chunks_exact_mut(k) {
            let factor = row[c] * self.inverse[c];
            row[c] = factor;
            axpy(simd, -factor, &top[c + 1..end], &mut row[c + 1..end]);
        }
        // 1 over a pivot below 2^-1024, a denormal, overflows.
        self.inverse[c].is_finite()
    }
}

struct Solve<'a> {
    rows: &'a [f64],
    inverse: &'a [f64],
    x: &'a mut [f64],
}

impl Kernel for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let k = self.x.len();
        for i in 1..k {
            self.x[i] -= dot(simd, &self.rows[i * k..i * k + i], &self.x[..i]);
        }
        for i in (0..k).rev() {
            let rest = dot(
                simd,
                &self.rows[i * k + i + 1..(i + 1) * k],
                &self.x[i + 1..],
            );
            self.x[i] = (self.x[i] - rest) * self.inverse[i];
        }
    }
}
