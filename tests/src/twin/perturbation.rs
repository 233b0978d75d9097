//! The componentwise backward error from its definition: whether there is a problem nearby that a
//! point solves exactly, and that problem.

use super::problem::Problem;
use malachite::Rational;
use malachite::base::num::arithmetic::traits::Abs;

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

/// Whether `z`, as it stands, solves exactly some problem with the same bounds, `|dM| <= eps |M|`,
/// `|dq| <= eps |q|` and `|dmu| <= eps mu`, entry by entry. Decided from the definition, with no use
/// of the closed form.
///
/// The rows do not share any entry of `M`, `q` or `mu`, and the `w_i` that a row can reach are an
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
            let [below, above] = [-1, 1].map(|side| may_touch(problem, i, z, side, eps));
            problem.within(i, z) && (below || reach.low <= 0) && (above || reach.high >= 0)
        })
}

/// Whether `z_i` is at its lower (`side` -1) or upper (`side` 1) bound, after a change of `mu` by
/// `eps` at most where it is a friction row.
fn may_touch(problem: &Problem, i: usize, z: &[Rational], side: i32, eps: &Rational) -> bool {
    let (at_lower, at_upper) = problem.touches(i, z);
    let touches = if side < 0 { at_lower } else { at_upper };
    let wanted = coefficient(problem, i, z, side);
    touches || wanted.is_some_and(|(mu, wanted)| (&wanted - &mu).abs() <= eps * mu)
}

/// The coefficient of friction row `i`, and the one with which `z_i` would be at its bound.
fn coefficient(
    problem: &Problem,
    i: usize,
    z: &[Rational],
    side: i32,
) -> Option<(Rational, Rational)> {
    let (normal, mu) = problem.friction[i].clone()?;
    (z[normal] > 0).then(|| (mu, Rational::from(side) * &z[i] / &z[normal]))
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
    for (i, w) in w.iter().enumerate() {
        let (at_lower, at_upper) = problem.touches(i, z);
        let wrong = if *w > 0 {
            !at_lower
        } else {
            *w != 0 && !at_upper
        };
        if !wrong {
            continue;
        }
        // Every term moves by the same share of its size, against the sign of w_i, and just enough
        // to make it zero.
        let terms = problem.m[i].iter().zip(z);
        let scale: Rational = terms.map(|(entry, value)| (entry * value).abs()).sum();
        let share = w / (scale + (&problem.q[i]).abs());
        if (&share).abs() > *eps {
            // Then only another mu helps, where the row has one.
            let side = if *w > 0 { -1 } else { 1 };
            let (mu, wanted) = coefficient(problem, i, z, side)?;
            if (&wanted - &mu).abs() > eps * mu {
                return None;
            }
            if let Some((_, mu)) = &mut changed.friction[i] {
                *mu = wanted;
            }
            continue;
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
