//! Blocks at rest stay at rest: no energy from nowhere, no creep, no wrong verdict.

#![allow(clippy::unwrap_used)]

use etalon_planar::{ExtraAcceleration, Keep, Watch, World, WorldSpec, named};

/// Lets a scene rest and holds every moment against its start.
fn rest(scene: WorldSpec, seconds: f64, watched_every: u64) {
    let mut world = World::new(scene).unwrap();
    let mut watch = Watch::new(Keep::Wrong);
    let start = world.snapshot();
    let tolerance = world.settings().distance_tolerance;
    let potential = start.energy.potential;
    let mut step = 0u64;
    while world.time() < seconds {
        if step.is_multiple_of(watched_every) {
            world.step_with(&mut watch).unwrap();
        } else {
            world.step().unwrap();
        }
        step += 1;
        let energy = world.energy();
        assert!(energy.kinetic < 1e-6, "at {} s: {energy:?}", world.time());
        // The lowest row may sink to its half gap, not more.
        assert!(
            energy.total() <= potential + 1e-6,
            "at {} s: {energy:?}",
            world.time()
        );
    }
    for (before, after) in start.bodies.iter().zip(&world.snapshot().bodies) {
        for k in 0..2 {
            let creep = (before.position[k] - after.position[k]).abs();
            assert!(creep < tolerance, "{}: {creep}", before.name);
        }
    }
    for gap in world.gaps() {
        assert!(gap.distance > 0.0 && gap.distance < tolerance, "{gap:?}");
    }
    assert_eq!(world.totals().collisions, 0);
    let verdicts = watch.verdicts();
    assert!(verdicts.judged > 0 && verdicts.wrong == 0, "{verdicts:?}");
    println!("{verdicts:?}");
}

#[test]
fn a_pile_rests_for_twenty_seconds() {
    rest(named::pile(6), 20.0, 10);
}

#[test]
fn a_stack_rests_for_twenty_seconds() {
    rest(named::stack(5), 20.0, 10);
}

/// What is left of its velocity shrinks by a factor in each step: beside the weight it was soon too small for any answer
/// in binary64, and the world stopped.
#[test]
fn a_ball_rests_in_a_corner_for_a_minute() {
    let mut scene = named::bounce(1);
    scene.settings.extra_acceleration = ExtraAcceleration::Velocity;
    for body in &mut scene.bodies {
        body.elasticity = 0.0;
    }
    let half_gap = scene.settings.distance_tolerance / 2.0;
    scene.bodies[4].position = [0.5 + half_gap, 0.5 + half_gap];
    scene.bodies[4].velocity = [-1e-17, 0.0];
    let mut world = World::new(scene).unwrap();
    let mut watch = Watch::new(Keep::Wrong);
    while world.time() < 60.0 {
        world.step_with(&mut watch).unwrap();
    }
    assert_eq!(world.snapshot().contacts.len(), 2);
    assert_eq!(watch.verdicts().wrong, 0);
}

/// `cargo test --release -p etalon-planar --test it rest -- --ignored`: some minutes.
#[test]
#[ignore = "minutes: ten minutes of simulated time, every LCP judged"]
fn a_pile_rests_for_ten_minutes() {
    rest(named::pile(10), 600.0, 1);
}
