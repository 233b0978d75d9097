//! `etalon scoreboard`: every installed adapter over the suite, and a page of what came of it.

pub mod adapter;
mod contender;
mod page;
mod score;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use etalon_conformance::ShrinkLimits;
use etalon_conformance::process::Limits;
use etalon_evidence::outcome::Column;
use etalon_exact::Budget;
use etalon_judge::Judge;

use self::adapter::{Adapter, Kind, Places};
use self::contender::Contender;
use self::page::{Board, Page, Wrong};
use self::score::Score;
use super::args::{ToleranceArgs, duration};
use super::console::Console;
use super::diff::{Answered, Asked, Choice, answer};
use super::finding::{examiner, made_small};
use super::goldens::GoldenArgs;
use super::jobs::JobArgs;
use super::outputs::check_outputs;
use super::{Ending, Fatal, Result, interrupt};

/// Pivots for the proof that a verdict needs.
const PIVOTS: u64 = 20_000;

/// Questions and time for shrinking one wrong answer.
const QUESTIONS: u64 = 3_000;
const SHRINKING: Duration = Duration::from_secs(20);

/// Run every installed adapter over the suite, and write a page of the results.
///
/// Each solver gets only problems within its capabilities. Answers are judged exactly, and wrong ones are
/// shrunk. Adapters that are not installed are listed with the command that installs them. Problems with friction
/// cones have a page of their own, on which this program's methods stand as well.
#[derive(Args)]
#[command(after_help = "\
Example: etalon scoreboard --page docs/scoreboard.md
         etalon scoreboard --cones --page docs/scoreboard-cones.md
         etalon scoreboard --only quantecon-lemke --python venv/bin/python golden/problems/statics

Exit status 0: the page is written, whatever the solvers said.")]
pub struct ScoreboardCommand {
    #[command(flatten)]
    goldens: GoldenArgs,

    /// The folder with adapters.json
    #[arg(long, value_name = "DIR", default_value = "adapters")]
    adapters: PathBuf,

    /// The problems with friction cones, the adapters for them, and this program's own methods
    #[arg(long)]
    cones: bool,

    /// Only the adapters of these names; with --cones, also this program's own methods
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// The Python with the packages of PyPI
    #[arg(long, value_name = "CMD", default_value = "python3")]
    python: String,

    /// The folder in which adapters in C++ are built
    #[arg(long, value_name = "DIR", default_value = "target/adapters")]
    bin: PathBuf,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Write a line for each judged answer into this file, which `report --from` reads
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    /// Longest time of a solver for one problem
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    timeout: Duration,

    /// The number of different wrong answers of a solver to shrink and show
    #[arg(long, value_name = "K", default_value_t = 3)]
    show: usize,

    #[command(flatten)]
    tolerance: ToleranceArgs,

    #[command(flatten)]
    jobs: JobArgs,
}

impl ScoreboardCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        interrupt::ends_solvers();
        let files = [("--page", &self.page), ("--lines", &self.lines)];
        check_outputs(&files.map(|(option, file)| (option, file.as_deref())), &[])?;
        std::fs::create_dir_all(&self.bin).map_err(Fatal::unwritten(&self.bin))?;
        let places = Places {
            dir: &self.adapters,
            bin: &self.bin,
            python: &self.python,
        };
        let (contenders, missing) = self.contenders(&places, console)?;
        let mut page = Page::new(&self.tolerance, self.timeout, self.cones);
        let mut lines = String::new();
        for contender in contenders {
            page.boards
                .push(self.board(contender, &mut lines, console)?);
        }
        page.missing = missing;
        if page.boards.is_empty() {
            return Err(Fatal::Usage("no adapter is installed".to_owned()));
        }
        if let Some(file) = &self.lines {
            std::fs::write(file, lines).map_err(Fatal::unwritten(file))?;
        }
        if console.json {
            console.line(page.to_json())?;
        }
        match &self.page {
            Some(file) => std::fs::write(file, page.to_text()).map_err(Fatal::unwritten(file))?,
            None if !console.json => console.line(page.to_text().trim_end())?,
            None => {}
        }
        Ok(Ending::Accepted)
    }

    /// Everybody who is asked, and the adapters that are not installed.
    fn contenders(
        &self,
        places: &Places<'_>,
        console: &Console,
    ) -> Result<(Vec<Contender>, Vec<Adapter>)> {
        let own = if self.cones {
            Contender::own()
        } else {
            Vec::new()
        };
        let is_own = |name: &String| own.iter().any(|own| own.name == *name);
        let adapters: Vec<_> = self
            .only
            .iter()
            .filter(|name| !is_own(name))
            .cloned()
            .collect();
        let kind = if self.cones {
            Kind::Cones
        } else {
            Kind::Linear
        };
        let mut contenders = Vec::new();
        let mut missing = Vec::new();
        if self.only.is_empty() || !adapters.is_empty() {
            let found = adapter::installed(places, kind, &adapters, console)?;
            contenders.extend(found.installed.into_iter().map(Contender::from));
            missing = found.missing;
        }
        let wanted = |own: &Contender| self.only.is_empty() || self.only.contains(&own.name);
        contenders.extend(own.into_iter().filter(wanted));
        Ok((contenders, missing))
    }

    /// Runs one solver over everything that it can do.
    fn board(&self, contender: Contender, lines: &mut String, console: &Console) -> Result<Board> {
        let choice = Choice {
            paths: &self.goldens.paths("problems", console)?,
            only: None,
            can: &contender.can,
            steps: !self.cones,
            until: None,
        };
        let mut questions = choice.questions(&self.jobs, console)?;
        let is_here = |asked: &Asked| asked.problem.is_lcp() != self.cones;
        questions.sent.retain(is_here);
        questions.kept.retain(|(asked, _)| is_here(asked));
        let judge = judge(&self.tolerance);
        let idle = Mutex::new(Vec::new());
        let answers = self.jobs.map(&questions.sent, console, |asked: &Asked| {
            let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
            let subject = lock().pop();
            let subject = subject.unwrap_or_else(|| contender.subject(self.limits()));
            let answered = answer(&*subject, &judge, asked);
            lock().push(subject);
            answered
        });
        let mut score = Score::default();
        let mut wrong = Vec::new();
        for (asked, answered) in questions.sent.iter().zip(&answers) {
            score.count(asked, answered);
            let line = answered.record(asked, &contender.name, None);
            *lines += &format!("{line}\n");
            if answered.column() == Column::Wrong {
                wrong.push((asked, answered));
            }
        }
        questions.kept.iter().for_each(|(_, skip)| score.skip(skip));
        let wrong = self.small(&contender, &wrong);
        Ok(Board {
            contender,
            score,
            wrong,
        })
    }

    /// The first wrong answers of different suites, shrunk, without duplicates.
    fn small(&self, contender: &Contender, wrong: &[(&Asked, &Answered)]) -> Vec<Wrong> {
        let subject = contender.subject(self.limits());
        let can = contender.can.clone();
        let examiner = examiner(self.tolerance.tolerance(), can);
        let mut shown: Vec<Wrong> = Vec::new();
        let mut suites = Vec::new();
        // Small ones first: there is less to take away.
        let mut order: Vec<_> = wrong.iter().collect();
        order.sort_by_key(|(asked, _)| asked.problem.n());
        for (asked, answered) in order {
            if shown.len() >= self.show {
                break;
            }
            if suites.contains(&&asked.suite) {
                continue;
            }
            let limits = ShrinkLimits {
                questions: QUESTIONS,
                deadline: Some(Instant::now() + SHRINKING),
            };
            let Some(small) = made_small(&*subject, &examiner, &asked.problem, limits, usize::MAX)
            else {
                continue;
            };
            suites.push(&asked.suite);
            if shown.iter().all(|other| other.small.name() != small.name()) {
                shown.push(Wrong {
                    of: answered.text(asked),
                    name: asked.problem.name().to_owned(),
                    small,
                });
            }
        }
        shown
    }

    fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            ..Limits::default()
        }
    }
}

/// The judge of scoreboards and reports: it searches for the proofs that a verdict needs within a budget.
pub fn judge(tolerance: &ToleranceArgs) -> Judge {
    Judge {
        tolerance: tolerance.tolerance(),
        prove: false,
        accept_perturbed: tolerance.accept_perturbed,
        budget: Budget {
            pivots: PIVOTS,
            time: Some(Duration::from_secs(20)),
            ..Budget::default()
        },
    }
}
