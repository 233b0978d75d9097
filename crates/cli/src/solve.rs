//! `etalon solve`: a claim per problem.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use etalon_golden::GoldenRecords;
use etalon_lcp::ClaimedAnswer;
use etalon_methods::Method;

use super::args::{BudgetArgs, method};
use super::console::Console;
use super::intake::Intake;
use super::written::RecordArgs;
use super::{Ending, Result};

/// Solve problems: each claim goes to standard output as soon as it is found.
///
/// Solutions of the exact methods are fractions, and their claims of `unsolvable` carry a proof;
/// the fast methods answer in binary64, right up to rounding. A method that
/// gives up, or exceeds its budget, answers `failed` with the reason; the exit status is then 1.
/// Exact methods work on dense systems of up to 2048 rows, also where M is sparse.
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
    records: RecordArgs,
}

impl Solve {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        self.records.check()?;
        let solver = self.method.solver(&self.budget.budget());
        let mut intake = Intake::new(GoldenRecords::of_files(self.files.clone()), console);
        let mut ending = Ending::Accepted;
        console.watch(None);
        for golden in intake.by_ref() {
            let claim = solver.solve(&golden.problem);
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
        if intake.failed() {
            ending = Ending::Unreadable;
        }
        Ok(ending)
    }
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
