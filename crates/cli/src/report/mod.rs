//! `etalon report`: one HTML file of all figures.

mod own;
mod plan;
mod process_subject;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use etalon_conformance::process::{Command, Process};
use etalon_evidence::measure::machine::Machine;
use etalon_evidence::outcome::{Agreement, Outcome, digest_of, how_judged, read_outcomes};
use etalon_evidence::report::{About, Motion, Report, summary};
use etalon_golden::trajectory_files;
use rug::Rational;

use self::own::Own;
use self::plan::Plan;
use self::process_subject::{Asking, ProcessSubject, named};
use super::args::{ToleranceArgs, duration};
use super::console::Console;
use super::diff::{Answered, Asked, Choice};
use super::jobs::JobArgs;
use super::scoreboard::adapter::{self, Places};
use super::scoreboard::judge;
use super::solver_args::{AllowedArgs, quote};
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
    /// Problem files and trajectories, and folders of them, to send beside the families
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The file of the report
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,

    /// Time to measure the solvers of this program
    #[arg(long, value_name = "TIME", default_value = "40s", value_parser = duration)]
    budget: Duration,

    /// The seed of the generated problems
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The families of generated problems (etalon gen --list names them); `none` leaves them out
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "pd,psd,p,wall,friction-four,degenerate"
    )]
    families: Vec<String>,

    /// The sizes of generated problems; a family without a size takes its next larger one
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "5,10,20,40,80,160"
    )]
    sizes: Vec<usize>,

    /// The number of problems of each family and size
    #[arg(long, value_name = "K", default_value_t = 3)]
    count: u64,

    /// The command of a solver, its words as a shell would split them; several may be given
    #[arg(long, value_name = "[NAME=]CMD", value_parser = named)]
    solver: Vec<(String, Command)>,

    /// Also run the installed adapters that adapters.json of this folder lists
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "adapters")]
    adapters: Option<PathBuf>,

    /// Only the adapters of these names
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        requires = "adapters"
    )]
    only: Vec<String>,

    /// The Python with the packages that adapters need
    #[arg(long, value_name = "CMD", default_value = "python3")]
    python: String,

    /// The folder in which adapters in C++ are built
    #[arg(long, value_name = "DIR", default_value = "target/adapters")]
    bin: PathBuf,

    /// Read judged answers, as --lines of diff, scoreboard and report or check --out writes them;
    /// several may be given, if they agree. Then nothing is measured without --own
    #[arg(long, value_name = "[NAME=]FILE")]
    from: Vec<String>,

    /// Measure the solvers of this program even with --from
    #[arg(long)]
    own: bool,

    /// Time to shrink the failures of each solver
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    shrink: Duration,

    /// Trajectories to show, and folders of them; [default: the golden trajectories]
    #[arg(long, value_name = "PATH")]
    trajectories: Vec<PathBuf>,

    /// Show no trajectories
    #[arg(long, conflicts_with = "trajectories")]
    no_trajectories: bool,

    /// Write a line for each judged answer into this file
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    #[command(flatten)]
    allowed: AllowedArgs,

    #[command(flatten)]
    jobs: JobArgs,
}

impl ReportCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        // All that may be wrong with the files, before anything is run.
        let page = Target::new(&self.out)?;
        let lines = self.lines.as_deref().map(Target::new).transpose()?;
        let start = Instant::now();
        let mut report = Report {
            about: self.about(),
            ..Report::default()
        };
        let mut agreement = Agreement::default();
        report.outcomes = self.read(&mut agreement)?;
        report.complete("read from records");
        self.say_how(&agreement, &mut report);
        report.motions = self.motions(console)?;
        let subjects = self.subjects(console, &mut report)?;
        let own = self.own || self.from.is_empty();
        if own || !subjects.is_empty() {
            self.measure(own, &subjects, &mut agreement, console, &mut report)?;
        }
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
            seed: (self.own || self.from.is_empty()).then_some(self.seed),
            tolerance: shown_tolerance(&self.tolerance.tol),
            machine: Some(Machine::here()),
            unoptimised: cfg!(debug_assertions),
            took: Duration::ZERO,
        }
    }

    /// The options and versions by which answers from files were judged, where the files state them.
    fn say_how(&self, agreement: &Agreement, report: &mut Report) {
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
    fn read(&self, agreement: &mut Agreement) -> Result<Vec<Outcome>> {
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

    fn motions(&self, console: &Console) -> Result<Vec<Motion>> {
        let paths = match (self.no_trajectories, self.trajectories.is_empty()) {
            (true, _) => Vec::new(),
            (_, false) => self.trajectories.clone(),
            (_, true) => vec![super::goldens::usual(console).join("trajectories")],
        };
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
        let motions = files.iter().map(|file| Motion::read(file));
        let motions: std::result::Result<Vec<_>, _> = motions.collect();
        motions.map_err(|error| Fatal::Usage(error.to_string()))
    }

    /// The solvers of other projects, each with a name of its own.
    fn subjects(&self, console: &Console, report: &mut Report) -> Result<Vec<ProcessSubject>> {
        let own = self.solver.iter().map(|(name, command)| {
            let process = Process::new(command.clone(), self.allowed.limits());
            Ok(ProcessSubject {
                name: name.clone(),
                command: command.clone(),
                can: self.allowed.capabilities(&process, console)?,
                about: command.text().to_owned(),
            })
        });
        let mut all = own.collect::<Result<Vec<ProcessSubject>>>()?;
        if let Some(folder) = &self.adapters {
            fs::create_dir_all(&self.bin).map_err(Fatal::Output)?;
            let places = Places {
                dir: folder,
                bin: &self.bin,
                python: &self.python,
            };
            let found = adapter::installed(&places, &self.only, console)?;
            all.extend(found.installed.into_iter().map(|installed| ProcessSubject {
                name: installed.adapter.name.clone(),
                command: installed.command.clone(),
                can: installed.adapter.can.clone(),
                about: format!(
                    "{} {}; {}",
                    installed.adapter.project, installed.version, installed.adapter.settings
                ),
            }));
            let missing = found.missing.iter();
            report.notes.extend(missing.map(|adapter| {
                format!(
                    "{} is not installed here: {}.",
                    adapter.name, adapter.install
                )
            }));
        }
        for (k, solver) in all.iter().enumerate() {
            let own = solver.name.parse::<etalon_methods::Method>().is_ok();
            if own || all[..k].iter().any(|other| other.name == solver.name) {
                return Err(Fatal::Usage(format!(
                    "two solvers are called {:?}; name one with --solver NAME=CMD",
                    solver.name
                )));
            }
        }
        Ok(all)
    }

    fn measure(
        &self,
        own: bool,
        subjects: &[ProcessSubject],
        agreement: &mut Agreement,
        console: &Console,
        report: &mut Report,
    ) -> Result<()> {
        let questions = self.questions(console)?;
        let judge = judge(&self.tolerance);
        agreement.source("this run");
        let agreed = agreement.judged(&how_judged(&judge)).and_then(|()| {
            let mut asked = questions.iter();
            asked.try_for_each(|asked| {
                agreement.problem(asked.problem.name(), &digest_of(&asked.problem))
            })
        });
        agreed.map_err(|error| Fatal::Usage(error.to_string()))?;
        let asking = Asking {
            judge: &judge,
            tolerance: self.tolerance.tolerance(),
            limits: self.allowed.limits(),
            shrinking: self.shrink,
            console,
        };
        for solver in subjects {
            asking.starts(solver, &questions)?;
        }
        if own {
            console.note(format_args!(
                "the solvers of this program, {} problems",
                questions.len()
            ));
            let own = Own {
                judge: &judge,
                budget: self.budget,
                console,
            };
            let measured = own.measure(&questions);
            report.solvers.extend(measured.solvers);
            report.outcomes.extend(measured.outcomes);
            report.bits = measured.bits;
            report.notes.extend(measured.notes);
        }
        for solver in subjects {
            console.note(format_args!("{}", solver.name));
            let heard = asking.ask(solver, &questions)?;
            report.solvers.push(heard.reported);
            report.outcomes.extend(heard.outcomes);
            report.notes.extend(heard.notes);
        }
        Ok(())
    }

    fn questions(&self, console: &Console) -> Result<Vec<Asked>> {
        let families: &[String] = match &*self.families {
            [none] if none == "none" => &[],
            families => families,
        };
        let plan = Plan {
            families,
            sizes: &self.sizes,
            count: self.count,
            seed: self.seed,
        };
        let mut questions = plan.questions()?;
        if !self.paths.is_empty() {
            let can = "boxes,friction,unsolvable".parse();
            let can = can.map_err(|error| Fatal::Usage(format!("{error}")))?;
            let choice = Choice {
                paths: &self.paths,
                only: None,
                can: &can,
                steps: true,
            };
            let more = choice.questions(&self.jobs, console)?;
            if more.unreadable {
                let why = "some of the problems cannot be read; no report is made of the rest";
                return Err(Fatal::Usage(why.to_owned()));
            }
            questions.extend(more.sent);
            questions.sort_by_key(|asked| asked.problem.n());
        }
        if questions.is_empty() {
            let why =
                "there is nothing to ask: name problems, or --families and --sizes that have some";
            return Err(Fatal::Usage(why.to_owned()));
        }
        Ok(questions)
    }
}

/// A tolerance as the page shows it.
fn shown_tolerance(tolerance: &Rational) -> String {
    format!("{:e}", etalon_lcp::round_up_f64(tolerance))
}

/// An answer as an outcome of a solver of that name.
fn outcome_of(answered: &Answered, asked: &Asked, solver: &str) -> Outcome {
    let serde_json::Value::Object(record) = answered.record(asked, solver) else {
        unreachable!("a record is an object");
    };
    match Outcome::new(record, solver) {
        Ok(outcome) => outcome,
        Err(error) => unreachable!("what is written is read: {error}"),
    }
}

/// A file that is written at the end, all at once, and checked to be writable at the start. Its former contents
/// stay until then.
struct Target {
    file: PathBuf,
    part: PathBuf,
}

impl Target {
    fn new(file: &Path) -> Result<Self> {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let target = Self {
            file: file.to_owned(),
            part: file.with_file_name(name),
        };
        if file.is_dir() {
            let why = "is a folder; name a file, such as report.html";
            return Err(Fatal::Usage(format!("{}: {why}", file.display())));
        }
        fs::write(&target.part, "").map_err(|error| target.unwritable(&error))?;
        Ok(target)
    }

    fn write(self, text: &str) -> Result<()> {
        let written = fs::write(&self.part, text).and_then(|()| fs::rename(&self.part, &self.file));
        written.map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Fatal {
        let file = self.file.display();
        Fatal::Usage(format!(
            "{file}: cannot be written: {error}; name another file or make its folder"
        ))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Gone already where it was written.
        let _ = fs::remove_file(&self.part);
    }
}
