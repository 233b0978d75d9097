//! The natural-scale error: right answers are accepted and wrong ones rejected, in all units.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

mod answers;

use answers::{Case, RIGHT, WRONG};
use etalon_certify::{Measure, Tolerance, Truth, check_claim, evaluate};
use etalon_lcp::{
    Bound, Claim, ClaimedAnswer, Friction, Grade, Matrix, Number, Problem, Reached, Row, Verdict,
    VerdictKind, record,
};
use proptest::prelude::*;
use rug::Rational;
use rug::ops::Pow;

fn read(problem: &str) -> Problem {
    let record = format!(r#"{{"name":"p",{problem}}}"#);
    record::read_problem(&record).unwrap().record
}

fn answer(z: &str) -> Vec<Rational> {
    let claim = format!(r#"{{"name":"p","status":"solved","z":{z}}}"#);
    let claim = record::read_claim(&claim).unwrap().record;
    let ClaimedAnswer::Solved { z } = claim.answer else {
        panic!("a claim of solved");
    };
    z.iter().map(Number::to_rational).collect()
}

fn verdict(problem: &Problem, z: &[Rational], tolerance: &Tolerance, truth: &Truth) -> Verdict {
    let z = z.iter().cloned().map(Number::from).collect();
    let claim = Claim::new("p", ClaimedAnswer::Solved { z });
    check_claim(problem, &claim, truth, tolerance)
}

fn judged(case: &Case) -> Verdict {
    let (problem, z) = (read(case.problem), answer(case.z));
    verdict(&problem, &z, &Tolerance::default(), &Truth::default())
}

#[test]
fn right_answers_are_accepted() {
    for case in &RIGHT {
        let verdict = judged(case);
        assert_eq!(
            verdict.kind,
            VerdictKind::Accepted,
            "{}: {verdict:?}",
            case.name
        );
    }
}

#[test]
fn wrong_answers_are_rejected() {
    for case in &WRONG {
        let verdict = judged(case);
        assert_eq!(
            verdict.kind,
            VerdictKind::Rejected,
            "{}: {verdict:?}",
            case.name
        );
        let error = verdict.measures.unwrap().error;
        assert!(error > 0.01, "{}: {error}", case.name);
    }
}

/// A size that is carried through 100,000 rows one by one, against their order: no more work than
/// the rows have entries, or this would not come to an end.
#[test]
fn sizes_are_carried_along_a_chain_of_rows() {
    let n = 100_000;
    let last = n - 1;
    let entries = (0..n).flat_map(|i| {
        let next = (i < last).then(|| (i as u64, i as u64 + 1, Number::from(-1)));
        [Some((i as u64, i as u64, Number::from(1))), next]
    });
    let m = Matrix::from_entries((n as u64, n as u64), entries.flatten().collect()).unwrap();
    let mut q = vec![Number::from(0); n];
    q[last] = Number::from(-10_000_000_000i64);
    q[last - 1] = Number::from(9_999_999_999i64);
    let problem = Problem::new("chain", m, q)
        .and_then(|problem| problem.with_bounds(Some(vec![Bound::NegativeInfinity; n]), None));
    let problem = problem.unwrap();
    let mut z = vec![Rational::from(1); n];
    z[last] = Rational::from(10_000_000_000i64);
    z[0] = Rational::from((1001, 1000));
    let found = evaluate(&problem, &z, &Tolerance::default()).unwrap();
    assert!(found.measures.backward_error > 1e-4);
    // z_0 is off by 1e-3 of 1, in a row that holds 1e10 + 1e10.
    assert!(
        found.measures.error < 1e-13 && found.measures.error > 1e-14,
        "{:?}",
        found.measures
    );
}

/// z_0 = 1e-13 is as good as 0, where its contact is open. But then the friction force of 1 has no
/// room at all, and to take it along is no snap.
#[test]
fn a_snap_takes_no_friction_force_along() {
    let problem =
        read(r#""M":[[1,0],[0,1]],"q":[1,-5],"friction":[{"row":1,"normal":0,"mu":1e13}]"#);
    let measures = evaluate(&problem, &answer("[1e-13,1]"), &Tolerance::default())
        .unwrap()
        .measures;
    assert_eq!(measures.snapped.entries, 0);
    assert!(measures.backward_error > 0.99, "{measures:?}");
    let tolerance = Tolerance {
        measure: Measure::Componentwise,
        ..Tolerance::default()
    };
    let verdict = verdict(
        &problem,
        &answer("[1e-13,1]"),
        &tolerance,
        &Truth::default(),
    );
    assert_eq!(verdict.kind, VerdictKind::Rejected);
}

/// The problem with rows in other units (w_i e_i in place of w_i) and unknowns in others (z_j / d_j).
fn scaled(problem: &Problem, e: &[Rational], d: &[Rational]) -> Problem {
    let n = problem.n();
    let entry = |i: usize, j: usize| {
        let value = problem
            .m()
            .get(i, j)
            .map_or_else(Rational::new, Number::to_rational);
        Number::from(value * &e[i] * &d[j])
    };
    let rows = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    let q = problem
        .q()
        .iter()
        .zip(e)
        .map(|(q, e)| Number::from(q.to_rational() * e));
    let bound = |value: &Number, j: usize| Bound::Finite(Number::from(value.to_rational() / &d[j]));
    let zero = Number::from(0);
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for (j, row) in problem.rows().into_iter().enumerate() {
        let (low, high) = match row {
            Row::Nonnegative | Row::Friction { .. } => (bound(&zero, j), Bound::Infinity),
            Row::AtLeast(low) => (bound(low, j), Bound::Infinity),
            Row::AtMost(high) => (Bound::NegativeInfinity, bound(high, j)),
            Row::Between(low, high) => (bound(low, j), bound(high, j)),
            Row::Free | Row::Cone => (Bound::NegativeInfinity, Bound::Infinity),
        };
        lower.push(low);
        upper.push(high);
    }
    let friction = problem.friction().iter().map(|friction| Friction {
        mu: Number::from(friction.mu.to_rational() * &d[friction.normal] / &d[friction.row]),
        ..friction.clone()
    });
    Problem::new("p", Matrix::from_rows(rows).unwrap(), q.collect())
        .and_then(|problem| problem.with_bounds(Some(lower), Some(upper)))
        .and_then(|problem| problem.with_friction(friction.collect()))
        .unwrap()
}

/// Everything that must not depend on units.
fn invariants(problem: &Problem, z: &[Rational]) -> (VerdictKind, Vec<Rational>, Vec<usize>) {
    let verdict = verdict(problem, z, &Tolerance::default(), &Truth::default());
    let found = verdict.measures.unwrap();
    let figures = [
        found.error,
        found.backward_error,
        found.negativity,
        found.moved.furthest,
        found.snapped.furthest,
    ];
    let counts = [found.moved.entries, found.snapped.entries];
    (verdict.kind, figures.to_vec(), counts.to_vec())
}

fn unchanged(problem: &Problem, z: &[Rational], e: &[Rational], d: &[Rational]) {
    let other: Vec<_> = z
        .iter()
        .zip(d)
        .map(|(z, d)| Rational::from(z / d))
        .collect();
    let (before, after) = (
        invariants(problem, z),
        invariants(&scaled(problem, e, d), &other),
    );
    assert_eq!(before, after, "{problem:?} {z:?} by {e:?} and {d:?}");
}

fn powers(base: u32, exponents: &[i32], n: usize) -> Vec<Rational> {
    let power = |k: &i32| Rational::from(base).pow(*k);
    exponents.iter().map(power).take(n).collect()
}

/// Entries with many zeros, ties and sizes; bounds, friction; candidates near bounds.
fn random() -> impl Strategy<Value = (Problem, Vec<Rational>)> {
    let entry = || {
        prop_oneof![
            4 => Just(Rational::new()),
            4 => (-3i32..=3).prop_map(Rational::from),
            1 => (-9i32..=9, 1u32..=7).prop_map(Rational::from),
            1 => (-3i32..=3).prop_map(|v| Rational::from((v, 1u64 << 40))),
        ]
    };
    let near = || {
        prop_oneof![
            3 => (-3i32..=3).prop_map(Rational::from),
            2 => Just(Rational::new()),
            2 => (-9i64..=9).prop_map(|v| Rational::from((v, 10_000_000_000_000i64))),
            1 => (-9i64..=9).prop_map(|v| Rational::from((v, 1_000_000))),
        ]
    };
    (1usize..=6).prop_flat_map(move |n| {
        (
            proptest::collection::vec(proptest::collection::vec(entry(), n), n),
            proptest::collection::vec(entry(), n),
            proptest::collection::vec((0u8..6, -1i32..=1), n),
            proptest::collection::vec(near(), n),
            any::<bool>(),
            any::<bool>(),
        )
            .prop_map(|(m, q, kinds, z, rubs, symmetric)| {
                let n = q.len();
                let entry = |i: usize, j: usize| {
                    let (i, j) = if symmetric {
                        (i.min(j), i.max(j))
                    } else {
                        (i, j)
                    };
                    Number::from(m[i][j].clone())
                };
                let rows = (0..n)
                    .map(|i| (0..n).map(|j| entry(i, j)).collect())
                    .collect();
                let finite = |v: i32| Bound::Finite(Number::from(i64::from(v)));
                let (mut lower, mut upper) = (Vec::new(), Vec::new());
                for (kind, low) in &kinds {
                    let (l, u) = match kind {
                        0 => (Bound::NegativeInfinity, Bound::Infinity),
                        1 => (Bound::NegativeInfinity, finite(*low)),
                        2 => (finite(*low), finite(low + 2)),
                        _ => (finite(0), Bound::Infinity),
                    };
                    lower.push(l);
                    upper.push(u);
                }
                if rubs && n > 1 {
                    (lower[0], upper[0]) = (finite(0), Bound::Infinity);
                }
                let friction = (rubs && n > 1).then(|| Friction {
                    row: n - 1,
                    normal: 0,
                    mu: Number::from(Rational::from((1, 2))),
                });
                let q = q.into_iter().map(Number::from).collect();
                let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q)
                    .and_then(|problem| problem.with_bounds(Some(lower), Some(upper)))
                    .and_then(|problem| problem.with_friction(friction.into_iter().collect()))
                    .unwrap();
                (problem, z)
            })
    })
}

fn exponents() -> impl Strategy<Value = Vec<i32>> {
    proptest::collection::vec(-6i32..=6, 13)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_depends_on_units((problem, z) in random(), e in exponents(), d in exponents()) {
        let n = problem.n();
        unchanged(&problem, &z, &powers(10, &e, n), &powers(10, &d, n));
        unchanged(&problem, &z, &powers(2, &e, n), &powers(3, &d, n));
    }

    #[test]
    fn verdicts_on_known_answers_do_not_depend_on_units(e in exponents(), d in exponents()) {
        for case in RIGHT.iter().chain(&WRONG) {
            let (problem, z) = (read(case.problem), answer(case.z));
            let n = problem.n();
            unchanged(&problem, &z, &powers(128, &e, n), &powers(128, &d, n));
            unchanged(&problem, &z, &powers(10, &e, n), &powers(10, &d, n));
        }
    }

    #[test]
    fn the_error_is_below_backward_error_and_moves((problem, z) in random()) {
        let found = evaluate(&problem, &z, &Tolerance::default()).unwrap().measures;
        let bound = found.backward_error.clone().max(found.negativity.clone());
        prop_assert!(found.error <= bound.max(found.snapped.furthest.clone()), "{:?}", found);
    }

    /// Theorem 4, for unit diagonals and the bound on the least eigenvalue by row sums.
    #[test]
    fn accepted_means_near_where_m_is_symmetric_and_dominant(
        n in 1usize..=5,
        entries in proptest::collection::vec(-9i64..=9, 25),
        places in proptest::collection::vec((any::<bool>(), 0i64..=3), 5),
        off in proptest::collection::vec((-9i64..=9, 3u32..=12), 5),
    ) {
        let entry = |i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Equal => Rational::from(1),
            std::cmp::Ordering::Less => Rational::from((entries[i * 5 + j], 50)),
            std::cmp::Ordering::Greater => Rational::from((entries[j * 5 + i], 50)),
        };
        // The solution z with slack w, so that q = w - M z.
        let z: Vec<Rational> = places[..n].iter().map(|(on, v)| if *on { Rational::from(*v) } else { Rational::new() }).collect();
        let w = |i: usize| if places[i].0 { Rational::new() } else { Rational::from(places[i].1) };
        let q: Vec<Rational> = (0..n).map(|i| {
            let sum: Rational = (0..n).map(|j| entry(i, j) * &z[j]).sum();
            w(i) - sum
        }).collect();
        let rows = (0..n).map(|i| (0..n).map(|j| Number::from(entry(i, j))).collect()).collect();
        let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q.iter().cloned().map(Number::from).collect()).unwrap();
        let x: Vec<Rational> = z.iter().zip(&off).map(|(z, (step, digits))| {
            let near = z.clone() + Rational::from((*step, 1)) / Rational::from(10u32).pow(*digits as i32);
            near.max(Rational::new())
        }).collect();
        let found = evaluate(&problem, &x, &Tolerance::default()).unwrap().measures;
        prop_assume!(found.moved.entries == 0);
        let square = |v: Rational| v.clone() * v;
        let gap: Rational = x.iter().zip(&z).map(|(x, z)| square(Rational::from(x - z))).sum();
        let least = (0..n).map(|i| {
            let others: Rational = (0..n).filter(|j| *j != i).map(|j| entry(i, j).abs()).sum();
            Rational::from(1) - others
        }).min().unwrap();
        let largest = (0..n).map(|i| {
            let sum: Rational = (0..n).map(|j| entry(i, j).abs() * &x[j]).sum();
            sum + Rational::from(q[i].abs_ref())
        }).max().unwrap();
        let bound = found.error * largest * (n as u64 + 1) / least;
        prop_assert!(gap <= square(bound) * n as u64);
    }
}

#[test]
fn an_answer_near_an_exact_solution_is_accepted_for_its_distance() {
    // Nothing but the exact solution measures the idle row: q_1 = 0, and M_11 is not its pivot.
    let problem = read(r#""M":[[1,0],[0,1]],"q":[-1,1]"#);
    let z = answer("[1,0.1]");
    let mut truth = Truth::default();
    truth.add_solution(&problem, answer("[1,0]")).unwrap();
    let tolerance = Tolerance {
        tol: Rational::from((1, 20)),
        ..Tolerance::default()
    };
    let far = verdict(&problem, &z, &tolerance, &truth);
    assert_eq!(
        (far.kind, far.reached),
        (VerdictKind::Rejected, Some(Reached::Distance))
    );
    assert_eq!(
        far.distance,
        Some(Number::from_f64(0.1).unwrap().to_rational())
    );
    let unknown = verdict(&problem, &z, &tolerance, &Truth::default());
    assert_eq!(
        (unknown.kind, unknown.reached),
        (VerdictKind::Rejected, Some(Reached::Error))
    );
    assert_eq!((unknown.distance, unknown.asked), (None, false));
}

#[test]
fn an_accepted_answer_far_from_the_only_solution_says_so() {
    let problem = read(r#""M":[[2,0],[0,1]],"q":[0,-1]"#);
    let mut truth = Truth::default();
    let proof = etalon_lcp::Certificate::PMatrix(etalon_lcp::PMatrixProof::PositiveDefinite);
    truth.add_solution(&problem, answer("[0,1]")).unwrap();
    truth.add_certificate(&problem, &proof).unwrap();
    let near = verdict(
        &problem,
        &answer("[0,1.0000000001]"),
        &Tolerance::default(),
        &truth,
    );
    assert_eq!(
        (near.kind, near.ill_conditioned),
        (VerdictKind::Accepted, None)
    );

    // A hair from singular: the answer solves a problem within 1e-10, and is off by 1.
    let problem = read(r#""M":[[1,-1],[-1,"1.00000000001"]],"q":[1,"-1.00000000001"]"#);
    let mut truth = Truth::default();
    truth.add_solution(&problem, answer("[0,1]")).unwrap();
    truth.add_certificate(&problem, &proof).unwrap();
    let far = verdict(
        &problem,
        &answer("[1e10,10000000001]"),
        &Tolerance::default(),
        &truth,
    );
    assert_eq!(far.kind, VerdictKind::Accepted, "{far:?}");
    assert!(far.ill_conditioned.unwrap() > 1_000_000);
}

#[test]
fn grades_tell_missed_contacts_from_noise() {
    let grade = |problem: &str, z: &str, measure| {
        let tolerance = Tolerance {
            measure,
            ..Tolerance::default()
        };
        let verdict = verdict(&read(problem), &answer(z), &tolerance, &Truth::default());
        (verdict.kind, verdict.grade)
    };
    let contacts = r#""M":[[1,0],[0,1]],"q":[-7e-18,-1]"#;
    let natural = |z| grade(contacts, z, Measure::Natural);
    assert_eq!(
        natural("[7e-18,0]"),
        (VerdictKind::Rejected, Some(Grade::Gross))
    );
    assert_eq!(
        natural("[0,1]"),
        (VerdictKind::Rejected, Some(Grade::Wrong))
    );
    assert_eq!(natural("[7e-18,1]"), (VerdictKind::Exact, None));
    // A violated bound counts as a violated row does.
    assert_eq!(
        natural("[7e-18,-1]"),
        (VerdictKind::Rejected, Some(Grade::Gross))
    );
    assert_eq!(
        natural("[-7e-18,1]"),
        (VerdictKind::Rejected, Some(Grade::Wrong))
    );

    // A row without a positive diagonal entry is compared with none.
    for diagonal in [-1, 0] {
        let missed = format!(r#""M":[[{diagonal},3],[-3,3]],"q":[-2,0]"#);
        assert_eq!(
            grade(&missed, "[0,0]", Measure::Natural),
            (VerdictKind::Rejected, Some(Grade::Gross)),
            "{missed}"
        );
    }

    let rounding = &RIGHT[1];
    let by = |measure| grade(rounding.problem, rounding.z, measure);
    assert_eq!(
        by(Measure::Natural),
        (VerdictKind::Accepted, Some(Grade::Noise))
    );
    assert_eq!(
        by(Measure::Componentwise),
        (VerdictKind::Rejected, Some(Grade::Noise))
    );
}

/// The numbers of 300,000 short rows take more than 2^30 bits together, so each row has room of its own.
#[test]
fn many_short_rows_are_within_the_budget() {
    let n = 300_000;
    let list = |item: &dyn Fn(usize) -> String| {
        let items: Vec<_> = (0..n).map(item).collect();
        items.join(",")
    };
    let m = list(&|i| format!("[{i},{i},3]"));
    let q = list(&|i| format!("-{}", i + 1));
    let problem = read(&format!(
        r#""M":{{"shape":[{n},{n}],"entries":[{m}]}},"q":[{q}]"#
    ));
    let z = (0..n).map(|i| Rational::from_f64((i + 1) as f64 / 3.0).unwrap());
    let mut z: Vec<_> = z.collect();
    let found = evaluate(&problem, &z, &Tolerance::default()).unwrap();
    assert!(
        !found.exact && found.measures.error < 1e-15,
        "{:?}",
        found.measures
    );
    z[7] = Rational::from(3);
    let found = evaluate(&problem, &z, &Tolerance::default()).unwrap();
    assert_eq!(found.measures.worst_row, Some(7));
}
