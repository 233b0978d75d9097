//! Points of bodies that a motion in space by anybody leaves out of its contacts.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_golden::Trajectory;
use etalon_replay::judged::{JudgedMotion, MotionPrecision, NotJudged, judge_motion};
use rug::Rational;
use serde_json::{Value, json};

const H: f64 = 1.0 / 128.0;
const MASS: f64 = 2.0;
const INERTIA: f64 = 0.25;
const G: f64 = 9.81;
const METHODS: [&str; 2] = ["stewart-trinkle", "moreau-jean"];

/// A body that rests with its lowest points at height 0 on what is below it, and begins to turn about an axis along y.
struct Turning {
    shape: Value,
    /// Of its centre.
    height: f64,
    /// Of the start: w x y z.
    attitude: [f64; 4],
    spin: f64,
    /// How far along x the axis is from the centre: the contacts are there.
    at: f64,
    /// How far along y each contact is.
    across: Vec<f64>,
    /// What is below: a half-space or another shape, and how high its centre is.
    below: (Value, f64),
}

impl Turning {
    fn on_floor(shape: Value, height: f64, spin: f64) -> Self {
        Self {
            shape,
            height,
            attitude: [1.0, 0.0, 0.0, 0.0],
            spin,
            at: 0.0,
            across: vec![0.0],
            below: (json!({"half_space": [0, 0, 1]}), 0.0),
        }
    }

    /// One step, which the contacts make without friction: they share the push that keeps their points where they are.
    fn step(&self, method: &str) -> Vec<Value> {
        let q = self.attitude;
        let push = H * G / (1.0 / MASS + self.at * self.at / INERTIA);
        let (v, w) = (self.spin * self.at, self.spin);
        let (v2, w2) = (v + push / MASS - H * G, w - self.at * push / INERTIA);
        // Cayley's transform about y: exact, as all moments of inertia are the same.
        let half = w2 * H / 2.0;
        let turned = [
            q[0] - half * q[2],
            q[1] + half * q[3],
            q[2] + half * q[0],
            q[3] - half * q[1],
        ];
        let length = turned.iter().map(|own| own * own).sum::<f64>().sqrt();
        let turned = turned.map(|own| own / length);
        let state = |z: f64, q: [f64; 4], v: f64, w: f64| {
            let q: Vec<f64> = [0.0, 0.0, z].into_iter().chain(q).collect();
            json!({"q": q, "v": [0.0, 0.0, v, 0.0, w, 0.0]})
        };
        let several = self.across.len() > 1;
        let contacts = self.across.iter().enumerate().map(|(k, y)| {
            let number = if several { format!(" {}", k + 1) } else { String::new() };
            json!({
                "pair": format!("body/below{number}"), "gap": 0.0, "at": [self.at, y, 0.0], "along": [0, 0, 1],
                "normal": push / self.across.len() as f64, "friction": [0.0, 0.0],
            })
        });
        let contacts: Vec<Value> = contacts.collect();
        let (shape, below) = &self.below;
        let scene = json!({
            "name": "turning", "gravity": [0, 0, -G],
            "bodies": [
                {"name": "below", "fixed": true, "position": [0, 0, below], "shape": shape},
                {"name": "body", "mass": MASS, "inertia": [INERTIA, INERTIA, INERTIA], "position": [0, 0, self.height],
                 "orientation": q, "velocity": [0.0, 0.0, v], "angular_velocity": [0.0, w, 0.0], "shape": self.shape},
            ],
            "motion": {"h": H, "steps": 1, "method": method, "cone": "circular"},
        });
        let mut line = state(self.height + H * v2, turned, v2, w2);
        line["k"] = json!(1);
        line["t"] = json!(H);
        line["contacts"] = json!(contacts);
        let header = json!({
            "format": "etalon-trajectory/1", "scenario": "turning", "scene": scene, "h": H, "steps": 1,
            "arithmetic": "binary64", "start": state(self.height, q, v, w),
        });
        vec![header, line]
    }

    fn breaches(&self, method: &str) -> Vec<Breach> {
        let judged = judged(&self.step(method), None).unwrap();
        judged.breaches
    }

    /// Nothing but a point that goes in is named, and it goes in by so much.
    fn goes_in(&self, by: f64) {
        for method in METHODS {
            let found = self.breaches(method);
            let [own] = &found[..] else {
                panic!("{method}: {}", told(&found));
            };
            assert_eq!(own.term, MotionLaw::Penetration, "{own}");
            assert_eq!(own.place, "contact body/below", "{own}");
            assert!(
                own.to_string().contains("a point without a contact"),
                "{own}"
            );
            let depth = -own.amount.to_f64();
            assert!(
                (depth - by).abs() < 0.02 * by,
                "{method}: {depth} and not {by}"
            );
        }
    }

    fn is_right(&self) {
        for method in METHODS {
            let found = self.breaches(method);
            assert!(found.is_empty(), "{method}: {}", told(&found));
        }
    }
}

fn judged(lines: &[Value], precision: Option<MotionPrecision>) -> Result<JudgedMotion, NotJudged> {
    let lines = lines.iter().map(Value::to_string).collect();
    let stored = Trajectory::of("turning", lines).unwrap();
    judge_motion(&stored, precision, &Rational::new())
}

/// What is told of a file that is at fault.
fn refused(change: impl Fn(&mut Vec<Value>), precision: Option<MotionPrecision>) -> String {
    let mut lines = Turning::on_floor(cube(), 0.25, 0.0).step("stewart-trinkle");
    change(&mut lines);
    judged(&lines, precision).unwrap_err().to_string()
}

fn told(found: &[Breach]) -> String {
    let lines: Vec<_> = found.iter().take(6).map(ToString::to_string).collect();
    lines.join("\n")
}

fn cube() -> Value {
    json!({"box": [0.25, 0.25, 0.25]})
}

#[test]
fn a_box_on_the_middle_of_its_face_turns_into_the_floor() {
    Turning::on_floor(cube(), 0.25, 1.0).goes_in(0.25 * H);
    Turning::on_floor(cube(), 0.25, -1.0).goes_in(0.25 * H);
    Turning::on_floor(cube(), 0.25, 0.0).is_right();
    // A spin of 1e-4 rad/s takes a corner in by 2e-7 m: geometry may be off by 4e-7 m.
    Turning::on_floor(cube(), 0.25, 1e-4).is_right();
    Turning::on_floor(cube(), 0.25, 1e-3).goes_in(0.25 * H * 1e-3);
}

#[test]
fn a_box_on_an_edge_of_its_face_is_right_and_short_of_it_goes_in() {
    let on = |at: f64| Turning {
        at,
        across: vec![-0.25, 0.25],
        ..Turning::on_floor(cube(), 0.25, 1.0)
    };
    on(0.25).is_right();
    let short = on(0.2);
    let spin = 1.0 - 0.2 * H * G / (1.0 / MASS + 0.04 / INERTIA) / INERTIA;
    short.goes_in(0.05 * H * spin);
}

#[test]
fn corners_of_polyhedra_and_ends_of_capsules_count() {
    // A prism with eight sides.
    let corner = |k: usize, z: f64| {
        let (x, y) = [
            (4, 1),
            (1, 4),
            (-1, 4),
            (-4, 1),
            (-4, -1),
            (-1, -4),
            (1, -4),
            (4, -1),
        ][k];
        json!([f64::from(x) / 16.0, f64::from(y) / 16.0, z])
    };
    let all = (0..8).flat_map(|k| [corner(k, -0.5), corner(k, 0.5)]);
    let prism = json!({"polyhedron": all.collect::<Vec<_>>()});
    Turning::on_floor(prism, 0.5, 1.0).goes_in(0.25 * H);
    // Along x: a quarter turn about y.
    let half = 0.5f64.sqrt();
    let lying = |shape: Value| Turning {
        attitude: [half, 0.0, half, 0.0],
        ..Turning::on_floor(shape, 0.25, 1.0)
    };
    lying(json!({"capsule": {"radius": 0.25, "half_length": 0.5}})).goes_in(0.5 * H);
    lying(json!({"cylinder": {"radius": 0.25, "half_length": 0.5}})).goes_in(0.5 * H);
}

/// Of a face that is round any three points about its middle are enough.
#[test]
fn a_cylinder_on_three_points_of_its_rim_is_right() {
    let cylinder = || json!({"cylinder": {"radius": 0.25, "half_length": 0.5}});
    // The circle of half the radius goes in.
    Turning::on_floor(cylinder(), 0.5, 1.0).goes_in(0.125 * H);
    let on_two_of_three = Turning {
        at: 0.125,
        across: [-1.0, 1.0]
            .map(|side| side * 0.25 * 0.75f64.sqrt())
            .to_vec(),
        ..Turning::on_floor(cylinder(), 0.5, 1.0)
    };
    on_two_of_three.is_right();
    let less = Turning {
        at: 0.1,
        ..on_two_of_three
    };
    let found = less.breaches("stewart-trinkle");
    assert_eq!(found.len(), 1, "{}", told(&found));
}

/// Beside a half-space it is the middle between the middle of the face and its corners that is asked.
#[test]
fn a_box_on_the_middle_of_its_face_turns_into_a_box() {
    let on_box = |below: Value, at: f64, across: Vec<f64>| Turning {
        at,
        across,
        below: (below, -0.25),
        ..Turning::on_floor(cube(), 0.25, 1.0)
    };
    let wide = || json!({"box": [1, 1, 0.25]});
    on_box(wide(), 0.0, vec![0.0]).goes_in(0.125 * H);
    on_box(wide(), 0.25, vec![-0.25, 0.25]).is_right();
    // Across a beam along x no corner of either is within the other.
    let beam = || json!({"box": [1, 0.125, 0.25]});
    on_box(beam(), 0.0, vec![0.0]).goes_in(0.125 * H);
    on_box(beam(), 0.25, vec![-0.125, 0.125]).is_right();
    // Where the box hangs over a beam along y, what goes down beside it does not go in.
    let narrow = || json!({"box": [0.125, 1, 0.25]});
    on_box(narrow(), 0.125, vec![-0.25, 0.25]).is_right();
    on_box(narrow(), 0.0, vec![0.0]).goes_in(0.0625 * H);
}

#[test]
fn numbers_of_binary64_are_not_exact() {
    let why = refused(|_| {}, Some(MotionPrecision::Exact));
    assert!(
        why.contains("the field \"arithmetic\" is \"binary64\""),
        "{why}"
    );
    assert!(why.contains("take f64, or leave it out"), "{why}");
}

#[test]
fn what_stands_beside_a_scene_is_named() {
    let why = refused(
        |own| own[0]["parameters"] = json!({"mu": "1/2", "steps": "3"}),
        None,
    );
    assert!(
        why.contains("the field \"parameters\" has mu, steps, and"),
        "{why}"
    );
    let why = refused(|own| own[0]["scenario"] = json!("box-slide"), None);
    assert!(
        why.contains(
            "the field \"scenario\" is \"box-slide\", and the field \"scene\" holds \"turning\""
        ),
        "{why}"
    );
}

#[test]
fn a_bounce_of_no_contact_is_named() {
    let why = refused(
        |own| own[1]["bounces"] = json!(["body/below", "body/zop"]),
        None,
    );
    assert!(
        why.contains("the field \"bounces[1]\" is \"body/zop\""),
        "{why}"
    );
}
