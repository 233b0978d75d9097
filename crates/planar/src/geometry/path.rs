//! Paths: the outlines of bodies as data.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

/// One edge of a path, in body coordinates (m).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PathEdge {
    /// A straight edge.
    Line {
        /// Where it starts: the end of the edge before.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
    },
    /// An arc of a circle; a whole one when it ends where it starts.
    Arc {
        /// Where it starts.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
        /// The centre of the circle.
        center: [f64; 2],
        /// Whether it runs clockwise.
        clockwise: bool,
        /// Whether the outside of the circle is outside of the body: a convex edge, else concave.
        outside_is_out: bool,
    },
}

/// Closed loops of edges, the body on the left of each: the outline runs counter-clockwise, a
/// hole's edge clockwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path {
    /// The edges, loop after loop.
    pub edges: Vec<PathEdge>,
}

/// Why edges are not a path that a body can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A coordinate is not a finite number.
    #[error("edge {edge} has a coordinate that is not finite")]
    NotFinite {
        /// Its position.
        edge: usize,
    },
    /// A loop does not come back to its start.
    #[error("edge {edge} ends where no edge goes on, and the loop is not closed")]
    Open {
        /// Its position.
        edge: usize,
    },
    /// A straight edge of no length, or an arc of no radius.
    #[error("edge {edge} has no extent")]
    Empty {
        /// Its position.
        edge: usize,
    },
    /// The ends of an arc are not equally far from its centre.
    #[error("the ends of arc {edge} are not equally far from its centre")]
    NoArc {
        /// Its position.
        edge: usize,
    },
    /// More edges than a shape may have.
    #[error("a shape of {edges} edges; at most {limit} are taken")]
    TooMany {
        /// How many there are.
        edges: usize,
        /// How many there may be.
        limit: usize,
    },
    /// An arc that is too long: contact is looked for at points along arcs, and there would be too many.
    #[error(
        "edge {edge} is too long: contact is looked for every 0.3 m along arcs, and at {limit} points at most"
    )]
    LongArc {
        /// Which edge, from 0.
        edge: usize,
        /// How many there may be.
        limit: usize,
    },
}

impl PathEdge {
    /// Where the edge starts.
    pub fn from(&self) -> [f64; 2] {
        match self {
            Self::Line { from, .. } | Self::Arc { from, .. } => *from,
        }
    }

    /// Where the edge ends.
    pub fn to(&self) -> [f64; 2] {
        match self {
            Self::Line { to, .. } | Self::Arc { to, .. } => *to,
        }
    }
}

impl Path {
    /// The polygon through the corners, counter-clockwise.
    pub fn polygon(corners: &[[f64; 2]]) -> Self {
        let next = corners.iter().cycle().skip(1);
        let edges = corners.iter().zip(next);
        let edges = edges
            .map(|(&from, &to)| PathEdge::Line { from, to })
            .collect();
        Self { edges }
    }

    /// A rectangle around the origin, m.
    pub fn rectangle(width: f64, height: f64) -> Self {
        let (x, y) = (width / 2.0, height / 2.0);
        Self::polygon(&[[-x, -y], [x, -y], [x, y], [-x, y]])
    }

    /// A ball around the origin, m.
    pub fn ball(radius: f64) -> Self {
        let end = [radius, 0.0];
        let circle = PathEdge::Arc {
            from: end,
            to: end,
            center: [0.0; 2],
            clockwise: false,
            outside_is_out: true,
        };
        Self {
            edges: vec![circle],
        }
    }

    /// A regular polygon around the origin, m.
    pub fn regular(corners: usize, radius: f64) -> Self {
        let corner = |k: usize| {
            let angle = TAU * k as f64 / corners as f64;
            [radius * angle.cos(), radius * angle.sin()]
        };
        Self::polygon(&(0..corners).map(corner).collect::<Vec<_>>())
    }
}
