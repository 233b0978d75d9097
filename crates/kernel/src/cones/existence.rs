//! A solution exists, of whatever modes: M = [A, -H'; H, R] in free rows and the others, A + A' positive
//! definite, R symmetric positive semidefinite, and a point with w strictly inside the dual cones.
//!
//! The convex problems with q + s e_N are monotone and have bounded solutions, u(s) is continuous,
//! and s = g(u(s)) has a solution by Brouwer's theorem (Acary, Cadoux, Lemaréchal, Malick 2011;
//! Klarbring and Pang 1998; `docs/certificates-cones.md`, "A solution exists").

use rug::Rational;

use super::{definite::*, read::*};
use crate::{Checked, Refusal, budget::*, cone::*, ensure, rows::*};

/// Checks that a solution exists, which a point z of n entries shows.
///
/// # Errors
/// What does not hold, and the row where it does not; the budget.
pub(crate) fn check_exists(problem: &impl Problem, z: &[Rational], budget: &Budget) -> Checked {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let mut held = budget.hold(0, 0)?;
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    let mut is_free = vec![false; z.len()];
    for i in (0..z.len()).filter(|&i| is_plain[i]) {
        let of = |bound: &Bound| bound.constant == 0 && bound.slope == 0;
        match problem.bounds(i) {
            [None, None] => is_free[i] = true,
            [Some(lower), None] if of(&lower) => {
                let why = "w is not inside: it must be positive";
                ensure(velocity(problem, i, z, budget)? > 0, why).map_err(|no| no.at_row(i))?;
            }
            _ => {
                let no = Refusal::new("its bounds are neither absent nor z >= 0");
                return Err(no.at_row(i));
            }
        }
    }
    for cone in &cones {
        check_inside(problem, cone, z, budget).map_err(|no| no.at_row(cone.normal))?;
    }
    check_saddle(problem, &is_free, &mut held)
}

/// Checks that w is inside the dual cone at z: the sum over discs of |mu w|_d is less than w_N.
fn check_inside(problem: &impl Problem, cone: &Cone, z: &[Rational], budget: &Budget) -> Checked {
    let (paid, mut squares) = (Paid::of(budget), Vec::new());
    for disc in &cone.discs {
        let mut own = Vec::new();
        for (i, mu) in disc.rows.iter().zip(&disc.mu) {
            own.push(paid.product(mu, &velocity(problem, *i, z, budget)?));
        }
        squares.push(paid.sum_of_squares(own.into_iter()));
    }
    // What is at most a little less is less.
    let w = velocity(problem, cone.normal, z, budget)?;
    let less = paid.product(&w, &Rational::from(((1_u64 << 60) - 1, 1_u64 << 60)));
    let inside = w > 0 && paid.roots_are_at_most(&squares, &less)?;
    ensure(paid.found(inside)?, "w is not inside its dual cone")
}

/// Checks that M = [A, -H'; H, R], with A + A' positive definite and R symmetric positive semidefinite.
fn check_saddle(problem: &impl Problem, is_free: &[bool], held: &mut Held<'_>) -> Checked {
    let m = entries_of(problem, held)?;
    for (&(i, j), value) in m.iter().filter(|((i, j), _)| is_free[*i] != is_free[*j]) {
        let is_opposite = m.get(&(j, i)).is_some_and(|other| Rational::from(-other) == *value);
        let why = "what stands beside free rows is not opposite to what stands below them";
        ensure(is_opposite, why).map_err(|no| no.at_row(i))?;
    }
    let (free, others): (Vec<_>, Vec<_>) = (0..is_free.len()).partition(|i| is_free[*i]);
    check_definite(&m, &free, true, held.budget)?;
    check_definite(&m, &others, false, held.budget)
}
