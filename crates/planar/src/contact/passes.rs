//! Which bodies go through each other, as a whole or at single edges.

use std::collections::HashSet;

use crate::geometry::Vertex;

/// What does not collide.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Passes {
    /// Pairs of bodies, the lower index first.
    bodies: HashSet<(usize, usize)>,
    /// An edge of a body, and another body that passes through it: the body, its edge, the other.
    edges: HashSet<(usize, usize, usize)>,
}

impl Passes {
    /// Lets two bodies go through each other.
    pub fn add_pair(&mut self, i: usize, j: usize) {
        self.bodies.insert((i.min(j), i.max(j)));
    }

    /// Lets a body go through an edge of another.
    pub fn add_edge(&mut self, body: usize, edge: usize, other: usize) {
        self.edges.insert((body, edge, other));
    }

    /// Whether two bodies go through each other.
    pub fn pair(&self, i: usize, j: usize) -> bool {
        self.bodies.contains(&(i.min(j), i.max(j)))
    }

    /// The pairs of bodies of which one goes through edges of the other, the lower index first.
    pub fn pairs_by_edges(&self) -> HashSet<(usize, usize)> {
        let pair = |&(body, _, other): &(usize, usize, usize)| (body.min(other), body.max(other));
        self.edges.iter().map(pair).collect()
    }

    /// Whether a body goes through edges of another one.
    pub fn by_edges(&self, body: usize, other: usize) -> bool {
        let mut edges = self.edges.iter();
        edges.any(|&(of, _, through)| (of, through) == (other, body))
    }

    /// Whether another body goes through an edge of a body.
    pub fn edge(&self, body: usize, edge: usize, other: usize) -> bool {
        !self.edges.is_empty() && self.edges.contains(&(body, edge, other))
    }

    /// Whether another body goes through a vertex of a body: through all edges that it lies on. The end of an edge that
    /// collides still does.
    pub fn vertex(&self, body: usize, vertex: &Vertex, other: usize) -> bool {
        let passes = |edge| self.edge(body, edge, other);
        passes(vertex.before) && vertex.after.is_none_or(passes)
    }
}
