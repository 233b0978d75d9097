//! The exact solution next to somebody's answer.

use std::time::Instant;

use etalon_lcp::{Basis, ClaimedAnswer, Number, Problem, Row};
use rug::Rational;

use super::certified;
use crate::budget::Budget;

/// Above so many rows no exact solution is looked for: a dense system of them takes half a GiB.
const MAX_ROWS: usize = 2048;

/// Exact solutions of the problem that may be near z: from the basis of the places where z's
/// entries stand, and from that of the places that they are nearest to (interior points stand
/// nowhere). None where the budget runs out, or the problem has more rows than a dense system may
/// have.
///
/// Proposals only: whoever uses a solution holds it against the problem.
pub fn nearby_solutions(problem: &Problem, z: &[Rational], budget: &Budget) -> Vec<Vec<Number>> {
    if z.len() != problem.n() || problem.n() > MAX_ROWS {
        return Vec::new();
    }
    let standing = basis_of(problem, z, |_, _, gap| gap.cmp0().is_gt());
    let nearest = basis_of(problem, z, |w, unit, gap| *w <= Rational::from(gap * unit));
    let mut bases = vec![standing];
    if bases[0] != nearest {
        bases.push(nearest);
    }
    let start = Instant::now();
    let solution = |basis| match certified(problem, Some(basis), &budget.left_since(start)).answer {
        ClaimedAnswer::Solved { z } => Some(z),
        _ => None,
    };
    bases.iter().filter_map(solution).collect()
}

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Lower,
    Upper,
    Between,
}

/// The basis of the mixed form that has the places of z's entries. `between` says whether an entry
/// is off its bound, by |w_i| with the sign for that bound, |M_ii| and the distance from the bound
/// (0 outside).
fn basis_of(
    problem: &Problem,
    z: &[Rational],
    between: impl Fn(&Rational, &Rational, &Rational) -> bool,
) -> Basis {
    let rows = problem.rows();
    let places: Vec<Place> = (0..problem.n())
        .map(|i| place(problem, &rows[i], i, z, &between))
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

fn place(
    problem: &Problem,
    row: &Row<'_>,
    i: usize,
    z: &[Rational],
    between: impl Fn(&Rational, &Rational, &Rational) -> bool,
) -> Place {
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
    let below = lower.as_ref().is_some_and(|lower| z[i] <= *lower);
    let above = upper.as_ref().is_some_and(|upper| z[i] >= *upper);
    // On a bound, that one; off both, the one that is right for the sign of w.
    let (gap, place) = match (below, above) {
        (true, _) => (Some(Rational::new()), Place::Lower),
        (_, true) => (Some(Rational::new()), Place::Upper),
        _ if w > 0 => (lower.map(|lower| &z[i] - lower), Place::Lower),
        _ => (upper.map(|upper| upper - &z[i]), Place::Upper),
    };
    let wrong = match place {
        Place::Lower => w < 0,
        _ => w > 0,
    };
    match gap {
        // A violated row leaves its bound for z to become right.
        Some(gap) if !(between(&w.abs(), &unit, &gap) || gap.is_zero() && wrong) => place,
        _ => Place::Between,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::record;

    fn solutions(problem: &str, z: &[f64]) -> Vec<Vec<f64>> {
        let problem = record::read_problem(problem).unwrap().record;
        let z: Vec<_> = z.iter().map(|z| Rational::from_f64(*z).unwrap()).collect();
        let found = nearby_solutions(&problem, &z, &Budget::default());
        let floats = found.iter().map(|z| z.iter().map(Number::to_f64).collect());
        floats.collect()
    }

    /// Multipliers are not unique, and their rows hold rounding: that must not move them to 0.
    #[test]
    fn of_several_multipliers_those_of_the_answer_are_found() {
        let problem = r#"{"name": "k", "q": [14, 6, 6, -23, 0, 2], "lower": ["-inf", 0, 0, "-inf", 0, 0],
            "M": [[6, 0, 0, -4, 0, -2], [0, 3, 1, 0, -1, -1], [0, 1, 4, 2, -1, -2], [-4, 0, 2, 10, 0, 1],
                [0, 1, 1, 0, 0, 0], [2, 1, 2, -1, 0, 0]]}"#;
        let found = solutions(problem, &[0.0, 1.5e-16, 0.0, 2.0, 3.0, 3.0]);
        assert!(
            found.contains(&vec![0.0, 0.0, 0.0, 2.0, 3.0, 3.0]),
            "{found:?}"
        );
    }

    #[test]
    fn interior_points_are_taken_to_their_bounds() {
        let problem = r#"{"name": "b", "M": [[2, 1], [1, 2]], "q": [-9, 1], "lower": [0, 0], "upper": [1, "inf"]}"#;
        let found = solutions(problem, &[0.999999, 1e-7]);
        assert!(found.contains(&vec![1.0, 0.0]), "{found:?}");
    }
}
