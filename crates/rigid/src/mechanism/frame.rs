//! What the plane and space differ in: rotations, angular velocities, and the bodies of links.

use std::fmt::Debug;

use crate::body::{Body, not_finite};
use crate::dense::Dense;
use crate::error::SceneError;
use crate::planar::Body2;
use crate::rotation::{Rotation2, Rotation3};
use crate::scalar::Scalar;
use crate::spatial::Body3;
use crate::vector::{Vector, Vector2, Vector3};

/// Rotations of D dimensions. An angular velocity has [`AXES`](Self::AXES) coordinates: one in the plane, three in space.
pub trait Frame<S: Scalar, const D: usize>: Clone + Debug + PartialEq {
    /// The coordinates of an angular velocity.
    const AXES: usize;

    /// No rotation.
    fn identity() -> Self;

    /// The rotation by an angle about an axis of unit length; in the plane the axis is 1 or -1.
    fn about(axis: &[S], angle: &Rotation2<S>) -> Self;

    /// Whether it is a rotation, up to rounding where arithmetic rounds.
    fn is_valid(&self) -> bool;

    /// The vector rotated.
    fn apply(&self, vector: &Vector<S, D>) -> Vector<S, D>;

    /// The angular velocity rotated.
    fn apply_angular(&self, angular: &[S]) -> Vec<S>;

    /// First `other`, then this rotation.
    fn after(&self, other: &Self) -> Self;

    /// omega x r.
    fn spin(angular: &[S], arm: &Vector<S, D>) -> Vector<S, D>;

    /// omega x w of two angular velocities: zero in the plane.
    fn spin_angular(angular: &[S], other: &[S]) -> Vec<S>;
}

impl<S: Scalar> Frame<S, 2> for Rotation2<S> {
    const AXES: usize = 1;

    fn identity() -> Self {
        Self::identity()
    }

    fn about(axis: &[S], angle: &Rotation2<S>) -> Self {
        let sign = axis.first().cloned().unwrap_or_else(S::one);
        Self::from_cos_sin(angle.cos().clone(), sign * angle.sin())
    }

    fn is_valid(&self) -> bool {
        self.is_valid()
    }

    fn apply(&self, vector: &Vector2<S>) -> Vector2<S> {
        self.apply(vector)
    }

    fn apply_angular(&self, angular: &[S]) -> Vec<S> {
        angular.to_vec()
    }

    fn after(&self, other: &Self) -> Self {
        self.after(other)
    }

    fn spin(angular: &[S], arm: &Vector2<S>) -> Vector2<S> {
        let turned = arm.quarter_turn();
        angular
            .first()
            .map_or_else(Vector::zero, |own| turned.times(own))
    }

    fn spin_angular(_: &[S], _: &[S]) -> Vec<S> {
        vec![S::zero()]
    }
}

fn three<S: Scalar>(angular: &[S]) -> Vector3<S> {
    Vector::new(std::array::from_fn(|k| {
        angular.get(k).cloned().unwrap_or_else(S::zero)
    }))
}

impl<S: Scalar> Frame<S, 3> for Rotation3<S> {
    const AXES: usize = 3;

    fn identity() -> Self {
        Self::identity()
    }

    fn about(axis: &[S], angle: &Rotation2<S>) -> Self {
        Self::about_axis(&three(axis), angle)
    }

    fn is_valid(&self) -> bool {
        self.is_valid()
    }

    fn apply(&self, vector: &Vector3<S>) -> Vector3<S> {
        self.apply(vector)
    }

    fn apply_angular(&self, angular: &[S]) -> Vec<S> {
        self.matrix().times(angular)
    }

    fn after(&self, other: &Self) -> Self {
        self.after(other)
    }

    fn spin(angular: &[S], arm: &Vector3<S>) -> Vector3<S> {
        three(angular).cross(arm)
    }

    fn spin_angular(angular: &[S], other: &[S]) -> Vec<S> {
        let cross = three(angular).cross(&three(other));
        cross.coordinates().to_vec()
    }
}

/// A body that can be a link of a [`Mechanism`](crate::Mechanism).
pub trait Segment<S: Scalar, const D: usize>: Body<S, D> {
    /// Its orientations.
    type Frame: Frame<S, D>;

    /// A body that no force moves.
    fn ground(name: &str) -> Self;

    /// Where its centre of mass is.
    fn centre(&self) -> &Vector<S, D>;

    /// The body carried to a place: its position and orientation were in the coordinates of a frame.
    fn carried(&self, origin: &Vector<S, D>, frame: &Self::Frame) -> Self;

    /// Checks numbers and orientation, and that mass and inertia are not negative. A link may have none; then others that
    /// its joint moves must have some.
    ///
    /// # Errors
    /// [`SceneError`] with the body's name.
    fn check_link(&self) -> Result<(), SceneError>;
}

/// What every link is checked for.
fn check_parts<S: Scalar>(
    name: &str,
    mass: &S,
    inertia_fits: bool,
    oriented: bool,
) -> Result<(), SceneError> {
    let body = || name.to_owned();
    if !mass.is_finite() {
        return Err(not_finite(name, "mass"));
    }
    if mass.signum() < 0 {
        let mass = mass.to_string();
        return Err(SceneError::LinkMass { link: body(), mass });
    }
    if !inertia_fits {
        return Err(SceneError::LinkInertia { link: body() });
    }
    if !oriented {
        return Err(SceneError::Orientation { body: body() });
    }
    Ok(())
}

impl<S: Scalar> Segment<S, 2> for Body2<S> {
    type Frame = Rotation2<S>;

    fn ground(name: &str) -> Self {
        Self::fixed(name)
    }

    fn centre(&self) -> &Vector2<S> {
        &self.position
    }

    fn carried(&self, origin: &Vector2<S>, frame: &Rotation2<S>) -> Self {
        Self {
            position: origin + &frame.apply(&self.position),
            orientation: frame.after(&self.orientation),
            ..self.clone()
        }
    }

    fn check_link(&self) -> Result<(), SceneError> {
        let numbers = self.position.is_finite()
            && self.force.is_finite()
            && self.torque.is_finite()
            && self.inertia.is_finite();
        if !numbers {
            return Err(not_finite(&self.name, "centre, force, torque or inertia"));
        }
        let fits = self.inertia.signum() >= 0;
        check_parts(&self.name, &self.mass, fits, self.orientation.is_valid())
    }
}

impl<S: Scalar> Segment<S, 3> for Body3<S> {
    type Frame = Rotation3<S>;

    fn ground(name: &str) -> Self {
        Self::fixed(name)
    }

    fn centre(&self) -> &Vector3<S> {
        &self.position
    }

    fn carried(&self, origin: &Vector3<S>, frame: &Rotation3<S>) -> Self {
        Self {
            position: origin + &frame.apply(&self.position),
            orientation: frame.after(&self.orientation),
            ..self.clone()
        }
    }

    fn check_link(&self) -> Result<(), SceneError> {
        let numbers =
            self.position.is_finite() && self.force.is_finite() && self.torque.is_finite();
        if !numbers {
            return Err(not_finite(&self.name, "centre, force or torque"));
        }
        let fits = is_positive_semidefinite(&self.inertia);
        check_parts(&self.name, &self.mass, fits, self.orientation.is_valid())
    }
}

/// Whether every principal minor of a 3 by 3 matrix is at least 0, which says that of a symmetric one.
fn is_positive_semidefinite<S: Scalar>(matrix: &Dense<S>) -> bool {
    if matrix.rows() != 3 || matrix.columns() != 3 || !matrix.is_symmetric() {
        return false;
    }
    let size = (0..3).fold(S::zero(), |sum, i| sum + matrix[(i, i)].abs());
    let minor = |rows: &[usize]| {
        let own = matrix.block(rows, rows).determinant();
        let scale = rows.iter().fold(S::one(), |product, _| product * &size);
        own.signum() >= 0 || own.is_negligible(&scale)
    };
    let minors: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    minors.into_iter().all(minor)
}
