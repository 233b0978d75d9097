//! Baraff's drive to zero, contact by contact in an order of the user's.

use std::str::FromStr;

use etalon_contact_forces::{
    DriveEnd, DriveEvent, Drives, DrivesEnd, ForceError, ForceRay, Forces, Formulation,
    FrictionModel, Resolved, resolve_along,
};
use etalon_exact::Budget;
use etalon_rigid::System;
use etalon_scenarios::{Question, json as records};
use rug::Rational;
use serde_json::{Value, json};

use super::inconsistent::along;
use super::input::SceneInput;
use super::prose::row_name;
use super::show::{count, forces_table, joints_table, list, number, vector};
use super::usage;
use crate::Result;
use crate::console::table;

/// So many steps are told in words.
const STEPS: usize = 40;

/// In which order contacts are driven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriveOrder {
    /// As they stand in the scene.
    Scene,
    /// The last one first.
    Reversed,
    /// By their names, or their numbers from 0.
    List(Vec<String>),
}

impl FromStr for DriveOrder {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "" => Err("say scene, reversed, or contacts with commas between them".to_owned()),
            "scene" => Ok(Self::Scene),
            "reversed" => Ok(Self::Reversed),
            _ => {
                let own = text.split(',').map(|own| own.trim().to_owned());
                Ok(Self::List(own.collect()))
            }
        }
    }
}

impl DriveOrder {
    /// The contacts by their numbers.
    fn contacts(&self, system: &System<Rational>) -> Result<Vec<usize>> {
        let n = system.contacts.len();
        let Self::List(own) = self else {
            let all = 0..n;
            return Ok(match self {
                Self::Reversed => all.rev().collect(),
                _ => all.collect(),
            });
        };
        let mut order = Vec::with_capacity(n);
        for word in own {
            let named = system.contacts.iter().position(|own| own.name == *word);
            let numbered = || word.parse().ok().filter(|number| *number < n);
            let Some(contact) = named.or_else(numbered) else {
                let names: Vec<_> = system.contacts.iter().map(|own| own.name.clone()).collect();
                return Err(usage(format!(
                    "--drive-order names {word:?}, which is no contact of the scene and no number of one from 0; they are {}",
                    list(&names)
                )));
            };
            if order.contains(&contact) {
                return Err(usage(format!(
                    "--drive-order names {word:?} twice: leave one of the two out"
                )));
            }
            order.push(contact);
        }
        let left = (0..n).filter(|i| !order.contains(i));
        let left: Vec<_> = left.map(|i| system.contacts[i].name.clone()).collect();
        match left.is_empty() {
            true => Ok(order),
            false => Err(usage(format!(
                "--drive-order leaves out {}: each contact stands in it once",
                list(&left)
            ))),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Scene => "the order of the scene".to_owned(),
            Self::Reversed => "the reversed order".to_owned(),
            Self::List(own) => own.join(", "),
        }
    }
}

/// The drive in the order that is asked for, beside others.
pub struct Driven {
    order: DriveOrder,
    formulation: Formulation<Rational>,
    contacts: Vec<usize>,
    run: Drives,
    /// Where it goes on for ever: what is known of forces, and the impulse.
    resolved: Option<Resolved<Rational>>,
    others: Vec<(DriveOrder, Drives)>,
}

impl Driven {
    /// Drives.
    pub fn ask(input: &SceneInput, order: &DriveOrder, budget: &Budget) -> Result<Self> {
        let wrong = |error: ForceError| usage(error);
        let Question::Forces(model) = input.setup.question else {
            return Err(usage(
                "--drive-order is of contact forces, but the scene asks for the impulses of an impact",
            ));
        };
        let system = input.setup.system().map_err(wrong)?;
        // A pyramid has directions, which the drive has not; its law is asked with a row for each tangent.
        let in_space = system.contacts.iter().any(|own| own.tangents.len() > 1);
        let sides = match model {
            FrictionModel::Polyhedral(sides) => Some(sides),
            _ => None,
        };
        let model = match model {
            FrictionModel::Polyhedral(_) if in_space => FrictionModel::Circular,
            FrictionModel::Polyhedral(_) => FrictionModel::Rows,
            own => own,
        };
        let formulation = Formulation::new(system, model).map_err(wrong)?;
        if formulation.is_circular() {
            let own = sides.map_or_else(
                || "is in the circular cone".to_owned(),
                |sides| {
                    format!(
                        "is in a pyramid of {sides} sides here, which has no row for each tangent"
                    )
                },
            );
            return Err(usage(format!(
                "--drive-order drives along straight lines, and static friction in space {own}: take --friction-order, or \"question\": {{\"friction\": \"rows\"}}"
            )));
        }
        let contacts = order.contacts(formulation.system())?;
        let drive = |order: &[usize]| formulation.drive(order, budget).map_err(wrong);
        let run = drive(&contacts)?;
        let mut others = Vec::new();
        for other in [DriveOrder::Scene, DriveOrder::Reversed] {
            let own = other.contacts(formulation.system())?;
            if own != contacts {
                others.push((other, drive(&own)?));
            }
        }
        let resolved = match &run.end {
            DrivesEnd::Unbounded { ray, .. } => {
                let mechanics = &input.setup.mechanics;
                let found = resolve_along(mechanics, &formulation, ray.clone(), budget);
                Some(found.map_err(wrong)?)
            }
            _ => None,
        };
        Ok(Self {
            order: order.clone(),
            formulation,
            contacts,
            run,
            resolved,
            others,
        })
    }

    /// Whether the drive ends in forces, in the proof that there are none, or in an impulse.
    pub fn is_solved(&self) -> bool {
        matches!(
            (&self.run.end, &self.resolved),
            (DrivesEnd::Forces(_) | DrivesEnd::NoForces(_), _)
                | (DrivesEnd::Unbounded { .. }, Some(Resolved::Impulse(_)))
        )
    }

    fn name(&self, row: usize) -> String {
        row_name(&self.formulation, row)
    }

    /// For people.
    pub fn prose(&self) -> String {
        let names = self.contacts.iter();
        let names = names.map(|i| self.formulation.system().contacts[*i].name.clone());
        let mut parts = vec![format!(
            "Baraff's drive to zero, contact by contact in {}: {}. {}.",
            self.order.words(),
            list(&names.collect::<Vec<_>>()),
            count(self.run.trace.len(), "step", "steps"),
        )];
        parts.extend(self.steps());
        parts.extend(self.end());
        for (order, other) in &self.others {
            parts.push(format!(
                "In {}: {}; {}.",
                order.words(),
                count(other.trace.len(), "step", "steps"),
                self.beside(other)
            ));
        }
        parts.join("\n\n")
    }

    fn steps(&self) -> Option<String> {
        let trace = &self.run.trace;
        let row = |(k, step): (usize, &DriveEvent<Rational>)| {
            vec![
                (k + 1).to_string(),
                self.name(step.driven),
                number(&step.length),
                self.why(step),
            ]
        };
        let rows = trace.iter().enumerate().take(STEPS).map(row);
        let header = ["step", "drives", "by, N", "until"];
        let shown = table(&header, 2..3, rows);
        let more = match trace.len().checked_sub(STEPS + 1) {
            Some(more) => format!("\nand {} more", more + 1),
            None => String::new(),
        };
        (!trace.is_empty()).then(|| shown + &more)
    }

    fn why(&self, step: &DriveEvent<Rational>) -> String {
        let other = self.name(step.blocking);
        match step.end {
            DriveEnd::Goal => "its acceleration is 0".to_owned(),
            DriveEnd::Acceleration => format!("that of {other} falls to 0: it pushes from now on"),
            DriveEnd::Force => format!("the force of {other} falls to 0"),
            DriveEnd::Limit => format!("{other} is at its limit"),
        }
    }

    fn end(&self) -> Vec<String> {
        match &self.run.end {
            DrivesEnd::Forces(forces) => {
                let mut parts = vec![forces_table(forces)];
                parts.extend(joints_table(self.formulation.system(), &forces.joints));
                parts.push("They solve the complementarity problem exactly.".to_owned());
                parts
            }
            DrivesEnd::NoForces(y) => vec![format!(
                "There is no solution: no contact forces satisfy the laws.\nProof: weigh the rows with y = {}. Then y'A <= 0 and y'b < 0, so that y'(A f + b) < 0 for every f >= 0 (checked).",
                vector(y)
            )],
            DrivesEnd::Unbounded { row, ray } => self.unbounded(*row, ray),
            DrivesEnd::Failed(why) => vec![format!(
                "The drive cannot go on: {why}. That says nothing about the scene; --solver exact decides it."
            )],
            _ => Vec::new(),
        }
    }

    /// What the paper says of a drive that goes on for ever.
    fn unbounded(&self, row: usize, ray: &ForceRay<Rational>) -> Vec<String> {
        let mut parts = vec![format!(
            "Nothing stops the drive of {}: its step is unbounded. Forces grow along z = {}, for which A z = {}. The harder the contacts press, the faster the bodies approach: forces of no size will do along this way, and an impulse is called for (Baraff 1994, section 6).",
            self.name(row),
            vector(&ray.z),
            vector(&ray.response)
        )];
        match &self.resolved {
            Some(Resolved::Impulse(found)) => {
                parts.push("No contact forces at all satisfy the laws (checked).".to_owned());
                parts.extend(along(self.formulation.system(), found));
            }
            Some(Resolved::NotNeeded(_)) => parts.push(
                "Contact forces exist all the same, or it was not decided whether they do: this drive does not find them. --solver exact lists them."
                    .to_owned(),
            ),
            _ => parts.push("No contact forces satisfy the laws, and no impulse along this way stops a contact.".to_owned()),
        }
        parts
    }

    /// What another order leads to.
    fn beside(&self, other: &Drives) -> String {
        let words = match (&self.run.end, &other.end) {
            (DrivesEnd::Forces(own), DrivesEnd::Forces(other)) => match alike(own, other) {
                [true, _] => "the same forces",
                [_, true] => "other forces, the same accelerations",
                _ => "other forces, and other accelerations",
            },
            (_, DrivesEnd::Forces(_)) => "it ends in forces",
            (_, DrivesEnd::NoForces(_)) => "the proof that there are no forces",
            (_, DrivesEnd::Unbounded { .. }) => "it is unbounded",
            (_, DrivesEnd::Failed(why)) => return why.clone(),
            _ => "",
        };
        words.to_owned()
    }

    /// For programs.
    pub fn json(&self, input: &SceneInput) -> String {
        let mut fields = input.fields.clone();
        let names = |contacts: &[usize]| -> Value {
            let system = self.formulation.system();
            contacts
                .iter()
                .map(|i| json!(system.contacts[*i].name))
                .collect()
        };
        fields.insert("drive_order".to_owned(), names(&self.contacts));
        fields.insert("answer".to_owned(), self.answer());
        fields.insert(
            "trace".to_owned(),
            self.run.trace.iter().map(|own| self.event(own)).collect(),
        );
        fields.insert("work".to_owned(), json!({"steps": self.run.trace.len()}));
        let others = self.others.iter().map(|(order, other)| {
            let mut own = json!({
                "order": order.words(),
                "work": {"steps": other.trace.len()},
                "status": status(&other.end),
            });
            if let (DrivesEnd::Forces(a), DrivesEnd::Forces(b)) = (&self.run.end, &other.end) {
                let [forces, accelerations] = alike(a, b);
                own["same_forces"] = forces.into();
                own["same_accelerations"] = accelerations.into();
            }
            own
        });
        fields.insert("other_orders".to_owned(), others.collect());
        Value::Object(fields).to_string()
    }

    fn event(&self, own: &DriveEvent<Rational>) -> Value {
        let end = match own.end {
            DriveEnd::Goal => "goal",
            DriveEnd::Acceleration => "acceleration",
            DriveEnd::Force => "force",
            DriveEnd::Limit => "limit",
        };
        json!({
            "drives": self.name(own.driven),
            "until": self.name(own.blocking),
            "end": end,
            "length": own.length.to_string(),
        })
    }

    fn answer(&self) -> Value {
        let numbers = |own: &[Rational]| own.iter().map(ToString::to_string).collect::<Value>();
        let mut own = json!({"status": status(&self.run.end)});
        match &self.run.end {
            DrivesEnd::Forces(forces) => own["forces"] = records::forces(forces),
            DrivesEnd::NoForces(y) => own["farkas"] = numbers(y),
            DrivesEnd::Unbounded { row, ray } => {
                own["drives"] = self.name(*row).into();
                own["ray"] = json!({"z": numbers(&ray.z), "response": numbers(&ray.response)});
                if let Some(Resolved::Impulse(found)) = &self.resolved {
                    own["resolution"] = records::resolution(found);
                }
            }
            DrivesEnd::Failed(why) => own["message"] = why.clone().into(),
            _ => {}
        }
        own
    }
}

fn status(end: &DrivesEnd) -> &'static str {
    match end {
        DrivesEnd::Forces(_) => "solved",
        DrivesEnd::NoForces(_) => "inconsistent",
        DrivesEnd::Unbounded { .. } => "unbounded",
        _ => "failed",
    }
}

/// Whether forces are the same, and accelerations.
fn alike(own: &Forces<Rational>, other: &Forces<Rational>) -> [bool; 2] {
    [own == other, own.acceleration == other.acceleration]
}
