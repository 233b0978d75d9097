//! The engine's solver on small problems, and on those that another engine logged.

use std::path::Path;

use etalon_certify::{Tolerance, evaluate};
use etalon_lcp::{Number, Problem, Row, record};
use rug::Rational;

use super::*;

#[test]
fn redundant_contacts_get_moderate_forces() {
    // A block on three contacts in a row: rank 2.
    let x = [-1.0, 0.0, 1.0];
    let a: Vec<f64> = x
        .iter()
        .flat_map(|xi| x.iter().map(move |xj| 1.0 + 3.0 * xi * xj))
        .collect();
    let answer = LcpSolver::default()
        .solve(&a, &[-10.0; 3], &[RowBound::AtLeast(0.0); 3])
        .unwrap();
    assert!(
        (answer.f.iter().sum::<f64>() - 10.0).abs() < 1e-9,
        "{answer:?}"
    );
    assert!(answer.f.iter().all(|f| (0.0..=10.0).contains(f)));
}

#[test]
fn a_joint_pulls_and_a_contact_does_not() {
    let mut solver = LcpSolver::default();
    let (joint, contact) = (RowBound::Free, RowBound::AtLeast(0.0));
    assert_eq!(solver.solve(&[2.0], &[1.0], &[joint]).unwrap().f, [-0.5]);
    assert_eq!(solver.solve(&[2.0], &[1.0], &[contact]).unwrap().f, [0.0]);
    let both = solver
        .solve(&[2.0, 0.0, 0.0, 2.0], &[1.0, 1.0], &[joint, contact])
        .unwrap();
    assert_eq!(both.f, [-0.5, 0.0]);
}

/// All problems of a golden suite.
fn suite(name: &str) -> Vec<Problem> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../golden/problems")
        .join(name);
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    let read = |file| {
        record::read_problem(&std::fs::read_to_string(file).unwrap())
            .unwrap()
            .record
    };
    files.into_iter().map(read).collect()
}

fn backward_error(problem: &Problem, z: &[f64]) -> f64 {
    let z: Vec<Rational> = z
        .iter()
        .map(|z| Number::from_f64(*z).unwrap().to_rational())
        .collect();
    etalon_lcp::round_up_f64(
        &evaluate(problem, &z, &Tolerance::default())
            .unwrap()
            .measures
            .backward_error,
    )
}

/// The engine's answer to a record.
fn solve(problem: &Problem) -> Result<Answer, Failure> {
    let n = problem.n();
    let entry = |i: usize, j: usize| problem.m().get(i, j).map_or(0.0, Number::to_f64);
    let a: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
    let b: Vec<f64> = problem.q().iter().map(Number::to_f64).collect();
    let bounds: Vec<RowBound> = problem
        .rows()
        .iter()
        .map(|row| match row {
            Row::Free => RowBound::Free,
            _ => RowBound::AtLeast(0.0),
        })
        .collect();
    LcpSolver::default().solve(&a, &b, &bounds)
}

#[test]
fn forces_beside_rows_of_rounding_noise_are_found_and_right() {
    for line in include_str!("noise.jsonl").lines() {
        let problem = record::read_problem(line).unwrap().record;
        let own = solve(&problem).unwrap_or_else(|error| panic!("{}: {error}", problem.name()));
        let error = backward_error(&problem, &own.f);
        assert!(error <= 1e-12, "{}: {error}", problem.name());
    }
}

/// Solves what the other engine's solver was given, and judges both answers by one measure.
fn beside_the_log(name: &str, expected: usize) -> (usize, f64) {
    let problems = suite(name);
    assert_eq!(problems.len(), expected);
    let (mut not_worse, mut worst) = (0, 0.0f64);
    for problem in &problems {
        let own = solve(problem);
        let own = own.unwrap_or_else(|error| panic!("{}: {error}", problem.name()));
        let error = backward_error(problem, &own.f);
        assert!(error <= 1e-9, "{}: {error}", problem.name());
        worst = worst.max(error);
        let answer = problem
            .expect
            .as_ref()
            .and_then(|expect| expect.answer.as_ref());
        let theirs = answer.map_or(f64::INFINITY, |answer| {
            let z: Vec<f64> = answer.z.iter().map(Number::to_f64).collect();
            backward_error(problem, &z)
        });
        not_worse += usize::from(error <= theirs);
    }
    println!("{name}: {not_worse} of {expected} not worse than logged, worst {worst:e}");
    (not_worse, worst)
}

#[test]
fn the_logged_contact_and_impulse_problems_are_solved_as_well_as_in_the_log() {
    let (not_worse, worst) = beside_the_log("mpl-log", 122);
    assert!(not_worse >= 90 && worst < 1e-10, "{not_worse} {worst}");
    let (_, worst) = beside_the_log("mpl-contacts", 11);
    assert!(worst < 1e-9);
}

/// A block pushed along the floor: the friction that holds it, and the one that does not.
#[test]
fn friction_holds_up_to_its_bound_and_slides_at_it() {
    let mut solver = LcpSolver::default();
    // 1 kg: a = [f_n - 10, f_t + push].
    let rough = |mu| [RowBound::AtLeast(0.0), RowBound::Coulomb { normal: 0, mu }];
    let a = [1.0, 0.0, 0.0, 1.0];
    for (push, mu, expected, clamped) in [
        (3.0, 0.5, -3.0, true),
        (8.0, 0.5, -5.0, false),
        (-8.0, 0.5, 5.0, false),
    ] {
        let answer = solver.solve(&a, &[-10.0, push], &rough(mu)).unwrap();
        assert_eq!(answer.f, [10.0, expected]);
        assert_eq!(answer.clamped, [true, clamped]);
        let boxed = [RowBound::AtLeast(0.0), RowBound::Within(10.0 * mu)];
        assert_eq!(
            solver.solve(&a, &[-10.0, push], &boxed).unwrap().f,
            answer.f
        );
    }
    // An impulse that is not to be less than 12.
    let least = [
        RowBound::AtLeast(12.0),
        RowBound::Coulomb { normal: 0, mu: 0.5 },
    ];
    let answer = solver.solve(&a, &[-10.0, 8.0], &least).unwrap();
    assert_eq!(answer.f, [12.0, -6.0]);
}
