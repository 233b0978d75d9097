//! `etalon trajectory check` of tables: what a map leaves out is refused or named.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use crate::common::{Ran, Workbench};

/// Names of the columns of a ball that spins on the floor, with its values at rest.
const COLUMNS: [(&str, &str); 19] = [
    ("ball.x", "0"),
    ("ball.y", "0"),
    ("ball.z", "0.5"),
    ("ball.vx", "0"),
    ("ball.vy", "0"),
    ("ball.vz", "0"),
    ("ball.qw", "1"),
    ("ball.qx", "0"),
    ("ball.qy", "0"),
    ("ball.qz", "0"),
    ("ball.wx", "0"),
    ("ball.wy", "0"),
    ("ball.wz", "0"),
    ("floor.normal_impulse", "2.5"),
    ("floor.friction_1", "0"),
    ("floor.friction_2", "0"),
    ("floor.torsion", "0"),
    ("floor.rolling_1", "0"),
    ("floor.rolling_2", "0"),
];

/// The map of it, with its inertia and friction against turning.
fn map() -> Value {
    json!({"format": "etalon-motion-map/1", "dimension": 3, "gravity": [0, 0, -10], "h": 0.125,
        "bodies": [{"name": "ball", "mass": 2, "inertia": [[0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]]}],
        "contacts": [{"name": "floor", "bodies": ["ball", null], "normal": [0, 0, 1],
            "tangents": [[1, 0, 0], [0, 1, 0]], "shapes": [{"ball": 0.5}, {"plane": 0}], "mu": 0.5,
            "torsion": 0.03, "rolling": 0.01}]})
}

/// The verdict on the ball at rest, with columns renamed or left out (renamed to nothing).
fn judged(map: &Value, renamed: &[(&str, &str)], options: &str) -> Ran {
    let new_name = |name: &'static str| {
        let own = renamed.iter().find(|(old, _)| *old == name);
        own.map_or(name, |(_, new)| *new)
    };
    let columns = COLUMNS.map(|(name, value)| (new_name(name), value));
    let there = columns.iter().filter(|(name, _)| !name.is_empty());
    let (names, values): (Vec<_>, Vec<_>) = there.copied().unzip();
    let (names, values) = (names.join(","), values.join(","));
    let bench = Workbench::new();
    bench.write("map.json", map.to_string());
    bench.write("m.csv", format!("{names}\n{values}\n{values}\n"));
    bench.run(&format!("trajectory check m.csv --map map.json {options}"))
}

fn refused(map: &Value, renamed: &[(&str, &str)], why: &[&str]) {
    let ran = judged(map, renamed, "");
    assert_eq!(ran.status, 2, "{map}: {}{}", ran.stdout, ran.stderr);
    let told = |words: &&str| ran.stderr.contains(words);
    assert!(why.iter().all(told), "{why:?}: {}", ran.stderr);
}

const NO_SPINS: [(&str, &str); 3] = [("ball.wx", ""), ("ball.wy", ""), ("ball.wz", "")];

#[test]
fn torques_and_spins_of_a_body_without_inertia_are_refused_with_the_field() {
    let ran = judged(&map(), &[], "--json");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["not_asked"], json!([]));
    assert_eq!(ran.stderr, "");

    let mut bare = map();
    bare["bodies"][0].as_object_mut().unwrap().remove("inertia");
    let spins = "there is a column \"ball.wx\": give the inertia, or rename the column";
    refused(&bare, &[], &["bodies[0].inertia", spins]);
    refused(&bare, &NO_SPINS[..2], &["a column \"ball.wz\""]);
    for field in ["torsion", "rolling"] {
        let mut own = bare.clone();
        for other in ["torsion", "rolling"].iter().filter(|own| **own != field) {
            own["contacts"][0].as_object_mut().unwrap().remove(*other);
        }
        let place = format!("contacts[0].{field}");
        let remedy = format!("or leave \"{field}\" out");
        let body = "the body \"ball\", which has no \"inertia\"";
        refused(&own, &NO_SPINS, &[&place, body, &remedy]);
    }
    for (field, value) in [("torque", json!([0, 0, 1])), ("spin", json!([0, 0, 2]))] {
        let mut own = bare.clone();
        own["contacts"] = json!([]);
        own["bodies"][0][field] = value;
        let remedy = format!("give the inertia, or leave \"{field}\" out");
        refused(&own, &NO_SPINS, &["bodies[0].inertia", &remedy]);
    }
    let joint = |kind: &str, more: Value| {
        let mut own = bare.clone();
        own["contacts"] = json!([]);
        let mut joint = json!({"name": "j", "bodies": ["ball", null], "kind": kind,
            "anchors": [[0, 0, 0], [0, 0, 0.5]], "impulse": [0, 0, 2.5]});
        let more = more.as_object().unwrap().clone();
        joint.as_object_mut().unwrap().extend(more);
        own["joints"] = json!([joint]);
        own
    };
    let torque = joint("fixed", json!({"angular_impulse": [0, 0, 1]}));
    refused(&torque, &NO_SPINS, &["joints[0].angular_impulse", "ball"]);
    let axes = json!([[0, 0, 1], [0, 0, 1]]);
    let driven = json!({"axes": axes, "angular_impulse": [0, 0, 0],
        "drive": {"speed": 1, "bound": 2, "impulse": 0.25}});
    let driven = joint("hinge", driven);
    refused(&driven, &NO_SPINS, &["joints[0].drive", "ball"]);
    // A joint at a particle that holds its place alone is none of these.
    let ran = judged(&joint("ball", json!({})), &NO_SPINS, "");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn columns_that_the_map_does_not_use_are_named() {
    let renamed = [("ball.qw", "ball.Qw"), ("ball.qx", "temperature")];
    let ran = judged(&map(), &renamed, "");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let told = "not asked: column \"ball.Qw\", column \"temperature\", column \"ball.qy\", column \"ball.qz\"; the map leaves it out";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    // What has the name of a body is a warning; other columns are listed quietly.
    let warned = "the map does not use column \"ball.Qw\", column \"ball.qy\", column \"ball.qz\", named after its bodies";
    assert!(ran.stderr.contains(warned), "{}", ran.stderr);
    let ran = judged(&map(), &[("ball.qw", "Ball.qw")], "--json");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["not_asked"][0], "column \"Ball.qw\"");
    assert!(ran.stderr.contains("\"Ball.qw\""), "{}", ran.stderr);

    // A contact that could know its gap, and does not; and a particle with an orientation.
    let mut open = map();
    let contact = open["contacts"][0].as_object_mut().unwrap();
    for field in ["shapes", "torsion", "rolling"] {
        contact.remove(field);
    }
    contact.insert("point".to_owned(), json!([0, 0, 0]));
    open["bodies"][0].as_object_mut().unwrap().remove("inertia");
    let gone = [
        ("floor.torsion", ""),
        ("floor.rolling_1", ""),
        ("floor.rolling_2", ""),
    ];
    let gone = [&NO_SPINS[..], &gone[..]].concat();
    let ran = judged(&open, &gone, "--json");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let gap = "gap of the contact \"floor\" (a column \"floor.gap\", \"gap\" or \"shapes\")";
    let turning = "turning of the body \"ball\" (\"inertia\")";
    assert_eq!(json["not_asked"], json!([gap, turning]));
    // Of many columns a line has some, JSON has all.
    let bare = json!({"format": "etalon-motion-map/1", "dimension": 3, "h": 0.125,
        "bodies": [{"name": "b", "mass": 2, "position": [0, 0, 0], "velocity": [0, 0, 0]}]});
    let ran = judged(&bare, &[], "");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("and 7 more"), "{}", ran.stdout);
    let ran = judged(&bare, &[], "--json");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["not_asked"].as_array().unwrap().len(), COLUMNS.len());
}
