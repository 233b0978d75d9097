//! Where a problem comes from, in words.

use serde_json::Value;

/// What is said first of a source: what a reader looks up. The other fields follow in the order of the record.
const FIRST: [&str; 8] = [
    "paper", "report", "issue", "repo", "path", "function", "commit", "licence",
];

/// Characters of a field; whole matrices of logged data are left to --json.
const LONG: usize = 240;

/// The source: as it is where it is text, else a line for each field, as deep as there are fields in fields.
pub fn source(source: &Value) -> String {
    let mut lines = Vec::new();
    tell(source, 1, &mut lines);
    match source {
        Value::Object(_) => format!("\n{}", lines.join("\n")),
        _ => lines.join(" "),
    }
}

fn tell(value: &Value, depth: usize, lines: &mut Vec<String>) {
    let Value::Object(fields) = value else {
        return lines.push(phrase(value));
    };
    let first = FIRST.iter().filter_map(|name| fields.get_key_value(*name));
    let others = fields
        .iter()
        .filter(|(name, _)| !FIRST.contains(&name.as_str()));
    for (name, value) in first.chain(others) {
        let name = format!("{}{}", "  ".repeat(depth), name.replace('_', " "));
        // A field whose own fields are plain is told in one line.
        let fits = Some(phrase(value)).filter(|phrase| is_flat(value) && phrase.len() <= LONG);
        match (value, fits) {
            (Value::Object(_), None) => {
                lines.push(format!("{name}:"));
                tell(value, depth + 1, lines);
            }
            (_, Some(phrase)) => lines.push(format!("{name}: {phrase}")),
            (_, None) => lines.push(format!("{name}: {}", cut(&phrase(value)))),
        }
    }
}

/// Whether there are no fields in fields.
fn is_flat(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().all(|value| !value.is_object()),
        _ => true,
    }
}

/// The value without the signs of JSON: lists in parentheses, fields as "name value".
fn phrase(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let values: Vec<_> = values.iter().map(phrase).collect();
            format!("({})", values.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields: Vec<_> = fields
                .map(|(name, value)| format!("{} {}", name.replace('_', " "), phrase(value)))
                .collect();
            fields.join(", ")
        }
    }
}

fn cut(text: &str) -> String {
    let start: String = text.chars().take(LONG).collect();
    if start.len() == text.len() {
        return start;
    }
    format!("{start} ...")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_source_is_told_without_the_signs_of_json() {
        assert_eq!(source(&json!("a paper")), "a paper");
        let told = source(&json!({
            "runs": {"lemke_d_ones": {"pivots": 4096, "status": "solved"}, "dantzig": {"status": "failed"}},
            "licence": "MIT",
            "W": [["1/2", 0], [0, true]],
            "state": {"v": [1, "2"]},
            "paper": "Murty 1988",
        }));
        let expected = "
  paper: Murty 1988
  licence: MIT
  W: ((1/2, 0), (0, yes))
  runs:
    dantzig: status failed
    lemke d ones: pivots 4096, status solved
  state: v (1, 2)";
        assert_eq!(told, expected);
        let long = source(&json!({"W": vec![7; 500]}));
        assert!(long.len() < LONG + 20 && long.ends_with(" ..."), "{long}");
    }
}
