//! Scenes: worlds as data, to be made, saved and loaded.

use serde::{Deserialize, Serialize};

use crate::geometry::{Curve, Path};
use crate::settings::Settings;

/// A whole world as data: bodies, connectors, forces, settings and time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldSpec {
    /// The bodies. Their order decides the order in which contacts are found.
    pub bodies: Vec<BodySpec>,
    /// Joints, ropes and rods.
    #[serde(default)]
    pub connectors: Vec<Connector>,
    /// The forces that are always on.
    #[serde(default)]
    pub forces: Vec<ForceLaw>,
    /// How the world is stepped.
    #[serde(default)]
    pub settings: Settings,
    /// The time, s.
    #[serde(default)]
    pub time: f64,
}

impl WorldSpec {
    /// The format of a scene in a file, named in its field `format`.
    pub const FORMAT: &str = "etalon-world/1";
}

/// One body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its outline; a fixed body without one is a frame to attach connectors to.
    #[serde(default)]
    pub path: Path,
    /// kg; none for a body that is fixed.
    #[serde(default)]
    pub mass: Option<f64>,
    /// The moment of inertia about the centre of mass, kg m^2; none for a body that is fixed.
    #[serde(default)]
    pub inertia: Option<f64>,
    /// From 0 (no bounce) to 1; the lesser one of two bodies counts.
    #[serde(default = "one")]
    pub elasticity: f64,
    /// The coefficient of friction, 0 (smooth) or more; the lesser one of two bodies counts.
    #[serde(default)]
    pub friction: f64,
    /// The centre of mass in body coordinates.
    #[serde(default)]
    pub center_of_mass: [f64; 2],
    /// The centre of mass in the world, m.
    pub position: [f64; 2],
    /// m/s.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// rad.
    #[serde(default)]
    pub angle: f64,
    /// rad/s.
    #[serde(default)]
    pub angular_velocity: f64,
    /// Bodies that this one passes through.
    #[serde(default)]
    pub passes: Vec<String>,
    /// Single edges of other bodies that this one passes through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes_edges: Vec<PassedEdges>,
    /// Bodies that this one is inside of by a motion that came in through an edge that one of the two passes. It may be over any
    /// of their edges until it is out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<String>,
}

/// Edges of a body that another one passes through. A corner between two of them is passed, too; a corner at the end of an
/// edge that is not among them still collides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassedEdges {
    /// The body whose edges they are.
    pub body: String,
    /// Their positions in its path, from 0.
    pub edges: Vec<usize>,
}

fn one() -> f64 {
    1.0
}

impl BodySpec {
    /// A moving body.
    pub fn moving(name: impl Into<String>, path: Path, mass: f64, inertia: f64) -> Self {
        Self {
            mass: Some(mass),
            inertia: Some(inertia),
            ..Self::fixed(name, path)
        }
    }

    /// A body that stays where it is: a wall, or the floor.
    pub fn fixed(name: impl Into<String>, path: Path) -> Self {
        Self {
            name: name.into(),
            path,
            mass: None,
            inertia: None,
            elasticity: 1.0,
            friction: 0.0,
            center_of_mass: [0.0; 2],
            position: [0.0; 2],
            velocity: [0.0; 2],
            angle: 0.0,
            angular_velocity: 0.0,
            passes: Vec::new(),
            passes_edges: Vec::new(),
            inside: Vec::new(),
        }
    }

    /// The same body at a place.
    pub fn at(mut self, x: f64, y: f64, angle: f64) -> Self {
        self.position = [x, y];
        self.angle = angle;
        self
    }

    /// The same body with a velocity.
    pub fn with_velocity(mut self, vx: f64, vy: f64, spin: f64) -> Self {
        self.velocity = [vx, vy];
        self.angular_velocity = spin;
        self
    }

    /// The same body with an elasticity.
    pub fn with_elasticity(mut self, elasticity: f64) -> Self {
        self.elasticity = elasticity;
        self
    }

    /// The same body with a coefficient of friction.
    pub fn with_friction(mut self, friction: f64) -> Self {
        self.friction = friction;
        self
    }
}

/// Coordinates of a point or direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// They turn with the body; at a joint with the second one.
    Body,
    /// They are those of the world.
    #[default]
    World,
}

/// What holds two bodies together. They do not collide with each other where it is a joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Connector {
    /// Keeps the points together in the direction of the normal: a slot; two of them a pin.
    Joint {
        /// The first body.
        body: String,
        /// Its point, in body coordinates.
        at: [f64; 2],
        /// The second body, whose frame turns the normal if it is to turn.
        other: String,
        /// Its point, in body coordinates.
        other_at: [f64; 2],
        /// A unit vector.
        normal: [f64; 2],
        /// Whether the normal turns with the second body.
        frame: Frame,
    },
    /// Keeps the points at most, or exactly, a length apart.
    Rope {
        /// The first body.
        body: String,
        /// Its point, in body coordinates.
        at: [f64; 2],
        /// The second body, a moving one.
        other: String,
        /// Its point, in body coordinates.
        other_at: [f64; 2],
        /// m.
        length: f64,
        /// Whether it can push, too: a rod.
        rod: bool,
    },
    /// Keeps the point on a curve. Where the curve is open, its ends stop the point.
    Path {
        /// The first body.
        body: String,
        /// Its point, in body coordinates.
        at: [f64; 2],
        /// The second body, which the curve moves with; a fixed one for a wire.
        other: String,
        /// The curve, in the second body's coordinates.
        curve: Curve,
    },
}

/// A force that is always on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ForceLaw {
    /// m g downwards on each moving body.
    Gravity {
        /// m/s^2.
        g: f64,
    },
    /// G m1 m2 / r^2 between the centres of each two moving bodies.
    InverseSquare {
        /// N m^2/kg^2.
        g: f64,
    },
    /// -c v and the torque -c k w on each moving body.
    Damping {
        /// c, kg/s.
        damping: f64,
        /// k, m^2.
        rotate_ratio: f64,
    },
    /// A spring between points of two bodies.
    Spring {
        /// The first body.
        body: String,
        /// Its point, in body coordinates.
        at: [f64; 2],
        /// The second body.
        other: String,
        /// Its point, in body coordinates.
        other_at: [f64; 2],
        /// Length at rest, m.
        length: f64,
        /// N/m.
        stiffness: f64,
        /// N s/m: against the rate at which the length changes, along the spring.
        #[serde(default, skip_serializing_if = "is_zero")]
        damping: f64,
        /// Whether it acts only while it is shorter than at rest: beyond that, it has no force and no damping.
        #[serde(default, skip_serializing_if = "is_false")]
        compress_only: bool,
    },
    /// A force, constant unless it has a course.
    Push {
        /// The body.
        body: String,
        /// Where, in body coordinates.
        at: [f64; 2],
        /// The force, N.
        force: [f64; 2],
        /// Whether the force turns with the body.
        frame: Frame,
        /// How it changes with time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        course: Option<Course>,
    },
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// How a force changes with time: what it is multiplied by at time t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Course {
    /// sin(frequency t + phase).
    Sine {
        /// rad/s.
        frequency: f64,
        /// rad.
        #[serde(default, skip_serializing_if = "is_zero")]
        phase: f64,
    },
    /// From 0 at `from` to 1 at `until`, and 1 from there on; before `from` there is no force.
    Ramp {
        /// s.
        from: f64,
        /// s, after `from`.
        until: f64,
    },
}

impl Course {
    /// The factor at a time, s.
    pub(crate) fn factor(self, time: f64) -> f64 {
        match self {
            Self::Sine { frequency, phase } => (frequency * time + phase).sin(),
            Self::Ramp { from, until } => ((time - from) / (until - from)).clamp(0.0, 1.0),
        }
    }
}
