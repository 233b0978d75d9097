//! Lemke's method on a small dictionary.

use pulp::Simd;

use super::Small;
use super::dictionary::complement;
use crate::tolerances::{DONE, PIVOT_NOISE, Q_NOISE, TIE};

/// As [`crate::tolerances::CANCELLED`], 2^-42 = 2.3e-13, but with at most 37 rows and 170 exchanges, so
/// that a bit more of the difference is true.
const CANCELLED: f64 = 1e-13;

impl<const W: usize> Small<W> {
    /// Lemke's method; whether it ended with z0 = 0.
    #[inline(always)]
    pub(super) fn lemke<S: Simd>(&mut self, simd: S) -> bool {
        let n = self.n;
        let largest = self.largest(n + 1);
        let (mut r, mut least, mut tie) = (W, 0.0, 0.0);
        for (i, row) in self.rows.iter_mut().enumerate() {
            if row[n + 1].abs() <= Q_NOISE * largest {
                row[n + 1] = 0.0;
            }
            let (b, own) = (row[n + 1], row[n + 2]);
            // The covering vector is all ones, so the ratios are the b themselves.
            if b < least || (b == least && b < 0.0 && own < tie) {
                (r, least, tie) = (i, b, own);
            }
        }
        if r == W {
            return true;
        }
        // A path that is longer is left to the method of `crate::lemke`, which has other attempts.
        // `CANCELLED` counts on this limit.
        let budget = self.pivots + 4 * n as u32 + 20;
        let mut c = n;
        // z0 enters with the value -least, at which w_r = b_r + z0 is 0.
        let enough = -DONE * least;
        loop {
            let mut before = [0.0; W];
            for (before, row) in before.iter_mut().zip(&self.rows) {
                *before = row[n + 1];
            }
            let leaving = self.basic[r];
            self.exchange(simd, r, c);
            for (before, row) in before.iter().zip(&mut self.rows) {
                if row[n + 1].abs() <= CANCELLED * before.abs() {
                    row[n + 1] = 0.0;
                }
            }
            if leaving == 2 * W {
                return true;
            }
            if self.rows[self.place[2 * W]][n + 1] <= enough {
                self.release(simd, leaving);
                return true;
            }
            if self.pivots >= budget {
                return false;
            }
            c = self.place[complement::<W>(leaving)];
            r = self.ratio_test(c);
            if r == W {
                return false;
            }
        }
    }

    /// Exchanges z0, basic at 0, for one of the pair that is not basic, so that the basis is
    /// complementary, and regular as every basis of the path. All values stay.
    #[inline(always)]
    fn release<S: Simd>(&mut self, simd: S, variable: usize) {
        let r = self.place[2 * W];
        let (mut best, mut column) = (PIVOT_NOISE, W);
        for variable in [variable, complement::<W>(variable)] {
            let c = self.place[variable];
            let part = self.rows[r][c].abs() / self.largest(c);
            if part > best {
                (best, column) = (part, c);
            }
        }
        if column < W {
            self.rows[r][self.n + 1] = 0.0;
            self.exchange(simd, r, column);
        }
    }

    /// The row whose basic variable is the first to reach 0 as that of column c grows; W where
    /// none does.
    #[inline(always)]
    fn ratio_test(&self, c: usize) -> usize {
        let n = self.n;
        let noise = -PIVOT_NOISE * self.largest(c);
        // Two looks: ties can be told only of the least ratio, which is known after the first.
        let mut column = [0.0; W];
        // The least ratio b / d as a fraction: products are cheaper than quotients.
        let (mut b_least, mut d_least) = (f64::INFINITY, 1.0);
        for (d, row) in column.iter_mut().zip(&self.rows) {
            *d = -row[c];
            if row[c] < noise && row[n + 1] * d_least < b_least * *d {
                (b_least, d_least) = (row[n + 1], *d);
            }
        }
        if b_least == f64::INFINITY {
            return W;
        }
        let least = b_least / d_least;
        let reach = least + TIE * least.abs();
        let (mut best, mut best_tie, mut best_d) = (W, f64::INFINITY, 1.0);
        for (r, (row, &d)) in self.rows.iter().zip(&column).enumerate() {
            if -d < noise && row[n + 1] <= reach * d {
                // z0 leaves whenever it ties, for the reason in `crate::lemke`: with z0 = 0 the point is a
                // solution.
                if self.basic[r] == 2 * W {
                    return r;
                }
                if row[n + 2] * best_d < best_tie * d {
                    (best, best_tie, best_d) = (r, row[n + 2], d);
                }
            }
        }
        best
    }
}
