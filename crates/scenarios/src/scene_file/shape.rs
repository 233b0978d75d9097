//! The shape of a body in motion, as a file has it.

use etalon_rigid::Dense;
use etalon_spatial::Shape;
use rug::Rational;

use super::SceneFileError;
use super::node::Node;

type Result<T> = std::result::Result<T, SceneFileError>;

const SHAPES: [&str; 7] = [
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "polyhedron",
    "half_space",
    "ellipsoid",
];

/// A shape of any method.
pub(super) enum FileShape {
    /// One that contacts by rows can have.
    Solid(Shape),
    /// Half axes, m.
    Ellipsoid([Rational; 3]),
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
            Self::Ellipsoid(_) => "ellipsoid",
        }
    }

    pub fn is_half_space(&self) -> bool {
        matches!(self, Self::Solid(Shape::HalfSpace { .. }))
    }

    /// That of a uniform solid of that mass, where it is known.
    pub fn inertia(&self, mass: &Rational) -> Option<Dense<Rational>> {
        let squares = match self {
            Self::Solid(shape) => return shape.inertia(mass),
            Self::Ellipsoid(half_axes) => half_axes.each_ref().map(|a| a.clone().square() / 5u32),
        };
        // The means of x^2, y^2 and z^2 over the body.
        let sum = squares.iter().fold(Rational::new(), |sum, own| sum + own);
        Some(Dense::from_fn(3, 3, |i, j| match i == j {
            true => (sum.clone() - &squares[i]) * mass,
            false => Rational::new(),
        }))
    }
}

/// Reads a shape.
pub(super) fn shape(node: &Node<'_>) -> Result<FileShape> {
    let fields = node.object(&SHAPES)?;
    let given = SHAPES
        .iter()
        .filter_map(|kind| Some((*kind, fields.get(kind)?)));
    let given: Vec<(&str, Node<'_>)> = given.collect();
    let [(kind, data)] = &given[..] else {
        return node.error(format!("must have one of the fields {}", SHAPES.join(", ")));
    };
    let solid = match *kind {
        "ellipsoid" => return half_axes(data).map(FileShape::Ellipsoid),
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
