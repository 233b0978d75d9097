//! Answers that are right only in natural sizes: the rows solved for their unknowns, and the solution in
//! the answer's own cell, decide.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_certify::{Measure, Tolerance, Truth, check_claim};
use etalon_exact::{Budget, SolvedFor, solved_rows};
use etalon_judge::{Judge, Judgement};
use etalon_lcp::{Claim, Number, Problem, Reached, VerdictKind, record};
use proptest::prelude::*;
use rug::Rational;

fn problem(fields: &str) -> Problem {
    let record = format!(r#"{{"name":"p",{fields}}}"#);
    record::read_problem(&record).unwrap().record
}

fn claim(z: &str) -> Claim {
    let claim = format!(r#"{{"name":"p","status":"solved","z":{z}}}"#);
    record::read_claim(&claim).unwrap().record
}

fn judged(fields: &str, z: &str) -> Judgement {
    Judge::default().verdict(&problem(fields), &claim(z))
}

/// Bounds of an unknown next to its bound leave the others no more room than eight units of rounding: here 2^-52 of
/// 2^50 or so. Missed contacts and values beyond the bound pass for nothing.
#[test]
fn bounds_exclude_what_large_terms_would_excuse() {
    let spd = r#""M":[[1,1,0],[1,2,1],[0,1,2]],"q":[-1125899906842624,-1125899906842619,-100]"#;
    let boxed = r#""M":[[1,0,0],[1,1,0],[0,-1,1]],"q":[-8760908650119168,-8760908650119943,-311],"upper":["inf",583,"inf"]"#;
    let chain = |k: &str| format!(r#""M":[[1,1,0],[0,1,-1],[0,0,1]],"q":[-1,{k}]"#);
    let free = r#""M":[[1,0,0],[-1,1,0],[0,1,1]],"q":[-1125899906842624,1125899906842629,100],"lower":[0,0,"-inf"]"#;
    for (fields, right, wrong) in [
        (spd, "[1125899906842624,0,50]", "[1125899906842624,0,1000]"),
        (spd, "[1125899906842624,0,50]", "[1125899906842624,0,60]"),
        (
            boxed,
            "[8760908650119168,583,894]",
            "[8760908650119168,583,0]",
        ),
        (
            &chain("1099511627777,-1099511627776"),
            "[1,0,1099511627776]",
            "[3,0,1099511627776]",
        ),
        (
            &chain("35184372088833,-35184372088832"),
            "[1,0,35184372088832]",
            "[100,0,35184372088832]",
        ),
        (
            &chain("1125899906842625,-1125899906842624"),
            "[1,0,1125899906842624]",
            "[1000,0,1125899906842624]",
        ),
        (
            free,
            "[1125899906842624,0,-100]",
            "[1125899906842624,0,500]",
        ),
        (
            r#""M":[[1,1,0],[0,1,-1],[0,0,1]],"q":[-1e-9,1000000.001,-1000000.0]"#,
            "[1e-9,0,1e6]",
            "[8e-7,0,1e6]",
        ),
    ] {
        let of = |z: &str| judged(fields, z);
        assert!(of(right).accepted, "{fields} {right}: {}", of(right).line());
        assert!(
            !of(wrong).accepted,
            "{fields} {wrong}: {}",
            of(wrong).line()
        );
    }
    // What is left to rounding: a few units in the last place of 2^50.
    let large = chain("1125899906842625,-1125899906842624");
    let largest = |z: f64| judged(&large, &format!("[{z},0,1125899906842624]")).accepted;
    assert!(largest(2.0) && !largest(8.0));
}

/// Each row is right within what elimination may leave in it; together they say otherwise.
const WRONG: [(&str, &str, &str); 11] = [
    // Two values that four digits do not tell apart.
    (
        r#""M":[[1,0.5,0,0],[0.5,1,0.5,0.25],[0,0.5,1,0.5],[0,0.25,0.5,1]],"q":["-10000000000.5","-5000000001.652203086419725","-1.80440617283945","-1.3588123456789"]"#,
        "[1e10,1,1,0.6088124456789]",
        "the rows solved for z_3 give 0.6089, and 1.001e-7 less than claimed; error 1.659e-8",
    ),
    // Row 1 leaves z_1 open by the rounding of its large terms, but its bounds do not.
    (
        r#""M":[[1,1,0],[0,1,-1],[0,0,1]],"q":[-1,1099511627775,-1099511627776],"upper":["inf",9.5367431640625e-7,"inf"]"#,
        "[100,9.5367431640625e-7,1099511627776]",
        "the rows solved for z_0 give 1.004, not 100; error 0.9802",
    ),
    (
        r#""M":[[1,1,0],[0,1,-1],[0,0,1]],"q":[-1,1099511627775,-1099511627776],"upper":["inf",9.5367431640625e-7,"inf"]"#,
        "[1000,0,1099511627776]",
        "the rows solved for z_0 give 1.004, not 1000; error 0.998",
    ),
    (
        r#""M":[[1,1,0],[0,1,-1],[0,0,1]],"q":[-1,1099511627777,-1099511627776]"#,
        "[100,0,1099511627776]",
        "the rows solved for z_0 give 1.004, not 100; error 0.9802",
    ),
    (
        r#""M":[[1,1,0],[0,1,-1],[0,0,1]],"q":[-1,1099511627775,-1099511627776],"friction":[{"row":1,"normal":0,"mu":9.5367431640625e-7}]"#,
        "[100,9.5367431640625e-7,1099511627776]",
        "the rows solved for z_0 give 1.005, not 100; error 0.9802",
    ),
    (
        r#""M":[[1,0,0,0,0],[-1,1,0,0,0],[0,-1,1,0,0],[0,-1,0,1,0],[0,0,-1,1,1]],"q":[-1e15,999999999999999,0,0,-1]"#,
        "[1e15,1,1,1,100000]",
        "the rows solved for z_4 give 1, not 100000; error 99999/100007",
    ),
    (
        r#""M":[[1,0.5,0,0],[0.5,1,0.5,0.25],[0,0.5,1,0.5],[0,0.25,0.5,1]],"q":[-10000000000.5,-5000000001.75,-2,-1.75]"#,
        "[1e10,1,1,2]",
        "the rows solved for z_3 give 1, not 2; error 1/9",
    ),
    // An unknown outside its bound, and one off it, by what the large terms of its row seem to excuse.
    (
        r#""M":[[1,0,0,0],[-1,1,0,0],[0,-1,1,0],[0,1,-1,1]],"q":[-1e15,999999999999999,0,5],"lower":["-inf","-inf","-inf",0]"#,
        "[1e15,1,1,-100000]",
        "the rows solved for z_3 give 0, not -100000; error 100000/9",
    ),
    (
        r#""M":[[1,0,0,0],[-1,1,0,0],[0,-1,1,0],[0,1,-1,1]],"q":[-1e15,999999999999999,0,5],"lower":["-inf","-inf","-inf",0]"#,
        "[1e15,1,1,1]",
        "the rows solved for z_3 give 0, not 1; error 1/9",
    ),
    // Right by its rows where it stands, and by its backward error where it is snapped.
    (
        r#""M":[[1,0,0,0],[-1,1,0,0],[0,-1,1,0],[0,1,-1,1]],"q":[-1e15,999999999999999,0,5]"#,
        "[1e15,1,1,100]",
        "the rows solved for z_3 give 0, not 100; error 100/9",
    ),
    // The same with a second copy of each row and unknown: the block is singular.
    (
        r#""M":[[1,0,0,0,0,1],[-1,1,0,0,0,-1],[0,-1,1,0,0,0],[0,-1,0,1,0,0],[0,0,-1,1,1,0],[1,0,0,0,0,1]],"q":[-2e15,1999999999999999,0,0,-1,-2e15]"#,
        "[1e15,1,1,1,100000,1e15]",
        "the rows solved for z_4 give 1, not 100000; error 99999/100007",
    ),
];

#[test]
fn rows_that_are_right_one_by_one_and_wrong_together_are_rejected() {
    for (fields, z, why) in WRONG {
        let Judgement {
            verdict, solution, ..
        } = judged(fields, z);
        assert_eq!(verdict.kind, VerdictKind::Rejected, "{fields}");
        assert_eq!(verdict.reached, Some(Reached::SolvedRows), "{fields}");
        // An exact solution was looked for before the rejection.
        assert!(verdict.distance.is_some() && solution.is_some(), "{fields}");
        assert_eq!(verdict.reason.as_deref(), Some(why));
        assert!(verdict.measures.unwrap().error > Tolerance::default().tol);
        // The sizes of the rows alone would have accepted it.
        let rows = check_claim(
            &problem(fields),
            &claim(z),
            &Truth::default(),
            &Tolerance::default(),
        );
        assert_eq!(rows.kind, VerdictKind::Accepted, "{fields}");
    }
}

/// With the componentwise measure no size acquits.
#[test]
fn the_componentwise_measure_needs_no_solved_rows() {
    let judge = Judge {
        tolerance: Tolerance {
            measure: Measure::Componentwise,
            ..Tolerance::default()
        },
        ..Judge::default()
    };
    let (fields, z, _) = WRONG[0];
    let verdict = judge.verdict(&problem(fields), &claim(z)).verdict;
    assert_eq!(verdict.kind, VerdictKind::Rejected);
    assert_eq!(verdict.reached, Some(Reached::Error));
}

/// LAPACK's answers, from rows of zeros and from sets of solutions.
const RIGHT: [(&str, &str); 8] = [
    // A cone that is closed but for rounding, whose rows are right in plain sizes once that is rounded.
    (
        r#""M":[[0,0.25,-2,1,7],[0,0.25,-2,1,0],[0,1,1,0,0],[0,0.75,0,3,0],[0,0,2,0,2]],"q":[-6.625,0.375,-4.1875,0,-2.375],"lower":[0,0,0,0,"-inf"],"friction":[{"row":2,"normal":0,"mu":0.0625},{"row":3,"normal":1,"mu":0.25}]"#,
        "[3.0000000000000004,1.1102230246251565e-16,0.18750000000000003,2.7755575615628914e-17,1]",
    ),
    // One whose friction slides in a direction that is rounding.
    (
        r#""M":[[0,0,1],[-1,1,2],[0,3,7]],"q":[0,-7,-24],"friction":[{"row":2,"normal":0,"mu":2}]"#,
        "[1.7763568394002506e-16,7.000000000000001,-3.552713678800501e-16]",
    ),
    (
        r#""M":[[1,-2,0],[-1,-2,0],[-9,0,-7]],"q":[0,0,2],"lower":["-inf","-inf","-inf"]"#,
        "[-4.9343245538895844e-17,1.3877787807814457e-17,0.28571428571428575]",
    ),
    // The same beside two equal rows, whose forces are not unique: the nearest solution has both.
    (
        r#""M":[[1,-2,0,0,0],[-1,-2,0,0,0],[-9,0,-7,0,0],[0,0,0,1,1],[0,0,0,1,1]],"q":[0,0,2,-1,-1],"lower":["-inf","-inf","-inf",0,0]"#,
        "[-4.9343245538895844e-17,1.3877787807814457e-17,0.28571428571428575,0.5,0.5]",
    ),
    // A free row of zeros, a friction row that slides, and redundant forces of the other.
    (
        r#""M":[[2,1,0,0,0],[1,2,0,0,0],[0,0,1,-2,0],[0,0,-1,-2,0],[0,0,-9,0,-7]],"q":[-4,5,0,0,2],"lower":[0,"-inf","-inf","-inf","-inf"],"upper":["inf","inf","inf","inf","inf"],"friction":[{"row":1,"normal":0,"mu":"1/2"}]"#,
        "[2.6666666666666665,-1.3333333333333333,-4.9343245538895844e-17,1.3877787807814457e-17,0.28571428571428575]",
    ),
    // Friction a rounding inside its bound, in a problem with two solutions.
    (
        r#""M":[[0,0,0,0,0,0],[0,7,1,0,0,0],[0,1,7,-2,0,0],[2,0,2,0,0,0],[0,0,0,0,1,0],[0,0,0,0,1,1]],"q":[1,-612.75,-35.25,25.75,1,0],"lower":[0,0,0,0,0,"-inf"],"friction":[{"row":0,"normal":3,"mu":0.375}]"#,
        "[-23.624999999999996,86,10.75,63,0,2.2e-16]",
    ),
    // A row with l = u stands at the bound that is right for its w.
    (
        r#""M":[[1,0,0],[0,-1,0],[1,1,-1]],"q":[0,1,-1],"lower":["-inf",0,0],"upper":["inf","inf",0]"#,
        "[1e-16,0,0]",
    ),
    (
        r#""M":[[2,2,0,1,0,0],[2,2,0,1,0,0],[0,0,1,0,0,0],[1,1,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,1,1]],"q":[-2,-2,3,-6,1,0],"lower":[0,0,0,0,0,"-inf"],"friction":[{"row":3,"normal":2,"mu":0.5}]"#,
        "[0.5,0.5,0,0,0,2.2e-16]",
    ),
];

#[test]
fn what_rounding_leaves_in_rows_of_zeros_is_accepted() {
    for (fields, z) in RIGHT {
        let verdict = judged(fields, z).verdict;
        assert_eq!(verdict.kind, VerdictKind::Accepted, "{fields}: {verdict:?}");
        assert_eq!(verdict.reached, Some(Reached::Distance), "{fields}");
    }
}

/// z_1 = 0 is determined by rows of zeros alone, which hold LAPACK's rounding in the answer.
#[test]
fn what_rows_of_zeros_determine_is_not_held_against_their_rounding() {
    let fields = r#""M":[[246290604621824,0,-7.205759403792794e16,0,0.0625,-131072],[0,6.917529027641082e18,0,0,-0.000244140625,0],[-549755813888,0,774056185954304,0,0.000244140625,-512],[0,0,0,1.52587890625e-05,-3.3881317890172014e-21,7.105427357601002e-15],[-17592186044416,2.9514790517935283e20,-9007199254740992,70368744177664,0,0],[2,0,1024,-8,0,0]],"q":[1073741824,4194304,4194304,2.9103830456733704e-11,0,0],"lower":[0,"-inf","-inf",0,"-inf",0]"#;
    let z = "[1.4123828066629084e-21,7.283384620007767e-29,1.5187578459990015e-24,0,17179869183.999992,16383.999999999998]";
    let verdict = judged(fields, z).verdict;
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
}

/// Thirty rows of numbers of 4,000 digits are not solved, and the rows decide.
#[test]
fn rows_of_very_long_numbers_are_left_as_they_are() {
    let long = |i: usize, j: usize| {
        format!(
            "\"{}{}/{}{}\"",
            1 + i,
            "7".repeat(2000),
            2 + j,
            "3".repeat(2000)
        )
    };
    let row = |i: usize| {
        format!(
            "[{}]",
            (0..30).map(|j| long(i, j)).collect::<Vec<_>>().join(",")
        )
    };
    let m = (0..30).map(row).collect::<Vec<_>>().join(",");
    let fields = format!(r#""M":[{m}],"q":[{}]"#, ["-1"; 30].join(","));
    let problem = problem(&fields);
    let x = rationals(&[1; 30]);
    let solved = solved_rows(
        &problem,
        &[true; 30],
        &x,
        &x,
        &Rational::new(),
        &Budget::default(),
    );
    assert_eq!(
        solved,
        etalon_exact::SolvedRows {
            point: x,
            worst: None,
            unsolved: 30
        }
    );
}

/// 0.3 * 0.1 is 0.03 in binary64 but for a rounding: the row slides, and is no equation.
#[test]
fn friction_at_its_bound_by_rounding_is_no_equation() {
    let fields = r#""M":[[1,0,0,0,0],[0,1,0,0,0],[0,0,3,1,2],[0,0,1,9,0],[0,0,2,0,6]],"q":[-0.1,-5,-1,-9,0],"lower":[0,0,"-inf","-inf","-inf"],"friction":[{"row":1,"normal":0,"mu":0.3}]"#;
    let verdict = judged(fields, "[0.1,0.03,0,1,6e-18]").verdict;
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
    let wrong = judged(fields, "[0.1,0.0299,0,1,6e-18]").verdict;
    assert_eq!(wrong.kind, VerdictKind::Rejected, "{wrong:?}");
}

/// z_0 = 3e-12 is rounding of 0, and so is all room that it leaves to friction.
#[test]
fn friction_in_the_room_that_rounding_leaves_is_no_equation() {
    let fields =
        r#""M":[[1,0,1],[0,1,0],[0,0,1]],"q":[-1,1,-1],"friction":[{"row":1,"normal":0,"mu":0.5}]"#;
    for z in [
        "[3e-12,0,1]",
        "[1e-10,0,1]",
        "[1e-10,-2.5e-11,1]",
        "[1e-10,5e-11,1]",
    ] {
        let verdict = judged(fields, z).verdict;
        assert_eq!(verdict.kind, VerdictKind::Accepted, "{z}: {verdict:?}");
    }
}

/// Rounding of z_1 = 1e10 reaches z_0 = 1/4, and through the sliding row z_2 row 3.
#[test]
fn friction_at_its_bound_carries_the_size_of_its_normal_row() {
    let fields = r#""M":[[1,1,0,0],[1,-3,0,0],[0,0,1,0],[0,0,1,1]],"q":[-10000000000.25,29999999999.75,-7,-5.125],"lower":[0,"-inf",0,"-inf"],"friction":[{"row":2,"normal":0,"mu":0.5}]"#;
    let z = "[0.2500019073486328,10000000000,0.1250009536743164,5]";
    let verdict = judged(fields, z).verdict;
    assert_eq!(verdict.kind, VerdictKind::Accepted, "{verdict:?}");
}

fn rationals(values: &[i64]) -> Vec<Rational> {
    values.iter().copied().map(Rational::from).collect()
}

fn plain(problem: &Problem, x: &[Rational], i: usize) -> (Rational, Rational) {
    let mut w = problem.q()[i].to_rational();
    let mut s = w.clone().abs();
    for (j, value) in problem.m().row(i) {
        let term = value.to_rational() * &x[j];
        w += &term;
        s += term.abs();
    }
    (w, s)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The error of a solved row is at most the largest |w_i| / s_i of the loose rows, the point of
    /// the cell solves every row that is solvable, and other units change neither.
    #[test]
    fn solved_rows_are_below_the_plain_error_and_free_of_units(
        n in 1usize..=5,
        entries in proptest::collection::vec(-3i64..=3, 25),
        q in proptest::collection::vec(-9i64..=9, 5),
        x in proptest::collection::vec(-9i64..=9, 5),
        loose in proptest::collection::vec(prop_oneof![3 => Just(true), 1 => Just(false)], 5),
        units in proptest::collection::vec((1i64..=99, 1i64..=99), 5),
    ) {
        let build = |units: &[(i64, i64)]| {
            let entry = |i: usize, j: usize| Number::from(entries[5 * i + j] * units[i].0 * units[j].1);
            let rows: Vec<Vec<Number>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            let q = (0..n).map(|i| Number::from(q[i] * units[i].0)).collect();
            Problem::new("p", etalon_lcp::Matrix::from_rows(rows).unwrap(), q).unwrap()
        };
        let (one, other) = (build(&[(1, 1); 5]), build(&units));
        let (x, loose) = (rationals(&x[..n]), &loose[..n]);
        let there: Vec<Rational> = (0..n).map(|j| Rational::from(&x[j] / units[j].1)).collect();
        let here = solved_rows(&one, loose, &x, &x, &Rational::new(), &Budget::default());
        let away = solved_rows(&other, loose, &there, &there, &Rational::new(), &Budget::default());

        for j in 0..n {
            prop_assert_eq!(&here.point[j], &Rational::from(&away.point[j] * units[j].1));
            prop_assert!(loose[j] || here.point[j] == x[j]);
        }
        let figures = |worst: &Option<SolvedFor>| {
            worst.as_ref().map(|worst| (worst.unknown, worst.error.clone()))
        };
        prop_assert_eq!(figures(&here.worst), figures(&away.worst));

        let largest = (0..n).filter(|&i| loose[i]).map(|i| {
            let (w, s) = plain(&one, &x, i);
            if s == 0 { Rational::new() } else { w.abs() / s }
        }).max().unwrap_or_default();
        if let Some(worst) = &here.worst {
            prop_assert!(worst.error <= largest, "{} > {}", worst.error, largest);
        }
        // A regular block determines all of its unknowns.
        let open = (0..n).filter(|&i| loose[i] && plain(&one, &here.point, i).0 != 0).count();
        let block: Vec<usize> = (0..n).filter(|&i| loose[i]).collect();
        if determinant(&one, &block) != 0 {
            prop_assert_eq!(open, 0);
        }
    }
}

fn determinant(problem: &Problem, block: &[usize]) -> Rational {
    fn by_minors(m: &[Vec<Rational>]) -> Rational {
        let Some((first, rest)) = m.split_first() else {
            return Rational::from(1);
        };
        let mut sum = Rational::new();
        for (c, value) in first.iter().enumerate() {
            let minor: Vec<Vec<Rational>> = rest
                .iter()
                .map(|row| {
                    let kept = row.iter().enumerate().filter(|(k, _)| *k != c);
                    kept.map(|(_, value)| value.clone()).collect()
                })
                .collect();
            let term = value * by_minors(&minor);
            if c % 2 == 0 { sum += term } else { sum -= term }
        }
        sum
    }
    let entry = |i: usize, j: usize| {
        let value = problem.m().get(i, j);
        value.map_or_else(Rational::new, Number::to_rational)
    };
    let rows: Vec<Vec<Rational>> = block
        .iter()
        .map(|&i| block.iter().map(|&j| entry(i, j)).collect())
        .collect();
    by_minors(&rows)
}
