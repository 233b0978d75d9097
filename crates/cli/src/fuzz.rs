//! `etalon fuzz`: problems that a solver gets wrong, shrunk to small ones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap_complete::ArgValueCompleter;
use etalon_conformance::process::CommandLine;
use etalon_conformance::{
    Capabilities, Deadline, Fault, Fuzz, FuzzLimits, FuzzReport, InProcess, KeptProperties, Subject,
};
use etalon_exact::Budget;
use etalon_golden::record_files;
use etalon_lcp::Problem;
use serde_json::json;

use super::args::{ToleranceArgs, duration, method};
use super::completions::kept;
use super::console::{Console, table};
use super::finding::{Small, examiner};
use super::goldens::usual;
use super::intake::read_side_by_side;
use super::jobs::JobArgs;
use super::solver_args::{AllowedArgs, Pool, check_alive, quote};
use super::{Ending, Fatal, Result, interrupt};
use etalon_methods::Method;

/// Goldens of more rows are not changed and sent.
const MAX_MUTATED: usize = 12;

/// Search time where neither --budget nor --count is given.
const BUDGET: Duration = Duration::from_secs(60);

/// Search for problems that a solver gets wrong, and shrink each to a small one.
///
/// Problems are adversarial: ties, rank deficiency exact and by rounding, tiny q, mass ratios, bad
/// units, friction near Painleve's paradox, duplicated contacts, no solution or several. Goldens with
/// one change are sent, too. The same seed gives the same problems in the same order; the budget decides only
/// how many of them are sent. Problems with a wrong answer, a crash, a hang or an answer that is no claim go into the
/// corpus folder. `etalon diff` reads it like any other folder of problems.
#[derive(Args)]
#[command(after_help = "\
Example: etalon fuzz --solver 'python3 my_solver.py' --budget 60s
         etalon diff --solver 'python3 my_solver.py' fuzz-corpus")]
pub struct FuzzCommand {
    #[command(flatten)]
    target: TargetArgs,

    /// Search time; 60s where no --count is given
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,

    /// Largest number of problems
    #[arg(long, value_name = "K")]
    count: Option<u64>,

    /// Number of different small problems after which to stop
    #[arg(long, value_name = "K", default_value_t = 10)]
    findings: u64,

    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The corpus folder, to which small problems are added
    #[arg(long, value_name = "DIR", default_value = "fuzz-corpus")]
    corpus: PathBuf,

    /// Problems to send with one change each; [default: the golden problems]
    #[arg(long, value_name = "PATH")]
    mutate: Vec<PathBuf>,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    tolerance: ToleranceArgs,
}

/// The solver under test, and the properties of a problem that shrinking keeps.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// The solver's command, its words as a shell would split them
    #[arg(long, value_name = "CMD", value_parser = CommandLine::parse, required_unless_present = "method")]
    solver: Option<CommandLine>,

    /// One of our own methods instead, in this process
    #[arg(long, value_name = "M", conflicts_with = "solver", value_parser = method(), hide_possible_values = true)]
    method: Option<Method>,

    #[command(flatten)]
    pub allowed: AllowedArgs,

    /// Properties that small problems must keep: a list of symmetric, psd, p, solvable, unique
    #[arg(long, value_name = "LIST", default_value = "symmetric", add = ArgValueCompleter::new(kept))]
    pub keep: KeptProperties,

    /// Giving up on a solvable problem counts, too
    #[arg(long)]
    pub giving_up: bool,
}

impl TargetArgs {
    /// The solver; at the deadline it is not waited for any longer.
    pub fn subject(&self, deadline: &Deadline<'_>) -> Result<Box<dyn Subject>> {
        match (&self.solver, self.method) {
            (Some(command), _) => {
                let pool = Pool::new(command.clone(), self.allowed.limits());
                Ok(Box::new(pool.until(deadline.end())))
            }
            (None, Some(method)) => {
                let budget = Budget {
                    stop: deadline.stop(),
                    ..Budget::default()
                };
                Ok(Box::new(InProcess(method.solver(&budget))))
            }
            (None, None) => Err(Fatal::Usage("give a --solver or a --method".to_owned())),
        }
    }

    /// How its answers are examined.
    pub fn examiner(
        &self,
        can: Capabilities,
        tolerance: &ToleranceArgs,
    ) -> etalon_conformance::Examiner {
        let mut can = can;
        can.friction |= self.method.is_some() && self.allowed.can.is_none();
        let mut examiner = examiner(tolerance.tolerance(), can);
        examiner.giving_up_counts = self.giving_up;
        examiner
    }

    /// These arguments again, and the tolerances.
    pub fn words(&self, tolerance: &ToleranceArgs) -> String {
        let mut words = match (&self.solver, self.method) {
            (Some(solver), _) => format!("--solver {}", quote(solver.text())),
            (None, Some(method)) => format!("--method {method}"),
            (None, None) => String::new(),
        };
        if let Some(can) = &self.allowed.can {
            words += &format!(" --can {}", quote(&can.to_string()));
        }
        words += &self.allowed.words();
        if self.keep != KeptProperties::default() {
            words += &format!(" --keep {}", self.keep);
        }
        if self.giving_up {
            words += " --giving-up";
        }
        words + &tolerance.words()
    }
}

impl FuzzCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        // Goldens are read before the time begins.
        let goldens = self.goldens(console)?;
        let budget = self.budget.or(self.count.is_none().then_some(BUDGET));
        let deadline = budget.map_or_else(Deadline::never, Deadline::after);
        let subject = self.target.subject(&deadline)?;
        let mut fuzz = Fuzz::new(&*subject, self.seed);
        let can = self.target.allowed.capabilities(&*subject, console)?;
        fuzz.examiner = self.target.examiner(can, &self.tolerance);
        fuzz.keep = self.target.keep;
        fuzz.threads = self.jobs.threads();
        fuzz.goldens = goldens;
        fuzz.examiner.judge.budget.stop = deadline.stop();
        let first = (0..self.count.unwrap_or(u64::MAX)).map(|k| fuzz.problem(k).0);
        let sent = first.filter(|problem| fuzz.examiner.can.lacks(problem).is_none());
        check_alive(&*subject, None, sent, &deadline)?;
        let limits = FuzzLimits {
            budget,
            count: self.count,
            findings: Some(self.findings),
        };
        let again = |file: &Path| {
            let words = self.target.words(&self.tolerance);
            format!(
                "etalon shrink {words} {}",
                quote(&file.display().to_string())
            )
        };
        let mut kept = Vec::new();
        let mut trouble = None;
        let report = fuzz.run_until(&limits, &deadline, &mut |finding| {
            let small = Small::of(&finding.small, &*subject, &fuzz.examiner);
            match small.save(&self.corpus, again) {
                Ok(file) => {
                    console.note(format_args!("{}: {}", finding.found.name(), file.display()));
                    kept.push((finding.found.name().to_owned(), small, file));
                }
                Err(error) => trouble = Some(error),
            }
        });
        if let Some(error) = trouble {
            return Err(error);
        }
        kept.sort_by_key(|(_, small, _)| small.severity.key(small.problem.n(), None));
        self.tell(&report, &kept, again, console)?;
        Ok(if report.faults.is_empty() {
            Ending::Accepted
        } else {
            Ending::NotAccepted
        })
    }

    /// Prints what was found; `again` is the command that shrinks a kept problem once more.
    fn tell(
        &self,
        report: &FuzzReport,
        kept: &[(String, Small, PathBuf)],
        again: impl Fn(&Path) -> String,
        console: &Console,
    ) -> Result<()> {
        if console.json {
            let findings = kept.iter().map(|(found, small, file)| {
                json!({"found": found, "file": file, "small": small.to_json()})
            });
            let faults = report.faults.iter().map(|((recipe, fault), count)| {
                json!({"recipe": recipe, "fault": fault.word(), "count": count})
            });
            let line = json!({
                "seed": self.seed, "drawn": report.drawn, "sent": report.sent,
                "out_of_budget": report.out_of_budget,
                "faults": faults.collect::<Vec<_>>(), "findings": findings.collect::<Vec<_>>(),
            });
            console.line(line)?;
        } else {
            for (found, small, file) in kept {
                console.line(format_args!(
                    "{found}\n{}\n  {}\n",
                    small.to_text(),
                    again(file)
                ))?;
            }
            console.line(summary(report, self.seed))?;
        }
        Ok(())
    }

    /// Problems to change: the small ones in binary64.
    fn goldens(&self, console: &Console) -> Result<Vec<Problem>> {
        let paths = if self.mutate.is_empty() {
            vec![usual(console).join("problems")]
        } else {
            self.mutate.clone()
        };
        let mut problems = Vec::new();
        for golden in read_side_by_side(record_files(&paths)?, &self.jobs) {
            let problem = golden?.problem;
            if problem.n() <= MAX_MUTATED && problem.n() > 0 && problem.is_binary64() {
                problems.push(problem);
            }
        }
        Ok(problems)
    }
}

fn summary(report: &FuzzReport, seed: u64) -> String {
    let FuzzReport { drawn, sent, .. } = report;
    let over = if report.out_of_budget {
        " until the budget ended"
    } else {
        ""
    };
    let head = format!("seed {seed}: {drawn} problems drawn, {sent} sent{over}");
    if report.faults.is_empty() {
        return format!("{head}, nothing wrong found");
    }
    let rows = report.faults.iter().map(|((recipe, fault), count)| {
        let fault: &Fault = fault;
        vec![recipe.to_string(), fault.to_string(), count.to_string()]
    });
    let table = table(&["recipe", "fault", "problems"], 2..3, rows);
    let different = report.findings.len();
    format!("{table}\n{head}; {different} different small problems kept")
}
