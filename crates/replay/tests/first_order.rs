//! Motions of first-order worlds, f = m v, are taken again and judged, and what is changed in them is noticed.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::MotionLaw;
use etalon_exact::{Budget, ExactMethod};
use etalon_fast::{ConeSolver, FastMethod};
use etalon_golden::Trajectory;
use etalon_golden::trajectory::{Line, Quantity, line_text};
use etalon_lcp::Solver;
use etalon_replay::judged::{JudgedMotion, judge_motion};
use etalon_replay::trajectories::Replay;
use etalon_scenarios::motion::{Arithmetics, MotionRun};
use etalon_scenarios::space::SpaceRun;
use etalon_scenarios::{find, read_space};
use rug::Rational;
use serde_json::json;

/// A box that is pushed over the floor into another one, and a lamp that sinks on a hinge with friction of its own.
fn text(cone: &str) -> String {
    json!({
        "name": "in syrup", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "box", "mass": 2, "position": [0, 0, "1/5"], "force": [16, 0, 0], "shape": {"box": ["1/5", "1/5", "1/5"]}},
            {"name": "next", "mass": 1, "position": [1, "1/20", "1/5"], "shape": {"box": ["1/5", "1/5", "1/5"]}},
            {"name": "frame", "fixed": true, "position": [0, 9, 5]},
            {"name": "lamp", "mass": 1, "inertia": [1, 1, 1], "position": [1, 9, 5]},
        ],
        "joints": [{"name": "hinge", "first": "lamp", "second": "frame", "point": [0, 9, 5], "kind": "hinge", "axis": [0, 1, 0]}],
        "motion": {"h": "1/16", "steps": 10, "method": "first-order", "cone": cone, "mu": "1/4"},
    })
    .to_string()
}

fn recorded(cone: &str, solver: &dyn Solver) -> Trajectory {
    let scene = read_space(&text(cone)).unwrap();
    let mut run = SpaceRun::new(scene, None, solver).unwrap();
    let mut texts = vec![line_text(&run.header())];
    for _ in 0..10 {
        texts.push(line_text(&run.advance().unwrap()));
    }
    Trajectory::of("own", texts).unwrap()
}

fn judged(own: &Trajectory) -> JudgedMotion {
    judge_motion(own, None, &Rational::new()).unwrap()
}

#[test]
fn own_runs_are_right_by_pyramid_and_by_circle_exactly_and_in_binary64() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let fast = FastMethod::Auto.solver();
    let ways: [(&str, &dyn Solver); 3] = [
        ("pyramid:8", &*exact),
        ("pyramid:8", &*fast),
        ("circular", &ConeSolver),
    ];
    for (cone, solver) in ways {
        let own = recorded(cone, solver);
        let found = judged(&own);
        assert!(found.breaches.is_empty(), "{cone}: {}", found.breaches[0]);
        assert_eq!((found.steps, found.unknown), (10, 0));
    }
}

#[test]
fn steps_are_taken_again_from_the_line_before() {
    let own = recorded("pyramid:8", &ExactMethod::Lemke.solver(&Budget::default()));
    let replay = Replay::new(&own).unwrap();
    for k in 1..=10 {
        assert_eq!(replay.step(k), Vec::<String>::new(), "step {k}");
    }
}

/// The same in the plane: a named scene, exactly and in binary64.
fn in_plane(arithmetics: Arithmetics) -> Trajectory {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let instance = find("shoved-box").unwrap().motion_instance([]).unwrap();
    let mut run = instance.trajectory(arithmetics, &*solver, None).unwrap();
    let mut texts = vec![line_text(&run.header())];
    while run.k() < run.steps() {
        texts.push(line_text(&run.advance().unwrap()));
    }
    Trajectory::of("own", texts).unwrap()
}

#[test]
fn own_runs_in_the_plane_are_right_and_taken_again() {
    for arithmetics in [Arithmetics::Exact, Arithmetics::Binary64] {
        let own = in_plane(arithmetics);
        let found = judged(&own);
        assert!(found.breaches.is_empty(), "{}", found.breaches[0]);
        assert_eq!((found.steps, found.unknown), (4, 0));
    }
    let own = in_plane(Arithmetics::Exact);
    let replay = Replay::new(&own).unwrap();
    assert!(replay.is_at_corners());
    for k in 1..=4 {
        assert_eq!(replay.step(k), Vec::<String>::new(), "step {k}");
    }
}

/// The faults of a line, each with the law that it breaks.
type Fault = (&'static str, fn(&mut Line), MotionLaw);

/// Those of the plane and of space.
const FAULTS: [Fault; 4] = [
    (
        "a speed that force over mass does not make",
        |line| scale(&mut line.v[0], 1.001),
        MotionLaw::Momentum,
    ),
    (
        "a drag of half of what it is",
        |line| scale(part(line, "drag"), 0.5),
        MotionLaw::EnergyIdentity,
    ),
    (
        "the least kinetic energy",
        |line| line.energy.kinetic = Quantity::binary64(5e-324),
        MotionLaw::EnergyIdentity,
    ),
    (
        "another way than h v",
        |line| scale(&mut line.q[0], 1.001),
        MotionLaw::State,
    ),
];

#[test]
fn what_is_changed_in_the_plane_is_named() {
    let faults: [Fault; 2] = [
        (
            "friction beyond the cone",
            |line| scale(&mut line.contacts[0].friction[0], 1.1),
            MotionLaw::Cone,
        ),
        (
            "less lost than was lost",
            |line| scale(&mut line.dissipated, 0.9),
            MotionLaw::EnergyIdentity,
        ),
    ];
    named(&in_plane(Arithmetics::Exact), &faults);
}

/// States are on a grid.
fn scale(own: &mut Quantity, by: f64) {
    let steps = (1u64 << 40) as f64;
    *own = Quantity::binary64((own.to_f64() * by * steps).round() / steps);
}

fn part<'a>(line: &'a mut Line, name: &str) -> &'a mut Quantity {
    line.dissipation.as_mut().unwrap().get_mut(name).unwrap()
}

#[test]
fn what_is_changed_is_named() {
    let faults: [Fault; 2] = [
        (
            "friction beyond the cone",
            |line| scale(&mut line.contacts[1].friction[0], 1.1),
            MotionLaw::Cone,
        ),
        (
            "a joint that bears less",
            |line| scale(&mut line.joints.as_mut().unwrap()[0].impulses[2], 0.9),
            MotionLaw::Momentum,
        ),
    ];
    let own = recorded("pyramid:8", &ExactMethod::Lemke.solver(&Budget::default()));
    named(&own, &faults);
}

/// Each fault in the third line is named by its law.
fn named(own: &Trajectory, faults: &[Fault]) {
    for (what, fault, law) in FAULTS.iter().chain(faults) {
        let mut line = own.steps[2].clone();
        fault(&mut line);
        let mut texts = own.texts.clone();
        texts[3] = line_text(&line);
        let found = judged(&Trajectory::of("changed", texts).unwrap());
        let own = found.breaches.iter().filter(|own| own.step == 3);
        let laws: Vec<MotionLaw> = own.map(|own| own.term).collect();
        assert!(laws.contains(law), "{what}: {laws:?}");
    }
}

/// The same lines under the name of a method of second order are no motion of it: speeds would have to be kept.
#[test]
fn lines_of_first_order_are_none_of_second_order() {
    let own = recorded("pyramid:8", &ExactMethod::Lemke.solver(&Budget::default()));
    let mut texts = own.texts.clone();
    texts[0] = texts[0].replace("first-order", "stewart-trinkle");
    let found = judged(&Trajectory::of("changed", texts).unwrap());
    let laws: Vec<MotionLaw> = found.breaches.iter().map(|own| own.term).collect();
    assert!(laws.contains(&MotionLaw::Momentum), "{laws:?}");
}
