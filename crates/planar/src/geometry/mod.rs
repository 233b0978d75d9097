//! Shapes: closed paths of straight edges and circular arcs, and where they are. Curves that points are held on.

mod arc;
mod curve;
mod edge;
mod loops;
mod path;
mod pose;
mod shape;
mod track;

pub(crate) use arc::Arc;
pub use curve::{Curve, CurveError, CurvePiece};
pub(crate) use edge::{Edge, Kind};
pub use path::{Path, PathEdge, PathError};
pub(crate) use pose::Pose;
pub(crate) use shape::{Shape, Vertex};
pub(crate) use track::{End, Track};

/// A vector of the plane, m.
pub(crate) type Vec2 = nalgebra::Vector2<f64>;

/// The velocity w x r of a point at r on a body that turns with w.
pub(crate) fn turn(w: f64, r: Vec2) -> Vec2 {
    Vec2::new(-w * r.y, w * r.x)
}
