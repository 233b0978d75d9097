//! `etalon verify`: every golden re-proved from nothing.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use etalon_exact::Budget;
use etalon_golden::{FoundFiles, Golden, ProblemReport};
use etalon_judge::Judge;
use etalon_methods::{Assigned, all_methods};
use serde_json::{Value, json};

use super::console::Console;
use super::goldens::GoldenArgs;
use super::intake::{Intake, read_side_by_side};
use super::jobs::JobArgs;
use super::manifest::{self, Held};
use super::scene_goldens;
use super::step_goldens::{self, StepTally};
use super::tally::{Column, Tally};
use super::trajectories::{self, Reproved};
use super::verified::{Agreement, look_for};
use super::{Ending, Result};

/// Re-prove every golden problem from nothing, and check the solvers against it.
///
/// The checksum, the stored solutions and every certificate are checked against the problem by
/// exact arithmetic. Then each solver answers the problem, and the checker judges its claim. A
/// solver may give up outside its class, but a wrong answer is a failure. Records of the format
/// etalon-forces/1 are scenes with their forces: problem, forces, proofs, traces and binary64 answers
/// are re-checked from the scene itself. Each step of a golden trajectory is repeated from the
/// line before it, digit for digit, and checked against the theory. Steps of engines, etalon-step/1, are judged
/// again and compared with the verdicts beside them, their certificates checked. All files and records that the MANIFEST
/// of the golden folder lists at and below the paths must exist, and no others.
#[derive(Args)]
#[command(after_help = "\
Example: etalon verify golden/problems/siconos")]
pub struct Verify {
    #[command(flatten)]
    goldens: GoldenArgs,

    /// Largest number of pivots that a solver may take on a problem
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    pivots: u64,

    /// Run the checker that is extracted from proofs in Coq beside the kernel, and compare what they say of each
    /// problem. PROGRAM is etalon-verified unless named: beside this program, or on the path
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, require_equals = true, default_missing_value = "etalon-verified")]
    verified: Option<PathBuf>,

    #[command(flatten)]
    jobs: JobArgs,
}

impl Verify {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let start = Instant::now();
        if let Some(program) = &self.verified {
            look_for(program)?;
        }
        let paths = self.goldens.paths("", console)?;
        let held = manifest::check(&paths, console)?;
        let found = FoundFiles::in_each(&paths)?;
        let reproved = trajectories::reprove(&found.trajectories, &self.jobs, console)?;
        let steps = step_goldens::verify(&found, &self.jobs, console)?;
        let others = found.problems.len() + found.scenes.len();
        let mut parts = Vec::new();
        let mut json = json!({});
        let mut ending = Ending::Accepted;
        if others > 0 || (reproved.trajectories == 0 && steps.is_empty()) {
            let mut intake = Intake::new(
                read_side_by_side(found.problems.clone(), &self.jobs),
                console,
            );
            let goldens: Vec<Golden> = intake.by_ref().collect();
            let scenes = scene_goldens::verify(&found.scenes, &self.jobs, console)?;
            if goldens.is_empty() && scenes.is_empty() {
                // Said why already.
                return Ok(Ending::Unreadable);
            }
            let agreement = self.verified.as_deref();
            let agreement =
                agreement.map(|program| Agreement::of(program, &found.problems, &goldens));
            let agreement = agreement.transpose()?;
            let assigned = self.assigned();
            let assignments: Vec<_> = assigned.iter().map(Assigned::as_assignment).collect();
            let prove = |golden: &Golden| golden.reprove(&assignments, &Judge::default());
            let reports = self.jobs.map(&goldens, console, prove);
            let tally = tally(&goldens, &reports, &assigned);
            let seconds = start.elapsed().as_secs_f64();
            json = tally.to_json(&scenes, seconds);
            if !goldens.is_empty() {
                parts.push(tally.to_text(seconds));
            }
            if !scenes.is_empty() {
                parts.push(scenes.to_text());
            }
            let mut sound = tally.is_sound() && scenes.is_sound();
            if let Some(agreement) = &agreement {
                json["verified"] = agreement.to_json();
                parts.push(agreement.to_text());
                sound &= agreement.is_sound();
            }
            ending = ended(intake.failed(), sound);
        }
        console.line(if console.json {
            with_others(json, &reproved, &steps, &held).to_string()
        } else {
            with_words(parts, &reproved, &steps, &held)
        })?;
        let sound = reproved.is_sound() && steps.is_sound() && held.is_sound();
        let rest = ended(reproved.unreadable || steps.unreadable, sound);
        Ok(ending.max(rest))
    }

    fn assigned(&self) -> Vec<Assigned> {
        // No time limit: what a solver can do must not depend on the machine.
        all_methods(&Budget {
            pivots: self.pivots,
            ..Budget::default()
        })
    }
}

fn ended(failed: bool, sound: bool) -> Ending {
    match (failed, sound) {
        (true, _) => Ending::Unreadable,
        (false, false) => Ending::NotAccepted,
        (false, true) => Ending::Accepted,
    }
}

/// The report with what came of trajectories, steps and manifests, where there are any.
fn with_others(mut report: Value, reproved: &Reproved, steps: &StepTally, held: &Held) -> Value {
    if reproved.trajectories > 0 {
        report["trajectories"] = reproved.to_json();
    }
    let mut add = |part: &str, (counts, further): (Value, Vec<Value>)| {
        report[part] = counts;
        let failures = report["failures"].as_array().cloned().unwrap_or_default();
        report["failures"] = failures.into_iter().chain(further).collect();
    };
    if !steps.is_empty() {
        add("engine_steps", steps.to_json());
    }
    if !held.is_empty() {
        add("manifest", held.to_json());
    }
    report
}

/// The same for people: what belongs to the tables stands by itself.
fn with_words(parts: Vec<String>, reproved: &Reproved, steps: &StepTally, held: &Held) -> String {
    let mut words: Vec<String> = Vec::new();
    if !parts.is_empty() {
        words.push(parts.join("\n\n"));
    }
    if reproved.trajectories > 0 {
        words.push(reproved.to_text());
    }
    if !steps.is_empty() {
        words.push(steps.to_text());
    }
    if !held.is_empty() {
        words.push(held.to_text());
    }
    words.join("\n")
}

fn tally(goldens: &[Golden], reports: &[ProblemReport], assigned: &[Assigned]) -> Tally {
    let columns = assigned.iter().map(|assigned| Column {
        name: assigned.name().to_owned(),
        is_exact: assigned.is_exact(),
    });
    let mut tally = Tally::new(columns.collect());
    for (golden, report) in goldens.iter().zip(reports) {
        tally.count(golden, report);
    }
    tally
}
