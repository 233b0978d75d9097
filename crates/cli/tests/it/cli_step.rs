//! `etalon step check`: logs of engines, their verdicts, and what is wrong with a log.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{Ran, Workbench};
use serde_json::{Value, json};

const STEPS: &str = include_str!("../../../../docs/examples/steps.jsonl");

fn verdicts(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn bench(log: &str) -> Workbench {
    let bench = Workbench::new();
    bench.write("log.jsonl", log);
    bench
}

#[test]
fn each_step_is_judged_at_the_levels_of_its_data() {
    let ran = bench(STEPS).run("step check log.jsonl");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let found: Vec<_> = verdicts(&ran)
        .iter()
        .map(|own| {
            format!(
                "{} {} {}",
                own["name"].as_str().unwrap(),
                own["level"].as_str().unwrap(),
                own["verdict"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "apex/newton-elliptic/0 A accepted",
        "apex/pgs-elliptic/0 A off",
        "pybullet ball/5 B exact",
        "pybullet ball/5 C explained",
        "dart diagonal slide/1 B off",
        "dart diagonal slide/1 C explained",
    ];
    assert_eq!(found, expected);
    let schema: Value = serde_json::from_str(etalon::lcp::schema::VERDICT).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    for verdict in verdicts(&ran) {
        assert!(schema.is_valid(&verdict), "{verdict}");
    }
    for told in [
        "mujoco 4.0.0",
        "pybullet 3.2.7",
        "converged-and-wrong",
        "log.jsonl:2: step \"apex/pgs-elliptic/0\", level A",
        "4 of 6 verdicts are right",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}

#[test]
fn options_choose_levels_laws_and_the_file() {
    let bench = bench(STEPS);
    let ran = bench.run("step check log.jsonl --level C --law coulomb --out verdicts.jsonl --json");
    assert_eq!(ran.status, 1);
    assert_eq!(ran.stdout, "");
    let summary: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(summary["wrong"], 1, "{summary}");
    let written = bench.read("verdicts.jsonl");
    let dart: Value = serde_json::from_str(written.lines().last().unwrap()).unwrap();
    assert_eq!(dart["verdict"], "inexplicable");
    assert_eq!(dart["law"], "coulomb, the cone alone");
    assert!(dart["certificate"].is_array());
    // Level C is asked of generalised steps by name: not judged, which only --strict counts.
    let generalised: String = STEPS.lines().take(1).collect();
    bench.write("one.jsonl", generalised);
    assert_eq!(bench.run("step check one.jsonl --level C").status, 0);
    assert_eq!(
        bench.run("step check one.jsonl --level C --strict").status,
        1
    );
    let full = bench.run("step check one.jsonl --full --tol 1e-30");
    assert_eq!(
        (full.status, &verdicts(&full)[0]["verdict"]),
        (1, &json!("off"))
    );
}

#[test]
fn logs_that_cannot_be_read_are_told_with_line_and_field() {
    let mut cut = STEPS.to_owned();
    cut.truncate(STEPS.len() - 100);
    let ran = bench(&cut).run("step check log.jsonl");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("log.jsonl:4: record \"dart diagonal slide/1\"")
            && ran.stderr.contains("is the file truncated?"),
        "{}",
        ran.stderr
    );
    // What stands before is judged all the same.
    assert_eq!(verdicts(&ran).len(), 4);
    let mut lines: Vec<Value> = STEPS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines[2]["bodies"][0]["v1"][3] = json!("nan");
    lines[0]["speling"] = json!(1);
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    let ran = bench(&text.join("\n")).run("step check log.jsonl");
    assert_eq!(ran.status, 2);
    for told in [
        "log.jsonl:3: record \"pybullet ball/5\": bodies[0].v1[3]: \"nan\" is not finite",
        "log.jsonl:1: the field \"speling\" is not read",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    assert_eq!(bench("").run("step check missing.jsonl").status, 2);
    let same = bench(STEPS).run("step check log.jsonl --out log.jsonl");
    assert_eq!(same.status, 2);
    assert!(
        same.stderr.contains("is an input; name another with --out"),
        "{}",
        same.stderr
    );
}

/// The verdicts on the log of a run, each of which is right.
fn own_motion(bench: &Workbench, run: &str, steps: usize) -> Vec<Value> {
    let ran = bench.run(&format!(
        "scenario run {run} --as motion --steps {steps} --step-log log.jsonl --out t.jsonl --quiet"
    ));
    assert_eq!(ran.status, 0, "{run}: {}", ran.stderr);
    let ran = bench.run("step check log.jsonl --strict");
    assert_eq!(ran.status, 0, "{run}: {}", ran.stderr);
    let verdicts = verdicts(&ran);
    // Of an impact by Poisson's law the compression has a verdict of its own.
    let first = |own: &&Value| own["name"].as_str().unwrap().ends_with(" compression");
    let extra = verdicts.iter().filter(first).count();
    assert_eq!(verdicts.len(), steps + extra, "{run}");
    verdicts
}

/// Whether the laws that are judged hold without any rounding.
fn is_flawless(verdict: &Value) -> bool {
    let laws = ["balance", "cone", "direction", "gap", "energy"];
    let own = laws.iter().filter_map(|law| verdict.get(law));
    own.into_iter().all(|own| own.as_f64() == Some(0.0))
}

#[test]
fn etalons_own_motions_pass_as_logs() {
    let bench = Workbench::new();
    let ran = bench.run("scenario list --json");
    let listed: Value = serde_json::from_str(&ran.stdout).unwrap();
    let scenarios = listed["scenarios"].as_array().unwrap().iter();
    let (mut judged, mut left_out) = (0, Vec::new());
    for scenario in scenarios.filter(|own| own["kind"] == "motion") {
        let name = scenario["name"].as_str().unwrap();
        let run = format!("scenario run {name} --as motion --steps 1 --step-log log.jsonl --quiet");
        let ran = bench.run(&run);
        if ran.stderr.contains("those with implicit surfaces are not") {
            left_out.push(name);
            continue;
        }
        let found = own_motion(&bench, name, 6);
        let flawless = found.iter().all(is_flawless);
        assert!(flawless, "{name}: {found:?}");
        judged += 1;
    }
    assert!(judged >= 30, "{judged}");
    let expected = [
        "rolling-ellipse",
        "implicit-sphere",
        "ellipsoid",
        "superquadric-rocking",
    ];
    assert_eq!(left_out, expected);
}

#[test]
fn a_tampered_log_of_a_motion_is_off() {
    let bench = Workbench::new();
    for scene in ["incline", "stack-drop", "box-slide"] {
        own_motion(&bench, scene, 12);
        let log = bench.read("log.jsonl");
        let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        let mut step = last.clone();
        step["v1"][0] = json!("7/5");
        bench.write("tampered.jsonl", step.to_string());
        let ran = bench.run("step check tampered.jsonl");
        assert_eq!(ran.status, 1);
        assert!(ran.stderr.contains("balance: velocities"), "{}", ran.stderr);
        // Another target: what presses does not have that velocity.
        let steps = log.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut found = steps.filter_map(|step: Value| Some((pressing(&step)?, step)));
        let (row, mut step) = found.next_back().unwrap();
        step["target"][row] = json!(100);
        bench.write("tampered.jsonl", step.to_string());
        let ran = bench.run("step check tampered.jsonl");
        assert!(
            ran.stderr.contains("gap: contact"),
            "{scene}: {}",
            ran.stderr
        );
    }
}

/// The normal row of a contact that presses.
fn pressing(step: &Value) -> Option<usize> {
    let sets = step["sets"].as_array()?.iter();
    let normals = sets.filter_map(|set| match set["kind"].as_str()? {
        "cone" => set["first"].as_u64(),
        "nonnegative" => set["rows"][0].as_u64(),
        _ => None,
    });
    let mut normals = normals.filter_map(|row| usize::try_from(row).ok());
    normals.find(|row| step["answer"]["force"][*row] != "0")
}

/// A box with a grain, spinning and rolling friction and restitution, and a door with a limit and a drive.
const IN_SPACE: &str = r#"{"name": "box and door", "gravity": [0, 0, "-9.81"], "bodies": [
    {"name": "slope", "fixed": true, "shape": {"half_space": [0, 3, 4]}},
    {"name": "box", "mass": 2, "position": [0, "0.12", "0.16"], "orientation": [3, -1, 0, 0], "velocity": ["1/2", 0, 0],
     "angular_velocity": [0, 0, 1], "shape": {"box": ["1/5", "1/5", "1/5"]}},
    {"name": "frame", "fixed": true},
    {"name": "door", "mass": 5, "inertia": [1, 1, 2], "position": ["7/2", 0, 5], "angular_velocity": [0, 0, 1], "velocity": [0, "1/2", 0]}],
    "joints": [{"name": "hinge", "first": "door", "second": "frame", "point": [3, 0, 5], "kind": "hinge", "axis": [0, 0, 1],
                "limits": [-1, "1/20"], "drive": {"speed": 2, "bound": 3}}],
    "motion": {"h": "1/100", "mu": "1/2", "torsion": "1/100", "rolling": "1/50", "restitution": "1/2",
               "surfaces": [{"first": "box", "second": "slope", "mu": "3/5", "across": "1/5", "along": [1, 1, 0],
                             "torsion": "1/100", "rolling": "1/50"}]}}"#;

#[test]
fn motions_in_space_pass_as_logs_by_either_method_and_cone() {
    let bench = Workbench::new();
    bench.write("space.json", IN_SPACE);
    for (options, is_exact) in [
        ("", true),
        ("--method moreau-jean --cone pyramid:12", true),
        ("--cone circular", false),
        ("--method moreau-jean --cone circular", false),
    ] {
        let found = own_motion(&bench, &format!("space.json {options}"), 10);
        let flawless = found.iter().filter(|own| is_flawless(own)).count();
        // The circle's answers are of binary64.
        assert_eq!(flawless == found.len(), is_exact, "{options}: {found:?}");
        let log = bench.read("log.jsonl");
        let kinds = [
            "equality",
            "box",
            "disc",
            if is_exact { "pyramid" } else { "cone" },
        ];
        for kind in &kinds[if is_exact { 0 } else { 2 }..] {
            let written = format!("\"kind\":\"{kind}\"");
            assert_eq!(
                log.contains(&written),
                !(is_exact && *kind == "disc"),
                "{options}: {kind}"
            );
        }
    }
}

#[test]
fn motions_in_binary64_pass_as_logs() {
    let bench = Workbench::new();
    for scene in ["stack-drop", "particle-3d", "polygon", "box-stack"] {
        own_motion(&bench, &format!("{scene} --solver fast"), 8);
    }
}

#[test]
fn worlds_of_the_planar_engine_pass_as_logs_piece_by_piece() {
    let bench = Workbench::new();
    for (world, steps) in [
        ("blocks --set n=4", 40),
        ("pile", 10),
        ("tower", 10),
        ("pendulums", 60),
        ("bounce", 60),
    ] {
        let ran = bench.run(&format!(
            "scenario run {world} --as world --steps {steps} --step-log log.jsonl --out t.jsonl --quiet"
        ));
        assert_eq!(ran.status, 0, "{world}: {}", ran.stderr);
        let ran = bench.run("step check log.jsonl --level B --strict");
        assert_eq!(ran.status, 0, "{world}: {}", ran.stderr);
        // A blow is a piece of its own.
        assert!(verdicts(&ran).len() >= steps, "{world}");
    }
    let mut step: Value =
        serde_json::from_str(bench.read("log.jsonl").lines().last().unwrap()).unwrap();
    step["bodies"][0]["v1"][1] = json!(0.5);
    bench.write("tampered.jsonl", step.to_string());
    let ran = bench.run("step check tampered.jsonl --level B");
    assert!(
        ran.stderr.contains("balance: translation of body 0"),
        "{}",
        ran.stderr
    );
}

/// The words of a picture as they are read.
fn text_of(svg: &str) -> String {
    svg.replace("&gt;", ">").replace("&apos;", "'")
}

#[test]
fn level_c_is_drawn_for_each_step() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let drake = std::fs::read_to_string(format!("{root}/golden/engines/drake.jsonl")).unwrap();
    let bench = bench(&drake);
    bench.write("again.jsonl", &drake);
    let ran = bench.run("step check log.jsonl again.jsonl --svg pictures/of/mine --quiet");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let svg = bench.read("pictures/of/mine/drake-slide-1.svg");
    let told = text_of(&svg);
    for words in ["inexplicable at level C", "eps >= 0.5572 is proved"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // Two steps of one name have a picture each.
    assert_eq!(svg, bench.read("pictures/of/mine/drake-slide-1-2.svg"));
    let files = |folder: &str| {
        std::fs::read_dir(bench.path().join(folder))
            .unwrap()
            .count()
    };
    assert_eq!(files("pictures/of/mine"), 2);
    // Level B has no picture, and a step that is not judged neither.
    let ran = bench.run("step check log.jsonl --level B --svg none --quiet");
    assert_eq!((ran.status, files("none")), (1, 0));
    bench.run("step check log.jsonl --level C --slip --svg none --quiet");
    assert_eq!(files("none"), 0);
    let taken = bench.run("step check log.jsonl --svg log.jsonl");
    assert_eq!((taken.status, &*taken.stdout), (2, ""));
    let told = "--svg log.jsonl: cannot write";
    assert!(taken.stderr.contains(told), "{}", taken.stderr);
    bench.write("pictures/drake-slide-1.svg/file", "");
    let taken = bench.run("step check log.jsonl --svg pictures --quiet");
    assert_eq!(taken.status, 2);
    assert!(
        taken.stderr.contains("drake-slide-1.svg: cannot write"),
        "{}",
        taken.stderr
    );
}

/// `docs/engines.md` shows what the command draws.
#[test]
fn the_picture_of_the_book_is_what_the_command_draws() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let bench = Workbench::new();
    let ran =
        bench.run("step check golden/engines/drake.jsonl --level C --svg docs/pictures/steps");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let own = "docs/pictures/steps/drake-slide-1.svg";
    let stored = std::fs::read_to_string(format!("{root}/{own}")).unwrap();
    assert!(
        bench.read(own) == stored,
        "draw it anew: docs/about.md has the command"
    );
}

#[test]
fn a_long_log_has_a_limit_of_pictures_and_says_so() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let steps = std::fs::read_to_string(format!("{root}/tests/cases/engines/box2d_steps.jsonl"));
    let ball = steps.unwrap().lines().last().unwrap().to_owned() + "\n";
    let bench = bench(&ball.repeat(102));
    let ran = bench.run("step check log.jsonl --level C --svg pictures");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = "--svg: 2 steps have no picture: 100 are drawn of each word";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let files = std::fs::read_dir(bench.path().join("pictures")).unwrap();
    assert_eq!(files.count(), 100);
}
