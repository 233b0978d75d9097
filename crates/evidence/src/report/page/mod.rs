//! The HTML. Every text goes through the template, which escapes it; identifiers are counted and
//! never made of names.

mod about;
mod anchor;
mod compact;
mod exactness;
mod failures;
mod figure;
mod growth;
mod ids;
mod motion;
mod scoreboard;
mod style;
mod table;

use etalon_conformance::Severity;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Report;
use crate::outcome::{Column, Outcome, Tally};
use crate::plot::PlotError;
use ids::Ids;

/// Sorts tables when the button in a heading is used.
const SCRIPT: &str = include_str!("sort.js");

/// So many solvers are named in the first sentence.
const LED: usize = 3;

/// A part of the page: its anchor, its heading, what it holds.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

/// What the page has, from the top.
fn sections(report: &Report, ids: &Ids) -> Result<[Section; 8], PlotError> {
    Ok([
        section("scoreboard", "Scoreboard", scoreboard::body(report, ids)),
        section("failures", "Failures", failures::body(report)),
        section(
            "profiles",
            "Performance profiles",
            growth::profiles(report, ids)?,
        ),
        section("time", "Time against size", growth::body(report, ids)?),
        section(
            "exactness",
            "Exact against fast",
            exactness::body(report, ids)?,
        ),
        section("bits", "Growth of numbers", exactness::bits(report, ids)?),
        section(
            "motion",
            "Trajectories and energy",
            motion::body(report, ids)?,
        ),
        section("method", "How this was made", about::body(report)),
    ])
}

fn section(id: &'static str, title: &'static str, body: Markup) -> Section {
    Section { id, title, body }
}

/// The whole file.
pub fn html(report: &Report) -> Result<String, PlotError> {
    let ids = Ids::default();
    let sections = sections(report, &ids)?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                // Nothing is fetched, whatever a name in here says.
                meta http-equiv="Content-Security-Policy"
                    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                meta name="generator" content=(report.about.version);
                title { "Etalon report" }
                style { (PreEscaped(style::css())) }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    div.wrap {
                        p.brand { "Etalon" }
                        h1 { "Solver report" }
                        p.lead { (lead(report)) }
                        (tiles(report))
                    }
                }
                nav aria-label="Sections" {
                    ul.wrap {
                        @for section in &sections {
                            li { a href={ "#" (section.id) } { (section.title) } }
                        }
                    }
                }
                main #main .wrap tabindex="-1" {
                    @if !report.notes.is_empty() {
                        aside.notes aria-label="Notes" {
                            ul { @for text in &report.notes { li { (note(text)) } } }
                        }
                    }
                    @for section in sections {
                        section id=(section.id) aria-labelledby={ (section.id) "-title" } {
                            h2 id={ (section.id) "-title" } { (section.title) }
                            (section.body)
                        }
                    }
                }
                footer.wrap {
                    p { (report.about.version) ". This file is whole: it asks the network for nothing." }
                }
                div #announcer .hidden aria-live="polite" {}
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}

/// The conclusion of the page, in a sentence or two: the user's solvers first.
fn lead(report: &Report) -> String {
    let all = Tally::of(&report.outcomes);
    if all.sent() == 0 {
        return "No answers were judged.".to_owned();
    }
    let users = report.solvers.iter().filter(|solver| !solver.is_own());
    let users: Vec<_> = users.map(|solver| of_one(report, &solver.name)).collect();
    if !users.is_empty() && users.len() <= LED {
        return format!(
            "{} Each answer was held against its problem in exact arithmetic.",
            users.join(" ")
        );
    }
    let wrong = all.get(Column::Wrong);
    let verdict = match wrong {
        0 => "none of them was called solved and is wrong".to_owned(),
        1 => "one of them was called solved and is wrong".to_owned(),
        _ => format!("{wrong} of them were called solved and are wrong"),
    };
    format!(
        "{} answers of {} solvers, each held against its problem in exact arithmetic: {verdict}.",
        grouped(all.sent()),
        report.solvers.len()
    )
}

/// What is to be said of one solver first.
fn of_one(report: &Report, solver: &str) -> String {
    let tally = Tally::of(report.of(solver));
    if tally.sent() == 0 {
        return format!("{solver} was not asked.");
    }
    let none = tally.get(Column::Crashed) + tally.get(Column::Hung);
    let mut text = format!(
        "{solver}: {} of {} answers are right",
        grouped(tally.get(Column::Solved)),
        grouped(tally.sent())
    );
    let wrong = tally.get(Column::Wrong);
    if wrong > 0 {
        text += &format!(", {} called solved and wrong", grouped(wrong));
        let gross = gross(report.of(solver));
        if gross > 0 {
            text += &format!(" ({} gross)", grouped(gross));
        }
    }
    let refused = tally.get(Column::Refused);
    if refused > 0 {
        text += &format!(", {} refused", grouped(refused));
    }
    if none > 0 {
        text += &format!(", {} without an answer", grouped(none));
    }
    text + "."
}

/// How many of the answers are wrong beside the largest numbers of their problem.
fn gross<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> u64 {
    let wrong = outcomes.filter(|o| o.column() == Column::Wrong);
    wrong
        .filter(|o| o.class().severity == Severity::Gross)
        .count() as u64
}

/// The counts, of each way of answering one: of the user's solvers where there are any, else of all. They add up to the answers
/// judged.
fn tiles(report: &Report) -> Markup {
    let users = report.solvers.iter().filter(|solver| !solver.is_own());
    let users: Vec<&str> = users.map(|solver| &*solver.name).collect();
    let counted = |o: &&Outcome| users.is_empty() || users.contains(&&*o.solver);
    let outcomes = || report.outcomes.iter().filter(counted);
    let all = Tally::of(outcomes());
    html! {
        dl.tiles {
            (tile("answers judged", &grouped(all.sent()), ""))
            @for column in Column::ALL {
                @let count = all.get(column);
                // What is good and what is worst is said even where there is none of it.
                @if count > 0 || matches!(column, Column::Solved | Column::Wrong) {
                    (tile(column.word(), &grouped(count), if count > 0 { colour(column) } else { "" }))
                }
                @if column == Column::Wrong {
                    @let gross = gross(outcomes());
                    (tile("of these gross", &grouped(gross), if gross > 0 { "bad" } else { "" }))
                }
            }
            (tile("worst error accepted", &table::error(all.worst()), ""))
        }
    }
}

fn tile(name: &str, value: &str, class: &str) -> Markup {
    html! { div class=(class) { dt { (name) } dd { (value) } } }
}

fn colour(column: Column) -> &'static str {
    match column {
        Column::Solved => "good",
        Column::Wrong => "bad",
        Column::Neighbour | Column::Refused | Column::Crashed | Column::Hung => "warn",
    }
}

/// A count with thin spaces between thousands.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A note, whose options stay in one line each.
fn note(text: &str) -> Markup {
    html! {
        @for (k, word) in text.split(' ').enumerate() {
            @if k > 0 { " " }
            @if word.starts_with("--") { span.keep { (word) } } @else { (word) }
        }
    }
}
