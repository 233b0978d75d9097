//! Asking a solver, and reading its answer.

use etalon_lcp::{Basis, Claim, ClaimedAnswer, Problem, Solver};
use etalon_rigid::Scalar;

use crate::error::StepError;
use crate::formulation::StepLcp;

/// A solver's answer to a step's problem.
#[derive(Debug, Clone, PartialEq)]
pub struct StepAnswer<S> {
    /// z.
    pub z: Vec<S>,
    /// The complementary basis; that of the positive entries where the solver names none.
    pub basis: Basis,
    /// Pivots, where the solver counts them.
    pub pivots: Option<u64>,
}

/// Solves a step's problem.
///
/// # Errors
/// [`StepError::Unsolvable`], [`StepError::GaveUp`], [`StepError::Problem`].
pub fn solve<S: Scalar>(
    lcp: &StepLcp<S>,
    name: &str,
    solver: &dyn Solver,
) -> Result<StepAnswer<S>, StepError> {
    if lcp.q.is_empty() {
        return Ok(StepAnswer {
            z: Vec::new(),
            basis: Basis::new(Vec::new()),
            pivots: Some(0),
        });
    }
    ask(&lcp.problem(name)?, solver)
}

/// Solves a problem that is a record already.
///
/// # Errors
/// [`StepError::Unsolvable`], [`StepError::GaveUp`], [`StepError::Length`].
pub fn ask<S: Scalar>(problem: &Problem, solver: &dyn Solver) -> Result<StepAnswer<S>, StepError> {
    let claim = solver.solve(problem);
    let named = || solver.name().to_owned();
    let message = claim.message.clone().unwrap_or_default();
    let z = match claim.answer {
        ClaimedAnswer::Solved { z } => z,
        ClaimedAnswer::Unsolvable => {
            let solver = named();
            return Err(StepError::Unsolvable { solver, message });
        }
        ClaimedAnswer::Failed => {
            let solver = named();
            return Err(StepError::GaveUp { solver, message });
        }
    };
    if z.len() != problem.n() {
        return Err(StepError::Length {
            what: "the solver's answer",
            length: z.len(),
            expected: problem.n(),
        });
    }
    let z: Vec<S> = z.iter().map(S::from_number).collect();
    // Of a degenerate solution this is one of several bases, and may be singular.
    let positive = || Basis::new(z.iter().map(|z| z.signum() > 0).collect());
    let basis = claim.basis.filter(|basis| basis.n() == z.len());
    Ok(StepAnswer {
        basis: basis.unwrap_or_else(positive),
        pivots: claim.pivots,
        z,
    })
}

/// Solvers that are asked in turn until one does not give up: a fast one, and an exact one behind
/// it for problems that rounding makes too hard.
pub struct FirstOf {
    name: String,
    solvers: Vec<Box<dyn Solver + Send + Sync>>,
}

impl FirstOf {
    /// The solvers in that order, under a common name.
    pub fn new(name: impl Into<String>, solvers: Vec<Box<dyn Solver + Send + Sync>>) -> Self {
        let name = name.into();
        Self { name, solvers }
    }
}

impl Solver for FirstOf {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let mut last = Claim::failed(problem.name(), "there is no solver to ask");
        for solver in &self.solvers {
            last = solver.solve(problem);
            if last.answer != ClaimedAnswer::Failed {
                break;
            }
        }
        last
    }
}
