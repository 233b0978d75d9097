//! Baraff's paper from the command line: orders of the drive, friction of sliding in it, impacts with friction, joints with axes, and
//! first-order worlds.

use crate::common::Workbench;
use serde_json::{Value, json};

fn run(bench: &Workbench, arguments: &str) -> Value {
    let ran = bench.run(&format!("scenario run {arguments} --json"));
    assert_eq!(ran.status, 0, "{arguments}: {}", ran.shown());
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn contacts_are_driven_in_the_order_that_is_asked_for() {
    let bench = Workbench::new();
    // A box on four corners: two of them carry it, those that are driven first and what follows.
    let normals = |order: &str| {
        let own = run(&bench, &format!("box-on-corners --drive-order {order}"));
        assert_eq!(own["answer"]["status"], "solved");
        let driven = own["trace"][0]["drives"].as_str().unwrap().to_owned();
        let contacts = own["answer"]["forces"]["contacts"].as_array().unwrap();
        let normals: Vec<_> = contacts.iter().map(|own| own["normal"].clone()).collect();
        (driven, json!(normals), own)
    };
    let (first, forces, own) = normals("scene");
    assert_eq!(
        (first.as_str(), forces),
        ("corner 0, normal", json!(["5", "0", "5", "0"]))
    );
    assert_eq!(own["other_orders"][0]["order"], "the reversed order");
    assert_eq!(own["other_orders"][0]["same_forces"], false);
    assert_eq!(own["other_orders"][0]["same_accelerations"], true);
    assert_eq!(own["work"]["steps"], 3);
    let (first, forces, _) = normals("reversed");
    assert_eq!(
        (first.as_str(), forces),
        ("corner 3, normal", json!(["0", "5", "0", "5"]))
    );
    let (first, ..) = normals("2,0,3,1");
    assert_eq!(first, "corner 2, normal");
    let named = bench.run_words(&[
        "scenario",
        "run",
        "stack",
        "--drive-order",
        "block 2 at 0, block 0 at 0, 1",
    ]);
    assert_eq!(named.status, 0, "{}", named.shown());
    assert!(
        named.stdout.contains("| 1    | block 0 at 0, normal |"),
        "{}",
        named.stdout
    );
    assert!(
        named.stdout.contains("In the order of the scene: "),
        "{}",
        named.stdout
    );
}

#[test]
fn a_drive_that_goes_on_for_ever_calls_for_an_impulse() {
    let bench = Workbench::new();
    let own = run(&bench, "painleve-inconsistent --drive-order scene");
    assert_eq!(own["answer"]["status"], "unbounded");
    assert_eq!(
        own["answer"]["ray"],
        json!({"z": ["1"], "response": ["-4/5"]})
    );
    assert_eq!(
        own["answer"]["resolution"]["impulse"],
        json!({"kind": "ray", "k": "5/11"})
    );
    let told = bench.run("scenario run painleve-inconsistent --drive-order scene");
    assert!(
        told.stdout
            .contains("an impulse is called for (Baraff 1994, section 6)"),
        "{}",
        told.stdout
    );
    // Friction that lets the drive end.
    let own = run(
        &bench,
        "painleve-inconsistent --set mu=1 --drive-order scene",
    );
    assert_eq!(own["answer"]["status"], "solved");
    assert_eq!(own["answer"]["forces"]["contacts"][0]["motion"], "sliding");
    assert_eq!(own["trace"][0]["end"], "goal");
}

#[test]
fn orders_that_are_none_are_refused_with_the_contacts() {
    let bench = Workbench::new();
    for (arguments, why) in [
        (
            "stack --drive-order x",
            "they are block 0 at 0, block 1 at 0 and block 2 at 0",
        ),
        ("stack --drive-order 0,1", "leaves out block 2 at 0"),
        ("stack --drive-order 0,0", "twice"),
        (
            "stack --drive-order scene --solver fast",
            "leave --solver out",
        ),
        (
            "stack --drive-order scene --svg a.svg",
            "does not heed --svg",
        ),
        ("cradle --drive-order scene", "impulses of an impact"),
        ("darwin-block --drive-order scene", "--friction-order"),
        ("rod --drive-order scene", "not of a trajectory"),
        (
            "ladder --impact poisson",
            "the scene asks for contact forces",
        ),
    ] {
        let ran = bench.run(&format!("scenario run {arguments}"));
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.shown());
        assert!(ran.stderr.contains(why), "{arguments}: {}", ran.stderr);
    }
}

const ROD: &str = r#"{"name": "rod", "gravity": [0, -10],
    "bodies": [{"name": "floor", "fixed": true},
        {"name": "rod", "mass": 1, "inertia": "1/12", "position": ["3/10", "4/10"], "velocity": ["3/5", -1]}],
    "contacts": [{"name": "tip", "first": "rod", "second": "floor", "point": [0, 0], "normal": [0, 1], "mu": "1/2"}],
    "question": {"impact": 1, "friction": "polyhedral"}}"#;

#[test]
fn impacts_have_friction_and_both_laws() {
    let bench = Workbench::new();
    bench.write("rod.json", ROD);
    let energies = |arguments: &str| run(&bench, arguments)["answer"]["kinetic_energy"].clone();
    assert_eq!(energies("rod.json"), json!(["17/25", "1003/1250"]));
    assert_eq!(
        energies("rod.json --impact poisson"),
        json!(["17/25", "2257/3650"])
    );
    let told = bench.run("scenario run rod.json").stdout;
    assert!(told.contains("The impact gained 153/1250 J"), "{told}");
    let told = bench.run("scenario run rod.json --impact poisson").stdout;
    assert!(
        !told.contains("gained") && told.contains("p_N of the compression"),
        "{told}"
    );
    // In binary64, beside the exact one.
    let own = run(&bench, "rod.json --solver fast");
    assert_eq!(own["verdict"]["verdict"], "accepted");
    // The flag gives friction to a scene that asks for none.
    bench.write(
        "bare.json",
        ROD.replace(r#", "friction": "polyhedral""#, ""),
    );
    assert_eq!(
        energies("bare.json --friction-pyramid 4"),
        json!(["17/25", "1003/1250"])
    );
    assert!(run(&bench, "bare.json")["answer"].get("friction").is_none());
}

#[test]
fn joints_with_axes_are_told_row_by_row() {
    let bench = Workbench::new();
    let door = r#"{"name": "door", "gravity": [0, 0, -10],
        "bodies": [{"name": "frame", "fixed": true},
            {"name": "door", "mass": 2, "inertia": [1, 1, 1], "position": [1, 0, 0], "force": [0, 6, 0]}],
        "joints": [{"name": "hinge", "first": "door", "second": "frame", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 0, 1]}]}"#;
    bench.write("door.json", door);
    let told = bench.run("scenario run door.json");
    assert_eq!(told.status, 0, "{}", told.shown());
    for row in [
        "| hinge axis 2   |                       20 |",
        "| hinge turn 3   |                      -20 |",
    ] {
        assert!(told.stdout.contains(row), "{}", told.stdout);
    }
}

/// The same world in the plane, by a named scene and its file.
#[test]
fn a_first_order_world_of_the_plane_is_stepped_verified_and_checked() {
    let bench = Workbench::new();
    let scene = bench.run("scenario run shoved-box --scene");
    bench.write("own.json", scene.stdout);
    for (name, flags) in [
        ("shoved-box", ""),
        ("own.json", "--method first-order"),
        ("shoved-box", "--solver fast"),
    ] {
        let ran = bench.run(&format!(
            "scenario run {name} {flags} --steps 2 --out own.jsonl"
        ));
        assert_eq!(ran.status, 0, "{}", ran.shown());
        let text = bench.read("own.jsonl");
        let line: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        assert_eq!(line["v"][0], json!(5.5));
        assert_eq!(line["energy"]["kinetic"], json!(0.0));
        assert_eq!(line["dissipation"]["drag"], json!(2.0 * 5.5 * 5.5 / 64.0));
        let ran = bench.run("trajectory check own.jsonl");
        assert_eq!(ran.status, 0, "{}", ran.shown());
        if !flags.contains("fast") {
            let ran = bench.run("verify own.jsonl");
            assert_eq!(ran.status, 0, "{}", ran.shown());
        }
        bench.write(
            "edited.jsonl",
            text.replacen(
                "\"kinetic\":0.0,\"potential\":6",
                "\"kinetic\":1e-300,\"potential\":6",
                1,
            ),
        );
        let ran = bench.run("trajectory check edited.jsonl");
        assert_eq!(ran.status, 1, "{}", ran.shown());
    }
    let ran = bench.run("scenario run own.json --method first-order --impact newton");
    assert!(
        ran.status == 2 && ran.stderr.contains("no restitution"),
        "{}",
        ran.shown()
    );
}

const SYRUP: &str = r#"{"name": "in syrup", "gravity": [0, 0, -10],
    "bodies": [{"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
        {"name": "box", "mass": 2, "position": [0, 0, "1/5"], "force": [16, 0, 0], "shape": {"box": ["1/5", "1/5", "1/5"]}}],
    "motion": {"h": "1/16", "steps": 4, "mu": "1/4"}}"#;

#[test]
fn a_first_order_world_is_stepped_verified_and_checked() {
    let bench = Workbench::new();
    bench.write("syrup.json", SYRUP);
    let ran = bench.run("scenario run syrup.json --method first-order --out own.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let text = bench.read("own.jsonl");
    let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // (16 - 5)/2 m/s in every step, and no kinetic energy.
    assert_eq!(line["v"][0], json!(5.5));
    assert_eq!(line["energy"]["kinetic"], json!(0.0));
    assert_eq!(line["dissipation"]["drag"], json!(2.0 * 5.5 * 5.5 / 16.0));
    for command in ["verify", "trajectory check"] {
        let ran = bench.run(&format!("{command} own.jsonl"));
        assert_eq!(ran.status, 0, "{command}: {}", ran.shown());
    }
    bench.write("edited.jsonl", text.replacen("5.5,", "5.25,", 1));
    for command in ["verify", "trajectory check"] {
        let ran = bench.run(&format!("{command} edited.jsonl"));
        assert_eq!(ran.status, 1, "{command}: {}", ran.shown());
    }
    let refused = |from: &str, to: &str, why: &str| {
        bench.write("wrong.json", SYRUP.replacen(from, to, 1));
        let ran = bench.run("scenario run wrong.json --method first-order");
        assert_eq!(ran.status, 2, "{}", ran.shown());
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    };
    refused(
        "\"mass\": 2",
        "\"mass\": 2, \"velocity\": [1, 0, 0]",
        "\"velocity\"",
    );
    refused(
        "\"mu\": \"1/4\"",
        "\"mu\": \"1/4\", \"restitution\": 1",
        "nothing bounces",
    );
    refused(
        "\"mu\": \"1/4\"",
        "\"impact\": \"newton\"",
        "no restitution",
    );
    refused("\"h\": \"1/16\"", "\"h\": 0", "h");
}
