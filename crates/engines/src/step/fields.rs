//! Fields of the record, with their faults.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError, plain_words_of_value};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::MAX_PARTS;

pub(super) type Result<T> = std::result::Result<T, RecordError>;

/// Names of fields that the format does not know, with their places.
#[derive(Default)]
pub(super) struct Unknown(Vec<String>);

impl Unknown {
    pub(super) fn into_names(self) -> Vec<String> {
        self.0
    }

    /// Ends the reading of an object at a place.
    pub(super) fn note(&mut self, place: &str, fields: Fields<'_>) {
        let prefix = if place.is_empty() {
            String::new()
        } else {
            format!("{place}.")
        };
        let names = fields.finish(()).unknown_fields.into_iter();
        self.0.extend(names.map(|name| format!("{prefix}{name}")));
    }
}

/// A field that holds a word.
pub(super) fn word<T: std::str::FromStr<Err = String>>(
    fields: &mut Fields<'_>,
    name: &str,
) -> Result<Option<T>> {
    let word: Option<String> = fields.take(name)?;
    let word = word.map(|word| word.parse().map_err(|why| RecordError::new(name, why)));
    word.transpose()
}

/// A field that holds a list of objects, none longer than the limit.
pub(super) fn objects<'a>(fields: &mut Fields<'a>, name: &str) -> Result<Vec<&'a RawValue>> {
    match fields.take_raw(name) {
        None => Ok(Vec::new()),
        Some(raw) => list(raw, name),
    }
}

/// The items of a list.
pub(super) fn list<'a>(raw: &'a str, name: &str) -> Result<Vec<&'a RawValue>> {
    let items: Vec<&RawValue> = serde_json::from_str(raw)
        .map_err(|error| RecordError::new(name, plain_words_of_value(&error)))?;
    if items.len() > MAX_PARTS {
        let why = format!("{} items are over the limit of {MAX_PARTS}", items.len());
        return Err(RecordError::new(name, why));
    }
    Ok(items)
}

/// A vector of n numbers.
pub(super) fn vector(fields: &mut Fields<'_>, name: &str, n: usize) -> Result<Vec<Number>> {
    let own: Vec<Number> = fields.require(name)?;
    check_length(&own, name, n)?;
    Ok(own)
}

/// As [`vector`], where the field may be absent.
pub(super) fn maybe_vector(
    fields: &mut Fields<'_>,
    name: &str,
    n: usize,
) -> Result<Option<Vec<Number>>> {
    let own: Option<Vec<Number>> = fields.take(name)?;
    if let Some(own) = &own {
        check_length(own, name, n)?;
    }
    Ok(own)
}

pub(super) fn check_length<T>(own: &[T], name: &str, n: usize) -> Result<()> {
    if own.len() == n {
        return Ok(());
    }
    let why = format!("{} numbers where {n} belong", own.len());
    Err(RecordError::new(name, why))
}

/// One number, or a list of them.
pub(super) fn one_or_list(raw: &str, name: &str) -> Result<Vec<Number>> {
    let parsed = if raw.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<Number>>(raw)
    } else {
        serde_json::from_str::<Number>(raw).map(|one| vec![one])
    };
    parsed.map_err(|error| RecordError::new(name, plain_words_of_value(&error)))
}

/// The text of a value of another type.
pub(super) fn parse<'a, T: Deserialize<'a>>(raw: &'a str, name: &str) -> Result<T> {
    serde_json::from_str(raw).map_err(|error| RecordError::new(name, plain_words_of_value(&error)))
}
