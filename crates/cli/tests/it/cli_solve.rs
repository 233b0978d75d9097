//! `etalon solve`, `gen` and `schema`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{Workbench, without_times};

const PROBLEMS: &str = r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}
{"name": "none", "M": [[0, 1], [0, 0]], "q": [-1, "1/2"]}
{"name": "box", "M": [[1]], "q": [-5], "lower": [-1], "upper": [2]}
{"name": "two", "M": [[1, 2], [2, 1]], "q": [-1, -1]}
"#;

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("p.jsonl", PROBLEMS);
    bench
}

#[test]
fn every_method_answers_with_a_claim_per_problem() {
    let bench = bench();
    let mut shown = String::new();
    for method in [
        "certified",
        "exact-lemke",
        "exact-dantzig",
        "exact-least-index",
        "enumerate",
    ] {
        let ran = bench.run(&format!("solve --method {method} p.jsonl"));
        assert_eq!(ran.stdout.lines().count(), 4);
        shown += &format!(
            "{method}: exit {}\n{}{}",
            ran.status, ran.stdout, ran.stderr
        );
    }
    // How a method gets there is its own tests' business.
    let filters = vec![
        (r#""basis":"[01]+","#, ""),
        (r#""pivots":\d+,"#, ""),
        (r#""seconds":[^,}]+"#, r#""seconds":TIME"#),
    ];
    insta::with_settings!({filters => filters}, {
        insta::assert_snapshot!(shown);
    });
}

#[test]
fn the_default_is_certified_and_never_gives_up_here() {
    let bench = bench();
    let ran = bench.run("solve p.jsonl");
    assert_eq!(ran.status, 0);
    let explicit = bench.run("solve -m certified p.jsonl").stdout;
    assert_eq!(without_times(&ran.stdout), without_times(&explicit));
}

#[test]
fn running_out_of_budget_is_a_failed_claim_and_exit_1() {
    let bench = bench();
    let ran = bench.run("solve --pivots 0 p.jsonl");
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains(r#""status":"failed""#));
    assert!(ran.stdout.contains("the budget of 0 pivots ran out"));
}

#[test]
fn several_files_make_one_stream_of_unique_names() {
    let bench = bench();
    bench.write(
        "q.json",
        "{\n  \"name\": \"single\",\n  \"M\": [[1]],\n  \"q\": [-1]\n}\n",
    );
    let ran = bench.run("solve p.jsonl q.json");
    assert_eq!((ran.status, ran.stdout.lines().count()), (0, 5));
    let ran = bench.run("solve p.jsonl p.jsonl");
    assert_eq!((ran.status, ran.stdout.lines().count()), (2, 4));
    assert!(
        ran.stderr
            .starts_with("error: p.jsonl:1: record \"tie\": the name is taken")
    );
}

#[test]
fn same_arguments_give_the_same_problems() {
    let bench = Workbench::new();
    let first = bench.run("gen p --n 4 --count 3 --seed 5");
    assert_eq!((first.status, first.stdout.lines().count()), (0, 3));
    assert_eq!(
        first.stdout,
        bench.run("gen p --n 4 --count 3 --seed 5").stdout
    );
    assert_ne!(
        first.stdout,
        bench.run("gen p --n 4 --count 3 --seed 6").stdout
    );
    let default = bench.run("gen p --n 4").stdout;
    assert_eq!(default, bench.run("gen p --n 4 --count 1 --seed 1").stdout);
}

#[test]
fn the_families_are_listed() {
    let bench = Workbench::new();
    let table = bench.run("gen --list");
    assert_eq!(table.status, 0);
    assert!(table.stdout.contains("| murty "));
    let json = bench.run("gen --list --json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(listed["families"].as_array().unwrap().len() > 10);
}

#[test]
fn the_version_names_the_arithmetic() {
    let ran = Workbench::new().run("--version");
    assert!(ran.stdout.starts_with("etalon "), "{}", ran.stdout);
    assert!(ran.stdout.contains("(GMP "), "{}", ran.stdout);
}

#[test]
fn every_command_has_an_example() {
    let bench = Workbench::new();
    for command in [
        "",
        "verify",
        "solve",
        "check",
        "gen",
        "golden",
        "schema",
        "completions",
        "man",
    ] {
        let ran = bench.run(&format!("{command} --help"));
        assert_eq!(ran.status, 0, "{command}");
        assert!(ran.stdout.contains("Example: etalon "), "{command}");
    }
}

#[test]
fn a_wall_with_friction_that_one_covering_vector_is_not_enough_for_is_solved() {
    let bench = Workbench::new();
    let problems = bench.run("gen friction-wall --n 300 --count 2 --seed 2");
    bench.write("p.jsonl", &problems.stdout);
    let solved = bench.run("solve --method fast-auto p.jsonl");
    assert_eq!(solved.status, 0, "a failure among the claims");
    bench.write("c.jsonl", &solved.stdout);
    assert_eq!(bench.run("check p.jsonl c.jsonl").status, 0);
}
