//! The record `etalon-forces/1`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::exact::FractionText;
use super::trace::{Trace, TraceDigest};
use crate::digest::sha256;

/// The value of the field `format`.
pub const FORMAT: &str = "etalon-forces/1";

/// The JSON Schema (draft 2020-12) of the record.
pub const SCHEMA: &str = include_str!("../schema/forces.schema.json");

/// Up to this many rows a record holds index-set runs and Lemke's path, and is derived anew when it
/// is checked.
pub const SMALL: usize = 40;

/// A scene with its forces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneRecord {
    /// [`FORMAT`].
    pub format: String,
    /// The name, unique in its folder.
    pub name: String,
    /// An `etalon-scene/1` record.
    pub scene: Value,
    /// The complementarity problem that the scene makes.
    pub lcp: Lcp,
    /// The exact answer.
    pub answer: SceneAnswer,
    /// The path of an exact method to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// The same of a path that is too long to be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_digest: Option<TraceDigest>,
    /// The proved facts about other answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<UniqueData>,
    /// Static friction by index sets, in both orders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// The binary64 answer.
    pub fast: FastAnswer,
    /// SHA-256 of the record without this field, on one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

/// A complementarity problem by its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lcp {
    /// Rows.
    pub n: usize,
    /// The digest of the problem record of the scene's name, without remarks.
    pub digest: String,
}

/// An exact answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SceneAnswer {
    /// Contact forces; where others satisfy the laws, their accelerations are the same or were not
    /// searched for.
    Solved {
        /// The values of the problem's variables.
        z: Vec<FractionText>,
        /// Their meaning.
        forces: ForcesData,
    },
    /// Several answers; the certificate proves that there are no others.
    Indeterminate {
        /// Isolated ones and corners of families.
        solutions: Vec<ForcesData>,
        /// Families of solutions.
        families: usize,
        /// Different motions among them.
        motions: usize,
        /// An enumeration, as claims carry it.
        certificate: Value,
    },
    /// No contact forces; the certificate proves it.
    Inconsistent {
        /// As claims carry it.
        certificate: Value,
        /// The impulse that helps, if there is one.
        resolution: Option<Box<ResolutionData>>,
    },
    /// Impulses of a frictionless impact.
    Impulses {
        /// At each contact, then on each row of the joints, N s.
        p: Vec<FractionText>,
        /// Normal velocity of each contact afterwards, m/s.
        after: Vec<FractionText>,
        /// Kinetic energy before and after, J.
        kinetic_energy: [FractionText; 2],
    },
}

/// Forces and accelerations, one entry a contact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForcesData {
    /// `separating`, `frictionless`, `static` or `sliding`; one word where all are alike.
    pub motions: Vec<String>,
    /// f_N, N.
    pub normal: Vec<FractionText>,
    /// f_F in tangent coordinates, N; empty without friction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub friction: Vec<Vec<FractionText>>,
    /// a_N, m/s^2.
    pub normal_acceleration: Vec<FractionText>,
    /// a_F in tangent coordinates, m/s^2; empty without friction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tangential_acceleration: Vec<Vec<FractionText>>,
    /// Forces of bilateral constraints, N.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<FractionText>,
    /// Forces of drives that hold their speeds, N or N m.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drives: Vec<FractionText>,
    /// The generalised acceleration.
    pub acceleration: Vec<FractionText>,
}

/// The impulse that resolves an inconsistency, with what it does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolutionData {
    /// Lemke's ray z and A z, where it ended in one.
    pub ray: Option<[Vec<FractionText>; 2]>,
    /// The multiple of the ray (Baraff); else the contact's impulse stands in `impulse` (Darwin2K).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<FractionText>,
    /// Contact and impulse, normal first, N s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulse: Option<(usize, Vec<FractionText>)>,
    /// Generalised velocity before, after the impulse that stops sliding, and at the end.
    pub velocity: [Vec<FractionText>; 3],
    /// Kinetic energy at those times, J.
    pub kinetic_energy: [FractionText; 3],
    /// Contacts that went from sliding to not sliding.
    pub stopped: Vec<usize>,
    /// Contacts that approach after the first impulse.
    pub approaching: Vec<usize>,
    /// Contacts whose total impulse is outside the friction cone.
    pub outside_cone: Vec<usize>,
}

/// The common part of all answers to a scene, with the proof.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UniqueData {
    /// `z`: there is no other answer; `w`: all have the same accelerations (for impacts the same
    /// velocities); null: there are others, and one is shown.
    pub of: Option<String>,
    /// As claims carry it. Without one the scene itself is the proof: where nothing rubs,
    /// A = J M^-1 J' with M positive definite is symmetric positive semidefinite (CPS theorem 3.1.7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Value>,
}

/// A run of static friction by index sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// `one-at-a-time` (Baraff) or `simultaneous` (Darwin2K).
    pub order: String,
    /// `solved`, or why not.
    pub outcome: String,
    /// Linear systems solved.
    pub steps: u64,
    /// Steps of length zero.
    pub degenerate: u64,
    /// Steps in which the driven acceleration went away from zero.
    pub away: u64,
}

/// A binary64 answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FastAnswer {
    /// The method.
    pub method: String,
    /// The values of the problem's variables; none where the method gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<Vec<f64>>,
    /// The backward error in the exact problem, rounded up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backward_error: Option<f64>,
    /// The largest difference of a generalised acceleration from the nearest exact answer, rounded
    /// up; for impacts of a normal velocity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
}

/// Reads a record.
///
/// # Errors
/// What is wrong with the text, with its place in the line.
pub fn read_record(text: &str) -> Result<SceneRecord, serde_json::Error> {
    serde_json::from_str(text)
}

/// Writes a record on one line.
pub fn write_record(record: &SceneRecord) -> String {
    // Only maps with keys that are no strings, and failing writers, cannot be written.
    serde_json::to_string(record).unwrap_or_default()
}

impl SceneRecord {
    /// The checksum that the record should have.
    pub fn checksum(&self) -> String {
        let bare = Self {
            digest: String::new(),
            ..self.clone()
        };
        sha256(&write_record(&bare))
    }
}
