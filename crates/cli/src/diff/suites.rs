//! Verdicts by suite, and the table of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etalon_golden::Suite;
use etalon_judge::Judgement;
use etalon_lcp::VerdictKind;
use serde_json::{Map, Value, json};

use crate::colours::verdict_cells;
use crate::console::count_table;

/// Suites that have a row of their own where the table is to be short.
const SHOWN: usize = 3;

/// The counts of all suites.
#[derive(Default)]
pub struct Suites(BTreeMap<Suite, Row>);

#[derive(Default, Clone)]
pub struct Row {
    pub sent: u64,
    pub accepted: u64,
    verdicts: [u64; VerdictKind::ALL.len()],
    /// Those of them that were accepted.
    passed: [u64; VerdictKind::ALL.len()],
}

impl Suites {
    /// Counts an answer.
    pub fn count(&mut self, suite: &Suite, judgement: &Judgement) {
        let kind = judgement.verdict.kind;
        let row = self.0.entry(suite.clone()).or_default();
        row.sent += 1;
        row.accepted += u64::from(judgement.accepted);
        if let Some(k) = VerdictKind::ALL.iter().position(|other| *other == kind) {
            row.verdicts[k] += 1;
            row.passed[k] += u64::from(judgement.accepted);
        }
    }

    pub fn total(&self) -> Row {
        Row::sum(self.0.values())
    }

    /// Columns for what there is, and a row for each suite in which something was not accepted. A short table
    /// has few of them, those with most failures.
    pub fn table(&self, short: bool) -> String {
        let total = self.total();
        let met = |k: &usize| total.verdicts[*k] > 0;
        let mut columns: Vec<usize> = (0..VerdictKind::ALL.len()).filter(met).collect();
        let whole = self.with_columns(&columns, short);
        // A table in two parts is no overview: the verdicts that have passed are counted together already.
        if !short || !whole.contains("\n\n") {
            return whole;
        }
        columns.retain(|k| total.passed[*k] < total.verdicts[*k]);
        self.with_columns(&columns, short)
    }

    fn with_columns(&self, columns: &[usize], short: bool) -> String {
        let total = self.total();
        let mut header = vec!["suite", "sent", "passed"];
        header.extend(columns.iter().map(|k| VerdictKind::ALL[*k].word()));
        let mut rows = self.rows(short);
        if rows.len() > 1 {
            rows.push(("all".to_owned(), total));
        }
        let rows = rows.into_iter().map(|(name, row)| row.cells(name, columns));
        verdict_cells(&count_table(&header, 1..header.len(), rows))
    }

    fn rows(&self, short: bool) -> Vec<(String, Row)> {
        let (passed, failed): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|(_, row)| row.failed() == 0);
        if short && failed.len() > SHOWN {
            return self.most_failures();
        }
        let mut rows: Vec<(String, Row)> = failed
            .into_iter()
            .map(|(suite, row)| (suite.to_string(), row.clone()))
            .collect();
        match &passed[..] {
            [] => {}
            [(suite, row)] => rows.push((suite.to_string(), (*row).clone())),
            several => {
                let sum = Row::sum(several.iter().map(|(_, row)| *row));
                rows.push((format!("{} suites without failure", several.len()), sum));
            }
        }
        rows
    }

    /// The suites with most failures, and the others in one row.
    fn most_failures(&self) -> Vec<(String, Row)> {
        let mut rows = self.by_failures();
        let others = rows.split_off(SHOWN.min(rows.len()));
        match &others[..] {
            [] => {}
            [one] => rows.push(one.clone()),
            several => {
                let sum = Row::sum(several.iter().map(|(_, row)| row));
                rows.push((format!("{} more suites", several.len()), sum));
            }
        }
        rows
    }

    /// All suites, those with most failures first, families of a suite in one row.
    fn by_failures(&self) -> Vec<(String, Row)> {
        let mut whole: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for (suite, row) in &self.0 {
            whole.entry(&suite.name).or_default().push(row);
        }
        let sums = whole
            .into_iter()
            .map(|(name, rows)| (name.to_owned(), Row::sum(rows.into_iter())));
        let mut rows: Vec<(String, Row)> = sums.collect();
        if rows.len() == 1 {
            let families = self.0.iter();
            rows = families
                .map(|(suite, row)| (suite.to_string(), row.clone()))
                .collect();
        }
        rows.sort_by_key(|(_, row)| Reverse(row.failed()));
        rows
    }

    /// The table in part of a line, "pd 44/45, box 20/45, 3 more": of the suites with most failures how many answers were
    /// accepted of how many. Of one suite the sum says it already.
    pub fn told(&self) -> Option<String> {
        let rows = self.by_failures();
        let (shown, others) = rows.split_at(SHOWN.min(rows.len()));
        let told = shown
            .iter()
            .map(|(name, row)| format!("{name} {}/{}", row.accepted, row.sent));
        let more = (!others.is_empty()).then(|| format!("{} more", others.len()));
        let told: Vec<String> = told.chain(more).collect();
        (rows.len() > 1).then(|| told.join(", "))
    }

    /// For programs: all of them.
    pub fn to_json(&self) -> Vec<Value> {
        let named = self.0.iter();
        let rows = named.map(|(suite, row)| row.to_json(Some(suite.to_string())));
        rows.collect()
    }
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
            for (sum, count) in total.passed.iter_mut().zip(row.passed) {
                *sum += count;
            }
        }
        total
    }

    fn failed(&self) -> u64 {
        self.sent - self.accepted
    }

    /// The cells of the verdicts in these columns.
    fn cells(&self, name: String, columns: &[usize]) -> Vec<String> {
        let mut cells = vec![name, self.sent.to_string(), self.accepted.to_string()];
        cells.extend(columns.iter().map(|k| self.verdicts[*k].to_string()));
        cells
    }

    pub fn to_json(&self, name: Option<String>) -> Value {
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
