//! Motions in space by anybody, before their own oracle.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_golden::Trajectory;
use etalon_replay::judged::{MotionPrecision, judge_motion};
use rug::Rational;
use serde_json::{Value, json};

const H: f64 = 1.0 / 128.0;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.5;
/// Of an even ball: 2/5 m r^2.
const INERTIA: f64 = 0.2;
const MU: f64 = 0.25;
const G: f64 = 9.81;

fn scene() -> Value {
    json!({
        "name": "ball", "gravity": [0, 0, -9.81],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "ball", "mass": MASS, "position": [0, 0, 0.75], "velocity": [1.5, 0.5, 0], "angular_velocity": [1, -8, 3], "shape": {"sphere": RADIUS}},
        ],
        "motion": {"h": H, "steps": 120, "method": "stewart-trinkle", "cone": "circular", "mu": MU},
    })
}

/// First b, then a.
fn product([p, q, r, s]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        p * w - q * x - r * y - s * z,
        p * x + q * w + r * z - s * y,
        p * y - q * z + r * w + s * x,
        p * z + q * y - r * x + s * w,
    ]
}

/// A ball that falls on a floor, bounces not, slides and rolls: in binary64, by forty lines that share nothing with Etalon.
fn ball(steps: u64) -> Vec<Value> {
    let (mut x, mut q) = ([0.0, 0.0, 0.75], [1.0, 0.0, 0.0, 0.0]);
    let (mut v, mut w) = ([1.5, 0.5, 0.0], [1.0, -8.0, 3.0]);
    let state = |x: [f64; 3], q: [f64; 4], v: [f64; 3], w: [f64; 3]| {
        let q: Vec<f64> = x.into_iter().chain(q).collect();
        let v: Vec<f64> = v.into_iter().chain(w).collect();
        (q, v)
    };
    let (q0, v0) = state(x, q, v, w);
    let mut lines = vec![json!({
        "format": "etalon-trajectory/1", "scenario": "ball", "scene": scene(), "h": H, "steps": steps,
        "arithmetic": "binary64", "formulation": "stewart-trinkle", "cone": "circular", "start": {"q": q0, "v": v0},
    })];
    for k in 1..=steps {
        let gap = x[2] - RADIUS;
        let arm = -(RADIUS + gap / 2.0);
        v[2] -= H * G;
        let mut contacts = Vec::new();
        if gap + H * v[2] < 0.0 {
            let normal = MASS * (-gap / H - v[2]);
            v[2] = -gap / H;
            // The slip of the point, and the impulse that ends it.
            let slip = [v[0] + w[1] * arm, v[1] - w[0] * arm];
            let lightness = 1.0 / MASS + arm * arm / INERTIA;
            let mut f = slip.map(|own| -own / lightness);
            let size = (f[0] * f[0] + f[1] * f[1]).sqrt();
            if size > MU * normal {
                f = f.map(|own| own * (MU * normal / size));
            }
            v = [v[0] + f[0] / MASS, v[1] + f[1] / MASS, v[2]];
            w = [
                w[0] - arm * f[1] / INERTIA,
                w[1] + arm * f[0] / INERTIA,
                w[2],
            ];
            contacts.push(json!({
                "pair": "ball/floor", "gap": gap, "at": [x[0], x[1], x[2] + arm], "along": [0, 0, 1], "normal": normal, "friction": f,
            }));
        }
        x = std::array::from_fn(|i| x[i] + H * v[i]);
        // An even ball turns about a fixed axis: the midpoint rule is Cayley's transform of its spin.
        let half = w.map(|own| own * H / 2.0);
        let turned = product([1.0, half[0], half[1], half[2]], q);
        let length = turned.iter().map(|own| own * own).sum::<f64>().sqrt();
        q = turned.map(|own| own / length);
        let (q, v) = state(x, q, v, w);
        lines.push(json!({"k": k, "t": H * k as f64, "q": q, "v": v, "contacts": contacts}));
    }
    lines
}

fn stored(lines: &[Value]) -> Trajectory {
    Trajectory::of("ball", lines.iter().map(Value::to_string).collect()).unwrap()
}

fn breaches(lines: &[Value]) -> Vec<Breach> {
    judge_motion(&stored(lines), None, &Rational::new())
        .unwrap()
        .breaches
}

fn told(found: &[Breach]) -> String {
    let lines: Vec<_> = found.iter().take(6).map(ToString::to_string).collect();
    lines.join("\n")
}

fn has(found: &[Breach], step: u64, law: MotionLaw, place: &str) {
    let named = |own: &Breach| own.step == step && own.term == law && own.place == place;
    assert!(
        found.iter().any(named),
        "no {law:?} at {place} in step {step}: {}",
        told(found)
    );
}

/// Adds to a number of a line, by its path.
fn add(lines: &mut [Value], k: usize, path: &str, by: f64) {
    let own = lines[k].pointer_mut(path).unwrap();
    *own = json!(own.as_f64().unwrap() + by);
}

/// The same motion in a world that is turned: the floor is a slope with the normal (1, 2, 3), whose frame binary64 rounds.
fn tilted(lines: &[Value]) -> Vec<Value> {
    let n = [1.0, 2.0, 3.0].map(|own: f64| own / 14f64.sqrt());
    let flat: [f64; 3] = std::array::from_fn(|k| f64::from(u8::from(k == 0)) - n[0] * n[k]);
    let length = flat.iter().map(|own| own * own).sum::<f64>().sqrt();
    let a = flat.map(|own| own / length);
    let b = [
        n[1] * a[2] - n[2] * a[1],
        n[2] * a[0] - n[0] * a[2],
        n[0] * a[1] - n[1] * a[0],
    ];
    let turn = |own: &mut Value, from: usize| {
        let all = own.as_array_mut().unwrap();
        let old: Vec<f64> = all[from..from + 3]
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect();
        for k in 0..3 {
            all[from + k] = json!(a[k] * old[0] + b[k] * old[1] + n[k] * old[2]);
        }
    };
    let state = |own: &mut Value| {
        for (field, from) in [("q", 0), ("q", 4), ("v", 0), ("v", 3)] {
            turn(&mut own[field], from);
        }
    };
    let mut lines = lines.to_vec();
    state(&mut lines[0]["start"]);
    let scene = &mut lines[0]["scene"];
    turn(&mut scene["gravity"], 0);
    scene["bodies"][0]["shape"] = json!({"half_space": [1, 2, 3]});
    for field in ["position", "velocity", "angular_velocity"] {
        turn(&mut scene["bodies"][1][field], 0);
    }
    for line in &mut lines[1..] {
        state(line);
        for contact in line["contacts"].as_array_mut().unwrap() {
            turn(&mut contact["at"], 0);
            turn(&mut contact["along"], 0);
        }
    }
    lines
}

#[test]
fn a_ball_on_a_slope_by_another_program_is_right() {
    let lines = tilted(&ball(60));
    let found = breaches(&lines);
    assert!(found.is_empty(), "{}", told(&found));
    let touches = |own: &usize| lines[*own]["contacts"][0].is_object();
    let k = (1..61).find(touches).unwrap();
    let mut lines = lines[..=k].to_vec();
    for own in lines[k]["contacts"][0]["friction"].as_array_mut().unwrap() {
        *own = json!(own.as_f64().unwrap() * (1.0 + 1e-9));
    }
    let place = "contact ball/floor";
    has(&breaches(&lines), k as u64, MotionLaw::Cone, place);
}

#[test]
fn a_ball_by_another_program_is_right() {
    let lines = ball(120);
    let judged = judge_motion(&stored(&lines), None, &Rational::new()).unwrap();
    assert!(judged.breaches.is_empty(), "{}", told(&judged.breaches));
    assert_eq!((judged.steps, judged.exact), (120, false));
    let touches = lines.iter().filter(|own| {
        own["contacts"]
            .as_array()
            .is_some_and(|own| !own.is_empty())
    });
    assert!(touches.count() > 60);
    // The same with its numbers in binary32.
    let narrow = |own: &Value| -> Value { narrowed(own) };
    let lines: Vec<Value> = lines
        .iter()
        .enumerate()
        .map(|(k, own)| if k == 0 { own.clone() } else { narrow(own) })
        .collect();
    let judged = judge_motion(
        &stored(&lines),
        Some(MotionPrecision::F32),
        &Rational::new(),
    )
    .unwrap();
    assert!(judged.breaches.is_empty(), "{}", told(&judged.breaches));
    assert!(!breaches(&lines).is_empty());
}

fn narrowed(own: &Value) -> Value {
    match own {
        Value::Number(own) if own.is_f64() => json!(f64::from(own.as_f64().unwrap() as f32)),
        Value::Array(all) => all.iter().map(narrowed).collect(),
        Value::Object(all) => all
            .iter()
            .map(|(name, own)| (name.clone(), narrowed(own)))
            .collect(),
        other => other.clone(),
    }
}

#[test]
fn what_is_tampered_with_is_caught_by_name() {
    let right = ball(120);
    let touches = |k: &usize| {
        right[*k]["contacts"]
            .as_array()
            .is_some_and(|own| !own.is_empty())
    };
    let touching: Vec<usize> = (1..right.len()).filter(touches).collect();
    let (free, first, late) = (5, touching[0], touching[40]);
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut lines = right.clone();
        change(&mut lines);
        breaches(&lines)
    };
    // One velocity.
    for by in [0.1, 1e-9] {
        let found = with(&|lines| add(lines, free, "/v/0", by));
        has(&found, free as u64, MotionLaw::Momentum, "body ball");
        has(&found, free as u64, MotionLaw::State, "body ball");
        has(&found, free as u64 + 1, MotionLaw::Momentum, "body ball");
    }
    // No step in space iterates, so that none is left out.
    let mut lines = right.clone();
    lines[free]["converged"] = json!(false);
    let why = judge_motion(&stored(&lines), None, &Rational::new()).unwrap_err();
    let expected = format!(
        ":{}: the field \"converged\" is false, and no step",
        free + 1
    );
    assert!(why.to_string().contains(&expected), "{why}");
    // Energy: the last velocities grow, and the places with them.
    let found = with(&|lines| {
        lines.truncate(free + 1);
        let v = lines[free]["v"][0].as_f64().unwrap() * 0.01;
        add(lines, free, "/v/0", v);
        add(lines, free, "/q/0", v * H);
    });
    has(&found, free as u64, MotionLaw::EnergyGain, "the step");
    assert!(
        told(&found).contains("gained 0.04545 J"),
        "{}",
        told(&found)
    );
    // An impulse.
    let found = with(&|lines| lines[first]["contacts"][0]["normal"] = json!(0.0));
    has(&found, first as u64, MotionLaw::Momentum, "body ball");
    let found = with(&|lines| lines[first]["contacts"] = json!([]));
    has(&found, first as u64, MotionLaw::Momentum, "body ball");
    // Friction outside of its cone, friction that takes too little, and a spin.
    let scaled = |by: f64| {
        with(&|lines| {
            let friction = lines[first]["contacts"][0]["friction"].as_array_mut();
            for own in friction.unwrap() {
                *own = json!(own.as_f64().unwrap() * by);
            }
        })
    };
    has(
        &scaled(1.0 + 1e-9),
        first as u64,
        MotionLaw::Cone,
        "contact ball/floor",
    );
    has(
        &scaled(0.5),
        first as u64,
        MotionLaw::Dissipation,
        "contact ball/floor",
    );
    let found = with(&|lines| add(lines, free, "/v/4", 1e-9));
    has(&found, free as u64, MotionLaw::Momentum, "body ball");
    // The attitude: another way, and another length.
    let found = with(&|lines| add(lines, free, "/q/4", 1e-9));
    has(&found, free as u64, MotionLaw::State, "body ball");
    // A ball inside of the floor, a gap that is another, and one that is not there.
    let found = with(&|lines| add(lines, late, "/q/2", -1e-3));
    has(&found, late as u64, MotionLaw::State, "body ball");
    let found = with(&|lines| add(lines, late, "/contacts/0/gap", 1e-3));
    has(
        &found,
        late as u64,
        MotionLaw::Penetration,
        "contact ball/floor",
    );
    // Times and energies.
    let found = with(&|lines| add(lines, late, "/t", 1e-9));
    has(&found, late as u64, MotionLaw::Data, "time");
    let kinetic = |k: usize| {
        let v: Vec<f64> = right[k]["v"]
            .as_array()
            .unwrap()
            .iter()
            .map(|own| own.as_f64().unwrap())
            .collect();
        let square = |own: &[f64]| own.iter().map(|x| x * x).sum::<f64>();
        (MASS * square(&v[..3]) + INERTIA * square(&v[3..])) / 2.0
    };
    let energy = |by: f64| {
        with(&|lines| {
            let z = lines[late]["q"][2].as_f64().unwrap();
            lines[late]["energy"] =
                json!({"kinetic": kinetic(late) + by, "potential": MASS * G * z});
        })
    };
    assert!(energy(0.0).is_empty(), "{}", told(&energy(0.0)));
    has(
        &energy(1e-9),
        late as u64,
        MotionLaw::EnergyIdentity,
        "kinetic energy",
    );
}

/// A push that is too strong, which the ball follows: momentum balances, and the law of the gap does not.
#[test]
fn a_contact_that_gives_energy_is_named() {
    let right = ball(120);
    let last = right.len() - 1;
    let mut lines = right.clone();
    let more = 0.5 * lines[last]["contacts"][0]["normal"].as_f64().unwrap();
    add(&mut lines, last, "/contacts/0/normal", more);
    add(&mut lines, last, "/v/2", more / MASS);
    add(&mut lines, last, "/q/2", H * more / MASS);
    let found = breaches(&lines);
    has(
        &found,
        last as u64,
        MotionLaw::Complementarity,
        "contact ball/floor",
    );
    assert!(!told(&found).contains("momentum"), "{}", told(&found));
}

#[test]
fn lines_that_cannot_be_read_have_errors_with_the_field() {
    let right = ball(40);
    let touching = (1..right.len())
        .find(|k| right[*k]["contacts"][0].is_object())
        .unwrap();
    let why = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut lines = right.clone();
        change(&mut lines);
        judge_motion(&stored(&lines), None, &Rational::new())
            .unwrap_err()
            .to_string()
    };
    type Case<'a> = (&'a dyn Fn(&mut Vec<Value>), &'a str);
    let cases: [Case<'_>; 6] = [
        (
            &|lines| lines[0]["cone"] = json!("pyramid:8"),
            "the field \"cone\" is \"pyramid:8\", and the scene ball has \"circular\"",
        ),
        (
            &|lines| lines[0]["scene"]["bodies"] = json!(3),
            "ball:1: the header: ",
        ),
        (
            &|lines| lines[3]["q"] = json!([1, 2]),
            "ball:4: the field \"q\" has 2 numbers, and the bodies that move have 7",
        ),
        (
            &|lines| lines[3]["q"] = json!([0, 0, 1, 0, 0, 0, 0]),
            "the quaternion of the body \"ball\" in q is 0",
        ),
        (
            &|lines| {
                drop(
                    lines[touching]["contacts"][0]
                        .as_object_mut()
                        .unwrap()
                        .remove("along"),
                )
            },
            "the field \"contacts[0].along\" is missing",
        ),
        (
            &|lines| lines[touching]["contacts"][0]["pair"] = json!("floor/ball"),
            "contact \"floor/ball\": it names no two bodies of the scene",
        ),
    ];
    for (change, expected) in cases {
        let why = why(change);
        assert!(why.contains(expected), "{why}, not {expected}");
    }
}

/// A ball that stops in mid-air: momentum balances, and by Moreau and Jean's law, which knows no gap, a push beside no velocity is right.
#[test]
fn a_push_over_a_gap_that_stays_open_is_named() {
    let k = 5;
    let mut lines = ball(k as u64);
    let method = json!("moreau-jean");
    lines[0]["scene"]["motion"]["method"] = method.clone();
    lines[0]["formulation"] = method;
    assert!(breaches(&lines).is_empty());
    let number = |own: &Value| own.as_f64().unwrap();
    let place = lines[k - 1]["q"].as_array().unwrap()[..3].to_vec();
    let gap = number(&place[2]) - RADIUS;
    let v = number(&lines[k]["v"][2]);
    let at = json!([place[0], place[1], gap / 2.0]);
    let push = json!([{"pair": "ball/floor", "gap": gap, "at": at, "along": [0, 0, 1], "normal": -MASS * v, "friction": [0, 0]}]);
    // Without friction nothing slips.
    lines[0]["scene"]["motion"]["mu"] = json!(0);
    lines[k]["contacts"] = push;
    lines[k]["v"][2] = json!(0.0);
    lines[k]["q"][2] = place[2].clone();
    let found = breaches(&lines);
    has(
        &found,
        k as u64,
        MotionLaw::Complementarity,
        "contact ball/floor",
    );
    assert!(told(&found).contains("does not close"), "{}", told(&found));
    assert_eq!(found.len(), 1, "{}", told(&found));
}

/// Gaps against a half-space are asked along its own normal, of which a recorded one is a rounding.
#[test]
fn a_contact_far_from_the_plane_hides_no_ball_in_it() {
    let free = 5;
    let mut right = ball(free);
    let before: Vec<f64> = (0..3)
        .map(|k| right[free as usize - 1]["q"][k].as_f64().unwrap())
        .collect();
    let with = |right: &[Value], more: f64, tilt: f64| {
        let mut lines = right.to_vec();
        let gap = before[2] - RADIUS + more;
        let at = [before[0], before[1], before[2] - RADIUS - gap / 2.0];
        lines[free as usize]["contacts"] = json!([{
            "pair": "ball/floor", "gap": gap, "at": at, "along": [tilt.sin(), 0.0, tilt.cos()], "normal": 0, "friction": [0, 0],
        }]);
        breaches(&lines)
    };
    let (step, place) = (free, "contact ball/floor");
    for tilt in [0.0, 1e-12, 1e-10] {
        assert!(
            with(&right, 0.0, tilt).is_empty(),
            "{}",
            told(&with(&right, 0.0, tilt))
        );
        for more in [1e-3, 50.0] {
            has(
                &with(&right, more, tilt),
                step,
                MotionLaw::Penetration,
                place,
            );
            has(&with(&right, more, tilt), step, MotionLaw::Data, place);
        }
    }
    for tilt in [1e-7, 1e-3] {
        has(&with(&right, 0.0, tilt), step, MotionLaw::Data, place);
    }
    // On a box the normal is neither that of the box nor that of the ball, whose point is at its foot.
    right[0]["scene"]["bodies"][0] = json!({"name": "floor", "fixed": true, "position": [0, 0, -1], "shape": {"box": [9, 9, 1]}});
    assert!(with(&right, 0.0, 1e-12).is_empty());
    has(&with(&right, 0.0, 1e-3), step, MotionLaw::Data, place);
}
