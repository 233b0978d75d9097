//! Trees in joint space against their bodies with rows of joints: contact forces, limits and impacts.

#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::common::*;
use etalon_certify::solves;
use etalon_contact_forces::*;
use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::{ClaimedAnswer, Number};
use etalon_rigid::*;
use proptest::prelude::*;

type PlaneLink = TreeLink<Q, Body2<Q>, 2>;

/// A link that turns, slides, or is free where it is the first; its joint stands at its lower limit, if it slides.
fn link() -> impl Strategy<Value = (PlaneLink, prop::sample::Index)> {
    let pair = || (small(), small());
    let numbers = (positive(), positive(), small(), small(), small());
    (0..3, pair(), pair(), numbers, any::<prop::sample::Index>()).prop_map(
        |(kind, at, centre, (mass, inertia, half, rate, effort), index)| {
            let turn = Rotation2::from_half_angle(&half);
            let freedom = match kind {
                0 => LinkFreedom::Prismatic {
                    axis: turn.apply(&Vector::axis(0)),
                    limits: Some([half.clone(), half.clone() + 1u32]),
                    position: half,
                },
                1 => LinkFreedom::Floating {
                    position: Vector::new([half, q(1, 2)]),
                    orientation: turn,
                },
                _ => LinkFreedom::Revolute {
                    axis: vec![q(1, 1)],
                    position: turn,
                    limits: None,
                },
            };
            let n = freedom.dofs();
            let at = Vector::new([at.0, at.1]);
            let joint = LinkJoint::new(at, freedom).moving(vec![rate; n]);
            let body = Body2::new("", mass, inertia, Vector::new([centre.0, centre.1]));
            let joint = joint.driven(vec![effort; n]);
            let parent = String::new();
            (
                TreeLink {
                    body,
                    parent,
                    joint,
                },
                index,
            )
        },
    )
}

fn tree(moving: bool) -> impl Strategy<Value = Mechanism2<Q>> {
    let contact = (
        any::<prop::sample::Index>(),
        small(),
        small(),
        small(),
        0_i64..6,
    );
    let parts = (
        prop::collection::vec(link(), 1..=4),
        prop::collection::vec(contact, 1..=2),
    );
    parts.prop_map(move |(links, contacts)| {
        let n = links.len();
        let name = |k: usize| format!("link {k}");
        let links = links.into_iter().enumerate().map(|(k, (mut link, index))| {
            link.body.name = name(k);
            let parent = index.index(k + 1).checked_sub(1);
            link.parent = parent.map_or(GROUND.to_owned(), name);
            if !moving {
                link.joint.rates.fill(q(0, 1));
            }
            link
        });
        let contacts = contacts.into_iter().enumerate();
        let contacts = contacts.map(|(k, (link, x, y, half, mu))| {
            let normal = Rotation2::from_half_angle(&half).apply(&Vector::axis(1));
            let link = name(link.index(n));
            Contact::new(
                format!("contact {k}"),
                link,
                GROUND,
                Vector::new([x, y]),
                normal,
            )
            .with_friction(q(mu, 4))
        });
        Mechanism2 {
            links: links.collect(),
            contacts: contacts.collect(),
            loops: Vec::new(),
            gravity: Vector::integers([0, -10]),
        }
    })
}

/// The mechanism as bodies with rows of joints. A limit to sliding is a contact between link and parent.
fn unfolded(mechanism: &Mechanism2<Q>) -> Scene2<Q> {
    let mut scene = Scene2::new(mechanism.gravity.clone());
    scene.bodies = mechanism.bodies().unwrap();
    scene.bodies.push(Body2::fixed(GROUND));
    scene.contacts = mechanism.placed_contacts().unwrap();
    let places = mechanism.joint_places().unwrap();
    for (link, place) in mechanism.links.iter().zip(places) {
        let (name, parent) = (&link.body.name, &link.parent);
        let turn = direction(mechanism, parent);
        let pin = |what: &str, at: &Vector2<Q>| {
            Joint::pin(format!("{what} of {name}"), name, parent, at.clone())
        };
        let effort = &link.joint.efforts;
        match &link.joint.freedom {
            LinkFreedom::Prismatic { axis, position, .. } => {
                let axis = turn.apply(axis);
                for (what, at) in [("shift", place.clone()), ("tilt", &place + &axis)] {
                    scene.joints.push(Joint {
                        kind: JointKind::Slider(axis.quarter_turn()),
                        ..pin(what, &at)
                    });
                }
                let stop = Contact::new(
                    format!("stop of {name}"),
                    name,
                    parent,
                    place.clone(),
                    axis.clone(),
                );
                scene.contacts.push(stop);
                let at = &place + &axis.times(position);
                push(
                    &mut scene,
                    [name, parent],
                    &at,
                    &axis.times(&effort[0]),
                    &q(0, 1),
                );
            }
            LinkFreedom::Floating { position, .. } => {
                let at = &place + &turn.apply(position);
                let force = turn.apply(&Vector::new([effort[0].clone(), effort[1].clone()]));
                push(&mut scene, [name, parent], &at, &force, &effort[2]);
            }
            _ => {
                scene.joints.push(pin("pin", &place));
                push(
                    &mut scene,
                    [name, parent],
                    &place,
                    &Vector::zero(),
                    &effort[0],
                );
            }
        }
    }
    scene
}

/// The orientation of the joints of links on that parent.
fn direction(mechanism: &Mechanism2<Q>, parent: &str) -> Rotation2<Q> {
    let bodies = mechanism.bodies().unwrap();
    let found = bodies.into_iter().find(|body| body.name == parent);
    found.map_or_else(Rotation2::identity, |body| body.orientation)
}

/// A motor acts on its link, and the other way round on the parent.
fn push(
    scene: &mut Scene2<Q>,
    names: [&String; 2],
    at: &Vector2<Q>,
    force: &Vector2<Q>,
    torque: &Q,
) {
    for (name, sign) in names.into_iter().zip([q(1, 1), q(-1, 1)]) {
        if let Some(body) = scene.bodies.iter_mut().find(|body| body.name == *name) {
            let force = force.times(&sign);
            body.torque += (at - &body.position).cross(&force) + torque.clone() * &sign;
            body.force = &body.force + &force;
        }
    }
}

fn solved(formulation: &Formulation<Q>) -> Forces<Q> {
    let solver = ExactMethod::Certified.solver(&Budget::default());
    match formulation.solve(&*solver).unwrap() {
        ForceAnswer::Forces(forces) => forces,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Accelerations without friction are unique, so that both have the same: at limits too.
    #[test]
    fn trees_and_rows_of_joints_have_the_same_accelerations(mechanism in tree(false)) {
        let own = Formulation::new(mechanism.system().unwrap(), FrictionModel::None).unwrap();
        let rows = Formulation::new(unfolded(&mechanism).system().unwrap(), FrictionModel::None).unwrap();
        let (own, rows) = (solved(&own), solved(&rows));
        prop_assert_eq!(own.normal_acceleration(), rows.normal_acceleration());
        let links = mechanism.link_accelerations(&own.acceleration).unwrap();
        prop_assert_eq!(links.concat(), rows.acceleration);
    }

    /// The forces of friction in joint space, beside the tension of the joints, give the bodies the same accelerations.
    #[test]
    fn friction_in_joint_space_is_friction_of_the_bodies(mechanism in tree(false)) {
        let system = mechanism.system().unwrap();
        let cone = Formulation::new(system.clone(), FrictionModel::Polyhedral(2)).unwrap();
        let lemke = cone.solve(&*ExactMethod::Lemke.solver(&Budget::default())).unwrap();
        let ForceAnswer::Forces(forces) = lemke else { panic!("{lemke:?}") };
        prop_assert_eq!(forces.violations(), vec![]);
        let bodies = unfolded(&mechanism).system().unwrap();
        let links = mechanism.link_accelerations(&forces.acceleration).unwrap().concat();
        for joint in &bodies.joints {
            prop_assert_eq!(joint.constraint.acceleration(&links), 0);
        }
        for (own, force) in bodies.contacts.iter().zip(&forces.contacts) {
            prop_assert_eq!(own.normal.acceleration(&links), force.normal_acceleration.clone());
            if force.mu_squared != 0 {
                prop_assert_eq!(own.tangents[0].acceleration(&links), force.tangential_acceleration[0].clone());
            }
        }
        // What the contacts leave of M acc - T is tension of joints.
        let mut rest: Vec<Q> = bodies.mass.times(&links);
        for (rest, applied) in rest.iter_mut().zip(&bodies.applied) {
            *rest -= applied;
        }
        for (own, force) in bodies.contacts.iter().zip(&forces.contacts) {
            own.normal.row.add_to(&-force.normal.clone(), &mut rest);
            own.tangents[0].row.add_to(&-force.friction[0].clone(), &mut rest);
        }
        let columns: Vec<_> = bodies.joints.iter().map(|own| own.constraint.row.clone()).collect();
        let needed: Vec<Q> = columns.iter().map(|row| row.times(&bodies.mass.inverse_times(&rest))).collect();
        let tension = bodies.coupling(&columns, &columns).solve(&needed).solution().unwrap();
        for (row, tension) in columns.iter().zip(&tension) {
            row.add_to(&-tension.clone(), &mut rest);
        }
        prop_assert!(rest.iter().all(|rest| *rest == 0));
    }

    /// The one impact of both, with any restitution: the normal velocities after it are unique.
    #[test]
    fn trees_and_rows_of_joints_part_alike(mechanism in tree(true), n in 0_i64..=4) {
        let (own, rows) = (mechanism.system().unwrap(), unfolded(&mechanism).system().unwrap());
        prop_assert_eq!(own.kinetic_energy(), rows.kinetic_energy());
        prop_assert_eq!(normal_velocities(&own, &own.velocity), normal_velocities(&rows, &rows.velocity));
        let mut after = Vec::new();
        for system in [&own, &rows] {
            let problem = impact_problem(system, &q(n, 4), "impact").unwrap();
            let claim = ExactMethod::Certified.solver(&Budget::default()).solve(&problem);
            let ClaimedAnswer::Solved { z } = claim.answer else { panic!("{claim:?}") };
            let p: Vec<Q> = z.iter().map(Number::to_rational).collect();
            prop_assert!(solves(&problem, &p).unwrap());
            let velocity = velocity_after_impact(system, &p);
            let energy = system.mass.kinetic_energy(&velocity);
            prop_assert!(energy <= system.kinetic_energy());
            prop_assert!(n != 4 || energy == system.kinetic_energy());
            after.push((normal_velocities(system, &velocity), energy));
        }
        prop_assert_eq!(&after[0], &after[1]);
        let stop = StopSettings::plain();
        let (own, rows) = (stop_approach(&own, &stop).unwrap(), stop_approach(&rows, &stop).unwrap());
        let bodies = mechanism.with_velocity(&own.velocity).unwrap().bodies().unwrap();
        let velocities: Vec<Q> = bodies.iter().flat_map(Body::velocity).collect();
        prop_assert_eq!(velocities, rows.velocity);
    }
}

/// A bar of 1 m and 1 kg that hangs from a hinge, at a limit: 1/3 kg m^2 about it.
fn pendulum(limits: [Rotation2<Q>; 2], rate: Q, torque: Q) -> System<Q> {
    let freedom = LinkFreedom::Revolute {
        axis: vec![q(1, 1)],
        position: Rotation2::from_cos_sin(q(3, 5), q(-4, 5)),
        limits: Some(limits),
    };
    let joint = LinkJoint::new(Vector::zero(), freedom);
    let link = TreeLink {
        body: Body2::new("bar", q(1, 1), q(1, 12), Vector::ratios([(1, 2), (0, 1)])),
        parent: GROUND.to_owned(),
        joint: joint.moving(vec![rate]).driven(vec![torque]),
    };
    let mechanism = Mechanism2 {
        links: vec![link],
        contacts: Vec::new(),
        loops: Vec::new(),
        gravity: Vector::integers([0, -10]),
    };
    mechanism.system().unwrap()
}

#[test]
fn a_limit_holds_a_pendulum_by_its_torque_and_stops_it_by_an_impulse() {
    let here = || Rotation2::from_cos_sin(q(3, 5), q(-4, 5));
    let (down, level) = (
        Rotation2::from_cos_sin(q(0, 1), q(-1, 1)),
        Rotation2::identity(),
    );
    // The weight turns it clockwise, by 10 N times 3/10 m.
    for (limits, torque, force, acceleration) in [
        ([here(), level.clone()], q(0, 1), [q(3, 1)], [q(0, 1)]),
        ([here(), level.clone()], q(2, 1), [q(1, 1)], [q(0, 1)]),
        ([here(), level.clone()], q(4, 1), [q(0, 1)], [q(3, 1)]),
        // The row of an upper limit is the rate downwards.
        ([down.clone(), here()], q(0, 1), [q(0, 1)], [q(9, 1)]),
        ([down.clone(), here()], q(5, 1), [q(2, 1)], [q(0, 1)]),
    ] {
        for model in [
            FrictionModel::None,
            FrictionModel::Rows,
            FrictionModel::Polyhedral(2),
        ] {
            let system = pendulum(limits.clone(), q(0, 1), torque.clone());
            let forces = solved(&Formulation::new(system, model).unwrap());
            assert_eq!(forces.normal(), force);
            assert_eq!(forces.normal_acceleration(), acceleration);
        }
    }
    let between = pendulum([down, level], q(-1, 1), q(0, 1));
    assert_eq!(between.contacts, []);
    let falling = pendulum([here(), Rotation2::identity()], q(-6, 1), q(0, 1));
    assert_eq!(falling.contacts[0].name, "lower limit of bar (N m)");
    let stop = StopSettings {
        restitution: q(1, 2),
        sticking: vec![],
    };
    let bounced = stop_approach(&falling, &stop).unwrap();
    // 1/3 kg m^2 times the change of 9/s.
    assert_eq!(bounced.contacts, [[q(3, 1), q(0, 1)]]);
    assert_eq!(bounced.velocity, [q(3, 1)]);
}
