use super::*;
use crate::scenarios;

const BLOCK: &str = r#"{"name": "block", "gravity": [0, -10],
    "bodies": [{"name": "ground", "fixed": true}, {"name": "block", "mass": 2, "inertia": "1/3"}],
    "contacts": [{"name": "c", "first": "block", "second": "ground", "point": [0, "-1/2"], "normal": [0, 1]}]}"#;

#[test]
fn every_scenario_survives_its_file() {
    for scenario in scenarios().iter().filter(|own| own.at_rest.is_some()) {
        let instance = scenario.instance([]).unwrap();
        let scene = SceneFile {
            name: scenario.name.to_owned(),
            notes: Some(instance.part.description.to_owned()),
            setup: instance.setup.clone(),
        };
        let text = write_scene(&scene);
        let again = read_scene(&text).unwrap();
        assert_eq!(again.setup.system(), instance.system(), "{}", scenario.name);
        assert_eq!(again.setup.question, instance.setup.question);
        assert_eq!(write_scene(&again), text);
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let scene = read_scene(BLOCK).unwrap();
    let problem = scene.setup.problem("p").unwrap();
    assert_eq!(problem.n(), 1);
    assert_eq!(problem.q()[0].to_rational(), -10);
}

#[test]
fn friction_in_space_is_a_circle_unless_a_pyramid_is_asked_for() {
    use crate::Question;
    use etalon_contact_forces::{FrictionModel, StaticLaw};
    let space = r#"{"name": "point", "gravity": [0, 0, -10],
        "bodies": [{"name": "ground", "fixed": true}, {"name": "p", "mass": 1, "inertia": [1, 1, 1]}],
        "contacts": [{"name": "c", "first": "p", "second": "ground", "point": [0, 0, 0], "normal": [0, 0, 1], "mu": 1}]QUESTION}"#;
    let plane = space
        .replace("[0, 0, -10]", "[0, -10]")
        .replace("[1, 1, 1]", "1")
        .replace("[0, 0, 0]", "[0, 0]")
        .replace("[0, 0, 1]", "[0, 1]");
    let read = |scene: &str, question: &str| {
        let question = match question {
            "" => String::new(),
            question => format!(r#", "question": {question}"#),
        };
        let scene = read_scene(&scene.replace("QUESTION", &question)).unwrap();
        // What is written says the same.
        let again = read_scene(&write_scene(&scene)).unwrap();
        assert_eq!(again.setup.question, scene.setup.question);
        let Question::Forces(model) = scene.setup.question else {
            panic!("{:?}", scene.setup.question)
        };
        (model, scene.setup.formulation().unwrap().unwrap().law())
    };
    let (circular, rows) = (r#"{"friction": "circular"}"#, r#"{"friction": "rows"}"#);
    let four = StaticLaw::Pyramid {
        sides: 4,
        around: true,
    };
    for question in ["", circular] {
        assert_eq!(
            read(space, question),
            (FrictionModel::Circular, StaticLaw::Coulomb)
        );
    }
    assert_eq!(read(space, rows), (FrictionModel::Rows, four));
    let eight = StaticLaw::Pyramid {
        sides: 8,
        around: false,
    };
    let polyhedral = r#"{"friction": "polyhedral", "directions": 8}"#;
    assert_eq!(
        read(space, polyhedral),
        (FrictionModel::Polyhedral(8), eight)
    );
    // In the plane a bound for the tangent is the cone, whatever it is called.
    for question in ["", circular, rows] {
        assert_eq!(
            read(&plane, question),
            (FrictionModel::Rows, StaticLaw::Coulomb)
        );
    }
}

#[test]
fn mistakes_are_named_by_their_place() {
    let cases = [
        (r#""mass": 2"#, r#""mass": "2/0""#, "bodies[1].mass: "),
        (r#""mass": 2"#, r#""mass": null"#, "bodies[1].mass: must be"),
        (
            r#""mass": 2, "#,
            "",
            "bodies[1]: the field \"mass\" is missing",
        ),
        (
            r#""mass": 2"#,
            r#""Mass": 2"#,
            "bodies[1]: there is no field \"Mass\"",
        ),
        (
            "[0, -10]",
            "[0, -10, 0, 0]",
            "gravity: must have two numbers",
        ),
        ("[0, -10]", "[0, -1e999]", "number out of range"),
        (
            r#""normal": [0, 1]"#,
            r#""normal": [0, 1, 0]"#,
            "contacts[0].normal: has 3 numbers",
        ),
        (
            r#""mass": 2"#,
            r#""mass": 2, "mass": 3"#,
            "bodies[1].mass: the field is given twice",
        ),
        (
            r#""gravity": [0, -10]"#,
            r#""gravity": [0, -10], "gravity": [0, -10]"#,
            "gravity: the field is given twice",
        ),
        (
            r#""fixed": true"#,
            r#""fixed": 1"#,
            "bodies[0].fixed: must be true or false",
        ),
        (
            r#"{"name": "block","#,
            r#"{"name": "block", "linkage": {"links": []},"#,
            "bodies: a linkage",
        ),
        (
            r#"{"name": "block","#,
            r#"{"name": "block", "format": "etalon-scene/2","#,
            "format: must be",
        ),
        (
            r#"{"name": "block","#,
            r#"{"name": "block", "question": {"friction": "polyhedral"},"#,
            "question: the field \"directions\" is missing",
        ),
    ];
    for (part, wrong, message) in cases {
        let text = BLOCK.replacen(part, wrong, 1);
        assert_ne!(text, BLOCK, "{part}");
        let error = read_scene(&text).unwrap_err().to_string();
        assert!(error.contains(message), "{wrong}: {error}");
    }
}

#[test]
fn too_many_parts_are_refused() {
    let body = r#"{"name": "b", "fixed": true}"#;
    let bodies = vec![body; MAX_PARTS + 1].join(",");
    let text = format!(r#"{{"name": "n", "gravity": [0, 0], "bodies": [{bodies}]}}"#);
    let error = read_scene(&text).unwrap_err().to_string();
    assert!(error.contains("over the limit of 2000"), "{error}");
}
