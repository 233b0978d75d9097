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
                // Most rows that stand at 0 stay there, and cost no product.
                if step != 0.0 {
                    moved_places |= (next > 0.0) != (z[i] > 0.0);
                    z[i] = next;
                    // The row is the column of a symmetric M. w follows every single step: that is
                    // Gauss-Seidel. With w of the sweep before, as in Jacobi's method, the sweeps need not
                    // converge.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// w = Mz + q after single relaxed steps, as they are defined: row by row, z_i >= 0.
    fn by_definition(m: &[f64], q: &[f64], count: usize) -> (Vec<f64>, usize) {
        let n = q.len();
        let mut z = vec![0.0; n];
        let (mut still, mut done) = (0, 0);
        while done < count && still < STILL {
            let before: Vec<bool> = z.iter().map(|z| *z > 0.0).collect();
            for i in (0..n).filter(|i| m[i * n + i] > 0.0) {
                let products = m[i * n..].iter().zip(&z).map(|(m, z)| m * z);
                let w = q[i] + products.sum::<f64>();
                z[i] = (z[i] - RELAXATION * w / m[i * n + i]).max(0.0);
            }
            done += 1;
            let same = z
                .iter()
                .zip(&before)
                .all(|(z, before)| (*z > 0.0) == *before);
            still = if same { still + 1 } else { 0 };
        }
        (z, done)
    }

    /// B B' of small integers, and q.
    fn semidefinite(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut state = seed;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 % 7.0 - 3.0
        };
        let b: Vec<f64> = (0..n * n).map(|_| draw()).collect();
        let dot = |i: usize, j: usize| (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum::<f64>();
        let m = (0..n * n).map(|k| dot(k / n, k % n)).collect();
        (m, (0..n).map(|_| draw()).collect())
    }

    #[test]
    fn sweeps_are_relaxed_steps_until_no_place_changes() {
        let mut ended_early = 0;
        for seed in 0..300 {
            let n = 1 + seed as usize % 9;
            let (mut m, q) = semidefinite(n, seed);
            if seed % 5 == 0 {
                // A row of zeros is passed over.
                (0..n).for_each(|k| (m[k], m[k * n]) = (0.0, 0.0));
            }
            let count = 1 + seed as u32 % 12;
            let (mut z, mut w) = (vec![0.0; n], q.clone());
            let finite = sweep(Sweeps {
                lcp: LcpRef::new(&m, &q).unwrap(),
                count,
                z: &mut z,
                w: &mut w,
            });
            assert!(finite);
            let (expected, done) = by_definition(&m, &q, count as usize);
            ended_early += u32::from(done < count as usize);
            for (i, (z_i, expected)) in z.iter().zip(&expected).enumerate() {
                let size = expected.abs() + 1.0;
                assert!((z_i - expected).abs() <= 1e-9 * size, "{seed}: {z:?}");
                let products = m[i * n..].iter().zip(&z).map(|(m, z)| m * z);
                let own = q[i] + products.sum::<f64>();
                assert!((w[i] - own).abs() <= 1e-8 * (own.abs() + 1.0), "{seed}");
            }
        }
        assert!(ended_early > 20, "{ended_early}");
    }

    #[test]
    fn values_that_are_no_numbers_are_told() {
        let (m, q) = ([1.0, -1e200, -1e200, 1.0], [-1.0, -1.0]);
        let (mut z, mut w) = (vec![0.0; 2], q.to_vec());
        let finite = sweep(Sweeps {
            lcp: LcpRef::new(&m, &q).unwrap(),
            count: 8,
            z: &mut z,
            w: &mut w,
        });
        assert!(!finite);
    }
}
