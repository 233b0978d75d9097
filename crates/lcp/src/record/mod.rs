//! Records: the JSON form of problems, claims and verdicts.
//!
//! One record is one JSON object, as text or in CBOR ([`Encoded`]). `read_*` takes one record; [`stream`] takes files.
//! Unknown fields are no error (formats grow), but they are reported beside the record, so that
//! a misspelt `lower` does not silently change the problem.

pub mod stream;

// Nothing but CBOR has typed arrays.
#[cfg_attr(not(feature = "cbor"), allow(dead_code))]
mod array;
#[cfg(feature = "cbor")]
mod cbor;
mod certificate;
mod claim;
mod cone;
mod enclosure;
pub(crate) use enclosure::by_rows;
mod encoded;
mod expect;
mod fields;
mod locate;
mod problem;
mod token;
mod verdict;
mod words;
mod write;

#[cfg(feature = "cbor")]
pub use cbor::write_problem_cbor;
#[cfg(feature = "cbor")]
pub use claim::write_claim_cbor;
pub use claim::{read_claim, write_claim, write_claim_with};
pub use cone::read_cones;
pub use encoded::{Encoded, Written};
pub use fields::Fields;
pub use problem::{digest, read_problem, write_problem, write_problem_pretty};
pub use verdict::{write_verdict, write_verdict_with_solution};
pub use words::field_meant;
pub use words::{plain_words, plain_words_of_value};
pub use write::numbers as write_numbers;

/// The `format` of problem records.
pub const PROBLEM_FORMAT: &str = "etalon-problem/1";
/// The `format` of claim records.
pub const CLAIM_FORMAT: &str = "etalon-claim/1";
/// The `format` of verdict records.
pub const VERDICT_FORMAT: &str = "etalon-verdict/1";

/// The `format` of the steps of engines, which `etalon-engines` reads.
pub const STEP_FORMAT: &str = "etalon-step/1";

/// A record as read, with what was passed over.
#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    /// The record.
    pub record: T,
    /// Names of fields that the format does not know.
    pub unknown_fields: Vec<String>,
}

/// The name of a record, without reading the rest of it; `None` where it cannot be had, and
/// reading the record tells why.
pub fn name_of<'a>(record: impl Into<Encoded<'a>>) -> Option<String> {
    match record.into() {
        Encoded::Json(text) => {
            first_name(text).or_else(|| fields::Fields::of(text).ok()?.take("name").ok()?)
        }
        #[cfg(feature = "cbor")]
        Encoded::Cbor(record) => cbor::name(record),
        #[cfg(not(feature = "cbor"))]
        Encoded::Cbor(_) => None,
    }
}

/// The name of a record that begins with it, or with its format and then it, as nearly all do; the rest is not looked at.
fn first_name(text: &str) -> Option<String> {
    let mut fields = text.trim_start().strip_prefix('{')?;
    loop {
        let (field, value) = first_text(fields)?;
        let (value, rest) = first_text(value.strip_prefix(':')?)?;
        if field == "name" {
            return Some(value.to_owned());
        }
        fields = rest.strip_prefix(',')?;
    }
}

/// The text that JSON begins with, if it needs no escapes, and what comes after it.
fn first_text(json: &str) -> Option<(&str, &str)> {
    let (text, rest) = json.trim_start().strip_prefix('"')?.split_once('"')?;
    let is_plain = |byte: u8| byte >= b' ' && byte != b'\\';
    text.bytes()
        .all(is_plain)
        .then(|| (text, rest.trim_start()))
}

/// Why a text is no record: one sentence that names record, field and token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// The record's name, where it could be read.
    pub record: Option<String>,
    /// The place inside the record, such as `M[0][1]`; empty for the record as a whole.
    pub field: String,
    /// The fault at that place.
    pub problem: String,
    /// Whether the fault is a NaN or an infinity where a number is needed.
    not_finite: bool,
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(record) = &self.record {
            write!(f, "record {}: ", crate::number::quote(record))?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for RecordError {}

impl RecordError {
    /// Whether the fault is a NaN or an infinity where a number is needed, in whatever way it is written: `NaN`, `-inf`, `"nan"`, `null`
    /// in the z of a claim, or a number beyond the range of binary64.
    pub fn is_not_finite(&self) -> bool {
        self.not_finite
    }

    /// What is wrong with the claim that this is the error of, for people.
    pub fn of_claim(&self) -> String {
        let what = if self.not_finite {
            "the answer is not finite"
        } else {
            "the answer is no claim"
        };
        format!("{what}: {}", self.without_name())
    }

    /// The same without the record's name, for who knows which record it is.
    pub fn without_name(&self) -> Self {
        self.clone().of_record(None)
    }

    /// The fault at a place of a record, whose name is not known yet.
    pub fn new(field: impl Into<String>, problem: impl std::fmt::Display) -> Self {
        Self {
            record: None,
            field: field.into(),
            problem: problem.to_string(),
            not_finite: false,
        }
    }

    /// The same error, its place inside of `field`.
    pub fn inside(mut self, field: &str) -> Self {
        self.field = match self.field.as_str() {
            "" => field.to_owned(),
            inner if inner.starts_with('[') => format!("{field}{inner}"),
            inner => format!("{field}.{inner}"),
        };
        self
    }

    /// The same error, of the record of this name.
    pub fn of_record(mut self, name: Option<&str>) -> Self {
        self.record = name.map(str::to_owned);
        self
    }
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_the_rest_need_not_be_read() {
        let rest = r#""status":"solved","z":[NaN"#;
        for first in [
            r#"{"name":"p","#,
            r#"{"format":"etalon-claim/1","name":"p","#,
            " { \"format\" : \"etalon-claim/1\" ,\n \"notes\": \"x\", \"name\" : \"p\" , ",
        ] {
            assert_eq!(
                name_of(&format!("{first}{rest}")).as_deref(),
                Some("p"),
                "{first}"
            );
        }
    }

    #[test]
    fn a_name_behind_other_values_or_with_escapes_is_that_of_the_whole_record() {
        for (record, name) in [
            (r#"{"format":"f","name":"a\"b"}"#, Some("a\"b")),
            (r#"{"notes":"\",\"name\":\"x","name":"p"}"#, Some("p")),
            (r#"{"M":[[1]],"name":"p"}"#, Some("p")),
            (r#"{"n\u0061me":"p"}"#, Some("p")),
            (r#"{"format":"f","M":"name"}"#, None),
            (r#"{"format":"f","name":["p"]}"#, None),
            (r#"{"format":"f" "name":"p"}"#, None),
            ("{\"format\":\"f\",\"name\":\"a\u{1}b\"}", None),
        ] {
            assert_eq!(name_of(record).as_deref(), name, "{record}");
        }
    }
}
