//! The same laws for mechanisms: linkages in joint space, pinned bodies, and bodies in space.

#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::common::*;
use etalon_certify::solves;
use etalon_contact_forces::*;
use etalon_exact::{Budget, ExactMethod};
use etalon_rigid::*;
use proptest::prelude::*;

/// Up to three links with contacts at some ends, at rest or moving.
fn linkage(moving: bool) -> impl Strategy<Value = Linkage<Q>> {
    let rate = if moving {
        small().boxed()
    } else {
        Just(q(0, 1)).boxed()
    };
    let link = (positive(), positive(), positive(), small(), rate, small());
    let contact = (any::<prop::sample::Index>(), small(), 0_i64..6);
    (
        prop::collection::vec(link, 1..=3),
        prop::collection::vec(contact, 1..=2),
    )
        .prop_map(|(links, contacts)| {
            let n = links.len();
            let links = links
                .into_iter()
                .map(|(mass, inertia, length, half, rate, torque)| Link {
                    mass,
                    inertia,
                    centre: length.clone() / 2u32,
                    length,
                    angle: Rotation2::from_half_angle(&half),
                    rate,
                    torque,
                });
            let contacts = contacts
                .into_iter()
                .enumerate()
                .map(|(k, (link, half, mu))| EndContact {
                    name: format!("contact {k}"),
                    link: link.index(n),
                    normal: Rotation2::from_half_angle(&half).apply(&Vector::axis(1)),
                    mu: q(mu, 4),
                });
            Linkage {
                links: links.collect(),
                contacts: contacts.collect(),
                gravity: Vector::integers([0, -10]),
            }
        })
}

/// The linkage as pinned bodies of a scene, with the same contacts.
fn pinned(linkage: &Linkage<Q>) -> Scene2<Q> {
    let mut scene = Scene2::new(linkage.gravity.clone()).body(Body2::fixed("base"));
    let (mut joint, mut speed) = (Vector::zero(), Vector::zero());
    let mut before = "base".to_owned();
    let mut ends = Vec::new();
    for (k, link) in linkage.links.iter().enumerate() {
        let u = link.angle.apply(&Vector::axis(0));
        let turned = u.quarter_turn().times(&link.rate);
        let name = format!("link {k}");
        let place = &joint + &u.times(&link.centre);
        let mut body = Body2::new(&name, link.mass.clone(), link.inertia.clone(), place)
            .moving(&speed + &turned.times(&link.centre), link.rate.clone());
        body.torque = link.torque.clone();
        scene = scene.body(body).joint(Joint::pin(
            format!("pin {k}"),
            &name,
            &before,
            joint.clone(),
        ));
        joint = &joint + &u.times(&link.length);
        speed = &speed + &turned.times(&link.length);
        ends.push(joint.clone());
        before = name;
    }
    for contact in &linkage.contacts {
        let link = format!("link {}", contact.link);
        let place = ends[contact.link].clone();
        scene = scene.contact(
            Contact::new(&contact.name, link, "base", place, contact.normal.clone())
                .with_friction(contact.mu.clone()),
        );
    }
    scene
}

fn solved(formulation: &Formulation<Q>) -> Option<Forces<Q>> {
    match formulation
        .solve(&*ExactMethod::Certified.solver(&Budget::default()))
        .unwrap()
    {
        ForceAnswer::Forces(forces) => Some(forces),
        ForceAnswer::None(_) => None,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Darwin2K's joint-space dynamics and Baraff's bilateral constraints are the same physics.
    #[test]
    fn joint_space_and_pins_have_the_same_contact_accelerations(linkage in linkage(false)) {
        let joint_space = Formulation::new(linkage.system().unwrap(), FrictionModel::None).unwrap();
        let pins = Formulation::new(pinned(&linkage).system().unwrap(), FrictionModel::None).unwrap();
        let (a, b) = (solved(&joint_space).unwrap(), solved(&pins).unwrap());
        prop_assert_eq!(a.normal_acceleration(), b.normal_acceleration());
        let angular: Vec<Q> = (0..linkage.links.len()).map(|k| b.acceleration[3 * k + 2].clone()).collect();
        prop_assert_eq!(a.acceleration, angular);
        prop_assert_eq!(b.joints.len(), 2 * linkage.links.len());
    }

    #[test]
    fn static_friction_of_mechanisms_meets_its_conditions(linkage in linkage(false)) {
        let system = linkage.system().unwrap();
        let rows = Formulation::new(system.clone(), FrictionModel::Rows).unwrap();
        for order in [Order::OneAtATime, Order::Simultaneous] {
            if let Ok((f, forces)) = rows.static_friction(order).unwrap().outcome {
                prop_assert!(solves(&rows.problem("p").unwrap(), &f).unwrap());
                prop_assert_eq!(forces.violations(), vec![]);
            }
        }
        let cone = Formulation::new(system, FrictionModel::Polyhedral(2)).unwrap();
        let lemke = cone.solve(&*ExactMethod::Lemke.solver(&Budget::default())).unwrap();
        let ForceAnswer::Forces(forces) = lemke else { panic!("{lemke:?}") };
        prop_assert_eq!(forces.violations(), vec![]);
    }

    #[test]
    fn approaching_mechanisms_are_stopped_and_lose_energy(linkage in linkage(true), n in 0_i64..=4) {
        let system = linkage.system().unwrap();
        let before = normal_velocities(&system, &system.velocity);
        let impulse = stop_approach(&system, &StopSettings::plain()).unwrap();
        let after = normal_velocities(&system, &impulse.velocity);
        prop_assert!(after.iter().all(|v| *v >= 0));
        prop_assert!(system.mass.kinetic_energy(&impulse.velocity) <= system.kinetic_energy());
        let restitution = q(n, 4);
        let stop = StopSettings { restitution: restitution.clone(), sticking: vec![] };
        let bounced = match stop_approach(&system, &stop) {
            Ok(bounced) => bounced,
            // A contact that bounces may close another that depends on it.
            Err(error) => {
                prop_assert_eq!(error, ForceError::Contradiction);
                return Ok(());
            }
        };
        let after = normal_velocities(&system, &bounced.velocity);
        for (before, after) in before.iter().zip(&after) {
            if *before < 0 {
                prop_assert_eq!(after.clone(), -(before.clone() * &restitution));
            }
        }
    }

    /// Joints as bilateral rows and joint space are the same mechanism under impulses, too.
    #[test]
    fn joint_space_and_pins_part_with_the_same_velocities(linkage in linkage(true), n in 0_i64..=4) {
        let pinned = pinned(&linkage).system().unwrap();
        let system = linkage.system().unwrap();
        prop_assert_eq!(system.kinetic_energy(), pinned.kinetic_energy());
        let stop = StopSettings { restitution: q(n, 4), sticking: vec![] };
        match (stop_approach(&system, &stop), stop_approach(&pinned, &stop)) {
            (Ok(a), Ok(b)) => {
                let angular: Vec<Q> = (0..linkage.links.len()).map(|k| b.velocity[3 * k + 2].clone()).collect();
                prop_assert_eq!(&a.velocity, &angular);
                for joint in &pinned.joints {
                    prop_assert_eq!(joint.constraint.velocity(&b.velocity), 0);
                }
                let energy = [system.mass.kinetic_energy(&a.velocity), pinned.mass.kinetic_energy(&b.velocity)];
                prop_assert_eq!(&energy[0], &energy[1]);
            }
            (Err(a), Err(b)) => prop_assert_eq!(a, b),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    /// With p'(v+ + e v) = 0 the energy gained is (1 - e) p'v / 2, and p'v <= 0.
    #[test]
    fn impacts_as_complementarity_problems_gain_no_energy(linkage in linkage(true), n in 0_i64..=4) {
        let system = linkage.system().unwrap();
        let problem = impact_problem(&system, &q(n, 4), "impact").unwrap();
        let claim = ExactMethod::Certified.solver(&Budget::default()).solve(&problem);
        let etalon_lcp::ClaimedAnswer::Solved { z } = claim.answer else { panic!("{claim:?}") };
        let p: Vec<Q> = z.iter().map(etalon_lcp::Number::to_rational).collect();
        let rows = system.contacts.iter().map(|c| &c.normal.row);
        let after = system.velocity_after(rows.zip(&p));
        let (t0, t1) = (system.kinetic_energy(), system.mass.kinetic_energy(&after));
        prop_assert!(t1 <= t0);
        prop_assert!(n != 4 || t1 == t0);
    }

    /// In space: at rest there are always forces in the polyhedral cone, and friction does no work.
    #[test]
    fn polyhedral_cones_of_space_have_forces_at_rest(
        points in prop::collection::vec((small(), small(), small(), prop::array::uniform4(-3_i64..=3), 0_i64..6), 1..=3),
        moments in (positive(), positive(), positive()),
        loads in prop::collection::vec(small(), 6),
    ) {
        let mut body = Body3::new("body", q(1, 1), [moments.0, moments.1, moments.2], Vector::zero());
        body.force = Vector::new([loads[0].clone(), loads[1].clone(), loads[2].clone()]);
        body.torque = Vector::new([loads[3].clone(), loads[4].clone(), loads[5].clone()]);
        let mut scene = Scene3::new(Vector::integers([0, 0, -10])).body(body).body(Body3::fixed("ground"));
        for (k, (x, y, z, quaternion, mu)) in points.into_iter().enumerate() {
            let rotation = Rotation3::from_quaternion(&quaternion.map(Q::from));
            let normal = rotation.map_or_else(|| Vector::axis(2), |r| r.apply(&Vector::axis(2)));
            let contact = Contact::new(format!("contact {k}"), "body", "ground", Vector::new([x, y, z]), normal);
            scene = scene.contact(contact.with_friction(q(mu, 4)));
        }
        for k in [4, 8] {
            let formulation = Formulation::new(scene.system().unwrap(), FrictionModel::Polyhedral(k)).unwrap();
            let lemke = formulation.solve(&*ExactMethod::Lemke.solver(&Budget::default())).unwrap();
            let ForceAnswer::Forces(forces) = lemke else { panic!("{lemke:?}") };
            prop_assert!(forces.friction_power() <= 0);
            for contact in &forces.contacts {
                let mu = contact.mu_squared.sqrt().unwrap();
                let inside = in_polyhedral_cone(&contact.normal, &contact.friction, &mu, formulation.directions());
                prop_assert!(inside || contact.mu_squared == 0);
                // A slipping contact is at the limit of its polygon, inside the circle.
                prop_assert!(contact.violations().iter().all(|v| matches!(v, Violation::Slack(_))));
            }
        }
    }
}

/// A rod of 1 kg and 2 m, hinged at its left end, whose right half falls onto a support at a
/// distance from the hinge, turning with 3 rad/s: 4/3 kg m^2 about the hinge.
fn trap_door(distance: &Q) -> System<Q> {
    let mut rod = Body2::new("rod", q(1, 1), q(1, 3), Vector::zero());
    rod = rod.moving(Vector::integers([0, -3]), q(-3, 1));
    let place = Vector::new([distance.clone() - 1u32, q(0, 1)]);
    let hinge = Joint::pin("hinge", "rod", "ground", Vector::integers([-1, 0]));
    let scene = Scene2::new(Vector::zero())
        .body(rod)
        .body(Body2::fixed("ground"))
        .contact(Contact::new(
            "support",
            "rod",
            "ground",
            place,
            Vector::axis(1),
        ))
        .joint(hinge);
    scene.system().unwrap()
}

#[test]
fn a_trap_door_pulls_at_its_hinge_but_for_the_centre_of_percussion() {
    // (1 + e) 4/3 3 = p d about the hinge; p + j = (1 + e) 3 of the centre, upwards.
    for (distance, e) in [
        (q(2, 1), q(0, 1)),
        (q(2, 1), q(1, 2)),
        (q(4, 3), q(0, 1)),
        (q(4, 3), q(1, 1)),
        (q(1, 1), q(1, 4)),
    ] {
        let system = trap_door(&distance);
        let factor = e.clone() + 1u32;
        let stop = StopSettings {
            restitution: e.clone(),
            sticking: vec![],
        };
        let impulse = stop_approach(&system, &stop).unwrap();
        let p = factor.clone() * 4u32 / &distance;
        assert_eq!(impulse.contacts, [[p.clone(), q(0, 1)]]);
        assert_eq!(impulse.joints, [q(0, 1), factor * 3u32 - p]);
        let after = e * 3u32;
        assert_eq!(impulse.velocity, [q(0, 1), after.clone(), after]);
    }
    let percussion = stop_approach(&trap_door(&q(4, 3)), &StopSettings::plain()).unwrap();
    assert_eq!(percussion.joints, [0, 0]);
}
