//! Problems that are handed over whole: the answer is that to a borrowed one, whichever methods have to take it.

use std::time::Duration;

use etalon_fast::FastMethod;
use etalon_lcp::{Bound, Claim, ClaimedAnswer, Matrix, Number, Problem, Solver as _};

/// One row more than the dense methods take.
const LARGE: usize = 5001;

/// A sparse problem with this on the diagonal, q = -1, and free rows at the front.
fn diagonal(n: usize, own: &Number, free: usize) -> Problem {
    let entries = (0..n as u64).map(|i| (i, i, own.clone()));
    let m = Matrix::from_entries((n as u64, n as u64), entries.collect()).unwrap();
    let problem = Problem::new("diagonal", m, vec![Number::from(-1); n]).unwrap();
    let bound = |i: usize| match i < free {
        true => Bound::NegativeInfinity,
        false => Bound::Finite(0.into()),
    };
    let lower = (free > 0).then(|| (0..n).map(bound).collect());
    problem.with_bounds(lower, None).unwrap()
}

/// What both say, which is one.
fn answer(problem: Problem, method: FastMethod, time: Option<Duration>) -> Claim {
    let solver = method.solver_within(time);
    let untimed = |claim| Claim {
        seconds: None,
        ..claim
    };
    let borrowed = untimed(solver.solve(&problem));
    let owned = untimed(solver.solve_owned(problem));
    assert_eq!(owned, borrowed);
    owned
}

#[test]
fn a_problem_that_is_handed_over_has_the_answer_of_a_borrowed_one() {
    for n in [1, 300, LARGE] {
        for free in [0, 1] {
            let claim = answer(diagonal(n, &2.into(), free), FastMethod::Auto, None);
            let half = Number::from_f64(0.5).unwrap();
            assert_eq!(claim.answer, ClaimedAnswer::Solved { z: vec![half; n] });
        }
    }
}

#[test]
fn a_problem_that_another_method_may_take_is_kept_for_it() {
    // Beyond the range of safe products, which the sparse method sees before its first look at the clock.
    let huge = Number::from_f64(1e250).unwrap();
    let is_limit = |n, free, method| {
        let problem = diagonal(n, &huge, free);
        let why = answer(problem, method, Some(Duration::ZERO)).message;
        why.is_some_and(|why| why.contains("over the limit of 5000 for dense ones"))
    };
    // Nothing is left but to say so: the record may have gone by then.
    assert!(is_limit(LARGE, 0, FastMethod::Auto));
    assert!(is_limit(LARGE, 1, FastMethod::Block));
    // The method for friction cones is asked, and has no time.
    assert!(!is_limit(LARGE, 1, FastMethod::Auto));
    // Dense methods are.
    assert!(!is_limit(30, 0, FastMethod::Auto));
}
