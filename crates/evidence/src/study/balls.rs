//! Four balls: Table I, figures 6 to 8.

use etalon_scenarios::motion::Arithmetics;

use super::run::{Point, Series, Touch, errors, errors_of, run};
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
pub const SIZE: usize = 6;

pub fn page() -> Result<Page, StudyError> {
    let binary64 = |(h, _): &(&str, _)| run("four-balls", &[("h", h)], Arithmetics::Binary64);
    let series: Vec<Series> = TABLE.iter().map(binary64).collect::<Result<_, _>>()?;
    let (mut errors_at, mut collisions) = (Vec::new(), Vec::new());
    for (row, own) in TABLE.iter().zip(&series) {
        errors_at.push(table_row(row, own, &series));
        collisions.push(collision(row.0, own)?);
    }
    let page = turning(tables(errors_at, collisions), &series);
    let Some(finest) = series.get(3) else {
        return Ok(page);
    };
    let page = impulses(page, finest)?;
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
fn tables(errors_at: Vec<Vec<String>>, collisions: Vec<Vec<String>>) -> Page {
    Page::new("Four balls")
        .text(
            "Stewart and Trinkle (1996), section 4, Table I and figures 6 to 8; made by `etalon study \
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
            errors_at,
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

/// The velocity errors of translations beside those of rotations.
fn turning(page: Page, all: &[Series]) -> Page {
    let mut rows = Vec::new();
    if let Some((finest, coarse)) = all.split_last() {
        for ((h, _), own) in TABLE.iter().zip(coarse) {
            let of = |turns: bool| errors_of(own, finest, |i| (i % SIZE >= 3) == turns).0;
            let (moves, turns) = (of(false), of(true));
            rows.push(vec![
                (*h).to_owned(),
                format!("{moves:.4}"),
                format!("{turns:.4}"),
                format!("{:.1}", turns / moves),
            ]);
        }
    }
    page.table(
        "Errors of translations and of rotations",
        &[
            "h (s)",
            "velocity error of translations (m/s s)",
            "of rotations (rad/s s)",
            "rotations / translations",
        ],
        rows,
    )
    .text(
        "Published: the largest errors are those of angular velocities, about an order of magnitude larger than \
         those of translations. A ball of 0.1 m that rolls has an angular velocity of 10 times its speed in these \
         units, so a factor of that size is a matter of units.",
    )
}

/// Figure 6: the impulses of the step in which all contacts take part.
fn impulses(page: Page, series: &Series) -> Result<Page, StudyError> {
    let hit = collision_step(series)?;
    let bears = |touch: &&Touch| touch.normal > 0.0;
    let rows = hit.contacts.iter().filter(bears).map(|touch| {
        let parts = impulse(touch, &hit.state.q).into_iter();
        let cells =
            parts.map(|value| format!("{:.4}", if value.abs() < 5e-5 { 0.0 } else { value }));
        [touch.pair.clone()].into_iter().chain(cells).collect()
    });
    let rows = rows.collect();
    Ok(page
        .table(
            "Impulses at the collision (figure 6), h = 0.0025 s",
            &["on / by", "along x (N s)", "along y (N s)", "upwards (N s)"],
            rows,
        )
        .text(format!(
            "The step ends at {:.4} s. On the body named second each impulse is the opposite. The paper's account of the collision is that of this table. Friction lifts the thrown \
             ball and presses the first one down, on which the table presses back. The first ball turns backwards, \
             so it lifts the second one, and this presses the third one down; the table acts on both against x.",
            hit.t
        )))
}

/// The impulse on the body named first, along x, y and z. The normal n is that at the end of the step, away from the table or the other
/// ball. Tangents are x and -y on the table, and between balls n x z and (n x z) x n, of length 1.
fn impulse(touch: &Touch, q: &[f64]) -> [f64; 3] {
    let centre = |name: &str| {
        let ball = NAMES.iter().position(|own| *own == name)?;
        q.get(SIZE * ball..)?.first_chunk::<3>()
    };
    let mut bodies = touch.pair.split('/');
    let mut next = || bodies.next().and_then(centre);
    let normal = match (next(), next()) {
        (Some(first), Some(second)) => {
            let away: [f64; 3] = std::array::from_fn(|i| first[i] - second[i]);
            let length = away.iter().map(|x| x * x).sum::<f64>().sqrt();
            away.map(|x| x / length)
        }
        _ => [0.0, 0.0, 1.0],
    };
    let level = normal[0].hypot(normal[1]);
    let across = match level > 0.0 {
        true => [normal[1] / level, -normal[0] / level, 0.0],
        false => [1.0, 0.0, 0.0],
    };
    let upwards = [
        across[1] * normal[2],
        -across[0] * normal[2],
        across[0] * normal[1] - across[1] * normal[0],
    ];
    let friction = |k: usize| touch.friction.get(k).copied().unwrap_or(0.0);
    std::array::from_fn(|i| {
        touch.normal * normal[i] + friction(0) * across[i] + friction(1) * upwards[i]
    })
}

/// The step with the most unknowns.
fn collision_step(series: &Series) -> Result<&Point, StudyError> {
    let largest = series.steps.iter().map(|step| step.n).max().unwrap_or(0);
    let hit = series.steps.iter().find(|step| step.n == largest);
    hit.ok_or_else(|| series.missing("collision"))
}

fn collision(h: &str, series: &Series) -> Result<Vec<String>, StudyError> {
    let hit = collision_step(series)?;
    let landed = series.first_press(0)?;
    let iterations = series.steps.iter().map(|step| step.iterations).max();
    Ok(vec![
        h.to_owned(),
        series
            .steps
            .get(landed)
            .map_or(String::new(), |step| format!("{:.5}", step.t)),
        format!("{:.5}", hit.t),
        (hit.n / 10).to_string(),
        hit.n.to_string(),
        iterations.unwrap_or(0).to_string(),
        gain(series),
    ])
}

/// The largest gain of energy in a step.
pub fn gain(series: &Series) -> String {
    let gain = series.largest_gain();
    // What rounding leaves is no gain.
    if gain < 1e-12 {
        "none".to_owned()
    } else {
        format!("{gain:.1e}")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impulses_make_the_change_of_momentum() {
        let settings = [("h", "0.02"), ("duration", "0.62")];
        let series = run("four-balls", &settings, Arithmetics::Binary64).unwrap();
        let hit = collision_step(&series).unwrap();
        let before = series.steps.iter().rfind(|step| step.t < hit.t).unwrap();
        // Masses are 1 kg.
        let mut changes = [[0.0, 0.0, -9.81 * 0.02]; NAMES.len()];
        for touch in &hit.contacts {
            let own = impulse(touch, &hit.state.q);
            for (body, sign) in touch.pair.split('/').zip([1.0, -1.0]) {
                if let Some(ball) = NAMES.iter().position(|name| *name == body) {
                    for (sum, part) in changes[ball].iter_mut().zip(own) {
                        *sum += sign * part;
                    }
                }
            }
        }
        for (ball, change) in changes.iter().enumerate() {
            for (i, change) in change.iter().enumerate() {
                let k = SIZE * ball + i;
                let found = hit.state.v[k] - before.state.v[k];
                assert!(
                    (found - change).abs() < 1e-6,
                    "{ball} {i}: {found} {change}"
                );
            }
        }
    }
}
