//! Static friction in the circular cone.

use etalon_contact_forces::{Circular, Coulomb, ForceError, FrictionModel, NotConverged};
use etalon_evidence::measure::figures::four_digits_up;
use etalon_lcp::Solver;
use etalon_scenarios::{Question, Setup};
use serde_json::{Value, json};

use super::beside::{forces_json, table};
use super::input::SceneInput;
use super::{coulomb, json as records};

/// Forces in the circular cone with exact ones near by that are proved, or why none were found.
pub type Outcome = Result<(Circular, Option<Coulomb>), NotConverged>;

/// Looks for them in binary64; the solver gives a polyhedral cone's forces to start from.
pub fn ask(input: &SceneInput, solver: &dyn Solver) -> Result<Outcome, ForceError> {
    let setup = Setup {
        mechanics: input.setup.mechanics.clone(),
        question: Question::Forces(FrictionModel::Rows),
    };
    let rounded = setup.rounded(input.problem.name())?;
    let (Some(formulation), Some(exact)) = (rounded.formulation(), setup.formulation()?) else {
        return Err(ForceError::NotRows);
    };
    Ok(match formulation.circular_cone(solver)? {
        Ok(found) => {
            let proved = exact.prove_coulomb(&found.f)?;
            Ok((found, proved))
        }
        Err(failure) => Err(failure),
    })
}

/// For people.
pub fn prose(outcome: &Outcome) -> String {
    let (found, proved) = match outcome {
        Ok(found) => found,
        Err(failure) => return format!("In binary64, {failure}."),
    };
    let exact = proved.as_ref().map(|proved| &proved.forces);
    let proof = match proved {
        Some(Coulomb {
            enclosure: None, ..
        }) => "The forces beside them satisfy Coulomb's law exactly.".to_owned(),
        Some(Coulomb {
            enclosure: Some(enclosure),
            ..
        }) => format!(
            "The numbers beside them are the centre of a box in which there are forces that satisfy Coulomb's law: {}.",
            coulomb::within(enclosure)
        ),
        None => "Nothing is proved of exact forces near by.".to_owned(),
    };
    format!(
        "Static friction in the circular cone, in binary64: it opposes the acceleration that it cannot prevent. {} Newton steps and {} sweeps; backward error {}, computed exactly.\n\n{}\n\n{proof}",
        found.work.newton,
        found.work.sweeps,
        four_digits_up(found.error.rounded_up()),
        table(&found.forces, exact)
    )
}

/// For programs.
pub fn json(input: &SceneInput, outcome: &Outcome) -> String {
    let (error, work) = match outcome {
        Ok((found, _)) => (&found.error, found.work),
        Err(failure) => (&failure.error, failure.work),
    };
    let mut fields = input.fields.clone();
    let answer = match outcome {
        Ok((found, _)) => json!({"status": "solved", "forces": forces_json(&found.forces)}),
        Err(failure) => json!({"status": "failed", "message": failure.to_string()}),
    };
    fields.insert("cone".to_owned(), "circular".into());
    fields.insert("answer".to_owned(), answer);
    let exact = match outcome {
        Ok((_, Some(proved))) => records::proved(proved),
        _ => Value::Null,
    };
    fields.insert("exact".to_owned(), exact);
    fields.insert("backward_error".to_owned(), json!(error.rounded_up()));
    let work = json!({"newton": work.newton, "sweeps": work.sweeps});
    fields.insert("work".to_owned(), work);
    Value::Object(fields).to_string()
}
