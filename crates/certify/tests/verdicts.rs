//! Every kind of verdict with its reason and its grade, and on which side of a tolerance it changes.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Measure, Tolerance, Truth, check_claim};
use etalon_lcp::{
    Certificate, Claim, ClaimedAnswer, Grade, Number, PMatrixProof, Problem, Reached, Verdict,
    VerdictKind, record,
};
use rug::Rational;

fn read(problem: &str) -> Problem {
    let record = format!(r#"{{"name":"p",{problem}}}"#);
    record::read_problem(&record).unwrap().record
}

fn fraction(text: &str) -> Rational {
    etalon_lcp::parse_rational(text).unwrap()
}

fn vector(text: &str) -> Vec<Rational> {
    text.split_whitespace().map(fraction).collect()
}

fn numbers(text: &str) -> Vec<Number> {
    vector(text).into_iter().map(Number::from).collect()
}

fn solved(z: &str) -> Claim {
    Claim::new("p", ClaimedAnswer::Solved { z: numbers(z) })
}

fn tolerance(tol: &str, measure: Measure) -> Tolerance {
    Tolerance {
        tol: fraction(tol),
        measure,
        ..Tolerance::default()
    }
}

/// By the natural measure, with nothing known beforehand.
fn natural(problem: &str, z: &str, tol: &str) -> Verdict {
    let tolerance = tolerance(tol, Measure::Natural);
    check_claim(&read(problem), &solved(z), &Truth::default(), &tolerance)
}

fn with_solutions(problem: &Problem, solutions: &[&str]) -> Truth {
    let mut truth = Truth::default();
    for z in solutions {
        truth.add_solution(problem, vector(z)).unwrap();
    }
    truth
}

fn farkas(y: &str) -> Option<Certificate> {
    Some(Certificate::Farkas { y: numbers(y) })
}

const HOPELESS: &str = r#""M":[[-1]],"q":[-1]"#;
/// The solutions are 0 and 2.
const TWO: &str = r#""M":[[-1]],"q":[2]"#;

#[test]
fn a_claim_of_unsolvability_is_proved_refuted_or_neither() {
    let said = |problem: &str, certificate: Option<Certificate>, truth: &Truth| {
        let mut claim = Claim::new("p", ClaimedAnswer::Unsolvable);
        claim.certificate = certificate;
        let verdict = check_claim(&read(problem), &claim, truth, &Tolerance::default());
        (
            verdict.kind,
            verdict.reason.unwrap_or_default(),
            verdict.truth.solvable,
        )
    };
    let nothing = Truth::default();
    let proved = (VerdictKind::Proved, String::new(), Some(false));
    assert_eq!(said(HOPELESS, farkas("1"), &nothing), proved);
    let why = "no certificate, and neither a proof nor a solution is at hand";
    assert_eq!(
        said(HOPELESS, None, &nothing),
        (VerdictKind::Unproved, why.to_owned(), None)
    );
    let why = "the certificate does not hold: row 0: the term of w may be negative, and neither a proof nor a solution is at hand";
    let unproved = (VerdictKind::Unproved, why.to_owned(), None);
    assert_eq!(said(HOPELESS, farkas("-1"), &nothing), unproved);
    // What is known already counts, also beside a certificate that does not hold.
    let mut known = Truth::default();
    known
        .add_certificate(&read(HOPELESS), &farkas("1").unwrap())
        .unwrap();
    assert_eq!(said(HOPELESS, farkas("-1"), &known), proved);
    let found = with_solutions(&read(TWO), &["2"]);
    let why = "it has the exact solution z = (2)";
    assert_eq!(
        said(TWO, None, &found),
        (VerdictKind::Refuted, why.to_owned(), Some(true))
    );
    let mut solvable = Truth::default();
    let definite = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
    let p = r#""M":[[1]],"q":[-1]"#;
    solvable.add_certificate(&read(p), &definite).unwrap();
    let why = "it has a solution";
    assert_eq!(
        said(p, None, &solvable),
        (VerdictKind::Refuted, why.to_owned(), Some(true))
    );
}

#[test]
fn a_long_solution_is_shown_by_its_first_twelve_entries() {
    let shown = |n: usize| {
        let rows = vec![format!("[{}]", vec!["0"; n].join(",")); n].join(",");
        let problem = read(&format!(r#""M":[{rows}],"q":[{}]"#, vec!["0"; n].join(",")));
        let truth = with_solutions(&problem, &[&vec!["0"; n].join(" ")]);
        let claim = Claim::new("p", ClaimedAnswer::Unsolvable);
        check_claim(&problem, &claim, &truth, &Tolerance::default())
            .reason
            .unwrap()
    };
    assert!(shown(12).ends_with("z = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)"));
    assert!(shown(13).ends_with("z = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...)"));
}

#[test]
fn no_answer_is_no_claim() {
    let problem = read(HOPELESS);
    let failed = |claim: &Claim| {
        let verdict = check_claim(&problem, claim, &Truth::default(), &Tolerance::default());
        (
            verdict.kind,
            verdict.reason.unwrap(),
            verdict.truth.solvable,
        )
    };
    let mut claim = Claim::new("p", ClaimedAnswer::Failed);
    let said = |why: &str| (VerdictKind::Failed, why.to_owned(), None);
    assert_eq!(failed(&claim), said("the solver gave up"));
    claim.message = Some("too steep".to_owned());
    // Its certificate proves nothing: nothing was said that it could support.
    claim.certificate = farkas("1");
    assert_eq!(failed(&claim), said("too steep"));
    let mut other = solved("1 1");
    other.certificate = farkas("1");
    assert_eq!(
        failed(&other),
        said("z has 2 entries, but the problem has 1 rows")
    );
}

#[test]
fn the_certificate_of_an_answer_is_checked_and_counts() {
    let judged = |problem: &str, z: &str, certificate: Option<Certificate>| {
        let mut claim = solved(z);
        claim.certificate = certificate;
        check_claim(
            &read(problem),
            &claim,
            &Truth::default(),
            &Tolerance::default(),
        )
    };
    let second = |z: &str| Some(Certificate::SecondSolution { z: numbers(z) });
    let broken = judged(TWO, "2", second("1"));
    let why = "the claim's certificate does not hold: row 0: z is no exact solution";
    assert_eq!(
        (broken.kind, broken.reason.as_deref()),
        (VerdictKind::Exact, Some(why))
    );
    let whole = judged(TWO, "2", second("0"));
    assert_eq!((whole.kind, whole.reason), (VerdictKind::Exact, None));
    assert_eq!(
        (whole.distance, whole.truth.solvable),
        (Some(Rational::new()), Some(true))
    );
    assert_eq!((whole.grade, whole.reached), (None, None));
    // The reason of a rejection comes first.
    let rejected = judged(TWO, "1", second("1"));
    assert_eq!(rejected.kind, VerdictKind::Rejected);
    assert!(
        rejected
            .reason
            .unwrap()
            .starts_with("row 0: w = 1 must be 0")
    );
    let measured = judged(TWO, "1", second("2"));
    // From 2, whose natural size is 4.
    assert_eq!(measured.distance, Some(fraction("1/4")));
}

#[test]
fn an_answer_to_what_has_no_solution_is_perturbed_only_where_it_is_near_one() {
    // w = -1e-12, whatever z is: wrong by all that the row holds.
    let problem = read(r#""M":[[0]],"q":["-1e-12"]"#);
    let mut truth = Truth::default();
    truth
        .add_certificate(&problem, &farkas("1").unwrap())
        .unwrap();
    let kind = |tol: &str| {
        let tolerance = tolerance(tol, Measure::Natural);
        check_claim(&problem, &solved("1"), &truth, &tolerance).kind
    };
    assert_eq!(
        (kind("1"), kind("0.999")),
        (VerdictKind::Perturbed, VerdictKind::Rejected)
    );
}

#[test]
fn what_lies_at_the_tolerance_is_within_it() {
    use VerdictKind::{Accepted, Rejected};
    // w_0 = 2 of 4, and z_1 = -1 is off by 1/5 of the slack.
    let problem = read(r#""M":[[1,0],[0,1]],"q":[-1,5]"#);
    let kind = |z: &str, tol: &str, measure| {
        let verdict = check_claim(
            &problem,
            &solved(z),
            &Truth::default(),
            &tolerance(tol, measure),
        );
        (verdict.kind, verdict.grade)
    };
    let (noise, gross) = (Some(Grade::Noise), Some(Grade::Gross));
    for (z, tol, by_natural, by_components) in [
        ("3 0", "1/2", (Accepted, None), (Accepted, None)),
        // In natural sizes 2 of 5.
        ("3 0", "2/5", (Accepted, noise), (Rejected, noise)),
        ("3 0", "0.3999", (Rejected, gross), (Rejected, gross)),
        ("1 -1", "1/5", (Accepted, None), (Accepted, None)),
        ("1 -1", "0.1999", (Rejected, gross), (Rejected, gross)),
    ] {
        let found = (
            kind(z, tol, Measure::Natural),
            kind(z, tol, Measure::Componentwise),
        );
        assert_eq!(found, (by_natural, by_components), "{z} within {tol}");
    }
}

#[test]
fn a_tiny_datum_missed_is_gross_only_where_nothing_is_larger() {
    let grade = |data: &str, z: &str| {
        let verdict = natural(data, z, "1e-9");
        assert_eq!(verdict.kind, VerdictKind::Rejected, "{data} {z}");
        verdict.grade.unwrap()
    };
    let tiny = r#""q":["-7e-18""#;
    for (m, q, z, expected) in [
        // In other units that is q = -1, and nothing but this row is there.
        ("[1]", "", "0", Grade::Gross),
        // Something larger is there: another row that is at rest, or pressed, coupled or not.
        ("[1,0],[0,1]", ",1", "0 0", Grade::Wrong),
        ("[1,0],[0,1]", ",-1", "0 1", Grade::Wrong),
        ("[2,1],[1,2]", ",1", "0 0", Grade::Wrong),
        ("[1,0],[1,1]", ",-1", "0 1", Grade::Wrong),
        ("[1,-1],[1,1]", ",1", "0 0", Grade::Wrong),
        // The large one missed beside it.
        ("[1,0],[1,1]", ",-1", "7e-18 0", Grade::Gross),
        ("[2,1],[1,2]", ",-1", "0 0", Grade::Gross),
    ] {
        let data = format!(r#""M":[{m}],{tiny}{q}]"#);
        assert_eq!(grade(&data, z), expected, "{data} {z}");
    }
}

#[test]
fn a_violation_as_large_as_the_tolerance_of_the_largest_row_is_not_gross() {
    // w_0 = -1/1000 beside a row that holds 3.
    let grade = |tol: &str| natural(r#""M":[[1,0],[0,1]],"q":["-1/1000",-1]"#, "0 1", tol).grade;
    assert_eq!(grade("1/3000"), Some(Grade::Wrong));
    assert_eq!(grade("1/3001"), Some(Grade::Gross));
}

#[test]
fn a_distance_at_the_tolerance_is_within_it() {
    // The slack of 5 measures z_1, and through row 0, which holds nothing, z_0 = 1/2.
    let problem = read(r#""M":[[1,1],[0,1]],"q":[0,5],"lower":["-inf",0]"#);
    let truth = with_solutions(&problem, &["0 0"]);
    let judged = |tol: &str, measure| {
        let verdict = check_claim(&problem, &solved("1/2 0"), &truth, &tolerance(tol, measure));
        assert_eq!(verdict.distance, Some(fraction("1/10")));
        (verdict.kind, verdict.reached, verdict.grade)
    };
    let distance = Some(Reached::Distance);
    let near = (VerdictKind::Accepted, distance, Some(Grade::Noise));
    assert_eq!(judged("1/10", Measure::Natural), near);
    let far = (VerdictKind::Rejected, distance, Some(Grade::Gross));
    assert_eq!(judged("0.0999", Measure::Natural), far);
    // The componentwise measure asks for no distance.
    assert_eq!(
        judged("1/10", Measure::Componentwise).0,
        VerdictKind::Rejected
    );
}

#[test]
fn an_answer_is_ill_conditioned_beyond_half_the_digits_of_the_tolerance() {
    // Both unknowns have the size 2 at the solution (0, 1), and w_1 is but a thousandth.
    let problem = read(r#""M":[[1,-1],[-1,"1.01"]],"q":[1,"-1.01"]"#);
    let definite = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
    let tolerance = tolerance("1/100", Measure::Natural);
    let judged = |z: &str, unique: bool| {
        let mut truth = with_solutions(&problem, &["0 1"]);
        if unique {
            truth.add_certificate(&problem, &definite).unwrap();
        }
        let verdict = check_claim(&problem, &solved(z), &truth, &tolerance);
        (verdict.kind, verdict.ill_conditioned)
    };
    let accepted = VerdictKind::Accepted;
    assert_eq!(
        judged("0.2 1.2", true),
        (accepted, None),
        "1/10, and no more"
    );
    assert_eq!(
        judged("0.21 1.21", true),
        (accepted, Some(fraction("0.105")))
    );
    // Where there may be other solutions it may be one of them that is near.
    assert_eq!(judged("0.21 1.21", false), (accepted, None));
    assert_eq!(judged("2 1", true), (VerdictKind::Rejected, None));
}

#[test]
fn a_rejection_says_what_is_wrong_first() {
    let says = |problem: &str, z: &str, tol: &str| natural(problem, z, tol).reason.unwrap();
    let two = r#""M":[[1,0],[0,1]],"q":[5,-1]"#;
    // Both the move of z_0, by 1/5, and row 1, by 2/5, are over the tolerance; or only the row.
    let outside = "row 0: z = -1 is outside its bounds by 1/5 of its natural size";
    assert_eq!(says(two, "-1 3", "0.1999"), outside);
    let row = "row 1: w = 2 must be 0 where z is off its bounds; error 2/5";
    assert_eq!(says(two, "-1 3", "1/5"), row);
    let off = "row 0: z = 9/10 is off its bound where w is not 0; error 9/50";
    assert_eq!(says(two, "9/10 1", "1e-9"), off);
    let lower = "row 0: w = -3 must not be negative where z is at its lower bound; error 1/2";
    assert_eq!(says(r#""M":[[1]],"q":[-3]"#, "0", "1e-9"), lower);
    let upper = "row 0: w = 4 must not be positive where z is at its upper bound; error 4/7";
    let boxed = r#""M":[[1]],"q":[3],"lower":["-inf"],"upper":[1]"#;
    assert_eq!(says(boxed, "1", "1e-9"), upper);
    let claim = solved("-1 3");
    let componentwise = tolerance("1/5", Measure::Componentwise);
    let verdict = check_claim(&read(two), &claim, &Truth::default(), &componentwise);
    let row = "row 1: w = 2 must be 0 where z is off its bounds; backward error 1/2";
    assert_eq!(verdict.reason.as_deref(), Some(row));
}

#[test]
fn long_fractions_are_rounded_and_extreme_ones_are_powers_of_ten() {
    let shown = |w: &str| {
        let reason = natural(&format!(r#""M":[[0]],"q":["{w}"]"#), "1", "1e-9").reason;
        let reason = reason.unwrap();
        let rest = reason.strip_prefix("row 0: w = ").unwrap();
        rest.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(shown("12345678901234567890"), "12345678901234567890");
    assert_eq!(shown("-1/12345678901234567"), "-1/12345678901234567");
    assert_eq!(shown("123456789012345678901"), "1.235e20");
    assert_eq!(shown("1e400"), "1e400");
    assert!(shown("-1e400").starts_with("-1e40"), "{}", shown("-1e400"));
    assert_eq!(shown("1e-400"), "1e-400");
    assert_eq!(shown("77e-400"), "7.7e-399");
}

#[test]
fn measures_have_the_words_of_records() {
    assert_eq!(Measure::Natural.word(), "natural");
    assert_eq!(Measure::Componentwise.word(), "componentwise");
}
