//! A solver that drives a scene itself, beside the recorded run.

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, to_f64s};
use etalon_judge::Judgement;
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Verdict, round_up_f64};
use etalon_scenarios::motion::{Arithmetics, StepRecord};
use serde_json::{Value, json};

use super::{Trial, differs, distance, support};
use crate::judged::RecordedMotion;
use crate::trajectories::Replay;

/// What came of a run that the solver drove.
#[derive(Debug, Clone)]
pub struct ClosedLoop {
    /// Steps that it took.
    pub steps: u64,
    /// Its answers that are accepted, of the last problem of each step, judged exactly on its own data.
    pub accepted: u64,
    /// The steps of those that are not, with the verdict.
    pub failures: Vec<(u64, Verdict)>,
    /// The largest error of an accepted answer.
    pub error: f64,
    /// The first step whose basis is another one than the recorded, and why.
    pub parting: Option<Parting>,
    /// What its motion breaks of the laws of motion, beyond rounding and the judge's tolerance.
    pub breaches: Vec<Breach>,
    /// How far the two motions are apart after each step.
    pub divergence: Vec<Divergence>,
    /// Why the run ended before the record does.
    pub ended: Option<String>,
}

/// Two motions at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// The number of the step.
    pub k: u64,
    /// The largest difference of a coordinate, m or rad.
    pub q: f64,
    /// The largest difference of a velocity, m/s or rad/s.
    pub v: f64,
}

/// Where the bases part.
#[derive(Debug, Clone)]
pub struct Parting {
    /// The number of the step.
    pub k: u64,
    /// Why.
    pub cause: Cause,
    /// The recorded basis and the driver's.
    pub bases: [String; 2],
    /// How far apart the motions were before the step, in q.
    pub before: f64,
    /// What the exact solver's answer to the driver's problem makes of the velocity, against the
    /// driver's answer; none where there is no such comparison.
    pub velocity: Option<f64>,
}

/// Why two bases differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The driver's answer is not right.
    Wrong,
    /// Both answers are right, and for the driver's problem the exact solver takes the recorded
    /// basis or a third: the problem has several solutions.
    NotUnique,
    /// Both answers are right, and the exact solver takes the driver's basis for the driver's
    /// problem: rounding in earlier steps has made another problem of it.
    State,
    /// Other contacts take part: rounding in earlier steps has closed or opened one.
    Contacts,
}

impl Cause {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::NotUnique => "not-unique",
            Self::State => "state",
            Self::Contacts => "contacts",
        }
    }
}

/// Runs the scene of a stored trajectory with the solver's own answers, as long as the record is.
///
/// A solver of fractions runs in the arithmetic of the record, any other in binary64.
///
/// # Errors
/// Why there is no such run: the scene cannot be built, a line is in the place of another step, or no solver chooses its motion.
pub fn closed_loop(replay: &Replay<'_>, trial: &Trial<'_>) -> Result<ClosedLoop, String> {
    if replay.is_at_corners() {
        return Err(
            "Egan and Trinkle's corner chooses by its own rule; no solver drives it".into(),
        );
    }
    replay.check_order()?;
    let arithmetics = if trial.exact {
        Arithmetics::Exact
    } else {
        Arithmetics::Binary64
    };
    let total = replay.len();
    let mut run = replay.run(arithmetics, trial.solver, Some(total))?;
    let mut found = ClosedLoop {
        steps: 0,
        accepted: 0,
        failures: Vec::new(),
        error: 0.0,
        parting: None,
        breaches: Vec::new(),
        divergence: Vec::new(),
        ended: None,
    };
    // Its answers count as right within the tolerance, and so do the laws that follow from them.
    let header = run.header();
    let motion = RecordedMotion::new(&header, None, &trial.judge.tolerance.tol).ok();
    let mut before: Option<Line> = None;
    for k in 1..=total {
        let (line, record) = match run.advance_recorded() {
            Ok(step) => step,
            Err(error) => {
                found.ended = Some(error.to_string());
                break;
            }
        };
        found.steps = k;
        let judgement = judge_record(trial, &record);
        let (verdict, right) = (judgement.verdict, judgement.accepted);
        if found.parting.is_none() {
            found.parting = parting(replay, k, &record, right, &found.divergence)?;
        }
        found.count(k, verdict, right);
        found.compare(k, replay, &line);
        if let Some(motion) = &motion {
            let judged = motion.step(&header, before.as_ref(), &line)?;
            found.breaches.extend(judged.unwrap_or_default().breaches);
        }
        before = Some(line);
    }
    Ok(found)
}

impl ClosedLoop {
    fn count(&mut self, k: u64, verdict: Verdict, right: bool) {
        if !right {
            self.failures.push((k, verdict));
            return;
        }
        self.accepted += 1;
        if let Some(error) = verdict.figure() {
            self.error = self.error.max(round_up_f64(error));
        }
    }

    fn compare(&mut self, k: u64, replay: &Replay<'_>, line: &Line) {
        let Some(stored) = replay.stored(k) else {
            return;
        };
        self.divergence.push(Divergence {
            k,
            q: distance(&to_f64s(&line.q), &to_f64s(&stored.q)),
            v: distance(&to_f64s(&line.v), &to_f64s(&stored.v)),
        });
    }

    /// The first step after which a coordinate differs by more than that.
    pub fn first_apart(&self, by: f64) -> Option<Divergence> {
        self.divergence.iter().copied().find(|d| d.q > by)
    }

    /// The largest difference of a coordinate after any step.
    pub fn furthest(&self) -> Option<Divergence> {
        let all = self.divergence.iter().copied();
        all.max_by(|a, b| a.q.total_cmp(&b.q))
    }

    /// The most energy that a step gains for no reason.
    pub fn worst_gain(&self) -> Option<&Breach> {
        let gains = self.breaches.iter();
        let gains = gains.filter(|own| own.term == MotionLaw::EnergyGain);
        gains.max_by(|a, b| a.amount.cmp(&b.amount))
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let failures = self.failures.iter().map(|(k, verdict)| {
            json!({"step": k, "verdict": verdict.kind.word(), "reason": verdict.reason})
        });
        let parting = self.parting.as_ref().map(|parting| {
            json!({
                "step": parting.k,
                "cause": parting.cause.word(),
                "recorded_basis": parting.bases[0],
                "own_basis": parting.bases[1],
                "apart_before": parting.before,
                "velocity_difference": parting.velocity,
            })
        });
        let divergence = self
            .divergence
            .iter()
            .map(|d| json!({"k": d.k, "q": d.q, "v": d.v}));
        json!({
            "steps": self.steps,
            "accepted": self.accepted,
            "largest_error": self.error,
            "failures": failures.collect::<Vec<_>>(),
            "parting": parting,
            "breaches": self.breaches.iter().map(breach_json).collect::<Vec<_>>(),
            "divergence": divergence.collect::<Vec<_>>(),
            "ended": self.ended,
        })
    }
}

fn breach_json(own: &Breach) -> Value {
    serde_json::from_str(&own.line()).unwrap_or_default()
}

/// The answer that a step took, as a claim about its problem.
fn claim(problem: &Problem, z: &[Number]) -> Claim {
    Claim::new(problem.name(), ClaimedAnswer::Solved { z: z.to_vec() })
}

fn judge_record(trial: &Trial<'_>, record: &StepRecord) -> Judgement {
    trial
        .judge
        .verdict(&record.problem, &claim(&record.problem, &record.z))
}

/// Whether step k is of another basis than the recorded one, and why.
fn parting(
    replay: &Replay<'_>,
    k: u64,
    own: &StepRecord,
    right: bool,
    before: &[Divergence],
) -> Result<Option<Parting>, String> {
    let basis = replay.stored(k).map_or("", |line| &*line.lcp.basis);
    if basis == own.basis.to_string() {
        return Ok(None);
    }
    let (_, reference) = replay.recorded(k)?;
    let same_size = reference.problem.n() == own.problem.n();
    // Basic variables at zero make bases of the same solution differ.
    if same_size && support(&reference.z) == support(&own.z) {
        return Ok(None);
    }
    let mut velocity = None;
    let cause = if !right {
        Cause::Wrong
    } else if !same_size {
        Cause::Contacts
    } else {
        let lemke = ExactMethod::Lemke.solver(&Budget::default());
        let exact = lemke.solve(&own.problem);
        match &exact.answer {
            ClaimedAnswer::Solved { z } => {
                velocity = own
                    .velocity_after(z)
                    .and_then(|exact| Some(distance(&exact, &own.velocity_after(&own.z)?)));
                let named = (&*own.z, Some(&own.basis));
                let basis = exact.basis.as_ref().unwrap_or(&own.basis);
                if differs(named, (z, basis)) && support(&own.z) != support(z) {
                    Cause::NotUnique
                } else {
                    Cause::State
                }
            }
            _ => Cause::State,
        }
    };
    Ok(Some(Parting {
        k,
        cause,
        bases: [basis.to_owned(), own.basis.to_string()],
        before: before.last().map_or(0.0, |d| d.q),
        velocity,
    }))
}
