//! Theory as an oracle: what every step must satisfy, checked from bodies, points and impulses.
//!
//! The oracle knows no rows, no matrix and no solver. It takes the states before and after, the contacts with their
//! impulses, and the impulses of the joints; it computes the velocities of points and the torques about centres of
//! mass anew, in fractions. Of the step's problem it asks one thing: that the judge accepts the answer. One thing it takes from the
//! step: the velocity without contacts, as joints hold it, by which it knows whether a contact that pushes closes.
//!
//! The two phases of an impact by Poisson's law are held against the laws one by one ([`phase`]).
//!
//! Steps that somebody else computed ([`SpaceStep::of_record`]) have what rounding of their numbers leaves open
//! ([`SpacePrecision`]) in every law: [`noise`] derives it.
//!
//! Where the judge calls the answer exact, all tolerances are zero. Otherwise the laws that the answer decides
//! (complementarity, cone, maximal dissipation) have what the judge's acceptance leaves open ([`allowance`]); momentum,
//! state, joints and energy are exact for any answer.

mod allowance;
mod contacts;
mod energy;
mod geometry;
mod joints;
mod noise;
mod omitted;
mod phase;
mod separation;
mod turning;

use etalon_rigid::{Dense, Vector, Vector3};
use etalon_time_stepping::{Term, Violation};
use rug::Rational;

use crate::contact::Contact;
use crate::grid::{INERTIA_BITS, kept, rounded};
use crate::settings::Settings;
use crate::state::Motion;
use crate::step::{Compression, Ledger, SpaceStep};
use crate::world::SpaceWorld;
use allowance::Allowance;
pub use noise::SpacePrecision;
use noise::{Noise, OfMomentum};
use phase::{Part, Phase};

/// Checks steps of a world.
pub struct SpaceOracle<'a> {
    world: &'a SpaceWorld,
    settings: &'a Settings,
    /// Of recorded numbers; none where they are exact.
    precision: Option<SpacePrecision>,
}

/// The checks of one step.
struct Examination<'a> {
    world: &'a SpaceWorld,
    settings: &'a Settings,
    number: u64,
    step: &'a SpaceStep,
    /// What is asked of it now; what follows is of that, down to `balances`.
    phase: Phase<'a>,
    /// Whether the judge calls the answer exact.
    exact: bool,
    /// W of each body in the step, computed anew.
    inverses: Vec<Dense<Rational>>,
    /// Force and torque impulses on each body, of contacts and joints.
    pushes: Vec<[Vector3<Rational>; 2]>,
    /// The sizes of all that is added up in them, N s and N m s.
    sizes: Vec<[Rational; 2]>,
    /// What arms and axes of joints on their grid leave open of them, N s and N m s.
    loose: Vec<[Rational; 2]>,
    /// What the angular velocity of each body may be off, rad/s.
    spins: Vec<Rational>,
    /// What the laws of each contact may be off.
    allowances: Vec<Allowance>,
    /// What rounding may do to recorded numbers.
    noise: Noise,
    /// What the balance of each body that moves may be off.
    balances: Vec<(usize, OfMomentum)>,
    /// Where the energy of all phases went, counted anew.
    taken: Ledger,
    /// What it may be off by the balance of momentum, and by what is known of impulses and rates, J.
    slack: Rational,
    room: Rational,
    found: Vec<(Violation, Option<LawAmount>)>,
}

/// A number that breaks a law.
#[derive(Debug, Clone, PartialEq)]
pub struct LawAmount {
    /// What should vanish, or not be negative.
    pub value: Rational,
    /// The largest size that is allowed.
    pub allowed: Rational,
    /// Of both.
    pub unit: &'static str,
}

/// What a recorded step breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// Each law, with the number where there is one.
    pub found: Vec<(Violation, Option<LawAmount>)>,
    /// How far recorded energies may be off those of the states, J.
    pub energy_room: Rational,
    /// How far each limit that takes part is before the step.
    pub limits: Vec<DerivedGap>,
    /// The largest left side of the equations of each joint after the step.
    pub drifts: Vec<DerivedGap>,
}

/// A number that follows from recorded states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DerivedGap {
    /// The number, m or 1.
    pub value: Rational,
    /// How far a recorded one may be off.
    pub room: Rational,
}

/// (v, omega) of a body.
type Twist = [Vector3<Rational>; 2];

impl<'a> SpaceOracle<'a> {
    /// For steps with these settings.
    pub fn new(world: &'a SpaceWorld, settings: &'a Settings) -> Self {
        Self {
            world,
            settings,
            precision: None,
        }
    }

    /// For steps whose numbers are recorded with that precision.
    pub fn with_precision(mut self, precision: SpacePrecision) -> Self {
        self.precision = Some(precision);
        self
    }

    /// All laws that a step breaks, empty where it breaks none.
    pub fn examine(&self, number: u64, step: &SpaceStep) -> Vec<Violation> {
        let found = self.examine_measured(number, step).found.into_iter();
        found.map(|(own, _)| own).collect()
    }

    /// The same with the numbers that break laws.
    pub fn examine_measured(&self, number: u64, step: &SpaceStep) -> Examined {
        let contacts = step.contacts().len();
        let mut examination = Examination {
            world: self.world,
            settings: self.settings,
            number,
            step,
            phase: Phase::last(step),
            exact: false,
            inverses: self.inverses(step),
            pushes: Vec::new(),
            sizes: Vec::new(),
            loose: Vec::new(),
            spins: Vec::new(),
            allowances: Vec::new(),
            noise: Noise::of(self.precision.as_ref(), self.settings, step),
            balances: Vec::new(),
            taken: Ledger {
                friction: vec![Rational::new(); contacts],
                position: vec![Rational::new(); contacts],
                stops: vec![Rational::new(); step.posed.stops.len()],
                drives: vec![Rational::new(); step.posed.driven.len()],
                ..Ledger::default()
            },
            slack: Rational::new(),
            room: Rational::new(),
            found: Vec::new(),
        };
        if let Some(first) = &step.compression {
            examination.begin(Phase::compression(step, first));
            if !examination.lengths_fit() {
                return examination.end();
            }
            examination.compression();
        }
        examination.begin(Phase::last(step));
        if !examination.lengths_fit() {
            return examination.end();
        }
        examination.evaluation();
        examination.prepare();
        examination.contacts();
        examination.impact();
        examination.separation();
        examination.omitted();
        examination.joints();
        examination.momentum();
        examination.turning();
        examination.losses();
        examination.energy();
        examination.end()
    }

    /// R J^-1 R' where the step takes it, each entry on a grid of 2^-48 of the largest.
    fn inverses(&self, step: &SpaceStep) -> Vec<Dense<Rational>> {
        let one = |(i, own): (usize, &Motion)| {
            let exact = self.world.inverse_in_world(i, &own.attitude);
            let largest = crate::grid::largest(&exact);
            let exponent = crate::grid::exponent(&largest) - INERTIA_BITS;
            Dense::from_fn(3, 3, |r, c| rounded(&exact[(r, c)], exponent))
        };
        step.at.bodies.iter().enumerate().map(one).collect()
    }
}

impl Examination<'_> {
    fn end(self) -> Examined {
        // Where nothing was asked there is nothing to be off.
        let was_asked = !self.balances.is_empty();
        Examined {
            energy_room: match was_asked {
                true => self.energy_room(),
                false => Rational::new(),
            },
            limits: self.limits_known(),
            drifts: self.drifts_known(),
            found: self.found,
        }
    }

    fn report(&mut self, term: Term, owner: Option<&str>, amount: String) {
        self.add(term, owner, amount, None);
    }

    fn add(&mut self, term: Term, owner: Option<&str>, amount: String, measure: Option<LawAmount>) {
        let contact = match (self.phase.part, owner) {
            (Part::Compression, Some(owner)) => Some(format!("{owner}, {}", Compression::NAME)),
            (Part::Compression, None) => Some(Compression::NAME.to_owned()),
            (_, owner) => owner.map(str::to_owned),
        };
        let violation = Violation {
            step: self.number,
            contact,
            term,
            amount,
        };
        self.found.push((violation, measure));
    }

    fn measured(&mut self, term: Term, owner: Option<&str>, measure: LawAmount) {
        let amount = format!("{:.3e}", measure.value.to_f64());
        self.add(term, owner, amount, Some(measure));
    }

    /// Reports a number that should be zero, beside terms of that size.
    fn vanishes(&mut self, term: Term, owner: Option<&str>, value: &Rational, allowed: &Rational) {
        self.vanishes_in((term, unit_of_sum(term)), owner, value, allowed);
    }

    /// The same with the unit of the number.
    fn vanishes_in(
        &mut self,
        (term, unit): (Term, &'static str),
        owner: Option<&str>,
        value: &Rational,
        allowed: &Rational,
    ) {
        if Rational::from(value.abs_ref()) > *allowed {
            self.measured(term, owner, LawAmount::of(value, allowed, unit));
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
        self.nonnegative_in((term, unit_of_bound(term)), owner, value, allowed);
    }

    /// The same with the unit of the number.
    fn nonnegative_in(
        &mut self,
        (term, unit): (Term, &'static str),
        owner: Option<&str>,
        value: &Rational,
        allowed: &Rational,
    ) {
        if Rational::from(value + allowed) < 0 {
            self.measured(term, owner, LawAmount::of(value, allowed, unit));
        }
    }

    fn lengths_fit(&mut self) -> bool {
        let (step, moving) = (self.phase, self.world.moving().count());
        let rows: usize = step.posed.joints.iter().map(Vec::len).sum();
        let fits = step.impulses.len() == step.contacts().len()
            && step.to.bodies.len() == self.world.bodies.len()
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

    /// The velocity of a body at the end, as the answer gives it; of a piece as its body has it there.
    fn after(&self, body: usize) -> Twist {
        self.carried(body, |body| self.entries(self.phase.velocity, body))
    }

    /// The velocity of a body before the step, in the step's inertia.
    fn before(&self, body: usize) -> Twist {
        self.carried(body, |body| {
            self.twist_of(&self.step.before.bodies[body], body)
        })
    }

    /// The velocity of a body that contacts do not touch, and joints hold.
    fn without_contacts(&self, body: usize) -> Twist {
        self.carried(body, |body| self.entries(&self.step.posed.free, body))
    }

    /// That of a piece, from that of its body.
    fn carried(&self, body: usize, of_carrier: impl FnOnce(usize) -> Twist) -> Twist {
        self.world.twist_at(&self.step.at, body, of_carrier)
    }

    /// What moves a body on from where contacts are taken to an end of the step, over h: the velocity there, less the share of the one before the step
    /// by which that place is ahead.
    fn onwards(&self, body: usize, end: Twist) -> Twist {
        let share = self.share_ahead();
        if share == 0 {
            return end;
        }
        let [v, w] = self.before(body).map(|own| own.times(&share));
        [&end[0] - &v, &end[1] - &w]
    }

    /// The share of h by which the place where contacts are taken is ahead of the start.
    fn share_ahead(&self) -> Rational {
        self.settings.time_ahead() / &self.settings.h
    }

    /// A gap at the start of the step, of the one where it is taken and its rate before the step.
    fn at_start(&self, there: &Rational, rate: &Rational) -> Rational {
        there - self.settings.time_ahead() * rate
    }

    /// The gap of a contact at the start of the step.
    fn gap(&self, contact: &Contact) -> Rational {
        let before = self.parting(contact, |own, body| own.before(body));
        self.at_start(&contact.gap, &contact.normal.dot(&before))
    }

    /// The step takes masses, contacts and joints where its scheme says.
    fn evaluation(&mut self) {
        let at = self.world.evaluated(&self.step.before, self.settings);
        if !at.is_ok_and(|at| *at == self.step.at) {
            let why = "masses and contacts of another pose than that of the scheme".to_owned();
            self.report(Term::State, None, why);
        }
    }

    /// (v, omega) of a body of the scene.
    fn entries(&self, velocity: &[Rational], body: usize) -> Twist {
        match self.world.moving().position(|i| i == body) {
            Some(k) => [0, 3].map(|part| crate::step::three(&velocity[6 * k + part..])),
            None => [Vector::zero(), Vector::zero()],
        }
    }

    fn twist_of(&self, own: &Motion, body: usize) -> Twist {
        let rate = self.inverses[body].times(own.momentum.coordinates());
        let rate = Vector::new(std::array::from_fn(|k| rate[k].clone()));
        [own.velocity.clone(), rate]
    }

    /// Impulses of a force and a torque on a body; `size` is that of what the torque adds up, `loose` what the vectors that make
    /// both leave open.
    fn push(
        &mut self,
        body: usize,
        [force, torque]: [&Vector3<Rational>; 2],
        size: &Rational,
        loose: [Rational; 2],
    ) {
        let own = &mut self.pushes[body];
        *own = [&own[0] + force, &own[1] + torque];
        self.sizes[body][0] += norm(force);
        self.sizes[body][1] += size;
        for (sum, own) in self.loose[body].iter_mut().zip(loose) {
            *sum += own;
        }
    }

    /// What the angular velocities of the step may be off, of all bodies.
    fn spins(&self) -> Vec<Rational> {
        let one = |body: usize| {
            let body = self.world.carrier(body);
            let states = [self.phase.from, self.phase.to].map(|own| &own.bodies[body]);
            let of = (self.world, body);
            self.noise.of_spin(of, &self.inverses[body], states)
        };
        (0..self.world.bodies.len()).map(one).collect()
    }

    /// Balance of momentum and of angular momentum, and the state that follows.
    fn momentum(&mut self) {
        let none = Rational::new();
        let bodies: Vec<usize> = self.world.moving().collect();
        for body in bodies {
            let own = &self.world.bodies[body];
            // No time passes in a compression.
            let h = match self.phase.part {
                Part::Compression => Rational::new(),
                _ => self.settings.h.clone(),
            };
            let [old, new] = [self.phase.from, self.phase.to].map(|own| &own.bodies[body]);
            let name = own.name.clone();
            let [v, w] = self.after(body);
            let [force, torque] = &self.pushes[body];
            let force = force + &self.world.force(body).times(&h);
            let momentum = &(&old.momentum + torque) + &own.torque.times(&h);
            let change = (&v - &old.velocity).times(&own.mass);
            let rate = self.inverses[body].times(momentum.coordinates());
            let of_body = (self.world, body);
            let off = self
                .noise
                .of_momentum(of_body, &self.sizes[body], (old, new), &h)
                .with(&self.loose[body]);
            for k in 0..3 {
                let left = Rational::from(&change[k] - &force[k]);
                self.vanishes(Term::Momentum, Some(&name), &left, &off.linear);
                // What is recorded is the state itself: only positions follow from it.
                if self.noise.is_none() {
                    let left = Rational::from(&w[k] - &rate[k]);
                    self.vanishes(Term::Momentum, Some(&name), &left, &none);
                } else {
                    let left = Rational::from(&new.momentum[k] - &momentum[k]);
                    let law = (Term::Momentum, "N m s");
                    self.vanishes_in(law, Some(&name), &left, &off.angular);
                }
            }
            self.follows(body, &v, &momentum, (&h, &off.position));
            self.balances.push((body, off));
        }
        self.fixed_stay();
    }

    /// Bodies that are fixed do not move, and pieces are where their bodies have them.
    fn fixed_stay(&mut self) {
        for state in [&self.step.before, self.phase.to] {
            let mut own = state.clone();
            self.world.carry(&mut own);
            let pairs = own.bodies.iter().zip(&state.bodies);
            let off = pairs.enumerate().filter(|(_, (own, told))| own != told);
            let off: Vec<usize> = off.map(|(body, _)| body).collect();
            for body in off {
                let name = self.world.bodies[body].name.clone();
                let why = "a piece that left its body".to_owned();
                self.report(Term::State, Some(&name), why);
            }
        }
        if *self.world.before(&self.step.before) != self.step.before {
            let why = "a step of a first-order world that does not begin at rest".to_owned();
            self.report(Term::State, None, why);
        }
        for (i, own) in self.world.bodies.iter().enumerate() {
            if own.fixed && self.phase.from.bodies[i] != self.phase.to.bodies[i] {
                self.report(
                    Term::State,
                    Some(&own.name),
                    "a fixed body moved".to_owned(),
                );
            }
        }
    }
}

impl Examination<'_> {
    /// The state of a body that follows from its velocity and angular momentum at the end of the phase.
    fn follows(
        &mut self,
        body: usize,
        v: &Vector3<Rational>,
        momentum: &Vector3<Rational>,
        (h, off): (&Rational, &Rational),
    ) {
        let [old, new] = [self.phase.from, self.phase.to].map(|own| &own.bodies[body]);
        let name = self.world.bodies[body].name.clone();
        let moved = &old.position + &new.velocity.times(h);
        if !self.noise.is_none() {
            for k in 0..3 {
                let left = Rational::from(&new.position[k] - &moved[k]);
                self.vanishes(Term::State, Some(&name), &left, off);
            }
            return;
        }
        // The end of a compression is not rounded.
        let expected = match self.phase.part {
            Part::Compression => [v.clone(), momentum.clone(), moved],
            _ => {
                let exponent = self.world.momentum_exponent(body);
                [
                    kept(v),
                    momentum.map(|own| rounded(own, exponent)),
                    kept(&moved),
                ]
            }
        };
        let own = [&new.velocity, &new.momentum, &new.position];
        for (own, expected) in own.into_iter().zip(&expected) {
            for k in 0..3 {
                let left = Rational::from(&own[k] - &expected[k]);
                self.vanishes(Term::State, Some(&name), &left, &Rational::new());
            }
        }
    }
}

impl LawAmount {
    fn of(value: &Rational, allowed: &Rational, unit: &'static str) -> Self {
        Self {
            value: value.clone(),
            allowed: allowed.clone(),
            unit,
        }
    }
}

/// The unit of what should vanish.
fn unit_of_sum(term: Term) -> &'static str {
    match term {
        Term::Momentum => "N s",
        Term::State | Term::Depth | Term::Geometry => "m",
        Term::Joint => "m/s",
        Term::Complementarity
        | Term::Drive
        | Term::EnergyIdentity
        | Term::Rounding
        | Term::MaximalDissipation => "J",
        _ => "1",
    }
}

/// The unit of what should not be negative.
fn unit_of_bound(term: Term) -> &'static str {
    match term {
        Term::Complementarity | Term::Drive | Term::FrictionBound | Term::Decompression => "N s",
        Term::Nonpenetration | Term::Restitution | Term::Limit => "m/s",
        Term::FrictionLoss | Term::NumericalLoss | Term::EnergyIdentity => "J",
        _ => "1",
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
