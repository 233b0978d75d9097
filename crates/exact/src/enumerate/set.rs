//! The solution set of a mixed LCP, tidied.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use etalon_lcp::Cover;
use rug::Rational;

use super::cell::{Support, Zero};
use super::face::Listed;

/// The solution set of a mixed LCP.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SolutionSet {
    /// Solutions with no other solution near them.
    pub isolated: Vec<Vec<Rational>>,
    /// Faces of solutions.
    pub faces: Vec<Face>,
    /// The proof that there are no others: whole in any case, because its tree has each face by its
    /// zeros, whose vertices need not all be listed.
    pub cover: Cover,
}

/// A face of solutions: convex combinations of vertices plus nonnegative multiples of rays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Face {
    /// Solutions.
    pub vertices: Vec<Vec<Rational>>,
    /// Directions.
    pub rays: Vec<Vec<Rational>>,
    /// Whether these are all vertices and rays; if not, there are more than a list can hold.
    pub complete: bool,
}

impl SolutionSet {
    /// Whether there is no solution; the cover is then a proof of it.
    pub fn is_empty(&self) -> bool {
        self.isolated.is_empty() && self.faces.is_empty()
    }

    /// Whether every solution is among those listed, or a combination of vertices and rays listed.
    pub fn is_complete(&self) -> bool {
        self.faces.iter().all(|face| face.complete)
    }
}

/// A leaf of the search that is one point.
#[derive(Debug)]
pub(super) struct Point {
    pub z: Vec<Rational>,
    pub zeros: Support,
}

/// Different points, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Points {
    list: Vec<Point>,
    /// Where the points of a hash are in the list.
    places: HashMap<u64, Vec<usize>>,
}

impl Points {
    /// Keeps a point that is not known: a degenerate solution is found in several leaves, one for each choice at its zeros.
    pub fn add(&mut self, point: Point) {
        let mut hasher = DefaultHasher::new();
        point.z.hash(&mut hasher);
        let places = self.places.entry(hasher.finish()).or_default();
        if places.iter().all(|&place| self.list[place].z != point.z) {
            places.push(self.list.len());
            self.list.push(point);
        }
    }

    /// The one that was found first.
    pub fn first(&self) -> Option<&Point> {
        self.list.first()
    }

    pub fn into_list(self) -> Vec<Point> {
        self.list
    }
}

/// A leaf of the search that is a face.
#[derive(Debug)]
pub(super) struct Leaf {
    pub choices: Vec<Option<Zero>>,
    pub listed: Listed,
}

impl Leaf {
    /// Whether all of this face is part of another. A solution is on a face exactly if everything is
    /// 0 there that was chosen to be on the face, so it takes no geometry to see.
    fn is_within(&self, other: &Self) -> bool {
        let vertices = self.listed.vertices.iter();
        let all = vertices.chain(&self.listed.rays);
        self.listed.complete
            && all
                .into_iter()
                .all(|(_, zeros)| zeros.honours(&other.choices))
    }

    fn into_face(self) -> Face {
        let vectors = |list: Vec<(Vec<Rational>, Support)>| {
            let vectors = list.into_iter().map(|(vector, _)| vector);
            vectors.collect()
        };
        Face {
            vertices: vectors(self.listed.vertices),
            rays: vectors(self.listed.rays),
            complete: self.listed.complete,
        }
    }
}

/// Tidies the lists: leaves overlap where a solution is degenerate. A point that lies on a face is
/// not isolated, and a face that lies within another is no other.
pub(super) fn tidy(points: Points, leaves: Vec<Leaf>, cover: Cover) -> SolutionSet {
    let mut faces: Vec<Leaf> = Vec::new();
    for leaf in leaves {
        if faces.iter().any(|other| leaf.is_within(other)) {
            continue;
        }
        faces.retain(|other| !other.is_within(&leaf));
        faces.push(leaf);
    }
    let on_face = |point: &Point| faces.iter().any(|face| point.zeros.honours(&face.choices));
    let isolated = points
        .into_list()
        .into_iter()
        .filter(|point| !on_face(point));
    SolutionSet {
        isolated: isolated.map(|point| point.z).collect(),
        faces: faces.into_iter().map(Leaf::into_face).collect(),
        cover,
    }
}
