//! Scenes of bodies with implicit surfaces in space, as files have them.

use etalon_rigid::Vector3;
use etalon_spatial::{Body, Surface, Surfaces};
use etalon_time_stepping::implicit::Shape;
use rug::{Float, Rational};

use super::corners::surface_of;

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
        surface_of(&self.surfaces, names)
    }
}

/// The principal moments of an ellipsoid or superquadric of even density; of another shape none.
pub fn even_moments(shape: &Shape, mass: &Rational) -> Option<[Rational; 3]> {
    let (half_axes, share) = match shape {
        Shape::Ellipsoid { half_axes } => (half_axes, Rational::from((1, 5))),
        Shape::Superquadric {
            half_axes,
            exponent,
        } => (half_axes, mean_square(*exponent)),
        _ => return None,
    };
    let [a, b, c] = &half_axes[..] else {
        return None;
    };
    // The means of x^2, y^2 and z^2 over the body.
    let [x, y, z] = [a, b, c].map(|axis| axis.clone().square() * &share);
    let moment = |one: &Rational, other: &Rational| Rational::from(one + other) * mass;
    Some([moment(&y, &z), moment(&x, &z), moment(&x, &y)])
}

/// The mean of (x/a)^2 over a superquadric, to 2^-60: by Dirichlet's integrals it is
/// Gamma(3/p) Gamma(1 + 3/p)/(Gamma(1/p) Gamma(1 + 5/p)), and 1/5 of an ellipsoid.
fn mean_square(exponent: u32) -> Rational {
    let gamma = |n: u32| Float::with_val(128, Rational::from((n, exponent))).gamma();
    let above = gamma(3) * gamma(exponent + 3);
    let share = Float::with_val(128, above / (gamma(1) * gamma(exponent + 5))) << 60u32;
    Rational::from(share.to_integer().unwrap_or_default()) >> 60u32
}
