//! The energy error of regularised convex problems: never below the true distance, and small for answers that are right.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::energy_error;
use etalon_lcp::{Problem, record};
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
    ] {
        let error = said(from, to).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}
