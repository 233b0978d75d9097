//! Static friction by index sets, contact by contact or all at once.

use clap::ValueEnum;
use etalon_certify::solves;
use etalon_contact_forces::{
    ForceError, Forces, Formulation, FrictionModel, Motion, Order, StaticRun,
};
use etalon_lcp::Problem;
use etalon_scenarios::{Question, Setup};
use rug::Rational;
use serde_json::{Value, json};

use super::subject::Subject;
use super::{json as records, prose};
use crate::cli::Fatal;

/// In which order index sets find static friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FrictionOrder {
    /// Contact by contact: the normal force, then its friction (Baraff 1994, section 5)
    Baraff,
    /// All contacts at once, one linear system a step (after Darwin2K)
    Darwin2k,
}

impl FrictionOrder {
    fn order(self) -> Order {
        match self {
            Self::Baraff => Order::OneAtATime,
            Self::Darwin2k => Order::Simultaneous,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Baraff => Self::Darwin2k,
            Self::Darwin2k => Self::Baraff,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Baraff => "contact by contact (Baraff 1994, section 5)",
            Self::Darwin2k => "all contacts at once (after Darwin2K)",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Baraff => "baraff",
            Self::Darwin2k => "darwin2k",
        }
    }
}

/// What both orders made of a scene.
pub struct Ordered {
    chosen: FrictionOrder,
    run: StaticRun<Rational>,
    /// The other order, to be compared with.
    other: StaticRun<Rational>,
    /// Whether a polyhedral cone was replaced by a row for each tangent.
    restated: bool,
}

impl Ordered {
    /// Runs index sets on the scene, with a friction row for each tangent, exactly.
    pub fn ask(subject: &Subject, chosen: FrictionOrder) -> Result<Self, Fatal> {
        let wrong = |error: ForceError| super::usage(error);
        let Question::Forces(model) = subject.setup.question else {
            return Err(super::usage(
                "--friction-order is of contact forces, but the scene asks for impulses, which are frictionless",
            ));
        };
        let restated = matches!(model, FrictionModel::Polyhedral(_));
        let setup = Setup {
            mechanics: subject.setup.mechanics.clone(),
            question: Question::Forces(if restated { FrictionModel::Rows } else { model }),
        };
        let formulation = setup.formulation().map_err(wrong)?;
        let formulation = formulation.ok_or_else(|| wrong(ForceError::NotRows))?;
        if !formulation.motions().contains(&Motion::Static) {
            return Err(super::usage(
                "--friction-order is of static friction, but no contact of the scene has any: each slides, separates or is frictionless",
            ));
        }
        let problem = formulation.problem(subject.problem.name()).map_err(wrong)?;
        let run = |order: FrictionOrder| checked(&formulation, &problem, order);
        Ok(Self {
            chosen,
            run: run(chosen)?,
            other: run(chosen.other())?,
            restated,
        })
    }

    /// Whether the order chosen came to its end.
    pub fn is_solved(&self) -> bool {
        self.run.outcome.is_ok()
    }

    /// For people.
    pub fn prose(&self) -> String {
        let work = self.run.work;
        let mut parts = vec![format!(
            "Static friction by index sets, {}, exactly. Linear systems: {}; steps of length zero: {}; steps away from zero: {}.",
            self.chosen.words(),
            work.steps,
            work.degenerate,
            work.away
        )];
        if self.restated {
            parts.push("Index sets need a friction row for each tangent, so the polyhedral cone is replaced by a box pyramid: |f_F| <= mu f_N along each tangent.".to_owned());
        }
        match &self.run.outcome {
            Ok((_, forces)) => {
                parts.push(prose::table(forces));
                parts.push("They solve the complementarity problem exactly.".to_owned());
            }
            Err(failure) => parts.push(format!(
                "The run cannot go on: {failure}. That says nothing about the scene; --solver exact decides it."
            )),
        }
        parts.push(format!(
            "The other order, {}: {}.",
            self.chosen.other().words(),
            self.comparison()
        ));
        parts.join("\n\n")
    }

    fn comparison(&self) -> String {
        match (&self.run.outcome, &self.other.outcome) {
            (_, Err(failure)) => format!("{failure}"),
            (Err(_), Ok(_)) => "it finds forces".to_owned(),
            (Ok((_, own)), Ok((_, other))) if own == other => "the same forces".to_owned(),
            (Ok((_, own)), Ok((_, other))) if own.acceleration == other.acceleration => {
                "other forces, the same accelerations".to_owned()
            }
            _ => "other forces, and other accelerations".to_owned(),
        }
    }

    /// For programs.
    pub fn json(&self, subject: &Subject) -> String {
        let mut fields = subject.fields.clone();
        fields.insert("friction_order".to_owned(), self.chosen.name().into());
        fields.insert("answer".to_owned(), answer(&self.run));
        fields.insert("work".to_owned(), work(&self.run));
        let other = json!({
            "friction_order": self.chosen.other().name(),
            "answer": answer(&self.other),
            "work": work(&self.other),
        });
        fields.insert("other_order".to_owned(), other);
        Value::Object(fields).to_string()
    }
}

fn answer(run: &StaticRun<Rational>) -> Value {
    match &run.outcome {
        Ok((_, forces)) => json!({"status": "solved", "forces": records::forces(forces)}),
        Err(failure) => json!({"status": "failed", "message": failure.to_string()}),
    }
}

fn work(run: &StaticRun<Rational>) -> Value {
    let work = run.work;
    json!({"steps": work.steps, "degenerate": work.degenerate, "away": work.away})
}

/// A run whose forces the checker has seen to solve the problem.
fn checked(
    formulation: &Formulation<Rational>,
    problem: &Problem,
    order: FrictionOrder,
) -> Result<StaticRun<Rational>, Fatal> {
    let run = formulation.static_friction(order.order());
    let run = run.map_err(super::usage)?;
    let right = |(z, _): &(Vec<Rational>, Forces<Rational>)| solves(problem, z).unwrap_or(false);
    if run.outcome.as_ref().is_ok_and(|found| !right(found)) {
        let why = "index sets ended in forces that do not solve the problem";
        return Err(super::usage(why));
    }
    Ok(run)
}
