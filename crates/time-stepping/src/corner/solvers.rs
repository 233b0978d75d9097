//! The solvers of the problems of corners.

use etalon_exact::{Budget, Found, RAY_WITHOUT_PROOF, find_one};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Reduction, Solver};

use crate::error::StepError;

/// The most choices of the gaps that impulses stop at which are tried. Chosen: all of ten corners of two faces. Most steps take the first one.
pub(super) const MAX_CHOICES: usize = 1 << 10;

/// The solvers of a choice: one that is fast, and one for what that leaves open.
pub(super) struct Solvers {
    pub fast: Box<dyn Solver + Send + Sync>,
    pub search: Search,
}

/// Whether Lemke's method has ended without showing anything. What a limit ends is something else: it would depend on the limit.
pub(super) fn is_open(error: &StepError) -> bool {
    matches!(error, StepError::GaveUp { message, .. } if message == RAY_WITHOUT_PROOF)
}

/// The search over complementary choices, up to the first solution.
pub(super) struct Search(pub(super) Budget);

impl Solver for Search {
    fn name(&self) -> &str {
        "search"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let reduction = Reduction::new(problem);
        let answer = match find_one(reduction.mixed(), &self.0) {
            Ok(Found::Solution(z)) => {
                let z = reduction.lift(&z).into_iter().map(Number::from);
                ClaimedAnswer::Solved { z: z.collect() }
            }
            Ok(Found::None(_)) => ClaimedAnswer::Unsolvable,
            Err(exhausted) => return Claim::failed(problem.name(), exhausted.to_string()),
        };
        Claim {
            answer,
            ..Claim::failed(problem.name(), "")
        }
    }
}
