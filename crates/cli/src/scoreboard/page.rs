//! The page.

use std::time::Duration;

use etalon_evidence::outcome::{Column, Tally};
use etalon_lcp::Law;
use serde_json::{Value, json};

use super::adapter::Adapter;
use super::contender::Contender;
use super::score::{Score, cells, header};
use crate::args::ToleranceArgs;
use crate::finding::Small;
use etalon_evidence::table::render;

/// Everything that goes on the page.
pub struct Page {
    tol: String,
    timeout: Duration,
    /// Whether it is that of friction cones, with a table for each law.
    cones: bool,
    pub boards: Vec<Board>,
    pub missing: Vec<Adapter>,
}

/// One solver.
pub struct Board {
    pub contender: Contender,
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

const ABOUT_CONES: &str = "\
# Scoreboard of friction cones

Solvers of contact problems over the goldens with [friction cones](cones.md): those of other projects through the adapters in `adapters/`, and this
program's own. Each is sent only the laws and cones that it is made for. Written by

    etalon scoreboard --cones --page docs/scoreboard-cones.md

which runs whatever is installed and names the rest. *Solved* is what the [judge](cones.md#the-block-error) accepts: a block error and a negativity
of at most TOL, computed exactly. *Wrong, called solved* was claimed and is not so. *Refused* is an honest word: the solver did not converge, or
the problem is of a form that the settings below exclude. *Crashed* ended or answered what is no claim; *hung* took more than TIMEOUT s (methods of this
program are not stopped then). The time is the median of right answers as solvers report it, on whatever machine wrote this page.

Pyramids are there to show what a polyhedral cone makes of these problems: `pyramid-box` bounds each row of friction by itself, `pyramid-4`, `-8`
and `-16` take the hull of so many points of the circle. Their problems are solved to the last bits, and their answers are right where
nothing slides, or slides along one of the directions. [The gap between models](studies/gap.md) measures how far they are off.
";

impl Page {
    pub fn new(tolerance: &ToleranceArgs, timeout: Duration, cones: bool) -> Self {
        let tol = etalon_lcp::round_up_f64(&tolerance.tol);
        Self {
            tol: format!("{tol:e}"),
            timeout,
            cones,
            boards: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// In Markdown.
    pub fn to_text(&self) -> String {
        let seconds = self.timeout.as_secs_f64().to_string();
        let about = if self.cones { ABOUT_CONES } else { ABOUT };
        let mut text = about.replace("TOL", &self.tol).replace("TIMEOUT", &seconds);
        if self.cones {
            for (title, law) in [
                ("Coulomb's law", Law::Coulomb),
                ("The convex law", Law::Convex),
            ] {
                let tally = |board: &Board| board.score.laws.get(law.word()).cloned();
                text += &format!("\n## {title}\n\n{}\n", self.totals(tally));
            }
        } else {
            text += &format!("\n{}\n", self.totals(|board| Some(board.score.total())));
        }
        text += "\n## What was run\n\n";
        text += &self.contenders();
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

    /// A row for each solver that was sent something.
    fn totals(&self, tally: impl Fn(&Board) -> Option<Tally>) -> String {
        let mut columns = vec!["solver"];
        columns.extend(header());
        let rows = self.boards.iter().filter_map(|board| {
            let mut row = vec![board.contender.name.clone()];
            row.extend(cells(&tally(board)?));
            Some(row)
        });
        render(&columns, 1..columns.len(), rows)
    }

    /// What each solver is.
    fn contenders(&self) -> String {
        let rows = self.boards.iter().map(|board| {
            let Contender {
                name,
                project,
                version,
                install,
                can,
                settings,
                ..
            } = &board.contender;
            vec![
                name.clone(),
                format!("{project} {version}"),
                install.clone(),
                can.to_string(),
                settings.clone(),
            ]
        });
        let header = ["solver", "version", "install", "is sent", "settings"];
        render(&header, 0..0, rows)
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
        let name = &self.contender.name;
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
        let laws = self.score.laws.iter();
        let laws = laws.map(|(law, tally)| ((*law).to_owned(), row(tally)));
        let wrong = self.wrong.iter();
        let wrong = wrong.map(|wrong| json!({"problem": wrong.of, "small": wrong.small.to_json()}));
        json!({
            "name": self.contender.name,
            "version": self.contender.version,
            "total": row(&self.score.total()),
            "families": families.collect::<serde_json::Map<_, _>>(),
            "laws": laws.collect::<serde_json::Map<_, _>>(),
            "wrong": wrong.collect::<Vec<_>>(),
        })
    }
}
