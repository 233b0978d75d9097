//! `etalon solve`: a claim per problem.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use etalon_exact::{Budget, at_work};
use etalon_golden::{Names, Origin};
use etalon_lcp::ClaimedAnswer;
use etalon_methods::Method;

use super::args::{BudgetArgs, method};
use super::console::Console;
use super::intake::{Reception, TextRead, bytes_of, few_texts};
use super::jobs::{JobArgs, locked};
use super::written::RecordArgs;
use super::{Ending, Result};

/// Solve problems: each claim goes to standard output as soon as it is found.
///
/// Solutions of the exact methods are fractions, and their claims of `unsolvable` carry a proof;
/// the fast methods answer in binary64, right up to rounding. A method that
/// gives up, or exceeds its budget, answers `failed` with the reason; the exit status is then 1.
/// Exact pivoting works on dense systems of up to 2048 rows, also where M is sparse. `certified` proves a fast answer with up to 4096 positive entries.
/// Problems are solved on all cores, and claims stand in their order. To compare the `seconds` of claims, give --jobs 1.
#[derive(Args)]
#[command(after_help = after_help())]
pub struct Solve {
    /// Problems, one JSON line each (or one record in a .json file), or in CBOR; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The method
    #[arg(long, short, value_name = "METHOD", default_value = "certified", value_parser = method(), hide_possible_values = true)]
    method: Method,

    #[command(flatten)]
    budget: BudgetArgs,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    records: RecordArgs,
}

impl Solve {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        self.records.check()?;
        let threads = self.jobs.given();
        let budget = Budget {
            threads,
            ..self.budget.budget()
        };
        let solver = self.method.solver(&budget);
        let records = self.records.clone();
        let alone = Mutex::new(());
        console.watch(None);
        let work = move |text: TextRead| {
            let golden = at_work(|| text?.read())?;
            let (problem, origin) = (golden.problem, golden.origin);
            // One that waits here needs no core.
            let _alone = (problem.n() >= LARGE).then(|| locked(&alone));
            let claim = at_work(|| solver.solve_owned(problem));
            Ok(Solved {
                record: records.of_claim(&claim, threads),
                failed: claim.answer == ClaimedAnswer::Failed,
                name: claim.name,
                origin,
                unknown_fields: golden.unknown_fields,
            })
        };
        let mut claims = self
            .jobs
            .stream(few_texts(self.files.clone()), bytes_of, work);
        let (mut reception, mut names) = (Reception::new(console), Names::default());
        let mut ending = Ending::Accepted;
        let mut written = Vec::new();
        while let Some(solved) = claims.next() {
            let solved = solved.and_then(|solved: Solved| {
                names.take(&solved.name, &solved.origin)?;
                Ok(solved)
            });
            match solved {
                Ok(solved) => {
                    reception.warn(&solved.origin, &solved.name, &solved.unknown_fields);
                    append(&mut written, solved.record);
                    if solved.failed {
                        ending = Ending::NotAccepted;
                    }
                    console.done();
                }
                Err(error) => reception.complain(error),
            }
            if !claims.is_ready() {
                console.bytes(&std::mem::take(&mut written))?;
                if console.is_closed() {
                    break;
                }
            }
        }
        console.end_watch();
        if reception.failed() {
            ending = Ending::Unreadable;
        }
        Ok(ending)
    }
}

/// A long record that comes alone is not copied.
fn append(written: &mut Vec<u8>, record: Vec<u8>) {
    if written.is_empty() {
        *written = record;
    } else {
        written.extend(record);
    }
}

/// What became of a problem.
struct Solved {
    /// The claim, as it is written.
    record: Vec<u8>,
    /// Whether the claim is that the method gave up.
    failed: bool,
    name: String,
    origin: Origin,
    unknown_fields: Vec<String>,
}

/// Problems of so many rows are solved one at a time. Chosen: solving a dense one takes some hundred megabytes.
const LARGE: usize = 2000;

/// An example and the methods.
fn after_help() -> String {
    let mut text = "Example: etalon solve --method enumerate problem.json\n\nMethods:".to_owned();
    for method in Method::all() {
        // Writing to a string does not fail.
        let _ = write!(text, "\n  {:<18} {}", method.name(), method.about());
    }
    text
}
