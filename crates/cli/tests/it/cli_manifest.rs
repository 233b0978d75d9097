//! The manifest of goldens: `etalon golden` writes it, `etalon verify` misses what it lists.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, Workbench};
use etalon::golden::{MANIFEST, Manifest, files, manifest_place};

/// Problems, scenes and trajectories with their manifest.
fn goldens() -> Workbench {
    let bench = Workbench::new();
    let problem = |name: &str, q: i32| format!(r#"{{"name": "{name}", "M": [[1]], "q": [{q}]}}"#);
    bench.write("golden/problems/a/one.json", problem("a/one", -1));
    bench.write("golden/problems/a/two.json", problem("a/two", 2));
    bench.write(
        "golden/problems/generated/recipe.json",
        r#"[{"family": "murty", "n": 3, "count": 3, "seed": 1}]"#,
    );
    bench.write(
        "golden/scenes/recipe.json",
        r#"[{"scenario": "stack"}, {"scenario": "stack", "set": {"blocks": "2"}}]"#,
    );
    bench.write(
        "golden/trajectories/trajectories.json",
        r#"[{"file": "slide", "scenario": "incline", "steps": 3}, {"file": "wedge", "scenario": "wedge", "steps": 2}]"#,
    );
    let ran = bench.run("golden");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("golden/MANIFEST changed"),
        "{}",
        ran.stdout
    );
    bench
}

/// Drops a line of a file.
fn drop_line(bench: &Workbench, file: &str, line: usize) {
    let text = bench.read(file);
    let kept = text.lines().enumerate().filter(|(i, _)| *i != line);
    let kept: Vec<&str> = kept.map(|(_, line)| line).collect();
    bench.write(file, kept.join("\n") + "\n");
}

fn name_of(bench: &Workbench, file: &str, line: usize) -> String {
    let text = bench.read(file);
    let record: serde_json::Value = serde_json::from_str(text.lines().nth(line).unwrap()).unwrap();
    record["name"].as_str().unwrap().to_owned()
}

fn is_noticed(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.status, 1, "{}", ran.shown());
    let failure =
        |line: &&str| line.starts_with("failure: ") && words.iter().all(|w| line.contains(w));
    assert!(
        ran.stdout.lines().any(|line| failure(&line)),
        "{words:?}: {}",
        ran.shown()
    );
}

#[test]
fn goldens_with_their_manifest_are_whole() {
    let bench = goldens();
    let ran = bench.run("golden --check");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let ran = bench.run("verify");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let sentence = "golden/MANIFEST: 9 files with 12 records, 0 failures";
    assert_eq!(ran.stdout.lines().last(), Some(sentence));
    assert!(!ran.stderr.contains("MANIFEST"), "{}", ran.stderr);
    // Of a part only that part must be there.
    let ran = bench.run("verify golden/problems/a golden/trajectories/slide.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let sentence = "golden/MANIFEST: 3 files with 3 records, 0 failures";
    assert_eq!(ran.stdout.lines().last(), Some(sentence));
    let json = bench.run("verify golden/trajectories --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["manifest"]["records"], 3, "{json}");
    assert_eq!(json["failures"], serde_json::json!([]), "{json}");
}

#[test]
fn a_dropped_record_is_named_wherever_it_stood() {
    for file in [
        "golden/problems/generated/murty.jsonl",
        "golden/scenes/stack.jsonl",
    ] {
        let bench = goldens();
        let name = name_of(&bench, file, 1);
        drop_line(&bench, file, 1);
        let quoted = format!("{name:?} is missing");
        for path in [
            "",
            file,
            Path::new(file).parent().unwrap().to_str().unwrap(),
        ] {
            is_noticed(&bench.run(&format!("verify {path}")), &[file, &quoted]);
        }
        assert_eq!(bench.run("verify golden/problems/a").status, 0);
        let json = bench.run(&format!("verify {file} --json")).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let failure = &json["failures"][0];
        assert_eq!(
            (&failure["file"], &failure["name"]),
            (&file.into(), &name.into())
        );
        assert_eq!(failure["place"], "manifest");
    }
}

#[test]
fn a_dropped_renamed_or_added_file_is_named() {
    let bench = goldens();
    let at = |file: &str| bench.path().join(file);
    fs::remove_file(at("golden/trajectories/slide.jsonl")).unwrap();
    for path in ["golden/trajectories", "golden"] {
        let ran = bench.run(&format!("verify {path}"));
        is_noticed(
            &ran,
            &["golden/trajectories/slide.jsonl", "the file is missing"],
        );
    }
    let bench = goldens();
    let at = |file: &str| bench.path().join(file);
    fs::rename(
        at("golden/problems/a/two.json"),
        at("golden/problems/a/three.json"),
    )
    .unwrap();
    is_noticed(
        &bench.run("verify"),
        &[
            "golden/problems/a/three.json",
            "lists the file as problems/a/two.json",
        ],
    );
    fs::copy(
        at("golden/problems/a/three.json"),
        at("golden/problems/a/two.json"),
    )
    .unwrap();
    // Two records of one name are an error, and the file that is not listed is named.
    let ran = bench.run("verify");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(
        ran.stdout.contains("the manifest does not list the file"),
        "{}",
        ran.stdout
    );
    let bench = goldens();
    let file = "golden/problems/a/one.json";
    bench.write(file, bench.read(file).replace("a/one", "a/eins"));
    let ran = bench.run("verify golden/problems");
    is_noticed(&ran, &[file, "\"a/one\" is missing"]);
    is_noticed(&ran, &[file, "\"a/eins\" is not listed"]);
}

/// Also what proves itself, and what nothing else checks.
#[test]
fn a_changed_record_is_named() {
    for (file, from, to) in [
        (
            "golden/problems/generated/recipe.json",
            "\"seed\": 1",
            "\"seed\": 2",
        ),
        ("golden/scenes/recipe.json", "\"2\"", "\"3\""),
    ] {
        let bench = goldens();
        bench.write(file, bench.read(file).replace(from, to));
        is_noticed(&bench.run("verify"), &[file, "its text has changed"]);
    }
}

#[test]
fn two_scenes_of_one_name_are_a_failure() {
    let bench = goldens();
    bench.write("copy/a.jsonl", bench.read("golden/scenes/stack.jsonl"));
    assert_eq!(bench.run("verify copy").status, 0);
    bench.write("copy/b.jsonl", bench.read("golden/scenes/stack.jsonl"));
    is_noticed(
        &bench.run("verify copy"),
        &["copy/b.jsonl:1", "name: it is that of copy/a.jsonl:1"],
    );
}

#[test]
fn the_manifest_is_derived_and_compared_like_every_golden() {
    let bench = goldens();
    let sound = bench.read("golden/MANIFEST");
    // A part of it, where a part is derived.
    bench.write(
        "golden/problems/a/one.json",
        r#"{"name": "a/one", "M": [[1]], "q": [-3]}"#,
    );
    assert_eq!(bench.run("golden golden/problems/a/one.json").status, 0);
    let now = bench.read("golden/MANIFEST");
    let changed = sound.lines().zip(now.lines()).filter(|(a, b)| a != b);
    assert_eq!(changed.count(), 1, "{now}");
    assert_eq!(bench.run("verify").status, 0);
    let cut = now.lines().take(4).collect::<Vec<_>>().join("\n");
    bench.write("golden/MANIFEST", cut);
    let ran = bench.run("verify golden/trajectories");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("golden/MANIFEST: line "),
        "{}",
        ran.stderr
    );
    let ran = bench.run("golden --check");
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (1, "golden/MANIFEST would change\n")
    );
    assert_eq!(bench.run("golden").status, 0);
    assert_eq!(bench.read("golden/MANIFEST"), now);
}

#[test]
fn folders_without_a_manifest_are_verified_with_a_word_about_it() {
    let bench = Workbench::new();
    bench.write("mine/p.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    let ran = bench.run("verify mine");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let about = ran.stderr.lines().filter(|line| line.contains("MANIFEST"));
    assert_eq!(about.count(), 1, "{}", ran.stderr);
    assert_eq!(bench.run("verify mine --quiet").stderr, "");
    assert_eq!(bench.run("golden mine").status, 0);
    assert!(!bench.path().join("mine/MANIFEST").exists());
    // Whoever wants one begins it.
    bench.write("mine/MANIFEST", "etalon-manifest/1\n");
    assert_eq!(bench.run("verify mine").status, 1);
    assert_eq!(bench.run("golden mine").status, 0);
    let ran = bench.run("verify mine/p.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    assert!(
        ran.stdout.contains("mine/MANIFEST: 1 files with 1 records"),
        "{}",
        ran.stdout
    );
}

/// M = (1), q = -1 has the solution 1, and is not perturbed, whatever its record says.
#[test]
fn a_false_perturbed_is_refused_with_the_solution() {
    let bench = Workbench::new();
    let lie = r#"{"format":"etalon-problem/1","name":"lie","M":[[1]],"q":[-1],"expect":{"status":"perturbed","solutions":[],"unique":null,"answer":{"z":[1],"backward_error":0}}}"#;
    bench.write("golden/problems/lie/identity.jsonl", lie);
    is_noticed(
        &bench.run("verify golden/problems/lie"),
        &[
            "golden/problems/lie/identity.jsonl:1: record \"lie\"",
            "expect.status is perturbed, but z = (1) solves it",
        ],
    );
}

/// A header's parameters say how long a run is, and its steps are as many.
#[test]
fn a_length_that_no_step_uses_is_refused() {
    let bench = Workbench::new();
    for (file, from, to) in [
        ("corner-et-beside", r#""steps":"8""#, r#""steps":"80""#),
        ("rod-0.02", r#""duration":"1""#, r#""duration":"2""#),
    ] {
        let golden = format!(
            "{}/../../golden/trajectories/{file}.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = fs::read_to_string(golden).unwrap();
        assert!(text.contains(from));
        bench.write("t.jsonl", text.replacen(from, to, 1));
        let ran = bench.run("verify t.jsonl");
        assert_eq!(ran.status, 1, "{}", ran.shown());
        assert!(
            ran.stderr.contains("t.jsonl:1: steps is "),
            "{}",
            ran.shown()
        );
    }
    // The command's own flag says so in the parameter.
    for (scene, length) in [
        ("incline", r#""steps":"7""#),
        ("rod --set h=1/50", r#""duration":"7/50""#),
    ] {
        let ran = bench.run(&format!("scenario run {scene} --steps 7 --out own.jsonl"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(bench.read("own.jsonl").contains(length));
        let ran = bench.run("verify own.jsonl");
        assert_eq!(ran.status, 0, "{}", ran.shown());
    }
}

#[test]
fn the_manifest_of_the_repository_is_that_of_its_goldens() {
    let golden = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden"));
    let listed = fs::read_to_string(golden.join(MANIFEST)).unwrap();
    let place = manifest_place(&golden).unwrap();
    let mut found = Manifest::default();
    for file in files::listed_files(std::slice::from_ref(&golden)).unwrap() {
        let text = fs::read_to_string(&file).unwrap();
        found.insert(&place.path_of(&golden, &file), &text);
    }
    let listed = Manifest::read(&listed).unwrap();
    assert_eq!(listed.differences(&found), []);
    assert!(found.records() > 1300, "{}", found.records());
}
