//! The outcome of a scenario, for machines. Exact numbers are fractions in strings.

use etalon_contact_forces::{
    Consistency, ContactMotion, Coulomb, Forces, Indeterminate, OtherForces, Resolution, Resolved,
    StoppingImpulse,
};
use etalon_lcp::record::write_claim;
use etalon_lcp::{Certificate, Claim, ClaimedAnswer};
use rug::Rational;
use serde_json::{Value, json};

use crate::{
    CoulombAnswer, Impact, Inconsistent, Parameter, PartDescription, Scenario, ScenarioAnswer,
    Uniqueness,
};

/// The registry: an entry for each part of each scenario, with its parameters. This is what
/// `etalon scenario list --json` and `etalon.scenarios()` in Python say.
pub fn list<'a>(scenarios: impl IntoIterator<Item = &'a Scenario>) -> Value {
    let parts = scenarios
        .into_iter()
        .flat_map(|scenario| scenario.parts().map(|about| part(scenario.name, &about)));
    parts.collect()
}

fn part(name: &str, about: &PartDescription) -> Value {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default,
            "unit": parameter.unit,
            "meaning": parameter.meaning,
            "range": parameter.range.to_string(),
        })
    };
    json!({
        "name": name,
        "kind": about.part.word(),
        "description": about.description,
        "source": about.source,
        "trajectory": about.part.moves(),
        "parameters": about.parameters.iter().map(parameter).collect::<Vec<_>>(),
    })
}

/// The exact answer.
pub fn answer(answer: &ScenarioAnswer) -> Value {
    match answer {
        ScenarioAnswer::Forces {
            forces: own,
            unique,
            another,
        } => json!({
            "status": "solved",
            "unique": match unique {
                Uniqueness::Forces => "forces",
                Uniqueness::Accelerations { .. } => "accelerations",
                Uniqueness::Unknown { .. } => "unknown",
                _ => "no",
            },
            "another": another.as_deref().map(forces),
            "forces": forces(own),
        }),
        ScenarioAnswer::Several(found) => several(found),
        ScenarioAnswer::Coulomb(answer) => coulomb(answer),
        ScenarioAnswer::Inconsistent(found) => inconsistent(found),
        ScenarioAnswer::Impulses(own) => impact(own),
        ScenarioAnswer::NoImpulses(proof) => {
            json!({"status": "inconsistent", "certificate": certificate(proof), "resolution": null, "afterwards": null})
        }
        ScenarioAnswer::Failed(why) => json!({"status": "failed", "message": why}),
    }
}

fn impact(impact: &Impact) -> Value {
    let mut value = json!({
        "status": "solved",
        "impulses": numbers(&impact.impulses),
        "joints": numbers(&impact.joints),
        "normal_velocities": {"before": numbers(&impact.before), "after": numbers(&impact.after)},
        "kinetic_energy": numbers(&impact.kinetic_energy),
        "work": {"impact": impact.relative_work().to_string(), "obstacles": impact.obstacle_work().to_string()},
    });
    if let Some(own) = &impact.rubbed {
        let lists = |own: &[Vec<Rational>]| own.iter().map(|own| numbers(own)).collect::<Value>();
        let [before, after] = own.slip.each_ref().map(|own| lists(own));
        value["friction"] = lists(&own.friction);
        value["sliding_velocities"] = json!({"before": before, "after": after});
        let squeezed = own.compression.as_ref();
        value["compression"] = squeezed.map_or(Value::Null, |own| numbers(&own.normal));
        if let Some(own) = squeezed {
            value["compression_end"] = json!({
                "friction": lists(&own.friction),
                "normal_velocities": numbers(&own.after),
                "sliding_velocities": lists(&own.slip),
                "kinetic_energy": own.kinetic_energy.to_string(),
            });
        }
    }
    value
}

/// Forces by Coulomb's law in space.
fn coulomb(answer: &CoulombAnswer) -> Value {
    match &answer.found {
        Ok(found) => {
            let mut value = proved(found);
            value["unique"] = match answer.others {
                OtherForces::None => "forces",
                OtherForces::SameMotion { .. } => "accelerations",
                OtherForces::Some => "no",
                _ => "unknown",
            }
            .into();
            value["another"] = Value::Null;
            value
        }
        Err(failure) => json!({"status": "failed", "message": failure.to_string()}),
    }
}

/// Forces in the circular cone that are proved.
pub fn proved(found: &Coulomb) -> Value {
    let mut value = json!({
        "status": "solved",
        "proof": if found.enclosure.is_none() { "exact" } else { "enclosed" },
        "forces": forces(&found.forces),
    });
    if let Some(enclosure) = &found.enclosure {
        value["within"] = json!({
            "force": enclosure.force.to_string(),
            "acceleration": enclosure.acceleration.to_string(),
        });
    }
    value
}

/// How a contact moves, in a word.
pub fn motion_word<S>(motion: &ContactMotion<S>) -> &'static str {
    match motion {
        ContactMotion::Separating => "separating",
        ContactMotion::Frictionless => "frictionless",
        ContactMotion::Static => "static",
        ContactMotion::Sliding(_) => "sliding",
    }
}

fn numbers(values: &[Rational]) -> Value {
    values.iter().map(ToString::to_string).collect()
}

/// Forces and accelerations, contact by contact.
pub fn forces(forces: &Forces<Rational>) -> Value {
    let contacts = forces.contacts.iter().map(|contact| {
        json!({
            "contact": contact.name,
            "motion": motion_word(&contact.motion),
            "normal": contact.normal.to_string(),
            "friction": numbers(&contact.friction),
            "normal_acceleration": contact.normal_acceleration.to_string(),
            "tangential_acceleration": numbers(&contact.tangential_acceleration),
        })
    });
    let mut value = json!({
        "contacts": contacts.collect::<Vec<_>>(),
        "joints": numbers(&forces.joints),
        "acceleration": numbers(&forces.acceleration),
    });
    if !forces.drives.is_empty() {
        let drives = forces.drives.iter().map(|own| {
            json!({
                "drive": own.name,
                "force": own.force.to_string(),
                "acceleration": own.acceleration.to_string(),
                "bound": own.bound.to_string(),
            })
        });
        value["drives"] = drives.collect();
    }
    value
}

fn several(found: &Indeterminate<Rational>) -> Value {
    json!({
        "status": "indeterminate",
        "solutions": found.solutions.iter().map(forces).collect::<Vec<_>>(),
        "families": found.families,
        "motions": found.motions,
    })
}

fn certificate(proof: &Certificate) -> Value {
    let mut claim = Claim::new("proof", ClaimedAnswer::Unsolvable);
    claim.certificate = Some(proof.clone());
    let mut record: Value = serde_json::from_str(&write_claim(&claim)).unwrap_or_default();
    record["certificate"].take()
}

fn inconsistent(found: &Inconsistent) -> Value {
    let afterwards = found
        .afterwards
        .as_ref()
        .map(|afterwards| match afterwards {
            Consistency::Unique(own) => json!({"status": "solved", "forces": forces(own)}),
            Consistency::Indeterminate(found) => several(found),
            Consistency::Inconsistent(_) => json!({"status": "inconsistent"}),
            _ => json!({"status": "unknown"}),
        });
    json!({
        "status": "inconsistent",
        "certificate": certificate(&found.proof),
        "resolution": match &found.resolved {
            Resolved::Impulse(resolution) => self::resolution(resolution),
            _ => Value::Null,
        },
        "afterwards": afterwards,
    })
}

/// The impulse that resolves an inconsistency.
pub fn resolution(found: &Resolution<Rational>) -> Value {
    let impulse = match &found.impulse {
        StoppingImpulse::Ray { k, .. } => json!({"kind": "ray", "k": k.to_string()}),
        StoppingImpulse::Consistency {
            contact, impulse, ..
        } => json!({"kind": "consistency", "contact": contact, "impulse": numbers(impulse)}),
        _ => Value::Null,
    };
    let report = &found.report;
    let approaching = report.approaching.iter();
    let approaching = approaching.map(|(i, v)| json!([i, v.to_string()]));
    let second = found.stop.contacts.iter().map(|p| numbers(p));
    json!({
        "ray": found.ray.as_ref().map(|ray| json!({
            "z": numbers(&ray.z),
            "response": numbers(&ray.response),
        })),
        "impulse": impulse,
        "second_impulse": second.collect::<Vec<_>>(),
        "total_impulse": report.total.iter().map(|p| numbers(p)).collect::<Vec<_>>(),
        "velocity": numbers(&found.stop.velocity),
        "stopped": report.stopped,
        "approaching": approaching.collect::<Vec<_>>(),
        "still_approaching": report.still_approaching,
        "outside_cone": report.outside_cone,
        "kinetic_energy": numbers(&report.kinetic_energy),
    })
}
