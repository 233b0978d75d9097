//! Where pairs touch, in binary64: for pictures, and for the axis of a step's tangents.

use rug::Rational;

use super::number::{dot, times};
use super::problem::{StepProblem, tangents};
use super::start::closest_points;
use super::system::System;

/// Where a pair is closest, in the world; the impulses of a line are along these directions, on the first body.
#[derive(Debug, Clone, PartialEq)]
pub struct PairTouch {
    /// The point of the first body, m.
    pub at: Vec<f64>,
    /// The unit normal, from the second body to the first.
    pub normal: Vec<f64>,
    /// The unit tangents of friction: one in the plane, two in space.
    pub tangents: Vec<Vec<f64>>,
}

impl System {
    /// Where each pair is closest at the end of a step of h seconds from (q, v) to the velocity `after`, about. Tangents
    /// follow the axis that the step takes, from its free motion.
    pub fn touches(
        &self,
        (q, v): (&[Rational], &[Rational]),
        h: &Rational,
        after: &[f64],
    ) -> Vec<PairTouch> {
        let problem = StepProblem::new(self, q, v, h);
        let free = problem.free_velocity();
        let d = self.dimension();
        let touch = |pair: usize| {
            let points = closest_points(&problem, pair, after);
            let normal = problem.direction(pair, &points, after);
            let normal = times(&(1.0 / dot(&0.0, &normal, &normal).sqrt()), &normal);
            let axis = free.as_ref().map_or(0, |v| tangent_axis(&problem, pair, v));
            // A point has no closest points: it is the one.
            let at = points.get(..d).map(<[f64]>::to_vec);
            let own = self.pairs()[pair].first;
            PairTouch {
                at: at.unwrap_or_else(|| self.poses(q, after, h).swap_remove(own).centre),
                tangents: tangents(&normal, axis),
                normal,
            }
        };
        (0..self.pairs().len()).map(touch).collect()
    }
}

/// How near to each other parts of a unit normal may be for rounding to have chosen between their axes: far above that of binary32, 2^-24,
/// and far below what tells tangents apart.
const TIE: f64 = 1.0 / 65_536.0;

/// The axis that is farthest from the normal, and those that tie with it.
pub(super) fn tangent_axes(problem: &StepProblem<'_>, pair: usize, v: &[f64]) -> Vec<usize> {
    let best = tangent_axis(problem, pair, v);
    let normal = problem.direction(pair, &closest_points(problem, pair, v), v);
    let length = dot(&0.0, &normal, &normal).sqrt();
    let ties = |i: &usize| *i != best && normal[*i].abs() <= normal[best].abs() + TIE * length;
    std::iter::once(best)
        .chain((0..normal.len()).filter(ties))
        .collect()
}

/// The axis that is farthest from the normal.
pub(super) fn tangent_axis(problem: &StepProblem<'_>, pair: usize, v: &[f64]) -> usize {
    let normal = problem.direction(pair, &closest_points(problem, pair, v), v);
    let size = |i: usize| normal[i].abs();
    (0..normal.len()).fold(0, |best, i| if size(i) < size(best) { i } else { best })
}
