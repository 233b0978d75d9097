//! `etalon scenario run` and `etalon verify` of bodies in space, in motion.

use crate::common::Workbench;
use serde_json::{Value, json};

/// A ball on the floor that is pushed, and a pendulum beside it.
fn scene() -> Value {
    json!({
        "name": "ball and pendulum",
        "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "ball", "mass": 1, "position": [0, 0, "1/2"], "velocity": [2, 1, 0], "shape": {"sphere": "1/2"}},
            {"name": "base", "fixed": true},
            {"name": "bob", "mass": 1, "inertia": [1, 2, 3], "position": [4, 0, 3]},
        ],
        "joints": [{"name": "pin", "first": "bob", "second": "base", "point": [3, 0, 3]}],
        "motion": {"h": "1/64", "steps": 4, "mu": "1/2"},
    })
}

fn bench(scene: &Value) -> Workbench {
    let bench = Workbench::new();
    bench.write("mine.json", scene.to_string());
    bench
}

#[test]
fn a_scene_of_a_file_moves_by_each_method_and_cone_and_verifies() {
    let bench = bench(&scene());
    for method in ["stewart-trinkle", "moreau-jean"] {
        for cone in ["pyramid:4", "pyramid:12", "circular"] {
            let run = format!(
                "scenario run mine.json --as motion --method {method} --cone {cone} --h 1/100 --steps 3 --out out.jsonl --quiet"
            );
            let ran = bench.run(&run);
            assert_eq!(ran.status, 0, "{run}: {}", ran.stderr);
            let text = bench.read("out.jsonl");
            let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
            assert_eq!(
                (&header["formulation"], &header["cone"]),
                (&json!(method), &json!(cone))
            );
            assert_eq!(header["scene"]["motion"]["h"], "1/100");
            let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
            let verdict = if cone == "circular" {
                "accepted"
            } else {
                "exact"
            };
            assert_eq!(last["verdict"], verdict, "{run}");
            assert_eq!(last["joints"][0]["joint"], "pin");
            let ran = bench.run("verify out.jsonl");
            assert_eq!(ran.status, 0, "{run}: {}{}", ran.stdout, ran.stderr);
            assert!(
                ran.stdout.contains("3 steps taken again, 0 failures"),
                "{}",
                ran.stdout
            );
        }
    }
}

/// A named scene, its scene as a file, and the file with flags lead to one motion.
#[test]
fn flags_take_the_place_of_parameters_and_of_the_files_settings() {
    let bench = Workbench::new();
    let named = bench.run("scenario run box-slide --cone circular --h 1/100 --steps 2");
    assert_eq!(named.status, 0, "{}", named.stderr);
    let scene = bench.run("scenario run box-slide --set mu=1/2 --scene");
    bench.write("slide.json", &scene.stdout);
    let own = bench.run("scenario run slide.json --cone circular --h 1/100 --steps 2");
    let steps = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(steps(&named.stdout), steps(&own.stdout), "{}", own.stderr);
    assert_eq!(steps(&own.stdout).len(), 2);
}

/// Where a step is taken, and which contacts take part: of a file, of the flags in its place, of a run that goes on, and of a record that says another.
#[test]
fn scheme_and_activation_are_those_of_the_file_or_the_flags() {
    let mut own = scene();
    own["motion"]["scheme"] = json!("midpoint");
    own["motion"]["activation"] = json!("when-violated");
    let bench = bench(&own);
    let ran = bench.run("scenario run mine.json --quiet --out whole.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let whole = bench.read("whole.jsonl");
    bench.run("scenario run mine.json --quiet --steps 2 --out torn.jsonl");
    let ran = bench.run("scenario run mine.json --quiet --out torn.jsonl --resume");
    assert_eq!((ran.status, bench.read("torn.jsonl")), (0, whole.clone()));
    let header: Value = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
    assert_eq!(header["scheme"], "midpoint");
    for command in ["verify", "trajectory check"] {
        let ran = bench.run(&format!("{command} whole.jsonl"));
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
    bench.write("plain.json", scene().to_string());
    let flags = "--scheme midpoint --activation when-violated";
    let same = bench.run(&format!(
        "scenario run plain.json {flags} --quiet --out same.jsonl"
    ));
    assert_eq!((same.status, bench.read("same.jsonl")), (0, whole.clone()));
    let rule = "\"scheme\":\"midpoint\"";
    let other = whole
        .replace(&format!(",{rule}"), "")
        .replace(&format!("{rule},"), "");
    bench.write("other.jsonl", other);
    let ran = bench.run("verify other.jsonl");
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    for (command, said) in [
        (
            "scenario run mine.json --impact poisson",
            "motion.scheme is midpoint, but must be linear",
        ),
        (
            "scenario run mine.json --scheme linear --cone circular",
            "motion.activation is when-violated",
        ),
        (
            "scenario run incline --scheme midpoint",
            "incline has no parameter \"scheme\"",
        ),
    ] {
        let ran = bench.run(command);
        assert_eq!(ran.status, 2, "{command}");
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn a_torn_run_goes_on_to_the_same_bytes() {
    let bench = bench(&scene());
    bench.run("scenario run mine.json --quiet --out whole.jsonl");
    let whole = bench.read("whole.jsonl");
    let cut: String = whole.chars().take(2 * whole.len() / 3).collect();
    bench.write("torn.jsonl", &cut);
    let ran = bench.run("scenario run mine.json --quiet --out torn.jsonl --resume");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(bench.read("torn.jsonl"), whole);
}

/// A change of a line.
type Edit = (&'static str, fn(&mut Value));

/// One number of one line is changed; `verify` ends with 1 and names the step.
#[test]
fn a_tampered_line_is_caught() {
    let bench = bench(&scene());
    for cone in ["pyramid:8", "circular"] {
        bench.run(&format!(
            "scenario run mine.json --cone {cone} --quiet --out whole.jsonl"
        ));
        let whole = bench.read("whole.jsonl");
        let edits: [Edit; 8] = [
            ("a velocity", |line| line["v"][0] = json!(1.5)),
            ("a momentum", |line| line["momentum"][1] = json!(0.25)),
            ("a quaternion", |line| line["q"][3] = json!(0.5)),
            ("a lost impulse", |line| {
                line["contacts"][0]["normal"] = json!(0.0)
            }),
            ("a normal", |line| {
                line["contacts"][0]["along"] = json!([0.0, 0.0, -1.0])
            }),
            ("a joint", |line| {
                line["joints"][0]["impulses"][2] = json!(0.0)
            }),
            ("energy", |line| line["energy"]["kinetic"] = json!(0.3)),
            ("a verdict", |line| line["verdict"] = json!("rejected")),
        ];
        for (what, edit) in edits {
            let mut lines: Vec<Value> = whole
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            edit(&mut lines[2]);
            let text: Vec<String> = lines.iter().map(Value::to_string).collect();
            bench.write("forged.jsonl", text.join("\n") + "\n");
            let ran = bench.run("verify forged.jsonl");
            assert_eq!(ran.status, 1, "{cone}, {what}: {}", ran.stdout);
            assert!(
                ran.stderr.contains("forged.jsonl:3"),
                "{cone}, {what}: {}",
                ran.stderr
            );
        }
    }
}

/// An impulse of the circular cone that is changed together with all that follows from it is still no answer: the laws
/// name it.
#[test]
fn a_wrong_impulse_is_named_by_the_laws() {
    let bench = bench(&scene());
    bench.run("scenario run mine.json --cone circular --quiet --out whole.jsonl");
    let mut lines: Vec<Value> = bench
        .read("whole.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines[1]["contacts"][0]["normal"] = json!(0.5);
    let text: Vec<String> = lines.iter().take(2).map(Value::to_string).collect();
    bench.write("forged.jsonl", text.join("\n") + "\n");
    let ran = bench.run("verify forged.jsonl");
    assert_eq!(ran.status, 1);
    for law in [
        "complementarity",
        "maximal dissipation",
        "verdict on the problem",
    ] {
        assert!(ran.stderr.contains(law), "{law}: {}", ran.stderr);
    }
}

#[test]
fn what_cannot_move_ends_with_2_and_says_why() {
    let refused = |edit: fn(&mut Value), flags: &str, parts: &[&str]| {
        let mut scene = scene();
        edit(&mut scene);
        let ran = bench(&scene).run(&format!("scenario run mine.json {flags}"));
        assert_eq!(ran.status, 2, "{parts:?}: {}", ran.stderr);
        for part in parts {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
    };
    let none: fn(&mut Value) = |_| ();
    refused(
        |s| s["bodies"][1]["position"] = json!([0, 0, "1/4"]),
        "",
        &["\"ball\"", "overlap", "move one"],
    );
    refused(
        |s| s["bodies"][1]["shape"] = json!({"sphere": 0}),
        "",
        &["\"ball\"", "above 0"],
    );
    refused(
        |s| s["bodies"][1]["velocity"][0] = json!("NaN"),
        "",
        &["bodies[1].velocity[0]"],
    );
    refused(
        |s| s["bodies"][3]["velocity"] = json!([0, 0, 1]),
        "",
        &["\"pin\"", "does not hold at the start"],
    );
    refused(
        |s| s["joints"][0]["second"] = json!("bas"),
        "",
        &["joints[0]", "no body \"bas\""],
    );
    refused(
        |s| s["bodies"][0]["fixed"] = json!(false),
        "",
        &["bodies[0]", "a half-space cannot move; say \"fixed\": true"],
    );
    refused(
        |s| s["motion"]["surfaces"] = json!([{"first": "ball", "second": "ball", "mu": 1}]),
        "",
        &["motion.surfaces[0]: \"ball\" does not touch itself"],
    );
    refused(
        |s| *s = json!({}),
        "--as motion",
        &[
            "is no scene in motion",
            "\"gravity\"",
            "give its bodies a \"shape\"",
        ],
    );
    refused(
        |s| s["contacts"] = json!([]),
        "",
        &["\"contacts\"", "shapes"],
    );
    refused(
        |s| s["motion"]["steps"] = json!(1_000_001),
        "",
        &["1000001", "at most 1000000"],
    );
    refused(|s| s["motion"]["h"] = json!(0), "", &["h is 0", "above 0"]);
    refused(
        |s| {
            let ball = s["bodies"][1].as_object_mut().unwrap();
            let shape = ball.remove("shape").unwrap();
            ball.insert(
                "pieces".to_owned(),
                json!([{"name": "own", "shape": shape}]),
            );
        },
        "",
        &["bodies[1]", "\"inertia\" is missing", "a body of pieces"],
    );
    refused(
        |s| s["bodies"][1]["pieces"] = json!([{"name": "own", "shape": {"sphere": 1}}]),
        "",
        &["\"ball\"", "\"pieces\"", "it has a shape, too"],
    );
    refused(
        |s| s["bodies"][1]["pieces"] = json!([{"name": "own"}]),
        "",
        &["bodies[1].pieces[0]", "shape"],
    );
    refused(
        |s| s["motion"]["impact"] = json!("hooke"),
        "",
        &["motion.impact", "newton or poisson"],
    );
    refused(none, "--steps 99999999", &["99999999", "at most 1000000"]);
    refused(none, "--set mu=1", &["no parameter \"mu\""]);
    refused(none, "--cone pyramid:5", &["pyramid:5"]);
    refused(none, "--as world", &["is a scene in motion"]);
    refused(none, "--circular", &["--circular"]);
}

/// Kane's rod: by Newton's law it has more energy after the impact than before. A step log has both phases by Poisson's.
#[test]
fn the_law_of_restitution_is_that_of_the_flag() {
    let bench = Workbench::new();
    let energies = |law: &str| {
        let run = format!("scenario run rod-strike --impact {law} --set g=0 --steps 1");
        let ran = bench.run(&run);
        assert_eq!(ran.status, 0, "{run}: {}", ran.stderr);
        let lines = ran.stdout.lines();
        let lines: Vec<Value> = lines
            .map(|own| serde_json::from_str(own).unwrap())
            .collect();
        let of = |own: &Value| own["energy"]["kinetic"].as_f64().unwrap();
        [of(&lines[0]["start"]), of(&lines[1])]
    };
    let [before, after] = energies("newton");
    assert!(after > before + 0.1, "{before} J, {after} J");
    let [before, after] = energies("poisson");
    assert!(after < before - 0.05, "{before} J, {after} J");
    let ran = bench.run("scenario run rod-strike --steps 1 --out one.jsonl --step-log log.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = bench.run("step check log.jsonl --strict --json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for phase in ["rod-strike/1 compression", "rod-strike/1 decompression"] {
        let exact = format!("\"name\":\"{phase}\",\"verdict\":\"exact\"");
        assert!(ran.stdout.contains(&exact), "{phase}: {}", ran.stdout);
    }
    // The decompression begins where the compression ends.
    let log = bench.read("log.jsonl");
    let steps: Vec<Value> = log
        .lines()
        .map(|own| serde_json::from_str(own).unwrap())
        .collect();
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["v1"], steps[1]["v0"]);
    assert_ne!(steps[0]["v0"], steps[0]["v1"]);
    let ran = bench.run("scenario run rod-strike --impact hooke");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("newton or poisson"), "{}", ran.stderr);
}

/// A scene at rest has nothing to step by.
#[test]
fn steps_of_a_scene_at_rest_are_an_error_that_says_so() {
    let bench = Workbench::new();
    let scene = bench.run("scenario run darwin-block --scene");
    bench.write("rest.json", &scene.stdout);
    let ran = bench.run("scenario run rest.json --steps 3");
    assert_eq!(ran.status, 2);
    for part in ["--steps", "at rest", "\"shape\""] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = bench.run("scenario run rest.json --as motion");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("contacts come from shapes"),
        "{}",
        ran.stderr
    );
    let ran = bench.run("scenario run rod --cone circular --steps 1");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
}

/// A ball of 2 kg at 2 m/s and one at 1 mm/s, e = 1: m g h v of each is gained in the step of the bounce. With e = 1/2 and by
/// Poisson's law nothing is.
#[test]
fn steps_that_gain_by_newtons_law_are_named_by_run_and_verify() {
    let bench = Workbench::new();
    let drop = |e: &str, impact: &str| {
        let ball = |name: &str, mass: u32, x: u32, v: &str| json!({"name": name, "mass": mass, "position": [x, 0, "1/2"], "velocity": [0, 0, v], "shape": {"sphere": "1/2"}});
        let floor = json!({"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}});
        let bodies = json!([
            floor,
            ball("slow", 1, 0, "-1/1000"),
            ball("fast", 2, 3, "-2")
        ]);
        json!({"name": "drop", "gravity": [0, 0, "-10"], "bodies": bodies,
            "motion": {"h": "1/100", "steps": 3, "restitution": e, "impact": impact}})
    };
    let run = |e: &str, impact: &str| {
        bench.write("drop.json", drop(e, impact).to_string());
        bench.run("scenario run drop.json --out drop.jsonl")
    };
    let ran = run("1", "newton");
    let named = "step 1: bounces by Newton's law gained 0.4001 J, at slow/floor and fast/floor\n";
    assert!(ran.stderr.contains(named), "{}", ran.stderr);
    let verified = bench.run("verify drop.jsonl");
    assert_eq!(verified.status, 0, "{}", verified.stderr);
    let named = format!("drop.jsonl: {named}");
    assert!(
        verified.stderr.contains(&named) || verified.stdout.contains(&named),
        "{}",
        verified.stdout
    );
    let json = bench.run("verify drop.jsonl --json").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let gains = &json["trajectories"]["bounce_gains"];
    assert_eq!(gains.as_array().unwrap().len(), 1, "{json}");
    assert_eq!(gains[0]["contacts"], json!(["slow/floor", "fast/floor"]));
    assert!(
        (gains[0]["gain"].as_f64().unwrap() - 0.4001).abs() < 1e-9,
        "{json}"
    );
    let ran = bench.run("trajectory check drop.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains(&named), "{}", ran.stdout);
    let not_asked =
        "drop.jsonl: not asked: solver, grid_bits beyond that states are on it, lcp.n, ";
    assert!(ran.stdout.contains(not_asked), "{}", ran.stdout);
    let json = bench.run("trajectory check drop.jsonl --json").stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["bounce_gains"][0]["k"], 1, "{json}");
    assert_eq!(json["not_asked"][0], "solver", "{json}");
    for (e, impact) in [("1/2", "newton"), ("1", "poisson"), ("0", "newton")] {
        let ran = run(e, impact);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(
            !ran.stderr.contains("Newton's law"),
            "{e} {impact}: {}",
            ran.stderr
        );
    }
}

/// Numbers that binary64 does not hold are told in words, and a step that lines cannot hold is refused by all commands alike.
#[test]
fn absurd_numbers_of_a_scene_are_told_without_nan() {
    let bench = Workbench::new();
    let scene = |gravity: &str, h: &str, method: &str| {
        let ball = json!({"name": "ball", "mass": 1, "position": [0, 0, "1/2"], "shape": {"sphere": "1/2"}});
        let floor = json!({"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}});
        let motion = json!({"h": h, "steps": 2, "method": method});
        json!({"name": "s", "gravity": [0, 0, gravity], "bodies": [floor, ball], "motion": motion})
            .to_string()
    };
    for (method, said) in [
        (
            "stewart-trinkle",
            "body \"ball\" moves faster than binary64 holds in the step",
        ),
        (
            "chakraborty-berard",
            "rounding hides the solution of the implicit step",
        ),
    ] {
        bench.write("s.json", scene("-1e400", "1/100", method));
        let ran = bench.run("scenario run s.json --out s.jsonl");
        assert!(
            ran.stderr.contains(said) && !ran.stderr.contains("NaN"),
            "{}",
            ran.stderr
        );
        bench.write("s.json", scene("-10", "1e-4000", method));
        let ran = bench.run("scenario run s.json --out s.jsonl");
        let said = "h is 1.00e-4000, but must be above 0, and from 2.3e-308 to 1.7e308 s";
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        assert_ne!(ran.status, 0);
    }
    bench.write("s.json", scene("-10", "1/100", "stewart-trinkle"));
    assert_eq!(bench.run("scenario run s.json --out s.jsonl").status, 0);
    let tiny = bench
        .read("s.jsonl")
        .replacen("\"h\":\"1/100\"", "\"h\":\"1e-4000\"", 1);
    bench.write("t.jsonl", tiny);
    for command in ["verify t.jsonl", "trajectory check t.jsonl"] {
        let ran = bench.run(command);
        assert_ne!(ran.status, 0, "{command}");
        assert!(
            ran.stderr.contains("h is 1.00e-4000"),
            "{command}: {}",
            ran.stderr
        );
    }
}
