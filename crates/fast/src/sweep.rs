//! Projected Gauss-Seidel sweeps with over-relaxation (Cryer 1971): cheap guesses of which rows
//! stand between their bounds.
//!
//! The sweeps converge for symmetric positive semidefinite M with a positive diagonal and a factor
//! between 0 and 2. A dozen of them get most of the signs right. Their z is a centre for the proximal
//! steps of [`crate::block`], at which redundant contacts share their loads. Morales, Nocedal and
//! Smelyanskiy (2008) combine the same two methods.

use pulp::Simd;

use crate::problem::LcpRef;
use crate::simd::{Kernel, axpy, dispatch};

/// The factor of over-relaxation, between Gauss-Seidel's 1 and the 2 where convergence ends. Chosen.
const RELAXATION: f64 = 1.3;

/// The sweeps end after so many in a row that change no place. Chosen.
const STILL: u32 = 2;

/// Sweeps of a pure LCP with symmetric M and no negative diagonal entry, from z and w = Mz + q.
pub(crate) struct Sweeps<'a> {
    pub(crate) lcp: LcpRef<'a>,
    /// At most so many.
    pub(crate) count: u32,
    pub(crate) z: &'a mut [f64],
    pub(crate) w: &'a mut [f64],
}

/// Sweeps, and returns whether all values are still finite.
pub(crate) fn sweep(sweeps: Sweeps<'_>) -> bool {
    dispatch(sweeps)
}

impl Kernel for Sweeps<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let n = self.z.len();
        let (z, w) = (&mut self.z[..n], &mut self.w[..n]);
        let mut still = 0;
        for _ in 0..self.count {
            let mut moved_places = false;
            for i in 0..n {
                let row = self.lcp.row(i);
                // A row whose diagonal entry is 0 has no other in a semidefinite matrix.
                if row[i] <= 0.0 {
                    continue;
                }
                let moved = z[i] - RELAXATION * w[i] / row[i];
                let next = if moved > 0.0 { moved } else { 0.0 };
                let step = next - z[i];
                if step != 0.0 {
                    moved_places |= (next > 0.0) != (z[i] > 0.0);
                    z[i] = next;
                    axpy(simd, step, row, w);
                }
            }
            still = if moved_places { 0 } else { still + 1 };
            if still == STILL {
                break;
            }
        }
        // NaN where any value is NaN or infinite.
        let mut sum = 0.0;
        for i in 0..n {
            sum += 0.0 * (z[i] + w[i]);
        }
        sum == 0.0
    }
}
