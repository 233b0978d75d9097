//! The energy error of regularised convex problems: never below the true distance, and small for answers that are right.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{energy_error, inverse_form};
use etalon_lcp::{Matrix, Number, Problem, record};
use proptest::prelude::*;
use rug::Rational;

/// Rows of A, of M's rows of contacts and free columns, and of R; q such that z solves the problem with this w.
struct Made {
    problem: Problem,
    z: Vec<Rational>,
}

/// A body of two unknowns, A positive definite and perhaps unsymmetric, with two contacts of three rows, R diagonal; mu = 5/4
/// and a direction (3, 4) / 5 make all numbers rational. `modes`: 0 open, 1 sticks, 2 slides, 3 grazes.
fn made(a: [i64; 3], h: &[i64], r: &[i64], modes: [u8; 2], v: [i64; 2]) -> Made {
    let n = 8;
    let mut m = vec![vec![Rational::new(); n]; n];
    m[0][0] = Rational::from(4 + a[0]);
    m[1][1] = Rational::from(4 + a[1]);
    m[0][1] = Rational::from((a[2], 2));
    m[1][0] = Rational::from(-a[2]);
    for i in 0..6 {
        for j in 0..2 {
            let own = Rational::from((h[2 * i + j], 2));
            m[j][2 + i] = -own.clone();
            m[2 + i][j] = own;
        }
        m[2 + i][2 + i] = Rational::from((r[i], 8));
    }
    let mut z: Vec<_> = v.iter().map(|v| Rational::from((*v, 3))).collect();
    let mut w = vec![Rational::new(); 2];
    for mode in modes {
        // r_k / mu = (3, 4) / 5 r_N with mu = 5/4, and u_k = -L r_k / mu^2, u_N = L r_N.
        let (force, velocity): ([i64; 3], [i64; 3]) = match mode {
            0 => ([0, 0, 0], [20, -3, -4]),
            1 => ([8, 3, 4], [0, 0, 0]),
            2 => ([16, 12, 16], [0, 0, 0]),
            _ => ([0, 0, 0], [0, 0, 0]),
        };
        z.extend(force.map(Rational::from));
        if mode == 2 {
            let over = Rational::from((16, 25));
            w.extend([
                Rational::from(16),
                -Rational::from(12) * &over,
                -Rational::from(16) * &over,
            ]);
        } else {
            w.extend(velocity.map(Rational::from));
        }
    }
    let q: Vec<_> = (0..n)
        .map(|i| {
            let terms = m[i].iter().zip(&z).map(|(m, z)| Rational::from(m * z));
            terms.fold(w[i].clone(), |left, term| left - term)
        })
        .collect();
    let list = |values: &[Rational]| {
        let words: Vec<_> = values.iter().map(|v| format!("\"{v}\"")).collect();
        format!("[{}]", words.join(","))
    };
    let rows: Vec<_> = m.iter().map(|row| list(row)).collect();
    let text = format!(
        r#"{{"name": "p", "M": [{}], "q": {}, "lower": ["-inf","-inf",0,0,0,0,0,0],
        "cones": [{{"rows": [2,3,4], "mu": "5/4", "law": "convex"}}, {{"rows": [5,6,7], "mu": "5/4", "law": "convex"}}]}}"#,
        rows.join(","),
        list(&q)
    );
    Made {
        problem: record::read_problem(&text).unwrap().record,
        z,
    }
}

/// |x|_A^2 + |x|_R^2, A of the first two rows and R of the others.
fn energy(problem: &Problem, x: &[Rational]) -> Rational {
    let mut sum = Rational::new();
    for i in 0..x.len() {
        for (j, own) in problem.m().row(i).filter(|(j, _)| (*j < 2) == (i < 2)) {
            sum += own.to_rational() * &x[i] * &x[j];
        }
    }
    sum
}

proptest! {
    #[test]
    fn the_bound_is_never_below_the_distance(
        a in prop::array::uniform3(-2i64..=2), h in prop::collection::vec(-3i64..=3, 12), r in prop::collection::vec(1i64..=9, 6),
        modes in prop::array::uniform2(0u8..4), v in prop::array::uniform2(-4i64..=4),
        change in prop::collection::vec(-8i64..=8, 8), digits in 0u32..60,
    ) {
        let Made { problem, z } = made(a, &h, &r, modes, v);
        let moved: Vec<_> = z.iter().zip(&change)
            .map(|(z, by)| z + (Rational::from(*by) >> digits)).collect();
        let away: Vec<_> = moved.iter().zip(&z).map(|(a, b)| Rational::from(a - b)).collect();
        let size = energy(&problem, &moved);
        prop_assume!(size > 0);
        let bound = energy_error(&problem, &moved).unwrap();
        prop_assert!(Rational::from(bound.square_ref()) * &size >= energy(&problem, &away), "{bound:?}");
        // What is right to so many digits is called so, up to the root of what grazing contacts lose.
        // Where the solution is 0 the answer is nothing but what is wrong with it.
        let most = Rational::from(4000) >> (digits / 2);
        let is_zero = z.iter().all(Rational::is_zero);
        prop_assert!(is_zero || bound <= most, "{} {}", bound.to_f64(), digits);
    }

    #[test]
    fn the_solution_itself_has_none(
        a in prop::array::uniform3(-2i64..=2), h in prop::collection::vec(-3i64..=3, 12), r in prop::collection::vec(1i64..=9, 6),
        modes in prop::array::uniform2(0u8..4), v in prop::array::uniform2(1i64..=4),
    ) {
        let Made { problem, z } = made(a, &h, &r, modes, v);
        prop_assert!(energy_error(&problem, &z).unwrap() < Rational::from((1, 1_u128 << 90)));
    }
}

#[test]
fn where_the_theorem_says_nothing_there_is_no_bound() {
    let Made { problem, z } = made([0; 3], &[1; 12], &[1; 6], [0; 2], [1; 2]);
    let why = |z: &[Rational]| energy_error(&problem, z).unwrap_err().to_string();
    assert!(why(&z[..7]).contains("another length"));
    assert!(why(&vec![Rational::new(); 8]).contains("z is 0"));
    let said = |from: &str, to: &str| {
        let record = r#"{"name": "p", "M": [[2,1,0,0],[-1,1,0,0],[0,0,1,0],[0,0,0,1]], "q": [0,-1,1,0],
            "lower": ["-inf",0,0,0], "cones": [{"rows": [1,2,3], "mu": 1, "law": "convex"}]}"#;
        assert!(record.contains(from), "{from}");
        let problem = record::read_problem(&record.replacen(from, to, 1))
            .unwrap()
            .record;
        let z = vec![Rational::from(1); problem.n()];
        energy_error(&problem, &z).map_err(|error| error.to_string())
    };
    assert!(said("p", "q").is_ok());
    for (from, to, why) in [
        ("convex", "coulomb", "convex law"),
        ("[-1,1,0,0]", "[1,1,0,0]", "not opposite"),
        ("[2,1,0,0]", "[0,1,0,0]", "positive definite"),
        ("[0,0,1,0]", "[0,0,-1,0]", "positive definite"),
        (r#"["-inf",0,0,0]"#, r#"[-1,0,0,0]"#, "bounds"),
        ("[0,-1,1,0]", r#"["1e-4000",-1,1,0]"#, "too long"),
        ("[2,1,0,0]", r#"["1e4000",1,0,0]"#, "too long"),
    ] {
        let error = said(from, to).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

/// The bound by hand: M = `diagonal` times the unit matrix, a contact of two tangents and a plain row.
fn by_hand(diagonal: u32, mu: &str, q: &str, z: [i32; 4]) -> Rational {
    let row = |i| {
        (0..4)
            .map(|j| if i == j { diagonal } else { 0 })
            .collect::<Vec<_>>()
    };
    let rows: Vec<_> = (0..4).map(|i| format!("{:?}", row(i))).collect();
    let record = format!(
        r#"{{"name": "p", "M": [{}], "q": {q}, "cones": [{{"rows": [0,1,2], "mu": {mu}, "law": "convex"}}]}}"#,
        rows.join(",")
    );
    let problem: Problem = record::read_problem(&record).unwrap().record;
    energy_error(&problem, &z.map(Rational::from)).unwrap()
}

#[test]
fn the_bound_is_half_of_two_roots_of_what_is_left() {
    // r = (4, 3) inside its cone and w = (3, 4), of which nothing is taken: 5 of 5. The plain row has w = 5 at 0.
    assert_eq!(by_hand(1, r#"["1","1"]"#, "[-1,1,0,5]", [4, 3, 0, 0]), 1);
    // r = (3, 4) on the boundary with mu = 4/3, w = (28, -9): friction against slip takes (12, -9), and 16 is left at N,
    // so e'e / 4 = 64, of 4 * 25. The row without friction moves at 7.
    let slides = by_hand(4, r#"["4/3","0"]"#, "[16,-25,7,5]", [3, 4, 0, 0]);
    assert_eq!(slides, Rational::from((4, 5)));
}

fn matrix(rows: &[Vec<i64>]) -> Matrix {
    let row = |row: &Vec<i64>| {
        row.iter()
            .map(|v| Number::from(Rational::from(*v)))
            .collect()
    };
    Matrix::from_rows(rows.iter().map(row).collect()).unwrap()
}

proptest! {
    /// With e = Sx it is x'Sx, whatever M has besides its symmetric part, and in other rows.
    #[test]
    fn the_inverse_form_is_that_of_the_symmetric_part(
        below in prop::collection::vec(prop_oneof![Just(0i64), -2i64..=2], 15), skew in prop::collection::vec(-3i64..=3, 15),
        x in prop::collection::vec(-4i64..=4, 6),
    ) {
        let entry = |all: &[i64], i: usize, j: usize| all[i.max(j) * (i.max(j) - 1) / 2 + i.min(j)];
        let s = |i: usize, j: usize| if i == j { 12 + i as i64 } else { entry(&below, i, j) };
        let m: Vec<Vec<_>> = (0..6_usize).map(|i| (0..6).map(|j| match i.cmp(&j) {
            std::cmp::Ordering::Less => s(i, j) + entry(&skew, i, j),
            std::cmp::Ordering::Equal => s(i, j),
            std::cmp::Ordering::Greater => s(i, j) - entry(&skew, i, j),
        }).collect()).collect();
        let rows = [0_usize, 2, 3, 4, 5];
        let e: Vec<i64> = (0..6).map(|i| rows.iter().map(|&j| s(i, j) * x[j]).sum()).collect();
        let expected: i64 = rows.iter().map(|&i| x[i] * e[i]).sum();
        let e: Vec<_> = e.into_iter().map(Rational::from).collect();
        prop_assert_eq!(inverse_form(&matrix(&m), &rows, &e).unwrap(), expected);
    }
}

#[test]
fn sixty_rows_may_be_coupled() {
    let chain = |n: usize| {
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 3,
            1 => 1,
            _ => 0,
        };
        let rows: Vec<_> = (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect();
        let all: Vec<_> = (0..n).collect();
        inverse_form(&matrix(&rows), &all, &vec![Rational::new(); n])
    };
    assert_eq!(chain(60).unwrap(), 0);
    assert!(
        chain(61)
            .unwrap_err()
            .to_string()
            .contains("too many rows are coupled")
    );
}
