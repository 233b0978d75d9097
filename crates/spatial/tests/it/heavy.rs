//! Answers of binary64 at contacts that pull on each other: what the laws are held to, and what they still name.

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{
    Body, Cone, Quaternion, Settings, Shape, SpaceMethod, SpaceOracle, SpaceStep, SpaceWorld,
};
use etalon_time_stepping::Term;
use rug::Rational;

use crate::common::{body, floor, q, run, settings, world};

/// A ton in a box of about a metre whose inertia is 1 kg m^2: each contact turns it by a thousand times what it moves it, so
/// that slips are small differences.
fn heavy(attitude: [i64; 4], spin: [i64; 3], mu: Rational) -> SpaceWorld {
    let shape = Shape::Box {
        half_sizes: [q(1, 2), q(1, 3), q(1, 4)],
    };
    let mut own = Body {
        inertia: Dense::identity(3),
        ..body("box", q(1000, 1), shape)
    };
    own.attitude = Quaternion(attitude.map(Rational::from));
    own.position = Vector::ratios([(0, 1), (0, 1), (9, 10)]);
    own.velocity = Vector::integers([1, 0, -20]);
    own.angular_velocity = Vector::integers(spin);
    world(vec![floor(), own], Vec::new(), mu, q(0, 1))
}

fn circular() -> Settings {
    settings(q(1, 100), SpaceMethod::MoreauJean, Cone::Circular)
}

#[test]
fn heavy_boxes_of_little_inertia_pass_their_oracle() {
    let attitudes = [[1, 0, 0, 0], [100, 1, 0, 0], [100, 1, 2, 0], [100, 0, 1, 3]];
    for attitude in attitudes {
        for spin in [[0, 0, 0], [0, 0, 5]] {
            for mu in [q(1, 2), q(1, 1)] {
                let (_, steps) = run(&heavy(attitude, spin, mu), &circular(), 20);
                assert!(steps.iter().any(|step| !step.impulses.is_empty()));
            }
        }
    }
}

/// A ton in a box of 1 kg m^2 falls on a fixed cylinder at 20 m/s. In the seventh step friction at a contact comes out with a
/// gain of 1.6e-9 J, of terms that are some 1e4 J: rounding, and no fault.
#[test]
fn a_heavy_box_that_falls_on_a_cylinder_passes_its_oracle() {
    let shape = Shape::Cylinder {
        radius: q(419, 1000),
        half_length: q(607, 1000),
    };
    let lower = Body {
        fixed: true,
        ..body("cylinder", q(1, 1), shape)
    };
    let size = |k: usize| if k == 2 { 705 } else { 388 };
    let corner = |c: usize| {
        let entry = |k: usize| {
            q(
                if c >> (2 - k) & 1 == 0 {
                    -size(k)
                } else {
                    size(k)
                },
                1000,
            )
        };
        Vector::new([entry(0), entry(1), entry(2)])
    };
    let vertices = (0..8).map(corner).collect();
    let mut own = Body {
        inertia: Dense::identity(3),
        ..body("box", q(1000, 1), Shape::Polyhedron { vertices })
    };
    own.attitude = Quaternion([-2, 1, 1, 2].map(Rational::from));
    own.position = Vector::ratios([(0, 1), (1, 20), (2807, 1000)]);
    own.velocity = Vector::integers([0, 0, -20]);
    own.angular_velocity = Vector::integers([4, -3, -3]);
    let surfaces = crate::common::surfaces(q(1, 2), q(0, 1));
    let gravity = Vector::ratios([(0, 1), (0, 1), (-981, 100)]);
    let world = SpaceWorld::new(gravity, vec![lower, own], Vec::new(), surfaces).unwrap();
    let (_, steps) = run(&world, &circular(), 12);
    assert!(steps[6].ledger.friction.iter().any(|lost| *lost < 0));
}

/// The first step that slides on several contacts.
fn sliding(world: &SpaceWorld) -> SpaceStep {
    let (_, steps) = run(world, &circular(), 20);
    let slides = |step: &SpaceStep| {
        let pressed = step.impulses.iter().filter(|own| own.normal > 0);
        let lost = step.ledger.friction_total().to_f64();
        pressed.count() > 1 && lost > 1.0
    };
    steps.into_iter().find(slides).unwrap()
}

/// What is allowed is some 1e-8 of an impulse: a millionth is named.
#[test]
fn a_millionth_of_an_impulse_is_named() {
    let world = heavy([100, 1, 2, 0], [0, 0, 5], q(1, 2));
    let settings = circular();
    let oracle = SpaceOracle::new(&world, &settings);
    let sound = sliding(&world);
    let off = |more: i64| Rational::from(1) + q(more, 1_000_000);
    for (k, impulse) in sound
        .impulses
        .iter()
        .enumerate()
        .filter(|(_, own)| own.normal > 0)
    {
        let slides = sound.ledger.friction[k] > 0 && impulse.friction[0] != 0;
        for (more, law) in [(1, Term::FrictionBound), (-1, Term::MaximalDissipation)] {
            if !slides {
                continue;
            }
            let mut step = sound.clone();
            for own in &mut step.impulses[k].friction {
                *own *= off(more);
            }
            let found = oracle.examine(1, &step);
            assert!(
                found.iter().any(|own| own.term == law),
                "{k} {more}: {found:?}"
            );
        }
        // A millimetre a second into the floor, of 20 m/s, where some hundreds are the difference that the contacts make.
        let mut step = sound.clone();
        step.velocity[2] -= q(1, 1000);
        let found = oracle.examine(1, &step);
        let laws = [
            Term::Restitution,
            Term::Complementarity,
            Term::MaximalDissipation,
        ];
        assert!(
            found.iter().any(|own| laws.contains(&own.term)),
            "{k}: {found:?}"
        );
    }
}
