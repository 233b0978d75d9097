//! A simulator of joints in binary64, for the tests: bodies of isotropic inertia in space, and bodies in the plane as such that stay in it.
//!
//! M v' = M v + h k + J'r, J v' = b, by elimination; positions follow v', and orientations by q + h/2 w q.

use std::fmt::Write;

pub type V3 = [f64; 3];

#[derive(Clone)]
pub struct Sim {
    pub bodies: Vec<Body>,
    pub h: f64,
    pub g: V3,
    pub joint: Joint,
    /// Whether gaps are closed within a step.
    pub closes: bool,
}

#[derive(Clone)]
pub struct Body {
    pub x: V3,
    pub q: [f64; 4],
    pub v: V3,
    pub w: V3,
    pub mass: f64,
    pub inertia: f64,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Ball,
    Hinge,
    Universal,
    Slider,
    Fixed,
}

/// Between body 0 and body 1, or the world.
#[derive(Clone)]
pub struct Joint {
    pub kind: Kind,
    pub second: Option<usize>,
    pub anchors: [V3; 2],
    pub axes: [V3; 2],
    /// The orientation of the second body in axes of the first where the joint is at 0.
    pub turned: [f64; 4],
    /// Speed and bound.
    pub drive: Option<[f64; 2]>,
    /// Least and largest coordinate of a slider, or angle of a hinge.
    pub limits: Option<[f64; 2]>,
}

/// What a step did.
#[derive(Default, Clone)]
pub struct Done {
    pub impulse: V3,
    pub angular: V3,
    pub drive: f64,
    pub limit: f64,
}

/// A row over the velocities of both bodies: force and torque on each.
#[derive(Clone, Copy)]
struct Row {
    parts: [[V3; 2]; 2],
    gap: f64,
}

pub fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn plus(a: V3, s: f64, b: V3) -> V3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

pub fn times_q(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([w, x, y, z], [p, q, r, s]) = (a, b);
    [
        w * p - x * q - y * r - z * s,
        w * q + x * p + y * s - z * r,
        w * r - x * s + y * p + z * q,
        w * s + x * r - y * q + z * p,
    ]
}

pub fn turn(q: [f64; 4], a: V3) -> V3 {
    let back = [q[0], -q[1], -q[2], -q[3]];
    let [_, x, y, z] = times_q(times_q(q, [0.0, a[0], a[1], a[2]]), back);
    [x, y, z]
}

const ONE: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl Body {
    pub fn at(x: V3) -> Self {
        Self {
            x,
            q: ONE,
            v: [0.0; 3],
            w: [0.0; 3],
            mass: 1.5,
            inertia: 0.25,
        }
    }
}

impl Sim {
    fn second(&self) -> (V3, [f64; 4]) {
        let body = self.joint.second.map(|b| &self.bodies[b]);
        body.map_or(([0.0; 3], ONE), |own| (own.x, own.q))
    }

    fn points(&self) -> [V3; 2] {
        let (x, q) = self.second();
        let own = &self.bodies[0];
        [
            plus(own.x, 1.0, turn(own.q, self.joint.anchors[0])),
            plus(x, 1.0, turn(q, self.joint.anchors[1])),
        ]
    }

    fn axes(&self) -> [V3; 2] {
        let (_, q) = self.second();
        [
            turn(self.bodies[0].q, self.joint.axes[0]),
            turn(q, self.joint.axes[1]),
        ]
    }

    fn along(&self, n: V3, [p1, p2]: [V3; 2], gap: f64) -> Row {
        let (x, _) = self.second();
        let arm = |p: V3, x: V3| cross(plus(p, -1.0, x), n);
        let back = |own: V3| own.map(|own| -own);
        Row {
            parts: [[n, arm(p1, self.bodies[0].x)], [back(n), back(arm(p2, x))]],
            gap,
        }
    }

    fn about(a: V3, gap: f64) -> Row {
        Row {
            parts: [[[0.0; 3], a], [[0.0; 3], a.map(|own| -own)]],
            gap,
        }
    }

    fn across(a: V3) -> [V3; 2] {
        let e = if a[0].abs() < 0.6 {
            [1.0, 0.0, 0.0]
        } else {
            [0.0, 1.0, 0.0]
        };
        let one = cross(a, e);
        [one, cross(a, one)]
    }

    fn rows(&self) -> Vec<Row> {
        let points = self.points();
        let d = plus(points[0], -1.0, points[1]);
        let [a1, a2] = self.axes();
        let unit: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let kind = self.joint.kind;
        let mut rows: Vec<Row> = match kind {
            Kind::Slider => Self::across(a2)
                .into_iter()
                .map(|n| self.along(n, [points[0]; 2], dot(n, d)))
                .collect(),
            _ => unit.map(|n| self.along(n, points, dot(n, d))).to_vec(),
        };
        match kind {
            Kind::Ball => {}
            Kind::Hinge => {
                for e in Self::across(self.joint.axes[0]) {
                    let e = turn(self.bodies[0].q, e);
                    rows.push(Self::about(cross(e, a2), dot(e, a2)));
                }
            }
            Kind::Universal => rows.push(Self::about(cross(a1, a2), dot(a1, a2))),
            Kind::Slider | Kind::Fixed => {
                let (_, q) = self.second();
                let own = times_q(self.bodies[0].q, self.joint.turned);
                let [w, x, y, z] = times_q(own, [q[0], -q[1], -q[2], -q[3]]);
                // R - R' of a quaternion is 4 w times its vector part.
                let off = [x, y, z].map(|part| 2.0 * w * part);
                rows.extend(unit.map(|a| Self::about(a, dot(a, off))));
            }
        }
        rows
    }

    /// The coordinate of a slider, or the angle of a hinge about the axis z or y of the world.
    pub fn coordinate(&self) -> f64 {
        let [_, a2] = self.axes();
        match self.joint.kind {
            Kind::Slider => {
                let [p1, p2] = self.points();
                dot(a2, plus(p1, -1.0, p2))
            }
            _ => {
                let (_, q) = self.second();
                let own = times_q(self.bodies[0].q, self.joint.turned);
                let r = times_q(own, [q[0], -q[1], -q[2], -q[3]]);
                2.0 * dot([r[1], r[2], r[3]], a2).atan2(r[0])
            }
        }
    }

    fn free_row(&self) -> Row {
        let points = self.points();
        let [_, a2] = self.axes();
        match self.joint.kind {
            Kind::Slider => self.along(a2, [points[0]; 2], 0.0),
            _ => Self::about(a2, 0.0),
        }
    }

    /// Solves for the impulses of rows whose rates are to have given values.
    fn solve(&self, rows: &[Row], wanted: &[f64], extra: (&Row, f64)) -> (Vec<f64>, Vec<[V3; 2]>) {
        let bodies = [Some(0), self.joint.second];
        let mut free: Vec<[V3; 2]> = self
            .bodies
            .iter()
            .map(|own| [plus(own.v, self.h, self.g), own.w])
            .collect();
        let push = |velocity: &mut Vec<[V3; 2]>, row: &Row, r: f64| {
            for (body, [f, t]) in bodies.iter().zip(row.parts) {
                let Some(b) = *body else { continue };
                let own = &self.bodies[b];
                velocity[b] = [
                    plus(velocity[b][0], r / own.mass, f),
                    plus(velocity[b][1], r / own.inertia, t),
                ];
            }
        };
        push(&mut free, extra.0, extra.1);
        let rate = |velocity: &[[V3; 2]], row: &Row| -> f64 {
            let both = bodies.iter().zip(row.parts);
            both.map(|(body, [f, t])| {
                body.map_or(0.0, |b| dot(f, velocity[b][0]) + dot(t, velocity[b][1]))
            })
            .sum()
        };
        let n = rows.len();
        let still = vec![[[0.0; 3]; 2]; self.bodies.len()];
        let mut a = vec![vec![0.0; n + 1]; n];
        for j in 0..n {
            let mut velocity = still.clone();
            push(&mut velocity, &rows[j], 1.0);
            for i in 0..n {
                a[i][j] = rate(&velocity, &rows[i]);
            }
        }
        for i in 0..n {
            a[i][n] = wanted[i] - rate(&free, &rows[i]);
        }
        let r = eliminated(a);
        for (row, r) in rows.iter().zip(&r) {
            push(&mut free, row, *r);
        }
        (r, free)
    }

    pub fn step(&mut self) -> Done {
        let rows = self.rows();
        let closing = if self.closes { 1.0 / self.h } else { 0.0 };
        let wanted: Vec<f64> = rows.iter().map(|own| -own.gap * closing).collect();
        let along = self.free_row();
        let mut done = Done::default();
        let (mut r, mut after) = self.solve(&rows, &wanted, (&along, 0.0));
        let more = |target: f64| {
            let (mut rows, mut wanted) = (rows.clone(), wanted.clone());
            rows.push(along);
            wanted.push(target);
            self.solve(&rows, &wanted, (&along, 0.0))
        };
        if let Some([speed, bound]) = self.joint.drive {
            let (mut all, reached) = more(speed);
            let own = all.pop().unwrap();
            if own.abs() <= bound * self.h {
                (r, after, done.drive) = (all, reached, own);
            } else {
                done.drive = (bound * self.h).copysign(own);
                (r, after) = self.solve(&rows, &wanted, (&along, done.drive));
            }
        }
        if let Some([low, high]) = self.joint.limits {
            let c = self.coordinate();
            let bodies = [Some(0), self.joint.second];
            let rate: f64 = (bodies.iter().zip(along.parts))
                .map(|(body, [f, t])| {
                    body.map_or(0.0, |b| dot(f, after[b][0]) + dot(t, after[b][1]))
                })
                .sum();
            let end = c + self.h * rate;
            for (limit, is_over) in [(low, end < low), (high, end > high)] {
                if is_over {
                    let (mut all, reached) = more((limit - c) / self.h);
                    done.limit = all.pop().unwrap();
                    (r, after) = (all, reached);
                }
            }
        }
        for (row, r) in rows.iter().zip(&r) {
            let [f, t] = row.parts[0];
            if f != [0.0; 3] {
                done.impulse = plus(done.impulse, *r, f);
            } else {
                done.angular = plus(done.angular, *r, t);
            }
        }
        for (own, [v, w]) in self.bodies.iter_mut().zip(after) {
            (own.v, own.w) = (v, w);
            own.x = plus(own.x, self.h, v);
            let half = times_q([0.0, w[0], w[1], w[2]], own.q);
            let mut q: [f64; 4] = std::array::from_fn(|k| own.q[k] + 0.5 * self.h * half[k]);
            let length = q.iter().map(|own| own * own).sum::<f64>().sqrt();
            q.iter_mut().for_each(|own| *own /= length);
            own.q = q;
        }
        done
    }

    /// The table of a run in space; `angle` is kept over whole turns.
    pub fn table(mut self, steps: usize) -> String {
        let mut text = "t".to_owned();
        for b in 0..self.bodies.len() {
            for name in [
                "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
            ] {
                write!(text, ",b{b}.{name}").unwrap();
            }
        }
        text += ",j.impulse_x,j.impulse_y,j.impulse_z,j.angular_impulse_x,j.angular_impulse_y,j.angular_impulse_z,j.coordinate,j.drive_impulse,j.limit_impulse\n";
        let mut done = Done::default();
        for k in 0..=steps {
            if k > 0 {
                done = self.step();
            }
            write!(text, "{:?}", k as f64 * self.h).unwrap();
            for own in &self.bodies {
                let all = own.x.iter().chain(&own.q).chain(&own.v).chain(&own.w);
                all.for_each(|value| write!(text, ",{value:?}").unwrap());
            }
            let more = [self.coordinate(), done.drive, done.limit];
            let all = done.impulse.iter().chain(&done.angular).chain(&more);
            all.for_each(|value| write!(text, ",{value:?}").unwrap());
            text.push('\n');
        }
        text
    }
}

/// The solution of a system with its right side in the last column, by elimination with pivots.
fn eliminated(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    for i in 0..n {
        let most = (i..n)
            .max_by(|p, q| a[*p][i].abs().total_cmp(&a[*q][i].abs()))
            .unwrap();
        a.swap(i, most);
        let pivot = a[i].clone();
        for row in a.iter_mut().skip(i + 1) {
            let factor = row[i] / pivot[i];
            for (own, other) in row.iter_mut().zip(&pivot).skip(i) {
                *own -= factor * other;
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = (a[i][n] - known) / a[i][i];
    }
    x
}
