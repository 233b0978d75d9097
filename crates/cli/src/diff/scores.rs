//! The results of a solver, by suite: a table for people, an object for programs.

use std::collections::BTreeMap;

use etalon_conformance::{Capabilities, FailureClass, FailureKind, Severity, Skip};
use rug::Rational;
use serde_json::{Map, Value, json};

use super::answered::Answered;
use super::asked::Asked;
use super::brief::{self, Failures};
use super::suites::Suites;
use super::unsent::not_sent;
use crate::colours::{self, plain};
use etalon_evidence::outcome::{Groups, TOLD};

/// Kinds of failures that are told one by one on a terminal.
const KINDS: usize = 3;

/// Lines with commands: what asks the worst failure again, and what makes it small.
const COMMANDS: usize = 2;

/// The results of the solver, by suite.
pub struct Scores {
    /// What the solver can do, by what it was sent.
    can: Capabilities,
    suites: Suites,
    failures: Vec<Wrong>,
    groups: Groups,
    kinds: BTreeMap<FailureKind, u64>,
    skips: BTreeMap<Skip, u64>,
}

/// An answer that was not accepted.
struct Wrong {
    kind: FailureClass,
    /// Rows of the problem.
    n: usize,
    /// Of an answer: its error.
    error: Option<Rational>,
    name: String,
    /// Why it was not accepted, in one phrase.
    reason: String,
    /// All of that in one line, with an exact solution.
    text: String,
    /// The command that repeats it.
    again: String,
    /// The command that makes it small.
    shrink: String,
    record: Value,
}

/// The commands for one problem.
pub struct Commands {
    /// Asks it again.
    pub again: String,
    /// Makes it small.
    pub shrink: String,
}

impl Scores {
    /// Nothing counted yet of a solver that can do so much.
    pub fn of(can: Capabilities) -> Self {
        Self {
            can,
            suites: Suites::default(),
            failures: Vec::new(),
            groups: Groups::default(),
            kinds: BTreeMap::new(),
            skips: BTreeMap::new(),
        }
    }

    pub fn count(&mut self, asked: &Asked, answered: &Answered, solver: &str, commands: Commands) {
        let judgement = &answered.judged.judgement;
        self.suites.count(&asked.suite, judgement);
        if let Some(failure) = &answered.failure {
            *self.kinds.entry(failure.kind).or_default() += 1;
        }
        if !judgement.accepted {
            let kind = answered.class();
            self.groups
                .count(kind.clone(), answered.own_words(), &asked.suite.to_string());
            self.failures.push(Wrong {
                kind,
                n: asked.problem.n(),
                error: judgement.verdict.figure().cloned(),
                name: asked.shown_name(),
                reason: answered.reason(),
                text: answered.text(asked),
                again: commands.again,
                shrink: commands.shrink,
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

    fn not_sent(&self) -> u64 {
        self.skips.values().sum()
    }

    /// For people: in ten lines what went wrong, how often and where, or so many failures in full.
    pub fn to_text(&self, shown: Option<Failures>, slow: usize) -> String {
        match shown {
            None if !self.failures.is_empty() => self.in_brief(slow),
            shown => self.in_full(shown.unwrap_or(Failures::All), slow),
        }
    }

    /// The kinds of failures, the smallest of each in a line, the commands for the worst, and the last line. One failure
    /// alone is told in full.
    fn in_brief(&self, slow: usize) -> String {
        let worst = self.worst(Failures::All);
        let [first, others @ ..] = &worst[..] else {
            return String::new();
        };
        let mut last = self.more(slow, self.suites.told());
        let sorted = self.groups.sorted();
        let told = self.groups.told(KINDS);
        let counts: Vec<u64> = sorted.iter().map(|group| group.count).collect();
        let kinds = told + usize::from(told < counts.len());
        let examples = brief::examples(kinds + COMMANDS + last.len(), &counts[..told]);
        let mut parts = self.groups.lines_with(KINDS, |at, kind| {
            let own = worst.iter().filter(|wrong| wrong.kind == *kind);
            let told = own.take(examples[at]).map(|wrong| match others {
                [] => wrong.text.clone(),
                _ => brief::line(&wrong.name, &wrong.reason),
            });
            told.collect()
        });
        for line in parts.iter_mut().filter(|line| !line.starts_with(' ')) {
            *line = colours::counted(line);
        }
        parts.push(format!("the first again: {}", first.again));
        parts.push(format!("made small: {}", first.shrink));
        if examples.iter().sum::<usize>() < worst.len()
            && let Some(summary) = last.last_mut()
        {
            *summary += "; --failures N shows more, --out FILE all";
        }
        parts.extend(last);
        parts.join("\n")
    }

    /// The table of suites, the kinds of failures, and some of them in full: the worst first, and of one severity the
    /// smallest.
    fn in_full(&self, shown: Failures, slow: usize) -> String {
        let mut parts = Vec::new();
        parts.extend((self.suites.total().sent > 0).then(|| self.suites.table(true)));
        parts.extend(self.groups.lines(KINDS));
        parts.extend(self.told(shown));
        parts.extend(self.more(slow, None));
        parts.join("\n")
    }

    /// Every suite, every kind and every failure in full, for a file.
    pub fn to_whole_text(&self, slow: usize) -> String {
        let mut parts = vec![self.suites.table(false)];
        parts.extend(self.groups.lines(usize::MAX));
        parts.extend(self.told(Failures::All));
        parts.extend(self.more(slow, None));
        plain(&parts.join("\n"))
    }

    /// Failures in full, and what makes the worst of them small.
    fn told(&self, shown: Failures) -> Vec<String> {
        let shown = self.worst(shown);
        let Some(worst) = shown.first() else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        if shown.len() < self.failures.len() {
            let (some, all) = (shown.len(), self.failures.len());
            parts.push(format!(
                "the worst {some} of {all} (--failures N shows more, --out FILE writes all):"
            ));
        }
        parts.push(each_in_full(&shown));
        parts.push(format!("made small: {}", worst.shrink));
        parts
    }

    /// What was slow, what was not sent, and the last line, with the suites where no table has them.
    fn more(&self, slow: usize, suites: Option<String>) -> Vec<String> {
        let mut parts = Vec::new();
        if slow > 0 {
            parts.push(format!(
                "{slow} answered only when asked again, alone: this machine was too busy, or --timeout is too short"
            ));
        }
        parts.extend(not_sent(&self.skips, &self.can));
        parts.push(self.last_line(suites));
        parts
    }

    /// The failures that are shown, the worst first.
    fn worst(&self, shown: Failures) -> Vec<&Wrong> {
        let mut sorted: Vec<&Wrong> = self.failures.iter().collect();
        sorted.sort_by_cached_key(|wrong| wrong.kind.severity.key(wrong.n, wrong.error.as_ref()));
        match shown {
            Failures::All => {}
            Failures::Most(most) => sorted.truncate(most),
        }
        sorted
    }

    /// A line for each kind of failure, with how often it came.
    pub fn kinds_told(&self) -> String {
        self.groups.lines(TOLD).join("\n")
    }

    /// The worst failures in full, for a file.
    pub fn worst_told(&self, shown: Failures) -> String {
        plain(&each_in_full(&self.worst(shown)))
    }

    /// Whether every failure is a solver that says that it gave up.
    pub fn only_gave_up(&self) -> bool {
        let mut failures = self.failures.iter();
        failures.all(|wrong| wrong.kind.severity == Severity::GaveUp)
    }

    /// "412 of 417 accepted".
    pub fn accepted_told(&self) -> String {
        let total = self.suites.total();
        format!("{} of {} accepted", total.accepted, total.sent)
    }

    /// The counts of all suites in one line.
    pub fn summary(&self) -> String {
        self.last_line(None)
    }

    fn last_line(&self, suites: Option<String>) -> String {
        let mut text = self.accepted_told();
        if let Some(suites) = suites {
            text += &format!(" ({suites})");
        }
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
        let failures = self.failures.iter();
        let failures =
            failures.map(|wrong| json!({"verdict": wrong.record, "command": wrong.again}));
        let groups = self.groups.sorted().into_iter().map(|group| {
            let severity = group.kind.severity.word();
            json!({"fault": group.words, "severity": severity, "count": group.count, "suites": group.suites})
        });
        let skips = self.skips.iter();
        let skips = skips.map(|(skip, count)| (skip.to_string(), json!(count)));
        let kinds = self.kinds.iter();
        let kinds = kinds.map(|(kind, count)| (kind.word().to_owned(), json!(count)));
        json!({
            "suites": self.suites.to_json(),
            "total": self.suites.total().to_json(None),
            "not_sent": self.not_sent(),
            "skipped": skips.collect::<Map<_, _>>(),
            "no_answer": kinds.collect::<Map<_, _>>(),
            "groups": groups.collect::<Vec<_>>(),
            "failures": failures.collect::<Vec<_>>(),
        })
    }
}

/// Each failure with the command that repeats it.
fn each_in_full(shown: &[&Wrong]) -> String {
    let full = shown.iter();
    let full = full.map(|failure| format!("{}\n  {}", failure.text, failure.again));
    full.collect::<Vec<_>>().join("\n")
}
