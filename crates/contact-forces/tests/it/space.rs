//! Sliding in space: how often the ray fails to stop a contact, and the impulse that does.

#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::common::*;
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
                check_resolution(&scene.system().unwrap(), &found);
                assert_eq!(found.report.stopped, [0]);
                assert!(found.ray.is_some());
                match &found.impulse {
                    StoppingImpulse::Ray { .. } => "ray",
                    _ => {
                        assert!(found.report.outside_cone.is_empty());
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

/// A system as it stands.
#[derive(Clone)]
struct Plain(System<Q>);

impl Model<Q> for Plain {
    fn system(&self) -> Result<System<Q>, SceneError> {
        Ok(self.0.clone())
    }

    fn with_velocity(&self, velocity: &[Q]) -> Result<Self, SceneError> {
        let velocity = velocity.to_vec();
        Ok(Self(System {
            velocity,
            ..self.0.clone()
        }))
    }
}

/// Unit masses along x1 ... x5. The first contact slides along x2 at 1/10, the second along x3
/// at the given speed; a ray presses on both, and turns the first one's sliding aside, into x1.
fn two_rubbing_contacts(speed: &Q) -> Plain {
    let mut mass = MassMatrix::empty();
    mass.push("all", Dense::from_fn(5, 5, |i, j| q(i64::from(i == j), 1)))
        .unwrap();
    let axis = |k: usize| Constraint::new(Covector::new([(k, q(1, 1))]), q(0, 1));
    let contact = |name: &str, entries: [Q; 5], drift: Q, axes: [usize; 2], mu: Q| ContactRows {
        name: name.to_owned(),
        normal: Constraint::new(Covector::of_dense(&entries), drift),
        tangents: axes.map(axis).to_vec(),
        mu,
        slip: None,
    };
    // x5 moves at 1, so that both contacts are closed.
    let first = [q(1, 2), q(1, 2), q(0, 1), q(0, 1), q(-1, 20)];
    let second = [q(-1, 2), q(0, 1), q(1, 2), q(0, 1), speed.clone() / -2_i32];
    Plain(System {
        mass,
        applied: vec![q(0, 1); 5],
        bias: vec![q(0, 1); 5],
        velocity: vec![q(0, 1), q(1, 10), speed.clone(), q(0, 1), q(1, 1)],
        contacts: vec![
            contact("first", first, q(-1, 1), [0, 1], q(1, 1)),
            contact("second", second, q(-2, 1), [2, 3], q(1, 1)),
        ],
        joints: Vec::new(),
        drives: Vec::new(),
    })
}

#[test]
fn a_multiple_of_the_ray_that_raises_kinetic_energy_is_not_taken() {
    // It stops the second contact, and drives the first one back, past zero: by the more, the longer
    // it takes to stop the second.
    let of = |speed: &Q| {
        let model = two_rubbing_contacts(speed);
        let formulation = Formulation::new(model.0.clone(), FrictionModel::Polyhedral(4)).unwrap();
        let found = resolve(&model, FrictionModel::Polyhedral(4), &Budget::default()).unwrap();
        let Resolved::Impulse(found) = found else {
            panic!("{found:?}");
        };
        check_resolution(&model.0, &found);
        let ray = found.ray.clone().unwrap();
        assert!(ray.z.iter().all(|z| *z > 0), "{ray:?}");
        // The multiple that stops the second contact.
        let slope: Q = -formulation
            .columns()
            .iter()
            .zip(&ray.z)
            .map(|(c, z)| {
                c.entries()
                    .iter()
                    .find(|(k, _)| *k == 2)
                    .map_or(q(0, 1), |(_, x)| x.clone() * z)
            })
            .sum::<Q>();
        let k = speed.clone() / slope;
        let pushes: Vec<Q> = ray.z.iter().map(|z| z.clone() * &k).collect();
        let after = model
            .0
            .velocity_after(formulation.columns().iter().zip(&pushes));
        let rises = model.0.mass.kinetic_energy(&after) > model.0.kinetic_energy();
        (rises, matches!(found.impulse, StoppingImpulse::Ray { .. }))
    };
    assert_eq!(of(&q(1, 1)), (true, false));
    assert_eq!(of(&q(1, 2)), (false, true));
}

/// The same body with half of its mass in another one, which a ball joint holds at its centre of
/// mass: for whatever touches the first it is the same body.
fn shared(scene: &Scene3<Q>) -> Scene3<Q> {
    let mut scene = scene.clone();
    let body = &mut scene.bodies[0];
    body.mass /= 2u32;
    let (place, velocity, mass) = (
        body.position.clone(),
        body.velocity.clone(),
        body.mass.clone(),
    );
    let bob = Body3::new("bob", mass, [1, 2, 3].map(|k| q(k, 1)), place.clone())
        .moving(velocity, Vector::zero());
    scene.bodies.insert(1, bob);
    scene.joint(Joint::pin("ball joint", "bob", "body", place))
}

#[test]
fn a_body_that_shares_its_mass_through_a_joint_is_stopped_by_the_same_impulse() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let numbers = proptest::collection::vec(small(), 6);
    let mut consistency = 0;
    for _ in 0..600 {
        let numbers = numbers.new_tree(&mut runner).unwrap().current();
        let one = sliding(&numbers, q(3, 2));
        let two = shared(&one);
        let of = |scene| resolve(scene, FrictionModel::Polyhedral(4), &Budget::default()).unwrap();
        let (one, two) = match (of(&one), of(&two)) {
            (Resolved::Impulse(one), Resolved::Impulse(two)) => (one, two),
            (Resolved::NotNeeded(_), Resolved::NotNeeded(_)) => continue,
            (Resolved::Stuck(_), Resolved::Stuck(_)) => continue,
            other => panic!("{other:?}"),
        };
        match (&one.impulse, &two.impulse) {
            (StoppingImpulse::Ray { .. }, StoppingImpulse::Ray { .. }) => {}
            (
                StoppingImpulse::Consistency { impulse: a, .. },
                StoppingImpulse::Consistency { impulse: b, .. },
            ) => {
                assert_eq!(a, b);
                consistency += 1;
            }
            other => panic!("{other:?}"),
        }
        for (one, two) in [
            (one.impulse.velocity(), two.impulse.velocity()),
            (&one.stop.velocity, &two.stop.velocity),
        ] {
            assert_eq!(one, &two[..6]);
            // The bob goes along without turning.
            assert_eq!(two[6..9], two[..3]);
            assert_eq!(two[9..], [0, 0, 0]);
        }
        assert_eq!(one.report, two.report);
    }
    println!("through a joint: {consistency} consistency impulses");
    assert!(consistency > 10);
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
        let lemke = etalon_exact::ExactMethod::Lemke.solver(&Budget::default());
        let (ForceAnswer::Forces(a), ForceAnswer::Forces(b)) = (here.solve(&*lemke).unwrap(), there.solve(&*lemke).unwrap()) else {
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
        let seed = etalon_fast::FastMethod::Auto.solver();
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
#[ignore = "a minute; docs/contact-sweeps.md has the command"]
fn ten_thousand_circular_cones() {
    circular(10_000);
}
