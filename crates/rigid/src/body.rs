//! The data of a body in a scene, in the plane and in space.

use crate::dense::Dense;
use crate::error::SceneError;
use crate::scalar::Scalar;
use crate::vector::Vector;

/// A rigid body of a D-dimensional world.
///
/// Its generalised velocity is (v, omega): the velocity of the centre of mass and the angular
/// velocity, 3 numbers in the plane and 6 in space, all in the world frame.
pub trait Body<S: Scalar, const D: usize>: Clone {
    /// Generalised velocities of one body.
    const DOFS: usize;

    /// The name, unique in its scene.
    fn name(&self) -> &str;

    /// Whether the body moves with its given velocity, whatever the forces are.
    fn is_fixed(&self) -> bool;

    /// Checks mass, inertia, orientation and that all numbers are finite.
    ///
    /// # Errors
    /// [`SceneError`] with the body's name.
    fn check(&self) -> Result<(), SceneError>;

    /// The mass matrix of (v, omega), in the world frame.
    fn mass_matrix(&self) -> Dense<S>;

    /// (v, omega).
    fn velocity(&self) -> Vec<S>;

    /// Replaces (v, omega); the slice has [`DOFS`](Self::DOFS) entries.
    fn set_velocity(&mut self, velocity: &[S]);

    /// The applied force and torque about the centre of mass, weight included.
    fn applied(&self, gravity: &Vector<S, D>) -> Vec<S>;

    /// The velocity-dependent term V of M acc + V = T: the gyroscopic torque
    /// omega x (I omega) in space, zero in the plane.
    fn gyroscopic(&self) -> Vec<S>;

    /// The velocity of the body's material point at a place in the world.
    fn velocity_at(&self, place: &Vector<S, D>) -> Vector<S, D>;

    /// The part of that point's acceleration that is there when the body's acceleration is zero:
    /// the centripetal omega x (omega x r).
    fn centripetal_at(&self, place: &Vector<S, D>) -> Vector<S, D>;

    /// omega x u: how a vector fixed in the body changes.
    fn spin(&self, vector: &Vector<S, D>) -> Vector<S, D>;

    /// The generalised force of a force at a place: (f, r x f). As a row it measures the velocity
    /// of the material point along f.
    fn wrench(&self, force: &Vector<S, D>, place: &Vector<S, D>) -> Vec<S>;
}

pub(crate) fn check_mass<S: Scalar>(body: &str, mass: &S) -> Result<(), SceneError> {
    if !mass.is_finite() {
        return Err(not_finite(body, "mass"));
    }
    if mass.signum() <= 0 {
        return Err(SceneError::Mass {
            body: body.to_owned(),
            mass: mass.to_string(),
        });
    }
    Ok(())
}

pub(crate) fn not_finite(body: &str, quantity: &'static str) -> SceneError {
    SceneError::NotFinite {
        owner: format!("body {body:?}"),
        quantity,
    }
}
