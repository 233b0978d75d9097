//! The judge of limits and drives, against forces that are right and forces that are not.

use etalon_contact_forces::ForceAnswer;
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::forces::{ForcesData, FractionText};
use etalon_scenarios::{Setup, find, read_scene};
use rug::Rational;
use serde_json::{Value, json};

use super::check;
use crate::forces::data::forces_data;

/// A frame that turns about z on a hinge, with a piston that slides in it at an angle, and both turn and slide already, at 2 rad/s and 5 m/s; a lever on a
/// universal joint that a force presses against a stop.
fn moving(hinge: &Value, slider: &Value) -> Setup {
    let mut text = json!({
        "name": "moving", "gravity": [0, 1, -10],
        "bodies": [
            {"name": "ground", "fixed": true},
            {"name": "frame", "mass": 2, "inertia": [1, 2, 3], "position": [1, 0, 0], "velocity": [0, 2, 0], "angular_velocity": [0, 0, 2]},
            {"name": "piston", "mass": 1, "inertia": [[2, 1, 0], [1, 2, 0], [0, 0, 1]], "position": [2, 1, 0],
                "velocity": [1, 4, 4], "angular_velocity": [0, 0, 2], "force": [3, 0, 9], "torque": [1, 2, 3]},
            {"name": "lever", "mass": 1, "inertia": [1, 1, 2], "position": [0, 0, 1], "force": [0, 1, 0]},
        ],
        "contacts": [{"name": "stop", "first": "lever", "second": "ground", "point": [0, 0, 1], "normal": [0, 1, 0], "mu": 1}],
        "joints": [
            {"name": "hinge", "first": "frame", "second": "ground", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 0, 5]},
            {"name": "rail", "first": "piston", "second": "frame", "point": [1, 0, 0], "kind": "slider", "axis": [3, 0, 4]},
            {"name": "knee", "first": "lever", "second": "ground", "point": [0, 0, 0], "kind": "universal", "axis": [1, 0, 0], "second_axis": [0, 1, 0]},
        ],
        "question": {"friction": "none"},
    });
    for (own, more) in [(0, hinge), (1, slider)] {
        for (field, value) in more.as_object().unwrap() {
            text["joints"][own][field] = value.clone();
        }
    }
    read_scene(&text.to_string()).unwrap().setup
}

fn right(setup: &Setup) -> ForcesData {
    let formulation = setup.formulation().unwrap().unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    match formulation.solve(&*solver).unwrap() {
        ForceAnswer::Forces(forces) => forces_data(&forces),
        other => panic!("{other:?}"),
    }
}

fn cases() -> Vec<Setup> {
    let drive = |speed: i64, bound: i64| json!({"drive": {"speed": speed, "bound": bound}});
    let arm = |settings: &[(&str, &str)]| {
        let own = find("braked-arm").unwrap();
        own.instance(settings.iter().copied()).unwrap().setup
    };
    vec![
        arm(&[]),
        arm(&[("brake", "24")]),
        arm(&[("speed", "1")]),
        arm(&[("speed", "-1")]),
        arm(&[("lift", "22")]),
        moving(&drive(2, 100), &drive(5, 100)),
        moving(&drive(2, 1), &drive(5, 1)),
        moving(&drive(7, 3), &drive(-1, 4)),
        moving(&json!({"limits": [0, 1]}), &json!({"limits": [0, 1]})),
        moving(
            &drive(2, 3),
            &json!({"limits": [0, 1], "drive": {"speed": 5, "bound": 7}}),
        ),
    ]
}

/// Any force or acceleration that is off by a millionth is found, whichever it is.
#[test]
fn what_limits_and_drives_do_is_judged_from_the_scene() {
    let little = || Rational::from((1, 1_000_000));
    let mut tried = 0;
    for (k, setup) in cases().iter().enumerate() {
        let own = right(setup);
        assert_eq!(check(setup, &own), Ok(()), "{k}: {own:?}");
        let mut found = |change: &dyn Fn(&mut ForcesData)| {
            let mut wrong = own.clone();
            change(&mut wrong);
            assert!(check(setup, &wrong).is_err(), "{k}: {wrong:?}");
            tried += 1;
        };
        for i in 0..own.acceleration.len() {
            found(&|own| own.acceleration[i].0 += little());
        }
        for i in 0..own.normal.len() {
            found(&|own| own.normal[i].0 += little());
        }
        for i in 0..own.drives.len() {
            found(&|own| own.drives[i].0 += little());
            found(&|own| own.drives[i].0 -= little());
        }
        found(&|own| own.drives.push(FractionText(little())));
        found(&|own| own.normal.push(FractionText(little())));
        if !own.drives.is_empty() {
            found(&|own| own.drives.clear());
        }
    }
    assert!(tried > 100, "{tried}");
}
