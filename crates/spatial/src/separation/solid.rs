//! Shapes in binary64 as a search of directions asks them: a convex core, and a radius about it.

use crate::attitude::Quaternion;
use crate::binary::{Triple, difference, dot, length, sum, times, unit};
use crate::grid::to_f64s;
use crate::shape::Shape;
use rug::Rational;

/// A shape in body coordinates.
#[derive(Debug, Clone)]
pub struct Solid {
    core: Core,
    /// About the core, m.
    pub radius: f64,
    /// Outward unit normals of the flat parts, with how far the shape reaches along each, m.
    faces: Vec<(Triple, f64)>,
    /// Unit vectors along the straight edges, and the axis of what is round.
    edges: Vec<Triple>,
    /// No point is further from the body's position, m.
    pub size: f64,
}

#[derive(Debug, Clone)]
enum Core {
    /// The convex hull of points.
    Hull(Vec<Triple>),
    /// About z.
    Cylinder { radius: f64, half_length: f64 },
}

const AXES: [Triple; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Solid {
    /// A shape; the normals and edges of a polyhedron are those of a hull of its vertices. `None` of a half-space.
    pub fn new(shape: &Shape, hull: (Vec<Triple>, Vec<Triple>)) -> Option<Self> {
        let size = shape.radius()?;
        let along_z = |half: &Rational| [0.0, 0.0, half.to_f64()];
        let (core, radius, normals, edges) = match shape {
            Shape::Sphere { radius } => {
                let core = Core::Hull(vec![[0.0; 3]]);
                (core, radius.to_f64(), Vec::new(), Vec::new())
            }
            Shape::Capsule {
                radius,
                half_length,
            } => {
                let end = along_z(half_length);
                let core = Core::Hull(vec![end, times(&end, -1.0)]);
                (core, radius.to_f64(), Vec::new(), vec![AXES[2]])
            }
            Shape::Box { half_sizes } => {
                let half = half_sizes.each_ref().map(Rational::to_f64);
                let sign = |corner: usize, k: usize| if corner >> k & 1 == 0 { 1.0 } else { -1.0 };
                let corner = |c: usize| std::array::from_fn(|k| half[k] * sign(c, k));
                let core = Core::Hull((0..8).map(corner).collect());
                (core, 0.0, AXES.to_vec(), AXES.to_vec())
            }
            Shape::Cylinder {
                radius,
                half_length,
            } => {
                let (radius, half_length) = (radius.to_f64(), half_length.to_f64());
                let core = Core::Cylinder {
                    radius,
                    half_length,
                };
                (core, 0.0, vec![AXES[2]], vec![AXES[2]])
            }
            Shape::Polyhedron { vertices } => {
                let core = Core::Hull(vertices.iter().map(to_f64s).collect());
                (core, 0.0, hull.0, hull.1)
            }
            Shape::HalfSpace { .. } => return None,
        };
        let both = normals
            .iter()
            .flat_map(|normal| [*normal, times(normal, -1.0)]);
        let mut faces: Vec<(Triple, f64)> = Vec::new();
        for normal in both {
            let reach = dot(&core.support(&normal), &normal);
            faces.push((normal, reach));
        }
        Some(Self {
            core,
            radius,
            faces,
            edges,
            size,
        })
    }
}

impl Solid {
    /// Outward normals of the flat parts, in body coordinates.
    pub fn normals(&self) -> impl Iterator<Item = Triple> + '_ {
        self.faces.iter().map(|(normal, _)| *normal)
    }
}

impl Core {
    fn support(&self, direction: &Triple) -> Triple {
        match self {
            Self::Hull(points) => {
                let mut best = (f64::NEG_INFINITY, [0.0; 3]);
                for point in points {
                    let reach = dot(point, direction);
                    if reach > best.0 {
                        best = (reach, *point);
                    }
                }
                best.1
            }
            Self::Cylinder {
                radius,
                half_length,
            } => {
                let across = unit([direction[0], direction[1], 0.0]);
                let [x, y, _] = times(&across.unwrap_or_default(), *radius);
                [x, y, half_length.copysign(direction[2])]
            }
        }
    }

    /// By how much a point is outside of the core along one of its flat parts, its round side, or its axis.
    fn outside(&self, point: &Triple, faces: &[(Triple, f64)]) -> f64 {
        let beyond = faces
            .iter()
            .map(|(normal, reach)| dot(normal, point) - reach)
            .fold(f64::NEG_INFINITY, f64::max);
        match self {
            Self::Cylinder { radius, .. } => beyond.max(point[0].hypot(point[1]) - radius),
            Self::Hull(points) if points.len() > 2 => beyond,
            // A point or a segment about the origin along z.
            Self::Hull(points) => {
                let half = points[0][2];
                length(&[point[0], point[1], point[2] - point[2].clamp(-half, half)])
            }
        }
    }
}

/// A shape at its place.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The shape.
    pub solid: &'a Solid,
    /// The rows of the matrix that turns it.
    rows: [Triple; 3],
    /// Where it is, from wherever is convenient, m.
    pub position: Triple,
}

impl<'a> Placed<'a> {
    pub fn new(solid: &'a Solid, attitude: &Quaternion, position: Triple) -> Self {
        let matrix = attitude.rotation();
        let entry = |i: usize, j: usize| matrix.matrix()[(i, j)].to_f64();
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)));
        Self {
            solid,
            rows,
            position,
        }
    }

    fn turned(&self, own: &Triple) -> Triple {
        self.rows.each_ref().map(|row| dot(row, own))
    }

    fn into_body(self, vector: &Triple) -> Triple {
        let [x, y, z] = &self.rows;
        std::array::from_fn(|k| x[k] * vector[0] + y[k] * vector[1] + z[k] * vector[2])
    }

    /// The point of the core that is furthest along a direction.
    pub fn support(&self, direction: &Triple) -> Triple {
        let own = self.solid.core.support(&self.into_body(direction));
        sum(&self.turned(&own), &self.position)
    }

    /// By how much a point is outside, m.
    pub fn outside(&self, point: &Triple) -> f64 {
        let own = self.into_body(&difference(point, &self.position));
        self.solid.core.outside(&own, &self.solid.faces) - self.solid.radius
    }

    /// How much further than a point of the shape another is along a unit vector, m.
    pub fn short(&self, point: &Triple, direction: &Triple) -> f64 {
        dot(&difference(&self.support(direction), point), direction) + self.solid.radius
    }

    /// Outward normals of the flat parts.
    pub fn faces(&self) -> impl Iterator<Item = Triple> + '_ {
        self.solid.faces.iter().map(|(own, _)| self.turned(own))
    }

    /// Directions of the straight edges.
    pub fn edges(&self) -> impl Iterator<Item = Triple> + '_ {
        self.solid.edges.iter().map(|own| self.turned(own))
    }
}
