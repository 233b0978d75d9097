//! Points that have no contact and go into the other body: a pair with a contact need not have all of them.
//!
//! A point that has no contact is held to the law of one that has. Let g be its gap before the step and u' the speed at which it parts at
//! the end. It goes in by d = -(g + h u') where the law is Stewart and Trinkle's. Where gaps do not enter (Moreau and Jean, and
//! pairs that bounce), d = -(max(g, 0) + h u'), and in the first the point must close by the velocity without contacts, as they ask
//! no other. The law is linear in the step and the motion is not, so that both must say it: a point counts as being in by the lesser of d and what it
//! is inside by, at the recorded pose of the end.
//!
//! Against a half-space the points are the extreme parts of the body ([`crate::separation::Facing`]), which need no search. Between other bodies they are
//! proposed by geometry, and counted only where they are in both bodies, in fractions; so a search that misses one only leaves
//! it out. Of these, a pair is asked along a normal that it has a contact with: along another one its maker sees other points. The points are those halfway from the
//! middle of the proposals to each of them. So a maker may leave out corners of a face, as long as those that it keeps are about the middle of it,
//! and points at the edge of a face do not slip off it.
//!
//! What a point may be in by, m:
//!
//! * 1e-6 of the smaller body, as contacts may be off by that, and what rounding does to places;
//! * h times the largest allowance of a speed of the pair's contacts: a point between contacts is as sure as they are;
//! * h times twice the arm, times what the spins may be off.

use std::collections::BTreeMap;

use etalon_rigid::{Vector, Vector3};
use etalon_time_stepping::Term;
use rug::Rational;

use super::geometry::beyond;
use super::{Examination, LawAmount, norm};
use crate::attitude::into_body;
use crate::contact::Contact;
use crate::separation::{Facing, Pose, allowed};
use crate::settings::SpaceMethod;

/// The contacts of a pair, by their numbers.
#[derive(Default)]
struct Known<'a> {
    contacts: Vec<&'a Contact>,
    /// Whether one of them bounces.
    bounces: bool,
    /// The most that a speed may be off.
    rate: Rational,
}

/// A point of a body that may be in another.
struct Point {
    at: Vector3<Rational>,
    depth: Rational,
}

impl Examination<'_> {
    /// Points without a contact that go into the other body, one a pair: the deepest.
    pub(super) fn omitted(&mut self) {
        let mut known: BTreeMap<(usize, usize), Known<'_>> = BTreeMap::new();
        let step = self.step;
        let posed = step.contacts().iter().zip(&step.formulation().contacts);
        for ((contact, own), allowed) in posed.zip(&self.allowances) {
            let pair = known.entry((contact.second, contact.first)).or_default();
            pair.contacts.push(contact);
            pair.bounces |= own.rebound.is_some();
            pair.rate = pair.rate.clone().max(allowed.rate.clone());
        }
        let pairs: Vec<(usize, usize)> = self.world.pairs().collect();
        for pair in pairs {
            let own = known.remove(&pair).unwrap_or_default();
            let found = match Facing::of(self.world, &step.at, pair) {
                Some(facing) => self.in_half_space(&facing, pair, &own),
                None => self.in_body(pair, &own),
            };
            if let Some((found, allowed)) = found {
                self.tell(pair, &found, &allowed);
            }
        }
    }

    fn tell(&mut self, pair: (usize, usize), found: &Point, allowed: &Rational) {
        let name = |body: usize| &self.world.bodies[body].name;
        let owner = format!("{}/{}", name(pair.1), name(pair.0));
        let [x, y, z] = found.at.coordinates().each_ref().map(Rational::to_f64);
        let depth = found.depth.to_f64();
        let amount = format!(
            "a point without a contact, at ({x:.4}, {y:.4}, {z:.4}) before the step, goes in by {depth:.1e} m"
        );
        let measure = LawAmount::of(&-found.depth.clone(), allowed, "m");
        self.add(Term::Missing, Some(&owner), amount, Some(measure));
    }

    /// What a point of the pair may be in by.
    fn may_be_in(&self, pair: (usize, usize), own: &Known<'_>) -> Rational {
        let (mut far, mut rate) = (Rational::new(), own.rate.clone());
        for body in [pair.0, pair.1] {
            far += norm(&self.step.at.bodies[body].position);
            far += norm(&self.step.after.bodies[body].position);
            let reach = self.world.reach_of(&self.step.at, body);
            rate += Rational::from(&self.spins[body] * &reach) * 2u32;
        }
        let places = self.noise.of_few(&far, &Rational::from(4));
        allowed(self.world, pair) + places + rate * &self.settings.h
    }

    /// The deepest of the points that go in, if it is deeper than allowed.
    fn deepest_of(
        found: impl Iterator<Item = Point>,
        allowed: Rational,
    ) -> Option<(Point, Rational)> {
        let deepest = found.max_by(|a, b| a.depth.cmp(&b.depth))?;
        (deepest.depth > allowed).then_some((deepest, allowed))
    }

    fn in_half_space(
        &self,
        facing: &Facing,
        pair: (usize, usize),
        own: &Known<'_>,
    ) -> Option<(Point, Rational)> {
        let (body, h) = (facing.body, &self.settings.h);
        let before = Pose::of(&self.step.at.bodies[body]);
        let after = Pose::of(&self.step.after.bodies[body]);
        let (end, free) = (self.after(body), self.without_contacts(body));
        let allowed = self.may_be_in(pair, own);
        let leaves_out = self.settings.method == SpaceMethod::MoreauJean;
        let keeps_gap = !leaves_out && !own.bounces;
        let onwards = self.onwards(body, end.clone());
        let way = if keeps_gap { &onwards } else { &end };
        let at_contact = |point: &Vector3<Rational>| {
            let mut all = own.contacts.iter();
            all.any(|contact| contact.is_at(body, point, &allowed))
        };
        let found = facing.extremes.iter().filter_map(|part| {
            let depth = facing.depth(part, [&before, &after], (way, h), keeps_gap);
            if depth <= allowed {
                return None;
            }
            let free = || facing.stood_for(part, &before, [&end, &free], h);
            if leaves_out && free() >= -allowed.clone() {
                return None;
            }
            let at = facing.point(part, &before);
            let is_known = part.is_point() && at_contact(&at);
            (!is_known).then_some(Point { at, depth })
        });
        Self::deepest_of(found, allowed.clone())
    }

    /// The points of two bodies that geometry proposes along the normal of one of their contacts.
    fn in_body(&self, pair: (usize, usize), own: &Known<'_>) -> Option<(Point, Rational)> {
        let near = self.proposed(pair, own);
        let leaves_out = self.settings.method == SpaceMethod::MoreauJean;
        if near.len() < 2 || (leaves_out && !near.iter().all(|own| self.would_close(own))) {
            return None;
        }
        // A proposal may be off by as much as a contact.
        let allowed = self.may_be_in(pair, own) + allowed(self.world, pair);
        let keeps_gap = !leaves_out && !own.bounces;
        let offset = |contact: &Contact| match keeps_gap {
            true => self.gap(contact),
            false => self.gap(contact).max(Rational::new()),
        };
        let middle = mean(near.iter().map(|own| &own.point));
        let gaps: Vec<&Rational> = near.iter().map(|own| &own.gap).collect();
        let offsets: Vec<Rational> = near.iter().map(offset).collect();
        let gap = average(gaps.iter().copied());
        let law = average(offsets.iter());
        let found = near.iter().zip(&offsets).filter_map(|(contact, offset)| {
            let mut half = contact.clone();
            half.point = mean([&contact.point, &middle].into_iter());
            half.gap = average([&contact.gap, &gap].into_iter());
            let rate = self.parting(&half, |own, body| own.after(body));
            let way = half.normal.dot(&rate) * &self.settings.h;
            let depth = -(average([offset, &law].into_iter()) + way);
            let depth = depth.min(self.inside_after(&half, &allowed)?);
            let at = half.point;
            Some(Point { at, depth })
        });
        Self::deepest_of(found, allowed.clone())
    }

    /// What geometry proposes for two bodies, along one normal that they have a contact with.
    fn proposed(&self, pair: (usize, usize), own: &Known<'_>) -> Vec<Contact> {
        if own.contacts.is_empty() {
            return Vec::new();
        }
        let (before, h) = (&self.step.at, &self.settings.h);
        let mut near = self.world.contacts_near(before, h, pair);
        let one = Rational::from(1);
        let sine: Rational = (Rational::from(1) >> 30) + self.noise.of_few(&one, &Rational::new());
        let limit = sine.square();
        let told = |normal: &Vector3<Rational>| {
            own.contacts.iter().any(|own| {
                own.normal.cross(normal).norm_squared() <= limit && own.normal.dot(normal) > 0
            })
        };
        let normals = near.iter().map(|own| &own.normal);
        let normal = normals.clone().find(|normal| told(normal)).cloned();
        near.retain(|own| Some(&own.normal) == normal.as_ref());
        near
    }

    /// Whether a contact closes by the velocity without contacts.
    fn would_close(&self, contact: &Contact) -> bool {
        let free = self.parting(contact, |own, body| own.without_contacts(body));
        let way = contact.normal.dot(&free) * &self.settings.h;
        let gap = self.gap(contact);
        gap <= 0 || way + &gap < 0
    }

    /// How deep a point of one body that is opposite to one of the other is in that one after the step; `None` where one of
    /// them is not in its body before it.
    fn inside_after(&self, contact: &Contact, allowed: &Rational) -> Option<Rational> {
        let half = contact.normal.times(&Rational::from(&contact.gap / 2u32));
        let ends = [
            (contact.first, &contact.point + &half),
            (contact.second, &contact.point - &half),
        ];
        let beyond = |body: usize, own: &crate::state::Motion, at: &Vector3<Rational>| {
            let local = into_body(&own.attitude.rotation(), &(at - &own.position));
            let shape = self.world.bodies[body].shape.as_ref()?;
            let off = beyond(shape, self.world.shape_of(body), &local)?;
            Some((local, off))
        };
        let (before, after) = (&self.step.at.bodies, &self.step.after.bodies);
        let mut depths = Vec::with_capacity(2);
        for ((body, at), other) in ends.iter().zip([contact.second, contact.first]) {
            let (local, off) = beyond(*body, &before[*body], at)?;
            if off > *allowed {
                return None;
            }
            let own = &after[*body];
            let moved = &own.position + &own.attitude.rotation().apply(&local);
            depths.push(-beyond(other, &after[other], &moved)?.1);
        }
        depths.into_iter().max()
    }
}

fn mean<'a>(points: impl Iterator<Item = &'a Vector3<Rational>>) -> Vector3<Rational> {
    let all: Vec<&Vector3<Rational>> = points.collect();
    Vector::new(std::array::from_fn(|k| {
        average(all.iter().map(|own| &own[k]))
    }))
}

fn average<'a>(values: impl Iterator<Item = &'a Rational>) -> Rational {
    let (mut sum, mut count) = (Rational::new(), 0u32);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / count.max(1)
}
