//! From the end of an iteration to the branches that it may belong to.

use super::branch::{Branch, Mode};
use super::josephy::Point;
use super::number::dot;
use super::problem::{PairUnknowns, StepProblem};
use super::start::closest_points;

/// Pairs up to which all branches are tried.
const ALL_BRANCHES: usize = 3;

/// The modes that a point is nearest to.
pub fn nearest(problem: &StepProblem<'_>, point: &Point) -> Vec<Mode> {
    let mut modes = vec![Mode::Separated; problem.system.pairs().len()];
    let values = problem.values(&point.v, &point.pairs);
    for (own, values) in point.pairs.iter().zip(&values.pairs) {
        let Some((p_n, p_t)) = &own.impulse else {
            continue;
        };
        // Of a complementary pair the one nearer to 0 is taken for 0, whatever their units: this
        // only orders the branches, and each is proved or not.
        if *p_n <= values.complement().abs() {
            continue;
        }
        modes[own.pair] = if problem.is_rough(own.pair) {
            let bound = problem.coefficient(own.pair).to_f64() * p_n;
            let p_t = problem.shares(own.pair, p_t);
            let [rates, _] = problem.rates(own.pair, &values.sliding);
            // The share of the cone that is left, beside the speed of sliding: of the two complementary
            // numbers the larger one is taken for positive.
            let room = 1.0 - dot(&0.0, &p_t, &p_t) / (bound * bound);
            let speed = dot(&0.0, &rates, &rates).sqrt();
            if room > speed {
                Mode::Stick
            } else {
                Mode::Slide
            }
        } else {
            Mode::Smooth
        };
    }
    modes
}

/// The nearest branch, those with one pair in another mode, and all others where they are few.
pub fn ranked(problem: &StepProblem<'_>, nearest: Vec<Mode>) -> Vec<Vec<Mode>> {
    let choices = |pair: usize| match problem.is_rough(pair) {
        true => vec![Mode::Separated, Mode::Stick, Mode::Slide],
        false => vec![Mode::Separated, Mode::Smooth],
    };
    // The first branch with a proof is the step. Where a step has several solutions, this order
    // prefers the one that the iteration has led to.
    let mut all = vec![nearest.clone()];
    for pair in 0..nearest.len() {
        for mode in choices(pair) {
            let mut changed = nearest.clone();
            changed[pair] = mode;
            all.push(changed);
        }
    }
    if nearest.len() <= ALL_BRANCHES {
        let mut every: Vec<Vec<Mode>> = vec![Vec::new()];
        for pair in 0..nearest.len() {
            let longer = every.iter().flat_map(|modes| {
                let modes = modes.clone();
                choices(pair)
                    .into_iter()
                    .map(move |mode| [modes.clone(), vec![mode]].concat())
            });
            every = longer.collect();
        }
        all.extend(every);
    }
    let mut distinct: Vec<Vec<Mode>> = Vec::new();
    for modes in all {
        if !distinct.contains(&modes) {
            distinct.push(modes);
        }
    }
    distinct
}

/// A start for a branch's own equations, from where an iteration ended.
pub fn start(branch: &Branch<'_>, point: &Point) -> Vec<f64> {
    let problem = branch.problem;
    let known = |pair: usize| point.pairs.iter().find(|own| own.pair == pair);
    let mut pairs = Vec::with_capacity(branch.modes.len());
    let mut sigma = Vec::with_capacity(branch.modes.len());
    for pair in 0..branch.modes.len() {
        let own = known(pair).cloned().unwrap_or_else(|| PairUnknowns {
            pair,
            geometry: closest_points(problem, pair, &point.v),
            impulse: Some((0.0, Vec::new())),
        });
        let (own, slip) = with_friction(branch, point, own);
        pairs.push(own);
        sigma.push(slip);
    }
    branch.pack(&point.v, &pairs, &sigma)
}

/// Friction on the cone against the sliding, where a pair should slide, and sigma.
fn with_friction(
    branch: &Branch<'_>,
    point: &Point,
    mut own: PairUnknowns<f64>,
) -> (PairUnknowns<f64>, f64) {
    if branch.modes[own.pair] != Mode::Slide {
        return (own, 0.0);
    }
    let problem = branch.problem;
    let tangents = problem.frictions(own.pair);
    let p_n = own.impulse.as_ref().map_or(0.0, |impulse| impulse.0);
    let mut probe = own.clone();
    probe.impulse = Some((p_n, vec![0.0; tangents]));
    let values = problem.values(&point.v, &[probe]);
    let sliding = values.pairs.first().map(|values| values.sliding.clone());
    let sliding = sliding.unwrap_or_else(|| vec![0.0; tangents]);
    let [rates, against] = problem.rates(own.pair, &sliding);
    let speed = dot(&0.0, &rates, &rates).sqrt();
    let bound = problem.coefficient(own.pair).to_f64() * p_n;
    let known = own.impulse.as_ref().map_or(&[][..], |impulse| &impulse.1);
    let shares = problem.shares(own.pair, known);
    let length = dot(&0.0, &shares, &shares).sqrt();
    let friction: Vec<f64> = if length > 0.0 {
        known.iter().map(|p| p * bound / length).collect()
    } else if speed > 0.0 {
        against.iter().map(|v| -v * bound / speed).collect()
    } else {
        // Nothing says where to. At 0 the equation of the cone would have no slope in p_t.
        vec![bound; tangents]
    };
    // v_t + sigma p_t = 0 with |p_t| = mu p_n.
    let slip = if bound > 0.0 { speed / bound } else { 0.0 };
    own.impulse = Some((p_n, friction));
    (own, slip)
}
