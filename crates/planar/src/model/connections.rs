//! Connectors: from the description to what a step works with.

use crate::body::Solid;
use crate::contact::{Connection, ConnectionLaw};
use crate::error::WorldError;
use crate::geometry::Vec2;
use crate::range::{check, finite, positive};
use crate::scene::{Connector, Frame};
use crate::tolerances::UNIT_LENGTH;

use super::names::{Names, find};

pub(super) fn connection(
    connector: &Connector,
    names: &Names<'_>,
    solids: &[Solid],
) -> Result<Connection, WorldError> {
    let (Connector::Joint {
        body,
        at,
        other,
        other_at,
        ..
    }
    | Connector::Rope {
        body,
        at,
        other,
        other_at,
        ..
    }) = connector;
    let points = [at[0], at[1], other_at[0], other_at[1]];
    finite("a point of a connector", &points)?;
    let law = law(connector)?;
    let (first, second) = (find(names, body)?, find(names, other)?);
    if first == second || solids[first].is_fixed() && solids[second].is_fixed() {
        return Err(WorldError::HoldsNothing {
            body: body.clone(),
            other: other.clone(),
        });
    }
    Ok(Connection {
        first,
        at: (*at).into(),
        second,
        other_at: (*other_at).into(),
        law,
    })
}

fn law(connector: &Connector) -> Result<ConnectionLaw, WorldError> {
    match connector {
        Connector::Joint { normal, frame, .. } => {
            let length = Vec2::from(*normal).norm();
            let holds = (length - 1.0).abs() <= UNIT_LENGTH;
            check(holds, "the length of a joint's normal", length, "1")?;
            Ok(ConnectionLaw::Joint {
                normal: (*normal).into(),
                turns: *frame == Frame::Body,
            })
        }
        Connector::Rope { length, rod, .. } => {
            positive("the length of a rope", *length)?;
            Ok(ConnectionLaw::Rope {
                length: *length,
                rod: *rod,
            })
        }
    }
}
