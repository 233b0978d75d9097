//! The loose rows of a candidate, solved for their unknowns.
//!
//! Each row of a candidate may be right within the rounding of elimination, and the candidate may be
//! wrong all the same. Where the large terms of several rows cancel, the rows together determine an
//! unknown better than any of them does. So the equations of the loose rows are solved for the
//! unknowns, exactly (a dictionary of CPS section 2.2):
//!
//! z_j = v_j + sum_i b_ji w_i, B^-1 = (b_ji) where the loose block B is regular.
//!
//! The candidate has z_j and the equations have v_j. Relative changes of the data by eps can
//! move v_j by eps sum_i |b_ji| s_i to first order, with s the plain sizes of the rows (Skeel 1979). So
//! the error of the solved row is |z_j - v_j| / sum_i |b_ji| s_i, see `docs/measure.md`.
//!
//! Where B is singular, the dictionary takes the first unknowns that can be taken into it, and the
//! others have the candidate's values. The choice looks at zeros alone, so it does not depend on
//! units.
//!
//! A dictionary of k rows of binary64 has k^2 numbers of some 53 k bits. So its rows are worked out one by one, by
//! lifting with a sparse factorisation ([`crate::lifting`]), and only those that an error over the
//! tolerance may be in.

mod cell;
mod choice;
mod dictionary;
mod moves;
mod rooms;
mod take;

use etalon_certify::FarMoves;
use etalon_lcp::{Problem, Row};
use rug::Rational;

use crate::budget::{Budget, Meter};
use crate::lifting::Failure;
use cell::{Cell, Part};
use dictionary::Dictionary;
pub use moves::far_moves;

/// The work for all parts together, in units of the meter. What is beyond is not solved. The number is chosen; what it
/// takes in seconds depends on the machine and was not measured.
const MAX_WORK: u64 = 15_000_000_000;

/// The values that the loose rows determine together.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedRows {
    /// The candidate with the values v_j for the unknowns that the loose rows determine. Parts that are right
    /// within the tolerance in plain sizes have the candidate's.
    pub point: Vec<Rational>,
    /// The unknown with the largest error in its solved row, where one is not 0.
    pub worst: Option<SolvedFor>,
    /// How many loose rows are in parts that the budget did not suffice for.
    pub unsolved: usize,
}

/// One unknown, solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedFor {
    /// j.
    pub unknown: usize,
    /// v_j.
    pub value: Rational,
    /// |z_j - v_j| / sum_i |b_ji| s_i.
    pub error: Rational,
}

/// Solves the loose rows (n flags) at a point within the bounds, of n values, for their unknowns.
/// Sizes and all other unknowns are taken at `at`, the candidate's unknowns from `own`. The two are
/// the same for a candidate's own rows, and differ for rows at an exact solution next to it.
///
/// Friction rows within `tol` of a bound that is right for them stand at it.
///
/// An unknown off the loose rows that `own` has elsewhere than `at` was moved. Its own row and the
/// rows that it is in may excuse that in plain sizes ([`far_moves`]). Where they do not, the solved
/// rows measure it. A move t changes unknown k by c_k t, measured by sum_i |b_ki| s_i. It changes its
/// own w_j by c_j t, measured by the plain size of row j and what the loose rows leave in it. The
/// largest quotient is its error.
///
/// Where bounds leave loose unknowns less room than that, the rows are solved once more without
/// them, and an answer is held to what these rooms allow.
///
/// An unknown has no error here where the rows that determine it hold nothing at the solved point,
/// sum_i |b_ji| s_i = 0 with s of that point. What is left of it is the rounding of other rows.
/// Parts of the loose block that are right in plain sizes need no solving: no error in them exceeds `tol`, and none
/// is said. Parts that the budget does not suffice for are left as they are.
pub fn solved_rows(
    problem: &Problem,
    loose: &[bool],
    at: &[Rational],
    own: &[Rational],
    tol: &Rational,
    budget: &Budget,
) -> SolvedRows {
    let Some(mut cell) = Cell::new(problem, loose, at, tol) else {
        return unsolved(loose, at);
    };
    let moves = far_moves(problem, at, own, tol).into_iter();
    cell.moved = moves.filter(|&j| !cell.loose[j]).collect();
    let parts = cell.parts();
    solved(&cell, parts, own, tol, budget)
}

/// The part of [`solved_rows`] that measures moves: unknowns that `own` has elsewhere than `at`. What the loose
/// rows themselves leave open is not looked at. With friction cones the block error measures that, which has no natural sizes.
/// `far` are those moves from `own` to `at`, with the sizes of the rows at `at` in place of the plain ones.
pub fn solved_moves(
    problem: &Problem,
    loose: &[bool],
    (at, far): (&[Rational], &FarMoves),
    own: &[Rational],
    tol: &Rational,
    budget: &Budget,
) -> SolvedRows {
    let Some(mut cell) = Cell::new(problem, loose, at, tol) else {
        return unsolved(loose, at);
    };
    cell.only_moves = Some(&far.sizes);
    cell.moved.clone_from(&far.unknowns);
    // A force that is moved far stands at the edge of its cone or bounds, so its row is no equation. The reading has it next to
    // the edge of a cone, on the inner side: as rows are counted it sticks there.
    for &j in &cell.moved {
        cell.loose[j] = false;
    }
    let parts = cell
        .parts()
        .into_iter()
        .filter(|part| !part.moved.is_empty());
    solved(&cell, parts.collect(), own, tol, budget)
}

/// Nothing is known of the loose rows.
fn unsolved(loose: &[bool], at: &[Rational]) -> SolvedRows {
    SolvedRows {
        point: at.to_vec(),
        worst: None,
        unsolved: loose.iter().filter(|loose| **loose).count(),
    }
}

fn solved(
    cell: &Cell<'_>,
    parts: Vec<Part>,
    own: &[Rational],
    tol: &Rational,
    budget: &Budget,
) -> SolvedRows {
    let mut solved = SolvedRows {
        point: cell.at.to_vec(),
        worst: None,
        unsolved: 0,
    };
    for (own, (point, loose)) in own.iter().zip(solved.point.iter_mut().zip(&cell.loose)) {
        if *loose {
            point.clone_from(own);
        }
    }
    // One meter, since MAX_WORK is for all parts together.
    let meter = meter(budget);
    for part in parts {
        if !cell.is_right(&part, own, tol) {
            // What was found before the budget ran out counts.
            if hear(cell, &part, own, tol, &meter, &mut solved).is_err() {
                solved.unsolved += part.rows.len();
            }
        }
    }
    cell.slide(&mut solved.point);
    solved
}

/// The point whose loose rows hold as equations: of `at` where they leave it open, where they have no
/// solution, and where the budget runs out.
pub(crate) fn solved_point(
    problem: &Problem,
    loose: &[bool],
    at: &[Rational],
    budget: &Budget,
) -> Vec<Rational> {
    let tol = Rational::new();
    let mut point = at.to_vec();
    let Some(cell) = Cell::new(problem, loose, at, &tol) else {
        return point;
    };
    let meter = meter(budget);
    for part in cell.parts() {
        if cell.is_right(&part, at, &tol) {
            continue;
        }
        let values = Dictionary::new(&cell, &part, &meter)
            .and_then(|mut own| Ok((own.values(&cell, at)?, own.unknowns)));
        if let Ok((values, unknowns)) = values {
            for (j, value) in unknowns.into_iter().zip(values) {
                point[j] = value;
            }
        }
    }
    cell.slide(&mut point);
    point
}

fn meter(budget: &Budget) -> Meter {
    Meter::new(&Budget {
        work: budget.work.min(MAX_WORK),
        ..budget.clone()
    })
}

/// Enters what a part says of its unknowns.
fn hear(
    cell: &Cell<'_>,
    part: &Part,
    own: &[Rational],
    tol: &Rational,
    meter: &Meter,
    solved: &mut SolvedRows,
) -> Result<(), Failure> {
    let mut dictionary = Dictionary::new(cell, part, meter)?;
    let reaches = cell.take(&mut dictionary, own, tol, solved)?;
    if cell.only_moves.is_some() {
        return Ok(());
    }
    cell.hold_to_bounds(&reaches, own, tol, meter, solved)
}

/// The bounds of a row at z.
pub(crate) fn bounds(row: &Row<'_>, z: &[Rational]) -> (Option<Rational>, Option<Rational>) {
    match row {
        Row::Free | Row::Cone => (None, None),
        Row::Nonnegative => (Some(Rational::new()), None),
        Row::AtLeast(lower) => (Some(lower.to_rational()), None),
        Row::AtMost(upper) => (None, Some(upper.to_rational())),
        Row::Between(lower, upper) => (Some(lower.to_rational()), Some(upper.to_rational())),
        Row::Friction { normal, mu } => {
            let limit = mu.to_rational() * &z[*normal];
            (Some(Rational::from(-&limit)), Some(limit))
        }
    }
}
