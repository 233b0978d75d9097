//! The page of the book, from the histogram.

use std::fmt::Write;

use etalon_benches::atlas::cramer::class::Class;
use etalon_benches::atlas::grid::Grid;
use etalon_benches::atlas::statements::{ends_in_a_ray, is_feasible, is_solvable, statements};
use etalon_benches::atlas::tally::{Row, Tally, digest};
use etalon_benches::machine::Machine;
use etalon_benches::table::{percent, render};

use super::lessons::lessons;

/// A grid that was run.
pub struct Run {
    /// Which.
    pub grid: Grid,
    /// How many problems the solvers of `etalon-exact` were asked.
    pub asked: u64,
    /// Processor time of all blocks, in milliseconds.
    pub milliseconds: u64,
}

const ABOUT: &str = include_str!("about.md");
const LEMKE: &str = include_str!("lemke.md");
const CLASSES: &str = include_str!("classes.md");
const STATEMENTS: &str = include_str!("statements.md");

/// The whole page.
pub fn page(machine: &Machine, runs: &[Run], histogram: &Tally) -> String {
    let mut page = ABOUT.to_owned();
    let digest = digest(&histogram.text());
    let _ = write!(
        page,
        "\n## The run\n\nThe histogram is [atlas.tsv](atlas.tsv), SHA-256 `{digest}`.\n\nThe page was written on {machine}.\n\n{}\n\n{}\n",
        ran(runs),
        share(runs)
    );
    let names: Vec<String> = runs.iter().map(|run| run.grid.to_string()).collect();
    let _ = write!(
        page,
        "\n## How many solutions\n\n{}\n",
        solutions(&names, histogram)
    );
    let _ = write!(page, "\n{LEMKE}\n{}\n", ends(&names, histogram));
    let _ = write!(
        page,
        "\nPivots of the runs that left the start:\n\n{}\n",
        pivots(&names, histogram)
    );
    let _ = write!(page, "\n{}", lessons(&names, histogram));
    let _ = write!(page, "\n{CLASSES}");
    for name in &names[1..] {
        let _ = write!(page, "\n`{name}`:\n\n{}\n", classes(name, histogram));
    }
    let _ = write!(page, "\n{STATEMENTS}\n{}\n", theorems(&names, histogram));
    let _ = write!(
        page,
        "\n## Two methods for P-matrices\n\nOf the solvable problems of the grids on which all methods were run, solved by\n\n{}\n",
        methods(&names, histogram)
    );
    page
}

fn ran(runs: &[Run]) -> String {
    let rows = runs.iter().map(|run| {
        vec![
            format!("`{}`", run.grid),
            run.grid.matrices().to_string(),
            run.grid.problems().to_string(),
            run.asked.to_string(),
            (run.milliseconds / 1000).to_string(),
        ]
    });
    let header = [
        "grid",
        "matrices",
        "problems, `cramer`",
        "asked of `etalon-exact`",
        "processor time, s",
    ];
    render(&header, 1, rows)
}

/// How much of the grids whose problems were not all asked was asked.
fn share(runs: &[Run]) -> String {
    let partly = runs.iter().filter(|run| run.asked < run.grid.problems());
    let sentences = partly.map(|run| {
        let (grid, asked) = (run.grid, run.asked / run.grid.vectors());
        let orbits = (0..grid.matrices()).filter(|index| grid.orbit(*index)[0] == *index).count();
        format!(
            "Of `{grid}`, `etalon-exact` was asked all problems of {asked} matrices, of the {orbits} that represent all orbits ({} %). Blocks are taken in an order that is spread over the grid.",
            percent(asked, orbits as u64),
        )
    });
    sentences.collect::<Vec<_>>().join(" ")
}

type Test = fn(&Row) -> bool;

/// A row of counts for each test, a column for each grid.
fn counts(names: &[String], histogram: &Tally, first: &str, tests: &[(&str, Test)]) -> String {
    let rows = tests.iter().map(|(name, test)| {
        let counts = names
            .iter()
            .map(|grid| count(histogram, grid, *test).to_string());
        std::iter::once((*name).to_owned()).chain(counts).collect()
    });
    let header: Vec<&str> = std::iter::once(first)
        .chain(names.iter().map(String::as_str))
        .collect();
    render(&header, 1, rows)
}

/// How many problems of a grid are in rows that meet the condition.
pub fn count(histogram: &Tally, grid: &str, test: impl Fn(&Row) -> bool) -> u64 {
    let kind = format!("{grid}\tproblems");
    let rows = histogram.rows(&kind).filter(|row| test(row));
    rows.map(|row| row.count).sum()
}

fn solutions(names: &[String], histogram: &Tally) -> String {
    const TESTS: [(&str, Test); 11] = [
        ("none, infeasible", |row| !is_feasible(row)),
        ("none, though feasible", |row| {
            is_feasible(row) && !is_solvable(row)
        }),
        ("1", |row| row.cells[1..3] == ["1", "0"]),
        ("2", |row| row.cells[1..3] == ["2", "0"]),
        ("3", |row| row.cells[1..3] == ["3", "0"]),
        ("4", |row| row.cells[1..3] == ["4", "0"]),
        ("5", |row| row.cells[1..3] == ["5", "0"]),
        ("6", |row| row.cells[1..3] == ["6", "0"]),
        ("7", |row| row.cells[1..3] == ["7", "0"]),
        ("8", |row| row.cells[1..3] == ["8", "0"]),
        ("a continuum", |row| row.cells[2] != "0"),
    ];
    counts(names, histogram, "solutions", &TESTS)
}

fn ends(names: &[String], histogram: &Tally) -> String {
    const TESTS: [(&str, Test); 10] = [
        ("q >= 0, no pivot", |row| row.cells[3] == "start"),
        ("a solution", |row| row.cells[3] == "solved"),
        ("a ray, infeasible", |row| {
            ends_in_a_ray(row) && !is_feasible(row)
        }),
        ("a ray, unsolvable though feasible", |row| {
            ends_in_a_ray(row) && is_feasible(row) && !is_solvable(row)
        }),
        ("**a ray, though there is a solution**", |row| {
            ends_in_a_ray(row) && is_solvable(row)
        }),
        ("a cycle", |row| row.cells[3] == "cycle"),
        ("first row: a solution", |row| row.cells[4] == "solved"),
        ("first row: a ray, though there is a solution", |row| {
            row.cells[4] == "ray" && is_solvable(row)
        }),
        ("first row: a cycle", |row| row.cells[4] == "cycle"),
        ("solved with one rule alone", |row| {
            (row.cells[3] == "solved") != (row.cells[4] == "solved")
        }),
    ];
    counts(names, histogram, "ends in", &TESTS)
}

fn pivots(names: &[String], histogram: &Tally) -> String {
    let most = 12;
    let mut rows = Vec::new();
    for rule in ["lexicographic", "first-row"] {
        for pivots in 1..=most {
            let word = pivots.to_string();
            let of = |grid: &String| -> u64 {
                let kind = format!("{grid}\tpivots");
                let rows = histogram.rows(&kind);
                rows.filter(|row| row.cells[0] == rule && row.cells[2] == word)
                    .map(|row| row.count)
                    .sum()
            };
            let counts: Vec<u64> = names.iter().map(of).collect();
            if counts.iter().any(|count| *count > 0) {
                let words = [rule.to_owned(), word];
                rows.push(
                    words
                        .into_iter()
                        .chain(counts.iter().map(u64::to_string))
                        .collect(),
                );
            }
        }
    }
    let words = ["rule", "pivots"];
    let header: Vec<&str> = words
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    render(&header, 1, rows)
}

fn classes(grid: &str, histogram: &Tally) -> String {
    let matrices = format!("{grid}\tmatrices");
    let rows = Class::ALL.into_iter().map(|class| {
        let has = |row: &Row| row.classes.has(class);
        let own = histogram.rows(&matrices).filter(|row| has(row));
        let own: u64 = own.map(|row| row.count).sum();
        let of = |test: Test| count(histogram, grid, |row| has(row) && test(row));
        let solvable = of(is_solvable);
        let missed = of(|row| is_solvable(row) && ends_in_a_ray(row));
        let rays = of(ends_in_a_ray);
        vec![
            class.name().to_owned(),
            own.to_string(),
            of(|row| is_feasible(row) && !is_solvable(row)).to_string(),
            solvable.to_string(),
            rays.to_string(),
            missed.to_string(),
            if rays == 0 {
                String::new()
            } else {
                percent(missed, rays)
            },
        ]
    });
    let header = [
        "class",
        "matrices",
        "feasible, unsolvable",
        "solvable",
        "rays",
        "rays, though solvable",
        "% of rays",
    ];
    render(&header, 1, rows)
}

fn theorems(names: &[String], histogram: &Tally) -> String {
    let rows = statements().map(|statement| {
        let counted: Vec<_> = names
            .iter()
            .map(|grid| statement.count(histogram, grid))
            .collect();
        let cases: u64 = counted.iter().map(|own| own.cases).sum();
        let exceptions: u64 = counted.iter().map(|own| own.exceptions).sum();
        vec![
            statement.says.to_owned(),
            statement.source.to_owned(),
            statement.about.to_owned(),
            cases.to_string(),
            exceptions.to_string(),
        ]
    });
    let header = ["statement", "source", "of", "cases", "exceptions"];
    render(&header, 3, rows)
}

fn methods(names: &[String], histogram: &Tally) -> String {
    let groups: [(&str, Test); 3] = [
        ("P", |row| row.classes.has(Class::P)),
        ("symmetric PSD, not P", |row| {
            is_semidefinite(row) && !row.classes.has(Class::P)
        }),
        ("others", |row| {
            !is_semidefinite(row) && !row.classes.has(Class::P)
        }),
    ];
    let mut rows = Vec::new();
    for (name, test) in groups {
        for method in ["dantzig", "least-index"] {
            let count = |end: Option<&str>| -> u64 {
                let own = |grid: &String| -> u64 {
                    let kind = format!("{grid}\tmethods");
                    let rows = histogram
                        .rows(&kind)
                        .filter(|row| test(row) && row.cells[..2] == ["some", method]);
                    rows.filter(|row| end.is_none_or(|end| row.cells[2] == end))
                        .map(|row| row.count)
                        .sum()
                };
                names.iter().map(own).sum()
            };
            let (solved, all) = (count(Some("solved")), count(None));
            rows.push(vec![
                name.to_owned(),
                format!("`exact-{method}`"),
                solved.to_string(),
                all.to_string(),
                percent(solved, all),
            ]);
        }
    }
    render(&["M", "method", "solved", "solvable", "%"], 2, rows)
}

fn is_semidefinite(row: &Row) -> bool {
    row.classes.has(Class::Symmetric) && row.classes.has(Class::PositiveSemidefinite)
}
