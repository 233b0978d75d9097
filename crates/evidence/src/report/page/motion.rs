//! Pictures of trajectories, and their energy.

use maud::{Markup, html};

use super::figure::{Figure, LINES};
use super::ids::Ids;
use super::table::{Table, count, number, word};
use crate::plot::{Axes, Frame, Line, PlotError, Unit};
use crate::report::{Motion, Report};

/// A picture shows at most so many moments.
const MOMENTS: usize = 50;

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
            "Paths of the centres of bodies, a dot at each of at most " (MOMENTS) " moments, seen from the front (y up) or, in space, \
            from the side (z up); a metre is as long to the right as upwards. Scenes along one line show their coordinates over time. Beside each stands its \
            energy."
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
fn step(motion: &Motion) -> String {
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

fn card(motion: &Motion, ids: &Ids) -> Result<Markup, PlotError> {
    let picture = picture(motion, ids)?;
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
            div.pair { (picture) (energy) }
        }
    })
}

/// Every moment of few, some of many.
fn sampled(motion: &Motion) -> Vec<&crate::report::Moment> {
    let every = motion.moments.len().div_ceil(MOMENTS).max(1);
    motion.moments.iter().step_by(every).collect()
}

/// The path of each body where the motion has a plan, else each coordinate over time.
fn lines_of(
    motion: &Motion,
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
    motion: &Motion,
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

fn picture(motion: &Motion, ids: &Ids) -> Result<Markup, PlotError> {
    let moments = sampled(motion);
    let paths = motion.paths();
    let plan = !paths.is_empty();
    let lines = lines_of(motion, &paths, &moments);
    let words = lines.iter().filter_map(|line| {
        let (from, to) = line.points.first().zip(line.points.last())?;
        Some(format!(
            "{} from ({:.3}, {:.3}) to ({:.3}, {:.3})",
            line.name, from.0, from.1, to.0, to.1
        ))
    });
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
    let text = words.collect::<Vec<_>>().join("; ") + ".";
    let data = positions(motion, &lines, &moments, [x, y]);
    let figure = Figure {
        frame: Frame { title, x, y, axes },
        lines: &lines,
        colors: &[],
        unit: Unit::Plain,
        text,
        data: Some(data),
    };
    figure.show(ids)
}

fn energy(motion: &Motion, ids: &Ids) -> Result<Markup, PlotError> {
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
        frame: Frame {
            title: "Energy",
            x: "time, s",
            y: "energy, J",
            axes: Axes::Linear,
        },
        lines: &lines,
        colors: &[],
        unit: Unit::Plain,
        text,
        data: Some(data),
    };
    figure.show(ids)
}
