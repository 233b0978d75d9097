//! The scenes and settings that are refused, with the messages.

use etalon_planar::WorldError;

use crate::protocol::{Complaint, ComplaintCode};

/// Refuses a number outside of its range.
pub fn within(
    field: &str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
) -> Result<(), Complaint> {
    if range.contains(&value) {
        return Ok(());
    }
    let message = format!("{field} is {value}");
    let remedy = format!("take a number from {} to {}", range.start(), range.end());
    Err(Complaint::new(
        ComplaintCode::OutOfRange,
        Some(field),
        message,
        remedy,
    ))
}

/// The engine's error about a scene.
pub fn complaint(error: &WorldError) -> Complaint {
    let (field, remedy) = match error {
        WorldError::Path { .. } => (
            "scene.bodies.path",
            "close every loop of edges, counter-clockwise",
        ),
        WorldError::Twice { .. } => ("scene.bodies.name", "give every body a name of its own"),
        WorldError::Overlap { .. } => (
            "scene.bodies.position",
            "move them apart, or let one pass the other",
        ),
        WorldError::Overstretched { .. } => (
            "scene.connectors",
            "make it longer, or move its ends together",
        ),
        WorldError::Unknown { .. } => ("scene", "name bodies of the scene"),
        WorldError::NoWayIn { .. } => ("scene.bodies.inside", "leave the entry out"),
        _ => ("scene", "change the number that the message names"),
    };
    Complaint::new(
        ComplaintCode::BadScene,
        Some(field),
        error.to_string(),
        remedy,
    )
}
