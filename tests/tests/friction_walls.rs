//! Walls with friction: thousands of pivots on Lemke's path, and few beside the interior-point method.

use etalon::fast::FastMethod;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_lcp::{Solver, VerdictKind};

#[test]
fn walls_with_friction_take_no_walk() {
    for n in [800, 1200] {
        for problem in etalon_conformance::generate("friction-wall", n, 11, 2).unwrap() {
            let claim = FastMethod::Auto.solver().solve(&problem);
            let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
            assert!(
                matches!(verdict.kind, VerdictKind::Accepted | VerdictKind::Exact),
                "{}: {verdict:?}",
                problem.name()
            );
            // Lemke's path takes some thousands of most walls. Where the sparse method gives up, the dense one comes after two pivots a
            // row and a hundred.
            let (pivots, most) = (claim.pivots.unwrap(), 2 * n as u64 + 101);
            assert!(pivots <= most, "{}: {pivots}", problem.name());
        }
    }
}

/// A record whose M is sparse stays so, up to sizes that no dense matrix could have.
#[test]
fn sparse_records_with_friction_are_solved() {
    let mut problems = etalon_conformance::generate("friction-wall", 8000, 3, 1).unwrap();
    let problem = problems.next().unwrap();
    assert!(problem.m().is_sparse());
    let claim = FastMethod::Auto.solver().solve(&problem);
    let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
}

/// Records of up to 2,000 rows are dense, and the same numbers as in a larger record's form.
#[test]
fn small_walls_are_written_as_ever() {
    let mut problems = etalon_conformance::generate("friction-wall", 2000, 3, 1).unwrap();
    let problem = problems.next().unwrap();
    assert!(!problem.m().is_sparse());
    // Each row of friction has the 1 of E, each row of a multiplier mu and -E'.
    let (last, contacts) = (problem.n() - 1, problem.n() / 4);
    let row: Vec<usize> = problem
        .m()
        .row(last)
        .filter(|(_, v)| !v.is_zero())
        .map(|(j, _)| j)
        .collect();
    assert_eq!(row, [2 * contacts - 2, 2 * contacts - 1, 3 * contacts - 1]);
}
