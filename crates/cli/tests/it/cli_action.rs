//! `action.yml` is run as GitHub runs a composite action: its steps in their order, by their shell, with the inputs
//! put where it says. What it does for its user is seen in the files and in the exit status.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{ETALON, Workbench};
use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

/// Answers zeros to everything, as a solver that is right where nothing touches.
const ZEROS: &str = r#"while read -r line; do
    name=${line#*\"name\":\"}
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"solved\", \"z\": [0, 0]}"
done
"#;

/// Two problems, for one of which zeros are right.
const PROBLEMS: &str = r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}
{"name": "apart", "M": [[2, 1], [1, 2]], "q": [1, 1]}
"#;

/// What came of the action.
struct Ended {
    status: i32,
    said: String,
    /// The lines of the job's summary.
    summary: String,
    /// The files that the action's outputs name.
    outputs: Vec<(String, PathBuf)>,
}

impl Ended {
    fn output(&self, name: &str) -> String {
        let found = self.outputs.iter().find(|(other, _)| other == name);
        let (_, file) = found.unwrap_or_else(|| panic!("no output {name}: {}", self.said));
        std::fs::read_to_string(file).unwrap()
    }

    fn badge(&self) -> Value {
        serde_json::from_str(&self.output("badge")).unwrap()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn action() -> Yaml {
    let text = std::fs::read_to_string(root().join("action.yml")).unwrap();
    YamlLoader::load_from_str(&text).unwrap().remove(0)
}

/// The value of `${{ inputs.NAME }}`.
fn input(action: &Yaml, expression: &str, given: &[(&str, &str)]) -> String {
    let name = expression.strip_prefix("${{ inputs.").expect("an input");
    let name = name.strip_suffix(" }}").expect("an input");
    let declared = &action["inputs"][name];
    assert!(!declared.is_badvalue(), "no input is called {name}");
    let found = given.iter().find(|(other, _)| *other == name);
    let default = || declared["default"].as_str().map(str::to_owned);
    let given = found.map(|(_, value)| (*value).to_owned());
    given
        .or_else(default)
        .unwrap_or_else(|| panic!("{name} is required"))
}

/// Runs the action in the folder of the bench, up to the first step that fails, on a machine that has `etalon`.
fn run(bench: &Workbench, given: &[(&str, &str)]) -> Ended {
    let own = Path::new(ETALON).parent().unwrap().display();
    let path = std::env::var("PATH").unwrap_or_default();
    run_on(&format!("{own}:{path}"), bench, given)
}

/// Runs the action where programs are found in these folders.
fn run_on(path: &str, bench: &Workbench, given: &[(&str, &str)]) -> Ended {
    let action = action();
    let declared = action["inputs"].as_hash().unwrap();
    for (name, _) in given {
        assert!(declared.contains_key(&Yaml::String((*name).to_owned())));
    }
    let steps = action["runs"]["steps"].as_vec().unwrap();
    let added = bench.path().join("step-path");
    let (mut status, mut said) = (0, String::new());
    for step in steps {
        assert_eq!(step["shell"].as_str(), Some("bash"));
        // GitHub's own words for `shell: bash`.
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c"]);
        command.arg(step["run"].as_str().unwrap());
        command.current_dir(bench.path());
        let added_by_steps = std::fs::read_to_string(&added).unwrap_or_default();
        let added_by_steps = added_by_steps.lines().map(|folder| format!("{folder}:"));
        command.env("PATH", added_by_steps.collect::<String>() + path);
        command.env("GITHUB_PATH", &added);
        command.env("RUNNER_TEMP", bench.path());
        command.env("GITHUB_ACTION_PATH", root());
        command.env("GITHUB_STEP_SUMMARY", bench.path().join("step-summary"));
        command.env("GITHUB_OUTPUT", bench.path().join("step-output"));
        for (name, value) in step["env"].as_hash().into_iter().flatten() {
            let value = input(&action, value.as_str().unwrap(), given);
            command.env(name.as_str().unwrap(), value);
        }
        let output = command.output().unwrap();
        said += &String::from_utf8_lossy(&output.stdout);
        said += &String::from_utf8_lossy(&output.stderr);
        status = output.status.code().expect("ended by a signal");
        if status != 0 {
            break;
        }
    }
    let read = |name| std::fs::read_to_string(bench.path().join(name)).unwrap_or_default();
    let outputs = outputs(&action, &read("step-output"), bench);
    Ended {
        status,
        said,
        summary: read("step-summary"),
        outputs,
    }
}

/// The outputs that the action declares, with the files that its step names.
fn outputs(action: &Yaml, written: &str, bench: &Workbench) -> Vec<(String, PathBuf)> {
    let declared = action["outputs"].as_hash().unwrap();
    let step = action["runs"]["steps"].as_vec().unwrap().last().unwrap();
    let id = step["id"].as_str().unwrap();
    let of = |name: &str, value: &Yaml| {
        let expression = value["value"].as_str().unwrap();
        assert_eq!(expression, format!("${{{{ steps.{id}.outputs.{name} }}}}"));
        let line = written
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}=")));
        Some((name.to_owned(), bench.path().join(line?)))
    };
    declared
        .iter()
        .filter_map(|(name, value)| of(name.as_str().unwrap(), value))
        .collect()
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("zeros.sh", ZEROS);
    bench.write("my problems/touching/p.jsonl", PROBLEMS);
    bench
}

#[test]
fn a_wrong_answer_fails_the_job_and_is_in_all_three_files() {
    let bench = bench();
    let ended = run(
        &bench,
        &[
            ("command", "sh zeros.sh"),
            ("can", "pure"),
            ("paths", "my problems"),
        ],
    );
    assert_eq!(ended.status, 1, "{}", ended.said);
    assert!(ended.said.contains("1 of 2 accepted"), "{}", ended.said);

    let junit = ended.output("junit");
    assert!(junit.contains(r#"tests="2""#), "{junit}");
    assert!(junit.contains(r#"<testcase name="apart""#), "{junit}");
    assert!(junit.contains(r#"type="rejected""#), "{junit}");
    assert!(junit.contains(r#"failures="1""#), "{junit}");

    let summary = ended.output("summary");
    assert_eq!(summary, ended.summary);
    for part in [
        "### Etalon: not all accepted",
        "**1 of 2 accepted**",
        "| suite | sent | accepted |",
        "| 2 | 1 |",
        "1 x rejected, gross",
        "row 1: w = -3/4 must not be negative",
        "--can pure",
        "--only tie",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }

    let badge = ended.badge();
    assert_eq!(
        badge,
        serde_json::json!({"schemaVersion": 1, "label": "etalon", "message": "1 of 2 accepted", "color": "red"})
    );
}

#[test]
fn a_right_solver_passes_and_a_search_of_its_own_finds_nothing() {
    let bench = bench();
    let solver = format!("{ETALON} solve -");
    let ended = run(
        &bench,
        &[
            ("command", &solver),
            ("paths", "my problems\n"),
            ("budget", "1s"),
            ("arguments", "--timeout 60s --jobs 1"),
            ("out", "results"),
        ],
    );
    assert_eq!(ended.status, 0, "{}", ended.said);
    assert_eq!(ended.badge()["message"], "2 of 2 accepted");
    assert_eq!(ended.badge()["color"], "brightgreen");
    assert!(ended.summary.contains("### Etalon: all accepted"));
    assert!(ended.summary.contains("### Etalon: a search of 1s"));
    assert!(!ended.output("junit").contains("<failure"));
    assert!(bench.path().join("results/report.txt").is_file());
}

#[test]
fn a_search_that_finds_a_wrong_answer_fails_the_job() {
    let bench = bench();
    bench.write("p.jsonl", PROBLEMS.lines().last().unwrap());
    // Wrong for most problems of two rows: the first finding takes milliseconds, the rest of the time finds others.
    let ended = run(
        &bench,
        &[
            ("command", "sh zeros.sh"),
            ("can", "pure,n<=2"),
            ("paths", "p.jsonl"),
            ("budget", "5s"),
            ("seed", "7"),
        ],
    );
    assert_eq!(ended.badge()["message"], "1 of 1 accepted");
    assert_eq!(ended.status, 1, "{}", ended.said);
    let kept = bench.path().join("etalon-results/fuzz");
    assert!(kept.read_dir().unwrap().count() > 0, "{}", ended.said);
    // Every problem of the search has its seed in its name.
    assert!(ended.said.contains("/s7/"), "{}", ended.said);
    assert!(!ended.said.contains("/s1/"), "{}", ended.said);
    assert!(ended.summary.contains("a search of 5s with the seed 7"));
}

#[test]
fn a_solver_that_only_gives_up_is_yellow() {
    let bench = bench();
    bench.write(
        "gives_up.sh",
        ZEROS.replace("solved\\\", \\\"z\\\": [0, 0]", "failed\\\""),
    );
    let ended = run(
        &bench,
        &[
            ("command", "sh gives_up.sh"),
            ("can", "pure"),
            ("paths", "my problems"),
        ],
    );
    assert_eq!(ended.status, 1, "{}", ended.said);
    assert_eq!(ended.badge()["color"], "yellow", "{}", ended.said);
}

#[test]
fn a_solver_that_does_not_start_is_no_verdict() {
    let bench = bench();
    // What an earlier run left says nothing of this one.
    bench.write("etalon-results/badge.json", "{}");
    bench.write("etalon-results/summary.md", "all accepted");
    let ended = run(
        &bench,
        &[("command", "./no-such-solver"), ("paths", "my problems")],
    );
    assert_eq!(ended.status, 2, "{}", ended.said);
    assert!(ended.summary.contains("### Etalon: not judged"));
    assert!(
        ended.summary.contains("no-such-solver"),
        "{}",
        ended.summary
    );
    assert_eq!(ended.badge()["message"], "not judged");
}

/// The build takes minutes, so `cargo` is one that keeps its words and puts the program under test where they say.
#[test]
fn a_machine_without_etalon_builds_it_from_the_action_s_own_checkout() {
    let bench = bench();
    let cargo = format!(
        "#!/bin/sh\necho \"$@\" >>cargo-words\nfor root; do :; done\nmkdir -p \"$root/bin\" && ln -s {ETALON} \"$root/bin/etalon\"\n"
    );
    bench.write("tools/cargo", cargo);
    let tool = bench.path().join("tools/cargo");
    let made = Command::new("chmod").arg("+x").arg(tool).status().unwrap();
    assert!(made.success());
    let path = format!("{}:/usr/bin:/bin", bench.path().join("tools").display());
    let given = [
        ("command", "sh zeros.sh"),
        ("can", "pure"),
        ("paths", "my problems"),
    ];
    let ended = run_on(&path, &bench, &given);
    assert_eq!(
        ended.badge()["message"],
        "1 of 2 accepted",
        "{}",
        ended.said
    );
    let words = bench.read("cargo-words");
    let package = root().join("crates/cli");
    assert!(package.join("Cargo.toml").is_file());
    assert_eq!(
        words.trim(),
        format!(
            "install --locked --path {} --root {}",
            package.display(),
            bench.path().join("etalon").display()
        )
    );
}

#[test]
fn the_examples_use_inputs_that_there_are() {
    for file in ["action/example.yml", "action/nightly.yml"] {
        uses_inputs_that_there_are(file);
    }
}

fn uses_inputs_that_there_are(file: &str) {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    let example = YamlLoader::load_from_str(&text).unwrap().remove(0);
    let action = action();
    let steps = example["jobs"]["etalon"]["steps"].as_vec().unwrap();
    let of_etalon = |step: &&Yaml| step["id"].as_str() == Some("etalon");
    let step = steps.iter().find(of_etalon).unwrap();
    for (name, _) in step["with"].as_hash().unwrap() {
        let declared = &action["inputs"][name.as_str().unwrap()];
        assert!(!declared.is_badvalue(), "{name:?}");
    }
    let required = |(name, input): (&Yaml, &Yaml)| {
        let required = input["required"].as_bool() == Some(true);
        required.then(|| name.as_str().unwrap().to_owned())
    };
    for name in action["inputs"]
        .as_hash()
        .unwrap()
        .iter()
        .filter_map(required)
    {
        assert!(!step["with"][name.as_str()].is_badvalue(), "{name}");
    }
    let kept = steps.last().unwrap()["with"]["path"].as_str();
    assert_eq!(kept, action["inputs"]["out"]["default"].as_str());
}
