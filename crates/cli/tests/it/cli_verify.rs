//! `etalon verify` and `etalon golden`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{Workbench, without_times};

/// A folder of goldens: hand-made ones of each status, and generated ones.
fn goldens() -> Workbench {
    let bench = Workbench::new();
    let cases = [
        (
            "contact/tie",
            r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}"#,
        ),
        (
            "contact/none",
            r#"{"name": "none", "M": [[0, 1], [0, 0]], "q": [-1, "1/2"], "expect": {"status": "unsolvable"}}"#,
        ),
        (
            "contact/psd",
            r#"{"name": "psd", "M": [[1, 1], [1, 1]], "q": [-1, -1], "notes": "many solutions"}"#,
        ),
        (
            "logged/near",
            r#"{"name": "near", "M": [[1, -1], [-1, 1]], "q": [-1, "0.999999999999"],
            "expect": {"status": "perturbed", "answer": {"z": [1, 0], "backward_error": 0}}}"#,
        ),
    ];
    for (file, record) in cases {
        bench.write(&format!("golden/problems/{file}.json"), record);
    }
    bench.write(
        "golden/problems/generated/recipe.json",
        r#"[{"family": "murty", "n": 3, "count": 2, "seed": 1}, {"family": "infeasible", "n": 2, "count": 2, "seed": 1},
            {"family": "murty", "n": 4, "count": 1, "seed": 1}]"#,
    );
    let ran = bench.run("golden");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    bench
}

/// Changes a file of the bench.
fn corrupt(bench: &Workbench, file: &str, from: &str, to: &str) {
    let text = bench.read(file);
    assert!(text.contains(from), "{text}");
    bench.write(file, text.replacen(from, to, 1));
}

#[test]
fn goldens_are_derived_and_hold() {
    let bench = goldens();
    insta::assert_snapshot!(bench.read("golden/problems/contact/tie.json"));
    insta::assert_snapshot!(bench.read("golden/problems/logged/near.json"));
    let ran = bench.run("golden --check");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
    let ran = bench.run("verify");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    // Errors of the fast methods depend on the processor, and the widths of columns on the errors.
    let filters = vec![
        (r" *\d+\.\d+ s", " TIME"),
        (r"\d(\.\d+)?e-\d+", "SMALL"),
        (r"-{3,}", "---"),
        (r" {2,}", " "),
    ];
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!(ran.stdout);
    });
}

#[test]
fn the_table_is_json_on_demand() {
    let ran = goldens().run("verify --json");
    let mut report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["total"]["problems"], 9);
    assert_eq!(report["failures"], serde_json::json!([]));
    let suites = report["suites"].take();
    insta::with_settings!({filters => vec![(r"\d(\.\d+)?e-\d+", "SMALL")]}, {
        insta::assert_snapshot!(without_times(&suites[0].to_string()));
    });
}

#[test]
fn a_corrupted_digit_is_found_wherever_it_is() {
    let cases = [
        ("contact/tie.json", "1.5859375", "1.5859385"),
        ("contact/tie.json", "\"3/4\"", "\"3/5\""),
        ("contact/tie.json", "\"weights\":[3", "\"weights\":[4"),
        (
            "contact/none.json",
            "\"solutions\":[]",
            "\"solutions\":[[\"1\",\"1\"]]",
        ),
        ("contact/psd.json", "many solutions", "many solution"),
        (
            "logged/near.json",
            "\"backward_error\":",
            "\"backward_error\":1",
        ),
        ("generated/murty.jsonl", "\"q\":[-1,", "\"q\":[-2,"),
    ];
    let bench = goldens();
    for (file, from, to) in cases {
        let file = format!("golden/problems/{file}");
        let sound = bench.read(&file);
        corrupt(&bench, &file, from, to);
        let ran = bench.run("verify");
        assert_eq!(ran.status, 1, "{file}: {from}\n{}", ran.stdout);
        assert!(
            ran.stdout.contains(&format!("failure: {file}:1: record ")),
            "{}",
            ran.stdout
        );
        assert_eq!(bench.run("golden --check").status, 1, "{file}: {from}");
        bench.write(&file, sound);
    }
    assert_eq!(bench.run("verify --quiet").status, 0);
}

#[test]
fn a_corrupted_checksum_or_a_missing_one_is_found() {
    let bench = goldens();
    let file = "golden/problems/contact/tie.json";
    let sound = bench.read(file);
    let at = sound.find("sha256:").unwrap() + 7;
    let digit = if &sound[at..=at] == "0" { "1" } else { "0" };
    bench.write(file, format!("{}{digit}{}", &sound[..at], &sound[at + 1..]));
    assert_eq!(bench.run("verify").status, 1);
    let without: String = sound
        .lines()
        .filter(|line| !line.contains("digest"))
        .collect();
    bench.write(file, without.replace("},}", "}}").replace(",}", "}"));
    let ran = bench.run("verify");
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("digest: the field is missing"),
        "{}",
        ran.stdout
    );
}

/// 1.5859375 and 1.58593750000000001 are one binary64 number, and the digest is that of numbers.
#[test]
fn a_digit_that_rounding_swallows_is_found_in_a_copy_too() {
    let bench = goldens();
    let file = "golden/problems/contact/tie.json";
    corrupt(&bench, file, "1.5859375", "1.58593750000000001");
    bench.write("copy/tie.json", bench.read(file));
    for path in ["golden", "copy"] {
        let ran = bench.run(&format!("verify {path}"));
        assert_eq!(ran.status, 1, "{path}");
        assert!(
            ran.stdout.contains("text: byte 74 of the record"),
            "{}",
            ran.stdout
        );
    }
    #[cfg(unix)]
    {
        let linked = bench.path().join("linked");
        std::os::unix::fs::symlink(bench.path().join("golden/problems"), linked).unwrap();
        let ran = bench.run("verify linked/contact/tie.json");
        assert_eq!(ran.status, 1);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let bench = goldens();
    let one = bench.run("verify --json --jobs 1");
    let three = bench.run("verify --json --jobs 3");
    assert_eq!(without_times(&one.stdout), without_times(&three.stdout));
}

#[test]
fn records_outside_of_the_goldens_need_neither_truth_nor_checksum() {
    let bench = Workbench::new();
    bench.write("mine.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    let ran = bench.run("verify mine.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("| mine "), "{}", ran.stdout);
}

#[test]
fn two_goldens_of_one_name_are_an_error() {
    let bench = goldens();
    bench.write(
        "golden/problems/other/tie.json",
        bench.read("golden/problems/contact/tie.json"),
    );
    let ran = bench.run("verify --quiet");
    assert_eq!(ran.status, 2);
    let sentence = "error: golden/problems/other/tie.json:1: record \"tie\": the name is taken by the record at golden/problems/contact/tie.json:1\n";
    assert_eq!(ran.stderr, sentence);
    assert_eq!(bench.run("golden").status, 2);
}

#[test]
fn a_stated_truth_is_never_rewritten() {
    let bench = goldens();
    let file = "golden/problems/contact/none.json";
    let wrong = r#"{"name": "none", "M": [[0, 1], [0, 0]], "q": [-1, "1/2"], "expect": {"status": "solvable"}}"#;
    bench.write(file, wrong);
    let ran = bench.run("golden");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stderr);
    assert_eq!(bench.read(file), wrong);
}

#[test]
fn checking_writes_nothing() {
    let bench = goldens();
    let bare = r#"{"name": "tie", "M": [[1]], "q": [-1]}"#;
    bench.write("golden/problems/contact/tie.json", bare);
    let ran = bench.run("golden --check");
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.stdout,
        "golden/MANIFEST would change\ngolden/problems/contact/tie.json would change\n"
    );
    assert_eq!(bench.read("golden/problems/contact/tie.json"), bare);
}

#[test]
fn a_field_that_would_be_lost_is_an_error() {
    let bench = goldens();
    let record = r#"{"name": "tie", "M": [[1]], "q": [-1], "lowr": [0]}"#;
    bench.write("golden/problems/contact/tie.json", record);
    let ran = bench.run("golden --quiet");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("the field \"lowr\" is not known and would be lost")
    );
    assert_eq!(bench.read("golden/problems/contact/tie.json"), record);
}

#[test]
fn golden_scenes_are_derived_and_hold_and_a_corrupted_digit_is_found() {
    let bench = Workbench::new();
    bench.write(
        "golden/scenes/recipe.json",
        r#"[{"scenario": "stack"}, {"scenario": "ladder"}, {"scenario": "stack", "set": {"blocks": "2"}}]"#,
    );
    bench.write(
        "golden/problems/scenes/recipe.json",
        r#"[{"scenario": "stack"}, {"scenario": "ladder"}]"#,
    );
    let ran = bench.run("golden");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = bench.run("golden --check");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""));
    let ran = bench.run("verify");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("3 scenes, 0 failures"),
        "{}",
        ran.stdout
    );
    let stack = "golden/scenes/stack.jsonl";
    corrupt(&bench, stack, r#""normal":["60","#, r#""normal":["61","#);
    let ran = bench.run("verify golden/scenes");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    for why in ["digest: it is sha256", "forces: not those of the scene"] {
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
    let json = bench.run("verify golden/scenes --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["failures"][0]["line"], 1);
    assert_eq!(bench.run("golden golden/scenes --check").status, 1);
    assert_eq!(bench.run("golden golden/scenes").status, 0);
    assert_eq!(bench.run("verify").status, 0);
    bench.write("golden/scenes/recipe.json", r#"[{"scenario": "moon"}]"#);
    assert_eq!(bench.run("golden").status, 2);
}

/// A golden scene stands for itself: in any folder, under any name, and every field of it counts.
#[test]
fn a_copy_of_a_golden_scene_is_verified_wherever_it_is_and_names_the_field_that_is_wrong() {
    let bench = Workbench::new();
    let golden = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../golden/scenes/stack.jsonl"
    );
    let golden = std::fs::read_to_string(golden).unwrap();
    let copy = "taken/home/some copy.jsonl";
    let lines: Vec<&str> = golden.lines().take(3).collect();
    let text = lines.join("\n") + "\n";
    let verify = || bench.run_words(&["verify", copy]);
    bench.write(copy, &text);
    let ran = verify();
    assert_eq!(ran.status, 0, "{}", ran.shown());
    assert!(
        ran.stdout.contains("3 scenes, 0 failures"),
        "{}",
        ran.stdout
    );
    for (from, to, why) in [
        (
            r#""name":"stack","scene""#,
            r#""name":"pile","scene""#,
            "scene: it has another name",
        ),
        (
            r#""mass":"2""#,
            r#""mass":"4""#,
            "lcp.digest: it is sha256:",
        ),
        (
            r#""gravity":["0","-10"]"#,
            r#""gravity":["0","-1"]"#,
            "lcp.digest: it is sha256:",
        ),
        (
            r#""lcp":{"n":3"#,
            r#""lcp":{"n":4"#,
            "lcp.n: it is 3, not 4",
        ),
        (
            r#""z":["60","50","30"]"#,
            r#""z":["60","50","31"]"#,
            "answer: z does not solve the problem exactly",
        ),
        (
            r#""normal":["60""#,
            r#""normal":["61""#,
            "answer: forces: not those of the scene",
        ),
        (
            r#""steps":[[0,0,"10"]"#,
            r#""steps":[[0,0,"11"]"#,
            "trace: ",
        ),
        (
            r#""unique":{"of":"z""#,
            r#""unique":{"of":"w""#,
            "unique: what is known of other answers",
        ),
        (r#""weights":[13.9375"#, r#""weights":[-1.0"#, "unique: "),
        (
            r#""z":[60.00000000000001"#,
            r#""z":[60.00000001"#,
            "fast: the backward error is",
        ),
        (
            r#""digest":"sha256:8d12"#,
            r#""digest":"sha256:8d13"#,
            "digest: it is sha256:8d12",
        ),
    ] {
        bench.write(copy, &text);
        corrupt(&bench, copy, from, to);
        let ran = verify();
        assert_eq!(ran.status, 1, "{to}: {}", ran.shown());
        assert!(ran.stdout.contains(why), "{to}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("digest: it is sha256"),
            "{to}: {}",
            ran.stdout
        );
        let mut failures = ran.stdout.lines().filter(|l| l.starts_with("failure: "));
        let first_record = |line: &str| line.contains("/some copy.jsonl:1: scene ");
        assert!(failures.all(first_record), "{to}: {}", ran.stdout);
    }
    bench.write(copy, text.replacen(r#""answer":{"#, r#""anser":{"#, 1));
    let ran = verify();
    assert_ne!(ran.status, 0, "{}", ran.shown());
    assert!(ran.shown().contains("anser"), "{}", ran.shown());
}

#[test]
fn scenes_beside_trajectories_are_verified_without_any_problem_there() {
    let bench = Workbench::new();
    let golden = |file: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/");
        std::fs::read_to_string(format!("{folder}{file}")).unwrap()
    };
    bench.write("both/wedge.jsonl", golden("trajectories/wedge.jsonl"));
    bench.write(
        "both/rod.jsonl",
        golden("scenes/painleve-inconsistent.jsonl"),
    );
    let ran = bench.run("verify both");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("1 trajectories") && ran.stdout.contains("3 scenes, 0 failures"),
        "{}",
        ran.stdout
    );
    corrupt(&bench, "both/rod.jsonl", r#""k":"5/11""#, r#""k":"6/11""#);
    let ran = bench.run("verify both");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("3 scenes, 2 failures"),
        "{}",
        ran.stdout
    );
    let json: serde_json::Value =
        serde_json::from_str(&bench.run("verify both --json").stdout).unwrap();
    assert_eq!(json["trajectories"]["trajectories"], 1, "{json}");
}

/// A program that prints these lines, whatever it is asked.
#[cfg(unix)]
fn printing(bench: &Workbench, lines: &str) {
    use std::os::unix::fs::PermissionsExt;
    bench.write("checker", format!("#!/bin/sh\nprintf '{lines}'\n"));
    let file = bench.path().join("checker");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn another_checker_is_held_beside_the_kernel() {
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        r#"{"name": "a", "M": [[1]], "q": [-1], "expect": {"status": "solvable", "solutions": [["1"]], "unique": "z", "certificate": {"kind": "p-matrix", "proof": "positive-definite"}}}
{"name": "b", "M": [[0]], "q": [-1], "expect": {"status": "unsolvable", "certificate": {"kind": "farkas", "y": ["1"]}}}
"#,
    );
    let verify = |lines: &str| {
        printing(&bench, lines);
        bench.run("verify p.jsonl --verified=./checker")
    };
    let ran = verify("holds solvable z\\nholds unsolvable -\\n");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let words = "2 problems hold by the same words, 0 are beyond it, 0 failures";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    let ran = verify("refused over the budget of the checker\\nholds unsolvable -\\n");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let words = "1 problems hold by the same words, 1 are beyond it";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    // Another word, and a refusal of what holds.
    for other in ["holds solvable w", "refused for a reason"] {
        let ran = verify(&format!("{other}\\nholds unsolvable -\\n"));
        assert_eq!(ran.status, 1, "{}", ran.shown());
        assert!(
            ran.stdout.contains("the kernel says \"holds solvable z\""),
            "{}",
            ran.stdout
        );
    }
    let ran = verify("holds solvable z\\n");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(
        ran.stderr.contains("1 lines for 2 records"),
        "{}",
        ran.stderr
    );
    // A program that is not there is missed before anything is verified.
    for files in ["p.jsonl", "golden/trajectories"] {
        let ran = bench.run(&format!("verify {files} --verified=./nobody"));
        assert_eq!(ran.status, 2, "{}", ran.shown());
        assert!(ran.stderr.contains("make -C proofs"), "{}", ran.stderr);
    }
}

/// A square above, or beside, a fixed floor whose top it passes.
fn passing_world(position: [f64; 2], velocity: [f64; 2], g: f64) -> String {
    let path = |a: f64| {
        format!(
            r#"[{{"line": {{"from": [-{a}, -0.5], "to": [{a}, -0.5]}}}}, {{"line": {{"from": [{a}, -0.5], "to": [{a}, 0.5]}}}},
            {{"line": {{"from": [{a}, 0.5], "to": [-{a}, 0.5]}}}}, {{"line": {{"from": [-{a}, 0.5], "to": [-{a}, -0.5]}}}}]"#
        )
    };
    let (floor, square) = (path(3.0), path(0.5));
    format!(
        r#"{{"format": "etalon-world/1", "forces": [{{"kind": "gravity", "g": {g}}}], "settings": {{}}, "bodies": [
            {{"name": "floor", "path": {floor}, "position": [0, -1], "velocity": [0, 0], "mass": null, "inertia": null, "elasticity": 0.5}},
            {{"name": "b", "path": {square}, "position": {position:?}, "velocity": {velocity:?}, "mass": 1, "inertia": 1,
            "elasticity": 0.5, "passes_edges": [{{"body": "floor", "edges": [2]}}]}}]}}"#
    )
}

/// Edges stop from outside only.
#[test]
fn a_body_that_came_in_through_an_edge_may_leave_through_another() {
    let bench = Workbench::new();
    bench.write("falls.json", passing_world([0.0, 0.6], [0.0, 0.0], 10.0));
    bench.run("scenario run falls.json --steps 35 --out falls.jsonl");
    let ran = bench.run("verify falls.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    // One that came from the side is inside from the line on that was changed.
    bench.write("slides.json", passing_world([3.6, -1.0], [-1.0, 0.0], 0.0));
    bench.run("scenario run slides.json --steps 6 --out slides.jsonl");
    let ran = bench.run("verify slides.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let text = bench.read("slides.jsonl");
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    for line in &mut lines[2..5] {
        let (before, q) = line.split_once("\"q\":[").unwrap();
        let (_, after) = q.split_once(',').unwrap();
        *line = format!("{before}\"q\":[3.3,{after}");
    }
    bench.write("slides.jsonl", lines.join("\n") + "\n");
    let ran = bench.run("verify slides.jsonl");
    assert_eq!(ran.status, 1, "{}", ran.shown());
    for line in 4..=6 {
        let told = format!("slides.jsonl:{line}: \"floor\" and \"b\" overlap by 2.000e-1 m");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    }
}
