use etalon_certify::{check_farkas, solves};
use etalon_lcp::{Friction, Number, Reduction, Row};
use proptest::prelude::*;

use super::*;
use crate::lemke::{Lemke, LemkeOutcome};
use crate::testing::*;

const RULES: [Next; 2] = [Next::Lowest, Next::MostNegative];

fn run(problem: &Problem, next: Next) -> DantzigRun {
    let method = Dantzig {
        next,
        trace: true,
        ..Dantzig::default()
    };
    method.solve(problem).unwrap()
}

fn solution(run: &DantzigRun) -> &[Rational] {
    match &run.outcome {
        DantzigOutcome::Solved { z, .. } => z,
        other => panic!("not solved: {other:?}"),
    }
}

/// Baraff's theorems, which hold for every matrix as long as the run goes on.
fn assert_drives(problem: &Problem, run: &DantzigRun) {
    let trace = run.trace.as_ref().unwrap();
    let rows = problem.rows();
    assert_eq!(trace.first_negative_length(), None);
    assert_eq!(trace.first_repeated_clamped_set(), None);
    assert_eq!(trace.first_uncomplementary(&rows), None);
    assert_eq!(trace.first_infeasible(&rows), None);
    for step in &trace.steps {
        assert_eq!(step.w, w(problem, &step.z));
    }
}

/// What besides holds where M is a P-matrix, or symmetric PSD with q in its column space.
fn assert_rising(problem: &Problem, run: &DantzigRun) {
    let trace = run.trace.as_ref().unwrap();
    let start = trace_start(problem, run);
    assert_eq!(trace.first_stall(&start, &problem.rows()), None);
    assert_eq!(trace.first_singular_block(problem.m()), None);
}

/// w before the first step: that of the first one, less what it changed.
fn trace_start(problem: &Problem, run: &DantzigRun) -> Vec<Rational> {
    let rows = problem.rows();
    let origin = |row: &Row<'_>| match row {
        Row::AtLeast(b) | Row::AtMost(b) | Row::Between(b, _) => b.to_rational(),
        _ => Rational::new(),
    };
    assert!(run.trace.is_some() && rows.iter().all(|row| *row != Row::Free));
    w(problem, &rows.iter().map(origin).collect::<Vec<_>>())
}

/// The claimed basis is complementary for the claimed z, on the rows of the mixed form.
fn assert_basis(problem: &Problem, run: &DantzigRun) {
    let DantzigOutcome::Solved { z, basis } = &run.outcome else {
        panic!("not solved");
    };
    let w = w(problem, z);
    let mut extra = problem.n();
    for (i, row) in problem.rows().iter().enumerate() {
        let zero_w = basis.z_is_basic(i);
        match row {
            Row::Nonnegative => assert!(zero_w && w[i] == 0 || !zero_w && z[i] == 0),
            Row::AtLeast(b) | Row::AtMost(b) => {
                assert!(zero_w && w[i] == 0 || !zero_w && z[i] == b.to_rational());
            }
            Row::Between(l, u) => {
                match (zero_w, basis.z_is_basic(extra)) {
                    (true, true) => assert!(z[i] == u.to_rational() && w[i] <= 0),
                    (true, false) => assert!(w[i] == 0),
                    (false, false) => assert!(z[i] == l.to_rational() && w[i] >= 0),
                    (false, true) => panic!("a multiplier without its variable"),
                }
                extra += 1;
            }
            _ => assert!(zero_w),
        }
    }
    assert_eq!(extra, basis.n());
    assert_eq!(extra, Reduction::new(problem).mixed().n());
}

fn assert_farkas(problem: &Problem, y: &[Rational]) {
    let reduction = Reduction::new(problem);
    let rows = problem.rows();
    let signed = y.iter().zip(&rows).map(|(y, row)| match row {
        Row::AtMost(_) => Number::from(Rational::from(-y)),
        _ => Number::from(y.clone()),
    });
    let mut y: Vec<_> = signed.collect();
    y.resize(reduction.mixed().n(), Number::from(0));
    assert_eq!(check_farkas(reduction.mixed(), &y), Ok(()));
}

/// Every row twice: z_i of the source is shared by two that nothing but their own entries
/// tells apart, so that whatever happens to one happens to the other at the same point.
fn twinned(m: &[Vec<i64>], q: &[i64]) -> Problem {
    let n = q.len();
    let entry = |i: usize, j: usize| {
        let own = i64::from(i % n == j % n) * if i == j { 1 } else { -1 };
        m[i % n][j % n] + own
    };
    let rows: Vec<Vec<i64>> = (0..2 * n)
        .map(|i| (0..2 * n).map(|j| entry(i, j)).collect())
        .collect();
    let q: Vec<i64> = q.iter().chain(q).copied().collect();
    problem(&rows, &q)
}

fn bounds(n: usize) -> impl Strategy<Value = Vec<(Option<i64>, Option<i64>)>> {
    let one = prop_oneof![
        Just((Some(0), None)),
        (-3_i64..=3).prop_map(|l| (Some(l), None)),
        (-3_i64..=3).prop_map(|u| (None, Some(u))),
        (-3_i64..=3, 0_i64..=3).prop_map(|(l, width)| (Some(l), Some(l + width))),
        Just((None, None)),
    ];
    prop::collection::vec(one, n)
}

proptest! {
    #[test]
    fn positive_semidefinite_with_q_in_range_is_solved_as_baraff_proves(
        (m, y) in (1_usize..=6).prop_flat_map(|n| (psd_matrix(n, 3), vector(n)))
    ) {
        let problem = problem(&m, &times(&m, &y));
        for next in RULES {
            let run = run(&problem, next);
            prop_assert!(solves(&problem, solution(&run)).unwrap());
            assert_drives(&problem, &run);
            assert_rising(&problem, &run);
            prop_assert_eq!(run.trace.as_ref().unwrap().steps.len() as u64, run.steps);
            let z = solution(&run);
            prop_assert!(brute_force(&problem).iter().all(|other| w(&problem, other) == w(&problem, z)));
        }
    }

    #[test]
    fn positive_semidefinite_with_any_q_is_solved_or_proved_infeasible(
        (m, q) in (1_usize..=6).prop_flat_map(|n| (psd_matrix(n, 2), vector(n)))
    ) {
        let problem = problem(&m, &q);
        for next in RULES {
            let run = run(&problem, next);
            assert_drives(&problem, &run);
            match &run.outcome {
                DantzigOutcome::Solved { z, .. } => prop_assert!(solves(&problem, z).unwrap()),
                DantzigOutcome::Unbounded { direction } => assert_farkas(&problem, direction),
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }

    #[test]
    fn rows_that_move_together_are_told_apart_all_through_a_drive(
        (m, q) in (3_usize..=6).prop_flat_map(|n| (prop_oneof![psd_matrix(n, n), p_matrix(n)], vector(n)))
    ) {
        // The perturbation asserts that no two ratios are equal.
        for next in RULES {
            let problem = twinned(&m, &q);
            let run = run(&problem, next);
            assert_drives(&problem, &run);
            prop_assert!(!matches!(run.outcome, DantzigOutcome::Exhausted(_)));
        }
    }

    #[test]
    fn a_p_matrix_is_solved_as_lemke_solves_it(
        (m, q) in (1_usize..=6).prop_flat_map(|n| (p_matrix(n), vector(n)))
    ) {
        let problem = problem(&m, &q);
        let LemkeOutcome::Solved { z, .. } = Lemke::default().solve(&mixed(&problem)).unwrap().outcome else {
            return Err(TestCaseError::fail("Lemke"));
        };
        for next in RULES {
            let run = run(&problem, next);
            prop_assert_eq!(solution(&run), &z);
            assert_drives(&problem, &run);
            assert_rising(&problem, &run);
            assert_basis(&problem, &run);
        }
    }

    #[test]
    fn boxes_on_a_p_matrix_have_the_solution_of_brute_force(
        (m, q, bounds) in (1_usize..=4).prop_flat_map(|n| (p_matrix(n), vector(n), bounds(n)))
    ) {
        let problem = boxed(&m, &q, &bounds);
        for next in RULES {
            let run = run(&problem, next);
            prop_assert_eq!(vec![solution(&run).to_vec()], brute_force(&problem));
            assert_drives(&problem, &run);
            assert_basis(&problem, &run);
        }
    }

    #[test]
    fn boxes_on_a_psd_matrix_are_solved_or_proved_infeasible(
        (m, q, bounds) in (1_usize..=4).prop_flat_map(|n| (psd_matrix(n, 2), vector(n), bounds(n)))
    ) {
        let problem = boxed(&m, &q, &bounds);
        let all = brute_force(&problem);
        for next in RULES {
            let run = run(&problem, next);
            assert_drives(&problem, &run);
            match &run.outcome {
                DantzigOutcome::Solved { z, .. } => {
                    prop_assert!(solves(&problem, z).unwrap());
                    prop_assert!(all.iter().all(|other| w(&problem, other) == w(&problem, z)));
                    assert_basis(&problem, &run);
                }
                DantzigOutcome::Unbounded { direction } => {
                    prop_assert!(all.is_empty());
                    assert_farkas(&problem, direction);
                }
                DantzigOutcome::Inconsistent { y } => {
                    prop_assert!(all.is_empty());
                    prop_assert!(transposed(&problem, y).iter().all(|v| *v == 0));
                    prop_assert!(dot(problem.q(), y) < 0);
                    let rows = problem.rows();
                    prop_assert!(rows.iter().zip(y).all(|(row, y)| *row == Row::Free || *y == 0));
                }
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }

    #[test]
    fn any_matrix_with_any_bounds_comes_to_an_end_that_can_be_checked(
        (m, q, bounds) in (1_usize..=4).prop_flat_map(|n| (any_matrix(n), vector(n), bounds(n)))
    ) {
        let problem = boxed(&m, &q, &bounds);
        let free: Vec<_> = (0..q.len()).filter(|&i| bounds[i] == (None, None)).collect();
        for next in RULES {
            let run = run(&problem, next);
            assert_drives(&problem, &run);
            match &run.outcome {
                DantzigOutcome::Solved { z, .. } => {
                    prop_assert!(solves(&problem, z).unwrap());
                    assert_basis(&problem, &run);
                }
                DantzigOutcome::OutOfClass { minor } if free.is_empty() => {
                    prop_assert!(determinant(problem.m(), minor) <= 0);
                }
                DantzigOutcome::OutOfClass { minor } => {
                    let block: Vec<_> = free.iter().copied().filter(|i| minor.contains(i)).collect();
                    let (part, whole) = (determinant(problem.m(), &block), determinant(problem.m(), minor));
                    prop_assert!(whole * part <= 0);
                }
                DantzigOutcome::Unbounded { .. } | DantzigOutcome::Inconsistent { .. } => {}
                DantzigOutcome::Exhausted(_) => prop_assert!(false),
            }
        }
    }
}

/// In the drive of row 3, clamped z leave C in pairs and their w come back together: nothing but
/// the shares of those z in the perturbation tells the two apart.
#[test]
fn a_z_that_left_still_breaks_ties() {
    let m = [[5, 1, -3, 1], [1, 5, 3, -3], [-3, 3, 6, -1], [1, -3, -1, 5]];
    let problem = twinned(&m.map(Vec::from), &[-4, -2, -1, 0]);
    for next in RULES {
        assert_drives(&problem, &run(&problem, next));
    }
}

#[test]
fn the_answer_to_a_tied_contact_depends_on_the_order_and_w_does_not() {
    // A box on four corners: rank 3.
    let problem = golden("statics/box3d_four_corners_load_corner.json");
    let [a, b] = RULES.map(|next| run(&problem, next));
    assert_eq!((a.steps, b.steps), (3, 2));
    assert_ne!(solution(&a), solution(&b));
    assert_eq!(w(&problem, solution(&a)), w(&problem, solution(&b)));
}

#[test]
fn murtys_family_takes_two_to_the_n_less_one_steps() {
    for n in 1..=8 {
        for next in RULES {
            let run = run(&problem(&murty(n), &murty_powers(n)), next);
            assert_eq!(run.steps, (1 << n) - 1);
        }
    }
}

#[test]
fn opposed_contacts_are_unbounded_with_a_farkas_vector() {
    let problem = problem(&[vec![1, -1], vec![-1, 1]], &[-1, -1]);
    let run = run(&problem, Next::Lowest);
    assert_eq!(run.steps, 2);
    let DantzigOutcome::Unbounded { direction } = run.outcome else {
        panic!("there is no solution");
    };
    assert_eq!(direction, [1, 1]);
    assert_farkas(&problem, &direction);
}

#[test]
fn dependent_bilateral_rows_are_skipped_or_refuted() {
    let m = [vec![1, 1, 0], vec![1, 1, 0], vec![0, 0, 1]];
    let bounds = [(None, None), (None, None), (Some(0), None)];
    let consistent = boxed(&m, &[-2, -2, -3], &bounds);
    let run_consistent = run(&consistent, Next::Lowest);
    assert_eq!(solution(&run_consistent), [2, 0, 3]);
    assert_eq!(run_consistent.steps, 1);
    let DantzigOutcome::Inconsistent { y } =
        run(&boxed(&m, &[-2, -1, -3], &bounds), Next::Lowest).outcome
    else {
        panic!("the first two rows contradict each other");
    };
    assert_eq!(y, [1, -1, 0]);
}

#[test]
fn a_variable_driven_to_its_other_bound_costs_one_step_and_no_pivot() {
    let problem = boxed(&[vec![1]], &[-5], &[(Some(0), Some(2))]);
    let run = run(&problem, Next::Lowest);
    assert_eq!(solution(&run), [2]);
    assert_eq!(run.steps, 1);
    let step = &run.trace.as_ref().unwrap().steps[0];
    assert_eq!(step.entering, step.leaving);
    assert_eq!(step.length, 2);
    assert_eq!(step.w, [-3]);
}

#[test]
fn a_fixed_row_is_never_driven() {
    // Its w may be negative, and its diagonal entry too.
    let problem = boxed(
        &[vec![-1, 0], vec![0, 1]],
        &[-1, -3],
        &[(Some(2), Some(2)), (Some(0), None)],
    );
    for next in RULES {
        let run = run(&problem, next);
        assert_eq!(solution(&run), [2, 3]);
        assert_eq!(run.steps, 1);
        assert_basis(&problem, &run);
    }
}

#[test]
fn a_symmetric_indefinite_matrix_is_refused_with_the_minor() {
    let run = run(&problem(&[vec![1, 2], vec![2, 1]], &[-1, -3]), Next::Lowest);
    let minor = vec![0, 1];
    assert_eq!(run.outcome, DantzigOutcome::OutOfClass { minor });
}

#[test]
fn friction_rows_are_refused() {
    let mu = Number::from(1);
    let friction = Friction {
        row: 1,
        normal: 0,
        mu,
    };
    let problem = problem(&murty(2), &[-1, -1])
        .with_friction(vec![friction])
        .unwrap();
    let error = Dantzig::default().solve(&problem).unwrap_err();
    assert_eq!(error, DantzigError::Friction { row: 1, normal: 0 });
}

#[test]
fn a_budget_ends_a_run_as_exhausted() {
    let method = Dantzig {
        budget: Budget {
            pivots: 62,
            ..Budget::default()
        },
        ..Dantzig::default()
    };
    let run = method.solve(&problem(&murty(6), &murty_powers(6))).unwrap();
    let exhausted = DantzigOutcome::Exhausted(Exhausted::Pivots(62));
    assert_eq!((run.outcome, run.steps), (exhausted, 62));
}
