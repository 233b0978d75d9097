//! Contacts of a step of two lines of a table.

use rug::Rational;

use super::build::Builder;
use super::cell::Cell;
use super::map::{ContactMap, Place, Target, TurningMap};
use super::pose::{Pose, vector};
use super::row::{Result, Row, fault};
use super::shapes::turned_corner;
use crate::assembly::Row as Covector;
use crate::exact::{dot, sparse_dot, sum};
use crate::motion::laws::FEW;
use crate::motion::{MotionContact, MotionStep, PushReach, TurningFriction};

/// The gap before and after a step, each with the sum of the sizes of its terms.
pub(super) type Gaps = [(Rational, Rational); 2];

impl Builder {
    pub fn contact(
        &self,
        own: &ContactMap,
        rows: &[Row<'_>; 2],
        poses: &[Vec<Pose>; 2],
        step: &MotionStep,
    ) -> Result<MotionContact> {
        let map = &self.map;
        let at = usize::from(map.at_end);
        let (geometry, poses_there) = (&rows[at], &poses[at]);
        let impulses = &rows[usize::from(!map.impulses_ahead)];
        let normal = geometry.numbers(&own.normal)?;
        if normal.iter().all(Rational::is_zero) {
            let name = &own.name;
            let why = format!(
                "the normal of the contact {name:?} is 0; it is a unit vector that pushes the first body"
            );
            return Err(fault(geometry.line, why));
        }
        unit(own, geometry, "normal", &normal)?;
        let point = self.point(own, geometry, &normal, poses_there)?;
        let tangents = self.tangents(own, geometry, &normal)?;
        let rubbing: &[Vec<Rational>] = if own.rubbed.is_empty() {
            &[]
        } else {
            &tangents
        };
        let row = |direction: &Vec<Rational>| self.force_row(own, &point, direction, poses_there);
        let mut contact = MotionContact {
            name: own.name.clone(),
            normal: row(&normal),
            tangents: rubbing.iter().map(row).collect(),
            mu: not_negative(own, &rows[0], "mu", &own.mu)?,
            polygon: if own.pyramid && map.dimension == 3 {
                square()
            } else {
                Vec::new()
            },
            pressed: impulses.number(&own.pressed)?,
            rubbed: impulses.numbers(&own.rubbed)?,
            turning: self.turning(own, (&rows[0], impulses), (&normal, &tangents))?,
            slop: not_negative(own, &rows[0], "slop", &map.slop)?,
            normal_off: self.normal_off(own, &normal, poses_there)?,
            ..MotionContact::default()
        };
        let gaps = self.gaps(&mut contact, own, (rows, poses), step)?;
        self.target(&mut contact, own, (rows, gaps.as_ref()), step)?;
        Ok(contact)
    }

    /// The gaps before and after: those that the shapes have, else the recorded ones.
    fn gaps(
        &self,
        contact: &mut MotionContact,
        own: &ContactMap,
        (rows, poses): (&[Row<'_>; 2], &[Vec<Pose>; 2]),
        step: &MotionStep,
    ) -> Result<Option<Gaps>> {
        let recorded = match &own.gap {
            Some(gap) => Some([rows[0].number(gap)?, rows[1].number(gap)?]),
            None => None,
        };
        let shaped = match &own.shapes {
            Some(shapes) => Some([
                self.gap_of(own, shapes, &rows[0], &poses[0])?,
                self.gap_of(own, shapes, &rows[1], &poses[1])?,
            ]),
            None => None,
        };
        let found = match (&shaped, &recorded) {
            (Some(own), _) => Some(own.clone()),
            (None, Some(gaps)) => Some(gaps.clone().map(|own| (own.clone(), own.abs()))),
            (None, None) => None,
        };
        let of_state = |q: &[Rational]| sizes(&contact.normal, q);
        let found = found.map(|[(before, a), (after, b)]| {
            [
                (before, a + of_state(&step.q[0])),
                (after, b + of_state(&step.q[1])),
            ]
        });
        if let Some([_, (after, size)]) = &found {
            contact.keeps_apart = true;
            contact.gap_size = size.clone();
            contact.own_gap = shaped.is_some().then(|| after.clone());
        }
        if let Some([before, after]) = recorded {
            contact.gap = Some(after);
            let first = shaped.filter(|_| step.k == 1);
            contact.first_gap = first.map(|[(own, _), _]| [before, own]);
        }
        Ok(found)
    }

    /// Where a contact is.
    fn point(
        &self,
        own: &ContactMap,
        geometry: &Row<'_>,
        normal: &[Rational],
        poses: &[Pose],
    ) -> Result<Vec<Rational>> {
        let first = || own.bodies[0].map(|body| &poses[body]);
        match &own.place {
            Place::Point(point) => geometry.numbers(point),
            Place::Radius(radius) => {
                let radius = geometry.number(radius)?;
                let centre = first().map_or(&[][..], |body| &body.position);
                let along = centre.iter().zip(normal);
                Ok(along
                    .map(|(x, n)| x - Rational::from(n * &radius))
                    .collect())
            }
            Place::Corner(corner) => {
                let corner = geometry.numbers(corner)?;
                let Some(body) = first() else {
                    return Ok(corner);
                };
                let arm = turned_corner(body, &corner);
                let place = body.position.iter().zip(arm);
                Ok(place.map(|(x, arm)| arm + x).collect())
            }
        }
    }

    /// The directions of friction.
    fn tangents(
        &self,
        own: &ContactMap,
        geometry: &Row<'_>,
        normal: &[Rational],
    ) -> Result<Vec<Vec<Rational>>> {
        let rolls = own.turning.iter().any(|own| own.is_rolling);
        if own.rubbed.is_empty() && !rolls {
            return Ok(Vec::new());
        }
        if self.map.dimension == 2 && own.tangents.is_empty() {
            return Ok(vec![vec![Rational::from(-&normal[1]), normal[0].clone()]]);
        }
        let tangents = own.tangents.iter();
        let tangents: Vec<_> = tangents
            .map(|own| geometry.numbers(own))
            .collect::<Result<_>>()?;
        for (k, tangent) in tangents.iter().enumerate() {
            unit(own, geometry, "tangent", tangent)?;
            at_right_angle(own, geometry, ("normal", normal), tangent)?;
            for other in &tangents[..k] {
                at_right_angle(own, geometry, ("other tangent", other), tangent)?;
            }
        }
        Ok(tangents)
    }

    /// Friction about the normal, and against rolling: about the tangents in space, and about the axis of the plane.
    fn turning(
        &self,
        own: &ContactMap,
        (start, impulses): (&Row<'_>, &Row<'_>),
        (normal, tangents): (&[Rational], &[Vec<Rational>]),
    ) -> Result<Vec<TurningFriction>> {
        let in_plane = self.map.dimension == 2;
        let one = |turning: &TurningMap| {
            let axes = match turning.is_rolling {
                true if in_plane => vec![vec![Rational::from(1)]],
                true => tangents.to_vec(),
                false => vec![normal.to_vec()],
            };
            let what = if turning.is_rolling {
                "rolling"
            } else {
                "torsion"
            };
            Ok(TurningFriction {
                is_rolling: turning.is_rolling,
                rows: axes
                    .iter()
                    .map(|own_axis| self.torque_row(own.bodies, own_axis))
                    .collect(),
                mu: not_negative(own, start, what, &turning.mu)?,
                polygon: if own.pyramid && turning.is_rolling && !in_plane {
                    square()
                } else {
                    Vec::new()
                },
                impulses: impulses.numbers(&turning.impulses)?,
            })
        };
        own.turning.iter().map(one).collect()
    }

    /// The row of a unit torque about an axis on the first body, and against it on the second. In the plane the axis has one number.
    pub(super) fn torque_row(&self, bodies: [Option<usize>; 2], axis: &[Rational]) -> Covector {
        let mut row = Covector::new();
        for (body, sign) in bodies.iter().zip([1, -1]) {
            let Some(rotation) = body.and_then(|body| self.starts[body].1) else {
                continue;
            };
            let entries = axis.iter().enumerate();
            row.extend(entries.map(|(k, own)| (rotation + k, Rational::from(own * sign))));
        }
        row.retain(|(_, own)| !own.is_zero());
        row
    }

    fn target(
        &self,
        contact: &mut MotionContact,
        own: &ContactMap,
        (rows, gaps): (&[Row<'_>; 2], Option<&Gaps>),
        step: &MotionStep,
    ) -> Result<()> {
        let normal = &contact.normal;
        let reach = gaps.map(|[(gap, size), _]| PushReach {
            gap: gap.clone(),
            size: size.clone(),
        });
        match (&own.target, gaps) {
            (Target::NotAsked, _) => {}
            (Target::Given(cell), _) => {
                let target = rows[1].number(cell)?;
                contact.target_size = target.clone().abs();
                contact.target = Some(target);
                contact.reach = reach;
            }
            (Target::Gap, Some([(before, size), _])) => {
                contact.target_size = Rational::from(size / &step.h);
                contact.target = Some(-Rational::from(before / &step.h));
                contact.stops_at_gap = true;
            }
            (Target::Gap | Target::Stop, _) => {
                contact.reach = reach;
                // Where the gap is open, if only by rounding, nothing is asked of a contact that does not push.
                let closed = gaps.is_some_and(|[(before, size), _]| {
                    *before <= self.map.rounding.allows(FEW, size, &Rational::new())
                });
                if contact.pressed <= 0 && !closed {
                    return Ok(());
                }
                let approach = sparse_dot(normal, &step.v[0]).min(Rational::new());
                let e = not_negative(own, &rows[0], "restitution", &own.restitution)?;
                if e > 1 {
                    let why = format!(
                        "the restitution of the contact {:?} is {}; above 1 every impact gains energy",
                        own.name,
                        e.to_f64()
                    );
                    return Err(fault(rows[0].line, why));
                }
                contact.target_size = sizes(normal, &step.v[0]) * &e;
                contact.target = Some(-(approach * e));
            }
        }
        Ok(())
    }

    /// The row of a unit force along a direction on the first body, and against it on the second, at a point.
    fn force_row(
        &self,
        own: &ContactMap,
        point: &[Rational],
        direction: &[Rational],
        poses: &[Pose],
    ) -> Covector {
        self.force_at(own.bodies, [point, point], direction, poses)
    }

    /// The same with a point for each body.
    pub(super) fn force_at(
        &self,
        bodies: [Option<usize>; 2],
        points: [&[Rational]; 2],
        direction: &[Rational],
        poses: &[Pose],
    ) -> Covector {
        let mut row = Covector::new();
        for ((body, point), sign) in bodies.iter().zip(points).zip([1, -1]) {
            let Some(body) = *body else { continue };
            let (start, rotation) = self.starts[body];
            let entries = direction.iter().enumerate();
            row.extend(entries.map(|(k, own)| (start + k, Rational::from(own * sign))));
            if let Some(rotation) = rotation {
                let arm = point.iter().zip(&poses[body].position);
                let arm: Vec<_> = arm.map(|(p, x)| Rational::from(p - x)).collect();
                let torque = vector(&arm).cross(&vector(direction));
                let parts = if direction.len() == 2 { 2..3 } else { 0..3 };
                let entries = torque.coordinates()[parts].iter().enumerate();
                row.extend(entries.map(|(k, own)| (rotation + k, Rational::from(own * sign))));
            }
        }
        row.retain(|(_, own)| !own.is_zero());
        row
    }
}

/// That a direction has the length 1. The square of a unit vector in binary32 is within 2^-20 of 1: its three components are off by
/// 2^-24 each, and so are their squares and sums.
fn unit(own: &ContactMap, row: &Row<'_>, what: &str, direction: &[Rational]) -> Result<()> {
    let square = sum(direction.iter().map(|own| own.clone().square()));
    let off = Rational::from(&square - 1u32).abs();
    if off <= Rational::from(1u32) >> 20u32 {
        return Ok(());
    }
    let why = format!(
        "the {what} of the contact {:?} has the length {}; divide it by that, since it is a unit vector",
        own.name,
        square.to_f64().sqrt()
    );
    Err(fault(row.line, why))
}

/// That two unit vectors are at a right angle, to the rounding of binary32 as in [`unit`].
fn at_right_angle(
    own: &ContactMap,
    row: &Row<'_>,
    (what, other): (&str, &[Rational]),
    tangent: &[Rational],
) -> Result<()> {
    let along = dot(other, tangent);
    if Rational::from(along.abs_ref()) <= Rational::from(1u32) >> 20u32 {
        return Ok(());
    }
    let why = format!(
        "a tangent of the contact {:?} is not at a right angle to its {what}: their product is {}",
        own.name,
        along.to_f64()
    );
    Err(fault(row.line, why))
}

fn not_negative(own: &ContactMap, row: &Row<'_>, what: &str, cell: &Cell) -> Result<Rational> {
    let value = row.number(cell)?;
    if value < 0 {
        let why = format!(
            "the {what} of the contact {:?} is {}; it must not be negative",
            own.name,
            value.to_f64()
        );
        return Err(fault(row.line, why));
    }
    Ok(value)
}

/// The sum of the sizes of a row's products with a vector.
fn sizes(row: &Covector, of: &[Rational]) -> Rational {
    let parts = row.iter().map(|(j, own)| Rational::from(own * &of[*j]));
    sum(parts.map(Rational::abs))
}

/// The corners of a pyramid: each axis by itself.
fn square() -> Vec<[Rational; 2]> {
    let corner = |x: i32, y: i32| [Rational::from(x), Rational::from(y)];
    vec![corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)]
}
