//! Scenes of bodies in space, in motion: named ones, and those of files.

mod line;
pub(crate) mod named;
mod run;

use etalon_rigid::Vector3;
use etalon_spatial::{Body, Joint, Settings, SpaceWorld, SpatialError, Surfaces};
use rug::Rational;

pub use line::{stated, stated_compression};
pub use run::SpaceRun;

/// A scene in space with how it is stepped.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceScene {
    /// The name.
    pub name: String,
    /// What it shows.
    pub notes: Option<String>,
    /// m/s^2.
    pub gravity: Vector3<Rational>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The joints.
    pub joints: Vec<Joint>,
    /// Friction and restitution.
    pub surfaces: Surfaces,
    /// How steps are taken.
    pub settings: Settings,
    /// How many.
    pub steps: u64,
}

impl SpaceScene {
    /// The world that it makes.
    ///
    /// # Errors
    /// [`SpatialError`] with the names of those at fault.
    pub fn world(&self) -> Result<SpaceWorld, SpatialError> {
        SpaceWorld::new(
            self.gravity.clone(),
            self.bodies.clone(),
            self.joints.clone(),
            self.surfaces.clone(),
        )
    }
}
