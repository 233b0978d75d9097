//! Scenes with friction: the ladder, Painleve's rod, Darwin2K's ray and block.

use etalon_contact_forces::FrictionModel;
use etalon_rigid::{Body2, Body3, Contact, Rotation2, Vector};

use crate::build::{Q, ROWS, contact2, frac, int, plane, space, xy, xyz};
use crate::instance::{AtRest, Question, Setup};
use crate::motion::rods::{self as motion, HALF_ANGLE, SPEED, turning};
use crate::parameter::{GRAVITY, Parameter, Values, any};
use crate::registry::Scenario;

pub const LADDER: Scenario = Scenario::of_rest(
    "ladder",
    AtRest {
        description: "Ladders leaning against a wall, side by side: static friction at both ends, and several right answers",
        source: "Baraff 1994, section 5; statically indeterminate where both ends have friction",
        parameters: &[
            any(
                "ladders",
                "1",
                "",
                "number of ladders, each with two contacts",
            )
            .count(1, 150),
            any(
                "half_angle",
                "1/2",
                "",
                "tangent of half the angle against the ground",
            )
            .positive(),
            any("mass", "1", "kg", "mass of a ladder").positive(),
            any(
                "mu_ground",
                "3/4",
                "",
                "coefficient of friction at the ground",
            )
            .nonnegative(),
            any("mu_wall", "1/2", "", "coefficient of friction at the wall").nonnegative(),
            any("load", "0", "N", "weight of somebody at the upper end").nonnegative(),
            GRAVITY,
        ],
        build: ladder,
    },
);

fn ladder(values: &Values) -> Setup {
    let lean = Rotation2::from_half_angle(&values.get("half_angle"));
    let along = xy(lean.cos().clone(), lean.sin().clone());
    let mut scene = plane(values);
    for k in 0..values.count("ladders") {
        let name = format!("ladder {k}");
        let mass = values.get("mass");
        let inertia = mass.clone() / 3u32;
        let mut body = Body2::new(&name, mass, inertia, along.clone());
        body.force = xy(0, -values.get("load"));
        // The load acts at the upper end, an arm `along` from the centre of mass.
        body.torque = along.cross(&body.force);
        let (foot, top) = (xy(0, 0), along.times(&int(2)));
        let foot = contact2(format!("foot {k}"), (&name, "ground"), foot, xy(0, 1));
        let top = contact2(format!("top {k}"), (&name, "ground"), top, xy(-1, 0));
        scene = scene
            .body(body)
            .contact(foot.with_friction(values.get("mu_ground")))
            .contact(top.with_friction(values.get("mu_wall")));
    }
    Setup::planar(scene, ROWS)
}

const MU: Parameter = any("mu", "2", "", "coefficient of friction").nonnegative();
const PAINLEVE: &str =
    "Painleve 1895; Baraff 1994, section 6; half length 1 m, mass 1 kg, inertia 1/3 kg m^2";

/// The rod of half length 1 whose lower end slides on the ground, at (sin, -cos) of its angle
/// against the vertical from the centre of mass.
fn rod(values: &Values) -> Setup {
    let lean = Rotation2::from_half_angle(&values.get("half_angle"));
    let arm = xy(lean.sin().clone(), -lean.cos().clone());
    let omega = values.get("angular_velocity");
    // The velocity of the centre of mass with which the lower end slides at `speed`.
    let turning = arm.quarter_turn().times(&omega);
    let velocity = &xy(values.get("speed"), 0) - &turning;
    let body = Body2::new("rod", int(1), frac(1, 3), -&arm).moving(velocity, omega);
    let tip = contact2("tip", ("rod", "ground"), Vector::zero(), xy(0, 1));
    let scene = plane(values)
        .body(body)
        .contact(tip.with_friction(values.get("mu")));
    Setup::planar(scene, ROWS)
}

pub const PAINLEVE_INCONSISTENT: Scenario = Scenario::of_rest("painleve-inconsistent", AtRest {
    description: "A rod whose end slides on a rough floor, leaning forwards: no contact force at all satisfies the laws of friction",
    source: PAINLEVE,
    parameters: &[
        MU,
        HALF_ANGLE,
        SPEED,
        turning("0"),
        GRAVITY,
    ],
    build: rod,
})
.and_motion(motion::PAINLEVE_INCONSISTENT);

pub const PAINLEVE_INDETERMINATE: Scenario = Scenario::of_rest("painleve-indeterminate", AtRest {
    description: "The same rod turning fast enough to lift its end: it may lift, or press the floor with a force that is just right; both satisfy the laws",
    source: PAINLEVE,
    parameters: &[
        MU,
        HALF_ANGLE,
        SPEED,
        turning("4"),
        GRAVITY,
    ],
    build: rod,
})
.and_motion(motion::PAINLEVE_INDETERMINATE);

pub const DARWIN_RAY: Scenario = Scenario::of_rest(
    "darwin-ray",
    AtRest {
        description: "A body in space that slides diagonally: no contact force exists, and no multiple of Lemke's ray stops the sliding either",
        source: "Darwin2K, constraintSolver: a single sliding contact with tangential velocity (-1,-1)",
        parameters: &[
            any(
                "friction",
                "1/2",
                "",
                "friction force along each tangent over the normal force, mu / sqrt 2",
            )
            .nonnegative(),
            any(
                "speed",
                "1",
                "m/s",
                "sliding speed along each tangent, backwards",
            )
            .positive(),
            GRAVITY,
        ],
        build: darwin_ray,
    },
);

fn darwin_ray(values: &Values) -> Setup {
    let moments = [int(2), int(2), int(1)];
    let speed = -values.get("speed");
    let body = Body3::new("body", int(1), moments, xyz(2, 1, 6))
        .moving(xyz(speed.clone(), speed, 0), Vector::zero());
    let slip = -values.get("friction");
    let contact = Contact::new("tip", "body", "ground", Vector::zero(), Vector::axis(2))
        // The friction cone needs a rational mu: just below sqrt 2 times the parameter.
        .with_friction(values.get("friction") * frac(24, 17))
        .with_slip(xyz(slip.clone(), slip, 0));
    let scene = space(xyz(0, 0, -values.get("g")))
        .body(body)
        .contact(contact);
    Setup::spatial(scene, Question::Forces(FrictionModel::Polyhedral(8)))
}

pub const DARWIN_BLOCK: Scenario = Scenario::of_rest(
    "darwin-block",
    AtRest {
        description: "A plate on two points of a slope, in space: Baraff's conditions hold at rest and also while it slides down with friction forces that oppose each other",
        source: "Darwin2K, constraintSolver: a block on a plane near the edge of stability",
        parameters: &[
            any("mu", "4/5", "", "coefficient of friction").nonnegative(),
            any(
                "slope",
                "3/4",
                "",
                "slope as 2t/(1-t^2) with rational t only: 3/4, 4/3, 5/12, ...",
            )
            .nonnegative(),
            any("weight", "10", "N", "weight of the plate").positive(),
            any(
                "directions",
                "8",
                "",
                "directions of the polyhedral friction cone",
            )
            .count(4, 24),
        ],
        build: darwin_block,
    },
);

/// In the frame of the slope: x uphill is negative, z along its normal.
fn darwin_block(values: &Values) -> Setup {
    let (sin, cos) = sine_and_cosine(&values.get("slope"));
    let weight = values.get("weight");
    let gravity = xyz(weight.clone() * sin, 0, -(weight * cos));
    let one = || int(1);
    let body = Body3::new("plate", one(), [one(), one(), one()], Vector::zero());
    let mut scene = space(gravity).body(body);
    for (name, y) in [("left", 1), ("right", -1)] {
        let contact = Contact::new(name, "plate", "ground", xyz(0, y, 0), Vector::axis(2));
        scene = scene.contact(contact.with_friction(values.get("mu")));
    }
    let directions = values.count("directions");
    Setup::spatial(
        scene,
        Question::Forces(FrictionModel::Polyhedral(directions)),
    )
}

/// Sine and cosine of the angle of that slope; where they are irrational, those of a slope whose
/// half-angle tangent is half the slope, which is close below it.
fn sine_and_cosine(slope: &Q) -> (Q, Q) {
    let square = slope.clone() * slope + 1u32;
    match etalon_rigid::Scalar::sqrt(&square) {
        Some(root) => (slope.clone() / &root, root.recip()),
        None => {
            let rotation = Rotation2::from_half_angle(&(slope.clone() / 2u32));
            (rotation.sin().clone(), rotation.cos().clone())
        }
    }
}
