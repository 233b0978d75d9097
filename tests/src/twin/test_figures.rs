//! The figures of a candidate, by hand and against the definition.

use super::test_cases::{vector, vectors};
use super::test_properties::Dice;
use super::{
    Evaluation, Moves, Problem, Rational, Tolerance, distance, evaluate, perturbation_exists,
    perturbed_problem,
};
use malachite::base::num::arithmetic::traits::Abs;

/// The figures of `z` at the usual tolerance, with moves of the snapped reading up to `snap`.
fn figures(problem: &Problem, z: &str, snap: &str) -> Evaluation {
    let [tol, snap] = ["1e-9", snap].map(|text| vector(text)[0].clone());
    evaluate(problem, &vector(z), &Tolerance { tol, snap }).expect("sizes fit")
}

fn pure(m: &str, q: &str) -> Problem {
    Problem::pure(vectors(m), vector(q)).expect("sizes fit")
}

fn fraction(text: &str) -> Rational {
    vector(text)[0].clone()
}

fn moves(entries: usize, furthest: &str) -> Moves {
    Moves {
        entries,
        furthest: fraction(furthest),
    }
}

#[test]
fn the_closed_form_is_the_least_perturbation() {
    let mut dice = Dice(1);
    let nearly = Rational::from_signeds(999_999, 1_000_000);
    let (mut positive, mut zero, mut other_mu) = (0, 0, 0);
    for round in 0..400 {
        let mut problem = dice.problem(1 + round % 4, round % 3 != 0);
        let mut z: Vec<Rational> = (0..problem.size()).map(|_| dice.number(3)).collect();
        if round % 4 != 0 && round % 5 < 3 {
            // A friction row near its bound, which another mu brings onto it.
            let (last, mu) = (round % 4, dice.number(2).abs());
            problem.lower[0] = Some(Rational::from(0));
            problem.upper[0] = None;
            z[0] = z[0].clone().abs();
            z[last] = &z[0] * &mu * Rational::from_signeds(dice.within(9), 9);
            problem = problem
                .with_friction(&[(last, 0, mu)])
                .expect("a friction row");
        }
        let tolerance = Tolerance {
            tol: Rational::from(0),
            snap: Rational::from(0),
        };
        let verdict = evaluate(&problem, &z, &tolerance).expect("sizes fit");
        assert_eq!(verdict.exact, problem.solves(&z));
        assert_eq!(verdict.exact, verdict.residual == 0);
        assert_eq!(verdict.exact, verdict.error == 0);
        assert_eq!(verdict.snapped, moves(0, "0"));
        if verdict.negativity != 0 {
            assert!(!perturbation_exists(&problem, &z, &Rational::from(10)));
            continue;
        }
        let eps = &verdict.backward_error;
        assert!(*eps <= 1);
        assert_eq!(verdict.exact, *eps == 0);
        assert!(perturbation_exists(&problem, &z, eps));
        let witness = perturbed_problem(&problem, &z, eps).expect("a witness");
        assert!(witness.solves(&z));
        let close = |new: &Rational, old: &Rational| (new - old).abs() <= eps * old.abs();
        for (new, old) in witness
            .m
            .iter()
            .zip(&problem.m)
            .chain([(&witness.q, &problem.q)])
        {
            assert!(new.iter().zip(old).all(|(new, old)| close(new, old)));
        }
        for (new, old) in witness.friction.iter().zip(&problem.friction) {
            if let (Some((_, new)), Some((_, old))) = (new, old) {
                assert!(close(new, old));
                other_mu += usize::from(new != old);
            }
        }
        if *eps > 0 {
            positive += 1;
            assert!(!perturbation_exists(&problem, &z, &(eps * &nearly)));
            assert!(perturbed_problem(&problem, &z, &(eps * &nearly)).is_none());
        } else {
            zero += 1;
        }
    }
    assert!(
        positive > 50 && zero > 10 && other_mu > 5,
        "{positive} {zero} {other_mu}"
    );
}

#[test]
fn figures_of_a_candidate_by_hand() {
    // w = (2 z1 + z2 - 5, z1 + 2 z2 - 6) has the solution (4/3, 7/3).
    let problem = pure("2 1; 1 2", "-5 -6");
    let verdict = figures(&problem, "1 2", "0");
    // w = (-1, -1), plain sizes 2 + 2 + 5 and 1 + 4 + 6.
    assert_eq!(verdict.backward_error, fraction("1/9"));
    assert_eq!(
        (verdict.residual, verdict.negativity),
        (fraction("1"), fraction("0"))
    );
    // Both carry their own 9/2 and 11/2, a quarter of the other being less: natural sizes of the
    // rows 5 + 9 + 11/2 and 6 + 9/2 + 11.
    assert_eq!(verdict.error, fraction("2/39"));
    let verdict = figures(&problem, "4 -1", "0");
    // Raw w = (2, -4), so z - w = (2, 3); clipped to (4, 0): w = (3, -2), plain sizes 8 + 5 and
    // 4 + 6. Row 2 is wrong, so both are loose; they carry 13/2 and 5, the rows hold 5 + 13 + 5 and
    // 6 + 13/2 + 10. What decides is the way from -1 to 0, in units of 5.
    assert_eq!(verdict.negativity, fraction("1/5"));
    assert_eq!(verdict.residual, 4);
    assert_eq!(verdict.backward_error, fraction("3/13"));
    assert_eq!(
        (verdict.error, verdict.moved),
        (fraction("1/5"), moves(0, "0"))
    );
    let tolerance = Tolerance {
        tol: Rational::from(0),
        snap: Rational::from(0),
    };
    assert!(evaluate(&problem, &vector("1"), &tolerance).is_none());
}

#[test]
fn moves_help_an_interior_point_answer() {
    let problem = pure("1 0; 0 1", "-1 1");
    let verdict = figures(&problem, "1 1e-17", "1e-12");
    assert_eq!(verdict.backward_error, 0);
    assert_eq!(
        verdict.backward_error_clipped, 1,
        "off its bound with w = 1 + 1e-17"
    );
    // At the bound the row holds q = 1, which is the size of the move too.
    assert_eq!(verdict.snapped, moves(1, "1e-17"));
    assert_eq!(
        (verdict.error, verdict.moved),
        (fraction("1e-17"), moves(1, "1e-17"))
    );
    assert!(!verdict.exact);
    // Without the snapped reading only the backward error stays.
    let verdict = figures(&problem, "1 1e-17", "1e-18");
    assert_eq!(
        (verdict.backward_error, verdict.snapped),
        (fraction("1"), moves(0, "0"))
    );
    assert_eq!(
        (verdict.error, verdict.moved),
        (fraction("1e-17"), moves(1, "1e-17"))
    );
    // A row that is right where it stands stays there.
    let tiny = pure("1 0; 0 1", "-1 -1e-17");
    let verdict = figures(&tiny, "1 1e-17", "1e-12");
    assert!(verdict.exact && verdict.error == 0 && verdict.backward_error_snapped.is_none());
    assert_eq!(
        (verdict.moved, verdict.snapped),
        (moves(0, "0"), moves(0, "0"))
    );
}

#[test]
fn a_move_can_do_harm_and_then_does_not_count() {
    // w = (4, 0), plain sizes 14 and 4. The heavier transversal is 8 * 1: z1 carries the larger of
    // 14 * 1 / 8 and 4 * 8 / 8, z2 that of 14 * 1 / 8 and 4 * 1 / 8. So row 1 holds 5 + 4 + 14.
    let problem = pure("1 8; 1 1", "-5 -2");
    let verdict = figures(&problem, "1 1", "1/4");
    assert_eq!(verdict.backward_error_clipped, fraction("2/7"));
    // The move of z1 to 0 costs 1/4, less than the 2/7 that row 1 is wrong by; but then w2 = -1 of
    // 3 in plain sizes, and of 2 + 3 in natural ones.
    assert_eq!(verdict.backward_error_snapped, Some(fraction("1/3")));
    assert_eq!(verdict.backward_error, fraction("2/7"));
    assert_eq!(verdict.snapped, moves(0, "0"));
    assert_eq!(verdict.error, fraction("4/23"));
    assert_eq!(verdict.moved, moves(0, "0"));
    // With a wider tolerance nothing else is looked at.
    let tolerance = Tolerance {
        tol: fraction("2/7"),
        snap: fraction("1/4"),
    };
    let verdict = evaluate(&problem, &vector("1 1"), &tolerance).expect("sizes fit");
    assert_eq!(verdict.error, fraction("2/7"));
    assert_eq!(verdict.backward_error_snapped, None);
}

#[test]
fn a_move_is_measured_by_its_own_unknown_and_goes_where_the_row_is_right() {
    let bounds = [
        vec![Some(Rational::from(0)); 2],
        vec![None, Some(fraction("1"))],
    ];
    let [lower, upper] = bounds;
    let problem =
        Problem::boxed(vectors("1 0; 0 1"), vector("-1000 -5"), lower, upper).expect("fits");
    let moved = |z: &str, snap: &str| {
        let verdict = figures(&problem, z, snap);
        (verdict.snapped, verdict.backward_error)
    };
    let none = Rational::from(0);
    // w2 = z2 - 5 is right at the upper bound 1, 4e-10 away; the row holds 6, but the bound measures the
    // unknown, too: 1. The entry 1000 has no say.
    assert_eq!(
        moved("1000 0.9999999996", "4e-10"),
        (moves(1, "4e-10"), none.clone())
    );
    assert_eq!(moved("1000 0.9999999996", "3.9e-10").0, moves(0, "0"));
    // The lower bound is nearer, but the row is right at the upper one.
    assert_eq!(moved("1000 0.3", "9/10").0.entries, 1);
    assert_eq!(moved("1000 0.3", "9/10").1, none);
    assert_eq!(moved("1000 0.3", "6/10").0.entries, 0);
    // What is beyond a bound is clipped first, which is not a move of the snapping.
    assert_eq!(moved("1000 1", "1e-12"), (moves(0, "0"), none));
}

#[test]
fn bounds_are_respected_in_the_figures() {
    let one = |low: &str, high: &str, q: &str| {
        let bound = |text: &str| vector(text).first().cloned();
        Problem::boxed(vectors("1"), vector(q), vec![bound(low)], vec![bound(high)])
            .expect("bounds fit")
    };
    let figures = |problem: &Problem, z: &str| {
        let verdict = figures(problem, z, "0");
        [verdict.backward_error, verdict.negativity, verdict.residual]
    };
    // At the upper bound w <= 0 is right, w > 0 is not.
    assert_eq!(figures(&one("0", "2", "-3"), "2"), [0, 0, 0]);
    assert_eq!(figures(&one("0", "2", "-1"), "2")[0], fraction("1/3"));
    // At the lower bound the other way round; equal bounds allow all.
    assert_eq!(figures(&one("1", "2", "0"), "1"), [0, 0, 0]);
    assert_eq!(figures(&one("1", "2", "-3"), "1")[0], fraction("1/2"));
    assert_eq!(figures(&one("1", "1", "-3"), "1"), [0, 0, 0]);
    assert_eq!(figures(&one("", "", "-3"), "3"), [0, 0, 0]);
    // Clipped to 1 the row holds 1, clipped to 2 it holds 2.
    assert_eq!(figures(&one("1", "2", "0"), "0")[1], 1);
    assert_eq!(figures(&one("1", "2", "0"), "1/2")[1], fraction("1/2"));
    assert_eq!(figures(&one("1", "2", "0"), "4")[1], 1);
    // A row that holds nothing has nothing to measure a move by.
    assert_eq!(figures(&one("0", "2", "0"), "-1e-9")[1], 1);
}

#[test]
fn the_examples_of_the_measure_have_their_figures() {
    // The right answer with a rounding in a row that holds nothing else: 6e-18 beside 0 0 6. All
    // three rows are loose, the diagonal is the heaviest transversal. The plain size of row 1 is
    // s = 2 + 1.2e-17; z1 carries s / 3, z3 carries s (2 * 9) / 162 = s / 9: row 3 holds 4 s / 3.
    let free = || vec![None; 3];
    let m = vectors("3 1 2; 1 9 0; 2 0 6");
    let problem = Problem::boxed(m, vector("-1 -9 0"), free(), free()).expect("fits");
    let verdict = figures(&problem, "0 1 6e-18", "1e-12");
    assert_eq!(verdict.backward_error, 1);
    assert_eq!(
        verdict.error,
        fraction("1.35e-17") / fraction("1.000000000000000006")
    );
    // Two unknowns that have nothing to do with each other: -999 is 999/5 of what row 2 holds.
    let verdict = figures(&pure("1 0; 0 1", "-1e12 5"), "1e12 -999", "1e-12");
    assert_eq!(
        (verdict.negativity, verdict.error),
        (fraction("999/5"), fraction("999/5"))
    );
    // A heavy cycle of two: row 2 measures z1, so the move from 5 to 0 costs 5/10.
    let verdict = figures(&pure("1e-300 1; -1 1", "1 10"), "5 0", "1e-12");
    assert_eq!(
        (verdict.error, verdict.moved),
        (fraction("1/2"), moves(1, "1/2"))
    );
    // Three entries that outweigh the diagonal. The move of z3 from 1 to 0 is the cheapest: the
    // row that notices it, the second, then holds 1 + (1 + 1e-10), and is wrong by 1 - 1e-10.
    let cycle = pure("1e-10 1 0; 0 1e-10 1; 1 0 1e-10", "-1 -1 -1");
    let verdict = figures(&cycle, "5 1 1", "1e-12");
    let half = fraction("1") / fraction("2.0000000001");
    let furthest = half.clone();
    assert_eq!(
        (verdict.error, verdict.moved),
        (
            half,
            Moves {
                entries: 1,
                furthest
            }
        )
    );
    // As it stands row 3 is wrong by 4 + 1e-10 of 6 + 1e-10.
    assert_eq!(
        verdict.backward_error,
        fraction("4.0000000001") / fraction("6.0000000001")
    );
    // Accepted, and the only solution far away: 1 of 4e9 + 1, and 2e9 in units of 1.
    let flat = pure("1 -1; -1 1", "1 1");
    let verdict = figures(&flat, "2e9 2e9", "1e-12");
    assert_eq!(verdict.error, fraction("1") / fraction("4000000001"));
    let far = distance(&flat, &vector("2e9 2e9"), &vector("0 0"), &fraction("1e-9"));
    assert_eq!(far, Some(fraction("2e9")));
}

#[test]
fn friction_rows_are_measured_by_their_normal_rows() {
    // w1 = z1 - 2, w2 = z2 - 5, |z2| <= z1 / 2: the solution is (2, 1).
    let problem = pure("1 0; 0 1", "-2 -5").with_friction(&[(1, 0, fraction("1/2"))]);
    let problem = problem.expect("a friction row");
    assert!(problem.solves(&vector("2 1")) && !problem.solves(&vector("2 -1")));
    assert!(!problem.solves(&vector("2 5")) && !problem.solves(&vector("2 0.9")));
    // Off its bound by a tenth: 0.1 of mu z1 = 1, where w2 = -4.1 of 5.9.
    let verdict = figures(&problem, "2 0.9", "0");
    assert_eq!(verdict.backward_error, fraction("1/10"));
    // z1 carries 4, so the bound is measured by 2, and so is a move of z2, whose row holds 6.
    assert_eq!(
        (verdict.error, verdict.moved),
        (fraction("1/20"), moves(0, "0"))
    );
    // The normal entry is clipped first: from (-1, 1) to (0, 0), where z1 has the size 2 and z2 mu
    // times that, 1. So z1 moves by half of its size, and z2 by all of it.
    let verdict = figures(&problem, "-1 1", "0");
    assert_eq!(
        (verdict.negativity, verdict.error),
        (fraction("1"), fraction("1"))
    );
    assert_eq!(verdict.backward_error, 1);
}
