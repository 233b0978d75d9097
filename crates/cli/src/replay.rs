//! `etalon replay`: the solver under test on the problems of a trajectory, and in closed loop.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use clap_complete::ArgValueCandidates;
use etalon_evidence::measure::figures::{four_digits, four_digits_up};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::files::{exists, text};
use etalon_golden::{FoundFiles, Trajectory, read_trajectory};
use etalon_judge::Judge;
use etalon_lcp::record::write_problem;
use etalon_lcp::{Solver, short_text};
use etalon_replay::trajectories::Replay as Stored;
use etalon_replay::{Cause, ClosedLoop, Parting, Replayed, Trial, closed_loop, replay_step};
use serde_json::json;

use super::args::{BudgetArgs, ToleranceArgs, duration};
use super::colours::{self, verdict_cells};
use super::completions::solver_names;
use super::console::{Console, table};
use super::goldens::GoldenArgs;
use super::scenario::solver::{SolverChoice, command_solver};
use super::{Ending, Fatal, Result, interrupt};

/// Test a solver on stored trajectories: it gets the problem of each step, and each answer
/// is judged exactly.
///
/// A step starts from the recorded state, so an error in one step does not change the steps
/// after it. Problems are rounded to binary64 for solvers that do not take fractions, and
/// judged as sent. An answer with another basis than the recorded one can be right: it is counted, with
/// the difference that it makes to the velocity. With --closed-loop the solver's own answers make the
/// motion instead. The report then says which laws of motion it breaks, such as energy gained at a contact. It says, too, where the bases
/// first differ from the recorded ones, why, and how far the motions are apart. The last problem of each step counts.
#[derive(Args)]
#[command(after_help = "\
Example: etalon scenario run rod --set h=0.01 --out rod.jsonl
         etalon replay rod.jsonl --solver fast
         etalon replay rod.jsonl --solver 'python3 my_solver.py' --closed-loop")]
pub struct Replay {
    #[command(flatten)]
    goldens: GoldenArgs,

    /// The solver: fast, exact, a method by its name, or the command of a solver
    #[arg(long, value_name = "SOLVER", add = ArgValueCandidates::new(solver_names))]
    solver: SolverChoice,

    /// Let the solver's answers make the motion, from the start
    #[arg(long)]
    closed_loop: bool,

    /// Print nothing but the problem of step K as the solver is sent it
    #[arg(long, value_name = "K", conflicts_with = "closed_loop")]
    problem: Option<u64>,

    /// Longest time of a solver's command for one problem
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    timeout: Duration,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    #[command(flatten)]
    budget: BudgetArgs,
}

/// The distance from which two motions count as apart, m or rad.
const APART: f64 = 1e-6;

/// The number of failures of a trajectory that are listed.
const TOLD: usize = 5;

impl Replay {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        let paths = self.goldens.paths("trajectories", console)?;
        let mut ending = Ending::Accepted;
        let mut stored = Vec::new();
        let found = FoundFiles::below(&paths).map_err(|error| Fatal::Usage(error.to_string()))?;
        for file in &found.trajectories {
            match read_trajectory(file) {
                Ok(trajectory) => stored.push(trajectory),
                Err(error) => {
                    console.error(error);
                    ending = Ending::Unreadable;
                }
            }
        }
        if stored.is_empty() {
            return Err(Fatal::Usage(nothing_to_replay(&found)));
        }
        let solver = self.solver();
        let trial = Trial {
            solver: &*solver,
            exact: self.solver.is_exact(),
            judge: Judge {
                tolerance: self.tolerance.tolerance(),
                prove: false,
                accept_perturbed: self.tolerance.accept_perturbed,
                budget: self.budget.proof_budget(),
            },
        };
        if let Some(k) = self.problem {
            return self.print_problem(&stored, k, &trial, console);
        }
        let came = if self.closed_loop {
            self.drive(&stored, &trial, console)?
        } else {
            self.replay(&stored, &trial, console)?
        };
        Ok(ending.max(came))
    }

    fn solver(&self) -> Box<dyn Solver> {
        let budget: Budget = self.budget.budget();
        match &self.solver {
            SolverChoice::Reference => ExactMethod::Lemke.solver(&budget),
            SolverChoice::Exact(method) => etalon_methods::Method::Exact(*method).solver(&budget),
            SolverChoice::Fast(method) => method.solver(),
            SolverChoice::Process(command) => command_solver(command, self.timeout),
        }
    }

    fn print_problem(
        &self,
        stored: &[Trajectory],
        k: u64,
        trial: &Trial<'_>,
        console: &Console,
    ) -> Result<Ending> {
        let [trajectory] = stored else {
            return Err(Fatal::Usage(
                "name one trajectory to take a problem from".to_owned(),
            ));
        };
        let wrong = |why: String| Fatal::Usage(format!("{}, step {k}: {why}", trajectory.file));
        if k == 0 || k > trajectory.steps.len() as u64 {
            let last = trajectory.steps.len();
            return Err(wrong(format!("there are steps 1 to {last}")));
        }
        let replay = Stored::new(trajectory).map_err(|error| wrong(error.to_string()))?;
        let (_, record) = replay.recorded(k).map_err(wrong)?;
        let problem = trial.sent(&record.problem).map_err(wrong)?;
        console.line(write_problem(&problem))?;
        Ok(Ending::Accepted)
    }

    fn replay(
        &self,
        stored: &[Trajectory],
        trial: &Trial<'_>,
        console: &Console,
    ) -> Result<Ending> {
        let mut ending = Ending::Accepted;
        let mut rows = Vec::new();
        let bar = console.bar(Some(stored.iter().map(|t| t.steps.len()).sum()));
        for trajectory in stored {
            let replay = match Stored::new(trajectory) {
                Ok(replay) => replay,
                Err(error) => {
                    console.error(format_args!("{}: {error}", trajectory.origin(0)));
                    ending = Ending::Unreadable;
                    continue;
                }
            };
            let mut found = Replayed::default();
            for k in 1..=replay.len() {
                match replay_step(&replay, k, trial) {
                    Ok(Some(step)) => found.count(step),
                    Ok(None) => {}
                    Err(why) => {
                        console.error(format_args!("{}: {why}", trajectory.origin(k)));
                        ending = Ending::Unreadable;
                        break;
                    }
                }
                bar.inc(1);
            }
            if !found.failures.is_empty() {
                ending = ending.max(Ending::NotAccepted);
            }
            bar.suspend(|| self.tell(trajectory, &found, console));
            if console.json {
                let mut value = found.json();
                value["trajectory"] = json!(trajectory.file);
                console.line(value)?;
            }
            rows.push(row(&trajectory.file, &found));
        }
        bar.finish_and_clear();
        if !console.json {
            console.line(verdict_cells(&table(&HEADER, 1..HEADER.len(), rows)))?;
        }
        Ok(ending)
    }

    fn tell(&self, trajectory: &Trajectory, found: &Replayed, console: &Console) {
        for step in found.failures.iter().take(TOLD) {
            let reason = step.verdict.reason.as_deref().unwrap_or("");
            let word = colours::verdict(step.verdict.kind);
            console.error(format_args!(
                "{}: {word}: {reason}; its problem: etalon replay {} --solver '{}' --problem {}",
                trajectory.origin(step.k),
                trajectory.file,
                self.solver.name(),
                step.k
            ));
        }
        if let Some(more) = found.failures.len().checked_sub(TOLD + 1) {
            console.error(format_args!("{}: and {} more", trajectory.file, more + 1));
        }
    }

    fn drive(&self, stored: &[Trajectory], trial: &Trial<'_>, console: &Console) -> Result<Ending> {
        let mut ending = Ending::Accepted;
        let bar = console.bar(Some(stored.len()));
        for trajectory in stored {
            let replay = Stored::new(trajectory).map_err(|error| error.to_string());
            let found = replay.and_then(|replay| closed_loop(&replay, trial));
            bar.inc(1);
            match found {
                Err(why) => {
                    let why = format!("{}: {why}", trajectory.file);
                    bar.suspend(|| console.warning(why));
                    if stored.len() == 1 {
                        ending = Ending::Unreadable;
                    }
                }
                Ok(found) => {
                    let broken = !found.breaches.is_empty();
                    if found.ended.is_some() || !found.failures.is_empty() || broken {
                        ending = ending.max(Ending::NotAccepted);
                    }
                    let mut value = found.json();
                    value["trajectory"] = json!(trajectory.file);
                    let text = prose(trajectory, self.solver.name(), &found);
                    bar.suspend(|| {
                        console.line(if console.json {
                            value.to_string()
                        } else {
                            text
                        })
                    })?;
                }
            }
        }
        bar.finish_and_clear();
        Ok(ending)
    }
}

/// Why there is no trajectory, and what takes that which is there.
/// Whether a regular file has nothing in it.
fn is_blank(file: &Path) -> bool {
    text(file).is_ok_and(|text| text.trim().is_empty())
}

fn nothing_to_replay(found: &FoundFiles) -> String {
    let nothing = "there is no trajectory to replay";
    match (
        found.trajectories.first(),
        found.scenes.first(),
        found.problems.first(),
    ) {
        (None, Some(file), _) => format!(
            "{nothing}: {file} holds scenes with their forces, which do not move; `etalon verify {file}` re-checks them, and `etalon scenario run SCENE --solver CMD` asks a solver of one",
            file = file.display()
        ),
        (None, None, Some(file)) if !exists(file) => {
            format!("{}: there is no such file", file.display())
        }
        (None, None, Some(file)) if is_blank(file) => {
            format!("{nothing}: there is nothing in {}", file.display())
        }
        (None, None, Some(file)) => format!(
            "{nothing}: {file} holds problems; `etalon diff {file} --solver CMD` sends them to a solver",
            file = file.display()
        ),
        _ => nothing.to_owned(),
    }
}

const HEADER: [&str; 7] = [
    "trajectory",
    "problems",
    "accepted",
    "other basis",
    "first",
    "velocity apart",
    "error",
];

fn row(file: &str, found: &Replayed) -> Vec<String> {
    vec![
        file.to_owned(),
        found.problems.to_string(),
        found.accepted.to_string(),
        found.other_basis.to_string(),
        found
            .first_other_basis
            .map_or("-".to_owned(), |k| k.to_string()),
        four_digits(found.apart),
        four_digits_up(found.error),
    ]
}

/// That no basis is another one, and of how many steps that is said.
fn of_bases(compared: u64, all: usize) -> String {
    match compared {
        0 => "\n  It took no step, so that no basis was compared.".to_owned(),
        compared if compared < all as u64 => {
            format!("\n  The bases of these {compared} steps are the recorded ones.")
        }
        _ => "\n  All bases are the recorded ones.".to_owned(),
    }
}

/// The result of a run in closed loop, for people.
fn prose(trajectory: &Trajectory, solver: &str, found: &ClosedLoop) -> String {
    let mut text = format!(
        "{}: {solver} took {} of {} steps; {} answers accepted, error at most {}.",
        trajectory.file,
        found.steps,
        trajectory.steps.len(),
        found.accepted,
        four_digits_up(found.error)
    );
    if let Some(why) = &found.ended {
        text += &format!("\n  It ended there: {why}");
    }
    for (k, verdict) in found.failures.iter().take(TOLD) {
        let reason = verdict.reason.as_deref().unwrap_or("");
        text += &format!("\n  Step {k}: {}: {reason}", colours::verdict(verdict.kind));
    }
    text += &broken(found);
    text += &match &found.parting {
        Some(parting) => format!("\n  {}", why(parting)),
        None => of_bases(found.steps, trajectory.steps.len()),
    };
    if let Some(first) = found.first_apart(APART) {
        text += &format!(
            "\n  The motions are apart by more than {APART:e} after step {}.",
            first.k
        );
    }
    if let (Some(furthest), Some(last)) = (found.furthest(), found.divergence.last()) {
        text += &format!(
            "\n  Furthest apart in q: {} after step {}; at the end {} in q, {} in v.",
            four_digits(furthest.q),
            furthest.k,
            four_digits(last.q),
            four_digits(last.v)
        );
    }
    text
}

/// What the motion breaks of the laws of motion: the worst gain of energy first, then the laws in the order of steps.
fn broken(found: &ClosedLoop) -> String {
    let mut text = String::new();
    if let Some(worst) = found.worst_gain() {
        text += &format!(
            "\n  It gained {} J in step {} at {}, the most of any step.",
            short_text(&worst.amount),
            worst.step,
            worst.place
        );
    }
    for breach in found.breaches.iter().take(TOLD) {
        text += &format!("\n  Broken: {breach}");
    }
    if let Some(more) = found.breaches.len().checked_sub(TOLD + 1) {
        text += &format!("\n  Broken: {} laws more", more + 1);
    }
    text
}

fn why(parting: &Parting) -> String {
    let velocity = match parting.velocity {
        Some(v) if v <= 1e-9 => "; the velocity is the same".to_owned(),
        Some(v) => format!("; the velocities differ by {}", four_digits(v)),
        None => String::new(),
    };
    let cause = match parting.cause {
        Cause::Wrong => "its answer is not right".to_owned(),
        Cause::NotUnique => {
            format!("both are right, the problem has several solutions{velocity}")
        }
        Cause::State => "both are right; rounding had made another problem of the step".to_owned(),
        Cause::Contacts => "rounding had made other contacts take part".to_owned(),
    };
    let [recorded, own] = &parting.bases;
    format!(
        "The bases part in step {}, {} apart in q before it ({recorded} recorded, {own} here): {cause}.",
        parting.k,
        four_digits(parting.before)
    )
}
