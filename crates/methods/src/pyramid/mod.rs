//! Pyramids in place of friction cones: what a solver of linear complementarity problems makes of contacts.
//!
//! The disc |r|_d <= r_N of a contact is replaced by a polygon, and the problem by a linear complementarity
//! problem, which the workspace's own methods solve. The answer solves the problem of the pyramids and not that
//! of the cones: it is here to be compared with answers that do.
//!
//! - [`Sides::Box`]: |r_k| <= mu_k r_N row by row, the square about the circle, as ODE, Bullet and DART have it.
//! - [`Sides::Inscribed`]: the convex hull of k points of the circle (Stewart and Trinkle 1996; Anitescu and
//!   Potra 1997).
//!
//! Under `coulomb` each disc has its own polygon. With directions D_j, friction r_d = sum of x_j D_j:
//!
//! > 0 <= x_j, D_j'u + l >= 0 and 0 <= l, r_N - sum of x_j >= 0, complementary.
//!
//! Under `convex` the polygon spans a polyhedral cone, of which r is a sum: r = sum of x_j (1, D_j), 0 <= x_j and
//! u_N + D_j'u >= 0, complementary.

mod formulation;

use std::time::Instant;

use etalon_exact::{Budget, Certified};
use etalon_lcp::{Claim, ClaimedAnswer, Problem, Solver};

use formulation::Formulation;

/// The polygons that stand for circles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// The box about the disc.
    Box,
    /// So many directions, a multiple of 4, the first along the first row.
    Inscribed(u32),
}

/// Solves problems with friction cones as if these were pyramids: in binary64 where that succeeds, else exactly.
///
/// Answers are combinations of directions that are rounded to binary64. Giving up is a claim of `failed`, also where the
/// problem of the pyramids has no solution: that says nothing of the cones.
#[derive(Debug, Clone)]
pub struct Pyramid {
    sides: Sides,
    name: String,
    budget: Budget,
}

/// Why a problem has no such pyramids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PyramidError {
    /// Directions that do not go round a circle evenly.
    #[error("{0} directions: give a multiple of 4, at least 4")]
    Directions(u32),
    /// A disc that is no circle or ellipse.
    #[error("a disc of {0} rows has no polygon of directions; those of one and two rows have")]
    Rows(usize),
    /// Several discs under the convex law.
    #[error("several discs under the convex law have no polyhedral cone here")]
    Discs,
    /// Data that make no problem.
    #[error(transparent)]
    Problem(#[from] etalon_lcp::ProblemError),
    /// A matrix that is too large.
    #[error(transparent)]
    Matrix(#[from] etalon_lcp::MatrixError),
}

impl Pyramid {
    /// The solver; the budget is for exact arithmetic.
    pub fn new(sides: Sides, budget: Budget) -> Self {
        let name = match sides {
            Sides::Box => "pyramid-box".to_owned(),
            Sides::Inscribed(directions) => format!("pyramid-{directions}"),
        };
        Self {
            sides,
            name,
            budget,
        }
    }

    fn answer(&self, problem: &Problem) -> Result<Claim, PyramidError> {
        let formulation = Formulation::new(problem, self.sides)?;
        let failed = |why: &str| Claim::failed(problem.name(), why);
        let claim = self.solved(formulation.problem());
        Ok(match claim.answer {
            ClaimedAnswer::Solved { z } => {
                let z = formulation.forces(&z);
                Claim::new(problem.name(), ClaimedAnswer::Solved { z })
            }
            ClaimedAnswer::Unsolvable => failed("the problem of the pyramids has no solution"),
            ClaimedAnswer::Failed => failed(&claim.message.unwrap_or_default()),
        })
    }

    /// The answer of the first method that has one.
    fn solved(&self, problem: &Problem) -> Claim {
        use etalon_fast::FastMethod::{Auto, Lemke};
        for method in [Auto, Lemke] {
            let claim = method.solver().solve(problem);
            if matches!(claim.answer, ClaimedAnswer::Solved { .. }) {
                return claim;
            }
        }
        Certified::new(Auto.solver(), self.budget.clone()).solve(problem)
    }
}

impl Solver for Pyramid {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let start = Instant::now();
        let mut claim = (self.answer(problem))
            .unwrap_or_else(|error| Claim::failed(problem.name(), error.to_string()));
        claim.method = Some(self.name.clone());
        claim.seconds = Some(start.elapsed().as_secs_f64());
        claim
    }
}

#[cfg(test)]
mod tests;
