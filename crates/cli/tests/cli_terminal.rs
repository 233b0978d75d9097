//! What people see on a terminal: verdicts in colour.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

mod common;

use common::{ETALON, Workbench, terminal};

const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";

/// Two problems, and claims of which one is right, one wrong.
fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        r#"{"name": "right", "M": [[1]], "q": [-1]}
{"name": "wrong", "M": [[1]], "q": [-1]}
"#,
    );
    bench.write(
        "c.jsonl",
        r#"{"name": "right", "status": "solved", "z": [1]}
{"name": "wrong", "status": "solved", "z": [0]}
"#,
    );
    // Wrong wherever forces act.
    bench.write(
        "zeros.py",
        "import json, sys\nfor line in sys.stdin:\n    p = json.loads(line)\n    print(json.dumps({'name': p['name'], 'status': 'solved', 'z': [0] * len(p['q'])}), flush=True)\n",
    );
    assert_eq!(
        bench
            .run("scenario run incline --steps 12 --quiet --out t.jsonl")
            .status,
        0
    );
    bench
}

/// The word in its colour: bold, then the colour, then the word.
fn coloured(colour: &str, word: &str) -> String {
    format!("{colour}{word}\u{1b}[0m")
}

#[test]
fn verdicts_are_in_colour_on_terminals_only() {
    let bench = bench();
    let zeros = "python3 zeros.py";
    let exact = format!("{ETALON} solve -");
    let [accepted, rejected] = [coloured(GREEN, "exact"), coloured(RED, "rejected")];
    let commands: [(&[&str], &[&str]); 8] = [
        (
            &["check", "p.jsonl", "c.jsonl", "--out", "v.jsonl"],
            &[&accepted, &rejected],
        ),
        (&["diff", "--solver", zeros, "p.jsonl"], &[&rejected]),
        (&["diff", "--solver", &exact, "p.jsonl"], &[&accepted]),
        (
            &["replay", "t.jsonl", "--solver", zeros],
            &[&rejected, &coloured(GREEN, "accepted")],
        ),
        (
            &["replay", "t.jsonl", "--solver", zeros, "--closed-loop"],
            &[&rejected],
        ),
        (
            &["scenario", "run", "ladder", "--solver", "fast"],
            &[&coloured(GREEN, "accepted")],
        ),
        (&["verify", "p.jsonl"], &[&coloured(GREEN, "0 failures")]),
        (&["show", "p.jsonl"], &[&accepted]),
    ];
    for (words, expected) in commands {
        let (status, shown) = terminal::run(&bench, &[], words);
        for word in expected {
            assert!(shown.contains(word), "{words:?}: {word:?}: {shown:?}");
        }
        let (same, plain) = terminal::run(&bench, &[("NO_COLOR", "1")], words);
        let none = [GREEN, RED, YELLOW]
            .iter()
            .all(|colour| !plain.contains(colour));
        assert!(none && status == same, "{words:?}: {plain:?}");
        let piped = bench.run_words(words);
        assert!(
            !piped.shown().contains('\u{1b}'),
            "{words:?}: {}",
            piped.shown()
        );
        assert_eq!(piped.status, status, "{words:?}");
    }
}

#[test]
fn files_have_no_colours_even_when_the_terminal_has() {
    let bench = bench();
    let words = [
        "diff",
        "--solver",
        "python3 zeros.py",
        "p.jsonl",
        "--out",
        "o.txt",
        "--markdown",
        "o.md",
        "--junit",
        "o.xml",
        "--lines",
        "o.jsonl",
    ];
    let (_, shown) = terminal::run(&bench, &[], &words);
    assert!(shown.contains(RED), "{shown:?}");
    for file in ["o.txt", "o.md", "o.xml", "o.jsonl"] {
        let text = bench.read(file);
        assert!(
            text.contains("rejected") && !text.contains('\u{1b}'),
            "{file}: {text:?}"
        );
    }
}
