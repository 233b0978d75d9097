//! Every failure, with its shrunk problem where there is one.

use maud::{Markup, html};

use super::ids::Ids;
use super::table::{Table, number, small, word};
use crate::outcome::{Column, Outcome, SmallProblem};
use crate::report::Report;
use crate::report::summary::failures;

/// Failures with the same small problem.
struct Group<'a> {
    solver: &'a str,
    small: &'a SmallProblem,
    of: Vec<&'a Outcome>,
}

pub fn body(report: &Report, ids: &Ids) -> Markup {
    let all: Vec<&Outcome> = failures(report).collect();
    if all.is_empty() {
        let refused = report
            .outcomes
            .iter()
            .filter(|o| o.column() == Column::Refused);
        return html! {
            p.fine { "No solver called a wrong answer solved, crashed or hung." }
            p { (refused.count()) " honest refusals are counted above and are no failures." }
        };
    }
    let groups = groups(&all);
    html! {
        p {
            "Called solved and wrong, or no answer at all: " (all.len()) " in all. The smallest problems on which a \
            solver fails in the same way come first; each verdict is exact and can be checked by hand."
        }
        @if !groups.is_empty() {
            h3 { "Made small" }
            div.stack { @for group in &groups { (show(group)) } }
        }
        (table(&all).show(ids))
    }
}

fn groups<'a>(all: &[&'a Outcome]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for outcome in all {
        let Some(small) = &outcome.small else {
            continue;
        };
        let same = |group: &&mut Group<'_>| {
            group.solver == outcome.solver && group.small.name == small.name
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.of.push(outcome),
            None => groups.push(Group {
                solver: &outcome.solver,
                small,
                of: vec![outcome],
            }),
        }
    }
    groups
}

fn show(group: &Group<'_>) -> Markup {
    let names: Vec<&str> = group.of.iter().map(|outcome| &*outcome.name).collect();
    let record = group.small.problem.to_string();
    html! {
        article.card.failure {
            h4 { (group.solver) ": " (group.small.name) }
            pre tabindex="0" { (group.small.text) }
            p.soft { "Made small from " (names.join(", ")) "." }
            @if let Some(command) = &group.small.command {
                p { "To see it again, with the record below in that file: " code { (command) } }
            }
            details { summary { "The record" } pre tabindex="0" { (record) } }
        }
    }
}

fn table(all: &[&Outcome]) -> Table {
    let columns = [
        "problem",
        "solver",
        "suite",
        "n",
        "failure",
        "error",
        "what is wrong",
        "made small",
    ];
    let mut table = Table::new("Every failure", &columns);
    for outcome in all {
        let failure = outcome
            .failure
            .map_or(outcome.kind.word(), |kind| kind.word());
        let error = outcome.error.as_ref().map(etalon_lcp::round_up_f64);
        let n = outcome
            .n
            .map_or_else(|| "\u{2013}".to_owned(), |n| n.to_string());
        table.row(vec![
            word(&outcome.name),
            word(&outcome.solver),
            word(&outcome.suite),
            number(n, outcome.n.map(|n| n as f64)),
            word(failure),
            small(error),
            word(outcome.reason.as_deref().unwrap_or("")),
            word(outcome.small.as_ref().map_or("", |small| &small.name)),
        ]);
    }
    table
}
