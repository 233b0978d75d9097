//! The page of figures.

use std::fmt::Write;

use etalon_benches::machine::Machine;
use etalon_benches::table::render;

use crate::court::TOLERANCES;
use crate::examine::{Count, Key, Tally, source_name};
use crate::problems::FAMILIES;

const ABOUT: &str = include_str!("about.md");

const EXCEPTIONS: &str = include_str!("exceptions.md");

/// What a page is made of.
pub struct Run {
    /// Where.
    pub machine: Machine,
    /// Problems asked for.
    pub count: usize,
    /// Of the random numbers.
    pub seed: u64,
    /// Whether there was a Python.
    pub python: bool,
}

/// The whole page.
pub fn page(run: &Run, tally: &Tally) -> String {
    let all = sum(tally, |_| true);
    let solvers = sum(tally, |key| !is_displaced(key));
    let python = if run.python {
        " --python target/peers/bin/python"
    } else {
        ""
    };
    let lu = if run.python {
        "LU in binary64 is LAPACK's, through numpy."
    } else {
        "There was no Python: LU in binary64 is nalgebra's, and Clarabel and OSQP were not asked."
    };
    let mut page = ABOUT.to_owned();
    let (count, seed) = (run.count, run.seed);
    let _ = write!(
        page,
        "\n{} problems in their units, of {count} as generated (n from 2 to 40); {} answers of solvers and {} displaced ones, the \
         former judged at each of the tolerances, the latter at the one that they were made for: {} verdicts on answers, {} of them known to \
         be right, {} to be far. {lu} Seed {seed}. Written by\n\n    cargo run --release -p etalon-benches --bin calibration -- \
         --count {count} --seed {seed}{python} --page docs/calibration.md\n\nwhich counts the same on any number of threads. {}.\n",
        tally.problems,
        solvers.answers / TOLERANCES.len() as u64,
        all.answers - solvers.answers,
        all.answers,
        all.right,
        all.far,
        run.machine,
    );
    let _ = write!(page, "\n## In all\n\n{}\n", in_all(tally));
    let family = |key: &Key| key.family;
    let family_name = |k: usize| format!("{}: {}", FAMILIES[k].class, FAMILIES[k].name);
    let scaling = |key: &Key| key.scaling as usize;
    let scaling_name = |k: usize| crate::scaling::Scaling::ALL[k].name().to_owned();
    let source = |key: &Key| key.source;
    let source_name = |k: usize| source_name(k).to_owned();
    let sections: [(&str, Table<'_>); 2] = [
        ("False rejections", &rejections),
        ("False acceptances", &acceptances),
    ];
    for (title, table) in sections {
        let _ = write!(
            page,
            "\n## {title}\n\n{}\n",
            table(tally, "class", &family, &family_name)
        );
        let _ = write!(
            page,
            "\n{}\n",
            table(tally, "units", &scaling, &scaling_name)
        );
        let _ = write!(
            page,
            "\n{}\n",
            table(tally, "answers of", &source, &source_name)
        );
    }
    let _ = write!(
        page,
        "\n## Beyond reach\n\n{}\n\n{}\n",
        beyond(tally, "class", &family, &family_name),
        beyond(tally, "units", &scaling, &scaling_name)
    );
    page + "\n" + EXCEPTIONS
}

type Table<'a> =
    &'a dyn Fn(&Tally, &str, &dyn Fn(&Key) -> usize, &dyn Fn(usize) -> String) -> String;

fn is_displaced(key: &Key) -> bool {
    key.source >= crate::solvers::Answerer::ALL.len()
}

fn sum(tally: &Tally, chosen: impl Fn(&Key) -> bool) -> Count {
    let counts = tally.counts.iter().filter(|(key, _)| chosen(key));
    counts.fold(Count::default(), |sum, (_, count)| sum.and(*count))
}

fn in_all(tally: &Tally) -> String {
    let rows = TOLERANCES.iter().enumerate().map(|(k, exponent)| {
        let count = sum(tally, |key| key.tolerance == k);
        vec![
            format!("1e-{exponent}"),
            count.right.to_string(),
            count.rejected.to_string(),
            count.by_distance.to_string(),
            count.rejected_componentwise.to_string(),
            count.far.to_string(),
            count.accepted.to_string(),
            count.accepted_well.to_string(),
            count.flagged.to_string(),
            count.accepted_componentwise.to_string(),
        ]
    });
    let header = [
        "tol",
        "right",
        "rejected",
        "by distance",
        "rejected componentwise",
        "far",
        "accepted",
        "of these condition below 1e3",
        "of these ill_conditioned",
        "accepted componentwise",
    ];
    render(&header, 1, rows)
}

/// One row for each value that `of` takes.
fn grouped(
    tally: &Tally,
    title: &str,
    of: &dyn Fn(&Key) -> usize,
    name: &dyn Fn(usize) -> String,
    columns: [&str; 3],
    cells: impl Fn(Count) -> [u64; 3],
) -> String {
    let mut groups: Vec<usize> = tally.counts.keys().map(of).collect();
    groups.sort_unstable();
    groups.dedup();
    let rows = groups.into_iter().filter_map(|group| {
        let of_group = |k: usize| cells(sum(tally, |key| key.tolerance == k && of(key) == group));
        let cells: Vec<[u64; 3]> = (0..TOLERANCES.len()).map(of_group).collect();
        let any = cells.iter().any(|[asked, ..]| *asked > 0);
        let cells = cells.iter().flatten().map(u64::to_string);
        any.then(|| [name(group)].into_iter().chain(cells).collect())
    });
    let header: Vec<String> = [title.to_owned()]
        .into_iter()
        .chain(
            TOLERANCES
                .iter()
                .flat_map(|exponent| columns.map(|column| format!("{column}, 1e-{exponent}"))),
        )
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    render(&header, 1, rows)
}

fn rejections(
    tally: &Tally,
    title: &str,
    of: &dyn Fn(&Key) -> usize,
    name: &dyn Fn(usize) -> String,
) -> String {
    let columns = ["right", "natural", "componentwise"];
    grouped(tally, title, of, name, columns, |count| {
        [count.right, count.rejected, count.rejected_componentwise]
    })
}

fn acceptances(
    tally: &Tally,
    title: &str,
    of: &dyn Fn(&Key) -> usize,
    name: &dyn Fn(usize) -> String,
) -> String {
    let columns = ["far", "natural", "componentwise"];
    grouped(tally, title, of, name, columns, |count| {
        [count.far, count.accepted, count.accepted_componentwise]
    })
}

fn beyond(
    tally: &Tally,
    title: &str,
    of: &dyn Fn(&Key) -> usize,
    name: &dyn Fn(usize) -> String,
) -> String {
    let columns = ["moved", "natural", "componentwise"];
    grouped(tally, title, of, name, columns, |count| count.beyond)
}

#[cfg(test)]
mod tests {
    use crate::scaling::Scaling;

    use super::*;

    #[test]
    fn every_answer_is_in_each_table_once() {
        let mut tally = Tally::default();
        for (source, right) in [(0, 3), (1, 4)] {
            let key = Key {
                family: source,
                scaling: Scaling::Binary,
                source,
                tolerance: 1,
            };
            tally.counts.insert(
                key,
                Count {
                    right,
                    rejected: 1,
                    ..Count::default()
                },
            );
        }
        assert!(in_all(&tally).contains("| 1e-9 "), "{}", in_all(&tally));
        let by_units = rejections(&tally, "units", &|key| key.scaling as usize, &|k| {
            k.to_string()
        });
        let cells: Vec<&str> = by_units
            .lines()
            .last()
            .unwrap()
            .split('|')
            .map(str::trim)
            .collect();
        assert_eq!(cells[1..8], ["1", "0", "0", "0", "7", "2", "0"]);
    }
}
