//! The coordinate of a hinge or slider: its limits, and whether it is recorded as the states have it.

use rug::{Float, Rational};

use super::super::build::Builder;
use super::super::map::{JointKind, JointLimits, JointMap, JointTarget};
use super::super::pose::{Pose, vector};
use super::super::row::{Result, fault};
use super::super::shapes::{TURN_BITS, turned_corner};
use super::ways::{Frame, Lines, Opening, Way, across, apart, matrix_of, sizes};
use crate::exact::{dot, sum};
use crate::motion::laws::FEW;
use crate::motion::{MotionContact, MotionPush, PushReach, RecordedCoordinate};

impl Builder {
    /// The rate of the coordinate of a hinge or slider, as what pushes along it.
    pub fn along_coordinate(&self, own: &JointMap, lines: &Lines<'_>) -> MotionPush {
        let frame = &lines.frames[lines.at];
        let way = match (own.kind, &frame.axes) {
            (JointKind::Slider, Some([_, axis])) => Way::Along(axis.clone(), true),
            (_, Some([_, axis])) => Way::About(axis.clone(), Opening::Turn),
            (_, None) => Way::About(vec![Rational::from(1)], Opening::Turn),
        };
        let (row, uncertain) = self.row_of(own, &way, lines);
        MotionPush {
            row,
            uncertain,
            impulse: Rational::new(),
        }
    }

    /// The coordinate before and after the step, by the states where they have it, with the sum of the sizes of its terms.
    pub fn coordinates_of(
        &self,
        own: &JointMap,
        lines: &Lines<'_>,
    ) -> Result<[(Rational, Rational); 2]> {
        let one = |side: usize| -> Result<(Rational, Rational)> {
            let frame = &lines.frames[side];
            match (own.kind, &frame.axes, &own.coordinate) {
                (JointKind::Slider, Some([_, axis]), _) => {
                    let d = apart(frame);
                    let most = sizes(axis) * &frame.reach;
                    Ok((dot(axis, &d), most))
                }
                (JointKind::Hinge, None, _) => Ok((frame.turn[0].clone(), frame.angles.clone())),
                (_, _, Some(cell)) => {
                    let own = lines.rows[side].number(cell)?;
                    let size = own.clone().abs() + 1u32;
                    Ok((own, size))
                }
                _ => Ok((Rational::new(), Rational::new())),
            }
        };
        Ok([one(0)?, one(1)?])
    }

    /// The recorded coordinate against that of the states: at the end of each step, and at the start of the first.
    pub fn recorded(
        &self,
        own: &JointMap,
        lines: &Lines<'_>,
        coordinates: &[(Rational, Rational); 2],
    ) -> Result<Option<RecordedCoordinate>> {
        let Some(cell) = &own.coordinate else {
            return Ok(None);
        };
        let mut worst: Option<RecordedCoordinate> = None;
        let sides = coordinates.iter().enumerate();
        for (side, (value, terms)) in sides.skip(usize::from(lines.k != 1)) {
            let told = lines.rows[side].number(cell)?;
            let frame = &lines.frames[side];
            let (off, size) = match (&frame.axes, own.kind) {
                (Some([first, second]), JointKind::Hinge) => {
                    let angle = Float::with_val(TURN_BITS, &told);
                    let (sin, cos) = angle.sin_cos(Float::new(TURN_BITS));
                    // Both are finite, as the angle is.
                    let [sin, cos] = [sin, cos].map(|own| own.to_rational().unwrap_or_default());
                    let [c, s] = self.angle_about(own, [first, second], (lines, side))?;
                    // sin(told - angle): an angle that is half a turn away has a cosine below 0.
                    let off = Rational::from(&sin * &c) - Rational::from(&cos * &s);
                    let along = Rational::from(&cos * &c) + Rational::from(&sin * &s);
                    let off = if along < 0 { Rational::from(3) } else { off };
                    (off, told.abs() + 8u32)
                }
                _ => (Rational::from(&told - value), told.abs() + terms),
            };
            let is_worse = worst
                .as_ref()
                .is_none_or(|own| own.off.clone().abs() < off.clone().abs());
            if is_worse {
                let turns = own.kind == JointKind::Hinge;
                worst = Some(RecordedCoordinate {
                    off,
                    size,
                    vague: vague(frame),
                    turns,
                });
            }
        }
        Ok(worst)
    }

    /// The cosine and sine of the angle of a hinge in space.
    fn angle_about(
        &self,
        own: &JointMap,
        [_, axis]: [&[Rational]; 2],
        (lines, side): (&Lines<'_>, usize),
    ) -> Result<[Rational; 2]> {
        let row = &lines.rows[side];
        let Some([in_first, _]) = &own.axes else {
            return Ok(Default::default());
        };
        let bodies = own
            .bodies
            .map(|body| body.map(|body| &lines.poses[side][body]));
        let turned = row.numbers(&own.turned)?;
        let matrix = matrix_of(own, &turned, row)?;
        let across = across(&row.numbers(in_first)?);
        let [e, _] = &across;
        // R2 = R1 C at the angle 0, so that e of the first is C'e in axes of the second.
        let back: Vec<Rational> = (0..3)
            .map(|j| sum((0..3).map(|i| Rational::from(&matrix[i][j] * &e[i]))))
            .collect();
        let in_world = |body: Option<&Pose>, own: &[Rational]| {
            vector(&body.map_or(own.to_vec(), |body| turned_corner(body, own)))
        };
        let one = in_world(bodies[0], e);
        let other = in_world(bodies[1], &back);
        Ok([one.dot(&other), vector(axis).dot(&other.cross(&one))])
    }

    /// A limit is a contact without friction, along the coordinate or against it.
    pub fn limits(
        &self,
        own: &JointMap,
        limits: &JointLimits,
        (lines, push): (&Lines<'_>, &MotionPush),
        [before, after]: &[(Rational, Rational); 2],
    ) -> Result<Vec<MotionContact>> {
        let range = limits
            .range
            .each_ref()
            .map(|cell| lines.rows[0].number(cell));
        let [low, high] = range;
        let (low, high) = (low?, high?);
        if low > high {
            let why = format!(
                "the lower limit of the joint {:?} is above the upper one",
                own.name
            );
            return Err(fault(lines.rows[0].line, why));
        }
        let impulses = &lines.rows[usize::from(!self.map.impulses_ahead)];
        let impulse = impulses.number(&limits.impulse)?;
        let opens = match &own.opens {
            Some(cell) => Some(lines.rows[0].number(cell)?),
            None => None,
        };
        let sides = [("lower", low, 1), ("upper", high, -1)];
        let limits = sides.into_iter().map(|(word, limit, sign)| {
            let gap = |(value, size): &(Rational, Rational)| {
                let gap = Rational::from(value - &limit) * sign;
                (gap, Rational::from(size + &*limit.as_abs()))
            };
            let (before, after) = (gap(before), gap(after));
            let row = push
                .row
                .iter()
                .map(|(j, own)| (*j, Rational::from(own * sign)));
            let mut contact = MotionContact {
                name: format!("{}, {word} limit", own.name),
                limit: Some(own.kind == JointKind::Hinge),
                normal: row.collect(),
                uncertain: push.uncertain.clone(),
                pressed: Rational::from(&impulse * sign).max(Rational::new()),
                gap_size: after.1,
                own_gap: Some(after.0),
                keeps_apart: opens.is_some(),
                slop: opens.clone().unwrap_or_default(),
                ..MotionContact::default()
            };
            self.aim(&mut contact, own.target, (before, lines.h));
            contact
        });
        Ok(limits.collect())
    }

    /// The least rate of a limit after the step.
    fn aim(
        &self,
        contact: &mut MotionContact,
        target: JointTarget,
        ((gap, size), h): ((Rational, Rational), &Rational),
    ) {
        match target {
            JointTarget::NotAsked => {}
            JointTarget::Gap => {
                contact.target = Some(-Rational::from(&gap / h));
                contact.target_size = size / h;
                contact.stops_at_gap = true;
            }
            JointTarget::Stop => {
                let closed = gap <= self.map.rounding.allows(FEW, &size, &Rational::new());
                if closed || contact.pressed > 0 {
                    contact.target = Some(Rational::new());
                }
                contact.reach = Some(PushReach { gap, size });
            }
        }
    }
}

/// Of a hinge in space whose axes have come apart by an angle, the angle between vectors across either axis differs by up to the square of
/// that.
fn vague(frame: &Frame) -> Rational {
    match &frame.axes {
        Some([first, second]) if frame.turn.len() == 3 => {
            let apart = vector(first).cross(&vector(second));
            apart.norm_squared()
        }
        _ => Rational::new(),
    }
}
