//! Limits and drives of joints at rest: closed forms, beside steps in motion, in the circular cone, and in binary64.

#![allow(clippy::panic)] // this is a test

use etalon_contact_forces::{ForceError, Forces, Order};
use etalon_exact::{Budget, ExactMethod};
use etalon_fast::FastMethod;
use etalon_scenarios::motion::MotionRun;
use etalon_scenarios::space::SpaceRun;
use etalon_scenarios::{
    RoundedAnswer, ScenarioAnswer, SceneFile, find, read_scene, read_space, write_scene,
};
use rug::Rational;
use serde_json::{Value, json};

fn q(text: &str) -> Rational {
    etalon_lcp::parse_rational(text).unwrap()
}

fn forces_of(scene: &SceneFile) -> Forces<Rational> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    match scene.setup.answer(&*solver, &Budget::default()).unwrap() {
        ScenarioAnswer::Forces { forces, .. } => {
            assert_eq!(forces.violations(), []);
            forces
        }
        // What is enclosed is irrational, and only the centre of its box is at hand.
        ScenarioAnswer::Coulomb(own) => own.found.unwrap().forces,
        ScenarioAnswer::Several(own) => {
            assert_eq!(own.motions, 1);
            own.solutions[0].clone()
        }
        other => panic!("{other:?}"),
    }
}

fn forces(text: &Value) -> Forces<Rational> {
    let scene = read_scene(&text.to_string()).unwrap();
    let again = read_scene(&write_scene(&scene)).unwrap();
    let own = scene.setup.system().unwrap();
    assert_eq!(own, again.setup.system().unwrap());
    forces_of(&scene)
}

/// The shoulder bears 40 N m with a lever of 4 kg m, the elbow 10 N m: while the brake holds, until it gives way, where the drive
/// strives for a speed, and with the forearm lifted off its limit.
#[test]
fn an_arm_is_held_by_its_brake_and_its_limit() {
    // Inertia of the whole arm about the shoulder: 2 (1/3 + (1 + 9)/2) = 32/3.
    for (settings, limit, drive, gains) in [
        (vec![], "10", Some("40"), ["0", "0"]),
        (vec![("brake", "40")], "10", Some("40"), ["0", "0"]),
        (vec![("brake", "24")], "5", Some("24"), ["-3/2", "-3/2"]),
        (vec![("lift", "5")], "5", Some("35"), ["0", "0"]),
        (vec![("lift", "22")], "0", Some("48"), ["0", "9"]),
        (
            vec![("speed", "1"), ("brake", "72")],
            "20",
            None,
            ["3", "3"],
        ),
        (
            vec![("speed", "-1"), ("brake", "24")],
            "0",
            None,
            ["-117/7", "123/7"],
        ),
        (vec![("brake", "0")], "0", None, ["0", "0"]),
    ] {
        let instance = find("braked-arm").unwrap();
        let setup = instance.instance(settings.iter().copied()).unwrap().setup;
        let own = forces_of(&SceneFile {
            name: String::new(),
            notes: None,
            setup,
        });
        if settings == [("brake", "0")] {
            // A free double pendulum: the elbow opens or not, and nothing drives.
            assert!(own.drives.is_empty());
            continue;
        }
        let turns = [&own.acceleration[2], &own.acceleration[5]];
        let found = (&own.contacts[0].normal, turns);
        let gains = gains.map(q);
        assert_eq!(found, (&q(limit), [&gains[0], &gains[1]]), "{settings:?}");
        let held = own.drives.first().map(|own| own.force.clone());
        assert_eq!(held, drive.map(q), "{settings:?}");
    }
}

/// A door on a hinge about z, and a piston in a slider along it.
fn space(hinge: &Value, slider: &Value, torque: i64) -> Value {
    let mut joints = json!([
        {"name": "hinge", "first": "door", "second": "frame", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 3, 4]},
        {"name": "rail", "first": "piston", "second": "door", "point": [1, 0, 0], "kind": "slider", "axis": [2, 1, 2]},
    ]);
    for (own, more) in [(0, hinge), (1, slider)] {
        for (field, value) in more.as_object().unwrap() {
            joints[own][field] = value.clone();
        }
    }
    json!({
        "name": "both", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "frame", "fixed": true},
            {"name": "door", "mass": 2, "inertia": [1, 2, 3], "position": [1, 0, 0], "torque": [0, 0, torque]},
            {"name": "piston", "mass": 1, "inertia": [1, 1, 1], "position": [2, 1, 0]},
        ],
        "joints": joints,
    })
}

/// Steps of bodies in space have limits and drives of their own, in velocities: a short one from rest changes velocities by
/// h times the accelerations.
#[test]
fn a_step_from_rest_has_the_limits_and_drives_at_rest() {
    let none = json!({});
    let limits = [json!({"limits": [0, 1]}), json!({"limits": [-1, 0]})];
    let drives = [(0, 100), (0, 2), (5, 3), (-5, 3)];
    let drive = |(speed, bound)| json!({"drive": {"speed": speed, "bound": bound}});
    let mut cases: Vec<(Value, Value)> = Vec::new();
    for own in limits.iter().cloned().chain(drives.map(drive)) {
        cases.push((own.clone(), none.clone()));
        cases.push((none.clone(), own));
    }
    cases.push((
        drive((0, 1)),
        json!({"limits": [0, 2], "drive": {"speed": 0, "bound": 1}}),
    ));
    let mut pushed = 0;
    for (hinge, slider) in cases {
        for torque in [-40, 40] {
            let own = space(&hinge, &slider, torque);
            let still = forces(&own);
            pushed += still.contacts.iter().filter(|own| own.normal > 0).count();
            let mut moving = own.clone();
            moving["motion"] = json!({"h": "1/8192"});
            let solver = ExactMethod::Lemke.solver(&Budget::default());
            let scene = read_space(&moving.to_string()).unwrap();
            let mut run = SpaceRun::new(scene, None, &solver).unwrap();
            let line = MotionRun::advance(&mut run).unwrap();
            for (v, a) in line.v.iter().zip(&still.acceleration) {
                let off = v.to_f64() * 8192.0 - a.to_f64();
                assert!(
                    off.abs() < 1e-2,
                    "{own}: {} for {}",
                    v.to_f64() * 8192.0,
                    a.to_f64()
                );
            }
        }
    }
    assert!(pushed >= 4, "{pushed}");
}

/// A wheel that spins at 3 rad/s about the hinge, whose drive strives for 3, more, or less; by the limit that it turns away from, and
/// the one that it turns into.
#[test]
fn velocities_decide_what_limits_and_drives_do() {
    let wheel = |joint: Value| {
        let mut joint = joint;
        for (field, value) in [("name", "hub"), ("first", "wheel"), ("second", "frame")] {
            joint[field] = value.into();
        }
        joint["point"] = json!([0, 0]);
        json!({
            "name": "wheel", "gravity": [0, 0],
            "bodies": [
                {"name": "frame", "fixed": true},
                {"name": "wheel", "mass": 1, "inertia": 2, "angular_velocity": 3, "torque": -4},
            ],
            "joints": [joint],
        })
    };
    let gain = |joint: Value| forces(&wheel(joint)).acceleration[2].clone();
    let drive = |speed: i64, bound: i64| json!({"drive": {"speed": speed, "bound": bound}});
    assert_eq!(gain(json!({})), -2);
    assert_eq!(gain(drive(3, 4)), 0);
    assert_eq!(gain(drive(3, 3)), q("-1/2"));
    assert_eq!(gain(drive(4, 10)), 3);
    assert_eq!(gain(drive(2, 10)), -7);
    assert_eq!(gain(json!({"limits": [0, 1]})), -2);
    let into = read_scene(&wheel(json!({"limits": [-1, 0]})).to_string()).unwrap();
    match into.setup.formulation().unwrap_err() {
        ForceError::Approaching { contact, velocity } => {
            assert_eq!((&*contact, &*velocity), ("upper limit of hub (N m)", "-3"));
        }
        other => panic!("{other}"),
    }
    // Its impact stops it; what is finite, as a drive is, has no impulse.
    let mut struck = wheel(json!({"limits": [-1, 0], "drive": {"speed": 9, "bound": 9}}));
    struck["question"] = json!({"impact": "1/3"});
    let scene = read_scene(&struck.to_string()).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    match scene.setup.answer(&*solver, &Budget::default()).unwrap() {
        ScenarioAnswer::Impulses(own) => {
            assert_eq!((own.impulses, own.after), (vec![q("8")], vec![q("1")]));
        }
        other => panic!("{other:?}"),
    }
}

/// A block in space that a braked arm leans on, pushed aslant: friction slips in a direction that is no fraction.
fn leaning(bound: &str, push: i64) -> Value {
    json!({
        "name": "leaning", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "ground", "fixed": true},
            {"name": "block", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0], "force": [push, 2, 0]},
            {"name": "disc", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0], "torque": [0, 0, 3]},
        ],
        "contacts": [{"name": "foot", "first": "block", "second": "ground", "point": [0, 0, 0], "normal": [0, 0, 1], "mu": "1/2"}],
        "joints": [{"name": "hub", "first": "disc", "second": "block", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 0, 1],
            "drive": {"speed": 0, "bound": bound}}],
    })
}

#[test]
fn drives_hold_beside_the_circular_cone() {
    // The weight of both is 20 N, so that friction is 10 N at most: of 3 N it is enough, of 17 N it is not.
    for (bound, push) in [("4", 2), ("4", 17), ("1", 2), ("1", 17)] {
        let scene = read_scene(&leaning(bound, push).to_string()).unwrap();
        let own = forces_of(&scene);
        // A brake that holds bears half of the torque on two equal discs, which turn freely about z together.
        let (force, gain) = match bound {
            "4" => (q("-3/2"), q("0")),
            _ => (q("-1"), q("1")),
        };
        assert_eq!(
            (&own.drives[0].force, &own.drives[0].acceleration),
            (&force, &gain)
        );
        let slips = own.contacts[0]
            .tangential_acceleration
            .iter()
            .any(|own| *own != 0);
        assert_eq!(slips, push == 17);
        let formulation = scene.setup.formulation().unwrap().unwrap();
        let refused = formulation.static_friction_in_circle(Order::OneAtATime);
        assert!(matches!(refused, Err(ForceError::Holds { .. })));
        // In binary64.
        let rounded = etalon_contact_forces::Formulation::new(
            formulation.system().rounded().unwrap(),
            formulation.model(),
        );
        let solver = FastMethod::Lemke.solver();
        let near = rounded.unwrap().circular_cone(&*solver).unwrap().unwrap();
        assert!((near.forces.drives[0].force - force.to_f64()).abs() < 1e-9);
    }
}

#[test]
fn binary64_has_the_same_drives() {
    for (hinge, slider) in [
        (
            json!({"drive": {"speed": 0, "bound": 2}}),
            json!({"limits": [0, 1]}),
        ),
        (
            json!({"drive": {"speed": 0, "bound": 200}}),
            json!({"drive": {"speed": 0, "bound": 30}}),
        ),
    ] {
        let text = space(&hinge, &slider, 40);
        let exact = forces(&text);
        let scene = read_scene(&text.to_string()).unwrap();
        let rounded = scene.setup.rounded("both").unwrap();
        let claim = etalon_lcp::Solver::solve(&*FastMethod::Auto.solver(), &rounded.problem);
        let RoundedAnswer::Forces(near) = rounded.read(&claim).unwrap() else {
            panic!("{claim:?}");
        };
        for (near, exact) in near.acceleration.iter().zip(&exact.acceleration) {
            assert!((near - exact.to_f64()).abs() < 1e-9, "{near} for {exact}");
        }
        assert_eq!(near.violations(), []);
    }
}

#[test]
fn travels_that_are_none_are_refused_with_what_to_do() {
    let says = |joint: Value, words: &str| {
        let mut text = space(&json!({}), &json!({}), 0);
        text["joints"][0] = joint;
        for (field, value) in [("name", "joint"), ("first", "door"), ("second", "frame")] {
            text["joints"][0][field] = value.into();
        }
        text["joints"][0]["point"] = json!([0, 0, 0]);
        let read = read_scene(&text.to_string()).unwrap();
        let why = read.setup.system().unwrap_err().to_string();
        assert!(
            why.contains("joint \"joint\"") && why.contains(words),
            "{why}"
        );
    };
    let hinge = |field: &str, value: Value| {
        let mut own = json!({"kind": "hinge", "axis": [0, 0, 1]});
        own[field] = value;
        own
    };
    says(json!({"limits": [0, 1]}), "take a hinge or a slider");
    says(
        json!({"slider": [1, 0, 0], "limits": [0, 1]}),
        "take a hinge or a slider",
    );
    says(
        hinge("limits", json!([1, 2])),
        "give limits with 0 between them",
    );
    says(
        hinge("drive", json!({"speed": 0, "bound": -1})),
        "must be at least 0",
    );
    says(
        json!({"kind": "hinge", "axis": [1, 1, 0], "limits": [0, 1]}),
        "length is no fraction",
    );
    let plane = json!({"name": "p", "gravity": [0, -10],
        "bodies": [{"name": "a", "fixed": true}, {"name": "b", "mass": 1, "inertia": 1}],
        "joints": [{"name": "j", "first": "b", "second": "a", "point": [0, 0], "slider": [0, 1], "limits": [0, 1]}]});
    let why = read_scene(&plane.to_string()).unwrap().setup.system();
    let why = why.unwrap_err().to_string();
    assert!(why.contains("leave \"slider\" out for a hinge"), "{why}");
}
