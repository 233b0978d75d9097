//! Golden steps of engines: the verdicts that `etalon golden` writes beside them, and the same judged again.
//!
//! A file `x.jsonl` of records `etalon-step/1` has its verdicts in `x.verdicts.jsonl`, a line for each. Each step is asked all
//! that its data let one ask, and level C also for Coulomb's law at the velocity after the step.
//!
//! [`JudgedAgain::findings`] believes nothing of a stored verdict: the step is judged again, and a certificate or an impulse is checked
//! by products and sums. Where another one proves the same, it may stand there. The interval about a reference
//! solution, which is of binary64, may end differently by a millionth.

mod compare;

use etalon_engines::{EngineStep, Level, StepJudge, StepVerdict, judge_step};
use serde_json::Value;

pub use compare::StepFinding;
use compare::verdicts;

/// A question with its answer.
struct Answered {
    judge: StepJudge,
    verdict: StepVerdict,
}

/// A step judged again, at all levels that a golden step is asked.
pub struct JudgedAgain<'a> {
    step: &'a EngineStep,
    answered: Vec<Answered>,
}

impl<'a> JudgedAgain<'a> {
    /// Judges a step.
    pub fn of(step: &'a EngineStep) -> Self {
        let at_end_velocity = StepJudge {
            levels: vec![Level::C],
            slip: true,
            ..StepJudge::default()
        };
        let by = |judge: StepJudge| {
            let verdicts = judge_step(step, &judge).into_iter();
            verdicts.map(move |verdict| Answered {
                judge: judge.clone(),
                verdict,
            })
        };
        let mut answered: Vec<_> = by(StepJudge::default()).collect();
        // Of a step without bodies level C is not asked.
        if answered.iter().any(|own| own.verdict.level == Level::C) {
            answered.extend(by(at_end_velocity));
        }
        Self { step, answered }
    }

    /// The lines of its verdicts. A stored line is kept as long as it holds: the last digits of a reference solution may
    /// differ from machine to machine.
    pub fn lines(&self, stored: &[&str]) -> Vec<String> {
        let line = |(k, own): (usize, &Answered)| {
            let kept = stored.get(k).filter(|line| {
                let read = serde_json::from_str(line);
                read.is_ok_and(|read: Value| verdicts(self.step, own, &read).is_empty())
            });
            kept.map_or_else(|| own.verdict.line(), |line| (*line).to_owned())
        };
        self.answered.iter().enumerate().map(line).collect()
    }

    /// What of its stored verdicts, in their order, does not hold.
    pub fn findings(&self, stored: &[Value]) -> Vec<StepFinding> {
        let (there, due) = (stored.len(), self.answered.len());
        if there != due {
            // Which of them are missing is not said, nor is what the others would differ in.
            let reason = format!("there are {there} verdicts where {due} belong");
            return vec![StepFinding::new("verdict", reason).of(there.max(due))];
        }
        let pairs = self.answered.iter().zip(stored).enumerate();
        let findings = pairs.flat_map(|(k, (own, stored))| {
            let found = verdicts(self.step, own, stored).into_iter();
            found.map(move |finding| finding.of(k))
        });
        findings.collect()
    }
}

#[cfg(test)]
mod tests;
