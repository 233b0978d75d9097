//! Which scenes are taken.

use etalon_planar::{Connector, ForceLaw, PathEdge, WorldSpec};

use super::complaints::within;
use super::controls;
use crate::limits;
use crate::protocol::{Complaint, ComplaintCode};

/// Refuses a scene that would take too much time or memory, before anything is made from it.
pub fn check(scene: &WorldSpec) -> Result<(), Complaint> {
    at_most("scene.bodies", scene.bodies.len(), limits::BODIES)?;
    at_most(
        "scene.connectors",
        scene.connectors.len(),
        limits::CONNECTORS,
    )?;
    at_most("scene.forces", scene.forces.len(), limits::CONNECTORS)?;
    let edges = || scene.bodies.iter().flat_map(|body| &body.path.edges);
    at_most("scene.bodies.path", edges().count(), limits::EDGES)?;
    for (k, body) in scene.bodies.iter().enumerate() {
        let field = |name: &str| format!("scene.bodies[{k}].{name}");
        at_most(&field("name"), body.name.chars().count(), limits::NAME)?;
        at_most(&field("passes"), body.passes.len(), limits::BODIES)?;
        at_most(&field("inside"), body.inside.len(), limits::BODIES)?;
        near(&field("position"), &body.position)?;
        near(&field("center_of_mass"), &body.center_of_mass)?;
        within(&field("friction"), body.friction, limits::FRICTION)?;
        for edge in &body.path.edges {
            near(&field("path"), &edge.from())?;
            near(&field("path"), &edge.to())?;
        }
    }
    let around: f64 = edges().map(circumference).sum();
    if around.is_nan() || around > limits::ARC_METRES {
        let message = format!("the circles of all arcs measure {around:.0} m");
        let remedy = format!(
            "make them smaller or fewer: {} m are taken",
            limits::ARC_METRES
        );
        return Err(Complaint::new(
            ComplaintCode::TooLarge,
            Some("scene.bodies.path"),
            message,
            remedy,
        ));
    }
    scene.connectors.iter().try_for_each(connector)?;
    scene.forces.iter().try_for_each(force)?;
    // What is set of all laws together, as they are shown.
    let [gravity, damping] = [controls::gravity(scene), controls::damping(scene)];
    within("scene.forces.g", gravity, limits::GRAVITY)?;
    within("scene.forces.damping", damping, limits::DAMPING)?;
    within(
        "scene.settings.time_step",
        scene.settings.time_step,
        limits::TIME_STEP,
    )
}

/// The circle that an arc is part of, m.
fn circumference(edge: &PathEdge) -> f64 {
    match edge {
        PathEdge::Line { .. } => 0.0,
        PathEdge::Arc { from, center, .. } => {
            std::f64::consts::TAU * (from[0] - center[0]).hypot(from[1] - center[1])
        }
    }
}

fn connector(connector: &Connector) -> Result<(), Complaint> {
    match connector {
        Connector::Joint { at, other_at, .. } | Connector::Rope { at, other_at, .. } => {
            near("scene.connectors", at).and_then(|()| near("scene.connectors", other_at))
        }
        Connector::Path { at, curve, .. } => {
            let pieces = &curve.pieces;
            at_most("scene.connectors.curve", pieces.len(), limits::PIECES)?;
            let points = pieces.iter().flat_map(|piece| &piece.points);
            let mut points = points.chain([at]);
            points.try_for_each(|point| near("scene.connectors", point))
        }
    }
}

fn force(law: &ForceLaw) -> Result<(), Complaint> {
    match law {
        ForceLaw::Spring { at, other_at, .. } => {
            near("scene.forces", at).and_then(|()| near("scene.forces", other_at))
        }
        ForceLaw::Push { at, .. } => near("scene.forces", at),
        _ => Ok(()),
    }
}

fn at_most(field: &str, count: usize, limit: usize) -> Result<(), Complaint> {
    if count <= limit {
        return Ok(());
    }
    let message = format!("{field} has {count}; at most {limit} are taken");
    let remedy = "leave some out, or run it with `etalon scenario run FILE`";
    Err(Complaint::new(
        ComplaintCode::TooLarge,
        Some(field),
        message,
        remedy,
    ))
}

fn near(field: &str, point: &[f64; 2]) -> Result<(), Complaint> {
    let far = limits::METRES;
    point
        .iter()
        .try_for_each(|&value| within(field, value, -far..=far))
}
