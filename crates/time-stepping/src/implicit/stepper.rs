//! Steps of a system of bodies with implicit surfaces, each with its proof where there is one.

use etalon_lcp::Solver;
use etalon_rigid::Scalar;
use rug::float::Round;
use rug::{Float, Rational};

use super::branch::{Branch, Mode};
use super::candidates::{nearest, ranked, start};
use super::interval::Interval;
use super::josephy::{Complementarity, Iterate, Point};
use super::krawczyk::{newton, preconditioner, prove, refine};
use super::linear::largest;
use super::number::dot;
use super::pose::quaternion_product;
use super::problem::{PairUnknowns, PairValues, StepProblem};
use super::record::{ImplicitStep, Outcome};
use super::start::{closest_points, refined};
use super::system::{Mobility, System, unit};
use super::touch::tangent_axis;
use crate::arithmetic::{Arithmetic, Kind};
use crate::error::StepError;
use crate::settings::Settings;
use crate::step::State;

/// Bits beyond those of the state in which a step is proved. Chosen, so that the radius of the proof is the
/// rounding of the state and not that of the intervals.
const GUARD: u32 = 128;
/// The overlap of two bodies in binary64 up to which they count as apart. Chosen: some 450 units of rounding
/// (2^-52) beside lengths of 1. It decides only which pairs take part; the proof checks all conditions.
const CLOSED: f64 = 1e-13;
/// The largest residual, in binary64, of a solution that is kept without a proof. Chosen, not derived: far above
/// rounding and far below the velocities of a scene. Such a step is recorded as not proved.
const ACCEPTED: f64 = 1e-9;

/// The speed of approach, m/s, below which a pair with restitution does not bounce. Chosen: far above what rounding of the state leaves of a
/// body at rest, so that such a body is at rest.
const AT_REST: f64 = 1e-9;

/// Parts in which friction grows where the whole of it at once is too much for the iteration. Chosen.
const PARTS: u32 = 8;

/// Takes steps of a system.
pub struct ImplicitStepper<'a, S> {
    system: &'a System,
    arithmetic: &'a dyn Arithmetic<S>,
    solver: &'a dyn Solver,
    h: Rational,
}

/// A solution of a branch, with the proof or what is missing.
struct Solution {
    modes: Vec<Mode>,
    unknowns: Vec<Interval>,
    proof: Result<(), String>,
}

impl Solution {
    fn is_plausible(&self, branch: &Branch<'_>) -> bool {
        let at: Vec<f64> = self.unknowns.iter().map(|x| x.middle().to_f64()).collect();
        let conditions = branch.conditions(&at);
        conditions.iter().all(|(_, _, value)| *value >= -ACCEPTED)
    }
}

impl<'a, S: Scalar> ImplicitStepper<'a, S> {
    /// A stepper; of the settings the step size counts. States must be on a grid or in binary64.
    ///
    /// # Errors
    /// [`StepError::Setting`].
    pub fn new(
        system: &'a System,
        arithmetic: &'a dyn Arithmetic<S>,
        solver: &'a dyn Solver,
        settings: &Settings<S>,
    ) -> Result<Self, StepError> {
        settings.check()?;
        if arithmetic.kind() == Kind::Rational {
            return Err(StepError::Setting {
                setting: "the arithmetic",
                value: arithmetic.kind().name().to_owned(),
                range: "a grid, or binary64",
            });
        }
        Ok(Self {
            system,
            arithmetic,
            solver,
            h: exact(&settings.h)?,
        })
    }

    /// The bits in which steps are proved.
    pub fn precision(&self) -> u32 {
        self.arithmetic.kind().grid_bits().unwrap_or(64) + GUARD
    }

    /// One step.
    ///
    /// # Errors
    /// [`StepError::NotConverged`] where no iteration comes to an end that satisfies the equations,
    /// [`StepError::Unresolved`] where one does and rounding hides the solution;
    /// [`StepError::Length`] and [`StepError::Domain`] for states that are none.
    pub fn step(&self, state: &State<S>) -> Result<ImplicitStep<S>, StepError> {
        let (q, v) = self.read(state)?;
        let mut problem = StepProblem::new(self.system, &q, &v, &self.h);
        let free = problem.free_velocity().ok_or_else(|| StepError::Domain {
            what: "the inverse",
            argument: "the mass matrix".to_owned(),
        })?;
        for pair in 0..self.system.pairs().len() {
            // Once in a step, from the free motion: an axis that changed with the iterate would
            // make the equations jump. Far from the normal, its cross product with it stays away
            // from 0.
            problem.axes[pair] = tangent_axis(&problem, pair, &free);
        }
        for pair in 0..self.system.pairs().len() {
            problem.bounces[pair] = bounces(&mut problem, pair, &free);
        }
        let (iterate, solution) = self.solved(&problem, &free, &state.pressing)?;
        let unknowns = Branch {
            problem: &problem,
            modes: solution.modes.clone(),
        }
        .unpack(&solution.unknowns);
        let after = self.after(&problem, &solution, &unknowns.v)?;
        ImplicitStep::record(Outcome {
            problem: &problem,
            before: state.clone(),
            after,
            modes: solution.modes,
            proof: solution.proof,
            unknowns,
            iterate,
        })
    }

    /// Where the iteration ended, and a solution of a branch. Where none is found from there, friction grows by parts.
    fn solved(
        &self,
        problem: &StepProblem<'_>,
        free: &[f64],
        pressing: &[usize],
    ) -> Result<(Iterate, Solution), StepError> {
        let iterate = self.iterate(problem, free, pressing);
        match self.branches(problem, &iterate) {
            Err(StepError::NotConverged { .. }) => {
                let grown = self.by_parts(problem, &iterate);
                let solution = self.branches(problem, &grown)?;
                Ok((grown, solution))
            }
            solution => Ok((iterate, solution?)),
        }
    }

    /// Friction that grows from nothing in equal parts: the solution with less of it is a start for that with more.
    fn by_parts(&self, problem: &StepProblem<'_>, iterate: &Iterate) -> Iterate {
        let active: Vec<usize> = iterate.point.pairs.iter().map(|own| own.pair).collect();
        let mut grown = iterate.clone();
        let mut from = self.smooth(
            problem,
            problem.free_velocity().unwrap_or_default(),
            &active,
        );
        for part in 1..=PARTS {
            let share = Rational::from((part, PARTS));
            let system = self.system.with_friction(&share);
            let mut less = StepProblem::new(&system, problem.q, problem.v, problem.h);
            less.axes.clone_from(&problem.axes);
            less.bounces.clone_from(&problem.bounces);
            let with = Complementarity {
                problem: &less,
                active: active.clone(),
                friction: true,
            };
            let next = with.solve(&self.rough_start(&less, &from.point), self.solver);
            grown.iterations += next.iterations;
            grown.problems += next.problems;
            grown.dampings += next.dampings;
            from = next;
        }
        Iterate {
            point: from.point,
            error: from.error,
            last: from.last,
            ..grown
        }
    }

    fn read(&self, state: &State<S>) -> Result<(Vec<Rational>, Vec<Rational>), StepError> {
        let expected = [self.system.coordinates().len(), self.system.velocities()];
        let mut found = Vec::with_capacity(2);
        for ((what, values), expected) in
            [("q", &state.q), ("v", &state.v)].into_iter().zip(expected)
        {
            if values.len() != expected {
                return Err(StepError::Length {
                    what,
                    length: values.len(),
                    expected,
                });
            }
            found.push(values.iter().map(exact).collect::<Result<Vec<_>, _>>()?);
        }
        let v = found.pop().unwrap_or_default();
        let q = found.pop().unwrap_or_default();
        for slots in self.system.slots().iter().filter(|slots| slots.q_len == 7) {
            unit(q.get(slots.q + 3..slots.q + 7))?;
        }
        Ok((q, v))
    }

    /// First without friction, then with it; pairs that come to overlap are added until there are
    /// none (Stewart and Trinkle, section 4).
    fn iterate(&self, problem: &StepProblem<'_>, free: &[f64], pressing: &[usize]) -> Iterate {
        let pairs = self.system.pairs().len();
        let mut active: Vec<usize> = (0..pairs)
            .filter(|i| pressing.contains(i) || problem.bounces[*i] || gap(problem, *i, free) < 0.0)
            .collect();
        let (mut iterations, mut problems, mut dampings) = (0, 0, 0);
        loop {
            let mut iterate = self.attempt(problem, free, &active);
            iterations += iterate.iterations;
            problems += iterate.problems;
            dampings += iterate.dampings;
            let added: Vec<usize> = (0..pairs)
                // Impulses close gaps to 0 but for rounding. Overlaps of that size must not add pairs round
                // after round.
                .filter(|i| !active.contains(i) && gap(problem, *i, &iterate.point.v) < -CLOSED)
                .collect();
            if added.is_empty() {
                iterate.iterations = iterations;
                iterate.problems = problems;
                iterate.dampings = dampings;
                return iterate;
            }
            active.extend(added);
            active.sort_unstable();
        }
    }

    fn attempt(&self, problem: &StepProblem<'_>, free: &[f64], active: &[usize]) -> Iterate {
        let smooth = self.smooth(problem, free.to_vec(), active);
        if !active.iter().any(|pair| problem.is_rough(*pair)) {
            return smooth;
        }
        let with = Complementarity {
            problem,
            active: active.to_vec(),
            friction: true,
        };
        let start = self.rough_start(problem, &smooth.point);
        let mut rough = with.solve(&start, self.solver);
        rough.iterations += smooth.iterations;
        rough.problems += smooth.problems;
        rough.dampings += smooth.dampings;
        rough.last = rough.last.or(smooth.last);
        rough
    }

    /// The iteration without friction.
    fn smooth(&self, problem: &StepProblem<'_>, free: Vec<f64>, active: &[usize]) -> Iterate {
        let own = |&pair: &usize| PairUnknowns {
            pair,
            geometry: closest_points(problem, pair, &free),
            impulse: Some((0.0, Vec::new())),
        };
        let start = Point {
            pairs: active.iter().map(own).collect(),
            sigma: vec![0.0; active.len()],
            v: free,
        };
        let with = Complementarity {
            problem,
            active: active.to_vec(),
            friction: false,
        };
        with.solve(&start, self.solver)
    }

    /// A start with friction from where the iteration with less of it ended.
    fn rough_start(&self, problem: &StepProblem<'_>, point: &Point) -> Point {
        let mut start = point.clone();
        for (pair, sigma) in start.pairs.iter_mut().zip(&mut start.sigma) {
            if let Some(impulse) = &mut pair.impulse
                && impulse.1.is_empty()
            {
                impulse.1 = vec![0.0; problem.frictions(pair.pair)];
            }
            let values = problem.values(&point.v, std::slice::from_ref(pair));
            let sliding = values.pairs.first().map(|values| &values.sliding);
            *sigma = sliding.map_or(0.0, |v| {
                let [rates, _] = problem.rates(pair.pair, v);
                dot(&0.0, &rates, &rates).sqrt()
            });
        }
        start
    }

    /// The first branch that is proved; else the nearest one, without a proof.
    fn branches(
        &self,
        problem: &StepProblem<'_>,
        iterate: &Iterate,
    ) -> Result<Solution, StepError> {
        let mut unproved = None;
        for modes in ranked(problem, nearest(problem, &iterate.point)) {
            let branch = Branch { problem, modes };
            let Some(solution) = self.solution(&branch, start(&branch, &iterate.point)) else {
                continue;
            };
            if solution.proof.is_ok() {
                return Ok(solution);
            }
            // Without a proof it stands only where the iteration itself has led to it, with no sign
            // wrong as far as binary64 tells.
            if unproved.is_none() && iterate.converged() && solution.is_plausible(&branch) {
                unproved = Some(solution);
            }
        }
        unproved.ok_or_else(|| match iterate.converged() || !iterate.error.is_finite() {
            true => StepError::Unresolved,
            false => StepError::NotConverged {
                pair: worst_pair(problem, &iterate.point),
                iterations: iterate.iterations,
                error: format!("{:e}", iterate.error),
            },
        })
    }

    /// A solution of a branch's equations, proved or not; `None` where there is none in binary64.
    fn solution(&self, branch: &Branch<'_>, from: Vec<f64>) -> Option<Solution> {
        // Binary64 first: it costs little, and shows which branches have a solution at all.
        let start = newton(branch, from);
        if largest(&branch.equations(&start)) > ACCEPTED || start.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let thin = |at: &[Float]| at.iter().map(Interval::point).collect::<Vec<_>>();
        let precision = self.precision();
        let Some(inverse) = preconditioner(branch, &start) else {
            let at: Vec<Float> = start
                .iter()
                .map(|x| Float::with_val(precision, x))
                .collect();
            return Some(Solution {
                modes: branch.modes.clone(),
                unknowns: thin(&at),
                proof: Err(super::krawczyk::Unproved::Singular.to_string()),
            });
        };
        let at = refine(branch, &start, &inverse, precision);
        let proof = prove(branch, &at, &inverse);
        Some(match proof {
            Ok(enclosure) => Solution {
                modes: branch.modes.clone(),
                unknowns: enclosure.unknowns,
                proof: Ok(()),
            },
            Err(why) => Solution {
                modes: branch.modes.clone(),
                unknowns: thin(&at),
                proof: Err(why.to_string()),
            },
        })
    }

    /// The state after, rounded: v, then q moved by the rounded v.
    fn after(
        &self,
        problem: &StepProblem<'_>,
        solution: &Solution,
        velocity: &[Interval],
    ) -> Result<State<S>, StepError> {
        let q = problem.q;
        let rounded = |value: &Rational| self.arithmetic.round(S::from_rational(value));
        let middle = velocity
            .iter()
            .map(|v| v.middle().to_rational().unwrap_or_default());
        let mut middle: Vec<Rational> = middle.collect();
        for i in problem.driven() {
            // Known, and not only enclosed: in binary64 the middle of an interval about 0 need not be 0.
            middle[i].clone_from(&problem.v[i]);
        }
        let v: Vec<S> = middle.iter().map(rounded).collect();
        let exact_v = v.iter().map(exact).collect::<Result<Vec<_>, _>>()?;
        let mut after = Vec::with_capacity(q.len());
        let bodies = self.system.bodies().iter().zip(self.system.slots());
        for (body, slots) in bodies {
            if matches!(body.mobility, Mobility::Fixed(_)) {
                continue;
            }
            let straight = slots.v_len.min(3);
            for i in 0..straight {
                let moved = Rational::from(&exact_v[slots.v + i] * &self.h) + &q[slots.q + i];
                after.push(rounded(&moved));
            }
            if slots.q_len == 7 {
                let old = &q[slots.q + 3..slots.q + 7];
                after.extend(self.turned(old, &exact_v[slots.v + 3..slots.v + 6])?);
            }
        }
        let pressing = solution.modes.iter().enumerate();
        let pressing = pressing.filter(|(_, mode)| **mode != Mode::Separated);
        Ok(State {
            q: after,
            v,
            pressing: pressing.map(|(i, _)| i).collect(),
        })
    }

    /// (2, h omega) e, of unit length but for rounding.
    fn turned(&self, old: &[Rational], omega: &[Rational]) -> Result<Vec<S>, StepError> {
        let mut turn = vec![Rational::from(2)];
        turn.extend(omega.iter().map(|w| Rational::from(w * &self.h)));
        let new = quaternion_product(&turn, old);
        let square = new
            .iter()
            .fold(Rational::new(), |sum, e| sum + e.clone().square());
        let precision = self.precision();
        let length = Float::with_val_round(precision, &square, Round::Nearest)
            .0
            .sqrt();
        let length = length.to_rational().unwrap_or_default();
        let entry = |e: Rational| self.arithmetic.round(S::from_rational(&(e / &length)));
        match length == 0 {
            true => unit(Some(&new)).map(|()| Vec::new()),
            false => Ok(new.into_iter().map(entry).collect()),
        }
    }
}

fn exact<S: Scalar>(value: &S) -> Result<Rational, StepError> {
    let number = value.to_number();
    let number = number.ok_or_else(|| StepError::Problem("a number is not finite".to_owned()))?;
    Ok(number.to_rational())
}

/// Whether a pair with restitution approaches before the step and would close in it: then it bounces.
fn bounces(problem: &mut StepProblem<'_>, pair: usize, free: &[f64]) -> bool {
    if problem.system.restitution(pair) == 0 || gap(problem, pair, free) >= 0.0 {
        return false;
    }
    problem.bounces[pair] = true;
    let own = PairUnknowns {
        pair,
        geometry: closest_points(problem, pair, free),
        impulse: None,
    };
    let values = problem.values(free, &[own]).pairs.pop();
    let bounce = values.and_then(|own| own.bounce);
    bounce.is_some_and(|own| own.approach < -AT_REST)
}

/// The gap of a pair with a velocity, in binary64.
fn gap(problem: &StepProblem<'_>, pair: usize, v: &[f64]) -> f64 {
    let own = PairUnknowns {
        pair,
        geometry: closest_points(problem, pair, v),
        impulse: None,
    };
    let values = problem.values(v, &[own]);
    values.pairs.first().map_or(0.0, |values| values.gap)
}

/// The pair whose closest points, or whose gap and impulse, are off by most at the end of an iteration.
fn worst_pair(problem: &StepProblem<'_>, point: &Point) -> Option<String> {
    let values = problem.values(&point.v, &point.pairs);
    let off = |(own, values): (&PairUnknowns<f64>, &PairValues<f64>)| {
        let pressed = own.impulse.as_ref().map_or(0.0, |(p_n, _)| {
            let least = p_n.min(*values.complement());
            least.abs()
        });
        largest(&values.geometry).max(pressed)
    };
    let all = point.pairs.iter().zip(&values.pairs);
    let worst = all.max_by(|a, b| off(*a).total_cmp(&off(*b)))?;
    let pair = &problem.system.pairs()[worst.0.pair];
    Some(problem.system.pair_name(pair))
}

impl System {
    /// The distance of each pair at q, in binary64, negative where the bodies overlap: about that, as their closest points
    /// are then those along which they overlap least only near by. Of a point it is f of the other body.
    pub fn distances(&self, q: &[Rational]) -> Vec<f64> {
        let still = vec![Rational::new(); self.velocities()];
        let instant = Rational::new();
        let problem = StepProblem::new(self, q, &still, &instant);
        let zero = vec![0.0; still.len()];
        let distance = |pair: usize| {
            let about = closest_points(&problem, pair, &zero);
            let own = PairUnknowns {
                pair,
                geometry: refined(&problem, pair, &zero, about),
                impulse: None,
            };
            let values = problem.values(&zero, &[own]).pairs.pop();
            values.map_or(0.0, |own| own.gap * own.slope.unwrap_or(1.0))
        };
        (0..self.pairs().len()).map(distance).collect()
    }
}
