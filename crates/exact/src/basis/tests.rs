use etalon_lcp::{Matrix, Number};
use proptest::prelude::*;

use super::*;
use crate::lemke::{Lemke, LemkeOutcome};

/// Binary64 data of wildly different scales, fractions, small integers with many zeros.
fn number() -> impl Strategy<Value = Number> {
    let binary64 = |value: f64| Number::from_f64(value).unwrap();
    prop_oneof![
        3 => Just(Number::from(0)),
        4 => (-9_i64..10).prop_map(move |v| binary64(v as f64)),
        3 => any::<f64>().prop_filter("finite", |v| v.is_finite()).prop_map(binary64),
        3 => (-1.0..1.0_f64).prop_map(binary64),
    ]
}

fn fraction() -> impl Strategy<Value = Number> {
    let any =
        (-99_i64..100, 1_i64..30).prop_map(|(num, den)| Number::from(Rational::from((num, den))));
    prop_oneof![3 => any, 2 => number()]
}

fn problems() -> impl Strategy<Value = (MixedLcp, Basis)> {
    let data = (1_usize..17, any::<bool>()).prop_flat_map(|(n, fractions)| {
        let value = move || {
            if fractions {
                fraction().boxed()
            } else {
                number().boxed()
            }
        };
        (
            prop::collection::vec(prop::collection::vec(value(), n), n),
            prop::collection::vec(value(), n),
            prop::collection::vec(prop::bool::weighted(0.2), n),
            prop::collection::vec(any::<bool>(), n),
        )
    });
    data.prop_map(|(rows, q, bilateral, bits)| {
        let lcp = MixedLcp::new(Matrix::from_rows(rows).unwrap(), q, bilateral).unwrap();
        (lcp, Basis::new(bits))
    })
}

/// Gauss-Jordan elimination in fractions: z, or `None` where the basis matrix is singular.
fn by_elimination(lcp: &MixedLcp, alpha: &[usize]) -> Option<Vec<Rational>> {
    let entry = |i: usize, j: usize| {
        lcp.m()
            .get(i, j)
            .map(Number::to_rational)
            .unwrap_or_default()
    };
    let mut rows: Vec<Vec<Rational>> = alpha
        .iter()
        .map(|&i| {
            let row = alpha.iter().map(|&j| entry(i, j));
            row.chain([-lcp.q()[i].to_rational()]).collect()
        })
        .collect();
    let k = alpha.len();
    for c in 0..k {
        let pivot = (c..k).find(|&i| rows[i][c] != 0)?;
        rows.swap(c, pivot);
        let pivot = rows[c].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != c && row[c] != 0 {
                let factor = Rational::from(&row[c] / &pivot[c]);
                for (value, across) in row.iter_mut().zip(&pivot) {
                    *value -= Rational::from(&factor * across);
                }
            }
        }
    }
    let mut z = vec![Rational::new(); lcp.n()];
    for (c, &j) in alpha.iter().enumerate() {
        z[j] = Rational::from(&rows[c][k] / &rows[c][c]);
    }
    Some(z)
}

proptest! {
    #[test]
    fn points_and_signs_are_those_of_elimination((lcp, basis) in problems()) {
        let n = lcp.n();
        let in_alpha = |i: usize| basis.z_is_basic(i) || lcp.bilateral()[i];
        let alpha: Vec<usize> = (0..n).filter(|&i| in_alpha(i)).collect();
        let expected = by_elimination(&lcp, &alpha);
        match basis_solution(&lcp, &basis, &Budget::default()) {
            Ok(solution) => {
                let z = solution.z();
                prop_assert_eq!(Some(&z), expected.as_ref());
                let w = solution.w(&lcp);
                prop_assert!(alpha.iter().all(|&i| w[i] == 0));
                let basic = |i: usize| if in_alpha(i) { &z[i] } else { &w[i] };
                let rows = || (0..n).filter(|&i| !lcp.bilateral()[i]);
                let negative: Vec<usize> = rows().filter(|&i| *basic(i) < 0).collect();
                let zero: Vec<usize> = rows().filter(|&i| *basic(i) == 0).collect();
                let signs = if negative.is_empty() {
                    Signs::Feasible
                } else {
                    Signs::Infeasible { rows: negative }
                };
                prop_assert_eq!(&solution.signs, &signs);
                prop_assert_eq!(&solution.degenerate, &zero);
            }
            Err(failure) => {
                prop_assert_eq!(failure, BasisFailure::Singular);
                prop_assert_eq!(expected, None);
            }
        }
    }

    #[test]
    fn the_basis_of_lemke_has_the_point_of_lemke((lcp, _) in problems()) {
        let run = Lemke::default().solve(&lcp).unwrap();
        let LemkeOutcome::Solved { z, basis } = run.outcome else {
            return Ok(());
        };
        // With a singular bilateral block the bits name no basis.
        if let Ok(solution) = basis_solution(&lcp, &basis, &Budget::default()) {
            prop_assert_eq!(solution.z(), z);
            prop_assert_eq!(solution.signs, Signs::Feasible);
        } else {
            prop_assert!(!lcp.is_pure());
        }
    }
}

#[test]
fn a_basis_of_another_length_is_an_error() {
    let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
    let lcp = MixedLcp::new(m, vec![Number::from(1)], vec![false]).unwrap();
    let basis = "10".parse().unwrap();
    let failure = basis_solution(&lcp, &basis, &Budget::default());
    assert_eq!(failure, Err(BasisFailure::Length { length: 2, n: 1 }));
}

#[test]
fn a_basis_too_large_is_refused_before_memory_is_taken() {
    let n = 100_000;
    let diagonal = (0..n).map(|i| (i, i, Number::from(1))).collect();
    let m = Matrix::from_entries((n, n), diagonal).unwrap();
    let n = n as usize;
    let lcp = MixedLcp::new(m, vec![Number::from(-1); n], vec![false; n]).unwrap();
    let all = Basis::new(vec![true; n]);
    let failure = basis_solution(&lcp, &all, &Budget::default()).unwrap_err();
    assert!(matches!(
        failure,
        BasisFailure::Exhausted(Exhausted::Rows(_))
    ));
    // A small basis of a large sparse problem costs no more than its rows.
    let few = Basis::new((0..n).map(|i| i % 5_000 == 0).collect());
    let solution = basis_solution(&lcp, &few, &Budget::default()).unwrap();
    assert!(matches!(solution.signs, Signs::Infeasible { rows } if rows.len() == n - 20));
}

#[test]
fn a_symmetric_basis_stays_symmetric() {
    // Rows in units of their own would not be: 1/2 and 1/8 beside 3, 1/32 and 5.
    let entries = [[3.0, 0.5, 0.125], [0.5, 0.031_25, 0.0], [0.125, 0.0, 5.0]];
    let row = |row: [f64; 3]| row.map(|v| Number::from_f64(v).unwrap()).to_vec();
    let m = Matrix::from_rows(entries.map(row).to_vec()).unwrap();
    let lcp = MixedLcp::new(m, row([-1.0; 3]), vec![false; 3]).unwrap();
    let system = BasisSystem::new(&lcp, vec![0, 1, 2], 0);
    let crate::lifting::Entries::Narrow(entries) = &system.matrix.entries else {
        panic!("short entries");
    };
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(entries[3 * i + j], entries[3 * j + i]);
        }
    }
}
