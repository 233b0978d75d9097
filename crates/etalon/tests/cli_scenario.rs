//! `etalon scenario`: what it tells people and programs.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::Workbench;

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
