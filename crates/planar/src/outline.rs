//! Bodies as they are drawn.

use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::geometry::{Pose, Vec2};
use crate::world::World;

/// Arcs are drawn by chords of at most this angle, rad.
const CHORD: f64 = 0.1;

/// The outline of a body in the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The body's name.
    pub name: String,
    /// Whether it stays where it is.
    pub fixed: bool,
    /// Closed polygons, m; the last point is not the first again.
    pub loops: Vec<Vec<[f64; 2]>>,
}

impl World {
    /// The outlines of all bodies where they are now, in the order of the scene.
    pub fn outlines(&self) -> Vec<Outline> {
        let named = self.scene.bodies.iter().zip(&self.bodies);
        named
            .map(|(spec, body)| Outline {
                name: spec.name.clone(),
                fixed: body.is_fixed(),
                loops: loops(body, &body.pose),
            })
            .collect()
    }

    /// The outlines of all bodies about their centres of mass, not turned, in the order of the
    /// scene: a point p of one is at position + R(angle) p in the world.
    pub fn shapes(&self) -> Vec<Outline> {
        let named = self.scene.bodies.iter().zip(&self.bodies);
        named
            .map(|(spec, body)| Outline {
                name: spec.name.clone(),
                fixed: body.is_fixed(),
                loops: loops(body, &Pose::new(body.cm, Vec2::zeros(), 0.0)),
            })
            .collect()
    }
}

fn loops(body: &Body, pose: &Pose) -> Vec<Vec<[f64; 2]>> {
    let mut loops: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut end: Option<Vec2> = None;
    for edge in &body.shape.edges {
        let goes_on = end.is_some_and(|end| (end - edge.from).norm() < 1e-7);
        if !goes_on {
            loops.push(Vec::new());
        }
        end = Some(edge.to);
        if let Some(points) = loops.last_mut() {
            points.push(pose.to_world(edge.from).into());
            let arc = edge.arc().map(|arc| arc.points_between(arc.radius * CHORD));
            let along = arc.into_iter().flatten();
            points.extend(along.map(|point| <[f64; 2]>::from(pose.to_world(point))));
        }
    }
    loops
}
