//! Connectors: from the description to what a step works with.

use std::sync::Arc;

use crate::body::{Bodies, Solid};
use crate::contact::{Connection, ConnectionLaw};
use crate::error::WorldError;
use crate::geometry::{End, Track, Vec2};
use crate::range::{check, finite, positive};
use crate::scene::{Connector, Frame};
use crate::tolerances::{Tolerances, UNIT_LENGTH};

use super::names::{Names, find};

/// What a connector holds together: one gap, or that of a track and those of its ends.
pub(super) fn connections(
    connector: &Connector,
    names: &Names<'_>,
    solids: &[Solid],
    tolerances: Tolerances,
) -> Result<Vec<Connection>, WorldError> {
    let (Connector::Joint {
        body, at, other, ..
    }
    | Connector::Rope {
        body, at, other, ..
    }
    | Connector::Path {
        body, at, other, ..
    }) = connector;
    finite("a point of a connector", at)?;
    let laws = laws(connector, tolerances)?;
    let (first, second) = (find(names, body)?, find(names, other)?);
    if first == second || solids[first].is_fixed() && solids[second].is_fixed() {
        return Err(WorldError::HoldsNothing {
            body: body.clone(),
            other: other.clone(),
        });
    }
    let connection = |law| Connection {
        first,
        at: (*at).into(),
        second,
        law,
    };
    Ok(laws.into_iter().map(connection).collect())
}

fn laws(connector: &Connector, tolerances: Tolerances) -> Result<Vec<ConnectionLaw>, WorldError> {
    match connector {
        Connector::Joint {
            other_at,
            normal,
            frame,
            ..
        } => {
            finite("a point of a connector", other_at)?;
            let length = Vec2::from(*normal).norm();
            let holds = (length - 1.0).abs() <= UNIT_LENGTH;
            check(holds, "the length of a joint's normal", length, "1")?;
            Ok(vec![ConnectionLaw::Joint {
                other_at: (*other_at).into(),
                normal: (*normal).into(),
                turns: *frame == Frame::Body,
            }])
        }
        Connector::Rope {
            other_at,
            length,
            rod,
            ..
        } => {
            finite("a point of a connector", other_at)?;
            positive("the length of a rope", *length)?;
            Ok(vec![ConnectionLaw::Rope {
                other_at: (*other_at).into(),
                length: *length,
                rod: *rod,
            }])
        }
        Connector::Path {
            body, other, curve, ..
        } => {
            let track = Track::new(curve, tolerances.parts_apart());
            let track = Arc::new(track.map_err(|error| WorldError::Curve {
                body: body.clone(),
                other: other.clone(),
                error,
            })?);
            let ends = [End::First, End::Last].into_iter();
            let ends = ends.filter(|end| track.end(*end).is_some());
            let stop = |end| ConnectionLaw::Stop {
                track: Arc::clone(&track),
                end,
            };
            let mut laws = vec![ConnectionLaw::Along {
                track: Arc::clone(&track),
            }];
            laws.extend(ends.map(stop));
            Ok(laws)
        }
    }
}

/// Refuses a point that does not start on its track: where it belongs would be a guess.
pub(super) fn starts_on_tracks(
    connections: &[Connection],
    bodies: Bodies<'_>,
    tolerances: Tolerances,
    name: impl Fn(usize) -> String,
) -> Result<(), WorldError> {
    for connection in connections {
        let beside = connection.beside(bodies);
        if beside.is_some_and(|beside| beside > tolerances.distance) {
            return Err(WorldError::Beside {
                body: name(connection.first),
                other: name(connection.second),
                beside: beside.unwrap_or_default(),
                limit: tolerances.distance,
            });
        }
    }
    Ok(())
}
