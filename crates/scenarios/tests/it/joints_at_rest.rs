//! Joints with axes in scenes at rest: those of scenes in motion, by forces in place of steps.

#![allow(clippy::panic)] // this is a test

use etalon_contact_forces::{ForceAnswer, Forces};
use etalon_exact::{Budget, ExactMethod};
use etalon_scenarios::space::SpaceRun;
use etalon_scenarios::{read_scene, read_space, write_scene};
use rug::Rational;
use serde_json::{Value, json};

/// Two bodies one below the other, of which the upper one hangs on a frame, with a joint between them that is in question.
fn scene(joint: &Value) -> Value {
    let mut joint = joint.clone();
    for (field, value) in [("name", "joint"), ("first", "lower"), ("second", "upper")] {
        joint[field] = value.into();
    }
    joint["point"] = json!([1, 0, "-1/2"]);
    json!({
        "name": "mechanism", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "frame", "fixed": true},
            {"name": "upper", "mass": 3, "inertia": [2, 3, 4], "position": [1, 0, 0], "force": [1, 2, 0]},
            {"name": "lower", "mass": 2, "inertia": [1, 1, "3/2"], "position": [1, "1/2", -1], "torque": [1, -2, 3]},
        ],
        "joints": [
            {"name": "top", "first": "upper", "second": "frame", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 3, 4]},
            joint,
        ],
    })
}

fn kinds() -> [Value; 6] {
    [
        json!({}),
        json!({"kind": "hinge", "axis": [1, 1, 0]}),
        json!({"kind": "hinge", "axis": [2, -1, 2]}),
        json!({"kind": "universal", "axis": [1, 0, 0], "second_axis": [0, 1, 1]}),
        json!({"kind": "slider", "axis": [0, 4, -3]}),
        json!({"kind": "fixed"}),
    ]
}

fn forces(text: &str) -> Forces<Rational> {
    let setup = read_scene(text).unwrap().setup;
    let formulation = setup.formulation().unwrap().unwrap();
    let answer = formulation.solve(&*ExactMethod::Dantzig.solver(&Budget::default()));
    match answer.unwrap() {
        ForceAnswer::Forces(forces) => forces,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_step_from_rest_makes_h_times_the_accelerations_at_rest() {
    for kind in kinds() {
        let own = scene(&kind);
        let still = forces(&own.to_string());
        let mut moving = own.clone();
        moving["motion"] = json!({"h": "1/8192"});
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let scene = read_space(&moving.to_string()).unwrap();
        let mut run = SpaceRun::new(scene, None, &solver).unwrap();
        let line = etalon_scenarios::motion::MotionRun::advance(&mut run).unwrap();
        assert_eq!(line.v.len(), still.acceleration.len());
        for (v, a) in line.v.iter().zip(&still.acceleration) {
            // Axes of scenes in motion are on a grid of 2^-40, and bodies turn in the step, by h^2 times their accelerations.
            let off = v.to_f64() * 8192.0 - a.to_f64();
            assert!(
                off.abs() < 1e-4,
                "{kind}: {} for {}",
                v.to_f64() * 8192.0,
                a.to_f64()
            );
        }
    }
}

#[test]
fn a_door_swings_about_its_hinge_and_bears_what_it_must() {
    let text = r#"{"name": "door", "gravity": [0, 0, -10],
        "bodies": [{"name": "frame", "fixed": true},
            {"name": "door", "mass": 2, "inertia": [1, 1, 1], "position": [1, 0, 0], "force": [0, 6, 0]}],
        "joints": [{"name": "hinge", "first": "door", "second": "frame", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 0, 7]}]}"#;
    let own = forces(text);
    // 6 N m about the hinge, J + m r^2 = 3 kg m^2.
    assert_eq!(own.acceleration, [0, 2, 0, 0, 0, 2].map(Rational::from));
    // Its weight of 20 N, and a torque of 20 N m against tipping.
    let bears = [0, -2, 20, -20, 0].map(Rational::from);
    assert_eq!(own.joints, bears);
}

#[test]
fn joints_survive_their_file() {
    for kind in kinds() {
        let first = read_scene(&scene(&kind).to_string()).unwrap();
        let text = write_scene(&first);
        let again = read_scene(&text).unwrap();
        assert_eq!(again.setup.system().unwrap(), first.setup.system().unwrap());
        assert_eq!(write_scene(&again), text);
    }
}

#[test]
fn joints_that_are_none_are_refused_with_what_to_do() {
    let says = |joint: Value, words: &str| {
        let why = read_scene(&scene(&joint).to_string())
            .unwrap_err()
            .to_string();
        assert!(why.contains("joints[1]") && why.contains(words), "{why}");
    };
    says(
        json!({"slider": [1, 0, 0], "kind": "hinge"}),
        "leave one of the two out",
    );
    says(json!({"kind": "hinge"}), "\"axis\" is missing");
    says(json!({"axis": [1, 0, 0]}), "a ball joint has no \"axis\"");
    says(
        json!({"kind": "screw"}),
        "ball, hinge, universal, slider or fixed",
    );
    let skew = json!({"kind": "universal", "axis": [1, 0, 0], "second_axis": [1, 1, 0]});
    let why = read_scene(&scene(&skew).to_string())
        .unwrap()
        .setup
        .system();
    assert!(why.unwrap_err().to_string().contains("right angle"));
    let plane = r#"{"name": "p", "gravity": [0, -10], "bodies": [{"name": "a", "fixed": true}, {"name": "b", "mass": 1, "inertia": 1}],
        "joints": [{"name": "j", "first": "b", "second": "a", "point": [0, 0], "kind": "fixed"}]}"#;
    let why = read_scene(plane).unwrap_err().to_string();
    assert!(why.contains("joints of space"), "{why}");
    // Velocities that a hinge does not allow, about an axis across it.
    let mut torn = scene(&json!({"kind": "hinge", "axis": [0, 1, 0]}));
    torn["bodies"][2]["angular_velocity"] = json!([1, 0, 0]);
    torn["bodies"][2]["velocity"] = json!([0, "1/2", "1/2"]);
    let why = read_scene(&torn.to_string())
        .unwrap()
        .setup
        .problem("p")
        .unwrap_err()
        .to_string();
    assert!(why.contains("joint turn"), "{why}");
}
