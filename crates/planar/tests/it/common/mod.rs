//! Random worlds in a room, and what must not happen in them.

use etalon_planar::{BodySpec, CollisionHandling, Keep, Path, Watch, World, WorldSpec};

/// Numbers that are the same everywhere: splitmix64.
pub struct Draw(pub u64);

impl Draw {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn one_of<T: Copy>(&mut self, from: &[T]) -> T {
        let at = (self.unit() * from.len() as f64) as usize;
        from[at.min(from.len() - 1)]
    }
}

/// All ways to handle collisions.
pub const HANDLINGS: [CollisionHandling; 6] = [
    CollisionHandling::Simultaneous,
    CollisionHandling::Hybrid,
    CollisionHandling::SerialSeparate,
    CollisionHandling::SerialGrouped,
    CollisionHandling::SerialSeparateLastpass,
    CollisionHandling::SerialGroupedLastpass,
];

/// Half the side of the room, m.
pub const ROOM: f64 = 4.0;

/// The walls of the room, the first bodies of each world: floor, ceiling, left, right.
pub fn walls() -> Vec<BodySpec> {
    let wall = |name: &str, x: f64, y: f64| {
        let side = 2.0 * ROOM;
        let (width, height) = if x == 0.0 {
            (side + 2.0, 1.0)
        } else {
            (1.0, side)
        };
        let out = |at: f64| at * (ROOM + 0.5);
        BodySpec::fixed(name, Path::rectangle(width, height)).at(out(x), out(y), 0.0)
    };
    vec![
        wall("floor", 0.0, -1.0),
        wall("ceiling", 0.0, 1.0),
        wall("left", -1.0, 0.0),
        wall("right", 1.0, 0.0),
    ]
}

/// What a world may do.
pub struct Allowed {
    /// The energy that a step may gain, as part of the kinetic energy and 1 J per kg.
    pub gain: f64,
    /// How far a rod may be from its length, m.
    pub apart: f64,
}

/// What goes wrong in a world, if anything: an error, a wrong verdict, energy from nowhere, a rod that comes
/// apart, a body through a wall.
pub fn goes_wrong(scene: WorldSpec, seconds: f64, allowed: &Allowed) -> Result<(), String> {
    let mut world = World::new(scene).map_err(|error| error.to_string())?;
    let mut watch = Watch::new(Keep::Wrong);
    let scene = world.scene();
    let mass: f64 = scene.bodies.iter().filter_map(|body| body.mass).sum();
    let mut before = world.energy();
    while world.time() < seconds {
        let stepped = world.step_with(&mut watch);
        stepped.map_err(|error| error.to_string())?;
        let (energy, time) = (world.energy(), world.time());
        let gain = energy.kinetic + energy.potential - before.kinetic - before.potential;
        let size = before.kinetic + mass;
        if gain > allowed.gain * size {
            return Err(format!("{gain} J of {size} at {time} s"));
        }
        before = energy;
        for body in &world.snapshot().bodies[4..] {
            if body.position.iter().any(|at| at.abs() > ROOM) {
                return Err(format!("{body:?} at {time} s"));
            }
        }
        for gap in world.gaps() {
            if gap.joint && gap.distance.abs() > allowed.apart {
                return Err(format!("{gap:?} at {time} s"));
            }
        }
    }
    let verdicts = watch.verdicts();
    if verdicts.judged == 0 || verdicts.wrong > 0 {
        return Err(format!("{verdicts:?}"));
    }
    Ok(())
}
