//! Shapes: closed paths of straight edges and circular arcs, and where they are.

mod arc;
mod edge;
mod loops;
mod path;
mod pose;
mod shape;

pub(crate) use arc::Arc;
pub(crate) use edge::{Edge, Kind};
pub use path::{Path, PathEdge, PathError};
pub(crate) use pose::Pose;
pub(crate) use shape::{Shape, Vertex};

/// A vector of the plane, m.
pub(crate) type Vec2 = nalgebra::Vector2<f64>;

/// The velocity w x r of a point at r on a body that turns with w.
pub(crate) fn turn(w: f64, r: Vec2) -> Vec2 {
    Vec2::new(-w * r.y, w * r.x)
}
