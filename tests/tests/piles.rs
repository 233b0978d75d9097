//! Piles in space and columns of grains: more redundant contacts than walls have, and more nonzeros in a row.

use etalon::fast::FastMethod;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_lcp::{Claim, Problem, Solver, VerdictKind};
use rug::Rational;

fn generated(family: &str, n: usize) -> Problem {
    let mut problems = etalon_conformance::generate(family, n, 1, 1).unwrap();
    problems.next().unwrap()
}

fn accepted(problem: &Problem) -> Claim {
    judged(problem).0
}

/// An accepted claim, and its error.
fn judged(problem: &Problem) -> (Claim, Rational) {
    let claim = FastMethod::Auto.solver().solve(problem);
    let verdict = check_claim(problem, &claim, &Truth::default(), &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
    (claim, verdict.measures.unwrap().error)
}

#[test]
fn sparse_piles_and_columns_are_solved() {
    for (family, n) in [
        ("friction-pile-3d", 1_500),
        ("friction-pile-eight", 500),
        ("friction-column", 2_000),
        ("column", 6_000),
    ] {
        let problem = generated(family, n);
        assert!(problem.m().is_sparse(), "{family}");
        accepted(&problem);
    }
}

/// Three or four rows of this pile change places for ever where all are exchanged at once.
#[test]
fn rows_that_go_in_circles_are_exchanged_one_by_one() {
    let claim = accepted(&generated("pile-3d", 10_000));
    let pivots = claim.pivots.unwrap();
    assert!(pivots < 430, "{pivots}");
}

/// The rows mu f_n - sum f_t have terms of the size of forces alone. Regularised as rows of velocities are, these two come out wrong by 1e-14,
/// and piles of 10,000 rows by more than the self-check allows.
#[test]
fn rows_of_friction_bounds_are_right_in_their_own_size() {
    let most = Rational::from((1, 10_u64.pow(15)));
    for problem in etalon_conformance::generate("friction-pile-eight", 300, 2, 2).unwrap() {
        let (_, error) = judged(&problem);
        assert!(error <= most, "{}", error.to_f64());
    }
}
