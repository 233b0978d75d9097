//! `etalon diff`: the solver under test over the goldens.

mod answered;
mod asked;
mod asking;
mod brief;
mod junit;
mod published;
mod scores;
mod suites;
mod unsent;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCandidates;
use etalon_conformance::{Capabilities, Severity};
use etalon_golden::scene_files;
use etalon_judge::Judge;

pub use self::answered::Answered;
use self::asked::Questions;
pub use self::asked::{Asked, Choice, no_such_problem};
pub use self::asking::answer;
use self::asking::{Asking, Heard};
pub use self::brief::Failures;
use self::junit::JUnit;
use self::scores::{Commands, Scores};
use super::again::Again;
use super::args::{BudgetArgs, ToleranceArgs};
use super::completions::golden_names;
use super::console::Console;
use super::goldens::GoldenArgs;
use super::jobs::JobArgs;
use super::outputs::check_outputs;
use super::solver_args::{Pool, SolverArgs};
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
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(golden_names))]
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

    /// Show so many failures in full, or all, and the table of suites [default: a few, a line each]
    #[arg(long, value_name = "N")]
    failures: Option<Failures>,

    /// Write what is printed into this file, with every failure in full
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write a report in JUnit XML into this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write a summary in Markdown into this file, for the page of a run
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,

    /// Write the JSON of a badge into this file, as shields.io reads it
    #[arg(long, value_name = "FILE")]
    badge: Option<PathBuf>,

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
        let files = [
            ("--lines", &self.lines),
            ("--junit", &self.junit),
            ("--out", &self.out),
            ("--markdown", &self.markdown),
            ("--badge", &self.badge),
        ];
        check_outputs(&files.map(|(option, file)| (option, file.as_deref())), &[])?;
        let pool = self.solver.pool();
        let paths = self.goldens.paths("", console)?;
        let can = self.capabilities(&pool, console)?;
        let asking = Asking {
            pool: &pool,
            judge: &self.judge(),
            jobs: &self.jobs,
            console,
        };
        let choice = self.choice(&paths, &can);
        let mut questions = choice.problems(&self.jobs, console)?;
        // Before the steps of trajectories are derived, which takes as long as many answers.
        let mut answers = Vec::new();
        asking.first(&questions.sent, &mut answers)?;
        choice.add_trajectories(&self.jobs, console, &mut questions);
        if questions.sent.is_empty() && questions.kept.is_empty() && !questions.unreadable {
            return Err(Fatal::Usage(match &self.only {
                Some(name) => no_such_problem(name, &paths)?,
                None if scene_files(&paths)?.is_empty() => "there is nothing to send".to_owned(),
                None => "golden scenes are not sent: `etalon scenario run SCENE --solver CMD` asks one of a scene, and golden/problems/scenes has problems of theirs".to_owned(),
            }));
        }
        let heard = asking.all(&questions.sent, answers)?;
        self.report(&questions, &can, &heard, console)
    }

    /// Writes what came of it, everywhere where it is wanted.
    fn report(
        &self,
        questions: &Questions,
        can: &Capabilities,
        heard: &Heard,
        console: &Console,
    ) -> Result<Ending> {
        let answers = &heard.answers;
        let mut scores = Scores::of(can.clone());
        let solver = self.solver.solver.text();
        let mut junit = JUnit::new(solver);
        for (asked, answered) in questions.sent.iter().zip(answers) {
            for complaint in &answered.complaints {
                console.error(complaint);
            }
            let again = asked.again(&self.again());
            junit.count(asked, answered, &again);
            let gave_up = answered.class().severity == Severity::GaveUp;
            let shrink = asked.shrink(&self.again(), gave_up);
            scores.count(asked, answered, solver, Commands { again, shrink });
        }
        for (asked, skip) in &questions.kept {
            junit.skip(asked, skip);
            scores.skip(skip);
        }
        self.write_lines(questions, heard)?;
        self.write_files(&scores, heard, junit)?;
        console.line(if console.json {
            scores.to_value().to_string()
        } else {
            scores.to_text(self.failures, heard.slow)
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

    /// Writes a verdict a line, where that is asked for. Each has the digest of its problem, which is written out for it: on all cores.
    fn write_lines(&self, questions: &Questions, heard: &Heard) -> Result<()> {
        let Some(file) = &self.lines else {
            return Ok(());
        };
        let both: Vec<_> = questions.sent.iter().zip(&heard.answers).collect();
        let line = |(asked, answered): &(&Asked, &Answered)| {
            let again = asked.again(&self.again());
            let record = answered.record(asked, self.solver.solver.text(), Some(&again));
            format!("{record}\n")
        };
        write(file, &self.jobs.apply(&both, || (), line).concat())
    }

    /// Writes the other files that were asked for.
    fn write_files(&self, scores: &Scores, heard: &Heard, junit: JUnit) -> Result<()> {
        let solver = self.solver.solver.text();
        if let Some(file) = &self.junit {
            write(file, &junit.into_text()?)?;
        }
        if let Some(file) = &self.out {
            write(file, &(scores.to_whole_text(heard.slow) + "\n"))?;
        }
        if let Some(file) = &self.markdown {
            write(
                file,
                &published::markdown(scores, solver, self.failures.unwrap_or(MARKDOWN)),
            )?;
        }
        if let Some(file) = &self.badge {
            write(file, &published::badge(scores))?;
        }
        Ok(())
    }

    fn choice<'a>(&'a self, paths: &'a [PathBuf], can: &'a Capabilities) -> Choice<'a> {
        Choice {
            paths,
            only: self.only.as_deref(),
            can,
            steps: !self.no_steps,
            until: None,
        }
    }

    fn capabilities(&self, pool: &Pool, console: &Console) -> Result<Capabilities> {
        let allowed = &self.solver.allowed;
        let mut can = pool.with(|solver| allowed.capabilities(solver, console))?;
        can.friction |= self.friction;
        Ok(can)
    }

    fn judge(&self) -> Judge {
        Judge {
            tolerance: self.tolerance.tolerance(),
            prove: false,
            accept_perturbed: self.tolerance.accept_perturbed,
            budget: self.budget.proof_budget(),
        }
    }

    fn again(&self) -> Again<'_> {
        Again {
            solver: self.solver.solver.text(),
            can: self.solver.allowed.can.as_ref(),
            allowed: &self.solver.allowed,
            tolerance: &self.tolerance,
            by_name: self.goldens.are_usual(),
        }
    }
}

/// Failures that a summary in Markdown shows in full, where nothing else is asked for.
const MARKDOWN: Failures = Failures::Most(3);

fn write(file: &std::path::Path, text: &str) -> Result<()> {
    let written = fs::File::create(file).and_then(|mut open| open.write_all(text.as_bytes()));
    written.map_err(|error| Fatal::Usage(format!("{}: {error}", file.display())))
}
