//! `etalon verify`: every golden re-proved from nothing.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use etalon::examination::{Examined, all_methods};
use etalon_certify::Tolerance;
use etalon_exact::Budget;
use etalon_golden::{Golden, ProblemReport, read, record_files, scene_files};
use serde_json::Value;

use super::console::Console;
use super::intake::Intake;
use super::jobs::JobArgs;
use super::scene_goldens;
use super::tally::{Column, Tally};
use super::trajectories::{self, Reproved};
use super::{Ending, Fatal, Result};

/// Where goldens are when nothing else is said.
pub const GOLDEN: &str = "golden";

/// Re-prove every golden problem from nothing, and hold the solvers to it.
///
/// The checksum, the stored solutions and every certificate are checked against the problem by
/// exact arithmetic; then each solver answers the problem, and the checker judges its claim. A
/// solver may give up outside of its class, but a wrong answer is a failure. Records of the format
/// etalon-forces/1 are scenes with their forces: problem, forces, proofs, traces and binary64 answers
/// are re-checked from the scene itself. Each step of a golden trajectory is taken again from the
/// line before it, digit for digit, and held against the theory.
#[derive(Args)]
#[command(after_help = "\
Example: etalon verify golden/problems/siconos")]
pub struct Verify {
    /// Files of problems or scenes, and folders of them
    #[arg(value_name = "PATH", default_value = GOLDEN)]
    paths: Vec<PathBuf>,

    /// Largest number of pivots that a solver may take on a problem
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    pivots: u64,

    #[command(flatten)]
    jobs: JobArgs,
}

impl Verify {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let start = Instant::now();
        look_for_goldens(&self.paths)?;
        let reproved = trajectories::reprove(&self.paths, &self.jobs, console)?;
        let others = record_files(&self.paths)?.len() + scene_files(&self.paths)?.len();
        if reproved.trajectories > 0 && others == 0 {
            return self.report_trajectories(&reproved, console);
        }
        let mut intake = Intake::new(read(&self.paths)?, console);
        let goldens: Vec<Golden> = intake.by_ref().collect();
        let scenes = scene_goldens::verify(&self.paths, &self.jobs, console)?;
        if goldens.is_empty() && scenes.is_empty() {
            // Said why already.
            return Ok(Ending::Unreadable);
        }
        let examined = self.examined();
        let examinees: Vec<_> = examined.iter().map(Examined::as_examinee).collect();
        let prove = |golden: &Golden| golden.reprove(&examinees, &Tolerance::default());
        let reports = self.jobs.map(&goldens, console, prove);
        let tally = tally(&goldens, &reports, &examined);
        let seconds = start.elapsed().as_secs_f64();
        console.line(if console.json {
            with_trajectories(tally.to_json(&scenes, seconds), &reproved)
        } else {
            let mut parts = Vec::new();
            if !goldens.is_empty() {
                parts.push(tally.to_text(seconds));
            }
            if !scenes.is_empty() {
                parts.push(scenes.to_text());
            }
            parts.join("\n\n")
        })?;
        if reproved.trajectories > 0 && !console.json {
            console.line(reproved.to_text())?;
        }
        let failed = intake.failed() || reproved.unreadable;
        let sound = tally.is_sound() && scenes.is_sound() && reproved.is_sound();
        Ok(match (failed, sound) {
            (true, _) => Ending::Unreadable,
            (false, false) => Ending::NotAccepted,
            (false, true) => Ending::Accepted,
        })
    }

    fn report_trajectories(&self, reproved: &Reproved, console: &Console) -> Result<Ending> {
        console.line(if console.json {
            with_trajectories("{}".to_owned(), reproved)
        } else {
            reproved.to_text()
        })?;
        Ok(match (reproved.unreadable, reproved.is_sound()) {
            (true, _) => Ending::Unreadable,
            (false, false) => Ending::NotAccepted,
            (false, true) => Ending::Accepted,
        })
    }

    fn examined(&self) -> Vec<Examined> {
        // No time limit: what a solver can do must not depend on the machine.
        all_methods(&Budget {
            pivots: self.pivots,
            ..Budget::default()
        })
    }
}

/// The tally with what came of trajectories, where there are any.
fn with_trajectories(tally: String, reproved: &Reproved) -> String {
    if reproved.trajectories == 0 {
        return tally;
    }
    match serde_json::from_str::<Value>(&tally) {
        Ok(mut value) => {
            value["trajectories"] = reproved.to_json();
            value.to_string()
        }
        Err(_) => tally,
    }
}

/// The default folder exists in the repository only; say so.
pub fn look_for_goldens(paths: &[PathBuf]) -> Result<()> {
    if paths == [Path::new(GOLDEN)] && !Path::new(GOLDEN).is_dir() {
        let missing = "golden/: there is no such folder here; golden problems come with Etalon's \
                       repository, not with the program: go to its root, or name the files to verify";
        return Err(Fatal::Usage(missing.to_owned()));
    }
    Ok(())
}

fn tally(goldens: &[Golden], reports: &[ProblemReport], examined: &[Examined]) -> Tally {
    let columns = examined.iter().map(|examined| Column {
        name: examined.name().to_owned(),
        is_exact: examined.is_exact(),
    });
    let mut tally = Tally::new(columns.collect());
    for (golden, report) in goldens.iter().zip(reports) {
        tally.count(golden, report);
    }
    tally
}
