//! Level B: what is asked of rows that are no contacts, and that bodies which nothing connects are not measured by each other.

use crate::common::verdict;
use etalon_engines::{Level, StepJudge, StepVerdict, Word, read_step};
use serde_json::{Value, json};

fn judged(own: &Value) -> StepVerdict {
    let step = read_step(&own.to_string()).unwrap().record;
    verdict(&step, Level::B, StepJudge::default())
}

fn is_off(own: &Value, reason: &str) {
    let found = judged(own);
    let told = found.reason.unwrap_or_default();
    assert_eq!(found.word, Word::Off, "{told}");
    assert!(told.starts_with(reason), "{told}");
}

/// A mass of 1 kg with one row, for 1/64 s.
fn row(set: &Value, weight: f64, force: f64, speeds: [f64; 2]) -> Value {
    json!({"name": "row", "h": 0.015625, "M": [[1]], "force": [weight], "J": [[1]], "target": [0], "sets": [set],
        "answer": {"force": [force]}, "v0": [speeds[0]], "v1": [speeds[1]]})
}

#[test]
fn a_joint_that_comes_apart_is_named() {
    let joint = json!({"kind": "equality", "rows": [0, 1]});
    assert_eq!(
        judged(&row(&joint, -8.0, 8.0, [0.0, 0.0])).word,
        Word::Exact
    );
    is_off(
        &row(&joint, -8.0, 0.0, [0.0, -0.125]),
        "gap: row 0: its velocity is not the declared target",
    );
    // With R the target is that of a soft row, and no velocity is declared.
    let mut soft = row(&joint, -8.0, 0.0, [0.0, -0.125]);
    soft["R"] = json!([1]);
    assert_eq!(judged(&soft).word, Word::Exact);
}

#[test]
fn a_drive_and_friction_over_their_bounds_are_named() {
    let sets = [
        json!({"kind": "box", "row": 0, "bound": 1}),
        json!({"kind": "disc", "first": 0, "mu": [0.5], "bound": 2}),
    ];
    for set in sets {
        let within = row(&set, 0.0, 1.0, [0.0, 0.015625]);
        assert_eq!(judged(&within).word, Word::Exact);
        is_off(
            &row(&set, 0.0, -1.5, [0.0, -0.0234375]),
            "cone: row 0: its force is over the bound",
        );
    }
}

#[test]
fn torsion_that_drives_the_spin_is_named() {
    let spun = |torsion: f64, spin: f64| {
        json!({"name": "spun", "h": 0.015625, "M": [[1, 0], [0, 1]], "force": [0, 0], "J": [[1, 0], [0, 1]], "target": [64, 0],
            "sets": [{"kind": "nonnegative", "rows": [0]}, {"kind": "disc", "first": 1, "mu": [0.25], "normal": 0}],
            "answer": {"force": [64, torsion]}, "v0": [-1, 1], "v1": [0, spin]})
    };
    assert_eq!(judged(&spun(-16.0, 0.75)).word, Word::Exact);
    is_off(&spun(16.0, 1.25), "direction: contact 0");
    // Less than it may.
    is_off(&spun(-8.0, 0.875), "direction: contact 0");
}

/// Two bodies of 1 kg, each with a contact on the ground, that nothing connects.
fn two(impulses: [f64; 2], before: [[f64; 3]; 2], after: [[f64; 3]; 2]) -> Value {
    let ground = |body: usize| {
        json!({"bodies": [body, -1], "point": [5 * body, 0, 0], "normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]], "mu": 0.5,
            "impulse": [impulses[body], 0, 0]})
    };
    let body = |k: usize| {
        let v = |own: [f64; 3]| json!([own[0], own[1], own[2], 0, 0, 0]);
        json!({"mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "com": [5 * k, 0, 1], "force": [0, 0, 0, 0, 0, 0],
            "v0": v(before[k]), "v1": v(after[k])})
    };
    json!({"name": "two", "h": 0.015625, "model": "hard", "dimension": 3, "law": "coulomb", "bodies": [body(0), body(1)],
        "contacts": [ground(0), ground(1)]})
}

#[test]
fn what_one_body_loses_pays_for_nothing_that_another_gains() {
    let still = [0.0; 3];
    let thrown = two(
        [2.0, 8.0],
        [still, [0.0, 0.0, -8.0]],
        [[0.0, 0.0, 2.0], still],
    );
    is_off(&thrown, "energy: the impulses of contact 0");
    // A joint between both makes them one account.
    let mut joined = thrown;
    joined["joints"] = json!([{"J": [[1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0]], "impulse": [0]}]);
    assert_eq!(judged(&joined).word, Word::Exact);
}

#[test]
fn a_fast_body_far_away_makes_no_fault_small() {
    let fast = [1e6, 0.0, 0.0];
    let thrown = two([2.0, 0.0], [[0.0; 3], fast], [[0.0, 0.0, 2.0], fast]);
    is_off(&thrown, "energy: the impulses of contact 0");
    // Nor is an approach against a declared target small beside it.
    let mut dropped = two(
        [0.0, 0.0],
        [[0.0, 0.0, -1.0], fast],
        [[0.0, 0.0, -1.0], fast],
    );
    dropped["contacts"][0]["target"] = json!(0);
    is_off(&dropped, "gap: contact 0");
}

#[test]
fn a_large_impulse_far_away_makes_no_pull_small() {
    let mut own = two(
        [-1e-6, 1.0],
        [[0.0, 0.0, 1e-6], [0.0, 0.0, -1.0]],
        [[0.0; 3], [0.0; 3]],
    );
    own["bodies"][0]["v1"][2] = json!(1e-6 - 1e-6);
    is_off(&own, "cone: contact 0: its normal impulse pulls");
}

#[test]
fn a_disc_has_one_bound() {
    let both = row(
        &json!({"kind": "disc", "first": 0, "mu": [1], "bound": 1, "normal": 0}),
        0.0,
        0.0,
        [0.0, 0.0],
    );
    let error = read_step(&both.to_string()).unwrap_err().to_string();
    assert!(
        error.contains("sets[0].bound: the forces of a disc are at most"),
        "{error}"
    );
}
