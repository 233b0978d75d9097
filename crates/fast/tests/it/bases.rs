//! What the bases of answers are good for: exact solutions start from them.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::families::{Random, friction, game};
use etalon_exact::{BasisFailure, Budget, basis_solution};
use etalon_fast::FastMethod;
use etalon_lcp::{ClaimedAnswer, Reduction};

/// Separated contacts make friction problems degenerate: z0 ends as rounding noise, still basic.
#[test]
fn the_basis_of_a_friction_answer_is_regular() {
    for (method, contacts, seeds) in [(FastMethod::Auto, 3, 200), (FastMethod::Lemke, 16, 20)] {
        for seed in 0..seeds {
            let case = friction(&mut Random::new(seed), contacts, 4);
            let problem = case.problem(&format!("friction-{seed}"));
            let claim = method.solver().solve(&problem);
            let basis = claim.basis.unwrap();
            let lcp = Reduction::new(&problem);
            let solution = basis_solution(lcp.mixed(), &basis, &Budget::default());
            let singular = matches!(solution, Err(BasisFailure::Singular));
            assert!(!singular, "{} by {method}", problem.name());
        }
    }
}

/// Lemke's method alone ends in a ray on most of them.
#[test]
fn games_are_solved_whatever_their_size() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let n = 2 + random.below(60);
        let problem = game(&mut random, n).problem(&format!("game-{seed}"));
        for method in [FastMethod::Auto, FastMethod::Lemke] {
            let claim = method.solver().solve(&problem);
            let solved = matches!(claim.answer, ClaimedAnswer::Solved { .. });
            assert!(solved, "{} of {n} by {method}", problem.name());
        }
    }
}
