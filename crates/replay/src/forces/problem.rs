//! A scene's complementarity problem as a golden problem of its own.

use etalon_certify::Truth;
use etalon_golden::forces::{FractionText, SceneAnswer, SceneRecord, values};
use etalon_golden::{Decided, derive};
use etalon_lcp::Problem;
use etalon_scenarios::read_scene;
use serde_json::Value;

use super::recheck::{read_certificate, words};

/// The complementarity problem of a scene with what the record knows of it: its solution, and its proof. So other
/// checkers of problems can hold what this one holds.
///
/// # Errors
/// What of the record does not hold of its problem.
pub fn problem(record: &SceneRecord) -> Result<Problem, String> {
    let scene = read_scene(&record.scene.to_string()).map_err(words)?;
    let problem = scene.setup.problem(&record.name).map_err(words)?;
    let unique = record.unique.as_ref();
    let unique = unique.and_then(|unique| unique.certificate.as_ref());
    let (z, proof): (Option<&[FractionText]>, Option<&Value>) = match &record.answer {
        SceneAnswer::Solved { z, .. } => (Some(z), unique),
        SceneAnswer::Impulses { p, .. } => (Some(p), unique),
        SceneAnswer::Indeterminate { certificate, .. } => (None, Some(certificate)),
        SceneAnswer::Inconsistent { certificate, .. } => (None, Some(certificate)),
    };
    let mut truth = Truth::default();
    if let Some(z) = z {
        truth.add_solution(&problem, values(z)).map_err(words)?;
    }
    let decided = Decided {
        truth,
        certificate: proof.map(read_certificate).transpose()?,
        gave_up: None,
    };
    derive(&problem, decided).map_err(words)
}
