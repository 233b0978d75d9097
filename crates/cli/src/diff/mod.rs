//! `etalon diff`: the solver under test over the goldens.

mod asked;
mod junit;
mod scores;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use etalon_conformance::{Capabilities, Subject};
use etalon_evidence::outcome::how_judged;
use etalon_golden::scene_files;
use etalon_judge::Judge;
use etalon_lcp::Claim;

use self::asked::Questions;
pub use self::asked::{Asked, Choice};
use self::junit::JUnit;
pub use self::scores::Answered;
use self::scores::Scores;
use super::args::{BudgetArgs, ToleranceArgs};
use super::check::judging::judged;
use super::console::Console;
use super::goldens::GoldenArgs;
use super::jobs::JobArgs;
use super::solver_args::{Pool, SolverArgs, quote};
use super::{Ending, Fatal, Result, interrupt};

/// Run a solver over the goldens, or over problems of your own, and judge every answer.
///
/// The solver reads a problem a line and answers each with a claim on one line, flushed. It is
/// started without a shell, and again after a crash, a hang or an answer that is no claim; these
/// count as `failed`. It gets the problems in binary64 numbers that are within its capabilities (--can), those
/// with friction rows only on request. Of a trajectory it gets each step's problem, rounded to
/// binary64.
#[derive(Args)]
#[command(after_help = "\
Example: etalon diff --solver 'python3 my_solver.py' golden/problems/statics
         etalon diff --solver ./my_solver --can friction,boxes --junit report.xml --lines verdicts.jsonl")]
pub struct Diff {
    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    goldens: GoldenArgs,

    /// Send only the problem of this name
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// Send problems with friction rows, too
    #[arg(long)]
    friction: bool,

    /// Send no steps of trajectories
    #[arg(long)]
    no_steps: bool,

    /// Write a verdict a line into this file, with suite, seconds, and the kind of failure
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    /// Write a report in JUnit XML into this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    budget: BudgetArgs,
}

impl Diff {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        let can = self.capabilities();
        let paths = self.goldens.paths("", console)?;
        let questions = self.questions(&paths, &can, console)?;
        if questions.sent.is_empty() && questions.kept.is_empty() && !questions.unreadable {
            console.error(if scene_files(&paths)?.is_empty() {
                "there is nothing to send"
            } else {
                "golden scenes are not sent: `etalon scenario run SCENE --solver CMD` asks one of a scene, and golden/problems/scenes has problems of theirs"
            });
        }
        let judge = self.judge();
        let pool = Pool::new(&self.solver);
        let answers = self.jobs.map(&questions.sent, console, |asked: &Asked| {
            pool.with(|solver| answer(solver, &judge, asked))
        });
        let mut scores = Scores::default();
        let solver = self.solver.solver.text();
        let mut junit = JUnit::new(solver);
        let mut lines = String::new();
        for (asked, answered) in questions.sent.iter().zip(&answers) {
            for complaint in &answered.complaints {
                console.error(complaint);
            }
            let again = self.again(asked);
            junit.count(asked, answered, &again);
            lines += &format!("{}\n", answered.record(asked, solver));
            scores.count(asked, answered, solver, again);
        }
        for (asked, skip) in &questions.kept {
            junit.skip(asked, skip);
            scores.skip(skip);
        }
        if let Some(file) = &self.lines {
            write(file, &lines)?;
        }
        if let Some(file) = &self.junit {
            write(file, &junit.into_text()?)?;
        }
        console.line(if console.json {
            scores.to_json()
        } else {
            scores.to_text()
        })?;
        let broken = answers
            .iter()
            .any(|answered| !answered.complaints.is_empty());
        let unreadable = questions.unreadable || broken || questions.sent.is_empty();
        Ok(if unreadable {
            Ending::Unreadable
        } else if scores.all_accepted() {
            Ending::Accepted
        } else {
            Ending::NotAccepted
        })
    }

    fn questions(
        &self,
        paths: &[PathBuf],
        can: &Capabilities,
        console: &Console,
    ) -> Result<Questions> {
        let choice = Choice {
            paths,
            only: self.only.as_deref(),
            can,
            steps: !self.no_steps,
        };
        choice.questions(&self.jobs, console)
    }

    fn capabilities(&self) -> Capabilities {
        let mut can = self.solver.allowed.capabilities();
        can.friction |= self.friction;
        can
    }

    fn judge(&self) -> Judge {
        Judge {
            tolerance: self.tolerance.tolerance(),
            prove: false,
            accept_perturbed: self.tolerance.accept_perturbed,
            budget: self.budget.proof_budget(),
        }
    }

    fn again(&self, asked: &Asked) -> String {
        let (solver, file) = (quote(self.solver.solver.text()), quote(&asked.origin.file));
        let name = quote(asked.problem.name());
        let friction = if asked.problem.friction().is_empty() {
            ""
        } else {
            " --friction"
        };
        let limits = self.solver.allowed.words();
        let tolerance = self.tolerance.words();
        format!("etalon diff --solver {solver}{friction}{limits}{tolerance} {file} --only {name}")
    }
}

/// Asks one problem and judges the answer.
pub fn answer(solver: &dyn Subject, judge: &Judge, asked: &Asked) -> Answered {
    let start = Instant::now();
    let (claim, failure) = match solver.ask(&asked.problem) {
        Ok(claim) => (claim, None),
        Err(failure) => {
            let claim = Claim::failed(asked.problem.name(), failure.message.clone());
            (claim, Some(failure))
        }
    };
    let took = start.elapsed();
    let (seconds, pivots) = (claim.seconds, claim.pivots);
    let mut complaints = Vec::new();
    let judged = judged(
        judge,
        &asked.origin,
        &asked.problem,
        &claim,
        &mut complaints,
    );
    Answered {
        judged,
        failure,
        took,
        seconds,
        pivots,
        complaints,
        how: how_judged(judge),
    }
}

fn write(file: &std::path::Path, text: &str) -> Result<()> {
    let written = fs::File::create(file).and_then(|mut open| open.write_all(text.as_bytes()));
    written.map_err(|error| Fatal::Usage(format!("{}: {error}", file.display())))
}
