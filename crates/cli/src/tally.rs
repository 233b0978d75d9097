//! The findings of `verify`, by suite.

use std::collections::BTreeMap;
use std::time::Duration;

use etalon_evidence::measure::figures::four_digits_up;
use etalon_golden::{Golden, Origin, Part, ProblemReport, SolverOutcome, Suite};
use etalon_lcp::{Status, Verdict, round_up_f64};
use rug::Rational;
use serde_json::{Value, json};

use super::colours::{bad, failures};
use super::console::count_table;
use super::scene_goldens::SceneTally;

/// A solver as the tables name it.
pub struct Column {
    /// Its name.
    pub name: String,
    /// Whether its answers must be exact; those that need not have a table of their own.
    pub is_exact: bool,
}

/// Counts by suite, and every failure.
pub struct Tally {
    solvers: Vec<Column>,
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
    unknown: u64,
    solvers: Vec<Counts>,
    time: Duration,
}

/// How one solver did.
#[derive(Clone, Default)]
struct Counts {
    solved: u64,
    gave_up: u64,
    wrong: u64,
    /// The largest error of an answer that was accepted.
    worst: Rational,
    time: Duration,
}

/// One thing that does not hold.
struct Failure {
    origin: Origin,
    name: String,
    part: Part,
    text: String,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(solvers: Vec<Column>) -> Self {
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
            part: finding.part.clone(),
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
        let total = self.total();
        let mut text = self.exact_table(&total);
        text += "\nby solver: solved/gave up/wrong";
        if self.solvers.iter().any(|solver| !solver.is_exact) {
            text += &format!("\n{}", self.fast_table(&total));
            text += "\nby solver: solved/gave up/wrong, and the largest error of an answer";
        }
        let failure = bad("failure:");
        for Failure {
            origin,
            name,
            text: why,
            ..
        } in &self.failures
        {
            text += &format!("\n{failure} {origin}: record {name:?}: {why}");
        }
        let (problems, failures) = (total.problems, failures(self.failures.len()));
        text + &format!("\n{problems} problems, {failures}, {seconds:.1} s")
    }

    /// The problems, and the solvers whose answers must be exact.
    fn exact_table(&self, total: &Row) -> String {
        let fixed = [
            "suite",
            "problems",
            "solvable",
            "unsolvable",
            "perturbed",
            "unknown",
        ];
        let solvers = self.names(true);
        let header: Vec<_> = fixed.into_iter().chain(solvers).chain(["time"]).collect();
        self.table(&header, total, |row, suite| {
            let solvers = self.counts(row, true).map(Counts::cell);
            let time = format!("{:.2} s", row.time.as_secs_f64());
            let cells = [suite].into_iter().chain(row.problem_cells());
            cells.chain(solvers).chain([time]).collect()
        })
    }

    /// The solvers that answer in binary64, with their accuracy.
    fn fast_table(&self, total: &Row) -> String {
        let fixed = ["suite", "problems"];
        let header: Vec<_> = fixed.into_iter().chain(self.names(false)).collect();
        self.table(&header, total, |row, suite| {
            let cells = [suite, row.problems.to_string()].into_iter();
            cells
                .chain(self.counts(row, false).map(Counts::accurate_cell))
                .collect()
        })
    }

    fn table(
        &self,
        header: &[&str],
        total: &Row,
        cells: impl Fn(&Row, String) -> Vec<String>,
    ) -> String {
        let suites = self.suites.iter();
        let rows = suites.map(|(suite, row)| cells(row, suite.to_string()));
        count_table(
            header,
            1..header.len(),
            rows.chain([cells(total, "all".to_owned())]),
        )
    }

    fn names(&self, exact: bool) -> impl Iterator<Item = &str> {
        let chosen = self.solvers.iter().filter(move |s| s.is_exact == exact);
        chosen.map(|solver| solver.name.as_str())
    }

    fn counts<'a>(&'a self, row: &'a Row, exact: bool) -> impl Iterator<Item = &'a Counts> {
        let pairs = self.solvers.iter().zip(&row.solvers);
        pairs
            .filter(move |(s, _)| s.is_exact == exact)
            .map(|(_, counts)| counts)
    }

    /// For programs.
    pub fn to_json(&self, scenes: &SceneTally, seconds: f64) -> Value {
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
                "place": failure.part.to_string(),
                "reason": failure.text,
            })
        });
        let (scene_suites, scene_failures) = scenes.to_json();
        let mut all = json!({
            "suites": suites.collect::<Vec<_>>(),
            "total": self.total().to_json(&self.solvers),
            "failures": failures.chain(scene_failures).collect::<Vec<_>>(),
            "seconds": seconds,
        });
        if !scenes.is_empty() {
            all["scenes"] = scene_suites;
        }
        all
    }
}

impl Row {
    fn count(&mut self, report: &ProblemReport) {
        self.problems += 1;
        match report.status {
            Some(Status::Solvable) => self.solvable += 1,
            Some(Status::Unsolvable) => self.unsolvable += 1,
            Some(Status::Perturbed) => self.perturbed += 1,
            Some(Status::Unknown) => self.unknown += 1,
            None => {}
        }
        self.time += report.proof_time;
        self.solvers.resize(report.solvers.len(), Counts::default());
        for (counts, solver) in self.solvers.iter_mut().zip(&report.solvers) {
            match solver.outcome {
                SolverOutcome::Solved => counts.solve(&solver.verdict),
                SolverOutcome::GaveUp(_) => counts.gave_up += 1,
                SolverOutcome::Wrong(_) => counts.wrong += 1,
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
        self.unknown += other.unknown;
        self.time += other.time;
        self.solvers.resize(other.solvers.len(), Counts::default());
        for (own, other) in self.solvers.iter_mut().zip(&other.solvers) {
            own.solved += other.solved;
            own.gave_up += other.gave_up;
            own.wrong += other.wrong;
            own.note(&other.worst);
            own.time += other.time;
        }
    }

    fn problem_cells(&self) -> impl Iterator<Item = String> {
        let counts = [
            self.problems,
            self.solvable,
            self.unsolvable,
            self.perturbed,
            self.unknown,
        ];
        counts.into_iter().map(|count| count.to_string())
    }

    fn to_json(&self, names: &[Column]) -> Value {
        let solvers = names.iter().zip(&self.solvers);
        let solvers = solvers.map(|(solver, counts)| (solver.name.clone(), counts.to_json()));
        json!({
            "problems": self.problems,
            "solvable": self.solvable,
            "unsolvable": self.unsolvable,
            "perturbed": self.perturbed,
            "unknown": self.unknown,
            "solvers": solvers.collect::<serde_json::Map<_, _>>(),
            "seconds": self.time.as_secs_f64(),
        })
    }
}

impl Counts {
    fn solve(&mut self, verdict: &Verdict) {
        self.solved += 1;
        if let Some(error) = verdict.figure() {
            self.note(error);
        }
    }

    fn note(&mut self, error: &Rational) {
        if *error > self.worst {
            self.worst.clone_from(error);
        }
    }

    fn accurate_cell(&self) -> String {
        let worst = four_digits_up(round_up_f64(&self.worst));
        format!("{}, {worst}", self.cell())
    }

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
            "worst_error": round_up_f64(&self.worst),
            "seconds": self.time.as_secs_f64(),
        })
    }
}
