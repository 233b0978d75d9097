//! Motions that say where a step is evaluated and which contacts take part: the rule of the record judges, and what is changed is named.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::Trajectory;
use etalon_golden::trajectory::{Quantity, line_text};
use etalon_lcp::Solver;
use etalon_replay::judged::judge_motion;
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::{find, read_moving, write_moving};
use rug::Rational;
use serde_json::{Value, json};

/// The file of a named scene with settings, run.
fn recorded(
    name: &str,
    set: &[(&str, &str)],
    arithmetics: Arithmetics,
    solver: &dyn Solver,
    steps: u64,
) -> Trajectory {
    let instance = find(name).unwrap().motion_instance(set.iter().copied());
    let text = write_moving(&instance.unwrap().moving().unwrap());
    let scene = read_moving(&text, None).unwrap();
    let mut run = scene.run(arithmetics, solver, Some(steps)).unwrap();
    let mut texts = vec![line_text(&run.header())];
    for _ in 0..steps {
        texts.push(line_text(&run.advance().unwrap()));
    }
    Trajectory::of(name, texts).unwrap()
}

fn exact() -> impl Solver {
    ExactMethod::Lemke.solver(&Budget::default())
}

fn found(own: &Trajectory) -> Vec<Breach> {
    let judged = judge_motion(own, None, &Rational::new()).unwrap();
    assert_eq!(judged.cut, None);
    judged.breaches
}

fn told(found: &[Breach]) -> String {
    let lines: Vec<_> = found.iter().take(6).map(ToString::to_string).collect();
    lines.join("\n")
}

const MIDPOINT: (&str, &str) = ("scheme", "midpoint");
const WAITS: (&str, &str) = ("activation", "when-violated");
const PYRAMID: (&str, &str) = ("cone", "pyramid:8");

/// Of corners and of rows, in fractions on a grid and in binary64.
#[test]
fn motions_by_each_rule_are_right() {
    let fast = etalon_fast::FastMethod::Auto.solver();
    for (name, set, steps) in [
        ("triangle", &[MIDPOINT][..], 14),
        ("bricks", &[("scheme", "predicted")], 2),
        ("crossed-bars", &[MIDPOINT], 5),
        ("box-corner", &[MIDPOINT, WAITS], 8),
        (
            "box-corner",
            &[MIDPOINT, ("method", "moreau-jean"), PYRAMID],
            8,
        ),
        ("wheel-spin", &[("scheme", "predicted"), WAITS], 4),
        ("four-bar", &[MIDPOINT], 4),
    ] {
        for (arithmetics, solver) in [
            (Arithmetics::Exact, &exact() as &dyn Solver),
            (Arithmetics::Binary64, &*fast),
        ] {
            let own = recorded(name, set, arithmetics, solver, steps);
            let found = found(&own);
            assert!(found.is_empty(), "{name} {set:?}: {}", told(&found));
        }
    }
}

/// A record with the scheme of its scene, and of its header, taken away: its steps break the laws of the other one, at the contact.
#[test]
fn a_motion_that_says_another_scheme_breaks_laws() {
    for (name, place, steps) in [
        ("triangle", "contact lower corner", 20),
        ("box-corner", "contact cube/floor", 8),
    ] {
        let right = recorded(name, &[MIDPOINT], Arithmetics::Exact, &exact(), steps);
        let mut other = right.clone();
        let scene = other.header.scene.as_mut().unwrap();
        scene["motion"].as_object_mut().unwrap().remove("scheme");
        let error = judge_motion(&other, None, &Rational::new())
            .unwrap_err()
            .to_string();
        assert!(error.contains("the field \"scheme\" is "), "{error}");
        let linear = recorded(name, &[], Arithmetics::Exact, &exact(), 1);
        other.header.scheme.clone_from(&linear.header.scheme);
        let found = found(&other);
        let is_named = |own: &Breach| own.place.starts_with(place);
        assert!(found.iter().any(is_named), "{}", told(&found));
    }
}

type Change<'a> = &'a dyn Fn(&mut Trajectory);

fn changed(own: &Trajectory, change: impl FnOnce(&mut Trajectory)) -> Vec<Breach> {
    let mut own = own.clone();
    change(&mut own);
    found(&own)
}

/// What is changed in a motion at the midpoint, with contacts that wait until they are violated.
#[test]
fn what_is_changed_in_it_is_named() {
    let set = [MIDPOINT, WAITS, ("mu", "1/2")];
    let right = recorded("box-corner", &set, Arithmetics::Exact, &exact(), 8);
    let pushes = |line: &etalon_golden::trajectory::Line| {
        line.contacts.iter().any(|own| own.normal.to_f64() > 0.0)
    };
    let k = right.steps.iter().position(pushes).unwrap();
    let cases: [(Change<'_>, MotionLaw, &str); 4] = [
        (
            &|own| {
                let gap = &mut own.steps[k].contacts[0].gap;
                *gap = Quantity::binary64(gap.to_f64() + 1e-3);
            },
            MotionLaw::Data,
            "contact cube/floor",
        ),
        (
            &|own| {
                let at = own.steps[k].contacts[0].at.as_mut().unwrap();
                at[0] = Quantity::binary64(at[0].to_f64() + 1e-3);
            },
            MotionLaw::Momentum,
            "body cube",
        ),
        (
            &|own| own.steps[k].problems = Some(9),
            MotionLaw::Data,
            "problems",
        ),
        (
            &|own| {
                let normal = &mut own.steps[k].contacts[0].normal;
                *normal = Quantity::binary64(normal.to_f64() * (1.0 + 1e-6));
            },
            MotionLaw::Momentum,
            "body cube",
        ),
    ];
    for (change, law, place) in cases {
        let found = changed(&right, change);
        let is_named = |own: &Breach| own.term == law && own.place.starts_with(place);
        assert!(found.iter().any(is_named), "{place}: {}", told(&found));
    }
}

/// Let go over a floor, a box that no contact keeps out falls in: its contacts were not activated.
#[test]
fn contacts_that_were_not_activated_are_missed() {
    let scene = |shape: &Value| {
        json!({
            "name": "drop", "gravity": [0, 0, -10],
            "bodies": [
                {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
                {"name": "box", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, "201/1000"], "shape": shape},
            ],
            "motion": {"h": "1/50", "steps": 1, "activation": "when-violated"},
        })
    };
    let run = |scene: &Value| {
        let scene = read_moving(&scene.to_string(), None).unwrap();
        let solver = exact();
        let mut run = scene.run(Arithmetics::Exact, &solver, None).unwrap();
        let texts = vec![line_text(&run.header()), line_text(&run.advance().unwrap())];
        Trajectory::of("drop", texts).unwrap()
    };
    let right = run(&scene(&json!({"box": ["1/5", "1/5", "1/5"]})));
    assert_eq!(right.steps[0].problems, Some(2));
    assert!(found(&right).is_empty());
    let mut wrong = run(&scene(&json!({"sphere": "1/20"})));
    assert_eq!(wrong.steps[0].contacts, []);
    wrong.header.scene.clone_from(&right.header.scene);
    let found = found(&wrong);
    let is_missing =
        |own: &Breach| own.term == MotionLaw::Penetration && own.place.contains("box/floor");
    assert!(found.iter().any(is_missing), "{}", told(&found));
}
