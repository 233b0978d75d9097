//! The outcome of a scenario, in words.

use etalon_contact_forces::{
    ContactMotion, ForceError, Forces, Formulation, Indeterminate, RowKind, StaticLaw,
};
use etalon_rigid::System;
use etalon_scenarios::{Impact, Rubbed, ScenarioAnswer, Uniqueness};
use rug::Rational;

use super::coulomb;
use super::impact_energy::energies;
use super::inconsistent::{inconsistent, no_impulses};
use super::input::SceneInput;
use super::law::{conditions, in_place};
use super::show::{count, forces_table, joints_table, list, number, rates_table, vector};
use crate::console::table;

/// Rows up to which equations are written out.
const WRITTEN_OUT: usize = 4;

/// The whole story.
pub fn run(input: &SceneInput, answer: &ScenarioAnswer) -> Result<String, ForceError> {
    let system = input.setup.system()?;
    let formulation = input.setup.formulation()?;
    // Forces by Coulomb's law say by themselves how exact they are.
    let exact = match answer {
        ScenarioAnswer::Coulomb(_) => "",
        _ => " All numbers are exact.",
    };
    let mut parts = vec![opening(input, &system) + exact];
    parts.extend(formulation.as_ref().map(equations));
    let law = formulation
        .as_ref()
        .map_or(StaticLaw::Coulomb, Formulation::law);
    parts.extend(in_place(law));
    match answer {
        ScenarioAnswer::Forces {
            forces,
            unique,
            another,
        } => {
            match rates_table(&input.setup.mechanics, &forces.acceleration) {
                Some(rates) if forces.contacts.is_empty() => parts.push(rates),
                _ => parts.push(forces_table(forces)),
            }
            parts.extend(joints_table(&system, &forces.joints));
            parts.push(uniqueness(
                *unique,
                formulation.as_ref().map_or(0, Formulation::n),
                law,
            ));
            parts.extend(another.as_ref().map(|another| second(forces, another)));
        }
        ScenarioAnswer::Several(found) => parts.extend(several(found, law)),
        ScenarioAnswer::Inconsistent(found) => {
            parts.extend(inconsistent(&system, formulation.as_ref(), found));
        }
        ScenarioAnswer::Coulomb(answer) => parts.extend(coulomb::prose(answer)),
        ScenarioAnswer::Impulses(impact) => parts.push(impacts(&system, impact)),
        ScenarioAnswer::NoImpulses(proof) => parts.push(no_impulses(proof)),
        _ => {}
    }
    Ok(parts.join("\n\n"))
}

/// The name and the size of the scene.
pub fn opening(input: &SceneInput, system: &System<Rational>) -> String {
    let size = [
        count(system.contacts.len(), "contact", "contacts"),
        count(system.joints.len(), "bilateral row", "bilateral rows"),
        count(system.dofs(), "degree of freedom", "degrees of freedom"),
    ];
    let opening = &input.opening;
    let between = if opening.ends_with('.') { "\n" } else { "; " };
    format!("{opening}{between}{}.", list(&size))
}

/// a = A f + b, written out where it is short.
fn equations(formulation: &Formulation<Rational>) -> String {
    let n = formulation.n();
    let heading = format!(
        "Accelerations at the contacts depend on the forces as a = A f + b, {} by {n}",
        n
    );
    if n > WRITTEN_OUT {
        return format!("{heading}.");
    }
    let lines: Vec<_> = (0..n)
        .map(|i| format!("\n  {}", equation(formulation, i)))
        .collect();
    format!("{heading}:{}", lines.concat())
}

fn equation(formulation: &Formulation<Rational>, i: usize) -> String {
    let mut terms = String::new();
    for (j, value) in formulation.a().row(i).iter().enumerate() {
        if *value != 0 {
            terms.push_str(&signed(value, &format!(" f_{j}"), terms.is_empty()));
        }
    }
    let constant = &formulation.b()[i];
    if *constant != 0 || terms.is_empty() {
        terms.push_str(&signed(constant, "", terms.is_empty()));
    }
    format!("a_{i} = {terms}    ({})", row_name(formulation, i))
}

fn signed(value: &Rational, unit: &str, first: bool) -> String {
    let size = match number(&value.clone().abs()) {
        one if one == "1" && !unit.is_empty() => String::new(),
        size => size,
    };
    let unit = if size.is_empty() {
        unit.trim_start()
    } else {
        unit
    };
    match (*value < 0, first) {
        (true, true) => format!("-{size}{unit}"),
        (true, false) => format!(" - {size}{unit}"),
        (false, true) => format!("{size}{unit}"),
        (false, false) => format!(" + {size}{unit}"),
    }
}

pub fn row_name(formulation: &Formulation<Rational>, i: usize) -> String {
    let system = formulation.system();
    let contact = |k: usize| &system.contacts[k].name;
    match formulation.rows()[i] {
        RowKind::Normal(k) => match formulation.motions()[k] {
            ContactMotion::Sliding(_) => {
                format!("{}, normal, with the friction of sliding", contact(k))
            }
            _ => format!("{}, normal", contact(k)),
        },
        RowKind::Tangent { contact: k, .. } => format!("{}, friction", contact(k)),
        RowKind::Direction { contact: k, index } => format!("{}, direction {index}", contact(k)),
        RowKind::Cone(k) => format!("{}, friction cone", contact(k)),
        RowKind::Joint(k) => system.joints[k].name.clone(),
        RowKind::Drive(k) => system.drives[k].name.clone(),
    }
}

fn uniqueness(unique: Uniqueness, n: usize, law: StaticLaw) -> String {
    match unique {
        Uniqueness::Forces => {
            format!(
                "There are no other forces that satisfy {}.",
                conditions(law)
            )
        }
        Uniqueness::Accelerations { rank } => format!(
            "A is symmetric positive semidefinite of rank {rank}, less than {n}: some rows are redundant, so that other forces do as well; the accelerations are the same for all."
        ),
        Uniqueness::No { pivots } => {
            format!("They are not the only ones. {}", out_of_reach(n, pivots))
        }
        Uniqueness::Unknown { pivots } => format!(
            "Whether other forces do as well was not decided: none were found. {}",
            out_of_reach(n, pivots)
        ),
        _ => String::new(),
    }
}

fn out_of_reach(n: usize, pivots: u64) -> String {
    format!(
        "Listing all of them was given up after {pivots} pivots: each of the {n} rows is a choice between force and acceleration, and the corners of one family of forces, such as friction forces that oppose each other, may number thousands."
    )
}

fn second(own: &Forces<Rational>, another: &Forces<Rational>) -> String {
    let motion = if own.acceleration == another.acceleration {
        "with the same accelerations"
    } else {
        "with other accelerations"
    };
    format!("These do as well, {motion}:\n{}", forces_table(another))
}

fn several(found: &Indeterminate<Rational>, law: StaticLaw) -> Vec<String> {
    let (solutions, motions) = (found.solutions.len(), found.motions);
    let (laws, undetermined) = match law {
        StaticLaw::Coulomb => ("the laws of friction".to_owned(), "the laws do"),
        pyramid => (conditions(pyramid), "the pyramid does"),
    };
    let kind = if found.families == 0 {
        format!("Exactly {solutions} answers satisfy {laws}")
    } else {
        format!("Infinitely many answers satisfy {laws}, between and beyond these {solutions}")
    };
    let motion = if motions > 1 {
        format!(
            "and they are different motions: {undetermined} not determine what happens. This is a proof, not a failure of the solver: the search over all choices of f = 0 or a = 0 is complete."
        )
    } else {
        "but all of them are the same motion: only the forces are undetermined.".to_owned()
    };
    let mut parts = vec![format!("{kind}, {motion}")];
    for (k, forces) in found.solutions.iter().take(8).enumerate() {
        parts.push(format!("Answer {}:\n{}", k + 1, forces_table(forces)));
    }
    if solutions > 8 {
        parts.push(format!("... and {} more.", solutions - 8));
    }
    parts
}

fn impacts(system: &System<Rational>, impact: &Impact) -> String {
    let rows = system.contacts.iter().enumerate().map(|(i, contact)| {
        vec![
            contact.name.clone(),
            number(&impact.before[i]),
            number(&impact.impulses[i]),
            number(&impact.after[i]),
        ]
    });
    let table = table(
        &["contact", "v_N before, m/s", "p_N, N s", "v_N after, m/s"],
        1..4,
        rows,
    );
    let joints = match impact.joints.as_slice() {
        [] => String::new(),
        joints => format!("\n\nImpulses of the joints, N s: {}.", vector(joints)),
    };
    let rubbed = impact.rubbed.as_ref();
    let rubbed = rubbed.map_or_else(String::new, |own| friction(system, own));
    format!("{table}{rubbed}{joints}\n\n{}", energies(impact))
}

/// Friction of an impact, and the compression of Poisson's law.
fn friction(system: &System<Rational>, own: &Rubbed<Rational>) -> String {
    let pressed = own.compression.as_ref();
    let rows = system.contacts.iter().enumerate().map(|(i, contact)| {
        let mut row = vec![
            contact.name.clone(),
            vector(&own.slip[0][i]),
            vector(&own.friction[i]),
            vector(&own.slip[1][i]),
        ];
        row.extend(pressed.map(|own| number(&own.normal[i])));
        row
    });
    let header = [
        "contact",
        "v_F before, m/s",
        "p_F, N s",
        "v_F after, m/s",
        "p_N of the compression, N s",
    ];
    let columns = 4 + usize::from(pressed.is_some());
    format!("\n\n{}", table(&header[..columns], 1..columns, rows))
}
