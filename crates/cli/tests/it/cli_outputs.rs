//! Files that commands write: of a command that is refused none is created or cut.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

/// What a file holds before a command that is refused, and after it.
const KEPT: &str = "kept\n";

/// A bench with a scene of implicit surfaces and a problem.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let scene = bench
        .run("scenario run superquadric-rocking --scene")
        .stdout;
    bench.write("sq.json", scene);
    bench.write(
        "p.jsonl",
        "{\"name\": \"one\", \"M\": [[1]], \"q\": [-1]}\n",
    );
    bench.write(
        "c.jsonl",
        "{\"name\": \"one\", \"status\": \"solved\", \"z\": [1]}\n",
    );
    bench.write("words.txt", "no record\n");
    bench
}

#[test]
fn of_a_refused_command_no_file_is_created_or_cut() {
    // The command with OUT for the file to keep and NEW for one that is not there, and a word of the refusal.
    let refused = [
        (
            "scenario run sq.json --steps 1 --step-log OUT --out NEW",
            "--step-log",
        ),
        (
            "scenario run superquadric-rocking --steps 1 --step-log NEW --out OUT",
            "--step-log",
        ),
        (
            "scenario run rod --steps 1 --step-log NEW --out none/x",
            "none/x",
        ),
        (
            "scenario run rod --steps 1 --out OUT --svg none/x",
            "none/x",
        ),
        (
            "scenario run rod --steps 1 --out OUT --energy-svg none/x",
            "none/x",
        ),
        ("scenario run rod --steps 1 --out OUT --svg OUT", "--out"),
        ("scenario run rod --steps 1 --out NEW --svg NEW", "--out"),
        (
            "scenario run bounce --steps 1 --lcps NEW --out OUT --step-log none/x",
            "none/x",
        ),
        (
            "scenario run bounce --steps 1 --lcps NEW --out NEW.claims.jsonl",
            "--out",
        ),
        ("scenario run ladder --out OUT --svg none/x", "none/x"),
        ("scenario run sq.json --steps 1 --out sq.json", "input"),
        ("check p.jsonl c.jsonl --out p.jsonl", "input"),
        ("check words.txt c.jsonl --out OUT", "words.txt"),
        ("step check words.txt --out OUT", "words.txt"),
        ("step check p.jsonl --out p.jsonl", "input"),
        ("diff --solver true --lines NEW --out none/x", "none/x"),
        ("diff --solver true --junit OUT --badge OUT", "--junit"),
        ("shrink --solver true p.jsonl --out none/x", "none/x"),
        ("scoreboard --bin NEW --page none/x", "none/x"),
        ("report --out NEW --lines none/x", "none/x"),
    ];
    let bench = bench();
    let given = ["sq.json", "p.jsonl", "c.jsonl", "words.txt"].map(|file| bench.read(file));
    let mut names: Vec<_> = Vec::new();
    for (command, word) in refused {
        bench.write("old", KEPT);
        let command = command.replace("OUT", "old").replace("NEW", "new");
        let ran = bench.run(&command);
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains(word), "{command}: {}", ran.stderr);
        assert_eq!(bench.read("old"), KEPT, "{command}");
        let now = std::fs::read_dir(bench.path()).unwrap();
        names = now.map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names.len(), 5, "{command}: {names:?}");
    }
    assert!(names.iter().any(|name| name == "old"));
    let after = ["sq.json", "p.jsonl", "c.jsonl", "words.txt"].map(|file| bench.read(file));
    assert_eq!(after, given);
}

#[test]
#[cfg(unix)]
fn a_device_takes_what_several_options_write() {
    let ran = Workbench::new()
        .run("scenario run rod --steps 1 --out /dev/null --svg /dev/null --step-log /dev/null");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn a_log_without_steps_has_an_empty_file_of_verdicts() {
    let bench = Workbench::new();
    bench.write("empty.jsonl", "");
    bench.write("old", KEPT);
    bench.run("step check empty.jsonl --out old");
    assert_eq!(bench.read("old"), "");
}
