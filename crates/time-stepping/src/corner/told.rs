//! What an error of a step at corners says beside its own words: which obstacles it is about, and what to do.

use etalon_rigid::Scalar;

use super::problem::{Situation, faces};
use crate::error::StepError;

/// The most obstacles that are named.
const NAMED: usize = 6;

/// The same error with the obstacles that the motion without impulses ends inside of, each by the face that is nearest: a face has the
/// names of its body, its corner and its side. What the rule says of its own has them already.
pub(super) fn at_corners<S: Scalar>(situation: &Situation<'_, S>, error: StepError) -> StepError {
    let names = obstacles(situation);
    match error {
        StepError::GaveUp { solver, message } => StepError::GaveUp {
            solver,
            message: format!("{message}{names}; take a shorter step h, or less friction"),
        },
        StepError::Problem(message) => StepError::Problem(format!(
            "{message}{names}; take a shorter step h, or units in which lengths and speeds are nearer to 1"
        )),
        StepError::Setting {
            setting,
            value,
            range,
        } if setting != "h" => StepError::Setting {
            setting,
            value: format!("{value}{names}"),
            range,
        },
        other => other,
    }
}

/// ` (at A, B and 2 more)`; nothing where the motion ends outside of all.
fn obstacles<S: Scalar>(situation: &Situation<'_, S>) -> String {
    let all: Vec<_> = situation.faces().collect();
    let inside = faces(situation.obstacles).filter_map(|own| {
        let free = &situation.free;
        let nearest = own.reduce(|best, next| if free[next] > free[best] { next } else { best })?;
        (free[nearest].signum() < 0).then(|| all[nearest].name.as_str())
    });
    let inside: Vec<_> = inside.collect();
    let (named, rest) = inside.split_at(inside.len().min(NAMED));
    match (named.is_empty(), rest.len()) {
        (true, _) => String::new(),
        (false, 0) => format!(" (at {})", named.join(", ")),
        (false, more) => format!(" (at {} and {more} more)", named.join(", ")),
    }
}
