//! Edges: straight or circular.

use crate::tolerances::BEYOND;

use super::{Arc, Vec2};

/// An edge of a shape, in body coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub from: Vec2,
    pub to: Vec2,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// With the unit normal out of the body.
    Straight(Vec2),
    Arc(Arc),
}

impl Edge {
    /// A straight edge; the outside is on the right of its direction.
    pub fn straight(from: Vec2, to: Vec2) -> Self {
        let along = (to - from).normalize();
        let normal = Vec2::new(along.y, -along.x);
        Self {
            from,
            to,
            kind: Kind::Straight(normal),
        }
    }

    pub fn arc(&self) -> Option<&Arc> {
        match &self.kind {
            Kind::Arc(arc) => Some(arc),
            Kind::Straight(_) => None,
        }
    }

    /// The distance of a point from the edge's line or whole circle, positive outside.
    pub fn distance(&self, point: Vec2) -> f64 {
        match &self.kind {
            Kind::Straight(normal) => normal.dot(&(point - self.from)),
            Kind::Arc(arc) => arc.distance(point),
        }
    }

    /// The nearest point of the line or whole circle, with the normal there.
    pub fn nearest(&self, point: Vec2) -> Option<(Vec2, Vec2)> {
        match &self.kind {
            Kind::Straight(normal) => Some((point - normal * self.distance(point), *normal)),
            Kind::Arc(arc) => arc.nearest(point),
        }
    }

    /// Whether the nearest point of the line or circle lies on the edge itself.
    pub fn spans(&self, point: Vec2) -> bool {
        match &self.kind {
            Kind::Arc(arc) => arc.spans(point),
            Kind::Straight(normal) => {
                let on = point - normal * self.distance(point);
                // Compared along the longer axis only: on edges along an axis that is free of rounding.
                let along = self.to - self.from;
                if along.x.abs() < along.y.abs() {
                    within(on.y, self.from.y, self.to.y)
                } else {
                    within(on.x, self.from.x, self.to.x)
                }
            }
        }
    }

    /// The radius of curvature: infinite for a straight edge, negative for a concave one.
    pub fn curvature(&self) -> f64 {
        self.arc().map_or(f64::INFINITY, Arc::curvature)
    }

    /// The point of the edge that a segment from `old` to `new` crosses first.
    pub fn first_crossing(&self, old: Vec2, new: Vec2) -> Option<Vec2> {
        match &self.kind {
            Kind::Straight(_) => segment_crossing(self.from, self.to, old, new),
            Kind::Arc(arc) => {
                let far = |a: &Vec2, b: &Vec2| (a - old).norm().total_cmp(&(b - old).norm());
                arc.crossings(old, new).min_by(far)
            }
        }
    }
}

fn within(x: f64, a: f64, b: f64) -> bool {
    a.min(b) <= x && x <= a.max(b)
}

/// The point where the segments a-b and c-d cross, both longer at each end by what rounding can take.
fn segment_crossing(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Option<Vec2> {
    let (r, s) = (b - a, d - c);
    let area = r.perp(&s);
    if area == 0.0 {
        return None;
    }
    let t = (c - a).perp(&s) / area;
    let u = (c - a).perp(&r) / area;
    let beyond = BEYOND
        * [a, b, c, d]
            .iter()
            .fold(0.0, |most: f64, p| most.max(p.amax()));
    let (slack_t, slack_u) = (beyond / r.norm(), beyond / s.norm());
    let meets = (-slack_t..=1.0 + slack_t).contains(&t) && (-slack_u..=1.0 + slack_u).contains(&u);
    meets.then(|| a + r * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_positive_outside() {
        let floor = Edge::straight(Vec2::new(1.0, 0.0), Vec2::new(-1.0, 0.0));
        assert_eq!(floor.distance(Vec2::new(7.0, 2.0)), 2.0);
        assert!(floor.spans(Vec2::new(1.0, 5.0)));
        assert!(!floor.spans(Vec2::new(1.0 + 1e-15, 5.0)));
    }

    #[test]
    fn a_corner_that_passes_through_is_found_where_it_crosses() {
        let floor = Edge::straight(Vec2::new(1.0, 0.0), Vec2::new(-1.0, 0.0));
        let (old, new) = (Vec2::new(0.0, 1.0), Vec2::new(0.5, -1.0));
        assert_eq!(floor.first_crossing(old, new), Some(Vec2::new(0.25, 0.0)));
        assert_eq!(floor.first_crossing(old, Vec2::new(0.5, 0.1)), None);
        assert_eq!(floor.first_crossing(old, old), None);
    }
}
