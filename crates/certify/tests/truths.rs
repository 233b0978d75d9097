//! What follows from the proofs that a record carries, and what does not.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Truth, check_stated, is_sensible, known, prove, solves};
use etalon_lcp::{Certificate, PMatrixProof, Problem, Unique, record};
use rug::Rational;

fn problem(m: &str, q: &str, expect: &str) -> Problem {
    let text = format!(r#"{{"name": "p", "M": {m}, "q": {q}, "expect": {expect}}}"#);
    record::read_problem(&text).unwrap().record
}

/// What `prove` says of a record.
fn proved(m: &str, q: &str, expect: &str) -> Result<Truth, String> {
    let problem = problem(m, q, expect);
    prove(&problem, problem.expect.as_ref().unwrap()).map_err(|error| error.to_string())
}

const DEFINITE: &str = r#""certificate": {"kind": "p-matrix", "proof": "positive-definite"}"#;
const PSD: &str = r#""certificate": {"kind": "symmetric-psd"}"#;
const FARKAS: &str = r#""certificate": {"kind": "farkas", "y": [1]}"#;

fn expect(status: &str, rest: &str) -> String {
    format!(r#"{{"status": "{status}"{rest}}}"#)
}

fn facts(truth: &Truth) -> (Option<bool>, Option<Unique>, usize, bool) {
    let status = truth.status();
    (
        status.solvable,
        status.unique,
        truth.solutions().len(),
        truth.has_all_solutions(),
    )
}

#[test]
fn each_proof_proves_what_it_can() {
    let of = |m: &str, q: &str, expect: &str| facts(&proved(m, q, expect).unwrap());
    let solved = r#", "solutions": [["1"]]"#;
    assert_eq!(
        of("[[1]]", "[-1]", &expect("solvable", solved)),
        (Some(true), None, 1, false)
    );
    let unique = format!(r#"{solved}, "unique": "z", {DEFINITE}"#);
    assert_eq!(
        of("[[1]]", "[-1]", &expect("solvable", &unique)),
        (Some(true), Some(Unique::Z), 1, true)
    );
    let unseen = format!(r#", "unique": "z", {DEFINITE}"#);
    assert_eq!(
        of("[[1]]", "[-1]", &expect("solvable", &unseen)),
        (Some(true), Some(Unique::Z), 0, false)
    );
    let w = format!(r#"{solved}, "unique": "w", {PSD}"#);
    assert_eq!(
        of("[[1]]", "[-1]", &expect("solvable", &w)),
        (Some(true), Some(Unique::W), 1, false)
    );
    // Where z is unique, so is w.
    let w = format!(r#"{solved}, "unique": "w", {DEFINITE}"#);
    assert!(proved("[[1]]", "[-1]", &expect("solvable", &w)).is_ok());
    let none = format!(", {FARKAS}");
    assert_eq!(
        of("[[-1]]", "[-1]", &expect("unsolvable", &none)),
        (Some(false), None, 0, true)
    );
    let cover = r#", "certificate": {"kind": "cover", "nodes": [{"row": 0, "z_zero": 1, "w_zero": 2}, {"empty": [1]}, {"empty": [1]}]}"#;
    assert_eq!(
        of("[[-1]]", "[-1]", &expect("unsolvable", cover)),
        (Some(false), None, 0, true)
    );
    let second =
        r#", "solutions": [["0"]], "certificate": {"kind": "second-solution", "z": ["2"]}"#;
    assert_eq!(
        of("[[-1]]", "[2]", &expect("solvable", second)),
        (Some(true), None, 2, false)
    );
}

#[test]
fn an_enumeration_tells_how_many_there_are() {
    let of = |m: &str, q: &str, nodes: &str| {
        let rest = format!(r#", "certificate": {{"kind": "enumeration", "nodes": {nodes}}}"#);
        let problem = problem(m, q, &expect("solvable", &rest));
        known(&problem, problem.expect.as_ref().unwrap())
            .map(|truth| facts(&truth))
            .map_err(|e| e.to_string())
    };
    let both = |a: &str, b: &str| format!(r#"[{{"row": 0, "z_zero": 1, "w_zero": 2}}, {a}, {b}]"#);
    let point = |z: &str| format!(r#"{{"point": {{"y": [0], "z": ["{z}"]}}}}"#);
    let face = |z: &str| format!(r#"{{"face": {{"vertices": [["{z}"]], "rays": []}}}}"#);
    let empty = r#"{"empty": [1]}"#;
    // w = 2 - z: 0 and 2.
    assert_eq!(
        of("[[-1]]", "[2]", &both(&point("0"), &point("2"))),
        Ok((Some(true), None, 2, true))
    );
    assert_eq!(
        of("[[-1]]", "[2]", &both(&point("0"), &face("2"))),
        Ok((Some(true), None, 2, false))
    );
    // w = z: 0 in both.
    assert_eq!(
        of("[[1]]", "[0]", &both(&point("0"), &point("0"))),
        Ok((Some(true), Some(Unique::Z), 1, true))
    );
    assert_eq!(
        of("[[1]]", "[0]", &both(&point("0"), &face("0"))),
        Ok((Some(true), None, 1, false))
    );
    // w = z - 1: 1 alone.
    assert_eq!(
        of("[[1]]", "[-1]", &both(empty, &point("1"))),
        Ok((Some(true), Some(Unique::Z), 1, true))
    );
    // None at all refutes the status, and is not "one at most, so unique".
    assert!(
        of("[[-1]]", "[-1]", &both(empty, empty))
            .unwrap_err()
            .contains("the contrary is proved")
    );
    let nothing = problem(
        "[[-1]]",
        "[-1]",
        &expect(
            "unsolvable",
            &format!(
                r#", "certificate": {{"kind": "enumeration", "nodes": {}}}"#,
                both(empty, empty)
            ),
        ),
    );
    let truth = prove(&nothing, nothing.expect.as_ref().unwrap()).unwrap();
    assert_eq!(facts(&truth), (Some(false), None, 0, true));
    assert!(truth.is_unsolvable() && !Truth::default().is_unsolvable());
    // A cover with a solution in it proves nothing.
    let cover = format!(
        r#", "certificate": {{"kind": "cover", "nodes": {}}}"#,
        both(empty, &point("1"))
    );
    assert!(
        proved("[[1]]", "[-1]", &expect("unsolvable", &cover))
            .unwrap_err()
            .contains("leaves that are not empty")
    );
}

#[test]
fn bounds_are_undone() {
    // 1 <= z <= 3 with w = z - 5: z = 3, in the mixed form a = 2 and s = 2.
    let text = r#"{"name": "p", "M": [[1]], "q": [-5], "lower": [1], "upper": [3], "expect": {"status": "solvable",
        "certificate": {"kind": "enumeration", "nodes": [{"point": {"y": [0, 0], "z": [2, 2]}}]}}}"#;
    let problem = record::read_problem(text).unwrap().record;
    let refused = known(&problem, problem.expect.as_ref().unwrap()).unwrap_err();
    assert!(
        refused.to_string().contains("more than one point"),
        "{refused}"
    );
    let text = text.replace(
        r#"{"point""#,
        r#"{"row": 0, "z_zero": 1, "w_zero": 2},
        {"row": 1, "z_zero": 3, "w_zero": 4}, {"row": 1, "z_zero": 5, "w_zero": 6},
        {"empty": [1, 0]}, {"empty": [0, -1]}, {"empty": [1, 1]}, {"point""#,
    );
    let problem = record::read_problem(&text).unwrap().record;
    let truth = known(&problem, problem.expect.as_ref().unwrap()).unwrap();
    assert_eq!(truth.solutions(), [[Rational::from(3)]]);
    assert_eq!(facts(&truth), (Some(true), Some(Unique::Z), 1, true));
    assert_eq!(solves(&problem, &[Rational::from(3)]), Ok(true));
    for z in [(2, 1), (7, 2), (1, 1), (5, 1), (0, 1)] {
        assert_eq!(solves(&problem, &[Rational::from(z)]), Ok(false), "{z:?}");
    }
    assert!(solves(&problem, &[]).is_err());
}

/// A uniqueness without proof is not believed, and one that two solutions refute is an error.
#[test]
fn a_uniqueness_that_two_solutions_refute_is_false() {
    let known = |m: &str, q: &str, unique: &str| {
        let rest = format!(r#", "solutions": [["0"], ["1"]], "unique": {unique}"#);
        let expect = expect("solvable", &rest);
        let record = format!(r#"{{"name": "p", "M": {m}, "q": {q}, "expect": {expect}}}"#);
        let problem = record::read_problem(&record).unwrap().record;
        let known = known(&problem, problem.expect.as_ref().unwrap());
        known.map(|_| ()).map_err(|error| error.to_string())
    };
    let two = "expect.unique is z, but there are two solutions".to_owned();
    let other = "expect.unique is w, but there are solutions with another w".to_owned();
    assert_eq!(known("[[-1]]", "[1]", "null"), Ok(()));
    assert_eq!(known("[[-1]]", "[1]", r#""z""#), Err(two.clone()));
    assert_eq!(known("[[-1]]", "[1]", r#""w""#), Err(other));
    assert_eq!(known("[[0]]", "[0]", r#""z""#), Err(two));
    assert_eq!(known("[[0]]", "[0]", r#""w""#), Ok(()));
}

#[test]
fn what_is_stated_must_be_proved() {
    let refused = |m: &str, q: &str, status: &str, rest: &str| {
        proved(m, q, &expect(status, rest)).unwrap_err()
    };
    assert_eq!(
        refused("[[1]]", "[-1]", "solvable", ""),
        "expect.status is solvable, but there is no solution to show it"
    );
    assert_eq!(
        refused("[[-1]]", "[-1]", "unsolvable", ""),
        "expect.status is unsolvable, but there is no proof of it"
    );
    let one = r#", "solutions": [["1"]]"#;
    assert_eq!(
        refused("[[1]]", "[-1]", "unsolvable", one),
        "expect.status is unsolvable, but there is a solution"
    );
    assert_eq!(
        refused("[[-1]]", "[-1]", "solvable", &format!(", {FARKAS}")),
        "expect.status is solvable, but the contrary is proved"
    );
    assert_eq!(
        refused("[[1]]", "[-1]", "solvable", r#", "solutions": [["2"]]"#),
        "expect.solutions[0]: row 0: z is no exact solution"
    );
    assert_eq!(
        refused(
            "[[1]]",
            "[-1]",
            "solvable",
            r#", "solutions": [["1"], ["1"]]"#
        ),
        "expect.solutions gives one solution twice"
    );
    for unique in ["z", "w"] {
        let rest = format!(r#"{one}, "unique": "{unique}""#);
        assert_eq!(
            refused("[[1]]", "[-1]", "solvable", &rest),
            "expect.unique has no proof"
        );
    }
    let weak = format!(r#"{one}, "unique": "z", {PSD}"#);
    assert_eq!(
        refused("[[1]]", "[-1]", "solvable", &weak),
        "expect.unique has no proof"
    );
    let wrong = refused("[[1]]", "[-1]", "solvable", &format!("{one}, {FARKAS}"));
    assert_eq!(
        wrong,
        "expect.certificate: row 0: the term of a bound of z may be negative"
    );
    let second = r#", "certificate": {"kind": "second-solution", "z": ["2"]}"#;
    assert_eq!(
        refused("[[1]]", "[-1]", "solvable", &format!("{one}{second}")),
        "expect.certificate: row 0: z is no exact solution"
    );
}

#[test]
fn perturbed_needs_an_answer_as_good_as_stated_and_no_solution_like_it() {
    let answer =
        |z: &str, error: &str| format!(r#", "answer": {{"z": [{z}], "backward_error": {error}}}"#);
    let check = |m: &str, q: &str, rest: &str| proved(m, q, &expect("perturbed", rest)).map(|_| ());
    assert_eq!(
        check("[[1]]", "[-1]", "").unwrap_err(),
        "expect.status is perturbed, but there is no expect.answer"
    );
    // w = 2^-50 - 1 + 1: z = 1 misses w = 0 by 2^-52 of the sum of the sizes, or so.
    let near = answer("1.0000000000000002", "2.220446049250313e-16");
    assert_eq!(
        check("[[1]]", "[-1]", &near),
        Ok(()),
        "nothing else is known here"
    );
    let better = answer("1.0000000000000002", "1e-17");
    assert!(
        check("[[1]]", "[-1]", &better)
            .unwrap_err()
            .starts_with("expect.answer: the backward error is ")
    );
    // The same for a problem of any status.
    let solvable = expect("solvable", &format!(r#", "solutions": [["1"]]{better}"#));
    assert!(
        proved("[[1]]", "[-1]", &solvable)
            .unwrap_err()
            .starts_with("expect.answer: the backward error is ")
    );
    // Proofs that there is no solution, or only an absurd one, agree with it; others do not.
    let none = format!(", {FARKAS}{}", answer("1", "1"));
    assert_eq!(check("[[-1]]", "[-1]", &none), Ok(()));
    let like = "expect.status is perturbed, but there is a solution like the answer";
    assert_eq!(
        check("[[1]]", "[-1]", &format!(r#", "solutions": [["1"]]{near}"#)).unwrap_err(),
        like
    );
    assert_eq!(
        check("[[1]]", "[-1]", &format!(", {DEFINITE}{near}")).unwrap_err(),
        like
    );
    let absurd = |size: &str| format!(r#", "solutions": [["{size}"]]{}"#, answer("1", "1"));
    assert_eq!(check("[[1]]", "[-1001]", &absurd("1001")), Ok(()));
    assert_eq!(
        check("[[1]]", "[-1000]", &absurd("1000")).unwrap_err(),
        like
    );
}

#[test]
fn a_solution_found_later_refutes_perturbed() {
    // Called perturbed, with the exact solution as its answer.
    let text = expect(
        "perturbed",
        r#", "answer": {"z": [1], "backward_error": 0}"#,
    );
    let problem = problem("[[1]]", "[-1]", &text);
    let expect = problem.expect.as_ref().unwrap();
    let mut truth = prove(&problem, expect).unwrap();
    assert_eq!(check_stated(&problem, expect, &truth), Ok(()));
    truth
        .add_solution(&problem, vec![Rational::from(1)])
        .unwrap();
    let refused = check_stated(&problem, expect, &truth).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "expect.status is perturbed, but there is a solution like the answer"
    );
}

#[test]
fn solutions_are_compared_with_the_largest_entry_of_the_answer() {
    let text = r#", "answer": {"z": [-3, 2], "backward_error": 1}"#;
    let problem = problem("[[1, 0], [0, 1]]", "[0, 0]", &expect("perturbed", text));
    let answer = problem.expect.as_ref().unwrap().answer.as_ref().unwrap();
    let z = |a: i64, b: i64| [Rational::from(a), Rational::from(b)];
    assert!(is_sensible(&z(3000, -3000), answer) && !is_sensible(&z(3001, 0), answer));
    assert!(!is_sensible(&z(0, -3001), answer));
}

#[test]
fn what_is_refused_leaves_no_trace_and_contradictions_are_refused() {
    let free = problem("[[-1]]", "[2]", &expect("solvable", ""));
    let definite = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
    let mut truth = Truth::default();
    assert!(truth.add_solution(&free, vec![Rational::from(1)]).is_err());
    assert!(truth.add_certificate(&free, &definite).is_err());
    assert!(
        truth
            .add_certificate(&free, &Certificate::SymmetricPsd)
            .is_err()
    );
    assert_eq!(truth, Truth::default());
    for z in [0, 2, 0] {
        truth.add_solution(&free, vec![Rational::from(z)]).unwrap();
    }
    assert_eq!(facts(&truth), (Some(true), None, 2, false));
    // Facts about another problem, that is: a mistake of the caller, noticed where they contradict.
    let other = problem("[[1]]", "[-1]", &expect("solvable", ""));
    let refused = truth
        .add_certificate(&other, &definite)
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "z is proved unique, but there are two solutions");
    assert_eq!(facts(&truth), (Some(true), None, 2, false));
    let hopeless = problem("[[-1]]", "[-1]", &expect("unsolvable", ""));
    let farkas = Certificate::Farkas { y: vec![1.into()] };
    let refused = truth
        .add_certificate(&hopeless, &farkas)
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "one proof says solvable, another unsolvable");
    let mut unique = Truth::default();
    unique.add_certificate(&other, &definite).unwrap();
    unique
        .add_solution(&other, vec![Rational::from(1)])
        .unwrap();
    assert_eq!(facts(&unique), (Some(true), Some(Unique::Z), 1, true));
    unique
        .add_solution(&other, vec![Rational::from(1)])
        .unwrap();
    let refused = unique
        .add_solution(&free, vec![Rational::from(2)])
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "z is proved unique, but there are two solutions");
    // A weaker proof takes nothing away.
    unique
        .add_certificate(&other, &Certificate::SymmetricPsd)
        .unwrap();
    assert_eq!(unique.status().unique, Some(Unique::Z));
}

/// With friction the theorems on M say nothing: the bounds of one row move with another's unknown.
#[test]
fn properties_of_m_prove_nothing_beside_friction() {
    // (1, 1/2): row 1 slides at its bound.
    let text = r#"{"name": "p", "M": [[1, 0], [0, 1]], "q": [-1, -1],
        "friction": [{"row": 1, "normal": 0, "mu": 0.5}]}"#;
    let problem = record::read_problem(text).unwrap().record;
    let solution = vec![Rational::from(1), Rational::from((1, 2))];
    assert_eq!(solves(&problem, &solution), Ok(true));
    let minors = Certificate::PMatrix(PMatrixProof::PrincipalMinors);
    let definite = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
    for certificate in [minors, definite, Certificate::SymmetricPsd] {
        let mut truth = Truth::default();
        let refused = truth.add_certificate(&problem, &certificate).unwrap_err();
        let why = "a property of M proves nothing about a problem with friction rows";
        assert_eq!(refused.to_string(), why);
        assert_eq!(truth, Truth::default());
    }
}
