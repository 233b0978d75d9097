//! The drive to zero in orders, with friction of sliding in it, and what an unbounded one says.

#![allow(clippy::panic)] // this is a test

use crate::common::*;
use etalon_contact_forces::*;
use etalon_exact::Budget;
use etalon_rigid::*;
use proptest::prelude::*;

/// Painlevé's rod: an end slides on the floor ahead of its centre.
fn rod(mu: i64, speed: i64) -> Scene2<Q> {
    let body = Body2::new("rod", 1.into(), q(1, 3), Vector::ratios([(-3, 5), (4, 5)]))
        .moving(Vector::integers([speed, 0]), 0.into());
    Scene2::new(Vector::integers([0, -10]))
        .body(Body2::fixed("floor"))
        .body(body)
        .contact(
            Contact::new("tip", "rod", "floor", Vector::zero(), Vector::axis(1))
                .with_friction(mu.into()),
        )
}

/// A block of 1 kg on two feet that slides.
fn block() -> Scene2<Q> {
    let foot = |name: &str, x: i64| {
        let at = Vector::integers([x, 0]);
        Contact::new(name, "block", "floor", at, Vector::axis(1)).with_friction(q(1, 2))
    };
    Scene2::new(Vector::integers([0, -10]))
        .body(Body2::fixed("floor"))
        .body(
            Body2::new("block", 1.into(), q(1, 2), Vector::axis(1))
                .moving(Vector::integers([3, 0]), 0.into()),
        )
        .contact(foot("back", -1))
        .contact(foot("front", 1))
}

fn formulation(scene: &Scene2<Q>) -> Formulation<Q> {
    Formulation::new(scene.system().unwrap(), FrictionModel::Rows).unwrap()
}

fn drives(scene: &Scene2<Q>, order: &[usize]) -> Drives {
    formulation(scene).drive(order, &Budget::default()).unwrap()
}

#[test]
fn friction_of_sliding_moves_along_with_the_normal_force_that_is_driven() {
    for order in [[0, 1], [1, 0]] {
        let run = drives(&block(), &order);
        let DrivesEnd::Forces(forces) = &run.end else {
            panic!("{:?}", run.end)
        };
        // Half of the weight is friction at a height of 1 m: N1 + N2 = 10, N2 - N1 = 5.
        assert_eq!(forces.normal(), [q(5, 2), q(15, 2)]);
        assert_eq!(forces.contacts[0].friction, [q(-5, 4)]);
        assert_eq!(forces.acceleration, [q(-5, 1), q(0, 1), q(0, 1)]);
        let driven: Vec<usize> = run.trace.iter().map(|own| own.driven).collect();
        assert_eq!(driven[0], order[0], "{driven:?}");
        // Each of the forces ends where the steps of all drives leave it, and the last drive reaches its goal.
        assert_eq!(run.trace.last().unwrap().end, DriveEnd::Goal);
    }
}

#[test]
fn an_unbounded_drive_is_a_ray_and_its_impulse_stops_the_sliding() {
    let scene = rod(2, 2);
    let run = drives(&scene, &[0]);
    let DrivesEnd::Unbounded { row: 0, ray } = &run.end else {
        panic!("{:?}", run.end)
    };
    assert_eq!(
        (&ray.z[..], &ray.response[..]),
        (&[q(1, 1)][..], &[q(-4, 5)][..])
    );
    let own = formulation(&scene);
    let resolved = resolve_along(&scene, &own, ray.clone(), &Budget::default()).unwrap();
    let Resolved::Impulse(found) = resolved else {
        panic!("{resolved:?}")
    };
    assert_eq!(found.report.stopped, [0]);
    // The same as along Lemke's ray, which is found in another way.
    let by_lemke = resolve(&scene, FrictionModel::Rows, &Budget::default()).unwrap();
    let Resolved::Impulse(by_lemke) = by_lemke else {
        panic!("{by_lemke:?}")
    };
    assert_eq!(found.stop.velocity, by_lemke.stop.velocity);
    // Little friction: the drive ends.
    let run = drives(&rod(1, 2), &[0]);
    assert!(matches!(run.end, DrivesEnd::Forces(_)), "{:?}", run.end);
}

#[test]
fn orders_that_are_none_are_refused() {
    let own = formulation(&block());
    for order in [&[0][..], &[0, 0], &[0, 1, 2], &[]] {
        let error = own.drive(order, &Budget::default()).unwrap_err();
        assert!(matches!(error, ForceError::Length { .. }), "{error}");
    }
    let system = block().system().unwrap();
    let cone = Formulation::new(system, FrictionModel::Polyhedral(2)).unwrap();
    let error = cone.drive(&[0, 1], &Budget::default()).unwrap_err();
    assert_eq!(error, ForceError::NotRows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What slides and what sticks, in any order: forces solve the problem, an unbounded drive is a ray, and where there are proved to be
    /// no forces no drive finds some.
    #[test]
    fn drives_of_what_slides_end_in_forces_or_rays(draft in draft(2, 3), speed in (-3_i64..=3, -3_i64..=3, -2_i64..=2)) {
        let scene = draft.scene();
        let n = scene.contacts.len();
        // All bodies move alike, so that contacts between them stick, and those with the ground slide where their normals let them.
        let (x, y, w) = speed;
        let velocity: Vec<Q> = draft.bodies.iter().flat_map(|(_, _, at)| {
            [q(x, 1) - q(w, 1) * &at[1], q(y, 1) + q(w, 1) * &at[0], q(w, 1)]
        }).collect();
        let scene = scene.with_velocity(&velocity).unwrap();
        // Contacts that approach ask for an impulse first.
        let Ok(own) = Formulation::new(scene.system().unwrap(), FrictionModel::Rows) else { return Ok(()) };
        for order in [(0..n).collect::<Vec<_>>(), (0..n).rev().collect()] {
            let run = own.drive(&order, &Budget::default()).unwrap();
            match &run.end {
                DrivesEnd::Forces(forces) => {
                    prop_assert_eq!(forces.violations(), vec![]);
                }
                DrivesEnd::Unbounded { ray, .. } => {
                    prop_assert_eq!(own.a().times(&ray.z), ray.response.clone());
                    for (i, row) in own.rows().iter().enumerate() {
                        if matches!(row, RowKind::Normal(_)) {
                            prop_assert!(ray.z[i] >= 0 && (ray.z[i] == 0 || ray.response[i] <= 0));
                        }
                    }
                }
                DrivesEnd::NoForces(y) => prop_assert!(!y.is_empty()),
                _ => {}
            }
            let known = own.consistency(&Budget::default()).unwrap();
            if matches!(known, Consistency::Inconsistent(_)) {
                prop_assert!(!matches!(run.end, DrivesEnd::Forces(_)));
            }
        }
    }
}
