//! Sliding in space: how often the ray fails to stop a contact, and the impulse that does.

#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

mod common;

use common::*;
use etalon_contact_forces::*;
use etalon_exact::Budget;
use etalon_rigid::*;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A body that slides on one point with velocity (3, 4) s or so: |v| is rational.
fn sliding(numbers: &[Q], mu: Q) -> Scene3<Q> {
    let moments = [0, 1, 2].map(|k| numbers[k].clone().abs() + q(1, 4));
    let [a, b, c] = [3, 4, 5].map(|k| numbers[k].clone());
    let body = Body3::new("body", q(1, 1), moments, Vector::new([a, b, c.abs()]))
        .moving(Vector::integers([-3, -4, 0]), Vector::zero());
    let contact = Contact::new("tip", "body", "ground", Vector::zero(), Vector::axis(2));
    Scene3::new(Vector::integers([0, 0, -10]))
        .body(body)
        .body(Body3::fixed("ground"))
        .contact(contact.with_friction(mu))
}

#[test]
fn inconsistent_sliding_in_space_is_resolved_by_the_consistency_impulse() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let numbers = proptest::collection::vec(small(), 6);
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for _ in 0..2000 {
        let numbers = numbers.new_tree(&mut runner).unwrap().current();
        let scene = sliding(&numbers, q(3, 2));
        let key = match resolve(&scene, FrictionModel::Polyhedral(4), &Budget::default()).unwrap() {
            Resolved::NotNeeded(Consistency::Unique(_)) => "unique",
            Resolved::NotNeeded(Consistency::Indeterminate(_)) => "several",
            Resolved::Impulse(found) => {
                let Report {
                    stopped,
                    still_approaching,
                    outside_cone,
                    kinetic_energy: [t0, t1, t2],
                    ..
                } = &found.report;
                assert_eq!(*stopped, [0]);
                assert!(still_approaching.is_empty());
                assert!(t1 <= t0 && t2 <= t1);
                assert!(found.ray.is_some());
                match &found.impulse {
                    StoppingImpulse::Ray { .. } => "ray",
                    _ => {
                        assert!(outside_cone.is_empty());
                        "consistency impulse"
                    }
                }
            }
            Resolved::Stuck(_) => "stuck",
            other => panic!("{other:?}"),
        };
        *counts.entry(key).or_default() += 1;
    }
    println!("sliding in space: {counts:?}");
    assert!(
        counts
            .get("consistency impulse")
            .is_some_and(|count| *count > 10)
    );
}
