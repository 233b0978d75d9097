//! `etalon check`: a verdict per claim, and what each kind of claim gets.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

/// The smallest problem that a widely used solver gets wrong, one without a solution, one whose
/// linear inequalities are feasible but that has none either, and one with many.
const PROBLEMS: &str = r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}
{"name": "empty", "M": [[0, 0], [0, 0]], "q": [-1, 1]}
{"name": "none", "M": [[0, 1], [0, 0]], "q": [-1, "1/2"]}
{"name": "many", "M": [[1, 1], [1, 1]], "q": [-1, -1]}
"#;

fn bench(claims: &str) -> Workbench {
    let bench = Workbench::new();
    bench.write("p.jsonl", PROBLEMS);
    bench.write("c.jsonl", claims);
    bench
}

#[test]
fn a_rejected_claim_is_shown_what_is_right() {
    let bench = bench(r#"{"name": "tie", "status": "solved", "z": [0, 0]}"#);
    bench.write("tie.json", PROBLEMS.lines().next().unwrap());
    let ran = bench.run("check tie.json c.jsonl --prove");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn verdicts_come_in_the_order_of_the_claims() {
    let bench = bench(
        r#"{"name": "many", "status": "solved", "z": ["1/2", 0.5]}
{"name": "none", "status": "unsolvable"}
{"name": "empty", "status": "unsolvable", "certificate": {"kind": "farkas", "y": [1, 0]}}
{"name": "tie", "status": "solved", "z": [1e-17, 0.75]}
"#,
    );
    let ran = bench.run("check p.jsonl c.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn every_verdict_that_is_not_accepted_ends_with_1() {
    for (claim, verdict) in [
        (
            r#"{"name": "NAME", "status": "solved", "z": [0, 1]}"#,
            "rejected",
        ),
        (
            r#"{"name": "NAME", "status": "solved", "z": [-1, 0]}"#,
            "rejected",
        ),
        (
            r#"{"name": "NAME", "status": "solved", "z": [1]}"#,
            "failed",
        ),
        (r#"{"name": "NAME", "status": "failed"}"#, "failed"),
        (r#"{"name": "NAME", "status": "unsolvable"}"#, "refuted"),
        ("", "failed"),
    ] {
        let bench = bench(&claim.replace("NAME", "p"));
        bench.write(
            "one.jsonl",
            r#"{"name": "p", "M": [[2, 0], [0, 2]], "q": [-2, -4]}"#,
        );
        let ran = bench.run("check one.jsonl c.jsonl");
        assert_eq!(ran.status, 1, "{claim}: {}", ran.stderr);
        let found = format!(r#""verdict":"{verdict}""#);
        assert!(ran.stdout.contains(&found), "{claim}: {}", ran.stdout);
    }
}

#[test]
fn perturbed_is_accepted_where_the_record_or_the_user_expects_it() {
    // w_1 = z_1 - z_2 - 1 and w_2 = -z_1 + z_2 + 1 - 1e-12 cannot both be 0, and z = (1, 0)
    // misses by 1e-12 only.
    let record = |expect: &str| {
        format!(r#"{{"name": "p", "M": [[1, -1], [-1, 1]], "q": [-1, "0.999999999999"]{expect}}}"#)
    };
    let bench = bench(r#"{"name": "p", "status": "solved", "z": [1, 0]}"#);
    bench.write("bare.jsonl", record(""));
    let verdict = |arguments: &str| {
        let ran = bench.run(arguments);
        let word = ran.stdout.split(r#""verdict":""#).nth(1).unwrap();
        (ran.status, word.split('"').next().unwrap().to_owned())
    };
    let word = |word: &str| word.to_owned();
    assert_eq!(verdict("check bare.jsonl c.jsonl"), (0, word("accepted")));
    assert_eq!(
        verdict("check bare.jsonl c.jsonl --prove"),
        (1, word("perturbed"))
    );
    let accepting = "check bare.jsonl c.jsonl --prove --accept-perturbed";
    assert_eq!(verdict(accepting), (0, word("perturbed")));
    bench.write(
        "told.jsonl",
        record(
            r#", "expect": {"status": "perturbed", "certificate": {"kind": "farkas", "y": [1, 1]},
            "answer": {"z": [1, 0], "backward_error": 1e-12}}"#,
        )
        .replace('\n', " "),
    );
    assert_eq!(verdict("check told.jsonl c.jsonl"), (0, word("perturbed")));
    assert_eq!(
        verdict("check told.jsonl c.jsonl --tol 1e-13"),
        (1, word("rejected"))
    );
}

#[test]
fn an_expectation_that_does_not_hold_is_an_input_error() {
    let bench = bench(r#"{"name": "p", "status": "solved", "z": [1]}"#);
    let expect = r#"{"status": "solvable", "solutions": [[2]]}"#;
    bench.write(
        "one.jsonl",
        format!(r#"{{"name": "p", "M": [[1]], "q": [-1], "expect": {expect}}}"#),
    );
    let ran = bench.run("check one.jsonl c.jsonl");
    assert_eq!(ran.status, 2);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn a_proof_out_of_reach_is_said_to_be_so() {
    let bench = bench(r#"{"name": "none", "status": "unsolvable"}"#);
    bench.write("one.jsonl", PROBLEMS.lines().nth(2).unwrap());
    let ran = bench.run("check one.jsonl c.jsonl --pivots 0");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn the_summary_is_for_programs_on_demand() {
    let bench = bench(r#"{"name": "tie", "status": "solved", "z": [0, "3/4"]}"#);
    let ran = bench.run("check p.jsonl c.jsonl --json");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stderr);
    assert_eq!(bench.run("check p.jsonl c.jsonl --quiet").stderr, "");
}

#[test]
fn either_file_may_be_standard_input() {
    let bench = bench(r#"{"name": "tie", "status": "solved", "z": [0, 0.75]}"#);
    let tie = PROBLEMS.lines().next().unwrap();
    assert_eq!(bench.run_with("check - c.jsonl", tie).status, 0);
    bench.write("tie.jsonl", tie);
    let claims = bench.read("c.jsonl");
    assert_eq!(bench.run_with("check tie.jsonl -", &claims).status, 0);
}

#[test]
fn the_distance_is_to_the_nearest_of_all_solutions() {
    let distance = |claim: &str| {
        let bench = bench(claim);
        let ran = bench.run("check p.jsonl c.jsonl --prove");
        let after = ran.stdout.split(r#""distance":"#).nth(1).map(str::to_owned);
        after.map(|rest| rest.split([',', '}']).next().unwrap().to_owned())
    };
    // z_1 + z_2 = 1: the solver's point is no vertex, but a solution; the next is near one.
    let on = r#"{"name": "many", "status": "solved", "z": [0.5, 0.5]}"#;
    assert_eq!(distance(on).as_deref(), Some("0"));
    let near = r#"{"name": "many", "status": "solved", "z": [0.5, 0.5000000000001]}"#;
    // Not all solutions are listed: the distance is that of the nearest known, an upper bound.
    assert!(distance(near).is_some());
    // The solution is (0, 3/4), where both rows hold 3/2.
    let unique = r#"{"name": "tie", "status": "solved", "z": [0, 0]}"#;
    assert_eq!(distance(unique).as_deref(), Some("0.5"));
}

#[test]
fn a_claim_refuted_by_its_own_certificate_is_shown_a_solution() {
    let bench = bench(
        r#"{"name": "tie", "status": "unsolvable", "certificate": {"kind": "p-matrix", "proof": "principal-minors"}}"#,
    );
    let ran = bench.run("check p.jsonl c.jsonl");
    assert!(
        ran.stdout.contains(r#""verdict":"refuted""#),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("it has the exact solution z = (0, 3/4)"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_record() {
    let bench = bench(r#"{"name": "tie", "status": "solved", "z": [0, 0.75]}"#);
    bench.write(
        "tie.jsonl",
        format!("\u{feff}{}", PROBLEMS.lines().next().unwrap()),
    );
    assert_eq!(bench.run("check tie.jsonl c.jsonl").status, 0);
}

#[test]
fn a_claim_that_cannot_be_read_has_failed_and_its_verdict_says_why() {
    for (claim, why) in [
        (
            r#"{"name": "tie", "status": "solved", "z": ["nan", 1]}"#,
            "z[0]",
        ),
        (
            r#"{"name": "tie", "status": "solved", "z": [NaN, 1]}"#,
            "z[0]",
        ),
        (
            r#"{"name": "tie", "status": "solved", "z": [1e999, 1]}"#,
            "z[0]",
        ),
        (
            r#"{"name": "tie", "status": "solved", "z": [1, null]}"#,
            "z[1]",
        ),
        (
            r#"{"name": "tie", "status": "solved", "z": [1, "2/0"]}"#,
            "z[1]",
        ),
        (r#"{"name": "tie", "status": "done"}"#, "status"),
    ] {
        let bench = bench(claim);
        bench.write("tie.json", PROBLEMS.lines().next().unwrap());
        let ran = bench.run("check tie.json c.jsonl --quiet");
        assert_eq!(ran.status, 2, "{claim}");
        assert_eq!(ran.stdout.lines().count(), 1, "{claim}: {}", ran.stdout);
        let line: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            (line["name"].as_str(), line["verdict"].as_str()),
            (Some("tie"), Some("failed"))
        );
        let reason = line["reason"].as_str().unwrap();
        let finite = !["nan", "NaN", "1e999", "null"]
            .iter()
            .any(|token| claim.contains(token));
        let what = if finite { "no claim" } else { "not finite" };
        let starts = format!("the answer is {what}: {why}: ");
        assert!(reason.starts_with(&starts), "{claim}: {reason}");
    }
}

/// A line that names no problem is a claim of none: every problem has its verdict all the same, and the line is named.
#[test]
fn problems_without_a_claim_have_failed_also_beside_an_unreadable_line() {
    let right = r#"{"name": "one", "status": "solved", "z": [1]}"#;
    for junk in [
        "junk",
        "{\"name\": \"two\", ",
        "[1, 2]",
        "{\"status\": \"solved\"}",
    ] {
        for (claims, line) in [
            (format!("{right}\n{junk}\n"), 2),
            (format!("{junk}\n{right}\n"), 1),
        ] {
            let bench = Workbench::new();
            bench.write(
                "p.jsonl",
                "{\"name\": \"one\", \"M\": [[1]], \"q\": [-1]}\n{\"name\": \"two\", \"M\": [[1]], \"q\": [-1]}\n",
            );
            bench.write("c.jsonl", &claims);
            let from_file = bench.run("check p.jsonl c.jsonl");
            let from_pipe = bench.run_with("check p.jsonl -", &claims);
            let mut runs = vec![(from_file, format!("error: c.jsonl:{line}: "))];
            // A stream that begins with a part of an object is one record on several lines.
            if line > 1 || !junk.ends_with(", ") {
                runs.push((from_pipe, format!("error: standard input:{line}: ")));
            }
            for (ran, origin) in runs {
                assert_eq!(ran.status, 2, "{claims}: {}", ran.shown());
                let mut verdicts: Vec<serde_json::Value> = (ran.stdout.lines())
                    .map(|line| serde_json::from_str(line).unwrap())
                    .collect();
                verdicts.sort_by_key(|verdict| verdict["name"].to_string());
                let told: Vec<_> = (verdicts.iter())
                    .map(|verdict| (verdict["name"].as_str(), verdict["verdict"].as_str()))
                    .collect();
                let expected = [(Some("one"), Some("exact")), (Some("two"), Some("failed"))];
                assert_eq!(told, expected, "{claims}: {}", ran.shown());
                // A line that is cut short may still say whose it is.
                let reason = verdicts[1]["reason"].as_str().unwrap();
                let known = reason == "no claim" || reason.starts_with("the answer is no claim");
                assert!(known, "{claims}: {reason}");
                assert!(ran.stderr.contains(&origin), "{claims}: {}", ran.shown());
                assert!(
                    ran.stderr.contains("1 of 2 accepted"),
                    "{claims}: {}",
                    ran.shown()
                );
            }
        }
    }
}
