//! `etalon scenario`: named scenes of the literature, and what comes of them.

mod beside;
mod circular;
mod coulomb;
mod engine;
mod engine_run;
mod given;
mod inconsistent;
mod listed;
mod motion;
mod order;
mod prose;
mod records;
mod run;
mod show;
pub(super) mod solver;
mod subject;

/// All that is written for machines.
mod json {
    pub use super::records::{list, run};
    pub use etalon_scenarios::json::*;
}

use clap::{Args, Subcommand};
use etalon_scenarios::ScenarioError;

use super::console::Console;
use super::{Ending, Fatal, Result};
use etalon_evidence::table::render;
use listed::Listed;

/// Named scenes of rigid bodies in contact: list them, and run them.
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

impl List {
    fn run(&self, console: &Console) -> Result<Ending> {
        let mut listed = listed::all();
        if let Some(name) = &self.name {
            listed.retain(|scenario| scenario.name == name);
        }
        if let (Some(name), true) = (&self.name, listed.is_empty()) {
            return Err(usage(ScenarioError::Unknown { name: name.clone() }));
        }
        console.line(if console.json {
            json::list(&listed)
        } else if let (Some(_), [scenario]) = (&self.name, &listed[..]) {
            parameters(scenario)
        } else {
            let row = |s: &Listed| vec![s.name.to_owned(), s.description.to_owned()];
            render(&["scenario", "what it shows"], 0..0, listed.iter().map(row))
        })?;
        if self.name.is_none() {
            console.note("etalon scenario list NAME lists the parameters of one.");
        }
        Ok(Ending::Accepted)
    }
}

fn parameters(scenario: &Listed) -> String {
    let rows = scenario.parameters.iter().map(|parameter| {
        vec![
            parameter.name.to_owned(),
            parameter.default.to_owned(),
            parameter.unit.to_owned(),
            parameter.range.to_string(),
            parameter.meaning.to_owned(),
        ]
    });
    let table = render(
        &["parameter", "default", "unit", "may be", "meaning"],
        1..2,
        rows,
    );
    let (name, description, source) = (scenario.name, scenario.description, scenario.source);
    format!("{name}: {description}.\nSource: {source}.\n\n{table}")
}
