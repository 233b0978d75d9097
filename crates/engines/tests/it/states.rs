//! Level C: on real steps both ends are those of an independent prototype, and proofs can be checked by hand.

use crate::common::{changed, facts, step, steps, verdict};
use etalon_engines::step::FrictionLaw;
use etalon_engines::{EngineStep, Explanation, Level, LevelFinding, StepJudge, Word};
use serde_json::json;

fn circle() -> StepJudge {
    StepJudge {
        law: Some(FrictionLaw::Coulomb),
        ..StepJudge::default()
    }
}

fn judged(step: &EngineStep, judge: StepJudge) -> (Word, Explanation) {
    let own = verdict(step, Level::C, judge);
    match own.finding {
        LevelFinding::Explanation(found) => (own.word, *found),
        other => panic!("{}: {other:?}", step.name),
    }
}

/// Etalon refines the prototype's sixteen directions, so its interval is within the prototype's.
#[test]
fn intervals_are_within_those_of_the_facts() {
    for engine in ["box2d", "rapier", "pybullet", "dart"] {
        for (step, fact) in steps(engine).iter().zip(facts(engine)) {
            let (word, own) = judged(step, circle());
            let fact = &fact["states_only_cone"];
            let (inner, outer) = (
                fact["inner"].as_f64().unwrap(),
                fact["outer"].as_f64().unwrap(),
            );
            assert!(
                own.eps.lower <= inner + 1e-7,
                "{}: {:?}",
                step.name,
                own.eps
            );
            assert!(
                own.eps.upper >= outer * (1.0 - 1e-12),
                "{}: {:?}",
                step.name,
                own.eps
            );
            let expected = if engine == "dart" {
                Word::Inexplicable
            } else {
                Word::Explained
            };
            if !step.name.starts_with("simplified") {
                assert_eq!(word, expected, "{}: {:?}", step.name, own.eps);
            }
        }
    }
}

#[test]
fn a_sliding_box_betrays_its_friction_by_its_states() {
    let slip = || StepJudge {
        slip: true,
        ..circle()
    };
    for (step, fact) in steps("dart").iter().zip(facts("dart")) {
        let (word, own) = judged(step, slip());
        let fact = fact["states_only_coulomb"]["outer"].as_f64().unwrap();
        assert_eq!(word, Word::Inexplicable);
        assert!((own.eps.lower - fact).abs() < 1e-14, "{:?} {fact}", own.eps);
    }
    let (word, own) = judged(&step("rapier", "box slides diagonally/2"), slip());
    assert_eq!(word, Word::Inexplicable);
    assert!((5e-4..5e-3).contains(&own.eps.lower), "{:?}", own.eps);
    let (word, own) = judged(&step("pybullet", "pybullet ball/5"), slip());
    assert_eq!(word, Word::Explained, "{:?}", own.eps);
}

/// A ball of 1 kg that slides at 2 m/s on the ground, h = 1/64, mu = 1/2: it may lose 1/16 m/s.
fn slide(lost: f64) -> EngineStep {
    let own = json!({"name": "slide", "h": 0.015625, "dimension": 3, "law": "coulomb", "model": "hard",
        "bodies": [{"mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "com": [0, 0, 0],
            "v0": [2, 0, 0, 0, 0, 0], "v1": [2.0 - lost, 0, 0, 0, 0, 0], "force": [0, 0, -8, 0, 0, 0]}],
        "contacts": [{"bodies": [0, -1], "point": [0, 0, 0], "normal": [0, 0, 1],
            "tangents": [[1, 0, 0], [0, 1, 0]], "mu": 0.5}]});
    etalon_engines::read_step(&own.to_string()).unwrap().record
}

#[test]
fn a_box_that_stops_at_once_has_a_test_motion_as_proof() {
    assert_eq!(judged(&slide(0.0625), circle()).0, Word::Explained);
    let (word, own) = judged(&slide(1.0), circle());
    assert_eq!(word, Word::Inexplicable);
    // y = (1, 0, 1/2) up to its length: no impulse of the cone works against it, and the change does.
    let y = own.certificate.unwrap();
    assert_eq!(y[1], 0);
    assert_eq!(y[2].clone() * 2u32, y[0]);
    // Less than the full friction is for level B: the cone alone does not ask for it.
    assert_eq!(judged(&slide(0.0), circle()).0, Word::Explained);
    let slip = StepJudge {
        slip: true,
        ..circle()
    };
    assert_eq!(judged(&slide(0.0), slip).0, Word::Inexplicable);
}

#[test]
fn glue_and_pushes_from_nowhere_have_no_explanation() {
    let own =
        |change: fn(&mut serde_json::Value)| judged(&changed(&slide(0.0625), change), circle()).0;
    // Held back by its contact while it is pulled up.
    assert_eq!(
        own(|step| step["bodies"][0]["force"][2] = json!(8)),
        Word::Inexplicable
    );
    assert_eq!(
        own(|step| step["bodies"][0]["v1"][4] = json!(0.5)),
        Word::Inexplicable
    );
    assert_eq!(own(|step| step["contacts"] = json!([])), Word::Inexplicable);
    // A joint explains what it ties.
    let tied = |step: &mut serde_json::Value| {
        step["contacts"] = json!([]);
        step["joints"] = json!([{"J": [[0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]]}]);
    };
    assert_eq!(own(tied), Word::Explained);
    assert_eq!(
        own(|step| step["bodies"][0]["asleep"] = json!(true)),
        Word::Explained
    );
}

#[test]
fn a_slip_between_sticking_and_sliding_is_not_judged_by_coulomb() {
    let slow = changed(&slide(0.0625), |step| {
        step["bodies"][0]["v1"][0] = json!(0.001)
    });
    let slip = StepJudge {
        slip: true,
        ..circle()
    };
    let own = verdict(&slow, Level::C, slip);
    assert_eq!(own.word, Word::NotJudged);
    assert!(own.reason.unwrap().contains("neither sticking nor sliding"));
}
