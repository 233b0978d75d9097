//! `etalon shrink`: the smallest, simplest problem that a solver still gets wrong.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap_complete::ArgValueCandidates;
use etalon_conformance::{
    Capabilities, Deadline, Language, ShrinkError, ShrinkLimits, Shrinker, easy_ones, snippet,
};
use etalon_golden::find_problem;
use etalon_lcp::Problem;
use etalon_lcp::record::write_problem;

use super::args::{ToleranceArgs, duration};
use super::completions::golden_names;
use super::console::Console;
use super::diff::{Choice, no_such_problem};
use super::finding::Small;
use super::fuzz::TargetArgs;
use super::goldens::usual;
use super::jobs::JobArgs;
use super::outputs::check_outputs;
use super::solver_args::check_alive;
use super::{Ending, Fatal, Result, interrupt};

/// Make a problem that a solver gets wrong as small and simple as possible.
///
/// Shrinking removes rows, then simplifies numbers: zeros, small integers, powers of two, fewer bits. Every step asks the
/// solver again and judges the answer exactly. The fault stays the same, its grade becomes no milder, and a symmetric M
/// stays symmetric; --keep names further properties to keep. The output has the problem and its exact answer, also as a
/// record and as lines of Rust, C++ and Python. The solver counts as able to do what the given problem has. --out writes
/// the record, with its truth and the proof, for `check`, `solve`, `diff` and `show`. Nothing is written where the solver
/// is right.
#[derive(Args)]
#[command(after_help = "\
Example: etalon shrink --solver 'python3 my_solver.py' problem.json --out small.json
         etalon shrink --solver 'python3 my_solver.py' problem.json --out - | etalon solve -
         etalon shrink --solver 'python3 my_solver.py' --only reports/dart_dantzig_rounded_tie --corpus small")]
pub struct ShrinkCommand {
    #[command(flatten)]
    target: TargetArgs,

    /// The file with the problem, or a trajectory; [default: the goldens]
    #[arg(value_name = "FILE", required_unless_present = "only")]
    file: Option<PathBuf>,

    /// The problem of this name, where the file has several; of a trajectory 'NAME/step K'
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(golden_names))]
    only: Option<String>,

    /// Longest time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    budget: Duration,

    /// Largest number of times to ask the solver
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    questions: u64,

    /// Write the record of the small problem into this file; - for standard output, and nothing else there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the small problem into this folder, with its description
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    #[command(flatten)]
    jobs: JobArgs,
}

impl ShrinkCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        let out = self.out.as_deref().filter(|file| file.as_os_str() != "-");
        check_outputs(&[("--out", out)], &[])?;
        let problem = self.problem(console)?;
        let subject = self.target.subject(&Deadline::never())?;
        let examiner = self.target.examiner(self.can(&problem), &self.tolerance);
        let deadline = Deadline::after(self.budget);
        let shown = examiner.examine(&*subject, &problem);
        if let Err(failure) = &shown.claim {
            check_alive(
                &*subject,
                Some(failure.clone()),
                easy_ones(&problem),
                &deadline,
            )?;
        }
        let shrinker = Shrinker {
            subject: &*subject,
            examiner: &examiner,
            keep: self.target.keep,
            limits: ShrinkLimits {
                questions: self.questions,
                deadline: deadline.end(),
            },
        };
        let shrunk = match shrinker.shrink_from(&problem, shown) {
            Ok(shrunk) => shrunk,
            Err(error @ ShrinkError::NoFault) => {
                console.note(error);
                return Ok(Ending::Accepted);
            }
            Err(error) => return Err(Fatal::Usage(error.to_string())),
        };
        let small = Small::of(&shrunk, &*subject, &examiner);
        let again = |file: &std::path::Path| {
            let file = super::solver_args::quote(&file.display().to_string());
            format!(
                "etalon shrink {} {file}",
                self.target.words(&self.tolerance)
            )
        };
        if let Some(folder) = &self.corpus {
            let file = small.save(folder, again)?;
            console.note(format_args!("{}", file.display()));
        }
        self.print(&small, console)?;
        let (from, to, questions) = (problem.n(), small.problem.n(), shrunk.questions);
        let more = if shrunk.finished {
            "nothing simpler is as wrong"
        } else {
            "the budget ran out"
        };
        console.note(format_args!(
            "from {from} to {to} rows in {questions} questions; {more}"
        ));
        Ok(Ending::NotAccepted)
    }

    /// What the solver is asked: what the user says that it can do, and whatever the problem has, because the user names
    /// that. It is not asked what it can do: one that is wrong only at times may spend a wrong answer on that.
    fn can(&self, problem: &Problem) -> Capabilities {
        let mut can = self.target.allowed.can.clone().unwrap_or_default();
        while let Some(more) = can.lacks(problem).and_then(|skip| can.with(&skip)) {
            can = more;
        }
        can
    }

    /// The record into the file of --out, and the words where that is not standard output.
    fn print(&self, small: &Small, console: &Console) -> Result<()> {
        if let Some(file) = &self.out {
            let record = small.record(file);
            if file.as_os_str() == "-" {
                return console.line(record);
            }
            let written = std::fs::write(file, record + "\n");
            written.map_err(|error| Fatal::Usage(format!("{}: {error}", file.display())))?;
        }
        if console.json {
            return console.line(small.to_json());
        }
        console.line(small.to_text())?;
        console.line(format_args!("\nrecord:\n{}", write_problem(&small.problem)))?;
        for language in Language::ALL {
            let code = snippet(language, &small.problem, &small.answer());
            console.line(format_args!("\n{language}:\n{code}"))?;
        }
        Ok(())
    }

    /// The problem that is named, whatever the solver can do.
    fn problem(&self, console: &Console) -> Result<Problem> {
        let (path, place) = match &self.file {
            Some(file) => (file.clone(), "in the file"),
            None => (usual(console), "among the goldens"),
        };
        // Most names are those of golden problems, and then the steps of all trajectories need not be read.
        if let (None, Some(name)) = (&self.file, &self.only)
            && let Some(golden) = find_problem(&path, name)?
        {
            return Ok(golden.problem);
        }
        let choice = Choice {
            paths: &[path],
            only: self.only.as_deref(),
            can: &Capabilities::all(),
            steps: true,
            until: None,
        };
        let questions = choice.questions(&self.jobs, console)?;
        if questions.unreadable {
            return Err(Fatal::Usage(format!("not all can be read {place}")));
        }
        let kept = questions.kept.into_iter().map(|(asked, _)| asked);
        let mut found = questions.sent.into_iter().chain(kept);
        match (found.next(), found.next()) {
            (Some(asked), None) => Ok(asked.problem),
            (None, _) => Err(Fatal::Usage(match &self.only {
                Some(name) => no_such_problem(name, choice.paths)?,
                None => format!("there is no problem {place}"),
            })),
            (Some(_), Some(_)) => {
                let why = "the file has several problems; name one with --only";
                Err(Fatal::Usage(why.to_owned()))
            }
        }
    }
}
