//! Performance profiles, and time against size.

use maud::{Markup, html};

use super::figure::{Figure, LINES};
use super::ids::Ids;
use super::table::{Cell, Table, count, number, ratio, seconds, time, word};
use crate::measure::figures::percent;
use crate::measure::profile::Profile;
use crate::plot::{Axes, Line, PlotError, PlotFrame, Unit};
use crate::report::series::{Growth, Race, growing_suites, race, times};
use crate::report::{Arithmetic, Report};

/// Factors beyond this are not drawn.
const WIDEST: f64 = 100.0;

pub fn profiles(report: &Report, ids: &Ids) -> Result<Markup, PlotError> {
    let kinds = [
        (Arithmetic::Floating, "Solvers in floating point"),
        (Arithmetic::Exact, "Exact solvers"),
    ];
    let races: Vec<_> = kinds
        .into_iter()
        .filter_map(|(kind, title)| Some((title, race(report, kind)?)))
        .collect();
    if races.is_empty() {
        return Ok(html! { p { "There are no two solvers that were asked the same problems." } });
    }
    let figures: Result<Vec<_>, _> = races
        .iter()
        .map(|(title, race)| profile_figure(report, title, race).show(ids))
        .collect();
    Ok(html! {
        p {
            "Of each solver the share of problems that it answers rightly within a factor of the fastest right answer \
            (Dolan and Mor\u{e9} 2002, doi:10.1007/s101070100263). At a factor of 1 stands how often a solver is the fastest, at the right \
            end how often it is right at all. Only problems that every solver of a figure was asked count."
        }
        div.grid { @for figure in figures? { (figure) } }
    })
}

fn profile_figure<'a>(report: &Report, title: &'a str, race: &Race) -> FigureOwned<'a> {
    let mut best: Vec<&Profile> = race.profiles.iter().collect();
    best.sort_by(|a, b| b.solved().total_cmp(&a.solved()));
    best.truncate(LINES);
    let drawn: Vec<&Profile> = race
        .profiles
        .iter()
        .filter(|profile| best.iter().any(|b| b.name == profile.name))
        .collect();
    let colors = colors(report, drawn.iter().map(|profile| &*profile.name));
    let lines = drawn.iter().map(|profile| Line {
        name: profile.name.clone(),
        points: profile.staircase(WIDEST),
        marked: false,
    });
    let columns = [
        "solver",
        "fastest, %",
        "within 2, %",
        "within 5, %",
        "within 10, %",
        "right, %",
    ];
    let caption = format!("Share of {} problems", race.problems);
    let mut table = Table::new(caption, &columns);
    let share = |share: f64| {
        let shown = percent((share * 1e4).round() as u64, 10_000);
        number(shown, Some(share))
    };
    for profile in &race.profiles {
        let within = [1.0, 2.0, 5.0, 10.0].map(|factor| share(profile.within(factor)));
        let mut cells = vec![word(&profile.name)];
        cells.extend(within);
        cells.push(share(profile.solved()));
        table.row(cells);
    }
    let words = race.profiles.iter().map(|profile| {
        let [fastest, right] = [profile.within(1.0), profile.solved()].map(|s| 100.0 * s);
        format!(
            "{}: fastest on {fastest:.0} %, right on {right:.0} %",
            profile.name
        )
    });
    let text = format!(
        "Over {} problems. {}.",
        race.problems,
        words.collect::<Vec<_>>().join("; ")
    );
    FigureOwned {
        title,
        x: "factor of the fastest",
        y: "share of problems",
        axes: Axes::Share,
        lines: lines.collect(),
        colors,
        unit: Unit::Plain,
        text,
        data: table,
    }
}

/// A figure that owns its lines.
pub struct FigureOwned<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    pub axes: Axes,
    pub lines: Vec<Line>,
    pub colors: Vec<usize>,
    pub unit: Unit,
    pub text: String,
    pub data: Table,
}

impl FigureOwned<'_> {
    pub fn show(self, ids: &Ids) -> Result<Markup, PlotError> {
        let figure = Figure {
            frame: PlotFrame {
                title: self.title,
                x: self.x,
                y: self.y,
                axes: self.axes,
            },
            lines: &self.lines,
            colors: &self.colors,
            unit: self.unit,
            shapes: &[],
            text: self.text,
            data: Some(self.data),
        };
        figure.show(ids)
    }
}

pub fn body(report: &Report, ids: &Ids) -> Result<Markup, PlotError> {
    let suites = growing_suites(report);
    if suites.is_empty() {
        return Ok(html! {
            p { "No suite was asked at three sizes or more, so that no growth can be seen." }
        });
    }
    let mut exponents = Table::new(
        "Fitted exponents: time = constant n^exponent, least squares on logarithms of medians",
        &[
            "suite",
            "solver",
            "exponent",
            "problems",
            "largest n",
            "time there",
        ],
    );
    let mut figures = Vec::new();
    for suite in &suites {
        let growths = times(report, suite);
        for growth in &growths {
            exponents.row(exponent_row(suite, growth));
        }
        figures.push(growth_figure(report, suite, &growths).show(ids)?);
    }
    Ok(html! {
        p {
            "Median time of right answers against the number of rows n, on logarithmic axes, where a power of n is a \
            straight line. Times of a solver on a family are comparable with each other; those of solvers in other processes are what they say \
            themselves, or the time until the answer came (\u{201c}How this was made\u{201d} says which)."
        }
        div.grid { @for figure in figures { (figure) } }
        details { summary { "All fitted exponents" } (exponents.show(ids)) }
    })
}

fn exponent_row(suite: &str, growth: &Growth) -> Vec<Cell> {
    let last = growth.points.last();
    vec![
        word(suite),
        word(&growth.name),
        ratio(growth.law.map(|law| law.exponent)),
        count(growth.problems as u64),
        number(
            last.map_or_else(String::new, |p| p.0.to_string()),
            last.map(|p| p.0),
        ),
        seconds(last.map(|p| p.1)),
    ]
}

fn growth_figure<'a>(report: &Report, suite: &'a str, growths: &[Growth]) -> FigureOwned<'a> {
    let data = at_each_size(format!("{suite}: medians"), growths, seconds);
    FigureOwned {
        title: suite,
        x: "rows n",
        y: "time",
        axes: Axes::Logarithmic,
        lines: lines(growths),
        colors: colors(report, longest(growths).map(|growth| &*growth.name)),
        unit: Unit::Seconds,
        text: described(growths, |value| time(Some(value))),
        data,
    }
}

/// A row for each size, and a column for each of the growths.
pub fn at_each_size(
    caption: String,
    growths: &[Growth],
    show: impl Fn(Option<f64>) -> Cell,
) -> Table {
    let names = growths.iter().map(|growth| &*growth.name);
    let columns: Vec<&str> = ["n"].into_iter().chain(names).collect();
    let mut table = Table::new(caption, &columns);
    let sizes = growths.iter().flat_map(|growth| &growth.points);
    let mut sizes: Vec<f64> = sizes.map(|(n, _)| *n).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    for size in sizes {
        let at = |growth: &Growth| growth.points.iter().find(|(n, _)| *n == size).map(|p| p.1);
        let mut cells = vec![number(size.to_string(), Some(size))];
        cells.extend(growths.iter().map(|growth| show(at(growth))));
        table.row(cells);
    }
    table
}

/// The growths that are drawn where there are more than colours: those over the most sizes.
pub fn longest(growths: &[Growth]) -> impl Iterator<Item = &Growth> {
    let mut order: Vec<usize> = (0..growths.len()).collect();
    order.sort_by_key(|&k| std::cmp::Reverse(growths[k].points.len()));
    order.truncate(LINES);
    order.sort_unstable();
    order.into_iter().map(|k| &growths[k])
}

/// The growths as lines, each with its exponent in its name.
pub fn lines(growths: &[Growth]) -> Vec<Line> {
    let line = |growth: &Growth| Line {
        name: match growth.law {
            Some(law) => format!("{}: n^{:.1}", growth.name, law.exponent),
            None => growth.name.clone(),
        },
        points: growth.points.clone(),
        marked: true,
    };
    longest(growths).map(line).collect()
}

/// A colour for each solver, the same in all figures as long as no two of one figure would share
/// it; in turn otherwise.
pub fn colors<'a>(report: &Report, names: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let place = |name: &str| report.solvers.iter().position(|e| e.name == name);
    let places: Vec<usize> = names.map(|name| place(name).unwrap_or(0) % LINES).collect();
    let mut distinct = places.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() == places.len() {
        places
    } else {
        (0..places.len()).collect()
    }
}

/// The meaning of the lines, in words.
pub fn described(growths: &[Growth], show: impl Fn(f64) -> String) -> String {
    let words = growths.iter().filter_map(|growth| {
        let (first, last) = growth.points.first().zip(growth.points.last())?;
        Some(format!(
            "{}: {} at n = {}, {} at n = {}",
            growth.name,
            show(first.1),
            first.0,
            show(last.1),
            last.0
        ))
    });
    words.collect::<Vec<_>>().join("; ") + "."
}
