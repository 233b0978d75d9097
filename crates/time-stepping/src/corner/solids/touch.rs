//! Where faces act, and along what: for pictures, and for gaps after a step.

use etalon_rigid::{Scalar, dot};
use rug::Rational;

use super::face::frame;
use super::pose::{Pose, cross, minus};
use super::whole::Placed;
use super::{Solids, Touch, TouchedFace};
use crate::arithmetic::Arithmetic;
use crate::error::StepError;

/// Where a face acts, in the world; its impulses are along these directions, on the first body of its pair.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidTouch<S> {
    /// m.
    pub at: Vec<S>,
    /// The unit normal, from the second body to the first.
    pub normal: Vec<S>,
    /// The unit tangents of friction: one in the plane, two in space.
    pub tangents: Vec<Vec<S>>,
}

/// Two edges with their common normal, as a face has it.
struct Common<'a, S> {
    placed: [Placed<'a, S>; 2],
    /// From the second body to the first.
    normal: Vec<S>,
    tangents: Vec<Vec<S>>,
}

impl<S: Scalar> Solids<S> {
    /// Where a face acts at the start of a step from those coordinates. `None` for edges that are parallel there.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn touch(
        &self,
        own: &TouchedFace,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Option<SolidTouch<S>>, StepError> {
        let poses = self.poses(q, arithmetic)?;
        let pair = &self.pairs[own.pair];
        Ok(match own.touch {
            Touch::Point { point, face } => {
                let first = &poses[pair.points_of];
                let arm = first.outwards(&self.bodies[pair.points_of].points[point]);
                let at = first.centre.iter().zip(arm);
                let side = &self.bodies[pair.faces_of].faces[face];
                let second = &poses[pair.faces_of];
                Some(SolidTouch {
                    at: at.map(|(c, a)| c.clone() + a).collect(),
                    normal: second.outwards(&side.normal),
                    tangents: side.tangents.iter().map(|t| second.outwards(t)).collect(),
                })
            }
            Touch::Edges(edges) => self.edges_touch(own.pair, edges, &poses),
        })
    }

    fn common(&self, pair: usize, edges: [usize; 2], poses: &[Pose<S>]) -> Option<Common<'_, S>> {
        let own = &self.pairs[pair];
        let placed = [own.points_of, own.faces_of].map(|k| Placed::new(&self.bodies[k], &poses[k]));
        let [first, second] = &placed;
        let [one, two] = [&first.own.edges[edges[0]], &second.own.edges[edges[1]]];
        let mut normal = cross(&first.along(one), &second.along(two));
        if dot(&normal, &second.outward(two)).signum() < 0 {
            normal = normal.into_iter().map(|x| -x).collect();
        }
        let exact = |x: &S| x.to_number().map(|x| x.to_rational());
        let normal: Vec<Rational> = normal.iter().map(exact).collect::<Option<_>>()?;
        let (normal, tangents) = frame(&normal)?;
        let kept = |own: &Vec<Rational>| own.iter().map(S::from_rational).collect::<Vec<S>>();
        Some(Common {
            normal: kept(&normal),
            tangents: tangents.iter().map(kept).collect(),
            placed,
        })
    }

    /// Where two edges are nearest, on the first one.
    fn edges_touch(
        &self,
        pair: usize,
        edges: [usize; 2],
        poses: &[Pose<S>],
    ) -> Option<SolidTouch<S>> {
        let own = self.common(pair, edges, poses)?;
        let [first, second] = &own.placed;
        let [one, two] = [&first.own.edges[edges[0]], &second.own.edges[edges[1]]];
        let [a, b] = [first.along(one), second.along(two)];
        let from = &first.points[one.ends[0]];
        let apart = minus(from, &second.points[two.ends[0]]);
        // (apart + t a - s b) is along a x b.
        let across = cross(&a, &b);
        let share = -dot(&cross(&apart, &b), &across) / &dot(&across, &across);
        let at = from.iter().zip(&a);
        Some(SolidTouch {
            at: at.map(|(x, a)| x.clone() + a.clone() * &share).collect(),
            normal: own.normal,
            tangents: own.tangents,
        })
    }

    /// The gap of two edges along their common normal: how they are after a step, too.
    pub(super) fn edge_gap(&self, pair: usize, edges: [usize; 2], poses: &[Pose<S>]) -> Option<S> {
        let own = self.common(pair, edges, poses)?;
        let [first, second] = &own.placed;
        let [one, two] = [&first.own.edges[edges[0]], &second.own.edges[edges[1]]];
        let apart = minus(&first.points[one.ends[0]], &second.points[two.ends[0]]);
        Some(dot(&own.normal, &apart))
    }
}
