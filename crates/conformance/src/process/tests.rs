#![cfg(unix)]

use super::*;
use etalon_lcp::{ClaimedAnswer, Matrix, Number};

fn problem(name: &str) -> Problem {
    let m = Matrix::from_rows(vec![vec![Number::from_f64(1.0).unwrap()]]).unwrap();
    Problem::new(name, m, vec![Number::from_f64(-1.0).unwrap()]).unwrap()
}

fn shell(script: &str, seconds: f64) -> Process {
    let command = Command::parse(&format!("sh -c '{script}'")).unwrap();
    let limits = Limits {
        timeout: Duration::from_secs_f64(seconds),
        line_bytes: 1000,
    };
    Process::new(command, limits)
}

fn message(claim: &Claim) -> &str {
    assert_eq!(claim.answer, ClaimedAnswer::Failed);
    claim.message.as_deref().unwrap_or_default()
}

const RIGHT: &str = r#"{\"name\":\"p\",\"status\":\"solved\",\"z\":[1]}"#;

#[test]
fn a_right_solver_is_asked_again_and_again() {
    // No two problems of its stream have the same name, whatever they are called here.
    let solver = shell(
        r#"while read -r line; do
            name=${line#*\"name\":\"}
            name=${name%%\"*}
            echo "$name;" >&2
            echo "{\"name\":\"$name\",\"status\":\"solved\",\"z\":[1]}"
        done"#,
        10.0,
    );
    for _ in 0..3 {
        let claim = solver.solve(&problem("p"));
        assert_eq!(claim.name, "p");
        assert!(
            matches!(claim.answer, ClaimedAnswer::Solved { .. }),
            "{claim:?}"
        );
    }
    let asked = || solver.standard_error();
    let all = "p;\np (2);\np (3);\n";
    for _ in 0..100 {
        if asked() == all {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(asked(), all);
}

#[test]
fn a_solver_that_hangs_is_ended_with_its_children_and_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!(
        "sleep 60 & echo $! > {}; echo waiting >&2; wait",
        pid.display()
    );
    let solver = shell(&script, 1.0);
    for _ in 0..2 {
        let claim = solver.solve(&problem("p"));
        assert_eq!(
            message(&claim),
            "no answer within 1 s; its last words: \"waiting\""
        );
        let pid = std::fs::read_to_string(&pid).unwrap();
        let gone = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            // A zombie waits only for whoever inherits it.
            state.map_or(true, |state| state.contains(") Z"))
        };
        let end = Instant::now() + Duration::from_secs(5);
        while !gone() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(gone(), "the child of the solver still runs");
    }
}

#[test]
fn a_solver_that_reads_nothing_does_not_hold_up_the_asker() {
    let long = "p".repeat(1 << 20);
    let claim = shell("sleep 60", 0.5).solve(&problem(&long));
    assert!(message(&claim).starts_with("no answer within 0.5 s"));
}

#[test]
fn a_crash_is_said_with_its_last_words() {
    let claim = shell(
        "read -r line; echo half a; echo out of luck >&2; exit 3",
        10.0,
    );
    let claim = claim.solve(&problem("p"));
    assert!(
        message(&claim).starts_with("the answer is no claim: "),
        "{claim:?}"
    );
    let claim = shell(
        "read -r line; printf half; echo out of luck >&2; exit 3",
        10.0,
    );
    let claim = claim.solve(&problem("p"));
    assert_eq!(
        message(&claim),
        "the solver ended (exit status: 3); it had written \"half\"; its last words: \"out of luck\""
    );
    let killed = shell("kill -9 $$", 10.0).solve(&problem("p"));
    assert!(message(&killed).contains("signal: 9"), "{killed:?}");
}

#[test]
fn garbage_and_long_lines_are_failures_with_what_was_read() {
    let garbage = shell("read -r line; echo \"{\\\"name\\\": 3\"", 10.0).solve(&problem("p"));
    let message = message(&garbage).to_owned();
    assert!(
        message.starts_with("the answer is no claim: ")
            && message.ends_with(r#"it reads "{\"name\": 3""#),
        "{message}"
    );
    let long = shell("read -r line; while :; do printf aaaaaaaaaa; done", 10.0);
    let long = long.solve(&problem("p"));
    let start = "an answer of over 1000 bytes; it begins \"aaaa";
    assert!(super::tests::message(&long).starts_with(start), "{long:?}");
}

#[test]
fn an_answer_to_something_else_is_no_answer() {
    let solver = shell(
        &format!("while read -r line; do echo \"{RIGHT}\"; done"),
        10.0,
    );
    let claim = solver.solve(&problem("other"));
    assert_eq!(
        message(&claim),
        r#"the answer is to "p", but the question was "other""#
    );
}

#[test]
fn standard_error_is_kept_to_its_last_64_kib() {
    let solver = shell(
        &format!(
            "read -r line; yes 0123456789 | head -c 200000 >&2; echo end >&2; echo \"{RIGHT}\"; sleep 60"
        ),
        10.0,
    );
    let claim = solver.solve(&problem("p"));
    assert!(
        matches!(claim.answer, ClaimedAnswer::Solved { .. }),
        "{claim:?}"
    );
    let end = Instant::now() + Duration::from_secs(5);
    while !solver.standard_error().ends_with("end\n") && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(solver.standard_error().len(), 64 << 10);
    assert!(solver.standard_error().ends_with("end\n"));
}

#[test]
fn what_cannot_be_started_is_said() {
    let command = Command::parse("/no/such/program").unwrap();
    let claim = Process::new(command, Limits::default()).solve(&problem("p"));
    assert!(message(&claim).starts_with("cannot start \"/no/such/program\": "));
}
