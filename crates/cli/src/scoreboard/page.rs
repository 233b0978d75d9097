//! The page.

use std::time::Duration;

use etalon_evidence::outcome::{Column, Tally};
use serde_json::{Value, json};

use super::adapter::{Adapter, Installed};
use super::score::{Score, cells, header};
use crate::args::ToleranceArgs;
use crate::finding::Small;
use etalon_evidence::table::render;

/// Everything that goes on the page.
pub struct Page {
    tol: String,
    timeout: Duration,
    pub boards: Vec<Board>,
    pub missing: Vec<Adapter>,
}

/// One solver.
pub struct Board {
    pub installed: Installed,
    pub score: Score,
    pub wrong: Vec<Wrong>,
}

/// A wrong answer, made small.
pub struct Wrong {
    /// The problem of the suite.
    pub name: String,
    /// The fault at that place.
    pub of: String,
    pub small: Small,
}

const ABOUT: &str = "\
# Scoreboard

Solvers of other projects over the golden problems, each sent only what it is made for, through the adapters in `adapters/`. Written by

    etalon scoreboard --page docs/scoreboard.md

which runs whatever is installed and names the rest. *Solved* is what the checker accepts by exact arithmetic: an error of at most
TOL, or a proof that there is no solution. *Wrong, called solved* was claimed and is not so: each such verdict
is exact, and some are made small below, to be checked by hand. A *neighbour* solves a problem within the tolerance of one
that provably has no solution. *Refused* is an honest word: it gave up, or called a problem unsolvable without a proof where none is known. *Crashed* ended or
answered what is no claim; *hung* took more than TIMEOUT s. The time is the median of right answers as the adapters report it, on whatever
machine wrote this page, and is there to compare orders of magnitude; Python adapters pay some microseconds a call.
";

impl Page {
    pub fn new(tolerance: &ToleranceArgs, timeout: Duration) -> Self {
        let tol = etalon_lcp::round_up_f64(&tolerance.tol);
        Self {
            tol: format!("{tol:e}"),
            timeout,
            boards: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// In Markdown.
    pub fn to_text(&self) -> String {
        let seconds = self.timeout.as_secs_f64().to_string();
        let mut text = ABOUT.replace("TOL", &self.tol).replace("TIMEOUT", &seconds);
        let mut columns = vec!["solver"];
        columns.extend(header());
        let rows = self.boards.iter().map(|board| {
            let mut row = vec![board.installed.adapter.name.clone()];
            row.extend(cells(&board.score.total()));
            row
        });
        text += &format!("\n{}\n", render(&columns, 1..columns.len(), rows));
        text += "\n## What was run\n\n";
        let rows = self.boards.iter().map(|board| {
            let Installed {
                adapter, version, ..
            } = &board.installed;
            vec![
                adapter.name.clone(),
                format!("{} {version}", adapter.project),
                format!("`{}`", adapter.install),
                adapter.can.to_string(),
                adapter.settings.clone(),
            ]
        });
        let header = ["solver", "version", "install", "is sent", "settings"];
        text += &render(&header, 0..0, rows);
        text.push('\n');
        for adapter in &self.missing {
            text += &format!(
                "\nNot installed: {} (`{}`).\n",
                adapter.name, adapter.install
            );
        }
        for board in &self.boards {
            text += &board.to_text();
        }
        text
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let boards = self.boards.iter().map(Board::to_json);
        let missing = self.missing.iter().map(|adapter| &adapter.name);
        json!({
            "tolerance": self.tol,
            "solvers": boards.collect::<Vec<_>>(),
            "missing": missing.collect::<Vec<_>>(),
        })
    }
}

impl Board {
    fn to_text(&self) -> String {
        let name = &self.installed.adapter.name;
        let mut columns = vec!["family"];
        columns.extend(header());
        let rows = self.score.families.iter().map(|(family, tally)| {
            let mut row = vec![family.clone()];
            row.extend(cells(tally));
            row
        });
        let mut text = format!(
            "\n## {name}\n\n{}\n",
            render(&columns, 1..columns.len(), rows)
        );
        if !self.score.skips.is_empty() {
            let skips = self.score.skips.iter();
            let skips: Vec<_> = skips
                .map(|(skip, count)| format!("{count} {skip}"))
                .collect();
            text += &format!("\nNot sent: {}.\n", skips.join(", "));
        }
        for wrong in &self.wrong {
            let (name, small) = (&wrong.name, wrong.small.to_text());
            text += &format!("\nFrom `{name}`:\n\n```text\n{small}\n```\n");
        }
        text
    }

    fn to_json(&self) -> Value {
        let row = |tally: &Tally| {
            let counts = Column::ALL.map(|column| {
                let word = column.word().to_owned();
                (word, json!(tally.get(column)))
            });
            let counts: serde_json::Map<_, _> = counts.into_iter().collect();
            json!({"sent": tally.sent(), "counts": counts})
        };
        let families = self.score.families.iter();
        let families = families.map(|(family, tally)| (family.clone(), row(tally)));
        let wrong = self.wrong.iter();
        let wrong = wrong.map(|wrong| json!({"problem": wrong.of, "small": wrong.small.to_json()}));
        json!({
            "name": self.installed.adapter.name,
            "version": self.installed.version,
            "total": row(&self.score.total()),
            "families": families.collect::<serde_json::Map<_, _>>(),
            "wrong": wrong.collect::<Vec<_>>(),
        })
    }
}
