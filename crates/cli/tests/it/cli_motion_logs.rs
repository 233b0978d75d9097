//! `etalon trajectory check`: files that were cut, and what a log says beyond each of its steps.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{Ran, Workbench};
use serde_json::{Value, json};

#[test]
fn a_trajectory_that_was_cut_after_a_whole_line_is_incomplete() {
    let bench = Workbench::new();
    bench.run("scenario run rod --set h=0.02 --solver fast --steps 20 --out whole.jsonl --quiet");
    assert_eq!(bench.run("trajectory check whole.jsonl").status, 0);
    let whole = bench.read("whole.jsonl");
    let lines: Vec<&str> = whole.lines().collect();
    for kept in [0, 12] {
        bench.write("cut.jsonl", lines[..=kept].join("\n") + "\n");
        let ran = bench.run("trajectory check cut.jsonl");
        assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
        let told = format!("cut.jsonl: {kept} of 20 steps: the header says 20; was the file cut");
        assert!(ran.stdout.contains(&told), "{}", ran.stdout);
        let ran = bench.run("trajectory check cut.jsonl --json");
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        let own = [
            &found["verdict"],
            &found["steps"],
            &found["steps_in_header"],
        ];
        assert_eq!(own, [&json!("incomplete"), &json!(kept), &json!(20)]);
    }
    // What is broken comes first.
    let tampered = lines[..=12]
        .join("\n")
        .replacen("\"k\":5,\"t\":0.1,", "\"k\":5,\"t\":0.2,", 1);
    bench.write("cut.jsonl", tampered + "\n");
    let ran = bench.run("trajectory check cut.jsonl --json");
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.status, &found["verdict"]),
        (1, &json!("off")),
        "{found:#}"
    );
}

#[test]
fn more_text_after_a_record_is_named() {
    let bench = Workbench::new();
    bench.run("scenario run rod --set h=0.02 --solver fast --steps 3 --out m.jsonl --quiet");
    let text = bench.read("m.jsonl");
    let told = "there is more text after the end of the record; a line holds one record";
    for line in [0, 2] {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[line] += " {}";
        bench.write("junk.jsonl", lines.join("\n") + "\n");
        let ran = bench.run("trajectory check junk.jsonl");
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        let place = format!("junk.jsonl:{}: {told}", line + 1);
        assert!(ran.stderr.contains(&place), "{}", ran.stderr);
    }
    bench.write("junk.jsonl", STEP.replace('\n', "") + "x\n");
    let ran = bench.run("trajectory check junk.jsonl");
    assert!(
        ran.status == 2 && ran.stderr.contains("junk.jsonl:1: ") && ran.stderr.contains(told),
        "{}",
        ran.stderr
    );
}

/// A ball of 1 kg at rest on the floor, which holds it.
const STEP: &str = r#"{"format": "etalon-step/1", "name": "a", "dimension": 2, "h": 0.25, "when": "start", "law": "coulomb", "model": "hard",
"bodies": [{"mass": 1, "inertia": 0.1, "com": [0, 0.5], "v0": [0, 0, 0], "v1": [0, 0, 0], "force": [0, -8, 0]}],
"contacts": [{"bodies": [0, -1], "point": [0, 0], "normal": [0, 1], "gap": 0, "mu": 0.5, "impulse": [2, 0]}]}"#;

fn judged(steps: &[String]) -> Ran {
    let bench = Workbench::new();
    let lines: Vec<_> = steps
        .iter()
        .map(|own| own.replace('\n', "") + "\n")
        .collect();
    bench.write("log.jsonl", lines.concat());
    bench.run("trajectory check log.jsonl")
}

fn off(steps: &[String], words: &str) {
    let ran = judged(steps);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
}

#[test]
fn a_contact_of_a_log_that_pushes_over_an_open_gap_is_named() {
    let with = |from: &str, to: &str| vec![STEP.replacen(from, to, 1)];
    assert_eq!(judged(&[STEP.to_owned()]).status, 0);
    let afar = with("\"gap\": 0", "\"gap\": 10");
    let words = "log.jsonl:1: step \"a\", contact 0: complementarity: it pushes with 2 N s over a gap of 10 m, of which 9.5 m would be left";
    off(&afar, words);
    // What closes in the step may push; soft models may push from afar, and gaps of the end say nothing of the start.
    assert_eq!(judged(&with("\"gap\": 0", "\"gap\": 0.5")).status, 0);
    off(
        &with("\"gap\": 0", "\"gap\": 0.501"),
        "contact 0: complementarity",
    );
    for (from, to) in [
        ("\"model\": \"hard\"", "\"model\": \"soft-convex\""),
        ("\"start\"", "\"end\""),
    ] {
        assert_eq!(judged(&[afar[0].replacen(from, to, 1)]).status, 0);
    }
    assert_eq!(
        judged(&[afar[0].replace("[2, 0]", "[0, 0]").replace("-8", "0")]).status,
        0
    );
}

#[test]
fn names_of_a_log_are_unique_and_steps_follow_those_that_they_name() {
    let named = |name: &str, follows: &str, v0: &str, v1: &str| {
        let follows = match follows {
            "" => String::new(),
            own => format!("\"follows\": \"{own}\", "),
        };
        STEP.replacen(
            "\"name\": \"a\", ",
            &format!("\"name\": \"{name}\", {follows}"),
            1,
        )
        .replacen("\"v0\": [0, 0, 0]", &format!("\"v0\": {v0}"), 1)
        .replacen("\"v1\": [0, 0, 0]", &format!("\"v1\": {v1}"), 1)
    };
    let rest = "[0, 0, 0]";
    let slide = "[1, 0, 0]";
    let first = named("a", "", rest, rest);
    assert_eq!(
        judged(&[first.clone(), named("b", "a", rest, rest)]).status,
        0
    );
    // Without the word another motion may begin.
    let push = |own: String| own.replace("\"mu\": 0.5", "\"mu\": 0");
    assert_eq!(
        judged(&[first.clone(), push(named("b", "", slide, slide))]).status,
        0
    );
    let words = "log.jsonl:2: step \"b\", velocity 0: state: it begins with 1 as velocity 0, and \"a\" ended with 0";
    off(&[first.clone(), push(named("b", "a", slide, slide))], words);
    off(
        &[first.clone(), named("a", "", rest, rest)],
        "log.jsonl:2: step \"a\", name: data: the step of line 1 has this name, too",
    );
    off(
        &[first.clone(), named("b", "c", rest, rest)],
        "step \"b\", follows: data: it follows \"c\", which is not the step of the line before",
    );
    off(
        &[named("b", "a", rest, rest)],
        "it follows \"a\", which is not the step of the line before",
    );
}
