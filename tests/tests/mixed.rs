//! Bodies in contact in mixed form, sparse: their velocities are unknowns beside the forces.

use etalon::fast::FastMethod;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_lcp::{Bound, Claim, ClaimedAnswer, Matrix, Number, Problem, Solver, VerdictKind};

fn generated(family: &str, n: usize, count: u64) -> impl Iterator<Item = Problem> {
    etalon_conformance::generate(family, n, count, 1).unwrap()
}

/// The fast method's claim, which holds by the rows as they are, within so much.
fn accepted(problem: &Problem, most: f64) -> Claim {
    let claim = FastMethod::Auto.solver().solve(problem);
    let verdict = check_claim(problem, &claim, &Truth::default(), &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
    let backward_error = verdict.measures.unwrap().backward_error.to_f64();
    assert!(
        backward_error < most,
        "{}: {backward_error}",
        problem.name()
    );
    claim
}

#[test]
fn the_sparse_way_solves_all_families_at_all_sizes() {
    for family in etalon_conformance::mixed_families() {
        if family.name.starts_with("cone-") {
            continue;
        }
        for (n, count) in [(24, 4), (60, 4), (600, 1)] {
            // A pile with eight directions has 34 rows at least.
            for problem in generated(family.name, n.max(family.sizes.min), count) {
                accepted(&problem, 1e-13);
            }
        }
    }
}

/// Over the limit of dense methods.
#[test]
fn a_wall_of_many_rows_is_solved() {
    accepted(&generated("mixed-wall", 6_000, 1).next().unwrap(), 1e-13);
}

/// All boxes but a few stand, and their velocities are no small numbers.
#[test]
fn bodies_at_rest_have_velocities_of_0() {
    let problem = generated("mixed-stack", 3_000, 1).next().unwrap();
    let claim = accepted(&problem, 1e-13);
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        panic!("{claim:?}");
    };
    let lower = problem.lower().unwrap();
    let free = z
        .iter()
        .zip(lower)
        .filter(|(_, lower)| **lower == Bound::NegativeInfinity);
    let velocities: Vec<f64> = free.map(|(z, _)| Number::to_f64(z)).collect();
    let at_rest = velocities.iter().filter(|v| **v == 0.0).count();
    assert!(
        3 * at_rest > 2 * velocities.len(),
        "{at_rest} of {}",
        velocities.len()
    );
    assert!(velocities.iter().all(|v| *v == 0.0 || v.abs() > 1e-9));
}

/// Bounds on both sides, over the limit of dense methods: a row of springs that stops hold.
#[test]
fn bounds_of_many_rows_are_kept() {
    let n = 5_100;
    let number = |value: f64| Number::from_f64(value).unwrap();
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push((i, i, number(3.1)));
        if i > 0 {
            entries.extend([(i, i - 1, number(-1.0)), (i - 1, i, number(-1.0))]);
        }
    }
    let m = Matrix::from_entries((n, n), entries).unwrap();
    let q = (0..n).map(|i| number(((i * i) % 7) as f64 - 1.5));
    let problem = Problem::new("stops", m, q.collect()).unwrap();
    let upper = (0..n).map(|_| Bound::Finite(number(0.3)));
    let problem = problem.with_bounds(None, Some(upper.collect())).unwrap();
    let claim = accepted(&problem, 1e-12);
    let ClaimedAnswer::Solved { z } = &claim.answer else {
        panic!("{claim:?}");
    };
    let at = |value: f64| z.iter().filter(|z| z.to_f64() == value).count();
    assert!(at(0.0) > 500 && at(0.3) > 500, "{} {}", at(0.0), at(0.3));
}
