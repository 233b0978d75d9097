//! The record of an implicit step, and the theory that it satisfies.

use etalon_rigid::Scalar;
use rug::float::Round;
use rug::{Float, Rational};

use super::bounce::{BounceBreach, bounce_breaches};
use super::branch::{Branch, Mode, Unpacked};
use super::friction::{FrictionBreach, friction_breaches};
use super::interval::Interval;
use super::josephy::Iterate;
use super::number::{Number, dot};
use super::problem::{StepProblem, Values};
use super::system::product;
use crate::error::StepError;
use crate::formulation::StepLcp;
use crate::oracle::{Term, Violation};
use crate::solve::StepAnswer;
use crate::step::{Energy, State};

/// One step. What derives from the solution is the middle of its enclosure, and 0 where the
/// enclosure holds 0.
#[derive(Debug, Clone)]
pub struct ImplicitStep<S> {
    /// The state before.
    pub before: State<S>,
    /// The state after, rounded as the arithmetic says.
    pub after: State<S>,
    /// The state of each pair.
    pub pairs: Vec<PairRecord>,
    /// Whether a solution is proved to be near.
    pub verified: Verified,
    /// Iterations of Newton's method, over all attempts.
    pub iterations: usize,
    /// Linear complementarity problems solved.
    pub problems: usize,
    /// Steps of the iteration that were shortened, or taken by the fall-back.
    pub dampings: usize,
    /// Whether the iteration ended at a solution, as far as binary64 tells.
    pub converged: bool,
    /// The last linear problem with its answer; `None` where no pair took part.
    pub last: Option<(StepLcp<f64>, StepAnswer<f64>)>,
    /// Where the energy went.
    pub dissipation: ImplicitDissipation,
    /// What the explicit impulse of inertia and the turning of M added to the energy, J, exactly; `None`
    /// where no body has them. Contacts and gravity add none of it: see [`ImplicitStep::examine`].
    pub flight_gain: Option<Rational>,
    /// What bodies that are driven gave to the others, and constant torques, J; `None` where there are none. Energy before and this, less all
    /// losses, is energy after.
    pub work: Option<f64>,
    /// T and V after the step, J.
    pub energy: Energy<S>,
    /// Energy before less all losses less energy after, of the solution itself: holds 0.
    identity: Interval,
    growth: Growth,
    /// Pairs whose friction is certainly another than the law's.
    friction: Vec<FrictionBreach>,
    /// Pairs that certainly bounce otherwise than by Newton's law.
    bounces: Vec<BounceBreach>,
}

/// Whether a step is proved.
#[derive(Debug, Clone, PartialEq)]
pub enum Verified {
    /// The problem of the step has exactly one solution within the tested box. Its velocity differs
    /// from the recorded one by at most this in any coordinate (rounded up).
    Proved {
        /// m/s and rad/s.
        radius: f64,
    },
    /// There is no proof.
    Unproved {
        /// The reason.
        reason: String,
    },
}

/// The state of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRecord {
    /// Its name.
    pub pair: String,
    /// Its state.
    pub mode: Mode,
    /// The distance at the end of the step, m; of a point, f of the other body there.
    pub gap: f64,
    /// p_n, N s.
    pub normal: f64,
    /// p_t, N s.
    pub friction: Vec<f64>,
    /// p_r, N m s, where the pair presses and has torsion.
    pub torsion: Option<f64>,
    /// Whether the pair gained energy: the gap is not concave, and was violated along its normal at
    /// the end of the step. A pair that bounces gives back what restitution says, which is no such gain.
    pub gains: bool,
    /// Whether it bounces.
    pub bounces: bool,
}

/// Where the energy of a step went, J: energy before, and the work of bodies that are driven and of constant torques, less all of these is energy after.
#[derive(Debug, Clone, PartialEq)]
pub struct ImplicitDissipation {
    /// -p_t'v_t - p_r v_r of all pairs.
    pub friction: f64,
    /// (v - v^l)'M (v - v^l)/2.
    pub numerical: f64,
    /// -p_n n'v of all pairs: the loss of stopping at the gap.
    pub position: f64,
    /// The energy that the impulse of inertia and the turning of M took; 0 in the plane and for spheres.
    pub inertial: f64,
    /// The energy that rounding of the state took.
    pub rounding: f64,
}

/// A solution with all that it came from.
pub(super) struct Outcome<'a, S> {
    pub problem: &'a StepProblem<'a>,
    pub before: State<S>,
    pub after: State<S>,
    pub modes: Vec<Mode>,
    pub proof: Result<(), String>,
    pub unknowns: Unpacked<Interval>,
    pub iterate: Iterate,
}

/// How the energy of the recorded states grew, J.
#[derive(Debug, Clone)]
struct Growth {
    /// Energy after less energy before, less what inertia added, and with what friction and stopping took.
    left: Interval,
    /// See [`spread`].
    spread: Interval,
}

/// The losses of the solution, enclosed.
struct Losses {
    friction: Interval,
    numerical: Interval,
    position: Interval,
    inertial: Interval,
    /// Of bodies that are driven, on the others.
    work: Interval,
    /// Of constant torques.
    twisting: Interval,
}

impl Losses {
    /// All but rounding, less all work, with that part of the inertia.
    fn known(&self, inertial: &Interval) -> Interval {
        let taken = self.friction.clone() + self.numerical.clone() + self.position.clone();
        taken + inertial.clone() - self.all_work()
    }

    /// The work of bodies that are driven, and of constant torques.
    fn all_work(&self) -> Interval {
        self.work.clone() + self.twisting.clone()
    }

    /// All work for people; none where nothing does any.
    fn told_work(&self, problem: &StepProblem<'_>) -> Option<f64> {
        let (system, h) = (problem.system, problem.h);
        let works = system.drives() || system.twists(h).is_some();
        works.then(|| shown(&self.all_work()))
    }

    /// The losses for people, with the part of the inertia and of rounding in place of its own.
    fn shown(&self, inertial: &Interval, rounding: &Interval) -> ImplicitDissipation {
        ImplicitDissipation {
            friction: shown(&self.friction),
            numerical: shown(&self.numerical),
            position: shown(&self.position),
            inertial: shown(inertial),
            rounding: shown(rounding),
        }
    }
}

/// The middle; 0 where that is within.
fn shown(interval: &Interval) -> f64 {
    if interval.holds_zero() {
        return 0.0;
    }
    interval.middle().to_f64()
}

impl<S: Scalar> ImplicitStep<S> {
    pub(super) fn record(outcome: Outcome<'_, S>) -> Result<Self, StepError> {
        let Outcome {
            problem,
            before,
            after,
            modes,
            proof,
            unknowns,
            iterate,
        } = outcome;
        let values = problem.values(&unknowns.v, &unknowns.pairs);
        let [q, v] = [&after.q, &after.v].map(|values| exact_all(values));
        let losses = losses(problem, &modes, &unknowns, &values);
        let branch = Branch { problem, modes };
        let pairs = pairs(&branch, &unknowns, &values);
        let system = problem.system;
        let (kinetic, potential) = (system.kinetic(&q, &v), system.potential(&q));
        let old = system.kinetic(problem.q, problem.v) + system.potential(problem.q);
        let lift = |value: &Rational| unknowns.v[0].lift(value);
        let turned = kinetic.clone() - kinetic_of(&problem.mass, &v);
        let inertial = losses.inertial.clone() - lift(&turned);
        let change = old - &kinetic - &potential;
        let impulse = system.inertial_gain(problem.q, problem.v, problem.h);
        let added = impulse.unwrap_or_default() + &turned;
        let rounding = lift(&change) - losses.known(&inertial);
        let growth = Growth {
            left: losses.friction.clone() + losses.position.clone()
                - losses.all_work()
                - lift(&(change + &added)),
            spread: spread(problem, &unknowns.v, &v),
        };
        let verified = match proof {
            Ok(()) => Verified::Proved {
                radius: radius(&unknowns.v, &v),
            },
            Err(reason) => Verified::Unproved { reason },
        };
        Ok(Self {
            identity: identity(problem, &unknowns.v, &losses),
            friction: friction_breaches(problem, &unknowns, &values),
            bounces: bounce_breaches(problem, &unknowns, &values),
            growth,
            flight_gain: system.is_gyroscopic().then_some(added),
            before,
            after,
            pairs,
            converged: iterate.converged() || verified.is_proved(),
            verified,
            iterations: iterate.iterations,
            problems: iterate.problems,
            dampings: iterate.dampings,
            last: iterate.last,
            work: losses.told_work(problem),
            dissipation: losses.shown(&inertial, &rounding),
            energy: Energy {
                kinetic: S::from_rational(&kinetic),
                potential: S::from_rational(&potential),
            },
        })
    }

    /// What bounces by Newton's law gained, J, with their names: what there is more after the step, but for friction, inertia and rounding;
    /// `None` where they gained nothing.
    pub fn bounce_gain(&self) -> Option<(Vec<String>, f64)> {
        let losses = &self.dissipation;
        let gained = -(losses.numerical + losses.position);
        // Turned over and back again, energy is known to some roundings of binary64.
        if gained <= 1e-12 * (losses.numerical.abs() + losses.position.abs()) {
            return None;
        }
        let bounced = self
            .pairs
            .iter()
            .filter(|own| own.bounces && own.normal > 0.0);
        let names: Vec<String> = bounced.map(|own| own.pair.clone()).collect();
        (!names.is_empty()).then_some((names, gained))
    }

    /// The last linear problem, empty where no pair took part.
    pub fn last_problem(&self) -> StepLcp<f64> {
        let empty = StepLcp {
            matrix: Vec::new(),
            q: Vec::new(),
        };
        self.last.as_ref().map_or(empty, |(lcp, _)| lcp.clone())
    }

    /// The laws that a proved step breaks: the energy identity, the sign of every loss (that of a
    /// gap which is not concave can be wrong, and says so), dissipativity, the bound of friction and that it takes all which this
    /// allows, and a state that is not the
    /// solution's to within `slack`. Of a step without a proof nothing is said.
    ///
    /// Dissipativity: with s the impulse of inertia and p = M (v - v^l) - s those of gravity and contacts, M at the
    /// start of the step, s'omega = 0 makes
    ///
    /// > T(v) - T(v^l) = s'M^-1 s/2 + p'v - p'M^-1 p/2.
    ///
    /// What gravity does in p'v the potential loses, and what contacts do is -friction - position. With
    /// `flight_gain`, which is s'M^-1 s/2 and what the turning of M adds,
    ///
    /// > energy after = energy before + flight_gain - friction - position - rounding - p'M^-1 p/2.
    ///
    /// So but for rounding, which a state within `slack` bounds, the energy of the recorded states may grow by no
    /// more than `flight_gain` - friction - position, and the work of bodies that are driven and of torques.
    pub fn examine(&self, step: u64, slack: f64) -> Vec<Violation> {
        let mut found = Vec::new();
        let Verified::Proved { radius } = self.verified else {
            return found;
        };
        let mut broken = |term, contact: Option<&String>, amount: String| {
            found.push(Violation {
                step,
                contact: contact.cloned(),
                term,
                amount,
            });
        };
        if radius.is_nan() || radius > slack {
            broken(Term::State, None, format!("{radius:e}"));
        }
        if !self.identity.holds_zero() || !self.identity.is_bounded() {
            let amount = self.identity.middle().to_f64();
            broken(Term::EnergyIdentity, None, format!("{amount:e}"));
        }
        let Growth { left, spread } = &self.growth;
        let rounded = Float::with_val_round(53, slack, Round::Up).0 * spread.high();
        if !left.is_bounded() || *left.low() > rounded {
            let amount = left.middle().to_f64();
            broken(Term::Dissipativity, None, format!("{amount:e}"));
        }
        let losses = &self.dissipation;
        for (term, loss) in [
            (Term::FrictionLoss, losses.friction),
            (Term::NumericalLoss, losses.numerical),
        ] {
            if loss < 0.0 || loss.is_nan() {
                broken(term, None, format!("{loss:e}"));
            }
        }
        for own in &self.friction {
            broken(own.term, Some(&own.pair), format!("{:e}", own.amount));
        }
        for own in &self.bounces {
            broken(
                Term::Restitution,
                Some(&own.pair),
                format!("{:e}", own.amount),
            );
        }
        for pair in self.pairs.iter().filter(|pair| pair.gains) {
            broken(Term::PositionLoss, Some(&pair.pair), "a gain".to_owned());
        }
        found
    }
}

impl Verified {
    /// Whether there is a proof.
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Proved { .. })
    }
}

fn exact_all<S: Scalar>(values: &[S]) -> Vec<Rational> {
    let number = |value: &S| value.to_number().map(|n| n.to_rational());
    values
        .iter()
        .map(|v| number(v).unwrap_or_default())
        .collect()
}

/// v'M v/2.
fn kinetic_of(mass: &[Vec<Rational>], v: &[Rational]) -> Rational {
    let momentum = product(mass, v);
    let terms = momentum.iter().zip(v).map(|(p, v)| Rational::from(p * v));
    terms.fold(Rational::new(), |sum, term| sum + term) / 2u32
}

/// v'M v/2, enclosed.
fn kinetic_in(mass: &[Vec<Rational>], v: &[Interval]) -> Interval {
    let zero = &v[0];
    let row = |row: &Vec<Rational>| -> Interval {
        let row: Vec<Interval> = row.iter().map(|m| zero.lift(m)).collect();
        dot(zero, &row, v)
    };
    let momentum: Vec<Interval> = mass.iter().map(row).collect();
    dot(zero, &momentum, v) / zero.integer(2)
}

fn losses(
    problem: &StepProblem<'_>,
    modes: &[Mode],
    unknowns: &Unpacked<Interval>,
    values: &Values<Interval>,
) -> Losses {
    let v = &unknowns.v;
    let zero = v[0].integer(0);
    let lift =
        |values: &[Rational]| -> Vec<Interval> { values.iter().map(|x| zero.lift(x)).collect() };
    let (mut friction, mut position) = (zero.clone(), zero.clone());
    let mut work = zero.clone();
    for (own, values) in unknowns.pairs.iter().zip(&values.pairs) {
        let Some((p_n, p_t)) = &own.impulse else {
            continue;
        };
        if modes[own.pair] == Mode::Slide {
            // Friction that sticks does no work: the sliding is 0 by the branch's equations.
            friction = friction - dot(&zero, p_t, &values.sliding);
        }
        work = work - values.on_driven.clone();
        if let Some(rate) = &values.normal_rate {
            position = position - p_n.clone() * rate.clone();
        }
    }
    let old = lift(problem.v);
    let change: Vec<Interval> = v
        .iter()
        .zip(&old)
        .map(|(a, b)| a.clone() - b.clone())
        .collect();
    let inertial = problem.system.inertial(problem.q, problem.v, problem.h);
    Losses {
        friction,
        numerical: kinetic_in(&problem.mass, &change),
        position,
        inertial: -dot(&zero, &lift(&inertial), v),
        work,
        twisting: match problem.system.twists(problem.h) {
            Some(twists) => dot(&zero, &lift(&twists), v),
            None => zero.clone(),
        },
    }
}

/// Energy before less all losses less energy after, with M at the start of the step and V linear.
fn identity(problem: &StepProblem<'_>, v: &[Interval], losses: &Losses) -> Interval {
    let zero = &v[0];
    let old = zero.lift(&kinetic_of(&problem.mass, problem.v));
    // What gravity, constant forces and torques give: h k'v.
    let system = problem.system;
    let still = vec![Rational::new(); problem.v.len()];
    // At v = 0 the impulse is theirs alone: M v and omega x I omega vanish.
    let weights = system.impulse(problem.q, &still, problem.h);
    let weights: Vec<Interval> = weights.iter().map(|w| zero.lift(w)).collect();
    let work = dot(zero, &weights, v);
    old + work + losses.work.clone()
        - losses.friction.clone()
        - losses.numerical.clone()
        - losses.position.clone()
        - losses.inertial.clone()
        - kinetic_in(&problem.mass, v)
}

/// A bound on the energy that rounding of the state can take, for each unit by which it moves an entry of v and q. For
/// T it is the sizes of M (v + v^)/2, where v^ is the recorded velocity and M is taken at the start of the step (the
/// turning of M is taken with the recorded state). For V it is the sizes of the weights, for q and for h v.
fn spread(problem: &StepProblem<'_>, v: &[Interval], recorded: &[Rational]) -> Interval {
    let zero = &v[0];
    let size = |values: Vec<Interval>| {
        let sizes = values.into_iter().map(|x| Interval::point(&x.magnitude()));
        sizes.fold(zero.integer(0), |sum, size| sum + size)
    };
    let sum: Vec<Interval> = v
        .iter()
        .zip(recorded)
        .map(|(own, kept)| own.clone() + zero.lift(kept))
        .collect();
    let row = |row: &Vec<Rational>| {
        let row: Vec<Interval> = row.iter().map(|m| zero.lift(m)).collect();
        dot(zero, &row, &sum)
    };
    let momentum = size(problem.mass.iter().map(row).collect()) / zero.integer(2);
    let still = vec![Rational::new(); recorded.len()];
    // The impulse of a second of rest is the force. Torques have no potential, and make the bound no smaller.
    let second = Rational::from(1);
    let weights = problem.system.impulse(problem.q, &still, &second);
    let weights = size(weights.iter().map(|w| zero.lift(w)).collect());
    momentum + weights * (zero.integer(1) + zero.lift(problem.h))
}

fn pairs(
    branch: &Branch<'_>,
    unknowns: &Unpacked<Interval>,
    values: &Values<Interval>,
) -> Vec<PairRecord> {
    let problem = branch.problem;
    let records = unknowns.pairs.iter().zip(&values.pairs).zip(&branch.modes);
    let record = |((own, values), mode): ((_, &super::problem::PairValues<Interval>), &Mode)| {
        let own: &super::problem::PairUnknowns<Interval> = own;
        let gap = match &values.slope {
            Some(slope) => values.gap.clone() * slope.clone(),
            None => branch.gap(&unknowns.v, own.pair, values),
        };
        let (normal, mut friction) = match &own.impulse {
            Some((p_n, p_t)) => (shown(p_n), p_t.iter().map(shown).collect()),
            None => (0.0, Vec::new()),
        };
        let tangents = problem.tangents(own.pair);
        let torsion = (friction.len() > tangents)
            .then(|| friction.pop())
            .flatten();
        let bounces = values.bounce.is_some();
        let gains = !bounces
            && values.normal_rate.as_ref().is_some_and(|rate| {
                // The gap before the step along the normal after it. 1e-9 is chosen, far above its rounding.
                let before = rate.middle() * Float::with_val(53, problem.h);
                before > 1e-9
            });
        let pair = &problem.system.pairs()[own.pair];
        PairRecord {
            pair: problem.system.pair_name(pair),
            mode: *mode,
            gap: match *mode == Mode::Separated || bounces {
                true => shown(&gap),
                false => 0.0,
            },
            normal,
            friction,
            torsion,
            gains,
            bounces,
        }
    };
    records.map(record).collect()
}

/// The largest distance of a recorded velocity from any in the enclosure, rounded up.
fn radius(enclosure: &[Interval], recorded: &[Rational]) -> f64 {
    let pairs = enclosure.iter().zip(recorded);
    let distances = pairs.map(|(v, kept)| (v.clone() - v.lift(kept)).magnitude());
    let largest = distances.fold(Float::new(53), |max, distance| {
        let distance = Float::with_val_round(53, distance, Round::Up).0;
        max.max(&distance)
    });
    largest.to_f64_round(Round::Up)
}
