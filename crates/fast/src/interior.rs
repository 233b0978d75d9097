//! A primal-dual interior-point method, which proposes places where pivoting takes too long.
//!
//! From a point z > 0, w > 0 Newton's method goes towards w = Mz + q and z_i w_i = t for all i, t falling to 0 (Kojima, Megiddo, Noma
//! and Yoshise 1991), with Mehrotra's (1992) prediction of t and correction of second order. A step solves
//! (M + Z^-1 W) dz = r. The method converges for monotone problems, in some ten to twenty steps whatever the number of ties
//! between contacts. Friction in Stewart and Trinkle's form is not monotone, but where nothing slips it has the solutions of a problem that
//! is. What slips enters by one entry for each contact, and the method mostly converges there, too. Where it does not, it has cost
//! its steps and nothing else.
//!
//! Of many solutions it tends to one in the middle, with as many forces as can be above 0. So its places have redundant
//! rows, as those of [`Opening::Near`](crate::block::Opening) may have.

use crate::failure::Failure;
use crate::meter::Until;
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::{MatMut, MatRef};

use crate::place::Place;
use crate::problem::LcpRef;

/// Steps at most. Problems of thousands of rows take ten to twenty; one of forty has no solution, or cycles.
const STEPS: u32 = 40;

/// The part of the way to the boundary that a step goes. Nearer to it, products z_i w_i become so unequal that the next steps are
/// short (Wright 1997, Primal-Dual Interior-Point Methods, chapter 10).
const TO_BOUNDARY: f64 = 0.9995;

/// A mean product z_i w_i of this part of the squared size of z ends the method: the two of a product are then at least six digits
/// apart where the solution is strictly complementary. Rounding of M z + q is some 1e-16 of the size of z, which in a high wall is
/// many times that of q, so w cannot become much smaller.
const DONE: f64 = 1e-13;

/// Rounding can spoil the steps after an iterate whose mean is below this part. That iterate is then the answer: z_i and w_i are five digits
/// apart in the mean. Block pivoting exchanges places that are wrong, or the self-check refuses them.
const NEAR: f64 = 1e-10;

/// A step that goes less than this part of its way is of no use, and neither are those after it.
const SHORTEST: f64 = 1e-6;

/// A matrix M with its q, and the factors that a step needs.
pub(crate) trait System {
    fn q(&self) -> &[f64];

    /// M z.
    fn product(&self, z: &[f64], product: &mut [f64]);

    /// Factors M + D; `false` where it is singular.
    fn factor(&mut self, diagonal: &[f64]) -> bool;

    /// Solves (M + D) x = b in place, with the last factor.
    fn solve(&mut self, x: &mut [f64]);
}

/// A dense problem.
pub(crate) struct DenseSystem<'a> {
    lcp: LcpRef<'a>,
    factor: Option<PartialPivLu<f64>>,
}

impl<'a> DenseSystem<'a> {
    pub(crate) fn new(lcp: LcpRef<'a>) -> Self {
        Self { lcp, factor: None }
    }
}

impl System for DenseSystem<'_> {
    fn q(&self) -> &[f64] {
        self.lcp.q
    }

    fn product(&self, z: &[f64], product: &mut [f64]) {
        for (i, own) in product.iter_mut().enumerate() {
            *own = self.lcp.row(i).iter().zip(z).map(|(m, z)| m * z).sum();
        }
    }

    fn factor(&mut self, diagonal: &[f64]) -> bool {
        let n = diagonal.len();
        let mut matrix = self.lcp.m.to_vec();
        for (i, own) in diagonal.iter().enumerate() {
            matrix[i * n + i] += own;
        }
        let factor = MatRef::from_row_major_slice(&matrix, n, n).partial_piv_lu();
        self.factor = Some(factor);
        true
    }

    fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        if let Some(factor) = &self.factor {
            factor.solve_in_place(MatMut::from_column_major_slice_mut(x, n, 1));
        }
    }
}

/// Working memory, and the last iterate.
#[derive(Debug, Default)]
pub(crate) struct Interior {
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
    /// Mz + q - w.
    residual: Vec<f64>,
    /// What z_i dw_i + w_i dz_i is to be.
    target: Vec<f64>,
    dz: Vec<f64>,
    dw: Vec<f64>,
    /// The last iterate that was near, z and w; empty before.
    near: [Vec<f64>; 2],
}

impl Interior {
    /// Whether the method came near to a solution of a pure problem, whose entries should be near 1. z and w are then positive, and the
    /// smaller of each pair is 0 in the solution.
    ///
    /// # Errors
    /// [`Failure::Time`].
    pub(crate) fn solve<S: System>(
        &mut self,
        system: &mut S,
        until: Until,
    ) -> Result<bool, Failure> {
        let n = system.q().len();
        let size = system.q().iter().fold(0.0_f64, |most, q| most.max(q.abs()));
        if n == 0 || size == 0.0 {
            return Ok(false);
        }
        for vector in [&mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(n, size);
        }
        for vector in [
            &mut self.residual,
            &mut self.target,
            &mut self.dz,
            &mut self.dw,
        ] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.near.iter_mut().for_each(Vec::clear);
        for _ in 0..STEPS {
            until.check()?;
            let mean = self.mean(0.0);
            let off = self.residual(system);
            let of_z = self.z.iter().fold(size, |most, z| most.max(*z));
            let is_on = off <= DONE.sqrt() * size;
            if is_on && mean <= DONE * of_z * of_z {
                return Ok(true);
            }
            if is_on && mean <= NEAR * of_z * of_z {
                self.near[0].clone_from(&self.z);
                self.near[1].clone_from(&self.w);
            } else if !self.near[0].is_empty() {
                // M + Z^-1 W is so ill-conditioned that the step has left w = Mz + q.
                break;
            }
            let length = self.step(system, mean);
            if length.is_none_or(|length| length < SHORTEST) {
                break;
            }
        }
        let [z, w] = &mut self.near;
        let came_near = !z.is_empty();
        if came_near {
            std::mem::swap(&mut self.z, z);
            std::mem::swap(&mut self.w, w);
        }
        Ok(came_near)
    }

    /// The places and z that the last iterate stands for: of each pair the smaller is 0.
    pub(crate) fn places(&mut self) -> impl Iterator<Item = Place> {
        for (z, w) in self.z.iter_mut().zip(&self.w) {
            if *z <= *w {
                *z = 0.0;
            }
        }
        let place = |z: &f64| {
            if *z > 0.0 {
                Place::Between
            } else {
                Place::Lower
            }
        };
        self.z.iter().map(place)
    }

    /// The mean of z_i w_i after a step of this length.
    fn mean(&self, length: f64) -> f64 {
        let pairs = self.z.iter().zip(&self.w).zip(self.dz.iter().zip(&self.dw));
        let product = |((z, w), (dz, dw)): ((&f64, &f64), (&f64, &f64))| {
            (z + length * dz) * (w + length * dw)
        };
        pairs.map(product).sum::<f64>() / self.z.len() as f64
    }

    /// Takes the residual anew; its largest entry.
    fn residual<S: System>(&mut self, system: &S) -> f64 {
        system.product(&self.z, &mut self.residual);
        let mut largest = 0.0_f64;
        for ((own, q), w) in self.residual.iter_mut().zip(system.q()).zip(&self.w) {
            *own += q - w;
            largest = largest.max(own.abs());
        }
        largest
    }

    /// Goes one step; its length, none where the matrix is singular or a number left the range.
    fn step<S: System>(&mut self, system: &mut S, mean: f64) -> Option<f64> {
        let n = self.z.len();
        let diagonal: Vec<f64> = self.w.iter().zip(&self.z).map(|(w, z)| w / z).collect();
        if !system.factor(&diagonal) {
            return None;
        }
        // The step to t = 0 shows how far t can fall.
        for i in 0..n {
            self.target[i] = -self.z[i] * self.w[i];
        }
        self.direction(system);
        let affine = self.mean(self.length().min(1.0)) / mean;
        let centred = affine.clamp(0.0, 1.0).powi(3) * mean;
        for i in 0..n {
            self.target[i] = centred - self.z[i] * self.w[i] - self.dz[i] * self.dw[i];
        }
        self.direction(system);
        let length = (TO_BOUNDARY * self.length()).min(1.0);
        for i in 0..n {
            self.z[i] += length * self.dz[i];
            self.w[i] += length * self.dw[i];
        }
        let is_inside = |own: &f64| *own > 0.0 && own.is_finite();
        let all = self.z.iter().chain(&self.w).all(is_inside);
        all.then_some(length)
    }

    /// dz and dw with z dw + w dz = target and M dz - dw = -residual.
    fn direction<S: System>(&mut self, system: &mut S) {
        let n = self.z.len();
        for i in 0..n {
            self.dz[i] = self.target[i] / self.z[i] - self.residual[i];
        }
        system.solve(&mut self.dz);
        for i in 0..n {
            self.dw[i] = (self.target[i] - self.w[i] * self.dz[i]) / self.z[i];
        }
    }

    /// How far it is to the boundary of z >= 0 and w >= 0; infinite where nothing falls.
    fn length(&self) -> f64 {
        let own = |(at, step): (&f64, &f64)| {
            if *step < 0.0 {
                -at / step
            } else {
                f64::INFINITY
            }
        };
        let z = self.z.iter().zip(&self.dz).map(own);
        let w = self.w.iter().zip(&self.dw).map(own);
        z.chain(w).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the method says of a problem, z and w.
    fn solved(m: &[f64], q: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut own = Interior::default();
        let came_near = own.solve(
            &mut DenseSystem::new(LcpRef::new(m, q).unwrap()),
            Until::default(),
        );
        came_near.unwrap().then_some((own.z, own.w))
    }

    #[test]
    fn pairs_part_into_what_is_0_and_what_is_not() {
        let (z, w) = solved(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0]).unwrap();
        assert!((z[0] - 4.0 / 3.0).abs() < 1e-9 && (z[1] - 7.0 / 3.0).abs() < 1e-9);
        assert!(w.iter().all(|w| *w < 1e-9));
        let (z, w) = solved(&[2.0, 1.0, 1.0, 2.0], &[-5.0, 6.0]).unwrap();
        assert!((z[0] - 2.5).abs() < 1e-9 && z[1] < 1e-9);
        assert!(w[0] < 1e-9 && (w[1] - 8.5).abs() < 1e-9);
    }

    #[test]
    fn of_many_solutions_all_forces_bear() {
        let (z, w) = solved(&[1.0; 9], &[-1.0; 3]).unwrap();
        assert!(z.iter().all(|z| (z - 1.0 / 3.0).abs() < 1e-6), "{z:?}");
        assert!(w.iter().all(|w| *w < 1e-9), "{w:?}");
    }

    #[test]
    fn problems_without_a_solution_are_given_up() {
        assert_eq!(solved(&[0.0], &[-1.0]), None);
        assert_eq!(solved(&[1.0, -1.0, -1.0, 1.0], &[-1.0, -1.0]), None);
        assert_eq!(solved(&[-1.0], &[-1.0]), None);
        assert_eq!(solved(&[], &[]), None);
        assert_eq!(solved(&[f64::NAN], &[-1.0]), None);
    }

    /// A box that is pushed along the floor by 3 where friction gives 1/2 of its weight 2, and by 1/2: Stewart and Trinkle's form.
    #[test]
    fn friction_slips_and_sticks() {
        let m = [
            1.0, 0.0, 0.0, 0.0, //
            0.0, 1.0, -1.0, 1.0, //
            0.0, -1.0, 1.0, 1.0, //
            0.5, -1.0, -1.0, 0.0,
        ];
        for (push, force, slip) in [(3.0, 1.0, 2.0), (0.5, 0.5, 0.0)] {
            let (z, _) = solved(&m, &[-2.0, push, -push, 0.0]).unwrap();
            assert!((z[0] - 2.0).abs() < 1e-9, "{z:?}");
            assert!(
                (z[2] - z[1] - force).abs() < 1e-6 && (z[3] - slip).abs() < 1e-6,
                "{z:?}"
            );
        }
    }

    /// A problem whose solutions leave w = Mz + q from a factor on, as those of ill-conditioned factors do.
    struct Spoilt<'a> {
        system: DenseSystem<'a>,
        /// So many factors are right.
        right: u32,
        /// What is added to the first entry of a solution.
        error: f64,
    }

    impl<'a> Spoilt<'a> {
        fn new(lcp: LcpRef<'a>, right: u32) -> Self {
            Self {
                system: DenseSystem::new(lcp),
                right,
                error: 0.0,
            }
        }
    }

    impl System for Spoilt<'_> {
        fn q(&self) -> &[f64] {
            self.system.q()
        }

        fn product(&self, z: &[f64], product: &mut [f64]) {
            self.system.product(z, product);
        }

        fn factor(&mut self, diagonal: &[f64]) -> bool {
            self.error = if self.right == 0 { 1e-3 } else { 0.0 };
            self.right = self.right.saturating_sub(1);
            self.system.factor(diagonal)
        }

        fn solve(&mut self, x: &mut [f64]) {
            self.system.solve(x);
            x[0] += self.error;
        }
    }

    #[test]
    fn what_rounding_spoils_goes_back_to_the_last_iterate_that_was_near() {
        // In the second row z and w are both 0, so the products fall slowly.
        let (m, q) = ([1.0, 0.0, 0.0, 1.0], [-1.0, 0.0]);
        let lcp = LcpRef::new(&m, &q).unwrap();
        let found: Vec<bool> = (0..40)
            .map(|right| {
                let mut own = Interior::default();
                let mut spoilt = Spoilt::new(lcp, right);
                let near = own.solve(&mut spoilt, Until::default()).unwrap();
                if near {
                    assert!((own.z[0] - 1.0).abs() < 1e-4, "{:?}", own.z);
                    assert!((own.z[0] - 1.0 - own.w[0]).abs() < 1e-6);
                    assert!((own.z[1] - own.w[1]).abs() < 1e-6);
                }
                near
            })
            .collect();
        let first = found.iter().position(|near| *near).unwrap();
        assert!(found[first..].iter().all(|near| *near), "{found:?}");
        // The method itself ends later than the first iterate that is near.
        let mut clean = Spoilt::new(lcp, u32::MAX);
        let came_near = Interior::default().solve(&mut clean, Until::default());
        assert_eq!(came_near, Ok(true));
        let steps = u32::MAX - clean.right;
        assert!(first > 2 && (first as u32) < steps, "{first} {steps}");
    }
}
