//! Gaps of bodies as they are, and overlaps: an exact test of separating axes, which knows nothing of obstacles.

use etalon_rigid::{Scalar, dot};

use super::pose::{Pose, cross, minus, size};
use super::step::Field;
use super::whole::Whole;
use super::{Region, SolidLaws, Solids, Touch, TouchedFace};
use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::step::State;

/// Two bodies that overlap, by their names, and how deep, m.
pub type Overlap = (String, String, f64);

/// How far two bodies may overlap after a step, m for each m of the smaller one, beside what turning leaves: 1e-6, as at the start.
const SHARE: i64 = 1_000_000;

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
        let gap = |own: &TouchedFace| match own.touch {
            Touch::Point { point, face } => {
                let pair = own.pair;
                self.gap(Region { pair, point }, face, &poses)
            }
            // Edges that the step has made parallel have no common normal.
            Touch::Edges(edges) => self
                .edge_gap(own.pair, edges, &poses)
                .unwrap_or_else(S::zero),
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
        let field = Field::new(self, &start, arithmetic);
        let wholes = (0..field.wholes()).map(|k| field.whole(k).clone());
        let wholes = wholes.collect();
        let obstacles = field.points;
        let larger = |a: S, b: S| if b > a { b } else { a };
        let bodies = self.bodies.iter().zip(&start.poses).enumerate();
        let bodies = bodies.map(|(k, (own, pose))| {
            let sides = own
                .faces
                .iter()
                .map(|side| side.offset.abs())
                .fold(S::zero(), larger);
            size(&pose.centre) + self.reach(k) + sides
        });
        Ok(SolidLaws {
            wholes,
            obstacles,
            touched: self.touched_by_points(),
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

    /// Two bodies that overlap by more than a share of the size of the smaller one, the deepest of all. Of bodies that both have an inside no axis
    /// parts them; points alone, and those before a half-space, overlap where one of them is inside.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn deepest_overlap(
        &self,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
        share: f64,
    ) -> Result<Option<Overlap>, StepError> {
        let poses = self.poses(q, arithmetic)?;
        let mut deepest: Option<Overlap> = None;
        let mut found = |[first, second]: [usize; 2], depth: f64| {
            if deepest.as_ref().is_none_or(|(.., known)| depth > *known) {
                let [first, second] = [first, second].map(|b| self.bodies[b].name.clone());
                deepest = Some((first, second, depth));
            }
        };
        for (k, pair) in self.pairs.iter().enumerate() {
            let bodies = [pair.points_of, pair.faces_of];
            let allowed = share * self.size(bodies[0]).min(self.size(bodies[1]));
            if let Some(own) = self.wholes.iter().find(|own| own.pairs.contains(&k)) {
                let allowed =
                    S::from_rational(&rug::Rational::from_f64(allowed).unwrap_or_default());
                if own.pairs[0] == k
                    && let Some(depth) = self.axes_overlap(*own, &poses, &allowed)
                {
                    found(bodies, depth);
                }
                continue;
            }
            let gap = self.separation(k, &poses);
            if gap < -allowed {
                found(bodies, -gap);
            }
        }
        Ok(deepest)
    }

    /// Two bodies that overlap after a step of size h by more than rounding and turning leave.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn overlap_after(
        &self,
        after: &State<S>,
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Option<Overlap>, StepError> {
        if self.wholes.is_empty() {
            return Ok(None);
        }
        let poses = self.poses(&after.q, arithmetic)?;
        for own in &self.wholes {
            let allowed = self.allowed(*own, &after.v, h) + arithmetic.slack();
            if let Some(depth) = self.axes_overlap(*own, &poses, &allowed) {
                let [first, second] = self.whole_bodies(*own).map(|k| self.bodies[k].name.clone());
                return Ok(Some((first, second, depth)));
            }
        }
        Ok(None)
    }

    /// The velocity of a body, and its angular velocity.
    pub(super) fn rates(&self, body: usize, v: &[S]) -> (Vec<S>, Vec<S>) {
        let all = Self::lengths(self.dimension)[1];
        let own = &self.bodies[body];
        let mut rates = match own.fixed {
            Some(_) => vec![S::zero(); all],
            None => v[own.at[1]..own.at[1] + all].to_vec(),
        };
        let spin = rates.split_off(self.dimension);
        (rates, spin)
    }

    /// How deep the bodies of a pair may overlap after a step with those velocities: a millionth of the smaller one's size, and what gaps to first order leave,
    /// h w (h w r + h v), w being their angular velocities, r four times their reach, and v their relative velocity, in sizes.
    fn allowed(&self, own: Whole, v: &[S], h: &S) -> S {
        let bodies = self.whole_bodies(own);
        let [(one, spin), (two, other)] = bodies.map(|body| self.rates(body, v));
        let [first, second] = bodies.map(|body| self.reach(body));
        let least = if second < first {
            second.clone()
        } else {
            first.clone()
        };
        let turn = (size(&spin) + size(&other)) * h;
        let arms = (first + second) * &S::integer(4);
        let way = size(&minus(&one, &two)) * h;
        (turn.clone() * &arms + way) * &turn + least / &S::integer(SHARE)
    }

    /// How deep the bodies of a pair overlap, where no axis parts them up to that depth: no normal of a side, and in space no
    /// common normal of any two edges. Signs are decided in the numbers of the system; the depth is rounded.
    fn axes_overlap(&self, own: Whole, poses: &[Pose<S>], allowed: &S) -> Option<f64> {
        let bodies = self.whole_bodies(own);
        let points = bodies.map(|body| {
            let pose = &poses[body];
            let place = |point: &Vec<S>| {
                let arm = pose.outwards(point).into_iter().zip(&pose.centre);
                arm.map(|(a, c)| a + c).collect()
            };
            let all = self.bodies[body].points.iter().map(place);
            all.collect::<Vec<Vec<S>>>()
        });
        let mut depth = f64::INFINITY;
        // Sides first: most bodies are parted by one.
        for (k, body) in bodies.into_iter().enumerate() {
            for side in &self.bodies[body].faces {
                let normal = poses[body].outwards(&side.normal);
                let gap = least(&normal, &points[1 - k])? - &most(&normal, &points[k])?;
                if gap.clone() + allowed >= S::zero() {
                    return None;
                }
                depth = depth.min(-gap.to_f64());
            }
        }
        let ways = bodies.map(|body| {
            let own = &self.bodies[body];
            let way = |edge: &super::Edge| {
                let [one, two] = edge.ends.map(|k| &own.points[k]);
                poses[body].outwards(&minus(two, one))
            };
            own.edges.iter().map(way).collect::<Vec<_>>()
        });
        for a in &ways[0] {
            for b in &ways[1] {
                let normal = cross(a, b);
                let square = dot(&normal, &normal);
                if square.is_zero() {
                    continue;
                }
                let [one, two] = [&points[0], &points[1]];
                let ahead = least(&normal, one)? - &most(&normal, two)?;
                let behind = least(&normal, two)? - &most(&normal, one)?;
                let gap = if behind > ahead { behind } else { ahead };
                // gap/|n| >= -allowed, without the root.
                if gap.signum() >= 0 || gap.squared() <= allowed.squared() * &square {
                    return None;
                }
                depth = depth.min(-gap.to_f64() / square.to_f64().sqrt());
            }
        }
        Some(depth)
    }

    /// How far points are from the sides that keep them out: the worst of each one's best side.
    fn separation(&self, pair: usize, poses: &[Pose<S>]) -> f64 {
        let own = &self.pairs[pair];
        let points = 0..self.bodies[own.points_of].points.len();
        let faces = 0..self.bodies[own.faces_of].faces.len();
        let best = |point| {
            let gaps = faces
                .clone()
                .map(|face| self.gap(Region { pair, point }, face, poses).to_f64());
            gaps.fold(f64::NEG_INFINITY, f64::max)
        };
        points.map(best).fold(f64::INFINITY, f64::min)
    }

    /// How far the points of a body reach, in sizes.
    pub(super) fn reach(&self, body: usize) -> S {
        let points = self.bodies[body].points.iter();
        points.fold(S::zero(), |most, own| {
            let own = size(own);
            if own > most { own } else { most }
        })
    }

    /// How far the points of a body reach; a half-space has no end.
    fn size(&self, body: usize) -> f64 {
        let points = self.bodies[body].points.iter();
        let reach = points.map(|own| dot(own, own).to_f64().sqrt());
        reach.reduce(f64::max).unwrap_or(f64::INFINITY)
    }
}

fn least<S: Scalar>(normal: &[S], points: &[Vec<S>]) -> Option<S> {
    let all = points.iter().map(|own| dot(normal, own));
    all.reduce(|least, own| if own < least { own } else { least })
}

fn most<S: Scalar>(normal: &[S], points: &[Vec<S>]) -> Option<S> {
    let all = points.iter().map(|own| dot(normal, own));
    all.reduce(|most, own| if own > most { own } else { most })
}
