//! Lines as text, and where two of them differ.

use serde::Serialize;
use serde_json::{Value, json};

/// The fields of headers and steps that come first, in the order of the format.
const ORDER: &[&str] = &[
    "format",
    "scenario",
    "parameters",
    "h",
    "k",
    "t",
    "q",
    "v",
    "contacts",
    "lcp",
    "energy",
    "dissipated",
];

/// A header or a step as its line, without the end of line: the format's fields in its order, then
/// the others by name.
pub fn line_text(line: &impl Serialize) -> String {
    let line = value(line);
    let Value::Object(fields) = &line else {
        return line.to_string();
    };
    let first = ORDER.iter().filter_map(|name| fields.get_key_value(*name));
    let others = fields
        .iter()
        .filter(|(name, _)| !ORDER.contains(&name.as_str()));
    let entry = |(name, value): (&String, &Value)| format!("{}:{value}", json!(name));
    let entries: Vec<_> = first.chain(others).map(entry).collect();
    format!("{{{}}}", entries.join(","))
}

/// Where a stored line and the same line made anew differ: each place with both values, empty where
/// they say the same. Numbers are compared as they stand, not to a tolerance.
pub fn differences<T: Serialize>(stored: &T, own: &T) -> Vec<String> {
    let mut found = Vec::new();
    compare("", &value(stored), &value(own), &mut found);
    found
}

/// A line has names for keys, and all of its values can be written.
fn value(line: &impl Serialize) -> Value {
    serde_json::to_value(line).unwrap_or_default()
}

fn compare(place: &str, stored: &Value, own: &Value, found: &mut Vec<String>) {
    let below = |name: &str| match place {
        "" => name.to_owned(),
        _ => format!("{place}.{name}"),
    };
    match (stored, own) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(other) => compare(&below(name), value, other, found),
                    None => found.push(format!("{} is not a field of the line", below(name))),
                }
            }
            let missing = b.keys().filter(|name| !a.contains_key(*name));
            found.extend(missing.map(|name| format!("{} is missing", below(name))));
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (value, other)) in a.iter().zip(b).enumerate() {
                compare(&format!("{place}[{i}]"), value, other, found);
            }
        }
        _ if stored == own => {}
        _ => found.push(format!("{place} is {stored}, but comes out as {own}")),
    }
}
