//! Boxes about solutions of contact problems, and weights that show one velocity.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_certify::Truth;
use etalon_exact::{Budget, Certified, decide, enclose};
use etalon_lcp::{
    Certificate, Claim, ClaimedAnswer, Mode, Number, Problem, Solver, Unique, record,
};
use proptest::prelude::*;
use rug::Rational;

fn problem(text: &str) -> Problem {
    record::read_problem(text).unwrap().record
}

/// The box, which the kernel has proved, as (middle, radius) by row.
fn boxed(problem: &Problem, z: &[f64]) -> Option<Vec<(Rational, Rational)>> {
    let certificate = enclose(problem, z)?;
    let mut truth = Truth::default();
    truth.add_certificate(problem, &certificate).unwrap();
    assert_eq!(truth.status().solvable, Some(true));
    let [center, radius] = truth.boxes()[0].clone();
    Some(center.into_iter().zip(radius).collect())
}

fn holds(found: &[(Rational, Rational)], z: &[Rational]) -> bool {
    found
        .iter()
        .zip(z)
        .all(|((center, radius), z)| Rational::from(center - z).abs() <= *radius)
}

/// One contact with three solutions, M positive definite.
fn three() -> Problem {
    problem(
        r#"{"name": "three", "M": [[1,1,0],[1,2,0],[0,0,1]], "q": [1,5,0], "cones": [{"rows": [0,1,2], "mu": 2}]}"#,
    )
}

#[test]
fn each_of_three_solutions_has_a_box_of_its_own() {
    let all = [[0, 0, 0], [3, -4, 0], [1, -2, 0]];
    for own in all {
        let near = own.map(|value| f64::from(value) * (1.0 + 1e-7));
        let found = boxed(&three(), &near).unwrap();
        for other in all {
            let exact = other.map(Rational::from);
            assert_eq!(holds(&found, &exact), own == other, "{own:?} {other:?}");
        }
    }
    assert_eq!(
        decide(&three(), &Budget::default()).truth.status().unique,
        None
    );
}

#[test]
fn weak_friction_is_found_to_have_one_solution() {
    let with = |mu: &str, law: &str| {
        problem(&format!(
            r#"{{"name": "p", "M": [[2,1,0],[1,2,0],[0,0,2]], "q": [-1,5,1], "cones": [{{"rows": [0,1,2], "mu": {mu}, "law": "{law}"}}]}}"#
        ))
    };
    let unique = |problem: &Problem| decide(problem, &Budget::default()).truth.status().unique;
    assert_eq!(unique(&with("0.5", "coulomb")), Some(Unique::Z));
    // One contact: mu^2 lambda_max(W_TT) (W^-1)_NN = 4/3 mu^2 is to be less than 1.
    assert_eq!(unique(&with("0.86", "coulomb")), Some(Unique::Z));
    assert_eq!(unique(&with("0.87", "coulomb")), None);
    assert_eq!(unique(&with("5", "convex")), Some(Unique::Z));
    assert_eq!(unique(&with("0", "coulomb")), Some(Unique::Z));
}

#[test]
fn what_grazes_or_is_redundant_has_no_box() {
    // u_N = 0 and r = 0: neither is it open in all of a box, nor pressed.
    let grazes = problem(
        r#"{"name": "p", "M": [[2,1,0,1],[1,2,0,0],[0,0,2,0],[-1,0,0,1]], "q": [-0.1,5,1,-0.1], "lower": [0,0,0,"-inf"], "cones": [{"rows": [0,1,2], "mu": 0.5}]}"#,
    );
    assert!(enclose(&grazes, &[0.0, 0.0, 0.0, 0.1]).is_none());
    // Two normals that are one: their forces are not determined.
    let twice = problem(
        r#"{"name": "p", "M": [[1,1],[1,1]], "q": [-1,-1], "cones": [{"normal": 0, "discs": []}, {"normal": 1, "discs": []}]}"#,
    );
    assert!(enclose(&twice, &[0.5, 0.5]).is_none());
    for z in [
        vec![],
        vec![0.0],
        vec![f64::NAN, 0.0],
        vec![f64::INFINITY, 1.0],
    ] {
        assert!(enclose(&twice, &z).is_none());
    }
}

#[test]
fn modes_that_a_rough_answer_hides_are_corrected() {
    // The middle slides, although the answer says that it sticks.
    let own = problem(
        r#"{"name": "p", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1,1.2,1.6], "cones": [{"rows": [0,1,2], "mu": 1}]}"#,
    );
    let Some(Certificate::Enclosure(found)) = enclose(&own, &[0.9, -0.3, -0.2]) else {
        panic!()
    };
    assert_eq!(found.modes, [Mode::Pressed(vec![true])]);
}

#[derive(Debug, Clone)]
struct Drawn {
    text: String,
    z: Vec<Rational>,
}

/// Contacts whose modes and rational forces are drawn first: M = B B' + I in quarters, q = u - M r.
fn drawn() -> impl Strategy<Value = Drawn> {
    let contacts = prop::collection::vec((0..3_u8, 1..9_i32, 1..9_i32, any::<bool>()), 1..4);
    (contacts, prop::collection::vec(-4..5_i32, 12 * 12)).prop_map(|(contacts, entries)| {
        let n = 3 * contacts.len();
        let b = |i: usize, j: usize| Rational::from((entries[12 * i + j], 4));
        let m: Vec<Vec<Rational>> = (0..n)
            .map(|i| {
                let entry = |j: usize| {
                    let sum: Rational = (0..n).map(|k| b(i, k) * b(j, k)).sum();
                    sum + Rational::from(i32::from(i == j))
                };
                (0..n).map(entry).collect()
            })
            .collect();
        let (mut r, mut u) = (Vec::new(), Vec::new());
        for (mode, force, slip, turned) in contacts {
            let (x, y) = if turned { (4, 3) } else { (3, 4) };
            let at = |values: [(i32, i32); 3]| values.map(Rational::from);
            let (own, velocity) = match mode {
                0 => (at([(0, 1); 3]), at([(slip, 2), (force, 3), (-1, 1)])),
                1 => (at([(force, 2), (force, 8), (-force, 8)]), at([(0, 1); 3])),
                _ => (
                    at([(force, 2), (force * x, 20), (force * y, 20)]),
                    at([(0, 1), (-slip * x, 5), (-slip * y, 5)]),
                ),
            };
            r.extend(own);
            u.extend(velocity);
        }
        let q = |i: usize| {
            u[i].clone()
                - (0..n)
                    .map(|j| Rational::from(&m[i][j] * &r[j]))
                    .sum::<Rational>()
        };
        let list = |values: Vec<Rational>| {
            let texts: Vec<_> = values.iter().map(|own| format!("\"{own}\"")).collect();
            format!("[{}]", texts.join(","))
        };
        let rows: Vec<_> = m.iter().map(|row| list(row.clone())).collect();
        let cone = |c: usize| {
            format!(
                r#"{{"rows": [{}, {}, {}], "mu": "1/2"}}"#,
                3 * c,
                3 * c + 1,
                3 * c + 2
            )
        };
        let cones: Vec<_> = (0..n / 3).map(cone).collect();
        let text = format!(
            r#"{{"name": "drawn", "M": [{}], "q": {}, "cones": [{}]}}"#,
            rows.join(","),
            list((0..n).map(q).collect()),
            cones.join(",")
        );
        Drawn { text, z: r }
    })
}

proptest! {
    #[test]
    fn a_solution_near_the_answer_is_in_the_box(own in drawn()) {
        let problem = problem(&own.text);
        let near: Vec<_> = own.z.iter().map(|z| z.to_f64() * (1.0 + 1e-9)).collect();
        // Strong friction may have singular equations, seldom.
        let found = boxed(&problem, &near);
        prop_assume!(found.is_some());
        let found = found.unwrap();
        prop_assert!(holds(&found, &own.z));
        let largest = own.z.iter().map(|z| z.clone().abs()).max().unwrap();
        let limit: Rational = largest * Rational::from_f64(1e-25).unwrap();
        for (_, radius) in found {
            prop_assert!(radius <= limit);
        }
    }
}

/// Says always the same.
struct Proposer(ClaimedAnswer);

impl Solver for Proposer {
    fn name(&self) -> &'static str {
        "always"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        Claim::new(problem.name(), self.0.clone())
    }
}

/// The block error of z is almost 0, because forces may grow; and yet there is no solution, since w_N is -2.
#[test]
fn what_has_no_solution_is_unsolvable_whatever_is_proposed() {
    let problem = problem(
        r#"{"name": "none", "M": [[0,0],[0,4]], "q": [-2,2], "cones": [{"rows": [0,1], "mu": 1}]}"#,
    );
    let far = ["55560000000000", "-1/2"].map(|value| Number::parse_exact(value).unwrap());
    let far = ClaimedAnswer::Solved { z: far.to_vec() };
    for proposed in [far, ClaimedAnswer::Failed] {
        let certified = Certified::new(Box::new(Proposer(proposed)), Budget::default());
        let claim = certified.solve(&problem);
        assert_eq!(
            claim.answer,
            ClaimedAnswer::Unsolvable,
            "{:?}",
            claim.message
        );
        let mut truth = Truth::default();
        truth
            .add_certificate(&problem, &claim.certificate.unwrap())
            .unwrap();
        assert_eq!(truth.status().solvable, Some(false));
    }
}
