//! Scenes of implicit surfaces: names and parameters, closed forms, and the proof in every line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::line_text;
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use serde_json::Value;

fn run(name: &str, settings: &[(&str, &str)], arithmetics: Arithmetics, steps: u64) -> Vec<Value> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let instance = find(name).unwrap();
    let instance = instance.motion_instance(settings.iter().copied()).unwrap();
    let mut run = instance
        .trajectory(arithmetics, &*solver, Some(steps))
        .unwrap();
    let mut lines = vec![serde_json::to_value(run.header()).unwrap()];
    while run.k() < run.steps() {
        let (line, broken) = run.advance_examined().unwrap();
        let line = serde_json::to_value(line).unwrap();
        let gains = !line["gains"].as_array().unwrap().is_empty();
        assert!(broken.is_empty() || gains, "{name} {broken:?}");
        lines.push(line);
    }
    lines
}

fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => etalon_lcp::parse_rational(text).unwrap().to_f64(),
        other => other.as_f64().unwrap(),
    }
}

fn energy(line: &Value) -> f64 {
    number(&line["energy"]["kinetic"]) + number(&line["energy"]["potential"])
}

fn all_proved(lines: &[Value], radius: f64) {
    assert_eq!(lines[0]["formulation"], "chakraborty-berard");
    assert_eq!(lines[0]["scheme"], "implicit");
    for line in &lines[1..] {
        assert_eq!(line["verified"]["proved"], true, "{line}");
        assert!(number(&line["verified"]["radius"]) <= radius, "{line}");
        assert_eq!(line["converged"], true);
    }
}

#[test]
fn the_implicit_disc_keeps_its_velocity_exactly_for_a_thousand_steps() {
    let lines = run("disc", &[("scheme", "implicit")], Arithmetics::Exact, 1000);
    all_proved(&lines, 1e-12);
    for line in &lines[1..] {
        assert_eq!(line["v"], serde_json::json!([1.0, 0.0, -1.0]));
        assert_eq!(line["q"][1], 1.0);
        assert_eq!(line["contacts"][0]["friction"][0], 0.0);
        assert_eq!(number(&line["contacts"][0]["normal"]), 0.0981);
        assert_eq!(line["contacts"][0]["mode"], "stick");
    }
}

#[test]
fn the_particle_in_other_ellipses_never_gains_energy() {
    for (a, vx, vy, h) in [
        ("30", "5.7", "1.425", "1"),
        ("50", "9", "2", "1"),
        ("7/2", "1", "3", "1/3"),
        ("200", "90", "10", "2"),
    ] {
        let settings = [
            ("scheme", "implicit"),
            ("A", a),
            ("v0x", vx),
            ("v0y", vy),
            ("h", h),
        ];
        let lines = run("ellipse", &settings, Arithmetics::Exact, 24);
        all_proved(&lines, 1e-70);
        let mut before = energy(&lines[0]["start"]);
        for line in &lines[1..] {
            assert!(energy(line) <= before, "A = {a}: {line}");
            before = energy(line);
        }
        let linear = run(
            "ellipse",
            &[("A", a), ("v0x", vx), ("v0y", vy), ("h", h)],
            Arithmetics::Exact,
            3,
        );
        assert_eq!(linear[0]["formulation"], "stewart-trinkle");
    }
}

#[test]
fn binary64_runs_are_proved_too_and_near_the_exact_ones() {
    for (name, settings) in [
        ("ellipse", &[("scheme", "implicit")][..]),
        ("disc", &[("scheme", "implicit")]),
        ("rolling-ellipse", &[]),
        ("implicit-sphere", &[]),
    ] {
        let exact = run(name, settings, Arithmetics::Exact, 10);
        let fast = run(name, settings, Arithmetics::Binary64, 10);
        all_proved(&exact, 1e-11);
        all_proved(&fast, 1e-13);
        let (a, b) = (&exact[10]["v"], &fast[10]["v"]);
        for (a, b) in a.as_array().unwrap().iter().zip(b.as_array().unwrap()) {
            assert!((number(a) - number(b)).abs() < 1e-9, "{name} {a} {b}");
        }
    }
}

#[test]
fn a_sphere_slides_in_the_direction_that_friction_leaves_it() {
    // mu below (2/7) tan a: sliding at g (sin a - mu cos a) down the slope.
    let lines = run("implicit-sphere", &[("mu", "1/10")], Arithmetics::Exact, 50);
    all_proved(&lines, 1e-11);
    let v = &lines[50]["v"];
    let speed = number(&v[0]).hypot(number(&v[2]));
    assert!((speed - 2.6).abs() < 1e-9, "{speed}");
    let rolling = run("implicit-sphere", &[("mu", "1/4")], Arithmetics::Exact, 50);
    all_proved(&rolling, 1e-11);
    let v = &rolling[50]["v"];
    let speed = number(&v[0]).hypot(number(&v[2]));
    assert!((speed - 5.0 / 7.0 * 3.0).abs() < 1e-9, "{speed}");
}

#[test]
fn the_ellipsoid_keeps_on_the_floor_and_a_unit_quaternion() {
    let lines = run("ellipsoid", &[], Arithmetics::Exact, 20);
    all_proved(&lines, 1e-11);
    for line in &lines[1..] {
        let q: Vec<f64> = line["q"].as_array().unwrap().iter().map(number).collect();
        let square: f64 = q[3..].iter().map(|e| e * e).sum();
        assert!((square - 1.0).abs() < 1e-10);
        // Between the smallest and the largest half axis above the floor, but for rounding.
        assert!(q[2] > 0.5 - 1e-9);
        assert!(number(&line["contacts"][0]["gap"]) >= 0.0);
    }
}

#[test]
fn an_implicit_run_that_is_resumed_is_the_run_that_was_not_interrupted() {
    let settings = [("drop", "1/100"), ("mu", "1/5")];
    let whole = run("rolling-ellipse", &settings, Arithmetics::Exact, 30);
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let instance = find("rolling-ellipse").unwrap();
    let instance = instance.motion_instance(settings).unwrap();
    for cut in [1, 12, 29] {
        let mut again = instance
            .trajectory(Arithmetics::Exact, &*solver, None)
            .unwrap();
        let read = serde_json::from_str(&line_text(&whole[cut])).unwrap();
        again.resume(&read).unwrap();
        let next = serde_json::to_value(again.advance().unwrap()).unwrap();
        assert_eq!(next, whole[cut + 1], "from {cut}");
    }
    // The linearised problem of a step is a record for other solvers.
    let run = instance
        .trajectory(Arithmetics::Exact, &*solver, None)
        .unwrap();
    assert!(run.problem().is_ok());
}
