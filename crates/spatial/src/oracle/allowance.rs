//! What an answer that the judge accepts may be off, carried to the laws of contact.
//!
//! The judge accepts an answer z to w = M z + q if it is exact for data changed by at most eps of their size, block by block,
//! and for unknowns changed by at most eps of theirs (`docs/cones.md`, `docs/measure.md`). The block of a contact is
//! its three rows. So some w~ obeys the law where
//!
//! > |w~ - w| <= eps s_c,  s_c = sum over contacts d of max|M_cd| |z_d| + f_c,
//!
//! with |z_d| the sum of the sizes of the impulses of d, and f_c the size of the velocity without contacts and of the gap.
//! Contacts of one body are coupled: what all of them do to a point counts, and not what one does, since slips are
//! the differences. The oracle knows no M. An entry is x'P y for unit impulses x and y of two contacts, with P the inverse
//! mass without what joints take, so that by Cauchy and Schwarz
//!
//! > |M_cd| <= A_c A_d,  A_c^2 = the largest of |x|^2/m + (r x x)'W (r x x), summed over the bodies, x an axis of c.
//!
//! Joints only make P smaller. It is 0 unless both contacts are at bodies that share a body or are held together by
//! joints. So with E_c = sum of A_d |z_d| over these d the first part is at most A_c E_c. The velocity without
//! contacts is the velocity v at the end less what they did, each coordinate k of which is at most P_kk^(1/2) E_c. With J
//! the rows of c,
//!
//! > s_c <= A_c E_c + sum of |J_k| (|v_k| + P_kk^(1/2) E_c) + |gap/h|.
//!
//! Limits and drives of joints are contacts of one row.
//!
//! Steps that are recorded have another eps, and what rounding of states does to rates is added ([`super::noise`]).
//!
//! eps s_c is what a rate may be off at c, and eps max(|z_c|, s_c/a_c^2), a_c the least of the axes, what an impulse may.
//! Where the answer is exact both are 0. All of it is in the units of the scene: nothing is compared with 1.

use etalon_rigid::{Vector3, dot};
use rug::Rational;

use super::{Examination, norm};
use crate::contact::Contact;
use crate::grid::root;
use crate::joint::JointGradient;
use crate::step::{SpaceImpulse, Turning};

/// The tolerance of the judge.
const EPS: (u32, u32) = (1, 1_000_000_000);

/// What may be off at a contact, a limit or a drive.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowance {
    /// Of velocities, m/s.
    pub rate: Rational,
    /// Of impulses, N s.
    pub impulse: Rational,
    /// Of coefficients of friction, beside their size.
    pub mu: Rational,
}

/// Forces and torques of a unit impulse, by the body.
pub(super) type Pull = Vec<(usize, [Vector3<Rational>; 2])>;

/// What acts: its rows, the sum of the sizes of its impulses, and what is added to the rate.
struct Acting {
    rows: Vec<Pull>,
    impulse: Rational,
    offset: Rational,
    /// What rounding of recorded states does to the rate.
    room: Rational,
}

/// What unit impulses do.
struct Strength {
    /// A_c and a_c^2.
    most: Rational,
    least: Rational,
    /// The bodies that move, each by that of its group.
    groups: Vec<usize>,
}

fn size(value: &Rational) -> Rational {
    Rational::from(value.abs_ref())
}

impl Examination<'_> {
    /// One a contact, then one a limit, then one a drive, then one a friction against turning.
    pub(super) fn allowances(&self) -> Vec<Allowance> {
        let step = self.phase;
        let (stops, driven) = (&step.posed.stops, &step.posed.driven);
        if self.exact {
            let count = step.contacts().len() + stops.len() + driven.len();
            return vec![Allowance::default(); count + step.posed.turning.len()];
        }
        let contacts = step.contacts().iter().zip(step.impulses);
        let mut acting: Vec<Acting> = contacts.map(|own| self.of_contact(own)).collect();
        let h = &self.settings.h;
        for (own, impulse) in stops.iter().zip(step.stop_impulses) {
            let offset = self.opened(&self.pull(own.joint, &own.row), &own.row) / h;
            acting.push(self.of_joint((own.joint, &own.row), impulse, &offset, true));
        }
        for (own, impulse) in driven.iter().zip(step.drive_impulses) {
            let speed = &own.drive.speed;
            acting.push(self.of_joint((own.joint, &own.row), impulse, speed, false));
        }
        for own in &step.posed.turning {
            acting.push(self.of_turning(own));
        }
        self.of_all(&acting)
    }

    fn of_all(&self, acting: &[Acting]) -> Vec<Allowance> {
        let groups = self.groups();
        let strengths: Vec<Strength> = acting
            .iter()
            .map(|own| self.strength(own, &groups))
            .collect();
        let one = |(own, strength): (&Acting, &Strength)| {
            let all = acting.iter().zip(&strengths);
            let coupled = all.filter(|(_, other)| {
                let shared = |group: &usize| other.groups.contains(group);
                strength.groups.iter().any(shared)
            });
            let energy = coupled.fold(Rational::new(), |sum, (other, strength)| {
                sum + Rational::from(&strength.most * &other.impulse)
            });
            let terms = own.rows.iter().map(|row| self.terms(row, &energy)).max();
            let of_all = Rational::from(&strength.most * &energy);
            let size = of_all + terms.unwrap_or_default() + size(&own.offset);
            let of_record = self.noise.of_answer().cloned();
            let eps = of_record.unwrap_or_else(|| Rational::from(EPS));
            let natural = match strength.least == 0 {
                true => Rational::new(),
                false => Rational::from(&size / &strength.least),
            };
            Allowance {
                rate: size * &eps + &own.room,
                impulse: natural.max(own.impulse.clone()) * &eps,
                mu: eps,
            }
        };
        acting.iter().zip(&strengths).map(one).collect()
    }

    fn of_contact(&self, (contact, impulse): (&Contact, &SpaceImpulse)) -> Acting {
        let row = |axis: &Vector3<Rational>| {
            let pull = |body: usize, axis: Vector3<Rational>| {
                let body = self.world.carrier(body);
                let arm = &contact.point - &self.step.at.bodies[body].position;
                let torque = arm.cross(&axis);
                (body, [axis, torque])
            };
            vec![
                pull(contact.first, axis.clone()),
                pull(contact.second, -axis),
            ]
        };
        let [one, other] = impulse.friction.each_ref().map(size);
        let pressed = size(&impulse.normal);
        // The weights of a pyramid add up to at most the bound.
        let mu = contact.mu.clone().max(contact.across.clone());
        let friction = (one + other).max(mu * &pressed);
        let gap = size(&contact.gap) / &self.settings.h + self.approached(contact);
        let approach = self.parting(contact, |own, body| own.before(body));
        let bounce = contact.normal.dot(&approach) * &contact.restitution;
        Acting {
            rows: contact.axes().map(row).to_vec(),
            impulse: pressed + friction,
            offset: gap.max(bounce.abs()),
            room: self.of_grid(contact),
        }
    }

    /// The size of the rate before the step in the law of a contact that is taken ahead of the start.
    fn approached(&self, contact: &Contact) -> Rational {
        let share = self.share_ahead();
        if share == 0 {
            return share;
        }
        let sizes = [contact.first, contact.second].map(|body| {
            let [v, w] = self.before(body).map(|own| norm(&own));
            v + w * norm(&(&contact.point - &self.step.at.bodies[body].position)) * 2u32
        });
        sizes.into_iter().sum::<Rational>() * share
    }

    /// What the grid of recorded states does to a rate of a contact, and what places far from the origin do to arms.
    fn of_grid(&self, contact: &Contact) -> Rational {
        let Some(eps) = self.noise.eps() else {
            return Rational::new();
        };
        let mut factors = Rational::from(self.settings.h.recip_ref());
        let mut far = Rational::new();
        // The rate at the end, and a share of the one before the step.
        let share = self.share_ahead();
        let both = Rational::from(&share + 1u32);
        for body in [contact.first, contact.second].map(|own| self.world.carrier(own)) {
            let place = &self.step.at.bodies[body].position;
            let arm = norm(&(&contact.point - place)) * 2u32;
            let [after, before] = [self.after(body), self.before(body)].map(|[_, w]| norm(&w));
            let turning = after + before * &share;
            far += turning * (norm(&contact.point) + norm(place)) * eps;
            far += Rational::from(&arm * &self.spins[body]) * &both;
            factors += (arm + 2u32) * &both;
        }
        self.noise.of_sum(&Rational::new(), &factors) + far
    }

    fn of_turning(&self, own: &Turning) -> Acting {
        let (contact, impulse) = (
            &self.phase.contacts()[own.contact],
            &self.phase.impulses[own.contact],
        );
        let [normal, one, other] = contact.axes();
        let [first, second] = [contact.first, contact.second].map(|own| self.world.carrier(own));
        let about = |axis: &Vector3<Rational>| {
            let none = Vector3::zero();
            vec![
                (first, [none.clone(), axis.clone()]),
                (second, [none, -axis]),
            ]
        };
        let pressed = size(&impulse.normal);
        let (rows, torque, mu) = match own.is_rolling {
            false => (
                vec![about(normal)],
                size(&impulse.torsion),
                &contact.torsion,
            ),
            true => {
                let [a, b] = impulse.rolling.each_ref().map(size);
                (vec![about(one), about(other)], a + b, &contact.rolling)
            }
        };
        Acting {
            rows,
            impulse: torque.max(pressed * mu),
            offset: Rational::new(),
            // The sizes of the entries of a unit vector add up to less than 2.
            room: Rational::from(&self.spins[contact.first] + &self.spins[contact.second]) * 2u32,
        }
    }

    fn of_joint(
        &self,
        (joint, row): (usize, &JointGradient),
        impulse: &Rational,
        offset: &Rational,
        with_gap: bool,
    ) -> Acting {
        Acting {
            rows: vec![self.pull(joint, row)],
            impulse: size(impulse),
            offset: offset.clone(),
            room: self.room(joint, row, with_gap),
        }
    }

    /// A joint's row by its bodies.
    pub(super) fn pull(&self, joint: usize, row: &JointGradient) -> Pull {
        let joint = &self.world.joints()[joint];
        vec![
            (joint.first, row.first.clone()),
            (joint.second, row.second.clone()),
        ]
    }

    /// Of each body that moves the first that joints hold it together with.
    fn groups(&self) -> Vec<Option<usize>> {
        let bodies = self.world.bodies.len();
        let mut groups: Vec<Option<usize>> = vec![None; bodies];
        for body in self.world.moving() {
            groups[body] = Some(body);
        }
        for joint in self.world.joints() {
            if let (Some(a), Some(b)) = (groups[joint.first], groups[joint.second]) {
                let (low, high) = (a.min(b), a.max(b));
                for group in groups.iter_mut().filter(|group| **group == Some(high)) {
                    *group = Some(low);
                }
            }
        }
        groups
    }

    fn strength(&self, acting: &Acting, groups: &[Option<usize>]) -> Strength {
        let square = |row: &Pull| {
            let moving = row.iter().filter(|(body, _)| groups[*body].is_some());
            moving.fold(Rational::new(), |sum, (body, [force, torque])| {
                let rate = self.inverses[*body].times(torque.coordinates());
                let own = force.norm_squared() / &self.world.bodies[*body].mass;
                sum + own + dot(torque.coordinates(), &rate)
            })
        };
        let squares: Vec<Rational> = acting.rows.iter().map(square).collect();
        let bodies = acting.rows.iter().flatten();
        Strength {
            least: squares.iter().min().cloned().unwrap_or_default(),
            // The root is within 2^-61, which nothing of the size of a metre notices.
            most: squares.iter().max().map(root).unwrap_or_default(),
            groups: bodies.filter_map(|(body, _)| groups[*body]).collect(),
        }
    }

    /// The sum of |J_k| (|v_k| + P_kk^(1/2) E).
    fn terms(&self, row: &Pull, energy: &Rational) -> Rational {
        let mut sum = Rational::new();
        for (body, [force, torque]) in row {
            if self.world.dof(*body).is_none() {
                continue;
            }
            let [v, w] = self.after(*body);
            let lightness = root(&Rational::from(self.world.bodies[*body].mass.recip_ref()));
            for k in 0..3 {
                let turned = root(&self.inverses[*body][(k, k)]);
                let linear = size(&v[k]) + Rational::from(&lightness * energy);
                let angular = size(&w[k]) + Rational::from(&turned * energy);
                sum += size(&force[k]) * linear + size(&torque[k]) * angular;
            }
        }
        sum
    }
}
