//! `etalon replay`: solvers on the problems of trajectories, and in closed loop.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{ETALON, Ran, Workbench};
use serde_json::Value;

fn replay(bench: &Workbench, command: &str, solver: &str) -> Ran {
    let mut command = bench.command(command);
    command.arg("--solver").arg(solver).output().unwrap().into()
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(ran.stdout.lines().next().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr))
}

#[test]
fn right_solvers_are_accepted_on_every_step() {
    let bench = Workbench::new();
    bench.run("scenario run rod --set h=0.02 --out rod.jsonl --quiet");
    for solver in ["exact", "fast", "exact-lemke"] {
        let ran = replay(&bench, "replay rod.jsonl --json", solver);
        let found = json(&ran);
        assert_eq!(ran.status, 0, "{solver}: {}", ran.stderr);
        assert_eq!(
            (&found["problems"], &found["accepted"]),
            (&50.into(), &50.into())
        );
        assert!(found["largest_velocity_difference"].as_f64().unwrap() < 1e-9);
        if solver != "fast" {
            assert_eq!(found["other_basis"], 0);
            assert_eq!(found["largest_error"].as_f64(), Some(0.0));
        }
    }
    let own = format!("{ETALON} solve -");
    let ran = replay(&bench, "replay rod.jsonl --json", &own);
    assert_eq!(
        (ran.status, &json(&ran)["accepted"]),
        (0, &50.into()),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_solver_that_is_wrong_is_told_with_the_problem_that_shows_it() {
    let bench = Workbench::new();
    bench.run("scenario run stack-drop --out drop.jsonl --quiet");
    // Says 0 to everything: right in free flight, wrong where blocks land.
    let zeros = "python3 -u -c 'import sys,json\nfor line in sys.stdin:\n p=json.loads(line)\n print(json.dumps({\"name\":p[\"name\"],\"status\":\"solved\",\"z\":[0]*len(p[\"q\"])}),flush=True)'";
    let ran = replay(&bench, "replay drop.jsonl --json --timeout 300s", zeros);
    let found = json(&ran);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let failures = found["failures"].as_array().unwrap();
    assert!(!failures.is_empty() && failures.len() < 16, "{found}");
    assert_eq!(failures[0]["verdict"], "rejected");
    assert!(ran.stderr.contains("--problem "), "{}", ran.stderr);
    // That problem, as it was sent, is refused to zeros and solved by others.
    let step = failures[0]["step"].as_u64().unwrap();
    let problem = bench.run(&format!("replay drop.jsonl --solver fast --problem {step}"));
    assert_eq!(problem.status, 0, "{}", problem.stderr);
    bench.write("p.jsonl", &problem.stdout);
    assert!(!problem.stdout.contains('/') || !problem.stdout.contains("\"q\":[\""));
    assert_eq!(bench.run("solve p.jsonl").status, 0);
    // In closed loop the blocks fall through the ground.
    let ran = replay(&bench, "replay drop.jsonl --closed-loop --json", zeros);
    let found = json(&ran);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert_eq!(found["parting"]["cause"], "wrong");
    assert_eq!(found["parting"]["step"], step);
    let last = found["divergence"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert!(last["q"].as_f64().unwrap() > 0.5, "{last}");
}

/// A run that ends before its first step has no basis that could be another one.
#[test]
fn a_closed_loop_says_how_many_bases_it_compared() {
    let bench = Workbench::new();
    bench.run("scenario run box-slide --steps 2 --out slide.jsonl --quiet");
    let text = replay(&bench, "replay slide.jsonl --closed-loop", "fast-dantzig").stdout;
    assert!(text.contains("took 0 of 2 steps"), "{text}");
    assert!(
        text.contains("It took no step, so that no basis was compared."),
        "{text}"
    );
    let text = replay(&bench, "replay slide.jsonl --closed-loop", "exact").stdout;
    assert!(text.contains("All bases are the recorded ones."), "{text}");
}

/// Bases are compared line by line, so that each must be of its step.
#[test]
fn a_step_that_stands_twice_is_named_in_closed_loop() {
    let bench = Workbench::new();
    bench.run("scenario run box-slide --steps 3 --out slide.jsonl --quiet");
    let text = bench.read("slide.jsonl");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(2, lines[1]);
    bench.write("twice.jsonl", &(lines.join("\n") + "\n"));
    let ran = replay(&bench, "replay twice.jsonl --closed-loop", "exact");
    assert_eq!(ran.status, 2, "{} {}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr
            .contains("twice.jsonl:3: the field \"k\" is 1, and this is step 2"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_solver_in_closed_loop_is_said_to_part_where_and_why() {
    let bench = Workbench::new();
    bench.run("scenario run incline --set mu=4/5 --out stick.jsonl --quiet");
    let exact = replay(&bench, "replay stick.jsonl --closed-loop --json", "exact");
    let found = json(&exact);
    assert_eq!(
        (exact.status, &found["parting"]),
        (0, &Value::Null),
        "{}",
        exact.stderr
    );
    let divergence = found["divergence"].as_array().unwrap();
    assert_eq!(divergence.len(), 40);
    assert!(divergence.iter().all(|d| d["q"] == 0.0 && d["v"] == 0.0));
    let fast = replay(&bench, "replay stick.jsonl --closed-loop --json", "fast");
    let found = json(&fast);
    assert_eq!(
        (fast.status, &found["accepted"]),
        (0, &40.into()),
        "{}",
        fast.stderr
    );
    let furthest = found["divergence"].as_array().unwrap().iter();
    let furthest = furthest
        .map(|d| d["q"].as_f64().unwrap())
        .fold(0.0, f64::max);
    assert!(furthest < 1e-12, "{furthest}");
    let text = replay(&bench, "replay stick.jsonl --closed-loop", "fast");
    assert!(
        text.stdout.contains("Furthest apart in q"),
        "{}",
        text.stdout
    );
    // The rod at h = 0.01 is chaotic enough for rounding to be seen, and bounded.
    bench.run("scenario run rod --set h=0.01 --out rod.jsonl --quiet");
    let ran = replay(
        &bench,
        "replay rod.jsonl --closed-loop --json",
        "fast-lemke",
    );
    let found = json(&ran);
    assert_eq!(found["steps"], 100, "{}", ran.stderr);
    assert_eq!(found["accepted"], 100);
}

#[test]
fn what_cannot_be_replayed_ends_with_2() {
    let bench = Workbench::new();
    bench.run("scenario run corner --out corner.jsonl --quiet");
    let ran = replay(&bench, "replay corner.jsonl --closed-loop", "fast");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("its own rule"), "{}", ran.stderr);
    assert_eq!(replay(&bench, "replay corner.jsonl", "exact").status, 0);
    assert_eq!(replay(&bench, "replay nothing.jsonl", "fast").status, 2);
    bench.run("scenario run rod --set h=0.02 --solver fast --out fast.jsonl --quiet");
    assert_eq!(replay(&bench, "replay fast.jsonl", "fast").status, 2);
    bench.run("scenario run rod --set h=0.02 --out rod.jsonl --quiet");
    assert_eq!(
        replay(&bench, "replay rod.jsonl --problem 51", "fast").status,
        2
    );
    // A corrupted problem is no problem of the scene.
    let text = bench
        .read("rod.jsonl")
        .replacen("\"sha256\":\"", "\"sha256\":\"0", 1);
    bench.write("spoilt.jsonl", text);
    let ran = replay(&bench, "replay spoilt.jsonl", "fast");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("does not come out as it stands"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_does_not_move_is_named_with_what_takes_it() {
    let bench = Workbench::new();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden");
    for (file, expected) in [
        (
            "scenes/arm.jsonl",
            ["holds scenes with their forces", "`etalon verify "],
        ),
        ("problems/statics", ["holds problems", "`etalon diff "]),
        (
            "problems/nosuch.jsonl",
            ["nosuch.jsonl", "there is no such file"],
        ),
    ] {
        let ran = replay(&bench, &format!("replay {golden}/{file}"), "fast");
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(
            expected.iter().all(|words| ran.stderr.contains(words)),
            "{}",
            ran.stderr
        );
    }
}

/// A folder with a problem, a scene and a trajectory: each command takes what it is for, and stumbles over
/// nothing else.
#[test]
fn a_folder_of_all_kinds_is_taken_alike() {
    let bench = Workbench::new();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden");
    for (name, file) in [
        ("p.json", "problems/statics/ball_in_groove_345.json"),
        ("s.jsonl", "scenes/arm.jsonl"),
        ("t.jsonl", "trajectories/wedge.jsonl"),
    ] {
        let text = std::fs::read_to_string(format!("{golden}/{file}")).unwrap();
        bench.write(&format!("all/{name}"), text);
    }
    let ran = bench.run("verify all");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    for part in ["1 problems", " scenes, 0 failures", "1 trajectories, "] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let ran = bench.run("golden all --check");
    assert_eq!((ran.status, &*ran.stdout), (0, ""), "{}", ran.stderr);
    let ran = replay(&bench, "replay all", "fast");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("t.jsonl"), "{}", ran.stdout);
    let own = format!("{ETALON} solve -");
    let ran = replay(&bench, "diff all --no-steps", &own);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

/// A trajectory that is cut within a line ends `verify` and `replay` with 2, and is named with line and field;
/// the others are taken all the same.
#[test]
fn a_cut_trajectory_is_named_with_line_and_field() {
    let bench = Workbench::new();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
    let text = std::fs::read_to_string(format!("{golden}/wedge.jsonl")).unwrap();
    bench.write("all/whole.jsonl", &text);
    let lines: Vec<&str> = text.lines().collect();
    let end = lines[2].find("\"sha256\":").unwrap() + 20;
    bench.write(
        "all/cut.jsonl",
        format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..end]),
    );
    let expected = "cut.jsonl:3: the field \"lcp.sha256\": EOF while parsing a string";
    for command in ["verify all", "replay all"] {
        let ran = match command {
            "verify all" => bench.run(command),
            _ => replay(&bench, command, "fast"),
        };
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{command}: {}", ran.stderr);
        assert!(ran.stdout.contains("1 trajectories") || ran.stdout.contains("whole.jsonl"));
    }
}
