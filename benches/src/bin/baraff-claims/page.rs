//! The page.

use std::fmt::Write;

use etalon_benches::elimination::textbook_flops;
use etalon_benches::machine::Machine;
use etalon_benches::statistics::median;
use etalon_benches::table::{ratio, render};
use etalon_fast::FastMethod;

use crate::measure::{Measured, What};

const ABOUT: &str = "\
# Two claims about driving contact forces to zero

Baraff (1994, section 4.5) says of his method that it takes *about three times the work required to solve a linear system of size n
by Gaussian elimination*. Drumwright says of pivoting on such problems that it takes *about 4n/3 pivots*. This page measures both on
frictionless scenes. It is written by

    cargo run --release -p etalon-benches --bin baraff-claims -- --page docs/baraff-claims.md

- **Pivots** are the steps of the exact drive to zero (`etalon_exact::Dantzig`, contacts in ascending order), up to n = 110. In
  binary64 they are the steps of `fast-dantzig`, cold, and a frame later from the sets of the frame before.
- **Work** is the number of multiplications and additions that an updated factorisation needs for the exact run's steps (Baraff 4.5),
  in units of elimination's 2/3 n^3.
- **Times** are of `fast-dantzig` and faster methods on one thread, in units of textbook elimination and in units of the
  faster of nalgebra's and faer's LU. A frame later all data differ by up to 1%.

Pivots in binary64 count every attempt: a drive that fails on a nearly singular block of redundant contacts starts anew with a
shifted diagonal. Neither claim states how many contacts push in the end, which matters. The drive starts from none, so a beam on a
hundred supports, of which two carry it, needs little work, and a pyramid whose contacts all push needs much.
";

/// The whole page.
pub fn page(machine: &Machine, measured: &[Measured]) -> String {
    let mut page = format!(
        "{ABOUT}\nMeasured on: {machine}.\n\n## Answers\n\n{}\n",
        answers(measured)
    );
    let mut section = |title: &str, table: String| {
        let _ = write!(page, "\n## {title}\n\n{table}\n");
    };
    section("Pivots and work", counts(measured));
    section(
        "Time, in units of textbook elimination",
        times(measured, What::Textbook),
    );
    section("Time, in units of the better LU", times(measured, What::Lu));
    page
}

/// What the tables say, in words that follow from them.
fn answers(measured: &[Measured]) -> String {
    let pivots = span(
        measured
            .iter()
            .filter_map(|m| Some(m.drive?.steps as f64 / m.n as f64)),
    );
    let fast = span(
        measured
            .iter()
            .filter_map(|m| Some(m.pivots[0]? as f64 / m.n as f64)),
    );
    let work = span(measured.iter().filter_map(work));
    let time = |what, opponent| {
        span(
            measured
                .iter()
                .filter_map(|m| Some(m.seconds(what)? / m.seconds(opponent)?)),
        )
    };
    let dantzig = What::Cold(FastMethod::Dantzig);
    format!(
        "| claim | measured: median over the scenes (least to greatest) |\n|---|---|\n\
         | 4n/3 = 1.33 n pivots | in units of n: {pivots} in exact arithmetic, n <= 110; {fast} in binary64 |\n\
         | 3 times the work of elimination | {work} times the operations |\n\
         | 3 times its time | {} times textbook elimination, {} times the better LU |\n\
         | the fastest method here, cold | {} times textbook elimination, {} times the better LU |\n\
         | the same, warm from the frame before | {} times textbook elimination, {} times the better LU |",
        time(dantzig, What::Textbook),
        time(dantzig, What::Lu),
        time(What::Cold(FastMethod::Auto), What::Textbook),
        time(What::Cold(FastMethod::Auto), What::Lu),
        time(What::Warm(FastMethod::Auto), What::Textbook),
        time(What::Warm(FastMethod::Auto), What::Lu),
    )
}

/// Operations in units of elimination's.
fn work(measured: &Measured) -> Option<f64> {
    Some(measured.drive?.flops / textbook_flops(measured.n))
}

fn span(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<f64> = values.collect();
    let least = values.iter().copied().min_by(f64::total_cmp);
    let greatest = values.iter().copied().max_by(f64::total_cmp);
    let typical = median(&values);
    format!(
        "{} ({} to {})",
        ratio(typical),
        ratio(least),
        ratio(greatest)
    )
}

fn counts(measured: &[Measured]) -> String {
    let rows = measured.iter().map(|m| {
        let per_row = |count: Option<u64>| ratio(count.map(|count| count as f64 / m.n as f64));
        vec![
            m.label.to_owned(),
            m.n.to_string(),
            m.pushing.to_string(),
            per_row(m.drive.map(|drive| drive.steps)),
            per_row(m.pivots[0]),
            per_row(m.pivots[1]),
            ratio(work(m)),
        ]
    });
    let header = [
        "scene",
        "n",
        "pushing",
        "pivots / n, exact",
        "in binary64",
        "a frame later",
        "work / elimination",
    ];
    render(&header, 1, rows)
}

fn times(measured: &[Measured], opponent: What) -> String {
    let shown = [
        What::Cold(FastMethod::Dantzig),
        What::Cold(FastMethod::Lemke),
        What::Cold(FastMethod::Auto),
        What::Warm(FastMethod::Dantzig),
        What::Warm(FastMethod::Lemke),
        What::Warm(FastMethod::Auto),
    ];
    let rows = measured.iter().map(|m| {
        let unit = m.seconds(opponent);
        let cells =
            shown.map(|what| ratio(m.seconds(what).zip(unit).map(|(one, unit)| one / unit)));
        [m.label.to_owned(), m.n.to_string()]
            .into_iter()
            .chain(cells)
            .collect()
    });
    let header = [
        "scene",
        "n",
        "Dantzig",
        "Lemke",
        "auto",
        "Dantzig, warm",
        "Lemke, warm",
        "auto, warm",
    ];
    render(&header, 1, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_a_middle_and_two_ends() {
        assert_eq!(span([2.0, 0.5, 1.0].into_iter()), "1.00 (0.50 to 2.00)");
        assert_eq!(span(std::iter::empty()), "- (- to -)");
    }
}
