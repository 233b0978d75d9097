//! Rest without contact forces: by impulses, one for each contact and step.

#![allow(clippy::unwrap_used)]

use etalon_planar::{Keep, Watch, World, WorldSpec, named};

fn world(mut scene: WorldSpec, time_step: f64, mu: f64) -> World {
    scene.settings.contact_forces = false;
    scene.settings.time_step = time_step;
    let mut world = World::new(scene).unwrap();
    world.set_friction(mu).unwrap();
    world
}

/// Steps to a time, with every LCP judged right.
fn go_on(world: &mut World, until: f64) {
    let mut watch = Watch::new(Keep::Wrong);
    while world.time() < until {
        world.step_with(&mut watch).unwrap();
    }
    assert_eq!(watch.verdicts().wrong, 0, "{:?}", watch.verdicts());
}

/// That all is at rest: the velocities swing by no more than gravity does in half a step, gaps are what they should be, and
/// floor and walls carry everything.
fn assert_rest(world: &World, gravity: f64, what: &str) {
    let (snapshot, scene) = (world.snapshot(), world.scene());
    let mass: f64 = scene.bodies.iter().filter_map(|body| body.mass).sum();
    let swing = gravity * scene.settings.time_step / 2.0;
    let most = 1.1 * mass * swing * swing / 2.0 + 1e-6;
    assert!(snapshot.energy.kinetic < most, "{what}: {snapshot:?}");
    let half_gap = scene.settings.distance_tolerance / 2.0;
    for gap in world.gaps() {
        assert!(gap.distance > 0.9 * half_gap, "{what}: {gap:?}");
    }
    let carried: f64 = (snapshot.contacts.iter())
        .map(|contact| {
            let fixed = |body: usize| f64::from(u8::from(scene.bodies[body].mass.is_none()));
            contact.vector()[1] * (fixed(contact.second) - fixed(contact.first))
        })
        .sum();
    let weight = mass * gravity;
    assert!(
        (carried - weight).abs() < 1e-3 * weight,
        "{what}: {carried} of {weight}"
    );
}

#[test]
fn stacks_and_piles_rest() {
    for time_step in [0.025, 0.004] {
        for mu in [0.0, 0.5] {
            for (what, scene) in [
                ("one block", named::stack(1)),
                ("stack", named::stack(5)),
                ("pile", named::pile(6)),
            ] {
                let start = scene.clone();
                let mut world = world(scene, time_step, mu);
                go_on(&mut world, 10.0);
                assert_rest(&world, 9.81, what);
                for (before, now) in start.bodies.iter().zip(&world.snapshot().bodies) {
                    for k in 0..2 {
                        let creep = (before.position[k] - now.position[k]).abs();
                        assert!(creep < 1e-6, "{what}: {creep}");
                    }
                }
            }
        }
    }
}

#[test]
fn thrown_blocks_come_to_rest() {
    for time_step in [0.025, 0.01] {
        let mut world = world(named::blocks(6), time_step, 0.5);
        go_on(&mut world, 30.0);
        assert_rest(&world, 3.0, "blocks");
    }
}

/// A ball that bounces ever lower comes to rest, and one that loses nothing never does.
#[test]
fn balls_bounce_until_they_rest() {
    let mut world = world(named::bounce(5), 0.025, 0.0);
    go_on(&mut world, 60.0);
    let bodies = world.snapshot().bodies;
    let speed = |k: usize| bodies[4 + k].velocity[1].abs();
    for k in 1..5 {
        assert!(speed(k) < 3.0 * 0.0126, "{:?}", bodies[4 + k]);
        assert!(
            (bodies[4 + k].position[1] - 0.505).abs() < 1e-3,
            "{:?}",
            bodies[4 + k]
        );
    }
    assert!(bodies[4].velocity[1].hypot(2.0 * bodies[4].position[1]) > 1.0);
    let energy = world.energy();
    let all = energy.total() + energy.lost_in_collisions;
    assert!((all - 75.0).abs() < 1e-3, "{energy:?}");
}

/// Joints hold by impulses, too: a pendulum swings on as it started.
#[test]
fn a_pendulum_keeps_its_energy() {
    let mut scene = named::cradle(1);
    scene.settings.time_step = 0.005;
    let mut world = world(scene, 0.005, 0.0);
    let start = world.energy();
    let mut highest = 0.0_f64;
    while world.time() < 20.0 {
        let next = world.time() + 0.1;
        go_on(&mut world, next);
        let energy = world.energy();
        let change = (energy.kinetic + energy.potential - start.potential).abs();
        assert!(change < 0.01 * 8.6, "{} s: {change}", world.time());
        highest = highest.max(world.snapshot().bodies[1].position[0]);
        for gap in world.gaps() {
            assert!(gap.distance.abs() < 1e-4, "{gap:?}");
        }
    }
    // As far to the right as it was to the left.
    let far = 3.0 * std::f64::consts::FRAC_PI_4.sin();
    assert!(highest > 0.98 * far, "{highest} of {far}");
}
