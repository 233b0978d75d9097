//! Level A with friction at given normal forces: boxes and discs, which need no R.

use crate::common::verdict;
use etalon_engines::{Distance, EngineStep, Level, LevelFinding, StepJudge, StepVerdict, Word};
use proptest::prelude::*;
use serde_json::{Value, json};

fn step(own: &Value) -> EngineStep {
    etalon_engines::read_step(&own.to_string()).unwrap().record
}

fn judged(own: &Value, full: bool) -> (StepVerdict, Distance) {
    let judge = StepJudge {
        full,
        ..StepJudge::default()
    };
    let verdict = verdict(&step(own), Level::A, judge);
    match verdict.finding.clone() {
        LevelFinding::Distance(found) => (verdict, *found),
        other => panic!("{}: {other:?}", verdict.line()),
    }
}

/// A point of 1 kg that is pushed with (3, 4) N on a floor that gives friction up to a bound, mu = 1.
fn point(bound: f64, motion: [f64; 2], force: [f64; 2]) -> Value {
    json!({"name": "point", "h": 0.01, "M": [[1, 0], [0, 1]], "force": [3, 4], "J": [[1, 0], [0, 1]], "R": [0, 0],
        "target": [0, 0], "sets": [{"kind": "disc", "first": 0, "mu": [1, 1], "bound": bound}],
        "answer": {"acceleration": motion, "force": force}})
}

#[test]
fn friction_at_a_given_normal_force_needs_no_r() {
    // It sticks up to 5 N; beyond that friction opposes the push, a = q (1 - bound / 5).
    let (sticks, _) = judged(&point(6.0, [0.0, 0.0], [-3.0, -4.0]), false);
    assert_eq!(sticks.word, Word::Exact, "{}", sticks.line());
    let (slides, found) = judged(&point(2.5, [1.5, 2.0], [-1.5, -2.0]), false);
    assert!(slides.word.is_right(), "{}", slides.line());
    assert_eq!(found.relative.upper, 0.0);
    // The same motion with friction along one axis only is off by what is missing: |(1.5, 2) - (0.5, 4)| / 5.
    let (off, found) = judged(&point(2.5, [0.5, 4.0], [-2.5, 0.0]), false);
    assert_eq!(off.word, Word::Off);
    let distance = 5_f64.sqrt() / 5.0;
    assert!(
        found.relative.lower <= distance && distance <= found.relative.upper,
        "{found:?}"
    );
    assert!(found.relative.upper - found.relative.lower < 1e-7);
}

#[test]
fn only_bounded_rows_may_lack_r() {
    let fault = |change: &dyn Fn(&mut Value)| {
        let mut own = point(1.0, [0.0, 0.0], [0.0, 0.0]);
        change(&mut own);
        etalon_engines::read_step(&own.to_string())
            .unwrap_err()
            .to_string()
    };
    let plain = fault(&|own| own["sets"] = json!([{"kind": "nonnegative", "rows": [0, 1]}]));
    assert!(plain.contains("R[0]: 0 must be positive"), "{plain}");
    let negative = fault(&|own| own["R"][1] = json!(-1));
    assert!(negative.contains("R[1]: -1 is negative"), "{negative}");
    let bound = fault(&|own| own["sets"][0]["bound"] = json!(-1));
    assert!(bound.contains("sets[0].bound: -1 is negative"), "{bound}");
    let long = fault(&|own| own["sets"][0]["mu"] = json!([1, 1, 1]));
    assert!(long.contains("sets[0].first: its rows end at 3"), "{long}");
}

/// Redundant friction: three rows in a disc, one in a box, three velocities.
fn random() -> impl Strategy<Value = Value> {
    let number = || (-32..=32_i32).prop_map(|own| f64::from(own) / 8.0);
    let vector = move |n| proptest::collection::vec(number(), n);
    let mu = (1..=12_i32).prop_map(|own| f64::from(own) / 8.0);
    (
        vector(9),
        vector(12),
        vector(3),
        vector(4),
        vector(3),
        mu,
        0..8_i32,
    )
        .prop_map(|(root, j, force, target, motion, mu, bound)| {
            let entry = |i: usize, k: usize| {
                let product: f64 = (0..3).map(|l| root[3 * i + l] * root[3 * k + l]).sum();
                product + f64::from(u8::from(i == k))
            };
            let m: Vec<Vec<f64>> = (0..3)
                .map(|i| (0..3).map(|k| entry(i, k)).collect())
                .collect();
            let rows: Vec<&[f64]> = j.chunks(3).collect();
            json!({"name": "random", "h": 0.01, "M": m, "force": force, "J": rows, "R": [0, 0, 0, 0], "target": target,
            "sets": [{"kind": "disc", "first": 0, "mu": [mu, mu / 2.0, 1], "bound": bound}, {"kind": "box", "row": 3, "bound": 1.5}],
            "answer": {"acceleration": motion, "force": [0, 0, 0, 0]}})
        })
}

/// Whether the interval is narrow, so that the reference is near the solution.
fn is_found(own: &Value) -> Result<(), String> {
    let (_, found) = judged(own, true);
    let width = found.relative.upper - found.relative.lower;
    if width <= 1e-6 * found.relative.upper.max(1e-2) {
        return Ok(());
    }
    Err(format!("{found:?} {own}"))
}

/// A row that sticks: costs of neighbouring motions differ by less than their rounding, so a line search stops early.
#[test]
fn rounding_of_the_cost_stops_no_newton_step() {
    let own = json!({"name": "sticks", "h": 0.01,
        "M": [[12.578125, -8.15625, -0.1875], [-8.15625, 14.953125, 8.78125], [-0.1875, 8.78125, 10.125]],
        "force": [-0.375, 0.5, -1.125],
        "J": [[0, 0, 0], [0, 0, 0], [0, 0, 0.125], [1.875, -4, -1.75]], "R": [0, 0, 0, 0], "target": [0, 0, 0, -1.75],
        "sets": [{"kind": "disc", "first": 0, "mu": [0.125, 0.0625, 1], "bound": 0}, {"kind": "box", "row": 3, "bound": 1.5}],
        "answer": {"acceleration": [0, 0.25, -0.5], "force": [0, 0, 0, 0]}});
    is_found(&own).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_motion_is_found_whatever_the_answer(own in random()) {
        let found = is_found(&own);
        prop_assert!(found.is_ok(), "{found:?}");
    }
}
