//! Impulses that handle collisions: all at once, or one after the other.

use crate::contact::{Contact, by_joints};
use crate::error::StepError;
use crate::observe::{LcpKind, Observer, RowBound};
use crate::scene::{CollisionHandling, FrictionModel};
use crate::slip;
use crate::world::World;

use super::lcp::{Rows, boxed, coulomb, normal_bound};

/// Serial handling goes on until no gap closes faster than this, m/s.
const SLOW: f64 = 1e-5;
/// After so many rounds for each collision, the limit above is doubled.
const PATIENCE: usize = 20;
/// Nothing takes more rounds.
const ROUNDS: u32 = 100_000;
/// Smaller impulses are none, N s.
const TINY: f64 = 1e-12;

/// A velocity that is this part of its terms is rounding.
const NOISE: f64 = 1e-13;

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
        let mut blow = Blow::new(contacts, self);
        let members: Vec<usize> = (0..contacts.len()).collect();
        let bounce = |i: usize| {
            if contacts[i].rests() {
                1.0
            } else {
                1.0 + contacts[i].elasticity
            }
        };
        self.strike(&mut blow, &members, bounce, observer)?;
        Ok(self.apply(&blow))
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
        let mut blow = Blow::new(contacts, self);
        let (mut slow, mut patience) = (SLOW, PATIENCE * n);
        for round in 1..=ROUNDS {
            if round as usize > patience {
                slow *= 2.0;
                patience += PATIENCE * n;
            }
            let focus = self.focus(contacts, &blow.velocities, slow);
            let (members, bounces) = match focus {
                None if !manner.last_pass => return Ok(self.apply(&blow)),
                None => (vec![true; n], false),
                Some(focus) if manner.grouped => {
                    let approaching = manner.hybrid.then_some((&*blow.velocities, -slow));
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
            self.strike(&mut blow, &members, bounce, observer)?;
            if focus.is_none() {
                return Ok(self.apply(&blow));
            }
        }
        Err(StepError::Endless {
            time: self.time,
            rounds: ROUNDS,
        })
    }

    /// The impulses that turn the velocities v of some contacts into v - bounce v, where they can
    /// do that without pulling, and then those of friction.
    fn strike(
        &mut self,
        blow: &mut Blow<'_>,
        members: &[usize],
        bounce: impl Fn(usize) -> f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let b: Vec<f64> = members
            .iter()
            .map(|&i| blow.velocities[i] * bounce(i))
            .collect();
        let bound = |&i: &usize| normal_bound(&blow.contacts[i]);
        let bounds = members.iter().map(bound).collect();
        let smooth = blow.rows.lcp(LcpKind::Impulses, members, b, bounds);
        let found = self.solve_lcp(smooth, self.time, observer)?.f;
        self.totals.impulses += 1;
        blow.add(members, &found);
        self.rub(blow, members, observer)
    }

    /// Friction at some contacts: with p all impulses so far, those at the normals are at least
    /// p, and those along the tangents bounded by mu times them,
    ///
    /// > v = A p + v(before), p_n >= what parted the bodies, |p_t| <= mu p_n,
    ///
    /// so that nothing approaches and friction opposes the sliding that is left. The energy does
    /// not grow: (p - p(so far)).v <= 0 row by row.
    fn rub(
        &mut self,
        blow: &mut Blow<'_>,
        members: &[usize],
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let Blow { contacts, rows, .. } = &*blow;
        let normals: Vec<RowBound> = members.iter().map(|&i| blow.bound_so_far(i)).collect();
        // The rows of friction, each with its contact and the place of that in the problem.
        let rubbing = rows.rubbing.iter().enumerate().filter_map(|(k, &i)| {
            let pressed = blow.impulses[i] > 0.0;
            let normal = members.iter().position(|&member| member == i && pressed)?;
            Some((rows.tangent(k), i, normal))
        });
        let rubbing: Vec<(usize, usize, usize)> = rubbing.collect();
        if rubbing.is_empty() {
            return Ok(());
        }
        let tangents = rubbing.iter().map(|(row, ..)| *row);
        let all: Vec<usize> = members.iter().copied().chain(tangents).collect();
        let b: Vec<f64> = all.iter().map(|&i| blow.before(i, &all)).collect();
        let rough = |friction: &dyn Fn(usize, usize) -> RowBound| {
            let tangents = rubbing.iter().map(|&(_, i, normal)| friction(i, normal));
            let bounds = normals.iter().copied().chain(tangents).collect();
            rows.lcp(LcpKind::Impulses, &all, b.clone(), bounds)
        };
        let mut found = None;
        if self.scene.settings.friction == FrictionModel::Coulomb {
            let lcp = rough(&|i, normal| coulomb(&contacts[i], normal));
            let answer = self.solve_lcp(lcp, self.time, observer);
            found = answer.ok().filter(|answer| answer.moderate);
            self.totals.jams += u64::from(found.is_none());
        }
        let found = match found {
            Some(answer) => answer.f,
            None => {
                let in_box = rough(&|i, _| boxed(&contacts[i], blow.impulses[i]));
                self.solve_lcp(in_box, self.time, observer)?.f
            }
        };
        self.totals.impulses += 1;
        let more: Vec<f64> = all
            .iter()
            .zip(&found)
            .map(|(&i, found)| found - blow.impulses[i])
            .collect();
        blow.add(&all, &more);
        Ok(())
    }

    /// A collision that still approaches (a joint: moves), in random order.
    fn focus(&mut self, contacts: &[Contact], velocities: &[f64], slow: f64) -> Option<usize> {
        let order = self.random.shuffled(contacts.len());
        order
            .into_iter()
            .find(|&i| velocities[i] < -slow || contacts[i].joint && velocities[i] > slow)
    }

    fn apply(&mut self, blow: &Blow<'_>) -> bool {
        let before = self.kinetic_energy();
        let normals = blow.contacts.iter().zip(&blow.impulses);
        for (contact, &impulse) in normals.clone() {
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
        for (k, &i) in blow.rows.rubbing.iter().enumerate() {
            let contact = &blow.contacts[i];
            let push = slip::tangent(contact) * blow.impulses[blow.rows.tangent(k)];
            for arm in slip::arms(contact, &self.bodies) {
                self.bodies[arm.body].push(push * arm.sign, arm.lever);
            }
        }
        self.lost += before - self.kinetic_energy();
        normals.into_iter().any(|(_, impulse)| *impulse > TINY)
    }
}

/// Impulses on their way.
struct Blow<'a> {
    contacts: &'a [Contact],
    rows: Rows,
    /// So far, N s, of all rows.
    impulses: Vec<f64>,
    /// After them, m/s.
    velocities: Vec<f64>,
}

impl<'a> Blow<'a> {
    fn new(contacts: &'a [Contact], world: &World) -> Self {
        let rows = Rows::of(contacts, world);
        let gaps = contacts.iter().map(|contact| contact.velocity);
        let slips = rows
            .rubbing
            .iter()
            .map(|&i| slip::velocity(&contacts[i], &world.bodies));
        Self {
            velocities: gaps.chain(slips).collect(),
            impulses: vec![0.0; rows.len()],
            contacts,
            rows,
        }
    }

    /// What bounds the impulse of a normal that is not to be less than it is.
    fn bound_so_far(&self, i: usize) -> RowBound {
        match normal_bound(&self.contacts[i]) {
            RowBound::AtLeast(_) => RowBound::AtLeast(self.impulses[i].max(0.0)),
            joint => joint,
        }
    }

    /// The velocity of row i without the impulses of some rows so far.
    fn before(&self, i: usize, without: &[usize]) -> f64 {
        let row = &self.rows.a[i * self.rows.len()..];
        let own = without.iter().map(|&j| row[j] * self.impulses[j]);
        let velocity = self.velocities[i] - own.clone().sum::<f64>();
        let size = self.velocities[i].abs() + own.map(f64::abs).sum::<f64>();
        if velocity.abs() > NOISE * size {
            velocity
        } else {
            0.0
        }
    }

    fn add(&mut self, members: &[usize], found: &[f64]) {
        let n = self.rows.len();
        for (&j, impulse) in members.iter().zip(found) {
            self.impulses[j] += impulse;
            for (i, velocity) in self.velocities.iter_mut().enumerate() {
                *velocity += self.rows.a[i * n + j] * impulse;
            }
        }
    }
}
