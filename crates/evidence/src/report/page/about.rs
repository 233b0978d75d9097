//! How the page came about.

use maud::{Markup, html};

use crate::report::Report;

pub fn body(report: &Report) -> Markup {
    let about = &report.about;
    html! {
        dl.meta {
            dt { "Command" } dd { code { (about.command) } }
            dt { "Version" } dd { (about.version) }
            @if let Some(seed) = about.seed { dt { "Seed" } dd { (seed) } }
            dt { "Tolerance" } dd { (about.tolerance) ", natural-scale error" }
            @if let Some(machine) = &about.machine { dt { "Machine" } dd { (machine.to_string()) } }
            dt { "Took" } dd { (format!("{:.1} s", about.took.as_secs_f64())) }
        }
        @if about.unoptimised {
            p.notes { "This program was built without optimisation: its times mean little." }
        }
        h3 { "Solvers" }
        dl.meta {
            @for solver in &report.solvers {
                dt { (solver.name) }
                dd { (solver.about) "; time: " (solver.clock) "." }
            }
        }
        h3 { "Figures" }
        p {
            "Medians are of right answers on the problems of one size; exponents are least squares on logarithms. What each figure means and how it is computed \
            stands in docs/report.md of the sources."
        }
    }
}
