//! What exactness costs, how far binary64 is from it, and how its numbers grow.

use maud::{Markup, html};

use super::figure::LINES;
use super::growth::{FigureOwned, colors, described, lines};
use super::ids::Ids;
use super::table::{Cell, Table, count, number, ratio, small, word};
use crate::measure::figures;
use crate::outcome::Column;
use crate::plot::{Axes, Line, PlotError, Unit};
use crate::report::series::{Growth, ratios};
use crate::report::{Arithmetic, Report};

/// The fast method that others are set beside.
const FAST: &str = "fast-auto";

/// Where an error of 0 is drawn on a logarithmic axis.
const ZERO: f64 = 1e-18;

pub fn body(report: &Report, ids: &Ids) -> Result<Markup, PlotError> {
    let pairs = [
        ("certified", "A certified answer, in units of the fast one"),
        (
            "exact-lemke",
            "Exact pivoting from nothing, in units of the fast answer",
        ),
    ];
    let mut shown = Vec::new();
    for (slow, title) in pairs {
        let growths = ratios(report, slow, FAST);
        if !growths.is_empty() {
            shown.push(ratio_figure(title, &growths).show(ids)?);
        }
    }
    if let Some(figure) = errors(report) {
        shown.push(figure.show(ids)?);
    }
    if shown.is_empty() {
        return Ok(html! { p { "No exact solver stands beside a fast one here." } });
    }
    Ok(html! {
        p {
            "What certainty costs: " em { "certified" } " lets " code { (FAST) } " propose and proves or repairs the answer exactly; "
            em { "exact-lemke" } " pivots in integers from the start. And what it is about: how far answers in floating point are from \
            exact: row by row, by which part of themselves data, and by which part of their natural size unknowns, may have to change before the answer is \
            exact. 2\u{207b}\u{2075}\u{00b3} = 1.1e\u{2212}16 is the rounding of one operation; an error of 0, an exact answer, is drawn at the left end."
        }
        div.grid { @for figure in shown { (figure) } }
    })
}

fn ratio_figure<'a>(title: &'a str, growths: &[Growth]) -> FigureOwned<'a> {
    let mut data = Table::new(
        "Medians of the ratio on the same problems",
        &["n", "family", "ratio"],
    );
    for growth in growths {
        for &(n, value) in &growth.points {
            data.row(vec![size(n), word(&growth.name), ratio(Some(value))]);
        }
    }
    FigureOwned {
        title,
        x: "rows n",
        y: "times the fast answer",
        axes: Axes::Logarithmic,
        lines: lines(growths),
        colors: Vec::new(),
        unit: Unit::Plain,
        text: described(growths, |value| {
            format!("{} times", figures::ratio(Some(value)))
        }),
        data,
    }
}

fn size(n: f64) -> Cell {
    number(n.to_string(), Some(n))
}

/// The quantiles of each solver's errors, which are sorted.
fn table_of_errors(sorted: &[(&str, Vec<f64>)]) -> Table {
    let columns = [
        "solver",
        "right answers",
        "exact",
        "median",
        "90 % within",
        "largest",
    ];
    let mut data = Table::new("Errors of right answers", &columns);
    for (name, errors) in sorted {
        let at = |share: f64| {
            errors
                .get((share * (errors.len() - 1) as f64).ceil() as usize)
                .copied()
        };
        let exact = errors.iter().filter(|e| **e == 0.0).count();
        data.row(vec![
            word(name),
            count(errors.len() as u64),
            count(exact as u64),
            small(at(0.5)),
            small(at(0.9)),
            small(at(1.0)),
        ]);
    }
    data
}

/// Of each solver in floating point the share of right answers with an error of at most x.
fn errors(report: &Report) -> Option<FigureOwned<'static>> {
    let floating = report
        .solvers
        .iter()
        .filter(|e| e.arithmetic == Arithmetic::Floating);
    let sorted = floating.map(|solver| {
        let right = report
            .of(&solver.name)
            .filter(|o| o.column() == Column::Solved);
        let errors = right.filter_map(|o| o.error.as_ref());
        let mut errors: Vec<f64> = errors.map(etalon_lcp::round_up_f64).collect();
        errors.sort_by(f64::total_cmp);
        (&*solver.name, errors)
    });
    let sorted: Vec<(&str, Vec<f64>)> = sorted.filter(|(_, e)| !e.is_empty()).collect();
    if sorted.is_empty() {
        return None;
    }
    let data = table_of_errors(&sorted);
    let words = sorted.iter().map(|(name, errors)| {
        let largest = super::table::error(errors.last().copied());
        format!(
            "{name}: {} answers, the largest error {largest}",
            errors.len()
        )
    });
    let text = words.collect::<Vec<_>>().join("; ") + ".";
    let most = sorted
        .iter()
        .filter_map(|(_, e)| e.last())
        .fold(1e-15, |a: f64, b| a.max(*b));
    let drawn: Vec<_> = sorted.iter().take(LINES).collect();
    let lines = drawn.iter().map(|(name, errors)| Line {
        name: (*name).to_owned(),
        points: staircase(errors, 2.0 * most),
        marked: false,
    });
    Some(FigureOwned {
        title: "How far right answers in floating point are from exact",
        x: "error of at most",
        y: "share of right answers",
        axes: Axes::Share,
        lines: lines.collect(),
        colors: colors(report, drawn.iter().map(|(name, _)| *name)),
        unit: Unit::Plain,
        text,
        data,
    })
}

/// The share of values up to each, as corners of a line from [`ZERO`], where 0 is drawn.
fn staircase(sorted: &[f64], end: f64) -> Vec<(f64, f64)> {
    let mut points = vec![(ZERO, 0.0)];
    let mut share = 0.0;
    for (k, value) in sorted.iter().enumerate() {
        let at = value.max(ZERO);
        points.push((at, share));
        share = (k + 1) as f64 / sorted.len() as f64;
        points.push((at, share));
    }
    points.push((end, share));
    points
}

pub fn bits(report: &Report, ids: &Ids) -> Result<Markup, PlotError> {
    if report.bits.is_empty() {
        return Ok(html! { p { "No exact run was recorded." } });
    }
    // One size shows no growth; the table has it.
    let mut suites: Vec<&str> = report.bits.iter().map(|run| &*run.suite).collect();
    suites.dedup();
    let sizes = |suite: &&str| {
        report
            .bits
            .iter()
            .filter(|run| run.suite == **suite)
            .count()
    };
    suites.retain(|suite| sizes(suite) > 1);
    let growth = |suite: &&str| {
        let runs = report.bits.iter().filter(|run| run.suite == **suite);
        let values: Vec<_> = runs.map(|run| (run.n, f64::from(run.most()))).collect();
        Growth::new(suite, &values)
    };
    let growths: Vec<Growth> = suites.iter().map(growth).collect();
    let mut data = Table::new(
        "The most bits of a number",
        &["n", "family", "bits", "bits / n", "pivots"],
    );
    for run in &report.bits {
        let (n, most) = (run.n as f64, f64::from(run.most()));
        data.row(vec![
            size(n),
            word(&run.suite),
            count(run.most().into()),
            ratio(Some(most / n.max(1.0))),
            count(run.bits.len() as u64),
        ]);
    }
    let by_size = FigureOwned {
        title: "The most bits of a number on the way, against n",
        x: "rows n",
        y: "bits",
        axes: Axes::Logarithmic,
        lines: lines(&growths),
        colors: Vec::new(),
        unit: Unit::Plain,
        text: described(&growths, |value| format!("{value} bits")),
        data,
    };
    Ok(html! {
        p {
            "Lexicographic Lemke on integers over one common denominator (Edmonds 1967, Bareiss 1968): every entry of the tableau is a minor of \
            the scaled data, so that numbers grow in proportion to the rows in the basis and no further. Counted are the bits of the \
            common denominator."
        }
        div.grid { (by_size.show(ids)?) (along(report, &suites).show(ids)?) }
    })
}

/// The largest run of each family, pivot by pivot.
fn along(report: &Report, suites: &[&str]) -> FigureOwned<'static> {
    let largest = suites.iter().filter_map(|suite| {
        let runs = report.bits.iter().filter(|run| run.suite == *suite);
        runs.max_by_key(|run| run.n)
    });
    let largest: Vec<_> = largest.take(LINES).collect();
    let mut data = Table::new("Along the pivots", &["pivot", "family", "bits"]);
    for run in &largest {
        let every = run.bits.len().div_ceil(12).max(1);
        for (k, bits) in run.bits.iter().enumerate().step_by(every) {
            let pivot = (k + 1) as u64;
            data.row(vec![count(pivot), word(&run.suite), count((*bits).into())]);
        }
    }
    let line = |run: &&crate::report::BitRun| Line {
        name: format!("{}, n = {}", run.suite, run.n),
        points: (1..)
            .zip(&run.bits)
            .map(|(k, b)| (f64::from(k), f64::from(*b)))
            .collect(),
        marked: false,
    };
    let words = largest.iter().map(|run| {
        let (pivots, last) = (run.bits.len(), run.bits.last().copied().unwrap_or(0));
        format!(
            "{}, n = {}: {last} bits after {pivots} pivots",
            run.suite, run.n
        )
    });
    FigureOwned {
        title: "Pivot by pivot, in the largest run of each family",
        x: "pivot",
        y: "bits",
        axes: Axes::Linear,
        lines: largest.iter().map(line).collect(),
        colors: Vec::new(),
        unit: Unit::Plain,
        text: words.collect::<Vec<_>>().join("; ") + ".",
        data,
    }
}
