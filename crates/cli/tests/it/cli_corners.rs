//! `etalon scenario run`, `verify` and `trajectory check` of files by Egan and Trinkle's method.

use crate::common::Workbench;
use serde_json::{Value, json};

/// A wedge that falls on the corner of a step, in the plane.
fn wedge() -> Value {
    json!({
        "name": "a wedge on a step",
        "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_plane": [0, 1]}},
            {"name": "step", "fixed": true, "position": [-1, "1/4"],
             "shape": {"polygon": [[-1, "-1/4"], [1, "-1/4"], [1, "1/4"], [-1, "1/4"]]}},
            {"name": "wedge", "mass": 3, "inertia": "1/8", "position": ["6/25", "13/16"], "velocity": [0, -2],
             "shape": {"polygon": [["-1/4", "-1/4"], ["1/4", "-1/4"], [0, "1/2"]]}},
        ],
        "motion": {"method": "egan-trinkle", "h": "1/50", "steps": 4},
    })
}

/// Four feet, of which one lands on the corner of a block, where three faces meet.
fn tripod() -> Value {
    json!({
        "name": "a tripod on a corner",
        "gravity": [0, 0, -10],
        "bodies": [
            {"name": "block", "fixed": true, "position": ["-1/2", "-1/2", "-1/2"], "shape": {"box": ["1/2", "1/2", "1/2"]}},
            {"name": "tripod", "mass": 2, "inertia": ["1/8", "1/8", "1/10"], "position": ["6/25", "6/25", "13/50"],
             "velocity": [0, 0, -2], "angular_velocity": [0, "1/4", 0],
             "shape": {"points": [["1/4", 0, "-1/4"], ["-1/4", "1/4", "-1/4"], ["-1/4", "-1/4", "-1/4"], [0, 0, "1/2"]]}},
        ],
        "motion": {"h": "1/50", "steps": 3},
    })
}

type Edit = fn(&mut Value);

/// The pushing contact of a line.
fn pushing(line: &mut Value) -> &mut Value {
    let contacts = line["contacts"].as_array_mut().unwrap();
    contacts
        .iter_mut()
        .find(|own| own["normal"].as_f64() > Some(0.0))
        .unwrap()
}

/// Runs a file, has the run verified and checked, and then the run with each edit, made in the first step in which
/// something pushes: a law by its name must be told of it.
fn caught(scene: &Value, edits: &[(&str, Edit, &str)]) {
    let bench = Workbench::new();
    bench.write("mine.json", scene.to_string());
    let ran = bench.run("scenario run mine.json --method egan-trinkle --quiet --out out.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for command in ["verify out.jsonl", "trajectory check out.jsonl"] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
    let whole = bench.read("out.jsonl");
    let lines = whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    assert_eq!(lines[0]["formulation"], "egan-trinkle");
    assert_eq!(lines[0]["scheme"], "linear");
    let pushes = |line: &Value| {
        let contacts = line["contacts"].as_array().unwrap();
        contacts
            .iter()
            .any(|own| own["normal"].as_f64() > Some(0.0))
    };
    let k = (1..lines.len()).find(|k| pushes(&lines[*k])).unwrap();
    assert!(!lines[k]["family"].as_array().unwrap().is_empty());
    for (what, edit, law) in edits {
        let mut lines = lines.clone();
        edit(&mut lines[k]);
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        bench.write("forged.jsonl", text.join("\n") + "\n");
        let ran = bench.run("verify forged.jsonl");
        let at = format!("forged.jsonl:{}", k + 1);
        assert!(
            ran.status == 1 && ran.stderr.contains(&at),
            "{what}: {}",
            ran.stderr
        );
        let ran = bench.run("trajectory check forged.jsonl");
        let told = ran.stdout.lines().chain(ran.stderr.lines());
        let told = told
            .filter(|line| line.contains(&at))
            .any(|line| line.contains(law));
        assert!(told, "{what}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_file_of_the_plane_is_run_and_what_is_changed_in_it_is_named() {
    caught(
        &wedge(),
        &[
            (
                "velocity",
                |line| line["v"][0] = json!(0.125),
                "coordinate x: momentum",
            ),
            (
                "spin",
                |line| line["v"][2] = json!(0.125),
                "coordinate theta: momentum",
            ),
            (
                "angle",
                |line| line["q"][2] = json!(0.125),
                "coordinate theta: state",
            ),
            (
                "no impulse",
                |line| line["contacts"] = json!([]),
                "more along the normal of contact step corner 3/wedge face 1 would account for it",
            ),
            (
                "another face",
                |line| pushing(line)["pair"] = json!("wedge corner 3/step face 3"),
                "momentum",
            ),
            (
                "no such face",
                |line| pushing(line)["pair"] = json!("wedge corner 9/step face 3"),
                "which is no face of an obstacle of the scene",
            ),
            (
                "pull",
                |line| pushing(line)["normal"] = json!(-1.0),
                "it pulls with 1 N s",
            ),
            (
                "energy",
                |line| line["energy"]["kinetic"] = json!(1.0),
                "kinetic energy: energy identity",
            ),
        ],
    );
}

#[test]
fn a_file_in_space_is_run_and_what_is_changed_in_it_is_named() {
    caught(
        &tripod(),
        &[
            (
                "velocity",
                |line| line["v"][0] = json!(0.125),
                "coordinate x: momentum",
            ),
            (
                "spin",
                |line| line["v"][3] = json!(0.125),
                "coordinate rx: momentum",
            ),
            (
                "place",
                |line| line["q"][0] = json!(0.125),
                "coordinate x: state",
            ),
            (
                "turn",
                |line| (line["q"][3], line["q"][4]) = (json!(0.9921875), json!(0.125)),
                "body tripod: state",
            ),
            (
                "no impulse",
                |line| line["contacts"] = json!([]),
                "more along the normal of contact tripod point 3/block face 6 would account for it",
            ),
            (
                "other energy",
                |line| line["dissipation"]["inertial"] = json!(1.0),
                "dissipation: energy identity",
            ),
        ],
    );
}

/// Solutions that are not listed, and another face that is said to be entered by, do not change the motion: `verify` names them.
#[test]
fn the_set_of_solutions_is_derived_again() {
    let bench = Workbench::new();
    bench.write("mine.json", tripod().to_string());
    let ran = bench.run("scenario run mine.json --method egan-trinkle --quiet --out out.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let whole = bench.read("out.jsonl");
    assert!(
        whole.contains("\"entry\":[\"tripod point 3/block face 6\"]"),
        "{whole}"
    );
    for (old, new, field) in [
        (
            "\"entry\":[\"tripod point 3/block face 6\"]",
            "\"entry\":[]",
            "entry",
        ),
        ("\"vertices\":[0,", "\"vertices\":[1,", "pieces"),
    ] {
        bench.write("forged.jsonl", whole.replacen(old, new, 1));
        let ran = bench.run("verify forged.jsonl");
        assert!(
            ran.status == 1 && ran.stderr.contains(field),
            "{field}: {}",
            ran.stderr
        );
    }
}

#[test]
fn flags_that_the_method_does_not_take_are_errors_that_say_so() {
    let bench = Workbench::new();
    bench.write("plane.json", wedge().to_string());
    bench.write("space.json", tripod().to_string());
    for (command, says) in [
        (
            "plane.json --method moreau-jean",
            "stepped by the methods egan-trinkle and first-order alone",
        ),
        (
            "plane.json --cone pyramid:4",
            "friction in the plane is along one line",
        ),
        ("plane.json --impact poisson", "has no restitution"),
        ("plane.json --all", "each line lists all solutions already"),
        (
            "space.json --method egan-trinkle --cone circular",
            "say pyramid:8",
        ),
        (
            "space.json",
            "the shape \"points\", which the method egan-trinkle alone takes",
        ),
    ] {
        let ran = bench.run(&format!("scenario run {command}"));
        assert_eq!(ran.status, 2, "{command}: {}", ran.stdout);
        assert!(ran.stderr.contains(says), "{command}: {}", ran.stderr);
    }
}

/// The rule for corners has its own solver: no other is credited.
#[test]
fn the_header_names_the_solver_of_the_rule() {
    let bench = Workbench::new();
    bench.write("plane.json", wedge().to_string());
    for solver in ["fast", "certified"] {
        let run = format!("scenario run plane.json --quiet --solver {solver} --out out.jsonl");
        assert_eq!(bench.run(&run).status, 0);
        let header: Value =
            serde_json::from_str(bench.read("out.jsonl").lines().next().unwrap()).unwrap();
        assert_eq!(header["solver"], "exact-lemke", "{solver}");
    }
    let ran = bench.run("verify out.jsonl");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_file_of_the_plane_is_drawn_as_the_named_scene() {
    let bench = Workbench::new();
    bench.write(
        "peg.json",
        bench.run("scenario run hole-turning --scene").stdout,
    );
    for (run, picture) in [("peg.json", "file.svg"), ("hole-turning", "named.svg")] {
        let ran = bench.run(&format!(
            "scenario run {run} --steps 6 --svg {picture} --quiet"
        ));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let titled = bench.read("named.svg");
    let titled = titled.replace(
        "hole-turning, egan-trinkle: a peg that turns",
        "hole-turning",
    );
    assert_eq!(bench.read("file.svg"), titled);
}

/// A brick that falls on an equal one exactly below it; the lower one is at that place.
fn bricks(x: i32) -> Value {
    let brick = json!([
        ["-1/2", "-1/4"],
        ["1/2", "-1/4"],
        ["1/2", "1/4"],
        ["-1/2", "1/4"]
    ]);
    json!({
        "name": "bricks",
        "gravity": [0, -10],
        "bodies": [
            {"name": "lower", "fixed": true, "position": [x, 0], "shape": {"polygon": brick}},
            {"name": "upper", "mass": 2, "inertia": "5/24", "position": [0, "17/32"], "velocity": [0, -2], "shape": {"polygon": brick}},
        ],
        "motion": {"method": "egan-trinkle", "h": "1/64", "steps": 3},
    })
}

/// The motion of a brick that has nothing below it, under the header of one that has: every corner stays on the planes of sides.
#[test]
fn bricks_that_slide_through_each_other_are_named() {
    let bench = Workbench::new();
    for (name, x) in [("there", 0), ("away", 9)] {
        bench.write(&format!("{name}.json"), bricks(x).to_string());
        let ran = bench.run(&format!(
            "scenario run {name}.json --quiet --out {name}.jsonl"
        ));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let whole = bench.read("there.jsonl");
    assert!(
        whole.contains("upper corner 1/lower face 3, whole 1"),
        "{whole}"
    );
    for command in ["verify there.jsonl", "trajectory check there.jsonl"] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
    let away = bench.read("away.jsonl");
    let (_, steps) = away.split_once('\n').unwrap();
    let header = whole.lines().next().unwrap();
    bench.write("forged.jsonl", format!("{header}\n{steps}"));
    let ran = bench.run("trajectory check forged.jsonl");
    for says in [
        "contact upper/lower: penetration: bodies overlap by",
        "contact upper corner 1/lower face 3: penetration: the step ends",
    ] {
        assert!(
            ran.status == 1 && ran.stdout.contains(says) || ran.stderr.contains(says),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
    assert_eq!(bench.run("verify forged.jsonl").status, 1);
    // A number of an obstacle that nothing takes part with, and one that is none.
    for number in ["7", "0", "01"] {
        let forged = whole.replace("whole 1\"", &format!("whole {number}\""));
        bench.write("forged.jsonl", forged);
        assert_eq!(bench.run("verify forged.jsonl").status, 1, "{number}");
    }
}

/// Work, and the path of what is driven, are asked.
#[test]
fn the_work_of_an_obstacle_that_moves_is_asked() {
    let bench = Workbench::new();
    let mut scene = bricks(0);
    scene["bodies"][0]["velocity"] = json!(["1/4", "1/8"]);
    scene["motion"]["mu"] = json!("1/2");
    bench.write("mine.json", scene.to_string());
    let ran = bench.run("scenario run mine.json --quiet --out out.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for command in ["verify out.jsonl", "trajectory check out.jsonl"] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
    let whole = bench.read("out.jsonl");
    let lines = whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let pushes = |line: &Value| line["work"].as_f64() > Some(0.0);
    let k = (1..lines.len()).find(|k| pushes(&lines[*k])).unwrap();
    let edits: [(Edit, &str); 3] = [
        (|line| line["work"] = json!(9.0), "work: energy identity"),
        (
            |line| line["v"][0] = json!(0.5),
            "body lower: momentum: it changes by 0.25 N s",
        ),
        (|line| line["q"][1] = json!(0.5), "body lower: state"),
    ];
    for (edit, says) in edits {
        let mut lines = lines.clone();
        edit(&mut lines[k]);
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        bench.write("forged.jsonl", text.join("\n") + "\n");
        let ran = bench.run("trajectory check forged.jsonl");
        assert!(
            ran.status == 1 && ran.stdout.contains(says) || ran.stderr.contains(says),
            "{says}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert_eq!(bench.run("verify forged.jsonl").status, 1, "{says}");
    }
    let ran = bench.run("scenario run mine.json --quiet --step-log steps.jsonl --out out.jsonl");
    assert!(ran.stderr.contains("obstacles that move"), "{}", ran.stderr);
}

/// The rule's problems heed the limits that are given.
#[test]
fn limits_end_a_run_with_what_ran_out() {
    let bench = Workbench::new();
    bench.write("mine.json", bricks(0).to_string());
    for (limit, says) in [
        ("--pivots 1", "gave up: the budget of 1 pivots ran out"),
        ("--bits 8", "gave up: the budget of 8 bits a number ran out"),
    ] {
        let ran = bench.run(&format!(
            "scenario run mine.json --quiet {limit} --out out.jsonl"
        ));
        assert!(
            ran.status == 1 && ran.stdout.contains(says) || ran.stderr.contains(says),
            "{limit}: {} {}",
            ran.status,
            ran.stderr
        );
        // What came before is whole.
        assert_eq!(bench.read("out.jsonl").lines().count(), 1, "{limit}");
    }
}
