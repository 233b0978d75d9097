//! Motions by anybody, judged step by step from states and impulses.
//!
//! A motion is a sequence of states with the impulses between them. [`examine`] asks of each [`MotionStep`] in exact
//! arithmetic what its numbers let one ask: momentum, the rule for positions, complementarity at each contact, the friction
//! cone, maximal dissipation, penetration, and the energies. What breaks a law is a [`Breach`] with step, place, term, amount,
//! unit, and the largest size that [`Rounding`] explains; no float decides.

mod energy;
mod finding;
mod friction;
mod gaps;
mod inertia;
mod joints;
mod laws;
mod log;
mod rounding;
mod state;
mod step;
mod table;
mod turning;
mod unexplained;

pub use finding::{Breach, Breaches, MotionLaw};
pub use laws::examine;
pub use log::StepLog;
pub use rounding::Rounding;
pub use step::{
    BodyTurn, Coordinate, FreeImpulse, HeldRow, MotionContact, MotionDrive, MotionFriction,
    MotionJoint, MotionPush, MotionStep, OwnEnergy, PushReach, RecordedCoordinate, RecordedEnergy,
    TurnRule, TurningFriction, Update,
};
pub use table::{MOTION_MAP_FORMAT, MotionMap, MotionTable, TableError, Unasked, read_motion_map};

/// The JSON Schema (draft 2020-12) of maps.
pub const MOTION_MAP_SCHEMA: &str = include_str!("../schema/motion-map.schema.json");

/// Entries of a row over velocities.
pub type MotionRow = Vec<(usize, rug::Rational)>;
