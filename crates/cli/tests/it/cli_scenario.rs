//! `etalon scenario`: what it tells people and programs.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;
use etalon_scenarios::{Scenario, scenarios};
use serde_json::Value;

#[test]
fn an_inconsistency_is_explained_with_its_proof_and_its_impulse() {
    let ran = Workbench::new().run("scenario run painleve-inconsistent --solver exact");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn both_answers_of_an_indeterminate_scene_are_shown() {
    let ran = Workbench::new().run("scenario run painleve-indeterminate");
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn the_impulse_of_space_is_explained() {
    let ran = Workbench::new().run("scenario run darwin-ray");
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn a_run_is_json_on_demand() {
    let ran = Workbench::new().run("scenario run painleve-inconsistent --json");
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn every_scenario_is_listed_with_its_parameters() {
    let bench = Workbench::new();
    let ran = bench.run("scenario list --json");
    let list: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let scenarios = list["scenarios"].as_array().unwrap();
    assert!(scenarios.len() >= 16);
    for scenario in scenarios {
        let name = scenario["name"].as_str().unwrap();
        assert!(bench.run("scenario list").stdout.contains(name));
        for parameter in scenario["parameters"].as_array().unwrap() {
            for field in ["name", "default", "meaning", "range"] {
                assert!(
                    !parameter[field].as_str().unwrap().is_empty(),
                    "{name} {field}"
                );
            }
            assert!(parameter["unit"].is_string());
        }
    }
    insta::assert_snapshot!(bench.run("scenario list stack").shown());
}

/// The command line, the page, recipes of goldens and the documentation name what the registry has.
#[test]
fn every_door_lists_the_same_scenarios() {
    let bench = Workbench::new();
    let registry: Vec<(&str, &str)> = scenarios()
        .iter()
        .flat_map(|own| own.parts().map(|about| (own.name, about.part.word())))
        .collect();
    let text = |value: &Value, field: &str| value[field].as_str().unwrap().to_owned();

    let list: Value = serde_json::from_str(&bench.run("scenario list --json").stdout).unwrap();
    let listed = list["scenarios"].as_array().unwrap().iter();
    let listed: Vec<_> = listed
        .map(|own| (text(own, "name"), text(own, "kind")))
        .collect();
    let listed: Vec<_> = listed
        .iter()
        .map(|(name, kind)| (&**name, &**kind))
        .collect();
    assert_eq!(listed, registry);
    let table = bench.run("scenario list").stdout;
    for own in scenarios() {
        let row = table
            .lines()
            .find(|line| line.split_whitespace().nth(1) == Some(own.name));
        let words: Vec<_> = own.parts().map(|about| about.part.word()).collect();
        assert!(row.unwrap().contains(&words.join(", ")), "{}", own.name);
    }

    let hello: Value =
        serde_json::from_str(&etalon_serve::protocol::Message::hello().text()).unwrap();
    let worlds: Vec<_> = hello["worlds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| text(own, "name"))
        .collect();
    let own = registry
        .iter()
        .filter(|(_, kind)| *kind == "world")
        .map(|(name, _)| *name);
    assert_eq!(worlds, own.collect::<Vec<_>>());

    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    for (recipe, kind) in [
        ("golden/scenes/recipe.json", "rest"),
        ("golden/problems/scenes/recipe.json", "rest"),
        ("golden/trajectories/trajectories.json", "motion"),
    ] {
        let recipe = std::fs::read_to_string(format!("{root}{recipe}")).unwrap();
        let portions: Value = serde_json::from_str(&recipe).unwrap();
        for portion in portions.as_array().unwrap() {
            let name = text(portion, "scenario");
            assert!(registry.contains(&(&name, kind)), "{name} {kind}");
        }
    }

    let docs = std::fs::read_to_string(format!("{root}docs/scenes.md")).unwrap();
    let (_, table) = docs
        .split_once("| scenario | as | what it shows |\n|---|---|---|\n")
        .unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    assert_eq!(
        table,
        rows(),
        "docs/scenes.md has other rows than the registry"
    );
}

/// The rows of the table in docs/scenes.md.
fn rows() -> String {
    let row = |own: &Scenario| {
        let words: Vec<_> = own.parts().map(|about| about.part.word()).collect();
        let shows: Vec<_> = own.parts().map(|about| about.description).collect();
        format!(
            "| `{}` | {} | {} |",
            own.name,
            words.join(", "),
            shows.join(". ")
        )
    };
    scenarios().iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Step sizes and numbers of steps do not decide whether a scene moves.
#[test]
fn what_a_scenario_is_taken_as_is_said() {
    let bench = Workbench::new();
    for (arguments, told) in [
        ("painleve-inconsistent --set h=1/20", "--as motion"),
        ("painleve-inconsistent --set steps=2", "--as motion"),
        ("painleve-inconsistent --steps 2", "--as motion"),
        (
            "painleve-inconsistent --resume --out t.jsonl",
            "--as motion",
        ),
        ("painleve-inconsistent --energy-svg e.svg", "--as motion"),
        ("painleve-inconsistent --as motion --circular", "--as rest"),
        (
            "painleve-inconsistent --as world",
            "is not a world of the engine",
        ),
        (
            "stack --as motion",
            "is not a scene in motion, but a scene at rest",
        ),
        (
            "rod --as rest",
            "is not a scene at rest, but a scene in motion",
        ),
        ("stack --as standing", "rest, motion, world"),
        ("stack --steps 2", "names scenes in motion"),
    ] {
        let ran = bench.run(&format!("scenario run {arguments}"));
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.shown());
        assert!(ran.stderr.contains(told), "{arguments}: {}", ran.stderr);
    }
    let scene = bench.run("scenario run ladder --scene").stdout;
    bench.write("mine.json", scene);
    let ran = bench.run("scenario run mine.json --as rest");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(ran.stderr.contains("--as"), "{}", ran.stderr);

    let plain = bench.run("scenario run painleve-inconsistent");
    let rest = bench.run("scenario run painleve-inconsistent --as rest");
    assert_eq!(rest.stdout, plain.stdout);
    let ran = bench.run("scenario run painleve-inconsistent --as motion --set h=1/20 --steps 2");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    assert_eq!(ran.stdout.lines().count(), 3);
    for command in ["rod --as motion --steps 1", "blocks --as world --steps 1"] {
        let ran = bench.run(&format!("scenario run {command}"));
        assert_eq!(ran.status, 0, "{}", ran.shown());
    }
}

#[test]
fn the_problem_of_a_scenario_goes_to_any_solver() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run stack --set blocks=2 --problem");
    bench.write("p.jsonl", &ran.stdout);
    let ran = bench.run("solve p.jsonl");
    assert!(ran.stdout.contains(r#""z":["30","20"]"#), "{}", ran.stdout);
    let ran = bench.run("scenario run stack --set blocks=2 --out q.jsonl --quiet");
    assert_eq!(ran.status, 0);
    assert!(
        bench
            .run("solve q.jsonl")
            .stdout
            .contains(r#""z":["30","20"]"#)
    );
}

#[test]
fn bad_settings_end_with_2_and_say_what_would_do() {
    let bench = Workbench::new();
    for command in [
        "scenario run stakc",
        "scenario run stack --set colour=1",
        "scenario run stack --set mass=-1",
        "scenario run stack --set mass=1/0",
        "scenario run stack --set mass",
        "scenario run stack --solver guess",
        "scenario run darwin-block --set directions=5",
    ] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty());
    }
}

#[test]
fn a_scene_of_ones_own_is_a_file() {
    let bench = Workbench::new();
    let scene = bench
        .run("scenario run painleve-inconsistent --scene")
        .stdout;
    bench.write("rod.json", &scene);
    let own = bench.run("scenario run rod.json");
    let named = bench.run("scenario run painleve-inconsistent");
    assert_eq!(own.status, 0, "{}", own.shown());
    let story = |text: &str| text.lines().skip(3).collect::<Vec<_>>().join("\n");
    assert_eq!(story(&own.stdout), story(&named.stdout));
    let json = bench.run("scenario run rod.json --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["scene"], "painleve-inconsistent");
    assert_eq!(json["answer"]["status"], "inconsistent");
}

#[test]
fn bad_scenes_end_with_2_and_name_what_is_wrong() {
    let bench = Workbench::new();
    let scene = bench
        .run("scenario run painleve-inconsistent --scene")
        .stdout;
    let cases = [
        (
            r#""mass":"1""#,
            r#""mass":"0""#,
            r#"body "rod": the mass is 0, but must be positive"#,
        ),
        (
            r#""mass":"1""#,
            r#""mass":"-2""#,
            r#"body "rod": the mass is -2"#,
        ),
        (
            r#""inertia":"1/3""#,
            r#""inertia":"-1/3""#,
            r#"body "rod": the inertia"#,
        ),
        (
            r#""normal":["0","1"]"#,
            r#""normal":["1","1"]"#,
            r#"contact "tip": the normal has the squared length 2"#,
        ),
        (r#""mu":"2""#, r#""mu":"nan""#, "contacts[0].mu: "),
        (
            r#""mu":"2""#,
            r#""mu":"-2""#,
            r#"contact "tip": the coefficient of friction is -2"#,
        ),
        (
            r#""second":"ground""#,
            r#""second":"moon""#,
            r#"there is no body "moon""#,
        ),
        (
            r#""name":"tip""#,
            r#""nam":"tip""#,
            r#"contacts[0]: there is no field "nam""#,
        ),
    ];
    for (part, wrong, message) in cases {
        assert!(scene.contains(part), "{part}: {scene}");
        bench.write("bad.json", scene.replacen(part, wrong, 1));
        let ran = bench.run("scenario run bad.json");
        assert_eq!(ran.status, 2, "{}", ran.shown());
        assert!(
            ran.stderr.contains("bad.json: ") && ran.stderr.contains(message),
            "{wrong}: {}",
            ran.stderr
        );
    }
    let ran = bench.run("scenario run missing.json");
    assert_eq!(ran.status, 2);
    let ran = bench.run("scenario run rod.json --set mu=1");
    assert_eq!(ran.status, 2);
}

/// Flags that say nothing of a scene in motion that is printed.
const NOT_PRINTED: &[&str] = &[
    "--out x",
    "--svg y",
    "--energy-svg y",
    "--step-log y",
    "--solver fast",
    "--all",
    "--circular",
    "--judge",
    "--lcps y",
    "--pivots 5",
];

/// Whoever gives a flag is told where nothing comes of it.
#[test]
fn no_flag_goes_unheeded() {
    let bench = Workbench::new();
    let scene = bench.run("scenario run ladder --scene").stdout;
    bench.write("mine.json", scene);
    let world = bench.run("scenario run blocks --set n=2 --scene").stdout;
    bench.write("world.json", world);
    let moving = bench.run("scenario run ball-row --scene").stdout;
    bench.write("moving.json", moving);
    for (what, flags) in [
        // At rest, from a file and by name.
        (
            "mine.json --out x",
            &["--steps 10", "--resume", "--energy-svg y", "--judge"][..],
        ),
        (
            "ladder --out x",
            &["--steps 10", "--resume", "--lcps y", "--timeout 1s"],
        ),
        ("ladder --out x --solver fast", &["--timeout 1s"]),
        (
            "ladder --circular --solver fast",
            &["--pivots 5", "--bits 5", "--time-limit 1s"],
        ),
        (
            "ladder --friction-order baraff",
            &["--pivots 5", "--timeout 1s", "--svg y"],
        ),
        (
            "ladder --scene",
            &[
                "--circular",
                "--solver fast",
                "--pivots 5",
                "--friction-order baraff",
            ],
        ),
        (
            "ladder --problem",
            &[
                "--circular",
                "--solver fast",
                "--time-limit 1s",
                "--svg y",
                "--energy-svg y",
            ],
        ),
        // In motion.
        (
            "rod --out x --steps 2",
            &[
                "--scene",
                "--circular",
                "--judge",
                "--lcps y",
                "--timeout 1s",
            ],
        ),
        (
            "rod --steps 2 --problem",
            &["--out x", "--svg y", "--energy-svg y"],
        ),
        // Printed as a scene in motion, by name and from a file.
        (
            "ball-row --scene --steps 2 --h 1/7 --method moreau-jean --cone circular",
            NOT_PRINTED,
        ),
        ("moving.json --scene --steps 2 --h 1/7", NOT_PRINTED),
        // Worlds of the engine, by name and from a file.
        (
            "blocks --steps 2 --out x",
            &[
                "--resume",
                "--problem",
                "--circular",
                "--friction-order baraff",
                "--timeout 1s",
                "--pivots 5",
                "--bits 5",
                "--time-limit 1s",
                "--solver exact",
                "--solver fast-lemke",
            ],
        ),
        (
            "world.json --scene",
            &[
                "--steps 2",
                "--out x",
                "--svg y",
                "--energy-svg y",
                "--judge",
                "--lcps y",
                "--solver fast",
            ],
        ),
    ] {
        for flag in flags {
            let ran = bench.run(&format!("scenario run {what} {flag}"));
            assert_eq!(ran.status, 2, "{what} {flag}: {}", ran.shown());
            let named = flag.split(' ').next().unwrap();
            assert!(ran.stderr.contains(named), "{what} {flag}: {}", ran.stderr);
            assert_eq!(ran.stdout, "", "{what} {flag}");
            for file in ["x", "y"] {
                assert!(
                    !bench.path().join(file).exists(),
                    "{what} {flag} wrote {file}"
                );
            }
        }
        let ran = bench.run(&format!("scenario run {what}"));
        assert_eq!(ran.status, 0, "{what}: {}", ran.shown());
        let _ = std::fs::remove_file(bench.path().join("x"));
    }
    // A command answers alone in motion: nothing exact is done that a budget could bound.
    let mut command = bench.command("scenario run rod --steps 2 --pivots 5 --solver");
    let ran: crate::common::Ran = command.arg("sh -c exit").output().unwrap().into();
    assert!(
        ran.status == 2 && ran.stderr.contains("--pivots"),
        "{}",
        ran.shown()
    );
    let ran = bench.run("scenario run mine.json --steps 10");
    let told = "mine.json is a scene at rest, which does not heed --steps: leave it out";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let ran = bench.run("scenario run ball-row --scene --svg y");
    let told =
        "ball-row is printed as a scene in motion, which does not heed --svg: leave it out (--svg";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    // What is heeded stands in the scene.
    let ran = bench.run("scenario run ball-row --scene --steps 7 --h 1/9");
    let scene: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let of_run = &scene["motion"];
    assert_eq!((&of_run["steps"], &of_run["h"]), (&7.into(), &"1/9".into()));
}

#[test]
fn the_scene_in_the_docs_runs() {
    let docs = include_str!("../../../../docs/scenes.md");
    let (_, rest) = docs.split_once("```json\n").unwrap();
    let (scene, _) = rest.split_once("```").unwrap();
    let bench = Workbench::new();
    bench.write("slope.json", scene);
    for arguments in ["", "--solver fast", "--circular"] {
        let ran = bench.run(&format!("scenario run slope.json {arguments}"));
        assert_eq!(ran.status, 0, "{}", ran.shown());
    }
}

#[test]
fn approaching_bodies_are_stopped_by_an_impulse_first() {
    let bench = Workbench::new();
    // A block that comes down on two contacts, one of which carries all of the stop at first.
    let scene = r#"{"name": "landing", "gravity": [0, -10],
        "bodies": [{"name": "ground", "fixed": true},
            {"name": "block", "mass": 1, "inertia": 1, "position": [0, 1], "velocity": [0, -3], "angular_velocity": 1}],
        "contacts": [
            {"name": "left", "first": "block", "second": "ground", "point": [-1, 0], "normal": [0, 1]},
            {"name": "right", "first": "block", "second": "ground", "point": [1, 0], "normal": [0, 1]}]}"#;
    bench.write("landing.json", scene);
    let ran = bench.run("scenario run landing.json");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    assert!(
        ran.stdout.contains("left at -4 m/s and right at -2 m/s"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("2 N s at left and 1 N s at right"),
        "{}",
        ran.stdout
    );
    let json = bench.run("scenario run landing.json --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["first_impulse"]["velocity"],
        serde_json::json!(["0", "0", "0"])
    );
    assert_eq!(json["answer"]["status"], "solved");
}

#[test]
fn a_ball_that_spins_as_it_rolls_goes_straight_on() {
    let bench = Workbench::new();
    let ball = |radius: &str| {
        format!(
            r#"{{"name": "roll", "gravity": [0, 0, -10],
            "bodies": [{{"name": "floor", "fixed": true}}, {{"name": "ball", "mass": 1,
              "inertia": ["2/5", "2/5", "2/5"], "position": [0, 0, 1], "velocity": [1, 0, 0],
              "angular_velocity": [0, 1, 1]}}],
            "contacts": [{{"name": "c", "first": "ball", "second": "floor", "point": [0, 0, 0],
              "normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]], "mu": 1,
              "geometry": {{"radius": {radius}}}}}]}}"#
        )
    };
    bench.write("roll.json", ball("1"));
    let ran = bench.run("scenario run roll.json --json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let contact = &answer["answer"]["forces"]["contacts"][0];
    assert_eq!(contact["normal"], "10");
    assert_eq!(contact["friction"], serde_json::json!(["0", "0"]));
}

#[test]
fn sizes_beyond_reason_are_refused_with_the_reason() {
    let bench = Workbench::new();
    // A run that ends at a step is a failure (1), a parameter outside of its range wrong usage (2).
    let sphere = "scenario run implicit-sphere --as motion --steps 2 --set radius=1e30";
    for (scene, status, said) in [
        ("scenario run arch --set half_angle=1e30", 2, "half_angle"),
        (
            "scenario run arch --set half_angle=0",
            2,
            "above 0 and at most 1",
        ),
        (sphere, 1, "too large for binary64"),
    ] {
        let ran = bench.run(scene);
        assert_eq!(ran.status, status, "{scene}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{scene}: {}", ran.stderr);
    }
}

#[test]
fn restitution_below_zero_is_refused() {
    let bench = Workbench::new();
    bench.write(
        "impact.json",
        r#"{"name": "i", "gravity": [0, -10], "bodies": [{"name": "g", "fixed": true},
        {"name": "b", "mass": 1, "inertia": 1, "velocity": [0, -2]}],
        "contacts": [{"name": "c", "first": "b", "second": "g", "point": [0, 0], "normal": [0, 1]}],
        "question": {"impact": -1}}"#,
    );
    let ran = bench.run("scenario run impact.json");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("restitution is -1, but must be at least 0"),
        "{}",
        ran.stderr
    );
}
