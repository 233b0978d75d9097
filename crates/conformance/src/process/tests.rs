#![cfg(unix)]

use super::*;
use etalon_lcp::{ClaimedAnswer, Matrix, Number};

fn problem(name: &str) -> Problem {
    let m = Matrix::from_rows(vec![vec![Number::from_f64(1.0).unwrap()]]).unwrap();
    Problem::new(name, m, vec![Number::from_f64(-1.0).unwrap()]).unwrap()
}

fn shell(script: &str, seconds: f64) -> Process {
    let command = CommandLine::parse(&format!("sh -c '{script}'")).unwrap();
    let limits = Limits {
        timeout: Duration::from_secs_f64(seconds),
        line_bytes: 1000,
        ..Limits::default()
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

/// No line break follows it, so who waits for one waits for ever.
#[test]
fn an_answer_in_cbor_is_told_at_once() {
    for first in [
        "",
        r#"echo "{\"format\":\"etalon-solver/1\",\"can\":[]}"; "#,
    ] {
        let script = format!(r#"read -r line; {first}printf "\241\141\141\001"; exec sleep 600"#);
        let failure = shell(&script, 20.0).ask(&problem("p")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Garbage, "{}", failure.message);
        let told = "the answer is in CBOR, and the protocol asks for a line of JSON";
        assert_eq!(failure.message, told);
    }
}

#[test]
fn a_solver_that_hangs_is_ended_with_its_children_and_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!(
        "read -r line; sleep 60 & echo $! > {}; echo waiting >&2; wait",
        pid.display()
    );
    let solver = shell(&script, 2.0);
    for _ in 0..2 {
        let claim = solver.solve(&problem("p"));
        assert_eq!(
            message(&claim),
            "no answer within 2 s; its last words: \"waiting\""
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

/// Whether a process has ended, or ends within five seconds.
#[cfg(target_os = "linux")]
fn ends(pid: &str) -> bool {
    let end = Instant::now() + Duration::from_secs(5);
    loop {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        // A zombie waits only for whoever inherits it.
        if state.map_or(true, |state| state.contains(") Z")) {
            return true;
        }
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_leaves_the_group_is_ended_too() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    // In a session of its own, and an orphan: neither its group nor its parent tell whose it is.
    let start = format!(
        "setsid sh -c \"echo \\$\\$ > {0}; exec sleep 60\" >&- 2>&- & while [ ! -s {0} ]; do sleep 0.01; done",
        pid.display()
    );
    for (script, kind) in [
        (
            format!("read -r line; {start}; exit 0"),
            FailureKind::Exited,
        ),
        (
            format!("read -r line; {start}; sleep 60"),
            FailureKind::Hung,
        ),
    ] {
        let failure = shell(&script, 2.0).ask(&problem("p")).unwrap_err();
        assert_eq!(failure.kind, kind, "{failure}");
        let started = std::fs::read_to_string(&pid).unwrap();
        assert!(ends(&started), "{script}");
        std::fs::remove_file(&pid).unwrap();
    }
}

#[test]
fn a_solver_that_reads_nothing_does_not_hold_up_the_asker() {
    let long = "p".repeat(1 << 20);
    let claim = shell("sleep 60", 0.5).solve(&problem(&long));
    let start = "no answer within 0.5 s: the problem was not read either";
    assert!(message(&claim).starts_with(start), "{claim:?}");
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
    let command = CommandLine::parse("/no/such/program").unwrap();
    let claim = Process::new(command, Limits::default()).solve(&problem("p"));
    assert!(message(&claim).starts_with("cannot start \"/no/such/program\": "));
}

/// The name of what came of the last of so many questions; those before go unheeded.
fn kind(script: &str, questions: usize, seconds: f64) -> FailureKind {
    let solver = shell(script, seconds);
    let mut last = None;
    for k in 0..questions {
        last = Some(solver.ask(&problem(&format!("p{k}"))));
    }
    last.unwrap().unwrap_err().kind
}

#[test]
fn every_way_of_giving_no_answer_has_its_name_and_the_run_goes_on() {
    let answer = |z: &str| {
        format!(
            r#"while read -r line; do name=${{line#*\"name\":\"}}; echo "{{\"name\":\"${{name%%\"*}}\",\"status\":\"solved\",\"z\":{z}}}"; done"#
        )
    };
    let late = r#"read -r a; read -r b; sleep 60"#;
    let of_another =
        r#"while read -r line; do echo "{\"name\":\"p7\",\"status\":\"failed\"}"; done"#;
    let check = |named: FailureKind, script: &str, questions: usize, seconds: f64| {
        assert_eq!(kind(script, questions, seconds), named, "{script}");
    };
    // Twice: whatever went wrong, the next question is asked.
    let once_and_twice = [1, 2];
    // All but the last wait for the end of their time, so they have little of it. All are given some seconds to end by
    // themselves. So they wait side by side.
    std::thread::scope(|scope| {
        for (named, script, seconds) in [
            (FailureKind::Hung, "read -r line; sleep 60", 3.0),
            (FailureKind::Hung, late, 3.0),
            (FailureKind::NeverRead, "sleep 60", 3.0),
            (FailureKind::Forked, "read -r line; sleep 60 & exit 0", 3.0),
            (
                FailureKind::Closed,
                "read -r line; exec >&-; sleep 60",
                60.0,
            ),
        ] {
            for questions in once_and_twice {
                scope.spawn(move || check(named, script, questions, seconds));
            }
        }
    });
    for (named, script) in [
        (FailureKind::Exited, "exit 0"),
        (FailureKind::Exited, "read -r line; exit 3"),
        (FailureKind::Crashed, "read -r line; kill -11 $$"),
        (
            FailureKind::Flooded,
            "yes aaaaaaaaaaaaaaaaaaaaaaaa | tr -d \\\\n",
        ),
        (FailureKind::Garbage, "yes"),
        (FailureKind::OutOfOrder, of_another),
        (FailureKind::WrongLength, &answer("[1,1]")),
        (FailureKind::Garbage, &answer("[true]")),
        (FailureKind::Garbage, &answer("null")),
        (FailureKind::NotFinite, &answer("[NaN]")),
        (FailureKind::NotFinite, &answer("[null]")),
    ] {
        for questions in once_and_twice {
            check(named, script, questions, 60.0);
        }
    }
}

/// The ways in which C, C++, Java, JavaScript, Julia, Python and Rust write a NaN or an infinity into what is to be JSON.
#[test]
fn a_value_that_is_not_finite_is_told_from_garbage_in_every_language() {
    for token in [
        "NaN",
        "nan",
        "-nan",
        "-nan(ind)",
        "Infinity",
        "-Infinity",
        "inf",
        "-inf",
        "Inf",
        "null",
        r#"\"NaN\""#,
        r#"\"-inf\""#,
        "1e999",
        "1.#QNAN",
        "-1.#IND",
    ] {
        let answer = format!(
            r#"read -r line; echo "{{\"name\":\"p\",\"status\":\"solved\",\"z\":[0,{token}]}}""#
        );
        let failure = shell(&answer, 60.0).ask(&problem("p")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotFinite, "{token}: {failure}");
        let said = "the answer is not finite: z[1]: ";
        assert!(failure.message.starts_with(said), "{token}: {failure}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_over_the_limit_is_not_to_be_had() {
    let doubling = "read -r line; s=0123456789abcdef; while :; do s=$s$s; done";
    let command = CommandLine::parse(&format!("sh -c '{doubling}'")).unwrap();
    let limits = Limits {
        memory_bytes: Some(64 << 20),
        ..Limits::default()
    };
    let failure = Process::new(command, limits).ask(&problem("p"));
    let kind = failure.unwrap_err().kind;
    assert!(
        matches!(kind, FailureKind::Exited | FailureKind::Crashed),
        "{kind:?}"
    );
}
