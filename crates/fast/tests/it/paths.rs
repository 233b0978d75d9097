//! The paths of the pivoting methods, held against theorems: how many pivots they take is no matter of rounding
//! where no two candidates are near each other. A wrong path is seen here even where another method would have
//! found the answer after all.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::families::Random;
use etalon_exact::{Lemke, LemkeOutcome};
use etalon_fast::{FastMethod, Lcp, Place, Start, Workspace};
use etalon_lcp::{Matrix, MixedLcp, Number};
use nalgebra::{DMatrix, DVector};

/// Sizes on both sides of the 13, 29 and 37 rows up to which problems are walked on dictionaries of fixed sizes by the
/// automatic choice.
const SIZES: [usize; 11] = [1, 2, 3, 7, 13, 14, 29, 30, 37, 38, 60];

/// The methods that walk Lemke's path of a matrix without symmetry.
fn walkers(n: usize) -> &'static [FastMethod] {
    // A single row is symmetric.
    if (2..=37).contains(&n) {
        &[FastMethod::Lemke, FastMethod::Auto]
    } else {
        &[FastMethod::Lemke]
    }
}

/// Pivots of a method from the basis of all w, the method that answered, and z.
fn walk(m: &DMatrix<f64>, q: &DVector<f64>, method: FastMethod) -> (u64, FastMethod, Vec<f64>) {
    let lcp = Lcp::new(m, q).unwrap();
    let mut workspace = Workspace::new();
    let found = workspace.solve(lcp.view(), method, Start::Cold).unwrap();
    (found.pivots, found.method, found.z.to_vec())
}

/// The exact run of Lemke's method with a covering vector of ones.
fn exact(m: &DMatrix<f64>, q: &DVector<f64>) -> (u64, Vec<f64>) {
    let of = q.iter().map(|value| Number::from_f64(*value).unwrap());
    let m = Matrix::from_binary64(m).unwrap();
    let lcp = MixedLcp::new(m, of.collect(), vec![false; q.len()]).unwrap();
    let run = Lemke::default().solve(&lcp).unwrap();
    let LemkeOutcome::Solved { z, .. } = run.outcome else {
        panic!("a P-matrix is solved");
    };
    (run.pivots, z.iter().map(|value| value.to_f64()).collect())
}

/// Dominant, without symmetry: a P-matrix. Entries have few bits, and no two values of q are the same; one is 0.
fn dominant(random: &mut Random, n: usize) -> (DMatrix<f64>, DVector<f64>) {
    let m = DMatrix::from_fn(n, n, |i, j| {
        let own = if i == j { 4.0 * n as f64 } else { 0.0 };
        own + random.integer(1000) / 256.0
    });
    let mut q = DVector::from_fn(n, |i, _| {
        random.integer(1 << 20) / 65536.0 + i as f64 / 67_108_864.0
    });
    q[random.below(n)] = 0.0;
    (m, q)
}

/// The path of Lemke's method is unique where no ratios tie (CPS, section 4.4): in binary64 and in fractions it is
/// the same, and as long.
#[test]
fn lemkes_path_is_the_exact_one() {
    let mut random = Random::new(31);
    for n in SIZES {
        for _ in 0..if n < 30 { 20 } else { 3 } {
            let (m, q) = dominant(&mut random, n);
            let (expected, exact) = exact(&m, &q);
            for method in walkers(n) {
                let (pivots, by, z) = walk(&m, &q, *method);
                assert_eq!(
                    (pivots, by),
                    (expected, FastMethod::Lemke),
                    "{n} rows, {method}"
                );
                for (own, exact) in z.iter().zip(&exact) {
                    assert!((own - exact).abs() <= 1e-12 * (1.0 + exact.abs()));
                }
            }
        }
    }
}

/// With z_j in units of 2^k_j a column of M is scaled exactly, and neither q nor z_0 changes: the path is the same.
#[test]
fn lemkes_path_has_no_units() {
    let mut random = Random::new(36);
    for n in SIZES.into_iter().filter(|&n| n > 1) {
        let (m, q) = dominant(&mut random, n);
        let units = DVector::from_fn(n, |_, _| random.integer(10).exp2());
        let scaled = &m * DMatrix::from_diagonal(&units);
        for method in walkers(n) {
            let (pivots, by, z) = walk(&m, &q, *method);
            let (other, other_by, other_z) = walk(&scaled, &q, *method);
            assert_eq!((pivots, by), (other, other_by), "{n} rows, {method}");
            for ((z, other), unit) in z.iter().zip(&other_z).zip(&units) {
                assert!((z - other * unit).abs() <= 1e-12 * (1.0 + z.abs()));
            }
        }
    }
}

/// z_0 leaves whenever it ties. Here it comes in for w_k, and all ratios are then q_k: with z_k = q_k the problem is
/// solved, after two pivots, whatever the number of rows that tie.
#[test]
fn the_artificial_variable_leaves_where_it_ties() {
    for n in SIZES.into_iter().filter(|&n| n > 1) {
        for k in [0, n / 2, n - 1] {
            let q = DVector::from_fn(n, |i, _| if i == k { -3.0 } else { 0.0 });
            // Another entry in row k spoils the symmetry, and no step of the path.
            let mut m = DMatrix::identity(n, n);
            m[(k, (k + 1) % n)] = 1.0;
            for method in walkers(n) {
                let (pivots, _, z) = walk(&m, &q, *method);
                assert_eq!(pivots, 2, "{n} rows, row {k}, {method}");
                assert_eq!(z, (-&q).as_slice());
            }
        }
    }
}

/// With a symmetric M-matrix no z_i that has come in leaves again (Chandrasekaran 1970): the principal pivots of small
/// problems are as many as the solution has positive z_i.
#[test]
fn principal_pivots_of_an_m_matrix_are_its_positive_unknowns() {
    let mut random = Random::new(32);
    for n in SIZES.into_iter().filter(|&n| n <= 37) {
        for _ in 0..20 {
            let mut m = DMatrix::zeros(n, n);
            for i in 0..n {
                for j in 0..i {
                    let entry = -(random.below(8) as f64) / 8.0;
                    (m[(i, j)], m[(j, i)]) = (entry, entry);
                }
            }
            for i in 0..n {
                m[(i, i)] = 0.125 - m.row(i).sum();
            }
            let q = DVector::from_fn(n, |i, _| random.integer(64) + i as f64 / 1024.0);
            let lcp = Lcp::new(&m, &q).unwrap();
            let mut workspace = Workspace::new();
            let found = workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold);
            let found = found.unwrap();
            let inside = found
                .places
                .iter()
                .filter(|place| **place == Place::Between);
            assert_eq!(found.pivots, inside.count() as u64, "{n} rows");
            assert_eq!(found.method, FastMethod::Block);
            let pivots = exact(&m, &q).1.iter().filter(|z| **z > 0.0).count();
            assert_eq!(found.pivots, pivots as u64, "{n} rows");
        }
    }
}

/// From the basis of the solution the dictionary of a small problem needs an exchange for each of its rows, and no
/// path at all.
#[test]
fn from_the_right_basis_there_is_no_path() {
    let mut random = Random::new(33);
    for n in SIZES.into_iter().filter(|&n| n <= 37) {
        for _ in 0..10 {
            let (m, q) = dominant(&mut random, n);
            let lcp = Lcp::new(&m, &q).unwrap();
            let mut workspace = Workspace::new();
            let cold = workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold);
            let (places, z) = cold
                .map(|found| (found.places.to_vec(), found.z.to_vec()))
                .unwrap();
            let warm = workspace.solve(lcp.view(), FastMethod::Auto, Start::Places(&places));
            let warm = warm.unwrap();
            let inside = places.iter().filter(|place| **place == Place::Between);
            assert_eq!(warm.pivots, inside.count() as u64, "{n} rows");
            assert_eq!(warm.places, places);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
            assert!(warm.z.iter().zip(&z).all(near));
        }
    }
}

/// Where q >= 0, and some q_i = 0, z = 0 is found without a pivot.
#[test]
fn zeros_are_not_negative() {
    let mut random = Random::new(34);
    for n in SIZES {
        let (mut m, q) = dominant(&mut random, n);
        let q = q.map(|value| if value < 4.0 { 0.0 } else { value });
        for _ in 0..2 {
            for method in walkers(n) {
                let (pivots, _, z) = walk(&m, &q, *method);
                assert_eq!((pivots, z), (0, vec![0.0; n]), "{n} rows, {method}");
            }
            m = &m + m.transpose();
        }
    }
}

/// A row that nothing moves has w_i = q_i = 0 for ever, which is not negative either.
#[test]
fn zeros_stay_where_nothing_moves_them() {
    for n in SIZES.into_iter().filter(|&n| n <= 37) {
        let m = DMatrix::identity(n, n) * 2.0;
        let q = DVector::from_fn(n, |i, _| if i == n / 2 { -3.0 } else { 0.0 });
        let (pivots, _, z) = walk(&m, &q, FastMethod::Auto);
        assert_eq!((pivots, z), (1, (q * -0.5).as_slice().to_vec()), "{n} rows");
    }
}

/// With z -> -z and w -> -w lower bounds become upper ones. Rounding to nearest has no side: the mirrored problem takes the
/// mirrored path, to the last bit.
#[test]
fn block_pivoting_does_not_tell_upper_bounds_from_lower_ones() {
    let mut random = Random::new(35);
    for n in [1, 2, 5, 12, 40] {
        for _ in 0..20 {
            let half = DMatrix::from_fn(n, n, |_, _| random.signed());
            let m = &half * half.transpose() + DMatrix::identity(n, n);
            let m = (&m + m.transpose()) * 0.5;
            let q = DVector::from_fn(n, |_, _| 4.0 * random.signed());
            let near = DVector::from_fn(n, |_, _| 0.125 + random.unit());
            let zero = DVector::zeros(n);
            let walk =
                |q: &DVector<f64>, lower: &DVector<f64>, upper: &DVector<f64>, start: Place| {
                    let lcp = Lcp::new(&m, q).unwrap().with_bounds(lower, upper).unwrap();
                    let mut workspace = Workspace::new();
                    let places = vec![start; n];
                    let start = Start::Places(&places);
                    let found = workspace
                        .solve(lcp.view(), FastMethod::Block, start)
                        .unwrap();
                    (found.pivots, found.z.to_vec())
                };
            let own = walk(&q, &zero, &near, Place::Lower);
            let mirrored = walk(&-&q, &-&near, &zero, Place::Upper);
            assert_eq!(own.0, mirrored.0, "{n} rows");
            assert!(own.1.iter().zip(&mirrored.1).all(|(a, b)| *a == -b));
        }
    }
}
