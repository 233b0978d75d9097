//! Mechanisms in joint space against closed forms.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::published::{Settings, scene};
use etalon_contact_forces::{ForceAnswer, Forces, Formulation, FrictionModel};
use etalon_exact::{Budget, ExactMethod};
use etalon_rigid::Model;
use etalon_scenarios::{Mechanics, read_scene, write_scene};
use rug::Rational;

fn q(text: &str) -> Rational {
    etalon_lcp::parse_rational(text).unwrap()
}

fn solved(formulation: &Formulation<Rational>) -> Forces<Rational> {
    let solver = ExactMethod::Certified.solver(&Budget::default());
    match formulation.solve(&*solver).unwrap() {
        ForceAnswer::Forces(forces) => forces,
        other => panic!("{other:?}"),
    }
}

fn forces(name: &str, settings: Settings) -> Forces<Rational> {
    solved(&scene(name, settings).formulation().unwrap().unwrap())
}

/// A leg that hangs straight bends by its motor alone, also while it swings as one piece.
#[test]
fn a_stop_holds_the_torque_of_the_knee() {
    let cases: [(Settings, &str); 4] = [
        (&[], "5"),
        (&[("motor", "1/2"), ("rate", "2")], "1/2"),
        (&[("motor", "0")], "0"),
        (&[("motor", "-5")], "0"),
    ];
    for (settings, torque) in cases {
        let forces = forces("knee-stop", settings);
        assert_eq!(forces.normal(), [q(torque)], "{settings:?}");
        let bends = forces.normal_acceleration()[0] > 0;
        assert_eq!(bends, settings == [("motor", "-5")]);
    }
}

/// Half of 140 N at each foot; 42 N m less 3 of the shin's weight at each knee, 3 and 3 N m of weight at each hip.
#[test]
fn a_biped_stands_by_the_torques_of_statics() {
    let standing = forces("biped", &[]);
    assert_eq!(standing.normal(), [q("70"), q("70")]);
    assert!(standing.acceleration.iter().all(|own| *own == 0));
    assert!(standing.contacts.iter().all(|own| own.friction == [0]));
    let weak = forces("biped", &[("knee", "30"), ("mu", "0")]);
    assert!(weak.acceleration[1] < 0, "{:?}", weak.acceleration);
}

/// For a unit rate of the crank both bars' weights have the power -3 W, and the piston moves at -5/4 m/s.
#[test]
fn a_slider_crank_presses_by_virtual_work() {
    for (motor, force) in [("-20", "104/5"), ("0", "24/5"), ("6", "0"), ("20", "0")] {
        let settings: Settings = match motor {
            "-20" => &[],
            "0" => &[("motor", "0")],
            "6" => &[("motor", "6")],
            _ => &[("motor", "20")],
        };
        assert_eq!(forces("slider-crank", settings).normal(), [q(force)]);
    }
}

/// About the joint of a finger: 4 m of the tip's force, 2 m of its weight of 20 N, and the motor.
#[test]
fn fingers_without_friction_press_by_their_torques() {
    let cases: [(Settings, &str); 2] = [
        (&[("mu", "0")], "35"),
        (&[("mu", "0"), ("motor", "60")], "25"),
    ];
    for (settings, force) in cases {
        let forces = forces("manipulator", settings);
        assert_eq!(forces.normal(), [q(force), q(force)]);
        assert!(forces.acceleration.iter().all(|own| *own == 0));
    }
}

/// The serial linkage of a file is a case of the mechanism: angles between links have the same forces.
#[test]
fn an_arm_is_a_tree_without_branches() {
    for settings in [&[] as Settings, &[("rate", "1")]] {
        let instance = scene("arm", settings);
        let Mechanics::Linkage(linkage) = &instance.setup.mechanics else {
            panic!("{:?}", instance.setup.mechanics);
        };
        let system = linkage.mechanism().system().unwrap();
        assert_eq!(
            system.kinetic_energy(),
            instance.system().unwrap().kinetic_energy()
        );
        let tree = solved(&Formulation::new(system, FrictionModel::Rows).unwrap());
        let arm = forces("arm", settings);
        assert_eq!(tree.contacts, arm.contacts);
    }
}

/// Every kind of joint, with everything that can be said of it.
const ALL_KINDS: &str = r#"{"name": "all", "gravity": [0, 0, -10], "mechanism": {
    "links": [
        {"name": "hand", "parent": "arm", "mass": 1, "inertia": [[2, 1, 0], [1, 2, 0], [0, 0, 3]],
         "joint": {"kind": "ball", "point": [1, 0, 0], "orientation": [1, 1, 0, 0], "rate": [1, 2, 3], "effort": [4, 5, 6]}},
        {"name": "base", "mass": 2, "inertia": [1, 1, 1], "centre": [0, 0, 1], "orientation": [1, 2, 0, 0], "force": [1, 0, 0], "torque": [0, 1, 0],
         "joint": {"kind": "floating", "frame": [1, 0, 1, 0], "position": [1, 2, 3], "orientation": [1, 0, 0, 2], "rate": [1, 2, 3, 4, 5, 6], "effort": [0, 0, 7, 0, 0, 0]}},
        {"name": "arm", "parent": "slide", "mass": 3, "inertia": [1, 2, 2],
         "joint": {"kind": "revolute", "axis": ["3/5", 0, "4/5"], "position": ["4/5", "3/5"], "limits": [["4/5", "3/5"], [0, 1]], "rate": "1/3", "effort": 8}},
        {"name": "slide", "parent": "base", "mass": 0, "inertia": [0, 0, 0],
         "joint": {"kind": "prismatic", "axis": [0, "-3/5", "4/5"], "position": 2, "limits": [0, 2], "rate": 9, "effort": -1}},
        {"name": "nail", "parent": "hand", "mass": 1, "inertia": [1, 1, 1], "joint": {"kind": "fixed", "point": [0, 0, 1]}}],
    "contacts": [{"name": "c", "first": "nail", "second": "base", "point": [1, 1, 1], "normal": ["2/3", "1/3", "-2/3"], "mu": "1/2", "geometry": {"face": "second", "radius": 1}}],
    "loops": [{"name": "l", "first": "base", "second": "slide", "points": [[0, 0, 0], [5, 0, 0]], "slider": [0, "4/5", "3/5"]}]},
    "question": {"friction": "rows"}}"#;

#[test]
fn every_kind_of_joint_survives_its_file() {
    let scene = read_scene(ALL_KINDS).unwrap();
    let text = write_scene(&scene);
    let again = read_scene(&text).unwrap();
    assert_eq!(write_scene(&again), text);
    let system = scene.setup.system().unwrap();
    assert_eq!(again.setup.system().unwrap(), system);
    assert_eq!(system.dofs(), 11);
    let names: Vec<_> = system
        .contacts
        .iter()
        .map(|own| own.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["c", "lower limit of arm (N m)", "upper limit of slide"]
    );
    assert_eq!(system.joints.len(), 1);
    // Numbers of every field are in the system: in another place each makes another one.
    for (part, other) in [
        (r#""point": [1, 0, 0]"#, r#""point": [1, 1, 0]"#),
        (
            r#""orientation": [1, 1, 0, 0]"#,
            r#""orientation": [1, 0, 1, 0]"#,
        ),
        (r#""rate": [1, 2, 3],"#, r#""rate": [1, 2, 4],"#),
        (r#""effort": [4, 5, 6]"#, r#""effort": [4, 5, 7]"#),
        (r#""centre": [0, 0, 1]"#, r#""centre": [0, 1, 0]"#),
        (r#""torque": [0, 1, 0]"#, r#""torque": [0, 2, 0]"#),
        (r#""frame": [1, 0, 1, 0]"#, r#""frame": [1, 1, 0, 0]"#),
        (
            r#""orientation": [1, 0, 0, 2]"#,
            r#""orientation": [1, 0, 0, 1]"#,
        ),
        (
            r#""rate": [1, 2, 3, 4, 5, 6]"#,
            r#""rate": [1, 2, 3, 4, 5, 7]"#,
        ),
        (r#""effort": -1"#, r#""effort": 1"#),
        (r#""rate": "1/3""#, r#""rate": "1/4""#),
    ] {
        let changed = ALL_KINDS.replacen(part, other, 1);
        assert_ne!(changed, ALL_KINDS, "{part}");
        let changed = read_scene(&changed).unwrap();
        assert_ne!(changed.setup.system().unwrap(), system, "{part}");
    }
}
