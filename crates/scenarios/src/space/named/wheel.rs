//! A wheel on its rim.

use etalon_rigid::{Dense, Vector};
use etalon_spatial::{Body, Shape};
use rug::Rational;

use super::boxes::E;
use super::{METHOD, at, body, cone, floor, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const WHEEL_SPIN: Scenario = Scenario::of_motion(
    "wheel-spin",
    InMotion {
        description: "A wheel spins on its rim about the upright, and friction at its point of contact stops it: by a torque of torsion times the normal force, and another against rolling",
        source: "closed form: it spins down within r^2 w/(4 torsion g), and rolls to a stop within 3 r v/(2 rolling g)",
        parameters: &[
            any("spin", "10", "1/s", "angular velocity about the upright"),
            any("v", "0", "m/s", "speed at which it rolls"),
            any(
                "torsion",
                "1/100",
                "m",
                "torque about the normal of a unit normal force",
            )
            .nonnegative(),
            any(
                "rolling",
                "0",
                "m",
                "torque across the normal of a unit normal force",
            )
            .nonnegative(),
            mu("1/2"),
            E,
            h("1/100"),
            steps("300"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:8"),
            g("9.81"),
        ],
        builder: Builder::Space(wheel),
        view: no_view,
    },
);

/// A thin disc of radius 1/4 m whose axle is along y. It touches as a sphere of its radius does, at one point, so that it does not
/// fall over.
fn wheel(values: &Values) -> SpaceScene {
    let radius = q(1, 4);
    // m r^2/2 about the axle, m r^2/4 across.
    let moments = [q(1, 64), q(1, 32), q(1, 64)];
    let mut own = Body {
        inertia: Dense::from_fn(3, 3, |i, j| match i == j {
            true => moments[i].clone(),
            false => Rational::new(),
        }),
        ..body(
            "wheel",
            Rational::from(1),
            Shape::Sphere {
                radius: radius.clone(),
            },
        )
    };
    let v = values.get("v");
    own.position = at([Rational::new(), Rational::new(), radius.clone()]);
    own.velocity = at([v.clone(), Rational::new(), Rational::new()]);
    own.angular_velocity = Vector::new([Rational::new(), v / radius, values.get("spin")]);
    let mut scene = scene("wheel-spin", values, vec![floor(), own]);
    scene.surfaces.default.torsion = values.get("torsion");
    scene.surfaces.default.rolling = values.get("rolling");
    scene
}
