//! `etalon schema`: the JSON Schemas of the records.

use clap::{Args, ValueEnum};
use etalon_lcp::schema;

use super::console::Console;
use super::{Ending, Result};

/// Print the JSON Schema (draft 2020-12) of a record format.
#[derive(Args)]
#[command(after_help = "Example: etalon schema problem > problem.schema.json")]
pub struct Schema {
    /// The record format
    record: Record,
}

#[derive(Clone, Copy, ValueEnum)]
enum Record {
    /// A problem
    Problem,
    /// A solver's claim
    Claim,
    /// The judge's verdict on a claim
    Verdict,
    /// The first line of the file that `check --out` writes
    Verdicts,
    /// A verdict with suite, time and more, as `diff --lines` writes it
    Outcome,
    /// Rigid bodies in contact
    Scene,
    /// A world of the planar engine
    World,
    /// A golden scene with its forces
    Forces,
    /// The lines of a trajectory
    Trajectory,
    /// A step of a physics engine
    Step,
    /// What the columns of a motion in CSV are
    MotionMap,
    /// The messages between `etalon serve` and its page
    #[cfg(feature = "serve")]
    Serve,
}

impl Schema {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let text = match self.record {
            Record::Problem => schema::PROBLEM,
            Record::Claim => schema::CLAIM,
            Record::Verdict => schema::VERDICT,
            Record::Verdicts => etalon_evidence::heading::SCHEMA,
            Record::Outcome => etalon_evidence::outcome::SCHEMA,
            Record::Scene => etalon_scenarios::SCENE_SCHEMA,
            Record::World => etalon_scenarios::WORLD_SCHEMA,
            Record::Forces => etalon_golden::forces::SCHEMA,
            Record::Trajectory => schema::TRAJECTORY,
            Record::Step => etalon_engines::STEP_SCHEMA,
            Record::MotionMap => etalon_engines::motion::MOTION_MAP_SCHEMA,
            #[cfg(feature = "serve")]
            Record::Serve => etalon_serve::SCHEMA,
        };
        console.line(text.trim_end())?;
        Ok(Ending::Accepted)
    }
}
