//! What is asked of contacts that rest: b of their problem.

use crate::body::Rate;
use crate::contact::Contact;
use crate::world::World;
use crate::{rows, slip};

use super::press::Resting;

/// What holds contacts that rest.
#[derive(Clone, Copy)]
pub(super) enum By {
    /// Forces, which act all the time.
    Forces,
    /// Impulses at the start of a step of h seconds.
    Impulses { h: f64 },
}

/// What is asked of contacts beyond that they do not close.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// All that the settings say.
    All,
    /// What can always be done: to stand still is to do it.
    Possible,
}

impl Resting<'_> {
    /// b: the accelerations of gaps, and of sliding, without contact forces, and what they should be
    /// beyond 0. Friction stops sliding within about a step, if it may.
    ///
    /// What is possible is without distances and curvature, J (dV/dt + V/h) or half of the first, which bodies that are
    /// held from all sides can do, too.
    pub(super) fn asked(&self, asked: Asked, world: &World, rates: &[Rate]) -> Vec<f64> {
        let (bodies, settings) = (&world.bodies, &world.scene.settings);
        let (kind, step) = (settings.extra_acceleration, settings.time_step);
        let material: Vec<f64> = self.rows.rates(rates).collect();
        let normal = |(i, contact): (usize, &Contact)| {
            let own = rows::gap_acceleration(contact, bodies, rates, settings.curve_term);
            match (self.by, asked) {
                (By::Forces, Asked::All) => own + contact.extra_acceleration(kind, step),
                (By::Forces, Asked::Possible) => {
                    material[i] + contact.extra_acceleration(kind.without_distance(), step)
                }
                (By::Impulses { h }, Asked::All) => mean_velocity(contact, own, h) / h,
                (By::Impulses { h }, Asked::Possible) => material[i] / 2.0 + contact.velocity / h,
            }
        };
        let tangent = |(k, &i): (usize, &usize)| {
            let contact = &self.contacts[i];
            let own = match asked {
                Asked::All => slip::acceleration(contact, bodies, rates),
                Asked::Possible => material[self.rows.tangent(k)],
            };
            let slip = slip::velocity(contact, bodies);
            match self.by {
                By::Forces => own + slip / step,
                By::Impulses { h } => own / 2.0 + slip / h,
            }
        };
        let normals = self.contacts.iter().enumerate().map(normal);
        let tangents = self.rows.rubbing.iter().enumerate().map(tangent);
        normals.chain(tangents).collect()
    }
}

/// The mean velocity of a gap over h seconds, less what it should be, m/s. What is fast on its way apart has only to stay
/// so.
fn mean_velocity(contact: &Contact, own: f64, h: f64) -> f64 {
    if contact.rests_over(h, own) {
        contact.velocity + contact.swing(h, own) - opening(contact, h)
    } else {
        contact.velocity
    }
}

/// The mean velocity that brings a gap to where it should be in h seconds, m/s; one that is too small half the way, since
/// nothing pulls back. Gaps are there at the end of a step, not within it: what holds anew after a collision within the
/// step must leave as they are those that are on their way.
fn opening(contact: &Contact, h: f64) -> f64 {
    let excess = contact.excess(h);
    if contact.joint {
        let most = contact.tolerances.velocity;
        (-excess / h).clamp(-most, most)
    } else if excess > 0.0 {
        -excess / h
    } else {
        -excess / (2.0 * h)
    }
}
