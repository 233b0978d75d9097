//! A table: a body of several convex pieces.

use etalon_rigid::{Dense, Vector3};
use etalon_spatial::{Body, BodyPiece, Quaternion, Shape};
use rug::Rational;

use super::boxes::E;
use super::{METHOD, at, bare, cone, floor, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const TABLE_DROP: Scenario = Scenario::of_motion(
    "table-drop",
    InMotion {
        description: "A table of five convex pieces falls on two of its legs, tips and comes to stand: contacts are those of its pieces",
        source: "no closed form: the oracle's laws hold in each step, and in the end the legs carry the weight",
        parameters: &[
            any("height", "1/50", "m", "of the lowest leg at the start").nonnegative(),
            any(
                "tilt",
                "1/40",
                "",
                "tangent of half the angle by which it leans at the start",
            ),
            mu("1/2"),
            E,
            h("1/100"),
            steps("60"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:4"),
            g("9.81"),
        ],
        builder: Builder::Space(table),
        view: no_view,
    },
);

/// Its top and legs are of even density: 6 kg and 1/4 kg each.
fn table(values: &Values) -> SpaceScene {
    let top = Shape::Box {
        half_sizes: [q(2, 5), q(3, 10), q(1, 40)],
    };
    let leg = Shape::Capsule {
        radius: q(1, 40),
        half_length: q(7, 40),
    };
    // The centre of mass is 9/280 m below the middle of the top.
    let middle = at([q(0, 1), q(0, 1), q(9, 280)]);
    let mut all = vec![("top".to_owned(), q(6, 1), top, middle)];
    for (k, [x, y]) in [[1, 1], [1, -1], [-1, -1], [-1, 1]].into_iter().enumerate() {
        let place = at([q(3 * x, 8), q(11 * y, 40), q(-27, 140)]);
        all.push((format!("leg {}", k + 1), q(1, 4), leg.clone(), place));
    }
    let mut own = bare("table", q(7, 1), [1, 1, 1].map(Rational::from));
    own.inertia = Dense::zeros(3, 3);
    for (name, mass, shape, place) in all {
        add(&mut own, &shape.inertia(&mass), &mass, &place);
        own.pieces.push(BodyPiece {
            name,
            shape,
            at: place,
            attitude: Quaternion::identity(),
        });
    }
    let tilt = values.get("tilt");
    // About y: the legs on one side are lower. The ball at the end of a leg is 103/280 m below the centre, and 3/8 m beside it.
    let square = tilt.clone().square() + 1u32;
    let [sin, cos] = [
        Rational::from(&tilt * 2u32) / &square,
        (Rational::from(2) - &square) / &square,
    ];
    let lowest = q(103, 280) * cos + q(3, 8) * sin.abs() + q(1, 40);
    own.attitude = Quaternion([q(1, 1), q(0, 1), tilt, q(0, 1)]);
    own.position = at([q(0, 1), q(0, 1), lowest + values.get("height")]);
    scene("table-drop", values, vec![floor(), own])
}

/// Adds the inertia of a piece about the centre of mass: J + m (|r|^2 1 - r r').
fn add(
    own: &mut Body,
    inertia: &Option<Dense<Rational>>,
    mass: &Rational,
    place: &Vector3<Rational>,
) {
    let square = place.norm_squared();
    for i in 0..3 {
        for j in 0..3 {
            let mut moment = -Rational::from(&place[i] * &place[j]);
            if i == j {
                moment += &square;
            }
            own.inertia[(i, j)] += moment * mass;
            if let Some(inertia) = inertia {
                own.inertia[(i, j)] += &inertia[(i, j)];
            }
        }
    }
}
