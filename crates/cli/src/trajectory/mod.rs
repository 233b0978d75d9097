//! `etalon trajectory`: motions by anybody.

mod kinds;
mod report;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use etalon_replay::judged::MotionPrecision;
use rug::Rational;

use super::args::tolerance;
use super::console::Console;
use super::{Ending, Fatal, Result};
use kinds::Asked;
use report::{Outcome, Report};

/// Judge motions by anybody: other solvers, other engines, other programs.
#[derive(Args)]
#[command(after_help = "Example: etalon trajectory check motion.csv --map map.json")]
pub struct TrajectoryCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Check(Check),
}

/// Judge each step of a motion from its own numbers: the states before and after it, and the impulses.
///
/// A file is a trajectory etalon-trajectory/1 in any arithmetic (`etalon scenario run`), of bodies in space, too; a log of
/// steps etalon-step/1; or a table in CSV. A log is judged as `etalon step check` judges it. A table needs a map that says
/// which column is what (`etalon schema motion-map`).
///
/// Asked are momentum, the rule by which positions follow velocities, complementarity, the friction cone, maximal dissipation,
/// penetration, joints with their limits and drives, and energies. What breaks a law is named: step, contact or body, law,
/// amount and unit, and the largest amount that rounding explains. That follows from the precision of the numbers, the length
/// of the step and the sizes of the terms of each law. Numbers are taken exactly, and exact arithmetic decides.
///
/// Fields that no law is held against are listed as not asked; so is, for scenes in space, energy that bounces by Newton's law gained.
/// `etalon verify` compares all fields of exact runs.
///
/// Exit status 1 says that a law is broken, or that a trajectory has not as many steps as its header says. It also says that steps
/// are not judged: those whose iteration did not converge, and those of bodies that push where nobody knows their closest points.
#[derive(Args)]
#[command(after_help = "\
Example: etalon scenario run rod --solver fast --out rod.jsonl
         etalon trajectory check rod.jsonl
         etalon trajectory check motion.csv --map map.json --tol 1e-6")]
struct Check {
    /// Motions; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// What the columns of a table in CSV are, etalon-motion-map/1
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,

    /// The precision that the numbers of trajectories were rounded to; by default that of the run. Maps and logs say their own
    #[arg(long, value_name = "PRECISION")]
    precision: Option<Precision>,

    /// A relative error of the solver that made the motion, tolerated beside rounding: of each law's own terms
    #[arg(long, value_name = "EPS", default_value = "0", value_parser = tolerance, allow_hyphen_values = true)]
    tol: Rational,

    /// The most broken laws that are listed for a file
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    most: usize,
}

/// The precision of stored numbers.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Precision {
    /// They are exact
    Exact,
    /// binary64
    F64,
    /// binary32
    F32,
}

impl From<Precision> for MotionPrecision {
    fn from(own: Precision) -> Self {
        match own {
            Precision::Exact => Self::Exact,
            Precision::F64 => Self::F64,
            Precision::F32 => Self::F32,
        }
    }
}

impl TrajectoryCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        match &self.action {
            Action::Check(check) => check.run(console),
        }
    }
}

impl Check {
    fn run(&self, console: &Console) -> Result<Ending> {
        let asked = Asked {
            map: self.map.as_deref().map(read_map).transpose()?,
            precision: self.precision.map(Into::into),
            tol: self.tol.clone(),
        };
        let mut ending = Ending::Accepted;
        let mut rows = Vec::new();
        for file in &self.files {
            let report = match kinds::judge(file, &asked) {
                Ok(report) => report,
                Err(why) => {
                    console.error(why);
                    ending = Ending::Unreadable;
                    continue;
                }
            };
            self.tell(&report, console)?;
            if !matches!(report.outcome(), Outcome::Exact | Outcome::Accepted) {
                ending = ending.max(Ending::NotAccepted);
            }
            rows.push(report.row());
        }
        if !rows.is_empty() && !console.json {
            console.line(report::table_of(rows))?;
        }
        Ok(ending)
    }

    fn tell(&self, report: &Report, console: &Console) -> Result<()> {
        if console.json {
            console.line(report.to_json(self.most))?;
        } else {
            for line in report.lines(self.most) {
                console.line(line)?;
            }
        }
        if let Some(why) = report.warning() {
            console.warning(why);
        }
        if let Some(why) = &report.not_judged {
            console.warning(format_args!("{}: not judged: {why}", report.file));
        }
        Ok(())
    }
}

/// The largest map, in bytes.
const MOST_MAP: u64 = 16 << 20;

fn read_map(path: &std::path::Path) -> Result<String> {
    let fault = |why: &dyn std::fmt::Display| Fatal::Usage(format!("{}: {why}", path.display()));
    let length = std::fs::metadata(path)
        .map_err(|error| fault(&error))?
        .len();
    if length > MOST_MAP {
        let why = format!("{length} bytes are over the limit of {MOST_MAP} for a map");
        return Err(fault(&why));
    }
    std::fs::read_to_string(path).map_err(|error| fault(&error))
}
