//! Closed loops: where a loop of a path ends, and the edges that it is made of.

use std::ops::Range;

use crate::tolerances::LOOP_CLOSES;

use super::path::{Path, PathEdge, PathError};
use super::{Arc, Edge, Kind, Vec2};

/// The edges of the loop that starts at an edge. It ends with the first edge that comes back to its start.
pub(super) fn closed_loop(path: &Path, start: usize) -> Result<Range<usize>, PathError> {
    let edges = &path.edges;
    for edge in start..edges.len() {
        let finite = [edges[edge].from(), edges[edge].to()].into_iter().flatten();
        if !finite.into_iter().all(f64::is_finite) {
            return Err(PathError::NotFinite { edge });
        }
        if same(edges[edge].to(), edges[start].from()) {
            return Ok(start..edge + 1);
        }
        let goes_on = edges
            .get(edge + 1)
            .is_some_and(|next| same(edges[edge].to(), next.from()));
        if !goes_on {
            return Err(PathError::Open { edge });
        }
    }
    Err(PathError::Open { edge: edges.len() })
}

/// Whether two ends are one point.
fn same(a: [f64; 2], b: [f64; 2]) -> bool {
    (Vec2::from(a) - Vec2::from(b)).norm() <= LOOP_CLOSES
}

/// The edge of a description; `position` is named where it has no extent.
pub(super) fn make_edge(edge: &PathEdge, position: usize) -> Result<Edge, PathError> {
    match *edge {
        PathEdge::Line { from, to } => {
            let (from, to) = (Vec2::from(from), Vec2::from(to));
            if (to - from).norm() <= LOOP_CLOSES {
                return Err(PathError::Empty { edge: position });
            }
            Ok(Edge::straight(from, to))
        }
        PathEdge::Arc {
            from,
            to,
            center,
            clockwise,
            outside_is_out,
        } => {
            let (from, to, center) = (Vec2::from(from), Vec2::from(to), Vec2::from(center));
            let radius = (from - center).norm();
            if !radius.is_finite() || radius <= LOOP_CLOSES {
                return Err(PathError::Empty { edge: position });
            }
            if (radius - (to - center).norm()).abs() > LOOP_CLOSES {
                return Err(PathError::NoArc { edge: position });
            }
            let arc = Arc::new(from, to, center, clockwise, outside_is_out);
            Ok(Edge {
                from,
                to,
                kind: Kind::Arc(arc),
            })
        }
    }
}
