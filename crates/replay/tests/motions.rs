//! Motions by anybody: no right one is called wrong, and what is tampered with is named.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::PathBuf;

use common::driven_too_hard;
use etalon_engines::motion::{Breach, MotionLaw};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, Quantity, line_text};
use etalon_golden::{Trajectory, read_trajectory};
use etalon_lcp::Solver;
use etalon_replay::judged::{JudgedMotion, MotionPrecision, judge_motion};
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use rug::Rational;

fn goldens() -> Vec<Trajectory> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    let folders = ["trajectories", "worlds"];
    let files = folders.iter().flat_map(|folder| {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        files.map(|file| file.unwrap().path())
    });
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|own| own == "jsonl"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| read_trajectory(file).unwrap())
        .collect()
}

fn judge(stored: &Trajectory, precision: Option<MotionPrecision>) -> JudgedMotion {
    match judge_motion(stored, precision, &Rational::new()) {
        Ok(judged) => judged,
        Err(error) => panic!("{}: {error}", stored.file),
    }
}

fn assert_right(stored: &Trajectory, precision: Option<MotionPrecision>) -> u64 {
    let judged = judge(stored, precision);
    let told: Vec<_> = judged
        .breaches
        .iter()
        .take(5)
        .map(ToString::to_string)
        .collect();
    assert!(
        told.is_empty(),
        "{} {:?}: {}",
        stored.file,
        stored.header.parameters,
        told.join("\n")
    );
    judged.steps
}

/// The first steps of a scene in binary64, by a solver.
fn run(scenario: &str, set: &[(&str, &str)], steps: u64, solver: &dyn Solver) -> Trajectory {
    let instance = find(scenario)
        .unwrap()
        .motion_instance(set.iter().copied())
        .unwrap();
    let run = instance.trajectory(Arithmetics::Binary64, solver, Some(steps));
    let mut run = run.unwrap();
    let mut texts = vec![line_text(&run.header())];
    for _ in 0..steps {
        match run.advance() {
            Ok(line) => texts.push(line_text(&line)),
            // A solver may give up; what came before is a motion.
            Err(_) => break,
        }
    }
    Trajectory::of(scenario, texts).unwrap()
}

/// Every number of the states and impulses to the nearest binary32, as an engine of that precision writes them.
fn in_binary32(stored: &Trajectory) -> Trajectory {
    let narrow = |own: &mut Quantity| {
        if let Some(value) = own.finite() {
            *own = Quantity::binary64(f64::from(value as f32));
        }
    };
    let mut own = stored.clone();
    own.header.start.q.iter_mut().for_each(narrow);
    own.header.start.v.iter_mut().for_each(narrow);
    for line in &mut own.steps {
        let states = line.q.iter_mut().chain(&mut line.v);
        let energies = [
            &mut line.energy.kinetic,
            &mut line.energy.potential,
            &mut line.dissipated,
            &mut line.t,
        ];
        let parts = line.dissipation.iter_mut().flatten().map(|(_, part)| part);
        let contacts = line.contacts.iter_mut().flat_map(|own| {
            [&mut own.gap, &mut own.normal]
                .into_iter()
                .chain(&mut own.friction)
        });
        states
            .chain(energies)
            .chain(parts)
            .chain(contacts)
            .for_each(narrow);
    }
    own
}

#[test]
fn etalons_exact_motions_are_right() {
    let mut steps = 0;
    for stored in goldens() {
        steps += assert_right(&stored, None);
    }
    assert!(steps > 2_000, "{steps}");
}

#[test]
fn exact_motions_in_binary32_are_right() {
    let mut steps = 0;
    for stored in goldens() {
        let formulation = stored.header.formulation.as_deref();
        if formulation == Some("contact-forces") {
            continue;
        }
        steps += assert_right(&in_binary32(&stored), Some(MotionPrecision::F32));
    }
    assert!(steps > 2_000, "{steps}");
}

/// A scene, its values, and how many steps of it.
type SceneRun = (&'static str, &'static [(&'static str, &'static str)], u64);

/// Scenes, values and other steps than the goldens have.
const RUNS: &[SceneRun] = &[
    ("rod", &[("h", "0.007")], 80),
    ("rod", &[("h", "0.02"), ("scheme", "linear")], 30),
    ("rod", &[("h", "0.011"), ("scheme", "predicted")], 50),
    ("four-balls", &[("h", "0.02")], 34),
    (
        "sphere-on-slope",
        &[("mu", "1/7"), ("directions", "6"), ("h", "0.013")],
        30,
    ),
    ("particle-3d", &[("directions", "8")], 40),
    ("incline", &[("mu", "1/3")], 40),
    ("wedge", &[], 40),
    ("settling-chain", &[], 40),
    ("stack-drop", &[], 40),
    ("joint-slide", &[], 40),
    ("ladder-slide", &[], 40),
    ("polygon", &[("sides", "7"), ("h", "0.007")], 60),
    ("disc", &[("h", "0.013")], 30),
    ("bouncing-ball", &[], 120),
    ("elastic-cradle", &[], 60),
    ("ellipse", &[("scheme", "linear")], 12),
    ("corner", &[("start", "roof")], 12),
    ("hole", &[("mu", "1/2")], 20),
    ("plate-on-slope", &[], 20),
];

#[test]
fn etalons_fast_motions_are_right() {
    let fast = etalon_fast::FastMethod::Auto.solver();
    let mut steps = 0;
    for (scenario, set, count) in RUNS {
        let stored = run(scenario, set, *count, &*fast);
        steps += assert_right(&stored, None);
        steps += assert_right(&in_binary32(&stored), Some(MotionPrecision::F32));
    }
    assert!(steps > 1_400, "{steps}");
}

/// What the judge says of a changed copy.
fn changed(stored: &Trajectory, change: impl FnOnce(&mut Vec<Line>)) -> Vec<Breach> {
    let mut own = stored.clone();
    change(&mut own.steps);
    judge(&own, None).breaches
}

fn add(own: &mut Quantity, by: f64) {
    *own = Quantity::binary64(own.to_f64() + by);
}

fn named<'a>(found: &'a [Breach], step: u64, term: MotionLaw, place: &str) -> &'a Breach {
    let mut matching = found.iter();
    let own = matching.find(|own| own.step == step && own.term == term && own.place == place);
    let told: Vec<_> = found.iter().map(ToString::to_string).collect();
    own.unwrap_or_else(|| panic!("no {term:?} at {place} in step {step}: {}", told.join("\n")))
}

#[test]
fn what_is_tampered_with_is_caught_by_name() {
    let fast = etalon_fast::FastMethod::Auto.solver();
    let rod = run("rod", &[("h", "0.01")], 60, &*fast);
    // One velocity: it does not follow from the step before, nor the next from it, nor the position from it.
    let found = changed(&rod, |steps| add(&mut steps[16].v[1], 0.25));
    let momentum = named(&found, 17, MotionLaw::Momentum, "coordinate y");
    assert!(
        (momentum.amount.to_f64() - 0.25).abs() < 1e-9 && momentum.unit == "N s",
        "{momentum}"
    );
    named(&found, 17, MotionLaw::State, "coordinate y");
    named(&found, 18, MotionLaw::Momentum, "coordinate y");
    // The step at which the rod is first pressed, and what its loss is called.
    let pressed = |line: &Line| {
        line.contacts
            .iter()
            .position(|own| own.normal.to_f64() > 0.0)
    };
    let k = rod
        .steps
        .iter()
        .position(|line| pressed(line).is_some())
        .unwrap();
    let contact = pressed(&rod.steps[k]).unwrap();
    let name = rod.steps[k].contacts[contact].pair.clone();
    let impulse = rod.steps[k].contacts[contact].normal.to_f64();
    let step = k as u64 + 1;
    let place = format!("contact {name}");
    let found = changed(&rod, |steps| {
        let own = &mut steps[k].contacts[contact];
        own.normal = Quantity::binary64(0.0);
        own.friction
            .iter_mut()
            .for_each(|own| *own = Quantity::binary64(0.0));
    });
    let missing = named(&found, step, MotionLaw::Momentum, "coordinate y");
    assert!(
        missing.words.contains("N s more along the normal"),
        "{missing}"
    );
    assert!(
        missing
            .words
            .contains(&format!("of {place} would account for it")),
        "{missing}"
    );
    assert!(
        (missing.amount.to_f64() - impulse).abs() < 1e-9,
        "{missing} {impulse}"
    );
    // Energy from nowhere: a free flight that goes on faster.
    let found = changed(&rod, |steps| {
        for own in &mut steps[4..8] {
            add(&mut own.v[1], -0.5);
        }
    });
    let gain = named(&found, 5, MotionLaw::EnergyGain, "coordinate y");
    assert!(gain.amount > 0 && gain.unit == "J", "{gain}");
    // Recorded numbers that nothing depends on.
    let found = changed(&rod, |steps| add(&mut steps[9].energy.kinetic, 1e-9));
    named(&found, 10, MotionLaw::EnergyIdentity, "kinetic energy");
    let found = changed(&rod, |steps| add(&mut steps[9].contacts[0].gap, 1e-9));
    named(
        &found,
        10,
        MotionLaw::Data,
        &format!("contact {}", rod.steps[9].contacts[0].pair),
    );
    let found = changed(&rod, |steps| add(&mut steps[9].t, 1e-9));
    named(&found, 10, MotionLaw::Data, "time");
}

/// A push that is too strong by itself: momentum balances, the cone and the gap do not hold.
#[test]
fn a_contact_that_gives_energy_is_named_with_its_joules() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let ball = run("bouncing-ball", &[], 120, &*exact);
    let k = ball
        .steps
        .iter()
        .position(|line| line.contacts[0].normal.to_f64() > 0.0)
        .unwrap();
    let h = ball.header.h.to_f64();
    let found = changed(&ball, |steps| {
        // The impulse is a half more, and the motion follows it.
        let more = steps[k].contacts[0].normal.to_f64() / 2.0;
        add(&mut steps[k].contacts[0].normal, more);
        let index = steps[k].v.len() - 1;
        add(&mut steps[k].v[index], more);
        add(&mut steps[k].q[index], more * h);
    });
    let place = format!("contact {}", ball.steps[k].contacts[0].pair);
    let step = k as u64 + 1;
    let gain = found
        .iter()
        .find(|own| own.step == step && own.term == MotionLaw::EnergyGain);
    let gain = gain.unwrap_or_else(|| panic!("{found:?}"));
    assert!(gain.place == place && gain.amount > 0, "{gain}");
    named(&found, step, MotionLaw::Complementarity, &place);
}

#[test]
fn friction_outside_of_its_cone_and_friction_that_drives_are_named() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let slide = run("incline", &[("mu", "1/2")], 30, &*exact);
    // At the end it slides.
    let k = slide.steps.len() - 1;
    let (step, place) = (
        k as u64 + 1,
        format!("contact {}", slide.steps[k].contacts[0].pair),
    );
    let found = changed(&slide, |steps| {
        let own = &mut steps[k].contacts[0].friction[0];
        *own = Quantity::binary64(own.to_f64() * 1.01);
    });
    named(&found, step, MotionLaw::Cone, &place);
    let found = changed(&slide, |steps| {
        let own = &mut steps[k].contacts[0].friction[0];
        *own = Quantity::binary64(own.to_f64() * 0.5);
    });
    named(&found, step, MotionLaw::Dissipation, &place);
    let found = changed(&slide, |steps| {
        let own = &mut steps[k].contacts[0].friction[0];
        *own = Quantity::binary64(-own.to_f64());
    });
    assert!(
        found
            .iter()
            .any(|own| own.step == step && own.term == MotionLaw::EnergyGain && own.place == place),
        "{found:?}"
    );
}

/// Each number of each step, changed by a thousandth of itself, or by a thousandth where it is 0.
#[test]
fn no_number_of_a_step_can_be_changed_unseen() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let slide = run("incline", &[("mu", "1/2")], 30, &*exact);
    let by = |own: &Quantity| (own.to_f64() * 1e-3).abs().max(1e-3);
    for k in 0..slide.steps.len() {
        let own = &slide.steps[k];
        let (q, contact) = (own.q.len(), &own.contacts[0]);
        for i in 0..q {
            assert!(
                !changed(&slide, |steps| {
                    let by = by(&own.q[i]);
                    add(&mut steps[k].q[i], by)
                })
                .is_empty(),
                "q {k} {i}"
            );
            assert!(
                !changed(&slide, |steps| {
                    let by = by(&own.v[i]);
                    add(&mut steps[k].v[i], by)
                })
                .is_empty(),
                "v {k} {i}"
            );
        }
        assert!(
            !changed(&slide, |steps| {
                let by = by(&contact.normal);
                add(&mut steps[k].contacts[0].normal, by)
            })
            .is_empty(),
            "{k}"
        );
        assert!(
            !changed(&slide, |steps| {
                let by = by(&contact.gap);
                add(&mut steps[k].contacts[0].gap, by)
            })
            .is_empty(),
            "{k}"
        );
        for i in 0..contact.friction.len() {
            assert!(
                !changed(&slide, |steps| {
                    let by = by(&contact.friction[i]);
                    add(&mut steps[k].contacts[0].friction[i], by)
                })
                .is_empty(),
                "{k}"
            );
        }
        assert!(
            !changed(&slide, |steps| {
                let by = by(&own.dissipated);
                add(&mut steps[k].dissipated, by)
            })
            .is_empty(),
            "{k}"
        );
    }
}

#[test]
fn what_cannot_be_judged_says_so_with_line_and_field() {
    let exact = ExactMethod::Lemke.solver(&Budget::default());
    let slide = run("incline", &[], 6, &*exact);
    let told = |change: fn(&mut Trajectory)| {
        let mut own = slide.clone();
        change(&mut own);
        judge_motion(&own, None, &Rational::new())
            .unwrap_err()
            .to_string()
    };
    type Change = fn(&mut Trajectory);
    let cases: [(Change, &str); 11] = [
        (
            |own| own.header.arithmetic = None,
            "incline:1: the header: the field \"arithmetic\" is missing",
        ),
        (
            |own| own.header.scenario = "inclin".to_owned(),
            "incline:1: the header: ",
        ),
        (
            |own| own.header.h = Quantity::binary64(0.5),
            "the field \"h\" is 0.5, and the parameters say",
        ),
        (
            |own| own.header.formulation = Some("contact-forces".to_owned()),
            "the field \"formulation\" is \"contact-forces\", and incline is no world of the planar engine",
        ),
        (
            |own| own.header.formulation = Some("moreau-jean".to_owned()),
            "the field \"formulation\" is \"moreau-jean\", and the scene incline has \"stewart-trinkle\"",
        ),
        (
            |own| own.header.coordinates.truncate(1),
            "the field \"coordinates\" is \"x\", and the scene incline has \"x, y\"",
        ),
        (
            |own| own.steps[2].q.truncate(1),
            "incline:4: the field \"q\" has 1 numbers",
        ),
        (
            |own| own.steps[2].v[0] = Quantity::None,
            "incline:4: the field \"v[0]\" is no number",
        ),
        (
            |own| drop(own.steps.remove(2)),
            "incline:4: the field \"k\" is 4, and this is step 3",
        ),
        (
            |own| own.steps[2].contacts.clear(),
            "incline:4: the field \"contacts\" has 0 entries",
        ),
        (
            |own| own.steps[2].contacts[0].pair = "x".to_owned(),
            "incline:4: the field \"contacts[0].pair\" is \"x\"",
        ),
    ];
    for (change, expected) in cases {
        let why = told(change);
        assert!(why.contains(expected), "{why}, not {expected}");
    }
}

#[test]
fn in_closed_loop_the_energy_that_a_solver_gains_is_named() {
    let wrong = driven_too_hard("trajectories/bouncing-ball.jsonl");
    let gain = wrong.worst_gain().unwrap();
    assert!(
        gain.amount > 1 && gain.place == "contact ball/floor",
        "{gain}"
    );
    assert!(!wrong.failures.is_empty());
    assert!(wrong.json()["breaches"][0]["unit"].is_string());
}
