//! Records on standard output, as text or in CBOR.

use std::io::{self, IsTerminal};

use clap::Args;
use etalon_lcp::record::{write_claim, write_claim_cbor, write_problem, write_problem_cbor};
use etalon_lcp::{Claim, Problem};

use super::console::Console;
use super::{Fatal, Result};

/// How records are written.
#[derive(Debug, Clone, Args)]
pub struct RecordArgs {
    /// Write records in CBOR, one after the other, in place of JSON lines: binary64 values stand in it bit by bit. All
    /// commands read both
    #[arg(long)]
    cbor: bool,
}

impl RecordArgs {
    /// Refuses what no terminal can show.
    pub fn check(&self) -> Result<()> {
        if self.cbor && io::stdout().is_terminal() {
            let why = "CBOR is not for terminals; send it to a file (> problems.cbor) or to a pipe";
            return Err(Fatal::Usage(why.to_owned()));
        }
        Ok(())
    }

    /// Writes a problem.
    pub fn problem(&self, problem: &Problem, console: &Console) -> Result<()> {
        if self.cbor {
            return console.bytes(&write_problem_cbor(problem));
        }
        console.line(write_problem(problem))
    }

    /// A claim as it is written.
    pub fn of_claim(&self, claim: &Claim) -> Vec<u8> {
        match self.cbor {
            true => write_claim_cbor(claim),
            false => (write_claim(claim) + "\n").into_bytes(),
        }
    }
}
