//! The summary of a run of `check`.

use etalon_evidence::measure::figures::four_digits_up;
use etalon_lcp::{VerdictKind, round_up_f64};
use rug::Rational;
use serde_json::json;

use super::colours::{bad, verdict_cells};
use super::console::table;

/// So many failures are listed, the rest only counted.
const LISTED: usize = 20;

/// Counts of verdicts, and the first failures.
#[derive(Default)]
pub struct Summary {
    counts: [u64; VerdictKind::ALL.len()],
    accepted: u64,
    not_accepted: u64,
    worst: Option<Rational>,
    failures: Vec<String>,
}

impl Summary {
    /// Counts a verdict, with the error of an answer.
    pub fn count(&mut self, kind: VerdictKind, accepted: bool, error: Option<&Rational>) {
        let position = VerdictKind::ALL.iter().position(|other| *other == kind);
        if let Some(position) = position {
            self.counts[position] += 1;
        }
        if !accepted {
            self.not_accepted += 1;
            return;
        }
        self.accepted += 1;
        if let Some(error) = error
            && self.worst.as_ref().is_none_or(|worst| worst < error)
        {
            self.worst = Some(error.clone());
        }
    }

    /// Lists a failure; the text is only made where it will be shown.
    pub fn list(&mut self, failure: impl FnOnce() -> String) {
        if self.failures.len() < LISTED {
            self.failures.push(failure());
        }
    }

    /// Whether every verdict was accepted.
    pub fn all_accepted(&self) -> bool {
        self.not_accepted == 0
    }

    fn rows(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let words = VerdictKind::ALL.iter().map(|kind| kind.word());
        words.zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let rows = self.rows();
        let rows = rows.map(|(word, count)| vec![word.to_owned(), count.to_string()]);
        let mut text = verdict_cells(&table(&["verdict", "claims"], 1..2, rows));
        if !self.failures.is_empty() {
            text += &format!("\n{}", bad("not accepted:"));
        }
        for failure in &self.failures {
            text += &format!("\n  {failure}");
        }
        let more = self.not_accepted - self.failures.len() as u64;
        if more > 0 {
            text += &format!("\n  ... and {more} more");
        }
        let total = self.accepted + self.not_accepted;
        text += &format!("\n{} of {total} accepted", self.accepted);
        if let Some(worst) = &self.worst {
            let worst = four_digits_up(round_up_f64(worst));
            text += &format!("; their largest error is {worst}");
        }
        text
    }

    /// For programs, on one line.
    pub fn to_json(&self) -> String {
        let verdicts: serde_json::Map<_, _> = self
            .rows()
            .map(|(word, count)| (word.to_owned(), json!(count)))
            .collect();
        json!({
            "verdicts": verdicts,
            "accepted": self.accepted,
            "not_accepted": self.not_accepted,
            "largest_error": self.worst.as_ref().map(round_up_f64),
        })
        .to_string()
    }
}
