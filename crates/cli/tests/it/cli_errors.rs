//! Bad input: exit 2, quickly, in little memory, with one sentence that names the place.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::{Duration, Instant};

use crate::common::{Ran, Workbench};

/// Long enough for an unoptimised build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the issue list of bad input names, as (file, content).
fn bad_problems() -> Vec<(&'static str, Vec<u8>)> {
    let scalar = |token: &str| format!(r#"{{"name": "bad", "M": [[{token}]], "q": [-1]}}"#);
    let text = |name, content: String| (name, content.into_bytes());
    let digits = "7".repeat(3_000_000);
    let deep = "[".repeat(200_000);
    vec![
        text("nan.jsonl", scalar("NaN")),
        text("nan-string.jsonl", scalar(r#""nan""#)),
        text("infinity.jsonl", scalar(r#""inf""#)),
        text("1e999.jsonl", scalar("1e999")),
        text("1e999999999.jsonl", scalar("1e999999999")),
        text("1e-999999999.jsonl", scalar("1e-999999999")),
        text("exact-1e999999999.jsonl", scalar(r#""1e999999999""#)),
        text("exact-1e-999999999.jsonl", scalar(r#""1e-999999999""#)),
        text("digits.jsonl", scalar(&digits)),
        text("exact-digits.jsonl", scalar(&format!("\"{digits}\""))),
        text("zero-denominator.jsonl", scalar(r#""1/0""#)),
        text("word.jsonl", scalar(r#""one""#)),
        text("null.jsonl", scalar("null")),
        text("ragged.jsonl", r#"{"name": "bad", "M": [[1, 2], [3]], "q": [1, 2]}"#.into()),
        text("not-square.jsonl", r#"{"name": "bad", "M": [[1, 2]], "q": [1]}"#.into()),
        text("long-q.jsonl", r#"{"name": "bad", "M": [[1]], "q": [1, 2]}"#.into()),
        text("truncated.jsonl", r#"{"name": "bad", "M": [[1, 2], [3"#.into()),
        text("truncated.json", "{\n  \"name\": \"bad\",\n  \"M\": [[1, 2],".into()),
        text("nested.jsonl", format!(r#"{{"name": "bad", "M": {deep}"#)),
        text(
            "nested-closed.jsonl",
            format!(r#"{{"name": "bad", "M": {deep}{}, "q": [1]}}"#, "]".repeat(200_000)),
        ),
        text("nested-bare.jsonl", deep),
        text(
            "huge-shape.jsonl",
            r#"{"name": "bad", "M": {"shape": [4000000000, 4000000000], "entries": []}, "q": []}"#.into(),
        ),
        text(
            "outside.jsonl",
            r#"{"name": "bad", "M": {"shape": [2, 2], "entries": [[0, 0, 1], [1, 2, 1]]}, "q": [1, 1]}"#.into(),
        ),
        text(
            "crossed.jsonl",
            r#"{"name": "bad", "M": [[1]], "q": [1], "lower": [2], "upper": ["3/2"]}"#.into(),
        ),
        text("no-name.jsonl", r#"{"M": [[1]], "q": [1]}"#.into()),
        text("no-object.jsonl", "[1, 2]".into()),
        text(
            "two-of-one-name.jsonl",
            format!("{}\n{}\n", scalar("1"), scalar("2")),
        ),
        ("junk.jsonl", vec![0x00, 0xff, 0x80, 0x0a, 0x7f, 0x45, 0x4c, 0x46]),
        ("junk.json", vec![0xff; 100_000]),
        text("empty.jsonl", String::new()),
        text("empty.json", String::new()),
        text("second-line.jsonl", format!("{}\n{}\n", r#"{"name": "good", "M": [[1]], "q": [1]}"#, scalar("{}"))),
    ]
}

/// Enough for the program, too little for what the numbers below would take if believed (KiB).
#[cfg(unix)]
const MEMORY: &str = "ulimit -v 200000";

/// Runs the command with limited memory, where there is a shell to limit it.
fn run(bench: &Workbench, arguments: &str) -> Ran {
    let start = Instant::now();
    #[cfg(unix)]
    let ran = {
        let script = format!("{MEMORY}; exec {} {arguments}", crate::common::ETALON);
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(bench.path());
        Ran::from(shell.output().unwrap())
    };
    #[cfg(not(unix))]
    let ran = bench.run(arguments);
    assert!(start.elapsed() < PATIENCE, "{arguments}: too slow");
    ran
}

#[test]
fn every_bad_problem_is_refused_with_its_place() {
    let bench = Workbench::new();
    bench.write("claims.jsonl", "");
    let mut sentences = String::new();
    for (file, content) in bad_problems() {
        bench.write(file, content);
        let ran = run(&bench, &format!("solve {file}"));
        assert_eq!(ran.status, 2, "{file}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{file}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with(&format!("error: {file}")),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.len() < 400, "{file}: a sentence, not a dump");
        sentences += &ran.stderr;
        let checked = run(&bench, &format!("check --quiet {file} claims.jsonl"));
        assert_eq!((checked.status, checked.stderr), (2, ran.stderr), "{file}");
        let verified = bench.run(&format!("verify --quiet {file}"));
        assert_eq!(verified.status, 2, "{file}");
    }
    insta::assert_snapshot!(sentences);
}

#[test]
fn every_bad_claim_is_refused_with_its_place() {
    let bench = Workbench::new();
    bench.write("p.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    let deep = "[".repeat(200_000);
    let digits = "7".repeat(3_000_000);
    let claims = [
        ("nan", r#"{"name": "p", "status": "solved", "z": [NaN]}"#.to_owned()),
        ("1e999", r#"{"name": "p", "status": "solved", "z": [1e999]}"#.to_owned()),
        ("digits", format!(r#"{{"name": "p", "status": "solved", "z": ["{digits}"]}}"#)),
        ("no-z", r#"{"name": "p", "status": "solved"}"#.to_owned()),
        ("no-status", r#"{"name": "p", "z": [1]}"#.to_owned()),
        ("status", r#"{"name": "p", "status": "done", "z": [1]}"#.to_owned()),
        ("kind", r#"{"name": "p", "status": "unsolvable", "certificate": {"kind": "oath"}}"#.to_owned()),
        ("node", r#"{"name": "p", "status": "unsolvable", "certificate": {"kind": "cover", "nodes": [{"row": 0}]}}"#.to_owned()),
        ("basis", r#"{"name": "p", "status": "solved", "z": [1], "basis": "2"}"#.to_owned()),
        ("nested", format!(r#"{{"name": "p", "status": "solved", "z": {deep}"#)),
        ("other", r#"{"name": "other", "status": "unsolvable"}"#.to_owned()),
        ("twice", "{\"name\": \"p\", \"status\": \"failed\"}\n{\"name\": \"p\", \"status\": \"failed\"}".to_owned()),
    ];
    let mut sentences = String::new();
    for (name, claim) in claims {
        let file = format!("{name}.jsonl");
        bench.write(&file, claim);
        let ran = run(&bench, &format!("check --quiet p.jsonl {file}"));
        assert_eq!(ran.status, 2, "{file}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{file}: {}", ran.stderr);
        assert!(ran.stderr.len() < 400, "{file}: a sentence, not a dump");
        sentences += &ran.stderr;
    }
    insta::assert_snapshot!(sentences);
}

#[test]
fn wrong_usage_and_places_that_are_no_files_end_with_2() {
    let bench = Workbench::new();
    bench.write("p.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    bench.write("c.jsonl", r#"{"name": "p", "status": "solved", "z": [1]}"#);
    bench.write("folder/nothing.txt", "");
    let mut shown = String::new();
    for arguments in [
        "solve missing.jsonl",
        "solve folder",
        "solve --method guess p.jsonl",
        "solve --time-limit 0 p.jsonl",
        "check missing.jsonl c.jsonl",
        "check p.jsonl missing.jsonl",
        "check folder c.jsonl",
        "check p.jsonl folder",
        "check - -",
        "check p.jsonl c.jsonl --tol -1e-9",
        "check p.jsonl c.jsonl --tol 1",
        "check p.jsonl c.jsonl --tol 1e-999999999",
        "check p.jsonl c.jsonl --snap nan",
        "verify missing",
        "verify folder",
        "golden",
        "golden -",
        "golden folder --check",
        "gen nonsense --n 3",
        "gen murty --n 0",
        "schema nonsense",
    ] {
        let ran = bench.run(arguments);
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments}");
        // The remedy may stand on lines of its own: all up to the first empty one.
        let sentence = ran.stderr.split("\n\n").next().unwrap().trim_end();
        shown += &format!("$ etalon {arguments}\n{sentence}\n");
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn what_can_be_read_is_judged_before_the_end_with_2() {
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        "{\"name\": \"a\", \"M\": [[1]], \"q\": [-1]}\nnonsense\n{\"name\": \"b\", \"M\": [[1]], \"q\": [-1]}\n",
    );
    bench.write(
        "c.jsonl",
        "{\"name\": \"b\", \"status\": \"solved\", \"z\": [1]}\nnonsense\n{\"name\": \"a\", \"status\": \"solved\", \"z\": [2]}\n",
    );
    insta::assert_snapshot!(bench.run("check p.jsonl c.jsonl").shown());
    let solved = bench.run("solve p.jsonl");
    assert_eq!(solved.status, 2);
    assert_eq!(solved.stdout.lines().count(), 2);
}

#[test]
fn a_file_of_something_else_does_not_drown_the_terminal() {
    let bench = Workbench::new();
    bench.write("prose.jsonl", "no record\n".repeat(5000));
    let ran = bench.run("solve prose.jsonl");
    assert_eq!(ran.status, 2);
    let last = ran.stderr.lines().last().unwrap();
    assert_eq!(last, "error: and 4900 more like these");
    assert_eq!(ran.stderr.lines().count(), 101);
}

#[test]
fn an_unknown_field_is_warned_about_once_per_file() {
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        "{\"name\": \"a\", \"M\": [[1]], \"q\": [-1], \"lowr\": [0]}\n{\"name\": \"b\", \"M\": [[1]], \"q\": [-1], \"lowr\": [0]}\n",
    );
    let ran = bench.run("solve p.jsonl");
    assert_eq!(ran.status, 0);
    insta::assert_snapshot!(ran.stderr);
    assert_eq!(bench.run("solve --quiet p.jsonl").stderr, "");
}

#[test]
fn empty_files_and_folders_in_the_place_of_files_are_named() {
    let bench = Workbench::new();
    bench.write("empty.jsonl", "\n");
    bench.write("log.jsonl", r#"{"format": "etalon-step/1", "name": "a"}"#);
    std::fs::create_dir(bench.path().join("folder")).unwrap();
    for (arguments, told) in [
        (
            "trajectory check empty.jsonl",
            "empty.jsonl: there is nothing in it, and so no motion",
        ),
        (
            "replay empty.jsonl --solver exact-lemke",
            "there is no trajectory to replay: there is nothing in empty.jsonl",
        ),
        (
            "step check log.jsonl --out folder",
            "folder: cannot write: ",
        ),
        ("scenario run wedge --svg folder", "folder: cannot write: "),
    ] {
        let ran = bench.run(arguments);
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{arguments}: {}", ran.stderr);
    }
}

#[test]
fn json_lines_in_a_file_named_json_are_told_with_the_second_record() {
    let bench = Workbench::new();
    let record = |name: &str| format!(r#"{{"name": "{name}", "M": [[1]], "q": [-1]}}"#);
    let [one, two] = ["one", "two"].map(record);
    bench.write("lines.json", format!("{one}\n{two}\n"));
    let told = "error: lines.json:2: a second record begins here, and a file named .json holds one: name it .jsonl, with a record a line\n";
    assert_eq!(bench.run("solve lines.json").stderr, told);
    assert!(bench.run("verify lines.json").stderr.contains(told));
    // Lines of one record may begin so, and a record may end behind them.
    bench.write("spread.json", "{\"name\": \"one\", \"q\": [-1], \"M\":\n{\"shape\": [1, 1], \"entries\": [[0, 0, 1]]}\n}\n\n");
    assert_eq!(bench.run("solve --quiet spread.json").status, 0);
}
