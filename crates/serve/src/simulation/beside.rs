//! The motion by the engine's own forces, beside that by a solver under test.

use etalon_planar::{BodyState, StepError, World};

use crate::protocol::Placed;

/// A second world that began as the first one was when the solver was chosen, and is moved by the engine's own forces.
#[derive(Debug, Default)]
pub struct Beside {
    /// None where there is no such motion, or where it cannot go on.
    world: Option<World>,
}

impl Beside {
    /// A second world as the first one is now.
    pub fn of(world: &World) -> Self {
        Self {
            world: World::new(world.scene()).ok(),
        }
    }

    /// Does to it what is done to the first world.
    pub fn also<T, E>(&mut self, change: impl FnOnce(&mut World) -> Result<T, E>) {
        if self
            .world
            .as_mut()
            .is_some_and(|world| change(world).is_err())
        {
            self.world = None;
        }
    }

    /// Goes one time step ahead.
    pub fn step(&mut self) {
        self.also(|world| -> Result<(), StepError> { world.step() });
    }

    /// The bodies in it.
    pub fn bodies(&self) -> Option<Vec<Placed>> {
        let snapshot = self.world.as_ref()?.snapshot();
        Some(snapshot.bodies.iter().map(Placed::of).collect())
    }
}

impl Placed {
    /// Where a body of the engine is.
    pub fn of(body: &BodyState) -> Self {
        Self {
            position: body.position,
            angle: body.angle,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
        }
    }
}

/// The largest distance between the centres of mass of the same body, m.
pub fn apart(bodies: &[Placed], others: &[Placed]) -> f64 {
    let far = |(a, b): (&Placed, &Placed)| {
        (a.position[0] - b.position[0]).hypot(a.position[1] - b.position[1])
    };
    bodies.iter().zip(others).map(far).fold(0.0, f64::max)
}
