//! Principal pivots on a small dictionary.
//!
//! The most negative basic variable is exchanged for its complement. Where their common entry is 0,
//! two exchanges with a third variable that can raise it do the same.

use pulp::Simd;

use super::Small;
use super::dictionary::complement;
use crate::problem::LcpRef;
use crate::tolerances::PIVOT_NOISE;

/// A diagonal entry of the dictionary of which less than this part remains is 0. The entry is no new
/// factor's, as that of [`crate::tolerances::NEARLY_SINGULAR`], but has gone through up to 80
/// exchanges, each of which may enlarge its error. Measured ([`crate::tolerances`]): 1e-13 and 1e-7
/// change no answer and no pivot.
const NEARLY_ZERO: f64 = 1e-10;

impl<const W: usize> Small<W> {
    /// Principal pivots to b >= 0; whether they got there.
    #[inline(always)]
    pub(super) fn principal<S: Simd>(&mut self, simd: S, lcp: LcpRef<'_>, noise: f64) -> bool {
        let n = self.n;
        // The most negative variable takes fewer exchanges than the least index of the criss-cross
        // method, but no proof says that it ends: the budget does.
        let budget = self.pivots + 2 * n as u32 + 6;
        loop {
            // With a branch: the processor foresees it more often than not, and goes on meanwhile.
            let (mut r, mut least) = (W, noise);
            for (i, row) in self.rows.iter().enumerate() {
                if row[n + 1] < least {
                    (r, least) = (i, row[n + 1]);
                }
            }
            if r == W {
                return true;
            }
            if self.pivots >= budget {
                return false;
            }
            let variable = self.basic[r];
            let c = self.place[complement::<W>(variable)];
            let row = &self.rows[r];
            // What remains of the diagonal entry, or at least 1 over it.
            let i = if variable < W { variable } else { variable - W };
            let diagonal = lcp.m[i * n + i];
            let good = if variable < W {
                row[c] > NEARLY_ZERO * diagonal
            } else {
                row[c] * diagonal > NEARLY_ZERO
            };
            if good {
                self.exchange(simd, r, c);
                continue;
            }
            let (mut size, mut raise, mut raises) = (0.0, 0.0, W);
            for (j, &value) in row[..n].iter().enumerate() {
                size = if value.abs() > size {
                    value.abs()
                } else {
                    size
                };
                if value > raise {
                    (raise, raises) = (value, j);
                }
            }
            // b_r < 0 and no variable can raise the row: in exact arithmetic the LCP has no solution.
            // Rounded numbers prove nothing, so another method goes on.
            if raise <= PIVOT_NOISE * size {
                return false;
            }
            // The only entry that could raise the row is the one that was refused.
            if raises == W || raises == c {
                return false;
            }
            // CPS, section 2.3: a principal pivot on a block of two, for a semidefinite M whose
            // entry is 0.
            let other = complement::<W>(self.nonbasic[raises]);
            let second = self.place[other];
            self.exchange(simd, r, raises);
            let size = self.largest(c);
            // The second pivot is the determinant of the block of two over the first one: noise means a
            // singular block.
            if self.rows[second][c].abs() <= PIVOT_NOISE * size {
                return false;
            }
            self.exchange(simd, second, c);
        }
    }
}
