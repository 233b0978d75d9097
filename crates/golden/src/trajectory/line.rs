//! The lines of a trajectory: a header, then one a step.
//!
//! A field that a line must have is read as empty where it is missing, and written empty; a field that only
//! some formulations write is optional. Fields that are not known here are kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::quantity::Quantity;

/// The first line: how the steps come about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// [`FORMAT`](super::FORMAT).
    pub format: String,
    /// The name of the scene.
    pub scenario: String,
    /// The value of each parameter, as text.
    pub parameters: BTreeMap<String, String>,
    /// The length of a step, s.
    pub h: Quantity,
    /// How many steps were asked for.
    pub steps: Option<u64>,
    /// How a step becomes a complementarity problem.
    pub formulation: Option<String>,
    /// Where a step's Jacobians are evaluated.
    pub scheme: Option<String>,
    /// `rational`, `grid` or `binary64`.
    pub arithmetic: Option<String>,
    /// On a grid, its bits after the point.
    pub grid_bits: Option<u64>,
    /// Who answered the problems.
    pub solver: Option<String>,
    /// The names of the coordinates.
    pub coordinates: Vec<String>,
    /// In space: the friction cone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cone: Option<String>,
    /// In space: the law of restitution, where it is not Newton's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<String>,
    /// The whole scene or world, where it has no name in the registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<Value>,
    /// Before the first step.
    pub start: Start,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The state before the first step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Start {
    /// Coordinates.
    pub q: Vec<Quantity>,
    /// Their velocities.
    pub v: Vec<Quantity>,
    /// In space: angular momenta in the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub momentum: Option<Vec<Quantity>>,
    /// None where it cannot be had.
    pub energy: Option<Energy>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// J.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Energy {
    /// T.
    pub kinetic: Quantity,
    /// V.
    pub potential: Quantity,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The line of a step: the state at its end, and what led there.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Line {
    /// The number of the step, from 1.
    pub k: u64,
    /// The time at its end, s.
    pub t: Quantity,
    /// Coordinates.
    pub q: Vec<Quantity>,
    /// Their velocities.
    pub v: Vec<Quantity>,
    /// In space: angular momenta in the world, kg m^2/s. They are the state; angular velocities derive from them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub momentum: Option<Vec<Quantity>>,
    /// Contacts that took part.
    pub contacts: Vec<Contact>,
    /// In space: what joints did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<JointLine>>,
    /// The (last) complementarity problem with its solution.
    pub lcp: Lcp,
    /// In space: what the judge says of the answer to the step's problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// In space, of an impact by Poisson's law: its first phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<CompressionLine>,
    /// At the end of the step.
    pub energy: Energy,
    /// The energy before the step less that after it, J.
    pub dissipated: Quantity,
    /// Where it went, J: `friction`, `numerical`, `position`, `rounding`, `inertial`; of the planar engine `collisions`, `damping`,
    /// `friction`, `contacts`, `integrator`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissipation: Option<BTreeMap<String, Quantity>>,
    /// Contacts at which a gap that is not concave gained energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gains: Option<Vec<String>>,
    /// Contacts that bounced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounces: Option<Vec<String>>,
    /// Complementarity problems that were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<u64>,
    /// How often the evaluation point was iterated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// How often an iteration was damped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dampings: Option<u64>,
    /// Whether the iteration converged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub converged: Option<bool>,
    /// Chakraborty-Berard: whether a solution of the step is proved to be near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What turning in free flight gained, J.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight_gain: Option<Quantity>,
    /// Egan-Trinkle: the faces that corners were entered by.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
    /// Egan-Trinkle: the vertices of the set of solutions; null where they were too many.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub family: Option<Option<Vec<Vec<Quantity>>>>,
    /// Egan-Trinkle: the convex sets that the solutions are made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Vec<Piece>>,
    /// Egan-Trinkle: why the solutions are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlisted: Option<String>,
    /// Planar engine: collisions so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collisions: Option<u64>,
    /// Planar engine: collisions so far that came to no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jams: Option<u64>,
    /// Planar engine: the generator of the order of serial collisions, as the next step finds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Planar engine: what pushes did in the step, J.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<Quantity>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A contact of a step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    /// Its name, `body/body`.
    pub pair: String,
    /// m.
    pub gap: Quantity,
    /// Normal impulse, N s.
    pub normal: Quantity,
    /// Impulses along the tangents, N s.
    pub friction: Vec<Quantity>,
    /// In space: about the normal, N m s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torsion: Option<Quantity>,
    /// In space: about the tangents, N m s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling: Option<[Quantity; 2]>,
    /// In space, of an impact by Poisson's law: what of these is of the compression, and what of the decompression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<[PhaseLine; 2]>,
    /// Chakraborty-Berard: what the pair does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Planar engine: N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<Quantity>,
    /// Planar engine: where it acts, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[Quantity; 2]>,
    /// Planar engine: the unit normal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[Quantity; 2]>,
    /// In space: where it acts, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[Quantity; 3]>,
    /// In space: its unit normal, from the second body to the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<[Quantity; 3]>,
    /// Planar engine: whether it is a joint or rod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<bool>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The impulses of a contact in a phase of an impact.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PhaseLine {
    /// Normal impulse, N s.
    pub normal: Quantity,
    /// Impulses along the tangents, N s.
    pub friction: Vec<Quantity>,
    /// About the normal, N m s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torsion: Option<Quantity>,
    /// About the tangents, N m s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling: Option<[Quantity; 2]>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The end of the compression of an impact, and its problem.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CompressionLine {
    /// The velocities of the coordinates.
    pub v: Vec<Quantity>,
    /// Angular momenta in the world, kg m^2/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub momentum: Option<Vec<Quantity>>,
    /// Its problem with its solution.
    pub lcp: Lcp,
    /// What the judge says of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A joint of a step in space.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct JointLine {
    /// Its name.
    pub joint: String,
    /// The largest left side of its equations at the end of the step, m or 1.
    pub drift: Quantity,
    /// One a row, N s or N m s.
    pub impulses: Vec<Quantity>,
    /// Positions of rows that others imply, whose impulses are not unique: they are 0, and those of the others bear all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redundant: Option<Vec<u64>>,
    /// Of an impact by Poisson's law: those of the compression, and of the decompression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<[Vec<Quantity>; 2]>,
    /// Its limits that take part in the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Vec<LimitLine>>,
    /// The impulse of its drive, N s or N m s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drive: Option<Quantity>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A limit of a joint in space.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LimitLine {
    /// `lower` or `upper`.
    pub limit: String,
    /// How far it is before the step, m, or the sine of the angle.
    pub gap: Quantity,
    /// N s or N m s.
    pub impulse: Quantity,
    /// Of an impact by Poisson's law: that of the compression, and of the decompression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<[Quantity; 2]>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A complementarity problem with its solution.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Lcp {
    /// Rows.
    pub n: u64,
    /// Where they are counted.
    pub pivots: Option<u64>,
    /// The complementary basis: 1 where z may be positive.
    pub basis: String,
    /// Of the exact z, as reduced fractions with a space between any two.
    pub sha256: String,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The proof that a solution is near.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Verified {
    /// Whether there is one.
    pub proved: bool,
    /// How far v of the solution is from v of the line, at most, in any coordinate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<Quantity>,
    /// Why there is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The faces that corners were entered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// That of the only corner.
    Face(String),
    /// Those of several.
    Faces(Vec<String>),
    /// The only corner was not entered.
    Outside,
}

/// A convex set of solutions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Piece {
    /// Positions in the family.
    pub vertices: Vec<usize>,
    /// Impulses that may be added at will.
    pub rays: Vec<Vec<Quantity>>,
    /// Other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A field that is there, if only as null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
