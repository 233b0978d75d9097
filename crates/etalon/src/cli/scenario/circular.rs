//! Static friction in the circular cone.

use etalon_contact_forces::{Circular, ForceError, FrictionModel, NotConverged};
use etalon_lcp::Solver;
use etalon_scenarios::{Question, Setup};
use serde_json::{Value, json};

use super::beside::{forces_json, table};
use super::subject::Subject;

/// Forces in the circular cone, or why none were found.
pub type Outcome = Result<Circular, NotConverged>;

/// Looks for them in binary64; the solver gives a polyhedral cone's forces to start from.
pub fn ask(subject: &Subject, solver: &dyn Solver) -> Result<Outcome, ForceError> {
    let setup = Setup {
        mechanics: subject.setup.mechanics.clone(),
        question: Question::Forces(FrictionModel::Rows),
    };
    let rounded = setup.rounded(subject.problem.name())?;
    match rounded.formulation() {
        Some(formulation) => formulation.circular_cone(solver),
        None => Err(ForceError::NotRows),
    }
}

/// For people.
pub fn prose(outcome: &Outcome) -> String {
    let found = match outcome {
        Ok(found) => found,
        Err(failure) => return format!("In binary64, {failure}."),
    };
    format!(
        "Static friction in the circular cone, in binary64: it opposes the acceleration that it cannot prevent. {} Newton steps and {} sweeps; backward error {:.1e}, computed exactly.\n\n{}",
        found.work.newton,
        found.work.sweeps,
        found.error.rounded_up(),
        table(&found.forces, None)
    )
}

/// For programs.
pub fn json(subject: &Subject, outcome: &Outcome) -> String {
    let (error, work) = match outcome {
        Ok(found) => (&found.error, found.work),
        Err(failure) => (&failure.error, failure.work),
    };
    let mut fields = subject.fields.clone();
    let answer = match outcome {
        Ok(found) => json!({"status": "solved", "forces": forces_json(&found.forces)}),
        Err(failure) => json!({"status": "failed", "message": failure.to_string()}),
    };
    fields.insert("cone".to_owned(), "circular".into());
    fields.insert("answer".to_owned(), answer);
    fields.insert("backward_error".to_owned(), json!(error.rounded_up()));
    let work = json!({"newton": work.newton, "sweeps": work.sweeps});
    fields.insert("work".to_owned(), work);
    Value::Object(fields).to_string()
}
