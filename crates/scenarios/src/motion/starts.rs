//! What the starts of scenes of files have in common, whatever their bodies are.

use etalon_rigid::Scalar;
use etalon_spatial::MAX_STEPS;
use etalon_time_stepping::{Arithmetic, StepError};
use rug::Rational;

/// How far two bodies may overlap at the start, m for each m of the size of the smaller one: what rounding of positions leaves.
pub const OVERLAP: f64 = 1e-6;

/// Refuses more steps than a run takes.
pub fn check_steps(steps: u64) -> Result<(), StepError> {
    if steps <= MAX_STEPS {
        return Ok(());
    }
    Err(StepError::Setting {
        setting: "steps",
        value: steps.to_string(),
        range: "at most 1000000; take a longer step h, or fewer of them",
    })
}

/// Numbers of a state as an arithmetic keeps them.
pub fn kept<S: Scalar>(values: &[Rational], arithmetic: &dyn Arithmetic<S>) -> Vec<S> {
    let own = values.iter().map(S::from_rational);
    own.map(|value| arithmetic.round(value)).collect()
}

/// Two bodies that share room before the first step.
pub fn overlap(first: String, second: String, depth: f64) -> StepError {
    StepError::Overlap {
        first,
        second,
        depth: format!("{depth:.3e}"),
    }
}
