//! Coulomb contacts whose friction is weak beside their coupling: all solutions have one velocity.
//!
//! With W - diag_N(h) positive semidefinite and W_TT <= theta diag_T(h_c / (D_c mu_k^2)), theta < 1, the
//! map s -> g(u(s)) of `existence.rs` is a contraction, so there is a solution, and all have the same u.
//! (`docs/certificates.md`, "Weak friction".)

use std::collections::BTreeSet;

use rug::Rational;

use crate::{Refusal, budget::*, cone::*, ensure, existence::*, mode::*, rows::*};

/// Checks that there is a solution and that all have one w, by h > 0, a number for each cone, and theta.
/// Returns whether M is positive definite besides, so that they have one z too.
///
/// # Errors
/// What does not hold; the budget.
pub(crate) fn check_contracts(
    problem: &impl Problem, h: &[Rational], theta: &Rational, budget: &Budget,
) -> Result<bool, Refusal> {
    let mut held = budget.hold(0, 0)?;
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    ensure(!is_plain.contains(&true), "a row is in no cone: only contacts contract")?;
    ensure(cones.iter().all(|cone| cone.law == Law::Coulomb), "a contact has the convex law")?;
    let is_positive = h.len() == cones.len() && h.iter().all(|h| *h > 0);
    ensure(is_positive, "h has not a positive number for each cone")?;
    ensure(*theta >= 0 && *theta < 1, "theta is not from 0 to below 1")?;
    let (n, mut w) = (problem.n(), Entries::new());
    for i in 0..n {
        for (j, value) in problem.row(i).filter(|(j, value)| *j < n && *value != 0) {
            held.more(8, 2 * fraction_bits(&value) + fraction_bits(theta))?;
            ensure(w.insert((i, j), value).is_none(), "a row names a column twice")?;
        }
    }
    let (paid, mut tangents) = (Paid::of(budget), Vec::new());
    let mut less_normal = w.clone();
    for (cone, h) in cones.iter().zip(h) {
        let own = less_normal.entry((cone.normal, cone.normal)).or_default();
        *own = paid.sum(own, &-h.clone());
        let discs = Rational::from(cone.discs.len());
        let rows = cone.discs.iter().flat_map(|disc| disc.rows.iter().zip(&disc.mu));
        for (k, mu) in rows.filter(|(_, mu)| **mu > 0) {
            let share = paid.ratio(h, &paid.product(&discs, &paid.square(mu)));
            tangents.push((*k, paid.product(theta, &share)));
        }
    }
    // theta diag_T(...) - W_TT.
    let is_tangent: BTreeSet<_> = tangents.iter().map(|(k, _)| *k).collect();
    let of_t = w.iter().filter(|((i, j), _)| is_tangent.contains(i) && is_tangent.contains(j));
    let mut rest: Entries = of_t.map(|(place, value)| (*place, Rational::from(-value))).collect();
    for (k, most) in &tangents {
        let own = rest.entry((*k, *k)).or_default();
        *own = paid.sum(own, most);
    }
    paid.found(())?;
    let all: Vec<_> = (0..n).collect();
    let tangents: Vec<_> = tangents.into_iter().map(|(k, _)| k).collect();
    check_definite(&less_normal, &all, false, budget)?;
    check_definite(&rest, &tangents, false, budget)?;
    Ok(check_definite(&w, &all, true, budget).is_ok())
}
