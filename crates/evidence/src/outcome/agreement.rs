//! Whether outcomes of several files can stand in one table: judged alike, and of the same problems
//! where the names are the same.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Outcome;
use crate::heading::changed;

/// The common judging of the outcomes so far.
#[derive(Debug, Clone, Default)]
pub struct CommonJudging {
    sources: Vec<String>,
    judged: Option<(usize, Map<String, Value>)>,
    problems: HashMap<String, (usize, String)>,
    silent: u64,
}

/// Why outcomes cannot stand in one table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Disagreement {
    /// An answer that is right in one is not in the other.
    #[error(
        "{one} and {other} were judged differently: {what}; judge both alike, or make a report of each"
    )]
    Judged {
        /// Where outcomes are from.
        one: String,
        /// Where others are from.
        other: String,
        /// The difference, from the first to the second.
        what: String,
    },
    /// Two problems of one name.
    #[error(
        "the problem {name:?} of {one} is not that of {other}, and both have that name; ask both solvers the same problems, or make a report of each"
    )]
    Problem {
        /// Where outcomes are from.
        one: String,
        /// Where others are from.
        other: String,
        /// The name.
        name: String,
    },
}

impl CommonJudging {
    /// Outcomes from here on are from there.
    pub fn source(&mut self, name: &str) {
        self.sources.push(name.to_owned());
    }

    /// Takes an outcome of the last source.
    ///
    /// # Errors
    /// [`Disagreement`] with an earlier one.
    pub fn add(&mut self, outcome: &Outcome) -> Result<(), Disagreement> {
        match &outcome.judged {
            Some(judged) => self.judged(judged)?,
            None => self.silent += 1,
        }
        match &outcome.problem_digest {
            Some(digest) => self.problem(&outcome.name, digest),
            None => Ok(()),
        }
    }

    /// Outcomes of the last source are judged so.
    ///
    /// # Errors
    /// [`Disagreement::Judged`].
    pub fn judged(&mut self, judged: &Map<String, Value>) -> Result<(), Disagreement> {
        let Some((first, earlier)) = &self.judged else {
            self.judged = Some((self.last(), judged.clone()));
            return Ok(());
        };
        if earlier == judged {
            return Ok(());
        }
        let what = changed(earlier, judged);
        Err(Disagreement::Judged {
            one: self.name(*first),
            other: self.name(self.last()),
            what: what.join("; "),
        })
    }

    /// A problem of the last source has that digest.
    ///
    /// # Errors
    /// [`Disagreement::Problem`].
    pub fn problem(&mut self, name: &str, digest: &str) -> Result<(), Disagreement> {
        let last = self.last();
        let (first, earlier) = self
            .problems
            .entry(name.to_owned())
            .or_insert_with(|| (last, digest.to_owned()));
        if earlier == digest {
            return Ok(());
        }
        let first = *first;
        Err(Disagreement::Problem {
            one: self.name(first),
            other: self.name(last),
            name: name.to_owned(),
        })
    }

    /// How the outcomes were judged, where they say it.
    pub fn how(&self) -> Option<&Map<String, Value>> {
        self.judged.as_ref().map(|(_, judged)| judged)
    }

    /// How many outcomes do not say how they were judged.
    pub fn silent(&self) -> u64 {
        self.silent
    }

    fn last(&self) -> usize {
        self.sources.len().saturating_sub(1)
    }

    fn name(&self, source: usize) -> String {
        let name = self.sources.get(source);
        name.map_or_else(|| "the first".to_owned(), Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &str, more: &str) -> Outcome {
        let line = format!(r#"{{"name": "{name}", "verdict": "exact"{more}}}"#);
        let Ok(Value::Object(record)) = serde_json::from_str(&line) else {
            unreachable!("an object");
        };
        Outcome::new(record, "mine").unwrap()
    }

    #[test]
    fn what_was_judged_differently_does_not_stand_in_one_table() {
        let judged = |tol: &str, version: &str| {
            format!(r#", "judged": {{"etalon": "{version}", "tol": "{tol}"}}"#)
        };
        let mut agreement = CommonJudging::default();
        agreement.source("a.jsonl");
        agreement
            .add(&outcome("p", &judged("1/10", "1.0")))
            .unwrap();
        agreement.source("b.jsonl");
        agreement
            .add(&outcome("p", &judged("1/10", "1.0")))
            .unwrap();
        agreement.add(&outcome("q", "")).unwrap();
        assert_eq!(agreement.silent(), 1);
        for (other, what) in [
            (judged("1/2", "1.0"), "tol was 1/10 and is 1/2;"),
            (judged("1/10", "2.0"), "etalon was 1.0 and is 2.0;"),
        ] {
            let error = agreement.add(&outcome("p", &other)).unwrap_err();
            let told = error.to_string();
            let start = format!("a.jsonl and b.jsonl were judged differently: {what}");
            assert!(told.starts_with(&start), "{told}");
        }
    }

    #[test]
    fn two_problems_of_one_name_do_not_stand_in_one_table() {
        let of = |digest: &str| outcome("p", &format!(r#", "problem_digest": "{digest}""#));
        let mut agreement = CommonJudging::default();
        agreement.source("a.jsonl");
        agreement.add(&of("sha256:1")).unwrap();
        agreement.source("b.jsonl");
        agreement.add(&of("sha256:1")).unwrap();
        agreement.add(&outcome("p", "")).unwrap();
        let error = agreement.add(&of("sha256:2")).unwrap_err();
        assert_eq!(
            error,
            Disagreement::Problem {
                one: "a.jsonl".to_owned(),
                other: "b.jsonl".to_owned(),
                name: "p".to_owned()
            }
        );
    }
}
