//! Friction cones: published problems with answers that were measured by another program, and properties
//! of the errors (`docs/cones.md`).

use std::path::{Path, PathBuf};

use etalon_certify::{Measure, Tolerance, Truth};
use etalon_judge::{Judge, Judgement};
use etalon_lcp::record::{read_claim, read_problem, write_claim};
use etalon_lcp::{
    Certificate, Claim, ClaimedAnswer, Cone, Disc, Law, Matrix, Mu, Number, Problem, Solver,
    VerdictKind, round_up_f64,
};
use proptest::prelude::*;
use rug::Rational;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/cones")
}

/// The cases of which it is known what another program found, each with its claims. (The twin is asked of all,
/// `tests/twin/contacts`.)
fn cases() -> Vec<Value> {
    let mut cases = Vec::new();
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let lines = file
            .extension()
            .is_some_and(|end| end == "json" || end == "jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| lines && !line.is_empty()) {
            let case: Value = serde_json::from_str(line).unwrap();
            cases.extend(case.get("expected").is_some().then_some(case));
        }
    }
    cases
}

fn judged(problem: &Problem, claim: &Claim, measure: Measure) -> Judgement {
    let tolerance = Tolerance {
        measure,
        ..Tolerance::default()
    };
    Judge {
        tolerance,
        ..Judge::default()
    }
    .verdict(problem, claim)
}

/// The first accepted answer of each published problem, as z.
fn accepted(case: &Value, problem: &Problem) -> Option<Vec<f64>> {
    let claims = case["claims"].as_array()?.iter();
    let mut claims = claims.filter_map(|claim| Some(read_claim(&claim.to_string()).ok()?.record));
    claims.find_map(|claim| {
        let is_right = judged(problem, &claim, Measure::Natural).accepted;
        let ClaimedAnswer::Solved { z } = claim.answer else {
            return None;
        };
        is_right.then(|| z.iter().map(Number::to_f64).collect())
    })
}

#[test]
fn right_answers_to_published_problems_are_next_to_solutions() {
    let (mut enclosed, mut real, mut compared) = (0, 0, 0);
    for case in cases() {
        let problem = read_problem(&case["problem"].to_string()).unwrap().record;
        if problem.name().starts_with("edge/") {
            continue;
        }
        let Some(z) = accepted(&case, &problem) else {
            continue;
        };
        real += 1;
        let Some(found) = etalon_exact::enclose(&problem, &z) else {
            continue;
        };
        enclosed += 1;
        compared += usize::from(is_where_another_program_found_it(&case, &found));
        // Not believed, but proved.
        let mut truth = Truth::default();
        truth.add_certificate(&problem, &found).unwrap();
        // As a claim's certificate it is written and read again.
        let mut claim = Claim::new(problem.name(), ClaimedAnswer::Failed);
        claim.certificate = Some(found.clone());
        let again = read_claim(&write_claim(&claim)).unwrap().record;
        assert_eq!(again.certificate, Some(found), "{}", problem.name());
    }
    assert_eq!((enclosed, real, compared), (19, 23, 19));
}

/// Whether another program found a solution, too. It is in this box, or no further from it than that program
/// says.
fn is_where_another_program_found_it(case: &Value, found: &Certificate) -> bool {
    let Certificate::Enclosure(own) = found else {
        panic!("no box");
    };
    let Some(reference) = case.get("reference") else {
        return false;
    };
    let number = |value: &Value| {
        Number::parse_exact(value.as_str().unwrap())
            .unwrap()
            .to_rational()
    };
    let radius = number(&reference["radius"]);
    let z = reference["z"].as_array().unwrap();
    assert_eq!(z.len(), own.center.len());
    for ((z, center), reach) in z.iter().zip(&own.center).zip(&own.radius) {
        let distance = (number(z) - center.to_rational()).abs();
        let limit = &radius + reach.to_rational();
        assert!(distance <= limit, "{}: {distance}", case["problem"]["name"]);
    }
    true
}

#[test]
fn answers_to_published_problems_measure_what_another_program_found() {
    let mut claims = 0;
    for case in cases() {
        let problem = read_problem(&case["problem"].to_string()).unwrap().record;
        let pairs = case["claims"]
            .as_array()
            .unwrap()
            .iter()
            .zip(case["expected"].as_array().unwrap());
        for (claim, expected) in pairs {
            let of = format!("{} {}", problem.name(), claim["label"]);
            assert_eq!(claim["label"], expected["label"], "{of}");
            let claim = read_claim(&claim.to_string()).unwrap().record;
            let verdict = judged(&problem, &claim, Measure::Natural).verdict;
            assert_eq!(
                verdict.kind.word(),
                expected["verdict"],
                "{of}: {:?}",
                verdict.reason
            );
            let by_rows = judged(&problem, &claim, Measure::Componentwise)
                .verdict
                .kind;
            assert_eq!(by_rows.word(), expected["verdict_componentwise"], "{of}");
            claims += 1;
            let measures = verdict.measures.unwrap();
            if verdict.kind == VerdictKind::Exact {
                // Nothing is left; but where the residual is not defined, it is not 0 either.
                let is_defined = !expected["residual"].is_null();
                assert_eq!(measures.residual.is_some(), is_defined, "{of}");
                continue;
            }
            // What was found is enclosed, or rounded up.
            let near = |found: &Rational, low: &Value, high: &Value| {
                let [low, high] = [low, high].map(|end| end.as_f64().unwrap());
                let found = round_up_f64(found);
                assert!(
                    found >= low * (1.0 - 1e-6) && found <= high * (1.0 + 1e-6),
                    "{of}: {found:e}, not {low:e} to {high:e}"
                );
            };
            let both = &expected["backward_error"];
            near(&measures.backward_error, &both[0], &both[1]);
            near(
                &measures.error,
                &expected["block_error"],
                &expected["block_error"],
            );
            assert_eq!(measures.block_error.as_ref(), Some(&measures.error), "{of}");
            near(
                &measures.negativity,
                &expected["negativity"],
                &expected["negativity"],
            );
            assert_eq!(*measures.violation() > 0, measures.negativity > 0, "{of}");
            match &measures.residual {
                None => assert!(expected["residual"].is_null(), "{of}"),
                // Below the 200 bits of a root there is nothing to compare.
                Some(found) if expected["residual"].as_f64().unwrap() < 1e-50 => {
                    assert!(*found < 1e-50, "{of}")
                }
                Some(found) => near(found, &expected["residual"], &expected["residual"]),
            }
        }
    }
    assert_eq!(claims, 177);
}

/// The answer that came with this stack is where its solver stopped, no solution: cone 4 presses, and its normal velocity
/// is more than changes of 3.7e-6 of the data explain. `fast-cone` finds one.
#[test]
fn the_answer_that_came_with_a_stack_of_boxes_is_rightly_rejected() {
    let file = folder().join("siconos_BoxesStack1-i100000-32.json");
    let case: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let problem = read_problem(&case["problem"].to_string()).unwrap().record;
    let mut claims = case["claims"].as_array().unwrap().iter();
    let own = claims.find(|claim| claim["label"] == "cone").unwrap();
    let own = read_claim(&own.to_string()).unwrap().record;
    let verdict = judged(&problem, &own, Measure::Natural).verdict;
    assert_eq!(verdict.kind, VerdictKind::Rejected);

    // From the definition: each contact is a block, and r_N > 0 asks for |w_N| <= eps s_N.
    let ClaimedAnswer::Solved { z } = own.answer else {
        panic!("it has an answer");
    };
    let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
    let largest = |values: &mut dyn Iterator<Item = Rational>| {
        values.fold(Rational::new(), |most, own| most.max(own.abs()))
    };
    let contacts: Vec<Vec<usize>> = problem.cones().iter().map(|c| c.rows().collect()).collect();
    let entry = |i: usize, j: usize| {
        let mut row = problem.m().row(i);
        let own = row.find(|(column, _)| *column == j);
        own.map_or(Rational::new(), |(_, value)| value.to_rational())
    };
    let rows = &contacts[4];
    let mut s = largest(&mut rows.iter().map(|&i| problem.q()[i].to_rational()));
    for other in &contacts {
        let pairs = rows
            .iter()
            .flat_map(|&i| other.iter().map(move |&j| (i, j)));
        let weight = largest(&mut pairs.map(|(i, j)| entry(i, j)));
        let forces: Rational = other.iter().map(|&j| z[j].clone().abs()).sum();
        s += weight * forces;
    }
    let n = rows[0];
    let row = problem
        .m()
        .row(n)
        .map(|(j, value)| value.to_rational() * &z[j]);
    let w = row.fold(problem.q()[n].to_rational(), |sum, term| sum + term);
    assert!(z[n] > 0 && w.abs() > s * Rational::from((37, 10_000_000)));

    let claim = etalon::fast::ConeSolver.solve(&problem);
    assert!(judged(&problem, &claim, Measure::Natural).accepted);
}

/// Fractions of small numbers.
fn fractions(n: usize) -> impl Strategy<Value = Vec<Rational>> {
    let one = (-40..=40_i64, 1..=8_i64).prop_map(Rational::from);
    proptest::collection::vec(one, n)
}

fn numbers(values: &[Rational]) -> Vec<Number> {
    values.iter().cloned().map(Number::from).collect()
}

fn matrix(values: &[Rational], n: usize) -> Matrix {
    Matrix::from_rows(values.chunks(n).map(numbers).collect()).unwrap()
}

/// Two contacts in space, and a free row.
fn contacts(m: &[Rational], q: &[Rational], mu: &Rational, law: Law) -> Problem {
    let cone = |first: usize| Cone {
        normal: first,
        discs: vec![Disc {
            rows: vec![first + 1, first + 2],
            mu: Mu::One(mu.clone().into()),
        }],
        law,
    };
    let lower = (0..7).map(|i| {
        if i < 6 {
            etalon_lcp::Bound::Finite(0.into())
        } else {
            etalon_lcp::Bound::NegativeInfinity
        }
    });
    Problem::new("p", matrix(m, 7), numbers(q))
        .unwrap()
        .with_bounds(Some(lower.collect()), None)
        .unwrap()
        .with_cones(vec![cone(0), cone(3)])
        .unwrap()
}

fn claim(z: &[Rational]) -> Claim {
    Claim::new("p", ClaimedAnswer::Solved { z: numbers(z) })
}

/// Componentwise error, block error and negativity.
fn errors(problem: &Problem, z: &[Rational]) -> [Rational; 3] {
    let measures = judged(problem, &claim(z), Measure::Natural)
        .verdict
        .measures
        .unwrap();
    [measures.backward_error, measures.error, measures.negativity]
}

fn law() -> impl Strategy<Value = Law> {
    prop_oneof![Just(Law::Coulomb), Just(Law::Convex)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Rows by powers of two, columns by others, as far as the laws allow it. The bisection halves
    /// the same intervals, so the errors are the same to the last bit.
    #[test]
    fn errors_do_not_depend_on_units(
        m in fractions(49), q in fractions(7), z in fractions(7), mu in 1..9_i64,
        own in -9..=9_i32, other in -9..=9_i32, column in -9..=9_i32, law in law(),
    ) {
        let mu = Rational::from((mu, 4));
        let before = errors(&contacts(&m, &q, &mu, law), &z);
        // Coulomb's law reads the sign of u_N and the direction of u_T: rows of one contact by two numbers.
        let by = |i: usize| match (i, law) {
            (0, _) => own,
            (1 | 2, Law::Coulomb) => other,
            (1 | 2, Law::Convex) => own,
            (6, _) => other,
            _ => 0,
        };
        let power = |by: i32| Rational::from(1) << by;
        let scaled = |values: &[Rational], width: usize| -> Vec<Rational> {
            values.iter().enumerate().map(|(k, value)| {
                let (row, j) = (k / width, k % width);
                let of_column = if width > 1 && j == 6 { -column } else { 0 };
                value * power(by(row) + of_column)
            }).collect()
        };
        let mut moved = z.clone();
        moved[6] *= power(column);
        let after = errors(&contacts(&scaled(&m, 7), &scaled(&q, 1), &mu, law), &moved);
        prop_assert_eq!(&before[0], &after[0]);
        // A block has one unit.
        if own == other || law == Law::Convex {
            prop_assert_eq!(&before[1], &after[1]);
            prop_assert_eq!(&before[2], &after[2]);
        }
    }

    /// The block error allows every change that the componentwise one allows (up to the bisection's
    /// 2^-24); and mu's excess counts no more in the negativity than as it is.
    #[test]
    fn the_block_error_is_the_smaller_one(
        m in fractions(49), q in fractions(7), z in fractions(7), mu in 1..9_i64, law in law(),
    ) {
        let [componentwise, block, _] = errors(&contacts(&m, &q, &Rational::from((mu, 4)), law), &z);
        prop_assert!(block <= componentwise * Rational::from(((1 << 24) + 2, 1 << 24)));
    }

    /// Tangents are any frame: turned by rational rotations, contacts have a block error that differs by a factor of at most
    /// 9, the most entries of a block (`docs/cones.md`; the bisection adds a part of 2^-24).
    #[test]
    fn a_turn_of_the_tangents_changes_the_block_error_by_a_bounded_factor(
        m in fractions(49), q in fractions(7), z in fractions(7), mu in 1..9_i64, law in law(), turns in (0..4_usize, 0..4_usize),
        zeros in proptest::collection::vec(0..4_u8, 49),
    ) {
        // Where an entry is 0 in one frame and not in another, the componentwise error has no such bound.
        let pairs = m.into_iter().zip(zeros);
        let m: Vec<Rational> = pairs.map(|(m, zero)| if zero > 0 { Rational::new() } else { m }).collect();
        // Contacts press and stick but for a thousandth, so that errors are small: those above 1 would say little.
        let mut z = z;
        for normal in [0, 3] {
            z[normal] = 200 + z[normal].clone().abs();
        }
        let mu = mu + 4;
        let product = |i: usize| -> Rational {
            (0..7).map(|j| Rational::from(&m[7 * i + j] * &z[j])).sum()
        };
        let q: Vec<Rational> = (0..7).map(|i| Rational::from(&q[i] / 1000) - product(i)).collect();
        let mu = Rational::from((mu, 4));
        let before = &errors(&contacts(&m, &q, &mu, law), &z)[1];
        let turned = |values: &[Rational]| -> Vec<Rational> {
            let mut values = values.to_vec();
            for (first, turn) in [(1, turns.0), (4, turns.1)] {
                let (c, s, h) = [(3, 4, 5), (5, -12, 13), (-8, 15, 17), (-4, -3, 5)][turn];
                let [c, s] = [Rational::from((c, h)), Rational::from((s, h))];
                let [x, y] = [values[first].clone(), values[first + 1].clone()];
                values[first] = Rational::from(&c * &x) - Rational::from(&s * &y);
                values[first + 1] = s * x + c * y;
            }
            values
        };
        // Q M Q': rows, and then columns, which are the rows of the transpose.
        let transposed = |m: &[Rational]| -> Vec<Rational> {
            (0..49).map(|k| m[7 * (k % 7) + k / 7].clone()).collect()
        };
        let rows = |m: &[Rational]| -> Vec<Rational> { transposed(m).chunks(7).flat_map(turned).collect() };
        let both = rows(&rows(&m));
        let after = &errors(&contacts(&both, &turned(&q), &mu, law), &turned(&z))[1];
        let most = Rational::from(9 * ((1 << 24) + 2)) / (1 << 24);
        prop_assert!(*after <= Rational::from(&most * before), "{} {}", before, after);
        prop_assert!(*before <= Rational::from(&most * after), "{} {}", before, after);
    }

    /// Cones of no disc are plain rows, under both laws.
    #[test]
    fn a_cone_without_discs_is_a_row(
        m in fractions(9), q in fractions(3), z in fractions(3), law in law(),
    ) {
        let plain = Problem::new("p", matrix(&m, 3), numbers(&q)).unwrap();
        let bare = |normal| Cone { normal, discs: Vec::new(), law };
        let with_cones = plain.clone().with_cones((0..3).map(bare).collect()).unwrap();
        // Without snapping: that is relative to other sizes. And as it stands: natural sizes let entries move.
        let tolerance = Tolerance { measure: Measure::Componentwise, snap: Rational::new(), ..Tolerance::default() };
        let own = etalon_certify::evaluate(&plain, &z, &tolerance).unwrap().measures.backward_error;
        let other = etalon_certify::evaluate(&with_cones, &z, &tolerance).unwrap().measures.backward_error;
        prop_assert!(own <= other, "{own} {other}");
        prop_assert!(other <= own * Rational::from(((1 << 24) + 1, 1 << 24)));
    }

    /// A disc of one row and a friction row are within each other's reach at all points within the bounds.
    #[test]
    fn a_disc_of_one_row_measures_as_a_friction_row(
        m in fractions(4), q in fractions(2), normal in 0..9_i64, share in -4..=4_i64, mu in 1..9_i64,
    ) {
        let mu = Rational::from((mu, 4));
        let z = [Rational::from(normal), Rational::from((share * normal, 4)) * &mu];
        let plain = Problem::new("p", matrix(&m, 2), numbers(&q)).unwrap();
        let friction = etalon_lcp::Friction { row: 1, normal: 0, mu: mu.clone().into() };
        let pyramid = plain.clone().with_friction(vec![friction]).unwrap();
        let disc = Disc { rows: vec![1], mu: Mu::One(mu.into()) };
        let cone = Cone { normal: 0, discs: vec![disc], law: Law::Coulomb };
        let cone = plain.with_cones(vec![cone]).unwrap();
        let tolerance = Tolerance { measure: Measure::Componentwise, snap: Rational::new(), ..Tolerance::default() };
        let error = |problem: &Problem| etalon_certify::evaluate(problem, &z, &tolerance).unwrap().measures.backward_error;
        let (own, other) = (error(&cone), error(&pyramid));
        let slack = Rational::from(((1 << 24) + 1, 1 << 24));
        prop_assert!(own <= Rational::from(&other * &slack) && other <= Rational::from(&own * &slack), "{own} {other}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_cone() {
    let problem = r#"{"name": "p", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1, "6/5", "8/5"],
        "cones": [{"rows": [0, 1, 2], "mu": 1}]}"#;
    let problem = read_problem(problem).unwrap().record;
    let said = |z: [&str; 3]| {
        let z: Vec<Rational> = z.iter().map(|z| z.parse().unwrap()).collect();
        judged(&problem, &claim(&z), Measure::Natural).line()
    };
    insta::assert_snapshot!(
        [
            said(["1", "-3/5", "-4/5"]),
            said(["1", "3/5", "4/5"]),
            said(["-1", "0", "0"]),
            said(["1", "-3", "-4"]),
        ]
        .join("\n")
    );
}

#[test]
fn nothing_that_needs_a_linear_problem_runs_on_cones() {
    let problem = r#"{"name": "p", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1, 0, 0],
        "cones": [{"rows": [0, 1, 2], "mu": 1}]}"#;
    let problem = read_problem(problem).unwrap().record;
    let judge = Judge {
        prove: true,
        ..Judge::default()
    };
    let unsolvable = Claim::new("p", ClaimedAnswer::Unsolvable);
    let verdict = judge.verdict(&problem, &unsolvable).verdict;
    // A point in the interior of the dual cones proves that a solution exists.
    assert_eq!(verdict.kind, VerdictKind::Refuted);
    for method in etalon::methods::Method::all() {
        let claim = method
            .solver(&etalon_exact::Budget::default())
            .solve(&problem);
        // The normal presses, and nothing slips.
        if ["certified", "fast-auto", "fast-cone"].contains(&method.name()) {
            let judged = judge.verdict(&problem, &claim);
            assert!(judged.accepted, "{method}: {:?}", judged.verdict);
            continue;
        }
        assert_eq!(claim.answer, ClaimedAnswer::Failed, "{method}");
        assert!(
            claim.message.unwrap().contains("friction cones"),
            "{method}"
        );
    }
}
