//! The results of a solver, by suite: a table for people, an object for programs.

use std::collections::BTreeMap;
use std::time::Duration;

use etalon_conformance::{Failure, FailureKind, Skip};
use etalon_evidence::outcome::{self, Beside, Column, digest_of};
use etalon_golden::Suite;
use etalon_judge::show_vector;
use etalon_lcp::VerdictKind;
use serde_json::{Map, Value, json};

use super::asked::Asked;
use crate::check::judging::Judged;
use etalon_evidence::table::render;

/// One answer, judged.
pub struct Answered {
    pub judged: Judged,
    /// Why there was none.
    pub failure: Option<Failure>,
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

/// The results of the solver, by suite.
#[derive(Default)]
pub struct Scores {
    suites: BTreeMap<Suite, Row>,
    failures: Vec<Wrong>,
    kinds: BTreeMap<FailureKind, u64>,
    skips: BTreeMap<String, u64>,
}

#[derive(Default)]
struct Row {
    sent: u64,
    accepted: u64,
    verdicts: [u64; VerdictKind::ALL.len()],
}

/// An answer that was not accepted.
struct Wrong {
    verdict: VerdictKind,
    text: String,
    /// The command that repeats it.
    again: String,
    record: Value,
}

impl Answered {
    /// The verdict as a JSON object, with what stands in no verdict.
    pub fn record(&self, asked: &Asked, solver: &str) -> Value {
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
        };
        Value::Object(outcome::record(&self.judged.line, &beside))
    }

    /// Where it belongs among the ways of answering.
    pub fn column(&self) -> Column {
        let failure = self.failure.as_ref().map(|failure| failure.kind);
        let kind = self.judged.judgement.verdict.kind;
        Column::of(failure, kind, self.judged.judgement.accepted)
    }

    /// The fault, in one line.
    pub fn text(&self, asked: &Asked) -> String {
        let verdict = &self.judged.judgement.verdict;
        let (origin, name, word) = (&asked.origin, asked.problem.name(), verdict.kind.word());
        let mut text = format!("{origin}: record {name:?}: {word}");
        if let Some(failure) = &self.failure {
            text += &format!(" ({})", failure.kind);
        }
        if let Some(reason) = &verdict.reason {
            text += &format!(": {reason}");
        }
        if let Some(z) = &self.judged.judgement.solution {
            text += &format!("; an exact solution: z = {}", show_vector(z));
        }
        text
    }
}

impl Scores {
    pub fn count(&mut self, asked: &Asked, answered: &Answered, solver: &str, again: String) {
        let kind = answered.judged.judgement.verdict.kind;
        let row = self.suites.entry(asked.suite.clone()).or_default();
        row.sent += 1;
        row.accepted += u64::from(answered.judged.judgement.accepted);
        if let Some(k) = VerdictKind::ALL.iter().position(|other| *other == kind) {
            row.verdicts[k] += 1;
        }
        if let Some(failure) = &answered.failure {
            *self.kinds.entry(failure.kind).or_default() += 1;
        }
        if !answered.judged.judgement.accepted {
            self.failures.push(Wrong {
                verdict: kind,
                text: answered.text(asked),
                again,
                record: answered.record(asked, solver),
            });
        }
    }

    pub fn skip(&mut self, skip: &Skip) {
        *self.skips.entry(skip.to_string()).or_default() += 1;
    }

    pub fn all_accepted(&self) -> bool {
        self.failures.is_empty()
    }

    fn total(&self) -> Row {
        let mut total = Row::default();
        for row in self.suites.values() {
            total.sent += row.sent;
            total.accepted += row.accepted;
            for (sum, count) in total.verdicts.iter_mut().zip(row.verdicts) {
                *sum += count;
            }
        }
        total
    }

    fn not_sent(&self) -> u64 {
        self.skips.values().sum()
    }

    /// For people. Wrong answers come before those that say nothing.
    pub fn to_text(&self) -> String {
        let mut header = vec!["suite", "sent", "accepted"];
        header.extend(VerdictKind::ALL.iter().map(|kind| kind.word()));
        let total = self.total();
        let named = self
            .suites
            .iter()
            .map(|(suite, row)| (suite.to_string(), row));
        let rows = named.chain([("all".to_owned(), &total)]);
        let mut text = render(
            &header,
            1..header.len(),
            rows.map(|(name, row)| row.cells(name)),
        );
        let says_nothing = |wrong: &&Wrong| wrong.verdict == VerdictKind::Failed;
        let (quiet, wrong): (Vec<_>, Vec<_>) = self.failures.iter().partition(says_nothing);
        for failure in wrong.into_iter().chain(quiet) {
            text += &format!("\n{}\n  {}", failure.text, failure.again);
        }
        text += &format!("\n{} of {} accepted", total.accepted, total.sent);
        if !self.kinds.is_empty() {
            let kinds = self
                .kinds
                .iter()
                .map(|(kind, count)| format!("{count} {kind}"));
            text += &format!("; no answer: {}", kinds.collect::<Vec<_>>().join(", "));
        }
        if self.not_sent() > 0 {
            let skips = self
                .skips
                .iter()
                .map(|(skip, count)| format!("{count} {skip}"));
            let skips: Vec<_> = skips.collect();
            text += &format!("; {} not sent ({})", self.not_sent(), skips.join(", "));
        }
        text
    }

    /// For programs.
    pub fn to_json(&self) -> String {
        let named = self
            .suites
            .iter()
            .map(|(suite, row)| (suite.to_string(), row));
        let suites: Vec<_> = named.map(|(name, row)| row.to_json(Some(name))).collect();
        let failures = self.failures.iter();
        let failures =
            failures.map(|wrong| json!({"verdict": wrong.record, "command": wrong.again}));
        let kinds = self.kinds.iter();
        let kinds = kinds.map(|(kind, count)| (kind.word().to_owned(), json!(count)));
        json!({
            "suites": suites,
            "total": self.total().to_json(None),
            "not_sent": self.not_sent(),
            "skipped": self.skips,
            "no_answer": kinds.collect::<Map<_, _>>(),
            "failures": failures.collect::<Vec<_>>(),
        })
        .to_string()
    }
}

impl Row {
    fn cells(&self, name: String) -> Vec<String> {
        let mut cells = vec![name, self.sent.to_string(), self.accepted.to_string()];
        cells.extend(self.verdicts.iter().map(ToString::to_string));
        cells
    }

    fn to_json(&self, name: Option<String>) -> Value {
        let words = VerdictKind::ALL.iter().map(|kind| kind.word().to_owned());
        let counts = words.zip(self.verdicts.iter().map(|count| json!(count)));
        let mut row: Map<_, _> = name
            .map(|name| ("suite".to_owned(), json!(name)))
            .into_iter()
            .collect();
        row.insert("sent".to_owned(), json!(self.sent));
        row.insert("accepted".to_owned(), json!(self.accepted));
        row.insert("verdicts".to_owned(), Value::Object(counts.collect()));
        Value::Object(row)
    }
}
