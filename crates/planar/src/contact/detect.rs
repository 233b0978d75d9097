//! Finding contacts: the vertices of each body against the edges of every other, then curves against edges.

use crate::body::{Bodies, Body};
use crate::geometry::{Edge, Vec2, Vertex};

use super::passes::Passes;
use super::place::Locator;
use super::{Contact, Feature, edges, list};

/// Adds the contacts and collisions of the bodies as they are now to those that are known already.
pub(crate) fn find(
    contacts: &mut Vec<Contact>,
    bodies: Bodies<'_>,
    locator: &Locator<'_>,
    passes: &Passes,
    time: f64,
) {
    let mut finder = Finder {
        contacts,
        bodies,
        locator,
        passes,
        time,
    };
    for first in 0..bodies.len() {
        for second in first + 1..bodies.len() {
            let fixed = bodies.at(first).is_fixed() && bodies.at(second).is_fixed();
            if !fixed && !passes.pair(first, second) && finder.may_meet(first, second) {
                finder.pair(first, second);
            }
        }
    }
    for index in 0..locator.connections.len() {
        if let Some(mut contact) = locator.connector(bodies, index) {
            contact.detect(bodies, time);
            // Connectors stand first, also in the problems of forces, whose rows follow this order.
            contacts.insert(0, contact);
        }
    }
}

struct Finder<'a> {
    contacts: &'a mut Vec<Contact>,
    bodies: Bodies<'a>,
    locator: &'a Locator<'a>,
    passes: &'a Passes,
    time: f64,
}

/// A vertex on its way, in the other body's coordinates.
struct Passage {
    old: Vec2,
    new: Vec2,
}

impl Finder<'_> {
    fn may_meet(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.bodies.at(first), self.bodies.at(second));
        let reach = a.solid.shape.radius + b.solid.shape.radius + self.locator.tolerances.distance;
        // A body may pass another one within a try: its way counts, not only its end.
        let reach = reach + a.travelled() + b.travelled();
        (a.center() - b.center()).norm_squared() <= reach * reach
    }

    fn pair(&mut self, first: usize, second: usize) {
        self.vertices(first, second);
        self.vertices(second, first);
        let (bodies, tolerances) = (self.bodies, self.locator.tolerances);
        let passes = self.passes;
        for (i, edge) in bodies.at(first).solid.shape.edges.iter().enumerate() {
            if passes.edge(first, i, second) {
                continue;
            }
            for (j, other) in bodies.at(second).solid.shape.edges.iter().enumerate() {
                if passes.edge(second, j, first) {
                    continue;
                }
                let found = edges::touch(bodies, (first, i, edge), (second, j, other), tolerances);
                if let Some(found) = found {
                    let mut contact = Contact::new(bodies, found.pair, found.feature, self.locator);
                    found.fill(&mut contact);
                    self.add(contact);
                }
            }
        }
    }

    fn add(&mut self, mut contact: Contact) {
        contact.detect(self.bodies, self.time);
        list::add(self.contacts, self.bodies, contact);
    }

    /// The vertices of `corners` against the edges of `normal`.
    fn vertices(&mut self, normal: usize, corners: usize) {
        let bodies = self.bodies;
        let (flat, sharp) = (bodies.at(normal), bodies.at(corners));
        for (index, vertex) in sharp.solid.shape.vertices.iter().enumerate() {
            if self.passes.vertex(corners, vertex, normal) {
                continue;
            }
            let new = flat
                .motion
                .pose
                .to_body(sharp.motion.pose.to_world(vertex.at));
            let old = match (flat.motion.old, sharp.motion.old) {
                (Some(flat), Some(sharp)) => flat.to_body(sharp.to_world(vertex.at)),
                _ => new,
            };
            let passage = Passage { old, new };
            if self.may_cross(flat, &passage) {
                self.vertex((corners, index, vertex), normal, &passage);
            }
        }
    }

    /// Whether the vertex can touch the body: its way does not lie on one side of the bounding box.
    fn may_cross(&self, body: Body<'_>, passage: &Passage) -> bool {
        let reach = self.locator.tolerances.distance;
        let (low, high) = (body.solid.shape.low, body.solid.shape.high);
        let beside = |k: usize| {
            let (old, new) = (passage.old[k], passage.new[k]);
            // A corner may rest within reach of the box, where it is now. Where it comes from counts for
            // crossing alone.
            new < low[k] - reach && old < low[k] || new > high[k] + reach && old > high[k]
        };
        !beside(0) && !beside(1)
    }

    /// One vertex against all edges of a body. It collides with the first edge on its way, and can rest on others.
    fn vertex(&mut self, corner: (usize, usize, &Vertex), normal: usize, passage: &Passage) {
        let shape = &self.bodies.at(normal).solid.shape;
        let mut first: Option<(f64, usize, Vec2)> = None;
        for (i, edge) in shape.edges.iter().enumerate() {
            if self.passes.edge(normal, i, corner.0) {
                continue;
            }
            // What ends on the edge but for rounding rests there. Taken for a collision, it would
            // send every step of a body at rest back.
            let sinks = edge.distance(passage.new).abs() > self.locator.tolerances.rounding();
            if let Some(crossing) = edge
                .first_crossing(passage.old, passage.new)
                .filter(|_| sinks)
            {
                let way = (crossing - passage.old).norm();
                if first.is_none_or(|(best, ..)| way < best) {
                    first = Some((way, i, crossing));
                }
            } else if corner.2.is_corner() {
                // A point along an arc never rests by itself: its arc does, against the edge.
                self.rest(corner, (normal, i, edge), passage.new);
            }
        }
        if let Some((_, edge, crossing)) = first {
            self.collide(
                corner,
                (normal, edge, &shape.edges[edge]),
                crossing,
                passage.new,
            );
        }
    }

    fn corner_contact(
        &self,
        corner: (usize, usize, &Vertex),
        normal: usize,
        edge: usize,
    ) -> Contact {
        let (body, vertex, data) = corner;
        let feature = Feature::Corner { vertex, edge };
        let mut contact = Contact::new(self.bodies, (body, normal), feature, self.locator);
        contact.curvature = data.curvature;
        contact
    }

    fn collide(
        &mut self,
        corner: (usize, usize, &Vertex),
        edge: (usize, usize, &Edge),
        crossing: Vec2,
        now: Vec2,
    ) {
        let (body, index, edge) = edge;
        let Some((_, normal)) = edge.nearest(crossing) else {
            return;
        };
        let pose = self.bodies.at(body).motion.pose;
        let mut contact = self.corner_contact(corner, body, index);
        contact.distance = edge.distance(now);
        contact.point = pose.to_world(crossing);
        contact.normal = pose.rotate(normal);
        contact.round_normal = edge.arc().map(|arc| arc.curvature());
        self.add(contact);
    }

    fn rest(&mut self, corner: (usize, usize, &Vertex), edge: (usize, usize, &Edge), at: Vec2) {
        let (body, index, edge) = edge;
        if let Some(end) = self.coincides(edge, at) {
            if !self.faces((corner.0, body), index, end) {
                return;
            }
        } else if !edge.spans(at) {
            if edge.arc().is_none() {
                self.rest_on_corner(corner, body, edge, index, at);
            }
            return;
        }
        let distance = edge.distance(at);
        let tolerances = self.locator.tolerances;
        if !(-tolerances.rounding()..=tolerances.distance).contains(&distance) {
            return;
        }
        let Some((mut point, normal)) = edge.nearest(at) else {
            return;
        };
        let pose = self.bodies.at(body).motion.pose;
        let mut contact = self.corner_contact(corner, body, index);
        if let Some(arc) = edge.arc() {
            // The gap stays the same while the corner moves on a circle that is wider by the gap.
            contact.round_normal = Some(arc.curvature() + distance);
            point = at;
        }
        contact.distance = distance;
        contact.point = pose.to_world(point);
        contact.normal = pose.rotate(normal);
        self.add(contact);
    }

    /// Whether this edge faces the other body more than the edges that it meets in a corner do. Where a corner lies on a
    /// corner, the way between the two points has no direction, so the way between the centres decides.
    fn faces(&self, (sharp, flat): (usize, usize), index: usize, end: Vec2) -> bool {
        let owner = self.bodies.at(flat);
        let way = self.bodies.at(sharp).center() - owner.center();
        let way = owner.motion.pose.rotate_back(way);
        let facing = |edge: &Edge| {
            edge.nearest(end)
                .map_or(0.0, |(_, normal)| normal.dot(&way))
        };
        let own = facing(&owner.solid.shape.edges[index]);
        let others = owner.solid.shape.edges.iter().enumerate();
        others
            .filter(|(i, edge)| *i != index && self.coincides(edge, end).is_some())
            .filter(|(i, _)| !self.passes.edge(flat, *i, sharp))
            // Of edges that face the body alike the first counts: exactly one of them makes the contact.
            .all(|(i, edge)| own > facing(edge) || own == facing(edge) && index < i)
    }

    /// Corner against corner, where neither lies beside an edge of the other. Only corners that are slow enough to rest
    /// touch; fast ones collide with an edge.
    fn rest_on_corner(
        &mut self,
        corner: (usize, usize, &Vertex),
        body: usize,
        edge: &Edge,
        index: usize,
        at: Vec2,
    ) {
        let tolerances = self.locator.tolerances;
        let touching = tolerances.coincides()..=tolerances.corner_reach();
        let near = |end: Vec2| touching.contains(&(end - at).norm());
        let end = [edge.from, edge.to].into_iter().find(|end| near(*end));
        let Some(end) = end else {
            return;
        };
        let owner = self.bodies.at(body);
        let meets = |v: &Vertex| {
            let here =
                v.before == index && end == edge.to || v.after == Some(index) && end == edge.from;
            v.is_corner() && here
        };
        let Some(other) = owner.solid.shape.vertices.iter().position(meets) else {
            return;
        };
        let distance = (at - end).norm();
        let feature = Feature::Corners {
            vertex: corner.1,
            other,
        };
        let mut contact = Contact::new(self.bodies, (corner.0, body), feature, self.locator);
        contact.distance = distance;
        contact.point = owner.motion.pose.to_world(end);
        contact.normal = owner.motion.pose.rotate((at - end) / distance);
        contact.round_normal = Some(distance);
        contact.refresh_velocity(self.bodies);
        if contact.rests() {
            self.add(contact);
        }
    }

    /// The end of a straight edge that a point lies on.
    fn coincides(&self, edge: &Edge, at: Vec2) -> Option<Vec2> {
        if edge.arc().is_some() {
            return None;
        }
        let ends = [edge.from, edge.to].into_iter();
        let reach = self.locator.tolerances.coincides();
        ends.into_iter().find(|end| (end - at).norm() < reach)
    }
}
