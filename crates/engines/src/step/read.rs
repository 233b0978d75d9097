//! Reading the record `etalon-step/1`.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, Read, RecordError};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Engine, Form, MAX_PARTS, Precision, STEP_FORMAT, Step};
use super::{contacts, generalised};

pub(super) type Result<T> = std::result::Result<T, RecordError>;

/// Names of fields that the format does not know, with their places.
#[derive(Default)]
pub(super) struct Unknown(Vec<String>);

impl Unknown {
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

/// Reads one step record.
///
/// # Errors
/// [`RecordError`] naming record, field and token.
pub fn read_step(record: &str) -> std::result::Result<Read<Step>, RecordError> {
    let mut fields = Fields::of(record)?;
    let name: Option<String> = fields.take("name")?;
    let mut unknown = Unknown::default();
    let step = read_fields(&mut fields, name.as_deref(), &mut unknown)
        .map_err(|error| error.of_record(name.as_deref()))?;
    unknown.note("", fields);
    Ok(Read {
        record: step,
        unknown_fields: unknown.0,
    })
}

fn read_fields(fields: &mut Fields<'_>, name: Option<&str>, unknown: &mut Unknown) -> Result<Step> {
    fields.check_format(STEP_FORMAT)?;
    let name = name.ok_or_else(|| fields.missing("name"))?.to_owned();
    let engine = match fields.take_raw("engine") {
        None => Engine::default(),
        Some(raw) => engine(raw, unknown).map_err(|error| error.inside("engine"))?,
    };
    let h: Number = fields.require("h")?;
    if h.signum() <= 0 {
        let why = format!("{h} is no length of a step: it must be positive");
        return Err(RecordError::new("h", why));
    }
    let declared_error: Option<Number> = fields.take("declared_error")?;
    if declared_error.as_ref().is_some_and(|own| own.signum() < 0) {
        return Err(RecordError::new(
            "declared_error",
            "it must not be negative",
        ));
    }
    Ok(Step {
        name,
        source: fields.take("source")?,
        engine,
        precision: word(fields, "precision")?.unwrap_or(Precision::F64),
        declared_error,
        h,
        substeps: fields.take("substeps")?.unwrap_or(1),
        when: word(fields, "when")?,
        law: word(fields, "law")?,
        model: word(fields, "model")?,
        not_judged: fields.take("not_judged")?,
        replay: fields.take_raw("replay").map(str::to_owned),
        form: form(fields, unknown)?,
    })
}

fn form(fields: &mut Fields<'_>, unknown: &mut Unknown) -> Result<Form> {
    let bodies = fields.take_raw("bodies");
    let m = fields.take_raw("M");
    match (bodies, m) {
        (Some(bodies), None) => {
            let bodies = contacts::read(bodies, fields, unknown)?;
            Ok(Form::Bodies(Box::new(bodies)))
        }
        (None, Some(m)) => {
            // What solvers call the dimension has no meaning here.
            let _: Option<u32> = fields.take("dimension")?;
            let own = generalised::read(m, fields, unknown)?;
            Ok(Form::Generalised(Box::new(own)))
        }
        (Some(_), Some(_)) => {
            let why = "bodies and M are two forms of a step; a record has one of them";
            Err(RecordError::new("", why))
        }
        (None, None) => {
            let why = "a step has bodies (with contacts) or M (with force, J, sets, and R, target)";
            Err(RecordError::new("", why))
        }
    }
}

fn engine(raw: &str, unknown: &mut Unknown) -> Result<Engine> {
    let mut fields = Fields::of(raw)?;
    let engine = Engine {
        name: fields.take("name")?,
        version: fields.take("version")?,
        settings: fields.take_raw("settings").map(str::to_owned),
    };
    unknown.note("engine", fields);
    Ok(engine)
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
    let items: Vec<&RawValue> =
        serde_json::from_str(raw).map_err(|error| RecordError::new(name, plain(&error)))?;
    if items.len() > MAX_PARTS {
        let why = format!("{} items are over the limit of {MAX_PARTS}", items.len());
        return Err(RecordError::new(name, why));
    }
    Ok(items)
}

/// The message without the position inside of the field.
fn plain(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message[..end].to_owned()
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
    parsed.map_err(|error| RecordError::new(name, plain(&error)))
}

/// The text of a value of another type.
pub(super) fn parse<'a, T: Deserialize<'a>>(raw: &'a str, name: &str) -> Result<T> {
    serde_json::from_str(raw).map_err(|error| RecordError::new(name, plain(&error)))
}
