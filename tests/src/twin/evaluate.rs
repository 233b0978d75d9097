//! How far a candidate is from solving a problem.

use super::problem::Problem;
use malachite::Rational;
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::{One, Zero};

/// The exact verdict figures of one candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The candidate, as it stands, solves the problem exactly.
    pub exact: bool,
    /// The lower of the two following figures.
    pub backward_error: Rational,
    /// The smallest `eps` for which the candidate, moved into its bounds, solves a problem with
    /// `|dM| <= eps |M|` and `|dq| <= eps |q|`, entry by entry.
    pub backward_error_projected: Rational,
    /// The same after every entry close to a bound has been moved onto it.
    pub backward_error_snapped: Rational,
    /// The largest violation of a bound, relative to the largest entry of the candidate; one where
    /// the candidate is zero and not feasible.
    pub negativity: Rational,
    /// The largest `|z_i - mid(l_i, z_i - w_i, u_i)|` of the candidate as it stands.
    pub residual: Rational,
    /// How many entries the snapping moved (whether or not the snapped candidate is the better
    /// one).
    pub snapped_entries: usize,
    /// How far the snapping moved an entry at most.
    pub snapped_distance: Rational,
}

/// Evaluates a candidate; `None` if it has the wrong length. `snap` is relative to the largest
/// entry in size.
#[must_use]
pub fn evaluate(problem: &Problem, z: &[Rational], snap: &Rational) -> Option<Evaluation> {
    if z.len() != problem.size() {
        return None;
    }
    let projected: Vec<Rational> = (0..z.len()).map(|i| clamped(problem, i, &z[i])).collect();
    let reach = snap * largest(&projected);
    let snapped: Vec<Rational> = (0..z.len())
        .map(|i| nearest_bound(problem, i, &projected[i], &reach))
        .collect();
    let moves: Vec<Rational> = projected
        .iter()
        .zip(&snapped)
        .map(|(a, b)| (a - b).abs())
        .collect();
    let backward_error_projected = backward_error(problem, &projected);
    let backward_error_snapped = backward_error(problem, &snapped);
    Some(Evaluation {
        exact: problem.solves(z),
        backward_error: backward_error_projected
            .clone()
            .min(backward_error_snapped.clone()),
        backward_error_projected,
        backward_error_snapped,
        negativity: negativity(z, &projected),
        residual: residual(problem, z),
        snapped_entries: moves.iter().filter(|v| **v != 0).count(),
        snapped_distance: largest(&moves),
    })
}

/// The largest entry in size; zero for none.
fn largest(values: &[Rational]) -> Rational {
    values.iter().map(Abs::abs).max().unwrap_or(Rational::ZERO)
}

/// `value` moved into the bounds of row `i`: the middle one of lower bound, value and upper bound.
fn clamped(problem: &Problem, i: usize, value: &Rational) -> Rational {
    match (&problem.lower[i], &problem.upper[i]) {
        (Some(low), _) if value < low => low.clone(),
        (_, Some(high)) if value > high => high.clone(),
        _ => value.clone(),
    }
}

/// The bound of row `i` nearest to `value` if it is within `reach`, else `value`. Of two at the
/// same distance the lower.
fn nearest_bound(problem: &Problem, i: usize, value: &Rational, reach: &Rational) -> Rational {
    let bounds = [&problem.lower[i], &problem.upper[i]];
    let distance = |bound: &&Rational| (value - *bound).abs();
    let nearest = bounds.into_iter().flatten().min_by_key(distance);
    nearest
        .filter(|bound| distance(bound) <= *reach)
        .unwrap_or(value)
        .clone()
}

/// The largest distance from the bounds, relative to the largest entry in size.
fn negativity(z: &[Rational], projected: &[Rational]) -> Rational {
    let violations: Vec<Rational> = z.iter().zip(projected).map(|(a, b)| a - b).collect();
    let (violation, scale) = (largest(&violations), largest(z));
    if violation == 0 {
        Rational::ZERO
    } else if scale == 0 {
        Rational::ONE
    } else {
        violation / scale
    }
}

fn residual(problem: &Problem, z: &[Rational]) -> Rational {
    let w = problem.w(z);
    let parts: Vec<Rational> = (0..z.len())
        .map(|i| &z[i] - clamped(problem, i, &(&z[i] - &w[i])))
        .collect();
    largest(&parts)
}

/// The closed form, row by row, for a `z` within its bounds.
///
/// The products and `q_i` that make up `w_i` can each change by `eps` times their size, so `w_i`
/// reaches exactly what is within `eps` times the sum of those sizes. Off the bounds it must reach
/// zero; at the lower bound something not negative, at the upper one something not positive; where
/// the bounds are equal anything will do.
fn backward_error(problem: &Problem, z: &[Rational]) -> Rational {
    let w = problem.w(z);
    let rows = (0..z.len()).map(|i| {
        let violation = match problem.touches(i, &z[i]) {
            (false, false) => w[i].clone().abs(),
            (true, false) => (-&w[i]).max(Rational::ZERO),
            (false, true) => w[i].clone().max(Rational::ZERO),
            (true, true) => Rational::ZERO,
        };
        if violation == 0 {
            return violation;
        }
        let mut scale = (&problem.q[i]).abs();
        for (entry, value) in problem.m[i].iter().zip(z) {
            scale += (entry * value).abs();
        }
        // The scale is at least |w_i|, which is not zero here.
        violation / scale
    });
    rows.max().unwrap_or(Rational::ZERO)
}

/// A closed interval.
struct Interval {
    low: Rational,
    high: Rational,
}

impl Interval {
    /// All values within `eps |value|` of `value`.
    fn around(value: &Rational, eps: &Rational) -> Self {
        let change = eps * value.abs();
        Self {
            low: value - &change,
            high: value + &change,
        }
    }

    /// All multiples of members by `factor`.
    fn times(self, factor: &Rational) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        if a <= b {
            Self { low: a, high: b }
        } else {
            Self { low: b, high: a }
        }
    }

    /// All sums of members.
    fn plus(self, other: Self) -> Self {
        Self {
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }
}

/// Whether `z`, as it stands, solves exactly some problem with the same bounds, `|dM| <= eps |M|`
/// and `|dq| <= eps |q|`, entry by entry. Decided from the definition, with no use of the closed
/// form.
///
/// The rows do not share any entry of `M` or `q`, and the `w_i` that a row can reach are an
/// interval: the sum of the intervals of its terms. It must meet the `w_i` that the place of `z_i`
/// allows.
#[must_use]
pub fn perturbation_exists(problem: &Problem, z: &[Rational], eps: &Rational) -> bool {
    z.len() == problem.size()
        && *eps >= 0
        && (0..z.len()).all(|i| {
            let mut reach = Interval::around(&problem.q[i], eps);
            for (entry, value) in problem.m[i].iter().zip(z) {
                reach = reach.plus(Interval::around(entry, eps).times(value));
            }
            let (at_lower, at_upper) = problem.touches(i, &z[i]);
            problem.within(i, &z[i])
                && (at_lower || reach.low <= 0)
                && (at_upper || reach.high >= 0)
        })
}

/// A problem that witnesses [`perturbation_exists`]: within `eps` of this one, entry by entry, and
/// solved exactly by `z`. `None` if there is none.
#[must_use]
pub fn perturbed_problem(problem: &Problem, z: &[Rational], eps: &Rational) -> Option<Problem> {
    if z.len() != problem.size() || *eps < 0 {
        return None;
    }
    let mut changed = problem.clone();
    let w = problem.w(z);
    for i in 0..z.len() {
        let (at_lower, at_upper) = problem.touches(i, &z[i]);
        let wrong = if w[i] > 0 {
            !at_lower
        } else {
            w[i] != 0 && !at_upper
        };
        if !wrong {
            continue;
        }
        // Every term moves by the same share of its size, against the sign of w_i, and just enough
        // to make it zero.
        let terms = problem.m[i].iter().zip(z);
        let scale: Rational = terms.map(|(entry, value)| (entry * value).abs()).sum();
        let share = &w[i] / (scale + (&problem.q[i]).abs());
        if (&share).abs() > *eps {
            return None;
        }
        changed.q[i] -= &share * (&problem.q[i]).abs();
        for (entry, value) in changed.m[i].iter_mut().zip(z) {
            let change = &share * (&*entry).abs();
            if *value < 0 {
                *entry += change;
            } else {
                *entry -= change;
            }
        }
    }
    changed.solves(z).then_some(changed)
}
