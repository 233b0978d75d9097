//! Bodies that overlap: which contacts they have, and what the oracle says of others.

use etalon_rigid::Vector;
use etalon_spatial::{
    Body, Cone, Contact, Energy, Settings, Shape, SpaceMethod, SpaceOracle, SpaceState, SpaceStep,
    SpaceStepper, SpaceWorld, SpatialError,
};
use etalon_time_stepping::Term;
use rug::Rational;

use crate::common::{ball, body, floor, q, run, settings, solver, world};

fn cylinder(name: &str, radius: Rational, z: i64) -> Body {
    let shape = Shape::Cylinder {
        radius,
        half_length: q(1, 1),
    };
    let mut own = body(name, q(1, 1), shape);
    own.position = Vector::integers([0, 0, z]);
    own
}

/// Two cylinders on one axis, the upper of which spins by 3 rad/s.
fn coaxial(fixed: bool) -> SpaceWorld {
    let lower = Body {
        fixed,
        ..cylinder("lower", q(1, 1), 1)
    };
    let mut upper = cylinder("upper", q(1, 2), 3);
    upper.angular_velocity = Vector::integers([0, 0, 3]);
    world(vec![floor(), lower, upper], Vec::new(), q(1, 2), q(0, 1))
}

fn energy(world: &SpaceWorld, state: &SpaceState) -> f64 {
    Energy::of(world, state).total().to_f64()
}

/// Flat faces of cylinders meet exactly: there parry finds nothing in some steps, and a normal along the radius in others.
#[test]
fn cylinders_on_one_axis_stay_on_each_other_and_gain_no_energy() {
    for (method, cone, fixed) in [
        (SpaceMethod::StewartTrinkle, Cone::Pyramid(8), false),
        (SpaceMethod::MoreauJean, Cone::Circular, true),
        (SpaceMethod::MoreauJean, Cone::Pyramid(4), false),
    ] {
        let world = coaxial(fixed);
        let settings = settings(q(1, 100), method, cone);
        let (state, steps) = run(&world, &settings, 12);
        let mut before = energy(&world, &world.start());
        for step in &steps {
            let after = step.energy.total().to_f64();
            assert!(after < before + 1e-9, "{settings:?}: {before} {after}");
            before = after;
            let upper = step.contacts().iter().filter(|own| own.first == 2);
            let normals: Vec<f64> = upper.map(|own| own.normal[2].to_f64()).collect();
            assert!(normals.len() >= 3, "{settings:?}: {normals:?}");
            assert!(normals.iter().all(|z| *z > 1.0 - 1e-9), "{normals:?}");
        }
        let height = state.bodies[2].position[2].to_f64();
        assert!((height - 3.0).abs() < 2e-3, "{settings:?}: {height}");
    }
}

fn plain() -> Settings {
    settings(q(1, 100), SpaceMethod::StewartTrinkle, Cone::Pyramid(4))
}

fn one_step(world: &SpaceWorld, state: &SpaceState) -> SpaceStep {
    let solver = solver(Cone::Pyramid(4));
    let stepper = SpaceStepper::new(world, plain(), &*solver).unwrap();
    stepper.step(state).unwrap()
}

/// The laws that the oracle names, of a contact or pair with that name.
fn named(world: &SpaceWorld, step: &SpaceStep, name: &str) -> Vec<Term> {
    let found = SpaceOracle::new(world, &plain()).examine(1, step);
    let own = found.into_iter().filter(|own| {
        let contact = own.contact.as_deref();
        contact.is_some_and(|contact| contact.starts_with(name))
    });
    own.map(|own| own.term).collect()
}

/// A normal along the radius of two cylinders one on the other, points in both of them, as parry proposed it.
#[test]
fn a_contact_that_parts_bodies_at_more_cost_is_named() {
    let world = coaxial(true);
    let mut state = world.start();
    state.bodies[2].position[2] -= q(1, 1000);
    let sound = one_step(&world, &state);
    assert_eq!(named(&world, &sound, "upper/lower"), []);
    let mut step = sound.clone();
    let along_x = |own: &Contact| Contact {
        point: Vector::ratios([(1, 4), (0, 1), (2, 1)]),
        normal: Vector::axis(0),
        tangents: [Vector::axis(1), Vector::axis(2)],
        gap: q(-3, 2),
        ..own.clone()
    };
    for own in step.posed.contacts.iter_mut().filter(|own| own.first == 2) {
        *own = along_x(own);
    }
    let found = named(&world, &step, "upper/lower");
    assert!(found.contains(&Term::Depth), "{found:?}");
    assert!(!found.contains(&Term::Geometry), "{found:?}");
}

/// Drops the contacts of a step that are not kept.
fn without(step: &SpaceStep, kept: impl Fn(&Contact) -> bool) -> SpaceStep {
    let keep: Vec<bool> = step.contacts().iter().map(kept).collect();
    let mut step = step.clone();
    let retain = |k: &mut usize| {
        *k += 1;
        keep[*k - 1]
    };
    let mut k = 0;
    step.posed.contacts.retain(|_| retain(&mut k));
    k = 0;
    step.impulses.retain(|_| retain(&mut k));
    k = 0;
    step.posed.formulation.contacts.retain(|_| retain(&mut k));
    step
}

#[test]
fn a_contact_that_is_missing_is_named_with_both_bodies() {
    let world = coaxial(false);
    let sound = one_step(&world, &world.start());
    assert_eq!(named(&world, &sound, ""), []);
    let step = without(&sound, |own| own.first != 2);
    let found = named(&world, &step, "upper/lower");
    // It rests on the other, and the end of the step is that of a body that does: only by the place before, none is
    // needed. Let it fall.
    assert_eq!(found, []);
    let mut state = world.start();
    state.bodies[2].position[2] -= q(1, 1000);
    let step = without(&one_step(&world, &state), |own| own.first != 2);
    assert_eq!(named(&world, &step, "upper/lower"), [Term::Missing]);
    let mut fallen = without(&sound, |own| own.first != 2);
    fallen.velocity[8] = q(-1, 1);
    let found = named(&world, &fallen, "upper/lower");
    assert!(found.contains(&Term::Missing), "{found:?}");
}

/// Of a box that leans over an edge the lowest corners must be there.
#[test]
fn a_nearest_point_without_a_contact_is_named() {
    let mut own = body(
        "box",
        q(1, 1),
        Shape::Box {
            half_sizes: [q(1, 5), q(1, 5), q(1, 5)],
        },
    );
    // Half a degree about y: the lower corners are 3.5 mm below the others.
    own.attitude.0[2] = q(1, 230);
    own.position = Vector::ratios([(0, 1), (0, 1), (202, 1000)]);
    own.velocity = Vector::integers([0, 0, -1]);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
    let sound = one_step(&world, &world.start());
    assert_eq!(sound.contacts().len(), 4);
    assert_eq!(named(&world, &sound, ""), []);
    let least = sound
        .contacts()
        .iter()
        .map(|own| own.gap.clone())
        .min()
        .unwrap();
    let step = without(&sound, |own| own.gap > Rational::from(&least + &q(1, 1000)));
    assert_eq!(step.contacts().len(), 2);
    let found = named(&world, &step, "box/floor");
    assert!(found.contains(&Term::Depth), "{found:?}");
}

/// A heavy ball drives a light one, at rest before, into a third that was out of reach.
#[test]
fn bodies_that_an_impact_drives_together_are_an_error_with_both_names() {
    let at = |x: Rational| Vector::new([x, q(0, 1), q(0, 1)]);
    let mut heavy = ball("heavy", at(q(0, 1)));
    heavy.mass = q(100, 1);
    heavy.velocity = Vector::integers([10, 0, 0]);
    let light = ball("light", at(q(1, 1)));
    let bodies = vec![heavy, light, ball("far", at(q(41, 20)))];
    let world = world(bodies, Vec::new(), q(0, 1), q(0, 1));
    let solver = solver(Cone::Pyramid(4));
    let stepper = SpaceStepper::new(&world, plain(), &*solver).unwrap();
    let error = stepper.step(&world.start()).unwrap_err();
    let SpatialError::Meeting { first, second, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((&**first, &**second), ("far", "light"));
    assert!(error.to_string().contains("take a shorter step h"));
}
