//! Closed loops of joints.

use etalon_rigid::Vector;
use etalon_spatial::{Joint, JointFreedom, Quaternion};
use rug::Rational;

use super::boxes::E;
use super::{METHOD, at, bare, cone, no_view, q, scene};
use crate::motion::InMotion;
use crate::motion::scene::{Builder, g, h, mu, steps};
use crate::motion::scene::{SCHEME_AHEAD, activation};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::space::SpaceScene;

pub const FOUR_BAR: Scenario = Scenario::of_motion(
    "four-bar",
    InMotion {
        description: "Four bars in space, a closed loop: a crank and a rocker with hinges at right angles, and a coupler between them; joints drift by the square of the step and come back",
        source: "Stewart and Trinkle 1996, equation 8, on the RSSR linkage; a universal joint in place of one ball holds the coupler's spin",
        parameters: &[
            any(
                "rate",
                "2",
                "1/s",
                "angular velocity of the crank at the start",
            ),
            mu("0"),
            E,
            h("1/200"),
            steps("100"),
            METHOD,
            SCHEME_AHEAD,
            activation("all"),
            cone("pyramid:4"),
            g("9.81"),
        ],
        builder: Builder::Space(four_bar),
        view: no_view,
    },
);

fn joint(name: &str, first: usize, second: usize, point: [i64; 3], kind: JointFreedom) -> Joint {
    Joint {
        name: name.to_owned(),
        first,
        second,
        point: Vector::integers(point),
        kind,
        limits: None,
        drive: None,
    }
}

/// The crank from (0, 0, 0) up to (0, 0, 1), hinged about x; the coupler from there to (2, 1, 1); the rocker down to
/// (2, 1, 0), hinged about y. Velocities at the start satisfy all joints: the crank turns the upper end along -y,
/// which pulls the coupler along itself and across.
fn four_bar(values: &Values) -> SpaceScene {
    let rod = |name: &str| bare(name, Rational::from(1), [q(1, 12), q(1, 12), q(1, 100)]);
    let ground = etalon_spatial::Body {
        fixed: true,
        ..bare("ground", Rational::from(1), [1, 1, 1].map(Rational::from))
    };
    let rate = values.get("rate");
    let mut crank = rod("crank");
    crank.position = at([q(0, 1), q(0, 1), q(1, 2)]);
    crank.angular_velocity = Vector::new([rate.clone(), q(0, 1), q(0, 1)]);
    crank.velocity = Vector::new([q(0, 1), -rate.clone() / 2u32, q(0, 1)]);
    // The crank's end moves by -rate along y. The coupler keeps its length along (2, 1, 0), and the rocker's end moves
    // along x alone: 2 u = -rate for its speed u.
    let u = -rate.clone() / 2u32;
    let mut rocker = rod("rocker");
    rocker.position = at([q(2, 1), q(1, 1), q(1, 2)]);
    rocker.angular_velocity = Vector::new([q(0, 1), u.clone(), q(0, 1)]);
    rocker.velocity = Vector::new([u.clone() / 2u32, q(0, 1), q(0, 1)]);
    // w about z with w x (2, 1, 0) = (u, rate, 0): w = -u and 2 w = rate agree.
    let mut coupler = bare("coupler", Rational::from(1), [q(1, 12), q(1, 2), q(1, 2)]);
    coupler.position = at([q(1, 1), q(1, 2), q(1, 1)]);
    coupler.attitude = Quaternion::identity();
    coupler.velocity = Vector::new([u / 2u32, -rate.clone() / 2u32, q(0, 1)]);
    coupler.angular_velocity = Vector::new([q(0, 1), q(0, 1), rate / 2u32]);
    let axis = |k: usize| Vector::axis(k);
    let universal = JointFreedom::Universal {
        // The rocker's hinge and the upright of the coupler: the row holds the coupler's spin alone.
        axis: axis(1),
        second_axis: axis(2),
    };
    let mut own = scene("four-bar", values, vec![ground, crank, coupler, rocker]);
    own.joints = vec![
        joint(
            "foot of the crank",
            1,
            0,
            [0, 0, 0],
            JointFreedom::Hinge { axis: axis(0) },
        ),
        joint("head of the crank", 2, 1, [0, 0, 1], JointFreedom::Ball),
        joint("head of the rocker", 3, 2, [2, 1, 1], universal),
        joint(
            "foot of the rocker",
            3,
            0,
            [2, 1, 0],
            JointFreedom::Hinge { axis: axis(1) },
        ),
    ];
    own
}
