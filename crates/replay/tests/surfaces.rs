//! Motions of implicit surfaces in binary64 are judged by their states and impulses.

#![allow(clippy::unwrap_used)]

use etalon_engines::motion::Breach;
use etalon_fast::FastMethod;
use etalon_golden::Trajectory;
use etalon_golden::trajectory::line_text;
use etalon_replay::judged::{JudgedMotion, judge_motion};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::read_moving;
use rug::Rational;
use serde_json::{Value, json};

/// The lines of a run in binary64, the header first.
fn run(scene: &Value) -> Vec<Value> {
    let scene = read_moving(&scene.to_string(), None).unwrap();
    let solver = FastMethod::Lemke.solver();
    let mut run = scene.run(Arithmetics::Binary64, &*solver, None).unwrap();
    let header = run.header();
    let mut texts = vec![line_text(&header)];
    for _ in 0..header.steps.unwrap() {
        texts.push(line_text(&run.advance().unwrap()));
    }
    let each = texts.iter().map(|own| serde_json::from_str(own).unwrap());
    each.collect()
}

fn judged(lines: &[Value]) -> JudgedMotion {
    let texts = lines.iter().map(ToString::to_string).collect();
    let stored = Trajectory::of("m", texts).unwrap();
    judge_motion(&stored, None, &Rational::new()).unwrap()
}

fn told(found: &[Breach]) -> String {
    let each: Vec<_> = found.iter().map(ToString::to_string).collect();
    each.join("\n")
}

fn accepted(lines: &[Value]) {
    let own = judged(lines);
    assert!(own.breaches.is_empty(), "{}", told(&own.breaches));
    assert_eq!((own.unknown, own.unconverged, own.cut), (0, 0, None));
    assert_eq!(own.steps as usize, lines.len() - 1);
    assert!(!own.exact);
}

/// What a change of a number of a line breaks.
fn off(lines: &[Value], k: usize, place: &str, change: impl Fn(f64) -> f64, words: &str) {
    let mut own = lines.to_vec();
    let there = own[k].pointer_mut(place).unwrap();
    *there = json!(change(there.as_f64().unwrap()));
    let found = told(&judged(&own).breaches);
    assert!(found.contains(words), "{place}: {words}: {found}");
}

/// An egg that spins on a belt under a torque, and a ball that bounces on the floor beside it.
fn egg() -> Value {
    json!({
        "name": "egg", "gravity": [0, 0, "-9.81"],
        "bodies": [
            {"name": "belt", "fixed": true, "velocity": ["1/2", 0, 0], "shape": {"half_space": [0, 0, 1]}},
            {"name": "egg", "mass": 2, "position": [0, 0, "1/2"], "angular_velocity": ["1/8", 0, 5],
             "torque": [0, 0, "1/10"], "shape": {"ellipsoid": ["3/4", "1/2", "1/2"]}},
            {"name": "ball", "mass": 1, "position": [3, 0, "0.51"], "velocity": [0, "1/4", -2], "shape": {"sphere": "1/2"}},
        ],
        "motion": {"method": "chakraborty-berard", "h": "1/100", "steps": 4, "mu": "1/4", "torsion": "1/50",
                   "surfaces": [{"first": "ball", "second": "belt", "mu": "1/8", "restitution": "1/2"}]},
    })
}

#[test]
fn a_motion_with_torsion_restitution_a_belt_and_a_torque_is_judged() {
    let lines = run(&egg());
    accepted(&lines);
    let bounced = lines
        .iter()
        .position(|own| own["bounces"].is_array())
        .unwrap();
    let ball = |field: &str| format!("/contacts/1/{field}");
    let egg = |field: &str| format!("/contacts/0/{field}");
    assert_eq!(lines[1]["contacts"][0]["pair"], "egg/belt");
    let more = |own: f64| own * 1.01 + 1e-6;
    for (k, place, words) in [
        (3, "/v/6".to_owned(), "body egg: momentum"),
        (3, "/q/7".to_owned(), "body egg: state"),
        (3, "/q/11".to_owned(), "body egg: state"),
        (3, egg("normal"), "body egg: momentum"),
        (3, egg("friction/0"), "body egg: momentum"),
        (3, egg("torsion"), "body egg: momentum"),
        (3, egg("gap"), "contact egg/belt: data: a gap of"),
        (bounced, ball("normal"), "body ball: momentum"),
        (3, "/work".to_owned(), "work: energy identity"),
        (
            3,
            "/energy/kinetic".to_owned(),
            "kinetic energy: energy identity",
        ),
        (
            3,
            "/energy/potential".to_owned(),
            "potential energy: energy identity",
        ),
        (3, "/dissipated".to_owned(), "dissipated: energy identity"),
        (
            3,
            "/dissipation/friction".to_owned(),
            "dissipation: energy identity",
        ),
    ] {
        off(&lines, k, &place, more, words);
    }
    off(
        &lines,
        3,
        &egg("normal"),
        |own| -own,
        "contact egg/belt: complementarity: it pulls",
    );
    off(
        &lines,
        3,
        &egg("torsion"),
        |own| own * 9.0,
        "contact egg/belt: cone",
    );
    off(&lines, 3, &egg("torsion"), |own| -own, "contact egg/belt: ");
    // Without the word the bounce is a push over a gap.
    let mut own = lines.clone();
    own[bounced].as_object_mut().unwrap().remove("bounces");
    let found = told(&judged(&own).breaches);
    assert!(
        found.contains("contact ball/belt: complementarity"),
        "{found}"
    );
}

#[test]
fn bodies_of_two_curved_surfaces_and_flat_sides_are_judged() {
    let lines = run(&json!({
        "name": "pile", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "crate", "mass": 1, "position": [0, 0, "1/2"],
             "shape": {"superquadric": {"half_axes": ["1/2", "1/2", "1/2"], "exponent": 8}}},
            {"name": "egg", "mass": 1, "position": [2, 0, "1/2"], "shape": {"ellipsoid": ["3/4", "1/2", "1/2"]}},
            {"name": "ball", "mass": 1, "position": [2, "1/16", "1.51"], "velocity": [0, 0, -2], "shape": {"sphere": "1/2"}},
        ],
        "motion": {"method": "chakraborty-berard", "h": "1/100", "steps": 3, "mu": "1/4"},
    }));
    accepted(&lines);
    let pairs = lines[3]["contacts"].as_array().unwrap();
    let at = pairs
        .iter()
        .position(|own| own["pair"] == "ball/egg")
        .unwrap();
    assert!(pairs[at]["normal"].as_f64().unwrap() > 0.0);
    let place = |field: &str| format!("/contacts/{at}/{field}");
    off(
        &lines,
        3,
        &place("normal"),
        |own| own * 1.001,
        "body ball: momentum",
    );
    off(
        &lines,
        3,
        &place("friction/1"),
        |own| own + 0.01,
        "body egg: momentum",
    );
    // A velocity into the other body, with the impulse that makes it.
    off(&lines, 2, "/v/14", |own| own - 0.5, "body ball: momentum");
}
