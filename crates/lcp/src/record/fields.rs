//! The fields of one record, split before any of them is understood.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::array::Array;
use super::locate::broken;
use super::token::plain_list;
use super::words::{other_name, plain_words_of_value};
use super::{Read, RecordError};
use crate::limits::{MAX_DECIMAL_EXPONENT, MAX_EXPONENTS, MAX_RECORD_BYTES};
use crate::number::Number;

/// The fields of an object of a record that are left to take: each is understood only when it is taken, so that
/// errors name it, and what nobody takes is known to be unknown.
pub struct Fields<'a> {
    texts: Vec<(String, &'a RawValue)>,
    /// Fields of a record in CBOR that are typed arrays.
    arrays: Vec<(String, Array<'a>)>,
    /// Fields that were taken, and were `null`.
    nulls: Vec<String>,
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry::<String, &RawValue>()? {
                    fields.push(field);
                }
                Ok(Fields {
                    texts: fields,
                    arrays: Vec::new(),
                    nulls: Vec::new(),
                })
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

impl<'a> Fields<'a> {
    /// Splits the text of one record, or of an object inside of one.
    ///
    /// # Errors
    /// A text over the limits, that is no JSON object, or that gives a field twice.
    pub fn of(text: &'a str) -> Result<Self, RecordError> {
        if text.len() > MAX_RECORD_BYTES {
            let problem = format!(
                "a record of {} bytes is over the limit of {MAX_RECORD_BYTES}",
                text.len()
            );
            return Err(RecordError::new("", problem));
        }
        check_exponents(text)?;
        let fields: Self = serde_json::from_str(text).map_err(|error| broken(text, &error))?;
        fields.each_once()
    }

    /// The same with fields that are typed arrays.
    pub(super) fn with_arrays(
        mut self,
        arrays: Vec<(String, Array<'a>)>,
    ) -> Result<Self, RecordError> {
        self.arrays = arrays;
        self.each_once()
    }

    fn each_once(self) -> Result<Self, RecordError> {
        let mut names: Vec<_> = self.names().collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RecordError::new(pair[0], "the field is given twice"));
        }
        Ok(self)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.iter().map(|(name, _)| name.as_str());
        texts.chain(self.arrays.iter().map(|(name, _)| name.as_str()))
    }

    /// Takes out a field that is a typed array.
    pub(super) fn take_array(&mut self, name: &str) -> Option<Array<'a>> {
        let position = self.arrays.iter().position(|(field, _)| field == name)?;
        Some(self.arrays.swap_remove(position).1)
    }

    /// Takes out a list of numbers.
    pub(super) fn take_numbers(&mut self, name: &str) -> Result<Option<Vec<Number>>, RecordError> {
        match self.take_array(name) {
            None => {
                let read = |raw| plain_list(raw).map_or_else(|| parse(name, raw), Ok);
                self.take_raw(name).map(read).transpose()
            }
            Some(Array::Vector(values)) => values.numbers(name).map(Some),
            Some(_) => Err(RecordError::new(name, A_MATRIX)),
        }
    }

    /// Takes a field out as it stands; `null` counts as absent.
    pub fn take_raw(&mut self, name: &str) -> Option<&'a str> {
        let position = self.texts.iter().position(|(field, _)| field == name)?;
        let (name, raw) = self.texts.swap_remove(position);
        if raw.get() != "null" {
            return Some(raw.get());
        }
        self.nulls.push(name);
        None
    }

    /// Takes a field out and reads it; `None` where it is absent or `null`.
    ///
    /// # Errors
    /// A value of another type, with its place.
    pub fn take<T: Deserialize<'a>>(&mut self, name: &str) -> Result<Option<T>, RecordError> {
        self.take_raw(name).map(|raw| parse(name, raw)).transpose()
    }

    /// As [`take`](Self::take), for a field that must be there.
    ///
    /// # Errors
    /// A missing field, or a value of another type.
    pub fn require<T: Deserialize<'a>>(&mut self, name: &str) -> Result<T, RecordError> {
        self.take(name)?.ok_or_else(|| {
            // The type itself knows what it expects in the place of null.
            let is_null = self.nulls.iter().any(|own| own == name);
            let error = is_null.then(|| parse::<T>(name, "null").err()).flatten();
            error.unwrap_or_else(|| self.missing(name))
        })
    }

    /// The error for a field that has no value: it is null where `expected` belongs, or it is not there.
    pub(super) fn without(&self, name: &str, expected: &str) -> RecordError {
        match self.nulls.iter().any(|own| own == name) {
            true => RecordError::new(name, format!("invalid type: null, expected {expected}")),
            false => self.missing(name),
        }
    }

    /// The error for a field that is not there, or is null; a field that other projects call so is named.
    pub fn missing(&self, name: &str) -> RecordError {
        if self.nulls.iter().any(|own| own == name) {
            return RecordError::new(name, "the field is null, and must have a value");
        }
        let texts = self.texts.iter();
        let fields = texts.map(|(field, raw)| (field.as_str(), raw.get()));
        let other = other_name(name, fields);
        RecordError::new(name, format!("the field is missing{other}"))
    }

    /// Checks the `format` field, which may be left out.
    ///
    /// # Errors
    /// Another format.
    pub fn check_format(&mut self, expected: &str) -> Result<(), RecordError> {
        match self.take::<String>("format")? {
            Some(format) if format != expected => {
                let problem = format!("{format:?} is not the format {expected:?}");
                Err(RecordError::new("format", problem))
            }
            _ => Ok(()),
        }
    }

    /// Ends the reading: what is left is unknown.
    pub fn finish<T>(self, record: T) -> Read<T> {
        let mut unknown_fields: Vec<_> = self.names().map(str::to_owned).collect();
        unknown_fields.sort();
        Read {
            record,
            unknown_fields,
        }
    }
}

/// Refuses a record whose exact numbers are long by their exponents. Those end with the string that
/// they stand in, as numbers have no escapes; other strings that end like one count too.
fn check_exponents(text: &str) -> Result<(), RecordError> {
    const MOST: u64 = 4 * MAX_DECIMAL_EXPONENT as u64;
    // Each exponent has a byte of its own.
    if text.len() as u64 * MOST <= MAX_EXPONENTS {
        return Ok(());
    }
    let mut exponents = 0;
    for (end, _) in text.match_indices('"') {
        let before = text[..end].trim_end_matches(|c: char| c.is_ascii_digit());
        let mark = before.trim_end_matches(['+', '-']);
        if mark.ends_with(['e', 'E', 'p', 'P']) {
            // A longer one is refused by itself.
            let exponent: u64 = text[before.len()..end].parse().unwrap_or(0);
            exponents += exponent.min(MOST);
        }
    }
    if exponents > MAX_EXPONENTS {
        let problem = format!(
            "the exponents of exact numbers add up to {exponents}, over the limit of {MAX_EXPONENTS}"
        );
        return Err(RecordError::new("", problem));
    }
    Ok(())
}

/// Reads the text of one field; errors name the place inside it.
pub(super) fn parse<'a, T: Deserialize<'a>>(name: &str, raw: &'a str) -> Result<T, RecordError> {
    // Only an error needs its place, so only an error pays for the search of it.
    serde_json::from_str(raw).or_else(|_| parse_tracking(name, raw))
}

/// As [`parse`], which knows at each step where it is.
fn parse_tracking<'a, T: Deserialize<'a>>(name: &str, raw: &'a str) -> Result<T, RecordError> {
    let mut deserializer = serde_json::Deserializer::from_str(raw);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { path };
        RecordError::new(path, plain_words_of_value(error.inner())).inside(name)
    })
}

pub(super) fn vector(
    fields: &mut Fields<'_>,
    name: &'static str,
) -> Result<Vec<Number>, RecordError> {
    fields
        .take_numbers(name)?
        .ok_or_else(|| fields.without(name, "a list of numbers"))
}

/// The error of a matrix where a list of numbers belongs.
pub(super) const A_MATRIX: &str = "a matrix stands where a list of numbers belongs";

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: &str, times: usize) -> String {
        let numbers = vec![number; times].join(",");
        format!("{{\"name\": \"p\", \"q\": [{numbers}]}}")
    }

    #[test]
    fn exponents_of_exact_numbers_are_limited_in_all() {
        let fits = |number: &str, times: usize| Fields::of(&record(number, times)).is_ok();
        let most = MAX_EXPONENTS as usize / 4096;
        for long in [
            "\"1e4096\"",
            "\"-2.5E+4096\"",
            "\"1e-4096\"",
            "\"0x1p-4096\"",
            "\"0x1P4096\"",
        ] {
            assert!(fits(long, most) && !fits(long, most + 1), "{long}");
        }
        let error = Fields::of(&record("\"1e4096\"", most + 1))
            .err()
            .map(|e| e.to_string());
        assert!(error.is_some_and(|e| e.contains("over the limit of 134217728")));
        // Neither digits nor binary64 count, and what is beyond all limits is refused by itself.
        for plain in [
            "1e308",
            "\"4096\"",
            "\"1/4096\"",
            "\"1e0\"",
            "\"1e99999999999999999999\"",
        ] {
            assert!(fits(plain, most + 1), "{plain}");
        }
    }

    #[test]
    fn a_missing_field_is_looked_for_under_other_names() {
        let (of_m, of_q) = (
            "which this format calls \"M\" (w = Mz + q)",
            "which this format calls \"q\" (w = Mz + q)",
        );
        for (fields, missing, expected) in [
            (r#""Q": [[1]]"#, "M", format!("; \"Q\" is there, {of_m}")),
            (
                r#""q": [1], "Q": [ [1]]"#,
                "M",
                format!("; \"Q\" is there, {of_m}"),
            ),
            (
                r#""Q": {"rows": 1, "entries": []}"#,
                "M",
                format!("; \"Q\" is there, {of_m}"),
            ),
            (r#""Q": [-1]"#, "M", format!("; \"Q\" is there, {of_q}")),
            (
                r#""M": [[1]], "Q": [-1]"#,
                "q",
                format!("; \"Q\" is there, {of_q}"),
            ),
            (r#""A": [[1]]"#, "M", format!("; \"A\" is there, {of_m}")),
            (
                r#""A": [[1]], "b": [1]"#,
                "M",
                format!("; \"A\" is there, {of_m}"),
            ),
            (
                r#""b": [1]"#,
                "M",
                "; \"b\" is there: q is b if w = Mz + b, and -b if w = Mz - b".to_owned(),
            ),
            (
                r#""M": [[1]], "b": [1]"#,
                "q",
                "; \"b\" is there: q is b if w = Mz + b, and -b if w = Mz - b".to_owned(),
            ),
            (r#""z": [1]"#, "M", String::new()),
            // What is a vector for one stands for no matrix.
            (r#""M": [[1]], "Q": [[1]]"#, "q", String::new()),
        ] {
            let error = super::super::read_problem(&format!("{{\"name\": \"p\", {fields}}}"));
            let error = error.map(|_| ()).unwrap_err().to_string();
            let told = format!("{missing}: the field is missing{expected}");
            assert!(error.ends_with(&told), "{fields}: {error}, not {told}");
        }
    }

    fn said(text: &str) -> String {
        let error = super::super::read_problem(text).map(|_| ());
        error.unwrap_err().to_string()
    }

    #[test]
    fn a_field_that_is_null_is_not_called_missing() {
        for (fields, told) in [
            (
                r#""M": [[1]], "q": null"#,
                "q: invalid type: null, expected a list of numbers",
            ),
            (
                r#""M": null, "q": [1]"#,
                "M: invalid type: null, expected a matrix",
            ),
            (r#""q": [1]"#, "M: the field is missing"),
        ] {
            let error = said(&format!("{{\"name\": \"p\", {fields}}}"));
            assert!(error.ends_with(told), "{fields}: {error}");
        }
        let claim = super::super::read_claim(r#"{"name": "p", "status": "solved", "z": null}"#);
        let error = claim.map(|_| ()).unwrap_err().to_string();
        assert!(
            error.ends_with("z: invalid type: null, expected a list of numbers"),
            "{error}"
        );
        assert!(
            said(r#"{"name": null}"#).ends_with("name: the field is null, and must have a value")
        );
    }

    #[test]
    fn a_record_that_is_cut_ends_on_its_own_line() {
        let error = said("{\"name\": \"p\", \"M\": [[1]], \"q\": [1\n");
        assert!(error.contains("at column 33)"), "{error}");
        let error = said("{\"name\": \"p\",\n \"M\": [[1]],\n \"q\": [1\n\n");
        assert!(
            error.contains("at line 3 of the record, column 8)"),
            "{error}"
        );
    }

    #[test]
    fn of_two_records_on_a_line_the_first_is_named() {
        let one = r#"{"name": "a", "M": [[1]], "q": [1]}"#;
        let two = format!("{one} {}", one.replace("\"a\"", "\"b\""));
        assert_eq!(
            said(&two),
            "record \"a\": there is more text after the end of the record; a line holds one record: it goes on at column 37"
        );
    }

    #[test]
    fn a_number_has_no_escapes() {
        let read = |text: &str| super::super::read_claim(text).map(|_| ());
        let claim = |z: &str| format!("{{\"name\": \"p\", \"status\": \"solved\", \"z\": [{z}]}}");
        assert!(read(&claim("\"1e3\"")).is_ok());
        assert!(read(&claim("\"1e\\u0033\"")).is_err());
    }
}
