//! `etalon step check`: logs of engines, their verdicts, and what is wrong with a log.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Ran, Workbench};
use serde_json::{Value, json};

const STEPS: &str = include_str!("../../../docs/examples/steps.jsonl");

fn verdicts(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn bench(log: &str) -> Workbench {
    let bench = Workbench::new();
    bench.write("log.jsonl", log);
    bench
}

#[test]
fn each_step_is_judged_at_the_levels_of_its_data() {
    let ran = bench(STEPS).run("step check log.jsonl");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let found: Vec<_> = verdicts(&ran)
        .iter()
        .map(|own| {
            format!(
                "{} {} {}",
                own["name"].as_str().unwrap(),
                own["level"].as_str().unwrap(),
                own["verdict"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "apex/newton-elliptic/0 A accepted",
        "apex/pgs-elliptic/0 A off",
        "pybullet ball/5 B exact",
        "pybullet ball/5 C explained",
        "dart diagonal slide/1 B off",
        "dart diagonal slide/1 C explained",
    ];
    assert_eq!(found, expected);
    let schema: Value = serde_json::from_str(etalon::lcp::schema::VERDICT).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    for verdict in verdicts(&ran) {
        assert!(schema.is_valid(&verdict), "{verdict}");
    }
    for told in [
        "mujoco 4.0.0",
        "pybullet 3.2.7",
        "converged-and-wrong",
        "log.jsonl:2: step \"apex/pgs-elliptic/0\", level A",
        "4 of 6 verdicts are right",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}

#[test]
fn options_choose_levels_laws_and_the_file() {
    let bench = bench(STEPS);
    let ran = bench.run("step check log.jsonl --level C --law coulomb --out verdicts.jsonl --json");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.stdout, "");
    let summary: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(summary["wrong"], 1, "{summary}");
    let written = bench.read("verdicts.jsonl");
    let dart: Value = serde_json::from_str(written.lines().last().unwrap()).unwrap();
    assert_eq!(dart["verdict"], "inexplicable");
    assert_eq!(dart["law"], "coulomb, the cone alone");
    assert!(dart["certificate"].is_array());
    // Level C is asked of generalised steps by name: not judged, which only --strict counts.
    let generalised: String = STEPS.lines().take(1).collect();
    bench.write("one.jsonl", generalised);
    assert_eq!(bench.run("step check one.jsonl --level C").status, 0);
    assert_eq!(
        bench.run("step check one.jsonl --level C --strict").status,
        1
    );
    let full = bench.run("step check one.jsonl --full --tol 1e-30");
    assert_eq!(
        (full.status, &verdicts(&full)[0]["verdict"]),
        (1, &json!("off"))
    );
}

#[test]
fn logs_that_cannot_be_read_are_told_with_line_and_field() {
    let mut cut = STEPS.to_owned();
    cut.truncate(STEPS.len() - 100);
    let ran = bench(&cut).run("step check log.jsonl");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("log.jsonl:4: record \"dart diagonal slide/1\"")
            && ran.stderr.contains("is the file truncated?"),
        "{}",
        ran.stderr
    );
    // What stands before is judged all the same.
    assert_eq!(verdicts(&ran).len(), 4);
    let mut lines: Vec<Value> = STEPS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines[2]["bodies"][0]["v1"][3] = json!("nan");
    lines[0]["speling"] = json!(1);
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    let ran = bench(&text.join("\n")).run("step check log.jsonl");
    assert_eq!(ran.status, 2);
    for told in [
        "log.jsonl:3: record \"pybullet ball/5\": bodies[0].v1[3]: \"nan\" is not finite",
        "log.jsonl:1: the field \"speling\" is not read",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    assert_eq!(bench("").run("step check missing.jsonl").status, 2);
    let same = bench(STEPS).run("step check log.jsonl --out log.jsonl");
    assert_eq!(same.status, 2);
    assert!(
        same.stderr.contains("is a log; name another file"),
        "{}",
        same.stderr
    );
}

#[test]
fn etalons_own_motions_pass_as_logs() {
    let bench = Workbench::new();
    for scene in ["rod --set h=0.02", "stack-drop"] {
        let ran = bench.run(&format!(
            "scenario run {scene} --steps 12 --step-log log.jsonl --out t.jsonl --quiet"
        ));
        assert_eq!(ran.status, 0, "{scene}: {}", ran.stderr);
        let ran = bench.run("step check log.jsonl --strict");
        assert_eq!(ran.status, 0, "{scene}: {}", ran.stderr);
        let verdicts = verdicts(&ran);
        assert_eq!(verdicts.len(), 12);
        assert!(
            verdicts.iter().all(|own| own["verdict"] == "exact"),
            "{scene}: {}",
            ran.stderr
        );
        // A tampered velocity is found.
        let log = bench.read("log.jsonl");
        let last = log.lines().last().unwrap();
        let mut step: Value = serde_json::from_str(last).unwrap();
        step["v1"][0] = json!("7/5");
        bench.write("tampered.jsonl", step.to_string());
        let ran = bench.run("step check tampered.jsonl");
        assert_eq!(ran.status, 1);
        assert!(ran.stderr.contains("balance: velocities"), "{}", ran.stderr);
    }
}
