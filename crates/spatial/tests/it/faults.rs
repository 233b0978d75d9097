//! Seeded faults: each wrong number of a step is named by a law.

use etalon_rigid::Vector;
use etalon_spatial::{
    Body, Compression, Cone, ImpactLaw, Joint, JointFreedom, Settings, SpaceImpulse, SpaceMethod,
    SpaceOracle, SpaceStep, SpaceStepper, SpaceWorld,
};
use etalon_time_stepping::Term;
use rug::Rational;

use crate::common::{ball, flat, floor, q, settings, solver, surfaces, world};
use crate::impacts::assembly;

/// A box that slides on the floor, and a ball on a hinge beside it: all that a step may have.
fn scene() -> SpaceWorld {
    let mut own = flat("box");
    own.velocity = Vector::ratios([(40, 29), (42, 29), (0, 1)]);
    let base = Body {
        shape: None,
        name: "base".to_owned(),
        ..floor()
    };
    let mut turning = ball("ball", Vector::integers([3, 0, 3]));
    turning.angular_velocity = Vector::integers([0, 2, 0]);
    turning.velocity = Vector::integers([2, 0, 0]);
    let hinge = Joint {
        name: "hinge".to_owned(),
        first: 3,
        second: 2,
        point: Vector::integers([3, 0, 2]),
        kind: JointFreedom::Hinge {
            axis: Vector::axis(1),
        },
        limits: None,
        drive: None,
    };
    let bodies = vec![floor(), own, base, turning];
    world(bodies, vec![hinge], q(1, 2), q(0, 1))
}

fn tiny() -> Rational {
    Rational::from(1) >> 40
}

type Fault = (&'static str, fn(&mut SpaceStep), Term);

const CONTACTS: &[Fault] = &[
    (
        "a lost impulse",
        |step| step.impulses[0].normal = Rational::new(),
        Term::Momentum,
    ),
    (
        "a normal impulse that pulls",
        |step| step.impulses[0].normal *= -1,
        Term::Complementarity,
    ),
    (
        "friction of the wrong sign",
        |step| step.impulses[0].friction[0] *= -1,
        Term::MaximalDissipation,
    ),
    (
        "friction beyond its cone",
        |step| step.impulses[0].friction[0] *= 5,
        Term::FrictionBound,
    ),
    (
        "a stale normal",
        |step| {
            let old = step.posed.contacts[0].normal.clone();
            step.posed.contacts[0].normal = &old + &Vector::ratios([(1, 100), (0, 1), (0, 1)]);
        },
        Term::Frame,
    ),
    (
        "a normal of neither body",
        |step| {
            step.posed.contacts[0].normal = Vector::axis(0);
            step.posed.contacts[0].tangents = [Vector::axis(1), Vector::axis(2)];
        },
        Term::Geometry,
    ),
    (
        "a point beside the bodies",
        |step| step.posed.contacts[0].point[0] += 1,
        Term::Geometry,
    ),
    (
        "a point inside of the floor",
        |step| step.posed.contacts[0].point[2] -= q(1, 50),
        Term::Geometry,
    ),
    (
        "an overlap that stays",
        |step| step.posed.contacts[0].gap = q(-1, 10),
        Term::Nonpenetration,
    ),
    (
        "a gap that presses",
        |step| step.posed.contacts[0].gap = q(1, 10),
        Term::Complementarity,
    ),
    (
        "another friction",
        |step| step.posed.contacts[0].mu = q(1, 1),
        Term::Frame,
    ),
    (
        "an impulse that is missing",
        |step| drop(step.impulses.pop()),
        Term::Data,
    ),
];

const MOTION: &[Fault] = &[
    (
        "a lost joint impulse",
        |step| step.joint_impulses[2] = Rational::new(),
        Term::Momentum,
    ),
    (
        "a velocity that a joint forbids",
        |step| step.velocity[7] += tiny(),
        Term::Joint,
    ),
    (
        "a joint at another pose",
        |step| step.posed.joints[0][0].apart[0] += tiny(),
        Term::Data,
    ),
    (
        "a velocity that no impulse made",
        |step| step.velocity[2] += tiny(),
        Term::Momentum,
    ),
    (
        "a spin that no impulse made",
        |step| step.velocity[3] += tiny(),
        Term::Momentum,
    ),
    (
        "a place that no velocity leads to",
        |step| step.after.bodies[1].position[0] += tiny(),
        Term::State,
    ),
    (
        "a momentum that was not kept",
        |step| step.after.bodies[3].momentum[0] += tiny(),
        Term::State,
    ),
    (
        "a velocity that was not kept",
        |step| step.after.bodies[3].velocity[0] += tiny(),
        Term::State,
    ),
    (
        "a fixed body that moves",
        |step| step.after.bodies[0].position[0] += 1,
        Term::State,
    ),
    (
        "a quaternion that grows",
        |step| {
            for entry in &mut step.after.bodies[3].attitude.0 {
                *entry *= 2;
            }
        },
        Term::Attitude,
    ),
    (
        "a body that does not turn",
        |step| {
            step.after.bodies[3].attitude = step.before.bodies[3].attitude.clone();
        },
        Term::Flight,
    ),
    (
        "a body that turns the other way",
        |step| {
            for entry in &mut step.after.bodies[3].attitude.0[1..] {
                *entry *= -1;
            }
        },
        Term::Flight,
    ),
    (
        "a wrong answer that is believed",
        |step| {
            if let Some(own) = &mut step.judgement {
                own.accepted = false;
            }
        },
        Term::Verdict,
    ),
];

const ENERGY: &[Fault] = &[
    (
        "friction that is not counted",
        |step| step.ledger.friction[0] = Rational::new(),
        Term::EnergyIdentity,
    ),
    (
        "a gap that is not counted",
        |step| step.ledger.position[0] += tiny(),
        Term::EnergyIdentity,
    ),
    (
        "an impact that is not counted",
        |step| step.ledger.numerical += tiny(),
        Term::EnergyIdentity,
    ),
    (
        "joints that are not counted",
        |step| step.ledger.joints += tiny(),
        Term::EnergyIdentity,
    ),
    (
        "work that is not counted",
        |step| step.ledger.work += tiny(),
        Term::EnergyIdentity,
    ),
    (
        "an energy that is not that of the state",
        |step| step.energy.kinetic += tiny(),
        Term::EnergyIdentity,
    ),
    (
        "a loss that is hidden in rounding",
        |step| {
            step.ledger.rounding += q(1, 1000);
            step.ledger.flight_gain += q(1, 1000);
        },
        Term::Rounding,
    ),
];

/// The compression of a step that has one.
fn first(step: &mut SpaceStep) -> &mut Compression {
    step.compression.as_deref_mut().unwrap()
}

const IMPACT: &[Fault] = &[
    (
        "a smaller restitution",
        |step| step.impulses[0].normal *= q(9, 10),
        Term::Decompression,
    ),
    (
        "a larger restitution",
        |step| step.impulses[0].normal *= q(11, 10),
        Term::Complementarity,
    ),
    (
        "no decompression",
        |step| {
            for own in &mut step.impulses {
                *own = SpaceImpulse::default();
            }
        },
        Term::Decompression,
    ),
    (
        "no compression",
        |step| step.compression = None,
        Term::Restitution,
    ),
    (
        "phases that are swapped",
        |step| {
            let first = step.compression.as_mut().unwrap();
            std::mem::swap(&mut first.impulses, &mut step.impulses);
        },
        Term::Momentum,
    ),
    (
        "a compression of another contact",
        |step| first(step).posed.contacts[0].gap += tiny(),
        Term::Data,
    ),
    (
        "a compression that pulls",
        |step| first(step).impulses[0].normal *= -1,
        Term::Complementarity,
    ),
    (
        "friction of a compression beyond its cone",
        |step| first(step).impulses[0].friction[0] *= 5,
        Term::FrictionBound,
    ),
    (
        "friction of a compression that is left out",
        |step| first(step).impulses[0].friction = [q(0, 1), q(0, 1)],
        Term::MaximalDissipation,
    ),
    (
        "friction of a decompression that is left out",
        |step| step.impulses[0].friction = [q(0, 1), q(0, 1)],
        Term::MaximalDissipation,
    ),
    (
        "a compression that no impulse made",
        |step| first(step).velocity[2] += tiny(),
        Term::Momentum,
    ),
    (
        "a place that moves while no time passes",
        |step| first(step).state.bodies[1].position[0] += tiny(),
        Term::State,
    ),
    (
        "a joint that opens in a compression",
        |step| first(step).velocity[8] += tiny(),
        Term::Joint,
    ),
    (
        "a limit that no compression heeds",
        |step| {
            let first = first(step);
            first.posed.stops.clear();
            first.stop_impulses.clear();
        },
        Term::Missing,
    ),
    (
        "a wrong answer to a compression that is believed",
        |step| {
            if let Some(own) = &mut first(step).judgement {
                own.accepted = false;
            }
        },
        Term::Verdict,
    ),
    (
        "a compression that is not counted",
        |step| step.ledger.numerical -= tiny(),
        Term::EnergyIdentity,
    ),
    (
        "friction of both phases that is not counted",
        |step| step.ledger.friction[0] = Rational::new(),
        Term::EnergyIdentity,
    ),
];

fn poisson(cone: Cone) -> Settings {
    Settings {
        impact: ImpactLaw::Poisson,
        ..settings(q(1, 100), SpaceMethod::StewartTrinkle, cone)
    }
}

/// Of each the name of its law says what is wrong, and of a compression that it is one.
#[test]
fn each_seeded_fault_of_an_impact_is_named_by_its_law() {
    let world = assembly(q(0, 1), q(0, 1));
    let settings = poisson(Cone::Pyramid(8));
    let solver = solver(settings.cone);
    let stepper = SpaceStepper::new(&world, settings.clone(), &*solver).unwrap();
    let oracle = SpaceOracle::new(&world, &settings);
    let mut sound = stepper.step(&world.start()).unwrap();
    assert_eq!(oracle.examine(1, &sound), []);
    let own = first(&mut sound);
    assert!(own.impulses[0].normal > 0 && own.impulses[0].friction[0] != 0);
    assert!(own.stop_impulses.iter().any(|own| *own > 0));
    for (name, fault, law) in IMPACT {
        let mut step = sound.clone();
        fault(&mut step);
        let found = oracle.examine(1, &step);
        assert!(
            found.iter().any(|own| own.term == *law),
            "{name}: {found:?}"
        );
    }
    let mut step = sound.clone();
    first(&mut step).impulses[0].normal *= -1;
    let found = oracle.examine(1, &step);
    let named = found.iter().filter_map(|own| own.contact.as_deref());
    assert!(
        named.clone().any(|own| own == "box/floor, compression"),
        "{found:?}"
    );
}

/// A ball that falls at 3 m/s on a floor with e = 1/2, as a program has it that is wrong throughout: each phase in
/// balance, and all laws but those of the phases.
#[test]
fn wrong_programs_whose_momentum_is_right_are_named_by_the_laws_of_phases() {
    let mut own = ball("ball", Vector::ratios([(0, 1), (0, 1), (1, 2)]));
    own.velocity = Vector::integers([0, 0, -3]);
    let surfaces = surfaces(q(0, 1), q(1, 2));
    let world = SpaceWorld::new(Vector::zero(), vec![floor(), own], Vec::new(), surfaces).unwrap();
    let settings = poisson(Cone::Pyramid(4));
    let solver = solver(settings.cone);
    let stepper = SpaceStepper::new(&world, settings.clone(), &*solver).unwrap();
    let sound = stepper.step(&world.start()).unwrap();
    let oracle = SpaceOracle::new(&world, &settings);
    let found = |first_push: Rational, second_push: Rational| {
        let mut step = sound.clone();
        let between = Rational::from(&first_push - 3u32);
        let end = Rational::from(&between + &second_push);
        let own = first(&mut step);
        own.impulses[0].normal = first_push;
        own.velocity[2].clone_from(&between);
        own.state.bodies[1].velocity[2] = between;
        step.impulses[0].normal = second_push;
        step.velocity[2].clone_from(&end);
        step.after.bodies[1].position[2] = Rational::from(&end / 100u32) + q(1, 2);
        step.after.bodies[1].velocity[2] = end;
        let found = oracle.examine(1, &step).into_iter();
        found
            .map(|own| (own.contact.unwrap_or_default(), own.term))
            .collect::<Vec<_>>()
    };
    let has = |found: &[(String, Term)], owner: &str, law: Term| {
        assert!(found.contains(&(owner.to_owned(), law)), "{found:?}");
        assert!(
            !found.iter().any(|own| own.1 == Term::Momentum),
            "{found:?}"
        );
    };
    let right = found(q(3, 1), q(3, 2));
    let laws = |own: &&(String, Term)| !matches!(own.1, Term::EnergyIdentity | Term::State);
    assert_eq!(right.iter().find(laws), None);
    has(&found(q(3, 1), q(3, 4)), "ball/floor", Term::Decompression);
    has(&found(q(3, 1), q(0, 1)), "ball/floor", Term::Decompression);
    has(
        &found(q(3, 1), q(2, 1)),
        "ball/floor",
        Term::Complementarity,
    );
    let swapped = found(q(3, 2), q(3, 1));
    has(&swapped, "ball/floor, compression", Term::Restitution);
    let newton = found(q(9, 2), q(0, 1));
    has(&newton, "ball/floor, compression", Term::Complementarity);
}

fn sound(world: &SpaceWorld, settings: &Settings) -> SpaceStep {
    let solver = solver(settings.cone);
    let stepper = SpaceStepper::new(world, settings.clone(), &*solver).unwrap();
    let sound = stepper.step(&world.start()).unwrap();
    assert_eq!(SpaceOracle::new(world, settings).examine(1, &sound), []);
    assert_eq!(sound.impulses.len(), 4);
    sound
}

#[test]
fn each_seeded_fault_is_named_by_its_law() {
    let world = scene();
    let settings = settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(8));
    let sound = sound(&world, &settings);
    assert!(sound.impulses[0].normal > 0 && sound.impulses[0].friction[0] != 0);
    let oracle = SpaceOracle::new(&world, &settings);
    for (name, fault, law) in [CONTACTS, MOTION, ENERGY].concat() {
        let mut step = sound.clone();
        fault(&mut step);
        let found = oracle.examine(1, &step);
        assert!(found.iter().any(|own| own.term == law), "{name}: {found:?}");
    }
}

/// In the circular cone answers are of binary64, and the laws have a tolerance.
#[test]
fn faults_in_the_circular_cone_are_named_beyond_the_tolerance() {
    let world = scene();
    let settings = settings(q(1, 64), SpaceMethod::MoreauJean, Cone::Circular);
    let sound = sound(&world, &settings);
    let oracle = SpaceOracle::new(&world, &settings);
    let faults: [Fault; 3] = [
        (
            "a wider cone",
            |step| step.impulses[0].friction[0] *= q(11, 10),
            Term::FrictionBound,
        ),
        (
            "friction across",
            |step| step.impulses[0].friction.swap(0, 1),
            Term::MaximalDissipation,
        ),
        (
            "a weaker push",
            |step| step.impulses[0].normal *= q(9, 10),
            Term::Momentum,
        ),
    ];
    for (name, fault, law) in faults {
        let mut step = sound.clone();
        fault(&mut step);
        let found = oracle.examine(1, &step);
        assert!(found.iter().any(|own| own.term == law), "{name}: {found:?}");
    }
}
