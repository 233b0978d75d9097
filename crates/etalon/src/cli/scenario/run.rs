//! `etalon scenario run`: one scene, and what comes of it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use etalon_lcp::record::write_problem;
use etalon_scenarios::{Answer, write_scene};

use super::beside::Beside;
use super::circular;
use super::solver::Chosen;
use super::subject::Subject;
use super::{json, prose, usage};
use crate::cli::args::{BudgetArgs, duration};
use crate::cli::console::Console;
use crate::cli::{Ending, Fatal, Result};

/// Run a scenario, or a scene of your own: contact forces, or the proof that there are none and
/// the impulse that helps.
///
/// A scene of your own is a file of the format etalon-scene/1 (`etalon schema scene`); --scene
/// prints that of a scenario to start from. With an exact solver all numbers are exact. With fast
/// or a command the scene is rounded to binary64, and the answer stands beside the exact one. A
/// command speaks the protocol of `etalon solve`: problem lines in, claim lines out.
#[derive(Args)]
#[command(after_help = "\
Example: etalon scenario run ladder --set mu_wall=0 --solver fast")]
pub struct Run {
    /// The scenario (`etalon scenario list` names them), or a .json file; - for standard input
    name: String,

    /// Set a parameter, exactly: mass=1/3, gravity=9.81
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,

    /// Who answers: exact, fast, a method by its name (exact-lemke, fast-dantzig, ...), or the
    /// command of a solver
    #[arg(long, value_name = "SOLVER", default_value = "exact")]
    solver: Chosen,

    /// How long the command of a solver may take
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    timeout: Duration,

    /// Static friction in the circular cone, in binary64, in place of the scenario's cone
    #[arg(long)]
    circular: bool,

    /// Print nothing but the complementarity problem, as a record for other solvers
    #[arg(long, conflicts_with = "scene")]
    problem: bool,

    /// Print nothing but the scene, as a file to change and run
    #[arg(long)]
    scene: bool,

    /// Write the complementarity problem into a file
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

impl Run {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let subject = Subject::find(&self.name, &self.set)?;
        if let Some(path) = &self.out {
            let text = write_problem(&subject.problem) + "\n";
            std::fs::write(path, text).map_err(Fatal::Output)?;
        }
        if self.problem || self.scene {
            console.line(if self.scene {
                write_scene(&subject.file)
            } else {
                write_problem(&subject.problem)
            })?;
            return Ok(Ending::Accepted);
        }
        if self.circular {
            return self.circular(&subject, console);
        }
        match self.solver.rounded_solver(self.timeout) {
            None => self.exact(&subject, console),
            Some(solver) => {
                let budget = self.budget.budget(None);
                let exact = self.solver.exact_solver(&budget);
                let beside = Beside::ask(&subject, &*solver, &*exact, &budget).map_err(usage)?;
                let name = self.solver.name();
                console.line(if console.json {
                    beside.json(&subject, name, json::answer(beside.exact()))
                } else {
                    let system = subject.setup.system().map_err(usage)?;
                    format!(
                        "{}\n\n{}",
                        prose::opening(&subject, &system),
                        beside.prose(name)
                    )
                })?;
                Ok(if beside.is_accepted() {
                    Ending::Accepted
                } else {
                    Ending::NotAccepted
                })
            }
        }
    }

    fn circular(&self, subject: &Subject, console: &Console) -> Result<Ending> {
        let budget = self.budget.budget(None);
        let seed = self.solver.rounded_solver(self.timeout);
        let seed = seed.unwrap_or_else(|| self.solver.exact_solver(&budget));
        let outcome = circular::ask(subject, &*seed).map_err(usage)?;
        console.line(if console.json {
            circular::json(subject, &outcome)
        } else {
            let system = subject.setup.system().map_err(usage)?;
            let opening = prose::opening(subject, &system);
            format!("{opening}\n\n{}", circular::prose(&outcome))
        })?;
        Ok(match outcome {
            Ok(_) => Ending::Accepted,
            Err(_) => Ending::NotAccepted,
        })
    }

    fn exact(&self, subject: &Subject, console: &Console) -> Result<Ending> {
        let budget = self.budget.budget(None);
        let solver = self.solver.exact_solver(&budget);
        let answer = subject.setup.answer(&*solver, &budget).map_err(usage)?;
        console.line(if console.json {
            json::run(subject, &answer)
        } else {
            prose::run(subject, &answer).map_err(usage)?
        })?;
        Ok(match answer {
            Answer::Failed(why) => {
                console.error(format_args!("{}: {why}", self.solver.name()));
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
}
