//! Scenarios and runs, for machines. The answers themselves are in [`etalon_scenarios::json`].

use etalon_scenarios::ScenarioAnswer;
use etalon_scenarios::json::answer;
use serde_json::Value;

use super::input::SceneInput;

/// A run: the problem as its record, and the answer.
pub fn run(input: &SceneInput, answer: &ScenarioAnswer) -> String {
    let record = etalon_lcp::record::write_problem(&input.problem);
    let mut fields = input.fields.clone();
    fields.extend(input.law_field(input.law()));
    let record = serde_json::from_str::<Value>(&record).unwrap_or_default();
    fields.insert("problem".to_owned(), record);
    fields.insert("answer".to_owned(), self::answer(answer));
    Value::Object(fields).to_string()
}
