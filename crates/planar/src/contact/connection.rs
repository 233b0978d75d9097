//! Connectors between bodies given by index: which gap they hold, and where.

use std::sync::Arc;

use crate::body::Bodies;
use crate::geometry::{End, Track, Vec2};
use crate::tolerances::NO_DIRECTION;

use super::Contact;

/// A joint, rope, rod or track between bodies given by index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Connection {
    pub first: usize,
    /// The first body's point.
    pub at: Vec2,
    pub second: usize,
    pub law: ConnectionLaw,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConnectionLaw {
    /// The first body's point stays at one of the second, along a normal.
    Joint {
        other_at: Vec2,
        normal: Vec2,
        turns: bool,
    },
    /// It stays within a length of one of the second, or at it.
    Rope {
        other_at: Vec2,
        length: f64,
        rod: bool,
    },
    /// It stays on a track of the second.
    Along { track: Arc<Track> },
    /// It does not pass an end of the track.
    Stop { track: Arc<Track>, end: End },
}

impl Connection {
    /// Whether its gap is to stay 0, so that it may pull.
    pub fn is_joint(&self) -> bool {
        match self.law {
            ConnectionLaw::Joint { .. } | ConnectionLaw::Along { .. } => true,
            ConnectionLaw::Rope { rod, .. } => rod,
            ConnectionLaw::Stop { .. } => false,
        }
    }

    /// Whether it can act: an end of a track only where the point has come to it. Elsewhere the line across the end says
    /// nothing, for a track may bend back over it.
    pub fn acts(&self, bodies: Bodies<'_>, tolerance: f64) -> bool {
        let ConnectionLaw::Stop { track, end } = &self.law else {
            return true;
        };
        let point = self.held(bodies);
        let way = track.end(*end).map(|foot| (foot.at - point).norm());
        way.is_some_and(|way| way < 2.0 * tolerance) || track.nearest(point).beyond == Some(*end)
    }

    /// Moves its contact to where the bodies are now; false where it has no normal.
    pub fn place(&self, contact: &mut Contact, bodies: Bodies<'_>) -> bool {
        let point = bodies.at(self.first).motion.pose.to_world(self.at);
        let pose = bodies.at(self.second).motion.pose;
        contact.point = point;
        match self.law {
            ConnectionLaw::Joint {
                other_at,
                normal,
                turns,
            } => {
                let other = pose.to_world(other_at);
                contact.normal_stays = !turns;
                contact.normal = if turns { pose.rotate(normal) } else { normal };
                contact.distance = contact.normal.dot(&(point - other));
                contact.other_point = Some(other);
            }
            ConnectionLaw::Rope {
                other_at,
                length,
                rod,
            } => {
                let other = pose.to_world(other_at);
                let along = other - point;
                let apart = along.norm();
                if apart < NO_DIRECTION * length {
                    return false;
                }
                // A rope keeps each end within a circle around the other: a hollow, with a negative radius.
                contact.normal = along / apart;
                contact.distance = length - apart;
                contact.round = Some(0.0);
                contact.round_normal = Some(if rod { -length } else { -apart });
                contact.other_point = Some(other);
            }
            // On a track both levers end at the point, not at its foot: the rate of the gap is then that of the two bodies
            // at one place, also where the point has left the track a little.
            ConnectionLaw::Along { ref track } => {
                let held = self.held(bodies);
                let foot = track.nearest(held);
                contact.distance = foot.distance(held);
                contact.bend = -foot.curvature;
                contact.normal = pose.rotate(foot.normal());
            }
            ConnectionLaw::Stop { ref track, end } => {
                let Some(foot) = track.end(end) else {
                    return false;
                };
                let back = foot.back(end);
                contact.distance = back.dot(&(self.held(bodies) - foot.at));
                contact.normal = pose.rotate(back);
            }
        }
        true
    }

    /// How far the point is from its track, m; none for other connectors. Beyond an end the way to the end counts.
    pub fn beside(&self, bodies: Bodies<'_>) -> Option<f64> {
        let ConnectionLaw::Along { track } = &self.law else {
            return None;
        };
        let held = self.held(bodies);
        Some((track.nearest(held).at - held).norm())
    }

    /// The first body's point in the second's coordinates.
    fn held(&self, bodies: Bodies<'_>) -> Vec2 {
        let (first, second) = (bodies.at(self.first), bodies.at(self.second));
        second
            .motion
            .pose
            .to_body(first.motion.pose.to_world(self.at))
    }
}
