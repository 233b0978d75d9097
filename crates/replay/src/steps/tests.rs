//! What may stand in a golden verdict, and what may not.

use etalon_engines::read_step;
use serde_json::json;

use etalon_engines::{Explanation, StatesQuestion};

use super::*;

fn drake() -> EngineStep {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../golden/engines/drake.jsonl"
    );
    let text = std::fs::read_to_string(file).unwrap();
    read_step(text.trim_end()).unwrap().record
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
