//! Static friction by index sets, contact by contact or all at once.

use clap::ValueEnum;
use etalon_certify::solves;
use etalon_contact_forces::{
    CircleRun, ContactMotion, EnclosureRadii, ForceError, Forces, Formulation, FrictionModel,
    Order, StaticFailure, StaticLaw, StaticRun, Work,
};
use etalon_lcp::Problem;
use etalon_scenarios::{Question, Setup};
use rug::Rational;
use serde_json::{Value, json};

use super::input::SceneInput;
use super::law::in_place;
use super::show::forces_table;
use super::{coulomb, json as records};
use crate::Fatal;

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

/// The results of both orders on a scene.
pub struct Ordered {
    chosen: FrictionOrder,
    run: Ran,
    /// The other order, to be compared with.
    other: Ran,
    /// The conditions that the forces satisfy.
    law: StaticLaw,
    /// Whether a polyhedral cone was replaced by the circular one.
    restated: bool,
}

/// A run of index sets.
enum Ran {
    /// With a bound for each tangent, in fractions throughout.
    Rows(StaticRun<Rational>),
    /// With the circular cone: proved at the end.
    Circle(CircleRun),
}

/// Forces, with the box that encloses exact ones where they are not exact themselves.
#[derive(PartialEq)]
struct Found<'a> {
    forces: &'a Forces<Rational>,
    enclosure: Option<&'a EnclosureRadii>,
}

impl Ran {
    fn outcome(&self) -> Result<Found<'_>, &StaticFailure> {
        match self {
            Self::Rows(run) => run.outcome.as_ref().map(|(_, forces)| Found {
                forces,
                enclosure: None,
            }),
            Self::Circle(run) => run.outcome.as_ref().map(|found| Found {
                forces: &found.forces,
                enclosure: found.enclosure.as_ref(),
            }),
        }
    }

    fn work(&self) -> Work {
        match self {
            Self::Rows(run) => run.work,
            Self::Circle(run) => run.work,
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Rows(run) => match &run.outcome {
                Ok((_, forces)) => json!({"status": "solved", "forces": records::forces(forces)}),
                Err(failure) => failed(failure),
            },
            Self::Circle(run) => match &run.outcome {
                Ok(found) => records::proved(found),
                Err(failure) => failed(failure),
            },
        }
    }
}

fn failed(failure: &StaticFailure) -> Value {
    json!({"status": "failed", "message": failure.to_string()})
}

impl Ordered {
    /// Runs index sets on the scene: with a friction row for each tangent, exactly, or with the circular
    /// cone.
    pub fn ask(input: &SceneInput, chosen: FrictionOrder) -> Result<Self, Fatal> {
        let wrong = |error: ForceError| super::usage(error);
        let Question::Forces(model) = input.setup.question else {
            return Err(super::usage(
                "--friction-order is of contact forces, but the scene asks for impulses, which are frictionless",
            ));
        };
        let restated = matches!(model, FrictionModel::Polyhedral(_));
        let setup = Setup {
            mechanics: input.setup.mechanics.clone(),
            question: Question::Forces(if restated {
                FrictionModel::Circular
            } else {
                model
            }),
        };
        let formulation = setup.formulation().map_err(wrong)?;
        let formulation = formulation.ok_or_else(|| wrong(ForceError::NotRows))?;
        if !formulation.motions().contains(&ContactMotion::Static) {
            return Err(super::usage(
                "--friction-order is of static friction, but no contact of the scene has any: each slides, separates or is frictionless",
            ));
        }
        let run = |order: FrictionOrder| {
            if formulation.is_circular() {
                let run = formulation.static_friction_in_circle(order.order());
                return run.map(Ran::Circle).map_err(wrong);
            }
            let problem = formulation.problem(input.problem.name()).map_err(wrong)?;
            checked(&formulation, &problem, order).map(Ran::Rows)
        };
        Ok(Self {
            chosen,
            law: formulation.law(),
            run: run(chosen)?,
            other: run(chosen.other())?,
            restated,
        })
    }

    /// Whether the order chosen came to its end.
    pub fn is_solved(&self) -> bool {
        self.run.outcome().is_ok()
    }

    /// For people.
    pub fn prose(&self) -> String {
        let work = self.run.work();
        let how = match self.run {
            Ran::Rows(_) => "exactly",
            Ran::Circle(_) => "in the circular cone, in binary64 and proved at the end",
        };
        let mut parts: Vec<String> = in_place(self.law).into_iter().collect();
        parts.push(format!(
            "Static friction by index sets, {}, {how}. {}: {}; steps of length zero: {}; steps away from zero: {}.",
            self.chosen.words(),
            match self.run {
                Ran::Rows(_) => "Linear systems",
                Ran::Circle(_) => "Steps",
            },
            work.steps,
            work.degenerate,
            work.away
        ));
        if self.restated {
            parts.push("Index sets have no directions, so the scene's pyramid is replaced by Coulomb's circular cone.".to_owned());
        }
        match (&self.run, self.run.outcome()) {
            (run, Ok(found)) => {
                parts.push(forces_table(found.forces));
                parts.push(match run {
                    Ran::Circle(CircleRun { outcome: Ok(found), .. }) => coulomb::proved(found),
                    _ => "They solve the complementarity problem exactly.".to_owned(),
                });
            }
            (Ran::Rows(_), Err(failure)) => parts.push(format!(
                "The run cannot go on: {failure}. That says nothing about the scene; --solver exact decides it."
            )),
            (Ran::Circle(_), Err(failure)) => parts.push(format!(
                "The run finds no forces: {failure}. That says nothing about the scene; --solver exact looks for them in another way."
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
        let (own, other) = match (self.run.outcome(), self.other.outcome()) {
            (_, Err(failure)) => return format!("{failure}"),
            (Err(_), Ok(_)) => return "it finds forces".to_owned(),
            (Ok(own), Ok(other)) => (own, other),
        };
        let same = own.forces == other.forces;
        let moves_alike = own.forces.acceleration == other.forces.acceleration;
        let words = match (own.enclosure, other.enclosure) {
            (None, None) if same => "the same forces",
            (None, None) if moves_alike => "other forces, the same accelerations",
            (None, None) => "other forces, and other accelerations",
            // Boxes that overlap may hold the same forces, but that is not proved.
            _ if own.is_near(&other) => "forces that are the same as far as they are enclosed",
            _ if own.moves_near(&other) => {
                "other forces, and accelerations that are the same as far as they are enclosed"
            }
            _ => "other forces, and other accelerations",
        };
        words.to_owned()
    }

    /// For programs.
    pub fn json(&self, input: &SceneInput) -> String {
        let mut fields = input.fields.clone();
        fields.insert("friction_order".to_owned(), self.chosen.name().into());
        fields.extend(input.law_field(self.law));
        fields.insert("answer".to_owned(), self.run.json());
        fields.insert("work".to_owned(), work(self.run.work()));
        let other = json!({
            "friction_order": self.chosen.other().name(),
            "answer": self.other.json(),
            "work": work(self.other.work()),
        });
        fields.insert("other_order".to_owned(), other);
        Value::Object(fields).to_string()
    }
}

fn work(work: Work) -> Value {
    json!({"steps": work.steps, "degenerate": work.degenerate, "away": work.away})
}

impl Found<'_> {
    /// Whether the boxes of all forces overlap.
    fn is_near(&self, other: &Self) -> bool {
        let of = |enclosure: Option<&EnclosureRadii>| {
            enclosure.map(|e| e.force.clone()).unwrap_or_default()
        };
        let within = of(self.enclosure) + of(other.enclosure);
        let values = |forces: &Forces<Rational>| {
            let contacts = forces.contacts.iter();
            let contacts = contacts.flat_map(|c| {
                [&c.normal]
                    .into_iter()
                    .chain(&c.friction)
                    .cloned()
                    .collect::<Vec<_>>()
            });
            contacts
                .chain(forces.joints.iter().cloned())
                .collect::<Vec<_>>()
        };
        near(&values(self.forces), &values(other.forces), &within)
    }

    /// Whether the boxes of all generalised accelerations overlap.
    fn moves_near(&self, other: &Self) -> bool {
        let of = |enclosure: Option<&EnclosureRadii>| {
            enclosure
                .map(|e| e.acceleration.clone())
                .unwrap_or_default()
        };
        let within = of(self.enclosure) + of(other.enclosure);
        near(
            &self.forces.acceleration,
            &other.forces.acceleration,
            &within,
        )
    }
}

fn near(a: &[Rational], b: &[Rational], within: &Rational) -> bool {
    a.iter()
        .zip(b)
        .all(|(a, b)| Rational::from(a - b).abs() <= *within)
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
