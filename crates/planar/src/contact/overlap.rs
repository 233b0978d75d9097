//! Overlap before the first step. A step finds a collision where a corner passes an edge; a corner that starts on the wrong
//! side never passes it, and the body would fall through.

use std::collections::HashSet;

use crate::body::{Bodies, Body};
use crate::geometry::{Arc, Edge, Shape, Vec2};

use super::passes::Passes;
use super::place::Locator;

/// Two bodies that overlap, and how deep, m.
pub(crate) type Overlap = (usize, usize, f64);

/// The first two bodies that overlap by more than rounding: a corner, or a point watched along an arc, of one lies
/// inside the other, or their edges cross. Bodies that pass through each other may overlap, and so may those that are
/// inside each other already.
pub(crate) fn overlap(
    bodies: Bodies<'_>,
    locator: &Locator<'_>,
    passes: &Passes,
    inside: &HashSet<(usize, usize)>,
) -> Option<Overlap> {
    let slack = locator.tolerances.rounding();
    let pairs = (0..bodies.len()).flat_map(|i| (i + 1..bodies.len()).map(move |j| (i, j)));
    let may_move = |i: usize, j: usize| !bodies.at(i).is_fixed() || !bodies.at(j).is_fixed();
    pairs
        .filter(|&(i, j)| may_move(i, j) && !passes.pair(i, j) && !inside.contains(&(i, j)))
        .find_map(|(i, j)| {
            let depth = depth(bodies, (i, j), passes);
            (depth > slack).then_some((i, j, depth))
        })
}

/// How deep two bodies overlap, m; 0 where they are apart, or overlap over edges alone that do not stop them.
pub(crate) fn depth(bodies: Bodies<'_>, (i, j): (usize, usize), passes: &Passes) -> f64 {
    if !are_near(bodies.at(i), bodies.at(j)) {
        return 0.0;
    }
    let depth = |i: usize, j: usize| {
        let (body, other) = (
            Side::of(bodies, i, j, passes),
            Side::of(bodies, j, i, passes),
        );
        deepest(&body, &other).max(crossed(&body, &other))
    };
    // Both ways: the corner that lies inside may be that of either body.
    depth(i, j).max(depth(j, i))
}

/// The first rope that is shorter than the way between its ends: its bodies, and by how much, m.
pub(crate) fn overstretched(bodies: Bodies<'_>, locator: &Locator<'_>) -> Option<Overlap> {
    (0..locator.connections.len()).find_map(|index| {
        let rope = locator.connector(bodies, index)?;
        let beyond = -rope.distance;
        (!rope.joint && beyond > locator.tolerances.rounding()).then_some((
            rope.first,
            rope.second,
            beyond,
        ))
    })
}

fn are_near(one: Body<'_>, other: Body<'_>) -> bool {
    let reach = one.solid.shape.radius + other.solid.shape.radius;
    (one.center() - other.center()).norm_squared() <= reach * reach
}

/// A body, and which of its edges stop the other.
struct Side<'a> {
    body: Body<'a>,
    index: usize,
    /// The other body's index.
    other: usize,
    passes: &'a Passes,
}

impl<'a> Side<'a> {
    fn of(bodies: Bodies<'a>, index: usize, other: usize, passes: &'a Passes) -> Self {
        Self {
            body: bodies.at(index),
            index,
            other,
            passes,
        }
    }

    fn shape(&self) -> &'a Shape {
        &self.body.solid.shape
    }

    fn stops(&self, edge: usize) -> bool {
        !self.passes.edge(self.index, edge, self.other)
    }

    /// The edges that stop the other body.
    fn edges(&self) -> impl Iterator<Item = &'a Edge> {
        let edges = self.shape().edges.iter().enumerate();
        edges
            .filter(|(edge, _)| self.stops(*edge))
            .map(|(_, edge)| edge)
    }

    /// A point of the other body in the coordinates of this one.
    fn seen(&self, other: &Self, at: Vec2) -> Vec2 {
        let world = other.body.motion.pose.to_world(at);
        self.body.motion.pose.to_body(world)
    }

    /// [`Shape::depth`] of a point for the other body.
    fn depth(&self, point: Vec2) -> Option<f64> {
        self.shape().depth(point, |edge| self.stops(edge))
    }
}

/// How deep the deepest point of the other body lies inside the body, m; 0 where none does. The points are corners,
/// middles of edges, the nearest points of arcs, and the centre of mass.
fn deepest(body: &Side<'_>, other: &Side<'_>) -> f64 {
    let vertices = other.shape().vertices.iter();
    let stop = vertices.filter(|own| !other.passes.vertex(other.index, own, other.other));
    let corners = stop.map(|vertex| vertex.at);
    let straight = other.edges().filter(|edge| edge.arc().is_none());
    let middles = straight.map(|edge| (edge.from + edge.to) / 2.0);
    // The centre of mass of a ring lies outside of it.
    let cm = other.body.solid.cm;
    let middle = Some(cm).filter(|&middle| other.depth(middle).is_some());
    let points = corners
        .chain(middles)
        .chain(middle)
        .chain(nearest_on_arcs(body, other));
    let depths = points.filter_map(|at| body.depth(body.seen(other, at)));
    depths.fold(0.0, f64::max)
}

/// The points of the other body's convex arcs that are nearest to the centres of the body's arcs and to its straight edges,
/// in the other's coordinates.
fn nearest_on_arcs(body: &Side<'_>, other: &Side<'_>) -> Vec<Vec2> {
    let mut points = Vec::new();
    let arcs = other.edges().filter_map(Edge::arc);
    for arc in arcs.filter(|arc| arc.outside_is_out) {
        let center = body.seen(other, arc.center);
        for edge in body.edges() {
            let Some((_, normal)) = edge.nearest(center) else {
                continue;
            };
            let way = body.body.motion.pose.rotate(-normal);
            let way = other.body.motion.pose.rotate_back(way);
            let point = arc.center + way * arc.radius;
            points.extend(arc.spans(point).then_some(point));
        }
    }
    points
}

/// How deep straight edges of the other body cross edges of the body, m; 0 where none does. Two crossed bars overlap
/// this way, with no corner of one in the other.
fn crossed(body: &Side<'_>, other: &Side<'_>) -> f64 {
    let straight = other.edges().filter(|edge| edge.arc().is_none());
    let crossing =
        straight.map(|edge| Edge::straight(body.seen(other, edge.from), body.seen(other, edge.to)));
    let depths = crossing.flat_map(|crossing| {
        body.edges().map(move |edge| match edge.arc() {
            Some(arc) => through_arc(body, arc, &crossing),
            None => across(edge, &crossing),
        })
    });
    depths.fold(0.0, f64::max)
}

/// How deep a straight edge goes through an arc of the body, m; 0 for an edge that ends inside, whose corner is found.
fn through_arc(body: &Side<'_>, arc: &Arc, crossing: &Edge) -> f64 {
    let crossings: Vec<Vec2> = arc.crossings(crossing.from, crossing.to).collect();
    match *crossings {
        [enters, leaves] => body.depth((enters + leaves) / 2.0).unwrap_or(0.0),
        _ => 0.0,
    }
}

/// How deep two straight edges cross, m: the shortest way of an end of one back over the other.
fn across(one: &Edge, other: &Edge) -> f64 {
    let sides = |of: &Edge, by: &Edge| {
        let (from, to) = (of.distance(by.from), of.distance(by.to));
        if from * to < 0.0 {
            from.abs().min(to.abs())
        } else {
            0.0
        }
    };
    sides(one, other).min(sides(other, one))
}
