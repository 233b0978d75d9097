//! A ladder against a wall.

use etalon_rigid::{Rotation2, Vector};
use etalon_spatial::{Body, Quaternion, Shape};
use rug::Rational;

use super::boxes::E;
use super::{METHOD, at, body, cone, floor, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const LADDER_SPACE: Scenario = Scenario::of_motion(
    "ladder-space",
    InMotion {
        description: "A round ladder leans against a wall in space: it stands where friction suffices, and slides down, and sideways when it is pushed, where it does not",
        source: "closed form of its rest, for radius r and half length l: it stands for (1 - mu^2) sin <= mu (2 cos + (1 + mu) r/l), the angle being that from the wall",
        parameters: &[
            any(
                "half_angle",
                "1/4",
                "",
                "tangent of half the angle from the wall; 1/4 is 8/15 from the wall a metre up",
            )
            .positive(),
            any("push", "0", "m/s", "speed along the wall at the start"),
            mu("1/2"),
            E,
            h("1/100"),
            steps("50"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:8"),
            g("9.81"),
        ],
        builder: Builder::Space(ladder),
        view: no_view,
    },
);

/// A capsule from the floor z = 0 to the wall x = 0, which touches both.
fn ladder(values: &Values) -> SpaceScene {
    let (radius, half_length) = (q(1, 20), q(1, 1));
    let tangent = values.get("half_angle");
    let lean = Rotation2::from_half_angle(&tangent);
    let away = Rational::from(lean.sin() * &half_length) + &radius;
    let up = Rational::from(lean.cos() * &half_length) + &radius;
    let shape = Shape::Capsule {
        radius,
        half_length,
    };
    let mut own = body("ladder", q(10, 1), shape);
    own.position = at([away, Rational::new(), up]);
    // About y, so that the upper end leans to the wall.
    own.attitude = Quaternion([q(1, 1), q(0, 1), -tangent, q(0, 1)]);
    own.velocity = at([Rational::new(), values.get("push"), Rational::new()]);
    let normal = Vector::axis(0);
    let wall = Body {
        fixed: true,
        ..body("wall", q(1, 1), Shape::HalfSpace { normal })
    };
    scene("ladder-space", values, vec![floor(), wall, own])
}
