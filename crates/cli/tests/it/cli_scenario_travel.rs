//! Limits and drives of joints at rest from the command line: told, for programs, in binary64, and where a method has no place for them.

use crate::common::Workbench;
use serde_json::{Value, json};

/// A door that a torque of 9 N m turns back, with limits or a drive in its hinge.
fn door(kind: &Value, joint: Value) -> Value {
    let mut scene = json!({
        "name": "door", "gravity": [0, 0],
        "bodies": [
            {"name": "frame", "fixed": true},
            {"name": "door", "mass": 2, "inertia": 1, "position": [1, 0], "torque": -9},
        ],
        "joints": [joint],
    });
    for (field, value) in [("name", "hinge"), ("first", "door"), ("second", "frame")] {
        scene["joints"][0][field] = value.into();
    }
    scene["joints"][0]["point"] = json!([0, 0]);
    if !kind.is_null() {
        scene["gravity"] = json!([0, 0, 0]);
        scene["bodies"][1]["inertia"] = json!([1, 1, 1]);
        scene["bodies"][1]["position"] = json!([1, 0, 0]);
        scene["bodies"][1]["torque"] = json!([0, 0, -9]);
        scene["joints"][0]["point"] = json!([0, 0, 0]);
        scene["joints"][0]["kind"] = kind.clone();
        scene["joints"][0]["axis"] = json!([0, 0, 2]);
    }
    scene
}

#[test]
fn limits_and_drives_at_rest_are_told_and_printed() {
    let bench = Workbench::new();
    for kind in [Value::Null, json!("hinge")] {
        let run = |joint: Value, flags: &str| {
            bench.write("door.json", door(&kind, joint).to_string());
            bench.run(&format!("scenario run door.json {flags}"))
        };
        let drive = |speed: i64| json!({"speed": speed, "bound": 4});
        // Away from its speed the drive is a force.
        let ran = run(json!({"limits": [0, "3/2"], "drive": drive(1)}), "--json");
        let value: Value = serde_json::from_str(&ran.stdout).unwrap();
        let forces = &value["answer"]["forces"];
        assert_eq!(forces["contacts"][0]["normal"], "5", "{value}");
        assert_eq!(
            forces["contacts"][0]["contact"],
            "lower limit of hinge (N m)"
        );
        assert_eq!(forces["drives"], Value::Null);
        // At it, a row with two bounds.
        let brake = json!({"drive": drive(0)});
        let ran = run(brake.clone(), "");
        let row = "| drive of hinge (N m) |           4 |     4 |";
        assert!(ran.stdout.contains(row), "{}", ran.shown());
        let ran = run(brake.clone(), "--json");
        let value: Value = serde_json::from_str(&ran.stdout).unwrap();
        let drives = &value["answer"]["forces"]["drives"];
        assert_eq!(
            (&drives[0]["force"], &drives[0]["bound"]),
            (&json!("4"), &json!("4"))
        );
        let ran = run(brake.clone(), "--solver fast");
        assert_eq!(ran.status, 0, "{}", ran.shown());
        assert!(
            ran.stdout
                .contains("| drive of hinge (N m) |           4 |       4 |"),
            "{}",
            ran.stdout
        );
        let ran = run(brake, "--drive-order scene");
        assert_eq!(ran.status, 2, "{}", ran.shown());
        // A brake may push against a limit.
        let ran = run(json!({"limits": [0, "3/2"], "drive": drive(0)}), "");
        assert!(
            ran.stdout.contains("Infinitely many answers"),
            "{}",
            ran.shown()
        );
        let ran = run(
            json!({"limits": [0, "3/2"], "drive": drive(0)}),
            "--drive-order scene",
        );
        assert!(
            ran.stderr.contains("give the drive another speed"),
            "{}",
            ran.shown()
        );
    }
}
