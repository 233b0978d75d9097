//! Shapes of the bodies of a contact, which its gap follows from.

use etalon_lcp::record::RecordError;
use serde_json::Value;

use super::Result;
use super::fields::Fields;
use crate::motion::table::cell::Cell;

/// What a body is at a contact.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A ball or disc of that radius about its centre of mass.
    Ball(Cell),
    /// A point in its axes.
    Corner(Vec<Cell>),
    /// The world, up to a plane or line across the normal: n'p is at most this.
    Plane(Cell),
}

/// What `shapes` can be.
const KNOWN: &str = "[{\"ball\": radius}, {\"plane\": offset}], [{\"corner\": [x, y]}, {\"plane\": offset}] (x, y, z in space), or two balls; a plane is the world, null";

/// The field `shapes` of a contact between two bodies.
pub(super) fn read(
    fields: &Fields<'_>,
    pair: [Option<usize>; 2],
    dimension: usize,
) -> Result<Option<[Shape; 2]>> {
    let Some(value) = fields.get("shapes") else {
        return Ok(None);
    };
    let none = || fields.fault("shapes", format!("it is none of {KNOWN}"));
    let Some([a, b]) = value.as_array().map(Vec::as_slice) else {
        return Err(none());
    };
    let one =
        |value: &Value, k: usize| shape(value, &format!("{}[{k}]", fields.at("shapes")), dimension);
    let shapes = [one(a, 0)?, one(b, 1)?];
    match (&shapes, pair) {
        ([Shape::Ball(_), Shape::Ball(_)], [Some(_), Some(_)])
        | ([Shape::Ball(_) | Shape::Corner(_), Shape::Plane(_)], [Some(_), None]) => {}
        _ => return Err(none()),
    }
    Ok(Some(shapes))
}

fn shape(value: &Value, place: &str, dimension: usize) -> Result<Shape> {
    let own = Fields::of(value, place, &["ball", "corner", "plane"])?;
    match (
        own.cell("ball")?,
        own.cells("corner", dimension)?,
        own.cell("plane")?,
    ) {
        (Some(radius), None, None) => Ok(Shape::Ball(radius)),
        (None, Some(corner), None) => Ok(Shape::Corner(corner)),
        (None, None, Some(offset)) => Ok(Shape::Plane(offset)),
        _ => Err(RecordError::new(place, "it has one of ball, corner, plane")),
    }
}

impl Shape {
    pub(super) fn cells(&self) -> &[Cell] {
        match self {
            Self::Ball(own) | Self::Plane(own) => std::slice::from_ref(own),
            Self::Corner(own) => own,
        }
    }
}
