//! Walls with friction: thousands of pivots on Lemke's path, and few beside the interior-point method.

use etalon::fast::FastMethod;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_lcp::{Matrix, Problem, Solver, VerdictKind};

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
    let mut problem = etalon_conformance::generate("friction-wall", 2000, 3, 1).unwrap();
    let problem = problem.next().unwrap();
    let entries = (0..problem.n()).flat_map(|i| {
        let row = problem.m().row(i);
        row.filter(|(_, value)| !value.is_zero())
            .map(move |(j, value)| (i as u64, j as u64, value.clone()))
    });
    let n = problem.n() as u64;
    let m = Matrix::from_entries((n, n), entries.collect()).unwrap();
    let sparse = Problem::new("sparse", m, problem.q().to_vec()).unwrap();
    let claim = FastMethod::Auto.solver().solve(&sparse);
    let verdict = check_claim(&sparse, &claim, &Truth::default(), &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
}
