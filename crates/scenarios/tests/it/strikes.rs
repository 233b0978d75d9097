//! Impacts of scenes at rest with friction and by both laws of restitution, against closed forms and steps in motion.

#![allow(clippy::panic)] // this is a test

use etalon_exact::{Budget, ExactMethod};
use etalon_scenarios::motion::MotionRun;
use etalon_scenarios::space::SpaceRun;
use etalon_scenarios::{Impact, ScenarioAnswer, read_scene, read_space, write_scene};
use rug::Rational;
use serde_json::{Value, json};

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn struck(scene: &Value) -> Impact {
    let setup = read_scene(&scene.to_string()).unwrap().setup;
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    match setup.answer(&*solver, &Budget::default()).unwrap() {
        ScenarioAnswer::Impulses(own) => own,
        other => panic!("{other:?}"),
    }
}

/// A disc of radius 1 that lands on a floor with a velocity and a spin.
fn disc(velocity: [i64; 2], question: Value) -> Value {
    json!({
        "name": "disc", "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true},
            {"name": "disc", "mass": 2, "inertia": 1, "position": [0, 1], "velocity": velocity},
        ],
        "contacts": [{"name": "c", "first": "disc", "second": "floor", "point": [0, 0], "normal": [0, 1], "mu": "1/4"}],
        "question": question,
    })
}

#[test]
fn a_disc_slides_on_or_rolls_as_its_friction_says() {
    for law in ["newton", "poisson"] {
        let question = json!({"impact": "1/2", "law": law, "friction": "polyhedral"});
        // p_N = m (1 + e) v_N = 6, and friction of mu p_N = 3/2 does not stop a slip of 9.
        let own = struck(&disc([9, -2], question.clone()));
        let rubbed = own.rubbed.unwrap();
        assert_eq!(own.impulses, [q(6, 1)], "{law}");
        assert_eq!(own.after, [q(1, 1)]);
        assert_eq!(rubbed.friction, [[q(-3, 2)]]);
        // dv = p/m + p r^2/J = -9/4.
        assert_eq!(rubbed.slip, [[[q(9, 1)]], [[q(27, 4)]]]);
        // A slip of 1 is stopped: p (1/m + r^2/J) = -1.
        let rolls = struck(&disc([1, -2], question)).rubbed.unwrap();
        assert_eq!(rolls.friction, [[q(-2, 3)]]);
        assert_eq!(rolls.slip[1], [[q(0, 1)]]);
        let pressed = (law == "poisson").then(|| vec![q(4, 1)]);
        assert_eq!(rolls.compression.map(|own| own.normal), pressed);
    }
}

#[test]
fn a_belt_that_moves_drags_what_lands_on_it() {
    let mut scene = disc([0, -2], json!({"impact": 0, "friction": "polyhedral"}));
    scene["bodies"][0]["velocity"] = json!([9, 1]);
    let own = struck(&scene);
    // They approach at 3: p_N = 6, and friction of 3/2 is along the belt.
    assert_eq!(
        (own.before, own.impulses, own.after),
        (vec![q(-3, 1)], vec![q(6, 1)], vec![q(0, 1)])
    );
    let rubbed = own.rubbed.unwrap();
    assert_eq!(rubbed.slip[0], [[q(-9, 1)]]);
    assert_eq!(rubbed.friction, [[q(3, 2)]]);
}

/// Newton's and Poisson's laws differ where several bodies touch: a row of balls, of which the first arrives.
#[test]
fn a_row_of_balls_parts_by_law() {
    let balls = |law: &str| {
        let ball = |k: i64| json!({"name": format!("ball {k}"), "mass": 1, "inertia": 1, "position": [2 * k, 0], "velocity": [i64::from(k == 0), 0]});
        let contact = |k: i64| json!({"name": format!("c{k}"), "first": format!("ball {}", k + 1), "second": format!("ball {k}"), "point": [2 * k + 1, 0], "normal": [1, 0], "geometry": {"radii": [1, 1]}});
        json!({
            "name": "row", "gravity": [0, 0],
            "bodies": (0..3).map(ball).collect::<Vec<_>>(),
            "contacts": (0..2).map(contact).collect::<Vec<_>>(),
            "question": {"impact": "1/2", "law": law},
        })
    };
    let newton = struck(&balls("newton"));
    assert_eq!(newton.after, [q(1, 2), q(0, 1)]);
    // The whole row moves at 1/3, and each speed changes by e times as much again.
    let poisson = struck(&balls("poisson"));
    let squeezed = poisson.rubbed.unwrap().compression.unwrap();
    assert_eq!(squeezed.normal, [q(2, 3), q(1, 3)]);
    // All three move as one at its end: 1/3 of the energy before is left.
    assert_eq!(squeezed.after, [q(0, 1), q(0, 1)]);
    assert_eq!(
        squeezed.kinetic_energy,
        poisson.kinetic_energy[0].clone() / 3u32
    );
    assert_eq!(poisson.impulses, [q(1, 1), q(1, 2)]);
    assert_eq!(poisson.after, [q(1, 2), q(0, 1)]);
    assert!(poisson.kinetic_energy[1] < poisson.kinetic_energy[0]);
}

/// What a step in motion makes of the same rod without weight: Newton's law and Poisson's, by a pyramid of 8 sides.
#[test]
fn a_rod_lands_as_it_does_in_motion() {
    for law in ["newton", "poisson"] {
        let rod = json!({
            "name": "rod", "mass": 1, "inertia": ["1/12", "1/12", "1/12"], "position": ["3/10", "1/10", "4/10"],
            "velocity": ["3/5", "1/5", -1], "angular_velocity": [1, 0, 0],
        });
        let mut still = json!({
            "name": "rod", "gravity": [0, 0, 0], "bodies": [{"name": "floor", "fixed": true}, rod],
            "question": {"impact": 1, "law": law, "friction": "polyhedral", "directions": 8},
        });
        still["contacts"] = json!([{"name": "tip", "first": "rod", "second": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "mu": "1/2"}]);
        let own = struck(&still);
        let mut moving = still.clone();
        for field in ["contacts", "question"] {
            moving.as_object_mut().unwrap().remove(field);
        }
        // The tip is a point of a polyhedron; the others are above it.
        moving["bodies"][1]["shape"] = json!({"polyhedron": [["-3/10", "-1/10", "-4/10"], ["1/10", 0, "4/10"], [0, "1/10", "4/10"], [0, 0, "3/10"]]});
        moving["bodies"][0]["shape"] = json!({"half_space": [0, 0, 1]});
        moving["motion"] = json!({"h": "1/1000000", "cone": "pyramid:8", "impact": law, "mu": "1/2", "restitution": 1});
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let scene = read_space(&moving.to_string()).unwrap();
        let mut run = SpaceRun::new(scene, None, &solver).unwrap();
        let line = run.advance().unwrap();
        let normal: f64 = line.contacts.iter().map(|own| own.normal.to_f64()).sum();
        assert!(
            (normal - own.impulses[0].to_f64()).abs() < 1e-5,
            "{law}: {normal} {}",
            own.impulses[0]
        );
        let energy = line.energy.kinetic.to_f64();
        assert!(
            (energy - own.kinetic_energy[1].to_f64()).abs() < 1e-5,
            "{law}: {energy}"
        );
    }
}

#[test]
fn questions_survive_their_file_and_wrong_ones_are_refused() {
    for question in [
        json!({"impact": "1/2", "law": "poisson"}),
        json!({"impact": 1, "law": "newton", "friction": "polyhedral", "directions": 2}),
    ] {
        let first = read_scene(&disc([1, -1], question).to_string()).unwrap();
        let again = read_scene(&write_scene(&first)).unwrap();
        assert_eq!(again.setup.question, first.setup.question);
    }
    let says = |question: Value, words: &str| {
        let scene = read_scene(&disc([1, -1], question).to_string());
        let why = match scene {
            Err(why) => why.to_string(),
            Ok(scene) => scene.setup.problem("p").unwrap_err().to_string(),
        };
        assert!(why.contains(words), "{why}");
    };
    says(
        json!({"law": "poisson", "friction": "none"}),
        "needs \"impact\"",
    );
    says(json!({"impact": 1, "law": "hooke"}), "newton or poisson");
    says(
        json!({"impact": 1, "friction": "circular"}),
        "\"none\" or \"polyhedral\"",
    );
    says(json!({"impact": 1, "directions": 8}), "\"polyhedral\", too");
    says(
        json!({"impact": 1, "friction": "polyhedral", "directions": 5}),
        "along one line",
    );
    says(json!({"impact": 2, "law": "poisson"}), "at most 1");
    says(
        json!({"impact": -1, "friction": "polyhedral"}),
        "at least 0",
    );
}

/// A block that leaves the floor at 1 m/s is struck from above at 4 m/s, without friction.
fn sandwich(mut question: Value) -> Impact {
    question["impact"] = json!(1);
    struck(&json!({
        "name": "sandwich", "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true},
            {"name": "b", "mass": 1, "inertia": 1, "velocity": [0, 1]},
            {"name": "t", "mass": 3, "inertia": 1, "position": [0, 1], "velocity": [0, -3]},
        ],
        "contacts": [
            {"name": "low", "first": "b", "second": "floor", "point": [0, 0], "normal": [0, 1]},
            {"name": "top", "first": "t", "second": "b", "point": [0, 0], "normal": [0, 1]},
        ],
        "question": question,
    }))
}

/// Newton's law, where a scene names it or friction, lets no contact that parts close into the other body. The law without a
/// name reflects all speeds, those of parting ones, too.
#[test]
fn a_law_that_is_named_leaves_no_parting_contact_approaching() {
    for question in [
        json!({"law": "newton"}),
        json!({"friction": "none"}),
        json!({"law": "newton", "friction": "none"}),
    ] {
        let own = sandwich(question.clone());
        assert_eq!(own.after, [q(0, 1), q(4, 1)], "{question}");
        assert_eq!(own.impulses, [q(20, 1), q(21, 1)]);
    }
    assert_eq!(sandwich(json!({})).after, [q(-1, 1), q(4, 1)]);
}

/// Four rough contacts around one body leave Newton's law no answer.
#[test]
fn an_impact_without_an_answer_is_proved_to_have_none() {
    let contact = |name: &str, point: [&str; 2], normal: [&str; 2], mu: i64| json!({"name": name, "first": "b", "second": "floor", "point": point, "normal": normal, "mu": mu});
    let scene = json!({
        "name": "g", "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true},
            {"name": "b", "mass": 2, "inertia": "1/6", "position": [-3, "-4/3"], "velocity": ["-1/2", 0], "angular_velocity": "8/3"},
        ],
        "contacts": [
            contact("c0", ["3/2", "7/3"], ["0", "-1"], 3),
            contact("c1", ["0", "-2/3"], ["5/13", "-12/13"], 0),
            contact("c2", ["-4", "3/2"], ["0", "1"], 1),
            contact("c3", ["3", "8"], ["-4/5", "3/5"], 1),
        ],
        "question": {"impact": "1/2", "law": "newton", "friction": "polyhedral"},
    });
    let setup = read_scene(&scene.to_string()).unwrap().setup;
    let solver = ExactMethod::Certified.solver(&Budget::default());
    let proof = match setup.answer(&*solver, &Budget::default()).unwrap() {
        ScenarioAnswer::NoImpulses(proof) => proof,
        other => panic!("{other:?}"),
    };
    let problem = setup.problem("p").unwrap();
    let mut truth = etalon_certify::Truth::default();
    truth.add_certificate(&problem, &proof).unwrap();
    assert!(matches!(proof, etalon_lcp::Certificate::Farkas { .. }));
}
