//! Gaps by a scheme of positions and by a scheme of velocities.

use etalon_scenarios::motion::Arithmetics;

use super::run::{Point, Series, run};
use super::{Page, StudyError};
use crate::plot::{Axes, Line, PlotFrame, svg};

/// Scenes with the setting that makes each last a second.
const SCENES: [&str; 2] = ["box-corner", "dominoes"];

/// Steps in a second.
const STEPS: [&str; 4] = ["50", "100", "200", "400"];

const METHODS: [(&str, &str); 2] = [
    ("stewart-trinkle", "Stewart and Trinkle"),
    ("moreau-jean", "Moreau and Jean"),
];

pub fn page() -> Result<Page, StudyError> {
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for scene in SCENES {
        for steps in STEPS {
            let h = format!("1/{steps}");
            let mut row = vec![scene.to_owned(), h.clone()];
            for (method, name) in METHODS {
                let settings = [("method", method), ("h", &*h), ("steps", steps)];
                let series = run(scene, &settings, Arithmetics::Binary64)?;
                let gaps = gaps(&series);
                row.push(millimetres(gaps.iter().map(|gap| gap.1).reduce(f64::min)));
                row.push(millimetres(gaps.last().map(|gap| gap.1)));
                if (scene, steps) == (SCENES[0], STEPS[1]) {
                    lines.push(Line {
                        name: name.to_owned(),
                        points: gaps.into_iter().map(|(t, gap)| (t, 1e3 * gap)).collect(),
                        marked: false,
                    });
                }
            }
            rows.push(row);
        }
    }
    let frame = PlotFrame {
        title: "The least gap of box-corner, h = 1/100 s",
        x: "time (s)",
        y: "gap (mm)",
        axes: Axes::Linear,
    };
    let plot = svg(&frame, &lines)?;
    Ok(Page::new("Drift: gaps by positions and by velocities")
        .text(
            "Stewart and Trinkle (1996), section 1: their step asks for gaps at its end, and the schemes of Moreau and of \
             Monteiro Marques for velocities alone, which let bodies drift into each other. Made by `etalon study drift`, in \
             binary64. A gap below 0 is the depth of an overlap.",
        )
        .table(
            "The least gap over a second, and at its end",
            &[
                "scene",
                "h (s)",
                "Stewart and Trinkle: least (mm)",
                "at the end (mm)",
                "Moreau and Jean: least (mm)",
                "at the end (mm)",
            ],
            rows,
        )
        .text(
            "A step by velocities holds the contacts that are closed, or would close in it, at the gap that they have. So a gap or an \
             overlap stays; it is of order h. A step by positions has the gap 0 at its end, but for what a linear gap leaves out while \
             bodies turn. That is of order h^2, and the next step takes it away.",
        )
        .plot("drift.svg", frame.title, plot))
}

/// The least gap before each step that has contacts, with the time.
fn gaps(series: &Series) -> Vec<(f64, f64)> {
    let h = series.steps.first().map_or(0.0, |step| step.t);
    let least = |step: &Point| step.contacts.iter().map(|touch| touch.gap).reduce(f64::min);
    let steps = series.steps.iter();
    steps
        .filter_map(|step| Some((step.t - h, least(step)?)))
        .collect()
}

fn millimetres(gap: Option<f64>) -> String {
    // What rounding leaves is 0.
    let shown = |gap: f64| if gap.abs() < 5e-8 { 0.0 } else { 1e3 * gap };
    gap.map_or("-".to_owned(), |gap| format!("{:.4}", shown(gap)))
}
