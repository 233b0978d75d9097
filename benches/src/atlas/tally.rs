//! The histogram: what is counted, as lines of text that can be added and sorted.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::cramer::class::Classes;

/// A count of matrices or problems for each line of words.
///
/// A line is the kind of the count, then what is common to all that it counts, separated by tabs. The lines
/// are sorted, so the same counts have the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<String, u64>);

impl Tally {
    /// Adds to one line.
    pub fn add(&mut self, line: &str, count: u64) {
        if let Some(known) = self.0.get_mut(line) {
            *known += count;
        } else if count > 0 {
            self.0.insert(line.to_owned(), count);
        }
    }

    /// Adds another tally.
    pub fn extend(&mut self, other: &Self) {
        for (line, count) in &other.0 {
            self.add(line, *count);
        }
    }

    /// Its lines, with their counts.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(line, count)| (line.as_str(), *count))
    }

    /// The rows of one kind, their cells and counts.
    pub fn rows<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = Row<'a>> {
        self.lines().filter_map(move |(line, count)| {
            let cells = line.strip_prefix(kind)?.strip_prefix('\t')?;
            let mut cells = cells.split('\t');
            let classes = cells.next()?.parse().ok()?;
            let cells = cells.collect();
            Some(Row {
                classes,
                cells,
                count,
            })
        })
    }

    /// The text: a line each, the count last.
    pub fn text(&self) -> String {
        self.lines().fold(String::new(), |mut text, (line, count)| {
            let _ = writeln!(text, "{line}\t{count}");
            text
        })
    }
}

/// A line in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<'a> {
    /// The classes of the matrices.
    pub classes: Classes,
    /// The other words.
    pub cells: Vec<&'a str>,
    /// How many.
    pub count: u64,
}

/// A line of a histogram that has no count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the histogram ends in no count: {text:?}")]
pub struct BadLine {
    /// From 1.
    pub line: usize,
    /// It.
    pub text: String,
}

impl FromStr for Tally {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<Self, BadLine> {
        let mut tally = Self::default();
        for (k, line) in text.lines().enumerate() {
            let parts = line.rsplit_once('\t');
            let parsed = parts.and_then(|(words, count)| Some((words, count.parse().ok()?)));
            let (words, count) = parsed.ok_or_else(|| BadLine {
                line: k + 1,
                text: line.to_owned(),
            })?;
            tally.add(words, count);
        }
        Ok(tally)
    }
}

/// The SHA-256 of a text, in hexadecimal digits.
pub fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
