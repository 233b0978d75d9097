//! Outlines: the shapes of bodies as polygons, to be drawn.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::body::Solid;
use crate::contact::ConnectionLaw;
use crate::geometry::{Pose, Track, Vec2};
use crate::model::Model;
use crate::state::State;
use crate::tolerances::{CHORD, LOOP_CLOSES};

/// The outline of a body in the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The body's name.
    pub name: String,
    /// Whether it stays where it is.
    pub fixed: bool,
    /// Closed polygons, m; the last point is not the first again.
    pub loops: Vec<Vec<[f64; 2]>>,
    /// The curves that move with it and hold points of other bodies: open lines, m.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wires: Vec<Vec<[f64; 2]>>,
}

/// The outlines of all bodies where they are in a state.
pub(crate) fn outlines(model: &Model, state: &State) -> Vec<Outline> {
    let poses = state.motions.iter().map(|motion| motion.pose);
    at(model, poses)
}

/// The outlines of all bodies about their centres of mass, not turned.
pub(crate) fn shapes(model: &Model) -> Vec<Outline> {
    let solids = model.solids.iter();
    at(
        model,
        solids.map(|solid| Pose::new(solid.cm, Vec2::zeros(), 0.0)),
    )
}

/// The outlines of all bodies in poses.
fn at(model: &Model, poses: impl Iterator<Item = Pose>) -> Vec<Outline> {
    let named = model.scene.bodies.iter().zip(&model.solids).enumerate();
    named
        .zip(poses)
        .map(|((body, (spec, solid)), pose)| Outline {
            name: spec.name.clone(),
            fixed: solid.is_fixed(),
            loops: loops(solid, pose),
            wires: wires(model, body, pose),
        })
        .collect()
}

fn wires(model: &Model, body: usize, pose: Pose) -> Vec<Vec<[f64; 2]>> {
    let own = model.connections.iter().filter(|own| own.second == body);
    let tracks = own.filter_map(|own| match &own.law {
        ConnectionLaw::Along { track } => Some(track),
        _ => None,
    });
    let wire = |track: &Arc<Track>| {
        let points = track.points().into_iter();
        points.map(|point| pose.to_world(point).into()).collect()
    };
    tracks.map(wire).collect()
}

fn loops(solid: &Solid, pose: Pose) -> Vec<Vec<[f64; 2]>> {
    let mut loops: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut end: Option<Vec2> = None;
    for edge in &solid.shape.edges {
        let goes_on = end.is_some_and(|end| (end - edge.from).norm() <= LOOP_CLOSES);
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
