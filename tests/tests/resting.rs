//! Bodies at rest in mixed form: answered in binary64, enclosed, and accepted by the judge.

use etalon::methods::Method;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_conformance::{generate, resting_families};
use etalon_exact::Budget;
use etalon_lcp::{Certificate, Claim, ClaimedAnswer, Problem, VerdictKind, record};
use rug::Rational;

/// The answer of a method, which the judge accepts within `tol`.
fn answer(method: &str, problem: &Problem, tol: Rational) -> Claim {
    let method: Method = method.parse().unwrap();
    let claim = method.solver(&Budget::default()).solve(problem);
    let (name, snap) = (problem.name(), Rational::new());
    assert_ne!(claim.answer, ClaimedAnswer::Failed, "{name}: {claim:?}");
    let tolerance = Tolerance {
        tol,
        snap,
        ..Tolerance::default()
    };
    let verdict = check_claim(problem, &claim, &Truth::default(), &tolerance);
    let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
    assert!(fine, "{name}: {verdict:?}");
    claim
}

fn billionth_billionth() -> Rational {
    Rational::from((1, 1_000_000_000_000_000_000u64))
}

/// The box about a certified answer, which the kernel proves, has `implied` rows that others imply.
fn is_enclosed(problem: &Problem, implied: usize) {
    let claim = answer("certified", problem, billionth_billionth());
    let name = problem.name();
    let Some(Certificate::Enclosure(own)) = &claim.certificate else {
        panic!("{name}: {:?}", claim.message)
    };
    assert_eq!(own.implied.len(), implied, "{name}");
    let mut truth = Truth::default();
    let proof = claim.certificate.as_ref().unwrap();
    truth.add_certificate(problem, proof).unwrap();
    assert_eq!(truth.status().solvable, Some(true));
}

#[test]
fn generated_bodies_at_rest_are_solved() {
    let limit = Rational::from((1, 1_000_000_000_000u64));
    for family in resting_families() {
        for (n, count) in [(9, 12), (18, 12), (36, 8), (90, 3), (240, 2)] {
            for problem in generate(family.name, n, count, 1).unwrap() {
                answer("fast-cone", &problem, limit.clone());
            }
        }
    }
}

/// Where forces are not unique, those of the answer may be on the boundary of a cone without slip: then there is no box.
#[test]
fn generated_bodies_at_rest_are_certified() {
    let limit = Rational::from((1, 1_000_000_000_000u64));
    for family in resting_families() {
        let mut boxes = 0;
        for problem in generate(family.name, 18, 20, 1).unwrap() {
            let claim = answer("certified", &problem, limit.clone());
            boxes += usize::from(matches!(claim.certificate, Some(Certificate::Enclosure(_))));
        }
        assert!(boxes >= 8, "{}: {boxes} of 20", family.name);
    }
}

/// Boxes of mass 2 upon each other, pulled down by 9.81; the lowest stands on the ground. Each has contacts at (x, y) below
/// its centre.
fn boxes(law: &str, count: usize, corners: &[[i32; 2]]) -> Problem {
    let (free, n) = (6 * count, 6 * count + 3 * count * corners.len());
    let mut m = vec![vec![0.0; n]; n];
    for (i, row) in m.iter_mut().enumerate().take(free) {
        row[i] = 2.0;
    }
    let mut cones = Vec::new();
    for body in 0..count {
        for [x, y] in corners {
            let [x, y] = [x, y].map(|own| f64::from(*own));
            let first = free + 3 * cones.len();
            // Half a box below the centre of the upper one, and above that of the lower one.
            for (other, sign, z) in [(Some(body), 1.0, -0.5), (body.checked_sub(1), -1.0, 0.5)] {
                let Some(other) = other else { continue };
                let rows = [
                    [0.0, 0.0, 1.0, y, -x, 0.0],
                    [1.0, 0.0, 0.0, 0.0, z, -y],
                    [0.0, 1.0, 0.0, -z, 0.0, x],
                ];
                for (k, row) in rows.iter().enumerate() {
                    for (j, h) in row.iter().enumerate() {
                        m[first + k][6 * other + j] = sign * h;
                        m[6 * other + j][first + k] = -sign * h;
                    }
                }
            }
            cones.push(format!(
                r#"{{"rows": [{first}, {}, {}], "mu": 0.5, "law": "{law}"}}"#,
                first + 1,
                first + 2
            ));
        }
    }
    let q = (0..n).map(|i| if i < free && i % 6 == 2 { 9.81 } else { 0.0 });
    let lower = (0..n).map(|i| if i < free { r#""-inf""# } else { "0" });
    let text = format!(
        r#"{{"name": "boxes/{law}/{count}/{}", "M": {m:?}, "q": {:?}, "lower": [{}], "cones": [{}]}}"#,
        corners.len(),
        q.collect::<Vec<f64>>(),
        lower.collect::<Vec<_>>().join(","),
        cones.join(","),
    );
    record::read_problem(&text).unwrap().record
}

#[test]
fn boxes_at_rest_on_one_to_four_corners_are_enclosed() {
    let square = [[1, 1], [-1, -1], [1, -1], [-1, 1]];
    let triangle = [[2, 0], [-1, 2], [-1, -2]];
    for law in ["coulomb", "convex"] {
        // Each body has six velocities; on two corners one of them, about the line between them, is free.
        for (corners, implied) in [
            (&[[0, 0]][..], 0),
            (&square[..2], 1),
            (&triangle, 3),
            (&square, 6),
        ] {
            for count in 1..=3 {
                is_enclosed(&boxes(law, count, corners), count * implied);
            }
        }
    }
}
