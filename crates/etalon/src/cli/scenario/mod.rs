//! `etalon scenario`: named scenes of the literature, and what comes of them.

mod inconsistent;
mod json;
mod listed;
mod motion;
mod prose;
mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use etalon_exact::Method;
use etalon_lcp::record::write_problem;
use etalon_scenarios::motion::find_motion;
use etalon_scenarios::{Answer, ScenarioError, find};

use super::args::BudgetArgs;
use super::console::Console;
use super::table::render;
use super::{Ending, Fatal, Result};
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
    Run(Run),
}

/// List all scenarios, or the parameters of one.
#[derive(Args)]
struct List {
    /// The scenario whose parameters to list
    name: Option<String>,
}

/// Run a scenario: a trajectory as JSON lines, or contact forces, or the proof that there are none
/// and the impulse that helps.
#[derive(Args)]
struct Run {
    /// The scenario; `etalon scenario list` names them
    name: String,

    /// Set a parameter, exactly: mass=1/3, gravity=9.81
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,

    /// Who answers: exact, fast (trajectories in binary64), or a method by its name (exact-lemke, ...)
    #[arg(long, value_name = "SOLVER", default_value = "exact")]
    solver: String,

    /// How many steps of a trajectory, in place of what the parameters say
    #[arg(long, value_name = "K")]
    steps: Option<u64>,

    /// Go on with the trajectory in the file of --out
    #[arg(long, requires = "out")]
    resume: bool,

    /// Print nothing but the complementarity problem, as a record for other solvers: that of a scene
    /// at rest, or of step K of a trajectory (--steps K)
    #[arg(long)]
    problem: bool,

    /// Write the trajectory, or the complementarity problem of a scene at rest, into a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    budget: BudgetArgs,
}

fn setting(text: &str) -> std::result::Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("write KEY=VALUE, such as mu=1/2")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

fn method(name: &str) -> std::result::Result<Method, String> {
    if name == "exact" {
        return Ok(Method::Certified);
    }
    let known = name.parse();
    known.map_err(|error: etalon_exact::UnknownMethod| format!("{error}, and exact"))
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

impl Run {
    /// Whether a trajectory is asked for. Some scenes are known both at rest and in motion: there a
    /// number of steps or a step size says which.
    fn moves(&self) -> bool {
        let in_motion = find_motion(&self.name).is_ok();
        let stepped =
            self.steps.is_some() || self.set.iter().any(|(key, _)| key == "h" || key == "steps");
        in_motion && (find(&self.name).is_err() || stepped)
    }

    fn run(&self, console: &Console) -> Result<Ending> {
        if self.moves() {
            let scenario = find_motion(&self.name).map_err(usage)?;
            return self.run_motion(scenario, console);
        }
        let scenario = find(&self.name).map_err(usage)?;
        let method = method(&self.solver).map_err(usage)?;
        let settings = self.set.iter().map(|(key, value)| (&**key, &**value));
        let instance = scenario.instance(settings).map_err(usage)?;
        let problem = instance.problem().map_err(usage)?;
        if let Some(path) = &self.out {
            let text = write_problem(&problem) + "\n";
            std::fs::write(path, text).map_err(Fatal::Output)?;
        }
        if self.problem {
            console.line(write_problem(&problem))?;
            return Ok(Ending::Accepted);
        }
        let budget = self.budget.budget(None);
        let solver = method.solver(&budget);
        let answer = instance.answer(&*solver, &budget).map_err(usage)?;
        if console.json {
            console.line(json::run(&instance, &problem, &answer))?;
        } else {
            console.line(prose::run(&instance, &answer).map_err(usage)?)?;
        }
        Ok(match answer {
            Answer::Failed(why) => {
                console.error(format_args!("{method}: {why}"));
                Ending::NotAccepted
            }
            _ => Ending::Accepted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_keys_and_values() {
        assert_eq!(setting("mu = 1/2"), Ok(("mu".to_owned(), "1/2".to_owned())));
        assert!(setting("mu").is_err());
    }

    #[test]
    fn exact_is_the_certified_method() {
        assert_eq!(method("exact"), Ok(Method::Certified));
        assert_eq!(method("exact-lemke"), Ok(Method::Lemke));
        assert!(method("fast").is_err());
    }
}
