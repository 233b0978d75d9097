//! Impulses that handle collisions: all at once, or one after the other.

use crate::contact::{Contact, by_joints};
use crate::error::StepError;
use crate::observe::{LcpKind, Observer};
use crate::rows;
use crate::scene::CollisionHandling;
use crate::world::World;

/// Serial handling goes on until no gap closes faster than this, m/s.
const SLOW: f64 = 1e-5;
/// After so many rounds for each collision, the limit above is doubled.
const PATIENCE: usize = 20;
/// Nothing takes more rounds.
const ROUNDS: u32 = 100_000;
/// Smaller impulses are none, N s.
const TINY: f64 = 1e-12;

/// How serial handling goes about it.
#[derive(Clone, Copy)]
struct Manner {
    /// All approaching collisions at the focus' bodies take part.
    hybrid: bool,
    /// The joints that hang together with the focus take part, and do not bounce.
    grouped: bool,
    /// At the end all collisions are handled once more without bounce.
    last_pass: bool,
}

impl World {
    /// Applies impulses that separate the collisions; whether any was more than nothing.
    pub(super) fn handle(
        &mut self,
        contacts: &[Contact],
        observer: &mut dyn Observer,
    ) -> Result<bool, StepError> {
        use CollisionHandling::{
            Hybrid, SerialGrouped, SerialGroupedLastpass, SerialSeparate, SerialSeparateLastpass,
            Simultaneous,
        };
        let manner = match self.scene.settings.collision_handling {
            Simultaneous => return self.simultaneous(contacts, observer),
            Hybrid => Manner {
                hybrid: true,
                grouped: true,
                last_pass: true,
            },
            SerialSeparate => Manner {
                hybrid: false,
                grouped: false,
                last_pass: false,
            },
            SerialGrouped => Manner {
                hybrid: false,
                grouped: true,
                last_pass: false,
            },
            SerialSeparateLastpass => Manner {
                hybrid: false,
                grouped: false,
                last_pass: true,
            },
            SerialGroupedLastpass => Manner {
                hybrid: false,
                grouped: true,
                last_pass: true,
            },
        };
        self.serial(contacts, manner, observer)
    }

    /// v_f = -e v_i at every collision, 0 at contacts and joints, where impulses can do that
    /// without pulling.
    fn simultaneous(
        &mut self,
        contacts: &[Contact],
        observer: &mut dyn Observer,
    ) -> Result<bool, StepError> {
        let a = rows::matrix(contacts, &self.bodies);
        let bounce = |contact: &Contact| {
            if contact.rests() {
                1.0
            } else {
                1.0 + contact.elasticity
            }
        };
        let b: Vec<f64> = contacts
            .iter()
            .map(|contact| contact.velocity * bounce(contact))
            .collect();
        let impulses = self.solve_lcp(LcpKind::Impulses, contacts, &a, b, self.time, observer)?;
        self.totals.impulses += 1;
        Ok(self.apply(contacts, &impulses))
    }

    /// One collision after the other, in random order, as if all were a little apart, until
    /// nothing approaches any more.
    fn serial(
        &mut self,
        contacts: &[Contact],
        manner: Manner,
        observer: &mut dyn Observer,
    ) -> Result<bool, StepError> {
        let n = contacts.len();
        let a = rows::matrix(contacts, &self.bodies);
        let mut velocities: Vec<f64> = contacts.iter().map(|contact| contact.velocity).collect();
        let mut impulses = vec![0.0; n];
        let (mut slow, mut patience) = (SLOW, PATIENCE * n);
        for round in 1..=ROUNDS {
            if round as usize > patience {
                slow *= 2.0;
                patience += PATIENCE * n;
            }
            let focus = self.focus(contacts, &velocities, slow);
            let (members, bounces) = match focus {
                None if !manner.last_pass => return Ok(self.apply(contacts, &impulses)),
                None => (vec![true; n], false),
                Some(focus) if manner.grouped => {
                    let approaching = manner.hybrid.then_some((&*velocities, -slow));
                    (by_joints(contacts, &self.bodies, focus, approaching), true)
                }
                Some(focus) => ((0..n).map(|i| i == focus).collect(), true),
            };
            let members: Vec<usize> = (0..n).filter(|&i| members[i]).collect();
            let bounce = |i: usize| {
                let stiff = !bounces || manner.grouped && contacts[i].joint;
                if stiff {
                    1.0
                } else {
                    1.0 + contacts[i].elasticity
                }
            };
            let subset: Vec<Contact> = members.iter().map(|&i| contacts[i].clone()).collect();
            let entry = |&i: &usize| members.iter().map(move |&j| (i, j));
            let own: Vec<f64> = members
                .iter()
                .flat_map(entry)
                .map(|(i, j)| a[i * n + j])
                .collect();
            let b: Vec<f64> = members.iter().map(|&i| velocities[i] * bounce(i)).collect();
            let found = self.solve_lcp(LcpKind::Impulses, &subset, &own, b, self.time, observer)?;
            self.totals.impulses += 1;
            for (&j, impulse) in members.iter().zip(&found) {
                impulses[j] += impulse;
                for (i, velocity) in velocities.iter_mut().enumerate() {
                    *velocity += a[i * n + j] * impulse;
                }
            }
            if focus.is_none() {
                return Ok(self.apply(contacts, &impulses));
            }
        }
        Err(StepError::Endless {
            time: self.time,
            rounds: ROUNDS,
        })
    }

    /// A collision that still approaches (a joint: moves), in random order.
    fn focus(&mut self, contacts: &[Contact], velocities: &[f64], slow: f64) -> Option<usize> {
        let order = self.random.shuffled(contacts.len());
        order
            .into_iter()
            .find(|&i| velocities[i] < -slow || contacts[i].joint && velocities[i] > slow)
    }

    fn apply(&mut self, contacts: &[Contact], impulses: &[f64]) -> bool {
        let before: f64 = self
            .bodies
            .iter()
            .map(crate::body::Body::kinetic_energy)
            .sum();
        for (contact, &impulse) in contacts.iter().zip(impulses) {
            let impulse = if contact.joint {
                impulse
            } else {
                impulse.max(0.0)
            };
            let push = contact.normal * impulse;
            let first = &mut self.bodies[contact.first];
            first.push(push, contact.point - first.position);
            let second = &mut self.bodies[contact.second];
            second.push(-push, contact.second_point() - second.position);
        }
        let after: f64 = self
            .bodies
            .iter()
            .map(crate::body::Body::kinetic_energy)
            .sum();
        self.lost += before - after;
        impulses.iter().any(|impulse| *impulse > TINY)
    }
}
