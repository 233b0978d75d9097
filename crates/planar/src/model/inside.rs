//! Who is inside whom through edges that bodies pass. Edges stop from outside only, so a body that came in through such an
//! edge may be over any other of that body until it is out. Where bodies are at one moment does not say how they came
//! there: it takes the motion that led to it.

use std::collections::HashSet;

use crate::body::{Bodies, Motion};
use crate::contact::{Passes, depth};

use super::Model;

/// How often the way between two moments is halved in search of the one when a body comes in: as often as binary64 can
/// tell.
const HALVINGS: u32 = 53;

/// Who is inside whom at a moment of a motion, and where the bodies are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inside {
    /// Pairs of bodies, the lower index first.
    pub(crate) pairs: HashSet<(usize, usize)>,
    /// x, y, angle of each body; none where no body passes edges.
    places: Vec<[f64; 3]>,
}

/// How two bodies of which one passes edges of the other lie.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lie {
    Apart,
    /// They overlap over edges alone that do not stop them.
    Within,
    /// They overlap over an edge that stops them from outside.
    Across,
}

impl Model {
    /// Who is inside whom where a motion starts: over edges alone that do not stop them, or over any where they came in before.
    pub fn inside(&self, motions: &[Motion], came_in: &HashSet<(usize, usize)>) -> Inside {
        let pairs = self.passes.pairs_by_edges();
        if pairs.is_empty() {
            return Inside::default();
        }
        let is_inside = |pair: &(usize, usize)| match self.lie(motions, *pair) {
            Lie::Apart => false,
            Lie::Within => true,
            Lie::Across => came_in.contains(pair),
        };
        Inside {
            pairs: pairs.into_iter().filter(is_inside).collect(),
            places: motions.iter().map(place).collect(),
        }
    }

    /// The bodies that are over an edge that stops them, each with the one that it is inside of: what places alone do not say.
    pub fn across(&self, inside: &Inside, motions: &[Motion]) -> Vec<[usize; 2]> {
        let across = |pair: &&(usize, usize)| self.lie(motions, **pair) == Lie::Across;
        let ordered = |&(i, j): &(usize, usize)| match self.passes.by_edges(i, j) {
            true => [i, j],
            false => [j, i],
        };
        let mut pairs: Vec<_> = inside.pairs.iter().filter(across).map(ordered).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Who is inside whom after the bodies moved from an earlier moment to where they are now.
    pub fn inside_after(&self, before: &Inside, motions: &[Motion]) -> Inside {
        let pairs = self.passes.pairs_by_edges();
        if pairs.is_empty() || before.places.len() != motions.len() {
            return self.inside(motions, &HashSet::new());
        }
        let stays = |pair: &(usize, usize)| match self.lie(motions, *pair) {
            Lie::Apart => false,
            Lie::Within => true,
            Lie::Across => before.pairs.contains(pair) || self.comes_in(before, motions, *pair),
        };
        Inside {
            pairs: pairs.into_iter().filter(stays).collect(),
            places: motions.iter().map(place).collect(),
        }
    }

    fn lie(&self, motions: &[Motion], pair: (usize, usize)) -> Lie {
        let bodies = Bodies {
            solids: &self.solids,
            motions,
        };
        let slack = self.tolerances().rounding();
        if depth(bodies, pair, &self.passes) > slack {
            Lie::Across
        } else if depth(bodies, pair, &Passes::default()) > slack {
            Lie::Within
        } else {
            Lie::Apart
        }
    }

    /// Whether two bodies that were apart come in through an edge that does not stop them first, on the straight way to
    /// where they are across another: a fast one does so within one step.
    fn comes_in(&self, before: &Inside, motions: &[Motion], pair: (usize, usize)) -> bool {
        let (mut apart, mut across) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = (apart + across) / 2.0;
            let between = motions.iter().zip(&before.places).map(|(motion, from)| {
                let to = place(motion);
                let [x, y, angle] = [0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * middle);
                Motion::new(motion.pose.cm, &[x, 0.0, y, 0.0, angle, 0.0])
            });
            match self.lie(&between.collect::<Vec<_>>(), pair) {
                Lie::Within => return true,
                Lie::Apart => apart = middle,
                Lie::Across => across = middle,
            }
        }
        false
    }
}

fn place(motion: &Motion) -> [f64; 3] {
    [motion.position.x, motion.position.y, motion.angle]
}
