//! What the picture of a scene at rest shows of its answer.

use etalon_contact_forces::Forces;
use etalon_evidence::picture::Acting;
use etalon_rigid::Scalar;
use etalon_scenarios::{Impact, ScenarioAnswer};

use super::circular::Outcome;

const FORCES: &str = "contact forces";

/// The forces or impulses of an answer: of several the first in which a contact presses.
pub fn of_answer(answer: &ScenarioAnswer) -> Acting {
    match answer {
        ScenarioAnswer::Forces { forces, .. } => acting(forces, FORCES.to_owned()),
        ScenarioAnswer::Several(found) => {
            let presses = |own: &&Forces<_>| own.contacts.iter().any(|contact| contact.normal > 0);
            let pressing = found.solutions.iter().find(presses);
            let count = found.solutions.len();
            let which = match found.families {
                0 => format!("{FORCES}, one of {count} answers"),
                _ => format!("{FORCES}, one of infinitely many answers"),
            };
            match pressing.or(found.solutions.first()) {
                Some(shown) => acting(shown, which),
                None => nothing("no contact forces were found"),
            }
        }
        ScenarioAnswer::Coulomb(answer) => match &answer.found {
            Ok(found) => acting(&found.forces, format!("{FORCES} by Coulomb's law")),
            Err(_) => nothing("no contact forces were proved"),
        },
        ScenarioAnswer::Inconsistent(_) => nothing("no contact forces satisfy the laws"),
        ScenarioAnswer::Impulses(impact) => impulses(impact),
        ScenarioAnswer::NoImpulses(_) => nothing("no impulses satisfy the laws"),
        _ => nothing("the solver gave up"),
    }
}

fn impulses(impact: &Impact) -> Acting {
    let friction = |i: usize| {
        let own = impact.rubbed.as_ref().and_then(|own| own.friction.get(i));
        own.into_iter().flatten().map(Scalar::to_f64).collect()
    };
    Acting {
        forces: impact
            .impulses
            .iter()
            .enumerate()
            .map(|(i, impulse)| (impulse.to_f64(), friction(i)))
            .collect(),
        what: "impulses of the contacts".to_owned(),
        unit: "N s",
    }
}

/// The forces in the circular cone in binary64.
pub fn of_circular(outcome: &Outcome) -> Acting {
    match outcome {
        Ok((found, _)) => acting(&found.forces, format!("{FORCES} in the circular cone")),
        Err(_) => nothing("no contact forces were found"),
    }
}

fn acting<S: Scalar>(forces: &Forces<S>, what: String) -> Acting {
    let of_contact = |contact: &etalon_contact_forces::ContactForce<S>| {
        let friction = contact.friction.iter().map(Scalar::to_f64);
        (contact.normal.to_f64(), friction.collect())
    };
    Acting {
        forces: forces.contacts.iter().map(of_contact).collect(),
        what,
        unit: "N",
    }
}

fn nothing(why: &str) -> Acting {
    Acting {
        what: why.to_owned(),
        ..Acting::default()
    }
}
