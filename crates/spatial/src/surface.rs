//! Friction and restitution.

use etalon_rigid::Vector3;
use rug::Rational;

/// Friction and restitution of a pair of surfaces.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// The coefficient of friction.
    pub mu: Rational,
    /// That of restitution, from 0 to 1.
    pub restitution: Rational,
    /// The largest torque about the normal of a unit normal force, m.
    pub torsion: Rational,
    /// The largest torque across the normal of a unit normal force, m.
    pub rolling: Rational,
    /// Where friction depends on the direction; of pairs that are named.
    pub grain: Option<Grain>,
}

impl Surface {
    /// The coefficient of friction across the grain; that of all directions where there is none.
    pub fn across(&self) -> &Rational {
        self.grain.as_ref().map_or(&self.mu, |own| &own.across)
    }
}

/// A direction along which friction has `mu`, and what it has across.
#[derive(Debug, Clone, PartialEq)]
pub struct Grain {
    /// The coefficient of friction across it.
    pub across: Rational,
    /// In the coordinates of the first of the bodies that are named.
    pub along: Vector3<Rational>,
}

/// Friction and restitution of all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Surfaces {
    /// Of pairs that are not named.
    pub default: Surface,
    /// Of pairs by name, in either order.
    pub pairs: Vec<(String, String, Surface)>,
}
