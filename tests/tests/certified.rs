//! Certified answers hold whatever basis is proposed, on every family of generated problems.

use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_exact::{BasisFailure, Signs};
use etalon_exact::{Budget, ExactMethod, SignProof, basis_solution, certified, sign_certificate};
use etalon_lcp::{Basis, Claim, Problem, Reduction, VerdictKind};

fn verdict(problem: &Problem, claim: &Claim) -> VerdictKind {
    check_claim(problem, claim, &Truth::default(), &Tolerance::default()).kind
}

fn proposals(n: usize, right: Option<&Basis>) -> Vec<Basis> {
    let every = |k: usize| Basis::new((0..n).map(|i| i % k == 0).collect());
    let mut all = vec![every(1), every(2), every(n + 1)];
    if let Some(right) = right {
        let near = (0..n).map(|i| right.z_is_basic(i) != (i == n / 2));
        all.push(Basis::new(near.collect()));
        all.push(right.clone());
    }
    all
}

#[test]
fn every_family_is_certified_from_any_proposal() {
    let budget = Budget {
        pivots: 20_000,
        bits: 200_000,
        ..Budget::default()
    };
    let mut count = 0;
    for family in etalon_conformance::families() {
        for n in [4, 9, 15] {
            // A family without this size is asked for others.
            let Ok(problems) = etalon_conformance::generate(family.name, n, 7, 2) else {
                continue;
            };
            for problem in problems {
                check(&problem, &budget);
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count} problems");
}

fn check(problem: &Problem, budget: &Budget) {
    let reference = ExactMethod::Certified.solver(budget).solve(problem);
    let expected = verdict(problem, &reference);
    let reduction = Reduction::new(problem);
    for basis in proposals(reduction.mixed().n(), reference.basis.as_ref()) {
        let claim = certified(problem, Some(&basis.clone().into()), budget);
        let found = verdict(problem, &claim);
        let name = problem.name();
        match expected {
            VerdictKind::Exact | VerdictKind::Proved => {
                assert_eq!(found, expected, "{name} from {basis}");
            }
            // The reference gave up; a basis may have helped.
            _ => assert!(
                matches!(found, VerdictKind::Exact | VerdictKind::Failed),
                "{name} from {basis}: {found:?}"
            ),
        }
        check_signs(problem, &reduction, &basis, budget);
    }
}

fn check_signs(problem: &Problem, reduction: &Reduction, basis: &Basis, budget: &Budget) {
    let exact = basis_solution(reduction.mixed(), basis, budget);
    let name = problem.name();
    match sign_certificate(reduction.mixed(), basis) {
        SignProof::Solved => assert_eq!(exact.unwrap().signs, Signs::Feasible, "{name}"),
        SignProof::Wrong { row } => {
            assert_ne!(exact, Err(BasisFailure::Singular), "{name}");
            let Signs::Infeasible { rows } = exact.unwrap().signs else {
                panic!("{name}: the basis is right");
            };
            assert!(rows.contains(&row), "{name}");
        }
        _ => {}
    }
}
