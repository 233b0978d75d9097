//! Each way of enclosing a solution by itself: where one fails the other steps in, which would hide it.

use rug::Rational;

use super::bounds::{gamma, underflow};
use super::data::System;
use super::simd::dispatch;
use super::{Enclosure, Rounding, RowValue, cholesky, general};

/// The unit roundoff and the least positive number, exactly.
fn unit() -> Rational {
    Rational::from(1) >> 53
}

fn exact(value: f64) -> Rational {
    Rational::from_f64(value).unwrap()
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }

    /// In [-1, 1).
    fn signed(&mut self) -> f64 {
        self.next() as f64 / 2_f64.powi(52) - 1.0
    }
}

fn system(k: usize, a: Vec<f64>, b: Vec<f64>) -> System {
    let symmetric = (0..k).all(|i| (0..k).all(|j| a[i * k + j] == a[j * k + i]));
    System {
        k,
        alpha: (0..k).collect(),
        a,
        b,
        columns: vec![1.0; k],
        symmetric,
    }
}

/// B B' + I over its largest diagonal entry, rounded.
fn definite(k: usize, random: &mut Random) -> System {
    let factor: Vec<f64> = (0..k * k).map(|_| random.signed()).collect();
    let mut a = vec![0.0; k * k];
    for i in 0..k {
        for j in 0..=i {
            let rows = factor[i * k..(i + 1) * k].iter().zip(&factor[j * k..]);
            let sum: f64 = rows.map(|(a, b)| a * b).sum();
            a[i * k + j] = (sum + f64::from(u8::from(i == j))) / k as f64;
            a[j * k + i] = a[i * k + j];
        }
    }
    let b = (0..k).map(|_| random.signed()).collect();
    system(k, a, b)
}

/// The exact solution, by elimination.
fn solution(system: &System) -> Vec<Rational> {
    let k = system.k;
    let mut rows: Vec<Vec<Rational>> = (0..k)
        .map(|i| {
            let row = system.row(i).iter().chain([&system.b[i]]);
            row.map(|&value| exact(value)).collect()
        })
        .collect();
    for c in 0..k {
        let p = (c..k).find(|&i| rows[i][c] != 0).unwrap();
        rows.swap(c, p);
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
    (0..k)
        .map(|i| Rational::from(&rows[i][k] / &rows[i][i]))
        .collect()
}

/// The enclosure holds the exact solution, and is as narrow as that.
fn check(system: &System, enclosure: Option<Enclosure>, narrow: f64) {
    let enclosure = enclosure.unwrap_or_else(|| panic!("{} rows", system.k));
    let radius = exact(enclosure.radius);
    for (x, exactly) in enclosure.x.iter().zip(solution(system)) {
        assert!((exact(*x) - exactly).abs() <= radius);
    }
    assert!(enclosure.radius <= narrow, "{:e}", enclosure.radius);
}

const SIZES: [usize; 12] = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 30];

#[test]
fn definite_systems_of_any_size_are_enclosed_by_cholesky() {
    let mut random = Random(1);
    for k in SIZES {
        for _ in 0..3 {
            let system = definite(k, &mut random);
            check(&system, cholesky::enclose(&system, None), 1e-7);
        }
    }
}

#[test]
fn systems_of_any_size_and_sign_are_enclosed_by_an_inverse() {
    let mut random = Random(2);
    for k in SIZES {
        for _ in 0..3 {
            let a = (0..k * k)
                .map(|at| random.signed() + 3.0 * f64::from(u8::from(at % k == (at / k + 1) % k)));
            let system = system(k, a.collect(), (0..k).map(|_| random.signed()).collect());
            check(&system, general::enclose(&system), 1e-9);
        }
    }
}

#[test]
fn refinement_goes_on_as_long_as_it_helps() {
    // The least eigenvalue, 2^-14, is four times the shift: a step leaves a quarter of the error.
    let off = 1.0 - 1.0 / 16_384.0;
    let system = system(2, vec![1.0, off, off, 1.0], vec![1.0, -1.0]);
    check(&system, cholesky::enclose(&system, None), 1e-4);
    // As it does from a bad start.
    check(
        &system,
        cholesky::enclose(&system, Some(vec![1e6, 1e6])),
        1e-4,
    );
}

#[test]
fn the_error_of_a_factor_has_all_its_terms() {
    let mut random = Random(3);
    for k in SIZES {
        let system = definite(k, &mut random);
        let (error, size, squares) = cholesky::shifted_error(&system).unwrap();
        let largest = (0..k).map(|i| system.row(i)[i]).fold(0.0, f64::max);
        // docs/sign-certificate.md: the roundings of the factorisation, one to spare, those of the
        // subtractions, and what underflows.
        let cholesky = exact(gamma(size + 3).unwrap()) * exact(squares);
        let subtraction = unit() * exact(largest);
        let lost = exact(underflow(size * size * (size + 3))) * exact(largest);
        assert!(exact(error) >= cholesky + subtraction + lost);
    }
}

#[test]
fn residuals_are_enclosed_also_where_products_underflow() {
    let mut random = Random(4);
    for round in 0..400 {
        let k = 1 + round % 11;
        let mut wild = || {
            let power = match random.next() % 4 {
                0 => 0,
                1 => -(random.next() as i32 % 60),
                2 => -500 - (random.next() as i32 % 40),
                _ => -1022 + (random.next() as i32 % 4),
            };
            random.signed() * 2_f64.powi(power)
        };
        let a = (0..k * k).map(|_| wild()).collect();
        let b: Vec<f64> = (0..k)
            .map(|_| if round % 2 == 0 { 0.0 } else { wild() })
            .collect();
        let x: Vec<f64> = (0..k).map(|_| wild()).collect();
        let system = system(k, a, b);
        let rows = system.residual_rows(&x).unwrap();
        let mut squares = Rational::new();
        for (i, (value, radius)) in rows.iter().enumerate() {
            let products = system.row(i).iter().zip(&x);
            let sum = products.fold(exact(system.b[i]), |sum, (a, x)| {
                sum - exact(*a) * exact(*x)
            });
            assert!((exact(*value) - &sum).abs() <= exact(*radius), "row {i}");
            squares += Rational::from(&sum * &sum);
        }
        let residual = system.residual(&x).unwrap();
        assert!(exact(residual.norm) * exact(residual.norm) >= squares);
    }
    // The one product is half of the least positive number, and rounds to 0.
    let system = system(1, vec![2_f64.powi(-600)], vec![0.0]);
    let [(value, radius)] = system.residual_rows(&[2_f64.powi(-475)]).unwrap()[..] else {
        panic!("one row");
    };
    assert_eq!(value, 0.0);
    assert!(exact(radius) >= Rational::from(1) >> 1075);
}

#[test]
fn the_floor_of_a_residual_is_what_its_roundings_may_hide() {
    let mut random = Random(5);
    for k in [1, 2, 9, 30] {
        let system = definite(k, &mut random);
        let x: Vec<f64> = (0..k).map(|_| random.signed()).collect();
        let rows = system.residual_rows(&x).unwrap();
        let squares: f64 = rows.iter().map(|(_, radius)| radius * radius).sum();
        let floor = system.residual(&x).unwrap().floor;
        assert!((floor / squares.sqrt() - 1.0).abs() < 1e-9);
    }
}

/// What is computed of a row off the basis holds wherever in the enclosure the solution is.
fn check_row(q: f64, row: &[f64], columns: &[f64], enclosure: &Enclosure) {
    let rounding = Rounding::of(row.len(), enclosure).unwrap();
    let (value, radius) = dispatch(RowValue {
        q,
        row,
        columns,
        enclosure,
        rounding: &rounding,
    })
    .unwrap();
    let (mut at_x, mut rates) = (exact(q), Rational::new());
    for ((m, c), x) in row.iter().zip(columns).zip(&enclosure.x) {
        let rate = exact(*m) * exact(*c);
        at_x += &rate * exact(*x);
        rates += rate.abs();
    }
    let off = (exact(value) - at_x).abs() + rates * exact(enclosure.radius);
    assert!(off <= exact(radius), "{value:e} {radius:e}");
}

#[test]
fn rows_off_the_basis_are_enclosed_wherever_the_solution_is() {
    let mut random = Random(6);
    for round in 0..1000 {
        let k = 1 + round % 20;
        // Rounding errors alone, and the distance of the solution.
        let radius = if round % 3 == 0 { 1e-3 } else { 0.0 };
        let scale = [1.0, 2_f64.powi(30), 2_f64.powi(-30)][round % 5 % 3];
        let row: Vec<f64> = (0..k).map(|_| scale * random.signed()).collect();
        let columns: Vec<f64> = (0..k)
            .map(|_| 2_f64.powi(random.next() as i32 % 20 - 10))
            .collect();
        let x: Vec<f64> = (0..k).map(|_| random.signed()).collect();
        let terms = row.iter().zip(&columns).zip(&x);
        let sum: f64 = terms.map(|((m, c), x)| m * c * x).sum();
        // Off by its own rounding, or not small.
        let q = if round % 2 == 0 {
            -sum
        } else {
            random.signed()
        };
        check_row(q, &row, &columns, &Enclosure { x, radius });
    }
}

#[test]
fn products_that_underflow_off_the_basis_are_paid_for() {
    let least = f64::from_bits(1);
    let point = |x: Vec<f64>| Enclosure { x, radius: 0.0 };
    // Sixteen products of half of the least number round to 0, with large and with small x.
    check_row(
        0.0,
        &[8.0 * least; 16],
        &[1.0; 16],
        &point(vec![1.0 / 16.0; 16]),
    );
    check_row(0.0, &[least; 16], &[1.0; 16], &point(vec![0.5; 16]));
    // An entry is 0 in the units of x, which is large, or may be.
    let unit = 2_f64.powi(-20);
    let row = [least / unit / 2.0];
    let large = 1.0 / unit;
    check_row(0.0, &row, &[unit], &point(vec![large]));
    check_row(
        0.0,
        &row,
        &[unit],
        &Enclosure {
            x: vec![0.0],
            radius: large,
        },
    );
}

#[test]
fn every_shift_finds_the_definite_systems_that_it_is_for() {
    for power in [4, 13, 20, 25, 30, 33] {
        let off = 1.0 - 2_f64.powi(-power);
        let system = system(2, vec![1.0, off, off, 1.0], vec![1.0; 2]);
        check(&system, cholesky::enclose(&system, None), 1e-3);
    }
}

#[test]
fn an_eigenvalue_just_above_the_shift_is_bounded_from_below() {
    for shift in [16, 28, 36] {
        // Less than the error bound of the factor.
        let eigenvalue = 2_f64.powi(-shift) + 2_f64.powi(-50);
        let off = 1.0 - eigenvalue;
        let system = system(2, vec![1.0, off, off, 1.0], vec![1.0, -1.0]);
        let bound = cholesky::least_eigenvalue(&system).unwrap();
        assert!(bound <= eigenvalue && bound > eigenvalue / 2.0);
    }
}

/// The exact norm of I - R A.
fn defect(system: &System, inverse: &[f64]) -> Rational {
    let k = system.k;
    let mut worst = Rational::new();
    for (i, row) in inverse.chunks_exact(k).enumerate() {
        let mut sum = Rational::new();
        for j in 0..k {
            let mut entry = Rational::from(i32::from(i == j));
            for (m, r) in row.iter().enumerate() {
                entry -= exact(*r) * exact(system.row(m)[j]);
            }
            sum += entry.abs();
        }
        worst = worst.max(sum);
    }
    worst
}

#[test]
fn the_defect_of_an_inverse_is_bounded() {
    let mut random = Random(7);
    let mut bounded = 0;
    for round in 0..60 {
        let k = 2 + round % 8;
        // The last row is the sum of the others, or nearly.
        let mut a: Vec<f64> = (0..k * k).map(|_| random.signed()).collect();
        for j in 0..k {
            let sum: f64 = (0..k - 1).map(|i| a[i * k + j]).sum();
            a[(k - 1) * k + j] = sum + 1e-9 * random.signed();
        }
        let system = system(k, a, vec![1.0; k]);
        let inverse = general::approximate_inverse(&system).unwrap();
        if let Some(margin) = general::margin(&system, &inverse) {
            bounded += 1;
            assert!(exact(margin) <= 1 - defect(&system, &inverse));
        }
    }
    assert!(bounded > 30, "{bounded}");
}

#[test]
fn a_bad_inverse_and_a_bad_point_have_a_radius_that_holds() {
    let mut random = Random(8);
    for round in 0..400 {
        let (a, b) = (1.5 + random.signed(), random.signed());
        let system = system(1, vec![a], vec![b]);
        // Far from the inverse, and too far.
        let share = [1.0, 0.6, 1.4, 0.4, 1.6][round % 5];
        let inverse = [share / a];
        let margin = general::margin(&system, &inverse);
        assert_eq!(margin.is_some(), (0.5..1.5).contains(&share));
        let Some(margin) = margin else { continue };
        assert!(exact(margin) <= 1 - defect(&system, &inverse));
        for x in [0.0, b / a, b / a * (1.0 + 2_f64.powi(-10)), random.signed()] {
            let radius = general::radius(&system, &inverse, margin, &[x]);
            let radius = radius.unwrap();
            check(&system, Some(Enclosure { x: vec![x], radius }), 100.0);
        }
    }
}

#[test]
fn every_row_of_an_inverse_counts_for_the_radius() {
    for k in [2, 5, 9, 17] {
        for least in 0..k {
            // One unknown is by far the largest.
            let mut a = vec![0.0; k * k];
            (0..k).for_each(|i| a[i * k + i] = if i == least { 1e-3 } else { 1.0 });
            let system = system(k, a, vec![1.0; k]);
            let inverse = general::approximate_inverse(&system).unwrap();
            let margin = general::margin(&system, &inverse).unwrap();
            let x = vec![0.0; k];
            let radius = general::radius(&system, &inverse, margin, &x).unwrap();
            check(&system, Some(Enclosure { x, radius }), 1001.0);
        }
    }
}

#[test]
fn zero_is_enclosed_as_zero() {
    let mut random = Random(9);
    for k in [1, 2, 8, 9] {
        let mut system = definite(k, &mut random);
        system.b.fill(0.0);
        check(&system, cholesky::enclose(&system, None), 1e-100);
        check(&system, general::enclose(&system), 1e-300);
    }
}

#[test]
fn products_with_an_inverse_that_underflow_are_paid_for() {
    // The exact solution is less than the least number, and is found as 0.
    let k = 9;
    let mut a = vec![0.0; k * k];
    (0..k).for_each(|i| a[i * k + i] = 2_f64.powi(20));
    let system = system(k, a, vec![f64::from_bits(1); k]);
    let enclosure = general::enclose(&system).unwrap();
    assert_eq!(enclosure.x, vec![0.0; k]);
    check(&system, Some(enclosure), 1e-300);
}

#[test]
fn rows_are_exchanged_for_pivots() {
    // All permutations of four rows, the largest entries of which are not on the diagonal.
    for order in 0..256_usize {
        let place = |i: usize| order >> (2 * i) & 3;
        let mut a = vec![0.0; 16];
        (0..4).for_each(|i| a[4 * i + place(i)] = 1.0 + i as f64);
        let system = system(4, a, vec![1.0, -1.0, 2.0, 0.5]);
        let regular = (0..4).all(|j| (0..4).any(|i| place(i) == j));
        let enclosure = general::enclose(&system);
        assert_eq!(enclosure.is_some(), regular);
        if regular {
            check(&system, enclosure, 1e-14);
        }
    }
}
