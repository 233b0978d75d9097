//! What the counts teach, in sentences.

use std::fmt::Write;

use etalon_benches::atlas::cramer::class::Class;
use etalon_benches::atlas::statements::{ends_in_a_ray, is_feasible, is_solvable};
use etalon_benches::atlas::tally::{Row, Tally};
use etalon_benches::table::percent;

use super::page::count;

/// A list about the grids, the last one the largest.
pub fn lessons(names: &[String], histogram: &Tally) -> String {
    let mut text = "## What it teaches\n\n".to_owned();
    let Some(largest) = names.last() else {
        return text;
    };
    let of = |test: &dyn Fn(&Row) -> bool| count(histogram, largest, test);
    let missed =
        |class: Class| of(&|row| row.classes.has(class) && ends_in_a_ray(row) && is_solvable(row));
    let rays: Vec<String> = names.iter().map(|grid| shares(grid, histogram)).collect();
    let _ = writeln!(
        text,
        "* **A ray often hides a solution.** Of the rays of lexicographic Lemke, so many are ends of runs on problems that have a solution: {}.",
        rays.join("; ")
    );
    let _ = writeln!(
        text,
        "* **Being solvable for all q does not help.** Every problem with M in Q has a solution, and {} runs on `{largest}` end in a ray all the same. In Q0 there are {}.",
        missed(Class::Q),
        missed(Class::Q0),
    );
    let _ = writeln!(
        text,
        "* **Of the two halves of sufficiency the rows count.** With M row sufficient {} rays hide a solution, with M column sufficient {}, although solution sets are convex there. P0 and Q0 together suffice: every ray is on an infeasible problem.",
        missed(Class::RowSufficient),
        missed(Class::ColumnSufficient),
    );
    let _ = writeln!(
        text,
        "* **Z.** No ray on a problem with a Z-matrix hides a solution ({} such rays). This is seen here; the theorems of this book do not say it.",
        of(&|row| row.classes.has(Class::Z) && ends_in_a_ray(row)),
    );
    let _ = writeln!(
        text,
        "* **Copositive is not copositive-plus.** {} rays on copositive matrices hide a solution, and none on copositive-plus ones, {} rays.",
        missed(Class::Copositive),
        of(&|row| row.classes.has(Class::CopositivePlus) && ends_in_a_ray(row)),
    );
    let _ = writeln!(
        text,
        "* **A rule for ties decides many problems.** {} problems of `{largest}` are solved with one of the two rules alone, though the totals are nearly the same. With the first row {} runs go in circles, on three rows; lexicographic runs never do.",
        of(&|row| (row.cells[3] == "solved") != (row.cells[4] == "solved")),
        of(&|row| row.cells[4] == "cycle"),
    );
    let _ = writeln!(
        text,
        "* **Linear conditions say little.** {} problems of `{largest}` are feasible and have no solution, beside {} that are infeasible.",
        of(&|row| is_feasible(row) && !is_solvable(row)),
        of(&|row| !is_feasible(row)),
    );
    text
}

fn shares(grid: &str, histogram: &Tally) -> String {
    let rays = count(histogram, grid, ends_in_a_ray);
    let hidden = count(histogram, grid, |row| {
        ends_in_a_ray(row) && is_solvable(row)
    });
    format!(
        "{hidden} of {rays} on `{grid}` ({} %)",
        percent(hidden, rays)
    )
}
