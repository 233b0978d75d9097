//! Settings: how a world is stepped.

use serde::{Deserialize, Serialize};

/// How collisions that happen together are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollisionHandling {
    /// All at once: each velocity is reversed times its elasticity.
    Simultaneous,
    /// One after the other in random order, with all others at the same bodies that approach.
    Hybrid,
    /// One after the other, joints elastic like the rest.
    SerialSeparate,
    /// One after the other, each with the joints it pulls at.
    SerialGrouped,
    /// As separate, then all once more without bounce.
    SerialSeparateLastpass,
    /// As grouped, then all once more without bounce.
    #[default]
    SerialGroupedLastpass,
}

/// What resting contacts do against remaining velocity and distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraAcceleration {
    /// Nothing.
    None,
    /// Contacts stop their velocity within about a step.
    Velocity,
    /// Contacts and joints do.
    VelocityJoints,
    /// Contacts stop their velocity and go back to half the distance tolerance.
    VelocityAndDistance,
    /// Contacts and joints do.
    #[default]
    VelocityAndDistanceJoints,
}

/// How contacts rub. Friction f_t acts along the tangent, against sliding, and mu is the lesser coefficient of the two
/// bodies; where it is 0, or at connectors, there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrictionModel {
    /// Not at all, whatever the bodies' coefficients.
    None,
    /// Coulomb's law: |f_t| <= mu f_n, in one problem with the normal forces.
    #[default]
    Coulomb,
    /// |f_t| <= mu times the normal force that there would be without friction: two problems, both
    /// symmetric, as several engines have it.
    Box,
}

impl ExtraAcceleration {
    /// The same without what goes back to half the tolerance.
    pub(crate) fn without_distance(self) -> Self {
        match self {
            Self::VelocityAndDistance => Self::Velocity,
            Self::VelocityAndDistanceJoints => Self::VelocityJoints,
            other => other,
        }
    }
}

/// What the velocity at a curve adds to the acceleration of the gap. The gap is |p| less the
/// radius, and |p|'' has the term |p_t'|^2/|p| of the velocity across p.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CurveTerm {
    /// The velocity across, as it must be.
    #[default]
    Exact,
    /// The whole velocity, as the engine has it whose tests this one is held against; the same
    /// for a gap that does not change.
    WholeVelocity,
}

/// The integrator between events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// The classical method of order 4.
    #[default]
    RungeKutta,
    /// Heun's method of order 2.
    ModifiedEuler,
}

/// How a world is stepped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// s.
    pub time_step: f64,
    /// Bodies nearer than this touch, m.
    pub distance_tolerance: f64,
    /// Contacts slower than this rest, m/s.
    pub velocity_tolerance: f64,
    /// How near to the half gap a collision is handled, as part of it, over 0 and up to 1.
    pub accuracy: f64,
    /// Of collisions that happen together.
    pub collision_handling: CollisionHandling,
    /// Of resting contacts.
    pub extra_acceleration: ExtraAcceleration,
    /// Of contacts.
    pub friction: FrictionModel,
    /// At curves.
    pub curve_term: CurveTerm,
    /// Between events.
    pub integrator: Integrator,
    /// Whether there are contact forces; without them what rests gets an impulse at the start of each step.
    pub contact_forces: bool,
    /// Whether joints are set straight by small impulses at the end of each step.
    pub joint_impulses: bool,
    /// Of the order of serial collisions.
    pub seed: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            time_step: 0.025,
            distance_tolerance: 0.01,
            velocity_tolerance: 0.5,
            accuracy: 0.6,
            collision_handling: CollisionHandling::default(),
            extra_acceleration: ExtraAcceleration::default(),
            friction: FrictionModel::default(),
            curve_term: CurveTerm::default(),
            integrator: Integrator::default(),
            contact_forces: true,
            joint_impulses: false,
            seed: 0,
        }
    }
}
