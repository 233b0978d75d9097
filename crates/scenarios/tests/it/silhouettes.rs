//! Pictures of bodies in space: silhouettes of scenes with names and of files.

use std::f64::consts::{PI, TAU};

use etalon_scenarios::space::MovingScene;
use etalon_scenarios::view::View;
use etalon_scenarios::{find, read_moving};
use serde_json::{Value, json};

/// A scene of one body that moves, with what stays.
fn view(shape: &Value, fixed: &Value) -> View {
    let body = json!({"name": "body", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 2], "shape": shape});
    let mut bodies = vec![body];
    bodies.extend(fixed.as_array().unwrap().clone());
    views(&json!({"name": "n", "gravity": [0, 0, -10], "bodies": bodies, "motion": {}}))
        .swap_remove(0)
}

fn views(scene: &Value) -> Vec<View> {
    read_moving(&scene.to_string(), None).unwrap().views()
}

/// The outline of the only body, upright 2 m above the origin.
fn outline(shape: &Value) -> Vec<[f64; 2]> {
    let view = view(shape, &json!([]));
    let mut all = view.outlines(&[0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((all.len(), &*view.bodies[0].name), (1, "body"));
    all.swap_remove(0)
}

fn area(outline: &[[f64; 2]]) -> f64 {
    let ends = outline.iter().cycle().skip(1);
    let terms = outline.iter().zip(ends);
    terms.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
}

fn most(outline: &[[f64; 2]], k: usize) -> f64 {
    outline
        .iter()
        .map(|p| p[k])
        .fold(f64::NEG_INFINITY, f64::max)
}

/// What is upright is as much of its height as the camera's angle of 25 degrees shows: 2 m above the origin is `LIFT` above it.
fn lift() -> f64 {
    2.0 * (25.0 * TAU / 360.0).cos()
}

/// The shadow of a box is as large as the shadows of its three sides. The direction of sight is (-sin 30 cos 25, cos 30 cos 25, -sin 25).
#[test]
fn the_shadow_of_a_box_is_that_of_its_sides() {
    let own = outline(&json!({"box": [1, "1/2", "1/4"]}));
    let (sin, cos) = (TAU / 12.0).sin_cos();
    let (high, flat) = (25.0 * TAU / 360.0).sin_cos();
    let expected = 4.0 * (0.5 * 0.25 * sin * flat + 0.25 * cos * flat + 0.5 * high);
    assert_eq!(own.len(), 6);
    assert!(
        (area(&own) - expected).abs() < 1e-12,
        "{} {expected}",
        area(&own)
    );
}

/// Points on a grid: an outline is a little inside.
#[test]
fn round_bodies_are_as_wide_and_high_as_they_are_seen() {
    let flat = (25.0 * TAU / 360.0).cos();
    let round = json!({"radius": "1/2", "half_length": 1});
    let cases = [
        (json!({"sphere": "1/2"}), 0.5, 0.5),
        (json!({"capsule": round}), 0.5, 0.5 + flat),
        (
            json!({"cylinder": round}),
            0.5,
            flat + 0.5 * (25.0 * TAU / 360.0).sin(),
        ),
    ];
    for (shape, wide, high) in cases {
        let own = outline(&shape);
        let found = (most(&own, 0), most(&own, 1) - lift());
        assert!(
            (found.0 - wide).abs() < 3e-3 && (found.1 - high).abs() < 3e-3,
            "{shape} {found:?}"
        );
        assert!(
            found.0 <= wide + 1e-12 && found.1 <= high + 1e-12,
            "{shape} {found:?}"
        );
    }
    let ball = outline(&json!({"sphere": "1/2"}));
    assert!((area(&ball) / PI - 0.25).abs() < 3e-3);
}

/// A body of pieces has an outline for each, carried and turned with it.
#[test]
fn pieces_are_drawn_with_their_body() {
    let scene = json!({"name": "n", "gravity": [0, 0, -10], "motion": {}, "bodies": [
        {"name": "frame", "fixed": true},
        {"name": "hammer", "mass": 1, "inertia": [1, 1, 1], "pieces": [
            {"name": "head", "shape": {"sphere": "1/10"}, "at": [1, 0, 0]},
            {"name": "handle", "shape": {"box": ["1/2", "1/10", "1/10"]}, "orientation": [1, 0, 0, 1]}]}]});
    let view = &views(&scene)[0];
    let names: Vec<&str> = view.bodies.iter().map(|own| &*own.name).collect();
    assert_eq!(names, ["hammer.head", "hammer.handle"]);
    // Turned by a quarter about z, the head is at y = 1, and the handle, which lay along y, along x.
    let turned = 0.5_f64.sqrt();
    let all = view.outlines(&[0.0, 0.0, 0.0, turned, 0.0, 0.0, turned]);
    let high = (25.0 * TAU / 360.0).sin();
    let expected = (TAU / 12.0).cos() * high + 0.1;
    assert!(
        (most(&all[0], 1) - expected).abs() < 1e-3,
        "{}",
        most(&all[0], 1)
    );
    let wide = 0.5 * (TAU / 12.0).cos() + 0.1 * (TAU / 12.0).sin();
    assert!(
        (most(&all[1], 0) - wide).abs() < 1e-9,
        "{}",
        most(&all[1], 0)
    );
}

fn inside(solid: &[[f64; 3]], p: [f64; 2]) -> bool {
    solid
        .iter()
        .all(|side| side[0] * p[0] + side[1] * p[1] <= side[2] + 1e-12)
}

/// What stays is grey: a box by its shadow, and of a half-space a square of its plane under the bodies.
#[test]
fn what_stays_is_drawn_where_it_is() {
    let fixed = json!([
        {"name": "floor", "fixed": true, "position": [0, 0, 1], "shape": {"half_space": [0, 0, 1]}},
        {"name": "block", "fixed": true, "position": [3, 0, 3], "shape": {"box": [1, 1, 1]}},
    ]);
    let view = view(&json!({"sphere": "1/2"}), &fixed);
    let [floor, block] = &view.solids[..] else {
        panic!("two solids: {:?}", view.solids);
    };
    let seen = |p: [f64; 3]| {
        let (sin, cos) = (TAU / 12.0).sin_cos();
        let (high, flat) = (25.0 * TAU / 360.0).sin_cos();
        [
            p[0] * cos + p[1] * sin,
            high * (p[1] * cos - p[0] * sin) + flat * p[2],
        ]
    };
    assert!(inside(floor, seen([0.0, 0.0, 1.0])) && inside(floor, seen([2.0, 1.0, 1.0])));
    assert!(!inside(floor, seen([0.0, 0.0, 9.0])) && !inside(floor, seen([50.0, 0.0, 1.0])));
    // The ball reaches 1/2 m from its middle, and the square under it twice as far, whose corners are at (1, 1, 1) and so on.
    let alone = self::view(&json!({"sphere": "1/2"}), &json!([fixed[0]]));
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        assert!(inside(&alone.solids[0], seen([0.999 * x, 0.999 * y, 1.0])));
        assert!(!inside(&alone.solids[0], seen([1.001 * x, 1.001 * y, 1.0])));
    }
    assert!(inside(block, seen([3.9, 0.9, 3.9])) && !inside(block, seen([4.1, 1.1, 4.1])));
}

/// A body that touches nothing is drawn by the box with its moments: (b^2 + c^2)/3, (a^2 + c^2)/3, (a^2 + b^2)/3 of 1 kg.
#[test]
fn a_body_without_a_shape_is_the_box_of_its_moments() {
    let scene = |shape: Value, inertia: Value| {
        let mut body =
            json!({"name": "body", "mass": 1, "inertia": inertia, "position": [0, 0, 2]});
        if !shape.is_null() {
            body["shape"] = shape;
        }
        let scene = json!({"name": "n", "gravity": [0, 0, -10], "bodies": [body], "motion": {}});
        views(&scene)
            .swap_remove(0)
            .outlines(&[0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0])
    };
    let moments = json!(["5/12", "13/12", "5/6"]);
    let stands_in = scene(Value::Null, moments.clone());
    let own = scene(json!({"box": ["3/2", "1/2", 1]}), moments);
    assert_eq!((stands_in[0].len(), own[0].len()), (6, 6));
    assert!((most(&stands_in[0], 0) - most(&own[0], 0)).abs() < 1e-12);
    assert!((area(&stands_in[0]) - area(&own[0])).abs() < 1e-12);
}

#[test]
fn scenes_with_names_are_drawn_by_their_silhouettes() {
    for name in [
        "box-slide",
        "box-stack",
        "dominoes",
        "four-bar",
        "wheel-spin",
        "table-drop",
        "ball-row",
    ] {
        let instance = find(name).unwrap().motion_instance([]).unwrap();
        assert!(instance.views().unwrap().is_empty());
        let view = instance.drawn_views().unwrap().swap_remove(0);
        let moving = instance.moving().unwrap();
        let bodies = moving.bodies().unwrap();
        let bodies = bodies.iter().filter(|own| !own.fixed);
        let numbers = |own: &&etalon_spatial::Body| {
            let place = own.position.coordinates().iter().chain(&own.attitude.0);
            place.map(rug::Rational::to_f64).collect::<Vec<_>>()
        };
        let q: Vec<f64> = bodies.flat_map(numbers).collect();
        let all = view.outlines(&q);
        let drawn = all
            .iter()
            .all(|own| own.len() > 2 && own.iter().flatten().all(|x| x.is_finite()));
        assert!(!all.is_empty() && drawn, "{name}: {all:?}");
    }
}

/// Bodies at corners: in the plane as they are, in space by their silhouettes.
#[test]
fn corners_of_files_are_drawn() {
    let plane = json!({"name": "n", "gravity": [0, -10], "motion": {"method": "egan-trinkle"}, "bodies": [
        {"name": "step", "fixed": true, "position": [-2, 0], "orientation": [0, 1],
            "shape": {"polygon": [[-1, -1], [2, -1], [2, 1], [-1, 1]]}},
        {"name": "tile", "mass": 3, "inertia": 1, "position": [5, 5], "shape": {"polygon": [[-1, 0], [1, 0], [0, 1]]}}]});
    let view = &views(&plane)[0];
    assert_eq!((view.across.as_str(), view.up.as_str()), ("x, m", "y, m"));
    assert_eq!(
        view.outlines(&[5.0, 6.0, 0.0])[0],
        [[4.0, 6.0], [6.0, 6.0], [5.0, 7.0]]
    );
    // Turned by a quarter it reaches from -1 to 2 upwards, and from -3 to -1 to the right.
    assert!(inside(&view.solids[0], [-1.1, 1.9]) && !inside(&view.solids[0], [-0.9, 0.0]));
    assert!(!inside(&view.solids[0], [-2.0, -1.1]));
    let space = json!({"name": "n", "gravity": [0, 0, -10], "motion": {"method": "egan-trinkle"}, "bodies": [
        {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
        {"name": "crate", "mass": 3, "position": [0, 0, 2], "shape": {"box": [1, 1, 1]}}]});
    let read = read_moving(&space.to_string(), None).unwrap();
    assert!(matches!(read, MovingScene::Corners(_)));
    let view = &read.views()[0];
    let own = &view.outlines(&[0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0])[0];
    assert!(own.len() == 6 && view.solids.len() == 1, "{own:?}");
}

/// An obstacle that moves has a place in the state, before that of what follows it.
#[test]
fn obstacles_that_move_are_drawn_where_they_are() {
    let plane = json!({"name": "n", "gravity": [0, -10], "motion": {"method": "egan-trinkle"}, "bodies": [
        {"name": "belt", "fixed": true, "position": [0, -1], "velocity": [1, 0], "shape": {"polygon": [[-1, -1], [1, -1], [1, 1], [-1, 1]]}},
        {"name": "tile", "mass": 3, "inertia": 1, "position": [5, 5], "shape": {"polygon": [[-1, 0], [1, 0], [0, 1]]}}]});
    let view = &views(&plane)[0];
    assert!(view.solids.is_empty());
    let all = view.outlines(&[2.0, -1.0, 0.0, 5.0, 6.0, 0.0]);
    assert_eq!(all[0][0], [1.0, -2.0]);
    assert_eq!(all[1], [[4.0, 6.0], [6.0, 6.0], [5.0, 7.0]]);
    let space = json!({"name": "n", "gravity": [0, 0, -10], "motion": {"method": "egan-trinkle"}, "bodies": [
        {"name": "lift", "fixed": true, "position": [0, 0, -1], "velocity": [0, 0, 1], "shape": {"box": [1, 1, 1]}},
        {"name": "crate", "mass": 3, "position": [0, 0, 2], "shape": {"box": [1, 1, 1]}}]});
    let read = read_moving(&space.to_string(), None).unwrap();
    let still = [1.0, 0.0, 0.0, 0.0];
    let both = [&[0.0, 0.0, -1.0], &still[..], &[0.0, 0.0, 3.0], &still[..]].concat();
    let all = read.views()[0].outlines(&both);
    // Seen from 25 degrees above, 4 m up are 4 cos(25 degrees) in the picture.
    let up = 4.0 * 25.0_f64.to_radians().cos();
    for (lift, own) in all[0].iter().zip(&all[1]) {
        assert!((own[0] - lift[0]).abs() + (own[1] - lift[1] - up).abs() < 1e-12);
    }
    assert_eq!((all.len(), read.places()), (2, 2));
}
