//! `etalon verify` and `etalon golden` on steps of engines.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{Ran, Workbench};
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/engines");
const STEPS: &str = "golden/engines/drake.jsonl";
const VERDICTS: &str = "golden/engines/drake.verdicts.jsonl";
const SCENE: &str = "golden/engines/pgs-apex.xml";

fn original(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap()
}

/// A golden folder with one step, its verdicts, a scene, and a manifest of them.
fn goldens() -> Workbench {
    let bench = Workbench::new();
    bench.write(STEPS, original("drake.jsonl"));
    bench.write(SCENE, original("pgs-apex.xml"));
    bench.write("golden/MANIFEST", "etalon-manifest/1\n");
    let ran = bench.run("golden");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    bench
}

fn tells(ran: &Ran, status: i32, words: &[&str]) {
    assert_eq!(ran.status, status, "{}", ran.shown());
    for word in words {
        let told = ran.stdout.contains(word) || ran.stderr.contains(word);
        assert!(told, "{word}: {}", ran.shown());
    }
}

#[test]
fn verdicts_on_steps_are_derived_and_hold() {
    let bench = goldens();
    assert_eq!(bench.read(VERDICTS), original("drake.verdicts.jsonl"));
    let manifest = bench.read("golden/MANIFEST");
    assert!(manifest.contains("engines/pgs-apex.xml\t1\n"), "{manifest}");
    let ran = bench.run("golden --check");
    assert_eq!((ran.status, &*ran.stdout), (0, ""), "{}", ran.stderr);
    let ran = bench.run("verify");
    let right = "1 engine steps judged again, 0 failures\n\
                 golden/MANIFEST: 3 files with 5 records, 0 failures\n";
    assert_eq!((ran.status, &*ran.stdout), (0, right), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&bench.run("verify --json").stdout).unwrap();
    assert_eq!(report["engine_steps"]["steps"], 1);
    assert_eq!(report["engine_steps"]["verdicts"], 3);
    assert_eq!(report["failures"], serde_json::json!([]));
    // The verdicts alone are asked with their steps, and what is there is compared, not written.
    tells(
        &bench.run(&format!("verify {VERDICTS}")),
        0,
        &["1 engine steps"],
    );
    let text = bench.read(VERDICTS).replace("inexplicable", "explained");
    bench.write(VERDICTS, &text);
    tells(
        &bench.run("golden --check"),
        1,
        &["drake.verdicts.jsonl would change"],
    );
    assert_eq!(bench.read(VERDICTS), text);
}

#[test]
fn what_was_altered_is_named_by_file_line_and_field() {
    let bench = goldens();
    let right = bench.read(VERDICTS);
    for (from, to, told) in [
        (
            "\"inexplicable\"",
            "\"explained\"",
            ":2: step \"drake slide/1\": verdict: it is \"explained\", and \"inexplicable\" judged again",
        ),
        (
            "\"eps\":[0.55",
            "\"eps\":[0.56",
            ":2: step \"drake slide/1\": eps: certificate and impulse prove 0.557",
        ),
        (
            "\"certificate\":[\"7",
            "\"certificate\":[\"8",
            ":2: step \"drake slide/1\": certificate: it proves nothing of the step",
        ),
        (
            "\"cone\":2.53",
            "\"cone\":2.54",
            ":1: step \"drake slide/1\": cone: it is 2.54",
        ),
        (
            "neither sticking",
            "either sticking",
            ":3: step \"drake slide/1\": reason: it is ",
        ),
        (
            "{\"format\"",
            "\"format\"",
            ":1: step \"?\": text: the line cannot be read: ",
        ),
        (
            "drake slide/1",
            "drake slide/2",
            ":1: step \"drake slide/2\": name: no step is called so",
        ),
    ] {
        assert!(right.contains(from), "{from}: {right}");
        bench.write(VERDICTS, right.replacen(from, to, 1));
        let told = format!("failure: {VERDICTS}{told}");
        tells(&bench.run("verify"), 1, &[&told, "the manifest lists"]);
    }
    bench.write(VERDICTS, &right);
    let steps = bench.read(STEPS);
    bench.write(
        STEPS,
        steps.replacen("0.07558741081386125", "0.07658741081386125", 1),
    );
    let ran = bench.run("verify");
    let place = format!("failure: {VERDICTS}:2: step \"drake slide/1\": eps");
    let listed = format!("failure: {STEPS}: record \"drake slide/1\" is not the one");
    tells(&ran, 1, &[&place, &listed]);
    bench.write(STEPS, steps.replacen("\"h\": 0.00", "\"h\": -0.00", 1));
    tells(&bench.run("verify"), 2, &["drake.jsonl:1", "h: "]);
    bench.write(STEPS, format!("{steps}{steps}"));
    let twice =
        format!("failure: {STEPS}:2: step \"drake slide/1\": name: it is that of {STEPS}:1");
    tells(&bench.run("verify"), 1, &[&twice]);
}

#[test]
fn what_is_missing_is_named_with_what_mends_it() {
    let bench = goldens();
    let remove = |name: &str| std::fs::remove_file(bench.path().join(name)).unwrap();
    remove(SCENE);
    let lost = format!("failure: {SCENE}: the file is missing");
    tells(
        &bench.run("verify"),
        1,
        &[&lost, "1 engine steps judged again, 0 failures"],
    );
    let right = bench.read(VERDICTS);
    let fewer: String = right
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    bench.write(VERDICTS, fewer);
    let told = format!(
        "failure: {STEPS}:1: step \"drake slide/1\": verdict: there are 2 verdicts where 3 belong in {VERDICTS}: etalon golden writes them"
    );
    tells(&bench.run("verify"), 1, &[&told]);
    remove(VERDICTS);
    let ran = bench.run("verify --json");
    assert_eq!(ran.status, 1);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let first = &report["failures"][0];
    assert_eq!(first["file"], STEPS);
    assert_eq!(
        (&first["line"], &first["place"]),
        (&1.into(), &"verdict".into())
    );
    bench.write(VERDICTS, &right);
    remove(STEPS);
    let told = format!(
        "failure: {VERDICTS}: step \"?\": text: the steps that it judges are missing: {STEPS}"
    );
    tells(&bench.run("verify"), 1, &[&told]);
    tells(
        &bench.run("golden"),
        2,
        &["the steps that it judges are missing"],
    );
}

#[test]
fn the_faults_of_engines_are_inside_of_the_program() {
    let bench = Workbench::new();
    let ran = bench.run("verify golden/engines");
    tells(
        &ran,
        0,
        &[
            "18 engine steps judged again, 0 failures",
            "golden/MANIFEST: 12 files",
        ],
    );
    tells(
        &bench.run("verify golden/engines/pgs-apex.xml"),
        2,
        &["pgs-apex.xml"],
    );
}

#[test]
fn golden_steps_and_verdicts_fit_their_schemas() {
    let schema = |text: &str| {
        let schema: Value = serde_json::from_str(text).unwrap();
        jsonschema::draft202012::new(&schema).unwrap()
    };
    let steps = schema(etalon_engines::STEP_SCHEMA);
    let verdicts = schema(etalon::lcp::schema::VERDICT);
    for name in ["dart", "drake", "mujoco", "rapier"] {
        for (file, schema) in [
            (format!("{name}.jsonl"), &steps),
            (format!("{name}.verdicts.jsonl"), &verdicts),
        ] {
            for (number, line) in original(&file).lines().enumerate() {
                let record: Value = serde_json::from_str(line).unwrap();
                assert!(schema.is_valid(&record), "{file}:{}", number + 1);
            }
        }
    }
}

/// Readers differ in which of two fields of one name counts.
#[test]
fn a_verdict_that_gives_a_field_twice_is_none() {
    let bench = goldens();
    let twice = "\"verdict\":\"explained\",\"verdict\":\"inexplicable\"";
    let text = bench.read(VERDICTS);
    bench.write(
        VERDICTS,
        text.replacen("\"verdict\":\"inexplicable\"", twice, 1),
    );
    let told = "drake.verdicts.jsonl:2: step \"?\": text: the line cannot be read: verdict: the field is given twice";
    tells(&bench.run("verify"), 1, &[told]);
    tells(
        &bench.run("golden --check"),
        1,
        &["drake.verdicts.jsonl would change"],
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_verdicts_is_not_waited_for() {
    let bench = goldens();
    let file = bench.path().join(VERDICTS);
    std::fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    let told = ["drake.verdicts.jsonl", "it is no regular file"];
    tells(&bench.run("verify"), 2, &told);
}

#[test]
fn steps_are_no_problems_to_show() {
    let bench = goldens();
    let told = "error: golden/engines/drake.jsonl: there is no problem in it";
    tells(&bench.run(&format!("show {STEPS}")), 2, &[told]);
}
