//! Scenarios and runs, for machines. The answers themselves are in [`etalon_scenarios::json`].

use etalon_scenarios::Answer;
use etalon_scenarios::json::answer;
use serde_json::Value;

use super::subject::Subject;

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
