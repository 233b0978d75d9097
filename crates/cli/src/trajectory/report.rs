//! What is told of a motion.

use std::collections::BTreeSet;

use etalon_engines::motion::Breach;
use serde_json::{Value, json};

use crate::bounce_gain::BounceGains;
use crate::colours::{bad, cells, doubtful, good};
use crate::console::table;

/// So much of what a map leaves out is listed in a line.
const MOST_LEFT_OUT: usize = 12;

/// What was found of one file.
#[derive(Debug, Default)]
pub struct Report {
    pub file: String,
    /// What the file holds.
    pub kind: &'static str,
    /// Steps that were judged.
    pub steps: u64,
    /// Steps whose lines say that they cannot be judged.
    pub left_out: u64,
    /// Steps that are there, and how many the header says, where these differ.
    pub cut: Option<(u64, u64)>,
    /// Whether nothing was tolerated.
    pub exact: bool,
    /// What is broken.
    pub findings: Vec<Finding>,
    /// What could not be asked, and why.
    pub not_judged: Option<String>,
    /// Of a trajectory, fields that nothing was held against; of a table, what the map leaves out.
    pub not_asked: Vec<String>,
    /// Those of them that look like a slip.
    pub doubtful: Vec<String>,
    /// In space: what bounces by Newton's law gained, which is no fault.
    pub bounce_gains: BounceGains,
}

/// Something that is broken, with the line of the file.
#[derive(Debug)]
pub struct Finding {
    pub line: u64,
    pub what: What,
}

/// It.
#[derive(Debug)]
pub enum What {
    /// A law of motion.
    Breach(Box<Breach>),
    /// A law that the steps of a log keep beyond each by itself; with the name of the step.
    OfLog(String, Box<Breach>),
    /// A verdict on a step of an engine.
    Verdict {
        step: String,
        level: &'static str,
        word: &'static str,
        reason: String,
    },
}

/// The verdict on a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Exact,
    Accepted,
    Off,
    /// Nothing is broken, and the file has not the steps that its header says, or some of them were not judged.
    Incomplete,
    NotJudged,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Accepted => "accepted",
            Self::Off => "off",
            Self::Incomplete => "incomplete",
            Self::NotJudged => "not judged",
        }
    }

    fn of(word: &str) -> Option<Self> {
        let all = [
            Self::Exact,
            Self::Accepted,
            Self::Off,
            Self::Incomplete,
            Self::NotJudged,
        ];
        all.into_iter().find(|own| own.word() == word)
    }

    fn shown(self) -> String {
        match self {
            Self::Exact | Self::Accepted => good(self.word()),
            Self::Off | Self::Incomplete => bad(self.word()),
            Self::NotJudged => doubtful(self.word()),
        }
    }
}

impl Finding {
    fn text(&self, file: &str) -> String {
        let line = self.line;
        match &self.what {
            What::Breach(own) => format!("{file}:{line}: {own}"),
            What::OfLog(step, own) => format!("{file}:{line}: step {step:?}, {}", own.told()),
            What::Verdict {
                step,
                level,
                word,
                reason,
            } => format!("{file}:{line}: step {step:?}, level {level}: {word}: {reason}"),
        }
    }

    fn to_json(&self) -> Value {
        match &self.what {
            What::Breach(own) | What::OfLog(_, own) => {
                let mut value: Value = serde_json::from_str(&own.line()).unwrap_or_default();
                value["line"] = json!(self.line);
                if let What::OfLog(step, _) = &self.what {
                    value["step"] = json!(step);
                }
                value
            }
            What::Verdict {
                step,
                level,
                word,
                reason,
            } => {
                json!({"line": self.line, "step": step, "level": level, "verdict": word, "words": reason})
            }
        }
    }

    fn step(&self) -> String {
        match &self.what {
            What::Breach(own) => own.step.to_string(),
            What::Verdict { step, .. } | What::OfLog(step, _) => step.clone(),
        }
    }
}

impl Report {
    pub fn outcome(&self) -> Outcome {
        match (self.findings.is_empty(), self.steps, self.exact) {
            (false, ..) => Outcome::Off,
            _ if self.cut.is_some() => Outcome::Incomplete,
            (true, 0, _) => Outcome::NotJudged,
            _ if self.left_out > 0 => Outcome::Incomplete,
            (true, _, true) => Outcome::Exact,
            (true, _, false) => Outcome::Accepted,
        }
    }

    /// The number of steps in which something is broken.
    fn wrong_steps(&self) -> usize {
        let steps: BTreeSet<_> = self.findings.iter().map(Finding::step).collect();
        steps.len()
    }

    pub fn lines(&self, most: usize) -> Vec<String> {
        let listed = self.findings.iter().take(most);
        let mut lines: Vec<_> = listed.map(|own| own.text(&self.file)).collect();
        if self.findings.len() > most {
            let more = self.findings.len() - most;
            lines.push(format!("{}: and {more} more; --most lists them", self.file));
        }
        lines.extend(self.bounce_gains.to_text());
        lines.extend(self.not_asked_line());
        if let Some((there, asked_for)) = self.cut {
            let file = &self.file;
            lines.push(format!(
                "{file}: {there} of {asked_for} steps: the header says {asked_for}; was the file cut, or the run ended early? `etalon scenario run --resume` goes on with a run"
            ));
        }
        lines
    }

    fn not_asked_line(&self) -> Option<String> {
        let count = self.not_asked.len();
        let (most, more) = match self.kind {
            "table" => (MOST_LEFT_OUT, "the map leaves it out"),
            _ => (
                count,
                "`etalon verify` takes steps of exact runs and of worlds again and compares them",
            ),
        };
        let listed = self.not_asked.get(..most.min(count))?.join(", ");
        let rest = match count.saturating_sub(most) {
            0 => String::new(),
            rest => format!(", and {rest} more (--json lists them)"),
        };
        let file = &self.file;
        (count > 0).then(|| format!("{file}: not asked: {listed}{rest}; {more}"))
    }

    /// What looks like a slip of the map, in words.
    pub fn warning(&self) -> Option<String> {
        let count = self.doubtful.len();
        let listed = self.doubtful.get(..MOST_LEFT_OUT.min(count))?.join(", ");
        let rest = match count.saturating_sub(MOST_LEFT_OUT) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        (count > 0).then(|| {
            format!(
                "{}: the map does not use {listed}{rest}, named after its bodies, contacts or joints: is a name misspelt?",
                self.file
            )
        })
    }

    pub fn row(&self) -> Vec<String> {
        vec![
            self.file.clone(),
            self.kind.to_owned(),
            match (self.cut, self.left_out) {
                (Some((_, asked_for)), _) => format!("{} of {asked_for}", self.steps),
                (None, 0) => self.steps.to_string(),
                (None, left_out) => format!("{} of {}", self.steps, self.steps + left_out),
            },
            self.wrong_steps().to_string(),
            self.findings.first().map_or("-".to_owned(), Finding::step),
            self.outcome().word().to_owned(),
        ]
    }

    pub fn to_json(&self, most: usize) -> Value {
        let listed = self.findings.iter().take(most).map(Finding::to_json);
        json!({
            "file": self.file,
            "kind": self.kind,
            "verdict": self.outcome().word(),
            "steps": self.steps,
            "steps_in_header": self.cut.map(|(_, asked_for)| asked_for),
            "wrong_steps": self.wrong_steps(),
            "broken": self.findings.len(),
            "listed": listed.collect::<Vec<_>>(),
            "bounce_gains": self.bounce_gains.to_json(),
            "not_asked": self.not_asked,
            "not_judged": self.not_judged,
        })
    }
}

pub fn table_of(rows: Vec<Vec<String>>) -> String {
    let header = ["motion", "kind", "steps", "wrong", "first", "verdict"];
    let table = table(&header, 2..5, rows);
    cells(&table, |word| Outcome::of(word).map(Outcome::shown))
}
