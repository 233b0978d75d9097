//! Impacts by Poisson's law in recorded motions: both phases are judged, and what is changed in them is named.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_exact::{Budget, ExactMethod};
use etalon_fast::ConeSolver;
use etalon_golden::Trajectory;
use etalon_golden::trajectory::line_text;
use etalon_lcp::Solver;
use etalon_replay::judged::judge_motion;
use etalon_replay::trajectories::Replay;
use etalon_scenarios::motion::MotionRun;
use etalon_scenarios::read_space;
use etalon_scenarios::space::SpaceRun;
use rug::Rational;
use serde_json::{Value, json};

/// A box that lands on a corner with a ball hinged to it, at a limit and driven.
fn scene(method: &str, cone: &str) -> Value {
    json!({
        "name": "assembly", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "box", "mass": 1, "position": [0, 0, "17/100"], "orientation": [9, 2, 1, 0], "velocity": [2, 0, -3],
                "shape": {"box": ["1/5", "1/5", "1/20"]}},
            {"name": "ball", "mass": 1, "position": [0, 1, "3/4"], "velocity": [2, 0, -3], "shape": {"sphere": "1/2"}},
        ],
        "joints": [{"name": "hinge", "first": "ball", "second": "box", "point": [0, "1/4", "1/2"], "kind": "hinge",
            "axis": [1, 0, 0], "limits": ["-1/2", 0], "drive": {"speed": 1, "bound": 2}}],
        "motion": {"h": "1/100", "steps": 1, "method": method, "cone": cone, "impact": "poisson",
            "mu": "1/2", "restitution": "2/3", "torsion": "1/100", "rolling": "1/200"},
    })
}

/// The header and the line of one step.
fn impact(method: &str, cone: &str) -> [Value; 2] {
    texts(method, cone).map(|text| serde_json::from_str(&text).unwrap())
}

fn texts(method: &str, cone: &str) -> [String; 2] {
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    let solver: &dyn Solver = if cone == "circular" {
        &ConeSolver
    } else {
        &*lemke
    };
    let scene = read_space(&scene(method, cone).to_string()).unwrap();
    let mut run = SpaceRun::new(scene, None, solver).unwrap();
    let header = line_text(&run.header());
    [header, line_text(&run.advance().unwrap())]
}

fn trajectory(lines: &[Value; 2]) -> Trajectory {
    Trajectory::of("own", lines.each_ref().map(Value::to_string).to_vec()).unwrap()
}

fn judged(lines: &[Value; 2]) -> Result<Vec<Breach>, String> {
    let found = judge_motion(&trajectory(lines), None, &Rational::new());
    found
        .map(|own| own.breaches)
        .map_err(|error| error.to_string())
}

fn told(found: &[Breach]) -> String {
    let lines: Vec<_> = found.iter().take(8).map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn impacts_of_each_method_and_cone_are_right_and_come_again() {
    for (method, cone) in [
        ("stewart-trinkle", "pyramid:4"),
        ("moreau-jean", "pyramid:4"),
        ("stewart-trinkle", "circular"),
        ("moreau-jean", "circular"),
    ] {
        let lines = impact(method, cone);
        assert_eq!(lines[0]["impact"], "poisson");
        assert!(
            lines[1]["compression"]["verdict"].is_string(),
            "{method} {cone}"
        );
        let found = judged(&lines).unwrap();
        assert!(found.is_empty(), "{method} {cone}: {}", told(&found));
        let stored = Trajectory::of("own", texts(method, cone).to_vec()).unwrap();
        let replay = Replay::new(&stored).unwrap();
        assert_eq!(replay.step(1), Vec::<String>::new(), "{method} {cone}");
    }
}

/// A change of a line, the place that it is named at, and the law.
type Edit = (&'static str, fn(&mut Value), &'static str, MotionLaw);

/// What a phase pushes, in all places that say it.
fn scale(line: &mut Value, phase: usize, by: f64) {
    let contact = &mut line["contacts"][0];
    let old = contact["phases"][phase]["normal"].as_f64().unwrap();
    contact["phases"][phase]["normal"] = json!(old * by);
    let sum = contact["normal"].as_f64().unwrap() + old * (by - 1.0);
    contact["normal"] = json!(sum);
}

const EDITS: [Edit; 9] = [
    (
        "less than e times the compression",
        |line| scale(line, 1, 0.999),
        "contact box/floor",
        MotionLaw::Complementarity,
    ),
    (
        "a decompression that nothing accounts for",
        |line| scale(line, 1, 1.001),
        "body box",
        MotionLaw::Momentum,
    ),
    (
        "a compression that nothing accounts for",
        |line| scale(line, 0, 1.001),
        "body box, compression",
        MotionLaw::Momentum,
    ),
    (
        "phases that are swapped",
        |line| {
            let phases = line["contacts"][0]["phases"].as_array_mut().unwrap();
            phases.swap(0, 1);
        },
        "body box, compression",
        MotionLaw::Momentum,
    ),
    (
        "a sum that is none",
        |line| line["contacts"][0]["normal"] = json!(1),
        "contact box/floor",
        MotionLaw::Data,
    ),
    (
        "friction of a compression that is left out",
        |line| line["contacts"][0]["phases"][0]["friction"] = json!([0, 0]),
        "contact box/floor, compression",
        MotionLaw::Dissipation,
    ),
    (
        "a joint that opens in the compression",
        |line| line["compression"]["v"][0] = json!(1),
        "joint hinge, compression",
        MotionLaw::Joint,
    ),
    (
        "an impulse of a limit that pulls",
        |line| {
            let limit = &mut line["joints"][0]["limits"][1];
            let all = limit["phases"].as_array_mut().unwrap();
            let size = |own: &Value| own.as_f64().unwrap();
            let sum = size(&all[1]) - size(&all[0]);
            all[0] = json!(-size(&all[0]));
            limit["impulse"] = json!(sum);
        },
        "joint hinge, compression",
        MotionLaw::Complementarity,
    ),
    (
        "a contact that is left out of the compression",
        |line| {
            let contact = line["contacts"][0].as_object_mut().unwrap();
            let phases = contact.remove("phases").unwrap();
            contact["normal"] = phases[1]["normal"].clone();
            contact["friction"] = phases[1]["friction"].clone();
        },
        "contact box/floor",
        MotionLaw::Complementarity,
    ),
];

#[test]
fn what_is_changed_in_a_phase_is_named() {
    let lines = impact("stewart-trinkle", "pyramid:4");
    let limit = &lines[1]["joints"][0]["limits"][1]["phases"][0];
    assert!(limit.as_f64().unwrap() > 0.0, "{limit}");
    for (what, edit, place, law) in EDITS {
        let mut lines = lines.clone();
        edit(&mut lines[1]);
        let found = judged(&lines).unwrap();
        let named = found
            .iter()
            .any(|own| own.term == law && own.place == place);
        assert!(named, "{what}: {}", told(&found));
    }
}

/// Newton's law in a scene of Poisson's, and a header that says what its scene does not.
#[test]
fn a_motion_by_the_other_law_is_named() {
    let mut lines = impact("stewart-trinkle", "pyramid:4");
    let step = lines[1].as_object_mut().unwrap();
    step.remove("compression");
    for contact in step["contacts"].as_array_mut().unwrap() {
        contact.as_object_mut().unwrap().remove("phases");
    }
    let joint = step["joints"][0].as_object_mut().unwrap();
    joint.remove("phases");
    for limit in joint["limits"].as_array_mut().unwrap() {
        limit.as_object_mut().unwrap().remove("phases");
    }
    let found = judged(&lines).unwrap();
    let text = told(&found);
    assert!(
        text.contains("a contact that closes does not bounce"),
        "{text}"
    );
    lines[0]["impact"] = json!("newton");
    let why = judged(&lines).unwrap_err();
    assert!(
        why.contains("the field \"impact\" is \"newton\", and the scene"),
        "{why}"
    );
    assert!(why.contains("has \"poisson\""), "{why}");
}

#[test]
fn phases_that_cannot_be_read_are_named_with_the_field() {
    let whole = impact("stewart-trinkle", "pyramid:4");
    let why = |edit: fn(&mut Value)| {
        let mut lines = whole.clone();
        edit(&mut lines[1]);
        judged(&lines).unwrap_err()
    };
    let without = why(|line| {
        line.as_object_mut().unwrap().remove("compression");
    });
    assert!(
        without.contains("\"contacts[0].phases\" is there, and the line has no compression"),
        "{without}"
    );
    let missing = why(|line| {
        line["joints"][0].as_object_mut().unwrap().remove("phases");
    });
    assert!(
        missing.contains("\"joints[0].phases\" is missing, and the line has a compression"),
        "{missing}"
    );
    let short = why(|line| line["compression"]["v"] = json!([0, 0]));
    assert!(short.contains("\"compression.v\" has 2 numbers"), "{short}");
    let none = why(|line| line["contacts"][0]["phases"][0]["normal"] = json!(null));
    assert!(none.contains("contacts[0].phases[0].normal"), "{none}");
}
