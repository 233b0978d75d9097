//! The table of `etalon step check`.

use std::collections::BTreeMap;

use etalon_engines::{Flag, Level, StepVerdict, Word};
use etalon_evidence::measure::figures::four_digits_up;
use serde_json::json;

use crate::colours::{bad, doubtful};
use crate::console::table;

/// So many failures are listed, the rest only counted.
const LISTED: usize = 20;

/// Verdicts counted by engine and level, the worst of each, and failures.
#[derive(Default)]
pub struct Tally {
    rows: BTreeMap<(String, Level), Row>,
    failures: Vec<String>,
    unlisted: u64,
    not_judged: BTreeMap<String, u64>,
    without_question: Vec<String>,
    total: u64,
}

#[derive(Default)]
struct Row {
    counts: [u64; Word::ALL.len()],
    worst: Option<(f64, String)>,
    flags: BTreeMap<Flag, u64>,
}

impl Tally {
    /// Counts a verdict on the step of an engine.
    pub fn add(&mut self, place: &str, engine: &str, verdict: StepVerdict) {
        self.total += 1;
        let row = self
            .rows
            .entry((engine.to_owned(), verdict.level))
            .or_default();
        if let Some(at) = Word::ALL.iter().position(|word| *word == verdict.word) {
            row.counts[at] += 1;
        }
        for flag in &verdict.flags {
            *row.flags.entry(*flag).or_default() += 1;
        }
        let badness = verdict.badness();
        if row.worst.as_ref().is_none_or(|(worst, _)| badness > *worst) {
            row.worst = Some((badness, verdict.name.clone()));
        }
        let reason = verdict.reason.clone().unwrap_or_default();
        if verdict.word == Word::NotJudged {
            *self.not_judged.entry(reason).or_default() += 1;
        } else if verdict.word.is_wrong() {
            let (name, level, word) = (&verdict.name, verdict.level.word(), verdict.word.word());
            let failure = format!(
                "{place}: step {name:?}, level {level}: {}: {reason}",
                bad(word)
            );
            if self.failures.len() < LISTED {
                self.failures.push(failure);
            } else {
                self.unlisted += 1;
            }
        }
    }

    /// A step whose data let one ask nothing.
    pub fn nothing_to_judge(&mut self, place: &str, name: &str) {
        self.without_question
            .push(format!("{place}: step {name:?}"));
    }

    fn count(&self, is: impl Fn(Word) -> bool) -> u64 {
        let counts = self
            .rows
            .values()
            .flat_map(|row| Word::ALL.iter().zip(row.counts));
        counts
            .filter(|(word, _)| is(**word))
            .map(|(_, count)| count)
            .sum()
    }

    /// Whether nothing is wrong; strictly, whether everything is right.
    pub fn is_right(&self, strict: bool) -> bool {
        let wrong = self.count(Word::is_wrong);
        let right = self.count(Word::is_right);
        wrong == 0 && (!strict || (right == self.total && self.without_question.is_empty()))
    }

    /// What was not judged, and why.
    pub fn warnings(&self) -> Vec<String> {
        let not_judged = self.not_judged.iter();
        let mut warnings: Vec<_> = not_judged
            .map(|(why, count)| format!("not judged, {count} verdicts: {why}"))
            .collect();
        if let Some(first) = self.without_question.first() {
            let count = self.without_question.len();
            warnings.push(format!(
                "{first} and {} more have no data for any level that is asked",
                count - 1
            ));
        }
        if self.total == 0 && self.without_question.is_empty() {
            warnings.push("there is no step in the log".to_owned());
        }
        warnings
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let words: Vec<Word> = (Word::ALL.into_iter())
            .filter(|word| self.count(|own| own == *word) > 0)
            .collect();
        let mut header = vec!["engine", "level"];
        header.extend(words.iter().map(|word| word.word()));
        header.extend(["worst", "step"]);
        let rows = self.rows.iter().map(|((engine, level), row)| {
            let mut cells = vec![engine.clone(), level.word().to_owned()];
            let all = || Word::ALL.iter().zip(row.counts);
            let count = |word: &Word| all().find(|(own, _)| *own == word).map_or(0, |(_, n)| n);
            cells.extend(words.iter().map(|word| count(word).to_string()));
            let (worst, name) = row.worst.clone().unwrap_or_default();
            cells.extend([four_digits_up(worst), name]);
            cells
        });
        let numbers = 2..3 + words.len();
        let mut text = table(&header, numbers, rows);
        for ((engine, level), row) in &self.rows {
            for (flag, count) in &row.flags {
                let (level, flag) = (level.word(), doubtful(flag.word()));
                text += &format!("\n{engine}, level {level}: {flag} in {count} steps");
            }
        }
        for failure in &self.failures {
            text += &format!("\n  {failure}");
        }
        if self.unlisted > 0 {
            text += &format!("\n  ... and {} more", self.unlisted);
        }
        text + &format!(
            "\n{} of {} verdicts are right",
            self.count(Word::is_right),
            self.total
        )
    }

    /// For programs, on one line.
    pub fn to_json(&self) -> String {
        let rows = self.rows.iter().map(|((engine, level), row)| {
            let counts = Word::ALL.iter().zip(row.counts).filter(|(_, count)| *count > 0);
            let counts: serde_json::Map<_, _> =
                counts.map(|(word, count)| (word.word().to_owned(), json!(count))).collect();
            let flags: serde_json::Map<_, _> =
                row.flags.iter().map(|(flag, count)| (flag.word().to_owned(), json!(count))).collect();
            let (worst, step) = row.worst.clone().unwrap_or_default();
            json!({"engine": engine, "level": level.word(), "verdicts": counts, "flags": flags,
                "worst": if worst.is_finite() { json!(worst) } else { json!("1e309") }, "step": step})
        });
        let rows: Vec<_> = rows.collect();
        json!({"engines": rows, "right": self.count(Word::is_right), "wrong": self.count(Word::is_wrong),
            "verdicts": self.total, "not_judged": self.not_judged})
        .to_string()
    }
}
