//! Problems with friction cones in binary64.

mod blocks;
mod check;
mod condensed;
mod data;
mod groups;
mod joints;
mod newton;
mod rest;
mod run;
mod scaled;
mod sparse;
mod sums;
mod system;

pub use data::ConeProblem;

use crate::failure::Failure;
use crate::meter::Until;
use run::Run;

/// A solution that passed the self-check.
#[derive(Debug, Clone, PartialEq)]
pub struct ConeSolution {
    /// z, n values: forces within their cones.
    pub z: Vec<f64>,
    /// A bound on the block error, rounding included: at most 1e-12.
    pub block_error: f64,
    /// Factorisations.
    pub factors: u64,
}

/// Solves a problem with friction cones, from a point nearby where one is known.
///
/// # Errors
/// [`Failure`]. None of its cases says that there is no solution.
pub fn solve_cones(problem: &ConeProblem, start: Option<&[f64]>) -> Result<ConeSolution, Failure> {
    solve_cones_until(problem, start, Until::default())
}

/// As [`solve_cones`], until an end in time.
pub(crate) fn solve_cones_until(
    problem: &ConeProblem,
    start: Option<&[f64]>,
    until: Until,
) -> Result<ConeSolution, Failure> {
    let start = start.filter(|start| start.len() == problem.n());
    let (z, block_error, factors) = Run::new(problem, until).solve(start)?;
    Ok(ConeSolution {
        z,
        block_error,
        factors,
    })
}
