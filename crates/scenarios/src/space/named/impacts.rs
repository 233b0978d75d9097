//! Impacts with restitution: a rod that lands on one end, and a row of balls.

use etalon_rigid::Vector;
use etalon_spatial::{Quaternion, Shape};
use rug::Rational;

use super::{IMPACT, METHOD, at, body, cone, floor, impact, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const ROD_STRIKE: Scenario = Scenario::of_motion(
    "rod-strike",
    InMotion {
        description: "A rod that leans lands on one end with friction: Newton's law of restitution gains energy there, and Poisson's does not",
        source: "Kane and Levinson 1985, Dynamics: Theory and Applications; Anitescu and Potra 1997, section 4. A capsule of 1 kg, 2 m between its ends",
        parameters: &[
            any(
                "half_angle",
                "5/12",
                "",
                "tangent of half the angle from the vertical; 5/12 is that of nearly 45 degrees",
            )
            .nonnegative(),
            any(
                "v",
                "3/5",
                "m/s",
                "speed at the start, towards the side of the upper end",
            ),
            any("fall", "1", "m/s", "speed at the start, downwards").nonnegative(),
            mu("1/2"),
            any("e", "1", "", "coefficient of restitution").up_to_one(),
            h("1/100"),
            steps("50"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:8"),
            IMPACT,
            g("9.81"),
        ],
        builder: Builder::Space(rod),
        view: no_view,
    },
);

/// The radius of the rod, m.
const RADIUS: (i64, i64) = (1, 50);

fn rod(values: &Values) -> SpaceScene {
    let half = values.get("half_angle");
    let shape = Shape::Capsule {
        radius: q(RADIUS.0, RADIUS.1),
        half_length: q(1, 1),
    };
    let mut own = body("rod", Rational::from(1), shape);
    let square = half.clone().square();
    let height = (Rational::from(1) - &square) / (square + 1u32);
    own.attitude = Quaternion([q(1, 1), q(0, 1), half, q(0, 1)]);
    let height = height.abs() + q(RADIUS.0, RADIUS.1);
    own.position = at([Rational::new(), Rational::new(), height]);
    own.velocity = at([values.get("v"), Rational::new(), -values.get("fall")]);
    struck("rod-strike", values, vec![floor(), own])
}

pub const BALL_ROW: Scenario = Scenario::of_motion(
    "ball-row",
    InMotion {
        description: "A ball meets a row of balls that touch: by Poisson's law the whole row is compressed at once, and gives back e of it",
        source: "closed form: of n equal balls the compression makes one body of speed v/n, and each speed changes by e times as much again",
        parameters: &[
            any("balls", "3", "", "how many").count(2, 20),
            any("v", "1", "m/s", "speed of the first at the start").nonnegative(),
            mu("0"),
            any("e", "1", "", "coefficient of restitution").up_to_one(),
            h("1/64"),
            steps("4"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:4"),
            IMPACT,
            g("0"),
        ],
        builder: Builder::Space(row),
        view: no_view,
    },
);

/// Balls of radius 1/2 in a row along x.
fn row(values: &Values) -> SpaceScene {
    let mut bodies = Vec::new();
    for k in 0..values.count("balls") {
        let shape = Shape::Sphere { radius: q(1, 2) };
        let mut own = body(&format!("ball {}", k + 1), Rational::from(1), shape);
        own.position = Vector::integers([k as i64, 0, 0]);
        if k == 0 {
            own.velocity = at([values.get("v"), Rational::new(), Rational::new()]);
        }
        bodies.push(own);
    }
    struck("ball-row", values, bodies)
}

/// A scene with the law of restitution of its parameters.
fn struck(name: &str, values: &Values, bodies: Vec<etalon_spatial::Body>) -> SpaceScene {
    let mut own = scene(name, values, bodies);
    own.settings.impact = impact(values);
    own
}
