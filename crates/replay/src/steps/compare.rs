//! A stored verdict on a step beside the one that is judged again.

use std::collections::BTreeSet;

use etalon_engines::{
    By, EngineStep, Explanation, Interval, LevelFinding, StatesQuestion, StepVerdict,
};
use serde_json::Value;

use super::Answered;

/// What does not hold of a stored verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFinding {
    /// The number of the verdict among those of its step, from 0; beyond them where it is about none of them.
    pub verdict: usize,
    /// The field.
    pub field: String,
    /// Why.
    pub reason: String,
}

impl StepFinding {
    pub(super) fn new(field: &str, reason: impl Into<String>) -> Self {
        Self {
            verdict: 0,
            field: field.to_owned(),
            reason: reason.into(),
        }
    }

    pub(super) fn of(self, verdict: usize) -> Self {
        Self { verdict, ..self }
    }
}

/// Ends of intervals about reference solutions are the same up to this part of the upper one.
const ALIKE: f64 = 1e-6;

/// Fields of numbers that are intervals about the solution of level A.
const INTERVALS: [&str; 4] = ["distance", "joule", "pair", "objective_gap"];

/// Fields that prove level C, and what they prove.
const PROOF: [&str; 3] = ["eps", "certificate", "impulse"];

/// How a stored verdict differs from the one that is judged again.
pub(super) fn verdicts(step: &EngineStep, own: &Answered, stored: &Value) -> Vec<StepFinding> {
    let judged: Value = serde_json::from_str(&own.verdict.line()).unwrap_or_default();
    let (Some(there), Some(due)) = (stored.as_object(), judged.as_object()) else {
        return vec![StepFinding::new("text", "the line is no JSON object")];
    };
    let is_proof = |name: &&String| {
        let has_proof = matches!(own.verdict.finding, LevelFinding::Explanation(_));
        has_proof && PROOF.contains(&name.as_str())
    };
    let names: BTreeSet<_> = there.keys().chain(due.keys()).collect();
    let mut findings = Vec::new();
    for name in names.into_iter().filter(|name| !is_proof(name)) {
        let reason = match (there.get(name), due.get(name)) {
            (None, _) => "the field is missing".to_owned(),
            (Some(_), None) => "no such field belongs there".to_owned(),
            (Some(there), Some(due)) if is_same(&own.verdict, name, there, due) => continue,
            (Some(there), Some(due)) => format!("it is {there}, and {due} judged again"),
        };
        findings.push(StepFinding::new(name, reason));
    }
    if let LevelFinding::Explanation(found) = &own.verdict.finding {
        findings.extend(proof(step, own, found, stored).err());
    }
    findings
}

fn is_same(verdict: &StepVerdict, name: &str, there: &Value, due: &Value) -> bool {
    let LevelFinding::Distance(distance) = &verdict.finding else {
        return there == due;
    };
    if distance.by != By::Reference {
        return there == due;
    }
    if let ("reason", Some(there), Some(due)) = (name, there.as_str(), due.as_str()) {
        return is_said_alike(there, due);
    }
    if !INTERVALS.contains(&name) || !is_of_kind(there, due) {
        return there == due;
    }
    match (Interval::of_json(there), Interval::of_json(due)) {
        (Some(there), Some(due)) => is_alike(there, due),
        // A number is its own interval.
        _ => match (there.as_f64(), due.as_f64()) {
            (Some(there), Some(due)) => (there - due).abs() <= ALIKE * due.abs(),
            _ => there == due,
        },
    }
}

/// Both hold the same solution as far as can be said: their ends are near, and they have numbers in common.
fn is_alike(there: Interval, due: Interval) -> bool {
    let near = |there: f64, own: f64| there == own || (there - own).abs() <= ALIKE * due.upper;
    let is_ordered = there.lower <= there.upper;
    let meets = there.lower <= due.upper && due.lower <= there.upper;
    is_ordered && meets && near(there.lower, due.lower) && near(there.upper, due.upper)
}

/// Whether numbers stand where numbers do, and texts where texts.
fn is_of_kind(there: &Value, due: &Value) -> bool {
    match (there, due) {
        (Value::Array(there), Value::Array(due)) => {
            there.len() == due.len() && there.iter().zip(due).all(|(a, b)| is_of_kind(a, b))
        }
        (there, due) => std::mem::discriminant(there) == std::mem::discriminant(due),
    }
}

/// The same words, with numbers that are the same up to [`ALIKE`].
fn is_said_alike(there: &str, due: &str) -> bool {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (there, due) = (words(there), words(due));
    let same = |there: &String, due: &String| {
        let number = |word: &str| word.trim_end_matches([',', ';', ':', ')']).parse::<f64>();
        match (number(there), number(due)) {
            (Ok(a), Ok(b)) => (a - b).abs() <= ALIKE * b.abs(),
            _ => there == due,
        }
    };
    there.len() == due.len() && there.iter().zip(&due).all(|(a, b)| same(a, b))
}

/// Whether the stored certificate and impulses prove the stored eps, and that is the one judged again.
fn proof(
    step: &EngineStep,
    own: &Answered,
    judged: &Explanation,
    stored: &Value,
) -> Result<(), StepFinding> {
    let unreadable = |field: &str| StepFinding::new(field, "it cannot be read");
    let there = Explanation::of_json(stored).map_err(unreadable)?;
    let due: Value = serde_json::from_str(&own.verdict.line()).unwrap_or_default();
    if !is_of_kind(&stored["eps"], &due["eps"]) {
        return Err(unreadable("eps"));
    }
    if there == *judged {
        return Ok(());
    }
    let question =
        StatesQuestion::of(step, &own.judge).map_err(|why| StepFinding::new("eps", why))?;
    let alone = |certificate: bool| Explanation {
        certificate: there.certificate.clone().filter(|_| certificate),
        impulse: there.impulse.clone().filter(|_| !certificate),
        ..there.clone()
    };
    for (certificate, field) in [(true, "certificate"), (false, "impulse")] {
        if question.proved(&alone(certificate)).is_none() {
            return Err(StepFinding::new(field, "it proves nothing of the step"));
        }
    }
    match question.proved(&there) {
        Some(proved) if proved != there.eps => Err(StepFinding::new(
            "eps",
            format!(
                "certificate and impulse prove {:?} to {:?}",
                proved.lower, proved.upper
            ),
        )),
        Some(proved) if is_alike(proved, judged.eps) => Ok(()),
        _ => Err(StepFinding::new(
            "eps",
            format!(
                "it is {:?} to {:?} judged again",
                judged.eps.lower, judged.eps.upper
            ),
        )),
    }
}
