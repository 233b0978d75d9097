//! Re-proving one golden from nothing, and holding solvers to it.

use std::time::Instant;

use etalon_certify::{Tolerance, Truth, evaluate, prove};
use etalon_judge::{Judge, Judgement};
use etalon_lcp::record::digest;
use etalon_lcp::{
    Certificate, Claim, ClaimedAnswer, Measures, Number, Problem, Solver, SourceAnswer, Status,
    Unique, VerdictKind, round_up_f64,
};
use rug::Rational;

use crate::perturbed;
use crate::report::{Finding, Part, ProblemReport, SolverOutcome, SolverReport};

/// A solver with what is asked of it.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// The solver.
    pub solver: &'a (dyn Solver + Sync),
    /// Whether it claims to be exact: then an answer that is right up to rounding is wrong.
    pub is_exact: bool,
    /// Where it must not give up.
    pub duty: Duty,
}

/// The problems on which a solver has no excuse for giving up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// All whose solvability is proved.
    Decided,
    /// Those whose M is proved to be symmetric positive semidefinite or a P-matrix.
    WellBehaved,
    /// Pure ones whose M is proved to be a P-matrix.
    PMatrix,
    /// Those of at most so many rows whose solvability is proved.
    UpTo(usize),
    /// None.
    Free,
}

impl Duty {
    fn binds(self, problem: &Problem, truth: &Truth) -> bool {
        // No solver of this project solves friction cones.
        let decided = problem.is_lcp() && truth.status().solvable.is_some();
        match self {
            Self::Decided => decided,
            Self::UpTo(rows) => decided && problem.n() <= rows,
            Self::WellBehaved => decided && (has_psd_proof(problem) || has_p_proof(problem)),
            Self::PMatrix => decided && problem.is_pure() && has_p_proof(problem),
            Self::Free => false,
        }
    }
}

/// Whether the record carries a proof, checked before, that M is a P-matrix.
fn has_p_proof(problem: &Problem) -> bool {
    matches!(certificate(problem), Some(Certificate::PMatrix(_)))
}

/// Whether the record carries a proof, checked before, that M is symmetric and positive
/// semidefinite.
fn has_psd_proof(problem: &Problem) -> bool {
    matches!(certificate(problem), Some(Certificate::SymmetricPsd))
}

fn certificate(problem: &Problem) -> Option<&Certificate> {
    problem.expect.as_ref()?.certificate.as_ref()
}

/// Re-proves what a problem's record says, and judges each solver's claim by what was proved.
///
/// - a `digest` must be that of the record;
/// - `expect` must follow from its solutions and its certificate ([`prove`]);
/// - the source's answer must have just the backward error that the record states, and one
///   within the tolerance where the status is `perturbed` or `unknown`;
/// - where the status is `perturbed`, neither the record nor a solver has a solution that is not
///   absurd beside that answer, and where it is `unknown` none at all;
/// - a solver may give up outside of its [`Duty`], but never answer wrongly.
///
/// A record without `expect` has nothing to prove; its solvers answer for themselves.
pub fn reprove(problem: &Problem, assignments: &[Assignment<'_>], judge: &Judge) -> ProblemReport {
    let start = Instant::now();
    let mut findings = Vec::new();
    let mut find = |part, reason: Option<String>| {
        findings.extend(reason.map(|reason| Finding { part, reason }));
    };
    find(Part::Digest, check_digest(problem));
    let truth = match problem.expect.as_ref().map(|expect| prove(problem, expect)) {
        Some(Ok(truth)) => truth,
        Some(Err(error)) => {
            find(Part::Expect, Some(error.to_string()));
            Truth::default()
        }
        None => Truth::default(),
    };
    let expect = problem.expect.as_ref();
    if let Some((answer, status)) = expect.and_then(|e| Some((e.answer.as_ref()?, e.status))) {
        find(
            Part::Answer,
            check_answer(problem, answer, status, &judge.tolerance),
        );
    }
    let proof_time = start.elapsed();
    let examine = |assignment| examine(problem, &truth, assignment, judge);
    let solved: Vec<_> = assignments.iter().map(examine).collect();
    find(Part::Expect, perturbed::refute(problem, &truth, &solved));
    let solvers: Vec<_> = solved.into_iter().map(|(report, _)| report).collect();
    for (assignment, report) in assignments.iter().zip(&solvers) {
        let part = Part::Solver(report.name.clone());
        match &report.outcome {
            SolverOutcome::Wrong(reason) => find(part, Some(reason.clone())),
            SolverOutcome::GaveUp(reason) if assignment.duty.binds(problem, &truth) => {
                find(
                    part,
                    Some(format!("gave up on a problem in its class: {reason}")),
                );
            }
            SolverOutcome::GaveUp(_) | SolverOutcome::Solved => {}
        }
    }
    ProblemReport {
        name: problem.name().to_owned(),
        status: expect.map(|expect| expect.status),
        unique: truth.status().unique,
        findings,
        solvers,
        proof_time,
    }
}

fn check_digest(problem: &Problem) -> Option<String> {
    let stated = problem.remarks.digest.as_deref()?;
    let found = digest(problem);
    (stated != found).then(|| format!("the record's digest is {found}, not {stated}"))
}

/// Compares the stored backward error of the source's answer with the one it has.
fn check_answer(
    problem: &Problem,
    answer: &SourceAnswer,
    status: Status,
    tolerance: &Tolerance,
) -> Option<String> {
    let z: Vec<_> = answer.z.iter().map(Number::to_rational).collect();
    // The stored value was taken with the default snap, whatever the caller judges by.
    let measures = match evaluate(problem, &z, &Tolerance::default()) {
        Ok(evaluation) => evaluation.measures,
        Err(length) => return Some(length.to_string()),
    };
    let found = round_up_f64(&measures.backward_error);
    if found.to_bits() != answer.backward_error.to_bits() {
        let stated = answer.backward_error;
        return Some(format!("the backward error is {found:e}, not {stated:e}"));
    }
    if let Some(reason) = check_block_error(&measures, answer) {
        return Some(reason);
    }
    let is_neighbour = matches!(status, Status::Perturbed | Status::Unknown);
    if is_neighbour && measures.error > tolerance.tol {
        let worst = round_up_f64(&measures.error);
        return Some(format!("an error of {worst:e} is over the tolerance"));
    }
    if status == Status::Unknown && *measures.violation() > tolerance.tol {
        let worst = round_up_f64(measures.violation());
        return Some(format!("a violation of {worst:e} is over the tolerance"));
    }
    None
}

/// Compares the stored block error with that of the answer; only problems with friction cones have one.
fn check_block_error(measures: &Measures, answer: &SourceAnswer) -> Option<String> {
    let found = measures.block_error.as_ref().map(round_up_f64);
    if found.map(f64::to_bits) == answer.block_error.map(f64::to_bits) {
        return None;
    }
    let word = |error: Option<f64>| error.map_or_else(|| "none".to_owned(), |e| format!("{e:e}"));
    let (found, stated) = (word(found), word(answer.block_error));
    Some(format!("the block error is {found}, not {stated}"))
}

fn examine(
    problem: &Problem,
    truth: &Truth,
    assignment: &Assignment<'_>,
    judge: &Judge,
) -> (SolverReport, Claim) {
    let start = Instant::now();
    let claim = assignment.solver.solve(problem);
    let time = start.elapsed();
    let judgement = judge.verdict_knowing(problem, truth.clone(), &claim);
    let outcome = outcome(problem, truth, &claim, &judgement, assignment.is_exact);
    let report = SolverReport {
        name: assignment.solver.name().to_owned(),
        outcome,
        verdict: judgement.verdict,
        time,
    };
    (report, claim)
}

fn outcome(
    problem: &Problem,
    truth: &Truth,
    claim: &Claim,
    judgement: &Judgement,
    is_exact: bool,
) -> SolverOutcome {
    let verdict = &judgement.verdict;
    let reason = || verdict.reason.clone().unwrap_or_default();
    let word = verdict.kind.word();
    if claim.answer == ClaimedAnswer::Failed {
        return SolverOutcome::GaveUp(reason());
    }
    if !judgement.accepted {
        return SolverOutcome::Wrong(format!("{word}: {}", reason()));
    }
    // Solutions of contact problems are irrational as a rule: `certified` proves a box around its answer, not the answer.
    let is_bound = is_exact && problem.is_lcp();
    if is_bound && !matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Proved) {
        return SolverOutcome::Wrong(format!("an exact solver's answer is only {word}"));
    }
    if let Some(reason) =
        broken_proof(problem, claim).or_else(|| other_solution(problem, truth, claim, is_exact))
    {
        return SolverOutcome::Wrong(reason);
    }
    SolverOutcome::Solved
}

/// A right answer with a wrong proof is wrong.
fn broken_proof(problem: &Problem, claim: &Claim) -> Option<String> {
    let certificate = claim.certificate.as_ref()?;
    let error = Truth::default()
        .add_certificate(problem, certificate)
        .err()?;
    Some(format!("the claim's certificate does not hold: {error}"))
}

/// Where z is proved unique, there is nothing else to answer than the stored solution: that itself, or with friction
/// cones a box that holds it.
fn other_solution(
    problem: &Problem,
    truth: &Truth,
    claim: &Claim,
    is_exact: bool,
) -> Option<String> {
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        return None;
    };
    let stored = truth.solutions().first()?;
    if !is_exact || truth.status().unique != Some(Unique::Z) {
        return None;
    }
    let exact = |list: &[Number]| list.iter().map(Number::to_rational).collect::<Vec<_>>();
    let (middle, radius) = match &claim.certificate {
        _ if problem.is_lcp() => (exact(z), vec![Rational::new(); z.len()]),
        Some(Certificate::Enclosure(own)) => (exact(&own.center), exact(&own.radius)),
        // Nothing exact is claimed: the verdict has its block error.
        _ => return None,
    };
    let mut rows = middle.iter().zip(&radius).zip(stored);
    let row = rows
        .position(|((middle, radius), stored)| Rational::from(middle - stored).abs() > *radius)?;
    Some(format!(
        "z is unique, but z[{row}] is not that of the stored solution"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record;

    struct Fixed(ClaimedAnswer);

    impl Solver for Fixed {
        fn name(&self) -> &str {
            "fixed"
        }

        fn solve(&self, problem: &Problem) -> Claim {
            Claim::new(problem.name(), self.0.clone())
        }
    }

    fn problem(expect: &str) -> Problem {
        let record =
            format!(r#"{{"name": "p", "M": [[2, 1], [1, 2]], "q": [-3, -3], "expect": {expect}}}"#);
        record::read_problem(&record).unwrap().record
    }

    const TRUTH: &str = r#"{"status": "solvable", "solutions": [["1", "1"]], "unique": "z",
        "certificate": {"kind": "p-matrix", "proof": "positive-definite"}}"#;

    fn findings(problem: &Problem, answer: ClaimedAnswer) -> Vec<String> {
        let solver = Fixed(answer);
        let assignment = Assignment {
            solver: &solver,
            is_exact: true,
            duty: Duty::WellBehaved,
        };
        let report = reprove(problem, &[assignment], &Judge::default());
        report.findings.iter().map(ToString::to_string).collect()
    }

    fn solved(values: [f64; 2]) -> ClaimedAnswer {
        let z = values.map(|value| Number::from_f64(value).unwrap());
        ClaimedAnswer::Solved { z: z.to_vec() }
    }

    #[test]
    fn a_sound_golden_has_no_findings() {
        assert!(findings(&problem(TRUTH), solved([1.0, 1.0])).is_empty());
    }

    #[test]
    fn an_exact_solver_must_be_exact() {
        let found = findings(&problem(TRUTH), solved([1.0, 1.0 + 1e-15]));
        assert_eq!(
            found,
            ["solver fixed: an exact solver's answer is only accepted"]
        );
    }

    #[test]
    fn giving_up_inside_of_the_class_is_a_finding() {
        let found = findings(&problem(TRUTH), ClaimedAnswer::Failed);
        assert_eq!(found.len(), 1, "{found:?}");
        let unproved = r#"{"status": "solvable", "solutions": [["1", "1"]], "unique": null}"#;
        assert!(findings(&problem(unproved), ClaimedAnswer::Failed).is_empty());
    }

    #[test]
    fn a_wrong_digest_solution_or_claim_is_a_finding() {
        let mut wrong = problem(TRUTH);
        wrong.remarks.digest = Some("sha256:00".to_owned());
        assert!(findings(&wrong, solved([1.0, 1.0]))[0].starts_with("digest: "));
        let wrong = problem(&TRUTH.replace(r#"["1", "1"]"#, r#"["1", "2"]"#));
        assert!(findings(&wrong, solved([1.0, 1.0]))[0].starts_with("expect.solutions[0]: "));
        let found = findings(&problem(TRUTH), ClaimedAnswer::Unsolvable);
        assert!(found[0].starts_with("solver fixed: refuted"), "{found:?}");
    }

    /// z1 - z2 >= 1 and z2 - z1 >= -0.9999999999 contradict each other.
    fn perturbed(q: &str, answer: &str) -> Problem {
        let record = format!(
            r#"{{"name": "p", "M": [[1, -1], [-1, 1]], "q": [-1, {q}], "expect": {{"status": "perturbed",
            "solutions": [], "unique": null, "answer": {answer}}}}}"#
        );
        record::read_problem(&record).unwrap().record
    }

    #[test]
    fn the_answer_of_a_perturbed_problem_has_the_stated_backward_error() {
        let record = |error: &str| {
            let answer = format!(r#"{{"z": [1, 0], "backward_error": {error}}}"#);
            perturbed(r#""0.9999999999""#, &answer)
        };
        let found = findings(&record("0"), ClaimedAnswer::Failed);
        let stated = found[0]
            .strip_prefix("expect.answer: the backward error is ")
            .unwrap();
        let right = stated.split(',').next().unwrap();
        assert!(findings(&record(right), ClaimedAnswer::Failed).is_empty());
    }

    #[test]
    fn a_problem_with_a_solution_is_not_perturbed() {
        let answer = |z: &str| format!(r#"{{"z": {z}, "backward_error": 0}}"#);
        // The answer itself is a solution.
        let found = findings(&perturbed("1", &answer("[1, 0]")), ClaimedAnswer::Failed);
        assert_eq!(
            found,
            ["expect.status is perturbed, but z = (1, 0) solves it"]
        );
        // A solver finds one: M z + q = 0 along z = (1 + t, t).
        let measured = perturbed("1", &answer("[1.0000000001, 0]"));
        let found = findings(&measured, solved([3.0, 2.0]));
        assert!(
            found.contains(&"expect.status is perturbed, but z = (3, 2) solves it".to_owned()),
            "{found:?}"
        );
        // One that is more than 1000 times the answer says nothing of logged data.
        let found = findings(&measured, solved([1002.0, 1001.0]));
        assert!(!found.iter().any(|f| f.contains("perturbed")), "{found:?}");
        // The record has one itself.
        let mut own = measured;
        let z = vec![Number::from(2), Number::from(1)];
        own.expect.as_mut().unwrap().solutions = vec![z];
        let found = findings(&own, ClaimedAnswer::Failed);
        assert!(
            found.contains(
                &"expect.status is perturbed, but there is a solution like the answer".to_owned()
            ),
            "{found:?}"
        );
    }
}
