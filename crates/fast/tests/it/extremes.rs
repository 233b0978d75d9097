//! Finite input of any size: an answer that stands, or `failed`. No panic, no endless loop.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::families::Random;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::{
    DataError, Failure, FastMethod, Lcp, LcpRef, SparseLcp, Start, Workspace, solve_sparse,
};
use etalon_lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem, VerdictKind};
use nalgebra::{DMatrix, DVector};

const EXTREMES: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    1e-300,
    1e300,
    -1e300,
    f64::EPSILON,
    1e154,
];

fn check(m: &DMatrix<f64>, q: &DVector<f64>) {
    let lcp = Lcp::new(m, q).unwrap();
    let mut workspace = Workspace::new();
    for method in FastMethod::ALL {
        let Ok(solution) = workspace.solve(lcp.view(), method, Start::Cold) else {
            continue;
        };
        let matrix = Matrix::from_binary64(m).unwrap();
        let number = |value: &f64| Number::from_f64(*value).unwrap();
        let problem = Problem::new("extreme", matrix, q.iter().map(number).collect()).unwrap();
        let z = solution.z.iter().map(number).collect();
        let claim = Claim::new("extreme", ClaimedAnswer::Solved { z });
        let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
        let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
        assert!(fine, "{method} on {m} {q}: {verdict:?}");
    }
}

#[test]
fn a_w_out_of_range_says_nothing_against_z() {
    // z = (1e150, 0) and w = (0, 1e350 + 1e300).
    let m = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 1e200, 1e200]);
    let q = DVector::from_column_slice(&[-1e150, 1e300]);
    let lcp = Lcp::new(&m, &q).unwrap();
    let mut workspace = Workspace::new();
    let solution = workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold);
    let solution = solution.unwrap();
    assert_eq!(solution.z, [1e150, 0.0]);
    assert_eq!(solution.w, [0.0, f64::INFINITY]);
    check(&m, &q);
}

#[test]
fn every_pair_of_extremes_with_one_row() {
    for m in EXTREMES {
        for q in EXTREMES {
            check(
                &DMatrix::from_element(1, 1, m),
                &DVector::from_element(1, q),
            );
        }
    }
}

#[test]
fn random_extremes_with_a_few_rows() {
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(5);
        let symmetric = random.below(2) == 0;
        let mut draw = || EXTREMES[random.below(EXTREMES.len())];
        let mut m = DMatrix::from_fn(n, n, |_, _| draw());
        if symmetric {
            m = DMatrix::from_fn(n, n, |i, j| m[(i.max(j), i.min(j))]);
        }
        let q = DVector::from_fn(n, |_, _| draw());
        check(&m, &q);
    }
}

#[test]
fn no_rows_are_solved_and_nan_is_not() {
    let mut workspace = Workspace::new();
    for method in FastMethod::ALL {
        let empty = LcpRef::new(&[], &[]).unwrap();
        let solution = workspace.solve(empty, method, Start::Cold).unwrap();
        assert!(solution.z.is_empty());
        for (m, q) in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::INFINITY, -1.0)] {
            let (m, q) = ([m], [q]);
            let lcp = LcpRef::new(&m, &q).unwrap();
            let result = workspace.solve(lcp, method, Start::Cold);
            assert_eq!(result.err(), Some(Failure::NotFinite));
        }
    }
}

#[test]
fn exact_numbers_that_binary64_cannot_come_near_are_not_rounded() {
    // To 0, to an infinity, or among the denormals by as much as half of themselves.
    for record in [
        r#"{"name": "q", "M": [[1]], "q": ["-1e-400"]}"#,
        r#"{"name": "q", "M": [[1, 0], [0, 1]], "q": ["-3.7e-324", -1]}"#,
        r#"{"name": "M", "M": [["1e-320"]], "q": [-1]}"#,
        r#"{"name": "M", "M": [["1e400"]], "q": [-1]}"#,
        r#"{"name": "s", "M": {"shape": [1, 1], "entries": [[0, 0, 1]]}, "q": ["-1e-400"]}"#,
        r#"{"name": "b", "M": [[1]], "q": [-1], "upper": ["1e-400"]}"#,
        r#"{"name": "b", "M": [[1]], "q": [-1], "lower": ["-1e400"]}"#,
        r#"{"name": "f", "M": [[1, 0], [0, 1]], "q": [-1, -1],
            "friction": [{"row": 1, "normal": 0, "mu": "1e-400"}]}"#,
    ] {
        let problem = etalon_lcp::record::read_problem(record).unwrap().record;
        let error = Lcp::from_problem(&problem);
        assert!(
            matches!(error, Err(DataError::Range { .. })),
            "{record}: {error:?}"
        );
        for method in FastMethod::ALL {
            let claim = method.solver().solve(&problem);
            assert_eq!(claim.answer, ClaimedAnswer::Failed, "{record}");
        }
    }
    // What is exact, or rounds as well as any number, is taken.
    let fine = r#"{"name": "p", "M": [["1/3"]], "q": ["-0x1p-1074"], "upper": ["1e-300"]}"#;
    let problem = etalon_lcp::record::read_problem(fine).unwrap().record;
    assert!(Lcp::from_problem(&problem).is_ok());
}

/// Units that bring z near 1, and q with M into range: those of the largest entries of M alone do not.
#[test]
fn rows_and_unknowns_of_sizes_far_apart_are_solved_in_units_of_their_own() {
    let (small, large) = (2f64.powi(-664), 2f64.powi(664));
    for (m, q, z) in [
        ([small, 0.0, 0.0, large], [-small, -large], [1.0, 1.0]),
        ([1e-200, 0.0, 0.0, 1e200], [-1e-200, -1e200], [1.0, 1.0]),
        (
            [2.0 * small, small, 1.0, 2.0],
            [-3.0 * small, -3.0],
            [1.0, 1.0],
        ),
        ([small, 0.0, 0.0, 1.0], [-1.0, -1.0], [large, 1.0]),
    ] {
        let matrix = DMatrix::from_row_slice(2, 2, &m);
        let q = DVector::from_column_slice(&q);
        check(&matrix, &q);
        for method in [FastMethod::Auto, FastMethod::Lemke, FastMethod::Block] {
            let lcp = Lcp::new(&matrix, &q).unwrap();
            let mut workspace = Workspace::new();
            let found = workspace.solve(lcp.view(), method, Start::Cold);
            let found = found.unwrap_or_else(|error| panic!("{method} {m:?}: {error}"));
            assert_eq!(found.z, z, "{method} {m:?}");
        }
    }
    // With z = 1e-310 / 3 no binary64 comes as near as an answer has to.
    let lcp = LcpRef::new(&[2.0, 1.0, 1.0, 2.0], &[-1e-310, -1e-310]).unwrap();
    let mut workspace = Workspace::new();
    let found = workspace.solve(lcp, FastMethod::Auto, Start::Cold);
    assert_eq!(found.err(), Some(Failure::Overflow));
}

/// Numbers that underflow in products stand beside others of 1: no unit brings both into range.
#[test]
fn tiny_numbers_beside_others_count_as_little_as_they_are() {
    let solve = |m: &[f64], q: &[f64], method: FastMethod| {
        let lcp = LcpRef::new(m, q).unwrap();
        let mut workspace = Workspace::new();
        let found = workspace.solve(lcp, method, Start::Cold);
        found.map(|own| (own.z.to_vec(), own.w.to_vec()))
    };
    let identity = [1.0, 0.0, 0.0, 1.0];
    for method in [FastMethod::Auto, FastMethod::Lemke, FastMethod::Block] {
        for tiny in [1e-100, 1e-300, 5e-324] {
            let near = [2.0, tiny, tiny, 2.0];
            for (m, q, z) in [
                (&identity, [tiny, -1.0], [0.0, 1.0]),
                (&[0.0; 4], [tiny, 1.0], [0.0, 0.0]),
                (&near, [-2.0, -4.0], [1.0, 2.0]),
                (&[2.0, 1.0, 1.0, 2.0], [-tiny, -4.0], [0.0, 2.0]),
            ] {
                let found = solve(m, &q, method);
                let (found, w) =
                    found.unwrap_or_else(|error| panic!("{method:?} {m:?} {q:?}: {error}"));
                assert_eq!(found, z, "{method:?} {m:?} {q:?}");
                assert!(w[0] >= 0.0 && w[1] >= 0.0);
            }
            // Here all of a row is tiny, and 0 is no answer to it.
            let (found, _) = solve(&identity, &[-tiny, -1.0], method).unwrap();
            assert!((found[0] / tiny - 1.0).abs() < 1e-15, "{method:?} {tiny}");
            assert_eq!(found[1], 1.0, "{method:?} {tiny}");
            // Other units, and not 0 for what is tiny, solve this one where z is in range.
            let found = solve(&[tiny, 0.0, 0.0, 1.0], &[-1.0, -1.0], method);
            let is_right = |z: &[f64]| (z[0] * tiny - 1.0).abs() < 1e-15 && z[1] == 1.0;
            assert!(
                found.is_ok_and(|(z, _)| is_right(&z)) || tiny < 1e-200,
                "{method:?} {tiny}"
            );
        }
    }
    // z_2 is 1e-85 + 4e-91, of which the second part is more than rounding: 0 in the place of q_2 is no answer.
    let (found, _) = solve(&[1.0, 0.0, -1e-85, 1.0], &[-1.0, -4e-91], FastMethod::Auto).unwrap();
    assert_eq!(found[0], 1.0);
    assert!(
        (found[1] / (1e-85 + 4e-91) - 1.0).abs() < 1e-15,
        "{found:?}"
    );
    let entries: Vec<_> = (0..300)
        .map(|i| (i, i, 2.0))
        .chain([(0, 1, 1e-200), (1, 0, 1e-200)])
        .collect();
    let q: Vec<f64> = (0..300)
        .map(|i| if i == 7 { 1e-150 } else { -2.0 })
        .collect();
    let found = solve_sparse(&SparseLcp::new(&entries, &q).unwrap(), Start::Cold).unwrap();
    assert!((0..300).all(|i| found.z[i] == if i == 7 { 0.0 } else { 1.0 }));
    assert_eq!(found.w[7], 1e-150);
    let q: Vec<f64> = (0..300)
        .map(|i| if i == 7 { -1e-150 } else { -2.0 })
        .collect();
    assert!(solve_sparse(&SparseLcp::new(&entries, &q).unwrap(), Start::Cold).is_err());
}
