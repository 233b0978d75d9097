//! No word of a header or of a line switches off what is asked of a motion.

#![allow(clippy::unwrap_used)]

#[path = "common/runs.rs"]
mod runs;

use std::path::Path;

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::line_text;
use etalon_golden::{Trajectory, read_trajectory};
use etalon_replay::judged::judge_motion;
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use rug::Rational;
use runs::{door, texts};
use serde_json::{Value, json};

fn golden(file: &str) -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    values(&read_trajectory(&root.join(file)).unwrap().texts)
}

fn values(texts: &[String]) -> Vec<Value> {
    let each = texts.iter().map(|own| serde_json::from_str(own).unwrap());
    each.collect()
}

/// The run of a scene of a file.
fn run(scene: &Value) -> Vec<Value> {
    values(&texts(scene))
}

/// A ball on a floor, by Chakraborty and Berard's method.
fn ball() -> Value {
    json!({
        "name": "ball", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "ball", "mass": 1, "position": [0, 0, 1], "velocity": [1, 0, 0], "shape": {"sphere": 1}},
        ],
        "motion": {"method": "chakraborty-berard", "h": "1/100", "steps": 3, "mu": "1/4"},
    })
}

/// What is said of a motion: steps judged and left out, why none is judged, how many there are of how many, and what is broken.
fn told(lines: &[Value]) -> String {
    let texts = lines.iter().map(line_text).collect();
    let stored = Trajectory::of("m", texts).unwrap();
    match judge_motion(&stored, None, &Rational::new()) {
        Ok(own) => {
            let broken: Vec<_> = own.breaches.iter().map(ToString::to_string).collect();
            let why = own.unknown;
            let (steps, left_out, cut) = (own.steps, own.unconverged, own.cut);
            format!(
                "{steps} judged, {left_out} left out, cut {cut:?} {why} {}",
                broken.join("\n")
            )
        }
        Err(error) => error.to_string(),
    }
}

fn changed(lines: &[Value], k: usize, place: &str, value: Value) -> String {
    let mut own = lines.to_vec();
    match own[k].pointer_mut(place) {
        Some(there) => *there = value,
        None => drop(
            own[k]
                .as_object_mut()
                .unwrap()
                .insert(place[1..].to_owned(), value),
        ),
    }
    told(&own)
}

#[test]
fn a_formulation_that_is_not_the_scenes_is_refused_in_each_family() {
    let families = [
        golden("trajectories/central-impact.jsonl"),
        golden("trajectories/corner-et-rough.jsonl"),
        golden("space/ball-row.jsonl"),
        run(&door()),
        run(&ball()),
    ];
    for lines in families {
        let own = &lines[0]["formulation"];
        for word in ["chakraborty-berard", "contact-forces", "moreau-jean"] {
            if own == word {
                continue;
            }
            let why = changed(&lines, 0, "/formulation", json!(word));
            let expected = format!("m:1: the header: the field \"formulation\" is {word:?}");
            assert!(why.starts_with(&expected), "{own}: {why}");
        }
    }
}

#[test]
fn lines_of_implicit_surfaces_are_asked_what_all_lines_are() {
    let lines = run(&ball());
    let whole = told(&lines);
    assert!(
        whole.starts_with("3 judged, 0 left out, cut None"),
        "{whole}"
    );
    let cases = [
        (0, "/scheme", json!("linear"), "the field \"scheme\""),
        (0, "/h", json!(0.5), "the field \"h\""),
        (0, "/coordinates/0", json!("w"), "the field \"coordinates\""),
        (0, "/scenario", json!("disc"), "the field \"scenario\""),
        (0, "/scene/motion/mu", json!(-1), "the header: "),
        (0, "/scene/format", json!("x"), "the header: format"),
        (0, "/steps", json!(5), "cut Some((3, 5))"),
        (0, "/start/q/0", json!(0.5), "start.q of "),
        (2, "/k", json!(3), "m:3: the field \"k\""),
        (2, "/q", json!([1]), "m:3: the field \"q\" has 1 numbers"),
        (2, "/v/0", Value::Null, "m:3: the field \"v[0]\""),
        (2, "/v/0", json!(1e-30), "no multiple of 2^-40"),
        (2, "/t", json!(7), "step 2, time: data"),
        (
            2,
            "/gains",
            json!(["x"]),
            "step 2, gains: data: it names \"x\"",
        ),
        (2, "/bounces", json!(["x"]), "m:3: the field \"bounces[0]\""),
        (2, "/lcp/n", json!(99), "m:3: the field \"lcp.basis\""),
        (2, "/v/0", json!(1), "step 2, coordinate x: momentum"),
        (2, "/q/2", json!(1.5), "step 2, coordinate z: state"),
        (
            2,
            "/contacts/0/normal",
            json!(-1),
            "contact ball/floor: complementarity: it pulls",
        ),
        (
            2,
            "/contacts/0/gap",
            json!(0.5),
            "contact ball/floor: data: a gap of 0.5 m",
        ),
        (
            2,
            "/contacts/0/friction/0",
            json!(1),
            "contact ball/floor: cone",
        ),
        (
            2,
            "/energy/kinetic",
            json!(7),
            "kinetic energy: energy identity",
        ),
        (2, "/dissipated", json!(7), "dissipated: energy identity"),
    ];
    for (k, place, value, expected) in cases {
        let why = changed(&lines, k, place, value);
        assert!(why.contains(expected), "{place}: {why}");
    }
    let mut missing = lines.clone();
    missing.remove(2);
    let why = told(&missing);
    assert!(why.contains("m:3: the field \"k\" is 3"), "{why}");
    let named = golden("trajectories/ellipse-implicit-12.jsonl");
    let why = changed(&named, 0, "/steps", json!(1));
    assert!(why.contains("the field \"steps\" is 1"), "{why}");
}

/// The start has a root and sines, which a grid rounds further than binary64.
#[test]
fn a_start_of_implicit_surfaces_in_binary64_is_the_scenes() {
    let scenario = find("rolling-ellipse").unwrap();
    let instance = scenario.motion_instance([]).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let run = instance.trajectory(Arithmetics::Binary64, &solver, Some(0));
    let lines = values(&[line_text(&run.unwrap().header())]);
    let right = told(&lines);
    assert!(!right.contains("data"), "{right}");
    let y = lines[0]["start"]["q"][1].as_f64().unwrap();
    let why = changed(&lines, 0, "/start/q/1", json!(y + 5e-14));
    assert!(why.contains("start.q of y: data"), "{why}");
}

#[test]
fn an_iteration_that_there_is_not_did_not_fail_to_converge() {
    let once = [
        golden("trajectories/corner-et-rough.jsonl"),
        golden("trajectories/hole-turning.jsonl")[..4].to_vec(),
        golden("trajectories/painleve-indeterminate.jsonl"),
        run(&door()),
    ];
    for lines in once {
        let why = changed(&lines, 2, "/converged", json!(false));
        let expected = "m:3: the field \"converged\" is false, and no step of the scene iterates";
        assert!(why.starts_with(expected), "{why}");
    }
    let iterates = golden("trajectories/central-impact.jsonl");
    let all = iterates.len() - 1;
    let why = changed(&iterates, 2, "/converged", json!(false));
    let expected = format!("{} judged, 1 left out", all - 1);
    assert!(why.starts_with(&expected), "{why}");
}

#[test]
fn redundant_rows_bear_nothing_and_are_there() {
    let lines = run(&door());
    let right = told(&lines);
    assert!(
        right.starts_with("2 judged") && !right.contains("data"),
        "{right}"
    );
    assert_eq!(lines[2]["joints"][1]["redundant"], json!([0, 1, 2, 3, 4]));
    let mut own = lines.clone();
    own[2]["joints"][0]["redundant"] = json!([4, 2]);
    let why = told(&own);
    let expected = "step 2, joint lo: data: its equation 2 is said to be redundant, and bears an impulse of 1/2";
    assert!(why.contains(expected), "{why}");
    for rows in [json!([5]), json!([0, 0])] {
        let why = changed(&lines, 2, "/joints/1/redundant", rows);
        assert!(
            why.contains("m:3: the field \"joints[1].redundant["),
            "{why}"
        );
    }
}

#[test]
fn obstacles_of_a_whole_pair_are_numbered_from_1() {
    let lines = golden("trajectories/triangle.jsonl");
    let of_whole = |own: &Value| {
        let contacts = own["contacts"].as_array()?;
        let pair = |own: &Value| own["pair"].as_str().map(str::to_owned);
        let named = contacts.iter().filter_map(pair).enumerate();
        let mut whole = named.filter(|(_, own)| own.ends_with(", whole 1"));
        whole.next()
    };
    let found = lines.iter().enumerate().skip(1);
    let mut found = found.filter_map(|(k, own)| Some((k, of_whole(own)?)));
    let (k, (i, pair)) = found.next().unwrap();
    let other = pair.replace("whole 1", "whole 9");
    let lines = &lines[..=k];
    let why = changed(lines, k, &format!("/contacts/{i}/pair"), json!(other));
    let expected = "and no contact of its bodies has \"whole 8\"";
    assert!(why.contains(expected), "{why}");
}
