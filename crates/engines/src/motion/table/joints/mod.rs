//! Joints of a step of two lines of a table.
//!
//! With the anchors p1 and p2 in the world, d = p1 - p2, and the axes a1 and a2 of both bodies, turned with them, a joint holds
//!
//! | equation | its rate | of |
//! |---|---|---|
//! | d = 0 | v1 + w1 x (p1 - x1) - v2 - w2 x (p2 - x2) | ball, hinge, universal, fixed |
//! | e'd = 0 for e across a2 | e'(v1 + w1 x (p1 - x1)) - e'(v2 + w2 x (p1 - x2)) | slider |
//! | e'a2 = 0 for e of the first body across a1 | (w1 - w2)'(e x a2) | hinge in space |
//! | a1'a2 = 0 | (w1 - w2)'(a1 x a2) | universal |
//! | no turn | w1 - w2 | slider, fixed |
//!
//! These are the equations of joints of scenes in space (`etalon_spatial`). A turn that is open is taken to first order.

mod coordinate;
mod ways;

use rug::Rational;

use super::build::Builder;
use super::map::{JointKind, JointMap, JointTarget};
use super::pose::Pose;
use super::row::{Result, Row, fault};
use super::shapes::turned_corner;
use crate::assembly::Row as Covector;
use crate::exact::{length_above, sum};
use crate::motion::laws::FEW;
use crate::motion::{HeldRow, MotionContact, MotionDrive, MotionJoint, MotionPush};
use ways::{Frame, Lines, Opening, Way, beside, matrix_of, opening, sizes, turn_in_space, ways};

impl Builder {
    /// A joint, with its limits as contacts.
    pub fn joint(
        &self,
        own: &JointMap,
        rows: &[Row<'_>; 2],
        poses: &[Vec<Pose>; 2],
        (h, k): (&Rational, u64),
    ) -> Result<(MotionJoint, Vec<MotionContact>)> {
        let at = usize::from(self.map.at_end);
        let frame = |side: usize| self.frame(own, &rows[side], &poses[side]);
        let lines = Lines {
            rows,
            poses,
            frames: [frame(0)?, frame(1)?],
            at,
            h,
            k,
        };
        let there = &lines.frames[at];
        let impulses = &rows[usize::from(!self.map.impulses_ahead)];
        let (held, free) = ways(own, there, self.map.dimension);
        let (impulse, angular) = (
            impulses.numbers(&own.impulse)?,
            impulses.numbers(&own.angular)?,
        );
        let held = held.iter().map(|way| self.held(own, way, &lines));
        let mut joint = MotionJoint {
            name: own.name.clone(),
            held: held.collect::<Result<_>>()?,
            pushes: self.pushes(own, &lines, [&impulse, &angular]),
            beside: free
                .iter()
                .map(|way| beside(way, &impulse, &angular))
                .collect(),
            ..MotionJoint::default()
        };
        if !own.kind.is_single() {
            return Ok((joint, Vec::new()));
        }
        let push = self.along_coordinate(own, &lines);
        joint.drive = drive(own, (&rows[0], impulses), &push)?;
        let coordinates = self.coordinates_of(own, &lines)?;
        joint.coordinate = self.recorded(own, &lines, &coordinates)?;
        let limits = match &own.limits {
            Some(limits) => self.limits(own, limits, (&lines, &push), &coordinates)?,
            None => Vec::new(),
        };
        Ok((joint, limits))
    }

    fn frame(&self, own: &JointMap, row: &Row<'_>, poses: &[Pose]) -> Result<Frame> {
        let bodies = own.bodies.map(|body| body.map(|body| &poses[body]));
        let mut reach = Rational::new();
        let mut points: [Vec<Rational>; 2] = Default::default();
        for ((point, anchor), body) in points.iter_mut().zip(&own.anchors).zip(&bodies) {
            let anchor = row.numbers(anchor)?;
            reach += sizes(&anchor);
            *point = match body {
                None => anchor,
                Some(body) => {
                    reach += sizes(&body.position);
                    let arm = turned_corner(body, &anchor).into_iter();
                    arm.zip(&body.position).map(|(arm, x)| arm + x).collect()
                }
            };
        }
        let axes = match &own.axes {
            None => None,
            Some(cells) => {
                let mut axes: [Vec<Rational>; 2] = Default::default();
                for ((axis, cells), body) in axes.iter_mut().zip(cells).zip(&bodies) {
                    let given = row.numbers(cells)?;
                    let length = length_above(&given);
                    if length.is_zero() {
                        let why = format!(
                            "an axis of the joint {:?} is 0; give it a direction",
                            own.name
                        );
                        return Err(fault(row.line, why));
                    }
                    let unit: Vec<_> = given.into_iter().map(|own| own / &length).collect();
                    *axis = body.map_or(unit.clone(), |body| turned_corner(body, &unit));
                }
                Some(axes)
            }
        };
        let angles = bodies.iter().flatten().filter_map(|own| own.angle.as_ref());
        let angles = sum(angles.map(|own| own.clone().abs())) + 1u32;
        let turned = row.numbers(&own.turned)?;
        let turn = match &turned[..] {
            [turned] => {
                let [a, b] = bodies.map(|own| own.and_then(|own| own.angle.clone()));
                vec![a.unwrap_or_default() - b.unwrap_or_default() - turned]
            }
            turned => turn_in_space(&matrix_of(own, turned, row)?, bodies),
        };
        Ok(Frame {
            points,
            axes,
            turn,
            reach,
            angles,
        })
    }

    /// How far an entry of a direction that turns with a body may be off.
    fn turned_off(&self, frame: &Frame) -> Rational {
        let rounding = &self.map.rounding;
        rounding.allows(FEW, &frame.angles, &Rational::from(1))
    }

    /// The row of a way, with how far its entries may be off.
    fn row_of(&self, own: &JointMap, way: &Way, lines: &Lines<'_>) -> (Covector, Covector) {
        let frame = &lines.frames[lines.at];
        let off = self.turned_off(frame);
        let dimension = self.map.dimension;
        let (row, of_arms, of_directions) = match way {
            Way::Along(direction, at_first) => {
                let [a, b] = &frame.points;
                let points = if *at_first { [&a[..], a] } else { [&a[..], b] };
                let row = self.force_at(own.bodies, points, direction, &lines.poses[lines.at]);
                let is_fixed = !*at_first;
                (
                    row,
                    Rational::from(&off * &frame.reach),
                    (!is_fixed).then(|| off.clone()),
                )
            }
            Way::About(axis, _) => {
                let own_off = if dimension == 2 { Rational::new() } else { off };
                (self.torque_row(own.bodies, axis), own_off, None)
            }
        };
        let mut uncertain = Covector::new();
        for body in own.bodies.iter().flatten() {
            let (start, rotation) = self.starts[*body];
            let linear = of_directions.iter();
            uncertain.extend(
                linear.flat_map(|own| (0..dimension).map(move |k| (start + k, own.clone()))),
            );
            if let Some(rotation) = rotation {
                let count = if dimension == 2 { 1 } else { 3 };
                uncertain.extend((0..count).map(|k| (rotation + k, of_arms.clone())));
            }
        }
        (row, uncertain)
    }

    fn held(&self, own: &JointMap, way: &Way, lines: &Lines<'_>) -> Result<HeldRow> {
        let (row, uncertain) = self.row_of(own, way, lines);
        let [before, after] = [0, 1].map(|side| opening(own, way, lines, side));
        let (target, target_size) = match own.target {
            JointTarget::NotAsked => (None, Rational::new()),
            JointTarget::Stop => (Some(Rational::new()), Rational::new()),
            JointTarget::Gap => {
                let (gap, size) = before?;
                (
                    Some(-Rational::from(&gap / lines.h)),
                    Rational::from(&size / lines.h),
                )
            }
        };
        let opening = match &own.opens {
            None => None,
            Some(cell) => {
                let (gap, size) = after?;
                Some([gap, size, lines.rows[0].number(cell)?])
            }
        };
        Ok(HeldRow {
            row,
            uncertain,
            turns: matches!(way, Way::About(..)),
            target,
            target_size,
            opening,
        })
    }

    /// The impulse along each axis of the world, and the angular impulse about it.
    fn pushes(
        &self,
        own: &JointMap,
        lines: &Lines<'_>,
        [impulse, angular]: [&[Rational]; 2],
    ) -> Vec<MotionPush> {
        let unit = |n: usize, k: usize| -> Vec<Rational> {
            (0..n).map(|i| Rational::from(i32::from(i == k))).collect()
        };
        let at_first = own.kind == JointKind::Slider;
        let along = impulse
            .iter()
            .enumerate()
            .map(|(k, part)| (Way::Along(unit(impulse.len(), k), at_first), part));
        let about = angular
            .iter()
            .enumerate()
            .map(|(k, part)| (Way::About(unit(angular.len(), k), Opening::Turn), part));
        let acts = along.chain(about).filter(|(_, part)| !part.is_zero());
        let push = acts.map(|(way, part)| {
            let (row, uncertain) = self.row_of(own, &way, lines);
            MotionPush {
                row,
                uncertain,
                impulse: part.clone(),
            }
        });
        push.collect()
    }
}

/// The drive of a joint, along the rate of its coordinate.
fn drive(
    own: &JointMap,
    (start, impulses): (&Row<'_>, &Row<'_>),
    push: &MotionPush,
) -> Result<Option<MotionDrive>> {
    let Some(drive) = &own.drive else {
        return Ok(None);
    };
    let bound = start.number(&drive.bound)?;
    if bound < 0 {
        let why = format!(
            "the bound of the drive of the joint {:?} is {}; it must not be negative",
            own.name,
            bound.to_f64()
        );
        return Err(fault(start.line, why));
    }
    Ok(Some(MotionDrive {
        push: MotionPush {
            impulse: impulses.number(&drive.impulse)?,
            ..push.clone()
        },
        turns: own.kind == JointKind::Hinge,
        speed: start.number(&drive.speed)?,
        bound,
    }))
}
