//! What a JSON parser says, in the words of JSON; and what other projects call the fields of a record.

/// That a missing field is there by the name that other projects give it, as the end of a sentence; nothing where it is not.
pub fn other_name<'a>(
    name: &'a str,
    fields: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) -> String {
    let find = |wanted: &'a str| {
        let mut fields = fields.clone();
        let (field, _) = fields.find(|(field, raw)| meant_by(field, raw) == Some(wanted))?;
        Some((field, wanted))
    };
    // Where nothing is there for M, what is there for q is said: who writes Q has M under another name, too.
    let other = find(name).or_else(|| find("q").filter(|_| name == "M"));
    other.map_or_else(String::new, |(field, name)| match field {
        // A right side has the other sign, w = Az - b; Baraff's b has the same, a = Af + b.
        "b" | "B" | "rhs" if name == "q" => {
            format!("; {field:?} is there: {name} is {field} if w = Mz + {field}, and -{field} if w = Mz - {field}")
        }
        _ => format!("; {field:?} is there, which this format calls {name:?} (w = Mz + q)"),
    })
}

/// What this format calls a field that has this name in other projects' files: Baraff's and ODE's A, b, lo and hi, the bounds of
/// optimisation codes, and slips of case.
pub fn field_meant(other: &str) -> Option<&'static str> {
    Some(match other {
        "m" | "A" | "a" => "M",
        "Q" | "b" | "B" | "c" | "rhs" => "q",
        "lo" | "low" | "lb" | "l" | "Lower" => "lower",
        "hi" | "high" | "ub" | "u" | "Upper" => "upper",
        "mu" | "findex" => "friction",
        "id" | "title" | "Name" => "name",
        "Z" | "x" | "f" | "lambda" | "solution" => "z",
        "Status" | "result" => "status",
        _ => return None,
    })
}

/// The same by what the field holds: Q and B are vectors for some, and matrices for others.
fn meant_by(other: &str, raw: &str) -> Option<&'static str> {
    let inner = raw.trim_start().strip_prefix('[').map(str::trim_start);
    let is_matrix = raw.starts_with('{') || inner.is_some_and(|inner| inner.starts_with('['));
    match field_meant(other) {
        Some("q") if is_matrix => Some("M"),
        meant => meant,
    }
}

/// What the parser says of text after a value, and of a list that is longer than what it is read into.
const TRAILING: &str = "trailing characters";

/// What the parser says of half a surrogate pair in a string: of a first half before another character, and of any other half.
const HALF_A_PAIR: [&str; 2] = [
    "unexpected end of hex escape",
    "lone leading surrogate in hex escape",
];

/// Whether the parser found text after a value that is whole.
pub(super) fn is_trailing(error: &serde_json::Error) -> bool {
    without_position(&error.to_string()) == TRAILING
}

/// As [`plain_words`], of a value that is known to be one: a field of an object that was parsed.
pub fn plain_words_of_value(error: &serde_json::Error) -> String {
    if without_position(&error.to_string()) == TRAILING {
        return "a list has more entries than belong there".to_owned();
    }
    plain_words(error)
}

/// What an error of `serde_json` says, without the types of Rust ("expected usize", "struct Cone") and without the position, which counts
/// from the start of the field that was parsed and so would mislead.
pub fn plain_words(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = without_position(&message);
    if message == TRAILING {
        return "there is more text after the end of the record; a line holds one record"
            .to_owned();
    }
    if HALF_A_PAIR.contains(&message) {
        return r"a lone surrogate: an escape from \ud800 to \udfff is half of a character, and its other half must stand beside it"
            .to_owned();
    }
    // A string that the user wrote stands before ", expected", so nothing in it is changed.
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let found = kinds().fold(found.to_owned(), |found, (kind, plain)| {
        match found.strip_prefix(&format!("invalid type: {kind}")) {
            Some(value) => format!("invalid type: {plain}{value}"),
            None => found,
        }
    });
    format!("{found}, expected {}", in_json(expected))
}

/// Kinds of values as `serde` names them, and as JSON does.
fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        ("sequence", "list"),
        ("map", "object"),
        ("unit value", "null"),
        ("floating point", "number"),
    ]
    .into_iter()
}

/// The words for what is expected. A type that is not listed has a sentence of its own already.
fn in_json(expected: &str) -> String {
    let of_length = |rest: &str| {
        rest.split_whitespace()
            .next()
            .map(|n| format!("a list of {n}"))
    };
    let plain = match expected {
        "a sequence" | "sequence" => "a list",
        "a map" | "map" => "an object",
        "unit" => "null",
        "f64" | "f32" => "a number",
        "usize" | "u64" | "u32" | "u16" | "u8" => "a whole number of at least 0",
        "i64" | "i32" => "a whole number",
        _ if expected.starts_with("struct ") => "an object",
        _ => {
            let tuple = expected.strip_prefix("a tuple of size ");
            let array = expected.strip_prefix("an array of length ");
            return tuple
                .or(array)
                .and_then(of_length)
                .unwrap_or_else(|| expected.to_owned());
        }
    };
    plain.to_owned()
}

pub(super) fn without_position(message: &str) -> &str {
    message
        .rfind(" at line ")
        .map_or(message, |end| &message[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    struct Contact {
        #[expect(dead_code, reason = "only read")]
        row: usize,
    }

    fn said<T: for<'a> Deserialize<'a> + std::fmt::Debug>(text: &str) -> String {
        plain_words(&serde_json::from_str::<T>(text).unwrap_err())
    }

    #[test]
    fn a_value_that_is_one_has_no_text_after_it() {
        let error = serde_json::from_str::<(u8, u8)>("[1, 2, 3]").unwrap_err();
        assert_eq!(
            plain_words_of_value(&error),
            "a list has more entries than belong there"
        );
        let error = serde_json::from_str::<(u8, u8)>("[1]").unwrap_err();
        assert_eq!(plain_words_of_value(&error), plain_words(&error));
    }

    #[test]
    fn types_of_rust_are_told_in_the_words_of_json() {
        assert_eq!(
            said::<usize>("-1"),
            "invalid value: integer `-1`, expected a whole number of at least 0"
        );
        assert_eq!(
            said::<Vec<u8>>("3"),
            "invalid type: integer `3`, expected a list"
        );
        assert_eq!(
            said::<Contact>("3"),
            "invalid type: integer `3`, expected an object"
        );
        assert_eq!(
            said::<Contact>(r#"{"row": 0.5}"#),
            "invalid type: number `0.5`, expected a whole number of at least 0"
        );
        assert_eq!(said::<f64>("[1]"), "invalid type: list, expected a number");
        assert_eq!(said::<f64>("{}"), "invalid type: object, expected a number");
        assert_eq!(
            said::<String>("null"),
            "invalid type: null, expected a string"
        );
        assert_eq!(
            said::<[u8; 2]>("[1]"),
            "invalid length 1, expected a list of 2"
        );
        assert_eq!(
            said::<(u8, u8)>("[1]"),
            "invalid length 1, expected a list of 2"
        );
    }

    #[test]
    fn half_a_surrogate_pair_is_called_one() {
        for lone in [r"\ud800", r"\udc00", r"\ud83d\ud83d", r"\ud83dx"] {
            let told = said::<String>(&format!("\"{lone}\""));
            assert!(told.starts_with("a lone surrogate"), "{lone}: {told}");
        }
        // An escape that does end early is another fault.
        assert!(!said::<String>(r#""\ud8""#).contains("surrogate"));
    }

    #[test]
    fn what_the_user_wrote_stays() {
        assert_eq!(
            said::<usize>(r#"", expected usize at line 7""#),
            r#"invalid type: string ", expected usize at line 7", expected a whole number of at least 0"#
        );
        assert_eq!(
            said::<usize>("[1"),
            "invalid type: list, expected a whole number of at least 0"
        );
    }
}
