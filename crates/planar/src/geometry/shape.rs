//! Shapes: outlines with what the search for contacts needs.

use std::ops::Range;

use crate::tolerances::SPACING;

use super::loops::{closed_loop, make_edge};
use super::path::{Path, PathError};
use super::{Arc, Edge, Kind, Vec2};

/// A shape has at most so many edges.
const MAX_EDGES: usize = 10_000;
/// A shape has at most so many corners and points along arcs.
const MAX_VERTICES: usize = 20_000;

/// A corner, or a point watched along an arc.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vertex {
    pub at: Vec2,
    /// The edge that it ends, or lies on.
    pub before: usize,
    /// The edge that it starts; `None` for a point along an arc.
    pub after: Option<usize>,
    /// The smaller radius of curvature of its edges.
    pub curvature: f64,
}

impl Vertex {
    pub fn is_corner(&self) -> bool {
        self.after.is_some()
    }
}

/// A body's outline in body coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub edges: Vec<Edge>,
    pub vertices: Vec<Vertex>,
    /// The corners of the bounding box.
    pub low: Vec2,
    pub high: Vec2,
    /// The centre of a circle around the whole shape, whose radius is next.
    pub center: Vec2,
    pub radius: f64,
}

impl Shape {
    pub fn new(path: &Path) -> Result<Self, PathError> {
        let count = path.edges.len();
        if count > MAX_EDGES {
            return Err(PathError::TooMany {
                edges: count,
                limit: MAX_EDGES,
            });
        }
        let mut shape = Self {
            edges: Vec::with_capacity(count),
            vertices: Vec::new(),
            low: Vec2::zeros(),
            high: Vec2::zeros(),
            center: Vec2::zeros(),
            radius: 0.0,
        };
        let mut start = 0;
        while start < count {
            let range = closed_loop(path, start)?;
            shape.add_loop(path, range.clone())?;
            start = range.end;
        }
        shape.measure();
        Ok(shape)
    }

    fn add_loop(&mut self, path: &Path, range: Range<usize>) -> Result<(), PathError> {
        for edge in range.clone() {
            self.edges.push(make_edge(&path.edges[edge], edge)?);
        }
        // The order of vertices: the start, then for each edge the points along it and its end. The last end is the start.
        let last = range.end - 1;
        self.corner(last, range.start);
        for edge in range {
            self.has_room(edge)?;
            let between = self.edges[edge]
                .arc()
                .map(|arc| arc.points_between(SPACING));
            let curvature = self.edges[edge].curvature();
            let watched = between.into_iter().flatten();
            self.vertices.extend(watched.map(|at| Vertex {
                at,
                before: edge,
                after: None,
                curvature,
            }));
            if edge != last {
                self.corner(edge, edge + 1);
            }
        }
        Ok(())
    }

    /// Refuses an arc that would need too many points, before any is made.
    fn has_room(&self, edge: usize) -> Result<(), PathError> {
        let steps = self.edges[edge].arc().map_or(0.0, |arc| arc.steps(SPACING));
        if self.vertices.len() as f64 + steps > MAX_VERTICES as f64 {
            return Err(PathError::LongArc {
                edge,
                limit: MAX_VERTICES,
            });
        }
        Ok(())
    }

    fn corner(&mut self, before: usize, after: usize) {
        let (first, second) = (
            self.edges[before].curvature(),
            self.edges[after].curvature(),
        );
        let curvature = if second.abs() < first.abs() {
            second
        } else {
            first
        };
        let at = self.edges[after].from;
        self.vertices.push(Vertex {
            at,
            before,
            after: Some(after),
            curvature,
        });
    }

    /// How deep a point lies inside the edges that stop it, m; none where it is outside, or nearest to an edge that does
    /// not stop it.
    pub fn depth(&self, point: Vec2, stops: impl Fn(usize) -> bool) -> Option<f64> {
        let (low, high) = (self.low, self.high);
        let outside = |k: usize| point[k] < low[k] || point[k] > high[k];
        if outside(0) || outside(1) {
            return None;
        }
        // A way out from inside leaves through the first edge that it crosses. Any direction does; edges are seldom
        // parallel to this one.
        let way = Vec2::new(0.75_f64.cos(), 0.75_f64.sin());
        let far = point + way * (2.0 * (high - low).norm());
        let crossed = self.edges.iter().enumerate().filter_map(|(i, edge)| {
            let at = edge.first_crossing(point, far)?;
            stops(i).then_some((edge, at))
        });
        let near = |at: &Vec2| (at - point).norm();
        let (edge, at) = crossed.min_by(|a, b| near(&a.1).total_cmp(&near(&b.1)))?;
        let (_, normal) = edge.nearest(at)?;
        if normal.dot(&way) <= 0.0 {
            return None;
        }
        let depths = self.edges.iter().map(|edge| match edge.spans(point) {
            true => edge.distance(point).abs(),
            false => near(&edge.from),
        });
        let depths = depths.zip(0..);
        let (depth, nearest) = depths.min_by(|a, b| a.0.total_cmp(&b.0))?;
        stops(nearest).then_some(depth)
    }

    fn measure(&mut self) {
        let corners = self.edges.iter().map(|edge| edge.from);
        let extremes = self
            .edges
            .iter()
            .filter_map(Edge::arc)
            .flat_map(Arc::extremes);
        let points: Vec<Vec2> = corners.chain(extremes).collect();
        let Some(first) = points.first() else {
            return;
        };
        let (low, high) = points
            .iter()
            .fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)));
        self.low = low;
        self.high = high;
        self.center = (low + high) / 2.0;
        let far = |edge: &Edge| match &edge.kind {
            Kind::Straight(_) => (edge.from - self.center).norm(),
            Kind::Arc(arc) => {
                // An arc stays within its box, and within its circle.
                let circle = (arc.center - self.center).norm() + arc.radius;
                circle.min((high - low).norm() / 2.0)
            }
        };
        self.radius = self.edges.iter().map(far).fold(0.0, f64::max);
    }
}

#[cfg(test)]
mod tests {
    use super::super::path::PathEdge;
    use super::*;

    #[test]
    fn normals_point_out_whichever_way_a_loop_bounds() {
        let square = Shape::new(&Path::rectangle(2.0, 2.0)).unwrap();
        for edge in &square.edges {
            assert_eq!(edge.distance(Vec2::zeros()), -1.0);
        }
        let hole = Path::polygon(&[[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]]);
        for edge in &Shape::new(&hole).unwrap().edges {
            assert_eq!(edge.distance(Vec2::zeros()), 1.0);
        }
    }

    #[test]
    fn a_ball_has_one_corner_and_points_along_it() {
        let ball = Shape::new(&Path::ball(0.5)).unwrap();
        assert_eq!(ball.edges.len(), 1);
        assert_eq!(ball.vertices.iter().filter(|v| v.is_corner()).count(), 1);
        assert!(ball.vertices.len() >= 8);
        assert!((ball.radius - 0.5).abs() < 1e-15 && ball.center.norm() < 1e-15);
    }

    #[test]
    fn arcs_that_would_need_too_many_points_are_refused() {
        assert!(Shape::new(&Path::ball(900.0)).is_ok());
        for radius in [1000.0, 1e6, 1e12, 1e150] {
            let error = Shape::new(&Path::ball(radius)).unwrap_err();
            assert!(
                matches!(error, PathError::LongArc { edge: 0, .. }),
                "{error}"
            );
        }
        // It is the arc that counts, not its circle: a floor that is hardly bent.
        let (y, from, to) = (-1e6 + 0.5e-6, [-1.0, 0.0], [1.0, 0.0]);
        let arc = PathEdge::Arc {
            from: to,
            to: from,
            center: [0.0, y],
            clockwise: false,
            outside_is_out: true,
        };
        let edges = vec![PathEdge::Line { from, to }, arc];
        assert!(Shape::new(&Path { edges }).is_ok());
    }

    #[test]
    fn paths_that_do_not_close_are_refused() {
        let line = |from, to| PathEdge::Line { from, to };
        let open = Path {
            edges: vec![line([0.0, 0.0], [1.0, 0.0]), line([1.0, 0.0], [1.0, 1.0])],
        };
        assert_eq!(Shape::new(&open), Err(PathError::Open { edge: 1 }));
        let point = Path {
            edges: vec![line([0.0, 0.0], [0.0, 0.0])],
        };
        assert_eq!(Shape::new(&point), Err(PathError::Empty { edge: 0 }));
        let nan = Path {
            edges: vec![line([f64::NAN, 0.0], [0.0, 0.0])],
        };
        assert_eq!(Shape::new(&nan), Err(PathError::NotFinite { edge: 0 }));
    }
}
