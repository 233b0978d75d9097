//! The real steps of `tests/cases/engines`, with the figures of an independent prototype.

use etalon_engines::{EngineStep, StepJudge, StepVerdict, judge_step, read_step};
use etalon_engines::{Laws, Level, LevelFinding};
use serde_json::Value;

pub const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/engines");

pub fn steps(engine: &str) -> Vec<EngineStep> {
    let text = std::fs::read_to_string(format!("{CASES}/{engine}_steps.jsonl")).unwrap();
    let lines = text.lines();
    lines.map(|line| read_step(line).unwrap().record).collect()
}

pub fn step(engine: &str, name: &str) -> EngineStep {
    let mut all = steps(engine).into_iter();
    all.find(|step| step.name == name).unwrap()
}

pub fn facts(engine: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{CASES}/{engine}_steps.facts.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The verdict of one level.
pub fn verdict(step: &EngineStep, level: Level, judge: StepJudge) -> StepVerdict {
    let judge = StepJudge {
        levels: vec![level],
        ..judge
    };
    let mut verdicts = judge_step(step, &judge);
    assert_eq!(verdicts.len(), 1, "{}", step.name);
    verdicts.remove(0)
}

pub fn laws(step: &EngineStep) -> Laws {
    match verdict(step, Level::B, StepJudge::default()).finding {
        LevelFinding::Laws(laws) => *laws,
        other => panic!("{}: {other:?}", step.name),
    }
}

/// A step that is changed as JSON.
pub fn changed(step: &EngineStep, change: impl Fn(&mut Value)) -> EngineStep {
    let mut value: Value = serde_json::from_str(&etalon_engines::write_step(step)).unwrap();
    change(&mut value);
    read_step(&value.to_string()).unwrap().record
}
