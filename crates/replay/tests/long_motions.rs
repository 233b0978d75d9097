//! Long motions in binary64: rounding grows with speeds and distances, and is never called a fault.

#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_engines::motion::{Breach, MotionLaw};
use etalon_fast::FastMethod;
use etalon_golden::Trajectory;
use etalon_golden::trajectory::{Line, Quantity, line_text};
use etalon_lcp::Solver;
use etalon_replay::judged::judge_motion;
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::{find, scenarios};
use rug::Rational;

type Set<'a> = &'a [(&'a str, &'a str)];

/// The first steps of a scene in binary64; fewer where the solver gives up, and none where there is no such scene.
fn run(scenario: &str, set: Set<'_>, steps: u64, solver: &dyn Solver) -> Option<Trajectory> {
    let instance = find(scenario).unwrap().motion_instance(set.iter().copied());
    let run = instance.ok()?;
    let mut run = run
        .trajectory(Arithmetics::Binary64, solver, Some(steps))
        .ok()?;
    let mut texts = vec![line_text(&run.header())];
    for _ in 0..steps {
        match run.advance() {
            Ok(line) => texts.push(line_text(&line)),
            Err(_) => break,
        }
    }
    Some(Trajectory::of(scenario, texts).unwrap())
}

/// What steps break that are judged, none of them for another reason.
fn breaches(stored: &Trajectory) -> Option<Vec<Breach>> {
    match judge_motion(stored, None, &Rational::new()) {
        Ok(judged) => Some(judged.breaches),
        Err(error) => panic!("{}: {error}", stored.file),
    }
}

/// The steps of a run, all of them right.
fn right(scenario: &str, set: Set<'_>, steps: u64, method: FastMethod) -> u64 {
    let Some(stored) = run(scenario, set, steps, &*method.solver()) else {
        return 0;
    };
    let Some(found) = breaches(&stored) else {
        return 0;
    };
    let told: Vec<_> = found.iter().take(3).map(ToString::to_string).collect();
    assert!(told.is_empty(), "{scenario} {set:?}: {}", told.join("\n"));
    stored.steps.len() as u64
}

/// Gaps and bounds of friction that are small differences of large numbers.
#[test]
fn long_fast_motions_are_right() {
    for (scenario, set, steps) in [
        ("ladder-slide", &[][..], 110),
        ("ladder-slide", &[("h", "1/30")][..], 40),
        ("joint-slide", &[][..], 200),
        ("joint-slide", &[("h", "1/1000")][..], 200),
    ] {
        assert_eq!(right(scenario, set, steps, FastMethod::Auto), steps);
    }
}

#[test]
#[ignore = "some minutes: every scene, every fast solver, 400 steps"]
fn all_long_fast_motions_are_right() {
    let values: [Set<'_>; 8] = [
        &[],
        &[("h", "1/30")],
        &[("h", "1/1000")],
        &[("h", "0.007")],
        &[("mu", "1/10")],
        &[("mu", "3")],
        &[("e", "1/3")],
        &[("g", "3.7")],
    ];
    let mut steps = 0;
    for scenario in scenarios() {
        for set in values {
            for method in FastMethod::ALL {
                steps += right(scenario.name, set, 400, method);
            }
        }
        println!("{}: {steps} steps so far", scenario.name);
    }
    assert!(steps > 50_000, "{steps}");
}

fn add(own: &mut Quantity, by: f64) {
    *own = Quantity::binary64(own.to_f64() + by);
}

fn changed(stored: &Trajectory, change: impl FnOnce(&mut Vec<Line>)) -> Vec<Breach> {
    let mut own = stored.clone();
    change(&mut own.steps);
    breaches(&own).unwrap()
}

fn has(found: &[Breach], step: u64, term: MotionLaw, place: &str) -> bool {
    let mut found = found.iter();
    found.any(|own| own.step == step && own.term == term && own.place == place)
}

/// A block that slides on a rail: half of its friction is no right motion, nor is a thousandth more than its bound.
#[test]
fn friction_of_no_contact_is_held_to_its_bound_and_takes_all_of_it() {
    let solver = FastMethod::Auto.solver();
    let slide = run("joint-slide", &[], 120, &*solver).unwrap();
    let h = slide.header.h.to_f64();
    let last = slide.steps.len() - 1;
    // M = [[2, 1], [1, 3]] and the rail's bound is 3 N.
    let with = |share: f64| {
        changed(&slide, |steps| {
            let given = 3.0 * h * share;
            for (j, part) in [3.0 / 5.0, -1.0 / 5.0].into_iter().enumerate() {
                add(&mut steps[last].v[j], given * part);
                add(&mut steps[last].q[j], h * given * part);
            }
        })
    };
    let step = last as u64 + 1;
    assert!(has(
        &with(0.5),
        step,
        MotionLaw::Dissipation,
        "friction rail"
    ));
    assert!(has(&with(-1e-3), step, MotionLaw::Cone, "friction rail"));
    assert!(has(&with(-1e-9), step, MotionLaw::Cone, "friction rail"));
}

#[test]
fn what_the_header_says_of_energies_at_the_start_is_asked() {
    let solver = FastMethod::Auto.solver();
    let ball = run("bouncing-ball", &[], 4, &*solver).unwrap();
    for kinetic in [true, false] {
        let mut own = ball.clone();
        let energy = own.header.start.energy.as_mut().unwrap();
        let field = if kinetic {
            &mut energy.kinetic
        } else {
            &mut energy.potential
        };
        add(field, 1e-9);
        let found = breaches(&own).unwrap();
        let kind = if kinetic { "kinetic" } else { "potential" };
        let place = format!("{kind} energy at the start");
        assert!(
            has(&found, 1, MotionLaw::EnergyIdentity, &place),
            "{found:?}"
        );
    }
}
