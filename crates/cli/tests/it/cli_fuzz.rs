//! `etalon fuzz` and `etalon shrink`: a solver that is silently wrong on ties is found out, down to a
//! problem that a person checks by hand.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;

use crate::common::{ETALON, Workbench};
use serde_json::Value;

/// The wrong solver, or `None`, said aloud, where there is no Python.
fn wrong_solver(bench: &Workbench) -> Option<&'static str> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return None;
    }
    bench.write("wrong.py", include_str!("../wrong_on_ties.py"));
    Some("python3 wrong.py")
}

/// At most three rows of integers below ten.
fn is_by_hand(problem: &Value) -> bool {
    let numbers = |value: &Value| -> Vec<f64> {
        let values = value.as_array().unwrap().iter();
        values.map(|value| value.as_f64().unwrap()).collect()
    };
    let q = numbers(&problem["q"]);
    let n = q.len();
    let rows = problem["M"].as_array().unwrap().iter().flat_map(numbers);
    let mut entries = rows.chain(q);
    n <= 3 && entries.all(|value| value.fract() == 0.0 && value.abs() < 10.0)
}

#[test]
fn a_solver_that_is_wrong_on_ties_is_caught_and_its_problem_made_small() {
    let bench = Workbench::new();
    let Some(solver) = wrong_solver(&bench) else {
        return;
    };
    let generated = bench.run("gen degenerate --n 6 --count 30 --seed 1");
    bench.write("p.jsonl", generated.stdout);
    let diff = bench.run_words(&[
        "diff", "--can", "psd", "--solver", solver, "p.jsonl", "--json",
    ]);
    assert_eq!(diff.status, 1, "{}", diff.stderr);
    let found: Value = serde_json::from_str(&diff.stdout).unwrap();
    assert!(found["total"]["verdicts"]["rejected"].as_u64() > Some(0));
    // The command that `diff` names shows the failure again, and `shrink` makes it small.
    let name = found["failures"][0]["verdict"]["name"].as_str().unwrap();
    let shrink = bench.run_words(&[
        "shrink",
        "--solver",
        solver,
        "p.jsonl",
        "--only",
        name,
        "--keep",
        "psd,solvable",
        "--json",
        "--out",
        "small.json",
    ]);
    assert_eq!(shrink.status, 1, "{}", shrink.stderr);
    let small: Value = serde_json::from_str(&shrink.stdout).unwrap();
    // The record is one like any other: read, and its truth proved anew.
    let written: Value = serde_json::from_str(&bench.read("small.json")).unwrap();
    assert_eq!(written["M"], small["problem"]["M"]);
    let verified = bench.run("verify small.json");
    assert_eq!(verified.status, 0, "{}", verified.stderr);
    assert_eq!(small["fault"], "wrong");
    assert!(is_by_hand(&small["problem"]), "{small}");
    for language in ["rust", "cpp", "python"] {
        assert!(
            small["snippets"][language]
                .as_str()
                .unwrap()
                .contains("an exact solution")
        );
    }

    let words = [
        "fuzz",
        "--can",
        "psd",
        "--solver",
        solver,
        "--budget",
        "60s",
        "--count",
        "200",
        "--findings",
        "2",
        "--json",
    ];
    let fuzz = bench.run_words(&words);
    assert_eq!(fuzz.status, 1, "{}", fuzz.stderr);
    let report: Value = serde_json::from_str(&fuzz.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2, "{report}");
    let by_hand = findings
        .iter()
        .filter(|found| is_by_hand(&found["small"]["problem"]));
    assert!(by_hand.count() >= 1, "{report}");
    for finding in findings {
        // What is kept is a golden of its own, and shows the fault again.
        let file = finding["file"].as_str().unwrap();
        assert_eq!(bench.run_words(&["verify", file]).status, 0);
        assert_eq!(
            bench.run_words(&["diff", "--solver", solver, file]).status,
            1
        );
        assert!(bench.read(&file.replace(".json", ".md")).contains("```cpp"));
    }
    // The same seed, the same problems.
    let again: Value = serde_json::from_str(&bench.run_words(&words).stdout).unwrap();
    assert_eq!(again, report);
}

/// The record that `shrink` writes is one that all other commands read.
#[test]
fn the_small_problem_is_written_as_a_record() {
    let bench = Workbench::new();
    let Some(solver) = wrong_solver(&bench) else {
        return;
    };
    bench.write(
        "p.json",
        r#"{"name": "tie", "M": [[2, 1, 0], [1, 2, 1], [0, 1, 2]], "q": [-1, -1, -1], "source": "a test"}"#,
    );
    let shrink = |more: &[&str]| {
        let words = ["shrink", "--quiet", "--solver", solver, "p.json"];
        bench.run_words(&[&words[..], more].concat())
    };
    let ran = shrink(&["--out", "small.json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("\nrecord:\n{"), "{}", ran.stdout);
    let record: Value = serde_json::from_str(&bench.read("small.json")).unwrap();
    assert_eq!(record["format"], "etalon-problem/1");
    assert_eq!(record["source"], "made by etalon: tie (shrunk)");
    assert_eq!(record["expect"]["status"], "solvable");
    assert!(
        record["name"].as_str().unwrap().starts_with("wrong-"),
        "{record}"
    );
    // The truth holds, the fault is there again, and a right answer is right.
    assert_eq!(bench.run("verify small.json").status, 0);
    assert_eq!(bench.run("show small.json").status, 0);
    let diff = ["diff", "--solver", solver, "small.json"];
    assert_eq!(bench.run_words(&diff).status, 1);
    bench.write("claims.jsonl", bench.run("solve small.json").stdout);
    assert_eq!(bench.run("check small.json claims.jsonl").status, 0);

    let line = shrink(&["--out", "-"]).stdout;
    assert_eq!(line.lines().count(), 1, "{line}");
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), record);
    assert_eq!(bench.run_with("solve -", &line).status, 0);
    shrink(&["--out", "small.jsonl"]);
    assert_eq!(bench.read("small.jsonl"), line);

    let right = format!("{ETALON} solve -");
    let ran = bench.run_words(&["shrink", "--solver", &right, "p.json", "--out", "none.json"]);
    assert_eq!(ran.status, 0);
    assert!(!bench.path().join("none.json").exists());
    let ran = shrink(&["--out", "no/such/folder.json"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("no/such/folder.json: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_right_solver_is_not_accused() {
    let bench = Workbench::new();
    let fuzz = bench.run("fuzz --method certified --count 130 --seed 5");
    assert_eq!(
        (fuzz.status, fuzz.stdout.lines().count()),
        (0, 1),
        "{}",
        fuzz.stdout
    );
    let solver = format!("{ETALON} solve --method fast-auto -");
    let words = ["fuzz", "--solver", &solver, "--count", "130"];
    let fuzz = bench.run_words(&words);
    assert_eq!(fuzz.status, 0, "{}", fuzz.stdout);
    assert!(fuzz.stdout.contains("nothing wrong found"));
    bench.write("p.json", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    let shrink = bench.run_words(&["shrink", "--solver", &solver, "p.json"]);
    assert_eq!(shrink.status, 0);
    assert!(
        shrink.stderr.contains("there is nothing to shrink"),
        "{}",
        shrink.stderr
    );
}

#[test]
fn crashes_are_kept_and_shrunk_too() {
    let bench = Workbench::new();
    // A solver that crashes of one recipe's problems alone.
    bench.write(
        "several.sh",
        r#"while read -r line; do
    name=${line#*\"name\":\"}
    case $name in *several*) kill -11 $$ ;; esac
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"failed\"}"
done
"#,
    );
    let words = [
        "fuzz",
        "--solver",
        "sh several.sh",
        "--findings",
        "1",
        "--json",
    ];
    let fuzz = bench.run_words(&words);
    assert_eq!(fuzz.status, 1);
    let report: Value = serde_json::from_str(&fuzz.stdout).unwrap();
    let small = &report["findings"][0]["small"];
    assert_eq!(small["fault"], "crashed");
    assert_eq!(small["problem"]["M"], serde_json::json!([[0]]));
    assert_eq!(bench.run("fuzz --count 1").status, 2);
    bench.write(
        "p.json",
        r#"{"name": "several", "M": [[1, 0], [0, 1]], "q": [-1, 1]}"#,
    );
    let shrink = bench.run_words(&["shrink", "--solver", "sh several.sh", "p.json"]);
    assert_eq!(shrink.status, 1, "{}", shrink.stderr);
}

/// A folder's files with what is in them.
fn contents(bench: &Workbench, folder: &str) -> Vec<(String, String)> {
    let files = std::fs::read_dir(bench.path().join(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<_> = names
        .map(|name| (name.clone(), bench.read(&format!("{folder}/{name}"))))
        .collect();
    all.sort();
    all
}

#[test]
fn any_number_of_processes_finds_the_same_in_the_same_bytes() {
    let bench = Workbench::new();
    // It crashes, ends, floods or answers nonsense, by the recipe of the problem.
    bench.write(
        "four.sh",
        r#"while read -r line; do
    name=${line#*\"name\":\"}
    case $name in
        *several*) kill -11 $$ ;;
        *ties*) exit 3 ;;
        *rank*) echo "nonsense"; continue ;;
        *units*) while :; do printf 0123456789; done ;;
    esac
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"failed\"}"
done
"#,
    );
    let found = ["1", "3"].map(|jobs| {
        let folder = format!("corpus{jobs}");
        let words = [
            "fuzz",
            "--solver",
            "sh four.sh",
            "--can",
            "boxes",
            "--answer",
            "1KiB",
        ];
        let more = [
            "--count", "14", "--jobs", jobs, "--corpus", &folder, "--json",
        ];
        let ran = bench.run_words(&[&words[..], &more].concat());
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        let said = ran.stdout.replace(&folder, "corpus");
        let files = contents(&bench, &folder).into_iter();
        let files = files.map(|(name, text)| (name, text.replace(&folder, "corpus")));
        (said, files.collect::<Vec<_>>())
    });
    for fault in ["crashed", "exited", "garbage", "flooded"] {
        assert!(found[0].0.contains(fault), "{fault}: {}", found[0].0);
    }
    assert_eq!(found[1], found[0]);
}

#[test]
fn several_processes_are_asked_side_by_side() {
    let bench = Workbench::new();
    // From the second problem on it waits for another process like it.
    bench.write(
        "two.sh",
        r#": > here-$$
while read -r line; do
    name=${line#*\"name\":\"}
    name=${name%%\"*}
    case $name in
        */0) ;;
        *) while [ $(ls here-* | wc -l) -lt 2 ]; do sleep 0.05; done ;;
    esac
    echo "{\"name\": \"$name\", \"status\": \"failed\"}"
done
"#,
    );
    let words = [
        "fuzz",
        "--solver",
        "sh two.sh",
        "--can",
        "boxes",
        "--count",
        "6",
    ];
    let ran = bench.run_words(&[&words[..], &["--jobs", "2", "--timeout", "60s"]].concat());
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let count = |bench: &Workbench| {
        let files = std::fs::read_dir(bench.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("here-")).count()
    };
    assert_eq!(count(&bench), 2);
}

/// Nothing is to be found out about a solver that is no solver: it is not searched for a minute, but told in its own words.
#[test]
fn a_solver_that_dies_of_everything_is_not_searched() {
    let bench = Workbench::new();
    bench.write(
        "p.json",
        r#"{"name": "p", "M": [[1, 0], [0, 1]], "q": [-1, 1]}"#,
    );
    bench.write(
        "cone.json",
        r#"{"name": "c", "M": [[1,0,0],[0,1,0],[0,0,1]], "q": [-1,1,0], "cones": [{"rows": [0,1,2], "mu": 1}]}"#,
    );
    let dead = "sh -c 'echo no licence >&2; exit 3'";
    for words in [
        &["fuzz"][..],
        &["fuzz", "--can", "cones"],
        &["shrink", "p.json"],
        &["shrink", "cone.json"],
    ] {
        for (solver, said) in [
            (
                dead,
                "each of its first 3 problems in the same way, so it was not asked more: exited: the solver ended (exit status: 3); its last words: \"no licence\"",
            ),
            ("sh -c 'read -r line; kill -11 $$'", "more: crashed: "),
            ("no-such-program", "cannot start"),
        ] {
            let ran = bench.run_words(&[words, &["--solver", solver]].concat());
            assert_eq!(ran.status, 2, "{words:?}: {}", ran.stdout);
            assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
            assert!(ran.stdout.is_empty(), "{}", ran.stdout);
        }
    }
    assert!(!bench.path().join("fuzz-corpus").exists());
}

#[test]
fn a_solver_that_is_wrong_only_at_times_is_not_accused_of_its_right_answers() {
    let bench = Workbench::new();
    // Wrong the first time, and never again.
    bench.write("p.json", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    bench.write(
        "turn.sh",
        r#"while read -r line; do
    name=${line#*\"name\":\"}
    said=solved; [ -e asked ] && said=failed; : > asked
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"$said\", \"z\": [0]}"
done
"#,
    );
    let ran = bench.run_words(&["shrink", "--solver", "sh turn.sh", "p.json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    for said in [
        "the solver: z = (0)\n  but row 0: w = -1 must not be negative",
        "asked again: it gives up, not at fault; the solver is not steady",
    ] {
        assert!(ran.stdout.contains(said), "{}", ran.stdout);
    }
    let steady = r#"sh -c 'while read -r l; do n=${l#*name\":\"}; echo "{\"name\":\"${n%%\"*}\",\"status\":\"solved\",\"z\":[0]}"; done'"#;
    let words = [
        "shrink",
        "--solver",
        steady,
        "--keep",
        "psd,solvable",
        "--tol",
        "0",
        "p.json",
        "--corpus",
        "small",
    ];
    let ran = bench.run_words(&words);
    assert!(!ran.stdout.contains("asked again"), "{}", ran.stdout);
    let file = ran
        .stderr
        .lines()
        .find(|line| line.ends_with(".json"))
        .unwrap();
    let words = bench.read(&file.replace(".json", ".md"));
    assert!(
        words.contains(" --keep psd,solvable --tol 0 small/"),
        "{words}"
    );
}
