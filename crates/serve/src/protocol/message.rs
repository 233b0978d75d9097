//! The messages of the server.

use etalon_planar::{
    ContactForce, Energy, IndexSets, LcpKind, Outline, Totals, Verdicts, WorldSpec,
};
use etalon_scenarios::{Scenario, scenarios};
use serde::{Deserialize, Serialize};

use super::{ContactShown, Controls, MotionFrame, MotionShown, PROTOCOL, SolverName, SpaceKind};
use crate::limits;

/// A message of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// First of all.
    Hello {
        /// `etalon-serve/1`.
        protocol: String,
        /// The version of Etalon.
        version: String,
        /// The limits for the page.
        limits: Limits,
        /// Worlds by name.
        worlds: Vec<WorldKind>,
        /// Scenes in space by name.
        spaces: Vec<SpaceKind>,
    },
    /// A world was opened, loaded, reset or changed.
    Scene(Box<SceneShown>),
    /// A moment; only the latest is kept for a page that is slow.
    Frame(Box<Frame>),
    /// The answers to one contact in space.
    Contact(Box<ContactShown>),
    /// A motion in space begins.
    Motion(Box<MotionShown>),
    /// A step of it.
    MotionFrame {
        /// That of the question.
        id: u64,
        /// The step.
        frame: Box<MotionFrame>,
    },
    /// No more steps of it follow.
    MotionEnd {
        /// That of the question.
        id: u64,
        /// Why it ended before its last step.
        reason: Option<String>,
    },
    /// A command was not carried out; the world goes on.
    Error(Complaint),
    /// The world cannot go on by itself, and is paused.
    Stopped {
        /// Why.
        message: String,
        /// The remedy.
        remedy: String,
    },
    /// A sign of life.
    Alive,
    /// The last message.
    Bye {
        /// Why it is the last.
        reason: ConnectionEnd,
        /// The same in words.
        message: String,
    },
}

/// The limits for the page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Of a message.
    pub message_bytes: usize,
    /// Over a longer time; each kilobyte counts as one more.
    pub messages_per_second: f64,
    /// Bodies of a scene.
    pub bodies: usize,
    /// Edges of all bodies of a scene.
    pub edges: usize,
}

impl Limits {
    /// Those of [`crate::limits`].
    pub const OURS: Self = Self {
        message_bytes: limits::MESSAGE_BYTES,
        messages_per_second: limits::MESSAGES_PER_SECOND,
        bodies: limits::BODIES,
        edges: limits::EDGES,
    };
}

/// A world by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldKind {
    /// The name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// What to look at, and the mathematics of it.
    #[serde(default)]
    pub look: String,
    /// The least number of bodies that move.
    pub least: usize,
    /// The largest one.
    pub most: usize,
}

/// A scene, and how to draw it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneShown {
    /// Whether this is another world than before, or the same with other controls.
    pub fresh: bool,
    /// The scene as it is now (`etalon-world/1` without its field `format`).
    pub scene: WorldSpec,
    /// Outlines about the centres of mass, in the order of the bodies.
    pub shapes: Vec<Outline>,
    /// kg, none for a fixed body.
    pub masses: Vec<Option<f64>>,
    /// The settings.
    pub controls: Controls,
    /// Where thrusters sit.
    pub thrusters: Vec<ThrusterPlace>,
}

/// Where the thrusters of a body sit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThrusterPlace {
    /// The body's place in the scene.
    pub body: usize,
    /// From its centre of mass, in its own frame, m.
    pub at: [f64; 2],
    /// N.
    pub force: f64,
}

/// A moment of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// s.
    pub time: f64,
    /// Whether time goes on.
    pub running: bool,
    /// Seconds of the world that a second took lately; none while it is paused.
    pub pace: Option<f64>,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<Placed>,
    /// Bodies that came in through an edge that they pass, and are over one that stops them, each with the body that it is inside of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<[usize; 2]>,
    /// Contact forces.
    pub contacts: Vec<ContactForce>,
    /// Energies, J.
    pub energy: Energy,
    /// The counts since the world was opened.
    pub totals: Totals,
    /// The hand, while it pulls.
    pub hand: Option<Hand>,
    /// The seed of the order of serial collisions from here.
    pub seed: u32,
    /// The last contact problem since the frame before.
    pub forces: Option<ShownLcp>,
    /// The last impulse problem since the frame before.
    pub impulses: Option<ShownLcp>,
    /// Verdicts since the frame before.
    pub judged: Judged,
    /// Verdicts since the world was opened.
    pub verdicts: Verdicts,
    /// For each contact the forces that are right, along the normal and the tangent, N. Empty unless the forces of
    /// `contacts` are a solver's under test and were not accepted.
    #[serde(default)]
    pub right: Vec<[f64; 2]>,
    /// The solver whose forces act, where it is not the engine's own.
    #[serde(default)]
    pub subject: Option<SubjectShown>,
}

/// A solver that moves the world in place of the engine's own, with the judge's verdict on its last forces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubjectShown {
    /// Which.
    pub solver: SolverName,
    /// The verdict: the worst of the groups of contacts that touch in this frame; none where nothing touches.
    pub verdict: Option<String>,
    /// Whether it counts as right.
    pub accepted: bool,
    /// The judge's reason, for what was not accepted.
    pub reason: Option<String>,
    /// Problems judged since it was chosen: those of the last moment of each frame.
    pub judged: u64,
    /// Those of them that were not accepted.
    pub wrong: u64,
    /// Whether it had no answer in this frame, so that the engine's own forces act.
    pub engine_acts: bool,
    /// The largest distance of a body from where it would be by the engine's own forces, m; none where that motion
    /// cannot go on.
    pub apart: Option<f64>,
    /// The bodies in that motion, which began with the solver's.
    pub beside: Vec<Placed>,
}

/// Where a body is, and how it moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// The centre of mass, m.
    pub position: [f64; 2],
    /// rad.
    pub angle: f64,
    /// m/s.
    pub velocity: [f64; 2],
    /// rad/s.
    pub angular_velocity: f64,
}

/// A hand that pulls a body by a spring.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hand {
    /// The body's place in the scene.
    pub body: usize,
    /// Where it holds, from the centre of mass, in the body's own frame, m.
    pub at: [f64; 2],
    /// Where the hand is, m.
    pub to: [f64; 2],
}

/// An LCP of the run: a = A f + b >= 0, f >= 0, a'f = 0; on rows of friction f is bounded on both
/// sides, and a = 0 between the bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownLcp {
    /// Of forces or impulses.
    pub kind: KindShown,
    /// s.
    pub time: f64,
    /// The number of rows.
    pub n: usize,
    /// A, row by row, 1/kg; empty beyond the rows that are shown.
    pub a: Vec<f64>,
    /// b.
    pub b: Vec<f64>,
    /// The engine's answer.
    pub f: Vec<f64>,
    /// Which two bodies each row holds apart.
    pub pairs: Vec<[usize; 2]>,
    /// Which rows are bilateral.
    pub joints: Vec<bool>,
    /// Which rows are of friction: f is bounded by mu times a normal force, on both sides.
    pub friction: Vec<bool>,
    /// Which rows are in C in the answer; the others are in NC, or slide.
    pub clamped: Vec<bool>,
    /// Pivots that the engine's solver took.
    pub pivots: u64,
    /// The shift that was added to the diagonal of A to solve it.
    pub ridge: f64,
    /// The exact verdict: `exact`, `accepted`, `rejected`, `failed`.
    pub verdict: String,
    /// The exact natural-scale error, rounded up; none where nothing could be measured.
    pub error: Option<f64>,
    /// Whether the verdict counts as right.
    #[serde(default)]
    pub accepted: bool,
    /// The judge's reason, for what was not accepted.
    #[serde(default)]
    pub reason: Option<String>,
    /// The forces that are right, where f is a solver's under test; otherwise empty.
    #[serde(default)]
    pub right: Vec<f64>,
    /// What is known of other forces.
    #[serde(default)]
    pub uniqueness: Option<UniqueMotion>,
    /// C and NC after each step of the drive to zero in exact arithmetic.
    pub sets: Vec<IndexSets>,
}

/// Forces are not unique, and the motion is. Both are proved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UniqueMotion {
    /// Another vector of forces was accepted by the judge, which differs in an entry by so much, N.
    pub forces_differ: f64,
    /// The accelerations of all forces up to three times as large as the least ones differ from theirs by at most so
    /// much, m/s^2: A is symmetric and, up to rounding, positive semidefinite.
    pub accelerations_agree: f64,
}

/// The purpose of an LCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KindShown {
    /// f are forces, a accelerations of gaps.
    Forces,
    /// f are impulses, a velocities of gaps.
    Impulses,
}

impl From<LcpKind> for KindShown {
    fn from(kind: LcpKind) -> Self {
        match kind {
            LcpKind::Forces => Self::Forces,
            LcpKind::Impulses => Self::Impulses,
        }
    }
}

/// Verdicts of a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// LCPs of contact forces.
    pub forces: u64,
    /// LCPs of impulses.
    pub impulses: u64,
    /// Answers that were not accepted.
    pub wrong: u64,
    /// The largest natural-scale error, rounded up.
    pub worst_error: f64,
}

/// Why a command was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// For programs.
    pub code: ComplaintCode,
    /// The field it is about, as a path.
    pub field: Option<String>,
    /// The fault.
    pub message: String,
    /// The remedy.
    pub remedy: String,
}

/// Kinds of complaints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComplaintCode {
    /// No JSON, or not text.
    NotJson,
    /// No message of this protocol.
    NoType,
    /// A field is missing, unknown or of another type.
    BadField,
    /// A number is outside of its range.
    OutOfRange,
    /// The scene makes no world.
    BadScene,
    /// The scene is larger than the server takes.
    TooLarge,
    /// No world is open.
    NoWorld,
    /// Nothing is near enough.
    NothingNear,
    /// The page speaks faster than the server listens; messages were dropped.
    TooFast,
}

impl Complaint {
    /// A complaint.
    pub fn new(
        code: ComplaintCode,
        field: Option<&str>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            code,
            field: field.map(str::to_owned),
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

/// Why a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionEnd {
    /// As many worlds run as the server takes.
    Full,
    /// The server ends.
    Stopping,
    /// A message was too large.
    Oversize,
    /// The data sent break the WebSocket protocol.
    Protocol,
    /// A text message was not UTF-8.
    NotText,
    /// Messages kept coming far too fast.
    Flood,
    /// Nothing was heard for a long time.
    Silent,
    /// The world ended by a defect of the server.
    Defect,
}

impl Message {
    /// The first message.
    pub fn hello() -> Self {
        let kind = |scenario: &Scenario| {
            let world = scenario.world?;
            let (least, most) = limits::bodies(&world);
            Some(WorldKind {
                name: scenario.name.to_owned(),
                description: world.description.to_owned(),
                look: world.look.to_owned(),
                least,
                most,
            })
        };
        Self::Hello {
            protocol: PROTOCOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            limits: Limits::OURS,
            worlds: scenarios().iter().filter_map(kind).collect(),
            spaces: SpaceKind::all().to_vec(),
        }
    }

    /// The message as text.
    pub fn text(&self) -> String {
        // Maps have text keys and numbers are finite or null: it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
