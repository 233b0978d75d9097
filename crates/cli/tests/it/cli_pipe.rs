//! Commands in a pipeline.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{ETALON, Ran, Workbench};

fn shell(bench: &Workbench, script: &str) -> Ran {
    let mut shell = Command::new("sh");
    let output = shell
        .args(["-c", &script.replace("etalon", ETALON)])
        .current_dir(bench.path())
        .output();
    output.unwrap().into()
}

#[test]
fn generated_solved_and_checked() {
    let bench = Workbench::new();
    for family in [
        "pd",
        "psd",
        "p",
        "murty",
        "bimatrix",
        "infeasible",
        "no-solution",
        "box",
        "bilateral",
        "friction-box",
    ] {
        let script = format!(
            "etalon gen {family} --n 4 --count 5 > p.jsonl && etalon solve - < p.jsonl > c.jsonl; etalon check p.jsonl c.jsonl --prove"
        );
        let ran = shell(&bench, &script);
        assert_eq!(ran.status, 0, "{family}: {}", ran.stderr);
        assert_eq!(ran.stdout.lines().count(), 5, "{family}");
    }
}

#[test]
fn the_contract_s_pipeline_works_in_a_shell() {
    let bench = Workbench::new();
    let script = "etalon gen murty --n 4 --count 3 | tee p.jsonl | etalon solve - > c.jsonl; etalon check p.jsonl c.jsonl";
    let ran = shell(&bench, script);
    assert_eq!(ran.status, 0);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let bench = Workbench::new();
    let made = shell(
        &bench,
        "etalon gen pd --n 3 --count 2000 > p.jsonl; etalon solve p.jsonl > c.jsonl",
    );
    assert_eq!(made.status, 0);
    for command in [
        "gen pd --n 3 --count 2000",
        "solve p.jsonl",
        "check p.jsonl c.jsonl",
        "schema problem",
        "completions bash",
        "man",
    ] {
        let ran = shell(
            &bench,
            &format!("{{ etalon {command} --quiet; echo $? >&2; }} | head -1"),
        );
        assert_eq!(ran.stdout.lines().count(), 1, "{command}");
        assert_eq!(ran.stderr, "0\n", "{command}");
    }
}

#[test]
fn claims_come_as_soon_as_they_are_there() {
    let bench = Workbench::new();
    let mut solver = bench
        .command("solve -")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut problems = solver.stdin.take().unwrap();
    let mut claims = BufReader::new(solver.stdout.take().unwrap());
    for k in 0..3 {
        writeln!(problems, r#"{{"name": "p{k}", "M": [[1]], "q": [-1]}}"#).unwrap();
        // The answer to each comes before the next problem is sent.
        let mut claim = String::new();
        claims.read_line(&mut claim).unwrap();
        assert!(claim.contains(&format!("\"p{k}\"")), "{claim}");
    }
    drop(problems);
    assert!(solver.wait().unwrap().success());
}

#[test]
fn verdicts_come_as_soon_as_they_are_there() {
    let bench = Workbench::new();
    let problem = |k: u32| format!("{{\"name\": \"p{k}\", \"M\": [[1]], \"q\": [-1]}}\n");
    bench.write("p.jsonl", (0..3).map(problem).collect::<String>());
    let mut check = bench
        .command("check p.jsonl - --quiet")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut claims = check.stdin.take().unwrap();
    let mut verdicts = BufReader::new(check.stdout.take().unwrap());
    for k in 0..3 {
        writeln!(
            claims,
            r#"{{"name": "p{k}", "status": "solved", "z": [1]}}"#
        )
        .unwrap();
        let mut verdict = String::new();
        verdicts.read_line(&mut verdict).unwrap();
        assert!(verdict.contains(&format!("\"p{k}\"")), "{verdict}");
    }
    drop(claims);
    assert!(check.wait().unwrap().success());
}

#[test]
fn verdicts_have_no_colours_when_piped() {
    let bench = Workbench::new();
    bench.write("junk.jsonl", "junk");
    let ran = bench.run("solve junk.jsonl");
    assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}

#[test]
fn a_pipe_with_a_name_loses_no_record() {
    let bench = Workbench::new();
    let script = "etalon gen pd-int --n 4 --count 200 > p.jsonl; \
                  cat p.jsonl | etalon solve --quiet /dev/stdin > c.jsonl; wc -l < c.jsonl";
    let ran = shell(&bench, script);
    assert_eq!(ran.stdout.trim(), "200", "{}", ran.stderr);
}

#[test]
fn a_short_text_of_many_rows_ends_in_a_verdict() {
    let bench = Workbench::new();
    let n = 1_000_000;
    let q = vec!["-1"; n].join(",");
    let m = format!(r#"{{"shape":[{n},{n}],"entries":[[0,0,1]]}}"#);
    bench.write("p.json", format!(r#"{{"name":"wide","M":{m},"q":[{q}]}}"#));
    bench.write("c.jsonl", r#"{"name":"wide","status":"unsolvable"}"#);
    let ran = bench.run("check p.json c.jsonl --quiet");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("\"unproved\""), "{}", ran.stdout);
}

#[test]
fn a_stated_truth_needs_no_proof_in_a_check() {
    let bench = Workbench::new();
    let m = r#""M":[[1,-1],[-1,1]],"q":[-1,"0.999999999999"]"#;
    for (status, claim, verdict) in [
        ("perturbed", r#""status":"solved","z":[2,1]"#, "perturbed"),
        ("unsolvable", r#""status":"unsolvable""#, "proved"),
    ] {
        bench.write(
            "p.jsonl",
            format!(r#"{{"name":"x",{m},"expect":{{"status":"{status}"}}}}"#),
        );
        bench.write("c.jsonl", format!(r#"{{"name":"x",{claim}}}"#));
        let ran = bench.run("check p.jsonl c.jsonl --quiet");
        assert_eq!(ran.status, 0, "{status}: {} {}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(verdict), "{status}: {}", ran.stdout);
    }
}

/// More than a pipe holds: who writes it waits until it is read.
#[test]
fn one_program_fills_two_pipes_one_after_the_other() {
    let bench = Workbench::new();
    let made = shell(
        &bench,
        "etalon gen murty --n 2 --count 1500 > p.jsonl; etalon solve p.jsonl --method fast-auto > c.jsonl; mkfifo p c",
    );
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert!(bench.read("p.jsonl").len().min(bench.read("c.jsonl").len()) > 128 << 10);
    for order in [
        "cat c.jsonl > c; cat p.jsonl > p",
        "cat p.jsonl > p; cat c.jsonl > c",
    ] {
        let script = format!(
            "({order}) & timeout 60 etalon check p c --quiet > v.jsonl; status=$?; kill $! 2> /dev/null; exit $status"
        );
        let ran = shell(&bench, &script);
        assert_eq!(ran.status, 0, "{order}: {}", ran.stderr);
        assert_eq!(bench.read("v.jsonl").lines().count(), 1500);
    }
}

#[test]
fn junk_in_one_of_two_pipes_is_told() {
    let bench = Workbench::new();
    let ran = shell(
        &bench,
        "mkfifo c; (printf '\\000x\\n' > c) & etalon check - c < /dev/null",
    );
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("error: c:1: not a text file"),
        "{}",
        ran.stderr
    );
}

/// A damaged first line of claims costs no other; UTF-16 is no text.
#[test]
fn a_first_claim_that_is_no_text_costs_that_claim_alone() {
    let bench = Workbench::new();
    let problems = bench.run("gen pd --n 3 --count 3 --seed 1").stdout;
    bench.write("p.jsonl", &problems);
    let claims = bench.run("solve p.jsonl").stdout;
    let mut damaged = vec![0xff, 0xfe];
    damaged.extend(claims.bytes());
    bench.write("c.jsonl", &damaged);
    let ran = bench.run("check p.jsonl c.jsonl");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert_eq!(
        ran.stdout
            .lines()
            .filter(|own| own.contains("\"exact\""))
            .count(),
        2,
        "{}",
        ran.shown()
    );
    assert!(
        ran.stderr.contains("c.jsonl:1: not UTF-8 text"),
        "{}",
        ran.stderr
    );
    let wide: Vec<u8> = claims.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bench.write("w.jsonl", [&[0xff, 0xfe], &wide[..]].concat());
    let ran = bench.run("check p.jsonl w.jsonl");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(ran.stderr.contains("not a text file"), "{}", ran.stderr);
}
