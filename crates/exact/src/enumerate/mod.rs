//! All solutions, or a proof that there is none: pruned search over complementary choices.
//!
//! Each row of a mixed LCP has z_i = 0 or w_i = 0. The choices make a binary tree of polyhedra
//! {w = Mz + q, z >= 0, w >= 0, chosen entries zero}. The search keeps a dictionary of the
//! polyhedron ([`Cell`]) and moves it from parent to child by dual simplex pivots:
//!
//! * an empty polyhedron closes the branch, and its dictionary shows the Farkas vector;
//! * a vertex that breaks complementarity on some row is branched on at that row;
//! * a polyhedron that is one complementary point is that solution;
//! * when all rows are chosen, every point is a solution, and the vertices and rays of the face
//!   are listed: all of them, or the list says that it is cut short.
//!
//! So an infeasible half of the tree costs one linear feasibility problem, not 2^k of them. The
//! tree itself, a [`Cover`], is the proof, which `etalon-certify` checks without this module.
//! It ends: the tree has at most 2^n leaves, and Bland's rule ends every linear program. The
//! solutions stay in memory until the end, so there is a limit on memory beside the budget.

mod alone;
mod cell;
mod crew;
mod face;
mod lifted;
mod member;
mod search;
mod set;

use etalon_lcp::{Cover, CoverNode, MixedLcp, Number};
use rug::Rational;

use crate::budget::{Budget, Exhausted, Meter, check_rows, check_rows_up_to};
use crate::cores::spare;
use cell::Cell;
pub(crate) use lifted::lifted;
use search::{Goal, Search};
pub use set::{Face, SolutionSet};

/// The largest problem of the search. It keeps a dictionary for each level of the tree, so the limit is below that
/// of a single dictionary. The number is chosen.
const MAX_SEARCHED_ROWS: usize = 400;

/// Units of work (`Meter`), some milliseconds, before a search is shared with idle cores: most are over by then.
const ALONE: u64 = 10_000_000;

/// The result of the search for one solution.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A solution z.
    Solution(Vec<Rational>),
    /// None, with the proof. A root that is empty makes a cover of one node: a Farkas vector.
    None(Cover),
}

/// Finds all solutions of a mixed LCP. Idle cores help; the result does not depend on them.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub fn enumerate(lcp: &MixedLcp, budget: &Budget) -> Result<SolutionSet, Exhausted> {
    check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS)?;
    let mut search = Search::new(budget, Goal::All);
    let mut stack = search.begun(Cell::new(lcp, &search.meter)?)?;
    search.visit(&mut stack, &mut |search, _| search.meter.work() < ALONE)?;
    if !stack.is_empty() {
        let spare = spare(search.meter.helpers());
        search = crew::finish(search, stack, spare.threads())?;
    }
    Ok(search.finish())
}

/// Finds one solution of a mixed LCP, or proves that there is none.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub fn find_one(lcp: &MixedLcp, budget: &Budget) -> Result<Found, Exhausted> {
    // Too large for a search, yet one linear program may prove that there is none.
    if let Err(too_large) = check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS) {
        let empty = |y| {
            Found::None(Cover {
                nodes: vec![CoverNode::Empty { y }],
            })
        };
        return farkas(lcp, budget)?.map(empty).ok_or(too_large);
    }
    let mut search = Search::new(budget, Goal::One);
    Ok(match search.run(Cell::new(lcp, &search.meter)?)? {
        Some(z) => Found::Solution(z),
        None => Found::None(search.cover),
    })
}

/// Whether the first `own` entries of z are the same in all solutions of a solvable mixed LCP: the
/// proof if so. The search ends with the second solution, so this is quicker than [`enumerate`] where
/// the answer is no; and it does not follow multipliers of bounds, the entries after, where these
/// are many.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub(crate) fn prove_unique(
    lcp: &MixedLcp,
    own: usize,
    budget: &Budget,
) -> Result<Option<Cover>, Exhausted> {
    check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS)?;
    let mut search = Search::new(budget, Goal::Unique(own.min(lcp.n())));
    let several = search.run(Cell::new(lcp, &search.meter)?)?.is_some();
    Ok((!several && search.points.first().is_some()).then_some(search.cover))
}

/// Decides whether the linear inequalities alone can be satisfied: the Farkas vector if not.
///
/// # Errors
/// [`Exhausted`] when the budget runs out.
pub fn farkas(lcp: &MixedLcp, budget: &Budget) -> Result<Option<Vec<Number>>, Exhausted> {
    farkas_within(lcp, &mut Meter::new(budget))
}

/// As [`farkas`], where one budget is for several such questions.
pub(crate) fn farkas_within(
    lcp: &MixedLcp,
    meter: &mut Meter,
) -> Result<Option<Vec<Number>>, Exhausted> {
    check_rows(lcp.n())?;
    Cell::new(lcp, meter)?.settle(meter)
}

#[cfg(test)]
mod tests;
