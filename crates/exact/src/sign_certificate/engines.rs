//! Each way of enclosing a solution by itself: where one fails the other steps in, which would hide it.

use rug::Rational;

use super::bounds::{gamma, underflow};
use super::data::System;
use super::{Enclosure, cholesky, general};

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
