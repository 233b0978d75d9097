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

mod cell;
mod dictionary;
mod moves;
mod rooms;
mod take;

use etalon_lcp::{Problem, Row};
use rug::Rational;

use crate::budget::{Budget, Meter};
use cell::Cell;
pub use moves::far_moves;

/// Parts of the loose block with more rows are not solved: the numbers of a dictionary of k rows
/// of binary64 have some 53 k bits, and there are k^3 products of them, a second for 64.
const MAX_PART: usize = 64;

/// The values that the loose rows determine together.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedRows {
    /// The candidate with the values v_j for the unknowns that the loose rows determine.
    pub point: Vec<Rational>,
    /// The unknown with the largest error in its solved row, where one is not 0.
    pub worst: Option<SolvedFor>,
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
/// Parts of the loose block that are too large, or whose numbers are too long for the budget, are
/// left as they are.
pub fn solved_rows(
    problem: &Problem,
    loose: &[bool],
    at: &[Rational],
    own: &[Rational],
    tol: &Rational,
    budget: &Budget,
) -> SolvedRows {
    let mut cell = Cell::new(problem, loose, at, tol);
    let moves = far_moves(problem, at, own, tol).into_iter();
    cell.moved = moves.filter(|&j| !cell.loose[j]).collect();
    let mut solved = SolvedRows {
        point: at.to_vec(),
        worst: None,
    };
    for (own, (point, loose)) in own.iter().zip(solved.point.iter_mut().zip(&cell.loose)) {
        if *loose {
            point.clone_from(own);
        }
    }
    let meter = Meter::new(budget);
    for part in cell.parts() {
        if part.rows.len() + part.moved.len() > MAX_PART {
            continue;
        }
        // A part that is not solved says nothing.
        let Ok(dictionary) = cell.dictionary(&part, &meter) else {
            continue;
        };
        let reaches = cell.take(&dictionary, own, &mut solved);
        cell.hold_to_bounds(&reaches, own, tol, &meter, &mut solved);
    }
    for (row, tie) in cell.ties.iter().enumerate() {
        if let Some((normal, mu)) = tie {
            solved.point[row] = Rational::from(mu * &solved.point[*normal]);
        }
    }
    solved
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
