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
        // (CPS theorem 3.8.6 with 4.4.1). In the plane this settles Baraff's conjecture.
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
