//! Commands: how a world is changed from outside.

use crate::body::{Body, Solid};
use crate::error::{CommandError, WorldError};
use crate::forces::{Anchor, Law};
use crate::geometry::Vec2;
use crate::random::Random;
use crate::range::{elasticity, finite, friction, nonnegative};
use crate::scene::{ForceLaw, Frame};
use crate::settings::Settings;

use super::World;

/// One force of a thruster set, on a body.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Thrust {
    /// The body's index.
    pub body: usize,
    /// Where it acts, in body coordinates, m.
    pub at: [f64; 2],
    /// The force, in body coordinates, N.
    pub force: [f64; 2],
}

impl World {
    /// Changes how the world is stepped from now on. A new seed starts the generator anew.
    ///
    /// # Errors
    /// [`WorldError::Range`] for a number outside of its range.
    pub fn set(&mut self, settings: Settings) -> Result<(), WorldError> {
        let seed = self.settings().seed;
        self.model.set(settings)?;
        if settings.seed != seed {
            self.state.random = Random::new(settings.seed);
        }
        Ok(())
    }

    /// Changes the forces that are always on.
    ///
    /// # Errors
    /// [`WorldError`] for bodies that are not there and numbers outside of their range.
    pub fn set_forces(&mut self, forces: Vec<ForceLaw>) -> Result<(), WorldError> {
        self.model.set_forces(forces)
    }

    /// Sets the elasticity of all bodies.
    ///
    /// # Errors
    /// [`CommandError::Range`] outside of 0..1.
    pub fn set_elasticity(&mut self, elasticity_of_all: f64) -> Result<(), CommandError> {
        elasticity("the elasticity", elasticity_of_all)?;
        let specs = self.model.scene.bodies.iter_mut();
        for (spec, solid) in specs.zip(&mut self.model.solids) {
            spec.elasticity = elasticity_of_all;
            solid.elasticity = elasticity_of_all;
        }
        Ok(())
    }

    /// Sets the coefficient of friction of all bodies.
    ///
    /// # Errors
    /// [`CommandError::Range`] outside of 0..10^6.
    pub fn set_friction(&mut self, friction_of_all: f64) -> Result<(), CommandError> {
        friction("the friction", friction_of_all)?;
        let specs = self.model.scene.bodies.iter_mut();
        for (spec, solid) in specs.zip(&mut self.model.solids) {
            spec.friction = friction_of_all;
            solid.friction = friction_of_all;
        }
        Ok(())
    }

    /// Takes hold of a body at a point (body coordinates, m) and pulls it by a spring of no length
    /// towards a point of the world, until [`World::release`].
    ///
    /// # Errors
    /// [`CommandError`] for a body that cannot be moved, and numbers that are not finite.
    pub fn pull(
        &mut self,
        body: usize,
        at: [f64; 2],
        to: [f64; 2],
        stiffness: f64,
    ) -> Result<(), CommandError> {
        let at = self.anchor(body, at)?;
        finite("the point", &to)?;
        nonnegative("the stiffness", stiffness)?;
        self.model.forces.hand = Some(Law::Hand {
            at,
            to: to.into(),
            stiffness,
        });
        Ok(())
    }

    /// Lets go of the body that [`World::pull`] took hold of.
    pub fn release(&mut self) {
        self.model.forces.hand = None;
    }

    /// The moving body with a point nearest to a point of the world: its index, and the point in
    /// its body coordinates; where the point is outside of the body, the nearest one of its box.
    pub fn nearest(&self, point: [f64; 2]) -> Option<(usize, [f64; 2])> {
        let point = Vec2::from(point);
        let moving = self.model.bodies(&self.state).moving();
        let far = |body: Body<'_>| (body.center() - point).norm() - body.solid.shape.radius;
        let (index, body) = moving.min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
        let (own, shape) = (body.motion.pose.to_body(point), &body.solid.shape);
        // A point outside of the body is moved into its box.
        let held = own.sup(&shape.low).inf(&shape.high);
        Some((index, held.into()))
    }

    /// Sets all thrusters that are firing; an empty list puts them out.
    ///
    /// # Errors
    /// [`CommandError`] for a body that cannot be moved, and numbers that are not finite.
    pub fn thrust(&mut self, thrusts: &[Thrust]) -> Result<(), CommandError> {
        let law = |thrust: &Thrust| {
            finite("the force", &thrust.force)?;
            let at = self.anchor(thrust.body, thrust.at)?;
            Ok(Law::Push {
                at,
                force: thrust.force.into(),
                frame: Frame::Body,
                course: None,
            })
        };
        let laws: Result<_, CommandError> = thrusts.iter().map(law).collect();
        self.model.forces.thrusts = laws?;
        Ok(())
    }

    /// A point of a body that can move.
    fn anchor(&self, body: usize, at: [f64; 2]) -> Result<Anchor, CommandError> {
        finite("the point", &at)?;
        let solid = self.model.solids.get(body);
        if solid.is_none_or(Solid::is_fixed) {
            return Err(CommandError::NoBody { body });
        }
        Ok(Anchor {
            body,
            at: at.into(),
        })
    }
}
