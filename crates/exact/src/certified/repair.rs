//! Exchanging the rows of a basis that have the wrong sign.
//!
//! All at once, as long as there are fewer and fewer of them; then one by one, the last first
//! (Murty's least-index rule in reverse), until there are fewer again (Kostreva 1978; Judice and
//! Pires 1994). For P-matrices this ends whatever the start, if one waits; here, it is cut short
//! and another method goes on.

use std::time::Instant;

use etalon_lcp::{Basis, MixedLcp, Number};

use super::face::face_point;
use super::purify::purified;
use crate::basis::{BasisFailure, BasisSolution, Signs, basis_solution, independent_part};
use crate::budget::Budget;

/// How often all rows are exchanged without there being fewer wrong ones.
const PATIENCE: u32 = 3;

/// Exchanges of single rows, at most. Each costs an exact solution.
const MAX_SINGLE: u64 = 32;

/// The result of repairing.
pub(crate) enum Repair {
    Solved {
        solution: Box<BasisSolution>,
        basis: Basis,
        exchanges: u64,
    },
    /// An exact solution that belongs to no regular basis.
    Point(Vec<Number>),
    /// Of the regular bases, the one with the fewest wrong signs (the start where none is).
    Best(Basis),
    Exhausted,
}

/// `near` is an approximate z of n values, beside which a basis is looked at that is singular from the start.
pub(crate) fn repair(
    lcp: &MixedLcp,
    (start, mut near): (&Basis, Option<&[f64]>),
    budget: &Budget,
) -> Repair {
    let clock = Instant::now();
    let mut basis = start.clone();
    let mut best = start.clone();
    let mut fewest = usize::MAX;
    let mut patience = PATIENCE;
    let mut single = MAX_SINGLE.min(lcp.n() as u64);
    let mut exchanges = 0;
    let left = || budget.left_since(clock);
    loop {
        let solution = match basis_solution(lcp, &basis, &left()) {
            Ok(solution) => solution,
            Err(BasisFailure::Singular) => {
                let point = near.take();
                let thinned = point.and_then(|z| purified(lcp, (&basis, z), &left()));
                let found = point.and_then(|z| beside(lcp, (&basis, thinned.as_ref(), z), &left()));
                if let Some(found) = found {
                    return found;
                }
                let part = thinned.unwrap_or_else(|| independent_part(lcp, &basis));
                // A part that is singular too, or was looked at before, leads nowhere.
                if patience == 0 || part == basis {
                    return Repair::Best(best);
                }
                patience -= 1;
                basis = part;
                continue;
            }
            Err(_) => return Repair::Exhausted,
        };
        let rows = match &solution.signs {
            Signs::Feasible => {
                return Repair::Solved {
                    solution: Box::new(solution),
                    basis,
                    exchanges,
                };
            }
            Signs::Infeasible { rows } => rows,
        };
        if rows.len() < fewest {
            fewest = rows.len();
            best = basis.clone();
            patience = PATIENCE;
            basis = exchanged(&basis, rows);
        } else if patience > 0 {
            patience -= 1;
            basis = exchanged(&basis, rows);
        // One row at a time ends for P-matrices where all at once may circle; the last row, as
        // Murty's rule takes the order of the indices as given.
        } else if single > 0 {
            single -= 1;
            basis = exchanged(&basis, &rows[rows.len() - 1..]);
        } else {
            return Repair::Best(best);
        }
        exchanges += 1;
    }
}

/// The solution beside an approximate z with a singular basis: that of the thinned basis, or one in the face of z.
fn beside(
    lcp: &MixedLcp,
    (basis, thinned, z): (&Basis, Option<&Basis>, &[f64]),
    budget: &Budget,
) -> Option<Repair> {
    let clock = Instant::now();
    let point = thinned.and_then(|thinned| basis_solution(lcp, thinned, budget).ok());
    match (point, thinned) {
        (Some(solution), Some(thinned)) if solution.signs == Signs::Feasible => {
            Some(Repair::Solved {
                solution: Box::new(solution),
                basis: thinned.clone(),
                exchanges: 0,
            })
        }
        _ => face_point(lcp, (basis, z), &budget.left_since(clock)).map(Repair::Point),
    }
}

/// The basis with the rows on their other side.
fn exchanged(basis: &Basis, rows: &[usize]) -> Basis {
    let mut bits: Vec<bool> = (0..basis.n()).map(|i| basis.z_is_basic(i)).collect();
    for &i in rows {
        bits[i] = !bits[i];
    }
    Basis::new(bits)
}
