//! Bodies at rest in mixed form: their velocities are 0 in exact arithmetic, and all that contacts are measured by.

mod bodies;
mod scene;
mod slow;

use std::f64::consts::TAU;

use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::{ConeProblem, ConeSolver, solve_cones};
use etalon_lcp::{ClaimedAnswer, Law, Problem, Solver, VerdictKind};
use rug::Rational;

use crate::walls::Random;
use bodies::{bricks, scenes};
use scene::{Body, Scene, Touch, Vector, plus, rotation, times, turned};

/// What came of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Solved,
    Failed,
    Wrong,
}

fn outcome(problem: &Problem) -> Outcome {
    let claim = ConeSolver.solve(problem);
    if claim.answer == ClaimedAnswer::Failed {
        return Outcome::Failed;
    }
    let tolerance = Tolerance {
        tol: Rational::from((1, 1_000_000_000_000u64)),
        snap: Rational::new(),
        ..Tolerance::default()
    };
    let verdict = check_claim(problem, &claim, &Truth::default(), &tolerance);
    match verdict.kind {
        VerdictKind::Exact | VerdictKind::Accepted => Outcome::Solved,
        _ => Outcome::Wrong,
    }
}

/// Between `low` and `high`, the same share of draws in each power of ten.
fn spread(random: &mut Random, low: f64, high: f64) -> f64 {
    low * (high / low).powf(random.next())
}

/// A symmetric positive definite matrix about `size` with eigenvalues between a tenth of it and it.
fn inertia(random: &mut Random, size: f64) -> [Vector; 3] {
    let axes = rotation(random);
    let sizes = [0; 3].map(|_| size * (0.1 + 0.9 * random.next()));
    let entry = |a: usize, b: usize| (0..3).map(|k| axes[k][a] * sizes[k] * axes[k][b]).sum();
    [0, 1, 2].map(|a| [0, 1, 2].map(|b: usize| entry(a.min(b), a.max(b))))
}

/// A body at rest on so many corners of a plane that is tilted within its friction cone: each corner carries a share of
/// the weight, so the mean of the arms by these shares is along gravity.
fn body_at_rest(random: &mut Random, corners: usize) -> Scene {
    let mass = spread(random, 1e-6, 1e6);
    let arm = spread(random, 1e-3, 1e3);
    let [height, gyration] = [0; 2].map(|_| arm * spread(random, 0.1, 10.0));
    let frame = rotation(random);
    let mu = 0.1 + random.next();
    let (angle, tilt) = (TAU * random.next(), mu * 0.95 * random.next());
    // Gravity in the frame (normal, tangents) of the plane, (-1, tilt).
    let down = times(
        [-1.0, tilt * angle.cos(), tilt * angle.sin()],
        1.0 / tilt.hypot(1.0),
    );
    let shares: Vec<f64> = (0..corners).map(|_| 0.2 + random.next()).collect();
    let whole: f64 = shares.iter().sum();
    let corner = |_| {
        [
            0.0,
            arm * (random.next() - 0.5),
            arm * (random.next() - 0.5),
        ]
    };
    let corners: Vec<Vector> = (0..corners).map(corner).collect();
    let mean = corners
        .iter()
        .zip(&shares)
        .fold([0.0; 3], |sum, (corner, share)| {
            plus(sum, times(*corner, share / whole))
        });
    let to_centre = plus(times(mean, -1.0), times(down, height));
    let touches = corners.iter().map(|corner| Touch {
        frame,
        discs: vec![vec![mu; 2]],
        ..Touch::ground(0, turned(&frame, plus(*corner, to_centre)))
    });
    let [x, y, z] = times(turned(&frame, down), 9.81 * mass);
    let body = Body {
        mass,
        inertia: inertia(random, mass * gyration * gyration),
        load: [x, y, z, 0.0, 0.0, 0.0],
    };
    Scene {
        touches: touches.collect(),
        bodies: vec![body],
        joints: Vec::new(),
    }
}

/// How many of the random bodies, `count` for each law and number of corners, came out as each [`Outcome`].
fn sweep(count: u64) -> [usize; 3] {
    let mut counts = [0; 3];
    for law in Law::ALL {
        for corners in 1..=4 {
            for seed in 0..count {
                let mut random = Random(seed * 1_000_003 + 7);
                random.0 ^= random.next().to_bits();
                let name = format!("rest/{}/{corners}/{seed}", law.word());
                let problem = body_at_rest(&mut random, corners).problem(&name, law);
                let found = outcome(&problem);
                counts[found as usize] += 1;
                if found != Outcome::Solved {
                    println!("{name}: {found:?}");
                }
            }
        }
    }
    counts
}

#[test]
fn random_bodies_at_rest_are_solved() {
    assert_eq!(sweep(10), [80, 0, 0]);
}

#[test]
#[ignore = "2,000 bodies"]
fn two_thousand_bodies_at_rest() {
    let [solved, failed, wrong] = sweep(250);
    println!("{solved} solved, {failed} failed, {wrong} wrong");
    assert_eq!((failed, wrong), (0, 0));
}

#[test]
fn scenes_at_rest_are_solved() {
    let mut wrong = Vec::new();
    for (name, scene) in scenes() {
        for law in Law::ALL {
            for seed in 0..4 {
                let mut random = Random(seed * 77_777 + 5);
                random.0 ^= random.next().to_bits();
                let own = match seed {
                    0 => scene.clone(),
                    _ => scene.clone().turned(&rotation(&mut random)),
                };
                let name = format!("{name}/{}/{seed}", law.word());
                let found = outcome(&own.problem(&name, law));
                if found != Outcome::Solved {
                    wrong.push(format!("{name}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn bodies_at_rest_are_exactly_at_rest() {
    let problem = bricks(5, 3).problem("bricks", Law::Coulomb);
    let own = ConeProblem::from_problem(&problem).unwrap();
    let cold = solve_cones(&own, None).unwrap();
    assert!(
        cold.z[..90].iter().all(|v| *v == 0.0),
        "{:?}",
        &cold.z[..90]
    );
    // From there nothing is left to do, and from near it little.
    let warm = solve_cones(&own, Some(&cold.z)).unwrap();
    assert_eq!((&warm.z, warm.factors), (&cold.z, 0));
    let near: Vec<f64> = cold.z.iter().map(|z| z * (1.0 + 1e-9) + 1e-12).collect();
    let warm = solve_cones(&own, Some(&near)).unwrap();
    assert!(
        warm.factors <= 3 && cold.factors > 3,
        "{} {}",
        warm.factors,
        cold.factors
    );
}

#[test]
#[ignore = "10,000 contacts"]
fn a_large_wall_at_rest() {
    for law in Law::ALL {
        let own = ConeProblem::from_problem(&bricks(250, 10).problem("bricks", law)).unwrap();
        let start = std::time::Instant::now();
        let found = solve_cones(&own, None).unwrap();
        let (error, factors) = (found.block_error, found.factors);
        println!(
            "{}: {error:e}, {factors} factorisations, {:?}",
            law.word(),
            start.elapsed()
        );
    }
}
