//! The place of a contact: point, normal and gap, from the features that touch.

use crate::body::Bodies;
use crate::geometry::{Arc, Vec2};
use crate::tolerances::{NO_DIRECTION, Tolerances};

use super::connection::Connection;
use super::{Contact, Feature};

/// Finds where contacts are: the parts of the model that this depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Locator<'a> {
    pub connections: &'a [Connection],
    pub tolerances: Tolerances,
}

impl Contact {
    /// A contact of two bodies whose point, normal and gap are still to be set.
    pub(super) fn new(
        bodies: Bodies<'_>,
        pair: (usize, usize),
        feature: Feature,
        locator: &Locator<'_>,
    ) -> Self {
        let (first, second) = pair;
        Self {
            first,
            second,
            feature,
            joint: false,
            normal_stays: false,
            round: None,
            round_normal: None,
            bend: 0.0,
            curvature: f64::INFINITY,
            point: Vec2::zeros(),
            other_point: None,
            normal: Vec2::y(),
            distance: f64::INFINITY,
            velocity: 0.0,
            elasticity: bodies
                .at(first)
                .solid
                .elasticity
                .min(bodies.at(second).solid.elasticity),
            friction: match feature {
                Feature::Connector { .. } => 0.0,
                _ => bodies
                    .at(first)
                    .solid
                    .friction
                    .min(bodies.at(second).solid.friction),
            },
            tolerances: locator.tolerances,
            detected: f64::NAN,
            detected_velocity: 0.0,
            estimate: None,
            must_handle: false,
        }
    }
}

impl Locator<'_> {
    /// Moves a contact to where the bodies are now. Returns false, and leaves the contact as it was, where it has no normal
    /// any more.
    pub fn update(&self, contact: &mut Contact, bodies: Bodies<'_>) -> bool {
        match contact.feature {
            Feature::Corner { vertex, edge } => update_corner(contact, bodies, vertex, edge),
            Feature::Corners { vertex, other } => update_corners(contact, bodies, vertex, other),
            Feature::Edges { edge, other } => update_edges(contact, bodies, edge, other),
            Feature::Connector { index } => match self.connections.get(index) {
                Some(connection) => connection.place(contact, bodies),
                None => false,
            },
        }
    }

    /// The contact that a connector makes; none for a rope that hangs loose.
    pub fn connector(&self, bodies: Bodies<'_>, index: usize) -> Option<Contact> {
        let connection = self.connections.get(index)?;
        let pair = (connection.first, connection.second);
        let mut contact = Contact::new(bodies, pair, Feature::Connector { index }, self);
        contact.joint = connection.is_joint();
        let placed = connection.acts(bodies, self.tolerances.distance)
            && connection.place(&mut contact, bodies);
        (placed && (contact.joint || contact.distance < self.tolerances.distance))
            .then_some(contact)
    }
}

fn update_corner(contact: &mut Contact, bodies: Bodies<'_>, vertex: usize, edge: usize) -> bool {
    let (first, second) = (bodies.at(contact.first), bodies.at(contact.second));
    let corner = second.motion.pose.to_body(
        first
            .motion
            .pose
            .to_world(first.solid.shape.vertices[vertex].at),
    );
    let edge = &second.solid.shape.edges[edge];
    let Some((point, normal)) = edge.nearest(corner) else {
        return false;
    };
    contact.point = second.motion.pose.to_world(point);
    contact.normal = second.motion.pose.rotate(normal);
    contact.distance = edge.distance(corner);
    true
}

fn update_corners(contact: &mut Contact, bodies: Bodies<'_>, vertex: usize, other: usize) -> bool {
    let (first, second) = (bodies.at(contact.first), bodies.at(contact.second));
    let corner = first
        .motion
        .pose
        .to_world(first.solid.shape.vertices[vertex].at);
    let point = second
        .motion
        .pose
        .to_world(second.solid.shape.vertices[other].at);
    let apart = corner - point;
    let distance = apart.norm();
    // Corners that are found lie `coincides` apart at least. In motion they may come nearer, and have a
    // direction as long as they are not at one point.
    if distance == 0.0 {
        return false;
    }
    contact.point = point;
    contact.distance = distance;
    contact.normal = apart / distance;
    true
}

fn update_edges(contact: &mut Contact, bodies: Bodies<'_>, edge: usize, other: usize) -> bool {
    let (first, second) = (bodies.at(contact.first), bodies.at(contact.second));
    let Some(arc) = first.solid.shape.edges[edge].arc() else {
        return false;
    };
    let center = second
        .motion
        .pose
        .to_body(first.motion.pose.to_world(arc.center));
    let other = &second.solid.shape.edges[other];
    let (point, normal) = match other.arc() {
        None => {
            let Some((on_line, normal)) = other.nearest(center) else {
                return false;
            };
            let deepest = center - normal * arc.radius;
            // At rest the point is the one about which the arc rolls, on the line. In a collision it is the
            // deepest point of the arc, where the bodies meet.
            let rests = contact.rests();
            contact.distance = other.distance(deepest);
            (if rests { on_line } else { deepest }, normal)
        }
        Some(normal_arc) => {
            let Some(placed) = place_arcs(arc, normal_arc, center) else {
                return false;
            };
            contact.distance = placed.distance;
            (placed.point, placed.normal)
        }
    };
    contact.point = second.motion.pose.to_world(point);
    contact.normal = second.motion.pose.rotate(normal);
    true
}

/// Two arcs in the body coordinates of the second.
pub(super) struct PlacedArcs {
    pub distance: f64,
    pub point: Vec2,
    pub normal: Vec2,
}

/// The gap between an arc around `center` and the second body's arc.
pub(super) fn place_arcs(arc: &Arc, normal_arc: &Arc, center: Vec2) -> Option<PlacedArcs> {
    let apart = center - normal_arc.center;
    let length = apart.norm();
    if length < NO_DIRECTION * normal_arc.radius.max(arc.radius) {
        return None;
    }
    let out = apart / length;
    let distance = match (normal_arc.outside_is_out, arc.outside_is_out) {
        (true, true) => length - (normal_arc.radius + arc.radius),
        (false, true) => normal_arc.radius - arc.radius - length,
        (true, false) => arc.radius - normal_arc.radius - length,
        // Two hollows have no normal towards each other; their ends touch as vertices.
        (false, false) => return None,
    };
    let point = normal_arc.center + out * normal_arc.radius;
    Some(PlacedArcs {
        distance,
        point,
        normal: out * normal_arc.side(),
    })
}
