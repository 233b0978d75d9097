//! A step: the obstacles that take part, and the state after.

use etalon_rigid::{Covector, MassMatrix, Scalar, dot};

use super::pose::{Pose, minus, wrench};
use super::record::{Losses, SolidStep, TouchedFace};
use super::{Pair, Region, Solids};
use crate::arithmetic::Arithmetic;
use crate::corner::{CornerStep, Corners, Face, Obstacle};
use crate::error::StepError;
use crate::model::FrictionDirection;
use crate::step::State;

/// A system at the start of a step.
pub(super) struct Start<S> {
    pub poses: Vec<Pose<S>>,
    pub mass: MassMatrix<S>,
    /// k, with what turns a body in space.
    pub force: Vec<S>,
    /// That of turning alone.
    pub turning: Vec<S>,
    /// h.
    pub h: S,
    /// v^l.
    pub v: Vec<S>,
}

/// An obstacle that takes part: a region, and those of its faces that do, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub region: usize,
    pub faces: Vec<usize>,
}

impl<S: Scalar> Solids<S> {
    /// All points with the sides that keep them out, in order.
    pub(super) fn regions(&self) -> Vec<Region> {
        let pairs = self.pairs.iter().enumerate();
        let all = pairs.flat_map(|(pair, own)| {
            let points = 0..self.bodies[own.points_of].points.len();
            points.map(move |point| Region { pair, point })
        });
        all.collect()
    }

    /// One step of size h.
    ///
    /// # Errors
    /// Those of [`Corners::step`], and those of the arithmetic.
    pub fn step(
        &self,
        state: &State<S>,
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<SolidStep<S>, StepError> {
        let start = self.start_of((&state.q, &state.v), h, arithmetic)?;
        let regions = self.regions();
        let all: Vec<Vec<Face<S>>> = regions
            .iter()
            .map(|own| self.faces(*own, &start, arithmetic))
            .collect();
        let mut parts = self.first_parts(&start, &all, arithmetic);
        let (corners, step) = loop {
            let corners = self.corners(&start, &all, &parts);
            let step = corners.step(&vec![S::zero(); start.v.len()], &state.v, h)?;
            if !grown(&mut parts, &all, &step) {
                break (corners, step);
            }
        };
        let touched = parts.iter().flat_map(|own| {
            let region = regions[own.region];
            own.faces.iter().map(move |&face| TouchedFace {
                pair: region.pair,
                point: region.point,
                face,
            })
        });
        let after = State::new(
            self.moved(&state.q, &self.kept(&step.v, arithmetic), h, arithmetic)?,
            self.kept(&step.v, arithmetic),
        );
        let losses = self.losses((state, &after), &start, &step, arithmetic)?;
        Ok(SolidStep {
            touched: touched.collect(),
            energy: self.energy(&after.q, &after.v, arithmetic)?,
            dissipation: losses,
            after,
            corners,
            step,
        })
    }

    fn kept(&self, v: &[S], arithmetic: &dyn Arithmetic<S>) -> Vec<S> {
        v.iter().map(|v| arithmetic.round(v.clone())).collect()
    }

    /// M, k and the poses at the start of a step.
    pub(super) fn start_of(
        &self,
        (q, v): (&[S], &[S]),
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Start<S>, StepError> {
        let lengths = Self::lengths(self.dimension).map(|own| own * self.moving().count());
        for (what, own, expected) in [("q", q, lengths[0]), ("v", v, lengths[1])] {
            if own.len() != expected {
                let length = own.len();
                return Err(StepError::Length {
                    what,
                    length,
                    expected,
                });
            }
        }
        let poses = self.poses(q, arithmetic)?;
        let mass = self.mass(&poses)?;
        let mut turning = vec![S::zero(); v.len()];
        let mut force = turning.clone();
        let bodies = self.bodies.iter().zip(&poses);
        for (own, pose) in bodies.filter(|(own, _)| own.fixed.is_none()) {
            let at = own.at[1];
            force[at..at + self.dimension].clone_from_slice(&own.force);
            if self.dimension == 3 {
                // -omega x I omega, of the start.
                let omega = &v[at + 3..at + 6];
                let momentum = own.inertia_at(pose).times(omega);
                let torque = wrench(&momentum, omega);
                turning[at + 3..at + 6].clone_from_slice(&torque[3..]);
            }
        }
        for (sum, own) in force.iter_mut().zip(&turning) {
            *sum += own;
        }
        Ok(Start {
            poses,
            mass,
            force,
            turning,
            h: h.clone(),
            v: v.to_vec(),
        })
    }

    /// The faces of an obstacle in the displacement since the start of the step.
    pub(super) fn faces(
        &self,
        region: Region,
        start: &Start<S>,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Vec<Face<S>> {
        let pair = &self.pairs[region.pair];
        let [own, other] = [pair.points_of, pair.faces_of];
        let arm = start.poses[own].outwards(&self.bodies[own].points[region.point]);
        let pose = &start.poses[other];
        let place: Vec<S> = start.poses[own]
            .centre
            .iter()
            .zip(&arm)
            .map(|(c, a)| c.clone() + a)
            .collect();
        let across = minus(&place, &pose.centre);
        let slack = self.slack(pair, [&arm, &across], start) + arithmetic.slack();
        let faces = self.bodies[other].faces.iter().enumerate();
        let face = |(index, side): (usize, &super::Side<S>)| {
            let normal = pose.outwards(&side.normal);
            let gap = dot(&normal, &across) - &side.offset;
            let along: Vec<Vec<S>> = side.tangents.iter().map(|t| pose.outwards(t)).collect();
            let row = |direction: &[S]| self.row(pair, [&arm, &across], direction);
            let direction = |own: &Vec<S>| {
                let mut way = vec![S::zero(); self.dimension];
                for (axis, weight) in along.iter().zip(own) {
                    for (sum, part) in way.iter_mut().zip(axis) {
                        *sum += &(part.clone() * weight);
                    }
                }
                FrictionDirection {
                    tangent: own.clone(),
                    row: row(&way),
                }
            };
            let name = self.face_name(region, index);
            Face::smooth(name, row(&normal), -gap)
                .rough(
                    pair.mu.clone(),
                    pair.directions.iter().map(direction).collect(),
                )
                .grazed(slack.clone())
        };
        faces.map(face).collect()
    }

    /// How fast the point moves against the side along a direction.
    fn row(&self, pair: &Pair<S>, arms: [&[S]; 2], direction: &[S]) -> Covector<S> {
        let mut entries = Vec::new();
        for (k, (body, arm)) in [pair.points_of, pair.faces_of]
            .into_iter()
            .zip(arms)
            .enumerate()
        {
            let own = &self.bodies[body];
            if own.fixed.is_none() {
                let push = wrench(arm, direction).into_iter().enumerate();
                entries.extend(
                    push.map(|(i, part)| (own.at[1] + i, if k == 0 { part } else { -part })),
                );
            }
        }
        Covector::new(entries)
    }

    /// What turning curves a gap by within a step: (h omega)^2 times the arm, in sizes.
    fn slack(&self, pair: &Pair<S>, arms: [&[S]; 2], start: &Start<S>) -> S {
        let size = |own: &[S]| own.iter().fold(S::zero(), |sum, x| sum + x.abs());
        let mut slack = S::zero();
        for (body, arm) in [pair.points_of, pair.faces_of].into_iter().zip(arms) {
            let own = &self.bodies[body];
            if own.fixed.is_none() {
                let rates = Self::lengths(self.dimension)[1];
                let spin = &start.v[own.at[1] + self.dimension..own.at[1] + rates];
                slack += &((size(spin) * &start.h).squared() * size(arm));
            }
        }
        slack
    }

    /// The name of a face of an obstacle: whose point, and whose side.
    pub(super) fn face_name(&self, region: Region, face: usize) -> String {
        let pair = &self.pairs[region.pair];
        let [own, other] = [pair.points_of, pair.faces_of].map(|body| &self.bodies[body]);
        let what = if own.faces.is_empty() {
            "point"
        } else {
            "corner"
        };
        let side = &other.faces[face].name;
        let space = if side.is_empty() { "" } else { " " };
        let (point, number) = (&own.name, region.point + 1);
        format!("{point} {what} {number}/{}{space}{side}", other.name)
    }

    /// The obstacles that take part at first.
    fn first_parts(
        &self,
        start: &Start<S>,
        all: &[Vec<Face<S>>],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Vec<Part> {
        let change = start.mass.inverse_times(&start.force);
        let velocity = start
            .v
            .iter()
            .zip(&change)
            .map(|(v, a)| v.clone() + a.clone() * &start.h);
        let free: Vec<S> = velocity.map(|v| v * &start.h).collect();
        let slack = arithmetic.slack();
        let parts = all.iter().enumerate().filter_map(|(region, faces)| {
            let ways = ways(faces, &free);
            let ends_inside = ways.iter().all(|[_, new]| new.signum() <= 0);
            let is_closed = ways.iter().all(|[old, _]| *old <= slack);
            (ends_inside || is_closed).then(|| Part {
                region,
                faces: near(&ways),
            })
        });
        parts.collect()
    }

    /// The problem of the obstacles that take part.
    pub(super) fn corners(
        &self,
        start: &Start<S>,
        all: &[Vec<Face<S>>],
        parts: &[Part],
    ) -> Corners<S> {
        let obstacle = |own: &Part| {
            let faces: Vec<Face<S>> = own
                .faces
                .iter()
                .map(|k| all[own.region][*k].clone())
                .collect();
            match <[Face<S>; 1]>::try_from(faces) {
                Ok([face]) => Obstacle::Wall(face),
                Err(faces) => Obstacle::Corner(faces),
            }
        };
        Corners {
            mass: start.mass.clone(),
            force: start.force.clone(),
            coordinates: self.velocities(),
            obstacles: parts.iter().map(obstacle).collect(),
        }
    }

    /// Where the energy goes besides what the local step says.
    pub(super) fn losses(
        &self,
        (before, after): (&State<S>, &State<S>),
        start: &Start<S>,
        step: &CornerStep<S>,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Losses<S>, StepError> {
        let turned = self.mass(&self.poses(&after.q, arithmetic)?)?;
        let kinetic = |v: &[S]| start.mass.kinetic_energy(v);
        let spun = dot(&start.turning, &step.v) * &start.h;
        let inertial = kinetic(&after.v) - turned.kinetic_energy(&after.v) - &spun;
        let steady = minus(&start.force, &start.turning);
        let ideal = dot(&steady, &step.v) * &start.h;
        let fallen = self.potential(&before.q) - self.potential(&after.q);
        let rounding = kinetic(&step.v) - kinetic(&after.v) + fallen - &ideal;
        Ok(Losses { inertial, rounding })
    }
}

/// The gap of each face before and after a displacement.
pub(super) fn ways<S: Scalar>(faces: &[Face<S>], displacement: &[S]) -> Vec<[S; 2]> {
    let way = |face: &Face<S>| {
        let old = -face.offset.clone();
        let new = face.normal.times(displacement) + &old;
        [old, new]
    };
    faces.iter().map(way).collect()
}

fn larger<S: Scalar>(a: S, b: S) -> S {
    if b > a { b } else { a }
}

/// The faces that are, at one end of the way, less deep than the way is long; always the least deep at each end.
fn near<S: Scalar>(ways: &[[S; 2]]) -> Vec<usize> {
    let length = ways.iter().map(|[old, new]| (new.clone() - old).abs());
    let reach = -length.fold(S::zero(), larger);
    let most = |end: usize| ways.iter().map(|way| way[end].clone()).reduce(larger);
    let most = [most(0), most(1)];
    let is_near =
        |way: &[S; 2]| (0..2).any(|end| way[end] >= reach || most[end].as_ref() == Some(&way[end]));
    (0..ways.len()).filter(|k| is_near(&ways[*k])).collect()
}

/// Adds what the motion of a solution ends inside, and faces that are open where their obstacle pushes; says whether there was any.
fn grown<S: Scalar>(parts: &mut Vec<Part>, all: &[Vec<Face<S>>], step: &CornerStep<S>) -> bool {
    let mut found = false;
    let mut impulses = step.impulses.iter();
    let pushes: Vec<bool> = parts
        .iter()
        .map(|own| {
            let own = impulses.by_ref().take(own.faces.len());
            own.filter(|p| p.normal.signum() > 0).count() > 0
        })
        .collect();
    for (region, faces) in all.iter().enumerate() {
        let ways = ways(faces, &step.q);
        let Some(k) = parts.iter().position(|own| own.region == region) else {
            if ways.iter().all(|[_, new]| new.signum() < 0) {
                parts.push(Part {
                    region,
                    faces: near(&ways),
                });
                found = true;
            }
            continue;
        };
        if !pushes.get(k).is_some_and(|pushes| *pushes) {
            continue;
        }
        let open = (0..ways.len()).filter(|i| ways[*i][1].signum() > 0);
        let missing: Vec<usize> = open.filter(|i| !parts[k].faces.contains(i)).collect();
        if !missing.is_empty() {
            parts[k].faces.extend(missing);
            parts[k].faces.sort_unstable();
            found = true;
        }
    }
    parts.sort_by_key(|own| own.region);
    found
}
