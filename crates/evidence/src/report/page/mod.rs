//! The HTML. Every text goes through the template, which escapes it; identifiers are counted and
//! never made of names.

mod about;
mod exactness;
mod failures;
mod figure;
mod growth;
mod ids;
mod motion;
mod scoreboard;
mod style;
mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Report;
use crate::outcome::{Column, Tally};
use crate::plot::PlotError;
use ids::Ids;

/// Sorts tables when the button in a heading is used.
const SCRIPT: &str = include_str!("sort.js");

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
        section("failures", "Failures", failures::body(report, ids)),
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
                            ul { @for note in &report.notes { li { (note) } } }
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

/// The conclusion of the page, in a sentence.
fn lead(report: &Report) -> String {
    let all = Tally::of(&report.outcomes);
    if all.sent() == 0 {
        return "No answers were judged.".to_owned();
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

fn tiles(report: &Report) -> Markup {
    let all = Tally::of(&report.outcomes);
    let none = all.get(Column::Crashed) + all.get(Column::Hung);
    let tiles = [
        ("answers judged", grouped(all.sent()), ""),
        ("right", grouped(all.get(Column::Solved)), "good"),
        (
            "called solved, wrong",
            grouped(all.get(Column::Wrong)),
            if all.get(Column::Wrong) > 0 {
                "bad"
            } else {
                ""
            },
        ),
        (
            "no answer",
            grouped(none),
            if none > 0 { "warn" } else { "" },
        ),
        ("worst error accepted", table::error(all.worst()), ""),
    ];
    html! {
        dl.tiles {
            @for (name, value, class) in tiles {
                div class=(class) { dt { (name) } dd { (value) } }
            }
        }
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
