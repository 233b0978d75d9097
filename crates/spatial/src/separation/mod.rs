//! The direction along which two convex bodies are furthest apart, in binary64: a proposal, which exact support functions
//! ([`crate::shape::Shape::reach`]) are asked about.
//!
//! Let a(n) be how far the first body reaches along a unit vector n and b(n) how near the second comes,
//!
//! > g(n) = b(n) - a(n),  gap = the largest g(n).
//!
//! Above 0 the gap is the distance; below it is minus the depth, since shifting the second body by -g(n) n parts them, and no
//! shorter shift does. So any direction with a larger g refutes a gap, and the points of a contact prove one from
//! above: no direction has a larger g than the distance of a point of the first body from one of the second.
//!
//! Where the bodies are apart g has one maximum, which [`nearest`](nearest::nearest) finds. Where they overlap it may have several. Then
//! the second body is shifted along n until they are apart by a little; the direction of the nearest points, m, has
//! g(m) >= g(n), as the distance is at least that little. So a direction climbs to a maximum, from each of the
//! likely ones: normals of faces, products of edges, the line of centres, and the 26 of a cube.

mod extreme;
mod meeting;
mod nearest;
mod solid;
#[cfg(test)]
mod tests;

use crate::binary::{Triple, cross, difference, dot, sum, times, unit};
use nearest::nearest;

pub use extreme::{Facing, Pose};
pub use meeting::{STARTS, Twist, allowed, gap_of, half_space, meeting};
pub use solid::{Placed, Solid};

/// Where two bodies are furthest apart.
#[derive(Debug, Clone, Copy)]
pub struct Split {
    /// A unit vector from the first to the second.
    pub normal: Triple,
    /// g of it, m: the distance, or minus the depth.
    pub gap: f64,
    /// The nearest points of both, or those that are deepest in the other.
    pub points: [Triple; 2],
}

/// How much g must grow, beside the size of the bodies, for a direction to count as better: rounding of some sums.
const BETTER: f64 = 1e-13;

/// How far apart the bodies are shifted, beside the size of the smaller one: the nearer, the faster a direction climbs on
/// round shapes; far above rounding, so that normals have 13 digits.
const LITTLE: f64 = 1e-3;

/// The most pairs of edges whose products are tried; beyond, directions must climb to them.
const PAIRS: usize = 4096;

/// g of a unit vector.
pub fn gap_along(a: &Placed<'_>, b: &Placed<'_>, normal: &Triple) -> f64 {
    let apart = difference(&b.support(&times(normal, -1.0)), &a.support(normal));
    dot(&apart, normal) - a.solid.radius - b.solid.radius
}

/// The direction that separates most, of those that so many of the likeliest climb to.
pub fn widest(a: &Placed<'_>, b: &Placed<'_>, starts: usize) -> Split {
    let size = a.solid.size.min(b.solid.size);
    let centres = difference(&b.position, &a.position);
    let line = unit(centres).unwrap_or([0.0, 0.0, 1.0]);
    let none = [0.0; 3];
    if let Some(own) = nearest(a, b, &none, &line)
        && own.apart > LITTLE * size
    {
        return split(a, b, own.normal, own.points);
    }
    let mut likely: Vec<(f64, Triple)> = Vec::new();
    for direction in directions(a, b, &line) {
        likely.push((gap_along(a, b, &direction), direction));
    }
    // The sort keeps the order of equals, and normals of faces are first: what climbs stays at them.
    likely.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut best: Option<Split> = None;
    let mut tried: Vec<Triple> = Vec::new();
    for (_, direction) in likely {
        // Within some 1e-6 rad of each other they climb to the same.
        let near = |other: &Triple| dot(other, &direction) > 1.0 - 1e-12;
        if tried.len() >= starts || tried.iter().any(near) {
            continue;
        }
        tried.push(direction);
        let own = climb(a, b, direction);
        if best.is_none_or(|best| own.gap > best.gap + BETTER * size) {
            best = Some(own);
        }
    }
    best.unwrap_or_else(|| climb(a, b, line))
}

fn split(a: &Placed<'_>, b: &Placed<'_>, normal: Triple, [p, r]: [Triple; 2]) -> Split {
    Split {
        normal,
        gap: gap_along(a, b, &normal),
        points: [
            sum(&p, &times(&normal, a.solid.radius)),
            difference(&r, &times(&normal, b.solid.radius)),
        ],
    }
}

/// Climbs to a maximum of g.
fn climb(a: &Placed<'_>, b: &Placed<'_>, start: Triple) -> Split {
    let size = a.solid.size.min(b.solid.size);
    let mut own = split(
        a,
        b,
        start,
        [a.support(&start), b.support(&times(&start, -1.0))],
    );
    // Where round bodies are deep in each other a step gains a part of the way alone; the limit is chosen.
    for _ in 0..100 {
        let lift = LITTLE * size - (own.gap + a.solid.radius + b.solid.radius);
        let shift = times(&own.normal, lift);
        let Some(next) = nearest(a, b, &shift, &own.normal) else {
            break;
        };
        let [p, r] = next.points;
        let points = [p, difference(&r, &shift)];
        let better = split(a, b, next.normal, points);
        if better.gap <= own.gap + BETTER * size {
            // The points are those of the direction that it began with.
            return split(a, b, own.normal, points);
        }
        own = better;
    }
    own
}

/// Directions that may be maxima, or lead to them.
fn directions(a: &Placed<'_>, b: &Placed<'_>, line: &Triple) -> Vec<Triple> {
    let mut all: Vec<Triple> = a
        .faces()
        .chain(b.faces().map(|own| times(&own, -1.0)))
        .collect();
    let both = |own: Triple| [own, times(&own, -1.0)];
    let edges: [Vec<Triple>; 2] = [a.edges().collect(), b.edges().collect()];
    if edges[0].len() * edges[1].len() <= PAIRS {
        for one in &edges[0] {
            let products = edges[1].iter().filter_map(|other| unit(cross(one, other)));
            all.extend(products.flat_map(both));
        }
    }
    all.extend(both(*line));
    for edge in edges.iter().flatten() {
        let across = difference(line, &times(edge, dot(line, edge)));
        all.extend(unit(across).into_iter().flat_map(both));
    }
    let steps = [-1.0, 0.0, 1.0];
    for x in steps {
        for y in steps {
            all.extend(steps.iter().filter_map(|z| unit([x, y, *z])));
        }
    }
    all
}
