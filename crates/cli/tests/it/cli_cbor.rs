//! Records in CBOR: the same verdicts as in JSON, and what is said where the bytes are broken.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;

use crate::common::terminal;
use crate::common::{Ran, Workbench};

/// More than are judged at once, so that some are read while others are judged.
const COUNT: usize = 2_100;

/// Problems and claims in both forms: `p.json`, `p.cbor`, `c.json` and `c.cbor`, but for names of lines.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let keep = |arguments: &str, name: &str| {
        let output = bench.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments}");
        fs::write(bench.path().join(name), output.stdout).unwrap();
    };
    let problems = format!("gen degenerate --n 3 --count {COUNT}");
    keep(&problems, "p.jsonl");
    keep(&format!("{problems} --cbor"), "p.cbor");
    keep("solve p.jsonl --method fast-auto", "c.jsonl");
    // Its problems come from the other form.
    keep("solve p.cbor --method fast-auto --cbor", "c.cbor");
    bench
}

fn verdicts(ran: &Ran) -> (i32, usize, &str) {
    (ran.status, ran.stdout.lines().count(), &ran.stderr)
}

#[test]
fn both_forms_have_the_same_verdicts() {
    let bench = bench();
    let json = bench.run("check p.jsonl c.jsonl --jobs 1");
    assert_eq!(verdicts(&json).1, COUNT, "{}", json.stderr);
    for arguments in [
        "check p.cbor c.cbor --jobs 1",
        "check p.cbor c.cbor --jobs 3",
        "check p.cbor c.jsonl --jobs 2",
        "check p.jsonl c.cbor --jobs 2",
    ] {
        let other = bench.run(arguments);
        assert_eq!(other.stdout, json.stdout, "{arguments}");
        assert_eq!(verdicts(&other), verdicts(&json), "{arguments}");
    }
    // Claims backwards: problems in a file of CBOR are read again.
    let lines: Vec<_> = bench
        .read("c.jsonl")
        .lines()
        .rev()
        .map(|own| format!("{own}\n"))
        .collect();
    bench.write("back.jsonl", lines.concat());
    let back = bench.run("check p.cbor back.jsonl");
    assert!(back.stdout.lines().rev().eq(json.stdout.lines()));
    // A file that was cut short goes on where it was.
    let whole = bench.run("check p.cbor c.cbor --out v.jsonl");
    assert_eq!(whole.status, json.status);
    let written = bench.read("v.jsonl");
    bench.write("v.jsonl", &written[..written.len() / 2]);
    bench.run("check p.cbor c.cbor --out v.jsonl --resume");
    assert_eq!(bench.read("v.jsonl"), written);
}

#[test]
fn what_follows_broken_bytes_is_not_read() {
    let bench = bench();
    let claims = fs::read(bench.path().join("c.cbor")).unwrap();
    bench.write("cut.cbor", &claims[..claims.len() - 3]);
    let cut = bench.run("check p.cbor cut.cbor");
    assert_eq!(cut.status, 2);
    let told = format!("cut.cbor:{COUNT}: the record ends too early; is the file truncated?");
    assert!(cut.stderr.contains(&told), "{}", cut.stderr);
    assert_eq!(
        cut.stdout
            .lines()
            .filter(|own| own.contains("\"failed\""))
            .count(),
        1
    );
    let problems = fs::read(bench.path().join("p.cbor")).unwrap();
    bench.write("junk.cbor", [&problems[..], b"\xff\xff"].concat());
    let junk = bench.run("solve junk.cbor --method fast-auto");
    assert_eq!((junk.status, junk.stdout.lines().count()), (2, COUNT));
    let told = format!(
        "junk.cbor:{}: no CBOR: a break where nothing is open at byte 0",
        COUNT + 1
    );
    assert!(junk.stderr.contains(&told), "{}", junk.stderr);
}

#[test]
fn a_terminal_gets_no_cbor() {
    let bench = Workbench::new();
    let words = ["gen", "degenerate", "--n", "3", "--cbor"];
    let (status, shown) = terminal::run(&bench, &[], &words);
    assert_eq!(status, 2);
    assert!(
        shown.contains("CBOR is not for terminals; send it to a file"),
        "{shown}"
    );
}

#[test]
fn an_input_in_the_other_form_is_named_for_what_it_is() {
    let bench = Workbench::new();
    let json = bench.run("gen degenerate --n 3 --count 1").stdout;
    // {"format": "etalon-step/1", "name": "a"}: a step without anything to judge.
    let step = b"\xa2\x66format\x6detalon-step/1\x64name\x61a";
    bench.write("cbor-json", [&step[..], json.as_bytes()].concat());
    bench.write("json-cbor", [json.as_bytes(), &step[..]].concat());
    bench.write("step.cbor", step);
    bench.write("step.json", step);
    let mixed = ":2: records in JSON and in CBOR stand in one input: give each an input of its own";
    for (arguments, told) in [
        ("solve cbor-json", format!("cbor-json{mixed}")),
        ("solve json-cbor", format!("json-cbor{mixed}")),
        (
            "scenario run step.cbor",
            "step.cbor: it is CBOR; a scene is JSON text".to_owned(),
        ),
        (
            "scenario run step.json",
            "step.json: it is CBOR; a scene is JSON text".to_owned(),
        ),
        (
            "report --from step.cbor --out r.html",
            "step.cbor:1: no JSON object (it is CBOR)".to_owned(),
        ),
    ] {
        let ran = bench.run(arguments);
        assert_eq!(ran.status, 2, "{arguments}");
        assert!(ran.stderr.contains(&told), "{arguments}: {}", ran.stderr);
    }
    // Steps are read in both forms.
    bench.write("step.jsonl", r#"{"format": "etalon-step/1", "name": "a"}"#);
    let [cbor, json] = ["step.cbor", "step.jsonl"].map(|file| {
        let ran = bench.run(&format!("trajectory check {file}"));
        let place = |text: &str| text.replace(file, "FILE");
        (ran.status, place(&ran.stdout), place(&ran.stderr))
    });
    assert_eq!(cbor, json);
    assert!(!cbor.2.contains("--map"), "{cbor:?}");
}

#[test]
fn goldens_are_json_and_files_in_cbor_stay_what_they_are() {
    let bench = Workbench::new();
    let problem = bench
        .command("gen pd --n 2 --cbor")
        .output()
        .unwrap()
        .stdout;
    bench.write("h.cbor", &problem);
    let ran = bench.run("golden h.cbor");
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("h.cbor: the file holds CBOR, and goldens are JSON"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read(bench.path().join("h.cbor")).unwrap(), problem);
}
