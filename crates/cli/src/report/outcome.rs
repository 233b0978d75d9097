//! Answers as outcomes.

use etalon_evidence::outcome::Outcome;

use super::super::again::Again;
use super::super::diff::{Answered, Asked};

/// An answer as an outcome of a solver of that name, with the command that repeats it where it failed.
pub fn outcome_of(answered: &Answered, asked: &Asked, solver: &str, again: &Again<'_>) -> Outcome {
    let again = asked.again(again);
    let serde_json::Value::Object(record) = answered.record(asked, solver, Some(&again)) else {
        unreachable!("a record is an object");
    };
    match Outcome::new(record, solver) {
        Ok(outcome) => outcome,
        Err(error) => unreachable!("what is written is read: {error}"),
    }
}
