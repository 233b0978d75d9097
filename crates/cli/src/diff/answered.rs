//! One answer of the solver under test, judged.

use std::time::Duration;

use etalon_conformance::{FailureClass, SubjectFailure};
use etalon_evidence::outcome::{self, Beside, Column, digest_of};
use etalon_judge::show_vector;
use serde_json::{Map, Value};

use super::asked::Asked;
use crate::check::judging::Judged;
use crate::colours;

/// One answer, judged.
pub struct Answered {
    pub judged: Judged,
    /// Why there was none.
    pub failure: Option<SubjectFailure>,
    /// How long it took, as seen from here.
    pub took: Duration,
    /// How long, as the solver says itself.
    pub seconds: Option<f64>,
    /// How many pivots, as it says itself.
    pub pivots: Option<u64>,
    /// Errors in the problem's own record.
    pub complaints: Vec<String>,
    /// How it was judged.
    pub how: Map<String, Value>,
}

impl Answered {
    /// The verdict as a JSON object, with what stands in no verdict; of what was not accepted, with the command that
    /// repeats it.
    pub fn record(&self, asked: &Asked, solver: &str, again: Option<&str>) -> Value {
        let beside = Beside {
            solver,
            suite: &asked.suite.to_string(),
            n: asked.problem.n(),
            passed: self.judged.judgement.accepted,
            seconds: Some(self.took.as_secs_f64()),
            solver_seconds: self.seconds,
            pivots: self.pivots,
            failure: self.failure.as_ref().map(|failure| failure.kind),
            problem_digest: &digest_of(&asked.problem),
            judged: Some(&self.how),
            command: again.filter(|_| !self.judged.judgement.accepted),
        };
        Value::Object(outcome::record(&self.judged.line, &beside))
    }

    /// Where it belongs among the ways of answering.
    pub fn column(&self) -> Column {
        let failure = self.failure.as_ref().map(|failure| failure.kind);
        let kind = self.judged.judgement.verdict.kind;
        Column::of(failure, kind, self.judged.judgement.accepted)
    }

    /// What is wrong with it, where it is not accepted.
    pub fn class(&self) -> FailureClass {
        let verdict = &self.judged.judgement.verdict;
        let failure = self.failure.as_ref().map(|failure| failure.kind);
        FailureClass::of(
            failure,
            verdict.kind,
            verdict.grade,
            verdict.reason.as_deref(),
        )
    }

    /// The same in words, with its own numbers.
    pub fn own_words(&self) -> String {
        let verdict = &self.judged.judgement.verdict;
        let failure = self.failure.as_ref().map(|failure| failure.kind);
        FailureClass::own_words(
            failure,
            verdict.kind,
            verdict.grade,
            verdict.reason.as_deref(),
        )
    }

    /// Why it is not accepted, in one phrase.
    pub fn reason(&self) -> String {
        let verdict = &self.judged.judgement.verdict;
        let reason = verdict.reason.as_deref();
        reason.unwrap_or_else(|| verdict.kind.word()).to_owned()
    }

    /// The fault, in one line, the verdict in colour.
    pub fn text(&self, asked: &Asked) -> String {
        let verdict = &self.judged.judgement.verdict;
        let name = asked.shown_name();
        let word = colours::verdict(verdict.kind);
        let mut text = format!("{name}: {word}");
        if let Some(failure) = &self.failure {
            text += &format!(" ({})", failure.kind);
        }
        if let Some(reason) = &verdict.reason {
            text += &format!(": {}", reason);
        }
        if let Some(z) = &self.judged.judgement.solution {
            text += &format!("; an exact solution: z = {}", &show_vector(z));
        }
        text
    }
}
