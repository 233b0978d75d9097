//! `etalon diff`: right, wrong, crashing and hanging solvers over the same problems.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{ETALON, Ran, Workbench};

/// A problem with a solution, one without, one in exact numbers, one with a friction row.
fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        r#"{"name": "tie", "M": [[1.5859375, 1], [1, 1]], "q": [-0.75, -0.75]}
{"name": "none", "M": [[0, 1], [0, 0]], "q": [-1, 0.5]}
{"name": "third", "M": [["1/3"]], "q": [-1]}
{"name": "friction", "M": [[1, 0], [0, 1]], "q": [-1, 0.5], "friction": [{"row": 1, "normal": 0, "mu": 1}]}
"#,
    );
    bench
}

fn diff(bench: &Workbench, solver: &str, more: &str) -> Ran {
    let mut command = bench.command("diff --jobs 1 --timeout 2s --solver");
    command.arg(solver).args(more.split_whitespace());
    command.arg("p.jsonl").output().unwrap().into()
}

#[test]
fn a_right_solver_is_accepted_on_all_that_it_is_sent() {
    let bench = bench();
    let ran = diff(&bench, &format!("{ETALON} solve -"), "--friction");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn zeros_are_shown_to_be_wrong_with_the_command_that_shows_it_again() {
    let bench = bench();
    bench.write(
        "zeros.sh",
        r#"while read -r line; do
    name=${line#*\"name\":\"}
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"solved\", \"z\": [0, 0]}"
done
"#,
    );
    let ran = diff(&bench, "sh zeros.sh", "");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.shown());
    let again = ran
        .stdout
        .lines()
        .find(|line| line.starts_with("  etalon diff"));
    assert_eq!(
        again,
        Some("  etalon diff --solver 'sh zeros.sh' p.jsonl --only tie")
    );
    let again = diff(&bench, "sh zeros.sh", "--only tie");
    assert_eq!(again.status, 1);
    assert!(again.stdout.contains("0 of 1 accepted"), "{}", again.stdout);
    let json = diff(&bench, "sh zeros.sh", "--json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["total"]["verdicts"]["rejected"], 2);
    assert_eq!(json["failures"][0]["verdict"]["verdict"], "rejected");
}

#[test]
fn a_solver_that_gives_no_answer_has_failed_and_the_run_goes_on() {
    let bench = bench();
    for (solver, said) in [
        ("sh -c 'exit 3'", "exit status: 3"),
        ("sleep 60", "no answer within 2 s"),
        (
            "sh -c 'echo nonsense; cat >/dev/null'",
            "the answer is no claim",
        ),
    ] {
        let ran = diff(&bench, solver, "");
        assert_eq!(ran.status, 1, "{solver}");
        assert!(ran.stdout.contains(said), "{solver}: {}", ran.stdout);
        assert!(ran.stdout.contains("0 of 2 accepted"), "{}", ran.stdout);
    }
}

#[test]
fn nothing_to_send_and_no_such_solver_are_no_success() {
    let bench = bench();
    let solve = format!("{ETALON} solve -");
    assert_eq!(diff(&bench, &solve, "--only missing").status, 2);
    assert_eq!(diff(&bench, "an 'open quote", "").status, 2);
    assert_eq!(diff(&bench, "no-such-program", "").status, 1);
}
