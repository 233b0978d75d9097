//! What overlaps before the first step: contact is found where a corner passes an edge, and a corner that starts on the
//! wrong side never does.

use crate::body::Body;
use crate::geometry::{Edge, Vec2};

use super::place::Place;

/// Two bodies that overlap, and how deep, m.
pub(crate) type Overlap = (usize, usize, f64);

/// The first two bodies that collide and have a corner, or a point watched along an arc, of one inside the other, or edges
/// that cross, by more than rounding.
pub(crate) fn overlap(
    bodies: &[Body],
    place: &Place<'_>,
    passes: impl Fn(usize, usize) -> bool,
) -> Option<Overlap> {
    let slack = place.tolerances.rounding();
    let pairs = (0..bodies.len()).flat_map(|i| (i + 1..bodies.len()).map(move |j| (i, j)));
    let may_move = |i: usize, j: usize| !bodies[i].is_fixed() || !bodies[j].is_fixed();
    pairs
        .filter(|&(i, j)| may_move(i, j) && !passes(i, j) && are_near(&bodies[i], &bodies[j]))
        .find_map(|(i, j)| {
            let depth = |i: usize, j: usize| {
                let (body, other) = (&bodies[i], &bodies[j]);
                deepest(body, other).max(crossed(body, other))
            };
            let depth = depth(i, j).max(depth(j, i));
            (depth > slack).then_some((i, j, depth))
        })
}

/// The first rope that is longer than it can be, and by how much, m: the places of its bodies.
pub(crate) fn overstretched(bodies: &[Body], place: &Place<'_>) -> Option<Overlap> {
    (0..place.connections.len()).find_map(|index| {
        let rope = place.connector(bodies, index)?;
        let beyond = -rope.distance;
        (!rope.joint && beyond > place.tolerances.rounding()).then_some((
            rope.first,
            rope.second,
            beyond,
        ))
    })
}

fn are_near(one: &Body, other: &Body) -> bool {
    let reach = one.shape.radius + other.shape.radius;
    (one.center() - other.center()).norm_squared() <= reach * reach
}

/// How deep the deepest of the corners lies inside the body; 0 where none does.
fn deepest(body: &Body, corners: &Body) -> f64 {
    let own = |at| body.pose.to_body(corners.pose.to_world(at));
    let vertices = corners.shape.vertices.iter();
    let depths = vertices.filter_map(|vertex| body.shape.depth(own(vertex.at)));
    depths.fold(0.0, f64::max)
}

/// How deep straight edges of the other body cross edges of the body, as two bars do that have no corner in each other; 0
/// where none does.
fn crossed(body: &Body, other: &Body) -> f64 {
    let own = |at| body.pose.to_body(other.pose.to_world(at));
    let straight = other.shape.edges.iter().filter(|edge| edge.arc().is_none());
    let crossing = straight.map(|edge| Edge::straight(own(edge.from), own(edge.to)));
    let depths = crossing.flat_map(|crossing| {
        let edges = body.shape.edges.iter();
        edges.map(move |edge| depth(edge, &crossing))
    });
    depths.fold(0.0, f64::max)
}

/// How deep a straight edge goes through another edge.
fn depth(edge: &Edge, crossing: &Edge) -> f64 {
    if let Some(arc) = edge.arc() {
        let within: Vec<Vec2> = arc.crossings(crossing.from, crossing.to).collect();
        let [enters, leaves] = *within else {
            // One that ends inside has a corner there.
            return 0.0;
        };
        return -arc.distance((enters + leaves) / 2.0);
    }
    let sides = |of: &Edge, by: &Edge| {
        let (from, to) = (of.distance(by.from), of.distance(by.to));
        if from * to < 0.0 {
            from.abs().min(to.abs())
        } else {
            0.0
        }
    };
    sides(edge, crossing).min(sides(crossing, edge))
}
