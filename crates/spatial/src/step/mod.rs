//! Steps: contacts at the pose, one problem, and free flight to the next pose.
//!
//! 1. Geometry proposes contacts at the pose of the state. Points, frames and gaps are put on the grid; what follows
//!    is exact.
//! 2. The inverse inertia of each body in the world, W = R J^-1 R', is put on a grid of its own size. With it the
//!    velocity is (v, W L), and the step is one of [`Formulation`]: contacts by complementarity, joints by equation 8 of
//!    Stewart and Trinkle, friction in a pyramid or in the circular cone.
//! 3. Its solution changes velocity and angular momentum, which are put on the grid. Positions move by h v. Each body turns
//!    by [free flight](crate::flight) with the new momentum: so the gyroscopic term is no contact's doing.
//!
//! By Poisson's law of restitution an impact has two problems ([`impact`]).
//!
//! The ledger of energy counts each of these, and the identity holds to the last digit.

mod active;
mod beside;
mod bounce;
mod impact;
mod ledger;
mod parts;
mod problem;
mod record;

use std::collections::HashSet;

use etalon_judge::{Judge, Judgement};
use etalon_lcp::{Basis, Claim, ClaimedAnswer, Problem, Solver};
use etalon_rigid::{Dense, Directions, Vector, Vector3};
use etalon_time_stepping::{Activation, Formulation, StepAnswer, StepError};
use rug::Rational;

use crate::contact::Contact;
use crate::error::SpatialError;
use crate::flight::{Flight, fly};
use crate::grid::{BITS, kept};
use crate::separation::{Twist, meeting};
use crate::settings::{Cone, Settings, SpaceMethod};
use crate::state::{Motion, SpaceState};
use crate::world::{SpaceWorld, onwards};

pub use bounce::BounceGain;
pub use impact::Compression;
pub use ledger::{Energy, Ledger};
use problem::Given;
pub use problem::{Posed, Turning};
pub(crate) use problem::{most_apart, nearness};
pub use record::{SpaceCompressionRecord, SpaceContactRecord, SpaceLimitRecord, SpaceStepRecord};

/// From here on a solver's failure is put down to the coefficient of friction, too: the rows of a contact differ by mu, and
/// binary64 has some 16 digits, of which the judge asks for 9.
const STEEP: u32 = 100_000;

/// A world with everything that it takes to step it.
pub struct SpaceStepper<'a> {
    world: &'a SpaceWorld,
    settings: Settings,
    solver: &'a dyn Solver,
    /// Of a pyramid.
    directions: Option<Directions<Rational>>,
    judge: Judge,
}

/// An answer to a step's problem, with what the judge says of it.
type Answered = (StepAnswer<Rational>, Option<Judgement>);

/// The problem of a step, with what was solved before it.
struct Phases {
    posed: Posed,
    compression: Option<Compression>,
    /// The answer, where it is known already.
    answered: Option<Answered>,
    /// How many problems there are in all.
    problems: u64,
}

/// The impulses of a contact, N s.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpaceImpulse {
    /// Along the normal.
    pub normal: Rational,
    /// Along the tangents.
    pub friction: [Rational; 2],
    /// About the normal, N m s.
    pub torsion: Rational,
    /// About the tangents, N m s.
    pub rolling: [Rational; 2],
}

impl SpaceImpulse {
    /// Whether any of it is not zero.
    pub fn is_some(&self) -> bool {
        let friction = self.friction.iter().chain(&self.rolling);
        let mut all = friction.chain([&self.normal, &self.torsion]);
        all.any(|own| *own != 0)
    }
}

/// One step.
#[derive(Debug, Clone)]
pub struct SpaceStep {
    /// The state before.
    pub before: SpaceState,
    /// The state after, on the grid.
    pub after: SpaceState,
    /// Where masses, contacts and joints are taken: [`SpaceWorld::evaluated`].
    pub at: SpaceState,
    /// Of an impact by Poisson's law: its first phase. All else that acts is then of the second.
    pub compression: Option<Box<Compression>>,
    /// What took part, with its problem.
    pub posed: Posed,
    /// The answer to the problem.
    pub z: Vec<Rational>,
    /// The complementary basis of the answer.
    pub basis: Basis,
    /// Pivots, where the solver counts them.
    pub pivots: Option<u64>,
    /// How many problems were solved.
    pub problems: u64,
    /// What the judge says of the answer; none where there is no problem.
    pub judgement: Option<Judgement>,
    /// (v, omega) of all bodies that move, as the answer gives it, not rounded.
    pub velocity: Vec<Rational>,
    /// One a contact of `posed`.
    pub impulses: Vec<SpaceImpulse>,
    /// One a row of the joints, N s or N m s.
    pub joint_impulses: Vec<Rational>,
    /// One a limit of `posed`, N s or N m s.
    pub stop_impulses: Vec<Rational>,
    /// One a drive of `posed`, N s or N m s.
    pub drive_impulses: Vec<Rational>,
    /// How the bodies turned; none of those that are fixed.
    pub flights: Vec<Option<Flight>>,
    /// After the step.
    pub energy: Energy,
    /// Where the energy went.
    pub ledger: Ledger,
}

impl<'a> SpaceStepper<'a> {
    /// A stepper.
    ///
    /// # Errors
    /// [`SpatialError::Step`] for settings out of range.
    pub fn new(
        world: &'a SpaceWorld,
        settings: Settings,
        solver: &'a dyn Solver,
    ) -> Result<Self, SpatialError> {
        settings.check()?;
        world.check_order(&settings)?;
        let directions = match settings.cone {
            Cone::Circular => None,
            Cone::Pyramid(sides) => Some(Directions::pythagorean(sides)?),
        };
        Ok(Self {
            world,
            settings,
            solver,
            directions,
            judge: Judge::default(),
        })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What takes part in the step from a state, and its problem: the last one where an impact has two.
    ///
    /// # Errors
    /// [`SpatialError`].
    pub fn pose(&self, state: &SpaceState) -> Result<Posed, SpatialError> {
        let before = self.world.before(state);
        let at = self.world.evaluated(&before, &self.settings)?;
        Ok(self.phases(&at)?.posed)
    }

    /// The problem of a step, with what was solved before it, from the state of its point of evaluation.
    fn phases(&self, at: &SpaceState) -> Result<Phases, SpatialError> {
        let near = self.world.contacts(at, &self.settings.h)?;
        let given = Given {
            world: self.world,
            settings: &self.settings,
            directions: self.directions.as_ref(),
            state: at,
        };
        if self.settings.activation == Activation::WhenViolated {
            return self.when_violated(given, near);
        }
        let (posed, compression) = problem::pose(given, near, |posed| self.compress(at, posed))?;
        Ok(Phases {
            problems: 1 + u64::from(compression.is_some()),
            posed,
            compression,
            answered: None,
        })
    }

    /// The problem of the step from a state as a record; none where nothing touches.
    ///
    /// # Errors
    /// [`SpatialError`].
    pub fn problem(&self, state: &SpaceState, name: &str) -> Result<Problem, SpatialError> {
        self.pose(state)?.problem(name)
    }

    /// One step.
    ///
    /// # Errors
    /// [`SpatialError`].
    pub fn step(&self, state: &SpaceState) -> Result<SpaceStep, SpatialError> {
        let state = &*self.world.before(state);
        let at = self.world.evaluated(state, &self.settings)?.into_owned();
        let Phases {
            posed,
            compression,
            answered,
            problems,
        } = self.phases(&at)?;
        let (answer, judgement) = match answered {
            Some(own) => own,
            None => self.answer(&posed, "step")?,
        };
        let whole = posed.whole(&answer.z);
        let formulation = &posed.formulation;
        let velocity = formulation.velocity_after(&whole);
        let way = onwards(&self.settings, &velocity, &formulation.velocity);
        self.check_meetings(&posed, &at, &way)?;
        let joint_impulses = formulation.joint_impulses(&whole);
        let momentum = formulation.mass.times(&velocity);
        let mut after = state.clone();
        let mut flights = vec![None; state.bodies.len()];
        for body in self.world.moving() {
            let (moved, flight) = self.fly(body, &state.bodies[body], &velocity, &momentum)?;
            after.bodies[body] = moved;
            flights[body] = Some(flight);
        }
        self.world.carry(&mut after);
        self.check_points(&posed, [&at, &after], [&way, &velocity])?;
        let mut step = SpaceStep {
            energy: Energy::of(self.world, &after),
            ledger: Ledger::default(),
            before: state.clone(),
            after,
            at,
            basis: answer.basis,
            pivots: answer.pivots,
            problems,
            judgement,
            velocity,
            impulses: posed.impulses(&whole),
            joint_impulses,
            stop_impulses: posed.stop_impulses(&whole),
            drive_impulses: posed.drive_impulses(&whole),
            flights,
            posed,
            compression: compression.map(Box::new),
            z: answer.z,
        };
        step.ledger = Ledger::of(self.world, &step);
        Ok(step)
    }

    fn answer(&self, posed: &Posed, name: &str) -> Result<Answered, SpatialError> {
        let problem = posed.problem(name)?;
        if problem.n() == 0 {
            let answer = StepAnswer {
                z: Vec::new(),
                basis: Basis::new(Vec::new()),
                pivots: Some(0),
            };
            return Ok((answer, None));
        }
        let answer = etalon_time_stepping::ask(&problem, self.solver);
        let mut answer = answer.map_err(|error| self.given_up(error, posed))?;
        posed.settle(&mut answer.z);
        let z = answer.z.iter().cloned().map(Into::into).collect();
        let mut claim = Claim::new(name, ClaimedAnswer::Solved { z });
        if problem.is_lcp() {
            claim.basis = Some(answer.basis.clone());
        }
        let judgement = self.judge.verdict(&problem, &claim);
        Ok((answer, Some(judgement)))
    }

    /// What a solver that gives up on the circular cone leaves to do.
    fn given_up(&self, error: StepError, posed: &Posed) -> SpatialError {
        let StepError::GaveUp { solver, message } = error else {
            return error.into();
        };
        if self.settings.cone != Cone::Circular {
            return StepError::GaveUp { solver, message }.into();
        }
        let steepest = posed.contacts.iter().max_by(|a, b| a.mu.cmp(&b.mu));
        let steep = steepest.filter(|own| own.mu > STEEP).map(|own| {
            format!(
                ", and beside a mu of {:.0e} (contact {:?}) what is normal in a contact loses as many digits",
                own.mu.to_f64(),
                own.name
            )
        });
        SpatialError::Circular {
            solver,
            message,
            steep: steep.unwrap_or_default(),
        }
    }

    /// Refuses a step at whose end bodies without a contact overlap, by what moves them on from where contacts are taken: under Moreau and Jean's rule contacts are those
    /// that the velocity before lets close, and geometry has asked for these.
    fn check_meetings(
        &self,
        posed: &Posed,
        state: &SpaceState,
        velocity: &[Rational],
    ) -> Result<(), SpatialError> {
        if self.settings.method == SpaceMethod::MoreauJean {
            return Ok(());
        }
        let twist = |body: usize| twist(self.world, state, velocity, body);
        let known: HashSet<(usize, usize)> = posed
            .contacts
            .iter()
            .map(|own| (own.second, own.first))
            .collect();
        for pair in self.world.pairs().filter(|pair| !known.contains(pair)) {
            let twists = [twist(pair.0), twist(pair.1)];
            if let Some(depth) = meeting(self.world, state, pair, &twists, &self.settings.h) {
                let name = |body: usize| self.world.bodies[body].name.clone();
                return Err(SpatialError::Meeting {
                    first: name(pair.1),
                    second: name(pair.0),
                    depth: format!("{:.1e}", depth.to_f64()),
                });
            }
        }
        Ok(())
    }

    /// A body at the end of the step.
    fn fly(
        &self,
        body: usize,
        own: &Motion,
        velocity: &[Rational],
        momentum: &[Rational],
    ) -> Result<(Motion, Flight), SpatialError> {
        let Some(at) = self.world.dof(body) else {
            let why = StepError::Missing {
                what: "moving body",
                index: body,
            };
            return Err(why.into());
        };
        let h = &self.settings.h;
        let velocity = kept(&three(&velocity[at..]));
        let momentum = self.world.kept_momentum(body, &three(&momentum[at + 3..]));
        let inverse = self.world.inverse_inertia(body);
        let flight = fly(&own.attitude, &momentum, inverse, h)
            .map_err(|angle| self.world.turns_too_far(body, angle))?;
        let moved = Motion {
            position: kept(&(&own.position + &velocity.times(h))),
            attitude: flight.attitude.clone(),
            velocity,
            momentum,
        };
        Ok((moved, flight))
    }
}

/// Half a step of the grid of lengths and velocities.
pub(crate) fn half_step() -> Rational {
    Rational::from(1) >> (BITS + 1)
}

/// (v, omega) of a body, of those of all bodies that move.
fn twist(world: &SpaceWorld, state: &SpaceState, velocity: &[Rational], body: usize) -> Twist {
    world.twist_at(state, body, |body| match world.dof(body) {
        Some(at) => [three(&velocity[at..]), three(&velocity[at + 3..])],
        None => [Vector::zero(), Vector::zero()],
    })
}

/// The first three of some numbers.
pub(crate) fn three(values: &[Rational]) -> Vector3<Rational> {
    Vector::new(std::array::from_fn(|k| {
        values.get(k).cloned().unwrap_or_default()
    }))
}

impl SpaceStep {
    /// The contacts that took part.
    pub fn contacts(&self) -> &[Contact] {
        &self.posed.contacts
    }

    /// (v, omega) of all bodies that move, before the step.
    pub(crate) fn old_velocity(&self) -> &[Rational] {
        let first = self
            .compression
            .as_ref()
            .map_or(&self.posed, |own| &own.posed);
        &first.formulation.velocity
    }

    /// The step's mass, velocity and rows.
    pub fn formulation(&self) -> &Formulation<Rational> {
        &self.posed.formulation
    }

    /// The inverse inertias of the step in the world.
    pub fn inverse_inertias(&self) -> &[Dense<Rational>] {
        &self.posed.inverses
    }
}
