//! `etalon solve`: a claim per problem.

use std::path::PathBuf;

use clap::Args;
use etalon_exact::Method;
use etalon_golden::Records;
use etalon_lcp::ClaimedAnswer;
use etalon_lcp::record::write_claim;

use super::args::BudgetArgs;
use super::console::Console;
use super::intake::Intake;
use super::{Ending, Result};

/// Solve problems: a claim per problem on standard output, as soon as it is there.
///
/// Solutions are exact fractions, and claims of `unsolvable` carry their proof. A method that
/// gives up, or runs out of its budget, says `failed` and why; the exit status is then 1.
#[derive(Args)]
#[command(after_help = concat!("\
Example: etalon solve --method enumerate problem.json

Methods:
  certified      solves exactly by the method that fits the matrix, and falls back to a search for a
                 solution or the proof that there is none (the default)
  enumerate      all solutions, or a proof that there is none
  exact-lemke    Lemke's method with lexicographic pivots
  exact-dantzig  Cottle and Dantzig's principal pivoting, for symmetric positive semidefinite M
                 and P-matrices"))]
pub struct Solve {
    /// Problems, one JSON line each (or one record in a .json file); - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// How to solve
    #[arg(long, short, value_name = "METHOD", default_value = "certified")]
    method: Method,

    #[command(flatten)]
    budget: BudgetArgs,
}

impl Solve {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let solver = self.method.solver(&self.budget.budget(None));
        let mut intake = Intake::new(Records::of_files(self.files.clone()), console);
        let mut ending = Ending::Accepted;
        for golden in intake.by_ref() {
            let claim = solver.solve(&golden.problem);
            if claim.answer == ClaimedAnswer::Failed {
                ending = Ending::NotAccepted;
            }
            console.line(write_claim(&claim))?;
            if console.is_closed() {
                break;
            }
        }
        if intake.failed() {
            ending = Ending::Unreadable;
        }
        Ok(ending)
    }
}
