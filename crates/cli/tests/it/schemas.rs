//! The published JSON Schemas against what the commands write and read.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Workbench;
use etalon::lcp::{record, schema};
use jsonschema::Validator;
use serde_json::{Value, json};

fn validator(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

fn assert_valid(validator: &Validator, line: &str) {
    let record: Value = serde_json::from_str(line).unwrap();
    if let Err(error) = validator.validate(&record) {
        let place = error.instance_path();
        unreachable!("{place}: {error}: {line:.200}");
    }
}

#[test]
fn what_the_commands_write_is_valid() {
    let problem = validator(schema::PROBLEM);
    let claim = validator(schema::CLAIM);
    let verdict = validator(schema::VERDICT);
    let bench = Workbench::new();
    for family in etalon::conformance::families() {
        let problems = bench
            .run(&format!(
                "gen {} --n {} --count 3",
                family.name, family.sizes.min
            ))
            .stdout;
        problems
            .lines()
            .for_each(|line| assert_valid(&problem, line));
        bench.write("p.jsonl", problems);
        for method in ["certified", "enumerate", "exact-dantzig"] {
            let claims = bench
                .run(&format!("solve --method {method} p.jsonl"))
                .stdout;
            claims.lines().for_each(|line| assert_valid(&claim, line));
            bench.write("c.jsonl", claims.replace("\"unsolvable\"", "\"failed\""));
            let verdicts = bench.run("check --prove p.jsonl c.jsonl").stdout;
            assert_eq!(verdicts.lines().count(), 3);
            verdicts
                .lines()
                .for_each(|line| assert_valid(&verdict, line));
        }
    }
}

/// An id names the format and its version. It is no address, because nothing is promised to stand there.
#[test]
fn ids_have_one_form() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && file != "target" {
                folders.push(path);
            } else if let Some(name) = file.strip_suffix(".schema.json") {
                let schema: Value =
                    serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
                assert_eq!(schema["$id"], format!("urn:etalon:{name}:1"), "{path:?}");
                names.push(name.to_owned());
            }
        }
    }
    names.sort_unstable();
    let known = "claim forces motion-map outcome problem scene serve step trajectory verdict verdicts world";
    assert_eq!(names.join(" "), known);
}

#[test]
fn wrong_answers_get_valid_verdicts() {
    let verdict = validator(schema::VERDICT);
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        r#"{"name": "p", "M": [[2, 0], [0, 2]], "q": [-2, -4]}"#,
    );
    for answer in [
        r#""status": "solved", "z": [0, 1]"#,
        r#""status": "solved", "z": [1, 2.0000000001]"#,
        r#""status": "solved", "z": [1e300, -1e300]"#,
        r#""status": "solved", "z": ["1e4000", 0]"#,
        r#""status": "solved", "z": [1]"#,
        r#""status": "unsolvable""#,
        r#""status": "failed", "z": [null]"#,
    ] {
        bench.write("c.jsonl", format!(r#"{{"name": "p", {answer}}}"#));
        let ran = bench.run("check --prove p.jsonl c.jsonl");
        assert_valid(&verdict, &ran.stdout);
    }
}

#[test]
fn the_first_line_of_a_file_of_verdicts_is_valid() {
    let (verdicts, verdict) = (
        validator(etalon_evidence::heading::SCHEMA),
        validator(schema::VERDICT),
    );
    let bench = Workbench::new();
    let problem = r#"{"name": "p", "M": [[2]], "q": [-2]}"#;
    bench.write("p.jsonl", problem);
    bench.write("c.jsonl", r#"{"name": "p", "status": "solved", "z": [1]}"#);
    bench.run("check p.jsonl c.jsonl --out files.jsonl --time-limit 5s --shard 1/1");
    bench.run_with("check - c.jsonl --out pipe.jsonl", problem);
    for file in ["files.jsonl", "pipe.jsonl"] {
        let text = bench.read(file);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_valid(&verdicts, lines[0]);
        assert_valid(&verdict, lines[1]);
    }
}

#[test]
fn the_goldens_are_valid() {
    let problem = validator(schema::PROBLEM);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/problems");
    let mut count = 0;
    for file in etalon::golden::record_files(&[folder]).unwrap() {
        for record in records(&file) {
            assert_valid(&problem, &record);
            count += 1;
        }
    }
    assert!(count >= 100, "{count} goldens found");
}

#[test]
fn the_golden_scenes_are_valid() {
    let forces = validator(etalon_golden::forces::SCHEMA);
    let scene = validator(etalon::scenarios::SCENE_SCHEMA);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/scenes");
    let mut count = 0;
    for file in etalon::golden::scene_files(&[folder]).unwrap() {
        for record in records(&file) {
            assert_valid(&forces, &record);
            let record: Value = serde_json::from_str(&record).unwrap();
            assert_valid(&scene, &record["scene"].to_string());
            count += 1;
        }
    }
    assert!(count >= 90, "{count} golden scenes found");
}

/// What no named world has, and no golden.
const WORLD: &str = r#"{
  "format": "etalon-world/1",
  "bodies": [
    {"name": "a", "mass": 1, "inertia": 1, "position": [0, 0], "passes": ["b"], "path": [
      {"arc": {"from": [1, 0], "to": [1, 0], "center": [0, 0], "clockwise": false, "outside_is_out": true}}]},
    {"name": "b", "mass": 1, "inertia": 1, "position": [5, 0], "angle": 0.5, "inside": []}
  ],
  "connectors": [
    {"kind": "joint", "body": "a", "at": [0, 0], "other": "b", "other_at": [0, 0], "normal": [1, 0], "frame": "body"},
    {"kind": "rope", "body": "a", "at": [0, 0], "other": "b", "other_at": [0, 0], "length": 6, "rod": false},
    {"kind": "path", "body": "a", "at": [0, 0], "other": "b", "curve": [{"points": [[-9, 0], [9, 0]], "weights": [1, 1]}]}
  ],
  "forces": [
    {"kind": "gravity", "g": 10}, {"kind": "inverse_square", "g": 1}, {"kind": "damping", "damping": 1, "rotate_ratio": 1},
    {"kind": "spring", "body": "a", "at": [0, 0], "other": "b", "other_at": [0, 0], "length": 1, "stiffness": 1, "damping": 1,
     "compress_only": true},
    {"kind": "push", "body": "a", "at": [0, 0], "force": [1, 0], "frame": "world", "course": {"kind": "sine", "frequency": 1}},
    {"kind": "push", "body": "a", "at": [0, 0], "force": [1, 0], "frame": "body",
     "course": {"kind": "ramp", "from": 1, "until": 2}}
  ],
  "settings": {"friction": "box", "integrator": "adaptive", "seed": 7}
}"#;

/// Whether the reader takes a world.
fn is_read(text: &str) -> bool {
    matches!(etalon::scenarios::read_world("w", text), Some(Ok(_)))
}

#[test]
fn worlds_are_valid_and_broken_ones_are_not() {
    let schema = validator(etalon::scenarios::WORLD_SCHEMA);
    let bench = Workbench::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut worlds: Vec<String> = Vec::new();
    for scenario in etalon::scenarios::scenarios() {
        if scenario.world.is_some() {
            worlds.push(
                bench
                    .run(&format!(
                        "scenario run {} --as world --scene",
                        scenario.name
                    ))
                    .stdout,
            );
        }
    }
    assert!(worlds.len() >= 5, "{} named worlds", worlds.len());
    // A golden names its world, and its parameters make it.
    let mut goldens = 0;
    for file in fs::read_dir(root.join("golden/worlds")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|own| own != "jsonl") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let settings = header["parameters"].as_object().unwrap().iter();
        let settings =
            settings.map(|(name, value)| format!("--set {name}={}", value.as_str().unwrap()));
        let settings: Vec<_> = settings.collect();
        let name = header["scenario"].as_str().unwrap();
        let ran = bench.run(&format!(
            "scenario run {name} --as world --scene {}",
            settings.join(" ")
        ));
        assert_eq!(ran.status, 0, "{path:?}: {}", ran.stderr);
        worlds.push(ran.stdout);
        goldens += 1;
    }
    assert!(goldens >= 6, "{goldens} golden worlds");
    worlds.push(fs::read_to_string(root.join("docs/examples/bead.json")).unwrap());
    worlds.push(WORLD.to_owned());
    for world in &worlds {
        assert_valid(&schema, world);
        assert!(is_read(world), "{world:.200}");
    }
    // What the schema refuses the reader refuses, too.
    for (old, new) in [
        ("etalon-world/1", "etalon-world/2"),
        (r#""name": "a", "#, ""),
        (r#""position": [5, 0]"#, r#""position": [5]"#),
        (r#""kind": "gravity""#, r#""kind": "weight""#),
        (r#""gravity", "g": 10"#, r#""gravity", "G": 10"#),
        (r#""frame": "world""#, r#""frame": "earth""#),
        (r#", "rod": false"#, ""),
        (r#""friction": "box""#, r#""friction": "pyramid""#),
        (r#""seed": 7"#, r#""seed": -7"#),
        (r#""settings""#, r#""setting""#),
        (r#""kind": "ramp", "from": 1"#, r#""kind": "ramp""#),
        (r#""weights""#, r#""weight""#),
    ] {
        let broken = WORLD.replacen(old, new, 1);
        assert_ne!(broken, WORLD, "{old}");
        let value = serde_json::from_str(&broken).unwrap();
        assert!(!schema.is_valid(&value), "{old} -> {new}");
        assert!(!is_read(&broken), "{old} -> {new}");
    }
}

/// What no named scene in motion has.
const IN_MOTION: &str = r#"{
  "name": "n", "gravity": [0, 0, -10],
  "bodies": [
    {"name": "belt", "fixed": true, "velocity": [1, 0, 0], "shape": {"half_space": [0, 0, 1]}},
    {"name": "egg", "mass": 1, "shape": {"ellipsoid": [1, 1, 1]}},
    {"name": "box", "mass": 1, "shape": {"superquadric": {"half_axes": [1, 1, 1], "exponent": 4}}},
    {"name": "can", "mass": 1, "shape": {"superquadric": {"half_axes": [1, 1, 1], "exponents": [2, 8]}}}
  ],
  "joints": [{"name": "j", "first": "egg", "second": "box", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 0, 1],
              "limits": [-1, 1], "drive": {"speed": 1, "bound": 2}}],
  "motion": {"method": "chakraborty-berard", "torsion": "1/10", "rolling": 0,
             "surfaces": [{"first": "egg", "second": "box", "torsion": 0, "rolling": 1, "across": 1, "along": [1, 0, 0]}]}
}"#;

#[test]
fn scenes_are_valid_and_broken_ones_are_not() {
    let schema = validator(etalon::scenarios::SCENE_SCHEMA);
    let bench = Workbench::new();
    let named = etalon::scenarios::scenarios().iter();
    for scenario in named.filter(|scenario| scenario.at_rest.is_some()) {
        let ran = bench.run(&format!("scenario run {} --scene", scenario.name));
        assert_valid(&schema, ran.stdout.trim());
    }
    let mut moving = 0;
    for scenario in etalon::scenarios::scenarios() {
        let instance = scenario.motion_instance([]).ok();
        if let Some(scene) = instance.and_then(|own| own.moving()) {
            assert_valid(&schema, &etalon::scenarios::write_moving(&scene));
            moving += 1;
        }
    }
    assert!(moving >= 9, "{moving} scenes in motion");
    assert_valid(&schema, IN_MOTION);
    for (old, new) in [
        (r#""exponent": 4"#, r#""exponent": 3"#),
        (r#""exponents": [2, 8]"#, r#""exponents": [2, 8, 8]"#),
        (
            r#""exponents": [2, 8]"#,
            r#""exponents": [2, 8], "exponent": 8"#,
        ),
        (r#", "exponents": [2, 8]"#, ""),
        ("[1, 1, 1]", "[1, 1]"),
        (r#""torsion": "1/10""#, r#""torque": "1/10""#),
    ] {
        let broken = IN_MOTION.replacen(old, new, 1);
        assert!(
            !schema.is_valid(&serde_json::from_str(&broken).unwrap()),
            "{broken}"
        );
        assert!(
            etalon::scenarios::read_moving(&broken, None).is_err(),
            "{broken}"
        );
    }
    for broken in [
        r#"{"name": "n", "gravity": [0, 0]}"#,
        r#"{"name": "n", "bodies": []}"#,
        r#"{"name": "n", "gravity": [0], "bodies": []}"#,
        r#"{"name": "n", "gravity": [0, 0], "bodies": [{"mass": 1}]}"#,
        r#"{"name": "n", "gravity": [0, 0], "bodies": [], "linkage": {"links": []}}"#,
        r#"{"name": "n", "gravity": [0, 0], "bodies": [], "mechanism": {"links": []}}"#,
        r#"{"name": "n", "gravity": [0, 0], "linkage": {"links": []}, "mechanism": {"links": []}}"#,
        r#"{"name": "n", "gravity": [0, 0], "mechanism": {"links": [], "joints": []}}"#,
        r#"{"name": "n", "gravity": [0, 0], "mechanism": {"links": [{"name": "a", "mass": 1, "inertia": 1}]}}"#,
        r#"{"name": "n", "gravity": [0, 0], "mechanism": {"links": [{"name": "a", "mass": 1, "inertia": 1, "joint": {"kind": "hinge"}}]}}"#,
        r#"{"name": "n", "gravity": [0, 0], "bodies": [], "more": 1}"#,
        r#"{"name": "n", "gravity": [0, 0], "bodies": [], "question": {"friction": "polyhedral"}}"#,
    ] {
        assert!(
            !schema.is_valid(&serde_json::from_str(broken).unwrap()),
            "{broken}"
        );
        assert!(etalon::scenarios::read_scene(broken).is_err(), "{broken}");
    }
}

#[test]
fn the_golden_trajectories_are_valid() {
    let trajectory = validator(schema::TRAJECTORY);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/trajectories");
    let files = etalon::golden::trajectory_files(&[folder]).unwrap();
    assert!(files.len() >= 30, "{} trajectories found", files.len());
    for file in files {
        for (k, line) in records(&file).iter().enumerate() {
            assert_valid(&trajectory, line);
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["k"].as_u64().unwrap_or(0), k as u64);
        }
    }
}

fn records(file: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    if file.extension().unwrap() == "json" {
        return vec![text];
    }
    text.lines().map(str::to_owned).collect()
}

/// The schema and the reader agree on what a well-formed record is, as far as a schema can say.
#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let validator = validator(schema::PROBLEM);
    let sound = json!({"name": "p", "M": [[1, "1/2"], ["0x1.8p-3", "-2.5e-3"]], "q": ["+3", ".5"],
        "lower": ["-inf", 0], "upper": ["inf", 1], "friction": [],
        "expect": {"status": "solvable", "solutions": [["-3", "0"]], "unique": null},
        "tags": ["a"], "source": {"any": 1}, "notes": "n", "more": 1});
    let cases = [
        ("/name", json!(1)),
        ("/M", json!("text")),
        ("/M/0/0", json!("one")),
        ("/M/0/0", json!("1/-2")),
        ("/M/0/0", json!("")),
        ("/M/0/0", json!("1e")),
        ("/M/0/0", json!("inf")),
        ("/M/0/0", json!(null)),
        ("/M", json!({"shape": [2, 2], "entries": [[0, 0]]})),
        ("/M", json!({"shape": [2, 2], "entries": [[-1, 0, 1]]})),
        ("/M", json!({"shape": [2, 2], "entry": []})),
        ("/q/0", json!(true)),
        ("/lower/0", json!("infinity")),
        ("/friction", json!([{"row": 1, "normal": 0}])),
        ("/expect/status", json!("maybe")),
        ("/expect/unique", json!("x")),
        ("/expect/certificate", json!({"kind": "oath"})),
        (
            "/expect/certificate",
            json!({"kind": "cover", "nodes": [{"row": 0}]}),
        ),
        ("/tags", json!("a")),
    ];
    assert!(validator.is_valid(&sound));
    record::read_problem(&sound.to_string()).unwrap();
    for (place, value) in cases {
        let mut broken = sound.clone();
        let (parent, field) = place.rsplit_once('/').unwrap();
        match broken.pointer_mut(parent).unwrap() {
            Value::Array(array) => array[field.parse::<usize>().unwrap()] = value.clone(),
            parent => parent[field] = value.clone(),
        }
        assert!(!validator.is_valid(&broken), "{place} = {value}");
        assert!(
            record::read_problem(&broken.to_string()).is_err(),
            "{place} = {value}"
        );
    }
}

#[test]
fn the_command_prints_the_schemas() {
    let bench = Workbench::new();
    for (name, schema) in [
        ("problem", schema::PROBLEM),
        ("claim", schema::CLAIM),
        ("verdict", schema::VERDICT),
        ("verdicts", etalon_evidence::heading::SCHEMA),
        ("scene", etalon::scenarios::SCENE_SCHEMA),
        ("world", etalon::scenarios::WORLD_SCHEMA),
        ("forces", etalon_golden::forces::SCHEMA),
        ("trajectory", schema::TRAJECTORY),
    ] {
        assert_eq!(bench.run(&format!("schema {name}")).stdout, schema);
    }
}
