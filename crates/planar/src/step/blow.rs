//! The impulses at contacts that are handled together, while they are being found.

use crate::contact::Contact;
use crate::geometry::Vec2;
use crate::model::Model;
use crate::observe::RowBound;
use crate::piece::{Given, PieceContact};
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

    /// The impulses where they act. Resting contacts do not bounce.
    pub fn given(&self, model: &Model, state: &State) -> Given {
        let mut friction = vec![0.0; self.contacts.len()];
        for (k, &i) in self.rows.rubbing.iter().enumerate() {
            friction[i] = self.impulses[self.rows.tangent(k)];
        }
        let contacts = self.contacts.iter().zip(&self.impulses).zip(friction);
        let contacts = contacts.map(|((contact, &impulse), friction)| {
            let impulse = applied(contact, impulse);
            PieceContact::of(contact, model.bodies(state), impulse, friction)
        });
        Given {
            applied: Vec::new(),
            contacts: contacts.collect(),
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
            let impulse = applied(contact, impulse);
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
        // mass. A joint pulls or pushes as its normal points: both change the velocity.
        let change = |i: usize| {
            applied(&self.contacts[i], self.impulses[i]) * self.rows.a[i * self.rows.len() + i]
        };
        (0..self.contacts.len()).any(|i| change(i).abs() > nothing)
    }
}

/// What is applied of an impulse along the normal, N s. It is the sum of what several problems gave: where it should be 0
/// rounding may leave less, and a contact does not pull.
fn applied(contact: &Contact, impulse: f64) -> f64 {
    if contact.joint {
        impulse
    } else {
        impulse.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodySpec, Connector, Frame, Path, WorldSpec};

    /// A disc of 1 kg in a slot, and the contact that is its slot.
    fn slot() -> (Model, State, Vec<Contact>) {
        let scene = WorldSpec {
            bodies: vec![
                BodySpec::moving("disc", Path::ball(1.0), 1.0, 0.5),
                BodySpec::fixed("wall", Path::rectangle(1.0, 1.0)).at(0.0, 5.0, 0.0),
            ],
            connectors: vec![Connector::Joint {
                body: "disc".to_owned(),
                at: [0.0, 0.0],
                other: "wall".to_owned(),
                other_at: [0.0, -5.0],
                normal: [1.0, 0.0],
                frame: Frame::World,
            }],
            ..WorldSpec::default()
        };
        let (model, state, _) = Model::of(scene).unwrap();
        let mut contacts = Vec::new();
        model.find(&state, &mut contacts, state.time);
        assert_eq!((contacts.len(), contacts[0].joint), (1, true));
        (model, state, contacts)
    }

    /// Whether an impulse counts as a change, and the velocity of the disc after it.
    fn after(impulse: f64, is_joint: bool) -> (bool, f64) {
        let (model, mut state, mut contacts) = slot();
        contacts[0].joint = is_joint;
        let mut blow = Blow::new(&contacts, &model, &state);
        blow.impulses[0] = impulse;
        let changed = blow.apply(&model, &mut state);
        (changed, model.bodies(&state).at(0).motion.velocity.x)
    }

    #[test]
    fn a_joint_changes_velocities_whether_it_pulls_or_pushes() {
        assert_eq!(after(1.0, true), (true, 1.0));
        assert_eq!(after(-1.0, true), (true, -1.0));
        assert_eq!(after(0.0, true), (false, 0.0));
        // A contact does not pull: what rounding leaves below 0 is not applied, and changes nothing.
        assert_eq!(after(-1.0, false), (false, 0.0));
    }
}
