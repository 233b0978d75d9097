use proptest::prelude::*;

use super::*;
use crate::testing::*;

fn run(m: &[Vec<i64>], q: &[i64]) -> LeastIndexRun {
    let method = LeastIndex {
        trace: true,
        ..LeastIndex::default()
    };
    method.solve(&mixed(&problem(m, q)))
}

proptest! {
    #[test]
    fn a_p_matrix_is_solved_without_repeating_a_basis(
        (m, q) in (1_usize..=5).prop_flat_map(|n| (p_matrix(n), vector(n)))
    ) {
        let run = run(&m, &q);
        let LeastIndexOutcome::Solved { z, .. } = run.outcome else {
            return Err(TestCaseError::fail("not solved"));
        };
        prop_assert_eq!(vec![z], brute_force(&problem(&m, &q)));
        let trace = run.trace.unwrap();
        prop_assert_eq!(trace.steps.len() as u64, run.pivots);
        prop_assert_eq!(trace.first_repeated_basis(), None);
        prop_assert_eq!(trace.first_singular_block(problem(&m, &q).m()), None);
    }

    #[test]
    fn any_matrix_ends_in_a_solution_or_outside_the_class(
        (m, q) in (1_usize..=5).prop_flat_map(|n| (any_matrix(n), vector(n)))
    ) {
        let problem = problem(&m, &q);
        match run(&m, &q).outcome {
            LeastIndexOutcome::Solved { z, .. } => {
                prop_assert!(etalon_certify::solves(&problem, &z).unwrap());
            }
            LeastIndexOutcome::OutOfClass { minor } => {
                prop_assert!(determinant(problem.m(), &minor) <= 0);
            }
            LeastIndexOutcome::Cycle => {}
            LeastIndexOutcome::Exhausted(_) => prop_assert!(false),
        }
    }
}

#[test]
fn murtys_family_takes_two_to_the_n_less_one_pivots() {
    for n in 1..=8 {
        assert_eq!(run(&murty(n), &vec![-1; n]).pivots, (1 << n) - 1);
        assert_eq!(run(&murty(n), &murty_powers(n)).pivots, (1 << n) - 1);
    }
}

#[test]
fn bilateral_rows_come_first_and_a_singular_block_is_outside_the_class() {
    let m = [vec![2, 1], vec![1, 2]];
    let bounds = [(None, None), (Some(0), None)];
    let run = LeastIndex::default().solve(&mixed(&boxed(&m, &[-5, -6], &bounds)));
    let LeastIndexOutcome::Solved { z, .. } = run.outcome else {
        panic!("a P-matrix");
    };
    assert_eq!(z, [Rational::from((4, 3)), Rational::from((7, 3))]);
    assert_eq!(run.pivots, 1);
    let singular = boxed(&[vec![0, 1], vec![1, 2]], &[-5, -6], &bounds);
    let outcome = LeastIndex::default().solve(&mixed(&singular)).outcome;
    assert_eq!(outcome, LeastIndexOutcome::OutOfClass { minor: vec![0] });
}

#[test]
fn a_budget_ends_a_run_as_exhausted() {
    let method = LeastIndex {
        budget: Budget {
            pivots: 62,
            ..Budget::default()
        },
        trace: false,
    };
    let run = method.solve(&mixed(&problem(&murty(6), &[-1; 6])));
    let exhausted = LeastIndexOutcome::Exhausted(Exhausted::Pivots(62));
    assert_eq!((run.outcome, run.pivots), (exhausted, 62));
}
