//! Scenes of files that say where a step is evaluated, and which contacts take part.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, Quantity};
use etalon_scenarios::motion::{Arithmetics, MotionRun};
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{MotionChoice, find, read_moving, read_moving_with, write_moving};
use etalon_time_stepping::{Activation, Scheme};
use serde_json::{Value, json};

use crate::corner_files::lines;

/// A named scene with settings, as its file has it.
fn of_file(name: &str, set: &[(&str, &str)]) -> MovingScene {
    let instance = find(name).unwrap().motion_instance(set.iter().copied());
    instance.unwrap().moving().unwrap()
}

/// The first lines of a run, each held against theory and taken again from the one before it.
fn taken(scene: &MovingScene, steps: u64) -> Vec<Line> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let run = || {
        scene
            .run(Arithmetics::Exact, &*solver, Some(steps))
            .unwrap()
    };
    let mut own = run();
    let mut lines: Vec<Line> = Vec::new();
    for _ in 0..steps {
        let (line, broken) = own.advance_examined().unwrap();
        assert_eq!(broken, [], "step {}", line.k);
        if let Some(before) = lines.last() {
            let mut again = run();
            again.resume(before).unwrap();
            assert_eq!(again.advance().unwrap(), line);
        }
        lines.push(line);
    }
    lines
}

/// The file says what the parameters say, is read as it is written, and moves as the named scene does.
#[test]
fn a_file_moves_as_its_named_scene_does() {
    let midpoint = ("scheme", "midpoint");
    let waits = ("activation", "when-violated");
    for (name, set, steps) in [
        ("triangle", &[midpoint][..], 20),
        ("block-corner", &[("scheme", "predicted")], 4),
        ("box-corner", &[midpoint, waits], 6),
        (
            "box-corner",
            &[("method", "moreau-jean"), midpoint, ("cone", "pyramid:4")],
            6,
        ),
        ("four-bar", &[midpoint], 3),
    ] {
        let scene = of_file(name, set);
        let text = write_moving(&scene);
        let written: Value = serde_json::from_str(&text).unwrap();
        for (field, word) in set.iter().filter(|own| [midpoint, waits].contains(own)) {
            assert_eq!(written["motion"][field], *word);
        }
        let scene = read_moving(&text, None).unwrap();
        let own = taken(&scene, steps);
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let instance = find(name).unwrap().motion_instance(set.iter().copied());
        let instance = instance.unwrap();
        let named = instance.trajectory(Arithmetics::Exact, &*solver, Some(steps));
        let mut named: Box<dyn MotionRun> = named.unwrap();
        assert_eq!(
            named.header().parameters[set.last().unwrap().0],
            set.last().unwrap().1
        );
        for line in own {
            assert_eq!(named.advance().unwrap(), line, "{name}");
        }
    }
}

/// What a flag says takes the place of the file's, and without both nothing is written that was not there before.
#[test]
fn flags_take_the_place_of_the_file() {
    let text = write_moving(&of_file("box-corner", &[("scheme", "predicted")]));
    let choice = MotionChoice {
        scheme: Some(Scheme::Linear),
        activation: Some(Activation::WhenViolated),
        ..MotionChoice::default()
    };
    let MovingScene::Space(own) = read_moving_with(&text, &choice).unwrap() else {
        panic!("another method");
    };
    assert_eq!(own.settings.scheme, Scheme::Linear);
    assert_eq!(own.settings.activation, Activation::WhenViolated);
    for name in ["box-corner", "triangle"] {
        let written = write_moving(&of_file(name, &[]));
        assert!(
            !written.contains("scheme") && !written.contains("activation"),
            "{written}"
        );
    }
}

/// A square of side 1 m that stands on a corner and turns about it with 2 rad/s, in front of a half-plane, so that its corner slides without friction.
fn tipping(scheme: &str, h: i64) -> Vec<Line> {
    let corners = json!([
        ["-1/2", "-1/2"],
        ["1/2", "-1/2"],
        ["1/2", "1/2"],
        ["-1/2", "1/2"]
    ]);
    let scene = json!({
        "name": "tipping", "gravity": [0, -10],
        "bodies": [
            {"name": "ground", "fixed": true, "shape": {"half_plane": [0, 1]}},
            {"name": "square", "mass": 1, "inertia": "1/6", "position": [0, "7/10"], "orientation": [4, 3],
             "angular_velocity": -2, "velocity": [0, "-1/5"], "shape": {"polygon": corners}},
        ],
        "motion": {"method": "egan-trinkle", "scheme": scheme, "h": format!("1/{h}"), "steps": h / 5},
    });
    lines(&read_moving(&scene.to_string(), None).unwrap())
}

/// A gap to first order about q^m ends at -n(q' - q^m)^2/2: that way is h v at the start, half of it at the midpoint, and what the velocity changes ahead.
/// So what is wrong with the gap is of second order in h, a quarter of it, and of a higher order.
#[test]
fn gaps_of_corners_that_turn_are_closed_four_times_as_well_at_the_midpoint() {
    let deepest = |scheme: &str, h: i64| {
        let lines = tipping(scheme, h);
        let pushing = lines.iter().flat_map(|line| &line.contacts);
        let pushing = pushing.filter(|own| own.normal.to_f64() > 0.0);
        pushing
            .map(|own| own.gap.to_f64().abs())
            .fold(0.0, f64::max)
    };
    let [linear, midpoint, predicted] =
        ["linear", "midpoint", "predicted"].map(|scheme| [50, 100].map(|h| deepest(scheme, h)));
    let order = |own: [f64; 2]| (own[0] / own[1]).log2();
    assert!((order(linear) - 2.0).abs() < 0.3, "{linear:?}");
    assert!((order(midpoint) - 2.0).abs() < 0.3, "{midpoint:?}");
    assert!(
        (linear[1] / midpoint[1] - 4.0).abs() < 0.8,
        "{linear:?} {midpoint:?}"
    );
    assert!(
        predicted[1] < midpoint[1] / 5.0,
        "{midpoint:?} {predicted:?}"
    );
}

/// In the plane M is constant, and the energy falls by all but what old gaps that were closed too far give back.
#[test]
fn a_body_that_tips_over_gains_no_energy_but_by_gaps() {
    for scheme in ["linear", "midpoint", "predicted"] {
        let lines = tipping(scheme, 50);
        let total = |own: &Line| own.energy.kinetic.to_f64() + own.energy.potential.to_f64();
        for pair in lines.windows(2) {
            let position = pair[1].dissipation.as_ref().unwrap()["position"].to_f64();
            let most = total(&pair[0]) - position.min(0.0) + 1e-9;
            assert!(total(&pair[1]) <= most, "{scheme}, step {}", pair[1].k);
        }
    }
}

/// The same at corners, where M before a step is not that of its point of evaluation.
#[test]
fn a_body_of_three_moments_that_spins_keeps_its_account_of_energy() {
    for scheme in ["midpoint", "predicted"] {
        let scene = json!({
            "name": "spinning", "gravity": [0, 0, -10],
            "bodies": [{
                "name": "body", "mass": 1, "inertia": [1, 2, 4], "angular_velocity": [1, 2, 3],
                "shape": {"points": [[0, 0, 0]]},
            }],
            "motion": {"method": "egan-trinkle", "scheme": scheme, "h": "1/64", "steps": 3},
        });
        lines(&read_moving(&scene.to_string(), None).unwrap());
    }
}

fn zero(own: &Quantity) -> bool {
    own.to_f64() == 0.0
}

/// Energy of bodies that turn in space goes where it is told, by each scheme: what M takes is there, and the identity holds by [`taken`].
#[test]
fn what_the_turning_of_masses_takes_is_told_where_they_are_taken_ahead() {
    let inertial = |set: &[(&str, &str)]| {
        let lines = taken(&of_file("four-bar", set), 2);
        lines[1]
            .dissipation
            .as_ref()
            .unwrap()
            .get("inertial")
            .cloned()
    };
    assert_eq!(inertial(&[]), None);
    assert!(inertial(&[("scheme", "midpoint")]).is_some_and(|own| !zero(&own)));
}

#[test]
fn what_a_method_does_not_take_is_refused_with_field_and_remedy() {
    let with = |motion: Value| {
        let scene = json!({
            "name": "n", "gravity": [0, 0, -10],
            "bodies": [{"name": "box", "mass": 1, "inertia": [1, 1, 1], "shape": {"box": [1, 1, 1]}}],
            "motion": motion,
        });
        read_moving(&scene.to_string(), None)
            .unwrap_err()
            .to_string()
    };
    for (motion, said, remedy) in [
        (
            json!({"scheme": "newtonian"}),
            "motion.scheme",
            "they are linear, midpoint",
        ),
        (json!({"scheme": 1}), "motion.scheme", "must be a string"),
        (
            json!({"activation": "none"}),
            "motion.activation",
            "they are when-violated and all",
        ),
        (
            json!({"scheme": "fixed-point"}),
            "motion.scheme is fixed-point",
            "linear, midpoint or predicted",
        ),
        (
            json!({"scheme": "midpoint", "impact": "poisson"}),
            "motion.scheme is midpoint",
            "or say newton",
        ),
        (
            json!({"scheme": "midpoint", "method": "first-order"}),
            "motion.scheme is midpoint",
            "must be linear",
        ),
        (
            json!({"scheme": "midpoint", "method": "chakraborty-berard"}),
            "motion.scheme",
            "leave the scheme out",
        ),
        (
            json!({"scheme": "newton", "method": "egan-trinkle"}),
            "motion.scheme",
            "say linear, midpoint or predicted",
        ),
        (
            json!({"activation": "all", "method": "egan-trinkle"}),
            "motion.activation",
            "leave the activation out",
        ),
        (
            json!({"activation": "all", "method": "moreau-jean"}),
            "motion.activation",
            "leave the activation out",
        ),
        (
            json!({"activation": "all", "method": "chakraborty-berard"}),
            "motion.activation",
            "leave the activation out",
        ),
        (
            json!({"activation": "when-violated", "impact": "poisson"}),
            "motion.activation",
            "or say newton",
        ),
        (
            json!({"activation": "when-violated", "cone": "circular"}),
            "motion.activation",
            "pyramid:8",
        ),
    ] {
        let error = with(motion);
        assert!(error.contains(said) && error.contains(remedy), "{error}");
    }
}
