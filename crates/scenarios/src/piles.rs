//! Piles of many bodies: pyramids of balls, arches, chains of bars.

use etalon_rigid::{Body2, Geometry, Joint, Rotation2, Scene2, Side, Vector, Vector2};

use crate::build::{FRICTIONLESS, Q, ROWS, contact2, frac, int, plane, xy};
use crate::instance::{AtRest, Setup};
use crate::parameter::{GRAVITY, Values, any};
use crate::registry::Scenario;
use crate::view::rectangle;

pub const PYRAMID: Scenario = Scenario::of_rest(
    "pyramid",
    AtRest {
        description: "Balls in rows, each on two balls of the row below, with or without walls that hold the lowest row",
        source: "closed form for three balls between walls: forces 15, 15, 15/4, 15/4, 25/4, 25/4 N",
        parameters: &[
            any("rows", "2", "", "rows of balls").count(1, 17),
            any("mass", "1", "kg", "mass of each ball").positive(),
            any(
                "walls",
                "1",
                "",
                "1 for walls at both ends of the lowest row",
            )
            .count(0, 1),
            any(
                "touching",
                "0",
                "",
                "1 to list neighbours of the lowest row as touching each other",
            )
            .count(0, 1),
            GRAVITY,
        ],
        build: pyramid,
    },
);

/// Balls of radius 1 m; upper balls sit in 3-4-5 triangles, 12/5 m apart.
fn pyramid(values: &Values) -> Setup {
    let rows = values.count("rows");
    let name = |row: usize, k: usize| format!("ball {row}.{k}");
    let place = |row: usize, k: usize| {
        xy(
            frac(6, 5) * int(row as i64 + 2 * k as i64),
            int(1) + frac(8, 5) * int(row as i64),
        )
    };
    let mut scene = plane(values);
    for row in 0..rows {
        for k in 0..rows - row {
            let mass = values.get("mass");
            let inertia = mass.clone() / 2u32;
            scene = scene.body(Body2::new(name(row, k), mass, inertia, place(row, k)));
        }
    }
    let wall = |scene: Scene2<Q>, label: String, k: usize, normal: Vector2<Q>| {
        let point = &place(0, k) - &normal;
        let contact = contact2(label, (&name(0, k), "ground"), point, normal);
        scene.contact(contact.with_geometry(Geometry::Face {
            of: Side::Second,
            radius: int(1),
        }))
    };
    for k in 0..rows {
        scene = wall(scene, format!("ground {k}"), k, xy(0, 1));
    }
    let round = || Geometry::Round {
        first: int(1),
        second: int(1),
    };
    if values.is_set("touching") {
        for k in 1..rows {
            let point = &place(0, k) - &xy(1, 0);
            let pair = (&*name(0, k), &*name(0, k - 1));
            let contact = contact2(format!("neighbours {k}"), pair, point, xy(1, 0));
            scene = scene.contact(contact.with_geometry(round()));
        }
    }
    if values.is_set("walls") {
        scene = wall(scene, "left wall".to_owned(), 0, xy(1, 0));
        scene = wall(scene, "right wall".to_owned(), rows - 1, xy(-1, 0));
    }
    for row in 1..rows {
        for k in 0..rows - row {
            for (side, x) in [("left", 3), ("right", -3)] {
                let below = name(row - 1, if x > 0 { k } else { k + 1 });
                let normal = xy(frac(x, 5), frac(4, 5));
                let point = &place(row, k) - &normal;
                let label = format!("{} {side}", name(row, k));
                let contact = contact2(label, (&name(row, k), &below), point, normal);
                scene = scene.contact(contact.with_geometry(round()));
            }
        }
    }
    Setup::planar(scene, FRICTIONLESS)
}

pub const ARCH: Scenario = Scenario::of_rest(
    "arch",
    AtRest {
        description: "An arch of wedge-shaped stones between fixed abutments, held by friction alone",
        source: "Baraff 1994, section 5: static friction with many redundant contacts",
        parameters: &[
            any("stones", "5", "", "number of stones").count(1, 149),
            any(
                "half_angle",
                "1/8",
                "",
                "tangent of half the angle of half a stone at the crown",
            )
            .share(),
            any("inner", "4", "m", "inner radius").positive(),
            any("thickness", "1", "m", "radial thickness").positive(),
            any("mass", "1", "kg", "mass of a stone").positive(),
            any("mu", "1", "", "coefficient of friction").nonnegative(),
            GRAVITY,
        ],
        build: arch,
    },
);

/// Stone k lies between joints k and k + 1; joint j is at the angle from the vertical, towards
/// the left, whose half has the tangent (stones - 2 j) times the step: about evenly spread, and
/// of small fractions.
fn arch(values: &Values) -> Setup {
    let stones = values.count("stones");
    let direction = |i: usize| {
        let step = values.get("half_angle") * int(stones as i64 - i as i64);
        Rotation2::from_half_angle(&step).apply(&xy(0, 1))
    };
    let directions: Vec<_> = (0..=2 * stones).map(direction).collect();
    let (inner, thickness) = (values.get("inner"), values.get("thickness"));
    let mass = values.get("mass");
    // About the inertia of a square of the same thickness.
    let inertia = mass.clone() * &thickness * &thickness / 6u32;
    let middle = inner.clone() + thickness.clone() / 2u32;
    let mut scene = plane(values);
    let name = |k: usize| format!("stone {k}");
    for k in 0..stones {
        let place = directions[2 * k + 1].times(&middle);
        scene = scene.body(Body2::new(name(k), mass.clone(), inertia.clone(), place));
    }
    for j in 0..=stones {
        let radial = &directions[2 * j];
        // The normal points along the arch from the stone before to the stone after.
        let normal = -&radial.quarter_turn();
        let (first, second, normal) = match j {
            0 => (name(0), "ground".to_owned(), normal),
            _ if j == stones => (name(j - 1), "ground".to_owned(), -&normal),
            _ => (name(j), name(j - 1), normal),
        };
        for (edge, radius) in [
            ("inner", inner.clone()),
            ("outer", inner.clone() + &thickness),
        ] {
            let label = format!("joint {j} {edge}");
            let contact = contact2(
                label,
                (&first, &second),
                radial.times(&radius),
                normal.clone(),
            );
            scene = scene.contact(contact.with_friction(values.get("mu")));
        }
    }
    Setup::planar(scene, ROWS)
}

pub const CHAIN: Scenario = Scenario::of_rest(
    "chain",
    AtRest {
        description: "Bars pinned end to end, lying on a support under every pin: bilateral and unilateral constraints together",
        source: "Baraff 1994, section 4.5 (bilateral constraints)",
        parameters: &[
            any("bars", "4", "", "number of bars").count(1, 299),
            any("mass", "1", "kg", "mass of a bar").positive(),
            any(
                "lift",
                "0",
                "N m",
                "torque on the last bar, counterclockwise",
            ),
            GRAVITY,
        ],
        build: chain,
    },
);

fn chain(values: &Values) -> Setup {
    let bars = values.count("bars");
    let name = |k: usize| format!("bar {k}");
    let mut scene = plane(values);
    for k in 0..bars {
        let mass = values.get("mass");
        let inertia = mass.clone() / 3u32;
        let mut bar = Body2::new(name(k), mass, inertia, xy(2 * k as i64 + 1, 0));
        if k + 1 == bars {
            bar.torque = values.get("lift");
        }
        scene = scene.body(bar);
    }
    for k in 1..bars {
        let pin = Joint::pin(
            format!("pin {k}"),
            name(k),
            name(k - 1),
            xy(2 * k as i64, 0),
        );
        scene = scene.joint(pin);
    }
    for k in 0..=bars {
        let bar = name(k.min(bars - 1));
        let contact = contact2(
            format!("support {k}"),
            (&bar, "ground"),
            xy(2 * k as i64, 0),
            Vector::axis(1),
        );
        scene = scene.contact(contact);
    }
    Setup::planar(scene, FRICTIONLESS)
}

pub const FIVE_BODIES: Scenario = Scenario::of_rest(
    "five-bodies",
    AtRest {
        description: "Five squares of side 2 m, none of them fixed, held together at four corners by what pushes from outside; contact 2 is between bodies 1 and 2",
        source: "myPhysicsLab, Rigid Body Physics: Contact, the figure of 5 bodies, 4 contact points and 8 contact forces, equation (3); the dimensions are chosen here",
        parameters: &[
            any("mass", "1", "kg", "mass of each body").positive(),
            any("weight", "10", "N", "force down on body 3 and on body 1 below it"),
            any("lift", "20", "N", "force up on body 4, below body 2"),
            any("aside", "10", "N", "force to the left on body 5, on the right of body 2"),
        ],
        build: five_bodies,
    },
)
.with_outline(|| rectangle(2.0, 2.0));

/// Body 2 is upright. Body 1 stands on it with a corner, leaning by the angle of a 3-4-5 triangle; body 3 stands with a corner on the edge of
/// body 1; bodies 4 and 5, which lean too, press a corner on body 2 from below and from the right.
fn five_bodies(values: &Values) -> Setup {
    let lean = Rotation2::from_half_angle(&frac(1, 3));
    let upright = Rotation2::identity();
    let push = |name: &str| values.get(name);
    let bodies = [
        (
            "1",
            (frac(7, 10), frac(12, 5)),
            &lean,
            xy(0, -push("weight")),
        ),
        ("2", (int(0), int(0)), &upright, xy(0, 0)),
        (
            "3",
            (frac(-1, 2), frac(9, 2)),
            &upright,
            xy(0, -push("weight")),
        ),
        (
            "4",
            (frac(-7, 10), frac(-12, 5)),
            &lean,
            xy(0, push("lift")),
        ),
        (
            "5",
            (frac(12, 5), frac(-7, 10)),
            &lean,
            xy(-push("aside"), 0),
        ),
    ];
    let mut scene = Scene2::new(Vector::zero());
    for (name, (x, y), orientation, force) in bodies {
        let mass = values.get("mass");
        let inertia = frac(2, 3) * &mass;
        let mut body = Body2::new(name, mass, inertia, xy(x, y));
        body.orientation = orientation.clone();
        body.force = force;
        scene = scene.body(body);
    }
    let contacts = [
        (("3", "1"), (frac(1, 2), frac(7, 2)), lean.apply(&xy(0, 1))),
        (("1", "2"), (frac(1, 2), int(1)), xy(0, 1)),
        (("4", "2"), (frac(-1, 2), int(-1)), xy(0, -1)),
        (("5", "2"), (int(1), frac(-1, 2)), xy(1, 0)),
    ];
    for (k, (pair, (x, y), normal)) in (1..).zip(contacts) {
        scene = scene.contact(contact2(format!("contact {k}"), pair, xy(x, y), normal));
    }
    Setup::planar(scene, FRICTIONLESS)
}
