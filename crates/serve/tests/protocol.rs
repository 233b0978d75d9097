//! The promises of the protocol: the schema, the physics, and the exact watch.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Page, start};
use etalon_serve::SCHEMA;
use etalon_serve::protocol::{Command, Message};
use jsonschema::Validator;
use serde_json::{Value, json};

fn schema() -> Validator {
    let schema = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

fn assert_valid(schema: &Validator, message: &Value) {
    if let Err(error) = schema.validate(message) {
        unreachable!("{}: {error}: {message:.300}", error.instance_path());
    }
}

#[test]
fn what_is_said_keeps_to_the_schema() {
    let schema = schema();
    let server = start();
    let mut page = Page::connect(&server);
    let mut seen = Vec::new();
    let commands = [
        json!({"type": "step"}),
        contact([1.0, 5.0, 0.0], json!([2, 0, 0])),
        json!({"type": "motion", "id": 1, "scenario": "four-bar", "set": {"steps": "1"}}),
        json!({"type": "open", "world": "pendulums", "bodies": 4}),
        json!({"type": "open", "world": "bounce", "bodies": 4, "running": true}),
        json!({"type": "open", "world": "tower", "bodies": 3}),
        json!({"type": "set", "gravity": 9.81, "damping": 0.5, "collision_handling": "hybrid"}),
        json!({"type": "set", "solver": "gauss_seidel", "sweeps": 1}),
        json!({"type": "pull", "at": [0, 0.3], "reach": 0.5}),
        json!({"type": "drag", "to": [0.2, 1.0]}),
        json!({"type": "thrust", "firing": [{"body": 4, "direction": "up"}]}),
        json!({"type": "release"}),
        json!({"type": "run", "running": false}),
        json!({"type": "reset"}),
        json!({"type": "step"}),
    ];
    for command in commands {
        assert_valid(&schema, &command);
        assert!(Command::read(&command.to_string()).is_ok(), "{command}");
        page.tell(command);
        for _ in 0..3 {
            if let Some(message) = page.hear() {
                assert_valid(&schema, &message);
                // The types read back what they wrote.
                let read: Message = serde_json::from_value(message.clone()).unwrap();
                assert_eq!(serde_json::to_value(&read).unwrap(), message);
                seen.push(message["type"].as_str().unwrap().to_owned());
            }
            if page_is_quiet(&seen) {
                break;
            }
        }
    }
    for kind in [
        "hello",
        "error",
        "contact",
        "motion",
        "motion_frame",
        "motion_end",
        "scene",
        "frame",
    ] {
        assert!(seen.iter().any(|seen| seen == kind), "{kind}: {seen:?}");
    }
    for wrong in [
        json!({"type": "set", "stiction": 1}),
        json!({"type": "frame"}),
        json!({"type": "open", "world": "blocks", "bodies": 9}),
        json!({"type": "set", "sweeps": 0}),
        json!({"type": "set", "solver": "newton"}),
        json!({"type": "contact", "m": [[1]], "q": [1], "mu": 1}),
        json!({"type": "motion", "id": 1}),
        json!({"type": "motion", "id": 1, "scenario": "four-bar", "trajectory": "slide"}),
        json!({"type": "contact", "m": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "q": [1, 0, 0], "mu": -1}),
    ] {
        assert!(schema.validate(&wrong).is_err(), "{wrong}");
    }
}

/// The contact with three answers, and a force of the page's own.
fn contact(q: [f64; 3], r: Value) -> Value {
    json!({"type": "contact", "m": [[1, 1, 0], [1, 2, 0], [0, 0, 1]], "q": q, "mu": 2, "law": "coulomb", "r": r})
}

#[test]
fn a_contact_needs_no_world_and_is_judged() {
    let server = start();
    let mut page = Page::connect(&server);
    page.tell(contact([1.0, 5.0, 0.0], json!([3, -4, 0])));
    let shown = page.next("contact");
    let of = |key: &str| -> Vec<Value> {
        let answers = shown["answers"].as_array().unwrap().iter();
        answers.map(|answer| answer[key].clone()).collect()
    };
    assert_eq!(of("mode"), ["open", "stick", "slide"]);
    assert_eq!(of("accepted"), [true; 3]);
    assert_eq!(of("proved"), [true; 3]);
    assert_eq!(shown["own"]["verdict"], "exact");
    page.tell(contact([1.0, 5.0, 0.0], json!([3, 4, 0])));
    let shown = page.next("contact");
    assert_eq!(shown["own"]["verdict"], "rejected");
    page.tell(contact([1e7, 0.0, 0.0], Value::Null));
    let error = page.next("error");
    assert_eq!(
        (&error["code"], &error["field"]),
        (&json!("out_of_range"), &json!("q"))
    );
}

/// While a world is paused nothing comes by itself.
fn page_is_quiet(seen: &[String]) -> bool {
    seen.last().is_some_and(|last| last == "frame")
}

#[test]
fn a_tower_at_rest_is_carried_and_every_verdict_is_right() {
    let server = start();
    let mut page = Page::with_world(&server, "tower", 3);
    let frame = page.at(2.0);
    let contacts = frame["contacts"].as_array().unwrap();
    let floor = contacts.iter().filter(|contact| contact["second"] == 0);
    let carried: f64 = floor
        .map(|contact| contact["force"].as_f64().unwrap())
        .sum();
    assert!((carried - 3.0 * 9.81).abs() < 1e-6, "{carried}");
    assert_eq!(frame["verdicts"]["wrong"], 0);
    assert!(frame["verdicts"]["judged"].as_u64().unwrap() >= 4 * 100);
    let lcp = &frame["forces"];
    let n = lcp["n"].as_u64().unwrap() as usize;
    assert_eq!(lcp["a"].as_array().unwrap().len(), n * n);
    assert!(["exact", "accepted"].contains(&lcp["verdict"].as_str().unwrap()));
    assert!(lcp["error"].as_f64().unwrap() < 1e-9);
}

#[test]
fn index_sets_end_where_the_engine_does() {
    let server = start();
    let mut page = Page::with_world(&server, "blocks", 3);
    page.tell(json!({"type": "set", "elasticity": 0.0}));
    let frame = page.frame(|frame| {
        frame["forces"]["sets"]
            .as_array()
            .is_some_and(|sets| !sets.is_empty())
    });
    let lcp = &frame["forces"];
    let last = lcp["sets"].as_array().unwrap().last().unwrap();
    let clamped: Vec<u64> = last["clamped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_u64().unwrap())
        .collect();
    let forces = lcp["f"].as_array().unwrap().iter().enumerate();
    for (row, force) in forces.filter(|(_, force)| force.as_f64().unwrap() > 1e-9) {
        assert!(clamped.contains(&(row as u64)), "{force} at {row}: {lcp}");
    }
}

#[test]
fn a_hand_pulls_a_thruster_turns_and_reset_puts_back() {
    let server = start();
    let mut page = Page::connect(&server);
    page.tell(json!({"type": "open", "world": "blocks", "bodies": 1, "running": false}));
    let start = page.next("frame");
    let position = |frame: &Value| {
        frame["bodies"][4]["position"]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    let at = position(&start);
    page.tell(json!({"type": "pull", "at": at, "reach": 0.2}));
    page.tell(json!({"type": "drag", "to": [at[0] + 2.0, at[1] + 1.0]}));
    let held = page.frame(|frame| frame["hand"]["to"][0].as_f64() == Some(at[0] + 2.0));
    assert_eq!(held["hand"]["body"], 4);
    page.tell(json!({"type": "run", "running": true}));
    page.frame(|frame| position(frame)[0] > at[0] + 0.5);
    page.tell(json!({"type": "release"}));
    assert!(
        page.frame(|frame| frame["hand"].is_null())["time"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    page.tell(json!({"type": "reset"}));
    let back = page.frame(|frame| frame["time"].as_f64().unwrap() < 0.1);
    assert!((position(&back)[0] - at[0]).abs() < 0.2);
    let spin = |frame: &Value| frame["bodies"][4]["angular_velocity"].as_f64().unwrap();
    let before = spin(&back);
    page.tell(json!({"type": "thrust", "firing": [{"body": 4, "direction": "left"}]}));
    let turned = page.frame(|frame| (spin(frame) - before).abs() > 0.2);
    assert!(
        spin(&turned) > before,
        "pushed to the left over its centre of mass"
    );
}

/// A page saves the scene of the last frame. A ball that came in through an edge that it passes may be over any by then.
#[test]
fn a_world_saved_inside_of_a_passed_edge_is_loaded_again() {
    let server = start();
    let mut page = Page::connect(&server);
    let edge = |from: [f64; 2], to: [f64; 2]| json!({"line": {"from": from, "to": to}});
    let corners = [[-2.0, -0.5], [2.0, -0.5], [2.0, 0.5], [-2.0, 0.5]];
    let table: Vec<Value> = (0..4)
        .map(|k| edge(corners[k], corners[(k + 1) % 4]))
        .collect();
    let ball = json!([{"arc": {"from": [0.25, 0], "to": [0.25, 0], "center": [0, 0], "clockwise": false, "outside_is_out": true}}]);
    let scene = json!({
        "bodies": [
            {"name": "ball", "mass": 1, "inertia": 0.03, "position": [0, 1], "path": ball, "passes_edges": [{"body": "table", "edges": [2]}]},
            {"name": "table", "position": [0, 0], "path": table},
        ],
        "forces": [{"kind": "gravity", "g": 10}],
    });
    page.tell(json!({"type": "load", "scene": scene, "running": false}));
    let mut saved = page.next("scene")["scene"].clone();
    let mut frame = page.next("frame");
    for _ in 0..40 {
        if frame["inside"].is_null() {
            page.tell(json!({"type": "step"}));
            frame = page.next("frame");
        }
    }
    assert_eq!(frame["inside"], json!([[0, 1]]));
    assert_valid(&schema(), &frame);
    // As `sceneNow` of the page does.
    for field in ["position", "velocity", "angle", "angular_velocity"] {
        saved["bodies"][0][field] = frame["bodies"][0][field].clone();
    }
    saved["bodies"][0]["inside"] = json!(["table"]);
    let load = json!({"type": "load", "scene": saved, "running": false});
    assert_valid(&schema(), &load);
    page.tell(load);
    assert_eq!(
        page.next("scene")["scene"]["bodies"][0]["inside"],
        json!(["table"])
    );
    page.tell(json!({"type": "step"}));
    let height = |frame: &Value| frame["bodies"][0]["position"][1].as_f64().unwrap();
    let before = height(&frame);
    page.frame(|frame| height(frame) < before);
    saved["bodies"][0].as_object_mut().unwrap().remove("inside");
    page.tell(json!({"type": "load", "scene": saved, "running": false}));
    assert_eq!(page.next("error")["field"], "scene.bodies.position");
}

/// One second with a thruster that pushes to the right by more than the weight: how fast it is then.
fn pushed(page: &mut Page, controls: &Value) -> (f64, Value) {
    let mut set = controls.clone();
    set["type"] = json!("set");
    page.tell(json!({"type": "open", "world": "tower", "bodies": 1, "running": false}));
    page.next("frame");
    page.tell(set);
    page.tell(json!({"type": "thrust", "firing": [{"body": 4, "direction": "right"}]}));
    for _ in 0..12 {
        page.tell(json!({"type": "step"}));
    }
    let frame = page.frame(|frame| frame["time"].as_f64().unwrap() > 0.19);
    assert_eq!(frame["verdicts"]["wrong"], 0);
    (frame["bodies"][4]["velocity"][0].as_f64().unwrap(), frame)
}

#[test]
fn friction_holds_what_a_thruster_pushes_unless_there_is_none() {
    let server = start();
    let mut page = Page::connect(&server);
    for model in ["coulomb", "box"] {
        let controls = json!({"friction": 4.0, "friction_model": model});
        let (speed, frame) = pushed(&mut page, &controls);
        assert!(speed.abs() < 1e-6, "{model} {speed}");
        let contacts = frame["contacts"].as_array().unwrap().iter();
        let along: Vec<f64> = contacts.map(|c| c["friction"].as_f64().unwrap()).collect();
        assert!(along.iter().sum::<f64>().abs() > 9.81, "{model} {along:?}");
        let rows = frame["forces"]["friction"].as_array().unwrap();
        let of_friction = rows.iter().filter(|row| row.as_bool() == Some(true));
        assert_eq!(of_friction.count(), along.len());
    }
    let (smooth, frame) = pushed(
        &mut page,
        &json!({"friction": 4.0, "friction_model": "none"}),
    );
    assert!(smooth > 1.0, "{smooth}");
    assert_eq!(frame["contacts"][0]["friction"], 0.0);
}

#[test]
fn controls_come_back_as_they_were_set() {
    let server = start();
    let mut page = Page::with_world(&server, "bounce", 4);
    // Elasticity differs from ball to ball until it is set.
    page.tell(json!({"type": "set", "gravity": 1.5}));
    let controls = page.next("scene")["controls"].clone();
    assert_eq!(
        (&controls["gravity"], controls.get("elasticity")),
        (&json!(1.5), None)
    );
    let set = json!({"gravity": 2.0, "elasticity": 0.25, "friction": 0.5, "friction_model": "box", "damping": 0.5, "contact_forces": false, "collision_handling": "simultaneous", "extra_acceleration": "velocity", "integrator": "modified_euler", "speed": 0.5, "solver": "naive_dantzig", "sweeps": 7});
    let mut command = set.clone();
    command["type"] = json!("set");
    page.tell(command);
    let scene = page.next("scene");
    assert_eq!(scene["controls"], set);
    assert_eq!(scene["fresh"], false);
    // They stay after a reset.
    page.tell(json!({"type": "reset"}));
    assert_eq!(page.next("scene")["controls"], set);
}
