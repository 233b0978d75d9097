//! The atlas in seconds: both engines on slices of the grids, and the published histogram.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use etalon_benches::atlas::cramer::class::{Class, Classes};
use etalon_benches::atlas::cramer::cones::{Cones, Solutions};
use etalon_benches::atlas::cramer::lemke::both;
use etalon_benches::atlas::cramer::{Matrix, Vector};
use etalon_benches::atlas::exact::Asked;
use etalon_benches::atlas::grid::Grid;
use etalon_benches::atlas::statements::statements;
use etalon_benches::atlas::survey::{Ask, Survey};
use etalon_benches::atlas::tally::{Tally, digest};
use etalon_exact::Ties;

const GRIDS: [&str; 4] = ["n=1 -4..4", "n=2 -4..4", "n=3 -1..1", "n=3 -2..2"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn published() -> String {
    std::fs::read_to_string(root().join("docs/atlas.tsv")).unwrap()
}

#[test]
fn the_engines_agree_on_the_smallest_grids() {
    for (n, bound) in [(1, 4), (2, 1)] {
        let grid = Grid { n, bound };
        let survey = Survey::block(grid, 0..grid.matrices(), Ask::All);
        assert_eq!(survey.differ, [""; 0]);
        assert_eq!(survey.asked, grid.problems());
        for statement in statements() {
            let own = prefixed(&survey.tally, "own");
            assert_eq!(statement.count(&own, "own").exceptions, 0, "{statement:?}");
        }
    }
}

#[test]
fn the_engines_agree_on_a_stride_of_the_others() {
    for (n, bound, by, stride) in [(2, 4, 61, 7), (3, 1, 151, 5), (3, 2, 16_001, 11)] {
        let grid = Grid { n, bound };
        let mut survey = Survey::default();
        for index in (0..grid.matrices()).step_by(by) {
            survey.matrix(grid, index, stride, Ask::All);
        }
        assert_eq!(survey.differ, [""; 0], "{grid}");
        assert!(survey.asked > 700, "{}", survey.asked);
    }
}

/// The first matrices of a grid with their orbits: the solvers are asked for one of each.
#[test]
fn reordered_matrices_have_the_same_counts() {
    let grid = Grid { n: 3, bound: 1 };
    let survey = Survey::block(grid, 100..110, Ask::Representatives);
    assert_eq!(survey.differ, [""; 0]);
    assert!(survey.asked >= 27, "{}", survey.asked);
    let all: u64 = survey.tally.rows("matrices").map(|row| row.count).sum();
    assert!(all * grid.vectors() > 2 * survey.asked, "{all}");
}

/// A histogram with the name of a grid before each line.
fn prefixed(tally: &Tally, grid: &str) -> Tally {
    let mut own = Tally::default();
    for (line, count) in tally.lines() {
        own.add(&format!("{grid}\t{line}"), count);
    }
    own
}

/// The lines of one grid in the published histogram, but for those of methods that `cramer` does not have.
fn of_grid(text: &str, grid: &str) -> String {
    let own = text
        .lines()
        .filter_map(|line| line.strip_prefix(grid)?.strip_prefix('\t'));
    own.filter(|line| !line.starts_with("methods\t"))
        .fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn the_published_histogram_of_two_rows_comes_out_again() {
    let text = published();
    for (n, bound) in [(1, 4), (2, 4)] {
        let grid = Grid { n, bound };
        let survey = Survey::block(grid, 0..grid.matrices(), Ask::None);
        assert_eq!(survey.differ, [""; 0]);
        let expected = of_grid(&text, &grid.to_string());
        assert!(expected.lines().count() > 10);
        assert!(survey.tally.text() == expected, "{grid} has changed");
    }
}

#[test]
fn the_published_histogram_is_whole_and_contradicts_no_theorem() {
    let text = published();
    let page = std::fs::read_to_string(root().join("docs/atlas.md")).unwrap();
    assert!(page.contains(&digest(&text)), "the page has another digest");
    let histogram: Tally = text.parse().unwrap();
    assert!(histogram.text() == text, "the lines are not sorted");
    let problems = [729 / 9, 531_441, 531_441, 244_140_625];
    for (grid, problems) in GRIDS.into_iter().zip(problems) {
        let rows = format!("{grid}\tproblems");
        let sum: u64 = histogram.rows(&rows).map(|row| row.count).sum();
        assert_eq!(sum, problems, "{grid}");
    }
    for statement in statements() {
        let counted = GRIDS.map(|grid| statement.count(&histogram, grid));
        let exceptions: u64 = counted.iter().map(|own| own.exceptions).sum();
        assert_eq!(exceptions, 0, "{}", statement.says);
        let cases: u64 = counted.iter().map(|own| own.cases).sum();
        assert!(cases > 100, "{} is about {cases} cases", statement.says);
    }
}

/// A point off by one, a solution that is missing, a pivot too many, a class that is none: all are seen.
#[test]
fn a_wrong_engine_is_noticed() {
    let rows = [[-1, 2, 0], [2, -1, 0], [0, 0, 0]];
    let (m, q): (_, Vector) = (Matrix { n: 2, rows }, [1, 1, 0]);
    let mut found = Solutions::default();
    Cones::new(&m).solve(&q, &mut found);
    let asked = Asked::new(&m, &q).unwrap();
    assert_eq!(found.isolated.len(), 3, "{found:?}");
    asked.compare_solutions(&found).unwrap();
    asked.compare_decision(&found).unwrap();
    let mut wrong = found.clone();
    wrong.isolated[1].v[0] += 1;
    asked.compare_solutions(&wrong).unwrap_err();
    wrong.isolated.remove(0);
    asked.compare_solutions(&wrong).unwrap_err();
    wrong.isolated.clear();
    asked.compare_decision(&wrong).unwrap_err();
    let classes: Classes = [Class::P].into_iter().collect();
    asked.compare_classes(classes).unwrap_err();
    asked.compare_classes(Classes::default()).unwrap();
    let q = [-1, -1, 0];
    let asked = Asked::new(&m, &q).unwrap();
    let [walk, _] = both(&m, &q);
    asked.compare_lemke(Ties::Lexicographic, &walk).unwrap();
    let mut wrong = walk;
    wrong.pivots += 1;
    asked
        .compare_lemke(Ties::Lexicographic, &wrong)
        .unwrap_err();
}

/// A face with its rays: what differs there differs.
#[test]
fn faces_are_compared_too() {
    let rows = [[0, 0, 0], [0, 0, 0], [0, 0, 1]];
    let (m, q): (_, Vector) = (Matrix { n: 3, rows }, [0, 0, -2]);
    let mut found = Solutions::default();
    Cones::new(&m).solve(&q, &mut found);
    let asked = Asked::new(&m, &q).unwrap();
    assert_eq!((found.isolated.len(), found.faces.len()), (0, 1));
    assert_eq!(found.faces[0].rays.len(), 2);
    asked.compare_solutions(&found).unwrap();
    let mut wrong = found.clone();
    wrong.faces[0].rays.pop();
    asked.compare_solutions(&wrong).unwrap_err();
    let mut wrong = found.clone();
    wrong.faces[0].vertices[0].v[2] += 1;
    asked.compare_solutions(&wrong).unwrap_err();
}

/// What the folder of the other engine may use: itself.
#[test]
fn the_other_engine_uses_nothing_of_etalon() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/atlas/cramer");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
    assert!(files.len() > 6);
    for file in files {
        let path = file.unwrap().path();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let code = line.split("//").next().unwrap_or_default();
            let foreign = ["etalon", "rug", "crate::", "super::super", "malachite"];
            let uses = code.trim_start().starts_with("use ") || code.contains("::");
            let is_foreign = |word: &&str| {
                let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
                words.any(|own| own.starts_with(*word))
            };
            assert!(
                !uses || !foreign.iter().any(is_foreign),
                "{}: {line}",
                path.display()
            );
        }
    }
}
