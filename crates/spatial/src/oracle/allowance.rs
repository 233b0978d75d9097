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
//! eps s_c is what a rate may be off at c, and eps max(|z_c|, s_c/a_c^2), a_c the least of the axes, what an impulse may.
//! Where the answer is exact both are 0. All of it is in the units of the scene: nothing is compared with 1.

use etalon_rigid::{Vector3, dot};
use rug::Rational;

use super::Examination;
use crate::contact::Contact;
use crate::grid::root;
use crate::step::SpaceImpulse;

/// The tolerance of the judge.
const EPS: (u32, u32) = (1, 1_000_000_000);

/// What may be off at a contact.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowance {
    /// Of velocities, m/s.
    pub rate: Rational,
    /// Of impulses, N s.
    pub impulse: Rational,
    /// Of coefficients of friction, beside their size.
    pub mu: Rational,
}

/// What a contact's unit impulses do.
struct Strength {
    /// A_c and a_c^2.
    most: Rational,
    least: Rational,
    /// |z_c|.
    impulse: Rational,
    /// The bodies that move, each by that of its group.
    groups: Vec<usize>,
}

impl Examination<'_> {
    /// One a contact.
    pub(super) fn allowances(&self) -> Vec<Allowance> {
        let step = self.step;
        if self.exact {
            return vec![Allowance::default(); step.contacts().len()];
        }
        let groups = self.groups();
        let contacts = || step.contacts().iter().zip(&step.impulses);
        let strengths: Vec<Strength> = contacts()
            .map(|(contact, impulse)| self.strength(contact, impulse, &groups))
            .collect();
        let one = |(own, (contact, _)): (&Strength, (&Contact, &SpaceImpulse))| {
            let coupled = strengths.iter().filter(|other| {
                let shared = |group: &usize| other.groups.contains(group);
                own.groups.iter().any(shared)
            });
            let energy = coupled.fold(Rational::new(), |sum, other| {
                sum + Rational::from(&other.most * &other.impulse)
            });
            let size = Rational::from(&own.most * &energy) + self.terms(contact, &energy);
            let eps = Rational::from(EPS);
            let natural = match own.least == 0 {
                true => Rational::new(),
                false => Rational::from(&size / &own.least),
            };
            Allowance {
                rate: size * &eps,
                impulse: natural.max(own.impulse.clone()) * &eps,
                mu: eps,
            }
        };
        strengths.iter().zip(contacts()).map(one).collect()
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

    fn strength(
        &self,
        contact: &Contact,
        impulse: &SpaceImpulse,
        groups: &[Option<usize>],
    ) -> Strength {
        let squares = contact.axes().map(|axis| {
            let each = [contact.first, contact.second].into_iter();
            let moving = each.filter(|body| groups[*body].is_some());
            moving.fold(Rational::new(), |sum, body| {
                let torque = self.arm(contact, body).cross(axis);
                let rate = self.inverses[body].times(torque.coordinates());
                let own = axis.norm_squared() / &self.world.bodies[body].mass;
                sum + own + dot(torque.coordinates(), &rate)
            })
        });
        let size = |value: &Rational| Rational::from(value.abs_ref());
        let [one, other] = impulse.friction.each_ref().map(size);
        // The weights of a pyramid add up to at most the bound.
        let friction = (one + other).max(Rational::from(&contact.mu * &size(&impulse.normal)));
        let most = squares.iter().max().map(root).unwrap_or_default();
        Strength {
            least: squares.iter().min().cloned().unwrap_or_default(),
            // The root is within 2^-61, which nothing of the size of a metre notices.
            most,
            impulse: size(&impulse.normal) + friction,
            groups: [contact.first, contact.second]
                .into_iter()
                .filter_map(|body| groups[body])
                .collect(),
        }
    }

    fn arm(&self, contact: &Contact, body: usize) -> Vector3<Rational> {
        &contact.point - &self.step.before.bodies[body].position
    }

    /// The largest of the axes of sum of |J_k| (|v_k| + P_kk^(1/2) E), and |gap/h|.
    fn terms(&self, contact: &Contact, energy: &Rational) -> Rational {
        let size = |value: &Rational| Rational::from(value.abs_ref());
        let mut most = Rational::new();
        for axis in contact.axes() {
            let mut sum = Rational::new();
            for body in [contact.first, contact.second] {
                if self.world.dof(body).is_none() {
                    continue;
                }
                let [v, w] = self.after(body);
                let torque = self.arm(contact, body).cross(axis);
                let lightness = root(&Rational::from(self.world.bodies[body].mass.recip_ref()));
                for k in 0..3 {
                    let turned = root(&self.inverses[body][(k, k)]);
                    let linear = size(&v[k]) + Rational::from(&lightness * energy);
                    let angular = size(&w[k]) + Rational::from(&turned * energy);
                    sum += size(&axis[k]) * linear + size(&torque[k]) * angular;
                }
            }
            most = most.max(sum);
        }
        let gap = Rational::from(&contact.gap / &self.settings.h);
        let approach = self.parting(contact, |own, body| own.before(body));
        let bounce = contact.normal.dot(&approach) * &contact.restitution;
        most + gap.abs().max(bounce.abs())
    }
}
