//! Scenes of bodies that keep their points out of convex bodies (Egan and Trinkle), as files have them: in the plane or in space.

use etalon_rigid::Dense;
use etalon_spatial::{SpaceMethod, Surface, Surfaces};
use etalon_time_stepping::Scheme;
use etalon_time_stepping::corner::{NoSolid, SolidFace};
use rug::Rational;

use super::method::MotionMethod;

/// A scene of such bodies, in as many dimensions as its gravity has.
#[derive(Debug, Clone, PartialEq)]
pub struct CornerScene {
    /// The name.
    pub name: String,
    /// What it shows.
    pub notes: Option<String>,
    /// m/s^2.
    pub gravity: Vec<Rational>,
    /// The bodies.
    pub bodies: Vec<CornerBody>,
    /// Friction: `mu` of each pair.
    pub surfaces: Surfaces,
    /// The sides of the friction cone in space.
    pub sides: usize,
    /// Where M, k and gaps are evaluated.
    pub scheme: Scheme,
    /// The length of a step, s.
    pub h: Rational,
    /// How many steps.
    pub steps: u64,
    /// Whether forces make velocities, f = m v, with masses per time, kg/s: in the plane.
    pub first_order: bool,
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct CornerBody {
    /// The name.
    pub name: String,
    /// kg.
    pub mass: Rational,
    /// About the centre of mass, kg m^2: one number in the plane, three rows in space.
    pub inertia: Dense<Rational>,
    /// Of the centre of mass, m.
    pub position: Vec<Rational>,
    /// (cos, sin) in the plane, a quaternion (w, x, y, z) in space; of any length but 0.
    pub orientation: Vec<Rational>,
    /// m/s.
    pub velocity: Vec<Rational>,
    /// rad/s; one number in the plane, three in space.
    pub angular_velocity: Vec<Rational>,
    /// A constant force at the centre of mass, N.
    pub force: Vec<Rational>,
    /// Whether no push moves it: it stays where it is, or goes on with its velocities.
    pub fixed: bool,
    /// What touches; none where it touches nothing.
    pub shape: Option<CornerShape>,
}

impl CornerBody {
    /// Whether it is an obstacle that moves.
    pub fn is_driven(&self) -> bool {
        let mut rates = self.velocity.iter().chain(&self.angular_velocity);
        self.fixed && rates.any(|own| *own != 0)
    }

    /// Whether it has a place in the state.
    pub fn has_state(&self) -> bool {
        !self.fixed || self.is_driven()
    }
}

/// What of a body touches others, in body coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum CornerShape {
    /// Points alone.
    Points(Vec<Vec<Rational>>),
    /// A convex polygon in the plane: corners in order.
    Polygon(Vec<Vec<Rational>>),
    /// A box in space, by its half sizes.
    Box([Rational; 3]),
    /// The convex hull of points in space.
    Polyhedron(Vec<Vec<Rational>>),
    /// A half-plane or half-space below the body's position, by its normal; of fixed bodies.
    HalfSpace(Vec<Rational>),
}

/// The most points of a body: every three of a polyhedron are looked at for its sides.
const MAX_POINTS: usize = 64;

impl CornerShape {
    /// Where it touches others.
    pub fn points(&self) -> Vec<Vec<Rational>> {
        match self {
            Self::Points(own) | Self::Polygon(own) | Self::Polyhedron(own) => own.clone(),
            Self::Box(half) => {
                let sign = |k: usize, axis: usize| match k >> axis & 1 {
                    0 => -half[axis].clone(),
                    _ => half[axis].clone(),
                };
                (0..8)
                    .map(|k| (0..3).map(|axis| sign(k, axis)).collect())
                    .collect()
            }
            Self::HalfSpace(_) => Vec::new(),
        }
    }

    /// What keeps the points of others out.
    ///
    /// # Errors
    /// Why there is no such body, with the remedy.
    pub fn faces(&self) -> Result<Vec<SolidFace>, NoSolid> {
        let refused = |why: &str| Err(NoSolid(why.to_owned()));
        let points = self.points();
        if points.len() > MAX_POINTS {
            return Err(NoSolid(format!(
                "it has {} points, over the limit of {MAX_POINTS}; leave some out",
                points.len()
            )));
        }
        match self {
            Self::Points(own) if own.is_empty() => {
                refused("there are no points; give one, or leave the shape out")
            }
            Self::Points(_) => Ok(Vec::new()),
            Self::Polygon(own) => SolidFace::polygon(own),
            Self::Box(half) if half.iter().any(|own| *own <= 0) => {
                refused("a half size is not above 0; give three lengths")
            }
            Self::Box(_) | Self::Polyhedron(_) => SolidFace::polyhedron(&points),
            Self::HalfSpace(normal) => match SolidFace::half_space(normal) {
                Some(face) => Ok(vec![face]),
                None => refused("the normal is zero; give it a direction"),
            },
        }
    }
}

impl CornerScene {
    /// Egan and Trinkle's, or that of first-order worlds.
    pub fn method(&self) -> MotionMethod {
        match self.first_order {
            true => MotionMethod::Rows(SpaceMethod::FirstOrder),
            false => MotionMethod::EganTrinkle,
        }
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.gravity.len()
    }

    /// Friction of a pair of bodies by their names.
    pub fn surface(&self, names: [&String; 2]) -> &Surface {
        surface_of(&self.surfaces, names)
    }
}

/// Friction of a pair of bodies by their names, in either order.
pub(super) fn surface_of<'a>(surfaces: &'a Surfaces, names: [&String; 2]) -> &'a Surface {
    let own = surfaces.pairs.iter().find(|(first, second, _)| {
        let pair = [first, second];
        pair == names || pair == [names[1], names[0]]
    });
    own.map_or(&surfaces.default, |(.., own)| own)
}
