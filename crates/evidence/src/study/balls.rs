//! Four balls: Table I, figures 7 and 8.

use etalon_scenarios::motion::Arithmetics;

use super::run::{Point, Series, errors, run};
use super::{Page, StudyError};
use crate::plot::{Axes, Line, PlotFrame, svg};

/// Step sizes with the published velocity error, position error and variation of the velocity.
const TABLE: [(&str, [&str; 3]); 5] = [
    ("0.02", ["0.5050", "0.2505", "19.4046"]),
    ("0.01", ["0.3523", "0.2015", "19.1728"]),
    ("0.005", ["0.1657", "0.0838", "19.1702"]),
    ("0.0025", ["0.0700", "0.0298", "19.0862"]),
    ("0.00125", ["-", "-", "19.0690"]),
];

const NAMES: [&str; 4] = ["thrown", "first", "second", "third"];
/// Coordinates of a ball.
const SIZE: usize = 6;

pub fn page() -> Result<Page, StudyError> {
    let binary64 = |(h, _): &(&str, _)| run("four-balls", &[("h", h)], Arithmetics::Binary64);
    let series: Vec<Series> = TABLE.iter().map(binary64).collect::<Result<_, _>>()?;
    let (mut errors_of, mut collisions) = (Vec::new(), Vec::new());
    for (row, own) in TABLE.iter().zip(&series) {
        errors_of.push(table_row(row, own, &series));
        collisions.push(collision(row.0, own)?);
    }
    let page = tables(errors_of, collisions);
    let Some(finest) = series.get(3) else {
        return Ok(page);
    };
    let page = figure(
        page,
        finest,
        "four-balls-elevation.svg",
        "Figure 7: elevation",
        2,
        "z (m)",
    )?;
    figure(
        page,
        finest,
        "four-balls-plan.svg",
        "Figure 8: plan",
        1,
        "y (m)",
    )
}

/// The page with its two tables, of which these are the rows.
fn tables(errors_of: Vec<Vec<String>>, collisions: Vec<Vec<String>>) -> Page {
    Page::new("Four balls")
        .text(
            "Stewart and Trinkle (1996), section 4, Table I and figures 7 and 8; made by `etalon study \
             four-balls`, in binary64. Exact steps on a grid, at h = 0.02 s, agree to 1e-6.",
        )
        .table(
            "Table I",
            &[
                "h (s)",
                "velocity error: published",
                "here",
                "position error: published",
                "here",
                "variation: published",
                "here",
            ],
            errors_of,
        )
        .text(
            "How the table is read: T = 1 s, g = 9.81 m/s^2, errors against h = 0.00125 s. All 24 coordinates \
             count, three positions and three integrals of the angular velocity for each ball. The velocity \
             error is the integral of the largest of 24 differences, the position error the supremum of the \
             same at common times, the variation the largest total variation of any one velocity (that of the \
             thrown ball's spin). None of it is stated. What remains differs by at most 2%, and by 7% and 11% \
             in the errors of h = 0.0025: the variants of activation, evaluation point and alignment of the \
             friction directions that the paper leaves open differ by as much from each other.",
        )
        .table(
            "The collision",
            &[
                "h (s)",
                "table reached (s)",
                "line hit (s)",
                "contacts",
                "unknowns",
                "most iterations of a step",
                "largest gain of energy (J)",
            ],
            collisions,
        )
        .text(
            "Published: the table at about 0.42 s, the line at about 0.59 s. Times are those of the ends of \
             steps. Each contact has 8 directions, so 10 unknowns; all seven contacts are in one problem. \
             A gain that is not positive is a loss.",
        )
}

fn table_row((h, published): &(&str, [&str; 3]), own: &Series, all: &[Series]) -> Vec<String> {
    let finest = all
        .last()
        .filter(|finest| finest.steps.len() > own.steps.len());
    let found = finest.map(|finest| errors(own, finest));
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    let own = [
        number(found.map(|(v, _)| v)),
        number(found.map(|(_, q)| q)),
        number(Some(variation(own))),
    ];
    let pairs = published.iter().zip(own);
    let cells = pairs.flat_map(|(published, own)| [(*published).to_owned(), own]);
    [(*h).to_owned()].into_iter().chain(cells).collect()
}

/// The largest total variation of any velocity.
fn variation(series: &Series) -> f64 {
    let one = |i: usize| {
        let values = series.over_time(|state| state.v[i]);
        values
            .windows(2)
            .map(|pair| (pair[1].1 - pair[0].1).abs())
            .sum::<f64>()
    };
    (0..SIZE * NAMES.len()).map(one).fold(0.0, f64::max)
}

fn collision(h: &str, series: &Series) -> Result<Vec<String>, StudyError> {
    let largest = series.steps.iter().map(|step| step.n).max().unwrap_or(0);
    let hit = series.steps.iter().find(|step| step.n == largest);
    let hit: &Point = hit.ok_or_else(|| series.missing("collision"))?;
    let landed = series.first_press(0)?;
    let iterations = series.steps.iter().map(|step| step.iterations).max();
    // What rounding leaves is no gain.
    let gain = series.largest_gain();
    let gain = if gain < 1e-12 {
        "none".to_owned()
    } else {
        format!("{gain:.1e}")
    };
    Ok(vec![
        h.to_owned(),
        series
            .steps
            .get(landed)
            .map_or(String::new(), |step| format!("{:.5}", step.t)),
        format!("{:.5}", hit.t),
        (largest / 10).to_string(),
        largest.to_string(),
        iterations.unwrap_or(0).to_string(),
        gain,
    ])
}

/// The ways of the balls: x to the right, another coordinate upwards.
fn figure(
    page: Page,
    series: &Series,
    file: &str,
    title: &str,
    axis: usize,
    y: &str,
) -> Result<Page, StudyError> {
    let line = |(ball, name): (usize, &&str)| {
        let at = |i: usize| series.over_time(|state| state.q[SIZE * ball + i]);
        let points = at(0).into_iter().zip(at(axis)).map(|(x, y)| (x.1, y.1));
        Line {
            name: (*name).to_owned(),
            points: points.collect(),
            marked: false,
        }
    };
    let lines: Vec<Line> = NAMES.iter().enumerate().map(line).collect();
    let title = &format!("{title} of the centres of the balls, h = 0.0025 s");
    let frame = PlotFrame {
        title,
        x: "x (m)",
        y,
        axes: Axes::Linear,
    };
    Ok(page.plot(file, title, svg(&frame, &lines)?))
}
