//! Curves as data: rational Bézier pieces, along which a joint holds a point of a body.

use serde::{Deserialize, Serialize};

/// A rational Bézier piece of degree n: its n + 1 control points, in body coordinates (m), and their weights.
///
/// > c(t) = sum_i B_i(t) w_i p_i / sum_i B_i(t) w_i, with B_i(t) = C(n, i) t^i (1 - t)^(n - i), t from 0 to 1.
///
/// Two points are a straight line, three of weight 1 a parabola. The points (1, 0), (1, 1), (0, 1) of weights 1, 1, 2 are a
/// quarter of the unit circle, to the last digit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePiece {
    /// The control points: the first and the last lie on the curve.
    pub points: Vec<[f64; 2]>,
    /// A weight over 0 for each point; none means that all are 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
}

/// Pieces that go on from one another without a corner. It is closed where the last ends in the start of the first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Curve {
    /// The pieces, in order.
    pub pieces: Vec<CurvePiece>,
}

/// Why pieces are not a curve that a point can be held on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// No piece.
    #[error("it has no piece; give at least one")]
    Empty,
    /// A piece of too few or too many control points.
    #[error("piece {piece} has {points} points; it takes from 2 to {limit}")]
    Points {
        /// Its position.
        piece: usize,
        /// How many there are.
        points: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Weights that are not one for each point.
    #[error("piece {piece} has {weights} weights for {points} points; give one for each, or none")]
    Weights {
        /// Its position.
        piece: usize,
        /// How many weights there are.
        weights: usize,
        /// How many points there are.
        points: usize,
    },
    /// A coordinate that is not finite, or a weight that is not finite and over 0.
    #[error("piece {piece} has {what} {value}; {range}")]
    Number {
        /// Its position.
        piece: usize,
        /// `the coordinate` or `the weight`.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A piece that does not start where the one before ends.
    #[error("piece {piece} starts {gap:.3e} m from where the piece before it ends")]
    Apart {
        /// Its position.
        piece: usize,
        /// m.
        gap: f64,
    },
    /// A corner: a point could not pass it without a blow.
    #[error(
        "there is a corner of {turn:.3} rad where piece {piece} starts; let its first two points lie \
         in line with the last two before it"
    )]
    Corner {
        /// The piece after the corner.
        piece: usize,
        /// By how much the direction turns, rad.
        turn: f64,
    },
    /// A cusp, or a turn that is too sharp.
    #[error("piece {piece} turns back on the spot near ({x}, {y}); smooth it")]
    Sharp {
        /// Its position.
        piece: usize,
        /// Where, m.
        x: f64,
        /// Where, m.
        y: f64,
    },
    /// A curve that crosses itself or comes too near to itself: it would not be said where the point is.
    #[error(
        "it comes within {limit:.3e} m of itself near ({x}, {y}): where a point is would not be clear; \
         keep its parts farther apart"
    )]
    Crosses {
        /// Where, m.
        x: f64,
        /// Where, m.
        y: f64,
        /// How near parts may come, m.
        limit: f64,
    },
    /// A curve that would take too many stations.
    #[error("it is too long or bends too much: more than {limit} places along it would be watched")]
    TooLong {
        /// How many there may be.
        limit: usize,
    },
}
