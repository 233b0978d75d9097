use etalon_certify::{check_farkas, solves};
use etalon_lcp::{Number, Problem, Row};
use proptest::prelude::*;

use super::*;
use crate::testing::*;
use crate::trace::Progress;

fn run_on(problem: &Problem, ties: Ties) -> LemkeRun {
    let lemke = Lemke {
        ties,
        trace: true,
        ..Lemke::default()
    };
    lemke.solve(&mixed(problem)).unwrap()
}

fn run(problem: &Problem) -> LemkeRun {
    run_on(problem, Ties::Lexicographic)
}

fn solution(run: &LemkeRun) -> &[Rational] {
    match &run.outcome {
        LemkeOutcome::Solved { z, .. } => z,
        other => panic!("not solved: {other:?}"),
    }
}

/// The properties of every lexicographic run, whatever the matrix.
fn assert_path(problem: &Problem, run: &LemkeRun) {
    let trace = run.trace.as_ref().unwrap();
    let rows = problem.rows();
    assert_eq!(trace.steps.len() as u64, run.pivots);
    assert_eq!(trace.first_repeated_basis(), None);
    assert_eq!(trace.first_negative_length(), None);
    assert_eq!(trace.first_uncomplementary(&rows), None);
    assert_eq!(trace.first_infeasible(&rows), None);
    for step in &trace.steps {
        let Progress::Artificial(z0) = &step.progress else {
            panic!("a step of another method");
        };
        let w = w(problem, &step.z);
        for (i, row) in rows.iter().enumerate() {
            let d = i32::from(*row != Row::Free);
            assert_eq!(step.w[i], Rational::from(&z0[0] * d) + &w[i]);
        }
    }
}

/// All of point + t direction is feasible and complementary.
fn assert_ray(problem: &Problem, ray: &Ray) {
    let Ray { point, direction } = ray;
    let n = problem.n();
    let (w_point, w_image) = (w(problem, &point.z), w(problem, &direction.z));
    for i in 0..n {
        assert_eq!(point.w[i], Rational::from(&w_point[i] + &point.z0));
        let linear = &w_image[i] - problem.q()[i].to_rational();
        assert_eq!(direction.w[i], linear + &direction.z0);
        for (z, w) in [
            (&point.z[i], &point.w[i]),
            (&direction.z[i], &direction.w[i]),
            (&point.z[i], &direction.w[i]),
            (&direction.z[i], &point.w[i]),
        ] {
            assert!(*z >= 0 && *w >= 0 && (*z == 0 || *w == 0));
        }
    }
    assert!(direction.z0 >= 0 && direction.z.iter().any(|z| *z != 0));
}

proptest! {
    #[test]
    fn a_p_matrix_is_solved_with_z0_falling_all_the_way(
        (m, q) in (1_usize..=5).prop_flat_map(|n| (p_matrix(n), vector(n)))
    ) {
        let problem = problem(&m, &q);
        let run = run(&problem);
        prop_assert_eq!(vec![solution(&run).to_vec()], brute_force(&problem));
        assert_path(&problem, &run);
        prop_assert_eq!(run.trace.unwrap().first_artificial_not_falling(), None);
    }

    #[test]
    fn on_a_copositive_plus_matrix_a_ray_is_a_proof_of_infeasibility(
        (m, skew, q) in (1_usize..=5).prop_flat_map(|n| (psd_matrix(n, 2), any_matrix(n), vector(n)))
    ) {
        let n = q.len();
        let entry = |i: usize, j: usize| m[i][j] + skew[i][j] - skew[j][i];
        let m: Integers = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let problem = problem(&m, &q);
        let run = run(&problem);
        assert_path(&problem, &run);
        prop_assert_eq!(run.trace.as_ref().unwrap().first_artificial_rising(), None);
        match &run.outcome {
            LemkeOutcome::Solved { z, .. } => prop_assert!(solves(&problem, z).unwrap()),
            LemkeOutcome::Ray(ray) => {
                assert_ray(&problem, ray);
                let y: Vec<_> = ray.direction.z.iter().cloned().map(Number::from).collect();
                prop_assert_eq!(check_farkas(&mixed(&problem), &y), Ok(()));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn on_any_matrix_the_path_ends_in_a_solution_or_a_ray(
        (m, q) in (1_usize..=5).prop_flat_map(|n| (any_matrix(n), vector(n)))
    ) {
        let problem = problem(&m, &q);
        let run = run(&problem);
        assert_path(&problem, &run);
        match &run.outcome {
            LemkeOutcome::Solved { z, basis } => {
                prop_assert!(solves(&problem, z).unwrap());
                let w = w(&problem, z);
                let nonbasic = |i: usize| if basis.z_is_basic(i) { &w[i] } else { &z[i] };
                prop_assert!((0..q.len()).all(|i| *nonbasic(i) == 0));
            }
            LemkeOutcome::Ray(ray) => assert_ray(&problem, ray),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn bilateral_rows_are_solved_whether_their_block_is_regular_or_not(
        (m, q, free) in (1_usize..=4)
            .prop_flat_map(|n| (psd_matrix(n, 2), vector(n), prop::collection::vec(any::<bool>(), n)))
    ) {
        let bounds: Vec<_> = free.iter().map(|&free| ((!free).then_some(0), None)).collect();
        let problem = boxed(&m, &q, &bounds);
        let run = run(&problem);
        let all = brute_force(&problem);
        match &run.outcome {
            LemkeOutcome::Solved { z, .. } => {
                prop_assert!(solves(&problem, z).unwrap());
                // All solutions have one w.
                prop_assert!(all.iter().all(|other| w(&problem, other) == w(&problem, z)));
            }
            LemkeOutcome::Ray(_) => prop_assert!(all.is_empty()),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn units_of_rows_and_columns_play_no_part(
        (m, q, powers) in (1_usize..=4)
            .prop_flat_map(|n| (any_matrix(n), vector(n), prop::collection::vec((-5_i32..5, -5_i32..5), n)))
    ) {
        let plain = problem(&m, &q);
        let n = q.len();
        let scaled = |value: i64, power: i32| {
            Number::from((Rational::from(value) << power) / Rational::from((7, 3)))
        };
        let rows = (0..n).map(|i| {
            (0..n).map(|j| scaled(m[i][j], powers[i].0 + powers[j].1)).collect()
        });
        let m = etalon_lcp::Matrix::from_rows(rows.collect()).unwrap();
        let q = (0..n).map(|i| scaled(q[i], powers[i].0)).collect();
        let problem = Problem::new("scaled", m, q).unwrap();
        let cover = powers.iter().map(|p| Rational::from(3) << p.0).collect();
        let lemke = Lemke { cover: Some(cover), ..Lemke::default() };
        let (a, b) = (run(&plain), lemke.solve(&mixed(&problem)).unwrap());
        prop_assert_eq!(a.pivots, b.pivots);
        match (a.outcome, b.outcome) {
            (LemkeOutcome::Solved { z, basis }, LemkeOutcome::Solved { z: y, basis: other }) => {
                prop_assert_eq!(basis, other);
                prop_assert!((0..n).all(|j| Rational::from(&y[j] << powers[j].1) == z[j]));
            }
            (LemkeOutcome::Ray(_), LemkeOutcome::Ray(_)) => {}
            (a, b) => prop_assert!(false, "{a:?} and {b:?}"),
        }
    }
}

#[test]
fn coefficients_of_z0_tell_by_how_much_q_moves_it_in_any_units() {
    // The rows have the common factors 6 and 8.
    let m = [vec![6, 12], vec![40, 24]];
    let plain = run(&problem(&m, &[-18, -16])).trace.unwrap();
    let little = Rational::from((1, 1000));
    for k in 0..2 {
        let mut q = [-18, -16].map(Rational::from);
        q[k] += &little;
        let matrix = problem(&m, &[0, 0]).m().clone();
        let moved = Problem::new("moved", matrix, q.map(Number::from).to_vec()).unwrap();
        let moved = run(&moved).trace.unwrap();
        assert_eq!(plain.steps.len(), moved.steps.len());
        for (plain, moved) in plain.steps.iter().zip(&moved.steps) {
            assert_eq!(plain.basic, moved.basic);
            let (Progress::Artificial(z0), Progress::Artificial(moved)) =
                (&plain.progress, &moved.progress)
            else {
                panic!("steps of another method");
            };
            // Once z_0 has left the basis, it has no coefficients.
            let rate = z0.get(k + 1).cloned().unwrap_or_default();
            assert_eq!(Rational::from(&moved[0] - &z0[0]), rate * &little);
        }
    }
    let Progress::Artificial(first) = &plain.steps[0].progress else {
        panic!("a step of another method");
    };
    assert_eq!(*first, [18, -1, 0]);
}

#[test]
fn murtys_triangular_family_takes_two_to_the_n_pivots() {
    for n in 1..=8 {
        let run = run(&problem(&murty(n), &murty_powers(n)));
        assert_eq!(run.pivots, 1 << n);
        assert_eq!(solution(&run)[n - 1], 1 << n);
    }
}

#[test]
fn fathis_positive_definite_family_takes_two_to_the_n_pivots() {
    for n in 2..=8_usize {
        let entry = |i: usize, j: usize| 4 * i.min(j) as i64 + if i == j { 1 } else { 2 };
        let m: Integers = (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect();
        assert_eq!(run(&problem(&m, &vec![-1; n])).pivots, 1 << n);
    }
}

#[test]
fn kostrevas_example_cycles_with_the_first_row_and_not_otherwise() {
    let circulant = problem(
        &[vec![1, 2, 0], vec![0, 1, 2], vec![2, 0, 1]],
        &[-1, -1, -1],
    );
    let naive = run_on(&circulant, Ties::FirstRow);
    assert_eq!((&naive.outcome, naive.pivots), (&LemkeOutcome::Cycle, 8));
    assert_eq!(naive.trace.unwrap().first_repeated_basis(), Some(7));
    let lexicographic = run(&circulant);
    assert_eq!(lexicographic.pivots, 4);
    assert!(
        solution(&lexicographic)
            .iter()
            .all(|z| z.to_string() == "1/3")
    );
    assert_eq!(run_on(&circulant, Ties::SmallestVariable).pivots, 4);
}

#[test]
fn textbook_lemke_cycles_on_a_contact_problem_with_friction() {
    let problem = golden("stewart-trinkle/cycling-first_row_rule.json");
    assert_eq!(
        run_on(&problem, Ties::FirstRow).outcome,
        LemkeOutcome::Cycle
    );
    let lexicographic = run(&problem);
    assert_eq!(lexicographic.pivots, 8);
    assert!(solves(&problem, solution(&lexicographic)).unwrap());
    assert_path(&problem, &lexicographic);
}

#[test]
fn a_game_of_forty_rows_is_solved_where_both_naive_rules_cycle() {
    let problem = golden("siconos/lcp_tobenna.json");
    let lexicographic = run(&problem);
    assert_eq!(lexicographic.pivots, 127);
    assert!(solves(&problem, solution(&lexicographic)).unwrap());
    assert_path(&problem, &lexicographic);
    for (ties, pivots) in [(Ties::FirstRow, 35), (Ties::SmallestVariable, 52)] {
        let run = run_on(&problem, ties);
        assert_eq!((run.outcome, run.pivots), (LemkeOutcome::Cycle, pivots));
    }
}

#[test]
fn the_covering_vector_decides_between_solution_and_ray() {
    // Murty, example 2.11.
    let problem = golden("quantecon/test_Murty_Ex_2_11_d_ones.json");
    let with = |d: [i32; 2]| Lemke {
        cover: Some(d.map(Rational::from).to_vec()),
        ..Lemke::default()
    };
    let outcome = |d| with(d).solve(&mixed(&problem)).unwrap().outcome;
    assert!(matches!(outcome([1, 1]), LemkeOutcome::Solved { .. }));
    assert!(matches!(outcome([5, 16]), LemkeOutcome::Ray(_)));
}

#[test]
fn a_covering_vector_must_fit_and_be_positive() {
    let lcp = mixed(&problem(&murty(2), &[-1, -1]));
    let with = |cover: &[i32]| {
        let lemke = Lemke {
            cover: Some(cover.iter().map(|&v| Rational::from(v)).collect()),
            ..Lemke::default()
        };
        lemke.solve(&lcp).unwrap_err()
    };
    assert_eq!(with(&[1]), CoverError::Length { length: 1, n: 2 });
    let value = Rational::new();
    assert_eq!(with(&[1, 0]), CoverError::NotPositive { row: 1, value });
}

#[test]
fn a_feasible_start_takes_no_pivot() {
    let run = run(&problem(&murty(3), &[0, 1, 2]));
    assert_eq!(run.pivots, 0);
    assert!(solution(&run).iter().all(|z| *z == 0));
}

#[test]
fn a_budget_ends_a_run_as_exhausted() {
    let lcp = mixed(&problem(&murty(6), &murty_powers(6)));
    let with = |budget| {
        let lemke = Lemke {
            budget,
            ..Lemke::default()
        };
        lemke.solve(&lcp).unwrap()
    };
    let pivots = with(Budget {
        pivots: 63,
        ..Budget::default()
    });
    let exhausted = LemkeOutcome::Exhausted(Exhausted::Pivots(63));
    assert_eq!((pivots.outcome, pivots.pivots), (exhausted, 63));
    let huge = problem(&[vec![1 << 40, 1], vec![1, 1 << 40]], &[-1, -1]);
    let lemke = Lemke {
        budget: Budget {
            bits: 50,
            ..Budget::default()
        },
        ..Lemke::default()
    };
    let bits = lemke.solve(&mixed(&huge)).unwrap().outcome;
    assert_eq!(bits, LemkeOutcome::Exhausted(Exhausted::Bits(50)));
}

#[test]
fn a_split_form_of_too_many_rows_is_exhausted_by_its_rows() {
    // Bilateral rows of zeros are split: 1,025 of them make 2,050 rows, two more than a dense tableau has.
    let n = 1025;
    let zeros = || vec![Number::from(0); n];
    let m = etalon_lcp::Matrix::from_rows(vec![zeros(); n]).unwrap();
    let lcp = MixedLcp::new(m, zeros(), vec![true; n]).unwrap();
    let lemke = Lemke {
        trace: true,
        ..Lemke::default()
    };
    let run = lemke.solve(&lcp).unwrap();
    let exhausted = LemkeOutcome::Exhausted(Exhausted::Rows(2048));
    assert_eq!((run.outcome, run.pivots), (exhausted, 0));
    assert_eq!(run.trace, Some(Trace::default()));
}

/// The least work with which the method solves the problem.
fn least_work(lcp: &MixedLcp) -> u64 {
    let solves = |work: u64| {
        let budget = Budget {
            work,
            ..Budget::default()
        };
        let lemke = Lemke {
            budget,
            ..Lemke::default()
        };
        match lemke.solve(lcp).unwrap().outcome {
            LemkeOutcome::Solved { .. } => true,
            LemkeOutcome::Exhausted(Exhausted::Work(limit)) if limit == work => false,
            other => panic!("{work}: {other:?}"),
        }
    };
    let (mut below, mut enough) = (0, 1 << 20);
    assert!(solves(enough) && !solves(below));
    while enough - below > 1 {
        let middle = below.midpoint(enough);
        *(if solves(middle) {
            &mut enough
        } else {
            &mut below
        }) = middle;
    }
    enough
}

#[test]
fn one_budget_covers_a_singular_bilateral_block_and_the_split_form() {
    // One of two equal bilateral rows is eliminated before the other one shows that their block is singular.
    let rows = [[1, 1, 0], [1, 1, 0], [0, 0, 1]].map(|row| row.map(Number::from).to_vec());
    let m = etalon_lcp::Matrix::from_rows(rows.to_vec()).unwrap();
    let q = vec![Number::from(-1); 3];
    let lcp = MixedLcp::new(m, q, vec![true, true, false]).unwrap();
    let second = least_work(PureForm::split(&lcp).lcp());
    let both = least_work(&lcp);
    assert!(both > second, "{both} and {second}");
}

#[test]
fn the_empty_problem_is_solved() {
    assert!(solution(&run(&problem(&[], &[]))).is_empty());
}
