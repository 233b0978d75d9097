//! What the fast solvers promise, held by the exact checker.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::families::{ALL, Random};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::{Failure, FastMethod, LcpRef, Start, Workspace};
use etalon_lcp::{ClaimedAnswer, Problem, VerdictKind};
use rug::Rational;

fn tolerance(n: usize) -> Tolerance {
    Tolerance {
        tol: Rational::from((n.max(1) as u64, 10_000_000_000_000u64)),
        ..Tolerance::default()
    }
}

/// Whether the method solved it; panics where it said so wrongly.
fn solves(problem: &Problem, method: FastMethod) -> bool {
    let claim = method.solver().solve(problem);
    if claim.answer == ClaimedAnswer::Failed {
        if std::env::var_os("SHOW").is_some() {
            eprintln!("{} {method}: {:?}", problem.name(), claim.message);
        }
        return false;
    }
    let verdict = check_claim(problem, &claim, &Truth::default(), &tolerance(problem.n()));
    let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
    assert!(fine, "{} by {method}: {verdict:?}", problem.name());
    true
}

#[test]
fn no_answer_called_solved_is_wrong() {
    judged(250, 1, 24);
}

/// Small problems are walked by a method of their own; these are beyond its reach.
#[test]
fn no_answer_called_solved_is_wrong_beyond_the_small() {
    judged(24, 38, 70);
}

/// Problems of each family with `least` rows and up to `more` others, by every method.
fn judged(count: u64, least: usize, more: usize) {
    let mut table = String::new();
    for (name, family) in ALL {
        let mut solved = [0; 4];
        for seed in 0..count {
            let mut random = Random::new(seed);
            let n = least + random.below(more);
            let case = family(&mut random, n);
            let problem = case.problem(&format!("{name}-{seed}"));
            for (method, solved) in FastMethod::ALL.iter().zip(&mut solved) {
                *solved += u32::from(solves(&problem, *method));
            }
        }
        table += &format!("{name} of {count}: {solved:?}\n");
    }
    eprintln!("{table}");
}

/// Bilateral rows that say the same thing, but for rounding: no answer is good to the last digits, and one that is good
/// enough is given only to those who said what is.
#[test]
fn less_is_given_to_those_who_accept_it() {
    let m = [1.0; 9];
    let q = [-1.0, -1.0 - 1e-13, -1.0];
    let (lower, upper) = ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);
    let lcp = LcpRef::new(&m, &q)
        .unwrap()
        .with_bounds(&lower, &upper)
        .unwrap();
    let mut workspace = Workspace::new();
    let strict = workspace.solve(lcp, FastMethod::Auto, Start::Cold);
    assert!(
        matches!(strict, Err(Failure::Inaccurate { .. })),
        "{strict:?}"
    );
    workspace.accept(1e-15);
    assert!(workspace.solve(lcp, FastMethod::Auto, Start::Cold).is_err());
    workspace.accept(1e-12);
    let solution = workspace.solve(lcp, FastMethod::Auto, Start::Cold).unwrap();
    assert!(solution.backward_error > 1e-15 && solution.backward_error <= 1e-12);
    assert!((solution.z.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    workspace.accept(0.0);
    assert!(workspace.solve(lcp, FastMethod::Auto, Start::Cold).is_err());
}
