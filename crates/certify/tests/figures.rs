//! The figures of an evaluation and the rows that it names, on problems that one can do in one's head.
//!
//! Of rows and readings that are equally bad the first one is named, and what lies exactly at a
//! tolerance is within it: both stand in `docs/measure.md`, and nothing but equal fractions shows them.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{
    Evaluation, RowError, Tolerance, Truth, check_claim, evaluate, loose_rows, solves,
};
use etalon_lcp::{Claim, ClaimedAnswer, Grade, Number, Problem, Snapped, record};
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

fn within(problem: &str, z: &str, tol: &str) -> Evaluation {
    let tolerance = Tolerance {
        tol: fraction(tol),
        ..Tolerance::default()
    };
    evaluate(&read(problem), &vector(z), &tolerance).unwrap()
}

fn evaluated(problem: &str, z: &str) -> Evaluation {
    within(problem, z, "1e-9")
}

/// The rows that set the error and the negativity.
fn named(found: &Evaluation) -> (Option<usize>, Option<usize>) {
    (found.measures.worst_row, found.measures.negative_row)
}

#[test]
fn an_answer_right_as_it_stands_has_all_its_figures() {
    // Row 1 is off by 1/4 of 1e-9, and row 2 by 1e-10.
    let problem = r#""M":[[1,0,0],[0,1,0],[0,0,1]],"q":[-1,-2,-4]"#;
    let found = evaluated(problem, "1 2.000000001 4.0000000004");
    let (w, sum) = (fraction("1e-9"), fraction("4.000000001"));
    assert_eq!(found.measures.error, Rational::from(&w / &sum));
    assert_eq!(found.measures.backward_error, found.measures.error);
    assert_eq!(found.measures.residual.as_ref(), Some(&w));
    assert_eq!(named(&found), (Some(1), None));
    let (row, at) = (1, (false, false));
    assert_eq!(found.worst, Some(RowError { row, w, at }));
}

#[test]
fn an_answer_within_the_tolerance_with_its_moves_keeps_its_plain_error() {
    let problem = r#""M":[[1,0],[0,1]],"q":[-1,5]"#;
    // The idle row measures z_1 by its slack of 5.
    let right = evaluated(problem, "1 -4.5e-9").measures;
    assert_eq!(right.error, fraction("9e-10"));
    assert_eq!(right.negativity, fraction("9e-10"));
    assert_eq!(right.backward_error, 0);
    assert_eq!(right.negative_row, Some(1));
    // w_0 = 2, and its parts sum up to 4, in natural sizes to 5: at the tolerance the first is enough.
    for z in ["3 0", "3 -1"] {
        let error = |tol: &str| within(problem, z, tol).measures.error;
        assert_eq!(error("1/2"), fraction("1/2"));
        assert_eq!(error("0.4999"), fraction("2/5"));
    }
    // And z_1 = -5/2 is off by a half.
    assert_eq!(
        within(problem, "3 -5/2", "1/2").measures.error,
        fraction("1/2")
    );
    assert_eq!(
        within(problem, "2 -5/2", "0.4999").reading,
        Some(vector("2 0"))
    );
}

#[test]
fn the_row_or_the_move_that_sets_the_error_is_named() {
    // The slack of 5 measures the move by 1: it costs 1/5.
    let last = r#""M":[[1,0],[0,1]],"q":[-1,5]"#;
    let first = r#""M":[[1,0],[0,1]],"q":[5,-1]"#;
    assert_eq!(named(&evaluated(last, "1.0001 -1")), (Some(1), Some(1)));
    assert_eq!(named(&evaluated(first, "-1 1.0001")), (Some(0), Some(0)));
    // w_1 = 1 of a natural size of 4 is worse.
    assert_eq!(named(&evaluated(last, "2 -1")), (Some(0), Some(1)));
    assert_eq!(named(&evaluated(first, "-1 2")), (Some(1), Some(0)));
    // 3/4 of 15/4 is as bad as the move: then it is the row.
    let tie = evaluated(first, "-1 7/4");
    assert_eq!(
        (&tie.measures.error, &tie.measures.negativity),
        (&fraction("1/5"), &fraction("1/5"))
    );
    assert_eq!(named(&tie), (Some(1), Some(0)));
    // Of equals it is the first, and where nothing moves none is named.
    let equal = r#""M":[[1,0,0],[0,1,0],[0,0,1]],"q":[-1,-1,-1]"#;
    let rows = evaluated(equal, "1 0 0");
    assert_eq!(
        (named(&rows), rows.worst.unwrap().row),
        ((Some(1), None), 1)
    );
    let idle = r#""M":[[1,0,0],[0,1,0],[0,0,1]],"q":[5,5,5]"#;
    assert_eq!(named(&evaluated(idle, "0 -1 -1")), (Some(1), Some(1)));
}

#[test]
fn the_natural_residual_is_how_far_a_step_against_w_goes_within_the_bounds() {
    let residual = |bounds: &str, w: &str, z: &str| {
        let problem = format!(r#""M":[[0]],"q":["{w}"],{bounds}"#);
        evaluated(&problem, z).measures.residual.unwrap()
    };
    let between = r#""lower":[0],"upper":[1]"#;
    for (w, z, expected) in [
        ("1/8", "1/4", "1/8"),
        ("-1/8", "1/4", "1/8"),
        ("5", "1/4", "1/4"),
        ("-5", "1/4", "3/4"),
        ("0", "3", "2"),
        ("0", "-1", "1"),
        ("-7", "3", "2"),
        ("7", "3", "3"),
    ] {
        assert_eq!(
            residual(between, w, z),
            fraction(expected),
            "w = {w}, z = {z}"
        );
    }
    let free = r#""lower":["-inf"]"#;
    assert_eq!(residual(free, "-5", "2"), 5);
    assert_eq!(residual(r#""lower":["-inf"],"upper":[3]"#, "-5", "2"), 1);
}

#[test]
fn a_move_that_makes_nothing_better_is_not_told() {
    // z_1 may move onto its bound, but row 0 is as wrong as before.
    let problem = r#""M":[[0,0],[0,1]],"q":[-1,1]"#;
    let measures = evaluated(problem, "0 1e-13").measures;
    let errors = (measures.error, measures.backward_error);
    assert_eq!(errors, (1.into(), 1.into()));
    assert_eq!(
        (measures.snapped, measures.moved),
        (Snapped::default(), Snapped::default())
    );
}

#[test]
fn a_row_right_within_the_tolerance_is_left_where_it_is() {
    // Row 0 reads 0.1 - 1 + 2.9, half of what it holds: no more than the tolerance. Its unknown
    // could move at the cost of a fortieth, and that of row 2 does.
    let problem = r#""M":[[1,-1,0],[0,1,0],[0,0,1]],"q":["29/10",0,1],"lower":[0,1,0],"upper":["inf",1,"inf"]"#;
    let moved = |z: &str| within(problem, z, "1/2").measures.moved.entries;
    assert_eq!(moved("0.1 1 1e-13"), 1);
    assert_eq!(moved("0.11 1 1e-13"), 2);
}

#[test]
fn a_move_as_dear_as_the_row_is_not_made() {
    // Row 0 is wrong by 6 of 8. Only row 2 sees z_0 = 6, and it holds 8: the move costs 3/4, too. It
    // would cost but 1/2 after rows 3 and 4, which move from 1 to 6, have made row 2 larger.
    let problem = |q: &str| {
        format!(
            r#""M":[[0,-1,0,0,0],[0,0,0,0,0],[1,0,0,1,1],[0,0,0,0,0],[0,0,0,0,0]],"q":[{q},0,0,-5,-5],
            "lower":[0,1,0,-100,-100],"upper":["inf",1,0,6,6]"#
        )
    };
    let found = |q: &str| {
        let measures = evaluated(&problem(q), "6 1 0 1 1").measures;
        (
            measures.error,
            measures.moved.entries,
            measures.moved.furthest,
        )
    };
    assert_eq!(found("7"), (fraction("3/4"), 2, fraction("5/18")));
    assert_eq!(found("7.1"), (fraction("1/2"), 3, fraction("1/2")));
}

#[test]
fn the_loose_rows_are_those_that_small_changes_make_equations() {
    let problem = read(
        r#""M":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],"q":[5,-1,0,-3],"upper":["inf","inf","inf",1]"#,
    );
    let loose = |z: &str| loose_rows(&problem, &vector(z), &fraction("1e-9"));
    assert_eq!(loose("0 1 0 1"), Ok(vec![false, true, true, false]));
    assert_eq!(loose("1e-20 0 0 1/2"), Ok(vec![true; 4]));
    assert!(loose("0 1 0").is_err() && loose("0 1 0 1 0").is_err());
    assert_eq!(solves(&problem, &vector("0 1 0 1")), Ok(true));
}

#[test]
fn a_row_is_tight_where_w_has_the_right_sign_by_more_than_the_tolerance() {
    // The second row is fixed at 1, so the first reads q + 1, half of what it holds with q = -3 and q = -1/3.
    let is_loose = |bounds: &str, q: &str| {
        let problem = read(&format!(r#""M":[[0,1],[0,0]],"q":["{q}",0],{bounds}"#));
        loose_rows(&problem, &vector("0 1"), &fraction("1/2")).unwrap()[0]
    };
    let (lower, upper) = (
        r#""lower":[0,1],"upper":["inf",1]"#,
        r#""lower":["-inf",1],"upper":[0,1]"#,
    );
    for (q, at_lower, at_upper) in [
        ("-31/10", true, false),
        ("-3", true, true),
        ("-1", true, true),
        ("-1/3", true, true),
        ("-1/4", false, true),
        ("2", false, true),
    ] {
        assert_eq!(
            (is_loose(lower, q), is_loose(upper, q)),
            (at_lower, at_upper),
            "q = {q}"
        );
    }
}

#[test]
fn a_bound_measures_no_unknown_that_is_smaller() {
    let costs = |upper: &str| {
        let problem =
            format!(r#""M":[[1,0],[0,1]],"q":[-1,5],"lower":[0,0],"upper":["inf",{upper}]"#);
        evaluated(&problem, "1 -1").measures.negativity
    };
    assert_eq!(costs("2"), fraction("1/2"));
    assert_eq!(costs("5"), fraction("1/5"));
    assert_eq!(costs("1e12"), fraction("1/5"));
}

#[test]
fn of_rows_that_hold_nothing_the_first_to_notice_an_unknown_measures_it() {
    // The slack of 5 measures z_0; rows 1 and 2 hold nothing and tie z_3 to it, one of them four times.
    for rows in ["[1,0,0,1],[1,0,0,4]", "[1,0,0,4],[1,0,0,1]"] {
        let problem = format!(r#""M":[[1,0,0,0],{rows},[0,0,0,0]],"q":[5,0,0,0]"#);
        let measures = evaluated(&problem, "0 0 0 -1/8").measures;
        assert_eq!(measures.negativity, fraction("1/10"), "{rows}");
    }
}

/// Two contacts of very different forces: (7e-18, 1) is right.
const CONTACTS: [(&str, Grade); 5] = [
    ("7e-18 0", Grade::Gross),
    ("7e-18 -1", Grade::Gross),
    ("0 1", Grade::Wrong),
    ("-7e-18 1", Grade::Wrong),
    ("7.1e-18 1", Grade::Wrong),
];

#[test]
fn grades_do_not_depend_on_units() {
    // The unknowns' units, one of forces and one of lengths of the rows: z / d, and each row of the
    // problem times f d_i, its constants times g.
    let units = [
        "1 1 1 1",
        "1e12 1 1 1",
        "1 1e12 1 1",
        "1e-12 1e-3 1 1",
        "1 1 1e24 1",
        "1 1 1e-24 1",
        "1 1 1 1e12",
        "1 1 1 1e-12",
    ];
    for unit in units {
        let [d0, d1, f, g] = vector(unit).try_into().unwrap();
        let product = |factors: &[&Rational]| factors.iter().copied().product::<Rational>();
        let (small, one) = (fraction("-7e-18"), Rational::from(-1));
        let problem = read(&format!(
            r#""M":[["{}",0],[0,"{}"]],"q":["{}","{}"]"#,
            product(&[&f, &d0, &d0]),
            product(&[&f, &d1, &d1]),
            product(&[&small, &f, &g, &d0]),
            product(&[&one, &f, &g, &d1]),
        ));
        for (z, grade) in CONTACTS {
            let [z0, z1] = vector(z).try_into().unwrap();
            let z = vec![Number::from(z0 * &g / &d0), Number::from(z1 * &g / &d1)];
            let claim = Claim::new("p", ClaimedAnswer::Solved { z });
            let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
            assert_eq!(verdict.grade, Some(grade), "{claim:?} in units {unit}");
        }
    }
}

#[test]
fn friction_may_slide_at_either_bound_and_nowhere_else() {
    // A contact of z_0 = 2 with mu = 1/2: z_1 is -1 where w_1 > 0, and 1 where w_1 < 0.
    let problem = |q: &str| {
        let friction = r#""friction":[{"row":1,"normal":0,"mu":0.5}]"#;
        read(&format!(r#""M":[[1,0],[0,0]],"q":[-2,{q}],{friction}"#))
    };
    for (z, below, at, above) in [
        ("2 -1", false, true, true),
        ("2 0", false, true, false),
        ("2 1", true, true, false),
        ("2 -1.5", false, false, false),
        ("2 1.5", false, false, false),
    ] {
        for (q, right) in [("-3", below), ("0", at), ("3", above)] {
            let (problem, z) = (problem(q), vector(z));
            assert_eq!(solves(&problem, &z), Ok(right), "w_1 = {q}, z = {z:?}");
            let found = evaluate(&problem, &z, &Tolerance::default()).unwrap();
            assert_eq!(found.exact, right);
            assert_eq!(found.measures.error == 0, right, "w_1 = {q}, z = {z:?}");
        }
    }
}

/// z_1 = -4.5e-9 beside w_1 = 5 sets the error, 9e-10, and not row 0 with its 5e-11.
#[test]
fn the_row_of_a_move_that_sets_the_error_is_named() {
    let found = evaluated(r#""M":[[1,0],[0,1]],"q":[-1,5]"#, "1.0000000001 -4.5e-9");
    assert_eq!(found.measures.error, fraction("9e-10"));
    assert_eq!(named(&found), (Some(1), Some(1)));
    assert_eq!(found.worst, None);
}
