//! From a scene to its golden record.

mod answer;
mod certificate;
mod error;
mod fast;
mod limits;
mod runs;
mod unique;

pub use answer::exact_answer;
pub use error::DeriveError;
pub use runs::runs;
pub use unique::unique;

#[cfg(test)]
pub use fast::measure;

use etalon_contact_forces::reference_path;
use etalon_exact::Budget;
use etalon_golden::forces::{FORMAT, FastAnswer, Lcp, SceneAnswer, SceneRecord, TraceDigest};
use etalon_lcp::Problem;
use etalon_lcp::record::digest;
use etalon_scenarios::{SceneFile, Setup, write_scene};
use serde_json::Value;

use super::data;

/// Derives the record of a scene. `kept` says which binary64 answer stands, once the exact one is known;
/// none has the scene answered anew.
///
/// # Errors
/// [`DeriveError`].
pub fn derive(
    scene: &SceneFile,
    kept: &dyn Fn(&Problem, &SceneAnswer, &Value) -> Option<FastAnswer>,
    budget: &Budget,
) -> Result<SceneRecord, DeriveError> {
    let problem = scene.setup.problem(&scene.name)?;
    let (answer, trace) = exact_answer(&scene.setup, &problem, budget)?;
    let unique = unique(&scene.setup, &problem, &answer, budget)?;
    let text = write_scene(scene);
    let scene_value: Value = serde_json::from_str(&text).unwrap_or_default();
    let trace_digest = match trace {
        Some(_) => None,
        None => long_path(&scene.setup, &problem, budget)?,
    };
    let fast = match kept(&problem, &answer, &scene_value) {
        Some(fast) => fast,
        None => fast::fast_answer(scene, &problem, &answer)?,
    };
    let mut record = SceneRecord {
        format: FORMAT.to_owned(),
        name: scene.name.clone(),
        scene: scene_value,
        lcp: Lcp {
            n: problem.n(),
            digest: digest(&problem),
        },
        runs: runs(&scene.setup)?,
        answer,
        trace,
        trace_digest,
        unique,
        fast,
        digest: String::new(),
    };
    record.digest = record.checksum();
    Ok(record)
}

/// A path that is too long to be read, by its checksum; none where it would take minutes.
fn long_path(
    setup: &Setup,
    problem: &Problem,
    budget: &Budget,
) -> Result<Option<TraceDigest>, DeriveError> {
    let formulation = setup.formulation()?;
    let rubs = formulation.is_some_and(|own| own.rubs() || own.holds());
    let path = reference_path(problem, rubs, &limits::kept(budget));
    Ok(path.map(|path| data::trace(&path).digest()))
}
