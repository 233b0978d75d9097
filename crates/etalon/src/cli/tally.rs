//! What `verify` found, by suite.

use std::collections::BTreeMap;
use std::time::Duration;

use anstyle::AnsiColor;
use etalon_golden::{Golden, Origin, Outcome, Place, ProblemReport, Suite};
use etalon_lcp::Status;
use serde_json::{Value, json};

use super::console::bold;
use super::table::render;

/// Counts by suite, and every failure.
pub struct Tally {
    solvers: Vec<String>,
    suites: BTreeMap<Suite, Row>,
    failures: Vec<Failure>,
}

/// The counts of one suite.
#[derive(Clone, Default)]
struct Row {
    problems: u64,
    solvable: u64,
    unsolvable: u64,
    perturbed: u64,
    solvers: Vec<Counts>,
    time: Duration,
}

/// How one solver did.
#[derive(Clone, Default)]
struct Counts {
    solved: u64,
    gave_up: u64,
    wrong: u64,
    time: Duration,
}

/// One thing that does not hold.
struct Failure {
    origin: Origin,
    name: String,
    place: Place,
    text: String,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(solvers: Vec<String>) -> Self {
        Self {
            solvers,
            suites: BTreeMap::new(),
            failures: Vec::new(),
        }
    }

    /// Counts one problem.
    pub fn count(&mut self, golden: &Golden, report: &ProblemReport) {
        let row = self.suites.entry(golden.suite.clone()).or_default();
        row.count(report);
        let failures = report.findings.iter().map(|finding| Failure {
            origin: golden.origin.clone(),
            name: report.name.clone(),
            place: finding.place.clone(),
            text: finding.to_string(),
        });
        self.failures.extend(failures);
    }

    /// Whether everything held.
    pub fn is_sound(&self) -> bool {
        self.failures.is_empty()
    }

    fn total(&self) -> Row {
        let mut total = Row::default();
        self.suites.values().for_each(|row| total.add(row));
        total
    }

    /// For people: a table, the failures, and one sentence.
    pub fn to_text(&self, seconds: f64) -> String {
        let fixed = ["suite", "problems", "solvable", "unsolvable", "perturbed"];
        let solvers = self.solvers.iter().map(String::as_str);
        let header: Vec<_> = fixed.into_iter().chain(solvers).chain(["time"]).collect();
        let total = self.total();
        let suites = self.suites.iter();
        let rows = suites.map(|(suite, row)| row.cells(suite.to_string()));
        let rows = rows.chain([total.cells("all".to_owned())]);
        let mut text = render(&header, 1..header.len(), rows);
        text += "\nby solver: solved/gave up/wrong";
        let red = bold(AnsiColor::Red);
        for Failure {
            origin,
            name,
            text: why,
            ..
        } in &self.failures
        {
            text += &format!("\n{red}failure:{red:#} {origin}: record {name:?}: {why}");
        }
        let (problems, failures) = (total.problems, self.failures.len());
        text + &format!("\n{problems} problems, {failures} failures, {seconds:.1} s")
    }

    /// For programs, on one line.
    pub fn to_json(&self, seconds: f64) -> String {
        let suites = self.suites.iter().map(|(suite, row)| {
            let mut suite_row = row.to_json(&self.solvers);
            suite_row["suite"] = json!(suite.to_string());
            suite_row
        });
        let failures = self.failures.iter().map(|failure| {
            json!({
                "file": failure.origin.file,
                "line": failure.origin.line,
                "name": failure.name,
                "place": failure.place.to_string(),
                "reason": failure.text,
            })
        });
        json!({
            "suites": suites.collect::<Vec<_>>(),
            "total": self.total().to_json(&self.solvers),
            "failures": failures.collect::<Vec<_>>(),
            "seconds": seconds,
        })
        .to_string()
    }
}

impl Row {
    fn count(&mut self, report: &ProblemReport) {
        self.problems += 1;
        match report.status {
            Some(Status::Solvable) => self.solvable += 1,
            Some(Status::Unsolvable) => self.unsolvable += 1,
            Some(Status::Perturbed) => self.perturbed += 1,
            None => {}
        }
        self.time += report.proof_time;
        self.solvers.resize(report.solvers.len(), Counts::default());
        for (counts, solver) in self.solvers.iter_mut().zip(&report.solvers) {
            match solver.outcome {
                Outcome::Solved => counts.solved += 1,
                Outcome::GaveUp(_) => counts.gave_up += 1,
                Outcome::Wrong(_) => counts.wrong += 1,
            }
            counts.time += solver.time;
            self.time += solver.time;
        }
    }

    fn add(&mut self, other: &Self) {
        self.problems += other.problems;
        self.solvable += other.solvable;
        self.unsolvable += other.unsolvable;
        self.perturbed += other.perturbed;
        self.time += other.time;
        self.solvers.resize(other.solvers.len(), Counts::default());
        for (own, other) in self.solvers.iter_mut().zip(&other.solvers) {
            own.solved += other.solved;
            own.gave_up += other.gave_up;
            own.wrong += other.wrong;
            own.time += other.time;
        }
    }

    fn cells(&self, suite: String) -> Vec<String> {
        let counts = [
            self.problems,
            self.solvable,
            self.unsolvable,
            self.perturbed,
        ];
        let counts = counts.iter().map(ToString::to_string);
        let solvers = self.solvers.iter().map(Counts::cell);
        let time = format!("{:.2} s", self.time.as_secs_f64());
        let cells = [suite].into_iter().chain(counts).chain(solvers);
        cells.chain([time]).collect()
    }

    fn to_json(&self, names: &[String]) -> Value {
        let solvers = names.iter().zip(&self.solvers);
        let solvers = solvers.map(|(name, counts)| (name.clone(), counts.to_json()));
        json!({
            "problems": self.problems,
            "solvable": self.solvable,
            "unsolvable": self.unsolvable,
            "perturbed": self.perturbed,
            "solvers": solvers.collect::<serde_json::Map<_, _>>(),
            "seconds": self.time.as_secs_f64(),
        })
    }
}

impl Counts {
    fn cell(&self) -> String {
        match (self.solved, self.gave_up, self.wrong) {
            (solved, 0, 0) => solved.to_string(),
            (solved, gave_up, 0) => format!("{solved}/{gave_up}"),
            (solved, gave_up, wrong) => format!("{solved}/{gave_up}/{wrong}"),
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "solved": self.solved,
            "gave_up": self.gave_up,
            "wrong": self.wrong,
            "seconds": self.time.as_secs_f64(),
        })
    }
}
