//! One contact for each place: which one stays where several are found.

use crate::body::Bodies;
use crate::tolerances::SAME_NORMAL;

use super::{Contact, Feature};

/// Adds a contact, unless a better one of the same place is known, and takes out worse ones. A contact found at a later
/// time is better, since it shows how the bodies will meet. Of the same time the deeper one is better.
pub(super) fn add(contacts: &mut Vec<Contact>, bodies: Bodies<'_>, new: Contact) {
    let mut stays = true;
    contacts.retain(|old| {
        if !is_same_place(&new, old, bodies) {
            return true;
        }
        if old.detected > new.detected {
            stays = false;
            return true;
        }
        // Of equal times and equal depths the first stays.
        if new.detected > old.detected || new.distance < old.distance {
            return false;
        }
        stays = false;
        true
    });
    if stays {
        contacts.push(new);
    }
}

fn is_same_place(new: &Contact, old: &Contact, bodies: Bodies<'_>) -> bool {
    let has = |body| old.first == body || old.second == body;
    if !has(new.first) || !has(new.second) {
        return false;
    }
    match new.feature {
        Feature::Connector { .. } => false,
        Feature::Corners { vertex, other } => {
            has_vertex(old, new.first, vertex) || has_vertex(old, new.second, other)
        }
        Feature::Corner { vertex, edge } => {
            if has_vertex(old, new.first, vertex) {
                return true;
            }
            let corner = &bodies.at(new.first).solid.shape.vertices[vertex];
            let shares = has_edge(old, bodies, new.first, corner.before)
                || corner
                    .after
                    .is_some_and(|after| has_edge(old, bodies, new.first, after));
            shares && has_edge(old, bodies, new.second, edge) && is_near(new, old, bodies)
        }
        Feature::Edges { edge, other } => {
            has_edge(old, bodies, new.first, edge)
                && has_edge(old, bodies, new.second, other)
                && is_near(new, old, bodies)
        }
    }
}

fn has_vertex(contact: &Contact, body: usize, index: usize) -> bool {
    match contact.feature {
        Feature::Corner { vertex, .. } => (contact.first, vertex) == (body, index),
        Feature::Corners { vertex, other } => {
            (contact.first, vertex) == (body, index) || (contact.second, other) == (body, index)
        }
        _ => false,
    }
}

fn has_edge(contact: &Contact, bodies: Bodies<'_>, body: usize, index: usize) -> bool {
    match contact.feature {
        Feature::Corner { vertex, edge } => {
            let corner = &bodies.at(contact.first).solid.shape.vertices[vertex];
            (contact.second, edge) == (body, index)
                || contact.first == body && (corner.before == index || corner.after == Some(index))
        }
        Feature::Edges { edge, other } => {
            (contact.first, edge) == (body, index) || (contact.second, other) == (body, index)
        }
        _ => false,
    }
}

/// Whether two contacts of the same edges are one: their points are near, and their normals nearly parallel.
fn is_near(new: &Contact, old: &Contact, bodies: Bodies<'_>) -> bool {
    let second = match new.feature {
        Feature::Corner { edge, .. } | Feature::Edges { other: edge, .. } => new
            .round_normal
            .unwrap_or_else(|| bodies.at(new.second).solid.shape.edges[edge].curvature()),
        _ => f64::INFINITY,
    };
    let first = new.round.unwrap_or(new.curvature);
    let near = nearness(first, second, new.tolerances.distance);
    (new.point - old.point).norm() <= near && new.normal.dot(&old.normal).abs() >= SAME_NORMAL
}

/// How far apart two contacts of one pair of curves must be to differ, m. A curve of radius r leaves its tangent by
/// x^2/(2r) at a distance of x. So beyond twice the x at which that is the distance tolerance, the curves touch anew.
fn nearness(first: f64, second: f64, tolerance: f64) -> f64 {
    let radius = match (first.is_infinite(), second.is_infinite()) {
        (true, _) => {
            if second > 0.0 {
                second
            } else {
                first
            }
        }
        (_, true) => {
            if first > 0.0 {
                first
            } else {
                second
            }
        }
        _ if first > 0.0 && second > 0.0 => first.min(second),
        _ if first < 0.0 => -first,
        _ => -second,
    };
    if radius.is_infinite() {
        tolerance
    } else {
        2.0 * (2.0 * tolerance * radius).sqrt()
    }
}
