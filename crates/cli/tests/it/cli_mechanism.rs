//! Mechanisms in joint space as files of one's own.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;
use serde_json::{Value, json};

/// The mechanism of the docs: the second scene of that page.
fn leg() -> String {
    let docs = include_str!("../../../../docs/scenes.md");
    let scene = docs.split("```json\n").nth(2).unwrap();
    scene.split("```").next().unwrap().to_owned()
}

#[test]
fn the_mechanism_in_the_docs_runs_and_is_valid() {
    let bench = Workbench::new();
    bench.write("leg.json", leg());
    for arguments in [
        "",
        "--solver fast",
        "--friction-order baraff",
        "--friction-order darwin2k",
    ] {
        let ran = bench.run(&format!("scenario run leg.json {arguments}"));
        assert_eq!(ran.status, 0, "{}", ran.shown());
        assert!(
            ran.stdout.contains("lower limit of cart"),
            "{}",
            ran.shown()
        );
    }
    let schema: Value = serde_json::from_str(etalon::scenarios::SCENE_SCHEMA).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    assert!(schema.is_valid(&serde_json::from_str(&leg()).unwrap()));
    // What is printed of it is the same scene.
    let printed = bench.run("scenario run leg.json --scene").stdout;
    bench.write("again.json", &printed);
    let again = bench.run("scenario run again.json --json").stdout;
    let first = bench.run("scenario run leg.json --json").stdout;
    let answer = |text: &str| serde_json::from_str::<Value>(text).unwrap()["answer"].clone();
    assert_eq!(answer(&first), answer(&again));
    assert_eq!(answer(&first)["status"], "solved");
}

/// An impact of the same mechanism: the foot arrives, and the cart leaves its limit or stays.
#[test]
fn an_impact_in_joint_space_is_asked_for_like_any_other() {
    let bench = Workbench::new();
    let moving = leg().replace(r#""effort": -7"#, r#""rate": 3"#);
    let asked = moving.replacen(
        r#""gravity""#,
        r#""question": {"impact": "1/2"}, "gravity""#,
        1,
    );
    assert_ne!(asked, moving);
    bench.write("impact.json", &asked);
    let ran = bench.run("scenario run impact.json");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    bench.write("falling.json", &moving);
    let ran = bench.run("scenario run falling.json");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    assert!(
        ran.stdout.contains("An impulse comes first"),
        "{}",
        ran.shown()
    );
}

/// A part of the scene, a mistake in its place, and what is said of it.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        r#""parent": "thigh""#,
        r#""parent": "shin""#,
        "links shin -> shin: each hangs on the next",
    ),
    (
        r#""parent": "cart""#,
        r#""parent": "shin""#,
        "give one of them the parent \"ground\"",
    ),
    (
        r#""parent": "cart""#,
        r#""parent": "card""#,
        r#"link "thigh": its parent "card" is no link"#,
    ),
    (
        r#""axis": [1, 0]"#,
        r#""axis": [1, 1]"#,
        r#"link "cart": joint.axis has the squared length 2"#,
    ),
    (
        r#""axis": [1, 0]"#,
        r#""axis": [1, 0, 0]"#,
        "mechanism.links[0].joint.axis: has 3 numbers",
    ),
    (
        r#""axis": [1, 0], "#,
        "",
        "mechanism.links[0].joint: the field \"axis\" is missing",
    ),
    (
        r#""limits": [0, 2]"#,
        r#""limits": [2, 0]"#,
        "write them as [lower, upper]",
    ),
    (
        r#""limits": [0, 2]"#,
        r#""limits": [1, 2]"#,
        "joint.position is below the lower limit",
    ),
    (
        r#""limits": [0, 2]"#,
        r#""limits": [0]"#,
        "joint.limits: has 1 entries, but must have 2",
    ),
    (
        r#""effort": -4"#,
        r#""effort": "nan""#,
        "mechanism.links[0].joint.effort: ",
    ),
    (
        r#""effort": -4"#,
        r#""effort": [1, 2]"#,
        "joint.effort: has 2 numbers, but must have 1",
    ),
    (r#""mass": 3"#, r#""mass": 1e999"#, "number out of range"),
    (
        r#""mass": 3"#,
        r#""mass": -3"#,
        r#"link "cart": the mass is -3"#,
    ),
    (
        r#""mass": 1, "inertia": "1/12", "centre": ["1/2", 0],
       "joint": {"kind": "revolute", "point""#,
        r#""mass": 0, "inertia": 0, "joint": {"kind": "revolute", "point""#,
        r#"link "shin": its joint moves no mass"#,
    ),
    (
        r#""kind": "prismatic""#,
        r#""kind": "slider""#,
        "joint.kind: must be one of fixed, revolute",
    ),
    (
        r#""kind": "revolute", "point""#,
        r#""kind": "ball", "point""#,
        "in the plane say \"revolute\"",
    ),
    (
        r#""position": ["3/5", "-4/5"]"#,
        r#""position": [1, 1]"#,
        "(cos, sin) must be a unit vector",
    ),
    (
        r#""limits": [0, 2], "effort": -4"#,
        r#""orientation": [1, 0]"#,
        "there is no field \"orientation\"",
    ),
    (
        r#""first": "shin""#,
        r#""first": "foot""#,
        r#"contact "foot": there is no body "foot""#,
    ),
    (
        r#""gravity": [0, -10]"#,
        r#""gravity": [0, -10, 0]"#,
        "mechanism.links[0]",
    ),
    (
        r#""gravity": [0, -10]"#,
        r#""gravity": [0, -10], "joints": []"#,
        "joints: a mechanism has links",
    ),
];

#[test]
fn mistakes_in_mechanisms_end_with_2_and_name_file_field_and_remedy() {
    let bench = Workbench::new();
    for (part, wrong, message) in MISTAKES {
        let scene = leg();
        assert!(scene.contains(part), "{part}: {scene}");
        bench.write("bad.json", scene.replacen(part, wrong, 1));
        let ran = bench.run("scenario run bad.json");
        assert_eq!(ran.status, 2, "{wrong}: {}", ran.shown());
        let said = ran.stderr.contains("bad.json: ") && ran.stderr.contains(message);
        assert!(said, "{wrong}: {}", ran.stderr);
    }
    let open = leg().replacen(
        r#""contacts""#,
        r#""loops": [{"name": "l", "first": "shin", "second": "ground", "points": [[1, 0], [9, 9]]}], "contacts""#,
        1,
    );
    bench.write("bad.json", open);
    let ran = bench.run("scenario run bad.json");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(
        ran.stderr.contains("loop \"l\": its two points are apart"),
        "{}",
        ran.stderr
    );
}

/// The mass matrix of a long chain with generic quaternions has long fractions, and no answer comes within the limit.
#[test]
fn a_limit_of_time_covers_the_statement_of_the_problem() {
    let link = |i: usize| {
        let turn = if i.is_multiple_of(2) {
            [2, 0, 1, 1]
        } else {
            [3, 1, 1, 0]
        };
        let mut joint = json!({"kind": "ball", "orientation": turn});
        let mut link = json!({"name": format!("l{i}"), "mass": 1, "inertia": [1, 1, 1], "centre": ["1/2", 0, 0]});
        if i > 0 {
            joint["point"] = json!([1, 0, 0]);
            link["parent"] = json!(format!("l{}", i - 1));
        }
        link["joint"] = joint;
        link
    };
    let chain = |n: usize| {
        let contact = json!({"name": "c", "first": format!("l{}", n - 1), "second": "ground", "point": [1, 0, 0],
            "normal": [0, 0, 1], "mu": "1/2"});
        let links: Vec<_> = (0..n).map(link).collect();
        json!({"name": "chain", "gravity": [0, 0, -10], "mechanism": {"links": links, "contacts": [contact]}})
    };
    let bench = Workbench::new();
    bench.write("long.json", chain(60).to_string());
    let start = std::time::Instant::now();
    let ran = bench.run("scenario run long.json --time-limit 500ms");
    assert_eq!((ran.status, &*ran.stdout), (1, ""), "{}", ran.stderr);
    let told = "long.json: stating its problem took longer than --time-limit 500ms";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    // Without the limit it takes minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    bench.write("short.json", chain(2).to_string());
    let limited = bench.run("scenario run short.json --time-limit 60s");
    let free = bench.run("scenario run short.json");
    assert_eq!((limited.status, limited.stdout), (0, free.stdout));
}
