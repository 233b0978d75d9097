//! The derived fields of a golden, from the problem and a decision about it.

use etalon_certify::{CertificateError, Tolerance, Truth, evaluate, is_sensible, prove};
use etalon_lcp::record::digest;
use etalon_lcp::{
    Certificate, Expect, Measures, Number, Problem, SourceAnswer, Status, Unique, round_up_f64,
};
use rug::Rational;

/// A solver's decision about a problem; `truth` as the checker accepted it.
#[derive(Debug, Clone, Default)]
pub struct Decided {
    /// The facts.
    pub truth: Truth,
    /// The proof of `unsolvable` or of uniqueness.
    pub certificate: Option<Certificate>,
    /// Why there is no decision, where there is none.
    pub gave_up: Option<String>,
}

/// Why the derived fields cannot be: the record says one thing, the decision another.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// The record's own solutions or proof do not hold.
    #[error("{0}")]
    Unfounded(#[from] CertificateError),
    /// A stated solution that is none, with the first row that it breaks.
    #[error("expect.solutions[{k}]: {reason}")]
    Solution {
        /// Its place in the list.
        k: usize,
        /// Why.
        reason: CertificateError,
    },
    /// An answer that cannot be evaluated: of another length than the problem has rows, or too long.
    #[error("expect.answer: {0}")]
    Answer(CertificateError),
    /// Another status than the record states. It is for the author to look into.
    #[error("expect.status says {}, but the problem is {}", .stated.word(), .derived.word())]
    Status {
        /// The statement of the record.
        stated: Status,
        /// The value that follows from the decision.
        derived: Status,
    },
    /// More uniqueness than is proved.
    #[error("expect.unique says \"{}\", which the decision does not prove", .stated.word())]
    Unique {
        /// The statement of the record.
        stated: Unique,
    },
    /// An answer of a problem with friction cones that would not be accepted.
    #[error(
        "expect.answer: its block error of {error:e} or violation of {violation:e} is over the tolerance"
    )]
    Rejected {
        /// The block error, rounded up.
        error: f64,
        /// The violation of a bound or a cone, rounded up.
        violation: f64,
    },
    /// Neither a solution nor a proof was found.
    #[error("neither a solution nor a proof that there is none was found: {reason}")]
    Undecided {
        /// The exhausted limit.
        reason: String,
    },
}

/// The problem with its derived fields: `expect` (status, solutions, uniqueness, certificate,
/// the answer's backward error) and `digest`.
///
/// Stated solutions that hold are kept, before the decided ones. A record with an answer (logged
/// data) is `perturbed` under two conditions. The answer is right up to rounding, with errors within
/// the default tolerance. And no exact solution was decided, or only absurdly larger ones. A second
/// derivation changes nothing.
///
/// A problem with friction cones is `unknown` where nothing is proved of it and it has an answer, which must be
/// right up to rounding, or states that status itself. Where its answer is a solution to the last bit, it is one of `solutions`, too.
///
/// # Errors
/// [`Contradiction`]. A stated status is never rewritten, with one exception: `perturbed` and `unknown` give
/// way to `solvable` and `unsolvable`, which say more and carry their proof.
pub fn derive(problem: &Problem, decided: Decided) -> Result<Problem, Contradiction> {
    let stated = problem.expect.as_ref();
    let answer = stated.and_then(|expect| expect.answer.as_ref());
    let measures = answer.map(|answer| measure(problem, answer)).transpose()?;
    let kept = stated.and_then(|expect| expect.certificate.clone());
    let certificate = decided.certificate.or(kept);
    let truth = gathered(
        problem,
        decided.truth.solutions().to_vec(),
        certificate.as_ref(),
    )?;
    let neighbour = answer
        .zip(measures.as_ref())
        .filter(|(_, m)| is_within_tolerance(problem, m));
    let neighbour = neighbour.map(|(answer, _)| answer);
    let status = if problem.is_lcp() {
        status(&truth, neighbour, decided.gave_up)?
    } else {
        status_with_cones(
            &truth,
            stated,
            neighbour,
            measures.as_ref(),
            decided.gave_up,
        )?
    };
    if let Some(expect) = stated {
        check_stated(expect, status, &truth)?;
    }
    let expect = Expect {
        status,
        solutions: truth.solutions().iter().cloned().map(numbers).collect(),
        unique: truth.status().unique,
        certificate,
        answer: answer.zip(measures).map(|(answer, measures)| SourceAnswer {
            z: answer.z.clone(),
            backward_error: round_up_f64(&measures.backward_error),
            block_error: measures.block_error.as_ref().map(round_up_f64),
        }),
    };
    prove(problem, &expect)?;
    let mut derived = problem.clone();
    derived.expect = Some(expect);
    derived.remarks.digest = Some(digest(&derived));
    Ok(derived)
}

/// What is proved: by the stated solutions that hold, and by what was decided.
fn gathered(
    problem: &Problem,
    decided: Vec<Vec<Rational>>,
    certificate: Option<&Certificate>,
) -> Result<Truth, Contradiction> {
    let mut truth = Truth::default();
    let stated = problem.expect.as_ref();
    for (k, z) in (stated.into_iter())
        .flat_map(|expect| &expect.solutions)
        .enumerate()
    {
        let added = truth.add_solution(problem, exact(z));
        added.map_err(|reason| Contradiction::Solution { k, reason })?;
    }
    let answer = stated.and_then(|expect| expect.answer.as_ref());
    if let Some(answer) = answer.filter(|_| !problem.is_lcp()) {
        // Rounding moves most answers off their contacts' laws; such a one adds nothing.
        let _ = truth.add_solution(problem, exact(&answer.z));
    }
    for z in decided {
        truth.add_solution(problem, z)?;
    }
    if let Some(certificate) = certificate {
        truth.add_certificate(problem, certificate)?;
    }
    Ok(truth)
}

/// The status of a problem with friction cones; nothing is said of it that is not proved.
fn status_with_cones(
    truth: &Truth,
    stated: Option<&Expect>,
    neighbour: Option<&SourceAnswer>,
    measures: Option<&Measures>,
    gave_up: Option<String>,
) -> Result<Status, Contradiction> {
    match (neighbour, truth.status().solvable) {
        (_, Some(true)) => Ok(Status::Solvable),
        (Some(_), Some(false)) => Ok(Status::Perturbed),
        (None, Some(false)) => Ok(Status::Unsolvable),
        (Some(_), None) => Ok(Status::Unknown),
        (None, None) => match measures {
            Some(measures) => Err(Contradiction::Rejected {
                error: round_up_f64(&measures.error),
                violation: round_up_f64(measures.violation()),
            }),
            None if stated.is_some_and(|expect| expect.status == Status::Unknown) => {
                Ok(Status::Unknown)
            }
            None => Err(undecided(gave_up)),
        },
    }
}

fn undecided(gave_up: Option<String>) -> Contradiction {
    Contradiction::Undecided {
        reason: gave_up.unwrap_or_else(|| "the decision names neither".to_owned()),
    }
}

/// The status; `neighbour` is an answer that is right up to rounding.
fn status(
    truth: &Truth,
    neighbour: Option<&SourceAnswer>,
    gave_up: Option<String>,
) -> Result<Status, Contradiction> {
    match (neighbour, truth.status().solvable) {
        (Some(answer), _) if truth.solutions().iter().any(|z| is_sensible(z, answer)) => {
            Ok(Status::Solvable)
        }
        (Some(_), _) => Ok(Status::Perturbed),
        (None, Some(false)) => Ok(Status::Unsolvable),
        (None, Some(true)) if !truth.solutions().is_empty() => Ok(Status::Solvable),
        (None, _) => Err(undecided(gave_up)),
    }
}

fn check_stated(expect: &Expect, derived: Status, truth: &Truth) -> Result<(), Contradiction> {
    let stated = expect.status;
    let gives_way = matches!(stated, Status::Perturbed | Status::Unknown);
    if stated != derived && !gives_way {
        return Err(Contradiction::Status { stated, derived });
    }
    match (expect.unique, truth.status().unique) {
        (None, _) | (Some(Unique::W), Some(_)) | (Some(Unique::Z), Some(Unique::Z)) => Ok(()),
        (Some(stated), _) => Err(Contradiction::Unique { stated }),
    }
}

/// The measures of the source's answer, with the default snap.
fn measure(problem: &Problem, answer: &SourceAnswer) -> Result<Measures, Contradiction> {
    let evaluation = evaluate(problem, &exact(&answer.z), &Tolerance::default());
    Ok(evaluation.map_err(Contradiction::Answer)?.measures)
}

fn is_within_tolerance(problem: &Problem, measures: &Measures) -> bool {
    let tol = Tolerance::default().tol;
    // With friction cones the violation decides, too.
    measures.error <= tol && (problem.is_lcp() || *measures.violation() <= tol)
}

fn exact(z: &[Number]) -> Vec<Rational> {
    z.iter().map(Number::to_rational).collect()
}

fn numbers(z: Vec<Rational>) -> Vec<Number> {
    z.into_iter().map(Number::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{PMatrixProof, record};

    fn problem(rest: &str) -> Problem {
        let record = format!(r#"{{"name": "p", "M": [[2]], "q": [-3]{rest}}}"#);
        record::read_problem(&record).unwrap().record
    }

    fn decided(problem: &Problem) -> Decided {
        let certificate = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
        let mut truth = Truth::default();
        truth.add_certificate(problem, &certificate).unwrap();
        let z = vec![Rational::from((3, 2))];
        truth.add_solution(problem, z).unwrap();
        Decided {
            truth,
            certificate: Some(certificate),
            gave_up: None,
        }
    }

    #[test]
    fn deriving_twice_changes_nothing() {
        let bare = problem("");
        let once = derive(&bare, decided(&bare)).unwrap();
        assert_eq!(once.remarks.digest, Some(digest(&once)));
        assert_eq!(once.expect.as_ref().unwrap().unique, Some(Unique::Z));
        let twice = derive(&once, decided(&once)).unwrap();
        assert_eq!(once, twice);
    }

    #[test]
    fn a_stated_status_is_not_rewritten() {
        let wrong = problem(r#", "expect": {"status": "unsolvable"}"#);
        let error = derive(&wrong, decided(&wrong)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expect.status says unsolvable, but the problem is solvable"
        );
        let wrong = problem(r#", "expect": {"status": "solvable", "solutions": [["1"]]}"#);
        assert!(derive(&wrong, decided(&wrong)).is_err());
    }

    #[test]
    fn without_a_decision_only_logged_data_have_a_status() {
        let undecided = || Decided {
            gave_up: Some("the budget ran out".to_owned()),
            ..Decided::default()
        };
        assert!(derive(&problem(""), undecided()).is_err());
        let logged = problem(
            r#", "expect": {"status": "perturbed", "answer": {"z": [1.5000000001], "backward_error": 0}}"#,
        );
        let derived = derive(&logged, undecided()).unwrap().expect.unwrap();
        assert_eq!(derived.status, Status::Perturbed);
        assert!(derived.answer.unwrap().backward_error > 0.0);
        let derived = derive(&logged, decided(&logged)).unwrap().expect.unwrap();
        assert_eq!(derived.status, Status::Solvable);
    }

    #[test]
    fn a_bad_answer_makes_nothing_perturbed() {
        let logged = problem(
            r#", "expect": {"status": "perturbed", "answer": {"z": [1.6], "backward_error": 0}}"#,
        );
        assert!(derive(&logged, Decided::default()).is_err());
    }

    #[test]
    fn an_absurd_solution_leaves_the_answer_its_place() {
        // z = (1, 0) misses w_2 = 0 by 1e-10, but only z = (10001, 10000) solves it exactly.
        let record = r#"{"name": "p", "M": [[1, -1], [-1, "1.00000000000001"]],
            "q": [-1, "0.9999999999"], "expect": {"status": "perturbed",
            "answer": {"z": ANSWER, "backward_error": 0}}}"#;
        let cases = [
            ("[1, 0]", Status::Perturbed),
            ("[10001, 10000]", Status::Solvable),
        ];
        for (answer, status) in cases {
            let logged = record::read_problem(&record.replace("ANSWER", answer));
            let logged = logged.unwrap().record;
            let mut truth = Truth::default();
            let z = vec![Rational::from(10_001), Rational::from(10_000)];
            truth.add_solution(&logged, z).unwrap();
            let decided = Decided {
                truth,
                ..Decided::default()
            };
            let derived = derive(&logged, decided).unwrap().expect.unwrap();
            assert_eq!(derived.status, status, "{answer}");
        }
    }
}
