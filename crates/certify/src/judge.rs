//! From a claim to a verdict.

use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Verdict, VerdictKind, round_up_f64};
use rug::{Integer, Rational};

use crate::evaluate::{Evaluation, RowError, evaluate};
use crate::truth::Truth;

/// How far a candidate may be from exact. The only tolerances there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tolerance {
    /// Largest backward error and negativity; default 1e-9.
    pub tol: Rational,
    /// Entries within this times max|z| of a bound may count as on it; default 1e-12.
    pub snap: Rational,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self {
            tol: Rational::from((1, 1_000_000_000)),
            snap: Rational::from((1, 1_000_000_000_000u64)),
        }
    }
}

/// Judges a claim about a problem, of which `truth` is known beforehand.
///
/// A claim's own certificate is checked and counts for what it proves; nothing else that the
/// claim says is believed.
pub fn judge(problem: &Problem, claim: &Claim, truth: &Truth, tolerance: &Tolerance) -> Verdict {
    let mut truth = truth.clone();
    // A claim that says nothing, or that answers another problem, has nothing to prove.
    let speaks = match &claim.answer {
        ClaimedAnswer::Solved { z } => z.len() == problem.n(),
        ClaimedAnswer::Unsolvable => true,
        ClaimedAnswer::Failed => false,
    };
    let certificate = match claim.certificate.as_ref().filter(|_| speaks) {
        None => Ok(()),
        Some(certificate) => {
            let mut extended = truth.clone();
            let added = extended.add_certificate(problem, certificate);
            added.map(|()| truth = extended)
        }
    };
    match &claim.answer {
        ClaimedAnswer::Solved { z } => {
            let mut verdict = judge_candidate(problem, z, truth, tolerance);
            if let (None, Err(error)) = (&verdict.reason, certificate) {
                verdict.reason = Some(format!("the claim's certificate does not hold: {error}"));
            }
            verdict
        }
        ClaimedAnswer::Unsolvable => {
            let certificate = certificate.map_err(|error| error.to_string());
            judge_unsolvable(problem, truth, certificate.err())
        }
        ClaimedAnswer::Failed => {
            let reason = claim.message.clone();
            let reason = reason.unwrap_or_else(|| "the solver gave up".to_owned());
            verdict(problem, VerdictKind::Failed, Some(reason), &truth)
        }
    }
}

fn verdict(problem: &Problem, kind: VerdictKind, reason: Option<String>, truth: &Truth) -> Verdict {
    Verdict {
        name: problem.name().to_owned(),
        kind,
        reason,
        measures: None,
        distance: None,
        truth: truth.status(),
    }
}

fn judge_unsolvable(problem: &Problem, truth: Truth, broken: Option<String>) -> Verdict {
    let (kind, reason) = match truth.status().solvable {
        Some(false) => (VerdictKind::Proved, None),
        Some(true) => {
            let solution = truth.solutions().first();
            let shown = solution.map_or("it has a solution".to_owned(), |z| {
                format!("it has the exact solution z = {}", show_vector(z))
            });
            (VerdictKind::Refuted, Some(shown))
        }
        None => {
            let why = broken.map_or("no certificate".to_owned(), |error| {
                format!("the certificate does not hold: {error}")
            });
            let reason = format!("{why}, and neither a proof nor a solution is at hand");
            (VerdictKind::Unproved, Some(reason))
        }
    };
    verdict(problem, kind, reason, &truth)
}

fn judge_candidate(
    problem: &Problem,
    z: &[Number],
    truth: Truth,
    tolerance: &Tolerance,
) -> Verdict {
    let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
    let evaluation = match evaluate(problem, &z, &tolerance.snap) {
        Ok(evaluation) => evaluation,
        // An answer to some other problem is no claim about this one.
        Err(length) => {
            return verdict(
                problem,
                VerdictKind::Failed,
                Some(length.to_string()),
                &truth,
            );
        }
    };
    let distance = match (evaluation.exact, truth.has_all_solutions()) {
        (true, _) => Some(Rational::new()),
        (false, true) => distance(&z, truth.solutions()),
        // A solution that is not known may be nearer.
        (false, false) => None,
    };
    let measures = &evaluation.measures;
    let within = measures.backward_error <= tolerance.tol && measures.negativity <= tolerance.tol;
    let kind = if evaluation.exact {
        VerdictKind::Exact
    } else if !within {
        VerdictKind::Rejected
    } else if truth.is_unsolvable() {
        VerdictKind::Perturbed
    } else {
        VerdictKind::Accepted
    };
    let reason = (kind == VerdictKind::Rejected).then(|| rejection(&evaluation, &z, tolerance));
    let mut verdict = verdict(problem, kind, reason, &truth);
    if evaluation.exact {
        // The candidate is its own proof.
        verdict.truth.solvable = Some(true);
    }
    Verdict {
        measures: Some(evaluation.measures),
        distance,
        ..verdict
    }
}

/// One phrase with the worst row.
fn rejection(evaluation: &Evaluation, z: &[Rational], tolerance: &Tolerance) -> String {
    let measures = &evaluation.measures;
    if let Some(row) = measures.negative_row
        && measures.negativity > tolerance.tol
    {
        let (value, size) = (show(&z[row]), show(&measures.negativity));
        return format!(
            "row {row}: z = {value} is outside its bounds by {size} of the largest entry"
        );
    }
    let Some(RowError { row, w, at }) = &evaluation.worst else {
        return "backward error over the tolerance".to_owned();
    };
    let must = match at {
        (true, _) => "must not be negative where z is at its lower bound",
        (_, true) => "must not be positive where z is at its upper bound",
        _ => "must be 0 where z is off its bounds",
    };
    let error = show(&measures.backward_error);
    format!("row {row}: w = {} {must}; backward error {error}", show(w))
}

/// max|z - y| / max|y| for the nearest solution y (without the quotient where y = 0).
fn distance(z: &[Rational], solutions: &[Vec<Rational>]) -> Option<Rational> {
    let to = |y: &Vec<Rational>| {
        let gaps = z.iter().zip(y).map(|(a, b)| Rational::from(a - b).abs());
        let gap = gaps.max().unwrap_or_default();
        let size = y
            .iter()
            .map(|v| Rational::from(v.abs_ref()))
            .max()
            .unwrap_or_default();
        if size.is_zero() { gap } else { gap / size }
    };
    solutions.iter().map(to).min()
}

/// A short fraction as it is, a long one rounded.
pub(crate) fn show(value: &Rational) -> String {
    let exact = value.to_string();
    if exact.len() <= 20 {
        return exact;
    }
    let rounded = round_up_f64(value);
    if rounded.is_normal() {
        return format!("{rounded:e}");
    }
    // Beyond the range of binary64, a power of ten near it.
    let digits = |part: &Integer| part.to_string().len() as i64;
    let exponent = digits(value.numer()) - digits(value.denom());
    let sign = if *value < 0 { "-" } else { "" };
    format!("{sign}1e{exponent}")
}

fn show_vector(z: &[Rational]) -> String {
    const SHOWN: usize = 12;
    let mut parts: Vec<_> = z.iter().take(SHOWN).map(show).collect();
    if z.len() > SHOWN {
        parts.push("...".to_owned());
    }
    format!("({})", parts.join(", "))
}
