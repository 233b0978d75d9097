//! `etalon scenario run` of scenes in motion.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_trajectory_has_a_header_and_a_line_a_step() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run rod --set h=0.01 --solver exact --out rod.jsonl --quiet");
    assert_eq!((ran.status, &*ran.stdout), (0, ""), "{}", ran.stderr);
    let lines = lines(&bench.read("rod.jsonl"));
    assert_eq!(lines.len(), 101);
    assert_eq!(lines[0]["format"], "etalon-trajectory/1");
    assert_eq!(lines[0]["parameters"]["h"], "1/100");
    for (k, line) in lines.iter().enumerate().skip(1) {
        assert_eq!(line["k"], k);
        for field in ["t", "q", "v", "contacts", "lcp", "energy", "dissipated"] {
            assert!(!line[field].is_null(), "{field}");
        }
    }
    let fast = bench.run("scenario run rod --set h=0.01 --solver fast --steps 3");
    assert_eq!(fast.stdout.lines().count(), 4);
    assert!(
        fast.stdout
            .starts_with(r#"{"format":"etalon-trajectory/1","scenario":"rod""#)
    );
}

#[test]
fn exact_scenes_are_written_in_fractions() {
    let ran = Workbench::new().run("scenario run incline --set mu=4/5 --solver exact");
    let last = lines(&ran.stdout).pop().unwrap();
    assert_eq!(
        last["q"],
        serde_json::json!(["12259/78125", "36777/312500"])
    );
    assert_eq!(last["energy"]["potential"], "1802073/1562500");
}

#[test]
fn a_torn_trajectory_is_resumed_to_the_same_bytes() {
    let bench = Workbench::new();
    let run = "scenario run wedge --quiet --out";
    bench.run(&format!("{run} whole.jsonl"));
    let whole = bench.read("whole.jsonl");
    let cut: String = whole.chars().take(2 * whole.len() / 3).collect();
    bench.write("torn.jsonl", &cut);
    let ran = bench.run(&format!("{run} torn.jsonl --resume"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(bench.read("torn.jsonl"), whole);
    // A run of other parameters is not gone on with, and not touched.
    let ran = bench.run(&format!("{run} torn.jsonl --resume --set mu=0"));
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("another run: mu was 3/10 and is 0"),
        "{}",
        ran.stderr
    );
    assert_eq!(bench.read("torn.jsonl"), whole);
    // A longer run is.
    let ran = bench.run(&format!("{run} torn.jsonl --resume --steps 50"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(bench.read("torn.jsonl").lines().count(), 51);
}

/// What is gone on with is what this program and this solver would have made.
#[test]
fn a_trajectory_of_another_solver_or_version_is_not_gone_on_with() {
    let bench = Workbench::new();
    let run = "scenario run wedge --quiet --steps 6 --out";
    bench.run(&format!("{run} exact.jsonl"));
    bench.run(&format!("{run} fast.jsonl --solver fast-lemke"));
    for (file, solver, why) in [
        (
            "exact.jsonl",
            "fast-lemke",
            "arithmetic was \"rational\" and is \"binary64\"; ",
        ),
        (
            "fast.jsonl",
            "fast",
            "solver was \"fast-lemke\" and is \"fast-auto\"",
        ),
    ] {
        let whole = bench.read(file);
        let ran = bench.run(&format!("{run} {file} --resume --solver {solver}"));
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!(bench.read(file), whole);
    }
    // A step of other laws than this program's, in the midst and as the first one.
    let whole = bench.read("exact.jsonl");
    for k in [5, 1] {
        let mut lines = lines(&whole);
        lines.truncate(k + 1);
        lines[k]["v"][0] = "7".into();
        let text: String = lines
            .iter()
            .map(|line| etalon::golden::trajectory::line_text(line) + "\n")
            .collect();
        bench.write("other.jsonl", &text);
        let ran = bench.run(&format!("{run} other.jsonl --resume"));
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        let told = format!("its last step (k = {k}) comes out otherwise");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
        assert_eq!(bench.read("other.jsonl"), text);
    }
    // A whole line that is no step: it and what follows it stay.
    let spoilt = whole.replacen("\"k\":3,", "\"k\":\"3\",", 1);
    bench.write("other.jsonl", &spoilt);
    let ran = bench.run(&format!("{run} other.jsonl --resume"));
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("is no step"), "{}", ran.stderr);
    assert_eq!(bench.read("other.jsonl"), spoilt);
    // The picture of a run that was resumed is that of the whole run.
    bench.run(&format!("{run} whole.jsonl --energy-svg whole.svg"));
    let cut: String = whole
        .lines()
        .take(4)
        .map(|line| line.to_owned() + "\n")
        .collect();
    bench.write("cut.jsonl", cut);
    let ran = bench.run(&format!("{run} cut.jsonl --energy-svg cut.svg --resume"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(bench.read("cut.jsonl"), whole);
    assert_eq!(bench.read("cut.svg"), bench.read("whole.svg"));
}

#[test]
fn verify_takes_each_step_again_and_finds_a_corrupted_digit() {
    let bench = Workbench::new();
    bench.run("scenario run rod --set h=0.02 --out rod.jsonl --quiet");
    let ran = bench.run("verify rod.jsonl --json");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["trajectories"]["steps"], 50);
    let mut stored = lines(&bench.read("rod.jsonl"));
    let own = stored[30]["v"][2].as_f64().unwrap();
    stored[30]["v"][2] = serde_json::json!(f64::from_bits(own.to_bits() + (1 << 20)));
    let text = |lines: &[Value]| -> String {
        lines
            .iter()
            .map(|line| etalon::golden::trajectory::line_text(line) + "\n")
            .collect()
    };
    bench.write("spoilt.jsonl", text(&stored));
    let ran = bench.run("verify spoilt.jsonl");
    assert_eq!(ran.status, 1);
    assert!(
        ran.stderr.contains("spoilt.jsonl:31: v[2] is"),
        "{}",
        ran.stderr
    );
    // A step that is missing, and numbers that no machine need repeat.
    bench.write("short.jsonl", text(&lines(&bench.read("rod.jsonl"))[..50]));
    let ran = bench.run("verify short.jsonl");
    assert!(
        ran.status == 1 && ran.stderr.contains("50 steps, but 49 follow"),
        "{}",
        ran.stderr
    );
    bench.run("scenario run rod --set h=0.02 --solver fast --out fast.jsonl --quiet");
    let ran = bench.run("verify fast.jsonl");
    assert!(
        ran.status == 1 && ran.stderr.contains("binary64"),
        "{}",
        ran.stderr
    );
}

#[test]
fn golden_trajectories_are_made_by_their_recipe() {
    let bench = Workbench::new();
    let recipe = r#"[{"file": "slide", "scenario": "incline", "set": {"mu": "1/4"}, "steps": 7}]"#;
    bench.write("trajectories.json", recipe);
    assert_eq!(bench.run("golden . --check").status, 1);
    assert_eq!(bench.run("golden .").status, 0);
    assert_eq!(bench.read("slide.jsonl").lines().count(), 8);
    assert_eq!(bench.run("golden . --check").status, 0);
    assert_eq!(bench.run("verify .").status, 0);
    bench.write(
        "trajectories.json",
        r#"[{"file": "../x", "scenario": "incline"}]"#,
    );
    assert_eq!(bench.run("golden .").status, 2);
}

#[test]
fn the_problem_of_any_step_goes_to_any_solver() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run incline --steps 12 --problem");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    bench.write("p.jsonl", &ran.stdout);
    let solved = bench.run("solve --method exact-lemke p.jsonl");
    let z = r#""z":["49/625","0","98/625","147/1250"]"#;
    assert!(solved.stdout.contains(z), "{}", solved.stdout);
}

#[test]
fn an_unwritable_path_is_an_error_before_the_run() {
    let bench = Workbench::new();
    let start = std::time::Instant::now();
    let ran =
        bench.run("scenario run polygon --set sides=500 --set duration=1000 --out no/such/t.jsonl");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("no/such/t.jsonl: cannot write"),
        "{}",
        ran.stderr
    );
    assert!(start.elapsed().as_secs() < 20);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_lines() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let bench = Workbench::new();
    let path = bench.path().join("long.jsonl");
    let child = Command::new(env!("CARGO_BIN_EXE_etalon"))
        .args([
            "scenario",
            "run",
            "rod",
            "--set",
            "duration=100000",
            "--out",
        ])
        .arg(&path)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while std::fs::metadata(&path).map_or(0, |m| m.len()) < 20_000 {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(
        told.contains("stopped after step") && told.contains("--resume"),
        "{told}"
    );
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with('\n'));
    assert!(lines(&text).len() > 10);
}

#[test]
fn bad_settings_of_a_scene_in_motion_end_with_2() {
    let bench = Workbench::new();
    for command in [
        "scenario run rod --set scheme=guess",
        "scenario run rod --set h=0",
        "scenario run rod --set h=-1",
        "scenario run rod --solver guess",
        "scenario run four-balls --set directions=7",
        "scenario run particle-3d --set directions=6",
        "scenario run rod --resume",
    ] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty());
    }
}

#[test]
fn somebodys_solver_drives_a_scene_in_motion() {
    let bench = Workbench::new();
    let mut command = bench.command("scenario run incline --steps 6 --solver");
    let ran: crate::common::Ran = command
        .arg(format!("{} solve -", crate::common::ETALON))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let exact = bench.run("scenario run incline --steps 6");
    let last =
        |text: &str| -> Value { serde_json::from_str(text.lines().last().unwrap()).unwrap() };
    let (own, exact) = (last(&ran.stdout), last(&exact.stdout));
    assert_eq!(own["k"], 6);
    let exact = etalon_lcp::parse_rational(exact["q"][0].as_str().unwrap()).unwrap();
    assert!((own["q"][0].as_f64().unwrap() - exact.to_f64()).abs() < 1e-12);
}

/// A world of a file stands in the header, so its trajectory can be taken again without the file.
#[test]
fn a_trajectory_of_a_world_of_a_file_is_verified() {
    let bench = Workbench::new();
    let scene = bench.run("scenario run pendulums --scene").stdout;
    let mut scene: Value = serde_json::from_str(&scene).unwrap();
    scene["bodies"][1]["elasticity"] = serde_json::json!(0.1);
    scene["settings"]["time_step"] = serde_json::json!(0.03);
    bench.write("mine.json", scene.to_string());
    let ran = bench.run("scenario run mine.json --steps 5 --out mine.jsonl --quiet");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    std::fs::remove_file(bench.path().join("mine.json")).unwrap();
    let told = bench.run("verify mine.jsonl");
    let counts = "1 trajectories, 5 steps taken again, 0 failures";
    assert!(
        told.status == 0 && told.stdout.contains(counts),
        "{}{}",
        told.stdout,
        told.stderr
    );
    assert_eq!(bench.run("trajectory check mine.jsonl").status, 0);
    let whole = lines(&bench.read("mine.jsonl"));
    assert_eq!(whole[0]["scene"]["format"], "etalon-world/1");
    let changed = |edit: fn(&mut Value), at: usize| {
        let mut own = whole.clone();
        edit(&mut own[at]);
        let text: Vec<_> = own.iter().map(Value::to_string).collect();
        bench.write("changed.jsonl", text.join("\n") + "\n");
        let ran = bench.run("verify changed.jsonl");
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        ran.stderr
    };
    let speed = changed(|line| line["v"][0] = serde_json::json!(0.125), 3);
    assert!(speed.contains("v[0] is 0.125, but comes out as"), "{speed}");
    let mass = changed(
        |header| header["scene"]["bodies"][1]["mass"] = serde_json::json!(9),
        0,
    );
    assert!(mass.contains("energy"), "{mass}");
    let without = changed(
        |header| drop(header.as_object_mut().unwrap().remove("scene")),
        0,
    );
    let remedy = "there is no scenario \"mine.json\"; `etalon scenario list` names them; the header of a world of a file has the world as `scene`: make the trajectory once more from that file";
    assert!(without.contains(remedy), "{without}");
    let other = changed(
        |header| header["scene"]["format"] = "etalon-scene/1".into(),
        0,
    );
    assert!(
        other.contains("scene: it is no world in the format etalon-world/1"),
        "{other}"
    );
}
