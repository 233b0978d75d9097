//! The shape of a body in motion, as a file has it.

use etalon_rigid::Dense;
use etalon_spatial::Shape;
use etalon_time_stepping::implicit::{MAX_EXPONENT, Shape as Smooth};
use rug::Rational;

use super::SceneFileError;
use super::node::{Fields, Node};
use crate::space::{MotionMethod, even_moments};

type Result<T> = std::result::Result<T, SceneFileError>;

const SHAPES: [&str; 9] = [
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "polyhedron",
    "half_space",
    "ellipsoid",
    "superquadric",
    "points",
];

/// A shape of any method.
pub(super) enum FileShape {
    /// One that contacts by rows can have.
    Solid(Shape),
    /// One with an implicit surface.
    Smooth(Smooth),
    /// Points alone.
    Points(Vec<Vec<Rational>>),
}

impl FileShape {
    /// Its field.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Solid(Shape::Sphere { .. }) => "sphere",
            Self::Solid(Shape::Box { .. }) => "box",
            Self::Solid(Shape::Capsule { .. }) => "capsule",
            Self::Solid(Shape::Cylinder { .. }) => "cylinder",
            Self::Solid(Shape::Polyhedron { .. }) => "polyhedron",
            Self::Solid(Shape::HalfSpace { .. }) => "half_space",
            Self::Smooth(Smooth::Superquadric { .. }) => "superquadric",
            Self::Smooth(_) => "ellipsoid",
            Self::Points(_) => "points",
        }
    }

    /// The method that alone takes it; none where several do.
    pub fn method(&self) -> Option<MotionMethod> {
        match self {
            Self::Solid(_) => None,
            Self::Smooth(_) => Some(MotionMethod::ChakrabortyBerard),
            Self::Points(_) => Some(MotionMethod::EganTrinkle),
        }
    }

    pub fn is_half_space(&self) -> bool {
        matches!(self, Self::Solid(Shape::HalfSpace { .. }))
    }

    /// That of a uniform solid of that mass, where it is known.
    pub fn inertia(&self, mass: &Rational) -> Option<Dense<Rational>> {
        let moments = match self {
            Self::Solid(shape) => return shape.inertia(mass),
            Self::Smooth(shape) => even_moments(shape, mass)?,
            Self::Points(_) => return None,
        };
        Some(Dense::from_fn(3, 3, |i, j| match i == j {
            true => moments[i].clone(),
            false => Rational::new(),
        }))
    }
}

/// Reads a shape.
pub(super) fn shape(node: &Node<'_>) -> Result<FileShape> {
    let (kind, data) = node.one_of(&SHAPES)?;
    let data = &data;
    let solid = match kind {
        "ellipsoid" => return ellipsoid(data),
        "superquadric" => return superquadric(data),
        "points" => return points::<3>(data).map(FileShape::Points),
        "sphere" => Shape::Sphere {
            radius: data.number()?,
        },
        "box" => Shape::Box {
            half_sizes: data.numbers()?,
        },
        "capsule" => round(data).map(|(radius, half_length)| Shape::Capsule {
            radius,
            half_length,
        })?,
        "cylinder" => round(data).map(|(radius, half_length)| Shape::Cylinder {
            radius,
            half_length,
        })?,
        "polyhedron" => Shape::Polyhedron {
            vertices: data
                .items()?
                .iter()
                .map(Node::vector)
                .collect::<Result<_>>()?,
        },
        _ => Shape::HalfSpace {
            normal: data.vector()?,
        },
    };
    Ok(FileShape::Solid(solid))
}

/// Points of so many numbers each.
pub(super) fn points<const D: usize>(node: &Node<'_>) -> Result<Vec<Vec<Rational>>> {
    let point = |node: &Node<'_>| node.numbers::<D>().map(|own| own.to_vec());
    node.items()?.iter().map(point).collect()
}

fn ellipsoid(node: &Node<'_>) -> Result<FileShape> {
    let half_axes = half_axes(node)?.to_vec();
    Ok(FileShape::Smooth(Smooth::Ellipsoid { half_axes }))
}

fn superquadric(node: &Node<'_>) -> Result<FileShape> {
    let fields = node.object(&["half_axes", "exponent", "exponents"])?;
    let half_axes = half_axes(&fields.need("half_axes")?)?;
    Ok(FileShape::Smooth(Smooth::Superquadric {
        half_axes: half_axes.to_vec(),
        exponents: exponents(&fields)?,
    }))
}

/// One exponent, or that across z with that along z, which it divides.
fn exponents(fields: &Fields<'_>) -> Result<[u32; 2]> {
    let given = match (fields.get("exponent"), fields.get("exponents")) {
        (Some(one), None) => return exponent(&one).map(|own| [own; 2]),
        (None, Some(both)) => both,
        _ => {
            return fields.error(
                "must have one of the fields exponent, a number, and exponents, that across z and that along z",
            );
        }
    };
    let [across, along] = &given.items()?[..] else {
        return given.error("must have two numbers: the exponent across z, and that along z");
    };
    let [m, n] = [exponent(across)?, exponent(along)?];
    if n % m != 0 {
        return given.error(format!(
            "the second, {n}, must be a multiple of the first, {m}, so that the surface is that of a polynomial; {n} goes with {}",
            divisors(n)
        ));
    }
    Ok([m, n])
}

/// The even divisors of an exponent, in words.
fn divisors(n: u32) -> String {
    let own = (2..=n).step_by(2).filter(|own| n.is_multiple_of(*own));
    let own: Vec<String> = own.map(|own| own.to_string()).collect();
    own.join(", ")
}

fn exponent(given: &Node<'_>) -> Result<u32> {
    let exponent = u32::try_from(given.count()?).unwrap_or(u32::MAX);
    if (2..=MAX_EXPONENT).contains(&exponent) && exponent % 2 == 0 {
        return Ok(exponent);
    }
    given.error(format!(
        "must be an even number from 2 to {MAX_EXPONENT}: 2 is an ellipsoid, and the larger it is, the more it is a box"
    ))
}

fn half_axes(node: &Node<'_>) -> Result<[Rational; 3]> {
    let half_axes: [Rational; 3] = node.numbers()?;
    match half_axes.iter().find(|own| **own <= 0) {
        Some(bad) => node.error(format!("a half axis is {bad}, but must be above 0")),
        None => Ok(half_axes),
    }
}

fn round(node: &Node<'_>) -> Result<(Rational, Rational)> {
    let fields = node.object(&["radius", "half_length"])?;
    Ok((
        fields.need("radius")?.number()?,
        fields.need("half_length")?.number()?,
    ))
}
