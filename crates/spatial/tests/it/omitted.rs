//! Corners of faces that geometry leaves out: own steps have contacts there, and the oracle asks.

use etalon_rigid::Vector;
use etalon_spatial::{
    Body, Cone, Quaternion, Settings, Shape, SpaceMethod, SpaceOracle, SpaceStepper,
};
use etalon_time_stepping::Term;

use crate::common::{body, flat, floor, q, run, settings, solver, ways, world};

/// A prism with eight sides that stands on its base.
fn prism() -> Body {
    let sides = [
        (4, 1),
        (1, 4),
        (-1, 4),
        (-4, 1),
        (-4, -1),
        (-1, -4),
        (1, -4),
        (4, -1),
    ];
    let corner = |(x, y): (i64, i64), z: i64| Vector::ratios([(x, 16), (y, 16), (z, 2)]);
    let base = sides
        .iter()
        .flat_map(|own| [corner(*own, -1), corner(*own, 1)]);
    let vertices = base.collect();
    let mut own = body("prism", q(1, 1), Shape::Polyhedron { vertices });
    own.position = Vector::ratios([(0, 1), (0, 1), (1, 2)]);
    own
}

/// Parry proposes the first four corners of a face, which are on one side of it.
#[test]
fn a_prism_with_eight_sides_stands() {
    let world = world(vec![floor(), prism()], Vec::new(), q(1, 2), q(0, 1));
    for settings in ways(&q(1, 100)) {
        let (end, steps) = run(&world, &settings, 3);
        assert_eq!(steps[0].contacts().len(), 8, "{settings:?}");
        let own = &end.bodies[1];
        let tiny = q(1, 1_000_000_000);
        assert!(own.momentum.norm_squared() < tiny, "{settings:?}");
        assert!(own.velocity.norm_squared() < tiny, "{settings:?}");
    }
}

/// A coin that rocks: the half of its rim that does not close has no contact by Moreau and Jean's rule, and is not asked.
#[test]
fn a_coin_that_rocks_is_right() {
    let shape = Shape::Cylinder {
        radius: q(2, 5),
        half_length: q(1, 10),
    };
    for spin in [[-1, 2, 3], [-4, -1, 2]] {
        let mut coin = body("coin", q(1, 1), shape.clone());
        coin.position = Vector::ratios([(0, 1), (0, 1), (122, 1000)]);
        let leaning = Quaternion([q(1, 1), q(1, 40), q(1, 90), q(0, 1)]);
        coin.attitude = leaning.unit().unwrap();
        coin.angular_velocity = Vector::integers(spin);
        let world = world(vec![floor(), coin], Vec::new(), q(0, 1), q(3, 10));
        for settings in ways(&q(1, 50)) {
            run(&world, &settings, 30);
        }
    }
}

fn plain(method: SpaceMethod) -> Settings {
    settings(q(1, 100), method, Cone::Pyramid(4))
}

/// The oracle asks own steps, too: a corner goes missing, and the box turns about the others.
#[test]
fn a_corner_that_goes_in_is_named() {
    let world = world(vec![floor(), flat("box")], Vec::new(), q(0, 1), q(0, 1));
    for method in SpaceMethod::SECOND_ORDER {
        let settings = plain(method);
        let solver = solver(settings.cone);
        let stepper = SpaceStepper::new(&world, settings.clone(), &*solver).unwrap();
        let mut step = stepper.step(&world.start()).unwrap();
        let corner = Vector::ratios([(1, 5), (1, 5), (0, 1)]);
        let near =
            |own: &etalon_spatial::Contact| (&own.point - &corner).norm_squared() < q(1, 1_000_000);
        let k = step.contacts().iter().position(near).unwrap();
        step.posed.contacts.remove(k);
        step.posed.formulation.contacts.remove(k);
        step.impulses.remove(k);
        // It turns about the diagonal beside the corner.
        step.velocity[3] = q(1, -10);
        step.velocity[4] = q(1, 10);
        let turned = Quaternion::cayley(&Vector::ratios([(-1, 1000), (1, 1000), (0, 1)]));
        step.after.bodies[1].attitude = turned.unit().unwrap();
        let found = SpaceOracle::new(&world, &settings).examine(1, &step);
        let missing: Vec<_> = found
            .iter()
            .filter(|own| own.term == Term::Missing)
            .collect();
        assert_eq!(missing.len(), 1, "{method:?}: {found:?}");
        let why = &missing[0].amount;
        assert!(why.contains("at (0.2000, 0.2000, 0.0000)"), "{why}");
        assert!(why.contains("goes in by 4.0e-4 m"), "{why}");
    }
}
