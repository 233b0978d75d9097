//! A record and its earlier or stored self: what is kept of it, and what deriving it anew would change.

use etalon_exact::Budget;
use etalon_golden::forces::{FastAnswer, SMALL, SceneAnswer, SceneRecord};
use etalon_lcp::Problem;
use etalon_scenarios::{SceneFile, Setup, read_scene};
use serde_json::Value;

use super::derive::{self, DeriveError};
use super::recheck::{self, same, words};

/// Derives the record of a scene. The binary64 answer of an earlier record of the same scene is
/// kept as long as it holds: the last bits of a fast solver may differ from machine to machine.
///
/// # Errors
/// [`DeriveError`].
pub fn derive(
    scene: &SceneFile,
    earlier: Option<&SceneRecord>,
    budget: &Budget,
) -> Result<SceneRecord, DeriveError> {
    let kept = |problem: &Problem, answer: &SceneAnswer, own: &Value| -> Option<FastAnswer> {
        let earlier = earlier.filter(|earlier| earlier.scene == *own)?;
        let holds = recheck::check_fast(scene, problem, answer, &earlier.fast).is_ok();
        holds.then(|| earlier.fast.clone())
    };
    derive::derive(scene, &kept, budget)
}

/// Re-checks a record and says what does not hold: what the module `recheck` finds, and, up to
/// [`SMALL`] rows, what deriving the record anew changes of its exact part.
pub fn recheck(record: &SceneRecord, budget: &Budget) -> Vec<String> {
    let mut findings = recheck::recheck(record, budget);
    if let Some((setup, problem)) = small(record) {
        for (place, outcome) in anew(&setup, &problem, record, budget) {
            findings.extend(outcome.err().map(|why| format!("{place}: {why}")));
        }
    }
    findings
}

/// Whether [`recheck`] finds nothing. What the record itself shows to be wrong needs nothing derived anew, which
/// takes most of the time.
pub fn is_sound(record: &SceneRecord, budget: &Budget) -> bool {
    let is_same = |(setup, problem): (Setup, Problem)| {
        let outcomes = anew(&setup, &problem, record, budget);
        outcomes.iter().all(|(_, outcome)| outcome.is_ok())
    };
    recheck::recheck(record, budget).is_empty() && small(record).is_none_or(is_same)
}

/// The scene of a record with its problem, where there is one and it is small.
fn small(record: &SceneRecord) -> Option<(Setup, Problem)> {
    let scene = read_scene(&record.scene.to_string()).ok()?;
    let problem = scene.setup.problem(&record.name).ok()?;
    let small = scene.name == record.name && problem.n() <= SMALL;
    small.then_some((scene.setup, problem))
}

/// The exact part derived anew: what of each field is not the same.
fn anew(
    setup: &Setup,
    problem: &Problem,
    record: &SceneRecord,
    budget: &Budget,
) -> Vec<(&'static str, Result<(), String>)> {
    let (answer, trace) = match derive::exact_answer(setup, problem, budget) {
        Ok(found) => found,
        Err(error) => return vec![("answer", Err(error.to_string()))],
    };
    let unique = derive::unique(setup, problem, &answer, budget).map_err(words);
    let unique = unique.and_then(|u| same(&record.unique, &u, "what is known of other answers"));
    let runs = derive::runs(setup).map_err(words);
    let runs = runs.and_then(|runs| same(&record.runs, &runs, "the runs derived anew"));
    vec![
        (
            "answer",
            same(&record.answer, &answer, "the answer derived anew"),
        ),
        ("unique", unique),
        (
            "trace",
            same(&record.trace, &trace, "the trace derived anew"),
        ),
        ("runs", runs),
    ]
}
