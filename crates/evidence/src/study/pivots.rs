//! Pivots against the size of problems.

use std::collections::BTreeMap;

use etalon_scenarios::motion::Arithmetics;

use super::run::run;
use super::{Page, StudyError};
use crate::plot::{Axes, Line, PlotFrame, svg};

/// A scene that grows with a parameter.
struct Growing {
    scenario: &'static str,
    parameter: &'static str,
    values: &'static [&'static str],
    others: &'static [(&'static str, &'static str)],
}

const SCENES: [Growing; 4] = [
    Growing {
        scenario: "settling-chain",
        parameter: "blocks",
        values: &["2", "4", "8", "16", "32"],
        others: &[("steps", "60")],
    },
    Growing {
        scenario: "cradle-row",
        parameter: "balls",
        values: &["3", "5", "9", "17", "33"],
        others: &[],
    },
    Growing {
        scenario: "rod",
        parameter: "h",
        values: &["0.02", "0.01"],
        others: &[],
    },
    Growing {
        scenario: "four-balls",
        parameter: "h",
        values: &["0.02", "0.01"],
        others: &[],
    },
];

/// Pivots of all problems of one size.
#[derive(Default)]
struct Counts {
    problems: u64,
    sum: u64,
    most: u64,
}

pub fn page() -> Result<Page, StudyError> {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for scene in &SCENES {
        let counts = counts(scene)?;
        rows.extend(counts.iter().map(|(n, counts)| {
            vec![
                scene.scenario.to_owned(),
                n.to_string(),
                counts.problems.to_string(),
                format!("{:.2}", counts.mean()),
                counts.most.to_string(),
                format!("{:.2}", counts.most as f64 / *n as f64),
            ]
        }));
        let most = counts
            .iter()
            .map(|(n, counts)| (*n as f64, counts.most as f64));
        lines.push(Line {
            name: scene.scenario.to_owned(),
            points: most.collect(),
            marked: true,
        });
    }
    let frame = PlotFrame {
        title: "Most pivots of a step's problem against its size",
        x: "unknowns",
        y: "pivots",
        axes: Axes::Logarithmic,
    };
    let plot = svg(&frame, &lines)?;
    Ok(Page::new("Pivots against size")
        .text(
            "Pivots of lexicographic Lemke with the covering vector of ones, from no basis, on the last problem \
             of each step, exactly; made by `etalon study pivots`. Sizes without a pivot (free flight of \
             systems without friction) count as well. Stewart and Trinkle give no counts; in practice pivots \
             grow with the number of unknowns, not exponentially as in the worst case.",
        )
        .table(
            "Pivots by scene and size",
            &["scene", "unknowns", "problems", "mean", "most", "most / unknowns"],
            rows,
        )
        .plot("pivots.svg", frame.title, plot))
}

impl Counts {
    fn mean(&self) -> f64 {
        self.sum as f64 / self.problems.max(1) as f64
    }
}

fn counts(scene: &Growing) -> Result<BTreeMap<u64, Counts>, StudyError> {
    let mut found: BTreeMap<u64, Counts> = BTreeMap::new();
    for value in scene.values {
        let mut settings = scene.others.to_vec();
        settings.push((scene.parameter, value));
        let series = run(scene.scenario, &settings, Arithmetics::Exact)?;
        for step in series.steps.iter().filter(|step| step.n > 0) {
            let counts = found.entry(step.n).or_default();
            let pivots = step.pivots.unwrap_or(0);
            counts.problems += 1;
            counts.sum += pivots;
            counts.most = counts.most.max(pivots);
        }
    }
    Ok(found)
}
