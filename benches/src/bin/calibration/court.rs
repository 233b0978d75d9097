//! Verdicts: all of them by `etalon_certify` and `etalon_judge`.

use etalon_certify::{Measure, Tolerance, Truth, check_claim};
use etalon_exact::Budget;
use etalon_judge::Judge;
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Verdict, VerdictKind};
use rug::Rational;

/// The tolerances, by their exponents of ten.
pub const TOLERANCES: [u32; 3] = [6, 9, 12];

/// 10^-k.
pub fn tolerance(k: u32, measure: Measure) -> Tolerance {
    Tolerance {
        tol: Rational::from((1, 10u64.pow(k))),
        measure,
        ..Tolerance::default()
    }
}

/// The claim that z solves the problem; `None` where z is not finite.
pub fn claim(problem: &Problem, z: &[f64]) -> Option<Claim> {
    let z: Option<Vec<Number>> = z.iter().copied().map(Number::from_f64).collect();
    Some(Claim::new(problem.name(), ClaimedAnswer::Solved { z: z? }))
}

/// The verdict with the truth at hand: it carries the distance from the solutions.
pub fn informed(problem: &Problem, truth: &Truth, claim: &Claim, tolerance: &Tolerance) -> Verdict {
    check_claim(problem, claim, truth, tolerance)
}

/// The verdict that a user gets: nothing is known beforehand.
pub fn uninformed(problem: &Problem, claim: &Claim, tolerance: &Tolerance) -> Verdict {
    let judge = Judge {
        tolerance: tolerance.clone(),
        budget: Budget {
            pivots: 3_000,
            ..Budget::default()
        },
        ..Judge::default()
    };
    judge.verdict(problem, claim).verdict
}

/// Whether an answer passes.
pub fn passes(verdict: &Verdict) -> bool {
    matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted)
}
