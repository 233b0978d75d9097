//! The exact solution next to a given answer.

use std::time::Instant;

use etalon_certify::rows_at;
use etalon_lcp::{Basis, ClaimedAnswer, Number, Problem, Row};
use rug::Rational;

use super::{Proposal, certified};
use crate::budget::Budget;
use crate::solved_rows::{bounds, solved_point};

/// The largest number of rows for which an exact solution is searched: a dense system of them takes half a GiB.
const MAX_ROWS: usize = 2048;

/// Pivots of each search that starts from the places. An answer's own places need few exchanges or
/// none. A solution that takes more is no neighbour, and a decision on the whole problem may take minutes.
/// The number is chosen.
const MAX_PIVOTS: u64 = 2_000;

/// Exact solutions of the problem that may be near z. They start from the places of z's entries, and
/// from the places nearest to them (the entries of an interior point are at no bound). Each set of places gives
/// two candidates. The first is the solution of the basis of these places, or one found from there. The second is the
/// point of z's own cell that its loose rows determine (`solved_point`); where several solutions have
/// the same places, that is the one next to z. There are none where the budget runs out, or the
/// problem has more rows than a dense system may have.
///
/// These are proposals: the caller checks a solution against the problem.
pub fn nearby_solutions(problem: &Problem, z: &[Rational], budget: &Budget) -> Vec<Vec<Number>> {
    if z.len() != problem.n() || problem.n() > MAX_ROWS || !problem.is_lcp() {
        return Vec::new();
    }
    let Ok(rows) = rows_at(problem, z) else {
        return Vec::new();
    };
    // A bound mu z_n is no binary64 number: within 2^-30 of itself an entry stands at it.
    let standing = places(problem, (z, &rows.w), |_, _, z, gap| {
        *gap > Rational::from(z.abs_ref()) >> 30
    });
    let nearest = places(problem, (z, &rows.w), |w, unit, _, gap| {
        *w <= Rational::from(gap * unit)
    });
    // What is rounding itself says nothing by its sign, nor does friction that it bounds.
    let rounded = rounded(problem, z, &rows.s);
    let Ok(rows) = rows_at(problem, &rounded) else {
        return Vec::new();
    };
    let closed = places(problem, (&rounded, &rows.w), |_, _, _, gap| !gap.is_zero());
    let mut found = vec![(z, standing)];
    for (z, places) in [(z, nearest), (&rounded, closed)] {
        if found.iter().all(|(_, known)| *known != places) {
            found.push((z, places));
        }
    }
    let start = Instant::now();
    let budget = Budget {
        pivots: budget.pivots.min(MAX_PIVOTS),
        ..budget.clone()
    };
    let mut solutions = Vec::new();
    for (z, places) in &found {
        let own = own_cell(problem, z, places, &budget.left_since(start));
        solutions.push(own.into_iter().map(Number::from).collect());
        let proposal = Proposal::from(basis_of(problem, places));
        let claim = certified(problem, Some(&proposal), &budget.left_since(start));
        if let ClaimedAnswer::Solved { z } = claim.answer {
            solutions.push(z);
        }
    }
    solutions
}

/// The point with z's entries at the bounds where they have their places, and the others so that
/// their rows hold as equations.
fn own_cell(problem: &Problem, z: &[Rational], places: &[Place], budget: &Budget) -> Vec<Rational> {
    let mut at = z.to_vec();
    let rows = problem.rows();
    // Friction rows after their normal rows, which have places of their own.
    let is_friction = |i: &usize| matches!(rows[*i], Row::Friction { .. });
    let (friction, others): (Vec<usize>, Vec<usize>) = (0..z.len()).partition(is_friction);
    for i in others.into_iter().chain(friction) {
        let (lower, upper) = bounds(&rows[i], &at);
        let bound = match places[i] {
            Place::Lower => lower,
            Place::Upper => upper,
            Place::Between => None,
        };
        if let Some(bound) = bound {
            at[i] = bound;
        }
    }
    let loose: Vec<bool> = places
        .iter()
        .map(|place| *place == Place::Between)
        .collect();
    solved_point(problem, &loose, &at, budget)
}

/// z with the entries on their bound that are within 2^-30 of it, relatively to the last row that
/// notices them (the first may hold rounding alone); friction rows within the bounds that their normal
/// rows leave them.
fn rounded(problem: &Problem, z: &[Rational], sizes: &[Rational]) -> Vec<Rational> {
    let mut last: Vec<Option<(Leading, Rational)>> = vec![None; z.len()];
    for (i, size) in sizes.iter().enumerate() {
        let own = Leading::of(size);
        for (j, value) in problem.m().row(i) {
            let value = value.to_rational().abs();
            let share = own.over(Leading::of(&value));
            // Of two shares that agree in 52 bits either may stand for both.
            if last[j].as_ref().is_none_or(|(last, _)| share > *last) {
                last[j] = Some((share, size / value));
            }
        }
    }
    let rows = problem.rows();
    let mut at = z.to_vec();
    let is_friction = |i: &usize| matches!(rows[*i], Row::Friction { .. });
    let (friction, others): (Vec<usize>, Vec<usize>) = (0..z.len()).partition(is_friction);
    for i in others {
        let (lower, upper) = bounds(&rows[i], z);
        let near = |bound: &Rational| {
            let gap = Rational::from(&z[i] - bound).abs();
            (last[i].as_ref()).is_some_and(|(_, last)| gap <= Rational::from(last >> 30))
        };
        if let Some(bound) = [lower, upper].into_iter().flatten().find(near) {
            at[i] = bound;
        }
    }
    for i in friction {
        if let (Some(lower), Some(upper)) = bounds(&rows[i], &at) {
            if at[i] < lower {
                at[i] = lower;
            } else if at[i] > upper {
                at[i] = upper;
            }
        }
    }
    at
}

/// mantissa 2^exponent, the mantissa of 53 bits in [1/2, 1), or 0: what sizes are sorted by.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Leading {
    exponent: i64,
    mantissa: f64,
}

impl Leading {
    fn of(value: &Rational) -> Self {
        let [above, below] = [value.numer(), value.denom()].map(|own| {
            let (mantissa, exponent) = own.to_f64_exp();
            Self {
                exponent: i64::from(exponent),
                mantissa,
            }
        });
        above.over(below)
    }

    /// The quotient. What is divided by is not 0; 0 is less than all others.
    fn over(self, other: Self) -> Self {
        let mantissa = self.mantissa / other.mantissa;
        let exponent = self.exponent - other.exponent;
        match mantissa {
            0.0 => Self {
                exponent: i64::MIN / 2,
                mantissa,
            },
            1.0.. => Self {
                exponent: exponent + 1,
                mantissa: mantissa / 2.0,
            },
            _ => Self { exponent, mantissa },
        }
    }
}

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Lower,
    Upper,
    Between,
}

/// The places of z's entries, with w = Mz + q. `between` says whether an entry is off its bound, by |w_i| with the
/// sign for that bound, |M_ii|, z_i and the distance from the bound (0 outside).
fn places(
    problem: &Problem,
    (z, w): (&[Rational], &[Rational]),
    between: impl Fn(&Rational, &Rational, &Rational, &Rational) -> bool,
) -> Vec<Place> {
    let rows = problem.rows().into_iter().enumerate();
    rows.map(|(i, row)| place(problem, &row, i, (z, &w[i]), &between))
        .collect()
}

/// The basis of the mixed form that has these places.
fn basis_of(problem: &Problem, places: &[Place]) -> Basis {
    let rows = problem.rows();
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
    (z, w): (&[Rational], &Rational),
    between: impl Fn(&Rational, &Rational, &Rational, &Rational) -> bool,
) -> Place {
    let diagonal = problem.m().get(i, i);
    let unit = diagonal.map_or_else(Rational::new, |value| value.to_rational().abs());
    let (lower, upper) = bounds(row, z);
    let below = lower.as_ref().is_some_and(|lower| z[i] <= *lower);
    let above = upper.as_ref().is_some_and(|upper| z[i] >= *upper);
    // On a bound, that one; off both, the one that is right for the sign of w.
    let (gap, place) = match (below, above) {
        (true, true) if *w < 0 => (Some(Rational::new()), Place::Upper),
        (true, _) => (Some(Rational::new()), Place::Lower),
        (_, true) => (Some(Rational::new()), Place::Upper),
        _ if *w > 0 => (lower.map(|lower| &z[i] - lower), Place::Lower),
        _ => (upper.map(|upper| upper - &z[i]), Place::Upper),
    };
    let wrong = match place {
        Place::Lower => *w < 0,
        _ => *w > 0,
    };
    match gap {
        // A violated row leaves its bound for z to become right.
        Some(gap) if !(between(&w.clone().abs(), &unit, &z[i], &gap) || gap.is_zero() && wrong) => {
            place
        }
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

    /// The force of the normal row is rounding, and with it the direction in which friction slides.
    #[test]
    fn a_cone_that_is_closed_up_to_rounding_is_closed() {
        let problem = r#"{"name": "c", "M": [[0, 0, 1], [-1, 1, 2], [0, 3, 7]], "q": [0, -7, -24], "friction": [{"row": 2, "normal": 0, "mu": 2}]}"#;
        let found = solutions(
            problem,
            &[
                1.7763568394002506e-16,
                7.000000000000001,
                -3.552713678800501e-16,
            ],
        );
        assert!(found.contains(&vec![0.0, 7.0, 0.0]), "{found:?}");
    }

    #[test]
    fn interior_points_are_taken_to_their_bounds() {
        let problem = r#"{"name": "b", "M": [[2, 1], [1, 2]], "q": [-9, 1], "lower": [0, 0], "upper": [1, "inf"]}"#;
        let found = solutions(problem, &[0.999999, 1e-7]);
        assert!(found.contains(&vec![1.0, 0.0]), "{found:?}");
    }

    /// Where an entry of a problem of one row with the bounds 0 and `upper` and w = z + q is said to stand, if
    /// it may be off a bound by up to 2^-30.
    fn stands(z: f64, q: f64, upper: f64) -> Place {
        let text =
            format!(r#"{{"name": "p", "M": [[1]], "q": [{q}], "lower": [0], "upper": [{upper}]}}"#);
        let problem = record::read_problem(&text).unwrap().record;
        let z = [Rational::from_f64(z).unwrap()];
        let off = |_: &Rational, _: &Rational, _: &Rational, gap: &Rational| {
            *gap > Rational::from((1, 1 << 30))
        };
        let w = [&z[0] + Rational::from_f64(q).unwrap()];
        places(&problem, (&z, &w), off)[0]
    }

    /// On a bound stands what is at it, or next to it, where w has the sign for that bound: w >= 0 at the lower one,
    /// w <= 0 at the upper one.
    #[test]
    fn entries_stand_at_the_bounds_that_are_right_for_them() {
        use Place::{Between, Lower, Upper};
        let near = 1e-12;
        for (z, q, upper, place) in [
            (0.0, 1.0, 9.0, Lower),
            (0.0, 0.0, 9.0, Lower),
            (0.0, -1.0, 9.0, Between),
            (near, 1.0, 9.0, Lower),
            (near, -1.0, 9.0, Between),
            (5.0, 1.0, 9.0, Between),
            (5.0, -7.0, 9.0, Between),
            (9.0 - near, -12.0, 9.0, Upper),
            (9.0 - near, 12.0, 9.0, Between),
            (9.0, -12.0, 9.0, Upper),
            (9.0, -9.0, 9.0, Upper),
            (9.0, 0.0, 9.0, Between),
            (0.0, 1.0, 0.0, Lower),
            (0.0, -1.0, 0.0, Upper),
        ] {
            assert!(stands(z, q, upper) == place, "z = {z}, q = {q}, {upper}");
        }
    }

    /// 2^-30 of the last row that notices an entry is rounding.
    #[test]
    fn what_is_rounding_is_put_on_its_bound() {
        let text = r#"{"name": "r", "M": [[1, 0, 0], [0, 1, 0], [0, 0, 2]], "q": [-1, 1, 64]}"#;
        let problem = record::read_problem(text).unwrap().record;
        let of = |z: [i32; 2]| {
            let z = z.map(|power| Rational::from(1) >> power);
            let z = [Rational::from(1), z[0].clone(), z[1].clone()];
            let sizes = rows_at(&problem, &z).unwrap().s;
            rounded(&problem, &z, &sizes)
                .iter()
                .map(|z| *z == 0)
                .collect::<Vec<_>>()
        };
        // The sizes in units of z are 2, 1 and 32.
        assert_eq!(of([31, 26]), [false, true, true]);
        assert_eq!(of([29, 24]), [false, false, false]);
    }

    /// |z_1| <= z_0 / 2, as the rounded normal force leaves it.
    #[test]
    fn friction_is_put_within_its_bounds() {
        let text = r#"{"name": "f", "M": [[1, 0], [0, 1]], "q": [-2, -9],
            "friction": [{"row": 1, "normal": 0, "mu": 0.5}]}"#;
        let problem = record::read_problem(text).unwrap().record;
        for (z, own) in [(3, 1), (1, 1), (0, 0), (-1, -1), (-2, -1)] {
            let z = [2, z].map(Rational::from);
            let at = rounded(&problem, &z, &rows_at(&problem, &z).unwrap().s);
            assert_eq!(at, [2, own].map(Rational::from));
        }
    }

    /// z_0 + z_1 = 2 is all that the rows say. The point of the cell is the one next to the answer in one entry.
    #[test]
    fn of_a_line_of_solutions_one_next_to_the_answer_is_found() {
        let problem = r#"{"name": "l", "M": [[1, 1], [1, 1]], "q": [-2, -2]}"#;
        let z = [0.75, 1.25 + 1e-3];
        let near = |found: &Vec<f64>| {
            let gap = |k: usize| (found[k] - z[k]).abs();
            found[0] + found[1] == 2.0 && gap(0) + gap(1) < 2e-3
        };
        let found = solutions(problem, &z);
        assert!(found.iter().any(near), "{found:?}");
    }

    /// Neither is searched: other rows than those of an LCP, and more than a dense system may have.
    #[test]
    fn cones_and_many_rows_have_no_nearby_solutions() {
        let cone = r#"{"name": "c", "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [-1, 0, 0],
            "cones": [{"rows": [0, 1, 2], "mu": 1, "law": "coulomb"}]}"#;
        assert!(solutions(cone, &[1.0, 0.0, 0.0]).is_empty());
        let plain = r#"{"name": "p", "M": [[1]], "q": [-1]}"#;
        assert!(solutions(plain, &[1.0, 0.0]).is_empty());
        assert_eq!(solutions(plain, &[1.5]), [[1.0], [1.0]]);
    }
}
