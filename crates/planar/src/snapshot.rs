//! Snapshots: what can be seen of a world at a moment, ready for serde.

use serde::{Deserialize, Serialize};

use crate::body::Motion;

/// A moment of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// s.
    pub time: f64,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<BodyState>,
    /// The contact forces of the last evaluation.
    pub contacts: Vec<ContactForce>,
    /// Energies.
    pub energy: Energy,
    /// Counts of what has happened so far.
    pub totals: Totals,
}

/// Where a body is, and how it moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Its name.
    pub name: String,
    /// The centre of mass, m.
    pub position: [f64; 2],
    /// m/s.
    pub velocity: [f64; 2],
    /// rad.
    pub angle: f64,
    /// rad/s.
    pub angular_velocity: f64,
}

impl BodyState {
    pub(crate) fn of(name: &str, motion: &Motion) -> Self {
        Self {
            name: name.to_owned(),
            position: motion.position.into(),
            velocity: motion.velocity.into(),
            angle: motion.angle,
            angular_velocity: motion.spin,
        }
    }
}

/// A force at a contact: f n + f_t t on the first body, the opposite on the second. The tangent t is n turned to the
/// left by a right angle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContactForce {
    /// The first body's index.
    pub first: usize,
    /// The second body's index.
    pub second: usize,
    /// Where it acts, m.
    pub point: [f64; 2],
    /// n, a unit vector out of the second body.
    pub normal: [f64; 2],
    /// f, N; negative only at a joint.
    pub force: f64,
    /// f_t, N: friction along t.
    #[serde(default)]
    pub friction: f64,
    /// The gap, m.
    pub distance: f64,
    /// Whether it is a joint or rod.
    pub joint: bool,
}

impl ContactForce {
    /// The whole force on the first body, N: f n + f_t t.
    pub fn vector(&self) -> [f64; 2] {
        let [x, y] = self.normal;
        [
            self.force * x - self.friction * y,
            self.force * y + self.friction * x,
        ]
    }
}

/// Energies, J.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity and springs.
    pub potential: f64,
    /// Kinetic energy that collisions have taken so far.
    pub lost_in_collisions: f64,
}

impl Energy {
    /// Kinetic and potential energy together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Counts of what has happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Collisions that were handled.
    pub collisions: u64,
    /// Impulse problems that were solved.
    pub impulses: u64,
    /// Steps of the integrator.
    pub steps: u64,
    /// How often the world went back in time.
    pub backups: u64,
    /// Jams: problems that had no moderate answer as they stood, and were solved with less asked for.
    #[serde(default)]
    pub jams: u64,
    /// Collisions whose time had to be searched for by bisection.
    pub searches: u64,
}
