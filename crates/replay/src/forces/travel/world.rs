//! Bodies, joints and forces in space, and their laws.

use etalon_golden::forces::{ForcesData, FractionText};

use super::vectors::{Q, V, cross, dot, minus, plus, spans, zero};

/// A body with its motion, in space.
pub struct Moved {
    pub name: String,
    /// Where its coordinates start.
    pub start: Option<usize>,
    pub mass: Q,
    pub inertia: [V; 3],
    pub at: V,
    pub velocity: V,
    pub spin: V,
    pub load: [V; 2],
    /// Stated accelerations, linear and angular.
    pub gain: [V; 2],
}

/// A joint as directions of the world.
pub struct Joined<'a> {
    pub name: &'a str,
    pub pair: [usize; 2],
    pub at: V,
    /// Directions in which its points stay together, and about which its bodies stay, with their rates.
    pub held: [Vec<(V, V)>; 2],
    /// The unit axis of its travel, and whether it turns.
    pub travel: Option<(V, bool)>,
    pub limits: Option<[Q; 2]>,
    /// Speed and bound.
    pub drive: Option<[Q; 2]>,
}

/// A force along a direction at a place, or a torque about it, on the first of two bodies and the other way round on the second.
pub struct Push {
    pub pair: [usize; 2],
    pub at: V,
    pub direction: V,
    pub turns: bool,
    pub size: Q,
}

pub struct World<'a> {
    pub bodies: Vec<Moved>,
    pub joints: Vec<Joined<'a>>,
    /// In the plane coordinates x, y and about z.
    pub coordinates: &'static [usize],
    pub stated: &'a ForcesData,
    pub pushes: Vec<Push>,
}

impl World<'_> {
    /// Whether all laws hold, of limits after so many contacts.
    pub fn judge(mut self, contacts: usize) -> Result<(), String> {
        self.joined()?;
        self.travels(contacts)?;
        self.balance()
    }

    /// That joints stay together: of a direction d the velocity d'(v1 - v2), and its rate d'(A1 - A2) + 2 d_t'(v1 - v2), are 0, and of
    /// one about which nothing turns d'(w1 - w2), and d'(a1 - a2) + d_t'(w1 - w2).
    fn joined(&self) -> Result<(), String> {
        for joint in &self.joints {
            let [first, second] = joint.pair.map(|k| &self.bodies[k]);
            let [points, turns] = &joint.held;
            let apart = minus(
                &first.velocity_at(&joint.at),
                &second.velocity_at(&joint.at),
            );
            let gain = minus(&first.gain_at(&joint.at), &second.gain_at(&joint.at));
            let spin = minus(&first.spin, &second.spin);
            let turned = minus(&first.gain[1], &second.gain[1]);
            let off = |(direction, rate): &(V, V), velocity: &V, gain: &V, twice: u32| {
                dot(direction, velocity) != 0
                    || dot(direction, gain) + dot(rate, velocity) * twice != 0
            };
            let tears = points.iter().any(|own| off(own, &apart, &gain, 2))
                || turns.iter().any(|own| off(own, &spin, &turned, 1));
            if tears {
                return Err(format!(
                    "the accelerations tear joint {:?} apart",
                    joint.name
                ));
            }
        }
        Ok(())
    }

    /// The conditions of all limits and drives.
    fn travels(&mut self, contacts: usize) -> Result<(), String> {
        let (mut limit, mut drives) = (contacts, self.stated.drives.iter());
        let mut pushes = Vec::new();
        for joint in &self.joints {
            let Some((axis, turns)) = &joint.travel else {
                continue;
            };
            let (rate, gain) = self.motion(joint, axis, *turns);
            let mut push = |size: Q| {
                pushes.push(Push {
                    pair: joint.pair,
                    at: joint.at.clone(),
                    direction: axis.clone(),
                    turns: *turns,
                    size,
                });
            };
            for (side, end, sign) in ends(joint) {
                if *end != 0 {
                    continue;
                }
                let wrong = |why: &str| Err(format!("the {side} limit of {:?} {why}", joint.name));
                let (rate, gain) = (Q::from(&rate * sign), Q::from(&gain * sign));
                let force = self
                    .stated
                    .normal
                    .get(limit)
                    .ok_or("a limit has no force")?;
                let left = self.stated.normal_acceleration.get(limit);
                limit += 1;
                match () {
                    () if left.is_none_or(|own| own.0 != gain) => return wrong("moves otherwise"),
                    () if rate < 0 => return wrong("is run into"),
                    () if force.0 < 0 => return wrong("pulls"),
                    () if rate == 0 && gain < 0 => return wrong("is passed"),
                    () if force.0 != 0 && (rate != 0 || gain != 0) => {
                        return wrong("opens under force");
                    }
                    () => push(Q::from(&force.0 * sign)),
                }
            }
            if let Some(size) = driven(joint, (&rate, &gain), &mut drives)? {
                push(size);
            }
        }
        let none = limit == self.stated.normal.len() && drives.next().is_none();
        self.pushes.extend(pushes);
        match none {
            true => Ok(()),
            false => Err("there are forces of no limit and no drive".to_owned()),
        }
    }

    /// Rate and acceleration of a travel.
    fn motion(&self, joint: &Joined<'_>, axis: &V, turns: bool) -> (Q, Q) {
        let [first, second] = joint.pair.map(|k| &self.bodies[k]);
        let turned = cross(&second.spin, axis);
        if turns {
            let spin = minus(&first.spin, &second.spin);
            let gain = minus(&first.gain[1], &second.gain[1]);
            return (dot(&spin, axis), dot(&gain, axis) + dot(&spin, &turned));
        }
        let apart = minus(
            &first.velocity_at(&joint.at),
            &second.velocity_at(&joint.at),
        );
        let gain = minus(&first.gain_at(&joint.at), &second.gain_at(&joint.at));
        let gain = dot(&gain, axis) + dot(&turned, &apart) * 2u32;
        (dot(&apart, axis), gain)
    }

    /// D'Alembert's principle.
    fn balance(&self) -> Result<(), String> {
        let width = self.bodies.iter().filter(|own| own.start.is_some()).count();
        let mut left = vec![Q::new(); width * self.coordinates.len()];
        for body in &self.bodies {
            let turning = plus(&body.turned(&body.gain[1]), &Q::from(-1), &body.load[1]);
            let gyroscopic = cross(&body.spin, &body.turned(&body.spin));
            let force = body.gain[0].each_ref().map(|own| Q::from(own * &body.mass));
            let parts = [
                minus(&force, &body.load[0]),
                plus(&turning, &Q::from(1), &gyroscopic),
            ];
            self.add(&mut left, body, &parts, &Q::from(1));
        }
        for push in &self.pushes {
            let row = self.row(push);
            for (left, row) in left.iter_mut().zip(row) {
                *left -= row * &push.size;
            }
        }
        let mut rows: Vec<Vec<Q>> = Vec::new();
        for joint in &self.joints {
            for (turns, directions) in [false, true].into_iter().zip(&joint.held) {
                let push = |(direction, _): &(V, V)| Push {
                    pair: joint.pair,
                    at: joint.at.clone(),
                    direction: direction.clone(),
                    turns,
                    size: Q::new(),
                };
                rows.extend(directions.iter().map(|own| self.row(&push(own))));
            }
        }
        match spans(rows, left) {
            true => Ok(()),
            false => Err(
                "the forces of contacts, limits and drives do not move the bodies so".to_owned(),
            ),
        }
    }

    /// The generalised force of a push of size 1.
    fn row(&self, push: &Push) -> Vec<Q> {
        let width = self.bodies.iter().filter(|own| own.start.is_some()).count();
        let mut row = vec![Q::new(); width * self.coordinates.len()];
        for (k, sign) in push.pair.into_iter().zip([1, -1]) {
            let body = &self.bodies[k];
            let parts = match push.turns {
                true => [zero(), push.direction.clone()],
                false => {
                    let arm = minus(&push.at, &body.at);
                    [push.direction.clone(), cross(&arm, &push.direction)]
                }
            };
            self.add(&mut row, body, &parts, &Q::from(sign));
        }
        row
    }

    /// Adds force and torque on a body, if it can move.
    fn add(&self, sum: &mut [Q], body: &Moved, [force, torque]: &[V; 2], factor: &Q) {
        let Some(start) = body.start else {
            return;
        };
        let all: Vec<&Q> = force.iter().chain(torque).collect();
        for (sum, k) in sum[start..].iter_mut().zip(self.coordinates) {
            *sum += Q::from(all[*k] * factor);
        }
    }
}

/// The ends of a travel, with the direction away from each.
fn ends<'a>(joint: &'a Joined<'_>) -> impl Iterator<Item = (&'static str, &'a Q, i32)> {
    let limits = joint.limits.iter();
    limits.flat_map(|[low, high]| [("lower", low, 1), ("upper", high, -1)])
}

impl Moved {
    fn turned(&self, vector: &V) -> V {
        self.inertia.each_ref().map(|row| dot(row, vector))
    }

    fn velocity_at(&self, place: &V) -> V {
        plus(
            &self.velocity,
            &Q::from(1),
            &cross(&self.spin, &minus(place, &self.at)),
        )
    }

    fn gain_at(&self, place: &V) -> V {
        let arm = minus(place, &self.at);
        let bent = cross(&self.spin, &cross(&self.spin, &arm));
        let turned = plus(&cross(&self.gain[1], &arm), &Q::from(1), &bent);
        plus(&self.gain[0], &Q::from(1), &turned)
    }
}

/// The force of a drive: towards its speed with all that it has, or the next stated one that holds it.
fn driven<'a>(
    joint: &Joined<'_>,
    (rate, gain): (&Q, &Q),
    stated: &mut impl Iterator<Item = &'a FractionText>,
) -> Result<Option<Q>, String> {
    let Some([speed, bound]) = joint.drive.as_ref().filter(|[_, bound]| *bound != 0) else {
        return Ok(None);
    };
    if rate != speed {
        let forwards = rate < speed;
        return Ok(Some(if forwards {
            bound.clone()
        } else {
            -bound.clone()
        }));
    }
    let wrong = |why: &str| Err(format!("the drive of {:?} {why}", joint.name));
    let force = &stated.next().ok_or("a drive has no force")?.0;
    match () {
        () if force.cmp_abs(bound).is_gt() => wrong("pushes beyond its bound"),
        () if *gain > 0 && *force != -bound.clone() => wrong("is too weak"),
        () if *gain < 0 && force != bound => wrong("is too weak"),
        () => Ok(Some(force.clone())),
    }
}
