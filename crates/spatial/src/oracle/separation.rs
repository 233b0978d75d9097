//! Pairs of bodies against their contacts: nothing that geometry proposed is believed to be all, or to be the least.
//!
//! Let g(n) be what separates two bodies along a unit vector n ([`crate::separation`]). The gap of a pair is the largest
//! g(n). Of a pair with contacts
//!
//! * the nearest points have one: the least gap of those along n is at most g(n). Against a half-space n is its normal;
//! * no direction parts the bodies at less cost. Where they are apart, or overlap by no more than geometry may be off, the
//!   points of the contact prove it. Where they overlap by more, directions are searched for, and one with a larger g
//!   refutes the contact.
//!
//! Of a pair without contacts a direction separates the bodies, before the step and to its end. Searches are in binary64
//! and decide nothing: g of what they find is taken exactly.

use std::collections::BTreeMap;

use etalon_rigid::Vector;
use etalon_time_stepping::{Activation, Term};
use rug::Rational;

use super::Examination;
use crate::contact::Contact;
use crate::grid::{BITS, exactly};
use crate::separation::{STARTS, Twist, allowed, gap_of, half_space, meeting, widest};
use crate::settings::SpaceMethod;

impl Examination<'_> {
    pub(super) fn separation(&mut self) {
        let mut known: BTreeMap<(usize, usize), Vec<&Contact>> = BTreeMap::new();
        for contact in self.step.contacts() {
            let pair = (contact.second, contact.first);
            known.entry(pair).or_default().push(contact);
        }
        let pairs: Vec<(usize, usize)> = self.world.pairs().collect();
        for pair in pairs {
            match known.get(&pair) {
                Some(contacts) => self.least(pair, contacts),
                None => self.apart(pair),
            }
        }
    }

    /// The contacts of a pair, along each of their normals.
    fn least(&mut self, pair: (usize, usize), contacts: &[&Contact]) {
        let before = &self.step.at;
        // The entries of a normal are off by half a step each, and the centres are far from each other.
        let centres = &before.bodies[pair.1].position - &before.bodies[pair.0].position;
        let of_record = contacts.first().map(|own| self.of_places(own));
        let allowed = allowed(self.world, pair)
            + (super::norm(&centres) >> BITS)
            + of_record.unwrap_or_default();
        // A half-space has an end along one direction, of which all normals are roundings ([`super::geometry`]).
        let plane = half_space(self.world, before, pair).map(|(direction, _)| direction);
        for (k, contact) in contacts.iter().enumerate() {
            let is_like = |other: &&&Contact| plane.is_some() || other.normal == contact.normal;
            if contacts[..k].iter().any(|other| is_like(&other)) {
                continue;
            }
            let direction = plane.as_ref().unwrap_or(&contact.normal);
            let Some(gap) = gap_of(self.world, before, pair, direction) else {
                continue;
            };
            let along = contacts.iter().filter(is_like);
            let least = along.map(|other| &other.gap).min();
            let over = least
                .map(|least| Rational::from(least - &gap))
                .unwrap_or_default();
            // Moreau and Jean leave out contacts that open, and so does activation when violated: what it leaves out has to stay open.
            let all =
                self.settings.method.keeps_gaps() && self.settings.activation == Activation::All;
            if over > allowed && (all || gap < -allowed.clone()) {
                let amount = format!("the nearest points are {:.1e} m nearer", over.to_f64());
                self.report(Term::Depth, Some(&contact.name), amount);
            }
            if gap < -allowed.clone() {
                self.deepest(pair, contact, &gap, &allowed);
            }
        }
    }

    /// Whether a direction parts bodies that overlap at less cost.
    fn deepest(
        &mut self,
        pair: (usize, usize),
        contact: &Contact,
        gap: &Rational,
        allowed: &Rational,
    ) {
        let before = &self.step.at;
        let found = self.world.solids(before, pair).and_then(|[a, b]| {
            let direction = exactly(widest(&a, &b, STARTS).normal)?;
            gap_of(self.world, before, pair, &direction)
        });
        if let Some(less) = found.map(|found| found - gap).filter(|less| less > allowed) {
            let amount = format!(
                "another direction parts the bodies by {:.1e} m less",
                less.to_f64()
            );
            self.report(Term::Depth, Some(&contact.name), amount);
        }
    }

    /// A pair without contacts.
    fn apart(&mut self, pair: (usize, usize)) {
        let twists = [pair.0, pair.1].map(|body| match self.settings.method {
            SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder => {
                self.onwards(body, self.after(body))
            }
            SpaceMethod::MoreauJean => self.onwards(body, self.unmet(body)),
        });
        let h = &self.settings.h;
        if let Some(depth) = meeting(self.world, &self.step.at, pair, &twists, h) {
            let name = |body: usize| &self.world.bodies[body].name;
            let owner = format!("{}/{}", name(pair.1), name(pair.0));
            self.report(
                Term::Missing,
                Some(&owner),
                format!("{:.1e} m", depth.to_f64()),
            );
        }
    }

    /// The velocity that Moreau and Jean's rule asks: that without contacts. What joints add is not known here, so that
    /// bodies with joints count as if they stood still: they must not overlap before the step.
    fn unmet(&self, body: usize) -> Twist {
        self.carried(body, |body| self.unmet_whole(body))
    }

    fn unmet_whole(&self, body: usize) -> Twist {
        let own = &self.world.bodies[body];
        let joints = self.world.joints();
        let held = joints
            .iter()
            .any(|joint| joint.first == body || joint.second == body);
        if own.fixed || held {
            return [Vector::zero(), Vector::zero()];
        }
        let h = &self.settings.h;
        let [v, w] = self.before(body);
        let change = self
            .world
            .force(body)
            .times(&(Rational::from(h) / &own.mass));
        let turned = self.inverses[body].times(own.torque.times(h).coordinates());
        let turned = Vector::new(std::array::from_fn(|k| turned[k].clone()));
        [&v + &change, &w + &turned]
    }
}
