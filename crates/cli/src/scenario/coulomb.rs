//! Coulomb's law in space: what is proved of forces in the circular cone.

use etalon_contact_forces::{Coulomb, EnclosureRadii, OtherForces, Unproved};
use etalon_evidence::measure::figures::four_digits_up;
use etalon_lcp::round_up_f64;
use etalon_scenarios::CoulombAnswer;

use super::beside;
use super::show::forces_table;

/// The whole story.
pub fn prose(answer: &CoulombAnswer) -> Vec<String> {
    match &answer.found {
        Ok(found) => vec![
            forces_table(&found.forces),
            proved(found),
            others(answer.others).to_owned(),
        ],
        Err(failure) => unproved(failure),
    }
}

/// The proved facts about forces.
pub fn proved(found: &Coulomb) -> String {
    match &found.enclosure {
        None => {
            "These forces satisfy Coulomb's law exactly, with the circular cone at each contact."
                .to_owned()
        }
        Some(enclosure) => format!(
            "These forces are the centre of a box in which there are forces that satisfy Coulomb's law, with the circular cone at each contact (proved in fractions, after Newton and Kantorovich): {}.",
            within(enclosure)
        ),
    }
}

/// The size of the box.
pub fn within(enclosure: &EnclosureRadii) -> String {
    format!(
        "each is enclosed within {} N, and its accelerations within {} m/s^2 (rad/s^2)",
        four_digits_up(round_up_f64(&enclosure.force)),
        four_digits_up(round_up_f64(&enclosure.acceleration))
    )
}

fn others(others: OtherForces) -> &'static str {
    match others {
        OtherForces::None => "There are no other forces that satisfy Coulomb's law.",
        OtherForces::SameMotion { found: true } => {
            "Some contacts are redundant, so that other forces satisfy Coulomb's law, too; the accelerations are the same for all."
        }
        OtherForces::SameMotion { found: false } => {
            "All forces that satisfy Coulomb's law have the same accelerations. Whether there are others was not decided."
        }
        OtherForces::Some => {
            "They are not the only ones: some contacts are redundant, and others near by satisfy Coulomb's law, too. Whether all have the same accelerations was not decided."
        }
        _ => "Whether other forces satisfy Coulomb's law, too, was not decided.",
    }
}

fn unproved(failure: &Unproved) -> Vec<String> {
    let mut parts = Vec::new();
    if let Unproved::Close(found) = failure {
        parts.push(beside::table(&found.forces, None));
    }
    parts.push(format!(
        "Nothing is proved of forces in the circular cone: {failure}. That says nothing about the scene. --friction-pyramid K decides it for a pyramid of K sides in place of the cone."
    ));
    parts
}
