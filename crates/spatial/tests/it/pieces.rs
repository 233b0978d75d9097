//! Bodies of several convex pieces, against bodies of one and closed forms.

use etalon_lcp::VerdictKind;
use etalon_rigid::{Dense, Vector, Vector3};
use etalon_spatial::{
    Body, BodyPiece, Cone, Grain, Joint, JointFreedom, Quaternion, Settings, Shape, SpaceMethod,
    SpaceOracle, SpaceStep, SpaceStepper, SpaceWorld, Surface,
};
use etalon_time_stepping::{Term, Violation};
use rug::Rational;

use crate::common::{ball, flat, floor, q, run, settings, solver, surfaces, ways, world};

fn piece(name: &str, shape: Shape, at: Vector3<Rational>) -> BodyPiece {
    BodyPiece {
        name: name.to_owned(),
        shape,
        at,
        attitude: Quaternion::identity(),
    }
}

fn cuboid(half_sizes: [Rational; 3]) -> Shape {
    Shape::Box { half_sizes }
}

/// The flat box of the tests, cut in two, of which one half is turned on its side in its own coordinates.
fn cut(name: &str) -> Body {
    let half = |sign: i64| Vector::ratios([(sign, 10), (0, 1), (0, 1)]);
    let left = piece("left", cuboid([q(1, 10), q(1, 5), q(1, 20)]), half(-1));
    let right = cuboid([q(1, 20), q(1, 5), q(1, 10)]);
    let mut right = piece("right", right, half(1));
    // A quarter turn about y.
    right.attitude = Quaternion([q(1, 1), q(0, 1), q(1, 1), q(0, 1)]);
    Body {
        shape: None,
        pieces: vec![left, right],
        ..flat(name)
    }
}

/// Two balls of radius 1/2 at x = -1 and 1, of 1 kg and 1 kg m^2 together.
fn dumbbell() -> Body {
    let ball = |name: &str, x: i64| {
        let shape = Shape::Sphere { radius: q(1, 2) };
        piece(name, shape, Vector::integers([x, 0, 0]))
    };
    Body {
        name: "dumbbell".to_owned(),
        inertia: Dense::identity(3),
        shape: None,
        pieces: vec![ball("left", -1), ball("right", 1)],
        ..flat("dumbbell")
    }
}

fn plain() -> Settings {
    settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(8))
}

/// Contacts are others, and the motion is the same.
#[test]
fn a_box_of_two_halves_slides_and_turns_as_the_whole_one() {
    let end = |mut own: Body, settings: &Settings| {
        own.velocity = Vector::ratios([(40, 29), (42, 29), (0, 1)]);
        own.attitude = Quaternion([q(3, 1), q(0, 1), q(0, 1), q(1, 1)]);
        let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
        let (state, steps) = run(&world, settings, 6);
        let contacts = steps[0].contacts().len();
        (state.bodies[1].clone(), contacts)
    };
    for settings in ways(&q(1, 64)) {
        let (whole, few) = end(flat("box"), &settings);
        let (halves, many) = end(cut("box"), &settings);
        assert_eq!((few, many), (4, 8));
        for (one, other) in [
            (&whole.position, &halves.position),
            (&whole.velocity, &halves.velocity),
        ] {
            let off = (one - other).norm_squared().to_f64().sqrt();
            assert!(off < 1e-9, "{settings:?}: {off}");
        }
    }
}

/// A push of v/(1/m + r^2/J) at one end: v = 2 m/s, r = 1 m.
#[test]
fn one_end_of_a_dumbbell_stops_and_the_other_goes_on() {
    let mut own = dumbbell();
    own.velocity = Vector::integers([0, 0, -2]);
    own.position = Vector::integers([0, 0, 1]);
    let post = Body {
        fixed: true,
        ..ball("post", Vector::integers([1, 0, 0]))
    };
    let bodies = vec![post, own];
    let surfaces = surfaces(q(0, 1), q(0, 1));
    let world = SpaceWorld::new(Vector::zero(), bodies, Vec::new(), surfaces).unwrap();
    for settings in ways(&q(1, 64)) {
        let (state, steps) = run(&world, &settings, 1);
        let names: Vec<&str> = steps[0].contacts().iter().map(|own| &*own.name).collect();
        assert_eq!(names, ["dumbbell.right/post"]);
        let pushed = steps[0].impulses[0].normal.to_f64();
        assert!((pushed - 1.0).abs() < 1e-9, "{settings:?}: {pushed}");
        let own = &state.bodies[1];
        assert!(
            (own.velocity[2].to_f64() + 1.0).abs() < 1e-9,
            "{settings:?}"
        );
        assert!(
            (own.momentum[1].to_f64() + 1.0).abs() < 1e-9,
            "{settings:?}"
        );
        // The pieces of the state are where the body has them: 1 m from its centre.
        let arm = &state.bodies[2].position - &own.position;
        assert!((arm.norm_squared().to_f64() - 1.0).abs() < 1e-9);
    }
}

/// Two balls of radius 1/10 at the ends of 2 m turn by 1/4 m a step: what may be reached in it is found.
#[test]
fn a_piece_far_from_the_centre_is_as_fast_as_it_is_there() {
    let mut own = dumbbell();
    for piece in &mut own.pieces {
        piece.shape = Shape::Sphere { radius: q(1, 10) };
    }
    own.position = Vector::ratios([(0, 1), (0, 1), (3, 10)]);
    own.angular_velocity = Vector::integers([0, 16, 0]);
    let world = world(vec![floor(), own], Vec::new(), q(0, 1), q(0, 1));
    let (_, steps) = run(&world, &plain(), 1);
    let own = steps[0].contacts().iter().zip(&steps[0].impulses);
    let pushed: Vec<&str> = own
        .filter(|(_, own)| own.normal > 0)
        .map(|(own, _)| &*own.name)
        .collect();
    assert_eq!(pushed, ["dumbbell.right/floor"]);
}

/// What an answer in binary64 leaves open is measured by the masses of bodies, as pieces have none.
#[test]
fn answers_in_the_circular_cone_are_right_up_to_what_their_bodies_notice() {
    let mut own = cut("box");
    own.attitude = Quaternion([q(5, 1), q(2, 1), q(1, 1), q(1, 1)]);
    own.position[2] = q(22, 100);
    own.velocity = Vector::integers([2, 1, -3]);
    own.angular_velocity = Vector::integers([3, 2, 5]);
    // At rest, so that only forces say how large what is off may be.
    let mut held = cut("held");
    held.position[0] = q(5, 1);
    held.force = Vector::integers([2, 1, 0]);
    let world = world(vec![floor(), own, held], Vec::new(), q(1, 3), q(0, 1));
    for method in SpaceMethod::SECOND_ORDER {
        let settings = settings(q(1, 64), method, Cone::Circular);
        let (_, steps) = run(&world, &settings, 4);
        let judged = steps.iter().filter_map(|own| own.judgement.as_ref());
        let accepted = judged.filter(|own| own.verdict.kind == VerdictKind::Accepted);
        assert!(accepted.count() > 0, "{method}");
    }
}

/// Friction and its grain are those of the bodies.
#[test]
fn surfaces_name_bodies_and_hold_for_their_pieces() {
    let grain = Grain {
        across: q(1, 4),
        along: Vector::integers([3, 4, 0]),
    };
    let mut all = surfaces(q(0, 1), q(0, 1));
    let own = Surface {
        mu: q(1, 2),
        grain: Some(grain),
        ..Surface::default()
    };
    all.pairs.push(("box".to_owned(), "floor".to_owned(), own));
    let mut own = cut("box");
    own.velocity = Vector::integers([1, 0, 0]);
    let gravity = Vector::integers([0, 0, -10]);
    let world = SpaceWorld::new(gravity, vec![floor(), own], Vec::new(), all).unwrap();
    let (_, steps) = run(&world, &plain(), 1);
    for contact in steps[0].contacts() {
        assert_eq!((&contact.mu, &contact.across), (&q(1, 2), &q(1, 4)));
        assert!((contact.tangents[0][1].to_f64() - 0.8).abs() < 1e-9);
    }
    assert_eq!(steps[0].contacts().len(), 8);
}

/// Neither pieces of one body nor those of two that a joint holds touch each other.
#[test]
fn pieces_of_one_body_and_of_joined_ones_do_not_touch() {
    let mut own = cut("own");
    own.position[2] += 1;
    let other = Body {
        position: &own.position + &Vector::ratios([(0, 1), (1, 5), (0, 1)]),
        ..cut("other")
    };
    let fixed = Joint {
        name: "joint".to_owned(),
        first: 1,
        second: 0,
        point: own.position.clone(),
        kind: JointFreedom::Fixed,
        limits: None,
        drive: None,
    };
    let world = world(vec![own, other], vec![fixed], q(1, 2), q(0, 1));
    let (_, steps) = run(&world, &plain(), 2);
    assert!(steps.iter().all(|own| own.contacts().is_empty()));
}

type Fault = (&'static str, fn(&mut SpaceStep), Term);

const FAULTS: [Fault; 5] = [
    (
        "a piece that leaves its body",
        |step| step.after.bodies[2].position[0] += q(1, 1000),
        Term::State,
    ),
    (
        "an impulse that its body does not feel",
        |step| step.impulses[0].normal += q(1, 1000),
        Term::Momentum,
    ),
    (
        "a point beside its piece, and inside of the body",
        |step| step.posed.contacts[0].point[0] = q(3, 20),
        Term::Geometry,
    ),
    (
        "a piece without its contacts that goes into the floor",
        |step| {
            step.velocity[2] -= 1;
            let is_right = |name: &str| name.starts_with("box.right");
            let names: Vec<String> = step.contacts().iter().map(|own| own.name.clone()).collect();
            for k in (0..names.len()).rev().filter(|k| is_right(&names[*k])) {
                step.posed.contacts.remove(k);
                step.posed.formulation.contacts.remove(k);
                step.impulses.remove(k);
                step.ledger.friction.remove(k);
                step.ledger.position.remove(k);
            }
        },
        Term::Missing,
    ),
    (
        "friction of another surface",
        |step| step.posed.contacts[0].mu = q(1, 1),
        Term::Frame,
    ),
];

#[test]
fn each_seeded_fault_of_a_piece_is_named_by_its_law() {
    let mut own = cut("box");
    own.velocity = Vector::ratios([(40, 29), (42, 29), (-1, 1)]);
    own.position[2] += q(1, 100);
    let world = world(vec![floor(), own], Vec::new(), q(1, 2), q(0, 1));
    let settings = plain();
    let solver = solver(settings.cone);
    let stepper = SpaceStepper::new(&world, settings.clone(), &*solver).unwrap();
    let sound = stepper.step(&world.start()).unwrap();
    let oracle = SpaceOracle::new(&world, &settings);
    assert_eq!(oracle.examine(1, &sound), []);
    assert!(sound.contacts()[0].name.starts_with("box.left/floor"));
    for (name, fault, law) in FAULTS {
        let mut step = sound.clone();
        fault(&mut step);
        let found = oracle.examine(1, &step);
        let named = |own: &Violation| {
            let missing = own.contact.as_deref() == Some("box.right/floor");
            own.term == law && (law != Term::Missing || missing)
        };
        assert!(found.iter().any(named), "{name}: {found:?}");
    }
}

#[test]
fn pieces_that_cannot_be_are_refused_by_name() {
    let refused = |edit: fn(&mut Body), parts: &[&str]| {
        let mut own = cut("own");
        edit(&mut own);
        let bodies = vec![floor(), own];
        let surfaces = surfaces(q(1, 2), q(0, 1));
        let error = SpaceWorld::new(Vector::zero(), bodies, Vec::new(), surfaces).unwrap_err();
        let text = error.to_string();
        for part in parts {
            assert!(text.contains(part), "{text}");
        }
    };
    let field = "body \"own\": the field \"pieces\"";
    refused(
        |own| own.shape = Some(cuboid([q(1, 1), q(1, 1), q(1, 1)])),
        &[field, "it has a shape, too"],
    );
    refused(
        |own| own.pieces[1].name = "left".to_owned(),
        &[field, "two pieces have the name \"left\""],
    );
    refused(
        |own| {
            own.pieces[0].shape = Shape::HalfSpace {
                normal: Vector::axis(2),
            }
        },
        &[field, "\"left\" is a half-space", "body of its own"],
    );
    refused(
        |own| own.pieces[0].shape = Shape::Sphere { radius: q(0, 1) },
        &[field, "\"left\" is degenerate", "above 0"],
    );
    refused(
        |own| own.pieces[1].attitude = Quaternion([q(0, 1), q(0, 1), q(0, 1), q(0, 1)]),
        &[field, "orientation of the piece \"right\" is zero"],
    );
    refused(
        |own| own.position[2] = q(1, 25),
        &["\"own.left\" and \"floor\" overlap by 1.000e-2"],
    );
    // A body and a piece of another one with one name.
    let named = Body {
        position: Vector::integers([5, 0, 5]),
        ..flat("own.left")
    };
    let surfaces = surfaces(q(1, 2), q(0, 1));
    let world = SpaceWorld::new(
        Vector::zero(),
        vec![named, cut("own")],
        Vec::new(),
        surfaces,
    );
    assert!(world.unwrap_err().to_string().contains("own.left"));
}
