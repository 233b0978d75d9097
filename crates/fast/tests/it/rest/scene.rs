//! Bodies in space in mixed form: six velocities a body are free unknowns, and so are the forces of joints.

use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Number, Problem};

use crate::walls::Random;

pub type Vector = [f64; 3];

pub const AXES: [Vector; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A body, and a point from its centre.
pub type End = (usize, Vector);

/// A body about its centre of mass; the load is a force and a torque.
#[derive(Clone)]
pub struct Body {
    pub mass: f64,
    pub inertia: [Vector; 3],
    pub load: [f64; 6],
}

/// A point at which a body touches another one, or the ground.
#[derive(Clone)]
pub struct Touch {
    pub on: End,
    pub other: Option<End>,
    /// The normal and two tangents.
    pub frame: [Vector; 3],
    /// The mus of rows in discs: of the two tangents, of torsion, of rolling.
    pub discs: Vec<Vec<f64>>,
}

/// Bodies, contacts and ball joints, each of a body with another one, or the ground.
#[derive(Clone, Default)]
pub struct Scene {
    pub bodies: Vec<Body>,
    pub touches: Vec<Touch>,
    pub joints: Vec<(End, Option<End>)>,
}

pub fn number(value: f64) -> Number {
    Number::from_f64(value).unwrap()
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

pub fn times(a: Vector, by: f64) -> Vector {
    a.map(|own| own * by)
}

pub fn plus(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] + b[k])
}

/// A rotation by columns, from a random quaternion.
pub fn rotation(random: &mut Random) -> [Vector; 3] {
    let q = [0; 4].map(|_| random.next() - 0.5);
    let length = q.iter().map(|own| own * own).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|own| own / length);
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        ],
        [
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ],
        [
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

pub fn turned(by: &[Vector; 3], a: Vector) -> Vector {
    (0..3).fold([0.0; 3], |sum, k| plus(sum, times(by[k], a[k])))
}

impl Body {
    /// A ball of radius of gyration `gyration`, pulled down by 9.81 m.
    pub fn ball(mass: f64, gyration: f64) -> Self {
        let own = mass * gyration * gyration;
        Self {
            mass,
            inertia: [[own, 0.0, 0.0], [0.0, own, 0.0], [0.0, 0.0, own]],
            load: [0.0, 0.0, -9.81 * mass, 0.0, 0.0, 0.0],
        }
    }
}

impl Touch {
    /// On the ground, with friction 1/2 along the axes.
    pub fn ground(body: usize, arm: Vector) -> Self {
        Self {
            on: (body, arm),
            other: None,
            frame: AXES,
            discs: vec![vec![0.5; 2]],
        }
    }

    /// On another body.
    pub fn upon(self, body: usize, arm: Vector) -> Self {
        let other = Some((body, arm));
        Self { other, ..self }
    }

    /// The rows of H: of the normal, the tangents, torsion and rolling.
    fn rows(&self) -> Vec<Vec<(usize, f64)>> {
        let count: usize = self.discs.iter().map(Vec::len).sum();
        let ends = || [(Some(self.on), 1.0), (self.other, -1.0)];
        let row = |a: usize| {
            let axis = self.frame[a % 3];
            let ends = ends()
                .into_iter()
                .filter_map(|(end, sign)| Some((end?, sign)));
            let entries = ends.flat_map(|((body, arm), sign)| {
                let (linear, angular) = match a < 3 {
                    true => (axis, cross(arm, axis)),
                    false => ([0.0; 3], axis),
                };
                let both = linear.into_iter().chain(angular).enumerate();
                both.map(move |(k, own)| (6 * body + k, sign * own))
            });
            entries.collect()
        };
        (0..=count).map(row).collect()
    }
}

impl Scene {
    /// The same scene turned as a whole.
    pub fn turned(mut self, by: &[Vector; 3]) -> Self {
        let turn = |a: Vector| turned(by, a);
        for body in &mut self.bodies {
            let [x, y, z, a, b, c] = body.load;
            let ([x, y, z], [a, b, c]) = (turn([x, y, z]), turn([a, b, c]));
            body.load = [x, y, z, a, b, c];
            // Q I Q', symmetric to the last bit.
            let half = body.inertia.map(turn);
            let whole = [0, 1, 2].map(|k| turn([half[0][k], half[1][k], half[2][k]]));
            let mean = |a: usize, b: usize| 0.5 * (whole[a][b] + whole[b][a]);
            body.inertia = [0, 1, 2].map(|a| [0, 1, 2].map(|b| mean(a, b)));
        }
        let end = |(body, arm)| (body, turn(arm));
        for touch in &mut self.touches {
            touch.on = end(touch.on);
            touch.other = touch.other.map(end);
            touch.frame = touch.frame.map(turn);
        }
        for joint in &mut self.joints {
            *joint = (end(joint.0), joint.1.map(end));
        }
        self
    }

    /// A v - H'r - J'f = load, u = Hv, J v = 0.
    pub fn problem(&self, name: &str, law: Law) -> Problem {
        let free = 6 * self.bodies.len();
        let (mut entries, mut q) = (Vec::new(), Vec::new());
        for (b, body) in self.bodies.iter().enumerate() {
            for k in 0..3 {
                entries.push((6 * b + k, 6 * b + k, body.mass));
                let row = body.inertia[k].into_iter().enumerate();
                entries.extend(row.map(|(l, own)| (6 * b + 3 + k, 6 * b + 3 + l, own)));
            }
            q.extend(body.load.map(|own| number(-own)));
        }
        let mut n = free;
        let mut couple = |rows: Vec<Vec<(usize, f64)>>| {
            let first = n;
            for row in rows {
                for (j, h) in row {
                    entries.extend([(n, j, h), (j, n, -h)]);
                }
                n += 1;
            }
            first
        };
        let mut cones = Vec::new();
        for touch in &self.touches {
            let normal = couple(touch.rows());
            let mut next = normal + 1;
            let disc = |mus: &Vec<f64>| {
                let rows: Vec<usize> = (next..next + mus.len()).collect();
                next += mus.len();
                let is_one = mus.iter().all(|mu| *mu == mus[0]);
                let mu = match is_one {
                    true => Mu::One(number(mus[0])),
                    false => Mu::Each(mus.iter().copied().map(number).collect()),
                };
                Disc { rows, mu }
            };
            let discs = touch.discs.iter().map(disc).collect();
            cones.push(Cone { normal, discs, law });
        }
        let contacts = cones.iter().map(|cone| cone.rows().count()).sum::<usize>();
        for (on, other) in &self.joints {
            let ball = Touch {
                on: *on,
                other: *other,
                frame: AXES,
                discs: vec![vec![1.0; 2]],
            };
            couple(ball.rows());
        }
        q.resize(n, number(0.0));
        let bound = |i: usize| match i < free || i >= free + contacts {
            true => Bound::NegativeInfinity,
            false => Bound::Finite(number(0.0)),
        };
        let stored = entries.into_iter().filter(|(_, _, value)| *value != 0.0);
        let stored = stored.map(|(i, j, value)| (i as u64, j as u64, number(value)));
        let m = Matrix::from_entries((n as u64, n as u64), stored.collect::<Vec<_>>()).unwrap();
        Problem::new(name, m, q)
            .and_then(|p| p.with_bounds(Some((0..n).map(bound).collect()), None))
            .and_then(|p| p.with_cones(cones))
            .unwrap()
    }
}
