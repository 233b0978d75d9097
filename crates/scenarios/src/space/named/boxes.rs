//! Boxes on a floor: sliding, stacked, spinning on a corner.

use etalon_rigid::{Rotation2, Vector};
use etalon_spatial::{Quaternion, Shape};
use rug::Rational;

use super::{METHOD, at, body, cone, floor, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

/// No restitution unless it is asked for.
pub(super) const E: Parameter = any("e", "0", "", "coefficient of restitution").up_to_one();

/// Half sizes of a flat box, m: those of `docs/engines-scenes.md`.
fn flat() -> Shape {
    Shape::Box {
        half_sizes: [q(1, 5), q(1, 5), q(1, 20)],
    }
}

pub const BOX_SLIDE: Scenario = Scenario::of_motion(
    "box-slide",
    InMotion {
        description: "A flat box slides over a floor and stops after v^2/(2 mu g), straight and without turning, for friction along its way",
        source: "closed form: the centre of pressure lags by mu times the height of the centre of mass along the way, whatever the pressure is",
        parameters: &[
            any("v", "2", "m/s", "speed at the start").nonnegative(),
            any(
                "half_angle",
                "3/7",
                "",
                "tangent of half the heading's angle; 3/7 is a side of the pyramid of 8",
            ),
            mu("1/2"),
            E,
            h("1/240"),
            steps("110"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:8"),
            g("9.81"),
        ],
        builder: Builder::Space(slide),
        view: no_view,
    },
);

fn slide(values: &Values) -> SpaceScene {
    let heading = Rotation2::from_half_angle(&values.get("half_angle"));
    let v = values.get("v");
    let mut own = body("box", Rational::from(1), flat());
    own.position = at([Rational::new(), Rational::new(), q(1, 20)]);
    let along = |share: &Rational| Rational::from(share * &v);
    own.velocity = at([along(heading.cos()), along(heading.sin()), Rational::new()]);
    scene("box-slide", values, vec![floor(), own])
}

pub const BOX_STACK: Scenario = Scenario::of_motion(
    "box-stack",
    InMotion {
        description: "Flat boxes on top of each other: every interface carries the weight above it, in each step",
        source: "closed form: the normal impulses of an interface are h g times the mass above",
        parameters: &[
            any("boxes", "2", "", "how many").count(1, 20),
            any("ratio", "1", "", "mass of each box over that below").positive(),
            mu("1/2"),
            E,
            h("1/240"),
            steps("10"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:4"),
            g("9.81"),
        ],
        builder: Builder::Space(stack),
        view: no_view,
    },
);

/// Sizes are powers of two, so that gaps are closed exactly and the weights come out to the digit.
fn stack(values: &Values) -> SpaceScene {
    let mut bodies = vec![floor()];
    let mut mass = Rational::from(1);
    for k in 0..values.count("boxes") {
        let shape = Shape::Box {
            half_sizes: [q(1, 4), q(1, 4), q(1, 16)],
        };
        let mut own = body(&format!("box {}", k + 1), mass.clone(), shape);
        own.position = at([Rational::new(), Rational::new(), q(2 * k as i64 + 1, 16)]);
        bodies.push(own);
        mass *= values.get("ratio");
    }
    scene("box-stack", values, bodies)
}

pub const BOX_CORNER: Scenario = Scenario::of_motion(
    "box-corner",
    InMotion {
        description: "A cube spins on a corner, falls over and slides: contacts come and go while it turns about all axes",
        source: "no closed form: the oracle's laws hold in each step",
        parameters: &[
            any("rate", "10", "1/s", "angular velocity about the vertical"),
            mu("1/5"),
            E,
            h("1/100"),
            steps("100"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:4"),
            g("9.81"),
        ],
        builder: Builder::Space(corner),
        view: no_view,
    },
);

fn corner(values: &Values) -> SpaceScene {
    let half = q(1, 5);
    let shape = Shape::Box {
        half_sizes: [half.clone(), half.clone(), half],
    };
    let mut own = body("cube", Rational::from(1), shape);
    // About (1, -1, 0), so that the diagonal is upright but for some 2 per cent, by which it falls:
    // (1 + sqrt 3, 1, -1, 0) would be upright.
    own.attitude = Quaternion([q(28, 10), q(1, 1), q(-1, 1), q(0, 1)]);
    // sqrt 3/5 = 0.34641: the lowest corner is less than a tenth of a millimetre above the floor.
    own.position = at([Rational::new(), Rational::new(), q(3465, 10_000)]);
    own.angular_velocity = Vector::new([Rational::new(), Rational::new(), values.get("rate")]);
    scene("box-corner", values, vec![floor(), own])
}
