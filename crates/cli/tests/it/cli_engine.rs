//! `etalon scenario run` of worlds of the planar engine.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_world_runs_with_pictures_and_verdicts() {
    let bench = Workbench::new();
    let ran = bench.run(
        "scenario run tower --set n=3 --steps 20 --judge --svg tower.svg --energy-svg energy.svg --lcps tower --out tower.jsonl",
    );
    assert_eq!((ran.status, &*ran.stdout), (0, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("0 wrong"), "{}", ran.stderr);
    let lines = lines(&bench.read("tower.jsonl"));
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[0]["formulation"], "contact-forces");
    let schema = serde_json::from_str(etalon_lcp_schema()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for line in &lines {
        assert!(validator.is_valid(line), "{line}");
    }
    // The floor carries three blocks of 1 kg.
    let contacts = lines[20]["contacts"].as_array().unwrap();
    let floor = contacts
        .iter()
        .filter(|contact| contact["pair"].as_str().unwrap().ends_with("/floor"));
    let weight: f64 = floor
        .map(|contact| contact["force"].as_f64().unwrap())
        .sum();
    assert!((weight - 3.0 * 9.81).abs() < 1e-6, "{weight}");
    for picture in ["tower.svg", "energy.svg"] {
        let svg = bench.read(picture);
        assert!(
            svg.starts_with("<svg") && svg.contains("polyline"),
            "{picture}"
        );
    }
    let judged = bench.run("check tower.problems.jsonl tower.claims.jsonl --quiet");
    assert_eq!(judged.status, 0, "{}", judged.stderr);
    assert!(judged.stdout.lines().count() >= 80);
}

fn etalon_lcp_schema() -> &'static str {
    etalon::lcp::schema::TRAJECTORY
}

#[test]
fn a_world_is_saved_and_goes_on_from_its_file() {
    let bench = Workbench::new();
    let saved = bench.run("scenario run blocks --set n=2 --scene");
    assert_eq!(saved.status, 0, "{}", saved.stderr);
    bench.write("world.json", &saved.stdout);
    let own = bench.run("scenario run world.json --steps 3 --quiet");
    assert_eq!(own.status, 0, "{}", own.stderr);
    let named = bench.run("scenario run blocks --set n=2 --steps 3 --quiet");
    let states = |text: &str| {
        lines(text)
            .into_iter()
            .skip(1)
            .map(|line| line["q"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(states(&own.stdout), states(&named.stdout));
    assert_eq!(states(&own.stdout).len(), 3);
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let run = || {
        Workbench::new()
            .run("scenario run blocks --set seed=7 --steps 60 --quiet")
            .stdout
    };
    assert_eq!(run(), run());
}

/// The sum of what lines say was lost is the energy before less that after, whatever took it: collisions,
/// friction, damping, the integrator.
#[test]
fn the_energy_of_a_world_goes_where_its_lines_say() {
    let worlds = [
        "blocks",
        "blocks --set damping=1/2",
        "blocks --set mu=1/2 --set friction=box",
        "pile --set mu=1/2",
        "tower --set elasticity=1/2",
        "pendulums",
        "pendulums --set damping=1/10",
        "bounce --set handling=simultaneous",
    ];
    for world in worlds {
        let ran = Workbench::new().run(&format!("scenario run {world} --steps 80 --quiet"));
        assert_eq!(ran.status, 0, "{world}: {}", ran.stderr);
        let lines = lines(&ran.stdout);
        let total = |energy: &Value| {
            energy["kinetic"].as_f64().unwrap() + energy["potential"].as_f64().unwrap()
        };
        let start = total(&lines[0]["start"]["energy"]);
        let (mut before, mut lost, mut collisions) = (start, 0.0, 0.0);
        for line in &lines[1..] {
            let after = total(&line["energy"]);
            let dissipated = line["dissipated"].as_f64().unwrap();
            assert_eq!(dissipated, before - after, "{world}: step {}", line["k"]);
            before = after;
            lost += dissipated;
            collisions += line["dissipation"]["collisions"].as_f64().unwrap();
            assert!(line.get("work").is_none(), "{world}");
            let found = (start - after - lost).abs();
            assert!(found < 1e-12 * start.abs(), "{world}: {found:e} J");
        }
        // What collisions took is a part of it. Forces that open gaps, the integrator and damping take the rest.
        let others = lost - collisions;
        let least = match world.contains("damping") {
            true => 0.01,
            false if world.contains("blocks") => 1e-3,
            false => 0.0,
        };
        assert!(others.abs() >= least, "{world}: {others}");
    }
}

/// A push adds energy, and its line says how much of it: the rest is what was lost.
#[test]
fn the_work_of_a_push_is_named() {
    let bench = Workbench::new();
    let saved = bench.run("scenario run bounce --set n=1 --set g=0 --scene");
    let mut world: Value = serde_json::from_str(&saved.stdout).unwrap();
    let mut body = world["bodies"].as_array().unwrap().iter();
    let moving = body.rfind(|body| body["mass"].is_number());
    let name = moving.unwrap()["name"].clone();
    world["forces"] = serde_json::json!([
        {"kind": "push", "body": name, "at": [0.0, 0.0], "force": [0.3, 0.1], "frame": "world"}
    ]);
    bench.write("world.json", world.to_string());
    let ran = bench.run("scenario run world.json --steps 10 --quiet");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for line in &lines(&ran.stdout)[1..] {
        let [dissipated, work] = ["dissipated", "work"].map(|name| line[name].as_f64().unwrap());
        assert!(work != 0.0 && (dissipated + work).abs() < 1e-12, "{line}");
    }
}

#[test]
fn what_a_world_cannot_do_is_said() {
    let bench = Workbench::new();
    for (command, word) in [
        ("scenario run pile --set elasticity=2", "from 0 to 1"),
        ("scenario run pile --set n=0", "from 1 to 100"),
        ("scenario run pile --solver exact-lemke", "--solver fast"),
        ("scenario run ladder --energy-svg e.svg", "trajectories"),
    ] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains(word), "{command}: {}", ran.stderr);
    }
}

#[test]
fn the_energies_of_a_time_stepped_scene_are_drawn() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run wedge --quiet --out wedge.jsonl --energy-svg wedge.svg");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(bench.read("wedge.svg").contains("kinetic"));
}
