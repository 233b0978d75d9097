//! The results of a solver, by suite: a table for people, an object for programs.

use std::collections::BTreeMap;

use etalon_conformance::{Capabilities, FailureClass, FailureKind, Severity, Skip};
use etalon_golden::Suite;
use etalon_lcp::VerdictKind;
use serde_json::{Map, Value, json};

use super::answered::Answered;
use super::asked::Asked;
use super::{Failures, hint};
use crate::colours::{plain, verdict_cells};
use crate::console::count_table;
use etalon_evidence::outcome::Groups;

/// The results of the solver, by suite.
pub struct Scores {
    /// What the solver can do, by what it was sent.
    can: Capabilities,
    suites: BTreeMap<Suite, Row>,
    failures: Vec<Wrong>,
    groups: Groups,
    kinds: BTreeMap<FailureKind, u64>,
    skips: BTreeMap<Skip, u64>,
}

#[derive(Default, Clone)]
struct Row {
    sent: u64,
    accepted: u64,
    verdicts: [u64; VerdictKind::ALL.len()],
}

/// An answer that was not accepted.
struct Wrong {
    kind: FailureClass,
    /// Rows of the problem.
    n: usize,
    text: String,
    /// The command that repeats it.
    again: String,
    record: Value,
}

impl Scores {
    /// Nothing counted yet of a solver that can do so much.
    pub fn of(can: Capabilities) -> Self {
        Self {
            can,
            suites: BTreeMap::new(),
            failures: Vec::new(),
            groups: Groups::default(),
            kinds: BTreeMap::new(),
            skips: BTreeMap::new(),
        }
    }

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
            let kind = answered.class();
            self.groups.count(kind.clone(), &asked.suite.to_string());
            self.failures.push(Wrong {
                kind,
                n: asked.problem.n(),
                text: answered.text(asked),
                again,
                record: answered.record(asked, solver, None),
            });
        }
    }

    pub fn skip(&mut self, skip: &Skip) {
        *self.skips.entry(skip.clone()).or_default() += 1;
    }

    pub fn all_accepted(&self) -> bool {
        self.failures.is_empty()
    }

    fn total(&self) -> Row {
        Row::sum(self.suites.values())
    }

    fn not_sent(&self) -> u64 {
        self.skips.values().sum()
    }

    /// For people: where something went wrong, what did how often, and some of it in full: the worst
    /// first, and of one severity the smallest.
    pub fn to_text(&self, shown: Failures, slow: usize) -> String {
        let mut parts = vec![self.table()];
        if !self.failures.is_empty() {
            parts.push(self.groups.lines().join("\n"));
        }
        let shown = self.worst(shown);
        if !shown.is_empty() {
            if shown.len() < self.failures.len() {
                let (some, all) = (shown.len(), self.failures.len());
                let rest = "--failures N or all shows more, --out FILE writes all";
                parts.push(format!(
                    "the worst {some} of {all}, small problems first ({rest}):"
                ));
            }
            parts.push(in_full(&shown));
        }
        if slow > 0 {
            parts.push(format!(
                "{slow} answered only when asked again, alone: this machine was too busy, or --timeout is too short"
            ));
        }
        let skips = self.skips.iter();
        parts.extend(skips.map(|(skip, count)| hint(*count, skip, &self.can)));
        parts.push(self.summary());
        parts.join("\n")
    }

    /// Every failure in full, for a file.
    pub fn to_whole_text(&self, slow: usize) -> String {
        plain(&self.to_text(Failures::All, slow))
    }

    /// The failures that are shown, the worst first.
    fn worst(&self, shown: Failures) -> Vec<&Wrong> {
        let mut sorted: Vec<&Wrong> = self.failures.iter().collect();
        sorted.sort_by_key(|wrong| wrong.kind.severity.key(wrong.n));
        match shown {
            Failures::All => {}
            Failures::Most(most) => sorted.truncate(most),
        }
        sorted
    }

    /// A line for each kind of failure, with how often it came.
    pub fn kinds_told(&self) -> String {
        self.groups.lines().join("\n")
    }

    /// The worst failures in full, for a file.
    pub fn worst_told(&self, shown: Failures) -> String {
        plain(&in_full(&self.worst(shown)))
    }

    /// Whether every failure is a solver that says that it gave up.
    pub fn only_gave_up(&self) -> bool {
        let mut failures = self.failures.iter();
        failures.all(|wrong| wrong.kind.severity == Severity::GaveUp)
    }

    /// "412 of 417 accepted".
    pub fn accepted_told(&self) -> String {
        let total = self.total();
        format!("{} of {} accepted", total.accepted, total.sent)
    }

    /// A row for each suite in which something was not accepted, and columns for what there is.
    fn table(&self) -> String {
        let total = self.total();
        let met = |k: &usize| total.verdicts[*k] > 0;
        let columns: Vec<usize> = (0..VerdictKind::ALL.len()).filter(met).collect();
        let mut header = vec!["suite", "sent", "passed"];
        header.extend(columns.iter().map(|k| VerdictKind::ALL[*k].word()));
        let (passed, failed): (Vec<_>, Vec<_>) = self
            .suites
            .iter()
            .partition(|(_, row)| row.sent == row.accepted);
        let mut rows: Vec<(String, Row)> = Vec::new();
        rows.extend(
            failed
                .iter()
                .map(|(suite, row)| (suite.to_string(), (*row).clone())),
        );
        match &passed[..] {
            [] => {}
            [(suite, row)] => rows.push((suite.to_string(), (*row).clone())),
            several => {
                let sum = Row::sum(several.iter().map(|(_, row)| *row));
                rows.push((format!("{} suites without failure", several.len()), sum));
            }
        }
        if self.suites.len() > 1 {
            rows.push(("all".to_owned(), total));
        }
        let rows = rows
            .into_iter()
            .map(|(name, row)| row.cells(name, &columns));
        verdict_cells(&count_table(&header, 1..header.len(), rows))
    }

    /// The last line.
    pub fn summary(&self) -> String {
        let mut text = self.accepted_told();
        if !self.kinds.is_empty() {
            let kinds = self.kinds.iter();
            let kinds = kinds.map(|(kind, count)| format!("{count} {kind}"));
            text += &format!("; no answer: {}", kinds.collect::<Vec<_>>().join(", "));
        }
        if self.not_sent() > 0 {
            text += &format!("; {} not sent", self.not_sent());
        }
        text
    }

    /// For programs.
    pub fn to_value(&self) -> Value {
        let named = self
            .suites
            .iter()
            .map(|(suite, row)| (suite.to_string(), row));
        let suites: Vec<_> = named.map(|(name, row)| row.to_json(Some(name))).collect();
        let failures = self.failures.iter();
        let failures =
            failures.map(|wrong| json!({"verdict": wrong.record, "command": wrong.again}));
        let groups = self.groups.sorted().into_iter().map(|(kind, count, suites)| {
            json!({"fault": kind.words, "severity": kind.severity.word(), "count": count, "suites": suites})
        });
        let skips = self.skips.iter();
        let skips = skips.map(|(skip, count)| (skip.to_string(), json!(count)));
        let kinds = self.kinds.iter();
        let kinds = kinds.map(|(kind, count)| (kind.word().to_owned(), json!(count)));
        json!({
            "suites": suites,
            "total": self.total().to_json(None),
            "not_sent": self.not_sent(),
            "skipped": skips.collect::<Map<_, _>>(),
            "no_answer": kinds.collect::<Map<_, _>>(),
            "groups": groups.collect::<Vec<_>>(),
            "failures": failures.collect::<Vec<_>>(),
        })
    }
}

/// Each failure with the command that repeats it.
fn in_full(shown: &[&Wrong]) -> String {
    let full = shown.iter();
    let full = full.map(|failure| format!("{}\n  {}", failure.text, failure.again));
    full.collect::<Vec<_>>().join("\n")
}

impl Row {
    fn sum<'a>(rows: impl Iterator<Item = &'a Self>) -> Self {
        let mut total = Self::default();
        for row in rows {
            total.sent += row.sent;
            total.accepted += row.accepted;
            for (sum, count) in total.verdicts.iter_mut().zip(row.verdicts) {
                *sum += count;
            }
        }
        total
    }

    /// The cells of the verdicts in these columns.
    fn cells(&self, name: String, columns: &[usize]) -> Vec<String> {
        let mut cells = vec![name, self.sent.to_string(), self.accepted.to_string()];
        cells.extend(columns.iter().map(|k| self.verdicts[*k].to_string()));
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
