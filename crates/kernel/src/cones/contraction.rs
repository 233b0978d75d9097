//! Coulomb contacts whose friction is weak beside their coupling: all solutions have one velocity.
//!
//! With W - diag_N(h) positive semidefinite and W_TT <= theta diag_T(h_c / (D_c mu_k^2)), theta < 1, the
//! map s -> g(u(s)) of `existence.rs` is a contraction, so there is a solution, and all have the same u.
//! (`docs/certificates-cones.md`, "Weak friction".)

use rug::Rational;

use super::{definite::*, read::*};
use crate::{Checked, budget::*, cone::*, ensure, rows::*};

/// Checks that there is a solution and that all have one w, by h > 0, a number for each cone, and theta.
/// Returns whether M is positive definite besides, so that they have one z too.
///
/// # Errors
/// What does not hold; the budget.
pub(crate) fn check_contracts(
    problem: &impl Problem, h: &[Rational], theta: &Rational, budget: &Budget,
) -> Checked<bool> {
    let mut held = budget.hold(0, 0)?;
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    ensure(!is_plain.contains(&true), "a row is in no cone: only contacts contract")?;
    ensure(cones.iter().all(|cone| cone.law == Law::Coulomb), "a contact has the convex law")?;
    let is_positive = h.len() == cones.len() && h.iter().all(|h| *h > 0);
    ensure(is_positive, "h has not a positive number for each cone")?;
    ensure(*theta >= 0 && *theta < 1, "theta is not from 0 to below 1")?;
    let w = entries_of(problem, &mut held)?;
    // W - diag_N(h), and theta diag_T(...) - W, of which the tangents are asked for.
    held.more(8 * w.len() as u64, w.values().map(|own| 2 * fraction_bits(own)).sum())?;
    let (mut less, mut rest, mut tangents) = (w.clone(), w.clone(), Vec::new());
    rest.values_mut().for_each(|own| *own = -own.clone());
    let paid = Paid::of(budget);
    let mut add = |to: &mut Entries, i: usize, more: Rational| {
        let own = to.entry((i, i)).or_default();
        *own = paid.sum(own, &more);
        held.more(4, fraction_bits(own))
    };
    for (cone, h) in cones.iter().zip(h) {
        add(&mut less, cone.normal, -h.clone())?;
        let discs = Rational::from(cone.discs.len());
        let rows = cone.discs.iter().flat_map(|disc| disc.rows.iter().zip(&disc.mu));
        for (k, mu) in rows.filter(|(_, mu)| **mu > 0) {
            let share = paid.ratio(h, &paid.product(&discs, &paid.square(mu)));
            add(&mut rest, *k, paid.product(theta, &share))?;
            tangents.push(*k);
        }
    }
    paid.found(())?;
    let all: Vec<_> = (0..is_plain.len()).collect();
    check_definite(&less, &all, false, budget)?;
    check_definite(&rest, &tangents, false, budget)?;
    Ok(check_definite(&w, &all, true, budget).is_ok())
}
