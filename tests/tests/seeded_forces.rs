//! Faults in a copy of our own contact forces, each caught by name: by Newton's law and Baraff's conditions, written out here
//! for the system itself. The sound copy is at fault nowhere.

#![allow(
    dead_code,
    missing_docs,
    unused_braces,
    unused_imports,
    unused_parens,
    unused_variables,
    clippy::all,
    reason = "a copy, of which this uses a part, with switches in the midst of expressions"
)]

// The copy that build.rs made.
include!(concat!(env!("OUT_DIR"), "/contact-forces/lib.rs"));

mod seeded {
    include!("../seeded/bugs.rs");
    include!("../seeded/forces.rs");
}

include!("../seeded/frame.rs");

use etalon_exact::{Budget, ExactMethod};
use etalon_rigid::System;
use rug::Rational;
use seeded::FORCE_BUGS;

/// Scenes at rest in the plane: slopes, sliding, turning, joints, several contacts.
const SCENES: &[(&str, &[(&str, &str)])] = &[
    ("stack", &[]),
    ("ladder", &[]),
    ("beam", &[]),
    ("arm", &[]),
    ("chain", &[]),
    ("groove", &[]),
    ("arch", &[("stones", "5")]),
    ("painleve-indeterminate", &[]),
    ("painleve-inconsistent", &[("mu", "1/10")]),
    ("b-outside-range", &[]),
];

fn systems() -> Vec<(&'static str, System<Rational>)> {
    let mut systems = Vec::new();
    for (name, set) in SCENES {
        let Ok(scenario) = etalon_scenarios::find(name) else {
            continue;
        };
        let Ok(instance) = scenario.instance(set.iter().copied()) else {
            continue;
        };
        if let Ok(system) = instance.system() {
            systems.push((*name, system));
        }
    }
    systems
}

/// What the forces that the copy finds break; `None` where it finds none and says so.
fn wrong(system: &System<Rational>) -> Option<Vec<String>> {
    let formulation = match Formulation::new(system.clone(), FrictionModel::Rows) {
        Ok(formulation) => formulation,
        Err(ForceError::Approaching { .. }) => return None,
        Err(error) => return Some(vec![error.to_string()]),
    };
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    match formulation.solve(&*solver) {
        Ok(ForceAnswer::Forces(forces)) => Some(laws(system, &forces)),
        _ => None,
    }
}

fn scalar(a: &[Rational], b: &[Rational]) -> Rational {
    let terms = a.iter().zip(b).map(|(a, b)| Rational::from(a * b));
    terms.fold(Rational::new(), |sum, term| sum + term)
}

fn laws(system: &System<Rational>, forces: &Forces<Rational>) -> Vec<String> {
    let mut found = Vec::new();
    let own = forces.contacts.iter().zip(&system.contacts);
    // M acc + V = T + J'f.
    let mut left = system.mass.times(&forces.acceleration);
    for (left, (applied, bias)) in left.iter_mut().zip(system.applied.iter().zip(&system.bias)) {
        *left += Rational::from(bias - applied);
    }
    for (force, rows) in own.clone() {
        rows.normal.row.add_to(&-force.normal.clone(), &mut left);
        for (tangent, friction) in rows.tangents.iter().zip(&force.friction) {
            tangent.row.add_to(&-friction.clone(), &mut left);
        }
    }
    for (joint, force) in system.joints.iter().zip(&forces.joints) {
        joint.constraint.row.add_to(&-force.clone(), &mut left);
    }
    for (i, left) in left.iter().enumerate().filter(|(_, left)| **left != 0) {
        found.push(format!("Newton's law at coordinate {i}: {left} N"));
    }
    for joint in &system.joints {
        let a = joint.constraint.acceleration(&forces.acceleration);
        if a != 0 {
            found.push(format!("joint {}: accelerates by {a} m/s^2", joint.name));
        }
    }
    for (force, rows) in own {
        let mut say = |what: String| found.push(format!("contact {}: {what}", rows.name));
        let a = rows.normal.acceleration(&forces.acceleration);
        let parts = rows.normal.velocity(&system.velocity) > 0;
        if force.normal < 0 {
            say(format!("pulls with {} N", force.normal));
        }
        if parts && force.normal != 0 {
            say(format!("pushes with {} N bodies that part", force.normal));
        }
        if !parts && a < 0 {
            say(format!("closes with {a} m/s^2"));
        }
        if force.normal > 0 && a > 0 {
            say(format!(
                "pushes with {} N and opens with {a} m/s^2",
                force.normal
            ));
        }
        let slip: Vec<_> = rows.tangential_velocity(&system.velocity);
        let after: Vec<_> = rows
            .tangents
            .iter()
            .map(|t| t.acceleration(&forces.acceleration))
            .collect();
        let bound = rows.mu_squared() * force.normal.clone().square();
        let rubbed = scalar(&force.friction, &force.friction);
        if rubbed > bound {
            say(format!(
                "friction of {:?} N is outside of its cone",
                force.friction
            ));
        }
        let moving = if slip.iter().any(|v| *v != 0) {
            &slip
        } else {
            &after
        };
        if !parts && moving.iter().any(|v| *v != 0) {
            if scalar(&force.friction, moving) > 0 {
                say("friction drives".to_owned());
            }
            if rubbed != bound {
                say("slides below its bound of friction".to_owned());
            }
        }
    }
    found
}

#[test]
fn every_seeded_bug_of_the_forces_is_caught_by_name() {
    let systems = systems();
    let sound: Vec<_> = systems.iter().map(|(_, system)| wrong(system)).collect();
    for ((name, _), found) in systems.iter().zip(&sound) {
        let none: &[String] = &[];
        assert_eq!(
            found.as_deref().unwrap_or_default(),
            none,
            "{name} by the sound copy"
        );
    }
    let answered = sound.iter().filter(|found| found.is_some()).count();
    assert!(answered >= 5, "{answered} of {}", systems.len());
    assert_all_caught(FORCE_BUGS, || {
        let mut cases = systems.iter().zip(&sound);
        // Finding no forces where there are some is a fault, too.
        cases.find_map(|((name, system), sound)| {
            sound.as_ref()?;
            match wrong(system) {
                None => Some((*name, "no forces, where there are some".to_owned())),
                Some(found) => Some((*name, found.first()?.clone())),
            }
        })
    });
}

#[test]
fn names_are_for_one_bug_each() {
    assert_names_differ(FORCE_BUGS, 8);
}
