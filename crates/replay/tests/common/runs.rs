//! Motions of scenes that are no goldens.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::line_text;
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::read_moving;
use serde_json::{Value, json};

/// A door on two hinges: the second one is redundant.
pub fn door() -> Value {
    let hinge = |name: &str, z: u32| json!({"name": name, "first": "door", "second": "frame", "point": [0, 0, z], "kind": "hinge", "axis": [0, 0, 1]});
    json!({
        "name": "door", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "frame", "fixed": true},
            {"name": "door", "mass": 5, "inertia": [1, 1, 2], "position": ["1/2", 0, 5], "angular_velocity": [0, 0, 1], "velocity": [0, "1/2", 0]},
        ],
        "joints": [hinge("lo", 4), hinge("hi", 6)],
        "motion": {"h": "1/100", "steps": 2},
    })
}

/// The lines of a scene of a file, the header first.
pub fn texts(scene: &Value) -> Vec<String> {
    let scene = read_moving(&scene.to_string(), None).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = scene.run(Arithmetics::Exact, &solver, None).unwrap();
    let header = run.header();
    let mut texts = vec![line_text(&header)];
    for _ in 0..header.steps.unwrap() {
        texts.push(line_text(&run.advance().unwrap()));
    }
    texts
}
