//! The exact solution next to somebody's answer.

use etalon_lcp::{Basis, ClaimedAnswer, Number, Problem, Row};
use rug::Rational;

use super::certified;
use crate::budget::Budget;

/// Above so many rows no exact solution is looked for: a dense system of them takes half a GiB.
const MAX_ROWS: usize = 2048;

/// An exact solution of the problem, that of the places of z's entries where there is one: each
/// entry at the bound, or between the bounds, that it is nearest to. `None` where the budget
/// runs out, or the problem has more rows than a dense system may have.
///
/// A proposal only: whoever uses the solution holds it against the problem.
pub fn nearby_solution(problem: &Problem, z: &[Rational], budget: &Budget) -> Option<Vec<Number>> {
    if z.len() != problem.n() || problem.n() > MAX_ROWS {
        return None;
    }
    let basis = basis_of(problem, z);
    match certified(problem, Some(&basis), budget).answer {
        ClaimedAnswer::Solved { z } => Some(z),
        _ => None,
    }
}

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Lower,
    Upper,
    Between,
}

/// The basis of the mixed form that has the places of z's entries.
fn basis_of(problem: &Problem, z: &[Rational]) -> Basis {
    let rows = problem.rows();
    let places: Vec<Place> = (0..problem.n())
        .map(|i| place(problem, &rows[i], i, z))
        .collect();
    let is_double = |row: &Row<'_>| matches!(row, Row::Between(..) | Row::Friction { .. });
    let own = places.iter().zip(&rows).map(|(place, row)| match place {
        Place::Lower => false,
        // The distance from the lower bound is positive; from the upper alone it is 0.
        Place::Upper => is_double(row),
        Place::Between => true,
    });
    let doubles = places.iter().zip(&rows).filter(|(_, row)| is_double(row));
    let multipliers = doubles.map(|(place, _)| *place == Place::Upper);
    Basis::new(own.chain(multipliers).collect())
}

/// An entry counts as at its bound where w has the sign for it and, in units of the row's
/// diagonal entry, is larger than the distance from the bound.
fn place(problem: &Problem, row: &Row<'_>, i: usize, z: &[Rational]) -> Place {
    let mut w = problem.q()[i].to_rational();
    for (j, value) in problem.m().row(i) {
        w += value.to_rational() * &z[j];
    }
    let diagonal = problem.m().get(i, i);
    let unit = diagonal.map_or_else(Rational::new, |value| value.to_rational().abs());
    let (lower, upper) = match row {
        Row::Free => (None, None),
        Row::Nonnegative => (Some(Rational::new()), None),
        Row::AtLeast(lower) => (Some(lower.to_rational()), None),
        Row::AtMost(upper) => (None, Some(upper.to_rational())),
        Row::Between(lower, upper) => (Some(lower.to_rational()), Some(upper.to_rational())),
        Row::Friction { normal, mu } => {
            let limit = mu.to_rational() * &z[*normal];
            (Some(Rational::from(-&limit)), Some(limit))
        }
    };
    let (bound, place) = if w > 0 {
        (lower, Place::Lower)
    } else {
        (upper, Place::Upper)
    };
    match bound {
        Some(bound) if w.abs() > Rational::from(&bound - &z[i]).abs() * unit => place,
        _ => Place::Between,
    }
}
