//! Scenes of files by Chakraborty and Berard's method: what is read, and what is refused with its place.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_exact::{Budget, ExactMethod};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::space::{MotionMethod, MovingScene};
use etalon_scenarios::{read_moving, read_space, write_moving};
use etalon_spatial::ImpactLaw;
use serde_json::{Value, json};

use crate::implicit_files::{file, floor};

#[test]
fn what_the_method_does_not_take_is_named_with_its_place() {
    let ball = json!({"name": "ball", "mass": 1, "position": [0, 0, 1], "shape": {"sphere": 1}});
    let scene = json!([floor(), ball]);
    let plain = file(&scene, &json!({"mu": "1/2"}), "-10");
    assert!(read_moving(&plain, None).is_ok());
    let cases = [
        (
            r#"{"sphere":1}"#,
            r#"{"box":[1,1,1]}"#,
            "bodies[1]: body \"ball\": the field \"shape\": a box has edges",
        ),
        (r#"{"sphere":1}"#, r#"{"sphere":0}"#, "the radius is 0"),
        (
            r#"{"sphere":1}"#,
            r#"{"ellipsoid":[1,-1,1]}"#,
            "bodies[1].shape.ellipsoid: a half axis is -1",
        ),
        (
            r#"{"sphere":1}"#,
            r#"{"superquadric":{"half_axes":[1,1,1],"exponent":3}}"#,
            "bodies[1].shape.superquadric.exponent: must be an even number from 2 to 16",
        ),
        (
            r#"[0,0,1]"#,
            "[0,0,0]",
            "bodies[0]: body \"floor\": the field \"shape\": the normal is zero",
        ),
        (r#""mass":1"#, r#""mass":0"#, "the field \"mass\" is 0"),
        (
            r#""mass":1"#,
            r#""mass":1,"inertia":[1,2,4]"#,
            "the moment 4 is larger",
        ),
        (
            r#""mass":1"#,
            r#""mass":1,"inertia":[0,1,1]"#,
            "a moment is 0",
        ),
        (
            r#""mass":1"#,
            r#""mass":1,"inertia":[[2,1,0],[1,2,0],[0,0,2]]"#,
            "three principal moments",
        ),
        (
            r#""fixed":true"#,
            r#""fixed":true,"force":[1,0,0]"#,
            "a fixed body feels none",
        ),
        (
            r#""name":"ball""#,
            r#""name":"floor""#,
            "is that of another body",
        ),
        (r#""mass":1"#, r#""fixed":true"#, "all of them are fixed"),
        (
            r#""mu":"1/2""#,
            r#""restitution":"3/2""#,
            "motion: restitution is 3/2",
        ),
        (r#""mu":"1/2""#, r#""rolling":1"#, "motion: rolling is 1"),
        (r#""mu":"1/2""#, r#""mu":-1"#, "motion: mu is -1"),
        (r#""mu":"1/2""#, r#""torsion":-1"#, "motion: torsion is -1"),
        (
            r#""mu":"1/2""#,
            r#""cone":"pyramid:8""#,
            "motion.cone: the method chakraborty-berard has the circular cone",
        ),
        (
            r#""mu":"1/2""#,
            r#""surfaces":[{"first":"ball","second":"wall"}]"#,
            "motion.surfaces[0]: there is no body \"wall\"",
        ),
        (
            r#""mu":"1/2""#,
            r#""surfaces":[{"first":"ball","second":"floor"},{"first":"floor","second":"ball"}]"#,
            "motion.surfaces[1]: surfaces[0] is that of \"floor\" and \"ball\" already; leave one out",
        ),
        (
            r#""mu":"1/2""#,
            r#""surfaces":[{"first":"ball","second":"floor","across":1,"along":[1,0,0]}]"#,
            "has no grain",
        ),
        (
            r#""mu":"1/2""#,
            r#""impact":"poisson""#,
            "motion.impact: the law of impacts is poisson",
        ),
        (
            r#""mass":1"#,
            r#""mass":1,"pieces":[{"name":"a","shape":{"sphere":1}}]"#,
            "has bodies of one smooth surface",
        ),
        (
            r#""motion""#,
            r#""joints":[{"name":"j"}],"motion""#,
            "joints[0]: the method chakraborty-berard has no joints",
        ),
    ];
    for (old, new, says) in cases {
        let text = plain.replacen(old, new, 1);
        assert_ne!(text, plain, "{old}");
        let error = read_moving(&text, None).unwrap_err().to_string();
        assert!(error.contains(says), "{new}: {error}");
    }
    let many: Vec<Value> = (0..12)
        .map(|k| json!({"name": k.to_string(), "mass": 1, "shape": {"sphere": 1}}))
        .collect();
    let error = read_moving(&file(&json!(many), &json!({}), "0"), None).unwrap_err();
    assert!(error.to_string().contains("66 pairs may touch"), "{error}");
}

#[test]
fn bodies_that_overlap_and_steps_that_are_none_are_told_before_the_first_line() {
    let bodies = |height: &str| json!([floor(), {"name": "ball", "mass": 1, "position": [0, 0, height], "shape": {"sphere": 1}}]);
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let refused = |text: &str, steps| {
        let scene = read_moving(text, None).unwrap();
        let run = scene.run(Arithmetics::Exact, &*solver, steps);
        run.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let low = refused(&file(&bodies("9/10"), &json!({}), "-10"), None);
    assert!(
        low.contains("bodies \"ball\" and \"floor\" overlap by 1.000e-1 m"),
        "{low}"
    );
    assert_eq!(refused(&file(&bodies("1"), &json!({}), "-10"), None), "");
    let h = refused(&file(&bodies("1"), &json!({"h": 0}), "-10"), None);
    assert!(h.contains("h is 0, but must be above 0"), "{h}");
    let many = refused(&file(&bodies("1"), &json!({}), "-10"), Some(2_000_000));
    assert!(many.contains("at most 1000000"), "{many}");
}

#[test]
fn a_file_without_the_method_takes_it_from_outside_and_its_shapes_need_it() {
    let bodies = json!([floor(), {"name": "egg", "mass": 1, "position": [0, 0, 1], "shape": {"ellipsoid": [2, 1, 1]}}]);
    let text = json!({"name": "n", "gravity": [0, 0, -10], "bodies": bodies}).to_string();
    let error = read_moving(&text, None).unwrap_err().to_string();
    let says =
        "body \"egg\" has the shape \"ellipsoid\", which the method chakraborty-berard alone takes";
    assert!(error.contains(says), "{error}");
    let own = read_moving(&text, Some(MotionMethod::ChakrabortyBerard)).unwrap();
    let MovingScene::Implicit(scene) = &own else {
        panic!("{own:?}")
    };
    // m (b^2 + c^2)/5 about the axis a, and so on.
    let inertia = &scene.bodies[1].body.inertia;
    let moments = [0, 1, 2].map(|k| inertia[(k, k)].to_string());
    assert_eq!(moments, ["2/5", "1", "1"]);
    // Who has rows alone says where it is run.
    let error = read_space(&write_moving(&own)).unwrap_err().to_string();
    assert!(
        error.starts_with("motion.method: chakraborty-berard is run by"),
        "{error}"
    );
    let pyramid = Some("pyramid:8".parse().unwrap());
    assert!(own.clone().with(None, pyramid, None, None).is_err());
    let why = own.with(None, None, Some(ImpactLaw::Poisson), None);
    assert!(why.unwrap_err().contains("say newton"));
    // Nor has a piece such a shape.
    let bodies = json!([{"name": "egg", "mass": 1, "inertia": [1, 1, 1], "pieces": [{"name": "a", "shape": {"ellipsoid": [2, 1, 1]}}]}]);
    let text = json!({"name": "n", "gravity": [0, 0, -10], "bodies": bodies}).to_string();
    let error = read_moving(&text, None).unwrap_err().to_string();
    assert!(error.contains("a piece is no ellipsoid"), "{error}");
}
