//! Parry. Its types are known here and, for poses and vectors, one file above.

use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use parry3d_f64::shape::{
    Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, HalfSpace, PolygonalFeature, SharedShape,
};

use super::Place;
use crate::binary::Triple;
use crate::contact::frame;
use crate::grid::to_f64s;
use crate::separation::Solid;
use crate::shape::Shape;
use etalon_rigid::Vector3;
use rug::Rational;

/// A shape.
#[derive(Clone)]
pub(super) struct Piece {
    pub shape: SharedShape,
    /// In the body: parry's cylinders are about y, those here about z.
    turned: Rotation,
    /// None of half-spaces.
    pub solid: Option<Solid>,
}

/// A shape at its place.
pub(super) struct Posed<'a> {
    pub piece: &'a Piece,
    pub at: Pose,
}

impl<'a> Posed<'a> {
    pub fn new(piece: &'a Piece, place: &Place<'_>) -> Self {
        let [w, x, y, z] = place.attitude.0.each_ref().map(Rational::to_f64);
        let rotation = Rotation::from_xyzw(x, y, z, w);
        let at = Pose::from_parts(vector(place.position), rotation * piece.turned);
        Self { piece, at }
    }

    /// The point that is furthest along a direction of the world, from the body's position.
    pub fn furthest(&self, direction: Vector) -> Option<Triple> {
        let shape = self.piece.shape.as_support_map()?;
        let own = shape.local_support_point(self.at.rotation.inverse() * direction);
        Some((self.at.rotation * own).to_array())
    }
}

impl Piece {
    /// A shape as parry has it; `None` where it has none.
    pub fn new(shape: &Shape) -> Option<Self> {
        let (own, hull) = shared(shape)?;
        let turned = match shape {
            // A third of a turn about (1, 1, 1), which takes y to z without rounding.
            Shape::Cylinder { .. } => Rotation::from_xyzw(0.5, 0.5, 0.5, 0.5),
            _ => Rotation::IDENTITY,
        };
        Some(Self {
            shape: own,
            turned,
            solid: Solid::new(shape, hull),
        })
    }

    /// The normal of a half-space.
    pub fn half_space(&self) -> Option<Vector> {
        self.shape.as_halfspace().map(|own| own.normal)
    }

    /// Whether a direction is a normal of the shape at a point of it: no point is further.
    pub fn faces(&self, normal: Vector, point: Vector, short: f64) -> bool {
        // A half-space has no furthest point but along its normal, which is the only one that parry reports.
        let Some(shape) = self.shape.as_support_map() else {
            return true;
        };
        let furthest = shape.local_support_point(normal);
        let size = self.shape.compute_local_bounding_sphere().radius;
        (furthest - point).dot(normal) <= short * size
    }
}

/// The contacts that parry finds within a distance.
pub(super) fn manifolds(a: &Posed<'_>, b: &Posed<'_>, within: f64) -> Vec<ContactManifold<(), ()>> {
    let mut manifolds = Vec::new();
    let mut workspace: Option<ContactManifoldsWorkspace> = None;
    let found = DefaultQueryDispatcher.contact_manifolds(
        &a.at.inv_mul(&b.at),
        &*a.piece.shape,
        &*b.piece.shape,
        within,
        &mut manifolds,
        &mut workspace,
    );
    // An error is that of two half-spaces, neither of which moves.
    if found.is_err() {
        Vec::new()
    } else {
        manifolds
    }
}

/// A point of either body in its coordinates, and their gap.
pub(super) type Clipped = (Vector, Vector, f64);

/// The normals of both bodies in their coordinates, and the points at which the faces along a direction meet. `near` is
/// the point of the first body, from its centre, about which round faces are made polygons.
pub(super) fn clipped(
    a: &Posed<'_>,
    b: &Posed<'_>,
    normal: Triple,
    near: &Triple,
) -> ([Vector; 2], Vec<Clipped>) {
    let normal = Vector::from_array(normal);
    let normals = [
        a.at.rotation.inverse() * normal,
        b.at.rotation.inverse() * -normal,
    ];
    let maps = [a, b].map(|own| own.piece.shape.as_polygonal_feature_map());
    let [Some((first, first_radius)), Some((second, second_radius))] = maps else {
        return (normals, Vec::new());
    };
    let between = a.at.inv_mul(&b.at);
    let hint = a.at.rotation.inverse() * Vector::from_array(*near);
    let mut features = [PolygonalFeature::default(), PolygonalFeature::default()];
    first.local_support_feature_toward(normals[0], hint, &mut features[0]);
    let other = between.inverse() * hint;
    second.local_support_feature_toward(normals[1], other, &mut features[1]);
    let mut manifold: ContactManifold<(), ()> = ContactManifold::new();
    PolygonalFeature::contacts(
        &between,
        &between.inverse(),
        normals[0],
        normals[1],
        &features[0],
        &features[1],
        &mut manifold,
        false,
    );
    let points = manifold.points.iter().map(|own| {
        let p = own.local_p1 + normals[0] * first_radius;
        let r = own.local_p2 + normals[1] * second_radius;
        (p, r, own.dist - first_radius - second_radius)
    });
    (normals, points.collect())
}

fn vector(own: &Vector3<Rational>) -> Vector {
    Vector::from_array(to_f64s(own))
}

/// Normals of faces and directions of edges.
type Hull = (Vec<Triple>, Vec<Triple>);

fn shared(shape: &Shape) -> Option<(SharedShape, Hull)> {
    let plain = |shape: SharedShape| Some((shape, Hull::default()));
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
        } => plain(SharedShape::new(Cylinder::new(
            half_length.to_f64(),
            radius.to_f64(),
        ))),
        Shape::Polyhedron { vertices } => {
            let points: Vec<Vector> = vertices.iter().map(vector).collect();
            let hull = ConvexPolyhedron::from_convex_hull(&points)?;
            let normals = hull.faces().iter().map(|own| own.normal.to_array());
            let edges = hull.edges().iter().map(|own| own.dir.to_array());
            let hull_of = (normals.collect(), edges.collect());
            Some((SharedShape::new(hull), hull_of))
        }
        Shape::HalfSpace { normal } => {
            let [normal, ..] = frame(to_f64s(normal))?;
            plain(SharedShape::new(HalfSpace::new(vector(&normal))))
        }
    }
}
