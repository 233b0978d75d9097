//! `etalon scenario`: named scenes of the literature, and what comes of them.

mod all;
mod beside;
mod circular;
mod coulomb;
mod drive;
mod engine_run;
mod files;
mod given;
mod heeded;
mod impact_energy;
mod inconsistent;
mod input;
mod law;
mod motion;
mod order;
mod picture;
mod piece_log;
mod prose;
mod records;
mod resumed;
mod run;
mod seen;
mod show;
pub(super) mod solver;
mod step_log;
mod story;

/// All that is written for machines.
mod json {
    pub use super::records::run;
    pub use etalon_scenarios::json::*;
}

use clap::{Args, Subcommand};
use etalon_scenarios::{PartDescription, Scenario, ScenarioError, find, scenarios};
use serde_json::json;

use super::console::{Console, table};
use super::{Ending, Fatal, Result};
use crate::similar::did_you_mean;
use input::unknown;

/// List and run named scenes of rigid bodies in contact: at rest, in motion and as worlds of the engine.
#[derive(Args)]
#[command(after_help = "\
Example: etalon scenario run painleve-inconsistent --set mu=5/2 --solver exact")]
pub struct ScenarioCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    List(List),
    Run(Box<run::Run>),
}

/// List all scenarios, or the parameters of one.
#[derive(Args)]
struct List {
    /// The scenario whose parameters to list
    name: Option<String>,
}

impl ScenarioCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        match &self.action {
            Action::List(list) => list.run(console),
            Action::Run(run) => run.run(console),
        }
    }
}

fn usage(error: impl std::fmt::Display) -> Fatal {
    Fatal::Usage(error.to_string())
}

/// Why a scenario has no instance; of a parameter that it does not have, what was meant.
fn no_instance(error: ScenarioError) -> Fatal {
    let meant = match &error {
        ScenarioError::Parameter { name, known, .. } => did_you_mean(name, known.split(", ")),
        _ => String::new(),
    };
    Fatal::Usage(format!("{error}{meant}"))
}

impl List {
    fn run(&self, console: &Console) -> Result<Ending> {
        let listed = match &self.name {
            Some(name) => std::slice::from_ref(find(name).map_err(|error| unknown(name, &error))?),
            None => scenarios(),
        };
        console.line(if console.json {
            json!({ "scenarios": json::list(listed) }).to_string()
        } else if let (Some(_), [scenario]) = (&self.name, listed) {
            let parts = scenario.parts().map(|about| parameters(scenario, &about));
            parts.collect::<Vec<_>>().join("\n\n")
        } else {
            table(
                &["scenario", "as", "what it shows"],
                0..0,
                listed.iter().map(row),
            )
        })?;
        if self.name.is_none() {
            console.note("etalon scenario list NAME lists the parameters of one.");
        }
        Ok(Ending::Accepted)
    }
}

/// Name, parts and what the first of them shows.
fn row(scenario: &Scenario) -> Vec<String> {
    let words: Vec<_> = scenario.parts().map(|about| about.part.word()).collect();
    let first = scenario.parts().next();
    vec![
        scenario.name.to_owned(),
        words.join(", "),
        first.map_or_else(String::new, |about| about.description.to_owned()),
    ]
}

fn parameters(scenario: &Scenario, about: &PartDescription) -> String {
    let rows = about.parameters.iter().map(|parameter| {
        vec![
            parameter.name.to_owned(),
            parameter.default.to_owned(),
            parameter.unit.to_owned(),
            parameter.range.to_string(),
            parameter.meaning.to_owned(),
        ]
    });
    let table = table(
        &["parameter", "default", "unit", "may be", "meaning"],
        1..2,
        rows,
    );
    let (name, description, source) = (scenario.name, about.description, about.source);
    let what = match scenario.parts().count() {
        1 => name.to_owned(),
        _ => format!("{name}, {} (--as {})", about.part, about.part.word()),
    };
    format!("{what}: {description}.\nSource: {source}.\n\n{table}")
}
