//! Who is right how often.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::ids::Ids;
use super::table::{Table, count, markup, seconds, small, word};
use crate::outcome::{Column, Outcome, Tally};
use crate::report::{Arithmetic, Report};

pub fn body(report: &Report, ids: &Ids) -> Markup {
    if report.outcomes.is_empty() {
        return html! { p { "No solver was asked." } };
    }
    let mut columns = vec!["solver", "arithmetic", "sent"];
    columns.extend(Column::ALL.map(Column::word));
    columns.extend(["median time", "worst error"]);
    let mut table = Table::new("All solvers; times are medians of right answers.", &columns);
    for solver in &report.solvers {
        let tally = Tally::of(report.of(&solver.name));
        let arithmetic = match solver.arithmetic {
            Arithmetic::Exact => "exact",
            Arithmetic::Floating => "float",
        };
        let name = html! { (solver.name) (bar(&tally)) };
        let mut cells = vec![markup(name), word(arithmetic)];
        cells.extend(tail(&tally));
        table.row(cells);
    }
    html! {
        p {
            em { "Solved" } " is what the checker accepts by exact arithmetic: an error of \
            at most " (report.about.tolerance) ", or a proof that there is no solution. "
            em { "Wrong" } " was called solved, or unsolvable, and is not. A " em { "neighbour" } " solves a problem \
            within the tolerance of one that provably has no solution. " em { "Refused" } " is an honest word: the solver \
            gave up, or called a problem unsolvable without a proof."
        }
        (key())
        (table.show(ids))
        (by_suite(report, ids))
    }
}

fn tail(tally: &Tally) -> Vec<super::table::Cell> {
    let mut cells = vec![count(tally.sent())];
    cells.extend(Column::ALL.map(|column| count(tally.get(column))));
    cells.push(seconds(tally.median()));
    cells.push(small(tally.worst()));
    cells
}

/// The counts as parts of a bar, for those who see it; the numbers stand beside it.
fn bar(tally: &Tally) -> Markup {
    let share = |column| 100.0 * tally.get(column) as f64 / tally.sent().max(1) as f64;
    html! {
        span.bar aria-hidden="true" {
            @for (k, column) in Column::ALL.into_iter().enumerate() {
                @if tally.get(column) > 0 {
                    span class={ "c" (k) } style=(format!("width:{:.2}%", share(column))) {}
                }
            }
        }
    }
}

fn key() -> Markup {
    html! {
        ul.legend aria-hidden="true" {
            @for (k, column) in Column::ALL.into_iter().enumerate() {
                li { span.key.{ "c" (k) } {} (column.word()) }
            }
        }
    }
}

fn by_suite(report: &Report, ids: &Ids) -> Markup {
    let mut suites: BTreeMap<(&str, &str), Vec<&Outcome>> = BTreeMap::new();
    for outcome in &report.outcomes {
        let key = (&*outcome.suite, &*outcome.solver);
        suites.entry(key).or_default().push(outcome);
    }
    let mut columns = vec!["suite", "solver", "sent"];
    columns.extend(Column::ALL.map(Column::word));
    columns.extend(["median time", "worst error"]);
    let mut table = Table::new("Each solver on each suite of problems", &columns);
    for ((suite, solver), outcomes) in suites {
        let tally = Tally::of(outcomes);
        let mut cells = vec![word(suite), word(solver)];
        cells.extend(tail(&tally));
        table.row(cells);
    }
    html! { details { summary { "By suite" } (table.show(ids)) } }
}
