//! What the solvers say they have proved, held by exact arithmetic.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::families::{Case, Random};
use etalon_exact::{Budget, Signs, basis_solution};
use etalon_fast::{FastMethod, Lcp, Place, Start, Workspace};
use etalon_lcp::{Basis, Reduction};

/// Whether it was proved, and then rightly.
fn proved(case: &Case, workspace: &mut Workspace) -> bool {
    let lcp = Lcp::new(&case.m, &case.q).unwrap();
    let plain = workspace
        .solve(lcp.view(), FastMethod::Auto, Start::Cold)
        .is_ok();
    let Ok(solution) = workspace.solve_proving(lcp.view(), FastMethod::Auto, Start::Cold) else {
        assert!(!plain, "a proof costs no solution");
        return false;
    };
    if !solution.proved {
        return false;
    }
    let bits = solution.places.iter().map(|p| *p == Place::Between);
    let basis = Basis::new(bits.collect());
    let problem = case.problem("proved");
    let reduction = Reduction::new(&problem);
    let exact = basis_solution(reduction.mixed(), &basis, &Budget::default()).unwrap();
    assert_eq!(exact.signs, Signs::Feasible);
    true
}

#[test]
fn what_is_proved_is_true() {
    let mut workspace = Workspace::new();
    let pure = ["boxed", "bilateral"];
    for (name, family) in crate::families::ALL.iter().filter(|f| !pure.contains(&f.0)) {
        let mut count = 0;
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let n = 1 + random.below(if seed < 40 { 29 } else { 70 });
            let case = family(&mut random, n);
            count += u32::from(proved(&case, &mut workspace));
        }
        if *name == "pd" {
            assert!(count >= 59, "{name}: {count} of 60");
        }
    }
}

#[test]
fn large_blocks_are_proved_too() {
    let mut workspace = Workspace::new();
    let mut random = Random::new(7);
    // Beyond 160 rows the factorisation is another one.
    for n in [150, 420] {
        let case = crate::families::pd(&mut random, n);
        assert!(proved(&case, &mut workspace), "{n}");
    }
}
