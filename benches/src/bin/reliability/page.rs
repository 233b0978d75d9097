//! The page of figures.

use std::fmt::Write;

use etalon_benches::machine::Machine;
use etalon_benches::table::{percent, ratio, render};
use etalon_conformance::Theory;
use etalon_fast::FastMethod;

use super::examine::{Count, Tally};

/// The share of problems that must be solved in each of the classes that have a target.
const TARGET: &str = "99.9";

const ABOUT: &str = "\
# Reliability of the fast and certified solvers

Generated problems of every family (`etalon gen --list` describes them), answered by the fast methods in binary64 and, one in so many
up to n = 40, by the certified route. Every answer is judged by `etalon-certify` in exact arithmetic:

- **solved**: z >= 0 and the componentwise backward error is at most the promised (4 n + 16) 2^-53 (n at least 64 for sparse
  problems), without any further tolerance. On friction rows the bound mu z_j is no binary64 number, so z_i beside it counts as on it.
  For the certified route: z is exact;
- **failed**: the solver gave up and said so;
- **wrong**: called solved, and it is not. Must be 0.

Problems of families without a solution count as *solved* only where the answer solves a problem within rounding of theirs; the
column *of a neighbour* counts those. No rate is given where theory does not say that a solution exists.
";

/// The whole page.
pub fn page(machine: &Machine, seed: u64, certified: u64, tallies: &[Tally]) -> String {
    let families = by_family(tallies);
    let problems: u64 = families.iter().map(|tally| tally.problems).sum();
    let mut page = ABOUT.to_owned();
    let _ = write!(
        page,
        "\n{problems} problems, seed {seed}, the certified route on one in {certified}; sizes up to 100. Written by\n\n    \
         cargo run --release -p etalon-benches --bin reliability -- --count {problems} --seed {seed} --certified {certified} --page docs/reliability.md\n\n\
         which ends with 1 if anything is wrong, and counts the same on any number of threads. {machine}.\n",
    );
    let _ = write!(page, "\n## Classes\n\n{}\n", classes(&families));
    let _ = write!(page, "\n## Families, `fast-auto`\n\n{}\n", auto(&families));
    let _ = write!(
        page,
        "\n## Families, every method: solved of asked\n\n{}\n",
        methods(&families)
    );
    let _ = write!(page, "\n## Families, certified\n\n{}\n", exact(&families));
    page
}

fn by_family(tallies: &[Tally]) -> Vec<Tally> {
    let mut families: Vec<Tally> = Vec::new();
    for tally in tallies {
        let same = families
            .iter()
            .position(|f| f.family.name == tally.family.name);
        let Some(known) = same else {
            families.push(Tally {
                family: tally.family,
                tags: tally.tags.clone(),
                problems: tally.problems,
                fast: tally.fast,
                certified: tally.certified,
                wrong: Vec::new(),
                remarks: Vec::new(),
            });
            continue;
        };
        let known = &mut families[known];
        known.problems += tally.problems;
        known.certified = known.certified.and(tally.certified);
        for (count, more) in known.fast.iter_mut().zip(&tally.fast) {
            *count = count.and(*more);
        }
    }
    families
}

/// A class of problems with the tags that make it.
const CLASSES: [(&str, &[&str]); 6] = [
    (
        "positive definite, symmetric",
        &["positive-definite", "symmetric"],
    ),
    ("positive semidefinite", &["positive-semidefinite"]),
    (
        "of these with redundant contacts",
        &["positive-semidefinite", "contact"],
    ),
    ("P-matrices, nonsymmetric", &["p-matrix"]),
    ("friction", &["friction"]),
    ("of these Stewart-Trinkle", &["friction", "copositive"]),
];

fn classes(families: &[Tally]) -> String {
    let rows = CLASSES.map(|(name, tags)| {
        let has = |tally: &&Tally| {
            let tagged = |tag: &&str| tally.tags.iter().any(|known| known == tag);
            tags.iter().all(tagged) && tally.family.theory.solvable() == Some(true)
        };
        let counts = families.iter().filter(has).map(|tally| tally.fast[0]);
        let count = counts.fold(Count::default(), Count::and);
        let target = if name.starts_with('P') { "" } else { TARGET };
        vec![
            name.to_owned(),
            count.asked.to_string(),
            count.solved.to_string(),
            count.failed.to_string(),
            count.wrong.to_string(),
            percent(count.solved, count.asked),
            target.to_owned(),
        ]
    });
    let header = [
        "solvable problems, `fast-auto`",
        "asked",
        "solved",
        "failed",
        "wrong",
        "% solved",
        "target",
    ];
    render(&header, 1, rows)
}

fn auto(families: &[Tally]) -> String {
    let rows = families.iter().map(|tally| {
        let count = tally.fast[0];
        vec![
            tally.family.name.to_owned(),
            tally.family.theory.word().to_owned(),
            count.asked.to_string(),
            count.solved.to_string(),
            count.perturbed.to_string(),
            count.failed.to_string(),
            count.wrong.to_string(),
            rate(tally, count),
            ratio(Some(count.worst)),
        ]
    });
    let total = families
        .iter()
        .fold(Count::default(), |sum, t| sum.and(t.fast[0]));
    let total = vec![
        "all".to_owned(),
        String::new(),
        total.asked.to_string(),
        total.solved.to_string(),
        total.perturbed.to_string(),
        total.failed.to_string(),
        total.wrong.to_string(),
        String::new(),
        ratio(Some(total.worst)),
    ];
    let header = [
        "family",
        "theory",
        "asked",
        "solved",
        "of a neighbour",
        "failed",
        "wrong",
        "% solved",
        "worst error / promised",
    ];
    render(&header, 2, rows.chain([total]))
}

fn rate(tally: &Tally, count: Count) -> String {
    match tally.family.theory {
        Theory::UniqueZ | Theory::UniqueW | Theory::Solvable => percent(count.solved, count.asked),
        _ => String::new(),
    }
}

fn methods(families: &[Tally]) -> String {
    let rows = families.iter().map(|tally| {
        let shown = tally.fast.iter().map(|count| {
            let wrong = match count.wrong {
                0 => String::new(),
                wrong => format!(", {wrong} wrong"),
            };
            format!("{} / {}{wrong}", count.solved, count.asked)
        });
        [tally.family.name.to_owned()]
            .into_iter()
            .chain(shown)
            .collect()
    });
    let names = FastMethod::ALL.map(FastMethod::name);
    let header: Vec<_> = ["family"].into_iter().chain(names).collect();
    render(&header, 1, rows)
}

fn exact(families: &[Tally]) -> String {
    let rows = families.iter().map(|tally| {
        let count = tally.certified;
        vec![
            tally.family.name.to_owned(),
            count.asked.to_string(),
            count.solved.to_string(),
            count.proved.to_string(),
            count.failed.to_string(),
            count.wrong.to_string(),
        ]
    });
    let header = [
        "family",
        "asked",
        "exact",
        "proved unsolvable",
        "undecided",
        "wrong",
    ];
    render(&header, 1, rows)
}
