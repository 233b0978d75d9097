//! Motions of bodies in space, as a page gets them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Page, slide, start, start_with, tampered_slide};
use etalon_serve::{Library, Server, ServerSettings};
use serde_json::{Value, json};

/// The head, the frames and the end of a motion.
fn motion(page: &mut Page, id: u64, what: &Value) -> (Value, Vec<Value>, Value) {
    let mut ask = what.clone();
    ask["type"] = json!("motion");
    ask["id"] = json!(id);
    page.tell(ask);
    let head = page.next("motion");
    assert_eq!(head["id"], id);
    let mut frames = Vec::new();
    loop {
        let message = page.hear().expect("the connection ended");
        match message["type"].as_str().unwrap() {
            "motion_frame" => frames.push(message["frame"].clone()),
            "motion_end" => return (head, frames, message),
            "error" => unreachable!("{message}"),
            _ => {}
        }
    }
}

fn refused(page: &mut Page, what: &Value) -> Value {
    let mut ask = what.clone();
    ask["type"] = json!("motion");
    ask["id"] = json!(1);
    page.tell(ask);
    page.next("error")
}

fn three(value: &Value) -> [f64; 3] {
    std::array::from_fn(|k| value[k].as_f64().unwrap())
}

#[test]
fn a_box_that_slides_is_carried_slowed_and_judged_in_each_step() {
    let server = start();
    let mut page = Page::connect(&server);
    let (head, frames, end) = motion(
        &mut page,
        7,
        &json!({"scenario": "box-slide", "set": {"steps": "5", "half_angle": "0"}}),
    );
    assert_eq!(
        (&head["name"], &head["steps"]),
        (&json!("box-slide"), &json!(5))
    );
    assert_eq!(
        (&head["recorded"], &head["unjudged"]),
        (&json!(false), &Value::Null)
    );
    let moves: Vec<&Value> = head["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|body| &body["moves"])
        .collect();
    assert_eq!(moves, [false, true]);
    assert_eq!(
        head["bodies"][1]["shape"],
        json!({"kind": "box", "half_sizes": [0.2, 0.2, 0.05]})
    );
    assert_eq!(end["reason"], Value::Null);
    let h = head["h"].as_f64().unwrap();
    assert_eq!(frames.len(), 5);
    for (k, frame) in (1..).zip(&frames) {
        assert_eq!(
            (&frame["k"], &frame["verdict"]),
            (&json!(k), &json!("exact"))
        );
        assert_eq!(frame["broken"], json!([]));
        // 1 kg: the floor carries it, and friction is half of that, against x.
        let sum = |part: &str| {
            let contacts = frame["contacts"].as_array().unwrap().iter();
            contacts
                .map(|own| three(&own[part]))
                .fold([0.0; 3], |sum, own| {
                    std::array::from_fn(|k| sum[k] + own[k])
                })
        };
        let (normal, friction) = (sum("normal"), sum("friction"));
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-9);
        assert!(near(normal, [0.0, 0.0, 9.81 * h]), "{normal:?}");
        assert!(near(friction, [-0.5 * 9.81 * h, 0.0, 0.0]), "{friction:?}");
    }
    let at = |frame: &Value| frame["poses"][0][0].as_f64().unwrap();
    assert!(at(&frames[0]) > 0.008 && at(&frames[4]) > at(&frames[3]));
}

#[test]
fn a_scene_of_ones_own_moves_by_the_method_that_it_names() {
    let server = start();
    let mut page = Page::connect(&server);
    let scene = json!({
        "name": "ball and pendulum",
        "notes": "A ball falls beside a pendulum",
        "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "ball", "mass": 1, "position": [0, 0, 3], "shape": {"sphere": "1/2"}},
            {"name": "base", "fixed": true},
            {"name": "bob", "mass": 1, "inertia": [1, 2, 3], "position": [4, 0, 3]},
        ],
        "joints": [{"name": "pin", "first": "bob", "second": "base", "point": [3, 0, 3]}],
        "motion": {"h": "1/64", "steps": 3, "mu": "1/2", "method": "moreau-jean", "cone": "circular"},
    });
    let (head, frames, _) = motion(&mut page, 1, &json!({"scene": scene}));
    assert_eq!(
        (&head["method"], &head["cone"]),
        (&json!("moreau-jean"), &json!("circular"))
    );
    assert_eq!(head["description"], "A ball falls beside a pendulum");
    let last = frames.last().unwrap();
    assert_eq!(
        (&last["joints"][0]["joint"], &last["broken"]),
        (&json!("pin"), &json!([]))
    );
    assert_eq!(last["poses"].as_array().unwrap().len(), 2);
    // The ball falls by g h^2 (1 + 2 + 3), which is a multiple of the grid.
    assert_eq!(
        last["poses"][0][2].as_f64().unwrap(),
        3.0 - 10.0 * 6.0 / 4096.0
    );
}

fn sum(frame: &Value, part: &str) -> [f64; 3] {
    let contacts = frame["contacts"].as_array().unwrap().iter();
    contacts
        .map(|own| three(&own[part]))
        .fold([0.0; 3], |sum, own| {
            std::array::from_fn(|k| sum[k] + own[k])
        })
}

fn is_near(own: [f64; 3], truth: [f64; 3]) -> bool {
    own.iter().zip(truth).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// The edges of two bars meet on the upper edge of the lower one, at x = 0, where that of the upper one passes: y = -x0 tan(turn).
#[test]
fn corners_in_space_push_where_their_edges_meet() {
    let server = start();
    let mut page = Page::connect(&server);
    let ask = json!({"scenario": "crossed-bars", "set": {"steps": "5"}});
    let (head, frames, end) = motion(&mut page, 1, &ask);
    assert_eq!(
        (&head["method"], &end["reason"]),
        (&json!("egan-trinkle"), &Value::Null)
    );
    let shapes = head["bodies"].as_array().unwrap().iter();
    assert!(
        shapes
            .clone()
            .all(|own| own["shape"]["kind"] == "polyhedron")
    );
    assert_eq!(head["bodies"][1]["moves"], true);
    let landed = &frames[4];
    assert_eq!(landed["broken"], json!([]));
    let contacts = landed["contacts"].as_array().unwrap();
    let pair = contacts[0]["pair"].as_str().unwrap();
    assert_eq!(contacts.len(), 1);
    assert!(
        pair.contains(" edge ") && pair.ends_with(", whole 1"),
        "{pair}"
    );
    let at = three(&contacts[0]["at"]);
    // The lower edge of the upper bar has fallen by g h^2 (1 + 2 + 3 + 4) when the step begins.
    let height = 1.0 / 8.0 + 1.0 / 32.0 - 100.0 / 4096.0;
    assert!(is_near(at, [0.0, -1.0 / 15.0, height]), "{at:?}");
    // The arm along the bar is x0/cos(turn) = 17/120 m, and the moment across it m (1/3 + 1/384).
    let arm = 17.0 / 120.0;
    let closing = 50.0 / 64.0 - (height - 1.0 / 8.0) * 64.0;
    let impulse = closing / (0.5 + arm * arm / (2.0 * (1.0 / 3.0 + 1.0 / 384.0)));
    let [x, y, p] = three(&contacts[0]["normal"]);
    assert!(
        x.abs() + y.abs() < 1e-9 && (p - impulse).abs() < 1e-9,
        "{p}"
    );
}

/// Bodies of the plane are plates that stand upright: y is drawn upwards. A brick that slides on a floor is carried and slowed.
#[test]
fn corners_in_the_plane_stand_upright() {
    let server = start();
    let mut page = Page::connect(&server);
    let brick = json!([[-1, "-1/2"], [1, "-1/2"], [1, "1/2"], [-1, "1/2"]]);
    let scene = json!({
        "name": "a brick and a foot", "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "position": [0, -1], "shape": {"half_plane": [0, 2]}},
            {"name": "brick", "mass": 2, "inertia": 1, "position": [3, "-1/2"], "velocity": [1, 0], "shape": {"polygon": brick}},
            {"name": "foot", "mass": 1, "inertia": 1, "position": [-3, 5], "orientation": [0, 1], "shape": {"points": [[1, 0]]}},
        ],
        "motion": {"method": "egan-trinkle", "h": "1/64", "steps": 2, "mu": "1/2"},
    });
    let (head, frames, _) = motion(&mut page, 1, &json!({"scene": scene}));
    assert_eq!(
        head["bodies"][0]["shape"],
        json!({"kind": "half_space", "normal": [0.0, 0.0, 1.0]})
    );
    let plate = head["bodies"][1]["shape"]["vertices"].as_array().unwrap();
    let heights = plate.iter().map(|own| three(own)[2]);
    assert_eq!((plate.len(), heights.fold(0.0, f64::max)), (8, 0.5));
    // Turned by a quarter, the foot is above its centre.
    let foot = &head["bodies"][2];
    let turn: Vec<f64> = (3..7).map(|k| foot["pose"][k].as_f64().unwrap()).collect();
    let half = 0.5_f64.sqrt();
    for (own, truth) in turn.iter().zip([half, 0.0, -half, 0.0]) {
        assert!((own - truth).abs() < 1e-12, "{turn:?}");
    }
    assert_eq!(foot["shape"]["pieces"][0]["shape"]["kind"], "sphere");
    for frame in &frames {
        assert_eq!(frame["broken"], json!([]));
        let weight = 20.0 / 64.0;
        assert!(is_near(sum(frame, "normal"), [0.0, 0.0, weight]));
        assert!(is_near(sum(frame, "friction"), [-weight / 2.0, 0.0, 0.0]));
        assert_eq!(frame["poses"][0][2].as_f64(), Some(-0.5));
        assert_eq!(three(&frame["contacts"][0]["at"])[2], -1.0);
    }
}

/// A trajectory, and the same with one velocity changed.
fn library() -> Library {
    let (library, left_out) = Library::of([
        ("slide".to_owned(), slide(5)),
        ("tampered".to_owned(), tampered_slide(5, 3)),
    ]);
    assert!(left_out.is_empty(), "{left_out:?}");
    library
}

fn with_trajectories() -> Server {
    start_with(ServerSettings {
        library: library(),
        ..ServerSettings::default()
    })
}

#[test]
fn a_recorded_motion_is_taken_again_and_a_changed_velocity_is_named() {
    let server = with_trajectories();
    let mut page = Page::connect(&server);
    let (head, frames, _) = motion(&mut page, 1, &json!({"trajectory": "slide"}));
    assert_eq!(
        (&head["recorded"], &head["unjudged"]),
        (&json!(true), &Value::Null)
    );
    assert!(
        frames.iter().all(|frame| frame["broken"] == json!([])),
        "{frames:?}"
    );
    assert_eq!(frames.len(), 5);
    let (_, frames, _) = motion(&mut page, 2, &json!({"trajectory": "tampered"}));
    let wrong: Vec<u64> = frames
        .iter()
        .filter(|frame| frame["broken"] != json!([]))
        .map(|frame| frame["k"].as_u64().unwrap())
        .collect();
    // The line itself, and that which follows from it.
    assert_eq!(wrong, [3, 4]);
    let first = frames[2]["broken"].to_string();
    assert!(first.contains("v[0]"), "{first}");
    let list: Value = serde_json::from_str(&common::get(&server, "/golden").body).unwrap();
    assert_eq!(list[0]["space"], true);
}

#[test]
fn a_second_motion_takes_the_place_of_the_first() {
    let server = start();
    let mut page = Page::connect(&server);
    page.tell(
        json!({"type": "motion", "id": 1, "scenario": "dzhanibekov", "set": {"steps": "5000"}}),
    );
    page.next("motion_frame");
    let (head, frames, end) = motion(
        &mut page,
        2,
        &json!({"scenario": "box-stack", "set": {"steps": "2"}}),
    );
    assert_eq!(
        (&head["name"], &end["id"]),
        (&json!("box-stack"), &json!(2))
    );
    // Frames of the first may still have been on their way.
    assert!(frames.len() >= 2);
}

#[test]
fn what_is_no_motion_in_space_is_refused_with_a_remedy() {
    let server = with_trajectories();
    let mut page = Page::connect(&server);
    let body = |k: u32| json!({"name": format!("b{k}"), "mass": 1, "position": [3 * k, 0, 9], "shape": {"sphere": 1}});
    let crowd: Vec<Value> = (0..41).map(body).collect();
    let cases = [
        (json!({}), "bad_field", "scenario"),
        (
            json!({"scenario": "box-slide", "trajectory": "slide"}),
            "bad_field",
            "scenario",
        ),
        (json!({"scenario": "moon"}), "out_of_range", "scenario"),
        (json!({"scenario": "rod"}), "out_of_range", "scenario"),
        (
            json!({"scenario": "box-slide", "set": {"mu": "-1"}}),
            "out_of_range",
            "set",
        ),
        (
            json!({"scenario": "box-slide", "set": {"steps": "5001"}}),
            "too_large",
            "steps",
        ),
        (
            json!({"scene": {"name": "none", "bodies": 3}}),
            "bad_scene",
            "scene",
        ),
        (
            json!({"scene": {"name": "crowd", "gravity": [0, 0, 0], "bodies": crowd, "motion": {}}}),
            "too_large",
            "bodies",
        ),
        (json!({"trajectory": "../slide"}), "bad_scene", "trajectory"),
    ];
    for (what, code, field) in cases {
        let error = refused(&mut page, &what);
        assert_eq!(
            (&error["code"], &error["field"]),
            (&json!(code), &json!(field)),
            "{what}"
        );
        assert!(!error["remedy"].as_str().unwrap().is_empty());
    }
    // Two balls in one place: the scene is read, and makes no world.
    let ball = |name: &str| json!({"name": name, "mass": 1, "shape": {"sphere": 1}});
    let error = refused(
        &mut page,
        &json!({"scene": {"name": "inside", "gravity": [0, 0, 0], "bodies": [ball("a"), ball("b")], "motion": {}}}),
    );
    assert_eq!(error["code"], "bad_scene");
    assert!(
        error["message"].as_str().unwrap().contains("overlap"),
        "{error}"
    );
    // The connection goes on.
    motion(
        &mut page,
        3,
        &json!({"scenario": "box-stack", "set": {"steps": "1"}}),
    );
}
