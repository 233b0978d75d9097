//! The state: what a step changes, and what the world goes on from.

use crate::accounts::Accounts;
use crate::body::Motion;
use crate::piece::{Given, PieceContact};
use crate::random::Random;
use crate::snapshot::ContactForce;

/// Motions, time and generator decide how the world goes on, and are what a scene saves. Work, lost energy and contact
/// forces are accounts that are shown and decide nothing.
#[derive(Debug)]
pub(crate) struct State {
    /// One for each body.
    pub motions: Vec<Motion>,
    /// s.
    pub time: f64,
    /// The generator that orders serial collisions.
    pub random: Random,
    /// Kinetic energy that collisions have taken, J.
    pub lost: f64,
    /// The work of forces without a potential so far.
    pub accounts: Accounts,
    /// The powers of contact forces at the last evaluation, W: along normals, and along tangents.
    pub pressing: [f64; 2],
    /// The contact forces of the last evaluation.
    pub contact_forces: Vec<ContactForce>,
    /// The same where they act, and what the last piece of motion was given, where somebody asks.
    pub pressed: Option<Vec<PieceContact>>,
    pub given: Given,
}

/// x, vx, y, vy, angle, spin of each body: what integrators compute with.
pub(crate) type Values = Vec<[f64; 6]>;

impl State {
    /// The state at the start of a run.
    pub fn new(motions: Vec<Motion>, time: f64, seed: u32) -> Self {
        Self {
            motions,
            time,
            random: Random::new(seed),
            lost: 0.0,
            accounts: Accounts::default(),
            pressing: [0.0; 2],
            contact_forces: Vec::new(),
            pressed: None,
            given: Given::default(),
        }
    }

    pub fn values(&self) -> Values {
        self.motions.iter().map(Motion::values).collect()
    }

    pub fn set_values(&mut self, values: &Values) {
        for (motion, values) in self.motions.iter_mut().zip(values) {
            motion.set(values);
        }
    }
}
