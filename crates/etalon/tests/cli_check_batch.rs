//! `etalon check` over many records: streams, threads, shards, and runs that are taken up again.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::collections::BTreeSet;

use common::Workbench;

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
    let first = whole.lines().next().unwrap();
    bench.write("part.jsonl", format!("{first}\n{first}\n"));
    let ran = bench.run("check p.jsonl c.jsonl --out part.jsonl --resume");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("part.jsonl:2: a second"),
        "{}",
        ran.stderr
    );
    bench.write("part.jsonl", first.replace("\"p0\"", "\"other\"") + "\n");
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
