//! The laws of contact.

use etalon_rigid::{Directions, Vector3, in_polyhedral_cone};
use etalon_time_stepping::Term;
use rug::Rational;

use super::allowance::Allowance;
use super::phase::Part;
use super::{Examination, LawAmount, Twist, norm};
use crate::contact::Contact;
use crate::grid::{BITS, root};
use crate::settings::{Cone, ImpactLaw};
use crate::step::SpaceImpulse;

impl Examination<'_> {
    pub(super) fn contacts(&mut self) {
        let step = self.phase;
        let taking_part = step.contacts().iter().zip(step.impulses);
        let rebounds = step
            .posed
            .formulation
            .contacts
            .iter()
            .map(|own| &own.rebound);
        let allowances = self.allowances.clone();
        for (((contact, impulse), rebound), allowed) in taking_part.zip(rebounds).zip(&allowances) {
            // A compression has contacts of its step.
            if step.part != Part::Compression {
                self.frame(contact);
                self.geometry(contact);
            }
            let velocity = self.parting(contact, |own, body| own.after(body));
            self.normal(contact, impulse, &velocity, (rebound.as_ref(), allowed));
            self.friction(contact, impulse, &velocity, allowed);
            let force = force(contact, impulse);
            let torque = torque(contact, impulse);
            // Weights of a pyramid add up to the bound. The sizes of the entries of a unit vector add up to less than 2.
            let size = |value: &Rational| Rational::from(value.abs_ref());
            let both = |own: &[Rational; 2]| size(&own[0]) + size(&own[1]);
            let pressed = size(&impulse.normal);
            let mu = contact.mu.clone().max(contact.across.clone());
            let all = both(&impulse.friction).max(mu * &pressed) + &pressed;
            let rolled = both(&impulse.rolling).max(Rational::from(&contact.rolling * &pressed));
            let turned = rolled + size(&impulse.torsion);
            for (body, force, torque) in [
                (contact.first, force.clone(), torque.clone()),
                (contact.second, -&force, -&torque),
            ] {
                let body = self.world.carrier(body);
                let place = &self.step.at.bodies[body].position;
                let torque = &(&contact.point - place).cross(&force) + &torque;
                let size = (norm(&contact.point) + norm(place)) * &all + &turned;
                self.push(body, [&force, &torque], &(size * 2u32), Default::default());
            }
        }
        self.turning_at_contacts();
    }

    /// Friction against spinning about the normal, and against rolling across it.
    fn turning_at_contacts(&mut self) {
        let step = self.phase;
        let of_turning = self.allowances.len() - step.posed.turning.len();
        let mut known = 0;
        for (k, (contact, impulse)) in step.contacts().iter().zip(step.impulses).enumerate() {
            let turns = self.turns(contact);
            let [spin, one, other] = contact.axes().map(|axis| axis.dot(&turns));
            let none = Rational::new;
            for (is_rolling, mu, own, slip) in [
                (
                    false,
                    &contact.torsion,
                    [impulse.torsion.clone(), none()],
                    [spin, none()],
                ),
                (
                    true,
                    &contact.rolling,
                    impulse.rolling.clone(),
                    [one, other],
                ),
            ] {
                let told = step.posed.turning.get(known);
                let is_here =
                    told.is_some_and(|told| told.contact == k && told.is_rolling == is_rolling);
                if (*mu > 0) != is_here {
                    self.report(
                        Term::Data,
                        Some(&contact.name),
                        "another friction".to_owned(),
                    );
                    continue;
                }
                let allowed = match is_here {
                    true => self.allowances[of_turning + known].clone(),
                    false => Allowance::default(),
                };
                known += usize::from(is_here);
                let cone = match (is_rolling, self.settings.cone) {
                    (true, Cone::Pyramid(sides)) => Disc::Pyramid(sides),
                    (true, Cone::Circular) => Disc::Circle,
                    (false, _) => Disc::Line,
                };
                self.disc(
                    contact,
                    ((cone, "N m s"), mu, &impulse.normal),
                    [&own, &slip],
                    &allowed,
                );
            }
        }
    }

    /// How fast the first body turns against the second.
    pub(super) fn turns(&self, contact: &Contact) -> Vector3<Rational> {
        let [a, b] = [contact.first, contact.second].map(|body| self.after(body)[1].clone());
        &a - &b
    }

    /// How fast the first body's point leaves the second's.
    pub(super) fn parting(
        &self,
        contact: &Contact,
        twist: impl Fn(&Self, usize) -> Twist,
    ) -> Vector3<Rational> {
        let [a, b] = [contact.first, contact.second].map(|body| {
            let [v, w] = twist(self, body);
            let arm = &contact.point - &self.step.at.bodies[body].position;
            &v + &w.cross(&arm)
        });
        &a - &b
    }

    /// The frame is orthonormal to the rounding of its entries, and friction is that of the surfaces.
    fn frame(&mut self, contact: &Contact) {
        let axes = contact.axes();
        // An entry is off by half a step and by the rounding of binary64, together below one step u = 2^-40. Both
        // vectors of a product are, and the sum of the sizes of the entries of a unit vector is below 2: 4 u and 3 u^2.
        let one = Rational::from(1);
        let allowed = (Rational::from(5) >> BITS) + self.noise.of_few(&one, &Rational::new());
        for (i, a) in axes.iter().enumerate() {
            for (j, b) in axes.iter().enumerate().take(i + 1) {
                let off = a.dot(b) - u32::from(i == j);
                self.vanishes(Term::Frame, Some(&contact.name), &off, &allowed);
            }
        }
        let surface = self.world.surface_of(contact);
        let own = [
            &contact.mu,
            &contact.restitution,
            &contact.torsion,
            &contact.rolling,
        ];
        if own
            != [
                &surface.mu,
                &surface.restitution,
                &surface.torsion,
                &surface.rolling,
            ]
        {
            self.report(
                Term::Frame,
                Some(&contact.name),
                "another surface".to_owned(),
            );
        }
        self.grain(contact);
    }

    /// Where friction has a grain the first tangent is along it.
    fn grain(&mut self, contact: &Contact) {
        let surface = self.world.surface_of(contact);
        if contact.across != *surface.across() {
            self.report(Term::Frame, Some(&contact.name), "another grain".to_owned());
        }
        let pair = (contact.second, contact.first);
        let Some(along) = self.world.grain(&self.step.at, pair) else {
            return;
        };
        let [one, other] = &contact.tangents;
        // The second tangent is off by some steps of the grid, and by rounding beside the part of the direction in the
        // surface, which is at least a millionth of it.
        let allowed = super::norm(&along) >> (BITS - 20);
        self.vanishes(
            Term::Frame,
            Some(&contact.name),
            &other.dot(&along),
            &allowed,
        );
        self.nonnegative(
            Term::Frame,
            Some(&contact.name),
            &one.dot(&along),
            &Rational::new(),
        );
    }

    /// Normal impulse and gap, or the law of restitution where the contact bounces.
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
        let law = self.law_of(contact, &approach, rebound);
        let left = law.offset + rate;
        self.closes(contact, (impulse, law.term), rebound.is_some(), allowed);
        self.nonnegative(law.term, name, &left, &allowed.rate);
        let beyond = Rational::from(&impulse.normal - &law.least);
        let bound = match law.least > 0 {
            true => Term::Decompression,
            false => Term::Complementarity,
        };
        self.nonnegative(bound, name, &beyond, &allowed.impulse);
        let slack = Rational::from(beyond.abs_ref()) * &allowed.rate
            + Rational::from(left.abs_ref()) * &allowed.impulse;
        self.vanishes(Term::Complementarity, name, &(left * beyond), &slack);
    }

    /// A contact that pushes without regard to its gap is closed, or closes in the step: by the velocity without contacts, or by that
    /// before it. With restitution one that approaches and closes bounces.
    fn closes(
        &mut self,
        contact: &Contact,
        (impulse, term): (&SpaceImpulse, Term),
        bounces: bool,
        allowed: &Allowance,
    ) {
        let name = Some(&*contact.name);
        let h = &self.settings.h;
        let free = self.parting(contact, |own, body| own.without_contacts(body));
        let free = contact.normal.dot(&free);
        let before = self.parting(contact, |own, body| own.before(body));
        let approach = contact.normal.dot(&before);
        let gap = self.at_start(&contact.gap, &approach);
        let size = Rational::from(contact.gap.abs_ref());
        let room = Rational::from(&allowed.rate * h) + self.noise.of_few(&size, &Rational::from(1));
        let closing = free.clone().min(approach.clone()).min(Rational::new());
        let left = Rational::from(&closing * h) + &gap;
        let reached = Rational::from(&free * h) + &gap;
        if term == Term::Restitution && impulse.normal > allowed.impulse && left > room {
            let gap = contact.gap.to_f64();
            let why = format!("pushes over a gap of {gap:.3e} m that does not close");
            self.report(Term::Complementarity, name, why);
        }
        match (self.settings.impact, self.phase.part) {
            (_, Part::Compression) => {}
            (ImpactLaw::Poisson, _) => {
                self.strikes(contact, [&approach, &reached], (&room, allowed));
            }
            (ImpactLaw::Newton, _) => {
                let approaches = approach < -allowed.rate.clone() && reached + &room < 0;
                if !bounces && contact.restitution > 0 && approaches {
                    let why = "a contact that closes does not bounce".to_owned();
                    self.report(Term::Restitution, name, why);
                }
            }
        }
    }

    /// Friction along the tangents.
    fn friction(
        &mut self,
        contact: &Contact,
        impulse: &SpaceImpulse,
        velocity: &Vector3<Rational>,
        allowed: &Allowance,
    ) {
        let slip = contact
            .tangents
            .each_ref()
            .map(|tangent| tangent.dot(velocity));
        let cone = match self.settings.cone {
            Cone::Pyramid(sides) => Disc::Pyramid(sides),
            Cone::Circular => Disc::Circle,
        };
        if !contact.has_grain() {
            let of_normal = ((cone, "N s"), &contact.mu, &impulse.normal);
            self.disc(contact, of_normal, [&impulse.friction, &slip], allowed);
            return;
        }
        // In units of the coefficients the cone is the plain one of mu = 1, and work stays what it is.
        let (low, high) = match contact.mu < contact.across {
            true => (&contact.mu, &contact.across),
            false => (&contact.across, &contact.mu),
        };
        let scaled = Allowance {
            rate: Rational::from(&allowed.rate * high),
            impulse: Rational::from(&allowed.impulse / low),
            mu: allowed.mu.clone(),
        };
        let [f, g] = &impulse.friction;
        let [x, y] = &slip;
        let own = [
            Rational::from(f / &contact.mu),
            Rational::from(g / &contact.across),
        ];
        let slip = [
            Rational::from(x * &contact.mu),
            Rational::from(y * &contact.across),
        ];
        let of_normal = ((cone, "N s"), &Rational::from(1), &impulse.normal);
        self.disc(contact, of_normal, [&own, &slip], &scaled);
    }

    /// Friction is in its cone, and takes as much energy as the cone allows.
    fn disc(
        &mut self,
        contact: &Contact,
        ((cone, unit), coefficient, normal): ((Disc, &'static str), &Rational, &Rational),
        [own, slip]: [&[Rational; 2]; 2],
        allowed: &Allowance,
    ) {
        let name = Some(&*contact.name);
        let limit = Rational::from(coefficient * normal);
        let work = etalon_rigid::dot(own, slip);
        let Allowance {
            rate,
            impulse: of_impulse,
            mu,
        } = allowed;
        // The bound with mu and all impulses off: mu r_N eps + (1 + mu) times that of an impulse.
        let room =
            Rational::from(mu * &limit).abs() + Rational::from(coefficient + 1u32) * of_impulse;
        let wider = Rational::from(&limit + &room).max(Rational::new());
        let squared = etalon_rigid::dot(own, own);
        let (is_within, most) = match cone {
            Disc::Line => (own[0].clone().abs() <= wider, slip[0].clone().abs()),
            Disc::Circle => {
                let most = root(&etalon_rigid::dot(slip, slip));
                (squared <= wider.clone().square(), most)
            }
            Disc::Pyramid(sides) => {
                let Ok(directions) = Directions::<Rational>::pythagorean(sides) else {
                    self.report(Term::Data, name, "no such pyramid".to_owned());
                    return;
                };
                let one = Rational::from(1);
                let along = |d: &Vec<Rational>| -etalon_rigid::dot(d, slip);
                let most = directions.vectors().iter().map(along).max();
                (
                    in_polyhedral_cone(&wider, own, &one, &directions),
                    most.unwrap_or_default().max(Rational::new()),
                )
            }
        };
        if !is_within {
            let amount = format!("{:.3e}", limit.to_f64());
            let over = cone.bound_of(own).map(|least| {
                let room = Rational::from(&wider - &limit);
                LawAmount::of(&Rational::from(&limit - &least), &room, unit)
            });
            self.add(Term::FrictionBound, name, amount, over);
        }
        // r'u~ + mu~ r_N |u~| = 0 for the exact law: u off by `rate` in each of two parts, |u| by 3/2 of it, mu by its part.
        let size = |value: &Rational| Rational::from(value.abs_ref());
        let [r, u] = [own, slip].map(|two| size(&two[0]) + size(&two[1]));
        let pressed = size(&limit);
        let slack = (r + Rational::from(&pressed * 3u32) / 2u32) * rate
            + Rational::from(&pressed * mu) * &most
            + (u + Rational::from(coefficient * &most)) * of_impulse;
        let left = work + most * &limit;
        self.vanishes(Term::MaximalDissipation, name, &left, &slack);
    }
}

/// The shape of a friction cone, cut across.
#[derive(Debug, Clone, Copy)]
enum Disc {
    /// One direction, with both signs.
    Line,
    /// A polygon of that many corners in the circle.
    Pyramid(usize),
    /// The circle.
    Circle,
}

impl Disc {
    /// The least bound that lets a friction be.
    fn bound_of(self, own: &[Rational; 2]) -> Option<Rational> {
        match self {
            Self::Line => Some(own[0].clone().abs()),
            Self::Circle => Some(root(&etalon_rigid::dot(own, own))),
            Self::Pyramid(sides) => {
                let directions = Directions::<Rational>::pythagorean(sides).ok()?;
                let all = directions.vectors();
                // Along the outward normal of a side, beside how far the side is.
                let edge = |(a, b): (&Vec<Rational>, &Vec<Rational>)| {
                    let normal = [Rational::from(&b[1] - &a[1]), Rational::from(&a[0] - &b[0])];
                    etalon_rigid::dot(&normal, own) / etalon_rigid::dot(&normal, a)
                };
                all.iter().zip(all.iter().cycle().skip(1)).map(edge).max()
            }
        }
    }
}

fn force(contact: &Contact, impulse: &SpaceImpulse) -> Vector3<Rational> {
    let parts = [&impulse.normal, &impulse.friction[0], &impulse.friction[1]];
    let sum = contact.axes().into_iter().zip(parts);
    sum.fold(etalon_rigid::Vector::zero(), |sum, (axis, part)| {
        &sum + &axis.times(part)
    })
}

fn torque(contact: &Contact, impulse: &SpaceImpulse) -> Vector3<Rational> {
    let parts = [&impulse.torsion, &impulse.rolling[0], &impulse.rolling[1]];
    let sum = contact.axes().into_iter().zip(parts);
    sum.fold(etalon_rigid::Vector::zero(), |sum, (axis, part)| {
        &sum + &axis.times(part)
    })
}
