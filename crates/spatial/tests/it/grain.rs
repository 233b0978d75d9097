//! Friction that depends on the direction.

use etalon_rigid::Vector;
use etalon_spatial::{
    Body, Cone, Grain, Quaternion, Settings, SpaceMethod, SpaceOracle, SpaceStep, SpaceWorld,
    SpatialError, Surface, Surfaces,
};
use etalon_time_stepping::Term;
use rug::Rational;

use crate::common::{flat, floor, q, run, settings, ways};

/// A box that slides: 1/2 along x, and 1/4 along y, in the coordinates of that body.
fn sliding(own: Body, grained: &str, along: [i64; 3]) -> Result<SpaceWorld, SpatialError> {
    let surface = Surface {
        mu: q(1, 2),
        grain: Some(Grain {
            across: q(1, 4),
            along: Vector::integers(along),
        }),
        ..Surface::default()
    };
    let other = if grained == "box" { "floor" } else { "box" };
    let surfaces = Surfaces {
        default: Surface::default(),
        pairs: vec![(grained.to_owned(), other.to_owned(), surface)],
    };
    let gravity = Vector::integers([0, 0, -10]);
    SpaceWorld::new(gravity, vec![floor(), own], Vec::new(), surfaces)
}

fn moving(v: [i64; 3]) -> Body {
    Body {
        velocity: Vector::integers(v),
        ..flat("box")
    }
}

fn speed(world: &SpaceWorld, settings: &Settings, steps: u64) -> [f64; 2] {
    let (state, _) = run(world, settings, steps);
    let [x, y, _] = state.bodies[1]
        .velocity
        .coordinates()
        .each_ref()
        .map(Rational::to_f64);
    [x, y]
}

/// It is slowed by mu g along the grain, and by the other coefficient across it.
#[test]
fn a_box_is_slowed_by_the_coefficient_of_its_direction() {
    for settings in ways(&q(1, 64)) {
        let along = sliding(moving([2, 0, 0]), "floor", [1, 0, 0]).unwrap();
        let [x, y] = speed(&along, &settings, 8);
        assert!(
            (x - (2.0 - 5.0 / 8.0)).abs() < 1e-7 && y.abs() < 1e-7,
            "{settings:?}: {x} {y}"
        );
        let across = sliding(moving([0, 2, 0]), "floor", [1, 0, 0]).unwrap();
        let [x, y] = speed(&across, &settings, 8);
        assert!(
            (y - (2.0 - 2.5 / 8.0)).abs() < 1e-7 && x.abs() < 1e-7,
            "{settings:?}: {x} {y}"
        );
        // The grain of a box that is turned by a right angle is along y.
        let mut own = moving([0, 2, 0]);
        own.attitude = Quaternion([1, 0, 0, 1].map(Rational::from));
        let turned = sliding(own, "box", [1, 0, 0]).unwrap();
        let [x, y] = speed(&turned, &settings, 8);
        assert!(
            (y - (2.0 - 5.0 / 8.0)).abs() < 1e-7 && x.abs() < 1e-7,
            "{settings:?}: {x} {y}"
        );
    }
}

/// In the ellipse friction on a body that slides along (1, 1) is along (mu^2, across^2): four to one.
#[test]
fn friction_in_the_ellipse_turns_a_body_across_the_grain() {
    let world = sliding(moving([2, 2, 0]), "floor", [1, 0, 0]).unwrap();
    let settings = settings(q(1, 4096), SpaceMethod::MoreauJean, Cone::Circular);
    let [x, y] = speed(&world, &settings, 1);
    let share = (2.0 - x) / (2.0 - y);
    assert!((share - 4.0).abs() < 0.01, "{share}");
}

#[test]
fn grains_that_cannot_be_are_refused_by_name() {
    let settings = settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(4));
    let upright = sliding(moving([1, 0, 0]), "floor", [0, 0, 1]);
    // The start of a world asks for contacts, too.
    let error = match upright {
        Err(error) => error,
        Ok(world) => world.contacts(&world.start(), &settings.h).unwrap_err(),
    };
    assert!(matches!(&error, SpatialError::Grain { contact } if contact.starts_with("box/floor")));
    let nowhere = sliding(moving([1, 0, 0]), "floor", [0, 0, 0]).unwrap_err();
    assert!(nowhere.to_string().contains("a direction"), "{nowhere}");
}

type Fault = (&'static str, fn(&mut SpaceStep), Term);

const FAULTS: &[Fault] = &[
    (
        "friction of the other direction",
        |step| {
            for own in &mut step.impulses {
                own.friction.swap(0, 1);
            }
        },
        Term::MaximalDissipation,
    ),
    (
        "friction that knows no grain",
        |step| {
            for own in &mut step.impulses {
                own.friction[1] *= 2;
            }
        },
        Term::FrictionBound,
    ),
    (
        "another grain",
        |step| step.posed.contacts[0].across = q(1, 2),
        Term::Frame,
    ),
    (
        "a tangent beside the grain",
        |step| {
            step.posed.contacts[0].tangents = [Vector::axis(1), -&Vector::axis(0)];
        },
        Term::Frame,
    ),
];

#[test]
fn each_fault_of_the_grain_is_named_by_its_law() {
    for settings in [
        settings(q(1, 64), SpaceMethod::StewartTrinkle, Cone::Pyramid(8)),
        settings(q(1, 64), SpaceMethod::MoreauJean, Cone::Circular),
    ] {
        let world = sliding(moving([0, 2, 0]), "floor", [1, 0, 0]).unwrap();
        let (_, steps) = run(&world, &settings, 1);
        let oracle = SpaceOracle::new(&world, &settings);
        for (name, fault, law) in FAULTS {
            let mut step = steps[0].clone();
            fault(&mut step);
            let found = oracle.examine(1, &step);
            assert!(
                found.iter().any(|own| own.term == *law),
                "{name}: {found:?}"
            );
        }
    }
}
