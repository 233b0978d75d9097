//! Fields of golden verdicts on steps of engines.

use etalon_engines::read_step;
use etalon_replay::steps::JudgedAgain;
use serde_json::Value;

use super::edits::{Unnoticed, edits};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/engines");

/// A file with the verdicts beside it, and the names of steps of each kind in it.
const CHOSEN: [(&str, &[&str]); 2] = [
    (
        "mujoco",
        &["pgs-apex/4.0.0", "pgs-connect/4.0.0", "unfelt/4.0.0"],
    ),
    ("drake", &["drake slide/1"]),
];

fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_field_of_a_golden_verdict_on_a_step_is_checked() {
    let mut unnoticed = Unnoticed::new(&[]);
    for (file, names) in CHOSEN {
        let steps = lines(&format!("{file}.jsonl"));
        let stored = lines(&format!("{file}.verdicts.jsonl"));
        for name in names {
            let step = steps.iter().map(|line| read_step(line).unwrap().record);
            let step = step.into_iter().find(|own| own.name == *name).unwrap();
            let values = stored
                .iter()
                .map(|line| serde_json::from_str(line).unwrap());
            let right: Vec<Value> = values.filter(|own: &Value| own["name"] == *name).collect();
            let own = JudgedAgain::of(&step);
            assert_eq!(own.findings(&right), [], "{name}");
            for k in 0..right.len() {
                for edit in edits(&right[k]) {
                    let mut forged = right.clone();
                    forged[k] = edit.record.clone();
                    unnoticed.count(&edit, name, !own.findings(&forged).is_empty());
                }
            }
        }
    }
    unnoticed.check();
    assert!(unnoticed.tried > 150, "{}", unnoticed.tried);
}
