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
fn what_grazes_has_no_box() {
    // u_N = 0 and r = 0: neither is it open in all of a box, nor pressed.
    let grazes = problem(
        r#"{"name": "p", "M": [[2,1,0,1],[1,2,0,0],[0,0,2,0],[-1,0,0,1]], "q": [-0.1,5,1,-0.1], "lower": [0,0,0,"-inf"], "cones": [{"rows": [0,1,2], "mu": 0.5}]}"#,
    );
    assert!(enclose(&grazes, &[0.0, 0.0, 0.0, 0.1]).is_none());
    for z in [
        vec![],
        vec![0.0],
        vec![f64::NAN, 0.0, 0.0],
        vec![f64::INFINITY, 1.0, 0.0],
    ] {
        assert!(enclose(&three(), &z).is_none());
    }
}

#[test]
fn redundant_contacts_have_boxes_about_the_forces_that_were_found() {
    // Two normals that are one: their forces have a sum of 1.
    let twice = |q: &str| {
        problem(&format!(
            r#"{{"name": "p", "M": [[1,1],[1,1]], "q": [-1,{q}], "cones": [{{"normal": 0, "discs": []}}, {{"normal": 1, "discs": []}}]}}"#
        ))
    };
    for z in [[0.5, 0.5], [0.25, 0.75], [0.999, 0.001]] {
        let found = boxed(&twice("-1"), &z).unwrap();
        let exact = z.map(|own| Rational::from((((own * 1000.0) as i64), 1000)));
        assert!(holds(&found, &exact), "{found:?}");
    }
    // Almost: the second is open then, and nothing is redundant.
    let found = boxed(&twice("-0.999"), &[1.0, 1e-12]).unwrap();
    assert!(holds(&found, &[1, 0].map(Rational::from)));
}

/// A plate at rest on corners at (x, y): 6 free velocities, and at each corner its forces (normal, along x, along y).
/// The normal velocity is v_z + y a_x - x a_y, the tangential ones v_x - y a_z and v_y + x a_z.
fn plate(corners: &[[i64; 2]], forces: &[[i64; 3]]) -> (Problem, Vec<f64>) {
    let row = |[x, y]: [i64; 2]| [[0, 0, 1, y, -x, 0], [1, 0, 0, 0, 0, -y], [0, 1, 0, 0, 0, x]];
    let rows: Vec<[i64; 6]> = corners.iter().flat_map(|corner| row(*corner)).collect();
    let forces: Vec<i64> = forces.concat();
    let n = 6 + rows.len();
    let entry = |i: usize, j: usize| match (i < 6, j < 6) {
        (true, true) => i64::from(i == j) * (3 + i as i64),
        (true, false) => -rows[j - 6][i],
        (false, true) => rows[i - 6][j],
        (false, false) => 0,
    };
    let m: Vec<Vec<i64>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    let load = |i: usize| -> i64 { rows.iter().zip(&forces).map(|(row, r)| row[i] * r).sum() };
    let q: Vec<i64> = (0..n).map(|i| if i < 6 { load(i) } else { 0 }).collect();
    let lower: Vec<_> = (0..n)
        .map(|i| if i < 6 { r#""-inf""# } else { "0" })
        .collect();
    let cones: Vec<_> = (0..corners.len())
        .map(|k| {
            format!(
                r#"{{"rows": [{}, {}, {}], "mu": "1/2"}}"#,
                6 + 3 * k,
                7 + 3 * k,
                8 + 3 * k
            )
        })
        .collect();
    let text = format!(
        r#"{{"name": "plate", "M": {m:?}, "q": {q:?}, "lower": [{}], "cones": [{}]}}"#,
        lower.join(","),
        cones.join(","),
    );
    let z = (0..n).map(|i| if i < 6 { 0.0 } else { forces[i - 6] as f64 });
    (problem(&text), z.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Six velocities decide what all corners do, so all other equations of a plate at rest follow from six.
    #[test]
    fn a_plate_on_corners_has_a_box_about_its_forces(
        size in prop::array::uniform2(1..9_i64),
        more in prop::collection::vec(prop::array::uniform2(-9..10_i64), 0..3),
        forces in prop::collection::vec((4..9_i64, -1..2_i64, -1..2_i64), 7),
        noise in -9..10_i32,
    ) {
        let [x, y] = size;
        let mut corners = vec![[x, y], [-x, y], [x, -y], [-x, -y]];
        corners.extend(more);
        let forces: Vec<_> = forces.iter().take(corners.len()).map(|(n, a, b)| [*n, *a, *b]).collect();
        let (problem, mut z) = plate(&corners, &forces);
        z.iter_mut().for_each(|own| *own *= 1.0 + f64::from(noise) * 1e-10);
        let Some(Certificate::Enclosure(found)) = enclose(&problem, &z) else {
            panic!("no box")
        };
        prop_assert_eq!(found.implied.len(), 3 * corners.len() - 6);
        for (center, z) in found.center.iter().zip(&z) {
            prop_assert!((center.to_f64() - z).abs() < 1e-6, "{} {z}", center.to_f64());
        }
        // The text of a certificate says the same.
        let answer = ClaimedAnswer::Solved { z: found.center.clone() };
        let mut claim = Claim::new("plate", answer);
        claim.certificate = Some(Certificate::Enclosure(found));
        let read = record::read_claim(&record::write_claim(&claim)).unwrap().record;
        prop_assert_eq!(read.certificate, claim.certificate);
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

/// Of eleven nodes, each takes less than this work, and all together take more.
#[test]
fn the_nodes_of_a_refutation_share_their_budget_and_the_message_says_that_it_ran_out() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../golden/problems/cone/edge/no_solution.json"
    );
    let problem = problem(&std::fs::read_to_string(path).unwrap());
    let claim = |work| {
        let budget = Budget {
            work,
            ..Budget::default()
        };
        Certified::new(Box::new(Proposer(ClaimedAnswer::Failed)), budget).solve(&problem)
    };
    assert_eq!(claim(1_000_000).answer, ClaimedAnswer::Unsolvable);
    let given_up = claim(400_000);
    assert_eq!(given_up.answer, ClaimedAnswer::Failed);
    assert_eq!(
        given_up.message.as_deref(),
        Some(
            "no proof was found that there is no solution: the budget of 400000 units of work ran out"
        )
    );
}

/// mu r_N is beyond binary64: digits below such a size cannot be counted in it.
#[test]
fn sizes_beyond_binary64_are_given_up() {
    for mu in ["1e308", "1e4000"] {
        let problem = problem(&format!(
            r#"{{"name": "far", "M": [[1,-1,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0]], "q": [10,0,0,0],
                "lower": ["-inf",0,0,0], "upper": ["inf","inf","inf","inf"],
                "cones": [{{"rows": [1,2,3], "mu": "{mu}"}}]}}"#
        ));
        assert!(enclose(&problem, &[0.0, 10.0, 0.0, 0.0]).is_none());
    }
}

/// A body at rest, whose velocities are 0 and compared with 1e-6 of the force: seven digits of the inverse are enough
/// for weights, and not for each radius rounded up to a power of ten.
#[test]
fn a_body_at_rest_with_one_contact_inside_its_cone_is_enclosed() {
    let problem = problem(
        r#"{"name": "rest", "M": [[1,0,0,0,-2,-2,-1],[0,0.5,0,0,-1,2,-2],[0,0,0.25,0,2,-1,-2],[0,0,0,2,-3,0,6],
            [2,1,-2,3,0,0,0],[2,-2,1,0,0,0,0],[1,2,2,-6,0,0,0]], "q": [20,10,-20,30,0,0,0],
            "lower": ["-inf","-inf","-inf","-inf",0,0,0], "upper": ["inf","inf","inf","inf","inf","inf","inf"],
            "cones": [{"rows": [4,5,6], "mu": 1}]}"#,
    );
    let z = [0, 0, 0, 0, 10, 0, 0];
    let found = boxed(&problem, &z.map(f64::from)).unwrap();
    assert!(holds(&found, &z.map(Rational::from)));
}
