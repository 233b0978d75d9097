//! Whether a problem that is called perturbed is one, and one that is called unknown.

use etalon_certify::{Truth, solves};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Status, VerdictKind};
use rug::Rational;

use crate::report::SolverReport;
use etalon_certify::is_sensible;

/// So many entries of a solution are shown.
const SHOWN: usize = 6;

/// Why a record must not say `perturbed`: a solution that is not absurd beside the logged answer; nor `unknown`: any solution.
/// Looked for among what the record itself proves, its answer, and what solvers have found, whose
/// claims are in the order of their reports; the checker has found those that it calls exact to be
/// solutions.
pub(crate) fn refute(
    problem: &Problem,
    truth: &Truth,
    solved: &[(SolverReport, Claim)],
) -> Option<String> {
    let expect = problem.expect.as_ref()?;
    let answer = expect.answer.as_ref();
    let is_refuting = |z: &Vec<Rational>| match expect.status {
        Status::Unknown => true,
        // Without an answer it is no perturbed record, which `prove` says.
        Status::Perturbed => answer.is_some_and(|answer| is_sensible(z, answer)),
        Status::Solvable | Status::Unsolvable => false,
    };
    if matches!(expect.status, Status::Solvable | Status::Unsolvable) {
        return None;
    }
    let own = answer.map(|answer| exact(&answer.z));
    let own = own.filter(|z| solves(problem, z) == Ok(true));
    let found = solved.iter().filter_map(|(report, claim)| {
        let ClaimedAnswer::Solved { z } = &claim.answer else {
            return None;
        };
        (report.verdict.kind == VerdictKind::Exact).then(|| exact(z))
    });
    let known = truth.solutions().iter().cloned().chain(own);
    let solution = known.chain(found).find(is_refuting)?;
    Some(format!(
        "expect.status is {}, but z = {} solves it",
        expect.status.word(),
        shown(&solution)
    ))
}

fn exact(z: &[Number]) -> Vec<Rational> {
    z.iter().map(Number::to_rational).collect()
}

/// (1, 2/3, ...).
fn shown(z: &[Rational]) -> String {
    let mut entries: Vec<String> = z.iter().take(SHOWN).map(Rational::to_string).collect();
    if z.len() > SHOWN {
        entries.push("...".to_owned());
    }
    format!("({})", entries.join(", "))
}
