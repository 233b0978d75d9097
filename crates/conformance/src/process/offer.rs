//! The first line of a solver that says what it can do, before it is asked.

use serde_json::Value;

use crate::capability::Capabilities;

/// The format's name.
const FORMAT: &str = "etalon-solver/1";

/// What a line offers: `{"format": "etalon-solver/1", "can": ["boxes", "n<=30"]}`. `None` where the line
/// is no offer; an error where it is one that cannot be read.
pub fn read(line: &str) -> Option<Result<Capabilities, String>> {
    // A claim may be long, and this is short.
    if !line.contains(FORMAT) {
        return None;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str(line) else {
        return None;
    };
    if fields.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return None;
    }
    let words = match fields.get("can") {
        Some(Value::Array(words)) => words.iter().map(Value::as_str).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    Some(match words {
        Some(words) => (words.join(",").parse()).map_err(|error| format!("can: {error}")),
        None => Err(r#"can: it must be a list of words, such as ["boxes", "friction"]"#.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_says_what_a_solver_can_do() {
        let can = |list: &str| {
            read(&format!(
                r#"{{"format": "etalon-solver/1", "can": {list}}}"#
            ))
        };
        assert_eq!(
            can(r#"["boxes", "n<=30"]"#),
            Some(Ok("boxes,n<=30".parse().unwrap()))
        );
        assert_eq!(can("[]"), Some(Ok(Capabilities::pure())));
        for wrong in [r#""boxes""#, "[1]", "null", r#"["boxs"]"#] {
            assert!(matches!(can(wrong), Some(Err(_))), "{wrong}");
        }
        for other in [
            "",
            "nonsense etalon-solver/1",
            r#"{"name": "etalon-solver/1"}"#,
            "[]",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
