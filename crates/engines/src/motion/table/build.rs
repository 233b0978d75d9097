//! A step of two lines of a table.

use rug::Rational;

use super::map::MotionMap;
use super::pose::{Pose, vector};
use super::row::{Result, Row, fault};
use crate::assembly::Row as Covector;
use crate::exact::{dot, sparse_dot};
use crate::motion::{
    BodyTurn, Coordinate, MotionStep, OwnEnergy, RecordedEnergy, TurnRule, Update,
};

/// Makes steps of lines.
pub(super) struct Builder {
    pub map: MotionMap,
    /// Where the velocities of each body begin, and of its rotation, where it turns.
    pub starts: Vec<(usize, Option<usize>)>,
    n: usize,
}

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
        step.times = self.times(rows)?;
        step.turns = self.turns(&poses);
        let contacts = map.contacts.iter();
        let contacts = contacts.map(|own| self.contact(own, rows, &poses, &step));
        step.contacts = contacts.collect::<Result<_>>()?;
        let joints = map.joints.iter();
        let joints = joints.map(|own| self.joint(own, rows, &poses, (&step.h, k)));
        for (joint, limits) in joints.collect::<Result<Vec<_>>>()? {
            step.joints.push(joint);
            step.contacts.extend(limits);
        }
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

    /// The times of the lines, where the map has the length of a step beside them.
    fn times(&self, rows: &[Row<'_>; 2]) -> Result<Option<[Rational; 2]>> {
        match (&self.map.h, &self.map.time) {
            (Some(_), Some(time)) => Ok(Some([rows[0].number(time)?, rows[1].number(time)?])),
            _ => Ok(None),
        }
    }

    /// How bodies turn in space, where the map has their orientations.
    fn turns(&self, poses: &[Vec<Pose>; 2]) -> Vec<BodyTurn> {
        if self.map.turning == TurnRule::NotAsked || self.map.update == Update::NotAsked {
            return Vec::new();
        }
        let pairs = poses[0].iter().zip(&poses[1]);
        let bodies = self.map.bodies.iter().zip(pairs);
        let turns = bodies.filter_map(|(own, (before, after))| {
            let ((old, _), (new, _)) = (before.turn.as_ref()?, after.turn.as_ref()?);
            let spin = |pose: &Pose| <[Rational; 3]>::try_from(pose.spin.clone()).ok();
            Some(BodyTurn {
                owner: format!("body {}", own.name),
                orientation: [old.clone(), new.clone()],
                spin: [spin(before)?, spin(after)?],
                rule: self.map.turning,
            })
        });
        turns.collect()
    }

    fn poses(&self, row: &Row<'_>) -> Result<Vec<Pose>> {
        let bodies = self.map.bodies.iter();
        bodies.map(|own| Pose::of(&self.map, own, row)).collect()
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
                driven: false,
                owner: format!("body {}", own.name),
                turns,
                block: 2 * b + usize::from(turns),
                unfollowed,
                wraps: turns && own.angle_wraps,
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
