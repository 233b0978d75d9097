//! What is drawn touches where the scene does.

use etalon_time_stepping::Binary64;

use super::MotionInstance;
use super::scene::{Builder, System};
use crate::view::{Touch, View};
use crate::{Scenario, find, scenarios};

/// Bodies that are stepped without a size and drawn with one are off by no more than that, m.
const DRAWN: [(&str, f64); 1] = [("settling-chain", 0.01)];

/// Rounding of a few operations on lengths of some metres.
const CLOSE: f64 = 1e-9;

fn instance(name: &str, settings: &[(&str, &str)]) -> MotionInstance {
    let scenario = find(name).unwrap();
    scenario.motion_instance(settings.iter().copied()).unwrap()
}

/// The start, and the gaps of all contacts there; those of implicit surfaces are closed by default.
fn start(instance: &MotionInstance) -> (Vec<f64>, Vec<f64>) {
    let Builder::System { binary64, .. } = instance.part.builder else {
        unreachable!("nothing is drawn of bodies in space");
    };
    let scene = binary64(&instance.values, &Binary64).unwrap();
    let q = scene.start.q;
    let gaps = match &scene.system {
        System::StewartTrinkle(model) => {
            let contacts = 0..model.contacts().len();
            let gap = |contact| model.gap(contact, &q, &Binary64).unwrap();
            contacts.map(gap).collect()
        }
        System::EganTrinkle(corners) => corners.gaps(&q),
        System::Solids(_) => unreachable!("no contacts of it are drawn"),
        System::ChakrabortyBerard(_) => vec![0.0],
    };
    (q, gaps)
}

/// The distances, against the normal of a touch, to what stays and to the other bodies.
fn drawn_gaps(view: &View, q: &[f64], touch: Touch) -> Vec<f64> {
    let along = |p: [f64; 2]| touch.normal[0] * p[0] + touch.normal[1] * p[1];
    let own = along(touch.at);
    let planes = view.solids.iter().flatten();
    let facing = planes.filter(|plane| (along([plane[0], plane[1]]) - 1.0).abs() < CLOSE);
    let mut gaps: Vec<f64> = facing.map(|plane| own - plane[2]).collect();
    for (body, [x, y, angle, a, b]) in view.bodies.iter().zip(view.poses(q)) {
        let (sin, cos) = angle.sin_cos();
        let corners = body.outline.iter().map(|&[u, v]| {
            let (u, v) = (a * u, b * v);
            along([x + cos * u - sin * v, y + sin * u + cos * v])
        });
        // The outline of a round body is a polygon within it.
        let far = body.outline.iter().map(|p| p[0].hypot(p[1]));
        let reach = match body.round {
            true => along([x, y]) + far.fold(0.0, f64::max),
            false => corners.fold(f64::NEG_INFINITY, f64::max),
        };
        gaps.push(own - reach);
    }
    gaps
}

fn assert_touches(name: &str, settings: &[(&str, &str)]) {
    let instance = instance(name, settings);
    let views = instance.views().unwrap();
    assert!(!views.is_empty(), "{name} has no view");
    let (q, gaps) = start(&instance);
    let drawn = DRAWN.iter().find(|(own, _)| *own == name);
    let close = drawn.map_or(CLOSE, |(_, size)| size + CLOSE);
    for view in &views {
        assert!(!view.bodies.is_empty(), "{name}");
        let poses = view.poses(&q);
        let touches = view.touches(&poses);
        if touches.is_empty() {
            // A curved surface touches at a point that the trajectory does not tell.
            let curved = [
                "ellipse",
                "rolling-ellipse",
                "ellipsoid",
                "implicit-sphere",
                "joint-slide",
            ];
            assert!(curved.contains(&name), "{name} draws no contacts");
            continue;
        }
        assert_eq!(touches.len(), gaps.len(), "{name}");
        for (touch, gap) in touches.into_iter().zip(&gaps) {
            let Some(touch) = touch else { continue };
            // From above a pair of balls is seen in the plane; a height between them is not.
            let level = view.title != "Plan" || q.get(2) == q.get(8);
            let own = drawn_gaps(view, &q, touch);
            let near = own.iter().any(|own| (own - gap).abs() <= close);
            assert!(
                near || !level,
                "{name} {settings:?}: {gap} is drawn as {own:?}"
            );
        }
    }
}

/// Those of the plane, and of points and balls: of bodies in space nothing is drawn yet.
fn moving() -> impl Iterator<Item = &'static Scenario> {
    scenarios().iter().filter(|own| {
        let part = own.in_motion.as_ref();
        part.is_some_and(|own| matches!(own.builder, Builder::System { .. }))
    })
}

#[test]
fn every_scene_in_motion_is_drawn_as_it_touches() {
    assert_eq!(moving().count(), 26);
    for scenario in moving() {
        assert_touches(scenario.name, &[]);
    }
}

/// The same with lengths, angles, numbers and starts that are not the defaults.
#[test]
fn what_is_drawn_follows_the_parameters() {
    let cases: [(&str, &[(&str, &str)]); 16] = [
        ("rod", &[("y0", "1/2"), ("theta0", "75")]),
        ("polygon", &[("sides", "5")]),
        ("disc", &[("scheme", "implicit")]),
        ("painleve-inconsistent", &[("half_angle", "1/2")]),
        ("ladder-slide", &[("angle", "35")]),
        (
            "plate-on-slope",
            &[("width", "3"), ("height", "1/2"), ("half_angle", "1/5")],
        ),
        ("cradle-row", &[("balls", "3"), ("gap", "1/2")]),
        ("elastic-cradle", &[("balls", "3"), ("gap", "1/2")]),
        ("wedge", &[("left", "1"), ("right", "2")]),
        ("corner", &[("start", "roof")]),
        ("corner", &[("start", "ramp"), ("formulation", "st")]),
        (
            "hole",
            &[
                ("hole", "2"),
                ("peg", "1/2"),
                ("depth", "3"),
                ("formulation", "st"),
            ],
        ),
        ("sphere-on-slope", &[("radius", "2"), ("half_angle", "1/2")]),
        ("implicit-sphere", &[("radius", "2"), ("slope", "1")]),
        ("stack-drop", &[("drop", "1/2")]),
        ("bouncing-ball", &[("height", "0")]),
    ];
    for (name, settings) in cases {
        assert_touches(name, settings);
    }
}
