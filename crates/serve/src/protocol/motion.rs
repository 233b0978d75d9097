//! Motions of bodies in space: what the page asks for, and what it is told of each step.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use etalon_scenarios::{Scenario, scenarios};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Asks for a motion in space: that of a named scene, of a scene of the page, or a trajectory of the server. It ends
/// the one before.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskMotion {
    /// The page's own number for it, which every answer has.
    pub id: u64,
    /// The name of a scene in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// Its parameters as text, exact: `"mu": "1/3"`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// A scene in motion (`etalon-scene/1`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<Value>,
    /// The name of a trajectory of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<String>,
}

/// What moves, before the first step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MotionShown {
    /// That of the question.
    pub id: u64,
    /// The name of the scene or of the trajectory.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// The length of a step, s.
    pub h: f64,
    /// How many steps follow, unless the motion ends before.
    pub steps: u64,
    /// What a step makes of gaps and impacts.
    pub method: String,
    /// The friction cone.
    pub cone: String,
    /// Who answers the problems.
    pub solver: String,
    /// Whether the steps are those of a trajectory, each taken again from the line before it.
    pub recorded: bool,
    /// Why steps are not held against the laws; none where they are.
    pub unjudged: Option<String>,
    /// The bodies.
    pub bodies: Vec<BodyShown>,
    /// The start, with the number 0.
    pub start: MotionFrame,
}

/// A body as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyShown {
    /// The name.
    pub name: String,
    /// Whether it moves: then each frame has its pose.
    pub moves: bool,
    /// Position (m) and quaternion (w, x, y, z) at the start.
    pub pose: [f64; 7],
    /// About the centre of mass, in body coordinates.
    pub shape: ShapeShown,
}

/// A shape as it is drawn, m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShapeShown {
    /// A ball.
    Sphere {
        /// m.
        radius: f64,
    },
    /// A box along the axes.
    Box {
        /// m.
        half_sizes: [f64; 3],
    },
    /// All points within the radius of a segment along z.
    Capsule {
        /// m.
        radius: f64,
        /// Of the segment, m.
        half_length: f64,
    },
    /// A cylinder about z.
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        half_length: f64,
    },
    /// The convex hull of points.
    Polyhedron {
        /// m.
        vertices: Vec<[f64; 3]>,
    },
    /// An ellipsoid along the axes.
    Ellipsoid {
        /// m.
        half_axes: [f64; 3],
    },
    /// The points with (|x/a|^m + |y/b|^m)^(n/m) + |z/c|^n <= 1.
    Superquadric {
        /// a, b and c, m.
        half_axes: [f64; 3],
        /// m and n, even numbers; m divides n.
        exponents: [u32; 2],
    },
    /// All points below the plane through the position with this unit normal.
    HalfSpace {
        /// Of length 1.
        normal: [f64; 3],
    },
    /// Several of the shapes above, none of them a half-space.
    Pieces {
        /// In order.
        pieces: Vec<PieceShown>,
    },
    /// A body that touches nothing: the box of even density with its mass and moments of inertia. A fixed one has no
    /// size.
    Inertia {
        /// m.
        half_sizes: [f64; 3],
        /// From the box's axes to those of the body: a quaternion (w, x, y, z).
        turn: [f64; 4],
    },
}

/// A piece of a body as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PieceShown {
    /// The name.
    pub name: String,
    /// Position (m) and quaternion (w, x, y, z) in the body.
    pub pose: [f64; 7],
    /// About its own origin.
    pub shape: ShapeShown,
}

/// A step: the state at its end, and what led there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MotionFrame {
    /// Its number, from 1; 0 is the start.
    pub k: u64,
    /// The time at its end, s.
    pub time: f64,
    /// Position (m) and quaternion (w, x, y, z) of each body that moves, in the order of the bodies.
    pub poses: Vec<[f64; 7]>,
    /// Contacts that took part.
    pub contacts: Vec<ContactDrawn>,
    /// The joints with what they have opened by, m or 1.
    pub joints: Vec<JointDrift>,
    /// J.
    pub kinetic: f64,
    /// J.
    pub potential: f64,
    /// The energy before the step less that after it, J.
    pub dissipated: f64,
    /// What the judge says of the answer to the step's problem; none where nothing touched. By the method of implicit
    /// surfaces `proved` or `unproved`: whether a solution is proved to be near.
    pub verdict: Option<String>,
    /// The laws that the step breaks, and what of its line does not come out again. At most [`FAULTS`] of them.
    pub broken: Vec<String>,
}

/// The most faults of a step that are told.
pub const FAULTS: usize = 8;

/// A contact with its impulses on the body that is named first; the other has the opposite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactDrawn {
    /// `first/second`.
    pub pair: String,
    /// Where it acts, m.
    pub at: [f64; 3],
    /// Before the step, m.
    pub gap: f64,
    /// In the world, N s.
    pub normal: [f64; 3],
    /// In the world, N s; none where the axes of its two numbers are not known.
    pub friction: Option<[f64; 3]>,
    /// The angular impulse about the normal, N m s; none where the method has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torsion: Option<f64>,
}

/// What a joint has opened by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointDrift {
    /// The name.
    pub joint: String,
    /// m or 1.
    pub drift: f64,
}

/// A scene in space by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceKind {
    /// The name.
    pub name: String,
    /// What it shows.
    pub description: String,
    /// Which of method, cone and impact it has as parameters.
    pub settings: Vec<String>,
}

impl SpaceKind {
    /// All of them, looked for once: whether a scenario is one is seen by building it.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<SpaceKind>> =
            LazyLock::new(|| scenarios().iter().filter_map(SpaceKind::of).collect());
        &ALL
    }

    /// What is said of a scenario in space; none of another.
    fn of(scenario: &Scenario) -> Option<Self> {
        let instance = scenario.motion_instance([]).ok()?;
        instance.moving()?;
        let settings = instance.part.parameters.iter();
        let settings = settings.filter(|own| ["method", "cone", "impact"].contains(&own.name));
        Some(Self {
            name: scenario.name.to_owned(),
            description: instance.part.description.to_owned(),
            settings: settings.map(|own| own.name.to_owned()).collect(),
        })
    }
}
