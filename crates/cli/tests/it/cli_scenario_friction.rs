//! `etalon scenario run --friction-order`, `--friction-pyramid`, `--circular`: how static friction is asked for.

use crate::common::Workbench;

#[test]
fn the_circular_cone_is_solved_in_binary64() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run darwin-block --circular --json");
    assert_eq!(ran.status, 0, "{}", ran.shown());
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(json["backward_error"].as_f64().unwrap() < 1e-12);
    // 10 N on a slope of 3/4 with mu = 4/5: it rests.
    let acceleration = json["answer"]["forces"]["acceleration"].as_array().unwrap();
    assert!(
        acceleration
            .iter()
            .all(|a| a.as_f64().unwrap().abs() < 1e-12)
    );
    let ran = bench.run("scenario run darwin-block --set mu=3/5 --circular");
    assert!(ran.stdout.contains("computed exactly"), "{}", ran.stdout);
    let ran = bench.run("scenario run cradle --circular");
    assert_eq!(ran.status, 2, "{}", ran.shown());
}

#[test]
fn static_friction_by_index_sets_in_one_order_and_the_other() {
    let bench = Workbench::new();
    let json = |arguments: &str| -> serde_json::Value {
        let ran = bench.run(&format!("scenario run {arguments} --json"));
        assert_eq!(ran.status, 0, "{}", ran.shown());
        serde_json::from_str(&ran.stdout).unwrap()
    };
    // A ladder of 1 kg that leans with tan 3/4: mg and mg 3/8 at its foot, the same at its top.
    for (order, other, steps) in [("baraff", "darwin2k", 3), ("darwin2k", "baraff", 1)] {
        let run = json(&format!("ladder --friction-order {order}"));
        assert_eq!(run["friction_order"], order);
        assert_eq!(run["other_order"]["friction_order"], other);
        assert_eq!(run["work"]["steps"], steps);
        assert_eq!(run["answer"]["status"], "solved");
        let forces = &run["answer"]["forces"];
        assert_eq!(forces["acceleration"], serde_json::json!(["0", "0", "0"]));
        let [foot, top] = [0, 1].map(|i| forces["contacts"][i].clone());
        // The foot slips to the left, so that friction holds it to the right.
        assert_eq!(
            (&foot["normal"], &foot["friction"]),
            (&"10".into(), &serde_json::json!(["15/4"]))
        );
        assert_eq!(
            (&top["normal"], &top["friction"]),
            (&"15/4".into(), &serde_json::json!(["0"]))
        );
        assert_eq!(run["other_order"]["answer"], run["answer"]);
    }
    // Ground that is too smooth: a slipping foot is held with mu f_N.
    let slipping = json("ladder --set mu_ground=1/4 --set mu_wall=0 --friction-order baraff");
    let foot = &slipping["answer"]["forces"]["contacts"][0];
    assert_eq!(foot["tangential_acceleration"].as_array().unwrap().len(), 1);
    let read =
        |value: &serde_json::Value| etalon::lcp::parse_rational(value.as_str().unwrap()).unwrap();
    assert_eq!(read(&foot["friction"][0]) * 4u32, read(&foot["normal"]));
    assert!(read(&foot["tangential_acceleration"][0]) < 0);
    let prose = bench
        .run("scenario run ladder --friction-order darwin2k")
        .stdout;
    assert!(
        prose.contains("all contacts at once (after Darwin2K)"),
        "{prose}"
    );
    assert!(
        prose.contains("contact by contact (Baraff 1994, section 5): the same forces"),
        "{prose}"
    );
    // What has no such order, and no such word.
    for (arguments, why) in [
        (
            "stack --friction-order baraff",
            "no contact of the scene has any",
        ),
        (
            "cradle --friction-order baraff",
            "the scene asks for impulses",
        ),
        ("rod --friction-order baraff", "not of a trajectory"),
        (
            "ladder --friction-order baraff --solver fast",
            "leave --solver out",
        ),
        ("ladder --friction-order sideways", "sideways"),
    ] {
        let ran = bench.run(&format!("scenario run {arguments}"));
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.shown());
        assert!(ran.stderr.contains(why), "{arguments}: {}", ran.stderr);
    }
}

/// A block of 1 kg on four corners in the frame of a slope of 3/4 with mu = 3/5: 6 m/s^2 downhill along
/// (3, 4)/5, more than the circle of 24/5 holds, and within the square about it along each tangent.
const SLIDES: &str = r#"{"name": "slides", "gravity": ["18/5", "24/5", -8],
    "bodies": [{"name": "floor", "fixed": true},
        {"name": "box", "mass": 1, "inertia": ["5/12", "5/12", "2/3"], "position": [0, 0, "1/2"]}],
    "contacts": [
        {"name": "a", "first": "box", "second": "floor", "point": [1, 1, 0], "normal": [0, 0, 1], "mu": "3/5"},
        {"name": "b", "first": "box", "second": "floor", "point": [-1, 1, 0], "normal": [0, 0, 1], "mu": "3/5"},
        {"name": "c", "first": "box", "second": "floor", "point": [-1, -1, 0], "normal": [0, 0, 1], "mu": "3/5"},
        {"name": "d", "first": "box", "second": "floor", "point": [1, -1, 0], "normal": [0, 0, 1], "mu": "3/5"}]}"#;

/// A body on one point, pulled by 7/2 along both tangents with 24/5 of friction: it slides along a
/// diagonal, so that its friction is irrational.
const DIAGONAL: &str = r#"{"name": "diagonal", "gravity": ["7/2", "7/2", -8],
    "bodies": [{"name": "floor", "fixed": true}, {"name": "p", "mass": 1, "inertia": [1, 1, 1]}],
    "contacts": [{"name": "c", "first": "p", "second": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "mu": "3/5"}]}"#;

#[test]
fn static_friction_in_space_is_a_circle_and_a_pyramid_only_where_it_is_asked_for() {
    let bench = Workbench::new();
    bench.write("slides.json", SLIDES);
    bench.write("diagonal.json", DIAGONAL);
    let run = |arguments: &str| bench.run(&format!("scenario run {arguments}"));
    let json = |arguments: &str| -> serde_json::Value {
        let ran = run(&format!("{arguments} --json"));
        assert_eq!(ran.status, 0, "{arguments}: {}", ran.shown());
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let slides = json("slides.json");
    assert_eq!(slides["law"], "Coulomb's law");
    assert_eq!(slides["answer"]["proof"], "exact");
    assert_eq!(
        slides["answer"]["forces"]["acceleration"],
        serde_json::json!(["18/25", "24/25", "0", "0", "0", "0"])
    );
    // Nobody has shown that the forces are the only ones: they are not.
    assert_eq!(slides["answer"]["unique"], "no");
    let diagonal = json("diagonal.json");
    assert_eq!(diagonal["answer"]["proof"], "enclosed");
    assert_eq!(diagonal["answer"]["unique"], "forces");
    for size in ["force", "acceleration"] {
        let within = diagonal["answer"]["within"][size].as_str().unwrap();
        assert!(
            etalon::lcp::parse_rational(within).unwrap() < 1e-20,
            "{within}"
        );
    }
    let told = run("diagonal.json").stdout;
    assert!(told.contains("each is enclosed within"), "{told}");
    assert!(
        told.contains("There are no other forces that satisfy Coulomb's law."),
        "{told}"
    );
    // Both orders find what the exact solver finds.
    for order in ["baraff", "darwin2k"] {
        for (name, proof) in [("slides.json", "exact"), ("diagonal.json", "enclosed")] {
            let own = json(&format!("{name} --friction-order {order}"));
            assert_eq!(own["answer"]["proof"], proof, "{name} {order}");
            let acceleration =
                |run: &serde_json::Value| run["answer"]["forces"]["acceleration"].clone();
            if proof == "exact" {
                assert_eq!(acceleration(&own), acceleration(&slides), "{order}");
            }
        }
    }
    // The box holds both, and says that it is a box; pyramids inside the circle do not.
    let boxed = SLIDES.replace(
        "\"name\": \"slides\",",
        "\"name\": \"slides\", \"question\": {\"friction\": \"rows\"},",
    );
    bench.write("boxed.json", boxed);
    for arguments in [
        "boxed.json",
        "boxed.json --friction-order baraff",
        "boxed.json --friction-order darwin2k",
        "slides.json --solver fast",
    ] {
        let ran = run(arguments);
        assert_eq!(ran.status, 0, "{arguments}: {}", ran.shown());
        assert!(
            ran.stdout
                .contains("a pyramid of 4 sides around the circle"),
            "{arguments}: {}",
            ran.stdout
        );
        assert!(
            !ran.stdout.contains("the laws"),
            "{arguments}: {}",
            ran.stdout
        );
        let run = json(arguments);
        assert_eq!(
            run["law"], "a pyramid of 4 sides around the circle",
            "{arguments}"
        );
    }
    let at_rest = serde_json::json!(["0", "0", "0", "0", "0", "0"]);
    assert_eq!(
        json("boxed.json --friction-order baraff")["answer"]["forces"]["acceleration"],
        at_rest
    );
    let pyramid = run("diagonal.json --friction-pyramid 8");
    assert!(
        pyramid
            .stdout
            .contains("a pyramid of 8 sides inside the circle"),
        "{}",
        pyramid.stdout
    );
    assert!(
        pyramid.stdout.contains("There are no other forces that satisfy the conditions of a pyramid of 8 sides inside the circle."),
        "{}",
        pyramid.stdout
    );
    // What has no pyramid.
    for (arguments, why) in [
        (
            "ladder --friction-pyramid 8",
            "no contact of the scene has any",
        ),
        ("cradle --friction-pyramid 8", "the scene asks for impulses"),
        ("rod --friction-pyramid 8", "not of a trajectory"),
        ("diagonal.json --friction-pyramid 5", "5"),
        (
            "diagonal.json --friction-pyramid 8 --circular",
            "cannot be used with",
        ),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.shown());
        assert!(ran.stderr.contains(why), "{arguments}: {}", ran.stderr);
    }
    // In binary64, with the exact answer near by proved.
    assert_eq!(json("slides.json --circular")["exact"]["proof"], "exact");
    assert_eq!(
        json("diagonal.json --circular")["exact"]["proof"],
        "enclosed"
    );
}
