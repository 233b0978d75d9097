//! What one worker does: reading a problem and a claim about it, and judging the claim.

use etalon::outcome::judged;
use etalon_certify::{Truth, judge, known};
use etalon_golden::Origin;
use etalon_lcp::record::stream::InputError;
use etalon_lcp::record::{
    Read, RecordError, read_claim, read_problem, write_verdict, write_verdict_with_solution,
};
use etalon_lcp::{Claim, Problem, Status};
use serde_json::{Map, Value};

use super::pairing::without_problem;
use etalon_conformance::{Judgement, Oracle};

/// The judge, the same for all workers.
pub struct Judge {
    pub oracle: Oracle,
    /// Accept `perturbed` where the problem does not expect it, too.
    pub accept_perturbed: bool,
}

/// What came of a pair.
#[derive(Default)]
pub struct Outcome {
    /// Errors in the input.
    pub complaints: Vec<String>,
    /// Fields of the problem that the format does not know.
    pub unknown_fields: Vec<String>,
    /// The verdict, unless something could not be read.
    pub judged: Option<Judged>,
}

/// A verdict, ready to be written.
pub struct Judged {
    pub judgement: Judgement,
    pub accepted: bool,
    pub line: String,
}

/// Whether the problem expects the verdict `perturbed`.
pub fn expects_perturbed(problem: &str) -> bool {
    let read = read_problem(problem).ok();
    read.is_some_and(|read| is_perturbed(&read.record))
}

fn is_perturbed(problem: &Problem) -> bool {
    let expect = problem.expect.as_ref();
    expect.is_some_and(|expect| expect.status == Status::Perturbed)
}

impl Judge {
    /// What an outcome says of how it was judged.
    pub fn record(&self) -> Map<String, Value> {
        judged(&self.oracle.tolerance, self.accept_perturbed)
    }

    /// Judges a claim about a problem, both as they stand in their files; a problem without one, or
    /// with one that cannot be read, counts as failed.
    pub fn judge(&self, problem: (&Origin, &str), claim: Option<(Origin, &str)>) -> Outcome {
        let mut outcome = Outcome::default();
        let claim_read = claim.as_ref().map(|(origin, text)| {
            read_claim(text).map_err(|error| {
                let why = format!("the claim cannot be read: {}", error.without_name());
                outcome.complaints.push(complaint(origin, error));
                why
            })
        });
        let (origin, text) = problem;
        match (read(read_problem, origin, text), claim_read) {
            (Ok(problem), claim) => {
                outcome.unknown_fields = problem.unknown_fields;
                let name = problem.record.name();
                let claim = match claim {
                    Some(Ok(claim)) => claim.record,
                    Some(Err(why)) => Claim::failed(name, why),
                    None => Claim::failed(name, "no claim"),
                };
                outcome.judged =
                    Some(self.verdict(origin, &problem.record, &claim, &mut outcome.complaints));
            }
            (Err(error), claim_read) => {
                outcome.complaints.push(error);
                if let (Some((origin, _)), Some(Ok(claim))) = (claim, claim_read) {
                    let complaint = without_problem(&origin, &claim.record.name, true);
                    outcome.complaints.push(complaint);
                }
            }
        }
        outcome
    }

    /// Judges a claim about a problem that stands at `origin`. What is wrong with the problem's
    /// own `expect` goes to the complaints.
    pub fn verdict(
        &self,
        origin: &Origin,
        problem: &Problem,
        claim: &Claim,
        complaints: &mut Vec<String>,
    ) -> Judged {
        let mut known = proved(origin, problem, complaints);
        let judgement = if *claim == Claim::failed(problem.name(), "no claim") {
            let verdict = judge(problem, claim, &known, &self.oracle.tolerance);
            let solution = None;
            Judgement { verdict, solution }
        } else {
            // A stated truth without its proof is a question, not an answer.
            let stated = problem.expect.as_ref().map(|expect| expect.status);
            if known.status().solvable.is_none() && stated.is_some_and(|s| s != Status::Solvable) {
                self.oracle.find_out(problem, &mut known);
            }
            self.oracle.judge(problem, known, claim)
        };
        let expected = self.accept_perturbed || is_perturbed(problem);
        Judged {
            accepted: judgement.verdict.kind.is_accepted(expected),
            line: match &judgement.solution {
                Some(solution) => write_verdict_with_solution(&judgement.verdict, solution),
                None => write_verdict(&judgement.verdict),
            },
            judgement,
        }
    }
}

/// What the problem's record proves of it.
fn proved(origin: &Origin, problem: &Problem, complaints: &mut Vec<String>) -> Truth {
    let Some(expect) = &problem.expect else {
        return Truth::default();
    };
    known(problem, expect).unwrap_or_else(|error| {
        let name = problem.name();
        complaints.push(format!("{origin}: record {name:?}: {error}"));
        Truth::default()
    })
}

fn read<T>(
    read: fn(&str) -> Result<Read<T>, RecordError>,
    origin: &Origin,
    text: &str,
) -> Result<Read<T>, String> {
    read(text).map_err(|error| complaint(origin, error))
}

fn complaint(origin: &Origin, source: RecordError) -> String {
    let (file, line) = (origin.file.clone(), origin.line);
    InputError::Record { file, line, source }.to_string()
}
