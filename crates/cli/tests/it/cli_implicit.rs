//! `etalon scenario run` and `etalon verify` of files by Chakraborty and Berard's method.

use crate::common::Workbench;
use serde_json::{Value, json};

/// A block with round edges that slides and spins on a belt.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let scene = json!({
        "name": "block on a belt",
        "gravity": [0, 0, -10],
        "bodies": [
            {"name": "belt", "fixed": true, "velocity": [1, 0, 0], "shape": {"half_space": [0, 0, 1]}},
            {"name": "block", "mass": 1, "position": [0, 0, "1/2"], "angular_velocity": [0, 0, 2],
             "shape": {"superquadric": {"half_axes": [1, "3/4", "1/2"], "exponent": 4}}},
        ],
        "motion": {"steps": 3, "mu": "1/4", "torsion": "1/20"},
    });
    bench.write("mine.json", scene.to_string());
    bench
}

const RUN: &str = "scenario run mine.json --method chakraborty-berard --quiet --out out.jsonl";

/// Each number that is changed is named with its line.
#[test]
fn a_file_is_run_by_the_method_and_a_tampered_line_is_caught() {
    let bench = bench();
    let ran = bench.run(RUN);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = bench.run("verify out.jsonl");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("3 steps taken again, 0 failures"));
    let whole = bench.read("out.jsonl");
    type Edit = fn(&mut Value);
    let edits: [(&str, Edit); 6] = [
        ("v[6]", |line| line["v"][6] = json!(0.5)),
        ("q[0]", |line| line["q"][0] = json!(0.5)),
        ("torsion", |line| {
            line["contacts"][0]["torsion"] = json!(0.0)
        }),
        ("mode", |line| line["contacts"][0]["mode"] = json!("stick")),
        ("work", |line| line["work"] = json!(0.0)),
        ("radius", |line| line["verified"]["radius"] = json!(1e-20)),
    ];
    for (field, edit) in edits {
        let lines = whole
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let mut lines: Vec<Value> = lines.collect();
        edit(&mut lines[2]);
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        bench.write("forged.jsonl", text.join("\n") + "\n");
        let ran = bench.run("verify forged.jsonl");
        assert_eq!(ran.status, 1, "{field}: {}", ran.stdout);
        let told = ran
            .stderr
            .lines()
            .any(|line| line.contains("forged.jsonl:3") && line.contains(field));
        assert!(told, "{field}: {}", ran.stderr);
    }
}

#[test]
fn what_the_method_does_not_do_is_an_error_that_says_so() {
    let bench = bench();
    let cases = [
        (
            "scenario run mine.json",
            2,
            "which the method chakraborty-berard alone takes",
        ),
        (
            "scenario run mine.json --method chakraborty-berard --cone pyramid:8",
            2,
            "has the circular cone alone",
        ),
        (
            "scenario run mine.json --method chakraborty-berard --all",
            2,
            "chakraborty-berard steps have no tree",
        ),
        (
            "scenario run mine.json --method euler",
            2,
            "stewart-trinkle, moreau-jean, chakraborty-berard",
        ),
    ];
    for (command, status, says) in cases {
        let ran = bench.run(command);
        assert_eq!(ran.status, status, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{command}: {}", ran.stderr);
    }
    bench.run(RUN);
    let ran = bench.run("trajectory check out.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.shown());
}

/// The flag takes the place of the file's cone, which another method needs.
#[test]
fn a_file_with_a_pyramid_runs_in_the_circular_cone() {
    let bench = Workbench::new();
    let scene = bench
        .run("scenario run wheel-spin --set method=stewart-trinkle --set cone=pyramid:8 --scene");
    bench.write("wheel.json", &scene.stdout);
    let run = "scenario run wheel.json --method chakraborty-berard --steps 1";
    let ran = bench.run(run);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("motion.cone"), "{}", ran.stderr);
    let ran = bench.run(&format!("{run} --cone circular"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

/// A named scene and its scene as a file lead to one motion.
#[test]
fn a_named_scene_is_a_file_too() {
    let bench = Workbench::new();
    let named = bench.run("scenario run superquadric-rocking --h 1/50 --steps 1");
    let scene = bench.run("scenario run superquadric-rocking --scene");
    bench.write("rock.json", &scene.stdout);
    let own = bench.run("scenario run rock.json --h 1/50 --steps 1");
    let steps = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(steps(&named.stdout), steps(&own.stdout), "{}", own.stderr);
    assert_eq!(steps(&own.stdout).len(), 1);
}

#[test]
fn a_step_that_does_not_converge_names_the_pair_and_a_remedy() {
    let bench = Workbench::new();
    let ran = bench.run(
        "scenario run superquadric-rocking --set h=1/10 --set exponent=16 --steps 3 --out s.jsonl",
    );
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    for said in [
        "step 3: the implicit step did not converge",
        "most of all at superquadric/floor; take a shorter step h",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}
