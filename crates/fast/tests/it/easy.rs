//! Easy problems with something unusual about them: bounds that stand for none, unknowns that nothing
//! depends on, solutions with exact zeros off any bound.
#![allow(clippy::unwrap_used)]

use crate::families::{Case, Random};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::{Failure, FastMethod, Lcp, Start, Workspace};
use etalon_lcp::{Claim, ClaimedAnswer, Number, VerdictKind};
use nalgebra::{DMatrix, DVector};

const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The answer of a method, which the judge has to accept.
fn solve(
    m: &DMatrix<f64>,
    q: &[f64],
    bounds: &[(f64, f64)],
    method: FastMethod,
) -> Result<Vec<f64>, Failure> {
    let of = |f: fn(&(f64, f64)) -> f64| DVector::from_iterator(q.len(), bounds.iter().map(f));
    let case = Case {
        m: m.clone(),
        q: DVector::from_column_slice(q),
        lower: Some(of(|b| b.0)),
        upper: Some(of(|b| b.1)),
    };
    let lcp = Lcp::new(&case.m, &case.q).unwrap();
    let lcp = lcp.with_bounds(&of(|b| b.0), &of(|b| b.1)).unwrap();
    let mut workspace = Workspace::new();
    let z = workspace.solve(lcp.view(), method, Start::Cold)?.z.to_vec();
    let number = |value: &f64| Number::from_f64(*value).unwrap();
    let claimed = z.iter().map(number).collect();
    let claim = Claim::new("easy", ClaimedAnswer::Solved { z: claimed });
    let problem = case.problem("easy");
    let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
    let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
    assert!(fine, "{method} on {m} {q:?}: {verdict:?}");
    Ok(z)
}

#[test]
fn a_far_bound_is_as_good_as_none() {
    let m = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
    for far in [1e15, 1e20, 1e30, 1e50, 1e80, 1e100, 1e200, 1e300, f64::MAX] {
        for lower in [0.0, -far] {
            for method in FastMethod::ALL {
                let z = solve(&m, &[-3.0, -3.0], &[(lower, far); 2], method).unwrap();
                assert_eq!(z, [1.0, 1.0], "{method}, {far:e}");
            }
        }
    }
}

#[test]
fn far_bounds_do_not_drown_a_general_matrix() {
    let mut random = Random::new(11);
    for _ in 0..300 {
        let n = 2 + random.below(6);
        // Dominant and unsymmetric: a P-matrix.
        let m = DMatrix::from_fn(n, n, |i, j| {
            let entry = random.below(19) as f64 - 9.0;
            if i == j { 10.0 * n as f64 } else { entry }
        });
        let q: Vec<f64> = (0..n).map(|_| random.below(21) as f64 - 10.0).collect();
        for far in [1e20, 1e30, 1e100] {
            for method in [FastMethod::Auto, FastMethod::Lemke, FastMethod::Block] {
                let bounded = solve(&m, &q, &vec![(0.0, far); n], method).unwrap();
                let free = solve(&m, &q, &vec![(0.0, f64::INFINITY); n], method).unwrap();
                for (a, b) in bounded.iter().zip(&free) {
                    assert!(
                        (a - b).abs() <= 1e-12,
                        "{method}, {far:e}: {bounded:?} {free:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_far_bound_that_is_meant_is_kept() {
    // Without its bound z would be 1e22; and with no bound that can be left out z is on it.
    let m = DMatrix::from_element(1, 1, 1e-20);
    for method in FastMethod::ALL {
        let z = solve(&m, &[-100.0], &[(0.0, 1e16)], method);
        assert!(z.is_err() || z == Ok(vec![1e16]), "{method}: {z:?}");
        let z = solve(&m, &[-100.0], &[(1e16, f64::INFINITY)], method);
        assert!(z.is_err() || z == Ok(vec![1e22]), "{method}: {z:?}");
    }
}

#[test]
fn an_unknown_that_nothing_depends_on_is_anything() {
    for method in FastMethod::ALL {
        solve(&DMatrix::zeros(1, 1), &[0.0], &[FREE], method).unwrap();
        solve(
            &DMatrix::zeros(3, 3),
            &[0.0; 3],
            &[FREE, (0.0, 1.0), FREE],
            method,
        )
        .unwrap();
        // One that asks for the impossible is not answered.
        assert!(solve(&DMatrix::zeros(1, 1), &[1.0], &[FREE], method).is_err());
    }
}

#[test]
fn exact_zeros_off_all_bounds_are_found() {
    let m = DMatrix::from_row_slice(
        4,
        4,
        &[
            6.0, -2.0, -1.0, 3.0, -2.0, 2.0, 0.0, -3.0, -1.0, 0.0, 7.0, 0.0, 3.0, -3.0, 0.0, 6.0,
        ],
    );
    for method in FastMethod::ALL {
        let z = solve(&m, &[-5.0, 5.0, 0.0, -9.0], &[FREE; 4], method).unwrap();
        assert_eq!((z[0], z[2]), (0.0, 0.0), "{method}");
    }
}

#[test]
fn definite_systems_with_zeros_in_their_solutions_are_solved() {
    let mut random = Random::new(12);
    let mut failed = 0;
    for k in 0..3000 {
        let n = 2 + random.below(7);
        let factor = DMatrix::from_fn(n, n, |_, _| {
            let entry = random.below(7) as f64 - 3.0;
            if random.below(2) == 0 { 0.0 } else { entry }
        });
        let m = &factor * factor.transpose() + DMatrix::identity(n, n);
        let z = DVector::from_fn(n, |_, _| random.below(3) as f64 - 1.0);
        let q = -(&m * &z);
        // In other units, the same.
        let scale = |k: usize| if k.is_multiple_of(2) { 1.0 } else { 1048576.0 };
        let (m, q) = if k % 3 == 0 {
            let m = DMatrix::from_fn(n, n, |i, j| m[(i, j)] * scale(i) * scale(j));
            (m, DVector::from_fn(n, |i, _| q[i] * scale(i)))
        } else {
            (m, q)
        };
        for method in FastMethod::ALL {
            failed += u32::from(solve(&m, q.as_slice(), &vec![FREE; n], method).is_err());
        }
    }
    assert_eq!(failed, 0);
}
