//! Level A: intervals contain the distances of an independent prototype, faults are found, and the bound is never below
//! the true distance.

mod common;

use common::{changed, facts, step, steps, verdict};
use etalon_engines::step::Form;
use etalon_engines::{By, Distance, Finding, Flag, Level, Step, StepJudge, StepVerdict, Word};
use serde_json::json;

fn full() -> StepJudge {
    StepJudge {
        full: true,
        ..StepJudge::default()
    }
}

fn distance(verdict: &StepVerdict) -> &Distance {
    match &verdict.finding {
        Finding::Distance(own) => own,
        other => panic!("{}: {other:?}", verdict.name),
    }
}

#[test]
fn intervals_contain_the_distances_of_the_facts() {
    for (step, fact) in steps("mujoco").iter().zip(facts("mujoco")) {
        assert_eq!(fact["name"], step.name.as_str());
        let own = verdict(step, Level::A, full());
        let found = distance(&own);
        let ends = fact["distance_interval"].as_array().unwrap();
        let (lower, upper) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
        println!("{} {} {:?} fact [{lower:e}, {upper:e}] bound {} by {:?} pair {:?} {:?}", step.name, own.word.word(), found.relative, fact["certified_upper"], found.by, found.pair, own.flags);
        // Both are proved to hold the distance, up to the prototype's own rounding.
        assert!(found.relative.lower <= upper * (1.0 + 1e-9) + 1e-15, "{}: {found:?}", step.name);
        assert!(found.relative.upper >= lower * (1.0 - 1e-9) - 1e-15, "{}: {found:?}", step.name);
        assert!(found.relative.upper - found.relative.lower <= 1e-8 * (1.0 + upper));
    }
}

#[test]
fn words_are_those_of_the_distances() {
    for (step, fact) in steps("mujoco").iter().zip(facts("mujoco")) {
        let is_off = fact["distance"].as_f64().unwrap() > 1e-5;
        let own = verdict(step, Level::A, StepJudge::default());
        println!("{} {} {:?}", step.name, own.line(), own.flags);
        assert_eq!(own.word.is_wrong(), is_off, "{}", own.line());
        assert_eq!(own.word.is_right(), !is_off, "{}", own.line());
        if step.name.contains("newton") {
            assert!(own.word.is_right());
        }
    }
}
