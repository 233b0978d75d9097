//! `etalon step`: steps of physics engines.

mod pictures;
mod tally;

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use etalon_engines::step::{EngineStep, FrictionLaw};
use etalon_engines::{Level, StepJudge, StepVerdict, judge_step, read_step};
use etalon_golden::open_texts;
use etalon_lcp::record::stream::Records;
use rug::Rational;

use super::args::tolerance;
use super::complaints::Complaints;
use super::console::Console;
use super::jobs::JobArgs;
use super::outputs::check_outputs;
use super::{Ending, Fatal, Result};
use pictures::Pictures;
use tally::Tally;

/// So many steps are judged at once.
const BATCH: usize = 256;

/// Judge steps of physics engines, as they logged them.
#[derive(Args)]
#[command(after_help = "Example: etalon step check log.jsonl")]
pub struct StepCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Check(Check),
}

/// Judge the steps of a log: a verdict for each step and level on standard output, a table by engine on standard error.
///
/// A log is a record etalon-step/1 a line (`etalon schema step`). Level A asks whether the answer is the solution of
/// the problem that the engine itself states: the distance from it is proved to be in an interval. Level B asks
/// whether momentum, friction cone, direction of friction, declared targets and energy fit. Level C asks whether any
/// admissible impulse could have done the step: the answer is one, or a test motion that proves that there is
/// none. Without --level each step is asked all that its data let one ask.
///
/// The verdict names the law that was judged. A right solver of a soft model is right at level A, whatever
/// Coulomb says.
#[derive(Args)]
#[command(after_help = "\
Example: etalon step check log.jsonl
         etalon step check log.jsonl --level B,C --law coulomb --out verdicts.jsonl
         etalon step check log.jsonl --level C --svg pictures
         etalon step check humanoid.jsonl --level A --full --tol 1e-9")]
struct Check {
    /// Logs, one JSON line a step; - for standard input
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    /// The levels that are asked: A, B, C, or several
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = level())]
    level: Vec<Level>,

    /// Largest relative distance, and violation of a law, that is accepted; by default 1e-5, of binary32 1e-4, and at
    /// level C 32 units of rounding. Balances are always within 32 units
    #[arg(long, value_name = "EPS", value_parser = tolerance)]
    tol: Option<Rational>,

    /// Judge friction by this law, not by the declared one
    #[arg(long, value_name = "LAW", value_parser = law())]
    law: Option<FrictionLaw>,

    /// Level A: the distance of every step from an exact or reference solution, not only of those that a bound leaves
    /// open
    #[arg(long)]
    full: bool,

    /// Level C: Coulomb's law at the velocity after the step, not the cone alone
    #[arg(long)]
    slip: bool,

    /// Steps that are loose, undecided or not judged count as failures
    #[arg(long)]
    strict: bool,

    /// Draw each step that level C judges into this folder: the impulses that explain it, or the test motion that proves
    /// that there are none
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Write the verdicts to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    jobs: JobArgs,
}

fn level() -> impl TypedValueParser<Value = Level> {
    let words = PossibleValuesParser::new(Level::ALL.map(Level::word));
    words.try_map(|word| {
        let mut levels = Level::ALL.into_iter();
        levels
            .find(|level| level.word() == word)
            .ok_or("there is no such level")
    })
}

fn law() -> impl TypedValueParser<Value = FrictionLaw> {
    let words = PossibleValuesParser::new(FrictionLaw::ALL.iter().map(|law| law.word()));
    words.try_map(|word| word.parse::<FrictionLaw>())
}

/// A step with its place.
struct Located {
    place: String,
    step: EngineStep,
}

/// Where the verdicts go.
enum Sink<'a> {
    Console(&'a Console),
    /// A file that is not touched yet: a log may turn out to be none.
    Waiting(&'a Path),
    File(BufWriter<File>),
}

impl Sink<'_> {
    fn line(&mut self, verdict: &StepVerdict) -> Result<()> {
        self.open()?;
        match self {
            Self::Console(console) => console.line(verdict.line())?,
            Self::File(file) => writeln!(file, "{}", verdict.line()).map_err(Fatal::Output)?,
            Self::Waiting(_) => {}
        }
        Ok(())
    }

    fn open(&mut self) -> Result<()> {
        if let Self::Waiting(path) = self {
            let file = File::create(*path).map_err(Fatal::unwritten(path))?;
            *self = Self::File(BufWriter::new(file));
        }
        Ok(())
    }
}

impl StepCommand {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        match &self.action {
            Action::Check(check) => check.run(console),
        }
    }
}

impl Check {
    fn run(&self, console: &Console) -> Result<Ending> {
        // All are opened before the first is judged.
        let mut logs = Vec::new();
        for path in &self.logs {
            logs.push(Records::new(open_texts(path)?, |record| read_step(record)));
        }
        let mut sink = self.sink(console)?;
        let pictures = self.svg.as_deref().map(Pictures::new);
        let mut pictures = pictures.transpose()?;
        let mut complaints = Complaints::new(console);
        let mut warned = HashSet::new();
        let mut tally = Tally::default();
        for log in &mut logs {
            let mut batch = Vec::new();
            let file = log.name().to_owned();
            for read in &mut *log {
                match read {
                    Ok(read) => {
                        let place = format!("{file}:{}", read.line);
                        for field in read.read.unknown_fields {
                            if warned.insert(indices_off(&field)) {
                                console.warning(format_args!(
                                    "{place}: the field {field:?} is not read"
                                ));
                            }
                        }
                        batch.push(Located {
                            place,
                            step: read.read.record,
                        });
                    }
                    Err(error) => complaints.add(error),
                }
                if batch.len() == BATCH {
                    let batch = std::mem::take(&mut batch);
                    self.judge(&batch, &mut sink, &mut pictures, &mut tally)?;
                }
            }
            self.judge(&batch, &mut sink, &mut pictures, &mut tally)?;
        }
        if !complaints.any() {
            // Of a log without steps there are no verdicts.
            sink.open()?;
        }
        if let Sink::File(file) = &mut sink {
            file.flush().map_err(Fatal::Output)?;
        }
        for warning in pictures.iter().flat_map(Pictures::warnings) {
            console.warning(warning);
        }
        self.finish(&tally, &complaints, console)
    }

    /// A file of verdicts that is none of the logs.
    fn sink<'a>(&'a self, console: &'a Console) -> Result<Sink<'a>> {
        let Some(out) = &self.out else {
            return Ok(Sink::Console(console));
        };
        let logs: Vec<_> = self.logs.iter().map(PathBuf::as_path).collect();
        check_outputs(&[("--out", Some(out))], &logs)?;
        Ok(Sink::Waiting(out))
    }

    fn judge(
        &self,
        batch: &[Located],
        sink: &mut Sink<'_>,
        pictures: &mut Option<Pictures>,
        tally: &mut Tally,
    ) -> Result<()> {
        let judge = StepJudge {
            levels: self.level.clone(),
            tol: self.tol.clone(),
            law: self.law,
            full: self.full,
            slip: self.slip,
        };
        let work = |located: &Located| judge_step(&located.step, &judge);
        let verdicts = self.jobs.apply(batch, || {}, work);
        for (located, verdicts) in batch.iter().zip(verdicts) {
            if verdicts.is_empty() {
                tally.nothing_to_judge(&located.place, &located.step.name);
            }
            for verdict in verdicts {
                sink.line(&verdict)?;
                if let Some(pictures) = pictures {
                    pictures.add(&located.step, &judge, &verdict)?;
                }
                tally.add(&located.place, &located.step.engine.label(), verdict);
            }
        }
        Ok(())
    }

    fn finish(
        &self,
        tally: &Tally,
        complaints: &Complaints<'_>,
        console: &Console,
    ) -> Result<Ending> {
        for warning in tally.warnings() {
            console.warning(warning);
        }
        console.note(if console.json {
            tally.to_json()
        } else {
            tally.to_text()
        });
        let is_right = tally.is_right(self.strict);
        Ok(match (complaints.any(), is_right) {
            (true, _) => Ending::Unreadable,
            (false, false) => Ending::NotAccepted,
            (false, true) => Ending::Accepted,
        })
    }
}

/// A place without its indices: the same misspelt field of many contacts is told once.
fn indices_off(field: &str) -> String {
    field.chars().filter(|c| !c.is_ascii_digit()).collect()
}
