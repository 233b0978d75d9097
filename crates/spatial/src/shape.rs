//! Shapes of bodies: their inertia, and how far they reach in a direction.

use etalon_rigid::{Dense, Rotation3, Vector3};
use rug::Rational;

use crate::attitude::into_body;

/// A convex shape about the centre of mass, in body coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// All points within a radius, m.
    Sphere {
        /// m.
        radius: Rational,
    },
    /// A box of these half sizes along the axes, m.
    Box {
        /// m.
        half_sizes: [Rational; 3],
    },
    /// All points within a radius of the segment of this half length along z, m.
    Capsule {
        /// m.
        radius: Rational,
        /// m.
        half_length: Rational,
    },
    /// A cylinder about z, m.
    Cylinder {
        /// m.
        radius: Rational,
        /// m.
        half_length: Rational,
    },
    /// The convex hull of points.
    Polyhedron {
        /// m.
        vertices: Vec<Vector3<Rational>>,
    },
    /// All points below the plane through the body's position with this normal; fixed bodies alone.
    HalfSpace {
        /// Of any length but zero.
        normal: Vector3<Rational>,
    },
}

/// The largest number of vertices of a polyhedron: the oracle looks at each in each step.
pub const MAX_VERTICES: usize = 1000;

impl Shape {
    /// Why there is no such shape, with the remedy.
    pub fn fault(&self) -> Option<String> {
        let positive = |lengths: &[&Rational], what: &str| {
            let bad = lengths.iter().find(|length| ***length <= 0)?;
            Some(format!("{what} is {bad}, but must be above 0"))
        };
        match self {
            Self::Sphere { radius } => positive(&[radius], "the radius"),
            Self::Box { half_sizes } => positive(&half_sizes.each_ref(), "a half size"),
            Self::Capsule {
                radius,
                half_length,
            }
            | Self::Cylinder {
                radius,
                half_length,
            } => positive(&[radius], "the radius")
                .or_else(|| positive(&[half_length], "the half length")),
            Self::HalfSpace { normal } => normal
                .is_zero()
                .then(|| "the normal is zero; give it a direction".to_owned()),
            Self::Polyhedron { vertices } => polyhedron_fault(vertices),
        }
    }

    /// The inertia of a uniform solid of that mass about its centre, where the centre is the origin by symmetry.
    pub fn inertia(&self, mass: &Rational) -> Option<Dense<Rational>> {
        let square = |x: &Rational| x.clone().square();
        let share = |n: i32, d: i32, x: Rational| x * Rational::from((n, d)) * mass;
        let about = |z: Rational, x: Rational| Some([x.clone(), x, z]);
        let moments = match self {
            Self::Sphere { radius } => {
                let moment = share(2, 5, square(radius));
                about(moment.clone(), moment)
            }
            Self::Box {
                half_sizes: [a, b, c],
            } => {
                let [a, b, c] = [a, b, c].map(square);
                let sum = |x: &Rational, y: &Rational| share(1, 3, Rational::from(x + y));
                Some([sum(&b, &c), sum(&a, &c), sum(&a, &b)])
            }
            Self::Cylinder {
                radius,
                half_length,
            } => {
                let r = square(radius);
                let z = share(1, 2, r.clone());
                about(z, share(1, 4, r) + share(1, 3, square(half_length)))
            }
            Self::Capsule {
                radius,
                half_length,
            } => {
                // Volumes over pi r^2: the cylinder 2 l, the two half balls 4 r/3. A half ball's centre is 3 r/8
                // beyond the segment's end, about which its moment is 83/320 of its mass times r^2.
                let (l, r) = (half_length, radius);
                let cylinder = Rational::from(l * 2u32);
                let ball = Rational::from(r * 4u32) / 3u32;
                let density = mass / Rational::from(&cylinder + &ball);
                let (cylinder, ball) = (cylinder * &density, ball * &density);
                let (l2, r2) = (square(l), square(r));
                let z = Rational::from(&cylinder * &r2) / 2u32
                    + Rational::from(&ball * &r2) * Rational::from((2, 5));
                let off = l.clone() + Rational::from(r * 3u32) / 8u32;
                let x = cylinder * (r2.clone() / 4u32 + l2 / 3u32)
                    + ball * (r2 * Rational::from((83, 320)) + off.square());
                about(z, x)
            }
            Self::Polyhedron { .. } | Self::HalfSpace { .. } => None,
        }?;
        Some(Dense::from_fn(3, 3, |i, j| match i == j {
            true => moments[i].clone(),
            false => Rational::new(),
        }))
    }

    /// How far the shape reaches along a direction from the body's position: the largest d'x over its points x, times
    /// one; `None` where it has no end. The two parts add up: one exact, and a radius times the length of a vector
    /// whose square is given, since its root need not be a fraction.
    pub fn reach(
        &self,
        rotation: &Rotation3<Rational>,
        direction: &Vector3<Rational>,
    ) -> Option<Reach> {
        let local = into_body(rotation, direction);
        let size = |x: &Rational| Rational::from(x.abs_ref());
        match self {
            Self::Sphere { radius } => Some(Reach {
                exact: Rational::new(),
                radius: radius.clone(),
                squared: local.norm_squared(),
            }),
            Self::Box { half_sizes } => {
                let terms = half_sizes.iter().zip(local.coordinates());
                Some(Reach::exact(
                    terms.fold(Rational::new(), |sum, (half, x)| sum + half * size(x)),
                ))
            }
            Self::Capsule {
                radius,
                half_length,
            } => Some(Reach {
                exact: half_length * size(&local[2]),
                radius: radius.clone(),
                squared: local.norm_squared(),
            }),
            Self::Cylinder {
                radius,
                half_length,
            } => Some(Reach {
                exact: half_length * size(&local[2]),
                radius: radius.clone(),
                squared: local[0].clone().square() + local[1].clone().square(),
            }),
            Self::Polyhedron { vertices } => {
                let most = vertices.iter().map(|vertex| vertex.dot(&local)).max()?;
                Some(Reach::exact(most))
            }
            Self::HalfSpace { normal } => {
                // Along its normal alone there is an end, at the position.
                let cross = normal.cross(&local);
                (cross.is_zero() && normal.dot(&local) > 0).then(|| Reach::exact(Rational::new()))
            }
        }
    }

    /// No point is further from the position; `None` for a half-space.
    pub fn radius(&self) -> Option<f64> {
        let length = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>().sqrt();
        match self {
            Self::Sphere { radius } => Some(radius.to_f64()),
            Self::Box { half_sizes } => Some(length(&half_sizes.each_ref().map(Rational::to_f64))),
            Self::Capsule {
                radius,
                half_length,
            } => Some(radius.to_f64() + half_length.to_f64()),
            Self::Cylinder {
                radius,
                half_length,
            } => Some(length(&[radius.to_f64(), half_length.to_f64()])),
            Self::Polyhedron { vertices } => {
                let sizes = vertices.iter().map(|v| length(&crate::grid::to_f64s(v)));
                Some(sizes.fold(0.0, f64::max))
            }
            Self::HalfSpace { .. } => None,
        }
    }
}

/// exact + radius sqrt(squared).
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// m.
    pub exact: Rational,
    /// m.
    pub radius: Rational,
    /// The square of the length of a direction.
    pub squared: Rational,
}

impl Reach {
    /// Its value, the root within 2^-61.
    pub(crate) fn value(&self) -> Rational {
        Rational::from(&self.radius * &crate::grid::root(&self.squared)) + &self.exact
    }

    fn exact(exact: Rational) -> Self {
        Self {
            exact,
            radius: Rational::new(),
            squared: Rational::new(),
        }
    }
}

fn polyhedron_fault(vertices: &[Vector3<Rational>]) -> Option<String> {
    if vertices.len() < 4 {
        return Some(format!(
            "{} vertices enclose no volume; at least 4 do",
            vertices.len()
        ));
    }
    if vertices.len() > MAX_VERTICES {
        return Some(format!(
            "{} vertices are over the limit of {MAX_VERTICES}; leave out those that are no corners",
            vertices.len()
        ));
    }
    let first = &vertices[0];
    let arms: Vec<Vector3<Rational>> = vertices[1..].iter().map(|v| v - first).collect();
    let line = arms.iter().find(|arm| !arm.is_zero());
    let plane = line.and_then(|line| {
        let normals = arms.iter().map(|arm| line.cross(arm));
        normals.into_iter().find(|normal| !normal.is_zero())
    });
    let solid = plane.is_some_and(|normal| arms.iter().any(|arm| arm.dot(&normal) != 0));
    (!solid).then(|| "all vertices are in one plane; add one beside it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_rigid::Vector;

    fn q(n: i64, d: i64) -> Rational {
        Rational::from((n, d))
    }

    #[test]
    fn a_long_capsule_is_near_a_rod_and_a_short_one_near_a_ball() {
        let of = |l: Rational| {
            let shape = Shape::Capsule {
                radius: q(1, 1),
                half_length: l,
            };
            shape.inertia(&q(3, 1)).unwrap()
        };
        let ball = of(q(1, 1 << 30));
        for k in 0..3 {
            assert!((ball[(k, k)].to_f64() - 3.0 * 0.4).abs() < 1e-8, "{k}");
        }
        let rod = of(q(1 << 20, 1));
        let relative = rod[(0, 0)].to_f64() / (3.0 * f64::from(1 << 20).powi(2) / 3.0);
        assert!((relative - 1.0).abs() < 1e-5, "{relative}");
    }

    #[test]
    fn reaches_are_those_of_the_corners() {
        let shape = Shape::Box {
            half_sizes: [q(1, 1), q(2, 1), q(3, 1)],
        };
        let rotation = Rotation3::identity();
        let reach = shape
            .reach(&rotation, &Vector::integers([1, -1, 2]))
            .unwrap();
        assert_eq!(reach.exact, 9);
        let corners = [-1, 1].iter().flat_map(|&x| {
            [-2, 2]
                .into_iter()
                .flat_map(move |y| [-3, 3].map(|z| Vector::integers([x, y, z])))
        });
        let hull = Shape::Polyhedron {
            vertices: corners.collect(),
        };
        assert_eq!(hull.fault(), None);
        assert_eq!(
            hull.reach(&rotation, &Vector::integers([1, -1, 2]))
                .unwrap(),
            reach
        );
        let half = Shape::HalfSpace {
            normal: Vector::integers([0, 0, 2]),
        };
        assert!(
            half.reach(&rotation, &Vector::integers([0, 0, 1]))
                .is_some()
        );
        assert_eq!(half.reach(&rotation, &Vector::integers([1, 0, 1])), None);
    }

    #[test]
    fn shapes_without_an_inside_say_why() {
        let flat = Shape::Polyhedron {
            vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [3, 2, 0]]
                .map(Vector::integers)
                .to_vec(),
        };
        assert!(flat.fault().unwrap().contains("in one plane"));
        let thin = Shape::Box {
            half_sizes: [q(1, 1), q(0, 1), q(3, 1)],
        };
        assert!(thin.fault().unwrap().contains("above 0"));
    }
}
