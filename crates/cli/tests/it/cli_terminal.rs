//! What people see on a terminal: verdicts in colour, and runs in words.

#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

use crate::common::{ETALON, Workbench, terminal};

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

/// The text without colours, in lines that end as those of files.
fn words_of(shown: &str) -> String {
    shown.replace("\r\n", "\n")
}

#[test]
fn a_motion_is_told_on_a_terminal_and_is_json_elsewhere() {
    let bench = Workbench::new();
    let run = ["scenario", "run", "stack-drop", "--quiet"];
    let no_colour = [("NO_COLOR", "1")];
    let (status, shown) = terminal::run(&bench, &no_colour, &run);
    let shown = words_of(&shown);
    assert_eq!(status, 0, "{shown}");
    for told in [
        "stack-drop: Three blocks fall in a row",
        "first_gap = 3/20 m",
        "16 steps of 0.05 s, to t = 0.8 s",
        "|    3 | 0.15 |        99.5 |      98.25 | block 1/ground touches  |",
        "Energy at the start: 101 J (kinetic 0 J, potential 101 J); at the end: 80 J",
        "Lost in all: numerical 16.75 J and position 4.25 J.",
        "| y3         |          2.5 |          2 |             0 |",
        "| block 1/ground     |      0 |     60 |",
        "16 LCPs judged: 16 exact, 0 accepted, 0 wrong; largest error 0",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(!shown.contains("etalon-trajectory"), "{shown}");

    let piped = bench.run_words(&run);
    assert_eq!(piped.stdout.lines().count(), 17, "{}", piped.stdout);
    let (_, asked) = terminal::run(&bench, &[], &[&run[..], &["--json"]].concat());
    assert_eq!(words_of(&asked), piped.stdout);

    let (_, both) = terminal::run(
        &bench,
        &no_colour,
        &["scenario", "run", "stack-drop", "--out", "t.jsonl"],
    );
    assert!(both.contains("16 LCPs judged"), "{both}");
    assert_eq!(bench.read("t.jsonl"), piped.stdout);
    let (_, silent) = terminal::run(&bench, &[], &[&run[..], &["--out", "t.jsonl"]].concat());
    assert_eq!(silent, "");
}

#[test]
fn a_run_that_goes_on_is_told_whole() {
    let bench = Workbench::new();
    let run = |steps: &str, more: &[&str]| {
        let words = [
            "scenario",
            "run",
            "stack-drop",
            "--steps",
            steps,
            "--out",
            "t.jsonl",
        ];
        terminal::run(&bench, &[("NO_COLOR", "1")], &[&words[..], more].concat()).1
    };
    assert!(run("4", &[]).contains("4 steps of 0.05 s"));
    let shown = run("16", &["--resume"]);
    assert!(shown.contains("16 steps of 0.05 s"), "{shown}");
    assert!(shown.contains("block 1/ground touches"), "{shown}");
    // The steps of before were not judged again.
    assert!(shown.contains("12 LCPs judged: 12 exact"), "{shown}");
}

/// A floor that rises at 2 m/s lifts 1 kg: impulses of 2.1 and 0.1 N s.
#[test]
fn the_work_of_an_obstacle_is_told_beside_what_is_lost() {
    let bench = Workbench::new();
    let scene = r#"{"name": "lift", "gravity": [0, 0, -10], "bodies": [
        {"name": "floor", "fixed": true, "velocity": [0, 0, 2], "shape": {"half_space": [0, 0, 1]}},
        {"name": "ball", "mass": 1, "position": [0, 0, "1/2"], "shape": {"sphere": "1/2"}}],
        "motion": {"method": "chakraborty-berard", "steps": 2}}"#;
    bench.write("lift.json", scene);
    let run = ["scenario", "run", "lift.json", "--quiet"];
    let (status, shown) = terminal::run(&bench, &[("NO_COLOR", "1")], &run);
    assert_eq!(status, 0, "{shown}");
    assert!(
        words_of(&shown).contains("\nGiven from outside: 4.4 J.\n"),
        "{shown}"
    );
}

#[test]
fn a_world_is_told_on_a_terminal_with_a_verdict_on_every_lcp() {
    let bench = Workbench::new();
    let run = ["scenario", "run", "bounce", "--quiet"];
    let (status, shown) = terminal::run(&bench, &[("NO_COLOR", "1")], &run);
    assert_eq!(status, 0, "{shown}");
    for told in [
        "bounce: Balls that fall on the floor.",
        "4 collisions",
        "Energy at the start: 60 J (kinetic 0 J, potential 60 J)",
        "Lost in all: collisions ",
        " 0 wrong; largest error ",
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(!shown.contains("etalon-trajectory"), "{shown}");
    // As many as with --judge on a pipe.
    let judged = bench.run("scenario run bounce --judge --out b.jsonl");
    let sentence = judged.stderr.lines().last().unwrap();
    assert!(
        sentence.contains("LCPs judged") && shown.contains(sentence),
        "{sentence}: {shown}"
    );
    assert!(
        bench
            .run_words(&run)
            .stdout
            .starts_with("{\"format\":\"etalon-trajectory/1\"")
    );
}

/// With many events those are told in which most energy changes, and it is said so.
#[test]
fn a_long_story_is_cut_to_its_largest_events() {
    let bench = Workbench::new();
    let words = ["scenario", "run", "blocks", "--quiet"];
    let (_, shown) = terminal::run(&bench, &[("NO_COLOR", "1")], &words);
    let shown = words_of(&shown);
    assert!(shown.contains("These are the 16 of "), "{shown}");
    let events = shown.split("Energy at the start").next().unwrap();
    let rows = events
        .lines()
        .filter(|line| line.starts_with("| ") && line.as_bytes()[5] != b' ');
    assert_eq!(rows.count(), 17, "{events}");
    assert!(shown.contains("and 6 more"), "{shown}");
}

#[test]
fn a_scene_at_rest_is_told_with_all_its_forces_or_the_proof_that_there_are_none() {
    let bench = Workbench::new();
    for (scene, told) in [
        ("stack", ["There are no other forces", "| contact"]),
        ("ladder", ["Infinitely many answers", "Answer 2:"]),
        (
            "painleve-inconsistent",
            ["There is no solution", "Proof: weigh the rows"],
        ),
    ] {
        let (status, shown) = terminal::run(&bench, &[], &["scenario", "run", scene]);
        assert_eq!(status, 0, "{shown}");
        for told in told {
            assert!(shown.contains(told), "{scene}: {told}: {shown}");
        }
        let (_, json) = terminal::run(&bench, &[], &["scenario", "run", scene, "--json"]);
        assert!(json.starts_with('{'), "{json}");
    }
}

/// Blocks that fall through each other and the ground: the story says so.
#[test]
fn a_wrong_solver_s_motion_is_told_with_its_wrong_answers() {
    let bench = bench();
    let words = [
        "scenario",
        "run",
        "stack-drop",
        "--solver",
        "python3 zeros.py",
    ];
    let (status, shown) = terminal::run(&bench, &[], &words);
    assert_eq!(status, 1, "{shown}");
    let wrong = coloured(RED, "14 wrong");
    assert!(
        shown.contains("16 LCPs judged: 2 ") && shown.contains(&wrong),
        "{shown:?}"
    );
}
