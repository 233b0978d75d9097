//! Contacts between shapes, proposed by parry in binary64. Its types stay in this file.
//!
//! What parry says decides nothing: a step takes point, normal and gap as exact numbers, and the oracle holds them
//! against the shapes in exact arithmetic ([`Shape::reach`]).

use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use parry3d_f64::shape::{
    Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, HalfSpace, SharedShape,
};

use crate::attitude::Quaternion;
use crate::contact::ContactProposal;
use crate::grid::to_f64s;
use crate::shape::Shape;
use etalon_rigid::Vector3;
use rug::Rational;

/// The shapes of a world as parry has them.
#[derive(Clone)]
pub struct Geometry {
    pieces: Vec<Option<Piece>>,
}

#[derive(Clone)]
struct Piece {
    shape: SharedShape,
    /// In the body: parry's cylinders are about y, those here about z.
    turned: Rotation,
}

/// What a point may be short of the furthest along its normal, beside the size of the shape. Where an edge is nearest,
/// parry adds points of faces and edges next to it whose normal is another: they are no nearest points and are left
/// out. A quarter of what the oracle allows.
const SHORT: f64 = 2.5e-7;

impl Piece {
    /// Whether a direction is a normal of the shape at a point of it: no point is further.
    fn faces(&self, normal: Vector, point: Vector) -> bool {
        // A half-space has no furthest point but along its normal, which is the only one that parry reports.
        let Some(shape) = self.shape.as_support_map() else {
            return true;
        };
        let furthest = shape.local_support_point(normal);
        let size = self.shape.compute_local_bounding_sphere().radius;
        (furthest - point).dot(normal) <= SHORT * size
    }
}

impl std::fmt::Debug for Geometry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Geometry of {} bodies", self.pieces.len())
    }
}

/// A pose in binary64.
pub(crate) struct Place<'a> {
    pub position: &'a Vector3<Rational>,
    pub attitude: &'a Quaternion,
}

impl Geometry {
    /// The shapes of all bodies; `Err` with the body that has none that parry can take.
    pub(crate) fn new(shapes: &[Option<Shape>]) -> Result<Self, usize> {
        let piece = |(i, shape): (usize, &Option<Shape>)| match shape {
            None => Ok(None),
            Some(shape) => piece(shape).map(Some).ok_or(i),
        };
        let pieces = shapes.iter().enumerate().map(piece);
        Ok(Self {
            pieces: pieces.collect::<Result<_, _>>()?,
        })
    }

    /// The contacts of two bodies within a distance, the normal pointing to the second of them.
    pub(crate) fn contacts(
        &self,
        (lower, upper): (usize, usize),
        places: (&Place<'_>, &Place<'_>),
        within: f64,
    ) -> Vec<ContactProposal> {
        let (Some(Some(a)), Some(Some(b))) = (self.pieces.get(lower), self.pieces.get(upper))
        else {
            return Vec::new();
        };
        let (at, other) = (pose(places.0, a.turned), pose(places.1, b.turned));
        let between = at.inv_mul(&other);
        let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
        let mut workspace: Option<ContactManifoldsWorkspace> = None;
        let found = DefaultQueryDispatcher.contact_manifolds(
            &between,
            &*a.shape,
            &*b.shape,
            within,
            &mut manifolds,
            &mut workspace,
        );
        if found.is_err() {
            // Two half-spaces: neither moves.
            return Vec::new();
        }
        let mut proposals = Vec::new();
        for manifold in &manifolds {
            let normal = at.rotation * manifold.local_n1;
            for contact in manifold.points.iter().filter(|own| own.dist <= within) {
                let (p, r) = (contact.local_p1, contact.local_p2);
                if !a.faces(manifold.local_n1, p) && !b.faces(manifold.local_n2, r) {
                    continue;
                }
                proposals.push(ContactProposal {
                    first: upper,
                    second: lower,
                    point: ((at * p + other * r) * 0.5).to_array(),
                    normal: normal.to_array(),
                    gap: contact.dist,
                });
            }
        }
        proposals
    }
}

fn pose(place: &Place<'_>, turned: Rotation) -> Pose {
    let [w, x, y, z] = place.attitude.0.each_ref().map(Rational::to_f64);
    let rotation = Rotation::from_xyzw(x, y, z, w);
    Pose::from_parts(vector(place.position), rotation * turned)
}

fn vector(own: &Vector3<Rational>) -> Vector {
    Vector::from_array(to_f64s(own))
}

fn piece(shape: &Shape) -> Option<Piece> {
    let plain = |shape: SharedShape| {
        Some(Piece {
            shape,
            turned: Rotation::IDENTITY,
        })
    };
    match shape {
        Shape::Sphere { radius } => plain(SharedShape::new(Ball::new(radius.to_f64()))),
        Shape::Box { half_sizes } => {
            let half_sizes = half_sizes.each_ref().map(Rational::to_f64);
            plain(SharedShape::new(Cuboid::new(Vector::from_array(
                half_sizes,
            ))))
        }
        Shape::Capsule {
            radius,
            half_length,
        } => {
            let end = Vector::new(0.0, 0.0, half_length.to_f64());
            plain(SharedShape::new(Capsule::new(-end, end, radius.to_f64())))
        }
        Shape::Cylinder {
            radius,
            half_length,
        } => Some(Piece {
            shape: SharedShape::new(Cylinder::new(half_length.to_f64(), radius.to_f64())),
            // A third of a turn about (1, 1, 1), which takes y to z without rounding.
            turned: Rotation::from_xyzw(0.5, 0.5, 0.5, 0.5),
        }),
        Shape::Polyhedron { vertices } => {
            let points: Vec<Vector> = vertices.iter().map(vector).collect();
            let hull = ConvexPolyhedron::from_convex_hull(&points)?;
            plain(SharedShape::new(hull))
        }
        Shape::HalfSpace { normal } => {
            let [normal, ..] = crate::contact::frame(to_f64s(normal))?;
            plain(SharedShape::new(HalfSpace::new(vector(&normal))))
        }
    }
}
