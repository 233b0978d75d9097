//! Where bodies are, and how they move.

use etalon_rigid::Vector3;
use rug::Rational;

use crate::attitude::Quaternion;

/// All bodies of a world, in order; those that are fixed stay as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceState {
    /// One a body.
    pub bodies: Vec<Motion>,
}

/// A body's place and motion, on the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// The centre of mass, m.
    pub position: Vector3<Rational>,
    /// How it is turned.
    pub attitude: Quaternion,
    /// Of the centre of mass, m/s.
    pub velocity: Vector3<Rational>,
    /// Angular momentum about the centre of mass, in the world, kg m^2/s. It is kept in place of the angular velocity,
    /// which follows from it and the attitude: so free flight leaves it as it is, to the digit.
    pub momentum: Vector3<Rational>,
}

impl SpaceState {
    /// The same places, with all bodies at rest.
    pub(crate) fn at_rest(&self) -> Self {
        let mut own = self.clone();
        for body in &mut own.bodies {
            body.velocity = Vector3::zero();
            body.momentum = Vector3::zero();
        }
        own
    }
}
