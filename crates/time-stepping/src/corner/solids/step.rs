//! A step: the obstacles that take part, and the state after.

use std::cell::OnceCell;

use etalon_exact::Budget;
use etalon_rigid::{Covector, MassMatrix, Scalar, dot};

use super::pose::{Pose, minus, wrench};
use super::record::{Losses, SolidStep, SolidWhole, Touch, TouchedFace, Touching};
use super::{Pair, Region, Solids};
use crate::arithmetic::Arithmetic;
use crate::corner::{CornerStep, Corners, Face, FaceImpulse, Obstacle};
use crate::error::StepError;
use crate::model::FrictionDirection;
use crate::settings::Scheme;
use crate::step::State;

/// What the name of a face of an obstacle of a whole pair ends with, before its number.
pub(super) const WHOLE: &str = ", whole ";

/// A system at the start of a step.
pub(super) struct Start<S> {
    /// Where M, k and gaps are evaluated.
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
    /// The displacement by which the point of evaluation is ahead of q^l.
    pub ahead: Vec<S>,
}

/// What an obstacle that takes part keeps out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A point, by its number among all of them.
    Point(usize),
    /// A whole body: the pair of bodies, and which of its obstacles, from 1.
    Whole(usize, usize),
}

/// An obstacle that takes part, and those of its faces that do, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part<S> {
    pub of: Source,
    pub faces: Vec<Touching<S>>,
}

/// All obstacles at the start of a step.
pub(super) struct Field<'a, S> {
    solids: &'a Solids<S>,
    start: &'a Start<S>,
    /// The faces of each point.
    pub points: Vec<Vec<Face<S>>>,
    /// Which side of which pair each of them is of.
    regions: Vec<Region>,
    /// Made where something asks for them.
    wholes: Vec<OnceCell<SolidWhole<S>>>,
}

impl<'a, S: Scalar> Field<'a, S> {
    pub fn new(solids: &'a Solids<S>, start: &'a Start<S>, arithmetic: &dyn Arithmetic<S>) -> Self {
        let regions = solids.regions();
        let faces = regions
            .iter()
            .map(|own| solids.faces(*own, start, arithmetic));
        Self {
            points: faces.collect(),
            wholes: vec![OnceCell::new(); solids.wholes.len()],
            regions,
            solids,
            start,
        }
    }

    /// What keeps a pair of bodies apart as a whole.
    pub fn whole(&self, index: usize) -> &SolidWhole<S> {
        let own = self.solids.wholes[index];
        self.wholes[index].get_or_init(|| self.solids.whole(own, self.start, &self.points))
    }

    pub fn wholes(&self) -> usize {
        self.wholes.len()
    }

    /// The direction that is open the most where a pair overlaps after a displacement, up to a tolerance. Most pairs are parted by a side, which
    /// needs no edges.
    pub fn overlap(&self, index: usize, way: (&[S], &S)) -> Option<(&Touching<S>, S)> {
        let sides = self.solids.sides_of(self.solids.wholes[index]);
        if SolidWhole::is_parted(&sides, &self.points, way) {
            return None;
        }
        self.whole(index).overlap(&self.points, way)
    }

    /// Whether the bodies of a point's pair overlap after a displacement.
    fn overlaps(&self, region: usize, displacement: &[S]) -> bool {
        let pair = self.regions[region].pair;
        let mut wholes = self.solids.wholes.iter();
        let whole = wholes.position(|own| own.pairs.contains(&pair));
        whole.is_some_and(|index| self.overlap(index, (displacement, &S::zero())).is_some())
    }

    /// A face of a point.
    pub fn of_point(&self, region: usize, face: usize) -> Touching<S> {
        let Region { pair, point } = self.regions[region];
        let touched = TouchedFace {
            pair,
            touch: Touch::Point { point, face },
            whole: None,
        };
        (touched, self.points[region][face].clone())
    }

    /// A face as one of an obstacle of a whole pair.
    pub fn of_whole(&self, (touched, face): &Touching<S>, number: usize) -> Touching<S> {
        let touched = TouchedFace {
            whole: Some(number),
            ..*touched
        };
        let name = self.solids.name_of(&touched);
        (
            touched,
            Face {
                name,
                ..face.clone()
            },
        )
    }
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
    /// Those of [`Corners::step`], and those of the arithmetic. [`StepError::Passes`] where bodies overlap after it, beyond what turning and
    /// rounding leave.
    pub fn step(
        &self,
        state: &State<S>,
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<SolidStep<S>, StepError> {
        self.step_within(&Budget::default(), state, h, arithmetic)
    }

    /// The same with at most that budget for each problem.
    ///
    /// # Errors
    /// Those of [`Solids::step`], and [`StepError::GaveUp`] where the budget runs out.
    pub fn step_within(
        &self,
        budget: &Budget,
        state: &State<S>,
        h: &S,
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<SolidStep<S>, StepError> {
        let before = self.start_velocity(&state.v);
        let start = self.start_of((&state.q, &before), h, arithmetic)?;
        let field = Field::new(self, &start, arithmetic);
        let mut parts = self.first_parts(&field, arithmetic);
        let still = vec![S::zero(); start.v.len()];
        let corners = loop {
            let corners = self.corners(&start, &parts);
            let motion = corners.motion(budget, (&still, &before), h)?;
            if !grown(&mut parts, &field, &motion) {
                break corners;
            }
        };
        // All solutions are listed once, when it is known what takes part.
        let mut step = corners.step_within(budget, (&still, &before), h)?;
        if self.first_order {
            // From rest the numerical part is as much as the kinetic energy, which nothing keeps: together they are the drag.
            step.numerical += &start.mass.kinetic_energy(&step.v);
        }
        let touched = parts.iter().flat_map(|own| &own.faces);
        let after = State::new(
            self.moved(&state.q, &self.kept(&step.v, arithmetic), h, arithmetic)?,
            self.kept(&step.v, arithmetic),
        );
        if let Some((first, second, depth)) = self.overlap_after(&after, h, arithmetic)? {
            return Err(StepError::Passes {
                first,
                second,
                depth: format!("{depth:.3e}"),
            });
        }
        let losses = self.losses((state, &after), &start, &step, arithmetic)?;
        Ok(SolidStep {
            touched: touched.map(|(own, _)| *own).collect(),
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

    /// M, k and the poses where they are evaluated, h v^l or half of it ahead of the start of a step by the scheme.
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
        let time = self.scheme.time_ahead(h).unwrap_or_else(S::zero);
        let poses = match time.is_zero() {
            true => self.poses(q, arithmetic)?,
            false => self.poses(&self.moved(q, v, &time, arithmetic)?, arithmetic)?,
        };
        let mass = self.mass(&poses)?;
        let mut turning = vec![S::zero(); v.len()];
        let mut force = turning.clone();
        let bodies = self.bodies.iter().zip(&poses);
        for (own, pose) in bodies.filter(|(own, _)| own.fixed.is_none() && !own.driven) {
            let at = own.at[1];
            force[at..at + self.dimension].clone_from_slice(&own.force);
            if self.dimension == 3 {
                // -omega x I omega, of omega before the step.
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
            ahead: v.iter().map(|v| v.clone() * &time).collect(),
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
            let touched = TouchedFace {
                pair: region.pair,
                touch: Touch::Point {
                    point: region.point,
                    face: index,
                },
                whole: None,
            };
            let arms = [&arm[..], &across];
            self.rough_face((&touched, arms), (&normal, &along), gap, start)
                .grazed(slack.clone())
        };
        faces.map(face).collect()
    }

    /// A face along a unit vector at a place, which has those arms in both bodies, with friction along its tangents.
    pub(super) fn rough_face(
        &self,
        (touched, arms): (&TouchedFace, [&[S]; 2]),
        (normal, along): (&[S], &[Vec<S>]),
        gap: S,
        start: &Start<S>,
    ) -> Face<S> {
        let pair = &self.pairs[touched.pair];
        let direction = |own: &Vec<S>| {
            let mut way = vec![S::zero(); self.dimension];
            for (axis, weight) in along.iter().zip(own) {
                for (sum, part) in way.iter_mut().zip(axis) {
                    *sum += &(part.clone() * weight);
                }
            }
            FrictionDirection {
                tangent: own.clone(),
                row: self.row(pair, arms, &way),
            }
        };
        let directions = pair.directions.iter().map(direction).collect();
        let row = self.row(pair, arms, normal);
        // The gap is that of the point of evaluation; faces count from the start of the step.
        let offset = row.times(&start.ahead) - &gap;
        Face::smooth(self.name_of(touched), row, offset)
            .rough(pair.mu.clone(), directions)
            .grazed(self.slack(pair, arms, start))
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

    /// The name of a face of an obstacle: what of whose, of both bodies, and which obstacle of the whole pair.
    pub(super) fn name_of(&self, own: &TouchedFace) -> String {
        let pair = &self.pairs[own.pair];
        let [first, second] = [pair.points_of, pair.faces_of].map(|body| &self.bodies[body]);
        let name = match own.touch {
            Touch::Point { point, face } => {
                let what = if first.faces.is_empty() {
                    "point"
                } else {
                    "corner"
                };
                let side = &second.faces[face].name;
                let space = if side.is_empty() { "" } else { " " };
                format!(
                    "{} {what} {}/{}{space}{side}",
                    first.name,
                    point + 1,
                    second.name
                )
            }
            Touch::Edges([one, two]) => format!(
                "{} edge {}/{} edge {}",
                first.name,
                one + 1,
                second.name,
                two + 1
            ),
        };
        match own.whole {
            Some(number) => format!("{name}{WHOLE}{number}"),
            None => name,
        }
    }

    /// The obstacles that take part at first.
    fn first_parts(&self, field: &Field<'_, S>, arithmetic: &dyn Arithmetic<S>) -> Vec<Part<S>> {
        let start = field.start;
        let change = start.mass.inverse_times(&start.force);
        let velocity = start
            .v
            .iter()
            .zip(&change)
            .map(|(v, a)| v.clone() + a.clone() * &start.h);
        let free: Vec<S> = velocity.map(|v| v * &start.h).collect();
        let slack = arithmetic.slack();
        let parts = field.points.iter().enumerate();
        let parts = parts.filter_map(|(region, faces)| {
            let ways = ways(faces, &free);
            let ends_inside = ways.iter().all(|[_, new]| new.signum() <= 0);
            let is_closed = ways.iter().all(|[old, _]| *old <= slack);
            let near = near(&ways);
            // A corner that stays on the plane of a side, while the pair overlaps, is kept out by the whole pair: with all
            // of them lists would be long.
            let stays = |[old, new]: &[S; 2]| old.abs() <= slack && new.abs() <= slack;
            let is_flush =
                near.len() > 1 && ways.iter().any(stays) && field.overlaps(region, &free);
            ((ends_inside || is_closed) && !is_flush).then(|| Part {
                of: Source::Point(region),
                faces: near
                    .into_iter()
                    .map(|face| field.of_point(region, face))
                    .collect(),
            })
        });
        parts.collect()
    }

    /// The problem of the obstacles that take part.
    pub(super) fn corners(&self, start: &Start<S>, parts: &[Part<S>]) -> Corners<S> {
        let obstacle = |own: &Part<S>| {
            let faces: Vec<Face<S>> = own.faces.iter().map(|(_, face)| face.clone()).collect();
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
        let steady = minus(&start.force, &start.turning);
        let ideal = dot(&steady, &step.v) * &start.h;
        let fallen = self.potential(&before.q) - self.potential(&after.q);
        if self.first_order {
            return Ok(Losses {
                inertial: S::zero(),
                rounding: fallen - &ideal,
            });
        }
        let turned = self.mass(&self.poses(&after.q, arithmetic)?)?;
        let kinetic = |v: &[S]| start.mass.kinetic_energy(v);
        let spun = dot(&start.turning, &step.v) * &start.h;
        let mut inertial = kinetic(&after.v) - turned.kinetic_energy(&after.v) - &spun;
        if self.scheme != Scheme::Linear {
            // M of the point of evaluation is not that before the step.
            let own = self.mass(&self.poses(&before.q, arithmetic)?)?;
            inertial += &(own.kinetic_energy(&before.v) - kinetic(&before.v));
        }
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
/// Whole pairs are looked at where no point is found.
fn grown<S: Scalar>(
    parts: &mut Vec<Part<S>>,
    field: &Field<'_, S>,
    (displacement, impulses): &(Vec<S>, Vec<FaceImpulse<S>>),
) -> bool {
    let mut found = grown_points(parts, field, (displacement, impulses));
    if !found {
        found = grown_wholes(parts, field, (displacement, impulses));
    }
    parts.sort_by_key(|own| own.of);
    found
}

/// Whether each part pushes.
pub(super) fn pushing<S: Scalar>(parts: &[Part<S>], impulses: &[FaceImpulse<S>]) -> Vec<bool> {
    let mut impulses = impulses.iter();
    let pushes = parts.iter().map(|own| {
        let own = impulses.by_ref().take(own.faces.len());
        own.filter(|p| p.normal.signum() > 0).count() > 0
    });
    pushes.collect()
}

fn grown_points<S: Scalar>(
    parts: &mut Vec<Part<S>>,
    field: &Field<'_, S>,
    (displacement, impulses): (&[S], &[FaceImpulse<S>]),
) -> bool {
    let mut found = false;
    let pushes = pushing(parts, impulses);
    for (region, faces) in field.points.iter().enumerate() {
        let ways = ways(faces, displacement);
        let of = Source::Point(region);
        let Some(k) = parts.iter().position(|own| own.of == of) else {
            if ways.iter().all(|[_, new]| new.signum() < 0) {
                let near = near(&ways).into_iter();
                parts.push(Part {
                    of,
                    faces: near.map(|face| field.of_point(region, face)).collect(),
                });
                found = true;
            }
            continue;
        };
        if !pushes.get(k).is_some_and(|pushes| *pushes) {
            continue;
        }
        let open = (0..ways.len()).filter(|i| ways[*i][1].signum() > 0);
        let open = open.map(|face| field.of_point(region, face));
        let has = |own: &TouchedFace| parts[k].faces.iter().any(|(face, _)| face == own);
        let missing: Vec<_> = open.filter(|(own, _)| !has(own)).collect();
        if !missing.is_empty() {
            parts[k].faces.extend(missing);
            parts[k].faces.sort_by_key(|(own, _)| own.touch);
            found = true;
        }
    }
    found
}

fn grown_wholes<S: Scalar>(
    parts: &mut Vec<Part<S>>,
    field: &Field<'_, S>,
    (displacement, impulses): (&[S], &[FaceImpulse<S>]),
) -> bool {
    let mut found = false;
    let pushes = pushing(parts, impulses);
    for (own, pushes) in parts.iter_mut().zip(pushes) {
        let Source::Whole(index, number) = own.of else {
            continue;
        };
        if pushes {
            let faces: Vec<TouchedFace> = own.faces.iter().map(|(face, _)| *face).collect();
            let others = field.whole(index).others(&faces, displacement).into_iter();
            let open = others.filter(|(_, gap)| gap.signum() > 0);
            for (face, _) in open {
                own.faces.push(field.of_whole(face, number));
                found = true;
            }
        }
    }
    for index in 0..field.wholes() {
        if field.overlap(index, (displacement, &S::zero())).is_none() {
            continue;
        }
        let of_pair = |own: &&Part<S>| matches!(own.of, Source::Whole(whole, _) if whole == index);
        let number = parts.iter().filter(of_pair).count() + 1;
        let lowest = field.whole(index).lowest_ways(displacement);
        let ways: Vec<[S; 2]> = lowest.iter().map(|(_, way)| way.clone()).collect();
        let near = near(&ways).into_iter();
        let faces: Vec<_> = near.map(|k| field.of_whole(lowest[k].0, number)).collect();
        // In binary64 what is kept out may seem to be inside by a last digit.
        let is_there = |own: &Part<S>| {
            let has = |touch| own.faces.iter().any(|(face, _)| face.touch == touch);
            of_pair(&own) && faces.iter().all(|(face, _)| has(face.touch))
        };
        if !parts.iter().any(is_there) {
            parts.push(Part {
                of: Source::Whole(index, number),
                faces,
            });
            found = true;
        }
    }
    found
}
