//! The binary64 answer to a scene.

use etalon_certify::{Tolerance, evaluate};
use etalon_contact_forces::{normal_velocities, velocity_after_impact};
use etalon_exact::Budget;
use etalon_golden::forces::{FastAnswer, FractionText, SceneAnswer, values};
use etalon_lcp::{ClaimedAnswer, Number, Problem, round_up_f64};
use etalon_scenarios::{SceneFile, Setup};
use rug::Rational;

use super::error::DeriveError;
use crate::forces::data::FAST_METHOD;

/// The scene answered anew.
pub fn fast_answer(
    scene: &SceneFile,
    problem: &Problem,
    answer: &SceneAnswer,
) -> Result<FastAnswer, DeriveError> {
    let method = FAST_METHOD;
    let rounded = scene.setup.rounded(&scene.name)?;
    let claim = method.solver(&Budget::default()).solve(&rounded.problem);
    let gave_up = FastAnswer {
        method: method.name().to_owned(),
        z: None,
        backward_error: None,
        difference: None,
    };
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        return Ok(gave_up);
    };
    let z: Vec<f64> = z.iter().map(Number::to_f64).collect();
    let (error, difference) = measure(&scene.setup, problem, answer, &z)?;
    Ok(FastAnswer {
        z: Some(z),
        backward_error: Some(error),
        difference,
        ..gave_up
    })
}

/// Backward error of a binary64 answer in the exact problem, and how far its accelerations are from
/// the nearest exact ones.
pub fn measure(
    setup: &Setup,
    problem: &Problem,
    answer: &SceneAnswer,
    z: &[f64],
) -> Result<(f64, Option<f64>), DeriveError> {
    let z: Vec<Rational> = z
        .iter()
        .map(|z| Rational::from_f64(*z).unwrap_or_default())
        .collect();
    let evaluation = evaluate(problem, &z, &Tolerance::default());
    let evaluation = evaluation.map_err(|error| DeriveError::Undecided(error.to_string()))?;
    let error = round_up_f64(&evaluation.measures.backward_error);
    let far = |own: &[Rational], exact: &[FractionText]| {
        let pairs = own.iter().zip(values(exact));
        let gaps = pairs.map(|(own, exact)| (own.clone() - exact).abs());
        gaps.max().unwrap_or_default()
    };
    let own = match setup.formulation()? {
        Some(formulation) => formulation.forces(&z)?.acceleration,
        None => {
            let system = setup.system()?;
            normal_velocities(&system, &velocity_after_impact(&system, &z))
        }
    };
    let difference = match answer {
        SceneAnswer::Solved { forces, .. } => Some(far(&own, &forces.acceleration)),
        SceneAnswer::Indeterminate { solutions, .. } => {
            let each = solutions
                .iter()
                .map(|forces| far(&own, &forces.acceleration));
            each.min()
        }
        SceneAnswer::Impulses { after, .. } => Some(far(&own, after)),
        SceneAnswer::Inconsistent { .. } => None,
    };
    Ok((error, difference.as_ref().map(round_up_f64)))
}
