//! Curves against edges: where an arc of one body touches or overlaps an edge of another.

use crate::body::Bodies;
use crate::geometry::{Arc, Edge, Vec2};
use crate::tolerances::Tolerances;

use super::place::place_arcs;
use super::{Contact, Feature};

/// A touch of two edges, in the world.
pub(super) struct Touch {
    /// First and second body.
    pub pair: (usize, usize),
    pub feature: Feature,
    distance: f64,
    point: Vec2,
    normal: Vec2,
    round: f64,
    round_normal: Option<f64>,
}

impl Touch {
    pub fn fill(&self, contact: &mut Contact) {
        contact.distance = self.distance;
        contact.point = self.point;
        contact.normal = self.normal;
        contact.round = Some(self.round);
        contact.round_normal = self.round_normal;
    }
}

type Side<'a> = (usize, usize, &'a Edge);

/// How two edges touch or overlap. Two straight edges have no touch of their own: their corners are found as vertices.
pub(super) fn touch(
    bodies: Bodies<'_>,
    one: Side<'_>,
    two: Side<'_>,
    tolerances: Tolerances,
) -> Option<Touch> {
    match (one.2.arc(), two.2.arc()) {
        (None, None) => None,
        (Some(arc), None) => arc_on_line(bodies, (one.0, one.1, arc), two, tolerances),
        (None, Some(arc)) => arc_on_line(bodies, (two.0, two.1, arc), one, tolerances),
        (Some(a), Some(b)) => arc_on_arc(
            bodies,
            (one.0, one.1, a),
            (two.0, two.1, b),
            tolerances.distance,
        ),
    }
}

type ArcSide<'a> = (usize, usize, &'a Arc);

fn arc_on_line(
    bodies: Bodies<'_>,
    curve: ArcSide<'_>,
    line: Side<'_>,
    tolerances: Tolerances,
) -> Option<Touch> {
    let tolerance = tolerances.distance;
    let (round_body, edge, arc) = curve;
    let (flat_body, other, line) = line;
    // A hollow arc curves away from a straight edge: only its ends can touch, and they are vertices.
    if !arc.outside_is_out {
        return None;
    }
    let (round, flat) = (bodies.at(round_body), bodies.at(flat_body));
    let center = flat
        .motion
        .pose
        .to_body(round.motion.pose.to_world(arc.center));
    let (on_line, normal) = line.nearest(center)?;
    let deepest = center - normal * arc.radius;
    let distance = line.distance(deepest);
    if distance > tolerance {
        return None;
    }
    let on_arc =
        |point: Vec2| arc.spans(round.motion.pose.to_body(flat.motion.pose.to_world(point)));
    let (point, radius) = if distance > -tolerances.rounding() {
        if !line.spans(deepest) || !on_arc(deepest) {
            return None;
        }
        // The circle that is wider by the gap touches the line: rolling along it keeps the gap as it is.
        (on_line, arc.radius + distance)
    } else {
        let (round_old, flat_old) = (round.motion.old?, flat.motion.old?);
        let center_old = flat_old.to_body(round_old.to_world(arc.center));
        let came_from = center_old - normal * arc.radius;
        // The point of the arc that was nearest to the line then.
        let came_from = round_old.to_body(flat_old.to_world(came_from));
        let came_from = flat_old.to_body(round_old.to_world(arc.clamp(came_from)));
        // An arc that was beyond the line before has not come through it.
        if line.distance(came_from) < 0.0 || !on_arc(deepest) {
            return None;
        }
        line.first_crossing(came_from, deepest)?;
        (deepest, arc.radius)
    };
    Some(Touch {
        pair: (round_body, flat_body),
        feature: Feature::Edges { edge, other },
        distance,
        point: flat.motion.pose.to_world(point),
        normal: flat.motion.pose.rotate(normal),
        round: radius,
        round_normal: None,
    })
}

fn arc_on_arc(
    bodies: Bodies<'_>,
    one: ArcSide<'_>,
    two: ArcSide<'_>,
    tolerance: f64,
) -> Option<Touch> {
    // The second body sets the normal. A hollow has to be the second one: the other lies within its circle.
    let (first, second) = if two.2.outside_is_out && !one.2.outside_is_out {
        (two, one)
    } else {
        (one, two)
    };
    let (arc, hollow_or_arc) = (first.2, second.2);
    let (body, normal_body) = (bodies.at(first.0), bodies.at(second.0));
    let center = normal_body
        .motion
        .pose
        .to_body(body.motion.pose.to_world(arc.center));
    let seen = body
        .motion
        .pose
        .to_body(normal_body.motion.pose.to_world(hollow_or_arc.center));
    let faces = if hollow_or_arc.outside_is_out {
        arc.spans(seen)
    } else {
        arc.radius <= hollow_or_arc.radius && arc.spans_reflected(seen)
    };
    if !faces || !hollow_or_arc.spans(center) {
        return None;
    }
    let placed = place_arcs(arc, hollow_or_arc, center)?;
    let depth = if hollow_or_arc.outside_is_out {
        arc.depth().max(hollow_or_arc.depth())
    } else {
        arc.depth()
    };
    if placed.distance > tolerance || placed.distance < -depth {
        return None;
    }
    let gap = placed.distance.max(0.0) / 2.0;
    Some(Touch {
        pair: (first.0, second.0),
        feature: Feature::Edges {
            edge: first.1,
            other: second.1,
        },
        distance: placed.distance,
        point: normal_body.motion.pose.to_world(placed.point),
        normal: normal_body.motion.pose.rotate(placed.normal),
        round: arc.curvature() + gap,
        round_normal: Some(hollow_or_arc.curvature() + gap),
    })
}
