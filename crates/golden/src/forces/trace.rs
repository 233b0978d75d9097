//! Paths of exact methods, as data.

use serde::{Deserialize, Serialize};

use super::exact::FractionText;
use crate::digest::sha256;

/// The path of an exact method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Trace {
    /// Baraff's drive to zero, contacts in the order of the scene.
    DriveToZero {
        /// Baraff's maxstep, step by step: the driven row d, the row j that blocks (d itself where
        /// its acceleration has reached zero), and by how much f_d grows, N.
        steps: Vec<(usize, usize, FractionText)>,
    },
    /// Lexicographic Lemke on the pure form: entering and leaving variables.
    Lemke {
        /// `w3`, `z3`, or `z` for the artificial variable.
        pivots: Vec<(String, String)>,
        /// The variable that enters last and grows for ever, where the path ends in a ray.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ray: Option<String>,
    },
}

/// A long path, by its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceDigest {
    /// The method, as a [`Trace`] names it.
    pub method: String,
    /// Steps or pivots.
    pub steps: usize,
    /// SHA-256 of the list of steps or pivots that the [`Trace`] would have, on one line.
    pub digest: String,
}

impl Trace {
    /// The same path by its checksum.
    pub fn digest(&self) -> TraceDigest {
        // Lists of numbers and strings can be written always.
        let (method, steps, text) = match self {
            Self::DriveToZero { steps } => {
                ("drive-to-zero", steps.len(), serde_json::to_string(steps))
            }
            Self::Lemke { pivots, .. } => ("lemke", pivots.len(), serde_json::to_string(pivots)),
        };
        TraceDigest {
            method: method.to_owned(),
            steps,
            digest: sha256(&text.unwrap_or_default()),
        }
    }
}

/// The complement of a variable as a trace names it: `z3` of `w3`, and the other way; none of the
/// artificial one.
pub fn complement(variable: &str) -> Option<String> {
    let (kind, row) = variable.split_at_checked(1)?;
    match kind {
        "w" => Some(format!("z{row}")),
        "z" if !row.is_empty() => Some(format!("w{row}")),
        _ => None,
    }
}
