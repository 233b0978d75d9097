//! Records on standard output, as text or in CBOR.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;

use clap::Args;
use etalon_exact::read_in_parts;
use etalon_lcp::record::{
    write_claim_cbor, write_claim_with, write_numbers, write_problem, write_problem_cbor,
};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem};

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

    /// A claim as it is written, by at most so many threads where its numbers are many.
    pub fn of_claim(&self, claim: &Claim, threads: Option<NonZeroUsize>) -> Vec<u8> {
        if self.cbor {
            if let ClaimedAnswer::Solved { z } = &claim.answer {
                // Numbers are in lowest terms from now on.
                let read = |part: &[Number]| part.iter().for_each(|number| _ = number.to_f64());
                read_in_parts(z, threads, read);
            }
            return write_claim_cbor(claim);
        }
        let mut text = write_claim_with(claim, |z| {
            let parts = read_in_parts(z, threads, write_numbers);
            let lists = parts.iter().map(|part| part.trim_matches(['[', ']']));
            ["[", &lists.collect::<Vec<_>>().join(","), "]"].concat()
        });
        // To double the room of a long one for the end of the line would take as long as to copy it.
        text.reserve_exact(1);
        text.push('\n');
        text.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use etalon_lcp::record::write_claim;

    #[test]
    fn a_claim_is_the_same_from_any_number_of_threads() {
        for n in [0, 1, 1000] {
            let z = Number::over((0..n).map(Into::into).collect(), 720.into()).unwrap();
            let claim = Claim::new("many", ClaimedAnswer::Solved { z });
            for threads in [None, NonZeroUsize::new(1), NonZeroUsize::new(3)] {
                let of_claim = |cbor| RecordArgs { cbor }.of_claim(&claim, threads);
                assert_eq!(of_claim(false), (write_claim(&claim) + "\n").into_bytes());
                assert_eq!(of_claim(true), write_claim_cbor(&claim));
            }
        }
    }
}
