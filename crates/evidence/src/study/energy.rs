//! Energy over time.

use etalon_scenarios::motion::Arithmetics;

use super::run::{Series, run};
use super::{Page, StudyError};
use crate::plot::{Axes, Line, PlotFrame, svg};

/// A run with its name in the legend.
type Named<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

const ROD: [Named<'_>; 3] = [
    ("rod, fixed point", "rod", &[("h", "0.02")]),
    (
        "rod, predicted",
        "rod",
        &[("h", "0.02"), ("scheme", "predicted")],
    ),
    ("rod, linear", "rod", &[("h", "0.02"), ("scheme", "linear")]),
];

const ELLIPSE: [Named<'_>; 2] = [
    ("ellipse, linear", "ellipse", &[]),
    ("ellipse, implicit", "ellipse", &[("scheme", "implicit")]),
];

const WHEELS: [Named<'_>; 4] = [
    ("10 sides", "polygon", &[("sides", "10"), ("duration", "4")]),
    ("20 sides", "polygon", &[("sides", "20"), ("duration", "4")]),
    ("50 sides", "polygon", &[("sides", "50"), ("duration", "4")]),
    ("disc", "disc", &[("steps", "400")]),
];

pub fn page() -> Result<Page, StudyError> {
    let (rod, ellipse, wheels) = (all(&ROD)?, all(&ELLIPSE)?, all(&WHEELS)?);
    let runs = rod.iter().chain(&ellipse).chain(&wheels);
    let rows = runs.map(|(name, series)| row(name, series));
    let page = Page::new("Energy over time")
        .text(
            "Stewart and Trinkle (1996), sections 3.3 and 3.6, and Trinkle and Nguyen, MOPTA 2007; made by \
             `etalon study energy`. All runs are exact, the disc in fractions and the others on a grid.",
        )
        .table(
            "Energy of each run",
            &[
                "run",
                "at the start (J)",
                "most (J)",
                "most / start",
                "at the end (J)",
                "largest gain in a step (J)",
            ],
            rows.collect(),
        )
        .text(
            "The scheme that takes M, n and D at the end of the step never raises the energy where gaps are \
             concave; on the rod it does not either, though the gap of a low end is convex. One problem at \
             q + h v gains 7.7e-7 J in a step at h = 0.02. In the ellipse the problem linearised at q \
             multiplies the energy by 15 in 14 steps: an active step changes it by \
             ((f/h)^2 - (n'v)^2)/(2 n'M^-1 n), which is positive wherever the particle starts further from the \
             wall than it moves towards it. The implicit step can only lose. Gaps of vertices are not concave: \
             wheels gain up to 5e-4 J in a step that brings a vertex down, which is of order h^2, and lose \
             more at each edge. The disc loses nothing.",
        );
    let page = figure(
        page,
        &rod,
        "energy-rod.svg",
        "Energy of the rod, h = 0.02 s",
        Axes::Linear,
    )?;
    let page = figure(
        page,
        &ellipse,
        "energy-ellipse.svg",
        "Energy of a particle in an ellipse, h = 1 s",
        Axes::Linear,
    )?;
    figure(
        page,
        &wheels,
        "energy-wheels.svg",
        "Energy of wheels, h = 0.01 s",
        Axes::Linear,
    )
}

fn all<'a>(runs: &[Named<'a>]) -> Result<Vec<(&'a str, Series)>, StudyError> {
    let one = |(name, scenario, settings): &Named<'a>| {
        Ok((*name, run(scenario, settings, Arithmetics::Exact)?))
    };
    runs.iter().map(one).collect()
}

fn row(name: &str, series: &Series) -> Vec<String> {
    let energies = series.over_time(|state| state.energy);
    let most = energies
        .iter()
        .map(|e| e.1)
        .fold(f64::NEG_INFINITY, f64::max);
    let gain = series.largest_gain();
    // Energies stand as binary64 numbers in trajectories.
    let gain = if gain < 1e-12 {
        "none".to_owned()
    } else {
        format!("{gain:.2e}")
    };
    vec![
        name.to_owned(),
        format!("{:.4}", series.start.energy),
        format!("{most:.4}"),
        format!("{:.4}", most / series.start.energy),
        format!("{:.4}", series.end().energy),
        gain,
    ]
}

fn figure(
    page: Page,
    runs: &[(&str, Series)],
    file: &str,
    title: &str,
    axes: Axes,
) -> Result<Page, StudyError> {
    let line = |(name, series): &(&str, Series)| Line {
        name: (*name).to_owned(),
        points: series.over_time(|state| state.energy),
        marked: false,
    };
    let lines: Vec<Line> = runs.iter().map(line).collect();
    let frame = PlotFrame {
        title,
        x: "time (s)",
        y: "J",
        axes,
    };
    Ok(page.plot(file, title, svg(&frame, &lines)?))
}
