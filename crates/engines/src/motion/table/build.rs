//! A step of two lines of a table.

use etalon_rigid::Vector3;
use rug::Rational;

use super::cell::Cell;
use super::map::{BodyMap, ContactMap, MotionMap, Place, Target};
use super::row::{Row, TableError, fault};
use crate::assembly::Row as Covector;
use crate::exact::{dot, sparse_dot, sum};
use crate::motion::{Coordinate, MotionContact, MotionStep, OwnEnergy, RecordedEnergy};

/// Makes steps of lines.
pub(super) struct Builder {
    pub map: MotionMap,
    /// Where the velocities of each body begin, and of its rotation, where it turns.
    starts: Vec<(usize, Option<usize>)>,
    n: usize,
}

/// A body in a line.
struct Pose {
    position: Vec<Rational>,
    /// The rows of the inertia in the world; none for a particle.
    inertia: Vec<Vec<Rational>>,
    spin: Vec<Rational>,
}

type Result<T> = std::result::Result<T, TableError>;

impl Builder {
    pub fn new(map: MotionMap) -> Self {
        let turning = if map.dimension == 2 { 1 } else { 3 };
        let mut n = 0;
        let mut starts = Vec::with_capacity(map.bodies.len());
        for body in &map.bodies {
            let rotation = body.inertia.as_ref().map(|_| n + map.dimension);
            starts.push((n, rotation));
            n += map.dimension + rotation.map_or(0, |_| turning);
        }
        Self { map, starts, n }
    }

    /// The step from one line to the next.
    pub fn step(&self, k: u64, rows: &[Row<'_>; 2]) -> Result<MotionStep> {
        let map = &self.map;
        let (h, h_error) = self.length(rows)?;
        let poses = [self.poses(&rows[0])?, self.poses(&rows[1])?];
        let at = usize::from(map.at_end);
        let v = |side: usize| self.velocities(&rows[side], &poses[side]);
        let mut step = MotionStep {
            k,
            mass: self.mass(&rows[0], &poses[at])?,
            coordinates: self.coordinates(),
            q: [self.positions(&rows[0])?, self.positions(&rows[1])?],
            v: [v(0)?, v(1)?],
            update: map.update,
            impulse: self.impulse(&rows[0], &poses[0], &h)?,
            h,
            h_error,
            ..MotionStep::default()
        };
        let contacts = map.contacts.iter();
        let contacts = contacts.map(|own| self.contact(own, rows, &poses[at], &step));
        step.contacts = contacts.collect::<Result<_>>()?;
        self.energies(&mut step, rows, &poses)?;
        Ok(step)
    }

    /// h, and how far it may be off where it is a difference of times.
    fn length(&self, rows: &[Row<'_>; 2]) -> Result<(Rational, Rational)> {
        let map = &self.map;
        let line = rows[1].line;
        if let Some(h) = &map.h {
            let h = rows[1].number(h)?;
            if h <= 0 {
                let why =
                    format!("the step has the length {h}, and must go ahead; see \"h\" of the map");
                return Err(fault(line, why));
            }
            return Ok((h, Rational::new()));
        }
        let Some(time) = &map.time else {
            return Err(fault(line, "there is no time"));
        };
        let (start, end) = (rows[0].number(time)?, rows[1].number(time)?);
        let h = Rational::from(&end - &start);
        if h <= 0 {
            let [start, end] = [&start, &end].map(etalon_lcp::short_text);
            let why = format!(
                "the time goes from {start} to {end}: it must go on; are lines missing, or in another order?"
            );
            return Err(fault(line, why));
        }
        let error = map.rounding.of_state(&start) + map.rounding.of_state(&end);
        Ok((h, error * 2u32))
    }

    fn poses(&self, row: &Row<'_>) -> Result<Vec<Pose>> {
        let bodies = self.map.bodies.iter();
        bodies.map(|own| self.pose(own, row)).collect()
    }

    fn pose(&self, own: &BodyMap, row: &Row<'_>) -> Result<Pose> {
        let position = row.numbers(&own.position)?;
        let Some(inertia) = &own.inertia else {
            return Ok(Pose {
                position,
                inertia: Vec::new(),
                spin: Vec::new(),
            });
        };
        let flat = row.numbers(inertia)?;
        let side = if self.map.dimension == 2 { 1 } else { 3 };
        let mut inertia: Vec<Vec<Rational>> = flat.chunks(side).map(<[_]>::to_vec).collect();
        if let (true, Some(orientation)) = (own.turns, &own.orientation) {
            let turn = rotation(&row.numbers(orientation)?);
            let why = || {
                let name = &own.name;
                fault(
                    row.line,
                    format!(
                        "the orientation of the body {name:?} is 0; a quaternion w, x, y, z has length 1"
                    ),
                )
            };
            inertia = turned(&turn.ok_or_else(why)?, &inertia);
        }
        let spin = row.numbers(&own.spin)?;
        Ok(Pose {
            position,
            inertia,
            spin,
        })
    }

    fn velocities(&self, row: &Row<'_>, poses: &[Pose]) -> Result<Vec<Rational>> {
        let mut v = Vec::with_capacity(self.n);
        for (own, pose) in self.map.bodies.iter().zip(poses) {
            v.extend(row.numbers(&own.velocity)?);
            v.extend(pose.spin.iter().cloned());
        }
        Ok(v)
    }

    fn positions(&self, row: &Row<'_>) -> Result<Vec<Rational>> {
        let mut q = Vec::with_capacity(self.n);
        for (own, (_, rotation)) in self.map.bodies.iter().zip(&self.starts) {
            q.extend(row.numbers(&own.position)?);
            if rotation.is_some() {
                match (&own.angle, self.map.dimension) {
                    (Some(angle), 2) => q.push(row.number(angle)?),
                    (_, 2) => q.push(Rational::new()),
                    _ => q.extend(std::iter::repeat_n(Rational::new(), 3)),
                }
            }
        }
        Ok(q)
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let mut found = Vec::with_capacity(self.n);
        let d = self.map.dimension;
        let bodies = self.map.bodies.iter().zip(&self.starts);
        for (b, (own, (_, rotation))) in bodies.enumerate() {
            let coordinate = |turns: bool, unfollowed: bool| Coordinate {
                owner: format!("body {}", own.name),
                turns,
                block: 2 * b + usize::from(turns),
                unfollowed,
            };
            found.extend(std::iter::repeat_n(coordinate(false, false), d));
            if rotation.is_some() {
                let count = if d == 2 { 1 } else { 3 };
                let unfollowed = d == 3 || own.angle.is_none();
                found.extend(std::iter::repeat_n(coordinate(true, unfollowed), count));
            }
        }
        found
    }

    fn mass(&self, row: &Row<'_>, poses: &[Pose]) -> Result<Vec<Covector>> {
        let mut rows = Vec::with_capacity(self.n);
        for (own, pose) in self.map.bodies.iter().zip(poses) {
            let mass = row.number(&own.mass)?;
            if mass <= 0 {
                let name = &own.name;
                let why = format!(
                    "the mass of the body {name:?} is {mass}, and must be positive; what cannot move is the world, null in a contact"
                );
                return Err(fault(row.line, why));
            }
            for _ in 0..self.map.dimension {
                rows.push(vec![(rows.len(), mass.clone())]);
            }
            let first = rows.len();
            for inertia in &pose.inertia {
                let entries = inertia.iter().enumerate();
                rows.push(entries.map(|(j, own)| (first + j, own.clone())).collect());
            }
        }
        Ok(rows)
    }

    /// h times gravity, forces and torques.
    fn impulse(&self, row: &Row<'_>, poses: &[Pose], h: &Rational) -> Result<Vec<Rational>> {
        let gravity = row.numbers(&self.map.gravity)?;
        let mut impulse = Vec::with_capacity(self.n);
        for (own, pose) in self.map.bodies.iter().zip(poses) {
            let mass = row.number(&own.mass)?;
            let mut force = match &own.force {
                Some(own) => row.numbers(own)?,
                None => vec![Rational::new(); gravity.len()],
            };
            for (force, g) in force.iter_mut().zip(&gravity) {
                *force += Rational::from(g * &mass);
            }
            let mut torque = match &own.torque {
                Some(own) => row.numbers(own)?,
                None => Vec::new(),
            };
            torque.resize(pose.spin.len(), Rational::new());
            if own.gyroscopic && pose.spin.len() == 3 {
                let momentum = pose.inertia.iter().map(|row| dot(row, &pose.spin));
                let momentum: Vec<_> = momentum.collect();
                let turning = vector(&pose.spin).cross(&vector(&momentum));
                for (sum, own) in torque.iter_mut().zip(turning.coordinates()) {
                    *sum -= own;
                }
            }
            impulse.extend(force.into_iter().chain(torque).map(|own| own * h));
        }
        Ok(impulse)
    }

    fn contact(
        &self,
        own: &ContactMap,
        rows: &[Row<'_>; 2],
        poses: &[Pose],
        step: &MotionStep,
    ) -> Result<MotionContact> {
        let map = &self.map;
        let geometry = &rows[usize::from(map.at_end)];
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
        let point = point(own, geometry, &normal, poses)?;
        let tangents = self.tangents(own, geometry, &normal)?;
        for tangent in &tangents {
            unit(own, geometry, "tangent", tangent)?;
        }
        let row = |direction: &Vec<Rational>| self.force_row(own, &point, direction, poses);
        let gaps = match &own.gap {
            Some(gap) => Some([rows[0].number(gap)?, rows[1].number(gap)?]),
            None => None,
        };
        let mut contact = MotionContact {
            name: own.name.clone(),
            normal: row(&normal),
            tangents: tangents.iter().map(row).collect(),
            mu: not_negative(own, &rows[0], "mu", &own.mu)?,
            polygon: if own.pyramid && map.dimension == 3 {
                square()
            } else {
                Vec::new()
            },
            pressed: impulses.number(&own.pressed)?,
            rubbed: impulses.numbers(&own.rubbed)?,
            keeps_apart: gaps.is_some(),
            slop: not_negative(own, &rows[0], "slop", &map.slop)?,
            ..MotionContact::default()
        };
        if let Some([_, after]) = &gaps {
            contact.gap_size = after.clone().abs() + sizes(&contact.normal, &step.q[1]);
            contact.gap = Some(after.clone());
        }
        self.target(&mut contact, own, (rows, &gaps), step)?;
        Ok(contact)
    }

    /// The directions of friction.
    fn tangents(
        &self,
        own: &ContactMap,
        geometry: &Row<'_>,
        normal: &[Rational],
    ) -> Result<Vec<Vec<Rational>>> {
        if own.rubbed.is_empty() {
            return Ok(Vec::new());
        }
        if self.map.dimension == 2 && own.tangents.is_empty() {
            return Ok(vec![vec![Rational::from(-&normal[1]), normal[0].clone()]]);
        }
        let tangents = own.tangents.iter();
        tangents.map(|own| geometry.numbers(own)).collect()
    }

    fn target(
        &self,
        contact: &mut MotionContact,
        own: &ContactMap,
        (rows, gaps): (&[Row<'_>; 2], &Option<[Rational; 2]>),
        step: &MotionStep,
    ) -> Result<()> {
        let normal = &contact.normal;
        match (&own.target, gaps) {
            (Target::NotAsked, _) => {}
            (Target::Given(cell), _) => {
                let target = rows[1].number(cell)?;
                contact.target_size = target.clone().abs();
                contact.target = Some(target);
            }
            (Target::Gap, Some([before, _])) => {
                let all = before.clone().abs() + sizes(normal, &step.q[0]);
                contact.target_size = all / &step.h;
                contact.target = Some(-Rational::from(before / &step.h));
                contact.stops_at_gap = true;
            }
            (Target::Gap | Target::Stop, _) => {
                // Where the gap is open nothing is asked, unless the contact pushes.
                let known = self
                    .map
                    .rounding
                    .allows(24, &contact.gap_size, &Rational::new());
                let most = known + &contact.slop;
                let closed = gaps.as_ref().is_some_and(|[before, _]| *before <= most);
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
        let mut row = Covector::new();
        for (body, sign) in own.bodies.iter().zip([1, -1]) {
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

    fn energies(
        &self,
        step: &mut MotionStep,
        rows: &[Row<'_>; 2],
        poses: &[Vec<Pose>; 2],
    ) -> Result<()> {
        let map = &self.map;
        if map.kinetic.is_none() && map.potential.is_none() {
            return Ok(());
        }
        let mut own = OwnEnergy::default();
        for side in 0..2 {
            let mass = self.mass(&rows[side], &poses[side])?;
            let v = &step.v[side];
            let momentum: Vec<_> = mass.iter().map(|row| sparse_dot(row, v)).collect();
            own.kinetic[side] = dot(v, &momentum) / 2u32;
            let gravity = rows[side].numbers(&map.gravity)?;
            for (body, (start, _)) in map.bodies.iter().zip(&self.starts) {
                let mass = rows[side].number(&body.mass)?;
                for (k, g) in gravity.iter().enumerate() {
                    let weight = Rational::from(g * &mass);
                    let part = Rational::from(&weight * &step.q[side][start + k]);
                    own.slope += weight.abs();
                    own.size += part.clone().abs();
                    own.potential[side] -= part;
                }
            }
        }
        // Where potential energy is 0 is a choice: its change counts.
        let mut potential = None;
        if let Some(cell) = &map.potential {
            let (before, after) = (rows[0].number(cell)?, rows[1].number(cell)?);
            own.size += before.clone().abs() + after.clone().abs();
            potential = Some(after - before + &own.potential[0]);
        }
        let kinetic = map.kinetic.as_ref();
        step.energy = Some(RecordedEnergy {
            kinetic: kinetic.map(|own| rows[1].number(own)).transpose()?,
            potential,
            ..RecordedEnergy::default()
        });
        step.own_energy = Some(own);
        Ok(())
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

/// Where a contact is.
fn point(
    own: &ContactMap,
    geometry: &Row<'_>,
    normal: &[Rational],
    poses: &[Pose],
) -> Result<Vec<Rational>> {
    match &own.place {
        Place::Point(point) => geometry.numbers(point),
        Place::Radius(radius) => {
            let radius = geometry.number(radius)?;
            let centre = own.bodies[0].map_or(&[][..], |body| &poses[body].position);
            let along = centre.iter().zip(normal);
            Ok(along
                .map(|(x, n)| x - Rational::from(n * &radius))
                .collect())
        }
    }
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

fn vector(own: &[Rational]) -> Vector3<Rational> {
    Vector3::new(std::array::from_fn(|k| {
        own.get(k).cloned().unwrap_or_default()
    }))
}

/// The rotation of a quaternion w, x, y, z of any length but 0, in fractions: exactly orthogonal.
fn rotation(q: &[Rational]) -> Option<[[Rational; 3]; 3]> {
    let [w, x, y, z] = q else { return None };
    let square = dot(q, q);
    if square.is_zero() {
        return None;
    }
    let p = |a: &Rational, b: &Rational| Rational::from(a * b);
    let entry = |own: Rational| own * 2u32 / &square;
    let diagonal = |own: Rational| Rational::from(1) - entry(own);
    Some([
        [
            diagonal(p(y, y) + p(z, z)),
            entry(p(x, y) - p(w, z)),
            entry(p(x, z) + p(w, y)),
        ],
        [
            entry(p(x, y) + p(w, z)),
            diagonal(p(x, x) + p(z, z)),
            entry(p(y, z) - p(w, x)),
        ],
        [
            entry(p(x, z) - p(w, y)),
            entry(p(y, z) + p(w, x)),
            diagonal(p(x, x) + p(y, y)),
        ],
    ])
}

/// R I R'.
fn turned(r: &[[Rational; 3]; 3], inertia: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let entry = |i: usize, j: usize| {
        let mut sum = Rational::new();
        for (a, row) in inertia.iter().enumerate() {
            for (b, own) in row.iter().enumerate() {
                sum += Rational::from(&r[i][a] * own) * &r[j][b];
            }
        }
        sum
    };
    (0..3)
        .map(|i| (0..3).map(|j| entry(i, j)).collect())
        .collect()
}
