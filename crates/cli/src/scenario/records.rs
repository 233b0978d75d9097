//! Scenarios and runs, for machines. The answers themselves are in [`etalon_scenarios::json`].

use etalon_scenarios::json::answer;
use etalon_scenarios::{Answer, Parameter};
use serde_json::{Value, json};

use super::listed::Listed;
use super::subject::Subject;

/// All scenarios with their parameters.
pub fn list(scenarios: &[Listed]) -> String {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default,
            "unit": parameter.unit,
            "meaning": parameter.meaning,
            "range": parameter.range.to_string(),
        })
    };
    let one = |scenario: &Listed| {
        json!({
            "name": scenario.name,
            "description": scenario.description,
            "source": scenario.source,
            "trajectory": scenario.moves,
            "parameters": scenario.parameters.iter().map(|p| parameter(p)).collect::<Vec<_>>(),
        })
    };
    json!({ "scenarios": scenarios.iter().map(one).collect::<Vec<_>>() }).to_string()
}

/// A run: the problem as its record, and the answer.
pub fn run(subject: &Subject, answer: &Answer) -> String {
    let record = etalon_lcp::record::write_problem(&subject.problem);
    let mut fields = subject.fields.clone();
    fields.extend(subject.law_field(subject.law()));
    let record = serde_json::from_str::<Value>(&record).unwrap_or_default();
    fields.insert("problem".to_owned(), record);
    fields.insert("answer".to_owned(), self::answer(answer));
    Value::Object(fields).to_string()
}
