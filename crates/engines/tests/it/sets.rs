//! Generalised steps without R: friction that a normal force bounds, and velocities that are declared.

use crate::common::verdict;
use etalon_engines::{
    EngineStep, Laws, Level, LevelFinding, StepJudge, StepVerdict, Word, read_step, write_step,
};
use serde_json::{Value, json};

/// A point of 1 kg with weight 8 N slides on the ground for 1/64 s: f_n = 8, and friction in a pyramid of four directions with mu = 1/2. It turns
/// about the normal, too, against a moment of at most f_n / 4.
fn point() -> Value {
    json!({"name": "point", "h": 0.015625, "M": {"shape": [4, 4], "entries": [[0, 0, 1], [1, 1, 1], [2, 2, 1], [3, 3, 1]]},
        "force": [0, 0, -8, 0],
        "J": {"shape": [6, 4], "entries": [[0, 2, 1], [1, 0, 1], [2, 1, 1], [3, 0, -1], [4, 1, -1], [5, 3, 1]]},
        "target": [0, 0, 0, 0, 0, 0],
        "sets": [{"kind": "nonnegative", "rows": [0]}, {"kind": "pyramid", "rows": [1, 5], "mu": 0.5, "normal": 0},
            {"kind": "disc", "first": 5, "mu": [0.25], "normal": 0}],
        "answer": {"force": [8, 0, 0, 4, 0, -2]},
        "v0": [1, 0.25, 0, 1], "v1": [0.9375, 0.25, 0, 0.96875]})
}

fn step(change: impl Fn(&mut Value)) -> EngineStep {
    let mut own = point();
    change(&mut own);
    read_step(&own.to_string()).unwrap().record
}

fn judged(change: impl Fn(&mut Value)) -> StepVerdict {
    verdict(&step(change), Level::B, StepJudge::default())
}

fn laws(found: &StepVerdict) -> &Laws {
    match &found.finding {
        LevelFinding::Laws(laws) => laws,
        other => unreachable!("{other:?}"),
    }
}

fn says(change: impl Fn(&mut Value), reason: &str) {
    let found = judged(change);
    let told = found.reason.unwrap_or_default();
    assert_eq!(found.word, Word::Off, "{told}");
    assert!(told.starts_with(reason), "{told}");
}

#[test]
fn friction_in_a_pyramid_and_against_turning_is_exact_and_its_faults_are_named() {
    let exact = judged(|_| {});
    assert_eq!(
        (exact.word, exact.law.as_deref()),
        (Word::Exact, Some("its sets"))
    );
    assert_eq!(laws(&exact).direction.as_ref().unwrap().value, 0);
    // More than mu f_n, with what it does.
    says(
        |own| {
            own["answer"]["force"][3] = json!(5);
            own["v1"][0] = json!("59/64");
        },
        "cone: contact 0: its friction is outside",
    );
    // A direction that pulls.
    says(
        |own| {
            own["answer"]["force"] = json!([8, -1, 0, 3, 0, -2]);
        },
        "cone: contact 0",
    );
    // Less than it may.
    says(
        |own| {
            own["answer"]["force"][3] = json!(2);
            own["v1"][0] = json!("31/32");
        },
        "direction: contact 0: friction does not oppose",
    );
    // Along the second axis, across the fastest slip.
    says(
        |own| {
            own["answer"]["force"] = json!([8, 0, 0, 0, 4, -2]);
            own["v1"] = json!([1, 0.1875, 0, 0.96875]);
        },
        "direction: contact 0",
    );
    says(
        |own| {
            own["answer"]["force"][5] = json!(-3);
            own["v1"][3] = json!("61/64");
        },
        "cone: contact 0",
    );
    says(
        |own| own["v1"][3] = json!(0.9375),
        "balance: velocities 3 to 3",
    );
}

#[test]
fn without_mu_no_weight_is_admitted() {
    says(|own| own["sets"][1]["mu"] = json!(0), "cone: contact 0");
    let smooth = judged(|own| {
        own["sets"][1]["mu"] = json!(0);
        own["answer"]["force"][3] = json!(0);
        own["v1"][0] = json!(1);
    });
    assert_eq!(smooth.word, Word::Exact, "{:?}", smooth.reason);
}

#[test]
fn a_target_without_r_is_the_velocity_of_what_presses() {
    // 2 m/s^2 for 1/64 s from rest.
    let rises = |force: f64| {
        move |own: &mut Value| {
            own["target"][0] = json!(2);
            own["answer"]["force"] = json!([force, 0, 0, 4, 0, -2]);
            own["v1"][2] = json!((force - 8.0) / 64.0);
        }
    };
    // Friction of mu times the weight alone, so that it is less than it may be: only the gap is asked here.
    let gap = |force: f64| laws(&judged(rises(force))).gap.clone().unwrap().value;
    assert_eq!(gap(10.0), 0);
    assert!(gap(10.5) > 0);
    // With R the acceleration is not the target.
    let soft = judged(|own| own["R"] = json!([1, 1, 1, 1, 1, 1]));
    assert_eq!(laws(&soft).gap, None);
}

/// The ground rises at 1 m/s under the point, and its weight slows that to 1/2 within the step.
fn slowed(change: impl Fn(&mut Value)) -> StepVerdict {
    judged(|own| {
        own["sets"] = json!([{"kind": "nonnegative", "rows": [0]}]);
        own["J"] = json!({"shape": [1, 4], "entries": [[0, 2, 1]]});
        own["target"] = json!([-32]);
        own["force"] = json!([0, 0, -64, 0]);
        own["answer"] = json!({"force": [32]});
        (own["v0"], own["v1"]) = (json!([0, 0, 1, 0]), json!([0, 0, 0.5, 0]));
        change(own);
    })
}

#[test]
fn energy_is_created_where_both_accounts_say_so() {
    // The declared target allows 32 N / 64 s at 1/2 m/s.
    let allowed = slowed(|_| {});
    assert_eq!(allowed.word, Word::Exact, "{:?}", allowed.reason);
    // In the mean of the step the contact works, at its end it rests: an implicit step loses energy so.
    let stops = slowed(|own| {
        own["target"] = json!([-64]);
        own["force"][2] = json!(-96);
        own["v1"][2] = json!(0);
    });
    assert_eq!(stops.word, Word::Exact, "{:?}", stops.reason);
    assert!(*laws(&stops).work.as_ref().unwrap() > 0);
    // Friction that drives the slip does so in both accounts.
    let driven = judged(|own| {
        own["answer"]["force"] = json!([8, 4, 0, 0, 0, -2]);
        own["v1"][0] = json!(1.0625);
    });
    assert!(laws(&driven).energy.as_ref().unwrap().value > 0);
}

#[test]
fn noise_at_rest_is_no_law_broken() {
    // Speeds of a rounding error beside what the weight adds in the step.
    let rest = judged(|own| {
        own["answer"]["force"] = json!([8, 0, 0, 0, 0, 0]);
        own["target"] = Value::Null;
        (own["v0"], own["v1"]) = (json!([1e-17, 0, 1e-17, 0]), json!([1e-17, 0, 1e-17, 0]));
    });
    assert_eq!(rest.word, Word::Exact, "{:?}", rest.reason);
    // A millionth of the speed is no rounding.
    let lifts = judged(|own| {
        own["answer"]["force"] = json!(["64001/8000", 0, 0, 0, 0, 0]);
        own["target"] = Value::Null;
        (own["v0"], own["v1"]) = (json!([0, 0, "1/1000000", 0]), json!([0, 0, "1/1000000", 0]));
        own["v1"][2] = json!("1/1000000");
        own["force"][2] = json!("-64001/8000");
    });
    assert!(laws(&lifts).energy.as_ref().unwrap().value > 0, "{lifts:?}");
}

#[test]
fn sets_are_written_as_they_are_read_and_their_faults_are_named() {
    let own = step(|_| {});
    assert_eq!(read_step(&write_step(&own)).unwrap().record, own);
    let refused = |change: fn(&mut Value)| {
        let mut own = point();
        change(&mut own);
        read_step(&own.to_string()).unwrap_err().to_string()
    };
    let cases = [
        (
            refused(|own| own["sets"][1]["normal"] = json!(3)),
            "sets[1].normal: row 3, of sets[1], is neither nonnegative nor the first of a cone",
        ),
        (
            refused(|own| own["sets"][2]["normal"] = json!(1)),
            "sets[2].normal: row 1, of sets[1], is neither",
        ),
        (
            // The first in the record is told, not the one whose rows come first.
            refused(|own| {
                own["sets"][1]["normal"] = json!(9);
                own["sets"][2]["normal"] = json!(1);
                own["sets"].as_array_mut().unwrap().swap(1, 2);
            }),
            "sets[1].normal: row 1, of sets[2], is neither",
        ),
        (
            refused(|own| own["sets"][1]["normal"] = json!(9)),
            "sets[1].normal: row 9 must be below 6, the rows of J",
        ),
        (
            refused(|own| own["sets"][1]["rows"] = json!([1, 2, 3, 4])),
            "sets[1].rows: 4 numbers; a range [from, to) has two, the first row and the one after the last",
        ),
        (
            refused(|own| own["sets"][1]["rows"] = json!([1])),
            "sets[1].rows: 1 numbers; a range",
        ),
        (
            refused(|own| own["sets"][1]["rows"] = json!([1, 6])),
            "sets[2]: row 5 is in sets[1], too; each row is in one set",
        ),
        (
            refused(|own| own["sets"][0]["rows"] = json!([0, 0])),
            "sets[0]: row 0 is named twice",
        ),
        (
            refused(|own| own["sets"][0]["rows"] = json!([0, 6])),
            "sets[0].rows[1]: row 6 must be below 6, the rows of J",
        ),
        (
            refused(|own| own["sets"][1]["rows"] = json!([1, 4])),
            "sets: row 4 is in no set",
        ),
        (
            refused(|own| {
                own["sets"][1] =
                    json!({"kind": "box", "rows": [1, 2, 3, 4], "bound": [1, 1, -1, 1]});
            }),
            "sets[1].bound[2]: -1 is negative",
        ),
        (
            refused(|own| own["J"]["shape"] = json!([6, 4, 1])),
            "J: a list has more entries than belong there",
        ),
        (
            refused(|own| own["sets"][1]["mu"] = json!(-1)),
            "sets[1].mu: -1 is negative",
        ),
        (
            refused(|own| own["sets"][1]["rows"] = json!([2, 2])),
            "sets[1].rows: a pyramid has a row",
        ),
        (
            refused(|own| own["sets"][1]["kind"] = json!("cylinder")),
            "is none of equality, box, nonnegative, cone, disc, pyramid",
        ),
        (
            refused(|own| own["sets"][2]["normal"] = Value::Null),
            "sets[2].bound",
        ),
    ];
    for (found, why) in cases {
        assert!(found.contains(why), "{found}");
    }
}

#[test]
fn level_a_has_no_theorem_for_friction_that_a_normal_force_bounds() {
    let own = step(|own| {
        own["R"] = json!([1, 1, 1, 1, 1, 1]);
        own["answer"]["acceleration"] = json!([0, 0, 0, 0]);
    });
    let found = verdict(&own, Level::A, StepJudge::default());
    assert_eq!(found.word, Word::NotJudged);
    assert!(found.reason.unwrap().contains("no convex problem"));
}
