//! Solvers under test end with the program that asks them, whatever ends that.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{ETALON, Workbench};

/// Nothing here takes so long; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A solver that never answers, with a child in its group and one in a session of its own. The file
/// `ready` comes when all three have left their numbers.
const SOLVER: &str = r#"
sleep 1000 &
echo $! > child
setsid sh -c 'echo $$ > stray.new; mv stray.new stray; exec sleep 1000' &
while [ ! -s stray ]; do sleep 0.01; done
echo $$ > solver
mv solver ready
exec sleep 1000
"#;

fn wait(what: &str, until: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !until() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_gone(number: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", number.trim()));
    // A zombie waits only for whoever inherits it.
    stat.map_or(true, |stat| stat.contains(") Z"))
}

/// `etalon` with a solver that runs. Whoever starts these tests may ignore signals, and that would be
/// handed down.
fn start(bench: &Workbench, arguments: &[&str]) -> Child {
    bench.write("solver.sh", SOLVER);
    bench.write("p.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    let run = Command::new("env")
        .args(["--default-signal=INT,TERM,HUP", ETALON])
        .args(arguments)
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait("the solver runs", || bench.path().join("ready").exists());
    run
}

fn kill(signal: &str, number: u32) {
    let kill = Command::new("kill")
        .args(["-s", signal, &number.to_string()])
        .status();
    assert!(kill.unwrap().success());
}

fn all_gone(bench: &Workbench, how: &str) {
    for who in ["ready", "child", "stray"] {
        let number = bench.read(who);
        wait(&format!("{who} is gone, {how}"), || is_gone(&number));
    }
}

#[test]
fn whatever_ends_the_asker_ends_the_solver_and_its_children() {
    use std::os::unix::process::ExitStatusExt;
    for (signal, code, number) in [
        ("INT", Some(130), None),
        ("TERM", None, Some(15)),
        ("HUP", None, Some(1)),
        ("KILL", None, Some(9)),
    ] {
        let bench = Workbench::new();
        let diff = [
            "diff",
            "--timeout",
            "1h",
            "--solver",
            "sh solver.sh",
            "p.jsonl",
        ];
        let mut run = start(&bench, &diff);
        kill(signal, run.id());
        let status = run.wait().unwrap();
        assert_eq!((status.code(), status.signal()), (code, number), "{signal}");
        all_gone(&bench, signal);
    }
}

/// Commands that have no word on Ctrl-C keep to it, too.
#[test]
fn every_command_that_asks_a_solver_takes_it_along() {
    for arguments in [
        &[
            "fuzz",
            "--budget",
            "1h",
            "--timeout",
            "1h",
            "--solver",
            "sh solver.sh",
        ][..],
        &[
            "shrink",
            "--timeout",
            "1h",
            "--solver",
            "sh solver.sh",
            "p.jsonl",
        ],
        &[
            "scenario",
            "run",
            "incline",
            "--timeout",
            "1h",
            "--solver",
            "sh solver.sh",
        ],
        &[
            "scenario",
            "run",
            "ladder",
            "--timeout",
            "1h",
            "--solver",
            "sh solver.sh",
        ],
    ] {
        let bench = Workbench::new();
        let mut run = start(&bench, arguments);
        kill("KILL", run.id());
        run.wait().unwrap();
        all_gone(&bench, &arguments.join(" "));
    }
}

/// A solver that is asked no more is ended at once, and nobody stays behind to watch it.
#[test]
fn nobody_stays_behind() {
    let bench = Workbench::new();
    bench.write("p.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    let words = [
        "diff",
        "--solver",
        "sh -c 'echo $PPID > asker; exit 3'",
        "p.jsonl",
    ];
    assert_eq!(bench.run_words(&words).status, 1);
    let asker = bench.read("asker");
    let mark = format!("ETALON_RUN_{}_", asker.trim());
    wait("the warden is gone", || {
        let running = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let words = running.map(|process| std::fs::read(process.path().join("cmdline")));
        let words = words.filter_map(Result::ok);
        let mut words = words.map(|words| String::from_utf8_lossy(&words).into_owned());
        !words.any(|words| words.contains(&mark))
    });
}
