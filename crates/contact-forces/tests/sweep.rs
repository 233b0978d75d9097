//! Thousands of random scenes: every answer proved, and failures of index sets counted.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

mod common;

use common::*;
use etalon_certify::{Truth, solves};
use etalon_contact_forces::*;
use etalon_exact::{Budget, Method};
use etalon_rigid::*;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same scenes on every run.
fn drafts(count: usize, bodies: usize, contacts: usize) -> impl Iterator<Item = Draft> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = draft(bodies, contacts);
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

fn count(name: &str, scenes: usize) {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let mut several = 0;
    let mut motions = 0;
    for (k, draft) in drafts(scenes, 3, 4).enumerate() {
        let formulation =
            Formulation::new(draft.scene().system().unwrap(), FrictionModel::Rows).unwrap();
        let problem = formulation.problem("p").unwrap();
        for order in [Order::OneAtATime, Order::Simultaneous] {
            let run = formulation.static_friction(order).unwrap();
            let key = match run.outcome {
                Ok((f, forces)) => {
                    assert!(solves(&problem, &f).unwrap(), "scene {k} {draft:?}");
                    assert_eq!(forces.violations(), vec![], "scene {k}");
                    "solved".to_owned()
                }
                Err(failure) => format!("{failure:?}")
                    .split([' ', '{'])
                    .next()
                    .unwrap_or("")
                    .to_owned(),
            };
            *counts.entry(format!("{order:?} {key}")).or_default() += 1;
            if run.work.away > 0 {
                *counts.entry(format!("{order:?} went away")).or_default() += 1;
            }
        }
        // There always are forces, whatever index sets make of it: the matrix of the cone's form
        // is copositive and b is orthogonal to its kernel, so that Lemke's method finds them
        // (CPS theorem 3.8.6). In the plane this settles Baraff's conjecture.
        let cone =
            Formulation::new(formulation.system().clone(), FrictionModel::Polyhedral(2)).unwrap();
        let lemke = Method::Lemke.solver(&Budget::default());
        let answer = cone.solve(&*lemke).unwrap();
        let Answer::Forces(forces) = answer else {
            panic!("scene {k}: {answer:?}");
        };
        assert_eq!(forces.violations(), vec![], "scene {k}");
        if k % 10 == 0 {
            match formulation.consistency(&Budget::default()).unwrap() {
                Consistency::Indeterminate(found) => {
                    several += 1;
                    motions += usize::from(found.motions > 1);
                }
                Consistency::Unique(_) => {}
                other => panic!("scene {k}: {other:?}"),
            }
        }
    }
    println!(
        "{name}: {counts:?}; of {} enumerated, {several} with several forces, {motions} with several motions",
        scenes / 10
    );
}

#[test]
fn static_friction_by_index_sets_is_proved_or_counted() {
    count("static friction", 500);
}

#[test]
#[ignore = "ten seconds"]
fn ten_thousand_scenes_with_static_friction() {
    count("static friction", 10_000);
}

fn frictionless(scenes: usize) {
    let (mut steps, mut rows) = (0, 0);
    for (k, draft) in drafts(scenes, 4, 8).enumerate() {
        let formulation =
            Formulation::new(draft.scene().system().unwrap(), FrictionModel::None).unwrap();
        let problem = formulation.problem("p").unwrap();
        let order: Vec<usize> = (0..problem.n()).collect();
        let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
        let DriveOutcome::Solved(f) = run.outcome else {
            panic!("scene {k}: {:?}", run.outcome);
        };
        Truth::default().add_solution(&problem, f).unwrap();
        Truth::default()
            .add_certificate(&problem, &etalon_lcp::Certificate::SymmetricPsd)
            .unwrap();
        steps += run.steps;
        rows += problem.n();
    }
    println!("frictionless: {scenes} scenes, {rows} contacts, {steps} steps");
}

#[test]
fn frictionless_scenes_are_solved_and_proved() {
    frictionless(500);
}

#[test]
#[ignore = "ten seconds"]
fn ten_thousand_frictionless_scenes() {
    frictionless(10_000);
}

/// The draft's scene with a velocity along which all contacts slide and none opens or closes.
fn sliding(draft: &Draft, seed: usize) -> Scene2<Q> {
    let scene = draft.scene();
    let system = scene.system().unwrap();
    let velocity = (0..system.dofs()).map(|k| q((7 * (seed + k) % 13) as i64 - 6, 2));
    let moving = System {
        velocity: velocity.collect(),
        ..system
    };
    let rows: Vec<_> = moving
        .contacts
        .iter()
        .map(|c| c.normal.row.clone())
        .collect();
    let missing: Vec<Q> = normal_velocities(&moving, &moving.velocity)
        .into_iter()
        .map(|v| -v)
        .collect();
    let p = moving
        .coupling(&rows, &rows)
        .solve(&missing)
        .solution()
        .unwrap();
    scene
        .with_velocity(&moving.velocity_after(rows.iter().zip(&p)))
        .unwrap()
}

/// Dynamic friction: inconsistent and indeterminate configurations are met, and the impulse that
/// resolves an inconsistency does what the papers ask of it.
fn dynamic(scenes: usize) {
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for (k, mut draft) in drafts(scenes, 2, 3).enumerate() {
        for contact in &mut draft.contacts {
            contact.4 *= q(2, 1);
        }
        let scene = sliding(&draft, k);
        let formulation = Formulation::new(scene.system().unwrap(), FrictionModel::Rows).unwrap();
        let key = match resolve(&scene, FrictionModel::Rows, &Budget::default()).unwrap() {
            Resolved::NotNeeded(Consistency::Unique(forces)) => {
                assert_eq!(forces.violations(), vec![], "scene {k}");
                "unique"
            }
            Resolved::NotNeeded(Consistency::Indeterminate(found)) => {
                assert!(
                    found.solutions.iter().all(|f| f.violations().is_empty()),
                    "scene {k}"
                );
                if found.motions > 1 {
                    "several motions"
                } else {
                    "several forces"
                }
            }
            Resolved::Impulse(found) => {
                let Report {
                    stopped,
                    still_approaching,
                    kinetic_energy: [t0, t1, t2],
                    ..
                } = &found.report;
                assert!(
                    matches!(found.impulse, StoppingImpulse::Ray { .. }),
                    "scene {k}"
                );
                assert!(
                    !stopped.is_empty() && still_approaching.is_empty(),
                    "scene {k}"
                );
                assert!(t1 <= t0 && t2 <= t1, "scene {k}");
                if found.report.outside_cone.is_empty() {
                    "impulse"
                } else {
                    "impulse outside the cone"
                }
            }
            Resolved::Stuck(proof) => {
                Truth::default()
                    .add_certificate(&formulation.problem("p").unwrap(), &proof)
                    .unwrap();
                // Velocity terms, as with frictionless contacts: forces that balance each other
                // (J'f = 0) do work on b.
                let cone =
                    Formulation::new(formulation.system().clone(), FrictionModel::Polyhedral(2))
                        .unwrap();
                let ray = cone.lemke_ray(&Budget::default()).unwrap().unwrap();
                let force = Forces::generalised(cone.columns(), &ray.z, cone.system().dofs());
                assert!(force.iter().all(|f| *f == 0), "scene {k}");
                "stuck"
            }
            other => panic!("scene {k}: {other:?}"),
        };
        *counts.entry(key).or_default() += 1;
    }
    println!("dynamic friction: {counts:?}");
}

#[test]
fn inconsistent_sliding_scenes_are_resolved() {
    dynamic(1000);
}

#[test]
#[ignore = "ten seconds"]
fn ten_thousand_sliding_scenes() {
    dynamic(10_000);
}
