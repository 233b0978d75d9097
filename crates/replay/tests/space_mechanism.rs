//! Joints with limits and drives by another program: a door on a hinge and a cart on a rail, in binary64, by lines that share nothing
//! with Etalon. Its motion is right, and what is changed in it is named.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_golden::Trajectory;
use etalon_replay::judged::judge_motion;
use rug::Rational;
use serde_json::{Value, json};

type V = [f64; 3];

const H: f64 = 1.0 / 128.0;
const G: V = [0.0, 0.0, -9.81];

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn sum(a: V, b: V, by: f64) -> V {
    std::array::from_fn(|k| a[k] + by * b[k])
}

fn unit(a: V) -> V {
    let length = dot(a, a).sqrt();
    a.map(|own| own / length)
}

/// An axis and two more: the first is the axis of the world that is furthest from it, without its part along it.
fn frame(axis: V) -> [V; 3] {
    let axis = unit(axis);
    let least = |k: usize| axis.iter().all(|own| axis[k].abs() <= own.abs());
    let k = (0..3).find(|k| least(*k)).unwrap();
    let far: V = std::array::from_fn(|i| f64::from(u8::from(i == k)));
    let one = unit(sum(far, axis, -axis[k]));
    [axis, one, cross(axis, one)]
}

fn turned([w, x, y, z]: [f64; 4], a: V) -> V {
    let v = [x, y, z];
    let t = cross(v, a).map(|own| 2.0 * own);
    sum(sum(a, t, w), cross(v, t), 1.0)
}

/// A body on a joint of the fixed frame at the origin.
struct Held {
    name: &'static str,
    hinge: bool,
    mass: f64,
    inertia: f64,
    point: V,
    axis: V,
    limits: [f64; 2],
    speed: f64,
    force: f64,
    start: V,
    x: V,
    q: [f64; 4],
    v: V,
    w: V,
}

/// A row: force, torque and gap.
type Row = (V, V, f64);

impl Held {
    fn new(name: &'static str, hinge: bool) -> Self {
        let (start, axis) = match hinge {
            true => ([0.7, -0.2, 1.1], [2.0, 1.0, 2.0]),
            false => ([-1.3, 0.4, 0.6], [3.0, 4.0, 1.0]),
        };
        Self {
            name,
            hinge,
            mass: if hinge { 3.0 } else { 1.7 },
            inertia: 0.4,
            point: if hinge { [0.1, 0.3, 0.9] } else { start },
            axis,
            limits: if hinge { [-0.3, 0.05] } else { [-0.03, 0.15] },
            speed: if hinge { 2.0 } else { -1.0 },
            force: if hinge { 25.0 } else { 1.5 },
            start,
            x: start,
            q: [1.0, 0.0, 0.0, 0.0],
            v: [0.0; 3],
            w: [0.0; 3],
        }
    }

    fn scene(&self) -> [Value; 2] {
        let j = self.inertia;
        let kind = if self.hinge { "hinge" } else { "slider" };
        [
            json!({"name": self.name, "mass": self.mass, "inertia": [j, j, j], "position": self.start}),
            json!({"name": kind, "first": self.name, "second": "frame", "point": self.point, "kind": kind, "axis": self.axis,
                "limits": self.limits, "drive": {"speed": self.speed, "bound": self.force}}),
        ]
    }

    fn square(e: V, b: V) -> Row {
        ([0.0; 3], cross(e, b), dot(e, b))
    }

    fn along(&self, axis: V) -> Row {
        let arm = turned(self.q, sum(self.point, self.start, -1.0));
        let apart = sum(sum(self.x, arm, 1.0), self.point, -1.0);
        (axis, cross(arm, axis), dot(axis, apart))
    }

    fn equations(&self) -> Vec<Row> {
        let [axis, one, other] = frame(self.axis);
        let own = [axis, one, other].map(|own| turned(self.q, own));
        if self.hinge {
            let world = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let mut rows = world.map(|axis| self.along(axis)).to_vec();
            rows.extend([one, other].map(|b| Self::square(own[0], b)));
            return rows;
        }
        let mut rows = [one, other].map(|b| self.along(b)).to_vec();
        rows.push(Self::square(own[0], one));
        rows.push(Self::square(own[1], other));
        rows.push(Self::square(own[2], axis));
        rows
    }

    fn drive(&self) -> Row {
        let axis = unit(self.axis);
        match self.hinge {
            true => ([0.0; 3], axis, 0.0),
            false => self.along(axis),
        }
    }

    /// The lower and the upper limit.
    fn stops(&self) -> [Row; 2] {
        let [axis, one, other] = frame(self.axis);
        let [low, high] = self.limits;
        let minus = |own: V| own.map(|own| -own);
        if self.hinge {
            let own = turned(self.q, other);
            let at = |t: f64| Self::square(own, sum(one.map(|x| x * t.cos()), other, t.sin()));
            let (force, torque, gap) = at(low);
            return [(force, minus(torque), -gap), at(high)];
        }
        let (force, torque, travel) = self.along(axis);
        let upper = (minus(force), minus(torque), high - travel);
        [(force, torque, travel - low), upper]
    }

    fn rate(&self, row: &Row, (v, w): (V, V)) -> f64 {
        dot(row.0, v) + dot(row.1, w)
    }

    /// The velocity with impulses of rows.
    fn pushed(&self, rows: &[Row], impulses: &[f64]) -> (V, V) {
        let (mut v, mut w) = (sum(self.v, G, H), self.w);
        for (row, r) in rows.iter().zip(impulses) {
            v = sum(v, row.0, r / self.mass);
            w = sum(w, row.1, r / self.inertia);
        }
        (v, w)
    }

    /// Impulses of rows whose rates become the wanted ones, beside those that are given.
    fn solve(&self, rows: &[Row], wanted: &[f64], given: (&[Row], &[f64])) -> Vec<f64> {
        let n = rows.len();
        let free = self.pushed(given.0, given.1);
        let mut table: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let own = &rows[i];
                let entry = |other: &Row| {
                    dot(own.0, other.0) / self.mass + dot(own.1, other.1) / self.inertia
                };
                let mut line: Vec<f64> = rows.iter().map(entry).collect();
                line.push(wanted[i] - self.rate(own, free));
                line
            })
            .collect();
        for k in 0..n {
            let size = |i: &usize| table[*i][k].abs();
            let best = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap();
            table.swap(k, best);
            for i in (0..n).filter(|i| *i != k) {
                let by = table[i][k] / table[k][k];
                let pivot = table[k].clone();
                for (own, other) in table[i].iter_mut().zip(pivot) {
                    *own -= by * other;
                }
            }
        }
        (0..n).map(|k| table[k][n] / table[k][k]).collect()
    }

    /// One step: the drive at its speed or at its bound, and a limit that pushes or none, whichever obeys the laws.
    fn step(&mut self, moreau: bool) -> Value {
        let (equations, drive, stops) = (self.equations(), self.drive(), self.stops());
        let joint: Vec<f64> = equations.iter().map(|own| -own.2 / H).collect();
        let most = H * self.force;
        let free = self.solve(&equations, &joint, (&[], &[]));
        let free = self.pushed(&equations, &free);
        let counts = |own: &Row| !moreau || own.2 <= 0.0 || own.2 + H * self.rate(own, free) < 0.0;
        let offset = |own: &Row| if moreau { 0.0 } else { own.2 / H };
        for held in [None, Some(0), Some(1)] {
            for bound in [None, Some(most), Some(-most)] {
                if held.is_some_and(|k: usize| !counts(&stops[k])) {
                    continue;
                }
                let (mut rows, mut wanted) = (equations.clone(), joint.clone());
                if bound.is_none() {
                    rows.push(drive);
                    wanted.push(self.speed);
                }
                if let Some(k) = held {
                    rows.push(stops[k]);
                    wanted.push(-offset(&stops[k]));
                }
                let given = (&[drive][..], &[bound.unwrap_or(0.0)][..]);
                let mut impulses = self.solve(&rows, &wanted, given);
                rows.push(drive);
                impulses.push(bound.unwrap_or(0.0));
                let after = self.pushed(&rows, &impulses);
                let slip = self.rate(&drive, after) - self.speed;
                let driven = bound.unwrap_or(impulses[5]);
                let drives = match bound {
                    None => driven.abs() <= most,
                    Some(own) => own * slip < 0.0,
                };
                let pushes = held.is_none_or(|_| impulses[rows.len() - 2] >= 0.0);
                let left = |own: &Row| offset(own) + self.rate(own, after) > -1e-13;
                let mut others = (0..2).filter(|k| Some(*k) != held && counts(&stops[*k]));
                if drives && pushes && others.all(|k| left(&stops[k])) {
                    let limit = held.map(|k| (k, impulses[rows.len() - 2], stops[k].2));
                    return self.moved(after, &impulses[..5], driven, limit);
                }
            }
        }
        panic!("no mode is right");
    }

    fn moved(
        &mut self,
        (v, w): (V, V),
        own: &[f64],
        drive: f64,
        limit: Option<(usize, f64, f64)>,
    ) -> Value {
        (self.v, self.w) = (v, w);
        self.x = sum(self.x, v, H);
        // A body of even inertia turns about a fixed axis: the midpoint rule is Cayley's transform of its spin.
        let half = w.map(|own| own * H / 2.0);
        let ([p, q], r) = (
            [self.q[0], dot(half, [self.q[1], self.q[2], self.q[3]])],
            [self.q[1], self.q[2], self.q[3]],
        );
        let vector = sum(sum(r, half, p), cross(half, r), 1.0);
        let own_q = [p - q, vector[0], vector[1], vector[2]];
        let length = own_q.iter().map(|own| own * own).sum::<f64>().sqrt();
        self.q = own_q.map(|own| own / length);
        let name = if self.hinge { "hinge" } else { "slider" };
        let limits = limit.map(|(k, impulse, gap)| {
            json!([{"limit": (["lower", "upper"][k]), "gap": gap, "impulse": impulse}])
        });
        json!({"joint": name, "impulses": own, "drive": drive, "limits": limits})
    }
}

fn motion(moreau: bool, steps: u64) -> Vec<Value> {
    let mut held = [Held::new("door", true), Held::new("cart", false)];
    let scenes = held.each_ref().map(Held::scene);
    let [[door, hinge], [cart, slider]] = scenes;
    let method = if moreau {
        "moreau-jean"
    } else {
        "stewart-trinkle"
    };
    let state = |held: &[Held; 2]| {
        let q = held.iter().flat_map(|own| own.x.into_iter().chain(own.q));
        let v = held.iter().flat_map(|own| own.v.into_iter().chain(own.w));
        (q.collect::<Vec<_>>(), v.collect::<Vec<_>>())
    };
    let (q, v) = state(&held);
    let mut lines = vec![json!({
        "format": "etalon-trajectory/1", "scenario": "mechanism", "h": H, "steps": steps, "arithmetic": "binary64",
        "formulation": method, "cone": "circular", "start": {"q": q, "v": v},
        "scene": {
            "name": "mechanism", "gravity": G, "bodies": [{"name": "frame", "fixed": true}, door, cart], "joints": [hinge, slider],
            "motion": {"h": H, "steps": steps, "method": method, "cone": "circular"},
        },
    })];
    for k in 1..=steps {
        let joints = held.each_mut().map(|own| own.step(moreau));
        let (q, v) = state(&held);
        lines.push(json!({"k": k, "t": H * k as f64, "q": q, "v": v, "joints": joints}));
    }
    lines
}

fn breaches(lines: &[Value]) -> Vec<Breach> {
    let own = Trajectory::of("mechanism", lines.iter().map(Value::to_string).collect());
    judge_motion(&own.unwrap(), None, &Rational::new())
        .unwrap()
        .breaches
}

fn told(found: &[Breach]) -> String {
    let lines: Vec<_> = found.iter().take(6).map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn joints_limits_and_drives_by_another_program_are_right() {
    for moreau in [false, true] {
        let lines = motion(moreau, 32);
        let found = breaches(&lines);
        assert!(found.is_empty(), "{moreau}: {}", told(&found));
        for joint in 0..2 {
            let pushes = |own: &&Value| own["joints"][joint]["limits"].is_array();
            assert!(lines.iter().filter(pushes).count() > 5, "{moreau} {joint}");
        }
    }
}

fn has(found: &[Breach], step: usize, law: MotionLaw, place: &str) {
    let named = |own: &Breach| own.step == step as u64 && own.term == law && own.place == place;
    let told = told(found);
    assert!(
        found.iter().any(named),
        "no {law:?} at {place} in step {step}: {told}"
    );
}

#[test]
fn what_joints_do_wrong_is_named() {
    for moreau in [false, true] {
        let right = motion(moreau, 32);
        let with = |path: &str, change: &dyn Fn(f64) -> f64| {
            let k: usize = path.split('/').next().unwrap().parse().unwrap();
            let mut lines = right[..=k].to_vec();
            let own = lines[k]
                .pointer_mut(&path[path.find('/').unwrap()..])
                .unwrap();
            *own = json!(change(own.as_f64().unwrap()));
            breaches(&lines)
        };
        for (joint, (body, name)) in [("door", "hinge"), ("cart", "slider")]
            .into_iter()
            .enumerate()
        {
            let at = |k: usize, field: &str| format!("{k}/joints/{joint}/{field}");
            let body = format!("body {body}");
            let name = format!("joint {name}");
            let pushes = |k: &usize| {
                let push = right[*k]["joints"][joint]["limits"][0]["impulse"].as_f64();
                push.is_some_and(|own| own > 1e-3)
            };
            let k = (1..33).find(pushes).unwrap();
            // A limit that is lost, pulls, or pushes from afar.
            let found = with(&at(k, "limits/0/impulse"), &|_| 0.0);
            has(&found, k, MotionLaw::Momentum, &body);
            let found = with(&at(k, "limits/0/impulse"), &|own| -own);
            has(&found, k, MotionLaw::Complementarity, &name);
            let mut lines = right[..=2].to_vec();
            lines[2]["joints"][joint]["limits"] =
                json!([{"limit": "lower", "gap": 0.29, "impulse": 0.1}]);
            has(&breaches(&lines), 2, MotionLaw::Complementarity, &name);
            // A drive beyond its bound, and one that rests before its speed is reached.
            let found = with(&at(1, "drive"), &|own| own * (1.0 + 1e-9));
            has(&found, 1, MotionLaw::Joint, &name);
            assert!(
                told(&found).contains("beyond its bound"),
                "{}",
                told(&found)
            );
            let found = with(&at(1, "drive"), &|own| own * 0.5);
            has(&found, 1, MotionLaw::Joint, &name);
            has(&found, 1, MotionLaw::Momentum, &body);
            // An equation's impulse, a gap, and a velocity that lets the joint part.
            let found = with(&at(9, "impulses/4"), &|own| own + 1e-9);
            has(&found, 9, MotionLaw::Momentum, &body);
            let place = format!(
                "{} limit of {name}",
                right[k]["joints"][joint]["limits"][0]["limit"]
                    .as_str()
                    .unwrap()
            );
            let found = with(&at(k, "limits/0/gap"), &|own| own + 1e-9);
            has(&found, k, MotionLaw::Data, &place);
            let found = with(&format!("9/v/{}", 6 * joint + 1), &|own| own + 1e-6);
            has(&found, 9, MotionLaw::Joint, &name);
            has(&found, 9, MotionLaw::Momentum, &body);
            has(&found, 9, MotionLaw::State, &body);
        }
    }
}

/// The last step goes on through a limit, with all that follows from that: momentum balances, and the limit is passed.
#[test]
fn a_limit_that_does_not_push_is_named() {
    let right = motion(false, 32);
    let pushes = |k: &usize| {
        let push = right[*k]["joints"][1]["limits"][0]["impulse"].as_f64();
        push.is_some_and(|own| own > 1e-3)
    };
    let k = (1..33).find(pushes).unwrap();
    let limit = &right[k]["joints"][1]["limits"][0];
    let sign = if limit["limit"] == "upper" { 1.0 } else { -1.0 };
    let by = sign * limit["impulse"].as_f64().unwrap() / 1.7;
    let mut lines = right[..=k].to_vec();
    for (i, part) in unit([3.0, 4.0, 1.0]).into_iter().enumerate() {
        for (field, at, own) in [("v", 6 + i, part * by), ("q", 7 + i, H * part * by)] {
            let old = lines[k][field][at].as_f64().unwrap();
            lines[k][field][at] = json!(old + own);
        }
    }
    // It may be left out, or be there without an impulse.
    let mut idle = limit.clone();
    idle["impulse"] = json!(0.0);
    for limits in [json!(null), json!([idle])] {
        lines[k]["joints"][1]["limits"] = limits;
        let found = breaches(&lines);
        has(&found, k, MotionLaw::Joint, "joint slider");
        assert!(!told(&found).contains("momentum"), "{}", told(&found));
    }
}

/// A cart that its limit stops before it is there: by Moreau and Jean's law, which knows no gap, a push beside no velocity is right.
#[test]
fn a_limit_that_pushes_before_it_is_closed_is_named() {
    let k = 3;
    let mut lines = motion(true, k as u64);
    let axis = unit([3.0, 4.0, 1.0]);
    let number = |own: &Value| own.as_f64().unwrap();
    let v: V = std::array::from_fn(|i| number(&lines[k]["v"][6 + i]));
    let rate = dot(axis, v);
    assert!(rate < 0.0);
    let x: V = std::array::from_fn(|i| number(&lines[k - 1]["q"][7 + i]) - [-1.3, 0.4, 0.6][i]);
    let gap = dot(axis, x) + 0.03;
    lines[k]["joints"][1]["limits"] =
        json!([{"limit": "lower", "gap": gap, "impulse": -1.7 * rate}]);
    for (i, part) in axis.into_iter().enumerate() {
        for (field, at, by) in [("v", 6 + i, 1.0), ("q", 7 + i, H)] {
            let old = number(&lines[k][field][at]);
            lines[k][field][at] = json!(old - rate * part * by);
        }
    }
    let found = breaches(&lines);
    has(&found, k, MotionLaw::Complementarity, "joint slider");
    assert!(told(&found).contains("does not close"), "{}", told(&found));
    assert_eq!(found.len(), 1, "{}", told(&found));
}
