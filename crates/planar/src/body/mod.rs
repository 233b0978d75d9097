//! Bodies. A [`Solid`] is what a step does not change of a body, a [`Motion`] what it changes.

mod motion;
mod solid;

pub(crate) use motion::{Motion, Rate};
pub(crate) use solid::Solid;

use crate::geometry::{Vec2, turn};

/// One body of the running world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<'a> {
    pub solid: &'a Solid,
    pub motion: &'a Motion,
}

/// All bodies of the running world, in the order of the scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bodies<'a> {
    /// As many as there are motions.
    pub solids: &'a [Solid],
    pub motions: &'a [Motion],
}

impl<'a> Bodies<'a> {
    pub fn len(self) -> usize {
        self.solids.len()
    }

    /// The body of an index below [`Bodies::len`].
    pub fn at(self, index: usize) -> Body<'a> {
        Body {
            solid: &self.solids[index],
            motion: &self.motions[index],
        }
    }

    pub fn iter(self) -> impl Iterator<Item = Body<'a>> + Clone {
        let pairs = self.solids.iter().zip(self.motions);
        pairs.map(|(solid, motion)| Body { solid, motion })
    }

    /// The bodies that can move, each with its index.
    pub fn moving(self) -> impl Iterator<Item = (usize, Body<'a>)> + Clone {
        let bodies = self.iter().enumerate();
        bodies.filter(|(_, body)| !body.is_fixed())
    }

    /// The sum of [`Body::kinetic_energy`], J.
    pub fn kinetic_energy(self) -> f64 {
        self.iter().map(Body::kinetic_energy).sum()
    }
}

impl Body<'_> {
    pub fn is_fixed(self) -> bool {
        self.solid.is_fixed()
    }

    /// The velocity of the body's point at r from its centre of mass, m/s.
    pub fn velocity_at(self, r: Vec2) -> Vec2 {
        self.motion.velocity + turn(self.motion.spin, r)
    }

    /// m v^2/2 + I w^2/2, J.
    pub fn kinetic_energy(self) -> f64 {
        let (solid, motion) = (self.solid, self.motion);
        if solid.is_fixed() {
            return 0.0;
        }
        // A body that cannot turn has no spin energy, and its inertia no number.
        let turning = if solid.inverse_inertia > 0.0 {
            motion.spin * motion.spin / solid.inverse_inertia
        } else {
            0.0
        };
        (motion.velocity.norm_squared() / solid.inverse_mass + turning) / 2.0
    }

    /// The centre of the circle around the body, in the world.
    pub fn center(self) -> Vec2 {
        self.motion.pose.to_world(self.solid.shape.center)
    }

    /// A bound of how far any point of the body has moved since the try began, m; 0 where no try has begun.
    pub fn travelled(self) -> f64 {
        let (shape, pose) = (&self.solid.shape, self.motion.pose);
        self.motion.old.map_or(0.0, |old| {
            let moved = (self.center() - old.to_world(shape.center)).norm();
            // A turn by an angle moves a point at R from the centre by the chord R |e' - e|, where e is a direction of
            // the body.
            let direction = pose.rotate(Vec2::x()) - old.rotate(Vec2::x());
            moved + direction.norm() * shape.radius
        })
    }
}
