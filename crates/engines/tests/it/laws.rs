//! Level B: on real steps its figures are those of an independent prototype, and injected faults are named.

use crate::common::{changed, facts, laws, step, steps, verdict};
use etalon_engines::{Level, StepJudge, Word};
use serde_json::{Value, json};

const ENGINES: [&str; 4] = ["box2d", "rapier", "pybullet", "dart"];

fn close(own: f64, fact: &Value, noise: f64) -> bool {
    (own - fact.as_f64().unwrap()).abs() <= noise
}

#[test]
fn balance_cone_and_work_are_those_of_the_facts() {
    for engine in ENGINES {
        for (step, fact) in steps(engine).iter().zip(facts(engine)) {
            assert_eq!(fact["name"], step.name.as_str());
            let fact = &fact["impulses"];
            if step.name.starts_with("simplified") {
                // Its friction is not reported: the prototype took it as 0.
                assert_eq!(laws(step).balance, None);
                continue;
            }
            let own = laws(step);
            let balance = own.balance.unwrap().value.to_f64();
            // The prototype computed in binary64.
            assert!(
                close(balance, &fact["balance"], 1.2e-16),
                "{}: {balance:e}",
                step.name
            );
            let cone = own.cone.unwrap().value.to_f64();
            assert!(close(cone, &fact["cone"], 1e-15), "{}: {cone:e}", step.name);
            let work = own.work.unwrap().to_f64();
            assert!(
                close(work, &fact["contact_work"], 1e-15),
                "{}: {work:e}",
                step.name
            );
        }
    }
}

#[test]
fn directions_are_those_of_the_facts() {
    let mut largest: f64 = 0.0;
    for engine in ENGINES {
        for (step, fact) in steps(engine).iter().zip(facts(engine)) {
            // The prototype took the circle. Of the simplified model friction is not reported.
            let circle = changed(step, |step| step["law"] = json!("coulomb"));
            let Some(own) = laws(&circle).direction else {
                continue;
            };
            let (own, fact) = (own.value.to_f64(), &fact["impulses"]["dissipation_defect"]);
            largest = largest.max(own);
            // The prototype divides by a largest speed of its own.
            let noise = 0.12 * fact.as_f64().unwrap() + 1e-15;
            assert!(close(own, fact, noise), "{}: {own:e} {fact}", step.name);
        }
    }
    assert!(largest > 0.02, "{largest}");
}

#[test]
fn balance_is_within_the_rounding_of_the_engine() {
    let units =
        |name: &str, at: &str, u: f64| laws(&step(name, at)).balance.unwrap().value.to_f64() / u;
    let (f32, f64) = (2f64.powi(-24), 2f64.powi(-53));
    for own in steps("pybullet").iter().chain(&steps("dart")) {
        let balance = laws(own).balance.unwrap().value.to_f64();
        assert!(balance <= 16.0 * f64, "{}: {balance:e}", own.name);
    }
    for at in ["box slides/0", "box slides/10"] {
        assert!(units("box2d", at, f32) <= 32.0);
    }
}

#[test]
fn faults_of_engines_are_found_by_name() {
    let judge = StepJudge::default;
    let dart = verdict(&step("dart", "dart diagonal slide/1"), Level::B, judge());
    assert_eq!(dart.word, Word::Off);
    assert!(dart.reason.unwrap().starts_with("cone: contact 0:"));
    // Four points slide alike, and their friction points in four directions.
    let rapier = laws(&step("rapier", "box slides diagonally/0"));
    let direction = rapier.direction.unwrap().value.to_f64();
    assert!((0.015..0.025).contains(&direction), "{direction}");
}

fn slide() -> etalon_engines::EngineStep {
    step("box2d", "box slides/0")
}

fn reason(step: &etalon_engines::EngineStep) -> String {
    let verdict = verdict(step, Level::B, StepJudge::default());
    assert_eq!(verdict.word, Word::Off, "{verdict:?}");
    verdict.reason.unwrap()
}

#[test]
fn injected_faults_are_named() {
    assert!(
        verdict(&slide(), Level::B, StepJudge::default())
            .word
            .is_right()
    );
    let tampered = changed(&slide(), |step| step["bodies"][0]["v1"][1] = json!(0.01));
    assert!(reason(&tampered).starts_with("balance: translation of body 0"));
    let spun = changed(&slide(), |step| step["bodies"][0]["v1"][2] = json!(0.01));
    assert!(reason(&spun).starts_with("balance: rotation of body 0"));
    let missing = changed(&slide(), |step| {
        step["contacts"][1]["impulse"] = json!([0, 0])
    });
    assert!(reason(&missing).starts_with("balance:"));
    let pulls = changed(&slide(), |step| {
        step["contacts"][0]["impulse"][0] = json!(-0.01);
    });
    let pulls = verdict(&pulls, Level::B, StepJudge::default());
    assert!(pulls.reason.unwrap().starts_with("balance:"));
}

/// A ball of 1 kg on the ground at rest, h = 1/64.
fn rest(change: impl Fn(&mut Value)) -> etalon_engines::EngineStep {
    let mut own = json!({"name": "rest", "h": 0.015625, "dimension": 3, "law": "coulomb", "model": "hard",
        "bodies": [{"mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "com": [0, 0, 1],
            "v0": [0, 0, 0, 0, 0, 0], "v1": [0, 0, 0, 0, 0, 0], "force": [0, 0, -8, 0, 0, 0]}],
        "contacts": [{"bodies": [0, -1], "point": [0, 0, 0], "normal": [0, 0, 1],
            "tangents": [[1, 0, 0], [0, 1, 0]], "mu": 0.5, "target": 0, "impulse": [0.125, 0, 0]}]});
    change(&mut own);
    etalon_engines::read_step(&own.to_string()).unwrap().record
}

#[test]
fn a_ball_at_rest_is_exact_and_wrong_conventions_have_their_remedy() {
    let exact = verdict(&rest(|_| {}), Level::B, StepJudge::default());
    assert_eq!((exact.word, exact.reason), (Word::Exact, None));
    let says = |step: &etalon_engines::EngineStep, remedy: &str| {
        let reason = reason(step);
        assert!(reason.contains(remedy), "{reason}");
    };
    says(
        &rest(|own| own["contacts"][0]["impulse"][0] = json!(-0.125)),
        "the other sign: `normal` must push the first body",
    );
    says(
        &rest(|own| own["contacts"][0]["bodies"] = json!([-1, 0])),
        "swap the two bodies",
    );
    says(
        &rest(|own| own["contacts"][0]["impulse"][0] = json!(8)),
        "multiply them by h",
    );
    says(
        &rest(|own| {
            own["bodies"][0]["v0"][2] = json!(-0.25);
            own["bodies"][0]["v1"][2] = json!(-0.5);
            own["contacts"][0]["impulse"][0] = json!(0.375);
            own["contacts"][0]["target"] = json!(null);
        }),
        "v0 and v1 are exchanged",
    );
}

#[test]
fn each_law_is_off_by_its_own_name() {
    // Friction with the slip: momentum balances, the energy grows.
    let pushed = rest(|own| {
        own["bodies"][0]["v0"] = json!([1, 0, 0, 0, 0, 0]);
        own["bodies"][0]["v1"] = json!([1.0625, 0, 0, 0, 0.0625, 0]);
        own["bodies"][0]["v1"][4] = json!(-0.0625);
        own["contacts"][0]["impulse"] = json!([0.125, 0.0625, 0]);
    });
    let judged = verdict(&pushed, Level::B, StepJudge::default());
    assert!(
        judged
            .reason
            .unwrap()
            .starts_with("direction: contact 0: friction does not oppose")
    );
    let energy = laws(&pushed).energy.unwrap();
    assert!(
        energy.value > 0 && energy.place.contains("create"),
        "{energy:?}"
    );
    // A target that is not reached.
    let early = rest(|own| own["contacts"][0]["target"] = json!(0.5));
    assert!(reason(&early).starts_with("gap: contact 0"));
    // Thrown up by its contact.
    let thrown = rest(|own| {
        own["bodies"][0]["v1"][2] = json!(1);
        own["contacts"][0]["impulse"][0] = json!(1.125);
        own["contacts"][0]["target"] = json!(null);
    });
    assert!(reason(&thrown).starts_with("energy: the contact impulses create"));
}

#[test]
fn the_law_that_is_judged_is_the_declared_one_and_may_be_chosen() {
    // Within the square, outside of the circle.
    let corner = |law: &str| {
        rest(|own| {
            own["law"] = json!(law);
            own["bodies"][0]["v1"] = json!([0.05, 0.05, 0, -0.05, 0.05, 0]);
            own["bodies"][0]["v0"] = json!([0, 0, 0, 0, 0, 0]);
            own["contacts"][0]["impulse"] = json!([0.125, 0.05, 0.05]);
        })
    };
    let own = laws(&corner("pyramid"));
    assert_eq!(own.axes.unwrap().value, 0);
    assert!(own.cone.unwrap().value > 0.05);
    let judge = StepJudge {
        law: Some(etalon_engines::step::FrictionLaw::Coulomb),
        ..StepJudge::default()
    };
    let circle = verdict(&corner("pyramid"), Level::B, judge);
    assert_eq!(circle.law.as_deref(), Some("coulomb, hard"));
}

#[test]
fn a_declared_error_is_allowed_for() {
    let own = step("rapier", "box slides diagonally/2");
    assert!(reason(&own).starts_with("balance: rotation"));
    let declared = changed(&own, |step| step["declared_error"] = json!("1e-1"));
    assert!(
        verdict(&declared, Level::B, StepJudge::default())
            .word
            .is_right()
    );
}

#[test]
fn action_and_reaction_may_act_at_two_points() {
    let own = step("pybullet", "pybullet box slides/5");
    let named = changed(&own, |step| {
        let contact = &mut step["contacts"][0];
        contact["point_b"] = contact["point"].clone();
        contact["point"] = json!([9, 9, 9]);
    });
    assert_eq!(laws(&named).balance, laws(&own).balance);
    // With one point for both the torque of friction is off.
    let one = changed(&own, |step| step["contacts"][0]["point_a"] = json!(null));
    assert!(reason(&one).starts_with("balance: rotation of body 0: "));
}

#[test]
fn a_torque_that_cancels_is_known_to_the_rounding_of_its_products() {
    // The lever (3, 3) and the force (1, 1) / 8 have no torque, and 1e-17 of spin is the rounding of 3/8.
    let spun = |spin: f64| {
        rest(|own| {
            own["bodies"][0]["com"] = json!([3, 3, 1]);
            own["bodies"][0]["force"] = json!([0, 0, 0, 0, 0, 0]);
            own["bodies"][0]["v0"] = json!([-0.125, -0.125, 0, 0, 0, 0]);
            own["bodies"][0]["v1"] = json!([0, 0, 0, 0, 0, spin]);
            own["contacts"][0] = json!({"bodies": [0, -1], "point": [0, 0, 1], "normal": [1, 1, 0],
                "tangents": [[1, -1, 0], [0, 0, 1]], "mu": 0, "impulse": [0.125, 0, 0]});
        })
    };
    let judged = |spin: f64| verdict(&spun(spin), Level::B, StepJudge::default());
    let rounding = judged(1e-17);
    assert_eq!(rounding.word, Word::Accepted, "{:?}", rounding.reason);
    assert_eq!(laws(&spun(1e-17)).balance.unwrap().value, 1);
    assert!(reason(&spun(1e-14)).starts_with("balance: rotation of body 0"));
}
