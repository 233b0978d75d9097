//! How far a candidate is from solving a problem.

use super::problem::Problem;
use super::readings::{clipped, cost, moved, violations};
use super::sizes::Sizes;
use malachite::Rational;
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::Zero;

/// What counts as right, and how far an entry may move onto a bound for the backward error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// The largest error of a right answer.
    pub tol: Rational,
    /// The largest cost of a move of the snapped reading.
    pub snap: Rational,
}

/// The exact verdict figures of one candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The candidate, as it stands, solves the problem exactly.
    pub exact: bool,
    /// The natural-scale error.
    pub error: Rational,
    /// The lower of the two following figures.
    pub backward_error: Rational,
    /// The smallest `eps` for which the candidate, moved into its bounds, solves a problem with
    /// `|dM| <= eps |M|`, `|dq| <= eps |q|` and `|dmu| <= eps mu`, entry by entry.
    pub backward_error_clipped: Rational,
    /// The same of the snapped reading, where the clipped one does not do; it counts where its moves
    /// are within the tolerance or its own limit.
    pub backward_error_snapped: Option<Rational>,
    /// The largest violation of a bound, in the natural size of the unknown; one where there is
    /// nothing to measure it by.
    pub negativity: Rational,
    /// The largest `|z_i - mid(l_i, z_i - w_i, u_i)|` of the candidate as it stands.
    pub residual: Rational,
    /// The moves of the reading that has the error; those of the clipped one are the negativity.
    pub moved: Moves,
    /// The moves of the reading that has the backward error; none for the clipped one.
    pub snapped: Moves,
}

/// How many entries moved from the candidate to a reading, and how far at most, in natural sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// The number of entries.
    pub entries: usize,
    /// The largest cost.
    pub furthest: Rational,
}

impl Moves {
    fn none() -> Self {
        Self {
            entries: 0,
            furthest: Rational::ZERO,
        }
    }
}

/// Evaluates a candidate; `None` if it has the wrong length.
#[must_use]
pub fn evaluate(problem: &Problem, z: &[Rational], tolerance: &Tolerance) -> Option<Evaluation> {
    if z.len() != problem.size() {
        return None;
    }
    let inside = Reading::new(problem, z, clipped(problem, z), tolerance);
    let read = |limit: Option<&Rational>| {
        let x = moved(problem, &inside.x, tolerance, limit);
        Reading::new(problem, z, x, tolerance)
    };
    let plain = inside.plain.clone().max(inside.moves.furthest.clone());
    let mut evaluation = Evaluation {
        exact: problem.solves(z),
        error: plain,
        backward_error: inside.plain.clone(),
        backward_error_clipped: inside.plain.clone(),
        backward_error_snapped: None,
        negativity: inside.moves.furthest.clone(),
        residual: residual(problem, z),
        moved: Moves::none(),
        snapped: Moves::none(),
    };
    // Within the tolerance in plain sizes already: an acquittal needs no more.
    if evaluation.error <= tolerance.tol {
        return Some(evaluation);
    }
    let (near, far) = (read(Some(&tolerance.snap)), read(None));
    let limit = (&tolerance.tol).max(&tolerance.snap);
    if near.moves.furthest <= *limit && near.plain < inside.plain {
        evaluation.backward_error.clone_from(&near.plain);
        evaluation.snapped = near.moves.clone();
    }
    evaluation.backward_error_snapped = Some(near.plain.clone());
    evaluation.error = inside.error();
    for reading in [near, far] {
        if reading.error() < evaluation.error {
            evaluation.error = reading.error();
            evaluation.moved = reading.moves;
        }
    }
    Some(evaluation)
}

/// The distance of a candidate from a solution, in natural sizes at the solution; `None` where one
/// of them has the wrong length.
#[must_use]
pub fn distance(
    problem: &Problem,
    z: &[Rational],
    solution: &[Rational],
    tol: &Rational,
) -> Option<Rational> {
    if z.len() != problem.size() || solution.len() != problem.size() {
        return None;
    }
    let sizes = Sizes::at(problem, solution, tol);
    Some(largest_cost(z, solution, &sizes.unknowns))
}

/// The largest cost of getting from one point to another.
fn largest_cost(from: &[Rational], to: &[Rational], sizes: &[Rational]) -> Rational {
    let costs = (0..from.len()).map(|j| cost(&from[j], &to[j], &sizes[j]));
    costs.max().unwrap_or(Rational::ZERO)
}

/// A point that the candidate may be read as, with its figures.
struct Reading {
    x: Vec<Rational>,
    /// What it takes to get there from the candidate.
    moves: Moves,
    /// How wrong a row is, in natural sizes.
    natural: Rational,
    /// How wrong a row is, in plain sizes.
    plain: Rational,
}

impl Reading {
    fn new(problem: &Problem, z: &[Rational], x: Vec<Rational>, tolerance: &Tolerance) -> Self {
        let sizes = Sizes::at(problem, &x, &tolerance.tol);
        let magnitudes: Vec<Rational> = x.iter().map(Abs::abs).collect();
        Self {
            moves: Moves {
                entries: z.iter().zip(&x).filter(|(z, x)| z != x).count(),
                furthest: largest_cost(z, &x, &sizes.unknowns),
            },
            natural: worst_row(problem, &x, &sizes.rows, &sizes.carried),
            plain: worst_row(problem, &x, &sizes.plain, &magnitudes),
            x,
        }
    }

    fn error(&self) -> Rational {
        self.moves.furthest.clone().max(self.natural.clone())
    }
}

/// `max_i min(v_i / rows_i, delta_i)`, `delta_i` over `mu unknowns_n`.
fn worst_row(
    problem: &Problem,
    x: &[Rational],
    rows: &[Rational],
    unknowns: &[Rational],
) -> Rational {
    let w = problem.w(x);
    let mut worst = Rational::ZERO;
    for (i, violation) in violations(problem, x).into_iter().enumerate() {
        if violation == 0 {
            continue;
        }
        // The size is at least |w_i|, which is not zero here.
        let mut wrong = violation / &rows[i];
        if let (Some((normal, mu)), (false, false)) = (&problem.friction[i], problem.touches(i, x))
        {
            let (low, high) = problem.bounds(i, x);
            // The bound at which w_i is right must be brought past no other sign of x_i.
            let bound = if w[i] > 0 {
                low.filter(|_| x[i] <= 0)
            } else {
                high.filter(|_| x[i] >= 0)
            };
            if let Some(bound) = bound {
                wrong = wrong.min((&x[i] - bound).abs() / (mu * &unknowns[*normal]));
            }
        }
        worst = worst.max(wrong);
    }
    worst
}

/// The largest `|z_i - mid(l_i, z_i - w_i, u_i)|`. The bounds of a friction row cross where its
/// normal entry is negative; then the lower one counts.
fn residual(problem: &Problem, z: &[Rational]) -> Rational {
    let w = problem.w(z);
    let part = |i: usize| {
        let (low, high) = problem.bounds(i, z);
        let step = &z[i] - &w[i];
        let below = high.map_or_else(|| step.clone(), |high| step.clone().min(high));
        let middle = low.map_or_else(|| below.clone(), |low| below.clone().max(low));
        (&z[i] - middle).abs()
    };
    (0..z.len()).map(part).max().unwrap_or(Rational::ZERO)
}
