//! Sliding against what it stands for: its derivative against differences along the motion.

use proptest::prelude::*;

use super::*;
use crate::World;
use crate::body::Motion;
use crate::rows::tests::{contacts, touching};

/// The world after t seconds of constant accelerations.
fn moved(world: &World, free: &[(Vec2, f64)], t: f64) -> Vec<Motion> {
    let mut motions = world.state.motions.clone();
    for (motion, (linear, angular)) in motions.iter_mut().zip(free) {
        let [x, vx, y, vy, angle, spin] = motion.values();
        let along = |p: f64, v: f64, a: f64| p + v * t + a * t * t / 2.0;
        motion.set(&[
            along(x, vx, linear.x),
            vx + linear.x * t,
            along(y, vy, linear.y),
            vy + linear.y * t,
            along(angle, spin, *angular),
            spin + angular * t,
        ]);
    }
    motions
}

proptest! {
    #[test]
    fn the_acceleration_of_sliding_is_the_derivative_of_its_velocity(
        kind in 0usize..5,
        angle in -3.0..3.0f64,
        slide in -0.7..0.7f64,
        offset in [-0.4..0.4f64, -0.4..0.4f64],
        motion in prop::array::uniform12(-2.0..2.0f64),
    ) {
        let mut scene = touching(kind, angle, slide, offset);
        for (body, v) in scene.bodies.iter_mut().zip(motion.chunks(3)) {
            body.velocity = [v[0], v[1]];
            body.angular_velocity = v[2];
        }
        // A contact that slides does not part.
        let parting = contacts(&World::new(scene.clone()).unwrap())[0].clone();
        let own = parting.normal * parting.velocity;
        scene.bodies[0].velocity[0] -= own.x;
        scene.bodies[0].velocity[1] -= own.y;
        let world = World::new(scene).unwrap();
        let free: Vec<(Vec2, f64)> =
            motion[6..].chunks(3).map(|a| (Vec2::new(a[0], a[1]), a[2])).collect();
        let found = contacts(&world);
        prop_assert_eq!(found.len(), 1);
        let at = |t: f64| {
            let motions = moved(&world, &free, t);
            let bodies = Bodies { motions: &motions, ..world.model.bodies(&world.state) };
            let mut contact = found[0].clone();
            contact.update(bodies, &world.model.locator(), t);
            (contact, motions)
        };
        let slip = |t: f64| {
            let (contact, motions) = at(t);
            velocity(&contact, Bodies { motions: &motions, ..world.model.bodies(&world.state) })
        };
        let h = 1e-5;
        let difference = (slip(h) - slip(-h)) / (2.0 * h);
        let (contact, motions) = at(0.0);
        let bodies = Bodies { motions: &motions, ..world.model.bodies(&world.state) };
        let own = acceleration(&contact, bodies, &free);
        prop_assert!((own - difference).abs() < 1e-6 * (1.0 + own.abs()), "{} {} {}", kind, own, difference);
    }
}
