//! The results of one solver, by suite.

use std::collections::BTreeMap;

use etalon_conformance::Skip;
use etalon_evidence::outcome::{Column, Tally};
use etalon_lcp::{Law, Problem};

use super::super::diff::{Answered, Asked};

/// Sent, the columns, the median time of right answers in microseconds, their worst error.
pub fn cells(tally: &Tally) -> Vec<String> {
    let mut cells = vec![tally.sent().to_string()];
    cells.extend(Column::ALL.map(|column| tally.get(column).to_string()));
    let median = tally.median();
    cells.push(median.map_or_else(|| "-".to_owned(), |s| format!("{:.1}", s * 1e6)));
    let worst = tally.worst();
    cells.push(worst.map_or_else(|| "-".to_owned(), |worst| format!("{worst:.0e}")));
    cells
}

/// The names of the cells.
pub fn header() -> Vec<&'static str> {
    let mut header = vec!["sent"];
    header.extend(Column::ALL.map(Column::word));
    header.extend(["median us", "worst error"]);
    header
}

/// The results of a solver.
#[derive(Default)]
pub struct Score {
    pub families: BTreeMap<String, Tally>,
    /// By the word of the law, of problems with friction cones.
    pub laws: BTreeMap<&'static str, Tally>,
    pub skips: BTreeMap<String, u64>,
}

impl Score {
    pub fn count(&mut self, asked: &Asked, answered: &Answered) {
        let family = self.families.entry(asked.suite.to_string()).or_default();
        let law = law(&asked.problem).map(|law| self.laws.entry(law.word()).or_default());
        let error = answered.judged.judgement.verdict.figure();
        for tally in [family].into_iter().chain(law) {
            tally.count(answered.column(), answered.seconds, error);
        }
    }

    pub fn skip(&mut self, skip: &Skip) {
        *self.skips.entry(skip.to_string()).or_default() += 1;
    }

    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.families.values().for_each(|tally| total.add(tally));
        total
    }
}

/// The law of a problem with friction cones: convex, if that of any of them is.
fn law(problem: &Problem) -> Option<Law> {
    let laws = problem.cones().iter().map(|cone| cone.law);
    laws.max_by_key(|law| *law == Law::Convex)
}
