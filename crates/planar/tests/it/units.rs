//! A world in other units moves the same: thresholds follow the scale of the scene.
//!
//! Units that are powers of two change no rounding. So the motions are the same to the last bit, but for other units of mass.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_planar::{BodySpec, ForceLaw, Path, PathEdge, World, WorldSpec, named};

/// Where contacts are redundant many forces are right, and which of them the solver of LCPs finds depends on the size of A,
/// which is one over a mass: bodies may then be so far apart in the end, m.
const SHARED: f64 = 1e-12;

/// How many of the new units make a metre, a second, a kilogram.
#[derive(Debug, Clone, Copy)]
struct Units {
    length: f64,
    time: f64,
    mass: f64,
}

impl Units {
    fn powers(length: i32, time: i32, mass: i32) -> Self {
        let [length, time, mass] = [length, time, mass].map(|power| 2f64.powi(power));
        Self { length, time, mass }
    }

    fn speed(self) -> f64 {
        self.length / self.time
    }

    /// A scene of straight edges under gravity.
    fn scene(self, mut scene: WorldSpec) -> WorldSpec {
        for body in &mut scene.bodies {
            self.body(body);
        }
        for force in &mut scene.forces {
            let ForceLaw::Gravity { g } = force else {
                panic!("{force:?}");
            };
            *g *= self.speed() / self.time;
        }
        let settings = &mut scene.settings;
        settings.time_step *= self.time;
        settings.distance_tolerance *= self.length;
        settings.velocity_tolerance *= self.speed();
        scene
    }

    fn body(self, body: &mut BodySpec) {
        let point = |at: [f64; 2]| at.map(|x| x * self.length);
        let edges = body.path.edges.iter().map(|edge| match *edge {
            PathEdge::Line { from, to } => PathEdge::Line {
                from: point(from),
                to: point(to),
            },
            PathEdge::Arc { .. } => panic!("arcs are watched at points 0.3 m apart"),
        });
        body.path = Path {
            edges: edges.collect(),
        };
        body.mass = body.mass.map(|m| m * self.mass);
        let inertia = self.mass * self.length * self.length;
        body.inertia = body.inertia.map(|i| i * inertia);
        body.center_of_mass = point(body.center_of_mass);
        body.position = point(body.position);
        body.velocity = body.velocity.map(|v| v * self.speed());
        body.angular_velocity /= self.time;
    }
}

fn worlds() -> Vec<WorldSpec> {
    let mut worlds = Vec::new();
    for friction in [0.0, 0.5] {
        for contact_forces in [true, false] {
            for mut scene in [named::blocks(6), named::pile(4), named::stack(3)] {
                scene.settings.contact_forces = contact_forces;
                for body in &mut scene.bodies {
                    body.friction = friction;
                }
                worlds.push(scene);
            }
        }
    }
    worlds
}

#[test]
fn a_world_in_other_units_moves_the_same() {
    let units = [
        Units::powers(-18, 0, 0),
        Units::powers(20, 0, 0),
        Units::powers(0, -50, 0),
        Units::powers(0, 40, 0),
        Units::powers(0, 0, 9),
        Units::powers(-5, 3, -4),
    ];
    for (k, scene) in worlds().into_iter().enumerate() {
        let mut first = World::new(scene.clone()).unwrap();
        for _ in 0..160 {
            first.step().unwrap();
        }
        assert!(first.totals().collisions > 0 || k % 3 > 0);
        for units in units {
            let mut other = World::new(units.scene(scene.clone())).unwrap();
            for _ in 0..160 {
                other.step().unwrap();
            }
            assert_eq!(first.totals(), other.totals(), "world {k} in {units:?}");
            let slack = if units.mass == 1.0 { 0.0 } else { SHARED };
            let bodies = first.snapshot().bodies;
            for (one, two) in bodies.iter().zip(other.snapshot().bodies) {
                let place = two.position.map(|x| x / units.length);
                let apart = (0..2).map(|axis| (place[axis] - one.position[axis]).abs());
                let apart = apart.fold((two.angle - one.angle).abs(), f64::max);
                assert!(apart <= slack, "world {k} in {units:?}: {one:?} {two:?}");
            }
        }
    }
}
