//! Mechanisms in joint space that are no serial arms: trees, joints at limits, floating bases, closed loops.

use etalon_contact_forces::FrictionModel;
use etalon_rigid::{
    Body2, Body3, Contact, GROUND, JointKind, LinkFreedom, LinkJoint, Loop, Mechanism2, Mechanism3,
    Rotation2, Rotation3, TreeLink, Vector, Vector2, Vector3,
};

use crate::build::{FRICTIONLESS, Q, ROWS, frac, int, xy, xyz};
use crate::instance::{AtRest, Mechanics, Question, Setup};
use crate::parameter::{GRAVITY, Values, any};
use crate::registry::Scenario;

type PlaneJoint = LinkJoint<Q, Rotation2<Q>, 2>;
type SpaceJoint = LinkJoint<Q, Rotation3<Q>, 3>;

fn angle(cos: (i64, i64), sin: (i64, i64)) -> Rotation2<Q> {
    Rotation2::from_cos_sin(frac(cos.0, cos.1), frac(sin.0, sin.1))
}

/// A hinge of the plane at a point of the parent, with the angle, rate and torque.
fn hinge(point: Vector2<Q>, position: Rotation2<Q>, rate: Q, torque: Q) -> PlaneJoint {
    let freedom = LinkFreedom::Revolute {
        axis: vec![int(1)],
        position,
        limits: None,
    };
    LinkJoint::new(point, freedom)
        .moving(vec![rate])
        .driven(vec![torque])
}

/// A straight bar of the plane from its joint along its own x axis: the moment of inertia is m l^2/12.
fn bar(
    name: &str,
    parent: &str,
    length: Q,
    mass: Q,
    joint: PlaneJoint,
) -> TreeLink<Q, Body2<Q>, 2> {
    let inertia = mass.clone() * &length * &length / 12u32;
    TreeLink {
        body: Body2::new(name, mass, inertia, xy(length / 2u32, 0)),
        parent: parent.to_owned(),
        joint,
    }
}

fn in_plane(mechanism: Mechanism2<Q>, question: Question) -> Setup {
    Setup {
        mechanics: Mechanics::PlanarMechanism(mechanism),
        question,
    }
}

pub const KNEE_STOP: Scenario = Scenario::of_rest(
    "knee-stop",
    AtRest {
        description: "A leg that hangs straight, with its knee at the limit: the stop is a row of the complementarity problem, and its force a torque",
        source: "Darwin2K: joint limits as unilateral constraints; Featherstone 2008, chapter 11",
        parameters: &[
            any(
                "motor",
                "5",
                "N m",
                "torque of the knee; above 0 it presses on the stop",
            ),
            any("rate", "0", "rad/s", "rate of the hip's angle"),
            any(
                "knee",
                "0",
                "rad/s",
                "rate of the knee's angle; below 0 it leaves the stop",
            ),
            GRAVITY,
        ],
        build: knee_stop,
    },
);

/// Two bars of 1 m and 1 kg, downwards.
fn knee_stop(values: &Values) -> Setup {
    let down = angle((0, 1), (-1, 1));
    let mut knee = hinge(
        xy(1, 0),
        Rotation2::identity(),
        values.get("knee"),
        values.get("motor"),
    );
    if let LinkFreedom::Revolute { limits, .. } = &mut knee.freedom {
        *limits = Some([angle((-4, 5), (-3, 5)), Rotation2::identity()]);
    }
    let hip = hinge(xy(0, 0), down, values.get("rate"), int(0));
    let mechanism = Mechanism2 {
        links: vec![
            bar("thigh", GROUND, int(1), int(1), hip),
            bar("shin", "thigh", int(1), int(1), knee),
        ],
        contacts: Vec::new(),
        loops: Vec::new(),
        gravity: xy(0, -values.get("g")),
    };
    in_plane(mechanism, FRICTIONLESS)
}

pub const BIPED: Scenario = Scenario::of_rest(
    "biped",
    AtRest {
        description: "A floating base with two legs, both feet on the ground with friction: torques of hips and knees hold it, and there are just as many forces as they need",
        source: "A floating base in joint space, as Featherstone 2008, chapter 9, has it",
        parameters: &[
            any(
                "knee",
                "39",
                "N m",
                "torque of each knee; 39 holds the weight with g = 10",
            ),
            any(
                "hip",
                "6",
                "N m",
                "torque of each hip; 6 holds the legs with g = 10",
            ),
            any("push", "0", "N", "horizontal force on the torso"),
            any("mu", "1/2", "", "coefficient of friction").nonnegative(),
            GRAVITY,
        ],
        build: biped,
    },
);

/// Torso of 10 kg with its centre 1/2 m above the hips; thighs and shins of 1 m and 1 kg. Each foot is below its hip.
fn biped(values: &Values) -> Setup {
    let place = LinkFreedom::Floating {
        position: xy(0, frac(8, 5)),
        orientation: Rotation2::identity(),
    };
    let mut torso = Body2::new("torso", int(10), int(1), xy(0, frac(1, 2)));
    torso.force = xy(values.get("push"), 0);
    let mut links = vec![TreeLink {
        body: torso,
        parent: GROUND.to_owned(),
        joint: LinkJoint::new(Vector::zero(), place),
    }];
    let mut contacts = Vec::new();
    for (side, sign) in [("left", -1), ("right", 1)] {
        let (thigh, shin) = (format!("{side} thigh"), format!("{side} shin"));
        let out = angle((3 * sign, 5), (-4, 5));
        let bent = angle((7, 25), (-24 * sign, 25));
        let torque = |name: &str| values.get(name) * Q::from(sign);
        let hip = hinge(xy(frac(sign, 2), 0), out, int(0), torque("hip"));
        let knee = hinge(xy(1, 0), bent, int(0), torque("knee"));
        links.push(bar(&thigh, "torso", int(1), int(1), hip));
        links.push(bar(&shin, &thigh, int(1), int(1), knee));
        let foot = Contact::new(format!("{side} foot"), &shin, GROUND, xy(1, 0), xy(0, 1));
        contacts.push(foot.with_friction(values.get("mu")));
    }
    let mechanism = Mechanism2 {
        links,
        contacts,
        loops: Vec::new(),
        gravity: xy(0, -values.get("g")),
    };
    in_plane(mechanism, ROWS)
}

pub const SLIDER_CRANK: Scenario = Scenario::of_rest(
    "slider-crank",
    AtRest {
        description: "A crank and a rod drive a piston against a workpiece: a prismatic joint, and a loop that is closed by a bilateral constraint",
        source: "The slider-crank of textbooks as a tree with a loop joint, as Featherstone 2008, chapter 8, has it",
        parameters: &[
            any(
                "motor",
                "-20",
                "N m",
                "torque of the crank; below 0 it presses the piston on the workpiece",
            ),
            any(
                "rate",
                "0",
                "rad/s",
                "rate of the crank; above 0 the piston leaves the workpiece",
            ),
            any("mass", "2", "kg", "mass of the piston").positive(),
            GRAVITY,
        ],
        build: slider_crank,
    },
);

/// The crank of 1 m along (3/5, 4/5), the rod of 4/3 m along (4/5, -3/5), so that the piston is at x = 5/3.
fn slider_crank(values: &Values) -> Setup {
    let rate = values.get("rate");
    // The end of the rod stays on the x axis for a rod that turns at -9/16 of the rate; it moves at -5/4 of it.
    let (rod_rate, piston_rate) = (rate.clone() * frac(-25, 16), rate.clone() * frac(-5, 4));
    let crank = hinge(xy(0, 0), angle((3, 5), (4, 5)), rate, values.get("motor"));
    // From (3/5, 4/5) to (4/5, -3/5) is a quarter turn, clockwise.
    let rod = hinge(xy(1, 0), angle((0, 1), (-1, 1)), rod_rate, int(0));
    let slide = LinkFreedom::Prismatic {
        axis: xy(1, 0),
        position: frac(5, 3),
        limits: None,
    };
    let piston = TreeLink {
        body: Body2::new("piston", values.get("mass"), frac(1, 3), xy(0, 0)),
        parent: GROUND.to_owned(),
        joint: LinkJoint::new(Vector::zero(), slide).moving(vec![piston_rate]),
    };
    let workpiece = Contact::new("workpiece", "piston", GROUND, xy(frac(1, 2), 0), xy(-1, 0));
    let mechanism = Mechanism2 {
        links: vec![
            bar("crank", GROUND, int(1), int(1), crank),
            bar("rod", "crank", frac(4, 3), int(1), rod),
            piston,
        ],
        contacts: vec![workpiece],
        loops: vec![Loop {
            name: "wrist pin".to_owned(),
            first: "rod".to_owned(),
            second: "piston".to_owned(),
            points: [xy(frac(4, 3), 0), xy(0, 0)],
            kind: JointKind::Pin,
        }],
        gravity: xy(0, -values.get("g")),
    };
    in_plane(mechanism, FRICTIONLESS)
}

pub const MANIPULATOR: Scenario = Scenario::of_rest(
    "manipulator",
    AtRest {
        description: "A tree in space: a column that turns, a boom that slides out of it, and two fingers on the boom that press their tips on the floor",
        source: "Darwin2K: trees of revolute and prismatic joints, T = M acc + V - J'f",
        parameters: &[
            any(
                "motor",
                "100",
                "N m",
                "torque of each finger, that presses it on the floor",
            ),
            any("thrust", "0", "N", "force of the boom, outwards"),
            any(
                "slide",
                "0",
                "m/s",
                "rate of the boom; the tips slide along the floor",
            ),
            any("slew", "0", "N m", "torque of the column"),
            any("mu", "1/2", "", "coefficient of friction").nonnegative(),
            any(
                "directions",
                "8",
                "",
                "directions of the polyhedral friction cone",
            )
            .count(4, 24),
            GRAVITY,
        ],
        build: manipulator,
    },
);

type SpaceLink = TreeLink<Q, Body3<Q>, 3>;

/// A hinge of space about that axis.
fn turning(point: Vector3<Q>, axis: [i64; 3], position: Rotation2<Q>, torque: Q) -> SpaceJoint {
    let freedom = LinkFreedom::Revolute {
        axis: axis.map(Q::from).to_vec(),
        position,
        limits: None,
    };
    LinkJoint::new(point, freedom).driven(vec![torque])
}

fn solid(
    (name, parent): (&str, &str),
    mass: i64,
    moments: [Q; 3],
    centre: Vector3<Q>,
    joint: SpaceJoint,
) -> SpaceLink {
    TreeLink {
        body: Body3::new(name, int(mass), moments, centre),
        parent: parent.to_owned(),
        joint,
    }
}

/// The boom is 3 m above the floor, its end 2 m from the column; the fingers, 5 m long, reach 4 m to both sides.
fn manipulator(values: &Values) -> Setup {
    let slew = values.get("slew");
    let column = turning(Vector::zero(), [0, 0, 1], Rotation2::identity(), slew);
    let boom = LinkFreedom::Prismatic {
        axis: xyz(1, 0, 0),
        position: int(2),
        limits: Some([int(1), int(4)]),
    };
    let boom = LinkJoint::new(xyz(0, 0, 3), boom)
        .moving(vec![values.get("slide")])
        .driven(vec![values.get("thrust")]);
    let (of_column, of_boom) = ([int(2), int(2), int(1)], [frac(1, 2), int(2), int(2)]);
    let mut links = vec![
        solid(("column", GROUND), 20, of_column, xyz(0, 0, 1), column),
        solid(("boom", "column"), 5, of_boom, xyz(-1, 0, 0), boom),
    ];
    let mut contacts = Vec::new();
    for (name, sign) in [("outer finger", 1), ("inner finger", -1)] {
        let position = angle((4 * sign, 5), (3, 5));
        let torque = values.get("motor") * Q::from(sign);
        let finger = turning(xyz(0, frac(sign, 2), 0), [0, 1, 0], position, torque);
        let moments = [frac(1, 10), frac(25, 6), frac(25, 6)];
        links.push(solid(
            (name, "boom"),
            2,
            moments,
            xyz(frac(5, 2), 0, 0),
            finger,
        ));
        let at = xyz(5, 0, 0);
        let tip = Contact::new(format!("tip of {name}"), name, GROUND, at, Vector::axis(2));
        contacts.push(tip.with_friction(values.get("mu")));
    }
    let mechanism = Mechanism3 {
        links,
        contacts,
        loops: Vec::new(),
        gravity: xyz(0, 0, -values.get("g")),
    };
    let directions = values.count("directions");
    Setup {
        mechanics: Mechanics::SpatialMechanism(mechanism),
        question: Question::Forces(FrictionModel::Polyhedral(directions)),
    }
}
