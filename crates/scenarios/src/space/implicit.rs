//! Scenes of bodies with implicit surfaces in space, as files have them.

use etalon_rigid::Vector3;
use etalon_spatial::{Body, Surface, Surfaces};
use etalon_time_stepping::implicit::Shape;
use rug::Rational;

/// A scene of bodies with implicit surfaces.
#[derive(Debug, Clone, PartialEq)]
pub struct ImplicitScene {
    /// The name.
    pub name: String,
    /// What it shows.
    pub notes: Option<String>,
    /// m/s^2.
    pub gravity: Vector3<Rational>,
    /// The bodies.
    pub bodies: Vec<ImplicitBody>,
    /// Friction: `mu` of each pair.
    pub surfaces: Surfaces,
    /// The length of a step, s.
    pub h: Rational,
    /// How many steps.
    pub steps: u64,
}

/// A body with its surface.
#[derive(Debug, Clone, PartialEq)]
pub struct ImplicitBody {
    /// All but its shape; the inertia is diagonal.
    pub body: Body,
    /// Its surface; none where it touches nothing.
    pub shape: Option<Shape>,
}

impl ImplicitScene {
    /// Friction of a pair of bodies by their names.
    pub fn surface(&self, names: [&String; 2]) -> &Surface {
        let own = self.surfaces.pairs.iter().find(|(first, second, _)| {
            let pair = [first, second];
            pair == names || pair == [names[1], names[0]]
        });
        own.map_or(&self.surfaces.default, |(.., own)| own)
    }
}
