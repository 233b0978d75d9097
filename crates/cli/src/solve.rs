//! `etalon solve`: a claim per problem.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use etalon_exact::Budget;
use etalon_golden::{Golden, GoldenRecords};
use etalon_lcp::ClaimedAnswer;
use etalon_methods::Method;

use super::args::{BudgetArgs, method};
use super::console::Console;
use super::intake::Reception;
use super::jobs::JobArgs;
use super::written::RecordArgs;
use super::{Ending, Result};

/// Solve problems: each claim goes to standard output as soon as it is found.
///
/// Solutions of the exact methods are fractions, and their claims of `unsolvable` carry a proof;
/// the fast methods answer in binary64, right up to rounding. A method that
/// gives up, or exceeds its budget, answers `failed` with the reason; the exit status is then 1.
/// Exact methods work on dense systems of up to 2048 rows, also where M is sparse.
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
        let budget = Budget {
            threads: self.jobs.given(),
            ..self.budget.budget()
        };
        let solver = self.method.solver(&budget);
        let mut reception = Reception::new(console);
        let mut ending = Ending::Accepted;
        console.watch(None);
        let claims = self.jobs.stream(
            GoldenRecords::of_files(self.files.clone()),
            |read| read.as_ref().is_ok_and(is_large),
            move |read| {
                let claim = read
                    .as_ref()
                    .ok()
                    .map(|golden| solver.solve(&golden.problem));
                (read, claim)
            },
        );
        for (read, claim) in claims {
            // Warnings of a record stand before those of the next.
            let _ = reception.take(read);
            let Some(claim) = claim else {
                continue;
            };
            if claim.answer == ClaimedAnswer::Failed {
                ending = Ending::NotAccepted;
            }
            self.records.claim(&claim, console)?;
            console.done();
            if console.is_closed() {
                break;
            }
        }
        console.end_watch();
        if reception.failed() {
            ending = Ending::Unreadable;
        }
        Ok(ending)
    }
}

/// Problems of so many rows are solved one at a time. Chosen: solving a dense one takes some hundred megabytes.
const LARGE: usize = 2000;

fn is_large(golden: &Golden) -> bool {
    golden.problem.n() >= LARGE
}

/// An example and the methods.
fn after_help() -> String {
    let mut text = "Example: etalon solve --method enumerate problem.json\n\nMethods:".to_owned();
    for method in Method::all() {
        // Writing to a string does not fail.
        let _ = write!(text, "\n  {:<18} {}", method.name(), method.about());
    }
    text
}
