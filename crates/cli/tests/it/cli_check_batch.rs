//! `etalon check` over many records: streams, threads, shards, and runs that are taken up again.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use crate::common::Workbench;

const COUNT: usize = 300;

/// z = k solves w = z - k; every seventh claim is wrong.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let problem = |k: usize| format!("{{\"name\": \"p{k}\", \"M\": [[1]], \"q\": [-{k}]}}\n");
    bench.write("p.jsonl", (0..COUNT).map(problem).collect::<String>());
    bench.write("c.jsonl", (0..COUNT).map(claim).collect::<String>());
    bench
}

fn claim(k: usize) -> String {
    let z = if k % 7 == 3 { k + 1 } else { k };
    format!("{{\"name\": \"p{k}\", \"status\": \"solved\", \"z\": [{z}]}}\n")
}

fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().collect()
}

#[test]
fn verdicts_do_not_depend_on_threads_or_on_the_order_of_the_claims() {
    let bench = bench();
    let one = bench.run("check p.jsonl c.jsonl --jobs 1");
    assert_eq!(one.status, 1);
    assert_eq!(one.stdout.lines().count(), COUNT);
    let four = bench.run("check p.jsonl c.jsonl --jobs 4");
    assert_eq!((&four.stdout, &four.stderr), (&one.stdout, &one.stderr));
    bench.write(
        "back.jsonl",
        (0..COUNT).rev().map(claim).collect::<String>(),
    );
    let back = bench.run("check p.jsonl back.jsonl");
    assert!(back.stdout.lines().rev().eq(one.stdout.lines()));
    // From a pipe, problems cannot be read again.
    let piped = bench.run_with("check - back.jsonl", &bench.read("p.jsonl"));
    assert_eq!(piped.stdout, back.stdout);
}

#[test]
fn shards_are_parts_of_the_whole() {
    let bench = bench();
    // One problem without a claim belongs to a shard, too.
    let claims: String = (1..COUNT).map(claim).collect();
    bench.write("c.jsonl", claims);
    let whole = bench.run("check p.jsonl c.jsonl");
    let shards: Vec<_> = (1..=3)
        .map(|k| {
            bench
                .run(&format!("check p.jsonl c.jsonl --shard {k}/3"))
                .stdout
        })
        .collect();
    assert!(shards.iter().all(|shard| shard.lines().count() > COUNT / 6));
    assert_eq!(
        shards
            .iter()
            .map(|shard| shard.lines().count())
            .sum::<usize>(),
        COUNT
    );
    assert_eq!(
        shards
            .iter()
            .flat_map(|shard| lines(shard))
            .collect::<BTreeSet<_>>(),
        lines(&whole.stdout)
    );
    let wrong = bench.run("check p.jsonl c.jsonl --shard 4/3");
    assert_eq!(wrong.status, 2);
}

#[test]
fn a_run_cut_short_is_taken_up_without_loss_or_repetition() {
    let bench = bench();
    let whole = bench.run("check p.jsonl c.jsonl --out whole.jsonl");
    assert_eq!((whole.status, whole.stdout.as_str()), (1, ""));
    let verdicts = bench.read("whole.jsonl");
    for cut in [0, 1, verdicts.len() / 3, verdicts.len() - 1, verdicts.len()] {
        bench.write("part.jsonl", &verdicts[..cut]);
        let again = bench.run("check p.jsonl c.jsonl --out part.jsonl --resume");
        assert_eq!(again.status, 1);
        assert_eq!(bench.read("part.jsonl"), verdicts, "cut at {cut}");
        let last = |text: &str| text.lines().last().map(str::to_owned);
        assert_eq!(last(&again.stderr), last(&whole.stderr));
    }
}

#[test]
fn a_file_of_something_else_is_not_taken_up() {
    let bench = bench();
    let ran = bench.run("check p.jsonl c.jsonl --out c.jsonl");
    assert_eq!(ran.status, 2, "an input must not be overwritten");
    assert_eq!(bench.read("c.jsonl").lines().count(), COUNT);
    bench.write("notes.txt", "not a verdict\n");
    let ran = bench.run("check p.jsonl c.jsonl --out notes.txt --resume");
    assert_eq!(ran.status, 2);
    assert_eq!(bench.read("notes.txt"), "not a verdict\n");
    assert!(ran.stderr.contains("notes.txt:1"), "{}", ran.stderr);
    assert_eq!(bench.run("check p.jsonl c.jsonl --resume").status, 2);
    // A verdict twice, and one of another batch: neither is a part of this run's.
    bench.run("check p.jsonl c.jsonl --out whole.jsonl");
    let whole = bench.read("whole.jsonl");
    let (heading, verdicts) = whole.split_once('\n').unwrap();
    let first = verdicts.lines().next().unwrap();
    bench.write("part.jsonl", format!("{heading}\n{first}\n{first}\n"));
    let ran = bench.run("check p.jsonl c.jsonl --out part.jsonl --resume");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("part.jsonl:3: a second"),
        "{}",
        ran.stderr
    );
    let other = first.replace("\"p0\"", "\"other\"");
    bench.write("part.jsonl", format!("{heading}\n{other}\n"));
    let ran = bench.run("check p.jsonl c.jsonl --out part.jsonl --resume");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("1 of the verdicts"), "{}", ran.stderr);
    assert_eq!(
        bench
            .run("check p.jsonl c.jsonl --out missing/v.jsonl")
            .status,
        2
    );
}

/// Verdicts of anything else must not be counted: what a resumed run says is what a run from
/// nothing would say, or it says nothing.
#[test]
fn verdicts_of_other_inputs_or_options_are_not_taken_up() {
    let bench = bench();
    let run = "check p.jsonl c.jsonl --out v.jsonl";
    assert_eq!(bench.run(run).status, 1);
    let verdicts = bench.read("v.jsonl");
    let refused = |command: &str, expected: &str| {
        let ran = bench.run(&format!("{command} --resume"));
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
        let told = format!("v.jsonl:1: the verdicts are of another run: {expected}");
        assert!(ran.stderr.contains(&told), "{command}: {}", ran.stderr);
        assert_eq!(bench.read("v.jsonl"), verdicts, "{command}");
    };
    for (option, expected) in [
        (
            "--tol 1e-2",
            "the option tol was 1/1000000000 and is 1/100;",
        ),
        ("--snap 0", "the option snap was 1/1000000000000 and is 0;"),
        (
            "--accept-perturbed",
            "the option accept_perturbed was false and is true;",
        ),
        ("--prove", "the option prove was false and is true;"),
        ("--pivots 7", "the option pivots was "),
        ("--bits 99", "the option bits was "),
        (
            "--time-limit 5s",
            "the option time_limit was not given and is 5.0;",
        ),
        ("--shard 1/2", "the option shard was 1/1 and is 1/2;"),
    ] {
        refused(&format!("{run} {option}"), expected);
    }
    // One digit of one claim, with the same name and length.
    let claims = bench.read("c.jsonl");
    bench.write("c.jsonl", claims.replacen("[299]", "[298]", 1));
    refused(run, "the claims are others (their digest was sha256:");
    bench.write("c.jsonl", claims);
    let problems = bench.read("p.jsonl");
    bench.write("p.jsonl", problems.replacen("[-299]", "[-298]", 1));
    refused(run, "the problems are others (their digest was sha256:");
    bench.write("p.jsonl", problems);
    // Another version may judge otherwise.
    let version = env!("CARGO_PKG_VERSION");
    let own = format!(r#""etalon":"{version}""#);
    assert!(verdicts.contains(&own));
    bench.write("v.jsonl", verdicts.replace(&own, r#""etalon":"0.0.1""#));
    let ran = bench.run(&format!("{run} --resume"));
    assert!(
        ran.status == 2 && ran.stderr.contains("etalon was 0.0.1 and is"),
        "{}",
        ran.stderr
    );
    // The same run, under other names of the same bytes, is taken up.
    bench.write("v.jsonl", &verdicts);
    bench.write("same.jsonl", bench.read("c.jsonl"));
    let ran = bench.run("check p.jsonl same.jsonl --jobs 2 --out v.jsonl --resume");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert_eq!(bench.read("v.jsonl"), verdicts);
}

#[test]
fn verdicts_without_a_heading_are_not_taken_up() {
    let bench = bench();
    bench.run("check p.jsonl c.jsonl --out v.jsonl");
    let verdicts = bench.read("v.jsonl");
    let (_, bare) = verdicts.split_once('\n').unwrap();
    bench.write("bare.jsonl", bare);
    let ran = bench.run("check p.jsonl c.jsonl --out bare.jsonl --resume");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("bare.jsonl:1: not the heading"),
        "{}",
        ran.stderr
    );
    assert_eq!(bench.read("bare.jsonl"), bare);
    // Nor is a file of one line without an end taken for a heading cut short.
    bench.write("notes.txt", "precious");
    let ran = bench.run("check p.jsonl c.jsonl --out notes.txt --resume");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert_eq!(bench.read("notes.txt"), "precious");
}

/// What comes through a pipe is gone when the heading is written.
#[test]
fn a_run_over_a_pipe_cannot_be_taken_up() {
    let bench = bench();
    let problems = bench.read("p.jsonl");
    let piped = bench.run_with("check - c.jsonl --out v.jsonl", &problems);
    assert_eq!(piped.status, 1, "{}", piped.stderr);
    let verdicts = bench.read("v.jsonl");
    assert_eq!(verdicts.lines().count(), COUNT + 1);
    let ran = bench.run_with("check - c.jsonl --out v.jsonl --resume", &problems);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("--resume needs PROBLEMS in a file"),
        "{}",
        ran.stderr
    );
    let ran = bench.run("check p.jsonl c.jsonl --out v.jsonl --resume");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("the problems came through a pipe"),
        "{}",
        ran.stderr
    );
    assert_eq!(bench.read("v.jsonl"), verdicts);
}

#[test]
fn a_damaged_line_costs_no_other() {
    let bench = bench();
    let mut claims: Vec<Vec<u8>> = (0..COUNT).map(|k| claim(k).into_bytes()).collect();
    claims[2] = b"\xff\xfe\0\0\n".to_vec();
    bench.write("c.jsonl", claims.concat());
    let ran = bench.run("check p.jsonl c.jsonl");
    assert_eq!(ran.status, 2);
    assert_eq!(ran.stdout.lines().count(), COUNT);
    assert!(
        ran.stderr.contains("c.jsonl:3: not UTF-8"),
        "{}",
        ran.stderr
    );
}

/// A device has no end, and a hard link to an input is the input.
#[cfg(unix)]
#[test]
fn verdicts_go_to_a_file_of_their_own() {
    let bench = bench();
    for device in ["/dev/full", "/dev/zero"] {
        let ran = bench.run(&format!("check p.jsonl c.jsonl --out {device}"));
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("is no file"), "{}", ran.stderr);
    }
    for input in ["p.jsonl", "c.jsonl"] {
        let before = bench.read(input);
        std::fs::hard_link(bench.path().join(input), bench.path().join("hard")).unwrap();
        let ran = bench.run("check p.jsonl c.jsonl --out hard");
        assert_eq!(ran.status, 2, "{input}");
        assert!(ran.stderr.contains("is an input"), "{}", ran.stderr);
        assert_eq!(bench.read(input), before);
        std::fs::remove_file(bench.path().join("hard")).unwrap();
    }
}
