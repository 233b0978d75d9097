//! Mechanisms in joint space, and rows of balls that collide.

use etalon_rigid::{Body2, EndContact, Geometry, Joint, Link, Linkage, Rotation2, Vector};

use crate::build::{FRICTIONLESS, ROWS, contact2, frac, int, plane, xy};
use crate::instance::{AtRest, Mechanics, Question, Setup};
use crate::parameter::{GRAVITY, Values, any};
use crate::registry::Scenario;

pub const ARM: Scenario = Scenario::of_rest(
    "arm",
    AtRest {
        description: "An arm of two links that presses its tip against the ground: contact forces through joint-space dynamics with a dense mass matrix",
        source: "Darwin2K: T = M acc + V - J'f",
        parameters: &[
            any(
                "motor",
                "20",
                "N m",
                "torque on the upper link, counterclockwise",
            ),
            any(
                "rate",
                "0",
                "rad/s",
                "rate of the upper link's angle; the tip moves along the ground",
            ),
            any("mu", "1/2", "", "coefficient of friction").nonnegative(),
            GRAVITY,
        ],
        build: arm,
    },
);

/// Upper link down along (3/5, -4/5), lower link level with the ground's normal at its tip.
fn arm(values: &Values) -> Setup {
    let link = |cos, sin, rate, torque| Link {
        mass: int(1),
        inertia: frac(1, 3),
        length: int(2),
        centre: int(1),
        angle: Rotation2::from_cos_sin(cos, sin),
        rate,
        torque,
    };
    let rate = values.get("rate");
    // The tip's height is constant when cos_1 rate_1 + cos_2 rate_2 = 0.
    let second = -(rate.clone() * frac(3, 4));
    let linkage = Linkage {
        links: vec![
            link(frac(3, 5), frac(-4, 5), rate, values.get("motor")),
            link(frac(4, 5), frac(-3, 5), second, int(0)),
        ],
        contacts: vec![EndContact {
            name: "tip".to_owned(),
            link: 1,
            normal: Vector::axis(1),
            mu: values.get("mu"),
        }],
        gravity: xy(0, -values.get("g")),
    };
    Setup {
        mechanics: Mechanics::Linkage(linkage),
        question: ROWS,
    }
}

pub const CRADLE: Scenario = Scenario::of_rest(
    "cradle",
    AtRest {
        description: "Balls in a row, some of which arrive at speed: the impulses of one simultaneous impact",
        source: "Newton's cradle as one complementarity problem: v+ + e v = A p + (1 + e) v",
        parameters: &[
            any("balls", "5", "", "number of balls").count(2, 300),
            any("arriving", "1", "", "balls that arrive from the left").count(1, 300),
            any("returning", "0", "", "balls that arrive from the right").count(0, 300),
            any("speed", "1", "m/s", "their speed; below 0 they depart"),
            any("restitution", "1", "", "coefficient of restitution").up_to_one(),
            any("mass", "1", "kg", "mass of each ball").positive(),
        ],
        build: cradle,
    },
);

fn cradle(values: &Values) -> Setup {
    let balls = values.count("balls");
    let name = |k: usize| format!("ball {k}");
    let mut scene = plane(values);
    for k in 0..balls {
        let speed = if k < values.count("arriving") {
            values.get("speed")
        } else if k + values.count("returning") >= balls {
            -values.get("speed")
        } else {
            int(0)
        };
        let mass = values.get("mass");
        let inertia = mass.clone() * frac(2, 5);
        let ball = Body2::new(name(k), mass, inertia, xy(2 * k as i64, 0));
        scene = scene.body(ball.moving(xy(speed, 0), int(0)));
    }
    for k in 1..balls {
        let point = xy(2 * k as i64 - 1, 0);
        let pair = (&*name(k), &*name(k - 1));
        let round = Geometry::Round {
            first: int(1),
            second: int(1),
        };
        let contact = contact2(format!("contact {k}"), pair, point, xy(1, 0));
        scene = scene.contact(contact.with_geometry(round));
    }
    Setup::planar(scene, Question::Impact(values.get("restitution")))
}

pub const BRAKED_ARM: Scenario = Scenario::of_rest(
    "braked-arm",
    AtRest {
        description: "An arm of two links held level: by a brake in its shoulder, a drive at its speed, and by the limit of its elbow",
        source: "closed form: the shoulder takes 4 m g r, the elbow m g r, with r = 1 m",
        parameters: &[
            any(
                "brake",
                "50",
                "N m",
                "the largest torque of the shoulder's drive",
            )
            .nonnegative(),
            any(
                "speed",
                "0",
                "rad/s",
                "what it strives for, counterclockwise",
            ),
            any(
                "lift",
                "0",
                "N m",
                "torque on the forearm, counterclockwise",
            ),
            any("mass", "1", "kg", "mass of each link").positive(),
            GRAVITY,
        ],
        build: braked_arm,
    },
);

/// Links of 2 m along x. The forearm cannot turn down against the upper arm.
fn braked_arm(values: &Values) -> Setup {
    let link = |name: &str, x: i64| {
        let mass = values.get("mass");
        let inertia = mass.clone() * frac(1, 3);
        Body2::new(name, mass, inertia, xy(x, 0))
    };
    let mut forearm = link("forearm", 3);
    forearm.torque = values.get("lift");
    let shoulder = Joint::pin("shoulder", "upper arm", "ground", xy(0, 0))
        .with_drive(values.get("speed"), values.get("brake"));
    let elbow = Joint::pin("elbow", "forearm", "upper arm", xy(2, 0)).with_limits([int(0), int(2)]);
    let scene = plane(values).body(link("upper arm", 1)).body(forearm);
    Setup::planar(scene.joint(shoulder).joint(elbow), FRICTIONLESS)
}
