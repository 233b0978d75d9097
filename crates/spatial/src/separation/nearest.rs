//! The nearest points of two convex cores that are apart: the point of least length of the difference of both sets.
//!
//! The method is that of Gilbert, Johnson and Keerthi (1988). A simplex of points of the difference is kept; its point v of
//! least length bounds the distance from above, and the furthest point w against v bounds it from below by
//! v'w/|v|. The part of the simplex that v is in is found by trying all of its faces, 15 at most.

use super::solid::Placed;
use crate::binary::{Triple, difference, dot, length, sum, times, unit};

/// Steps before the best bound is taken as it is. Polyhedra take some ten, round shapes some thirty.
const STEPS: usize = 200;

/// The part of the size of what is subtracted that both bounds may differ by: some rounding errors of 2^-53.
const ROUNDING: f64 = 1e-14;

/// How far apart two cores are.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    /// A unit vector from the first to the second.
    pub normal: Triple,
    /// The bound from below, m; above 0.
    pub apart: f64,
    /// The nearest points of the first and of the second.
    pub points: [Triple; 2],
}

/// A point of the difference, with the points that it is of.
#[derive(Debug, Clone, Copy)]
struct Corner {
    at: Triple,
    of: [Triple; 2],
}

/// The nearest points where the second is shifted; `None` where no direction separates them. The search begins along
/// `start`.
pub fn nearest(a: &Placed<'_>, b: &Placed<'_>, shift: &Triple, start: &Triple) -> Option<Nearest> {
    let corner = |against: &Triple| {
        let (p, r) = (a.support(against), b.support(&times(against, -1.0)));
        let r = sum(&r, shift);
        Corner {
            at: difference(&r, &p),
            of: [p, r],
        }
    };
    let rounding = ROUNDING * (a.solid.size + b.solid.size + length(shift));
    let mut simplex = vec![corner(start)];
    let mut weights = vec![1.0];
    let mut point = simplex[0].at;
    let mut best = (0.0, [0.0; 3]);
    for _ in 0..STEPS {
        let size = length(&point);
        let Some(normal) = unit(point) else { break };
        let next = corner(&normal);
        let apart = dot(&next.at, &normal);
        if apart > best.0 {
            best = (apart, normal);
        }
        let known = simplex.iter().any(|own| own.at == next.at);
        if size - apart <= rounding || known {
            break;
        }
        let mut larger = simplex.clone();
        larger.push(next);
        let (face, shares, closer) = reduced(&larger)?;
        if length(&closer) >= size {
            break;
        }
        if face.len() == 4 {
            return None;
        }
        (simplex, weights, point) = (face, shares, closer);
    }
    let (apart, normal) = best;
    let mean = |k: usize| {
        let parts = simplex.iter().zip(&weights);
        parts.fold([0.0; 3], |all, (own, share)| {
            sum(&all, &times(&own.of[k], *share))
        })
    };
    (apart > rounding).then(|| Nearest {
        normal,
        apart,
        points: [mean(0), mean(1)],
    })
}

/// The face of a simplex with its point of least length, the weights of its corners, and that point.
fn reduced(simplex: &[Corner]) -> Option<(Vec<Corner>, Vec<f64>, Triple)> {
    let mut best: Option<(Vec<Corner>, Vec<f64>, Triple)> = None;
    let mut least = f64::INFINITY;
    for chosen in 1..1usize << simplex.len() {
        let face: Vec<Corner> = simplex
            .iter()
            .enumerate()
            .filter(|(k, _)| chosen >> k & 1 == 1)
            .map(|(_, own)| *own)
            .collect();
        let Some(weights) = weights(&face) else {
            continue;
        };
        if weights.iter().any(|share| *share < 0.0) {
            continue;
        }
        let parts = face.iter().zip(&weights);
        let point = parts.fold([0.0; 3], |all, (own, share)| {
            sum(&all, &times(&own.at, *share))
        });
        // Of equally near ones the smaller face.
        if length(&point) < least {
            least = length(&point);
            best = Some((face, weights, point));
        }
    }
    best
}

/// The weights of the point of least length of the plane through the corners; `None` where they depend.
fn weights(face: &[Corner]) -> Option<Vec<f64>> {
    let (first, others) = face.split_first()?;
    let arms: Vec<Triple> = others
        .iter()
        .map(|own| difference(&own.at, &first.at))
        .collect();
    let gram = |i: usize, j: usize| dot(&arms[i], &arms[j]);
    let right = |i: usize| -dot(&arms[i], &first.at);
    let found = match arms.len() {
        0 => Vec::new(),
        1 => vec![right(0) / gram(0, 0)],
        2 => {
            let determinant = gram(0, 0) * gram(1, 1) - gram(0, 1) * gram(0, 1);
            vec![
                (right(0) * gram(1, 1) - right(1) * gram(0, 1)) / determinant,
                (right(1) * gram(0, 0) - right(0) * gram(0, 1)) / determinant,
            ]
        }
        _ => {
            let column = |k: usize| [gram(0, k), gram(1, k), gram(2, k)];
            let right = [right(0), right(1), right(2)];
            let triple = |a: &Triple, b: &Triple, c: &Triple| dot(a, &crate::binary::cross(b, c));
            let [a, b, c] = [column(0), column(1), column(2)];
            let determinant = triple(&a, &b, &c);
            vec![
                triple(&right, &b, &c) / determinant,
                triple(&a, &right, &c) / determinant,
                triple(&a, &b, &right) / determinant,
            ]
        }
    };
    let rest = 1.0 - found.iter().sum::<f64>();
    let all: Vec<f64> = std::iter::once(rest).chain(found).collect();
    all.iter().all(|share| share.is_finite()).then_some(all)
}
