//! The figures of a candidate, by hand and against the definition.

use super::test_cases::{vector, vectors};
use super::test_properties::Dice;
use super::{Problem, Rational, evaluate, perturbation_exists, perturbed_problem};
use malachite::base::num::arithmetic::traits::Abs;

#[test]
fn the_closed_form_is_the_least_perturbation() {
    let mut dice = Dice(1);
    let nearly = Rational::from_signeds(999_999, 1_000_000);
    let (mut positive, mut zero) = (0, 0);
    for round in 0..400 {
        let problem = dice.problem(1 + round % 4, round % 3 != 0);
        let z: Vec<Rational> = (0..problem.size()).map(|_| dice.number(3)).collect();
        let verdict = evaluate(&problem, &z, &Rational::from(0)).expect("sizes fit");
        assert_eq!(verdict.exact, problem.solves(&z));
        assert_eq!(verdict.exact, verdict.residual == 0);
        assert_eq!(verdict.snapped_entries, 0);
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
        if *eps > 0 {
            positive += 1;
            assert!(!perturbation_exists(&problem, &z, &(eps * &nearly)));
            assert!(perturbed_problem(&problem, &z, &(eps * &nearly)).is_none());
        } else {
            zero += 1;
        }
    }
    assert!(positive > 50 && zero > 10, "{positive} {zero}");
}

#[test]
fn figures_of_a_candidate_by_hand() {
    // w = (2 z1 + z2 - 5, z1 + 2 z2 - 6) has the solution (4/3, 7/3).
    let problem = Problem::pure(vectors("2 1; 1 2"), vector("-5 -6")).expect("sizes fit");
    let verdict = evaluate(&problem, &vector("1 2"), &Rational::from(0)).expect("sizes fit");
    // w = (-1, -1), scales 2 + 2 + 5 and 1 + 4 + 6.
    assert_eq!(verdict.backward_error, Rational::from_signeds(1, 9));
    assert_eq!(
        (verdict.residual, verdict.negativity),
        (Rational::from(1), Rational::from(0))
    );
    let verdict = evaluate(&problem, &vector("4 -1"), &Rational::from(0)).expect("sizes fit");
    // Raw w = (2, -4), so z - w = (2, 3); projected to (4, 0): w = (3, -2), scales 8 + 5 and 4 + 6.
    assert_eq!(verdict.negativity, Rational::from_signeds(1, 4));
    assert_eq!(verdict.residual, 4);
    assert_eq!(verdict.backward_error, Rational::from_signeds(3, 13));
    assert!(evaluate(&problem, &vector("1"), &Rational::from(0)).is_none());
}

#[test]
fn snapping_helps_an_interior_point_answer() {
    let problem = Problem::pure(vectors("1 0; 0 1"), vector("-1 1")).expect("sizes fit");
    let z = vector("1 1e-17");
    let verdict = evaluate(&problem, &z, &vector("1e-12")[0]).expect("sizes fit");
    assert_eq!(verdict.backward_error, 0);
    assert_eq!(
        verdict.backward_error_projected, 1,
        "off its bound with w = 1 + 1e-17"
    );
    assert_eq!(
        (verdict.snapped_entries, verdict.snapped_distance),
        (1, z[1].clone())
    );
    assert!(!verdict.exact);
    let verdict = evaluate(&problem, &z, &vector("1e-18")[0]).expect("sizes fit");
    assert_eq!(
        (verdict.backward_error, verdict.snapped_entries),
        (Rational::from(1), 0)
    );
    // Snapping can also do harm; then the projected candidate counts.
    let tiny = Problem::pure(vectors("1 0; 0 1"), vector("-1 -1e-17")).expect("sizes fit");
    let verdict = evaluate(&tiny, &z, &vector("1e-12")[0]).expect("sizes fit");
    assert!(verdict.exact && verdict.backward_error == 0);
    assert_eq!(verdict.backward_error_snapped, 1);
}

#[test]
fn snapping_is_relative_and_goes_to_the_nearest_bound() {
    let bounds = [
        vec![Some(Rational::from(0)); 2],
        vec![None, Some(vector("1e-9")[0].clone())],
    ];
    let [lower, upper] = bounds;
    let problem =
        Problem::boxed(vectors("1 0; 0 1"), vector("-1000 -1"), lower, upper).expect("fits");
    let moved = |z: &str, snap: &str| {
        let verdict = evaluate(&problem, &vector(z), &vector(snap)[0]).expect("sizes fit");
        (
            verdict.snapped_entries,
            verdict.snapped_distance,
            verdict.backward_error_snapped,
        )
    };
    let none = Rational::from(0);
    // The reach is 1000 times the setting, and the end of it belongs to it; at the upper bound w =
    // -1 is right.
    assert_eq!(
        moved("1000 6e-10", "4e-13"),
        (1, vector("4e-10")[0].clone(), none.clone())
    );
    assert_eq!(moved("1000 6e-10", "3.9e-13").0, 0);
    assert_eq!(
        moved("1000 3e-10", "1e-12"),
        (1, vector("3e-10")[0].clone(), Rational::from(1))
    );
    // What is beyond a bound is projected first, which is not a move of the snapping.
    assert_eq!(moved("1000 1", "1e-12"), (0, none.clone(), none));
}

#[test]
fn bounds_are_respected_in_the_figures() {
    let one = |low: &str, high: &str, q: &str| {
        let bound = |text: &str| vector(text).first().cloned();
        Problem::boxed(vectors("1"), vector(q), vec![bound(low)], vec![bound(high)])
            .expect("bounds fit")
    };
    let figures = |problem: &Problem, z: &str| {
        let verdict = evaluate(problem, &vector(z), &Rational::from(0)).expect("sizes fit");
        [verdict.backward_error, verdict.negativity, verdict.residual]
    };
    // At the upper bound w <= 0 is right, w > 0 is not.
    assert_eq!(figures(&one("0", "2", "-3"), "2"), [0, 0, 0]);
    assert_eq!(
        figures(&one("0", "2", "-1"), "2")[0],
        Rational::from_signeds(1, 3)
    );
    // At the lower bound the other way round; equal bounds allow all.
    assert_eq!(figures(&one("1", "2", "0"), "1"), [0, 0, 0]);
    assert_eq!(
        figures(&one("1", "2", "-3"), "1")[0],
        Rational::from_signeds(1, 2)
    );
    assert_eq!(figures(&one("1", "1", "-3"), "1"), [0, 0, 0]);
    assert_eq!(figures(&one("", "", "-3"), "3"), [0, 0, 0]);
    // A zero candidate below its bound has nothing to be measured by.
    assert_eq!(figures(&one("1", "2", "0"), "0")[1], 1);
    assert_eq!(figures(&one("1", "2", "0"), "1/2")[1], 1);
    assert_eq!(
        figures(&one("1", "2", "0"), "4")[1],
        Rational::from_signeds(1, 2)
    );
}
