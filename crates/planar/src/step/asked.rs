//! The vector b of contacts that rest: what the problem asks of their accelerations.

use std::collections::BTreeSet;

use crate::body::Rate;
use crate::contact::Contact;
use crate::model::Model;
use crate::state::State;
use crate::{rows, slip};

use super::resting::{By, Resting};

/// How much is asked of contacts, beyond that they do not close.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// All that the settings say.
    All,
    /// What can always be done, since standing still does it: no distances, and no curvature.
    Possible,
    /// That they stop in the mean over the step, with the turning of their directions. Without it the force along a
    /// whirling rod, which does no work, would look like one that throws bodies apart. It would be refused in each
    /// step, and the rod would come apart.
    Stop,
}

impl Resting<'_> {
    /// The vector b: the accelerations of gaps, and of sliding, without contact forces, plus what is to be taken out
    /// within the step. In rows of friction that is the sliding.
    ///
    /// [`Asked::Possible`] is J (dV/dt + V/h) for forces and J (dV/dt/2 + V/h) for impulses. Bodies that are held from
    /// all sides can do that, too.
    pub(super) fn asked(
        &self,
        asked: Asked,
        model: &Model,
        state: &State,
        rates: &[Rate],
    ) -> Vec<f64> {
        let (bodies, settings) = (model.bodies(state), model.settings());
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
                (By::Forces, Asked::Stop) => own / 2.0 + contact.velocity / step,
                (By::Impulses { h }, Asked::Possible) => material[i] / 2.0 + contact.velocity / h,
                (By::Impulses { h }, Asked::Stop) => own / 2.0 + contact.velocity / h,
            }
        };
        let tangent = |(k, &i): (usize, &usize)| {
            let contact = &self.contacts[i];
            let own = match asked {
                Asked::Possible => material[self.rows.tangent(k)],
                Asked::All | Asked::Stop => slip::acceleration(contact, bodies, rates),
            };
            let slip = slip::velocity(contact, bodies);
            match (self.by, asked) {
                (By::Forces, Asked::All | Asked::Possible) => own + slip / step,
                (By::Forces, Asked::Stop) => own / 2.0 + slip / step,
                (By::Impulses { h }, _) => own / 2.0 + slip / h,
            }
        };
        let normals = self.contacts.iter().enumerate().map(normal);
        let tangents = self.rows.rubbing.iter().enumerate().map(tangent);
        normals.chain(tangents).collect()
    }

    /// Whether forces f throw the bodies: they add more energy to the mean motion over the step than swinging bodies have
    /// ([`Tolerances::swing`](crate::tolerances::Tolerances::swing)). Between corners that hook, gaps can be opened against
    /// each other this way.
    ///
    /// The mean velocities u of the rows change by s A f, with s = h/2 for forces and h for impulses. The energy changes by
    /// s f'(u + s A f/2). For the forces that stop u that is not above 0.
    pub(super) fn throws(&self, f: &[f64], stop: &[f64], model: &Model) -> bool {
        let settings = model.settings();
        let (h, s) = match self.by {
            By::Forces => (settings.time_step, settings.time_step / 2.0),
            By::Impulses { h } => (h, h),
        };
        let row = |i: usize| self.rows.a[i * self.rows.len()..].iter().zip(f);
        let change = |i: usize| s * row(i).map(|(a, f)| a * f).sum::<f64>();
        // `stop` asks for rest in the mean over h, so that h stop is u.
        let gain = |(i, f): (usize, &f64)| s * f * (h * stop[i] + change(i) / 2.0);
        let gain: f64 = f.iter().enumerate().map(gain).sum();
        let swing = model.tolerances().swing();
        gain > self.mass(model) * swing * swing / 2.0
    }

    /// The mass of the bodies that can move, kg.
    fn mass(&self, model: &Model) -> f64 {
        let pairs = self
            .contacts
            .iter()
            .map(|contact| [contact.first, contact.second]);
        let bodies: BTreeSet<usize> = pairs.flatten().collect();
        let moving = bodies.iter().map(|&body| &model.solids[body]);
        moving
            .filter(|solid| !solid.is_fixed())
            .map(|solid| 1.0 / solid.inverse_mass)
            .sum()
    }
}

/// The mean velocity of a gap over h seconds, less what it is to be, m/s. Bodies that part fast need only go on doing so.
fn mean_velocity(contact: &Contact, own: f64, h: f64) -> f64 {
    if contact.rests_over(h, own) {
        contact.velocity + contact.swing(h, own) - opening(contact, h)
    } else {
        contact.velocity
    }
}

/// The mean velocity that brings a gap to half the distance tolerance in h seconds, m/s. A gap that is too small goes
/// half the way, since nothing would pull it back. The gap is right at the end of a step only: impulses that hold anew
/// after a collision within the step leave gaps that are on their way as they are.
fn opening(contact: &Contact, h: f64) -> f64 {
    let excess = contact.beyond_target();
    if contact.joint {
        let most = contact.tolerances.velocity;
        (-excess / h).clamp(-most, most)
    } else if excess > 0.0 {
        -excess / h
    } else {
        -contact.excess(h) / (2.0 * h)
    }
}
