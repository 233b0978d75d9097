//! Pictures of trajectories, and their energy.

use maud::{Markup, html};

use super::figure::{Figure, LINES};
use super::ids::Ids;
use super::table::{Table, count, number, word};
use crate::ink::of_body;
use crate::picture::clipped;
use crate::plot::{Axes, Line, PlotError, PlotFrame, Shape, Unit};
use crate::report::{Bodies, Report, ReportedTrajectory};

/// A picture shows at most so many moments.
const MOMENTS: usize = 50;
/// Bodies are drawn at so many of them and at the last one. More would cover each other.
const DRAWN: usize = 5;

pub fn body(report: &Report, ids: &Ids) -> Result<Markup, PlotError> {
    if report.motions.is_empty() {
        return Ok(html! { p { "No trajectory was given." } });
    }
    let (mut first, mut further) = (Vec::new(), Vec::new());
    let mut seen = Vec::new();
    for motion in &report.motions {
        if seen.contains(&&*motion.scenario) {
            further.push(card(motion, ids)?);
        } else {
            seen.push(&*motion.scenario);
            first.push(card(motion, ids)?);
        }
    }
    Ok(html! {
        p {
            "Bodies with the paths of their centres, a dot at each of at most " (MOMENTS) " moments, seen from the front (y up) or, in space, \
            from the side (z up); a metre is as long to the right as upwards. Bodies are drawn at up to " (DRAWN + 1) " moments, the last one darkest, \
            what stays in grey. Scenes along one line show their coordinates over time, too. Beside each stands its energy."
        }
        (energies(report).show(ids))
        div.stack { @for card in first { (card) } }
        @if !further.is_empty() {
            details {
                summary { "The same scenes with other steps, schemes and parameters: " (further.len()) " more" }
                div.stack { @for card in further { (card) } }
            }
        }
    })
}

fn energies(report: &Report) -> Table {
    let mut table = Table::new(
        "Energy of each trajectory, in J, as binary64 numbers of the files",
        &[
            "trajectory",
            "steps",
            "step, s",
            "at the start",
            "at the end",
            "most",
            "largest gain in a step",
            "dissipated",
        ],
    );
    for motion in &report.motions {
        let totals = || motion.moments.iter().map(|moment| motion.total(moment));
        let most = totals().fold(f64::NEG_INFINITY, f64::max);
        let joule = |value: f64| number(joules(value), Some(value));
        table.row(vec![
            word(&motion.name),
            count(motion.moments.len().saturating_sub(1) as u64),
            number(step(motion), Some(motion.h)),
            joule(totals().next().unwrap_or(0.0)),
            joule(totals().next_back().unwrap_or(0.0)),
            joule(most),
            joule(motion.largest_gain()),
            joule(motion.dissipated),
        ]);
    }
    table
}

/// The step in six digits: 1/50 is no binary64 number.
fn step(motion: &ReportedTrajectory) -> String {
    format!("{:.6}", motion.h)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Energy in four digits; what is as small as rounding is 0.
fn joules(value: f64) -> String {
    match value.abs() {
        size if size < 1e-11 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.2e}").replace('-', "\u{2212}"),
        _ => format!("{value:.4}").replace('-', "\u{2212}"),
    }
}

fn card(motion: &ReportedTrajectory, ids: &Ids) -> Result<Markup, PlotError> {
    let mut pictures = Vec::new();
    if let Some(bodies) = &motion.bodies {
        pictures.push(plan(motion, bodies, ids)?);
    }
    if motion.bodies.is_none() || motion.paths().is_empty() {
        pictures.push(picture(motion, ids)?);
    }
    let energy = energy(motion, ids)?;
    let pressed = motion
        .moments
        .iter()
        .filter(|moment| moment.pressed)
        .count();
    let steps = motion.moments.len().saturating_sub(1);
    Ok(html! {
        article.card {
            h3 { (motion.name) }
            p.soft {
                (motion.about) @if !motion.about.is_empty() { ". " } (steps) " steps of " (step(motion)) " s; " (motion.how) ". A contact presses after "
                (pressed) " of them."
            }
            div.pair { @for picture in pictures { (picture) } (energy) }
        }
    })
}

/// Every moment of few, some of many.
fn sampled(motion: &ReportedTrajectory) -> Vec<&crate::report::Moment> {
    let every = motion.moments.len().div_ceil(MOMENTS).max(1);
    motion.moments.iter().step_by(every).collect()
}

/// The path of each body where the motion has a plan, else each coordinate over time.
fn lines_of(
    motion: &ReportedTrajectory,
    paths: &[(String, [usize; 2])],
    moments: &[&crate::report::Moment],
) -> Vec<Line> {
    if paths.is_empty() {
        let names = motion.coordinates.iter().enumerate().take(LINES);
        let over_time = |(k, name): (usize, &String)| Line {
            name: name.clone(),
            points: moments.iter().map(|m| (m.t, m.q[k])).collect(),
            marked: true,
        };
        return names.map(over_time).collect();
    }
    let path = |(name, [along, up]): &(String, [usize; 2])| Line {
        name: name.clone(),
        points: moments.iter().map(|m| (m.q[*along], m.q[*up])).collect(),
        marked: true,
    };
    paths.iter().take(LINES).map(path).collect()
}

/// Some points of the lines as a table, whose last columns are called so.
fn positions(
    motion: &ReportedTrajectory,
    lines: &[Line],
    moments: &[&crate::report::Moment],
    [x, y]: [&str; 2],
) -> Table {
    let mut data = Table::new(
        format!("{}: positions", motion.name),
        &["body", "time, s", x, y],
    );
    let every = moments.len().div_ceil(8).max(1);
    for line in lines {
        for (moment, point) in moments.iter().zip(&line.points).step_by(every) {
            let short = |value: f64| number(format!("{value:.4}"), Some(value));
            data.row(vec![
                word(&line.name),
                short(moment.t),
                short(point.0),
                short(point.1),
            ]);
        }
    }
    data
}

/// Where each line begins and ends.
fn ends(lines: &[Line]) -> String {
    let words = lines.iter().filter_map(|line| {
        let (from, to) = line.points.first().zip(line.points.last())?;
        Some(format!(
            "{} from ({:.3}, {:.3}) to ({:.3}, {:.3})",
            line.name, from.0, from.1, to.0, to.1
        ))
    });
    words.collect::<Vec<_>>().join("; ") + "."
}

/// The bodies with the paths of their centres.
fn plan(motion: &ReportedTrajectory, bodies: &Bodies, ids: &Ids) -> Result<Markup, PlotError> {
    let every = motion.moments.len().div_ceil(MOMENTS).max(1);
    let path = |(k, name): (usize, &String)| {
        let places = bodies
            .placed
            .iter()
            .step_by(every)
            .filter_map(|now| now.get(k));
        Line {
            name: name.clone(),
            points: places.map(|([x, y], _)| (*x, *y)).collect(),
            marked: true,
        }
    };
    let lines: Vec<Line> = bodies
        .names
        .iter()
        .enumerate()
        .take(LINES)
        .map(path)
        .collect();
    let colors: Vec<usize> = (0..lines.len()).map(of_body).collect();
    let shapes = shapes(bodies, &lines);
    let [x, y] = bodies.axes.each_ref().map(String::as_str);
    let data = positions(motion, &lines, &sampled(motion), [x, y]);
    let figure = Figure {
        frame: PlotFrame {
            title: "Bodies and paths",
            x,
            y,
            axes: Axes::Plan,
        },
        lines: &lines,
        colors: &colors,
        unit: Unit::Plain,
        shapes: &shapes,
        text: ends(&lines),
        data: Some(data),
    };
    figure.show(ids)
}

/// What stays, as far as it is near to the bodies, and the bodies at some moments.
fn shapes(bodies: &Bodies, lines: &[Line]) -> Vec<Shape> {
    let count = bodies.placed.len();
    let every = count.div_ceil(DRAWN).max(1);
    let mut moments: Vec<usize> = (0..count).step_by(every).collect();
    moments.extend(count.checked_sub(1));
    moments.dedup();
    let shades = moments.len().max(1) as f64;
    let mut moving = Vec::new();
    for (k, &moment) in moments.iter().enumerate() {
        for (body, (_, outline)) in bodies.placed[moment].iter().enumerate() {
            let points: Vec<_> = outline.iter().map(|p| (p[0], p[1])).collect();
            if points.len() > 1 {
                moving.push(Shape {
                    points,
                    color: Some(of_body(body)),
                    shade: (k + 1) as f64 / shades,
                });
            }
        }
    }
    let corners = moving.iter().flat_map(|shape| &shape.points);
    let corners = corners.chain(lines.iter().flat_map(|line| &line.points));
    let window = window(corners);
    let solids = bodies.solids.iter().map(|planes| clipped(&window, planes));
    let stays = solids.filter(|solid| solid.len() > 2);
    // A line is drawn piece by piece: nothing is within it.
    let pieces = bodies
        .lines
        .iter()
        .flat_map(|line| line.windows(2).map(<[_]>::to_vec));
    let stays = stays.chain(pieces).map(|points| Shape {
        points: points.iter().map(|p| (p[0], p[1])).collect(),
        color: None,
        shade: 0.3,
    });
    stays.chain(moving).collect()
}

/// The corners of a rectangle around points, somewhat larger.
fn window<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> [[f64; 2]; 4] {
    let start = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let (low, high) = points.fold(start, |(low, high), &(x, y)| {
        (
            [low[0].min(x), low[1].min(y)],
            [high[0].max(x), high[1].max(y)],
        )
    });
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    let margin = if size > 0.0 { 0.06 * size } else { 0.5 };
    let (low, high) = (low.map(|v| v - margin), high.map(|v| v + margin));
    [low, [high[0], low[1]], high, [low[0], high[1]]]
}

fn picture(motion: &ReportedTrajectory, ids: &Ids) -> Result<Markup, PlotError> {
    let moments = sampled(motion);
    let paths = motion.paths();
    let plan = !paths.is_empty();
    let lines = lines_of(motion, &paths, &moments);
    let up = if paths
        .first()
        .is_some_and(|(_, [_, up])| motion.coordinates[*up].ends_with('z'))
    {
        "z, m"
    } else {
        "y, m"
    };
    let (title, x, y, axes) = if plan {
        ("Paths", "x, m", up, Axes::Plan)
    } else {
        (
            "Coordinates over time",
            "time, s",
            "position, m",
            Axes::Linear,
        )
    };
    let text = ends(&lines);
    let data = positions(motion, &lines, &moments, [x, y]);
    let figure = Figure {
        frame: PlotFrame { title, x, y, axes },
        lines: &lines,
        colors: &[],
        unit: Unit::Plain,
        shapes: &[],
        text,
        data: Some(data),
    };
    figure.show(ids)
}

fn energy(motion: &ReportedTrajectory, ids: &Ids) -> Result<Markup, PlotError> {
    let moments = sampled(motion);
    let line = |name: &str, of: &dyn Fn(&crate::report::Moment) -> f64| Line {
        name: name.to_owned(),
        points: moments.iter().map(|m| (m.t, of(m))).collect(),
        marked: false,
    };
    let lines = [
        line("total", &|m| motion.total(m)),
        line("kinetic", &|m| m.energy[0]),
        line("potential", &|m| m.energy[1]),
    ];
    let ends = lines[0].points.first().zip(lines[0].points.last());
    let text = ends.map_or_else(String::new, |(from, to)| {
        format!(
            "In all {} J at the start, {} J after {:.3} s.",
            joules(from.1),
            joules(to.1),
            to.0
        )
    });
    let mut data = Table::new(
        format!("{}: energy", motion.name),
        &["time, s", "kinetic, J", "potential, J", "total, J"],
    );
    for moment in moments.iter().step_by(moments.len().div_ceil(12).max(1)) {
        let joule = |value: f64| number(joules(value), Some(value));
        let total = motion.total(moment);
        data.row(vec![
            number(format!("{:.4}", moment.t), Some(moment.t)),
            joule(moment.energy[0]),
            joule(moment.energy[1]),
            joule(total),
        ]);
    }
    let figure = Figure {
        frame: PlotFrame {
            title: "Energy",
            x: "time, s",
            y: "energy, J",
            axes: Axes::Linear,
        },
        lines: &lines,
        colors: &[],
        unit: Unit::Plain,
        shapes: &[],
        text,
        data: Some(data),
    };
    figure.show(ids)
}
