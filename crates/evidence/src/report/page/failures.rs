//! Failures by solver and kind, the worst first, each with the command that repeats it.

use std::collections::BTreeMap;

use etalon_lcp::Grade;
use maud::{Markup, html};

use super::anchor::Anchors;
use super::table;
use crate::outcome::groups::{TOLD, heading, rest};
use crate::outcome::{Column, Groups, Outcome, SmallProblem};
use crate::report::summary::failures;
use crate::report::{Report, Shown};

/// A record of more characters is left to the file of lines: the page is read by people.
const RECORD: usize = 4_000;

/// Characters of a reason that are shown; the lines have the rest.
const REASON: usize = 300;

/// The small problems that the page has shown already, by solver and name, with the anchor of the failure beside.
type Told = BTreeMap<(String, String), String>;

pub fn body(report: &Report) -> Markup {
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
    let mut anchors = Anchors::default();
    let mut told = Told::new();
    let mut first = true;
    html! {
        p {
            "Called solved and wrong, or no answer at all: " (all.len()) " in all, the worst kinds first. "
            em { "Gross" } " is wrong even beside the largest numbers of the problem, " em { "wrong" } " is wrong in the size of \
            its own row, and " em { "noise" } " by the rounding of the data. Each verdict is exact and can be checked by hand; the link \
            of a failure is the same in every report."
        }
        @for solver in &report.solvers {
            @let own: Vec<&Outcome> = all.iter().copied().filter(|o| o.solver == solver.name).collect();
            @if !own.is_empty() {
                h3 { (solver.name) ": " (super::grouped(own.len() as u64)) @if own.len() == 1 { " failure" } @else { " failures" } }
                (kinds(&own, report.shown, &mut anchors, &mut told, std::mem::take(&mut first)))
            }
        }
    }
}

/// The kinds of a solver's failures; the worst kind is open where that is wanted.
fn kinds(
    own: &[&Outcome],
    shown: Shown,
    anchors: &mut Anchors,
    told: &mut Told,
    open: bool,
) -> Markup {
    let mut groups = Groups::default();
    own.iter()
        .for_each(|o| groups.count(o.class(), o.own_words(), &o.suite));
    let sorted = groups.sorted();
    html! {
        @for (k, group) in sorted.iter().take(TOLD).enumerate() {
            @let of_kind = own.iter().copied().filter(|o| o.class() == *group.kind).collect();
            details.kind open[open && k == 0] {
                summary { (heading(group)) }
                (several(of_kind, shown, anchors, told))
            }
        }
        @if let Some(rest) = rest(&sorted, TOLD) {
            p.soft { (rest) "; the lines of --lines have them." }
        }
    }
}

/// Failures of one kind, those of few rows and large errors first, as many as are shown.
fn several(
    mut failures: Vec<&Outcome>,
    shown: Shown,
    anchors: &mut Anchors,
    told: &mut Told,
) -> Markup {
    let rows = |o: &Outcome| {
        o.n.and_then(|n| usize::try_from(n).ok())
            .unwrap_or(usize::MAX)
    };
    failures.sort_by_cached_key(|o| o.class().severity.key(rows(o), o.error.as_ref()));
    let most = match shown {
        Shown::All => failures.len(),
        Shown::Most(most) => most.min(failures.len()),
    };
    let more = failures.len() - most;
    html! {
        div.stack { @for failure in &failures[..most] { (show(failure, anchors, told)) } }
        @if more > 0 {
            p.soft { (super::grouped(more as u64)) " more of this kind: " code { "--failures all" } " shows them, " code { "--lines FILE" } " writes them." }
        }
    }
}

fn show(outcome: &Outcome, anchors: &mut Anchors, told: &mut Told) -> Markup {
    let anchor = anchors.of(&outcome.solver, &outcome.name);
    html! {
        article.card.failure id=(anchor) {
            h4 { a href={ "#" (anchor) } { (outcome.name) } }
            p.facts {
                span class={ "grade " (grade(outcome)) } { (outcome.class().severity.word()) }
                @if let Some(n) = outcome.n { span { (n) @if n == 1 { " row" } @else { " rows" } } }
                @if let Some(failure) = outcome.failure { span { (failure.word()) } }
                @if let Some(error) = &outcome.error {
                    span { "error " (table::error(Some(etalon_lcp::round_up_f64(error)))) }
                }
            }
            @if let Some(reason) = &outcome.reason { p.reason { (cut(reason)) } }
            @if let Some(command) = &outcome.command { pre.command tabindex="0" { code { (command) } } }
            @if let Some(small) = &outcome.small { (made_small(outcome, small, &anchor, told)) }
        }
    }
}

fn grade(outcome: &Outcome) -> &'static str {
    match outcome.grade {
        _ if outcome.failure.is_some() => "none",
        Some(grade) => grade.word(),
        None => Grade::Wrong.word(),
    }
}

fn cut(reason: &str) -> String {
    let mut text: String = reason.chars().take(REASON).collect();
    if text.len() < reason.len() {
        text.push_str(" ...");
    }
    text
}

/// The smallest problem of the same fault, once; then a link to it.
fn made_small(outcome: &Outcome, small: &SmallProblem, anchor: &str, told: &mut Told) -> Markup {
    let key = (outcome.solver.clone(), small.name.clone());
    if let Some(first) = told.get(&key) {
        return html! { p.soft { "Made small: " a href={ "#" (first) } { (small.name) } " as above." } };
    }
    told.insert(key, anchor.to_owned());
    let record = small.problem.to_string();
    html! {
        details.small open {
            summary { "Made small: " (small.name) }
            @if small.text.len() <= RECORD { pre tabindex="0" { (small.text) } }
            @if record.len() <= RECORD {
                details { summary { "The record" } pre tabindex="0" { (record) } }
            } @else {
                p.soft { "The record is long; the lines of --lines have it." }
            }
            @if let Some(command) = &small.command {
                p.soft { "With the record in that file:" }
                pre.command tabindex="0" { code { (command) } }
            }
        }
    }
}
