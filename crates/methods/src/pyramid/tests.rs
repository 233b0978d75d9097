//! Pyramids against what is known of them.

use etalon_lcp::record::read_problem;
use etalon_lcp::{ClaimedAnswer, Law, Number, Problem, Solver};
use rug::Rational;

use super::{Pyramid, Sides};

fn pyramids() -> [Pyramid; 4] {
    let sides = [
        Sides::Box,
        Sides::Inscribed(4),
        Sides::Inscribed(8),
        Sides::Inscribed(16),
    ];
    sides.map(|sides| Pyramid::new(sides, Default::default()))
}

fn problem(record: &str) -> Problem {
    read_problem(record).unwrap().record
}

/// A body of mass 1 on a plane: pressed by 1, driven along (a, b).
fn pushed(a: i32, b: i32, law: Law) -> Problem {
    let law = law.word();
    problem(&format!(
        r#"{{"name": "pushed", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1,{a},{b}],
            "cones": [{{"rows": [0,1,2], "mu": 0.5, "law": "{law}"}}]}}"#
    ))
}

fn solved(pyramid: &Pyramid, problem: &Problem) -> Vec<f64> {
    let claim = pyramid.solve(problem);
    let ClaimedAnswer::Solved { z } = claim.answer else {
        panic!("{}: {:?}", pyramid.name(), claim.message);
    };
    z.iter().map(Number::to_f64).collect()
}

fn near(z: &[f64], expected: &[f64]) {
    let far = z.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-12);
    assert!(
        !far && z.len() == expected.len(),
        "{z:?} is not {expected:?}"
    );
}

#[test]
fn a_direction_of_the_polygon_is_right_and_the_box_pulls_to_its_corner() {
    let [boxed, four, eight, sixteen] = pyramids();
    // Along a row all agree with the cone.
    for pyramid in [&boxed, &four, &eight, &sixteen] {
        near(
            &solved(pyramid, &pushed(3, 0, Law::Coulomb)),
            &[1.0, -0.5, 0.0],
        );
    }
    // Along the diagonal the box takes mu in both rows, the cone and polygons with that direction mu in all.
    let diagonal = pushed(3, 3, Law::Coulomb);
    near(&solved(&boxed, &diagonal), &[1.0, -0.5, -0.5]);
    let share = 0.5 * std::f64::consts::FRAC_1_SQRT_2;
    for pyramid in [&eight, &sixteen] {
        near(&solved(pyramid, &diagonal), &[1.0, -share, -share]);
    }
    let z = solved(&four, &diagonal);
    // The edge from (-1, 0) to (0, -1): all of it opposes the slip as much.
    assert!((z[1] + z[2] + 0.5).abs() < 1e-12, "{z:?}");
}

#[test]
fn forces_within_all_polygons_stick() {
    for law in Law::ALL {
        for pyramid in pyramids() {
            let z = solved(
                &pyramid,
                &problem(&format!(
                    r#"{{"name": "held", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1,0.125,-0.25],
                    "cones": [{{"rows": [0,1,2], "mu": 0.5, "law": "{}"}}]}}"#,
                    law.word()
                )),
            );
            near(&z, &[1.0, -0.125, 0.25]);
        }
    }
}

#[test]
fn the_convex_law_lifts_what_slides() {
    // Along a row: u = (1, 3 mu...) has r = a (1, -mu, 0), u_N = a - 1, u_1 = 3 - a mu, u_N = mu u_1.
    for pyramid in pyramids() {
        let z = solved(&pyramid, &pushed(3, 0, Law::Convex));
        let a = (1.0 + 1.5) / 1.25;
        near(&z, &[a, -a / 2.0, 0.0]);
    }
}

#[test]
fn a_disc_of_one_row_is_exact_in_every_pyramid() {
    let record = |law| {
        problem(&format!(
            r#"{{"name": "line", "M": [[2,1],[1,2]], "q": [-2,3], "cones": [{{"rows": [0,1], "mu": 0.25, "law": "{law}"}}]}}"#
        ))
    };
    for pyramid in pyramids() {
        // w_N = 2 r - r/4 - 2 = 0.
        near(
            &solved(&pyramid, &record("coulomb")),
            &[8.0 / 7.0, -2.0 / 7.0],
        );
        // (1, -1/4)'(M r + q) = 0 with r = a (1, -1/4): a (2 - 1/2 + 1/8) = 2 + 3/4.
        let a = 2.75 / 1.625;
        near(&solved(&pyramid, &record("convex")), &[a, -a / 4.0]);
    }
}

#[test]
fn plain_rows_and_frictionless_rows_stay() {
    // A free body row, a bounded row, and a row of the disc with mu = 0.
    let mixed = problem(
        r#"{"name": "mixed", "M": [[1,-1,0,0,0],[1,0,0,0,0],[0,0,1,0,0],[0,0,0,1,0],[0,0,0,0,1]], "q": [-1,0,5,2,-9],
            "lower": ["-inf",0,0,0,-1], "upper": ["inf","inf","inf","inf",2],
            "cones": [{"rows": [1,2,3], "mu": [0, 0.5]}]}"#,
    );
    for pyramid in pyramids() {
        let z = solved(&pyramid, &mixed);
        // The body moves off by 1: v = 1 with no force, and the bounded row is at its upper bound.
        near(&z, &[1.0, 0.0, 0.0, 0.0, 2.0]);
    }
}

#[test]
fn what_has_no_polygon_is_told() {
    let torsion = problem(
        r#"{"name": "t", "M": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]], "q": [-1,1,1,1], "cones": [{"rows": [0,1,2,3], "mu": 0.5}]}"#,
    );
    let [boxed, four, ..] = pyramids();
    near(&solved(&boxed, &torsion), &[1.0, -0.5, -0.5, -0.5]);
    let said = |pyramid: &Pyramid| pyramid.solve(&torsion).message.unwrap_or_default();
    assert!(said(&four).contains("a disc of 3 rows"), "{}", said(&four));
    let odd = Pyramid::new(Sides::Inscribed(6), Default::default());
    assert!(said(&odd).contains("multiple of 4"), "{}", said(&odd));
}

#[test]
fn more_directions_are_nearer_to_the_circle() {
    // The friction force of the cone is -mu (15, 8)/17: no polygon has that direction.
    let driven = pushed(15, 8, Law::Coulomb);
    let all = pyramids();
    let lengths = all[1..].iter().map(|pyramid| {
        let z = solved(pyramid, &driven);
        let exact = |value: f64| Rational::from_f64(value).unwrap();
        let far = (exact(z[1] + 7.5 / 17.0), exact(z[2] + 4.0 / 17.0));
        (far.0.clone() * &far.0 + far.1.clone() * &far.1)
            .to_f64()
            .sqrt()
    });
    let lengths: Vec<f64> = lengths.collect();
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert!(lengths[2] < 0.1 && lengths[2] > 1e-3, "{lengths:?}");
}
