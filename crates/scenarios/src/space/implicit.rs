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
    /// `mu`, `torsion` and `restitution` of each pair.
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
    let fifth = || Rational::from((1, 5));
    let (half_axes, [across, along]) = match shape {
        Shape::Ellipsoid { half_axes } => (half_axes, [fifth(), fifth()]),
        Shape::Superquadric {
            half_axes,
            exponents,
        } => (half_axes, mean_squares(*exponents)),
        _ => return None,
    };
    let [a, b, c] = &half_axes[..] else {
        return None;
    };
    // The means of x^2, y^2 and z^2 over the body.
    let [x, y] = [a, b].map(|axis| axis.clone().square() * &across);
    let z = c.clone().square() * &along;
    let moment = |one: &Rational, other: &Rational| Rational::from(one + other) * mass;
    Some([moment(&y, &z), moment(&x, &z), moment(&x, &y)])
}

/// The means of (x/a)^2 and (z/c)^2 over a superquadric, to 2^-60, by Dirichlet's integrals. With exponents m across z and n, G being
/// the gamma function,
///
/// > (z/c)^2: G(3/n) G(1 + 3/n) / (G(1/n) G(1 + 5/n)),
/// > (x/a)^2: G(3/m) G(1 + 2/m) / (G(1/m) G(1 + 4/m)) times G(1 + 4/n) G(1 + 3/n) / (G(1 + 5/n) G(1 + 2/n)).
///
/// The first factor is the mean over a section, and the second that of the squared sizes of sections. Where m = n both are the same, and
/// 1/5 of an ellipsoid.
fn mean_squares([m, n]: [u32; 2]) -> [Rational; 2] {
    let gamma =
        |above: u32, below: u32| Float::with_val(128, Rational::from((above, below))).gamma();
    let along = || {
        let above = gamma(3, n) * gamma(n + 3, n);
        above / (gamma(1, n) * gamma(n + 5, n))
    };
    if m == n {
        let own = kept(along());
        return [own.clone(), own];
    }
    let section = gamma(3, m) * gamma(m + 2, m) / (gamma(1, m) * gamma(m + 4, m));
    let sizes = gamma(n + 4, n) * gamma(n + 3, n) / (gamma(n + 5, n) * gamma(n + 2, n));
    [kept(section * sizes), kept(along())]
}

/// The multiple of 2^-60 next to a number.
fn kept(own: Float) -> Rational {
    let own = own << 60u32;
    Rational::from(own.to_integer().unwrap_or_default()) >> 60u32
}
