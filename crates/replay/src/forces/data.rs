//! Exact results as the data of a record.

use etalon_contact_forces::{ContactForce, ContactMotion, DriveStep, ForcePath, Forces};
use etalon_exact::Variable;
use etalon_golden::forces::{ForcesData, FractionText, Trace, complement, exacts};
use etalon_methods::Method;
use rug::Rational;

/// Scenes are answered in binary64 by this.
pub const FAST_METHOD: Method = Method::Fast(etalon_fast::FastMethod::Auto);

/// Exact forces as a record has them.
pub fn forces_data(forces: &Forces<Rational>) -> ForcesData {
    let contacts = &forces.contacts;
    let column =
        |value: fn(&ContactForce<Rational>) -> &Rational| exacts(contacts.iter().map(value));
    let rubs = contacts.iter().any(|contact| contact.motion.rubs());
    let pairs = |value: fn(&ContactForce<Rational>) -> &Vec<Rational>| {
        let rows = contacts.iter().map(|contact| exacts(value(contact)));
        if rubs { rows.collect() } else { Vec::new() }
    };
    let mut motions: Vec<_> = contacts
        .iter()
        .map(|contact| word(&contact.motion).to_owned())
        .collect();
    if motions.windows(2).all(|pair| pair[0] == pair[1]) {
        motions.truncate(1);
    }
    ForcesData {
        motions,
        normal: column(|contact| &contact.normal),
        friction: pairs(|contact| &contact.friction),
        normal_acceleration: column(|contact| &contact.normal_acceleration),
        tangential_acceleration: pairs(|contact| &contact.tangential_acceleration),
        joints: exacts(&forces.joints),
        drives: exacts(forces.drives.iter().map(|own| &own.force)),
        acceleration: exacts(&forces.acceleration),
    }
}

fn word(motion: &ContactMotion<Rational>) -> &'static str {
    match motion {
        ContactMotion::Separating => "separating",
        ContactMotion::Frictionless => "frictionless",
        ContactMotion::Static => "static",
        ContactMotion::Sliding(_) => "sliding",
    }
}

/// A path as a record has it.
pub fn trace(path: &ForcePath) -> Trace {
    match path {
        ForcePath::Drive { steps, .. } => {
            let step = |step: &DriveStep| {
                (
                    step.driven,
                    step.blocking,
                    FractionText(step.length.clone()),
                )
            };
            Trace::DriveToZero {
                steps: steps.iter().map(step).collect(),
            }
        }
        ForcePath::Lemke { pivots, end } => {
            let pivot = |pivot: &(Variable, Variable)| (name(pivot.0), name(pivot.1));
            let pivots: Vec<_> = pivots.iter().map(pivot).collect();
            let last = pivots.last().and_then(|(_, leaving)| complement(leaving));
            Trace::Lemke {
                ray: last.filter(|_| end.is_none()),
                pivots,
            }
        }
    }
}

fn name(variable: Variable) -> String {
    match variable {
        Variable::W(i) => format!("w{i}"),
        Variable::Z(i) => format!("z{i}"),
        Variable::Artificial => "z".to_owned(),
    }
}
