//! Each recorded step's problem, sent to a solver.

use etalon_lcp::{Problem, Verdict, round_up_f64};
use serde_json::{Value, json};

use super::{Trial, differs, distance, solution};
use crate::trajectories::{Replay, check_k};

/// What came of one step's problem.
#[derive(Debug, Clone)]
pub struct ReplayedStep {
    /// The number of the step.
    pub k: u64,
    /// The problem as it was sent.
    pub problem: Problem,
    /// The verdict on the answer.
    pub verdict: Verdict,
    /// Whether it counts as right.
    pub accepted: bool,
    /// Whether the answer is of another basis than the recorded one.
    pub other_basis: bool,
    /// How far the velocity that it makes is from the recorded one, in any coordinate; none where it
    /// names no solution.
    pub apart: Option<f64>,
}

/// What came of the problems of a trajectory.
#[derive(Debug, Clone, Default)]
pub struct Replayed {
    /// Steps with a problem.
    pub problems: u64,
    /// Of them with an answer that is accepted.
    pub accepted: u64,
    /// With an accepted answer of another basis.
    pub other_basis: u64,
    /// The first of them.
    pub first_other_basis: Option<u64>,
    /// The largest difference of an accepted answer's velocity from the recorded one.
    pub apart: f64,
    /// The largest error of an accepted answer.
    pub error: f64,
    /// Answers that are not accepted.
    pub failures: Vec<ReplayedStep>,
}

/// Sends the problem of step k of a stored trajectory to a solver; `None` where the step has none
/// (nothing touches).
///
/// # Errors
/// What does not hold of the step: its line is that of another one, it cannot be taken again, or it comes out with another
/// problem or solution than the record says.
pub fn replay_step(
    replay: &Replay<'_>,
    k: u64,
    trial: &Trial<'_>,
) -> Result<Option<ReplayedStep>, String> {
    if let Some(stored) = replay.stored(k) {
        check_k(k, stored)?;
    }
    let (line, record) = replay.recorded(k)?;
    if replay.stored(k).map(|stored| &stored.lcp) != Some(&line.lcp) {
        return Err("the problem does not come out as it stands; etalon verify says where".into());
    }
    if record.problem.n() == 0 {
        return Ok(None);
    }
    let problem = trial.sent(&record.problem)?;
    let (claim, judgement) = trial.ask(&problem);
    let z = solution(&claim).filter(|z| z.len() == problem.n());
    let own = z.map(|z| (z, claim.basis.as_ref()));
    let apart = z.and_then(|z| {
        let (own, reference) = (record.velocity_after(z)?, record.velocity_after(&record.z)?);
        Some(distance(&own, &reference))
    });
    Ok(Some(ReplayedStep {
        k,
        other_basis: own.is_some_and(|own| differs(own, (&record.z, &record.basis))),
        apart,
        problem,
        accepted: judgement.accepted,
        verdict: judgement.verdict,
    }))
}

impl Replayed {
    /// Counts a step.
    pub fn count(&mut self, step: ReplayedStep) {
        self.problems += 1;
        if !step.accepted {
            self.failures.push(step);
            return;
        }
        self.accepted += 1;
        if step.other_basis {
            self.other_basis += 1;
            self.first_other_basis = self.first_other_basis.or(Some(step.k));
        }
        self.apart = self.apart.max(step.apart.unwrap_or(0.0));
        if let Some(error) = step.verdict.figure() {
            self.error = self.error.max(round_up_f64(error));
        }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let failures = self.failures.iter().map(|step| {
            json!({
                "step": step.k,
                "verdict": step.verdict.kind.word(),
                "reason": step.verdict.reason,
            })
        });
        json!({
            "problems": self.problems,
            "accepted": self.accepted,
            "other_basis": self.other_basis,
            "first_other_basis": self.first_other_basis,
            "largest_velocity_difference": self.apart,
            "largest_error": self.error,
            "failures": failures.collect::<Vec<_>>(),
        })
    }
}
