//! Pieces of a step: motion between events, and the blows that end it, each with all that has changed the velocities.

use crate::body::{Bodies, Rate};
use crate::contact::Contact;
use crate::geometry::Vec2;

/// A piece of a step. M (after - before) is what was applied and the impulses of its contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its length, s: 0 of a blow.
    pub duration: f64,
    /// All bodies, in the order of the scene.
    pub bodies: Vec<PieceBody>,
    /// The impulses of contacts and connectors.
    pub contacts: Vec<PieceContact>,
}

/// A body in a piece of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PieceBody {
    /// 1/m, 1/kg, and 1/I about the centre of mass, 1/(kg m^2): 0 of a fixed body.
    pub inverse: [f64; 2],
    /// The centre of mass before the piece, m.
    pub position: [f64; 2],
    /// Velocity (m/s) and spin (rad/s) before it.
    pub before: [f64; 3],
    /// The same after it.
    pub after: [f64; 3],
    /// What all forces but those of contacts have changed of them.
    pub applied: [f64; 3],
}

/// A contact in a piece of a step. Where an integrator has evaluated forces several times, each evaluation has contacts of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PieceContact {
    /// The body that the normal impulse pushes along the normal.
    pub first: usize,
    /// The body that it pushes back.
    pub second: usize,
    /// Where it acts, from the centre of mass of the first body, m.
    pub lever: [f64; 2],
    /// The same of the second body, on which friction acts at a point of its own.
    pub second_levers: [[f64; 2]; 2],
    /// The unit normal.
    pub normal: [f64; 2],
    /// The impulse along the normal, N s.
    pub impulse: f64,
    /// The impulse along the normal turned to the left by a right angle, N s.
    pub friction: f64,
    /// The coefficient of friction.
    pub mu: f64,
    /// The coefficient of restitution, where it bounces.
    pub elasticity: f64,
    /// Whether it may pull.
    pub joint: bool,
}

impl PieceContact {
    /// A contact where it is, with its impulses, or forces.
    pub(crate) fn of(contact: &Contact, bodies: Bodies<'_>, impulse: f64, friction: f64) -> Self {
        let lever = |body: usize, at: Vec2| (at - bodies.at(body).motion.position).into();
        Self {
            first: contact.first,
            second: contact.second,
            lever: lever(contact.first, contact.point),
            second_levers: [contact.second_point(), contact.point]
                .map(|at| lever(contact.second, at)),
            normal: contact.normal.into(),
            impulse,
            friction,
            mu: contact.friction,
            elasticity: contact.elasticity,
            joint: contact.joint,
        }
    }
}

/// What changed the velocities, as an integrator adds it up: empty where nobody asks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    /// Of each body, by all forces but those of contacts.
    pub applied: Vec<[f64; 3]>,
    pub contacts: Vec<PieceContact>,
}

impl Given {
    /// What rates without contact forces and contacts with their forces give in a second.
    pub fn of(rates: &[Rate], contacts: Vec<PieceContact>) -> Self {
        let applied = rates
            .iter()
            .map(|(linear, angular)| [linear.x, linear.y, *angular]);
        Self {
            applied: applied.collect(),
            contacts,
        }
    }

    /// This, and `factor` seconds of another.
    #[must_use]
    pub fn plus(mut self, factor: f64, other: &Self) -> Self {
        self.applied
            .resize(self.applied.len().max(other.applied.len()), [0.0; 3]);
        for (own, other) in self.applied.iter_mut().zip(&other.applied) {
            for (own, other) in own.iter_mut().zip(other) {
                *own += factor * other;
            }
        }
        self.contacts
            .extend(other.contacts.iter().map(|own| PieceContact {
                impulse: factor * own.impulse,
                friction: factor * own.friction,
                ..*own
            }));
        self
    }
}
