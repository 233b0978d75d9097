//! Settings: how a world is stepped.

use serde::{Deserialize, Serialize};

/// How collisions at one moment are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollisionHandling {
    /// All at once, in one LCP: each velocity is reversed, times its elasticity.
    Simultaneous,
    /// One after the other in random order, each together with the collisions at the same bodies that approach.
    Hybrid,
    /// One after the other in random order; joints are handled like collisions, with their elasticity.
    SerialSeparate,
    /// One after the other in random order, each together with the joints that are linked to its bodies.
    SerialGrouped,
    /// As [`Self::SerialSeparate`], then all once more without bounce.
    SerialSeparateLastpass,
    /// As [`Self::SerialGrouped`], then all once more without bounce.
    #[default]
    SerialGroupedLastpass,
}

/// What resting contacts do against velocity and distance that are left over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraAcceleration {
    /// Nothing.
    None,
    /// Contacts stop their velocity within about a step; joints do not.
    Velocity,
    /// Contacts and joints do.
    VelocityJoints,
    /// Contacts stop their velocity and bring their gap to half the distance tolerance.
    VelocityAndDistance,
    /// Contacts and joints do.
    #[default]
    VelocityAndDistanceJoints,
}

/// The law of friction. A force f_t acts along the tangent against sliding, and mu is the lesser coefficient of the
/// two bodies. Where mu is 0, and at connectors, there is no friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrictionModel {
    /// No friction, whatever the bodies' coefficients are.
    None,
    /// Coulomb's law: |f_t| <= mu f_n, in one problem with the normal forces.
    #[default]
    Coulomb,
    /// |f_t| <= mu times the normal force that there would be without friction. These are two problems one after the other,
    /// both symmetric, as in several other engines.
    Box,
}

impl ExtraAcceleration {
    /// The same without what brings gaps to half the distance tolerance.
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
    /// The velocity across p: the exact second derivative.
    #[default]
    Exact,
    /// The whole velocity, as in the engine of myPhysicsLab. It is the same for a gap that does not change. On a curve
    /// that holds a point: the curvature of the curve, without the gap. It is the same where the gap is 0.
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
    /// Euler's method of order 1.
    Euler,
    /// The classical method of order 4, in steps that are halved until two of them differ from one by little.
    Adaptive,
}

/// How a world is stepped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The time step h, s.
    pub time_step: f64,
    /// Bodies nearer than this touch, m.
    pub distance_tolerance: f64,
    /// Contacts slower than this rest, m/s.
    pub velocity_tolerance: f64,
    /// How near to the half gap a collision is handled, as part of it, over 0 and up to 1.
    pub accuracy: f64,
    /// How collisions at one moment are handled.
    pub collision_handling: CollisionHandling,
    /// What resting contacts do against velocity and distance that are left over.
    pub extra_acceleration: ExtraAcceleration,
    /// The law of friction.
    pub friction: FrictionModel,
    /// The term of b at curves.
    pub curve_term: CurveTerm,
    /// The integrator between events.
    pub integrator: Integrator,
    /// Whether there are contact forces. Without them contacts at rest get impulses at the start of each step.
    pub contact_forces: bool,
    /// Whether joints are set straight by small impulses at the end of each step.
    pub joint_impulses: bool,
    /// The seed of the order of serial collisions.
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
