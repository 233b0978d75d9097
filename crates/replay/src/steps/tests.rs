//! What may stand in a golden verdict, and what may not.

use etalon_engines::read_step;
use serde_json::json;

use etalon_engines::{Explanation, StatesQuestion};

use super::*;

fn first_of(file: &str) -> EngineStep {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/engines");
    let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    read_step(text.lines().next().unwrap()).unwrap().record
}

fn drake() -> EngineStep {
    first_of("drake.jsonl")
}

fn values(lines: &[String]) -> Vec<Value> {
    let lines = lines.iter();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn fields(own: &JudgedAgain<'_>, stored: &[Value]) -> Vec<String> {
    let found = own.findings(stored).into_iter();
    found
        .map(|own| format!("{} {}", own.verdict, own.field))
        .collect()
}

#[test]
fn another_certificate_may_stand_there_if_it_proves_the_same() {
    let step = drake();
    let own = JudgedAgain::of(&step);
    let lines = own.lines(&[]);
    let right = values(&lines);
    assert_eq!(own.findings(&right), []);
    assert_eq!(right[1]["verdict"], "inexplicable");
    // Twice the same motion proves the same.
    let mut twice = right.clone();
    twice[1]["certificate"] = json!(["1", "0", "1/2", "0", "0", "0"]);
    assert_eq!(own.findings(&twice), []);
    let kept: Vec<_> = twice.iter().map(Value::to_string).collect();
    let kept: Vec<_> = kept.iter().map(String::as_str).collect();
    assert_eq!(own.lines(&kept), kept);
    // What is stated is what it proves, and no more.
    twice[1]["eps"] = json!([0.5, 0.6]);
    assert_eq!(fields(&own, &twice), ["1 eps"]);
    // Straight ahead friction may work against it, so nothing is proved; upwards less is.
    let mut other = right.clone();
    other[1]["certificate"] = json!(["1", "0", "0", "0", "0", "0"]);
    assert_eq!(fields(&own, &other), ["1 certificate"]);
    other[1]["certificate"] = json!(["1", "0", "1", "0", "0", "0"]);
    assert_eq!(fields(&own, &other), ["1 eps"]);
    // A weaker proof that says what it proves is weaker all the same.
    let weaker = Explanation::of_json(&other[1]).unwrap();
    let proved = StatesQuestion::of(&step, &StepJudge::default())
        .unwrap()
        .proved(&weaker)
        .unwrap();
    assert!(proved.lower > 0.1, "{proved:?}");
    other[1]["eps"] = json!([proved.lower, proved.upper]);
    assert_eq!(fields(&own, &other), ["1 eps"]);
    // Lists of another length are no proofs, and no panics.
    other[1]["certificate"] = json!(["1"]);
    assert_eq!(fields(&own, &other), ["1 certificate"]);
    let mut other = right;
    other[1]["impulse"] = json!([[], []]);
    assert_eq!(fields(&own, &other), ["1 impulse"]);
    other[1]["impulse"] = json!([1]);
    assert_eq!(fields(&own, &other), ["1 impulse"]);
}

/// Another machine's reference solution differs in the last digits, and the reason repeats them.
#[test]
fn intervals_about_a_reference_may_differ_a_little_and_stay_intervals() {
    let step = first_of("mujoco.jsonl");
    let own = JudgedAgain::of(&step);
    let right = values(&own.lines(&[]));
    let [lower, upper] = [0, 1].map(|k| right[0]["distance"][k].as_f64().unwrap());
    let reason = right[0]["reason"].as_str().unwrap();
    let with = |lower: f64, upper: f64, said: f64| {
        let mut other = right.clone();
        other[0]["distance"] = json!([lower, upper]);
        let own_lower = right[0]["distance"][0].to_string();
        assert!(reason.contains(&own_lower), "{reason}");
        other[0]["reason"] = json!(reason.replace(&own_lower, &said.to_string()));
        other
    };
    let near = lower * (1.0 - 1e-9);
    assert_eq!(own.findings(&with(near, upper, near)), []);
    assert_eq!(fields(&own, &with(near, upper, 1.01 * lower)), ["0 reason"]);
    // An interval whose ends have changed places, one beside the other, and texts for numbers.
    let above = upper * (1.0 + 1e-9);
    assert_eq!(fields(&own, &with(above, upper, lower)), ["0 distance"]);
    let far = upper * (1.0 + 2e-9);
    assert_eq!(fields(&own, &with(above, far, lower)), ["0 distance"]);
    let mut texts = right.clone();
    texts[0]["distance"] = json!([lower.to_string(), upper.to_string()]);
    assert_eq!(fields(&own, &texts), ["0 distance"]);
    let step = drake();
    let own = JudgedAgain::of(&step);
    let mut texts = values(&own.lines(&[]));
    let ends = [0, 1].map(|k| texts[1]["eps"][k].to_string());
    texts[1]["eps"] = json!(ends);
    assert_eq!(fields(&own, &texts), ["1 eps"]);
}

#[test]
fn the_number_of_verdicts_is_told() {
    let step = drake();
    let own = JudgedAgain::of(&step);
    let mut stored = values(&own.lines(&[]));
    assert_eq!(stored.len(), 3);
    stored.pop();
    assert_eq!(fields(&own, &stored), ["3 verdict"]);
    stored.clear();
    let found = own.findings(&stored);
    assert_eq!(found[0].reason, "there are 0 verdicts where 3 belong");
}
