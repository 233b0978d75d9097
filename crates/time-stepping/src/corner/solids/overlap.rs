//! Gaps of bodies as they are, and overlaps at the start.

use etalon_rigid::{Scalar, dot};

use super::pose::{Pose, minus};
use super::{Region, SolidLaws, Solids, TouchedFace};
use crate::arithmetic::Arithmetic;
use crate::error::StepError;

impl<S: Scalar> Solids<S> {
    /// The gaps of those faces at those coordinates, m.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn gaps(
        &self,
        touched: &[TouchedFace],
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Vec<S>, StepError> {
        let poses = self.poses(q, arithmetic)?;
        let gap = |own: &TouchedFace| {
            let region = Region {
                pair: own.pair,
                point: own.point,
            };
            self.gap(region, own.face, &poses)
        };
        Ok(touched.iter().map(gap).collect())
    }

    /// What the laws of a step of size h from a state are made of, whoever took it.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn laws(
        &self,
        (q, v): (&[S], &[S]),
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<SolidLaws<S>, StepError> {
        let start = self.start_of((q, v), h, arithmetic)?;
        let regions = self.regions();
        let faces = regions
            .iter()
            .map(|own| self.faces(*own, &start, arithmetic));
        let sizes = |own: &[S]| own.iter().fold(S::zero(), |sum, x| sum + x.abs());
        let larger = |a: S, b: S| if b > a { b } else { a };
        let bodies = self.bodies.iter().zip(&start.poses).map(|(own, pose)| {
            let arms = own
                .points
                .iter()
                .map(|point| sizes(point))
                .fold(S::zero(), larger);
            let sides = own
                .faces
                .iter()
                .map(|side| side.offset.abs())
                .fold(S::zero(), larger);
            sizes(&pose.centre) + arms + sides
        });
        Ok(SolidLaws {
            obstacles: faces.collect(),
            touched: self.names().into_iter().map(|(_, own)| own).collect(),
            reach: bodies.fold(S::zero(), larger) * &S::integer(2),
            mass: start.mass,
            force: start.force,
        })
    }

    /// psi.
    fn gap(&self, region: Region, face: usize, poses: &[Pose<S>]) -> S {
        let pair = &self.pairs[region.pair];
        let side = &self.bodies[pair.faces_of].faces[face];
        let own = &poses[pair.points_of];
        let arm = own.outwards(&self.bodies[pair.points_of].points[region.point]);
        let place: Vec<S> = own
            .centre
            .iter()
            .zip(&arm)
            .map(|(c, a)| c.clone() + a)
            .collect();
        let other = &poses[pair.faces_of];
        dot(&other.outwards(&side.normal), &minus(&place, &other.centre)) - &side.offset
    }

    /// Two bodies that overlap by more than a share of the size of the smaller one, and how deep, m: no side of either has all
    /// points of the other outside. A body of points alone overlaps where one of them is inside.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn deepest_overlap(
        &self,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
        share: f64,
    ) -> Result<Option<(String, String, f64)>, StepError> {
        let poses = self.poses(q, arithmetic)?;
        let mut deepest: Option<(String, String, f64)> = None;
        for (k, pair) in self.pairs.iter().enumerate() {
            let gap = self.separation(k, &poses);
            let mirrored = |other: &usize| {
                let other = &self.pairs[*other];
                other.points_of == pair.faces_of && other.faces_of == pair.points_of
            };
            let back = (0..self.pairs.len()).find(mirrored);
            let alone = self.bodies[pair.points_of].faces.is_empty();
            let gap = back
                .filter(|_| !alone)
                .map_or(gap, |back| gap.max(self.separation(back, &poses)));
            let allowed = share * self.size(pair.points_of).min(self.size(pair.faces_of));
            if gap < -allowed && deepest.as_ref().is_none_or(|(.., depth)| -gap > *depth) {
                let [first, second] =
                    [pair.points_of, pair.faces_of].map(|b| self.bodies[b].name.clone());
                deepest = Some((first, second, -gap));
            }
        }
        Ok(deepest)
    }

    /// How far apart the points and sides of a pair are: the best side for all points, or for points alone the worst of each one's.
    fn separation(&self, pair: usize, poses: &[Pose<S>]) -> f64 {
        let own = &self.pairs[pair];
        let points = 0..self.bodies[own.points_of].points.len();
        let faces = 0..self.bodies[own.faces_of].faces.len();
        let gap =
            |point: usize, face: usize| self.gap(Region { pair, point }, face, poses).to_f64();
        if self.bodies[own.points_of].faces.is_empty() {
            let best = |point| {
                faces
                    .clone()
                    .map(|face| gap(point, face))
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            return points.map(best).fold(f64::INFINITY, f64::min);
        }
        let least = |face| {
            points
                .clone()
                .map(|point| gap(point, face))
                .fold(f64::INFINITY, f64::min)
        };
        faces.map(least).fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far the points of a body reach; a half-space has no end.
    fn size(&self, body: usize) -> f64 {
        let points = self.bodies[body].points.iter();
        let reach = points.map(|own| dot(own, own).to_f64().sqrt());
        reach.reduce(f64::max).unwrap_or(f64::INFINITY)
    }
}
