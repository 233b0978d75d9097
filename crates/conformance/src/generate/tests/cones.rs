//! Friction cones: the answers are right by construction, and contacts do all that their family says.

use std::collections::BTreeMap;

use etalon_certify::{check_symmetric_psd, prove};
use etalon_lcp::{Law, Problem};
use rug::Rational;

use super::super::{cone_families, generate, resting_families};

/// r and u of the contacts at the answer.
fn contacts(problem: &Problem) -> Vec<[[Rational; 3]; 2]> {
    let answer = &problem.expect.as_ref().unwrap().solutions[0];
    let z: Vec<_> = answer.iter().map(etalon_lcp::Number::to_rational).collect();
    let w = |i: usize| {
        let terms = problem
            .m()
            .row(i)
            .map(|(j, value)| value.to_rational() * &z[j]);
        terms.fold(problem.q()[i].to_rational(), |sum, term| sum + term)
    };
    let contact = |cone: &etalon_lcp::Cone| {
        let rows: Vec<_> = cone.rows().collect();
        [
            [0, 1, 2].map(|k| z[rows[k]].clone()),
            [0, 1, 2].map(|k| w(rows[k])),
        ]
    };
    problem.cones().iter().map(contact).collect()
}

#[test]
fn answers_are_right_and_contacts_of_all_kinds() {
    for family in cone_families() {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        let is_convex = family.name.contains("convex");
        for n in [3, 6, 15, 30] {
            for problem in generate(family.name, n, 20, 1).unwrap() {
                prove(&problem, problem.expect.as_ref().unwrap()).unwrap();
                check_symmetric_psd(problem.m()).unwrap();
                for (cone, [r, u]) in problem.cones().iter().zip(contacts(&problem)) {
                    assert_eq!(cone.law == Law::Convex, is_convex);
                    let mu = cone.discs[0].mu.of(0).to_rational();
                    let square = |v: &[Rational; 3]| v[1].clone().square() + v[2].clone().square();
                    let boundary = square(&r) == Rational::from(&mu * &r[0]).square();
                    let kind = match (r[0] == 0, square(&u) == 0, boundary) {
                        _ if mu == 0 => "without friction",
                        (true, _, _) if u[0] == 0 => "grazes",
                        (true, _, _)
                            if is_convex && square(&u) * mu.square() == u[0].clone().square() =>
                        {
                            "grazes"
                        }
                        (true, _, _) => "takes off",
                        (false, true, true) => "on the boundary without slip",
                        (false, true, false) => "sticks",
                        (false, false, _) => "slides",
                    };
                    *kinds.entry(kind).or_default() += 1;
                }
            }
        }
        let plain = ["takes off", "sticks", "slides"];
        let degenerate = ["grazes", "on the boundary without slip", "without friction"];
        let asked = if family.name.contains("degenerate") {
            [plain, degenerate].concat()
        } else {
            plain.to_vec()
        };
        for kind in &asked {
            assert!(
                kinds.get(kind) > Some(&20),
                "{}: {kind}: {kinds:?}",
                family.name
            );
        }
        assert_eq!(kinds.len(), asked.len(), "{}: {kinds:?}", family.name);
    }
}

#[test]
fn redundant_contacts_make_a_singular_matrix() {
    let singular = |name: &str| {
        let all = generate(name, 12, 20, 3).unwrap();
        // Rows that repeat others.
        let repeats = |problem: &Problem| {
            let row = |i: usize| {
                (0..12)
                    .map(|j| problem.m().get(i, j).cloned())
                    .collect::<Vec<_>>()
            };
            (0..4).any(|a| (0..a).any(|b| (0..3).all(|k| row(3 * a + k) == row(3 * b + k))))
        };
        all.filter(repeats).count()
    };
    assert!(singular("cone-redundant") > 15 && singular("cone-convex-redundant") > 15);
    assert!(singular("cone") < 10);
}

#[test]
fn resting_bodies_are_at_rest_and_their_forces_inside_of_their_cones() {
    for family in resting_families() {
        let (mut most_bodies, mut inclined) = (0, 0);
        for n in [9, 12, 27, 60] {
            for problem in generate(family.name, n, 20, 1).unwrap() {
                let expect = problem.expect.as_ref().unwrap();
                prove(&problem, expect).unwrap();
                let free = n - 3 * problem.cones().len();
                assert!(
                    expect.solutions[0][..free]
                        .iter()
                        .all(etalon_lcp::Number::is_zero)
                );
                assert!(problem.q()[free..].iter().all(etalon_lcp::Number::is_zero));
                most_bodies = most_bodies.max(free / 6);
                for (cone, [r, u]) in problem.cones().iter().zip(contacts(&problem)) {
                    assert_eq!(cone.law == Law::Convex, family.name.contains("convex"));
                    assert!(u.iter().all(Rational::is_zero) && r[0] > 0);
                    let mu = cone.discs[0].mu.of(0).to_rational();
                    let square = r[1].clone().square() + r[2].clone().square();
                    assert!(square < Rational::from(&mu * &r[0]).square());
                    inclined += usize::from(square > 0);
                }
            }
        }
        assert!(
            most_bodies >= 5 && inclined > 100,
            "{most_bodies} {inclined}"
        );
    }
}
