//! Etalon's own motions in space are judged like others', and what is changed in them is noticed.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::Breach;
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::Trajectory;
use etalon_golden::trajectory::line_text;
use etalon_lcp::Solver;
use etalon_replay::judged::judge_motion;
use etalon_scenarios::motion::{Arithmetics, MotionRun};
use etalon_scenarios::{find, scenarios};
use rug::Rational;

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
                    eprintln!("{what}: {}", judged.breaches.len());
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
