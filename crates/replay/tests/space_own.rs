//! Etalon's own motions in space are judged like others', and what is changed in them is noticed.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "common/runs.rs"]
mod runs;

use std::path::Path;

use common::driven_too_hard;
use etalon_engines::motion::{Breach, MotionLaw};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Contact, Line, Quantity, line_text};
use etalon_golden::{Trajectory, read_trajectory, trajectory_files};
use etalon_lcp::Solver;
use etalon_replay::judged::judge_motion;
use etalon_scenarios::motion::{Arithmetics, MotionRun};
use etalon_scenarios::space::SpaceRun;
use etalon_scenarios::{find, read_space, scenarios};
use rug::Rational;
use serde_json::json;

fn told(found: &[Breach]) -> String {
    let lines: Vec<_> = found.iter().take(6).map(ToString::to_string).collect();
    lines.join("\n")
}

/// The lines of a run.
fn recorded(mut run: Box<dyn MotionRun + '_>, steps: u64) -> Trajectory {
    let mut texts = vec![line_text(&run.header())];
    for _ in 0..steps {
        texts.push(line_text(&run.advance().unwrap()));
    }
    Trajectory::of("own", texts).unwrap()
}

fn named(name: &str, set: &[(&str, &str)], solver: &dyn Solver, steps: u64) -> Trajectory {
    let instance = find(name).unwrap().motion_instance(set.iter().copied());
    let run = instance.unwrap();
    let run = run.trajectory(Arithmetics::Exact, solver, Some(steps));
    recorded(run.unwrap(), steps)
}

/// Scenes in space of the registry.
fn in_space() -> Vec<&'static str> {
    let own = scenarios().iter().filter(|own| {
        let instance = own.motion_instance(std::iter::empty());
        instance.is_ok_and(|own| own.space().is_some())
    });
    own.map(|own| own.name).collect()
}

#[test]
fn goldens_in_space_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/space");
    let files = trajectory_files(&[folder]).unwrap();
    let mut left = in_space();
    for file in files {
        let own = read_trajectory(&file).unwrap();
        left.retain(|name| *name != own.header.scenario);
        let judged = judge_motion(&own, None, &Rational::new()).unwrap();
        let told = told(&judged.breaches);
        assert!(judged.breaches.is_empty(), "{}: {told}", file.display());
        assert_eq!(judged.cut, None);
    }
    assert!(left.is_empty(), "scenes without a golden: {left:?}");
}

#[test]
fn runs_of_every_scene_by_every_method_are_right() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let fast = etalon_fast::FastMethod::Auto.solver();
    let all = in_space();
    assert!(all.len() >= 8, "{all:?}");
    for name in all {
        let steps = match name {
            "dominoes" | "box-stack" => 2,
            _ => 10,
        };
        for method in ["stewart-trinkle", "moreau-jean"] {
            for cone in ["pyramid:8", "circular"] {
                for solver in [&*exact, &*fast] {
                    if cone == "circular" && std::ptr::eq(solver, &*exact) {
                        continue;
                    }
                    let set = [("method", method), ("cone", cone)];
                    let own = named(name, &set, solver, steps);
                    let judged = judge_motion(&own, None, &Rational::new()).unwrap();
                    let what = format!("{name} {method} {cone} {}", solver.name());
                    assert!(
                        judged.breaches.is_empty(),
                        "{what}: {}",
                        told(&judged.breaches)
                    );
                }
            }
        }
    }
}

/// A ball that spins and rolls against friction of both kinds and bounces, and a box on a surface with a grain.
fn turning(method: &str, cone: &str, solver: &dyn Solver, steps: u64) -> Trajectory {
    let scene = json!({
        "name": "turning", "gravity": [0, 0, -9.81],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "ball", "mass": 1, "position": [0, 4, "1/4"], "velocity": [1, "1/2", 0], "angular_velocity": [-2, 4, 9],
                "shape": {"sphere": "1/4"}},
            {"name": "box", "mass": 2, "position": [0, -4, "1/5"], "velocity": [1, 2, 0], "shape": {"box": ["1/5", "1/5", "1/5"]}},
            {"name": "high", "mass": 1, "position": [4, 0, "13/50"], "velocity": [0, 0, -2], "shape": {"sphere": "1/4"}},
        ],
        "motion": {"h": "1/100", "steps": steps, "method": method, "cone": cone, "mu": "1/2", "surfaces": [
            {"first": "ball", "second": "floor", "mu": "3/10", "torsion": "1/50", "rolling": "1/60"},
            {"first": "box", "second": "floor", "mu": "1/2", "across": "1/5", "along": [1, 1, 0]},
            {"first": "high", "second": "floor", "mu": "1/2", "restitution": "1/2"},
        ]},
    });
    let run = SpaceRun::new(read_space(&scene.to_string()).unwrap(), None, solver);
    recorded(Box::new(run.unwrap()), steps)
}

fn contact<'a>(line: &'a mut Line, pair: &str) -> &'a mut Contact {
    let mut all = line.contacts.iter_mut();
    all.find(|own| own.pair.starts_with(pair)).unwrap()
}

fn scale(own: &mut Quantity, by: f64) {
    *own = Quantity::binary64(own.to_f64() * by);
}

type Fault = (&'static str, fn(&mut Line), MotionLaw, &'static str);

const FAULTS: &[Fault] = &[
    (
        "a torque of spinning beyond its bound",
        |line| scale(contact(line, "ball").torsion.as_mut().unwrap(), 1.0 + 1e-9),
        MotionLaw::Cone,
        "contact ball/floor",
    ),
    (
        "one that takes too little",
        |line| scale(contact(line, "ball").torsion.as_mut().unwrap(), 0.5),
        MotionLaw::Dissipation,
        "contact ball/floor",
    ),
    (
        "one that drives",
        |line| scale(contact(line, "ball").torsion.as_mut().unwrap(), -1.0),
        MotionLaw::EnergyGain,
        "contact ball/floor",
    ),
    (
        "one that is lost",
        |line| contact(line, "ball").torsion = None,
        MotionLaw::Momentum,
        "body ball",
    ),
    (
        "a torque of rolling beyond its bound",
        |line| {
            let own = contact(line, "ball").rolling.as_mut().unwrap();
            own.iter_mut().for_each(|own| scale(own, 1.0 + 1e-9));
        },
        MotionLaw::Cone,
        "contact ball/floor",
    ),
    (
        "one that takes too little",
        |line| {
            let own = contact(line, "ball").rolling.as_mut().unwrap();
            own.iter_mut().for_each(|own| scale(own, 0.5));
        },
        MotionLaw::Dissipation,
        "contact ball/floor",
    ),
    (
        "one that is lost",
        |line| contact(line, "ball").rolling = None,
        MotionLaw::Momentum,
        "body ball",
    ),
    (
        "a torque where the surfaces have none",
        |line| contact(line, "box").torsion = Some(Quantity::binary64(1e-9)),
        MotionLaw::Cone,
        "contact box/floor 1",
    ),
    (
        "friction across the grain that is allowed along it alone",
        |line| {
            let own = contact(line, "box");
            own.friction.swap(0, 1);
        },
        MotionLaw::Cone,
        "contact box/floor 1",
    ),
    (
        "friction of half the size",
        |line| {
            contact(line, "box")
                .friction
                .iter_mut()
                .for_each(|own| scale(own, 0.5))
        },
        MotionLaw::Dissipation,
        "contact box/floor 1",
    ),
    (
        "a normal impulse that is lost",
        |line| scale(&mut contact(line, "box").normal, 0.0),
        MotionLaw::Momentum,
        "body box",
    ),
];

#[test]
fn friction_that_turns_or_has_a_grain_is_judged() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let fast = etalon_fast::FastMethod::Auto.solver();
    for method in ["stewart-trinkle", "moreau-jean"] {
        for (cone, solver) in [
            ("pyramid:8", &*exact),
            ("pyramid:8", &*fast),
            ("circular", &*fast),
        ] {
            let right = turning(method, cone, solver, 3);
            let judged = judge_motion(&right, None, &Rational::new()).unwrap();
            assert!(
                judged.breaches.is_empty(),
                "{method} {cone}: {}",
                told(&judged.breaches)
            );
            // In the circular cone answers are as good as 10^-12 of what acts at the contact; in a pyramid they are better.
            let mut own = right.clone();
            let torque = contact(&mut own.steps[2], "ball").torsion.as_mut();
            scale(torque.unwrap(), 1.0 + 5e-11);
            let found = judge_motion(&own, None, &Rational::new()).unwrap().breaches;
            let is_right = cone == "circular";
            assert_eq!(
                found.is_empty(),
                is_right,
                "{method} {cone}: {}",
                told(&found)
            );
            for (name, change, law, place) in FAULTS {
                let mut own = right.clone();
                change(&mut own.steps[2]);
                let found = judge_motion(&own, None, &Rational::new()).unwrap().breaches;
                let named = |own: &Breach| own.step == 3 && own.term == *law && own.place == *place;
                assert!(
                    found.iter().any(named),
                    "{method} {cone}: {name}: {}",
                    told(&found)
                );
            }
        }
    }
}

/// A ball meets the floor: by Newton's law it bounces, and a line that says nothing of it leaves that law.
#[test]
fn a_bounce_that_is_not_told_is_named() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let mut own = turning("stewart-trinkle", "pyramid:8", &*exact, 3);
    let bounces = own.steps.iter().position(|line| line.bounces.is_some());
    let k = bounces.unwrap();
    own.steps[k].bounces = None;
    let found = judge_motion(&own, None, &Rational::new()).unwrap().breaches;
    let law = MotionLaw::Complementarity;
    let named = |own: &Breach| {
        own.term == law
            && own.place == "contact high/floor"
            && own.words.contains("does not bounce")
    };
    assert!(found.iter().any(named), "{}", told(&found));
}

/// Energies, losses and what follows from states are asked where they are recorded.
#[test]
fn what_is_derived_is_asked() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let right = turning("moreau-jean", "pyramid:8", &*exact, 2);
    let with = |change: &dyn Fn(&mut Trajectory)| {
        let mut own = right.clone();
        change(&mut own);
        judge_motion(&own, None, &Rational::new()).unwrap().breaches
    };
    for part in ["friction", "numerical", "position", "joints", "rounding"] {
        let found = with(&|own| {
            let parts = own.steps[1].dissipation.as_mut().unwrap();
            let own = parts.get_mut(part).unwrap();
            *own = Quantity::binary64(own.to_f64() + 1e-6);
        });
        let place = format!("dissipation.{part}");
        assert_eq!(
            found.iter().map(|own| &*own.place).collect::<Vec<_>>(),
            [&*place]
        );
    }
    type Change<'a> = &'a dyn Fn(&mut Trajectory);
    let cases: [(Change<'_>, &str); 6] = [
        (
            &|own| scale(&mut own.steps[1].energy.kinetic, 1.0 + 1e-6),
            "kinetic energy",
        ),
        (
            &|own| scale(&mut own.steps[1].energy.potential, 1.0 + 1e-6),
            "potential energy",
        ),
        (
            &|own| own.steps[1].flight_gain = Some(Quantity::binary64(1e-6)),
            "flight_gain",
        ),
        (
            &|own| own.steps[1].work = Some(Quantity::binary64(1e-6)),
            "work",
        ),
        (
            &|own| scale(&mut own.steps[1].v[3], 1.0 + 1e-9),
            "body ball",
        ),
        (
            &|own| scale(&mut own.header.start.q[3], 1.0 + 1e-9),
            "body ball",
        ),
    ];
    for (change, place) in cases {
        let found = with(change);
        assert!(
            found.iter().any(|own| own.place == place),
            "{place}: {}",
            told(&found)
        );
    }
}

/// The words of a header that choose laws are those of the scene.
#[test]
fn labels_are_those_of_the_scene() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let right = turning("moreau-jean", "pyramid:8", &*exact, 1);
    let why = |change: &dyn Fn(&mut Trajectory)| {
        let mut own = right.clone();
        change(&mut own);
        judge_motion(&own, None, &Rational::new())
            .unwrap_err()
            .to_string()
    };
    for (field, said) in [
        (
            "formulation",
            why(&|own| own.header.formulation = Some("stewart-trinkle".to_owned())),
        ),
        (
            "cone",
            why(&|own| own.header.cone = Some("circular".to_owned())),
        ),
        (
            "scheme",
            why(&|own| own.header.scheme = Some("linear".to_owned())),
        ),
        ("coordinates", why(&|own| own.header.coordinates.swap(0, 1))),
    ] {
        assert!(said.contains(&format!("the field {field:?} is ")), "{said}");
    }
}

/// A drive presses a rotor against the limit of its hinge, where it rests. What rounding leaves of both impulses is then squared in the energy,
/// and nothing else is there.
#[test]
fn a_rotor_that_rests_at_its_limit_is_right() {
    let scene = json!({
        "name": "rotor", "gravity": [0, 0, 0],
        "bodies": [{"name": "frame", "fixed": true}, {"name": "rotor", "mass": 1, "inertia": [2, 2, 2]}],
        "joints": [{
            "name": "hinge", "first": "rotor", "second": "frame", "point": [0, 0, 0], "kind": "hinge", "axis": [0, 0, 1],
            "limits": [-1, "1/2"], "drive": {"speed": 1, "bound": 3},
        }],
        "motion": {"h": "1/100", "steps": 90},
    });
    for scene in [scene, runs::door()] {
        let own = Trajectory::of("own", runs::texts(&scene)).unwrap();
        let judged = judge_motion(&own, None, &Rational::new()).unwrap();
        assert!(judged.breaches.is_empty(), "{}", told(&judged.breaches));
    }
}

#[test]
fn in_closed_loop_the_energy_that_a_solver_gains_is_named() {
    let wrong = driven_too_hard("space/wheel-spin.jsonl");
    let gain = wrong.worst_gain().unwrap();
    let words = &gain.words;
    assert!(
        gain.amount > 0 && gain.place == "contact wheel/floor",
        "{gain}"
    );
    assert!(words.contains("by a push that is too strong"), "{gain}");
    assert!(!wrong.failures.is_empty());
}
