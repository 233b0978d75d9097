//! What a step does not change of a body.

use crate::geometry::{Shape, Vec2};

/// A body's shape, inertia and surface.
#[derive(Debug, Clone)]
pub(crate) struct Solid {
    pub shape: Shape,
    /// 1/m, 1/kg; 0 for a fixed body.
    pub inverse_mass: f64,
    /// 1/I about the centre of mass, 1/(kg m^2); 0 for a fixed body.
    pub inverse_inertia: f64,
    /// From 0 to 1.
    pub elasticity: f64,
    /// The coefficient of friction.
    pub friction: f64,
    /// The centre of mass in body coordinates, m.
    pub cm: Vec2,
}

impl Solid {
    pub fn is_fixed(&self) -> bool {
        self.inverse_mass == 0.0
    }
}
