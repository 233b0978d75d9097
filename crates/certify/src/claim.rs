//! From a claim to a verdict.

use etalon_lcp::{
    Claim, ClaimedAnswer, Grade, Measures, Number, Problem, Reached, Unique, Verdict, VerdictKind,
    short_text,
};
use rug::Rational;

use crate::evaluate::{Evaluation, RowError, distance};
use crate::tolerance::{Measure, Tolerance};
use crate::truth::Truth;
use crate::{candidate::evaluate, cones::at_largest_sizes};

impl Tolerance {
    fn accepts(&self, evaluation: &Evaluation) -> bool {
        let measures = &evaluation.measures;
        match self.measure {
            Measure::Natural => self.is_right(evaluation),
            Measure::Componentwise => {
                measures.backward_error <= self.tol && *measures.violation() <= self.tol
            }
            Measure::Block => self.is_right_by_blocks(measures),
        }
    }

    /// By the error of the contract. With friction cones that is the block error, which leaves what is
    /// outside to the negativity; without, it has the moves from outside in it.
    fn is_right(&self, evaluation: &Evaluation) -> bool {
        let measures = &evaluation.measures;
        measures.error <= self.tol && (!evaluation.of_cones || self.is_right_by_blocks(measures))
    }

    fn is_right_by_blocks(&self, measures: &Measures) -> bool {
        let error = measures.block_error.as_ref();
        error.is_some_and(|error| *error <= self.tol) && *measures.violation() <= self.tol
    }

    /// How wrong an answer is that one of the measures does not accept.
    fn grade(&self, problem: &Problem, z: &[Rational], own: &Evaluation) -> Option<Grade> {
        let measures = &own.measures;
        if self.is_right(own) {
            let right = measures.backward_error <= self.tol && *measures.violation() <= self.tol;
            return (!right).then_some(Grade::Noise);
        }
        let gross = match &own.share_of_largest {
            // The share is a square.
            Some(share) => *share > Rational::from(&self.tol * &self.tol),
            // What is over the budget is not called gross.
            None => at_largest_sizes(problem, z, self).is_ok_and(|own| !self.is_right(&own)),
        };
        Some(if gross { Grade::Gross } else { Grade::Wrong })
    }
}

/// Judges a claim about a problem, of which `truth` is known beforehand.
///
/// A claim's own certificate is checked and counts for what it proves; nothing else that the
/// claim says is believed.
pub fn check_claim(
    problem: &Problem,
    claim: &Claim,
    truth: &Truth,
    tolerance: &Tolerance,
) -> Verdict {
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
        reached: None,
        grade: None,
        ill_conditioned: None,
        energy_error: None,
        truth: truth.status(),
        asked: false,
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
    let evaluation = match evaluate(problem, &z, tolerance) {
        Ok(evaluation) => evaluation,
        // An answer to some other problem is no claim about this one, and one that is too long to be
        // evaluated is no answer.
        Err(error) => {
            let reason = Some(error.to_string());
            return verdict(problem, VerdictKind::Failed, reason, &truth);
        }
    };
    if evaluation.exact {
        let mut verdict = verdict(problem, VerdictKind::Exact, None, &truth);
        // The candidate is its own proof.
        verdict.truth.solvable = Some(true);
        verdict.measures = Some(evaluation.measures);
        verdict.distance = Some(Rational::new());
        return verdict;
    }
    // A solution whose sizes are over the budget measures nothing; the error alone decides then.
    // There are no natural sizes to take a distance in where there are friction cones.
    let solutions = truth.solutions().iter().filter(|_| problem.is_lcp());
    let gaps = solutions.filter_map(|y| distance(problem, &z, y, &tolerance.tol).ok());
    let gap = gaps.min();
    let near = gap.as_ref().is_some_and(|gap| *gap <= tolerance.tol);
    let (kind, reached) = match (tolerance.accepts(&evaluation), tolerance.measure) {
        (true, _) if truth.is_unsolvable() => (VerdictKind::Perturbed, None),
        (true, _) => (VerdictKind::Accepted, None),
        (false, Measure::Natural) if near => (VerdictKind::Accepted, Some(Reached::Distance)),
        (false, _) if gap.is_some() => (VerdictKind::Rejected, Some(Reached::Distance)),
        (false, _) => (VerdictKind::Rejected, Some(Reached::Error)),
    };
    let accepted = kind == VerdictKind::Accepted;
    let far = |gap: &Rational| {
        // Of the digits that the tolerance asks for, less than half are those of the solution.
        let unique = truth.status().unique == Some(Unique::Z);
        accepted && unique && gap.clone().square() > tolerance.tol
    };
    let reason = (kind == VerdictKind::Rejected).then(|| {
        let unsolved = match evaluation.unsolved {
            true => "; the free rows were not solved for their unknowns: over the budget of work",
            false => "",
        };
        rejection(problem, &evaluation, &z, tolerance) + unsolved
    });
    // Near an exact solution nothing is wrong but what the measures see.
    let grade = match reached {
        Some(Reached::Distance) if accepted => Some(Grade::Noise),
        _ => tolerance.grade(problem, &z, &evaluation),
    };
    Verdict {
        measures: Some(evaluation.measures),
        reached,
        grade,
        ill_conditioned: gap.clone().filter(far),
        distance: gap,
        ..verdict(problem, kind, reason, &truth)
    }
}

/// One phrase with the worst row.
fn rejection(
    problem: &Problem,
    evaluation: &Evaluation,
    z: &[Rational],
    tolerance: &Tolerance,
) -> String {
    let measures = &evaluation.measures;
    if let Some(row) = measures.negative_row
        && *measures.violation() > tolerance.tol
    {
        let (value, size) = (short_text(&z[row]), short_text(measures.violation()));
        if let Some(cone) = cone_of(problem, row) {
            return format!(
                "cone {cone}: the force is outside of it by {size} of its natural size"
            );
        }
        return format!(
            "row {row}: z = {value} is outside its bounds by {size} of its natural size"
        );
    }
    let error = match tolerance.measure {
        Measure::Block | Measure::Natural if measures.block_error.is_some() => {
            let error = measures.block_error.as_ref();
            format!("block error {}", error.map(short_text).unwrap_or_default())
        }
        Measure::Block | Measure::Natural => format!("error {}", short_text(&measures.error)),
        Measure::Componentwise => {
            format!("backward error {}", short_text(&measures.backward_error))
        }
    };
    let Some(RowError { row, w, at }) = &evaluation.worst else {
        let row = measures.worst_row.unwrap_or_default();
        if let Some(cone) = cone_of(problem, row) {
            let law = problem.cones()[cone].law.word();
            return format!("cone {cone}: force and velocity do not obey the {law} law; {error}");
        }
        if !problem.is_lcp() {
            return format!("row {row}: w has the wrong sign, or is not 0; {error}");
        }
        let value = short_text(&z[row]);
        return format!("row {row}: z = {value} is off its bound where w is not 0; {error}");
    };
    let must = match at {
        (true, _) => "must not be negative where z is at its lower bound",
        (_, true) => "must not be positive where z is at its upper bound",
        _ => "must be 0 where z is off its bounds",
    };
    format!("row {row}: w = {} {must}; {error}", short_text(w))
}

/// The position of the cone that a row belongs to.
fn cone_of(problem: &Problem, row: usize) -> Option<usize> {
    let mut cones = problem.cones().iter();
    cones.position(|cone| cone.rows().any(|own| own == row))
}

fn show_vector(z: &[Rational]) -> String {
    const SHOWN: usize = 12;
    let mut parts: Vec<_> = z.iter().take(SHOWN).map(short_text).collect();
    if z.len() > SHOWN {
        parts.push("...".to_owned());
    }
    format!("({})", parts.join(", "))
}
