//! Bounds on the energy that rounding of a state takes or gives.

use etalon_rigid::Scalar;

use crate::formulation::Formulation;

/// A bound on the loss of U = T - k'q to rounding in a step, J.
///
/// A grid rounds v to v + d, and q + h v to q + h (v + d) + e. No entry of d or e is above u, half a
/// step of the grid. With the step's own M and k
///
/// > U(q + h v, v) - U(q + h (v + d) + e, v + d) = -d'(M v - h k) + k'e - d'M d/2,
///
/// so its size is at most u (|M v - h k| + |k|) + u^2 |M|/2, where |.| is the sum of the sizes of
/// all entries, and v is the velocity of the problem's solution.
pub fn rounding_bound<S: Scalar>(formulation: &Formulation<S>, velocity: &[S], u: &S) -> S {
    let size = |values: &[S]| values.iter().fold(S::zero(), |sum, x| sum + x.abs());
    let momentum = formulation.mass.times(velocity);
    let momentum = momentum.into_iter().zip(&formulation.impulse);
    let left: Vec<S> = momentum.map(|(p, impulse)| p - impulse).collect();
    let force = size(&formulation.impulse) / &formulation.h;
    let mut mass = S::zero();
    let mut unit = vec![S::zero(); velocity.len()];
    for j in 0..velocity.len() {
        unit[j] = S::one();
        mass += &size(&formulation.mass.times(&unit));
        unit[j] = S::zero();
    }
    let first = (size(&left) + &force) * u;
    first + u.squared() * &mass / &S::integer(2)
}
