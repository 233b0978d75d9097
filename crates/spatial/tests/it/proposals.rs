//! Contacts that parry proposes with points outside of the bodies.

use etalon_rigid::Vector;
use etalon_spatial::{Body, Cone, Quaternion, Shape, SpaceMethod};
use rug::Rational;

use crate::common::{body, q, run, settings, world};

fn exactly<const N: usize>(values: [f64; N]) -> [Rational; N] {
    values.map(|x| Rational::from_f64(x).unwrap())
}

fn round(kind: fn(Rational, Rational) -> Shape, radius: f64, half_length: f64) -> Shape {
    let [radius, half_length] = exactly([radius, half_length]);
    kind(radius, half_length)
}

fn capsule(radius: Rational, half_length: Rational) -> Shape {
    Shape::Capsule {
        radius,
        half_length,
    }
}

fn cylinder(radius: Rational, half_length: Rational) -> Shape {
    Shape::Cylinder {
        radius,
        half_length,
    }
}

fn placed(name: &str, shape: Shape, position: [f64; 3], attitude: [f64; 4]) -> Body {
    Body {
        position: Vector::new(exactly(position)),
        attitude: Quaternion(exactly(attitude)),
        ..body(name, q(1, 1), shape)
    }
}

/// The points that parry has of a cylinder and another round body may be beside each other. The contact acts halfway
/// between them, and half the gap along the normal from there is outside of a body, by 8 cm, 2 cm and 0.2 mm.
#[test]
fn the_points_of_contacts_of_round_bodies_are_in_them() {
    let pairs = [
        [
            placed(
                "lower",
                round(capsule, 0.386487, 0.284069),
                [0.1334750, 0.3534813, 1.8102660],
                [0.8714364, -0.0072036, 0.4549887, -0.1831177],
            ),
            placed(
                "upper",
                round(cylinder, 0.361133, 0.291504),
                [0.3161943, 0.5245932, 2.8519044],
                [-0.0788119, 0.6637605, -0.4753046, 0.5720981],
            ),
        ],
        [
            placed(
                "lower",
                round(cylinder, 0.288198, 0.306851),
                [-0.0213416, 0.0388687, 0.5175162],
                [0.0738569, -0.4938270, -0.0400120, -0.8654936],
            ),
            placed(
                "upper",
                round(capsule, 0.499049, 0.375772),
                [-0.0906390, 0.0830760, 1.3919003],
                [0.6947335, -0.4741866, 0.3938666, -0.3706232],
            ),
        ],
        [
            placed(
                "lower",
                round(cylinder, 0.375722, 0.287939),
                [0.2637761, -0.3284934, 1.4345019],
                [-0.2621930, -0.1309097, 0.7808828, 0.5516698],
            ),
            placed(
                "upper",
                round(cylinder, 0.330052, 0.415654),
                [0.5228342, -0.4935876, 2.4088614],
                [0.0687496, -0.7934728, 0.3298406, 0.5068329],
            ),
        ],
    ];
    for [mut lower, mut upper] in pairs {
        // Within reach of each other, whatever is between them.
        lower.fixed = true;
        upper.velocity = Vector::integers([0, 0, -20]);
        let world = world(vec![lower, upper], Vec::new(), q(1, 2), q(0, 1));
        let settings = settings(q(1, 50), SpaceMethod::StewartTrinkle, Cone::Pyramid(4));
        let (_, steps) = run(&world, &settings, 1);
        assert!(!steps[0].contacts().is_empty());
    }
}
