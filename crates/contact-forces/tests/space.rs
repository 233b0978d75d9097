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

/// A body at rest on a few points with friction, as data.
fn resting(numbers: &[Q]) -> Scene3<Q> {
    let moments = [0, 1, 2].map(|k| numbers[k].clone().abs() + q(1, 4));
    let mut body = Body3::new(
        "body",
        q(1, 1),
        moments,
        Vector::new([q(0, 1), q(0, 1), q(1, 1)]),
    );
    body.force = Vector::new([numbers[3].clone(), numbers[4].clone(), numbers[5].clone()]);
    body.torque = Vector::new([numbers[6].clone(), numbers[7].clone(), q(0, 1)]);
    let mut scene = Scene3::new(Vector::integers([0, 0, -10]))
        .body(body)
        .body(Body3::fixed("ground"));
    for (k, pair) in numbers[8..].chunks_exact(2).enumerate() {
        let point = Vector::new([pair[0].clone(), pair[1].clone(), q(0, 1)]);
        let contact = Contact::new(format!("c {k}"), "body", "ground", point, Vector::axis(2));
        scene = scene.contact(contact.with_friction(q(1, 2)));
    }
    scene
}

/// The scene with the world turned by a rational rotation, then moved.
fn moved(scene: &Scene3<Q>, turn: &Rotation3<Q>, by: &Vector3<Q>) -> Scene3<Q> {
    let mut scene = scene.clone();
    scene.gravity = turn.apply(&scene.gravity);
    for body in &mut scene.bodies {
        body.position = &turn.apply(&body.position) + by;
        body.orientation = turn.after(&body.orientation);
        body.velocity = turn.apply(&body.velocity);
        body.angular_velocity = turn.apply(&body.angular_velocity);
        body.force = turn.apply(&body.force);
        body.torque = turn.apply(&body.torque);
    }
    for contact in &mut scene.contacts {
        contact.point = &turn.apply(&contact.point) + by;
        contact.normal = turn.apply(&contact.normal);
        contact.tangents = contact.tangents.iter().map(|t| turn.apply(t)).collect();
    }
    scene
}

proptest::proptest! {
    #![proptest_config(Config::with_cases(60))]

    #[test]
    fn forces_in_space_do_not_depend_on_rigid_motions(
        numbers in proptest::collection::vec(small(), 12..=16),
        imaginary in [small(), small(), small()],
        real in positive(),
        by in [small(), small(), small()],
    ) {
        let [x, y, z] = imaginary;
        let turn = Rotation3::from_quaternion(&[real, x, y, z]).unwrap();
        let here = resting(&numbers);
        let there = moved(&here, &turn, &Vector::new(by));
        let of = |scene: &Scene3<Q>| Formulation::new(scene.system().unwrap(), FrictionModel::Polyhedral(4)).unwrap();
        let (here, there) = (of(&here), of(&there));
        proptest::prop_assert_eq!(here.a(), there.a());
        proptest::prop_assert_eq!(here.b(), there.b());
        let lemke = etalon_exact::Method::Lemke.solver(&Budget::default());
        let (Answer::Forces(a), Answer::Forces(b)) = (here.solve(&*lemke).unwrap(), there.solve(&*lemke).unwrap()) else {
            panic!("scenes at rest have forces");
        };
        proptest::prop_assert_eq!(a.contacts, b.contacts);
    }
}

/// Static friction in the circular cone: what is returned is right, and the rest is counted.
fn circular(scenes: usize) {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let numbers = proptest::collection::vec(small(), 10..=18);
    let (mut solved, mut failed, mut worst) = (0, 0, 0.0_f64);
    let (mut newton, mut sweeps, mut slipping) = (0, 0, 0);
    for _ in 0..scenes {
        let numbers = numbers.new_tree(&mut runner).unwrap().current();
        let system = resting(&numbers).system().unwrap().rounded().unwrap();
        let formulation = Formulation::new(system, FrictionModel::Rows).unwrap();
        let seed = etalon_fast::Method::Auto.solver();
        match formulation.circular_cone(&*seed).unwrap() {
            Ok(found) => {
                solved += 1;
                worst = worst.max(found.error.rounded_up());
                newton += found.work.newton;
                sweeps += found.work.sweeps;
                for contact in &found.forces.contacts {
                    let power = dot(&contact.friction, &contact.tangential_acceleration);
                    assert!(power <= 1e-9, "{contact:?}");
                    slipping += usize::from(power < -1e-6);
                }
            }
            Err(failure) => {
                failed += 1;
                assert!(failure.error.rounded_up() > 0.0);
            }
        }
    }
    println!(
        "circular cone: {scenes} scenes, {solved} solved, {failed} not converged; backward error at most {worst:.1e}; {newton} Newton steps, {sweeps} sweeps, {slipping} contacts slip"
    );
    assert!(failed * 100 <= scenes, "{failed} of {scenes}");
}

#[test]
fn circular_cones_are_solved_up_to_rounding() {
    circular(200);
}

#[test]
#[ignore = "a minute"]
fn ten_thousand_circular_cones() {
    circular(10_000);
}
