//! The work of one worker: it reads a problem and a claim about it, and has the claim judged.

use etalon_golden::Origin;
use etalon_judge::{Judge, Judgement};
use etalon_lcp::record::stream::InputError;
use etalon_lcp::record::{RecordError, Written, read_claim, read_problem};
use etalon_lcp::{Claim, Problem};

use super::pairing::without_problem;

/// The result of a pair.
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
    pub line: String,
}

/// Judges a claim about a problem, both as they stand in their files, whose texts are let go of once they are read; a problem without one, or
/// with one that cannot be read, counts as failed.
pub fn judge_pair(
    judge: &Judge,
    problem: (&Origin, Written),
    claim: Option<(Origin, Written)>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let (claim, text) = claim.unzip();
    let claim_read = claim.as_ref().zip(text).map(|(origin, text)| {
        read_claim(&text).map_err(|error| {
            let why = error.of_claim();
            outcome.complaints.push(complaint(origin, error));
            why
        })
    });
    let (origin, text) = problem;
    let problem = read_problem(&text).map_err(|error| complaint(origin, error));
    // The text of a large problem takes as much room as all that is made of it.
    drop(text);
    match (problem, claim_read) {
        (Ok(problem), claim) => {
            outcome.unknown_fields = problem.unknown_fields;
            let name = problem.record.name();
            let claim = match claim {
                Some(Ok(claim)) => claim.record,
                Some(Err(why)) => Claim::failed(name, why),
                None => Claim::failed(name, "no claim"),
            };
            let complaints = &mut outcome.complaints;
            outcome.judged = Some(judged(judge, origin, &problem.record, &claim, complaints));
        }
        (Err(error), claim_read) => {
            outcome.complaints.push(error);
            if let (Some(origin), Some(Ok(claim))) = (claim, claim_read) {
                let complaint = without_problem(&origin, &claim.record.name, true);
                outcome.complaints.push(complaint);
            }
        }
    }
    outcome
}

/// Judges a claim about a problem that stands at `origin`. What is false in the problem's own `expect`
/// goes to the complaints.
pub fn judged(
    judge: &Judge,
    origin: &Origin,
    problem: &Problem,
    claim: &Claim,
    complaints: &mut Vec<String>,
) -> Judged {
    let judgement = judge.verdict(problem, claim);
    if let Some(error) = &judgement.false_expect {
        complaints.push(format!("{origin}: record {:?}: {error}", problem.name()));
    }
    Judged {
        line: judgement.line(),
        judgement,
    }
}

fn complaint(origin: &Origin, source: RecordError) -> String {
    let (file, line) = (origin.file.clone(), origin.line);
    InputError::Record { file, line, source }.to_string()
}
