//! `etalon report`: one HTML file of all figures.

mod measuring;
mod outcome;
mod own;
mod plan;
mod process_subject;
mod questions;
mod subjects;
mod target;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use etalon_conformance::Deadline;
use etalon_evidence::measure::machine::Machine;
use etalon_evidence::outcome::{CommonJudging, Outcome, digest_of, how_judged, read_outcomes};
use etalon_evidence::report::{About, Report, ReportedTrajectory, Shown, summary};
use etalon_golden::trajectory_files;
use rug::Rational;

use self::measuring::Measuring;
use self::process_subject::ProcessSubject;
use self::questions::QuestionArgs;
use self::subjects::SubjectArgs;
use self::target::Target;
use super::args::{ToleranceArgs, duration, duration_or_none};
use super::console::Console;
use super::diff::Failures;
use super::outputs::check_outputs;
use super::scoreboard::judge;
use super::solver_args::quote;
use super::{Ending, Fatal, Result, interrupt};

/// Write one HTML file of all figures: right and wrong answers, times, errors, growth of numbers, and
/// trajectories.
///
/// Without arguments the solvers of this program are measured on families of generated problems, small
/// ones first, until the budget ends; every answer is judged exactly. --solver and --adapters
/// add solvers of other projects and shrink their failures; --from reads judged answers
/// in place of measuring. The file needs no other: no network, no fonts. docs/report.md says what
/// each figure means.
#[derive(Args)]
#[command(after_help = "\
Example: etalon report --out report.html
         etalon report --solver 'mine=python3 my_solver.py' golden/problems/statics
         etalon diff --solver ./my_solver --lines mine.jsonl; etalon report --from mine=mine.jsonl

Exit status 0: the report is written, whatever the solvers said.")]
pub struct ReportCommand {
    #[command(flatten)]
    questions: QuestionArgs,

    /// The file of the report
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,

    /// Time for all that is asked, judged and shrunk: each --solver and each adapter gets an equal share, and the solvers of
    /// this program what is left. The page names what there was no time for. Adapters are built before it begins
    #[arg(long, value_name = "TIME", default_value = "40s", value_parser = duration_or_none)]
    budget: Duration,

    #[command(flatten)]
    subjects: SubjectArgs,

    /// Read judged answers, as --lines of diff, scoreboard and report or check --out writes them;
    /// several may be given, if they agree. Then nothing is measured without --own
    #[arg(long, value_name = "[NAME=]FILE")]
    from: Vec<String>,

    /// Measure the solvers of this program even with --from
    #[arg(long)]
    own: bool,

    /// Longest time to shrink the failures of each solver, within the budget
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    shrink: Duration,

    /// Show so many failures of each kind and solver, or all
    #[arg(long, value_name = "N", default_value = "5")]
    failures: Failures,

    /// Show trajectories, and folders of them; the golden ones where no PATH is given
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = GOLDEN)]
    trajectories: Vec<PathBuf>,

    /// Write a line for each judged answer into this file
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    #[command(flatten)]
    tolerance: ToleranceArgs,
}

/// What stands for the golden trajectories, wherever they are.
const GOLDEN: &str = "golden/trajectories";

impl ReportCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        // All that may be wrong with the files, before anything is run.
        let page = Target::new(&self.out)?;
        let lines = self.lines.as_deref().map(Target::new).transpose()?;
        let files = [
            ("--out", Some(&*self.out)),
            ("--lines", self.lines.as_deref()),
        ];
        check_outputs(&files, &[])?;
        let start = Instant::now();
        let mut report = Report {
            about: self.about(),
            shown: match self.failures {
                Failures::All => Shown::All,
                Failures::Most(most) => Shown::Most(most),
            },
            ..Report::default()
        };
        let mut agreement = CommonJudging::default();
        report.outcomes = self.read(&mut agreement)?;
        report.complete("read from records");
        self.say_how(&agreement, &mut report);
        report.motions = self.motions(console)?;
        let adapters = self.subjects.adapters(console, &mut report.notes)?;
        let deadline = Deadline::after(self.budget);
        let subjects = self.subjects.all(adapters, &deadline, console)?;
        let own = self.own || self.from.is_empty();
        if own || !subjects.is_empty() {
            let sides = Sides {
                own,
                subjects: &subjects,
            };
            self.measure(&sides, &deadline, &mut agreement, console, &mut report)?;
        }
        report.users_first();
        report.about.took = start.elapsed();
        let html = report
            .html()
            .map_err(|error| Fatal::Usage(error.to_string()))?;
        if let Some(lines) = lines {
            let text: String = report.outcomes.iter().map(|o| o.line() + "\n").collect();
            lines.write(&text)?;
        }
        page.write(&html)?;
        if console.json {
            console.line(summary(&report))?;
        } else {
            console.note(format_args!("{}", self.out.display()));
        }
        Ok(Ending::Accepted)
    }

    fn about(&self) -> About {
        let mut words = std::env::args();
        let program = words.next().map(|_| "etalon".to_owned());
        let words = program.into_iter().chain(words.map(|word| quote(&word)));
        About {
            command: words.collect::<Vec<_>>().join(" "),
            version: format!("etalon {}", etalon::version::short()),
            seed: (self.own || self.from.is_empty()).then_some(self.questions.seed),
            tolerance: shown_tolerance(&self.tolerance.tol),
            machine: Some(Machine::here()),
            unoptimised: cfg!(debug_assertions),
            took: Duration::ZERO,
        }
    }

    /// The options and versions by which answers from files were judged, where the files state them.
    fn say_how(&self, agreement: &CommonJudging, report: &mut Report) {
        let tolerance = agreement.how().and_then(|how| how.get("tol")?.as_str());
        if let Some(Ok(tolerance)) = tolerance.map(etalon_lcp::parse_rational) {
            report.about.tolerance = shown_tolerance(&tolerance);
        }
        if agreement.silent() > 0 {
            report.notes.push(format!(
                "{} of the answers read from files do not say how they were judged, nor of which problem they are but by its name.",
                agreement.silent()
            ));
        }
    }

    /// The outcomes of --from, which must agree with each other.
    fn read(&self, agreement: &mut CommonJudging) -> Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        for given in &self.from {
            let (name, file) = match given.split_once('=') {
                Some((name, file)) if !Path::new(given).exists() => (name.to_owned(), file),
                _ => {
                    let stem = Path::new(given).file_stem().unwrap_or_default();
                    (stem.to_string_lossy().into_owned(), &**given)
                }
            };
            let usage = |error: &dyn std::fmt::Display| Fatal::Usage(error.to_string());
            let read = read_outcomes(Path::new(file), &name).map_err(|error| usage(&error))?;
            agreement.source(file);
            let added = read.iter().try_for_each(|outcome| agreement.add(outcome));
            added.map_err(|error| usage(&error))?;
            outcomes.extend(read);
        }
        Ok(outcomes)
    }

    fn motions(&self, console: &Console) -> Result<Vec<ReportedTrajectory>> {
        let usual = || super::goldens::usual(console).join("trajectories");
        let paths = self.trajectories.iter().map(|path| match path {
            golden if golden == Path::new(GOLDEN) => usual(),
            path => path.clone(),
        });
        let paths: Vec<_> = paths.collect();
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let files = trajectory_files(&paths)?;
        if files.is_empty() {
            let named: Vec<_> = paths
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            return Err(Fatal::Usage(format!(
                "--trajectories {}: there is no trajectory; `etalon scenario run NAME --out FILE` writes one",
                named.join(" ")
            )));
        }
        let motions = files.iter().map(|file| ReportedTrajectory::read(file));
        let motions: std::result::Result<Vec<_>, _> = motions.collect();
        motions.map_err(|error| Fatal::Usage(error.to_string()))
    }

    fn measure(
        &self,
        sides: &Sides<'_>,
        deadline: &Deadline<'_>,
        agreement: &mut CommonJudging,
        console: &Console,
        report: &mut Report,
    ) -> Result<()> {
        let questions = (self.questions).questions(deadline, console, &mut report.notes)?;
        let judge = judge(&self.tolerance);
        agreement.source("this run");
        let agreed = agreement.judged(&how_judged(&judge)).and_then(|()| {
            let mut asked = questions.iter();
            asked.try_for_each(|asked| {
                agreement.problem(asked.problem.name(), &digest_of(&asked.problem))
            })
        });
        agreed.map_err(|error| Fatal::Usage(error.to_string()))?;
        let measuring = Measuring {
            own: sides.own,
            subjects: sides.subjects,
            judge: &judge,
            tolerance: &self.tolerance,
            allowed: &self.subjects.allowed,
            shrinking: self.shrink,
            console,
        };
        measuring.run(&questions, deadline, report)
    }
}

/// Who is measured.
struct Sides<'a> {
    /// Whether the solvers of this program are.
    own: bool,
    subjects: &'a [ProcessSubject],
}

/// A tolerance as the page shows it.
fn shown_tolerance(tolerance: &Rational) -> String {
    format!("{:e}", etalon_lcp::round_up_f64(tolerance))
}
