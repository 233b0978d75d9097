//! Exact runs are taken again with the solver that made them, and what bounces gained is named.

#![allow(clippy::unwrap_used)]

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::Trajectory;
use etalon_golden::trajectory::line_text;
use etalon_judge::Judge;
use etalon_replay::judged::{JudgedMotion, judge_motion};
use etalon_replay::trajectories::Replay;
use etalon_replay::{Trial, replay_step};
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use rug::Rational;

fn run(scenario: &str, set: &[(&str, &str)], steps: u64, method: ExactMethod) -> Trajectory {
    let solver = method.solver(&Budget::default());
    let instance = find(scenario).unwrap().motion_instance(set.iter().copied());
    let instance = instance.unwrap();
    let run = instance.trajectory(Arithmetics::Exact, &*solver, Some(steps));
    let mut run = run.unwrap();
    let mut texts = vec![line_text(&run.header())];
    for _ in 0..steps {
        texts.push(line_text(&run.advance().unwrap()));
    }
    Trajectory::of(scenario, texts).unwrap()
}

/// All that does not hold of a trajectory.
fn verified(stored: &Trajectory) -> Vec<String> {
    let replay = Replay::new(stored).unwrap();
    let steps = (1..=replay.len()).flat_map(|k| replay.step(k));
    replay.header().into_iter().chain(steps).collect()
}

fn with_header(stored: &Trajectory, from: &str, to: &str) -> Trajectory {
    let mut texts = stored.texts.clone();
    assert!(texts[0].contains(from), "{}", texts[0]);
    texts[0] = texts[0].replace(from, to);
    Trajectory::of(&stored.file, texts).unwrap()
}

fn judged(stored: &Trajectory) -> JudgedMotion {
    judge_motion(stored, None, &Rational::new()).unwrap()
}

/// Boxes on a plane can share their weight in many ways, and friction that sticks has many weights.
#[test]
fn steps_are_taken_again_with_the_solver_of_the_header() {
    let cases = [
        ("box-stack", &[("boxes", "1")][..], ExactMethod::Certified),
        (
            "box-stack",
            &[("boxes", "1"), ("mu", "0")],
            ExactMethod::Enumerate,
        ),
        ("rod", &[("h", "0.02")], ExactMethod::Certified),
        ("incline", &[], ExactMethod::Enumerate),
    ];
    for (scenario, set, method) in cases {
        let stored = run(scenario, set, 2, method);
        assert_eq!(
            verified(&stored),
            Vec::<String>::new(),
            "{scenario} {method}"
        );
    }
    // Lemke's method ends in another basis.
    let stored = run("incline", &[], 1, ExactMethod::Enumerate);
    let found = verified(&with_header(&stored, "enumerate", "exact-lemke"));
    let other = |own: &String| own.contains("lcp.basis is ");
    assert!(found.iter().any(other), "{found:?}");
}

#[test]
fn a_solver_that_nobody_has_is_named() {
    let stored = run("incline", &[], 1, ExactMethod::Lemke);
    let found = verified(&with_header(&stored, "exact-lemke", "fast-auto"));
    let expected = "solver is \"fast-auto\", but comes out as \"exact-lemke\"";
    assert!(found.iter().any(|own| own.contains(expected)), "{found:?}");
}

/// A rod that lands on one end gains energy by Newton's law: 0.79388 J of 0.68 J.
#[test]
fn bounces_that_gain_energy_are_named_and_are_no_breach() {
    let set = [("g", "0"), ("impact", "newton")];
    let strike = run("rod-strike", &set, 1, ExactMethod::Lemke);
    let gained = judged(&strike);
    assert!(gained.breaches.is_empty(), "{:?}", gained.breaches);
    let [(1, own)] = &gained.bounce_gains[..] else {
        unreachable!("{:?}", gained.bounce_gains);
    };
    let taken = strike.steps[0].dissipation.as_ref().unwrap();
    let all = taken["numerical"].to_f64() + taken["position"].to_f64();
    assert!(
        all < -0.1 && (own.energy.to_f64() + all).abs() < 1e-12,
        "{all} {own:?}"
    );
    assert_eq!(own.contacts, [strike.steps[0].contacts[0].pair.clone()]);
    let poisson = [("g", "0"), ("impact", "poisson")];
    let none = judged(&run("rod-strike", &poisson, 1, ExactMethod::Lemke));
    assert!(none.bounce_gains.is_empty() && none.breaches.is_empty());
}

/// A contact that is said to bounce has restitution, and parts as its law says.
#[test]
fn a_bounce_that_is_none_is_named() {
    let told = |scenario: &str, k: usize| {
        let stored = run(scenario, &[], 3, ExactMethod::Lemke);
        let contact = &stored.steps[0].contacts[0].pair;
        let mut texts = stored.texts.clone();
        let bounces = format!("{{\"bounces\":[\"{contact}\"],");
        texts[k] = texts[k].replacen('{', &bounces, 1);
        let forged = Trajectory::of(scenario, texts).unwrap();
        match judge_motion(&forged, None, &Rational::new()) {
            Ok(own) => own.breaches.iter().map(ToString::to_string).collect(),
            Err(why) => why.to_string(),
        }
    };
    let slide = told("incline", 1);
    assert!(
        slide.contains("which has no restitution in the scene"),
        "{slide}"
    );
    let ball: String = told("bouncing-ball", 3);
    assert!(
        ball.contains("contact ball/floor: complementarity"),
        "{ball}"
    );
}

/// The line of another step is not asked about.
#[test]
fn replay_asks_the_number_of_each_line() {
    let mut stored = run("incline", &[], 2, ExactMethod::Lemke);
    stored.steps[1].k = 3;
    let replay = Replay::new(&stored).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let trial = Trial {
        solver: &*solver,
        exact: true,
        judge: Judge::default(),
    };
    assert!(replay_step(&replay, 1, &trial).is_ok());
    let why = replay_step(&replay, 2, &trial).unwrap_err();
    assert!(
        why.contains("the field \"k\" is 3, and this is step 2"),
        "{why}"
    );
}
