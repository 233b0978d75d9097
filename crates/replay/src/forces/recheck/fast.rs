//! The binary64 answer of a record, measured anew.

use etalon_certify::{Tolerance, evaluate};
use etalon_contact_forces::{normal_velocities, velocity_after_impact};
use etalon_exact::Budget;
use etalon_golden::forces::{FastAnswer, FractionText, SceneAnswer};
use etalon_lcp::{ClaimedAnswer, Problem, round_up_f64};
use etalon_scenarios::{SceneFile, Setup};
use rug::Rational;

use super::words::{holds, words};
use crate::forces::data::FAST_METHOD;

/// The largest backward error of a binary64 answer.
const FAST: f64 = 1e-9;

/// Whether the answer is of the method that scenes are answered by, and has just the measures that are
/// stated; where there is none, that method must give none.
pub fn check(
    scene: &SceneFile,
    problem: &Problem,
    answer: &SceneAnswer,
    stated: &FastAnswer,
) -> Result<(), String> {
    holds(
        stated.method == FAST_METHOD.name(),
        &format!("the method is {}", FAST_METHOD.name()),
    )?;
    let Some(z) = &stated.z else {
        let without = stated.backward_error.is_none() && stated.difference.is_none();
        holds(without, "measures without an answer")?;
        return holds(
            !is_answered(scene)?,
            "there is no answer, but the method gives one",
        );
    };
    holds(z.len() == problem.n(), "an answer of another length")?;
    let z: Vec<Rational> = z
        .iter()
        .map(|z| Rational::from_f64(*z).unwrap_or_default())
        .collect();
    let evaluation = evaluate(problem, &z, &Tolerance::default()).map_err(words)?;
    let error = round_up_f64(&evaluation.measures.backward_error);
    holds(
        stated.backward_error == Some(error),
        &format!("the backward error is {error:e}"),
    )?;
    holds(error <= FAST, "the backward error is over the tolerance")?;
    let difference = difference(&effect(&scene.setup, &z)?, answer);
    holds(
        stated.difference == difference.as_ref().map(round_up_f64),
        "the difference from the exact accelerations is another",
    )
}

/// Whether the method gives an answer.
fn is_answered(scene: &SceneFile) -> Result<bool, String> {
    let rounded = scene.setup.rounded(&scene.name).map_err(words)?;
    let solver = FAST_METHOD.solver(&Budget::default());
    let claim = solver.solve(&rounded.problem);
    Ok(matches!(claim.answer, ClaimedAnswer::Solved { .. }))
}

/// What z does in the scene: the generalised acceleration, of impulses the normal velocities after them.
fn effect(setup: &Setup, z: &[Rational]) -> Result<Vec<Rational>, String> {
    if let Some(formulation) = setup.formulation().map_err(words)? {
        return Ok(formulation.forces(z).map_err(words)?.acceleration);
    }
    let system = setup.system().map_err(words)?;
    let velocity = velocity_after_impact(&system, z);
    Ok(normal_velocities(&system, &velocity))
}

/// How far an effect is from that of the nearest exact answer; none where there is no exact answer.
fn difference(own: &[Rational], answer: &SceneAnswer) -> Option<Rational> {
    let exact: Vec<&[FractionText]> = match answer {
        SceneAnswer::Solved { forces, .. } => vec![&forces.acceleration],
        SceneAnswer::Indeterminate { solutions, .. } => {
            solutions.iter().map(|s| &*s.acceleration).collect()
        }
        SceneAnswer::Impulses { after, .. } => vec![after],
        SceneAnswer::Inconsistent { .. } => Vec::new(),
    };
    let far = |exact: &[FractionText]| {
        let gaps = own.iter().zip(exact);
        let gaps = gaps.map(|(own, exact)| Rational::from(own - &exact.0).abs());
        gaps.max().unwrap_or_default()
    };
    exact.into_iter().map(far).min()
}
