//! Theorems about classes of matrices, as statements that the histogram can contradict.

use super::cramer::class::Class::{self, *};
use super::tally::{Row, Tally};

/// A theorem: what holds of all rows of the histogram that it is about.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    /// In words.
    pub says: &'static str,
    /// The source, or the reason where it is short.
    pub source: &'static str,
    /// `matrices` or `problems`.
    pub about: &'static str,
    premise: fn(&Row) -> bool,
    conclusion: fn(&Row) -> bool,
}

/// A count of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cases {
    /// Those that the statement is about.
    pub cases: u64,
    /// Those of them that contradict it.
    pub exceptions: u64,
}

impl Statement {
    /// Counts in the histogram of one grid.
    pub fn count(&self, histogram: &Tally, grid: &str) -> Cases {
        let mut counted = Cases::default();
        for row in histogram.rows(&format!("{grid}\t{}", self.about)) {
            if (self.premise)(&row) {
                counted.cases += row.count;
                counted.exceptions += if (self.conclusion)(&row) {
                    0
                } else {
                    row.count
                };
            }
        }
        counted
    }
}

fn is(row: &Row, class: Class) -> bool {
    row.classes.has(class)
}

fn are(row: &Row, classes: &[Class]) -> bool {
    classes.iter().all(|class| is(row, *class))
}

/// Whether the problems of a row have a solution.
pub fn is_solvable(row: &Row) -> bool {
    row.cells[1..3] != ["0", "0"]
}

/// Whether they satisfy the linear conditions.
pub fn is_feasible(row: &Row) -> bool {
    row.cells[0] == "feasible"
}

/// Whether lexicographic Lemke ends in a secondary ray.
pub fn ends_in_a_ray(row: &Row) -> bool {
    row.cells[3] == "ray"
}

fn has_one(row: &Row) -> bool {
    row.cells[1..3] == ["1", "0"]
}

/// Each cell is in exactly one complementary cone.
fn is_partitioned(row: &Row) -> bool {
    row.cells[..2] == ["1", "1"]
}

const fn matrices(
    says: &'static str,
    source: &'static str,
    premise: fn(&Row) -> bool,
    conclusion: fn(&Row) -> bool,
) -> Statement {
    Statement {
        says,
        source,
        about: "matrices",
        premise,
        conclusion,
    }
}

const fn problems(
    says: &'static str,
    source: &'static str,
    premise: fn(&Row) -> bool,
    conclusion: fn(&Row) -> bool,
) -> Statement {
    Statement {
        says,
        source,
        about: "problems",
        premise,
        conclusion,
    }
}

/// About all real q: the cells decide.
const COVERINGS: [Statement; 8] = [
    matrices(
        "P: every cell is in exactly one complementary cone",
        "Samelson, Thrall and Wesler (1958); machine-checked as `exists_solution` and `unique_z`",
        |row| is(row, P),
        is_partitioned,
    ),
    matrices(
        "nondegenerate, and every cell is in exactly one complementary cone: P",
        "Samelson, Thrall and Wesler (1958)",
        |row| is(row, Nondegenerate) && is_partitioned(row),
        |row| is(row, P),
    ),
    matrices(
        "R0: the signed number of complementary cones is the same for all cells",
        "the degree of the piecewise linear map; Cottle, Pang and Stone, chapter 6",
        |row| is(row, R0),
        |row| row.cells[2] != "-",
    ),
    matrices(
        "semimonotone and R0: that number is 1, so every q has a solution (Q)",
        "for q > 0 the only solution is 0; Cottle, Pang and Stone, section 3.9",
        |row| are(row, &[Semimonotone, R0]),
        |row| row.cells[2] == "1" && is(row, Q),
    ),
    matrices(
        "P0: Q exactly if R0",
        "Aganagić and Cottle (1979)",
        |row| is(row, P0),
        |row| is(row, Q) == is(row, R0),
    ),
    matrices(
        "Q exactly if Q0 and S",
        "S: every q is feasible; Cottle, Pang and Stone, section 3.1",
        |_| true,
        |row| is(row, Q) == are(row, &[Q0, S]),
    ),
    matrices(
        "Z: Q0",
        "Cottle, Pang and Stone, section 3.11",
        |row| is(row, Z),
        |row| is(row, Q0),
    ),
    matrices(
        "row sufficient or copositive-plus: Q0",
        "Cottle, Pang and Venkateswaran (1989); Lemke (1965)",
        |row| is(row, RowSufficient) || is(row, CopositivePlus),
        |row| is(row, Q0),
    ),
];

/// About classes alone.
const INCLUSIONS: [Statement; 6] = [
    matrices(
        "Z: P exactly if S",
        "Fiedler and Pták (1962)",
        |row| is(row, Z),
        |row| is(row, P) == is(row, S),
    ),
    matrices(
        "symmetric: P exactly if PD, P0 exactly if PSD, E exactly if SC, E0 exactly if C0",
        "principal minors; Cottle, Pang and Stone, section 3.9",
        |row| is(row, Symmetric),
        |row| {
            is(row, P) == is(row, PositiveDefinite)
                && is(row, P0) == is(row, PositiveSemidefinite)
                && is(row, StrictlySemimonotone) == is(row, StrictlyCopositive)
                && is(row, Semimonotone) == is(row, Copositive)
        },
    ),
    matrices(
        "P or SC: E; P0 or C0: E0",
        "Cottle, Pang and Stone, section 3.9",
        |row| is(row, P0) || is(row, Copositive),
        |row| {
            let strictly = is(row, P) || is(row, StrictlyCopositive);
            is(row, Semimonotone) && (!strictly || is(row, StrictlySemimonotone))
        },
    ),
    matrices(
        "PSD: C+, column sufficient and row sufficient",
        "Cottle, Pang and Stone, sections 3.5 and 3.8",
        |row| is(row, PositiveSemidefinite),
        |row| are(row, &[CopositivePlus, ColumnSufficient, RowSufficient]),
    ),
    matrices(
        "column or row sufficient: P0",
        "Cottle, Pang and Venkateswaran (1989)",
        |row| is(row, ColumnSufficient) || is(row, RowSufficient),
        |row| is(row, P0),
    ),
    matrices(
        "E or nondegenerate: R0",
        "from the definitions",
        |row| is(row, StrictlySemimonotone) || is(row, Nondegenerate),
        |row| is(row, R0),
    ),
];

/// About the problems of the grid.
const SOLUTIONS: [Statement; 4] = [
    problems(
        "P: exactly one solution",
        "machine-checked as `exists_solution` and `unique_z`",
        |row| is(row, P),
        has_one,
    ),
    problems(
        "nondegenerate: no continuum of solutions",
        "Murty (1972); Cottle, Pang and Stone, section 3.6",
        |row| is(row, Nondegenerate),
        |row| row.cells[2] == "0",
    ),
    problems(
        "column sufficient: one point, one face, or no solution (a convex set)",
        "Cottle, Pang and Venkateswaran (1989)",
        |row| is(row, ColumnSufficient),
        |row| {
            [["0", "0"], ["0", "1"], ["1", "0"]]
                .iter()
                .any(|own| row.cells[1..3] == *own)
        },
    ),
    problems(
        "Q0 and feasible: a solution",
        "the definition, decided on the cells for all real q",
        |row| is(row, Q0) && is_feasible(row),
        is_solvable,
    ),
];

/// About lexicographic Lemke.
const LEMKE: [Statement; 6] = [
    problems(
        "no lexicographic run meets a basis twice",
        "[proved](lemke.md#why-it-ends); machine-checked as `lemke_no_basis_twice`",
        |_| true,
        |row| row.cells[3] != "cycle",
    ),
    problems(
        "P: never a ray",
        "[proved](lemke.md#what-a-ray-proves) (1)",
        |row| is(row, P),
        |row| !ends_in_a_ray(row),
    ),
    problems(
        "semimonotone and R0: never a ray",
        "[below](#which-classes-lemke-decides)",
        |row| are(row, &[Semimonotone, R0]),
        |row| !ends_in_a_ray(row),
    ),
    problems(
        "copositive-plus (PSD, too): a ray only if infeasible",
        "[proved](lemke.md#what-a-ray-proves) (3); Lemke (1965)",
        |row| is(row, CopositivePlus) && ends_in_a_ray(row),
        |row| !is_feasible(row),
    ),
    problems(
        "Z: a ray only if infeasible",
        "seen here, not proved in this book",
        |row| is(row, Z) && ends_in_a_ray(row),
        |row| !is_feasible(row),
    ),
    problems(
        "P0 and Q0 (row sufficient, too): a ray only if infeasible",
        "Aganagić and Cottle (1987)",
        |row| are(row, &[P0, Q0]) && ends_in_a_ray(row),
        |row| !is_feasible(row),
    ),
];

/// All of them.
pub fn statements() -> impl Iterator<Item = Statement> {
    let own = COVERINGS.into_iter().chain(INCLUSIONS);
    own.chain(SOLUTIONS).chain(LEMKE)
}
