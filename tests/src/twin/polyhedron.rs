//! Vertices, rays and lines of a small polyhedron, by trying every subset of its faces.

use super::linear::{dot, null_space, solve};
use malachite::Rational;
use malachite::base::num::arithmetic::traits::Abs;
use malachite::base::num::basic::traits::Zero;

/// The half-space `normal . t + offset >= 0`.
#[derive(Clone, Debug)]
pub(super) struct HalfSpace {
    /// Coefficients.
    pub(super) normal: Vec<Rational>,
    /// Constant term.
    pub(super) offset: Rational,
}

impl HalfSpace {
    fn holds(&self, t: &[Rational]) -> bool {
        dot(&self.normal, t) + &self.offset >= 0
    }
}

/// A polyhedron as sums: a convex combination of `vertices`, a non-negative one of `rays`, any one
/// of `lines`.
///
/// With lines there is no vertex in the strict sense; `vertices` and `rays` then belong to the part
/// that is orthogonal to the lines. The polyhedron is empty exactly if there are no vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Generators {
    /// Extreme points.
    pub(super) vertices: Vec<Vec<Rational>>,
    /// Extreme directions.
    pub(super) rays: Vec<Vec<Rational>>,
    /// A basis of the directions that are free both ways.
    pub(super) lines: Vec<Vec<Rational>>,
}

/// The generators of the intersection of half-spaces in `dimension` variables.
///
/// Why a search among the vertices decides emptiness: restricted to the orthogonal complement of
/// its lines a polyhedron contains no line, and such a polyhedron is empty or has a vertex. A
/// vertex is the only point where some `rank` of the faces meet; an extreme ray is the only
/// direction that stays in some `rank - 1` of them.
pub(super) fn generators(dimension: usize, half_spaces: &[HalfSpace]) -> Generators {
    let normals: Vec<Vec<Rational>> = half_spaces.iter().map(|h| h.normal.clone()).collect();
    let lines = null_space(&normals, dimension);
    let rank = dimension - lines.len();
    let mut vertices: Vec<Vec<Rational>> = Vec::new();
    for faces in subsets(half_spaces.len(), rank) {
        let mut left = lines.clone();
        let mut right = vec![Rational::ZERO; lines.len()];
        for &face in &faces {
            left.push(normals[face].clone());
            right.push(-&half_spaces[face].offset);
        }
        if let Some(set) = solve(&left, &right, dimension)
            && set.directions.is_empty()
            && half_spaces.iter().all(|h| h.holds(&set.point))
            && !vertices.contains(&set.point)
        {
            vertices.push(set.point);
        }
    }
    if vertices.is_empty() {
        return Generators::default();
    }
    let mut rays: Vec<Vec<Rational>> = Vec::new();
    if rank > 0 {
        for faces in subsets(half_spaces.len(), rank - 1) {
            let mut left = lines.clone();
            left.extend(faces.iter().map(|&face| normals[face].clone()));
            if let [direction] = &null_space(&left, dimension)[..] {
                let opposite: Vec<Rational> = direction.iter().map(|v| -v).collect();
                for ray in [normalised(direction), normalised(&opposite)] {
                    let stays = normals.iter().all(|normal| dot(normal, &ray) >= 0);
                    if stays && !rays.contains(&ray) {
                        rays.push(ray);
                    }
                }
            }
        }
    }
    Generators {
        vertices,
        rays,
        lines,
    }
}

/// The same direction with a first nonzero entry of one or minus one.
pub(super) fn normalised(direction: &[Rational]) -> Vec<Rational> {
    let first = direction.iter().find(|v| **v != 0);
    first.map_or_else(
        || direction.to_vec(),
        |first| direction.iter().map(|v| v / first.abs()).collect(),
    )
}

/// The same line with a first nonzero entry of one.
pub(super) fn upright(direction: &[Rational]) -> Vec<Rational> {
    let first = direction.iter().find(|v| **v != 0);
    first.map_or_else(
        || direction.to_vec(),
        |first| direction.iter().map(|v| v / first).collect(),
    )
}

/// Every set of `count` of the numbers below `total`.
pub(super) fn subsets(total: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in 0..total {
        for mut rest in subsets(last, count - 1) {
            rest.push(last);
            all.push(rest);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(entries: &[i32]) -> Vec<Rational> {
        entries.iter().map(|&v| Rational::from(v)).collect()
    }

    /// Rows of coefficients with the constant last.
    fn of(dimension: usize, rows: &[&[i32]]) -> Generators {
        let half_space = |row: &&[i32]| HalfSpace {
            normal: vector(&row[..dimension]),
            offset: Rational::from(row[dimension]),
        };
        generators(dimension, &rows.iter().map(half_space).collect::<Vec<_>>())
    }

    fn counts(set: &Generators) -> (usize, usize, usize) {
        (set.vertices.len(), set.rays.len(), set.lines.len())
    }

    #[test]
    fn known_polyhedra() {
        let square: &[&[i32]] = &[&[1, 0, 0], &[0, 1, 0], &[-1, 0, 1], &[0, -1, 1]];
        assert_eq!(counts(&of(2, square)), (4, 0, 0));
        assert_eq!(counts(&of(2, &square[..2])), (1, 2, 0), "quadrant");
        assert_eq!(counts(&of(2, &square[..1])), (1, 1, 1), "half-plane");
        assert_eq!(counts(&of(2, &[])), (1, 0, 2), "plane");
        assert_eq!(
            counts(&of(2, &[&[1, 1, -1], &[-1, -1, 0]])),
            (0, 0, 0),
            "empty strip"
        );
        assert_eq!(
            counts(&of(2, &[&[1, 1, 0], &[-1, -1, 1]])),
            (2, 0, 1),
            "strip"
        );
        assert_eq!(
            counts(&of(2, &[&[1, 1, 0], &[-1, -1, 0]])),
            (1, 0, 1),
            "line"
        );
        assert_eq!(counts(&of(1, &[&[2, -1], &[-2, 1]])), (1, 0, 0), "point");
        assert_eq!(counts(&of(0, &[&[0]])), (1, 0, 0), "no variables");
        assert_eq!(counts(&of(0, &[&[-1]])), (0, 0, 0), "no variables, false");
        let cube: &[&[i32]] = &[
            &[1, 0, 0, 1],
            &[0, 1, 0, 1],
            &[0, 0, 1, 1],
            &[-1, 0, 0, 1],
            &[0, -1, 0, 1],
            &[0, 0, -1, 1],
        ];
        assert_eq!(counts(&of(3, cube)), (8, 0, 0));
    }

    #[test]
    fn a_ray_keeps_its_direction() {
        let set = of(1, &[&[-3, 6]]);
        assert_eq!(set.vertices, [vector(&[2])]);
        assert_eq!(set.rays, [vector(&[-1])]);
    }

    #[test]
    fn subsets_are_counted() {
        assert_eq!(subsets(6, 3).len(), 20);
        assert_eq!(subsets(2, 3).len(), 0);
        assert_eq!(subsets(3, 2), [vec![0, 1], vec![0, 2], vec![1, 2]]);
    }
}
