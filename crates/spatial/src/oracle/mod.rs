//! Theory as an oracle: what every step must satisfy, checked from bodies, points and impulses.
//!
//! The oracle knows no rows, no matrix and no solver. It takes the states before and after, the contacts with their
//! impulses, and the impulses of the joints; it computes the velocities of points and the torques about centres of
//! mass anew, in fractions. Of the step's problem it asks one thing: that the judge accepts the answer.
//!
//! Where the judge calls the answer exact, all tolerances are zero. Otherwise the laws that the answer decides
//! (complementarity, cone, maximal dissipation) have what the judge's acceptance leaves open ([`allowance`]); momentum,
//! state, joints and energy are exact for any answer.

mod allowance;
mod contacts;
mod energy;
mod geometry;
mod joints;
mod separation;
mod turning;

use etalon_lcp::VerdictKind;
use etalon_rigid::{Dense, Vector, Vector3};
use etalon_time_stepping::{Term, Violation};
use rug::Rational;

use crate::grid::{INERTIA_BITS, kept, rounded};
use crate::settings::Settings;
use crate::state::Motion;
use crate::step::SpaceStep;
use crate::world::SpaceWorld;
use allowance::Allowance;

/// Checks steps of a world.
pub struct SpaceOracle<'a> {
    world: &'a SpaceWorld,
    settings: &'a Settings,
}

/// The checks of one step.
struct Examination<'a> {
    world: &'a SpaceWorld,
    settings: &'a Settings,
    number: u64,
    step: &'a SpaceStep,
    /// Whether the judge calls the answer exact.
    exact: bool,
    /// W of each body in the step, computed anew.
    inverses: Vec<Dense<Rational>>,
    /// Force and torque impulses on each body, of contacts and joints.
    pushes: Vec<[Vector3<Rational>; 2]>,
    /// What the laws of each contact may be off.
    allowances: Vec<Allowance>,
    found: Vec<Violation>,
}

/// (v, omega) of a body.
type Twist = [Vector3<Rational>; 2];

impl<'a> SpaceOracle<'a> {
    /// For steps with these settings.
    pub fn new(world: &'a SpaceWorld, settings: &'a Settings) -> Self {
        Self { world, settings }
    }

    /// All laws that a step breaks, empty where it breaks none.
    pub fn examine(&self, number: u64, step: &SpaceStep) -> Vec<Violation> {
        let judged = step.judgement.as_ref();
        let exact = judged.is_none_or(|own| own.verdict.kind == VerdictKind::Exact);
        let none = || [Vector::zero(), Vector::zero()];
        let bodies = self.world.bodies.len();
        let mut examination = Examination {
            world: self.world,
            settings: self.settings,
            number,
            step,
            exact,
            inverses: self.inverses(step),
            pushes: (0..bodies).map(|_| none()).collect(),
            allowances: Vec::new(),
            found: Vec::new(),
        };
        if let Some(own) = judged.filter(|own| !own.accepted) {
            let amount = own.verdict.kind.word().to_owned();
            examination.report(Term::Verdict, None, amount);
        }
        if !examination.lengths_fit() {
            return examination.found;
        }
        examination.allowances = examination.allowances();
        examination.contacts();
        examination.separation();
        examination.joints();
        examination.momentum();
        examination.turning();
        examination.energy();
        examination.found
    }

    /// R J^-1 R', each entry on a grid of 2^-48 of the largest.
    fn inverses(&self, step: &SpaceStep) -> Vec<Dense<Rational>> {
        let one = |(i, own): (usize, &Motion)| {
            let exact = self.world.inverse_in_world(i, &own.attitude);
            let largest = crate::grid::largest(&exact);
            let exponent = crate::grid::exponent(&largest) - INERTIA_BITS;
            Dense::from_fn(3, 3, |r, c| rounded(&exact[(r, c)], exponent))
        };
        step.before.bodies.iter().enumerate().map(one).collect()
    }
}

impl Examination<'_> {
    fn report(&mut self, term: Term, owner: Option<&str>, amount: String) {
        self.found.push(Violation {
            step: self.number,
            contact: owner.map(str::to_owned),
            term,
            amount,
        });
    }

    /// Reports a number that should be zero, beside terms of that size.
    fn vanishes(&mut self, term: Term, owner: Option<&str>, value: &Rational, allowed: &Rational) {
        if Rational::from(value.abs_ref()) > *allowed {
            self.report(term, owner, format!("{:.3e}", value.to_f64()));
        }
    }

    /// Reports a number that should not be negative.
    fn nonnegative(
        &mut self,
        term: Term,
        owner: Option<&str>,
        value: &Rational,
        allowed: &Rational,
    ) {
        if Rational::from(value + allowed) < 0 {
            self.report(term, owner, format!("{:.3e}", value.to_f64()));
        }
    }

    fn lengths_fit(&mut self) -> bool {
        let (step, moving) = (self.step, self.world.moving().count());
        let rows: usize = step.posed.joints.iter().map(Vec::len).sum();
        let fits = step.impulses.len() == step.contacts().len()
            && step.velocity.len() == 6 * moving
            && step.joint_impulses.len() == rows
            && step.posed.joints.len() == self.world.joints.len()
            && step.stop_impulses.len() == step.posed.stops.len()
            && step.drive_impulses.len() == step.posed.driven.len();
        if !fits {
            self.report(Term::Data, None, "a list of another length".to_owned());
        }
        fits
    }

    /// The velocity of a body at the end, as the answer gives it.
    fn after(&self, body: usize) -> Twist {
        match self.world.moving().position(|i| i == body) {
            Some(k) => [0, 3].map(|part| crate::step::three(&self.step.velocity[6 * k + part..])),
            None => [Vector::zero(), Vector::zero()],
        }
    }

    /// The velocity of a body before the step, in the step's inertia.
    fn before(&self, body: usize) -> Twist {
        let own = &self.step.before.bodies[body];
        let rate = self.inverses[body].times(own.momentum.coordinates());
        let rate = Vector::new(std::array::from_fn(|k| rate[k].clone()));
        [own.velocity.clone(), rate]
    }

    /// A force impulse on a body at an arm from its centre of mass.
    fn push(&mut self, body: usize, force: &Vector3<Rational>, torque: &Vector3<Rational>) {
        let own = &mut self.pushes[body];
        *own = [&own[0] + force, &own[1] + torque];
    }

    /// Balance of momentum and of angular momentum, and the state that follows.
    fn momentum(&mut self) {
        let none = Rational::new();
        let bodies: Vec<usize> = self.world.moving().collect();
        for body in bodies {
            let own = &self.world.bodies[body];
            let h = &self.settings.h;
            let (old, new) = (
                &self.step.before.bodies[body],
                &self.step.after.bodies[body],
            );
            let name = own.name.clone();
            let [v, w] = self.after(body);
            let [force, torque] = &self.pushes[body];
            let force = force + &self.world.force(body).times(h);
            let momentum = &(&old.momentum + torque) + &own.torque.times(h);
            let change = (&v - &old.velocity).times(&own.mass);
            let rate = self.inverses[body].times(momentum.coordinates());
            let position = kept(&(&old.position + &new.velocity.times(h)));
            let exponent = self.world.momentum_exponent(body);
            let turned = momentum.map(|value| rounded(value, exponent));
            let (moved, velocity) = (new.position.clone(), new.velocity.clone());
            let kept_momentum = new.momentum.clone();
            for k in 0..3 {
                let off = Rational::from(&change[k] - &force[k]);
                self.vanishes(Term::Momentum, Some(&name), &off, &none);
                let off = Rational::from(&w[k] - &rate[k]);
                self.vanishes(Term::Momentum, Some(&name), &off, &none);
                let off = Rational::from(&velocity[k] - &kept(&v)[k]);
                self.vanishes(Term::State, Some(&name), &off, &none);
                let off = Rational::from(&moved[k] - &position[k]);
                self.vanishes(Term::State, Some(&name), &off, &none);
                let off = Rational::from(&kept_momentum[k] - &turned[k]);
                self.vanishes(Term::State, Some(&name), &off, &none);
            }
        }
        for (i, own) in self.world.bodies.iter().enumerate() {
            if own.fixed && self.step.before.bodies[i] != self.step.after.bodies[i] {
                self.report(
                    Term::State,
                    Some(&own.name),
                    "a fixed body moved".to_owned(),
                );
            }
        }
    }
}

/// The sum of the sizes of the entries.
fn norm(vector: &Vector3<Rational>) -> Rational {
    let sizes = vector
        .coordinates()
        .iter()
        .map(|x| Rational::from(x.abs_ref()));
    sizes.fold(Rational::new(), |sum, x| sum + x)
}
