//! The points within the bounds that a candidate may be read as.

use super::Tolerance;
use super::problem::Problem;
use super::sizes::Sizes;
use malachite::Rational;
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::{One, Zero};

/// The rows, friction rows after all others: their bounds hang on other entries.
fn in_order(problem: &Problem) -> impl Iterator<Item = usize> {
    let friction = |i: &usize| problem.friction[*i].is_some();
    let rows = 0..problem.size();
    let others = rows.clone().filter(move |i| !friction(i));
    others.chain(rows.filter(move |i| friction(i)))
}

/// `value` moved onto the nearer of two bounds that do not cross, where it is beyond.
fn clamped(value: &Rational, bounds: &(Option<Rational>, Option<Rational>)) -> Rational {
    match bounds {
        (Some(low), _) if value < low => low.clone(),
        (_, Some(high)) if value > high => high.clone(),
        _ => value.clone(),
    }
}

/// What a move costs: its length in units of `size`, 1 where there is nothing to measure it by.
pub(super) fn cost(from: &Rational, to: &Rational, size: &Rational) -> Rational {
    let length = (from - to).abs();
    if length == 0 {
        Rational::ZERO
    } else if *size == 0 {
        Rational::ONE
    } else {
        length / size
    }
}

/// The clipped reading: `z` with every entry outside its bounds moved onto the nearest.
pub(super) fn clipped(problem: &Problem, z: &[Rational]) -> Vec<Rational> {
    let mut x = z.to_vec();
    for i in in_order(problem) {
        x[i] = clamped(&x[i], &problem.bounds(i, &x));
    }
    x
}

/// The moved reading, of a `start` within the bounds: each entry whose row is wrong goes to the
/// bound at which the row would be right, if that costs less than the row is wrong by, and at most
/// `limit`. A friction row is judged in the bounds that its normal entry leaves it, and kept within
/// them.
pub(super) fn moved(
    problem: &Problem,
    start: &[Rational],
    tolerance: &Tolerance,
    limit: Option<&Rational>,
) -> Vec<Rational> {
    let sizes = Sizes::at(problem, start, &tolerance.tol);
    let w = problem.w(start);
    let mut x = start.to_vec();
    for i in in_order(problem) {
        let bounds = problem.bounds(i, &x);
        x[i] = clamped(&x[i], &bounds);
        let right = if w[i] > 0 { bounds.0 } else { bounds.1 };
        let off = right.filter(|bound| *bound != x[i]);
        let wrong = (&w[i]).abs();
        if let Some(bound) = off
            && wrong > &tolerance.tol * &sizes.plain[i]
        {
            let price = cost(&start[i], &bound, &sizes.unknowns[i]);
            if price < wrong / &sizes.plain[i] && limit.is_none_or(|limit| price <= *limit) {
                x[i] = bound;
            }
        }
    }
    x
}

/// By how much each `w_i` misses what the place of `x_i` allows.
pub(super) fn violations(problem: &Problem, x: &[Rational]) -> Vec<Rational> {
    let w = problem.w(x);
    let violation = |i: usize| match problem.touches(i, x) {
        (false, false) => (&w[i]).abs(),
        (true, false) => (-&w[i]).max(Rational::ZERO),
        (false, true) => w[i].clone().max(Rational::ZERO),
        (true, true) => Rational::ZERO,
    };
    (0..problem.size()).map(violation).collect()
}
