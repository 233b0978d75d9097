//! Mechanical systems: half-spaces with constant data, bodies in the plane, balls in space, and
//! particles inside of smooth curves.

mod balls;
mod ellipse;
mod half_spaces;
mod planar;

pub use balls::{Ball, BallContact, Balls};
pub use ellipse::Ellipse;
pub use half_spaces::{HalfSpace, HalfSpaces};
pub use planar::{Disc, Line, Planar, PlanarBody, Touch};
