//! The impulses at contacts that are handled together, while they are being found.

use crate::contact::Contact;
use crate::geometry::Vec2;
use crate::model::Model;
use crate::observe::RowBound;
use crate::slip;
use crate::state::State;
use crate::tolerances::CANCELLED;

use super::lcp::{Rows, normal_bound};

/// Impulses found so far, with the velocities that they leave.
pub(super) struct Blow<'a> {
    pub contacts: &'a [Contact],
    pub rows: Rows,
    /// The impulses so far, N s, one for each row.
    pub impulses: Vec<f64>,
    /// The velocities after them, m/s: of gaps, then of sliding.
    pub velocities: Vec<f64>,
}

impl<'a> Blow<'a> {
    pub fn new(contacts: &'a [Contact], model: &Model, state: &State) -> Self {
        let rows = Rows::of(contacts, model, state);
        let gaps = contacts.iter().map(|contact| contact.velocity);
        let slips = rows
            .rubbing
            .iter()
            .map(|&i| slip::velocity(&contacts[i], model.bodies(state)));
        Self {
            velocities: gaps.chain(slips).collect(),
            impulses: vec![0.0; rows.len()],
            contacts,
            rows,
        }
    }

    /// The bound of the impulse of a normal that may not become less than it is now.
    pub fn bound_so_far(&self, i: usize) -> RowBound {
        match normal_bound(&self.contacts[i]) {
            RowBound::AtLeast(_) => RowBound::AtLeast(self.impulses[i].max(0.0)),
            joint => joint,
        }
    }

    /// The velocity of row i without the impulses of the rows `without`. What is left by cancellation is 0.
    pub fn before(&self, i: usize, without: &[usize]) -> f64 {
        let row = &self.rows.a[i * self.rows.len()..];
        let own = without.iter().map(|&j| row[j] * self.impulses[j]);
        let velocity = self.velocities[i] - own.clone().sum::<f64>();
        let size = self.velocities[i].abs() + own.map(f64::abs).sum::<f64>();
        if velocity.abs() > CANCELLED * size {
            velocity
        } else {
            0.0
        }
    }

    pub fn add(&mut self, members: &[usize], found: &[f64]) {
        let n = self.rows.len();
        for (&j, impulse) in members.iter().zip(found) {
            self.impulses[j] += impulse;
            for (i, velocity) in self.velocities.iter_mut().enumerate() {
                *velocity += self.rows.a[i * n + j] * impulse;
            }
        }
    }

    /// Applies the impulses to the bodies. Returns whether any changed the velocity of its gap.
    pub fn apply(&self, model: &Model, state: &mut State) -> bool {
        let before = model.bodies(state).kinetic_energy();
        let mut push = |body: usize, impulse: Vec2, point: Vec2| {
            let motion = &mut state.motions[body];
            let lever = point - motion.position;
            motion.push(&model.solids[body], impulse, lever);
        };
        for (contact, &impulse) in self.contacts.iter().zip(&self.impulses) {
            // An impulse is the sum of what several problems gave. Where it should be 0 rounding
            // may leave less, and a contact does not pull.
            let impulse = if contact.joint {
                impulse
            } else {
                impulse.max(0.0)
            };
            let along = contact.normal * impulse;
            push(contact.first, along, contact.point);
            push(contact.second, -along, contact.second_point());
        }
        for (k, &i) in self.rows.rubbing.iter().enumerate() {
            let contact = &self.contacts[i];
            let along = slip::tangent(contact) * self.impulses[self.rows.tangent(k)];
            for (body, sign) in [(contact.first, 1.0), (contact.second, -1.0)] {
                push(body, along * sign, contact.point);
            }
        }
        state.lost += before - model.bodies(state).kinetic_energy();
        let nothing = model.tolerances().no_blow();
        // Measured as the velocity that the impulse gives to its own gap, as no threshold has a unit of
        // mass.
        let change = |i: usize| self.impulses[i] * self.rows.a[i * self.rows.len() + i];
        (0..self.contacts.len()).any(|i| change(i) > nothing)
    }
}
