//! The laws of contact.

use etalon_rigid::{Directions, Vector3, in_polyhedral_cone};
use etalon_time_stepping::Term;
use rug::Rational;

use super::allowance::Allowance;
use super::{Examination, Twist};
use crate::contact::Contact;
use crate::grid::{BITS, root};
use crate::settings::{Cone, SpaceMethod};
use crate::step::SpaceImpulse;

impl Examination<'_> {
    pub(super) fn contacts(&mut self) {
        let step = self.step;
        let taking_part = step.contacts().iter().zip(&step.impulses);
        let rebounds = step.formulation().contacts.iter().map(|own| &own.rebound);
        let allowances = self.allowances.clone();
        for (((contact, impulse), rebound), allowed) in taking_part.zip(rebounds).zip(&allowances) {
            self.frame(contact);
            self.geometry(contact);
            let velocity = self.parting(contact, |own, body| own.after(body));
            self.normal(contact, impulse, &velocity, (rebound.as_ref(), allowed));
            self.friction(contact, impulse, &velocity, allowed);
            let force = force(contact, impulse);
            for (body, force) in [(contact.first, force.clone()), (contact.second, -&force)] {
                let arm = &contact.point - &step.before.bodies[body].position;
                self.push(body, &force, &arm.cross(&force));
            }
        }
    }

    /// How fast the first body's point leaves the second's.
    pub(super) fn parting(
        &self,
        contact: &Contact,
        twist: impl Fn(&Self, usize) -> Twist,
    ) -> Vector3<Rational> {
        let [a, b] = [contact.first, contact.second].map(|body| {
            let [v, w] = twist(self, body);
            let arm = &contact.point - &self.step.before.bodies[body].position;
            &v + &w.cross(&arm)
        });
        &a - &b
    }

    /// The frame is orthonormal to the rounding of its entries, and friction is that of the surfaces.
    fn frame(&mut self, contact: &Contact) {
        let axes = contact.axes();
        // An entry is off by half a step and by the rounding of binary64, together below one step u = 2^-40. Both
        // vectors of a product are, and the sum of the sizes of the entries of a unit vector is below 2: 4 u and 3 u^2.
        let allowed = Rational::from(5) >> BITS;
        for (i, a) in axes.iter().enumerate() {
            for (j, b) in axes.iter().enumerate().take(i + 1) {
                let off = a.dot(b) - u32::from(i == j);
                self.vanishes(Term::Frame, Some(&contact.name), &off, &allowed);
            }
        }
        let (mu, restitution) = self.world.friction(contact);
        if contact.mu != *mu || contact.restitution != *restitution {
            self.report(
                Term::Frame,
                Some(&contact.name),
                "another surface".to_owned(),
            );
        }
    }

    /// Normal impulse and gap, or Newton's law where the contact bounces.
    fn normal(
        &mut self,
        contact: &Contact,
        impulse: &SpaceImpulse,
        velocity: &Vector3<Rational>,
        (rebound, allowed): (Option<&Rational>, &Allowance),
    ) {
        let name = Some(&*contact.name);
        let approach = contact
            .normal
            .dot(&self.parting(contact, |own, body| own.before(body)));
        let rate = contact.normal.dot(velocity);
        let e = &contact.restitution;
        let bounce = Rational::from(e * &approach);
        let (offset, term) = match (self.settings.method, rebound) {
            (SpaceMethod::MoreauJean, _) => (bounce.min(Rational::new()), Term::Restitution),
            (SpaceMethod::StewartTrinkle, Some(_)) => {
                if *e <= 0 || approach >= 0 {
                    self.report(
                        Term::Restitution,
                        name,
                        "a contact at rest bounces".to_owned(),
                    );
                }
                (bounce, Term::Restitution)
            }
            (SpaceMethod::StewartTrinkle, None) => (
                Rational::from(&contact.gap / &self.settings.h),
                Term::Nonpenetration,
            ),
        };
        let left = offset + rate;
        self.nonnegative(term, name, &left, &allowed.rate);
        self.nonnegative(
            Term::Complementarity,
            name,
            &impulse.normal,
            &allowed.impulse,
        );
        let slack = Rational::from(impulse.normal.abs_ref()) * &allowed.rate
            + Rational::from(left.abs_ref()) * &allowed.impulse;
        self.vanishes(
            Term::Complementarity,
            name,
            &(left * &impulse.normal),
            &slack,
        );
    }

    /// Friction is in its cone, and takes as much energy as the cone allows.
    fn friction(
        &mut self,
        contact: &Contact,
        impulse: &SpaceImpulse,
        velocity: &Vector3<Rational>,
        allowed: &Allowance,
    ) {
        let name = Some(&*contact.name);
        let slip = contact
            .tangents
            .each_ref()
            .map(|tangent| tangent.dot(velocity));
        let limit = Rational::from(&contact.mu * &impulse.normal);
        let work = etalon_rigid::dot(&impulse.friction, &slip);
        let Allowance {
            rate,
            impulse: of_impulse,
            mu,
        } = allowed;
        // The bound with mu and all impulses off: mu r_N eps + (1 + mu) times that of an impulse.
        let room =
            Rational::from(mu * &limit).abs() + Rational::from(&contact.mu + 1u32) * of_impulse;
        let most = match self.settings.cone {
            Cone::Pyramid(sides) => {
                let Ok(directions) = Directions::<Rational>::pythagorean(sides) else {
                    self.report(Term::Data, name, "no such pyramid".to_owned());
                    return;
                };
                // In units of r_N, of which mu times is the bound.
                let wider = match contact.mu == 0 {
                    true => impulse.normal.clone(),
                    false => Rational::from(&room / &contact.mu) + &impulse.normal,
                };
                if !in_polyhedral_cone(&wider, &impulse.friction, &contact.mu, &directions) {
                    self.report(Term::FrictionBound, name, format!("{:.3e}", limit.to_f64()));
                }
                let along = |d: &Vec<Rational>| -etalon_rigid::dot(d, &slip);
                let most = directions.vectors().iter().map(along).max();
                most.unwrap_or_default().max(Rational::new())
            }
            Cone::Circular => {
                let squared = etalon_rigid::dot(&impulse.friction, &impulse.friction);
                let wider = Rational::from(&limit + &room).max(Rational::new());
                if squared > wider.square() {
                    self.report(Term::FrictionBound, name, format!("{:.3e}", limit.to_f64()));
                }
                root(&etalon_rigid::dot(&slip, &slip))
            }
        };
        // r'u~ + mu~ r_N |u~| = 0 for the exact law: u off by `rate` in each of two parts, |u| by 3/2 of it, mu by its part.
        let size = |value: &Rational| Rational::from(value.abs_ref());
        let [r, u] = [&impulse.friction, &slip].map(|two| size(&two[0]) + size(&two[1]));
        let pressed = size(&limit);
        let slack = (r + Rational::from(&pressed * 3u32) / 2u32) * rate
            + Rational::from(&pressed * mu) * &most
            + (u + Rational::from(&contact.mu * &most)) * of_impulse;
        let left = work + most * &limit;
        self.vanishes(Term::MaximalDissipation, name, &left, &slack);
    }
}

fn force(contact: &Contact, impulse: &SpaceImpulse) -> Vector3<Rational> {
    let parts = [&impulse.normal, &impulse.friction[0], &impulse.friction[1]];
    let sum = contact.axes().into_iter().zip(parts);
    sum.fold(etalon_rigid::Vector::zero(), |sum, (axis, part)| {
        &sum + &axis.times(part)
    })
}
