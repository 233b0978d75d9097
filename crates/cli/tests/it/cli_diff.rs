//! `etalon diff`: right, wrong, crashing and hanging solvers over the same problems.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{ETALON, Ran, Workbench};

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
    let again = ran.stdout.lines().find(|line| line.contains("etalon diff"));
    assert_eq!(
        again,
        Some(
            "the first again: etalon diff --solver 'sh zeros.sh' --timeout 2s p.jsonl --only none"
        )
    );
    let again = diff(&bench, "sh zeros.sh", "--only none");
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
    let wrong = "the solver does not solve M = (1),";
    let silent = "no answer within 2 s, the start included, to M = (1),";
    for (solver, said, of_the_box) in [
        ("sh -c 'exit 3'", "exit status: 3", wrong),
        ("sleep 60", "no answer within 2 s", silent),
        (
            "sh -c 'echo nonsense; cat >/dev/null'",
            "the answer is no claim",
            wrong,
        ),
    ] {
        let ran = diff(&bench, solver, "");
        assert_eq!(ran.status, 1, "{solver}");
        assert!(ran.stderr.contains(of_the_box), "{solver}: {}", ran.stderr);
        assert!(ran.stdout.contains(said), "{solver}: {}", ran.stdout);
        assert!(ran.stdout.contains("0 of 2 accepted"), "{}", ran.stdout);
    }
}

#[test]
fn nothing_to_send_and_no_such_solver_are_no_success() {
    let bench = bench();
    let solve = format!("{ETALON} solve -");
    let ran = diff(&bench, &solve, "--only missing --junit none.xml");
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert!(!bench.path().join("none.xml").exists());
    let said = "--only missing: there is no problem of that name; there are ";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let scenes = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../golden/scenes/stack.jsonl"
    );
    let ran = bench.run_words(&["diff", "--solver", &solve, scenes]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("golden scenes are not sent"),
        "{}",
        ran.stderr
    );
    assert_eq!(diff(&bench, "an 'open quote", "").status, 2);
    let ran = diff(&bench, "no-such-program", "");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("cannot start"), "{}", ran.stderr);
    assert_eq!(diff(&bench, "no-such-program", "--can pure").status, 2);
}

/// Answers with the claims of the file `claims`, by name; the probe is none of them.
const CANNED: &str = r#"while read -r line; do
    name=${line#*\"name\":\"}
    grep -F "\"name\":\"${name%%\"*}\"" claims || echo "{\"name\":\"${name%%\"*}\",\"status\":\"failed\"}"
done
"#;

/// Problems z = 1 of one row, p0 to p(count - 1), and another file with a box.
fn many(count: usize) -> Workbench {
    let bench = Workbench::new();
    let lines = (0..count).map(|k| format!("{{\"name\":\"p{k}\",\"M\":[[1]],\"q\":[-1]}}\n"));
    bench.write("p.jsonl", lines.collect::<String>());
    bench.write(
        "boxed.jsonl",
        r#"{"name":"boxed","M":[[1]],"q":[-3],"lower":[0],"upper":[2]}"#,
    );
    bench.write("canned.sh", CANNED);
    bench
}

/// Claims of `p0`, `p1`, ... with these fields.
fn claims(bench: &Workbench, fields: &[&str]) {
    let lines = fields.iter().enumerate();
    let lines = lines.map(|(k, fields)| format!("{{\"name\":\"p{k}\",{fields}}}\n"));
    bench.write("claims", lines.collect::<String>());
}

#[test]
fn a_solver_that_dies_of_everything_is_not_asked_everything() {
    let bench = many(40);
    for (solver, said) in [
        (
            "sh -c 'echo no licence >&2; exit 3'",
            "exited: the solver ended (exit status: 3); its last words: \"no licence\"",
        ),
        (
            "sh -c 'kill -SEGV $$'",
            "crashed: the solver ended (signal: 11",
        ),
        (
            "sh -c 'echo nonsense; cat >/dev/null'",
            "garbage: the answer is no claim",
        ),
    ] {
        let ran = diff(&bench, solver, "");
        assert_eq!(ran.status, 2, "{solver}");
        assert!(
            ran.stderr.contains("each of its first 3 problems"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains(said), "{solver}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    }
    // Steps of trajectories, which take long to derive, come after: this one cannot be read.
    bench.run("scenario run rod --steps 1 --out run.jsonl");
    bench.write("run.jsonl", bench.read("run.jsonl") + "broken\n");
    let ran = diff(&bench, "sh -c 'exit 3'", "run.jsonl");
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(!ran.stderr.contains("run.jsonl"), "{}", ran.stderr);
    // One that is right once is asked on.
    bench.write(
        "once.sh",
        "read -r line; echo '{\"name\":\"p0\",\"status\":\"solved\",\"z\":[1]}'",
    );
    let ran = diff(&bench, "sh once.sh", "--can pure");
    assert_eq!(ran.status, 1);
}

#[test]
fn failures_are_told_once_a_kind_and_the_worst_in_full() {
    let bench = many(40);
    let mut fields = vec![r#""status":"solved","z":[1]"#; 10];
    fields.extend([r#""status":"solved","z":[0]"#; 8]);
    fields.extend([r#""status":"unsolvable""#; 2]);
    fields.extend([r#""status":"failed","message":"no progress after 12 sweeps""#; 5]);
    fields.extend([r#""status":"failed","message":"no progress after 13 sweeps""#; 15]);
    claims(&bench, &fields);
    let ran = diff(&bench, "sh canned.sh", "--out all.txt");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.shown());
    let full = |text: &str| text.matches("\n  etalon diff").count();
    assert_eq!((full(&ran.stdout), full(&bench.read("all.txt"))), (0, 30));
    for (failures, shown) in [("0", 0), ("7", 7), ("all", 30)] {
        let ran = diff(&bench, "sh canned.sh", &format!("--failures {failures}"));
        assert_eq!(full(&ran.stdout), shown, "{failures}");
        assert!(ran.stdout.starts_with("| suite |"), "{}", ran.stdout);
    }
    assert_eq!(diff(&bench, "sh canned.sh", "--failures some").status, 2);
    let json = diff(&bench, "sh canned.sh", "--json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        json["groups"][2]["fault"],
        "gave up: no progress after # sweeps"
    );
    assert_eq!(json["groups"][2]["count"], 20);
    assert_eq!(json["failures"].as_array().unwrap().len(), 30);
}

/// A solver that is wrong everywhere is told in some ten lines, and whole in the file.
#[test]
fn many_suites_fit_ten_lines() {
    let bench = Workbench::new();
    bench.write("canned.sh", CANNED);
    let mut claims = String::new();
    for suite in 0..9 {
        let mut problems = String::new();
        for k in 0..=suite {
            let name = format!("s{suite}/{k}");
            problems += &format!("{{\"name\":\"{name}\",\"M\":[[1]],\"q\":[-1]}}\n");
            let faults = [
                r#""status":"solved","z":[0]"#,
                r#""status":"unsolvable""#,
                r#""status":"failed","message":"no progress""#,
                r#""status":"failed","message":"singular""#,
                r#""status":"failed""#,
            ];
            let fault = faults[k % faults.len()];
            claims += &format!("{{\"name\":\"{name}\",{fault}}}\n");
        }
        bench.write(&format!("all/s{suite}.jsonl"), problems);
    }
    bench.write("claims", claims);
    let words = [
        "diff",
        "--solver",
        "sh canned.sh",
        "all",
        "--out",
        "all.txt",
    ];
    let ran = bench.run_words(&words);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.len() <= 10, "{}", ran.stdout);
    let first =
        "  s0/0: row 0: w = -1 must not be negative where z is at its lower bound; error 1/2";
    assert_eq!(
        lines[..2],
        ["13 x rejected, gross (s5 2, s6 2, s7 2, 6 more)", first]
    );
    assert!(lines.iter().all(|line| line.len() <= 100), "{}", ran.stdout);
    for told in [
        "in 2 other ways",
        "\nmade small: etalon shrink --solver 'sh canned.sh' all/s0.jsonl --only s0/0\n",
        "\n0 of 45 accepted (s8 0/9, s7 0/8, s6 0/7, 6 more); --failures N shows more, --out FILE all\n",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    // What is not sent takes lines from the examples of the lesser kinds.
    bench.write(
        "all/t.jsonl",
        r#"{"name":"box","M":[[1]],"q":[-3],"lower":[0],"upper":[2]}
{"name":"friction","M":[[1,0],[0,1]],"q":[-1,0.5],"friction":[{"row":1,"normal":0,"mu":1}]}
{"name":"third","M":[["1/3"]],"q":[-1]}
"#,
    );
    let kept = bench.run_words(&words);
    assert!(kept.stdout.contains("; 3 not sent"), "{}", kept.stdout);
    assert!(kept.stdout.lines().count() <= 10, "{}", kept.stdout);
    let whole = bench.read("all.txt");
    for told in ["| s0 ", "| s8 ", " x gave up (", "x gave up: singular"] {
        assert!(whole.contains(told), "{told}: {whole}");
    }
    // What the solver gave up on is made small on request, which is in the command.
    let gave_up = bench.run_words(&[&words[..4], &["--only", "s4/4"]].concat());
    let shrink = gave_up
        .stdout
        .lines()
        .find(|line| line.contains("etalon shrink"));
    assert_eq!(
        shrink,
        Some(
            "made small: etalon shrink --solver 'sh canned.sh' --giving-up all/s4.jsonl --only s4/4"
        )
    );
}

/// Where a table with all verdicts is wider than the terminal, those that have passed are counted together.
#[test]
fn a_wide_table_stays_in_one_part() {
    let bench = many(6);
    claims(
        &bench,
        &[
            r#""status":"solved","z":[1]"#,
            r#""status":"solved","z":[1.0000000000001]"#,
            r#""status":"solved","z":[0]"#,
            r#""status":"unsolvable""#,
            r#""status":"failed""#,
            r#""status":"solved","z":[1]"#,
        ],
    );
    let suite = "a-rather-long-suite-name.jsonl";
    std::fs::rename(bench.path().join("p.jsonl"), bench.path().join(suite)).unwrap();
    let words = ["diff", "--solver", "sh canned.sh", suite, "--failures", "1"];
    let ran = bench.run_words(&words);
    let table: Vec<&str> = ran
        .stdout
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(table.len(), 3, "{}", ran.stdout);
    for told in ["passed", "rejected", "refuted", "failed"] {
        assert!(table[0].contains(told), "{told}: {}", ran.stdout);
    }
    assert!(!table[0].contains("exact"), "{}", ran.stdout);
}

#[test]
fn who_ignores_bounds_is_sent_none_unless_asked_to() {
    let bench = many(2);
    claims(&bench, &[r#""status":"solved","z":[1]"#; 2]);
    let both = |more: &str| diff(&bench, "sh canned.sh", &format!("{more} boxed.jsonl"));
    let ran = both("");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    // The list can be pasted as it is: what the solver could do before is in it.
    let hint = "1 problem with bounds not sent; --can boxes,unsolvable sends them";
    assert!(ran.stdout.contains(hint), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("2 of 2 accepted; 1 not sent"),
        "{}",
        ran.stdout
    );
    let ran = both("--can n<=9");
    let hint = "1 problem with bounds not sent; --can 'boxes,n<=9' sends them";
    assert!(ran.stdout.contains(hint), "{}", ran.stdout);
    let ran = both("--can boxes");
    assert!(ran.stdout.contains("2 of 3 accepted"), "{}", ran.stdout);
    assert!(ran.stdout.contains("--can boxes"), "{}", ran.stdout);
    // Etalon's own solver gets the probe right.
    let ran = diff(&bench, &format!("{ETALON} solve -"), "boxed.jsonl");
    assert!(ran.stdout.contains("3 of 3 accepted"), "{}", ran.stdout);
}

#[test]
fn a_solver_may_say_itself_what_it_can_do() {
    let bench = many(3);
    claims(&bench, &[r#""status":"solved","z":[1]"#; 3]);
    let offer = |can: &str| {
        let line = format!("echo '{{\"format\":\"etalon-solver/1\",\"can\":{can}}}'\n");
        bench.write("offers.sh", line + CANNED);
        diff(&bench, "sh offers.sh", "boxed.jsonl")
    };
    assert!(offer("[]").stdout.contains("3 of 3 accepted; 1 not sent"));
    assert!(offer(r#"["boxes"]"#).stdout.contains("3 of 4 accepted"));
    let ran = offer(r#"["boxs"]"#);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("\"boxs\" is no capability"),
        "{}",
        ran.stderr
    );
}

/// Hangs on p1 until it has been asked about it once.
#[test]
fn who_hangs_is_asked_again_before_it_is_said() {
    let bench = many(3);
    claims(&bench, &[r#""status":"solved","z":[1]"#; 3]);
    let once = "while read -r line; do\n    case $line in *p1*) [ -e met ] || { touch met; sleep 60; };; esac\n    echo \"$line\"\ndone | sh canned.sh";
    bench.write("once.sh", once);
    let ran = diff(&bench, "sh once.sh", "--can pure");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let said = "1 answered only when asked again, alone";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let always = once.replace("[ -e met ] || ", "");
    bench.write("always.sh", always);
    let ran = diff(&bench, "sh always.sh", "--can pure");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("no answer: 1 hung"), "{}", ran.stdout);
}

#[test]
fn reports_for_machines_name_the_failures() {
    let bench = bench();
    let ran = diff(
        &bench,
        "sh -c 'exit 3'",
        "--lines l.jsonl --junit j.xml --json",
    );
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["no_answer"]["exited"], 2);
    assert_eq!(json["skipped"]["exact data"], 1);
    let lines = bench.read("l.jsonl");
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert_eq!(
        (&first["failure"], &first["suite"]),
        (&"exited".into(), &"p".into())
    );
    assert_eq!(first["passed"], false);
    let xml = bench.read("j.xml");
    assert!(
        xml.contains("tests=\"4\"") && xml.contains("errors=\"2\""),
        "{xml}"
    );
    assert!(
        xml.contains("type=\"exited\"") && xml.contains("<skipped"),
        "{xml}"
    );
    let right = diff(&bench, &format!("{ETALON} solve -"), "--junit j.xml");
    assert_eq!(right.status, 0);
    assert!(bench.read("j.xml").contains("errors=\"0\""));
}

#[test]
fn a_solver_is_asked_what_it_can_do() {
    let bench = bench();
    let solve = format!("{ETALON} solve -");
    for (can, sent) in [
        ("pure", 2),
        ("friction", 3),
        ("psd,friction", 2),
        ("n<=1", 0),
    ] {
        let ran = diff(&bench, &solve, &format!("--json --can {can}"));
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(json["total"]["sent"], sent, "{can}");
    }
    assert_eq!(diff(&bench, &solve, "--can everything").status, 2);
}

#[test]
fn every_step_of_a_trajectory_is_judged() {
    let bench = Workbench::new();
    let run = bench.run("scenario run rod --steps 4 --out rod-run.jsonl");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let solver = format!("{ETALON} solve --method fast-auto -");
    let steps = |more: &[&str]| {
        let words = ["diff", "--json", "--solver", &solver, "rod-run.jsonl"];
        let ran = bench.run_words(&[&words[..], more].concat());
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        (ran.status, json["total"]["sent"].as_u64())
    };
    assert_eq!(steps(&[]), (0, Some(4)));
    assert_eq!(steps(&["--only", "rod-run/step 3"]), (0, Some(1)));
    bench.write("canned.sh", CANNED);
    bench.write("claims", "");
    let words = [
        "diff",
        "--solver",
        "sh canned.sh",
        "rod-run.jsonl",
        "--failures",
        "3",
    ];
    let ran = bench.run_words(&words);
    assert_eq!(ran.status, 1);
    let again = "rod-run.jsonl --only 'rod-run/step 2'";
    assert!(ran.stdout.contains(again), "{}", ran.stdout);
}

#[test]
fn the_command_that_shows_it_again_judges_as_the_run_did() {
    let bench = Workbench::new();
    bench.write("p.jsonl", r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
    // Off by 1e-10: right by default, and wrong for who asks for more.
    let near = r#"sh -c 'read -r line; echo "{\"name\":\"p\",\"status\":\"solved\",\"z\":[1.0000000001]}"'"#;
    assert_eq!(diff(&bench, near, "").status, 0);
    let ran = diff(&bench, near, "--tol 1e-12 --snap 0 --memory 1GiB");
    assert_eq!(ran.status, 1);
    let again = "--timeout 2s --memory 1073741824 --tol 1/1000000000000 --snap 0 p.jsonl --only p";
    assert!(ran.stdout.contains(again), "{}", ran.stdout);
    let words = ["--tol", "1/1000000000000", "--snap", "0", "--only", "p"];
    assert_eq!(diff(&bench, near, &words.join(" ")).status, 1);
}

#[test]
fn whatever_a_solver_says_the_report_is_xml() {
    let bench = bench();
    bench.write(
        "odd.sh",
        r#"while read -r line; do
    name=${line#*\"name\":\"}
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"failed\", \"message\": \"]]> <&\\u0001\\u001b[31m \\uffff \\ufffe\"}"
done
"#,
    );
    let ran = diff(&bench, "sh odd.sh", "--junit j.xml");
    assert!(ran.stdout.contains("]]> <&"), "{}", ran.stdout);
    let xml = bench.read("j.xml");
    assert!(xml.contains("]]&gt; &lt;&amp;"), "{xml}");
    // What XML 1.0 has no way to say (section 2.2).
    let forbidden =
        |c: char| (c < ' ' && !"\t\n\r".contains(c)) || ('\u{fffe}'..='\u{ffff}').contains(&c);
    assert!(!xml.contains(forbidden), "{xml}");
}

#[test]
fn a_sparse_problem_too_large_for_the_protocol_is_not_sent() {
    let bench = Workbench::new();
    let n = 200_000;
    let ones = vec!["1"; n].join(",");
    let record =
        format!(r#"{{"name":"large","M":{{"shape":[{n},{n}],"entries":[]}},"q":[{ones}]}}"#);
    bench.write("p.jsonl", record);
    let ran = diff(&bench, "cat", "");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stdout.contains("1 not sent: more than 5000 rows"),
        "{}",
        ran.stdout
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_interrupted_takes_its_solvers_along() {
    use std::time::{Duration, Instant};
    let bench = bench();
    // Whoever starts these tests may ignore Ctrl-C (a script's background job does), and that is handed down and kept.
    let solver = "sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 60'";
    let mut run = std::process::Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_etalon")])
        .args(["diff", "--jobs", "1", "--timeout", "60s", "--solver"])
        .args([solver, "p.jsonl"])
        .current_dir(bench.path())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    let wait = |until: &dyn Fn() -> bool| {
        while !until() {
            assert!(Instant::now() < end);
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait(&|| bench.path().join("pid").exists());
    let interrupt = format!("kill -INT {}", run.id());
    std::process::Command::new("sh")
        .args(["-c", &interrupt])
        .status()
        .unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let stat = format!("/proc/{}/stat", bench.read("pid").trim());
    // A zombie waits only for whoever inherits it.
    wait(&|| std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z")));
}

/// NaN and infinities as Rust, Python, C++ and JavaScript write them are answers of a kind of their own, from the first problem on.
#[test]
fn an_answer_that_is_not_finite_is_called_so() {
    let bench = many(4);
    let fields = ["null", "NaN", "-inf", r#""Infinity""#];
    let fields = fields.map(|token| format!(r#""status":"solved","z":[{token}]"#));
    claims(&bench, &fields.each_ref().map(String::as_str));
    let ran = diff(&bench, "sh canned.sh", "--can pure");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    for told in [
        "4 x no answer, not-finite: NaN or an infinity in z (p 4)\n  p0: the answer is not finite: z[0]: null is not finite: ",
        "\n0 of 4 accepted; no answer: 4 not-finite\n",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    let nulls = CANNED.replace(
        r#"\"status\":\"failed\""#,
        r#"\"status\":\"solved\",\"z\":[null]"#,
    );
    bench.write("nulls.sh", nulls);
    bench.write("claims", "");
    for words in [
        &["fuzz", "--seed", "1", "--findings", "1"][..],
        &["shrink", "p.jsonl", "--only", "p0"],
    ] {
        let solver = ["--solver", "sh nulls.sh", "--can", "pure"];
        let ran = bench.run_words(&[words, &solver].concat());
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert!(ran.stdout.contains("not-finite"), "{}", ran.stdout);
        let said = "the answer is not finite: z[0]: null is not finite";
        assert!(ran.stdout.contains(said), "{}", ran.stdout);
    }
}
