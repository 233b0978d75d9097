//! Thousands of random scenes: every answer proved, and failures of index sets counted.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::common::*;
use etalon_certify::{Truth, solves};
use etalon_contact_forces::*;
use etalon_exact::{Budget, Certified, ExactMethod};
use etalon_lcp::{ClaimedAnswer, Number, Problem, Solver};
use etalon_rigid::*;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same scenes on every run.
fn drafts(count: usize, bodies: usize, contacts: usize) -> impl Iterator<Item = Draft> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = draft(bodies, contacts);
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

/// The binary64 answer to the rounded scene, as fractions; `None` where the fast solver gave up.
fn fast(formulation: &Formulation<Q>) -> Option<Vec<Q>> {
    let system = formulation.system().rounded().unwrap();
    let rounded = Formulation::new(system, formulation.model()).unwrap();
    let solver = etalon_fast::FastMethod::Auto.solver();
    values(&*solver, &rounded.problem("p").unwrap())
}

fn values(solver: &dyn Solver, problem: &Problem) -> Option<Vec<Q>> {
    match solver.solve(problem).answer {
        ClaimedAnswer::Solved { z } => Some(z.iter().map(Number::to_rational).collect()),
        _ => None,
    }
}

/// How the fast answer to a problem with friction rows and the exact one that is made of its basis
/// agree.
enum Sets {
    /// The fast forces solve the equations of the exact answer's index sets up to their backward
    /// error, and differ from the exact ones by no more than that error times the inverse.
    Same { difference: f64 },
    /// They do, but the equations are singular: redundant contacts leave the forces open.
    Singular { difference: f64 },
    /// They belong to other index sets: another answer.
    Other,
}

fn sets(formulation: &Formulation<Q>, exact: &[Q], own: &[Q]) -> Sets {
    let n = formulation.n();
    let (a, b) = (formulation.a(), formulation.b());
    let response = |z: &[Q], i: usize| dot(a.row(i), z) + &b[i];
    // The equation of each row that is not at zero: a_i = 0, or f_i = +-mu f_N.
    let mut rows: Vec<(Vec<Q>, Q, Q)> = Vec::new();
    let mut columns = Vec::new();
    for (i, kind) in formulation.rows().iter().enumerate() {
        let normal = match *kind {
            RowKind::Tangent { contact, .. } => formulation.row(RowKind::Normal(contact)),
            _ => None,
        };
        let idle = exact[normal.unwrap_or(i)] == 0;
        if idle {
            if own[i] != 0 {
                return Sets::Other;
            }
            continue;
        }
        columns.push(i);
        let size = (0..n).fold(b[i].clone().abs(), |sum, j| {
            sum + (a[(i, j)].clone() * &own[j]).abs()
        });
        if response(exact, i) == 0 {
            rows.push((a.row(i).to_vec(), response(own, i), size));
            continue;
        }
        let Some(normal) = normal else {
            return Sets::Other;
        };
        let mut row = vec![Q::new(); n];
        row[i] = q(1, 1);
        row[normal] = -(exact[i].clone() / &exact[normal]);
        let residual = dot(&row, own);
        rows.push((row, residual, own[i].clone().abs()));
    }
    let eps = Q::from_f64(1e-12).unwrap();
    if rows
        .iter()
        .any(|(_, residual, size)| residual.clone().abs() > eps.clone() * size)
    {
        return Sets::Other;
    }
    let acceleration = |z: &[Q]| formulation.forces(z).unwrap().acceleration;
    let pairs = acceleration(own).into_iter().zip(acceleration(exact));
    let difference = pairs
        .map(|(x, y)| Scalar::to_f64(&(x - y).abs()))
        .fold(0.0, f64::max);
    let k = columns.len();
    let block = Dense::from_fn(k, k, |i, j| rows[i].0[columns[j]].clone());
    let Some(inverse) = block.inverse() else {
        return Sets::Singular { difference };
    };
    for i in 0..k {
        let gap = (own[columns[i]].clone() - &exact[columns[i]]).abs();
        let bound = (0..k).fold(Q::new(), |sum, j| {
            sum + inverse[(i, j)].clone().abs() * &eps * &rows[j].2
        });
        assert!(gap <= bound);
    }
    Sets::Same { difference }
}

fn count(name: &str, scenes: usize) {
    let mut agreement = std::collections::BTreeMap::<&str, usize>::new();
    let mut worst = 0.0_f64;
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let mut several = 0;
    let mut motions = 0;
    for (k, draft) in drafts(scenes, 3, 4).enumerate() {
        let formulation =
            Formulation::new(draft.scene().system().unwrap(), FrictionModel::Rows).unwrap();
        let problem = formulation.problem("p").unwrap();
        for order in [Order::OneAtATime, Order::Simultaneous] {
            let run = formulation.static_friction(order).unwrap();
            let key = match run.outcome {
                Ok((f, forces)) => {
                    assert!(solves(&problem, &f).unwrap(), "scene {k} {draft:?}");
                    assert_eq!(forces.violations(), vec![], "scene {k}");
                    "solved".to_owned()
                }
                Err(failure) => format!("{failure:?}")
                    .split([' ', '{'])
                    .next()
                    .unwrap_or("")
                    .to_owned(),
            };
            *counts.entry(format!("{order:?} {key}")).or_default() += 1;
            if run.work.away > 0 {
                *counts.entry(format!("{order:?} went away")).or_default() += 1;
            }
        }
        let key = match fast(&formulation) {
            None => "the fast solver gave up",
            Some(own) => {
                let certified =
                    Certified::new(etalon_fast::FastMethod::Auto.solver(), Budget::default());
                let exact = values(&certified, &problem).unwrap();
                assert!(solves(&problem, &exact).unwrap());
                match sets(&formulation, &exact, &own) {
                    Sets::Same { difference } => {
                        worst = worst.max(difference);
                        "the same sets"
                    }
                    Sets::Singular { difference } => {
                        worst = worst.max(difference);
                        "the same sets, redundant"
                    }
                    Sets::Other => "another answer",
                }
            }
        };
        *agreement.entry(key).or_default() += 1;
        // There always are forces, whatever index sets make of it: the matrix of the cone's form
        // is copositive and b is orthogonal to its kernel, so that Lemke's method finds them
        // (CPS theorem 3.8.6). In the plane this settles Baraff's conjecture.
        let cone =
            Formulation::new(formulation.system().clone(), FrictionModel::Polyhedral(2)).unwrap();
        let lemke = ExactMethod::Lemke.solver(&Budget::default());
        let answer = cone.solve(&*lemke).unwrap();
        let ForceAnswer::Forces(forces) = answer else {
            panic!("scene {k}: {answer:?}");
        };
        assert_eq!(forces.violations(), vec![], "scene {k}");
        if k % 10 == 0 {
            match formulation.consistency(&Budget::default()).unwrap() {
                Consistency::Indeterminate(found) => {
                    several += 1;
                    motions += usize::from(found.motions > 1);
                }
                Consistency::Unique(_) => {}
                other => panic!("scene {k}: {other:?}"),
            }
        }
    }
    println!(
        "{name}: {counts:?}; of {} enumerated, {several} with several forces, {motions} with several motions",
        scenes / 10
    );
    println!(
        "{name}, fast against exact: {agreement:?}; the largest difference of an acceleration with the same sets is {worst:.1e}"
    );
    assert!(worst < 1e-9);
    // In fractions every run that ends has met its conditions.
    assert!(
        counts.keys().all(|key| !key.contains("Astray")),
        "{counts:?}"
    );
    // Index sets may fail, but not often, and the fast solver hardly ever.
    let share = |key: &str| counts.get(key).copied().unwrap_or(0) * 100 / scenes;
    assert!(share("OneAtATime solved") >= 98, "{counts:?}");
    assert!(share("Simultaneous solved") >= 86, "{counts:?}");
    let gave_up = agreement
        .get("the fast solver gave up")
        .copied()
        .unwrap_or(0);
    assert!(gave_up * 200 <= scenes, "{agreement:?}");
}

#[test]
fn static_friction_by_index_sets_is_proved_or_counted() {
    count("static friction", 500);
}

#[test]
#[ignore = "ten seconds; docs/contact-sweeps.md has the command"]
fn ten_thousand_scenes_with_static_friction() {
    count("static friction", 10_000);
}

fn frictionless(scenes: usize) {
    let (mut steps, mut rows) = (0, 0);
    let (mut gave_up, mut error, mut over) = (0, 0.0_f64, 0);
    let mut worst = (0.0_f64, String::new());
    for (k, draft) in drafts(scenes, 4, 8).enumerate() {
        let formulation =
            Formulation::new(draft.scene().system().unwrap(), FrictionModel::None).unwrap();
        let problem = formulation.problem("p").unwrap();
        let order: Vec<usize> = (0..problem.n()).collect();
        let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
        let DriveOutcome::Solved(f) = run.outcome else {
            panic!("scene {k}: {:?}", run.outcome);
        };
        match fast(&formulation) {
            None => gave_up += 1,
            Some(own) => {
                let found = formulation.agreement(&f, &own).unwrap().unwrap();
                assert!(found.holds(), "scene {k}: {found:?}");
                let difference = Scalar::to_f64(&found.difference).sqrt();
                over += usize::from(difference > 1e-9);
                if difference > worst.0 {
                    let [own, exact] =
                        [&own, &f].map(|z| z.iter().map(Scalar::to_f64).fold(0.0, f64::max));
                    worst = (
                        difference,
                        format!("scene {k}, largest force {own:.1e} N, exactly {exact:.1e} N"),
                    );
                }
                error = error.max(Scalar::to_f64(&found.backward_error));
            }
        }
        Truth::default().add_solution(&problem, f).unwrap();
        Truth::default()
            .add_certificate(&problem, &etalon_lcp::Certificate::SymmetricPsd)
            .unwrap();
        steps += run.steps;
        rows += problem.n();
    }
    println!("frictionless: {scenes} scenes, {rows} contacts, {steps} steps");
    println!(
        "frictionless, fast against exact: {gave_up} given up, backward error at most {error:.1e}, accelerations differ by {:.1e} (energy norm) at most ({}), by over 1e-9 in {over} scenes, always within the bound",
        worst.0, worst.1
    );
    assert_eq!(gave_up, 0);
}

#[test]
fn frictionless_scenes_are_solved_and_proved() {
    frictionless(500);
}

#[test]
#[ignore = "ten seconds; docs/contact-sweeps.md has the command"]
fn ten_thousand_frictionless_scenes() {
    frictionless(10_000);
}

/// The draft's scene with a velocity along which all contacts slide and none opens or closes.
fn sliding(draft: &Draft, seed: usize) -> Scene2<Q> {
    let scene = draft.scene();
    let system = scene.system().unwrap();
    let velocity = (0..system.dofs()).map(|k| q((7 * (seed + k) % 13) as i64 - 6, 2));
    let moving = System {
        velocity: velocity.collect(),
        ..system
    };
    let rows: Vec<_> = moving
        .contacts
        .iter()
        .map(|c| c.normal.row.clone())
        .collect();
    let missing: Vec<Q> = normal_velocities(&moving, &moving.velocity)
        .into_iter()
        .map(|v| -v)
        .collect();
    let p = moving
        .coupling(&rows, &rows)
        .solve(&missing)
        .solution()
        .unwrap();
    scene
        .with_velocity(&moving.velocity_after(rows.iter().zip(&p)))
        .unwrap()
}

/// Dynamic friction: inconsistent and indeterminate configurations are met, and the impulse that
/// resolves an inconsistency does what the papers ask of it.
fn dynamic(scenes: usize) {
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for (k, mut draft) in drafts(scenes, 2, 3).enumerate() {
        for contact in &mut draft.contacts {
            contact.4 *= q(2, 1);
        }
        let scene = sliding(&draft, k);
        let formulation = Formulation::new(scene.system().unwrap(), FrictionModel::Rows).unwrap();
        let key = match resolve(&scene, FrictionModel::Rows, &Budget::default()).unwrap() {
            Resolved::NotNeeded(Consistency::Unique(forces)) => {
                assert_eq!(forces.violations(), vec![], "scene {k}");
                "unique"
            }
            Resolved::NotNeeded(Consistency::Indeterminate(found)) => {
                assert!(
                    found.solutions.iter().all(|f| f.violations().is_empty()),
                    "scene {k}"
                );
                if found.motions > 1 {
                    "several motions"
                } else {
                    "several forces"
                }
            }
            Resolved::Impulse(found) => {
                assert!(
                    matches!(found.impulse, StoppingImpulse::Ray { .. }),
                    "scene {k}"
                );
                check_resolution(formulation.system(), &found);
                if found.report.outside_cone.is_empty() {
                    "impulse"
                } else {
                    "impulse outside the cone"
                }
            }
            Resolved::Stuck(proof) => {
                Truth::default()
                    .add_certificate(&formulation.problem("p").unwrap(), &proof)
                    .unwrap();
                // Velocity terms, as with frictionless contacts: forces that balance each other
                // (J'f = 0) do work on b.
                let cone =
                    Formulation::new(formulation.system().clone(), FrictionModel::Polyhedral(2))
                        .unwrap();
                let ray = cone.lemke_ray(&Budget::default()).unwrap().unwrap();
                let force = Forces::generalised(cone.columns(), &ray.z, cone.system().dofs());
                assert!(force.iter().all(|f| *f == 0), "scene {k}");
                "stuck"
            }
            other => panic!("scene {k}: {other:?}"),
        };
        *counts.entry(key).or_default() += 1;
    }
    println!("dynamic friction: {counts:?}");
}

#[test]
fn inconsistent_sliding_scenes_are_resolved() {
    dynamic(1000);
}

#[test]
#[ignore = "ten seconds; docs/contact-sweeps.md has the command"]
fn ten_thousand_sliding_scenes() {
    dynamic(10_000);
}

/// A body that turns about one corner, which rests on the ground, while another slides along a slope:
/// static and dynamic friction at once, on one body.
fn pivoting(numbers: &[Q], sign: i64) -> Scene2<Q> {
    let [x, y, inertia, mu_static, mu_sliding, turn] =
        [0, 1, 2, 3, 4, 5].map(|k| numbers[k].clone());
    // The velocity about the origin at (3, 4) is along (-4, 3).
    let velocity = Vector::new([-(turn.clone() * &y), turn.clone() * &x]);
    let body = Body2::new(
        "body",
        q(1, 1),
        inertia.abs() + q(1, 12),
        Vector::new([x, y]),
    )
    .moving(velocity, turn);
    let rests = Contact::new("rests", "body", "ground", Vector::zero(), Vector::axis(1));
    let slope = Vector::new([q(3 * sign, 5), q(4 * sign, 5)]);
    let slides = Contact::new("slides", "body", "ground", Vector::integers([3, 4]), slope);
    Scene2::new(Vector::integers([0, -10]))
        .body(body)
        .body(Body2::fixed("ground"))
        .contact(rests.with_friction(mu_static.abs()))
        .contact(slides.with_friction(mu_sliding.abs()))
}

#[test]
fn a_body_that_rests_on_one_corner_and_slides_on_another_is_resolved() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let numbers = proptest::collection::vec(small(), 6);
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for k in 0..3000_i64 {
        let numbers = numbers.new_tree(&mut runner).unwrap().current();
        let scene = pivoting(&numbers, 1 - 2 * (k % 2));
        let system = scene.system().unwrap();
        let key = match resolve(&scene, FrictionModel::Rows, &Budget::default()).unwrap() {
            Resolved::NotNeeded(_) => "forces",
            Resolved::Stuck(_) => "stuck",
            Resolved::Impulse(found) => {
                check_resolution(&system, &found);
                // The ray is that of the cone of two directions: what rests presses with them.
                let cone = Formulation::new(system, FrictionModel::Polyhedral(2)).unwrap();
                let ray = found.ray.as_ref().unwrap();
                assert_eq!(ray.z.len(), cone.n());
                let rows = cone.rows().iter().zip(&ray.z);
                let mut rubs =
                    rows.filter(|(row, z)| matches!(row, RowKind::Direction { .. }) && **z > 0);
                let ray = matches!(found.impulse, StoppingImpulse::Ray { .. });
                match (ray, rubs.next().is_some()) {
                    (true, true) => "a ray through both",
                    (true, false) => "a ray",
                    _ => "another impulse",
                }
            }
            other => panic!("scene {k}: {other:?}"),
        };
        *counts.entry(key).or_default() += 1;
    }
    println!("rests and slides: {counts:?}");
    assert!(
        counts
            .get("a ray through both")
            .is_some_and(|count| *count > 10)
    );
}
