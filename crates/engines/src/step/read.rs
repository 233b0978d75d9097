//! Reading the record `etalon-step/1`.

use etalon_lcp::Number;
use etalon_lcp::record::{Encoded, Fields, Read, RecordError};

use super::fields::{Result, Unknown, word};
use super::{Engine, EngineStep, Form, Precision, STEP_FORMAT};
use super::{bodies as rigid, generalised};

/// Reads one step record.
///
/// # Errors
/// [`RecordError`] naming record, field and token.
pub fn read_step<'a>(
    record: impl Into<Encoded<'a>>,
) -> std::result::Result<Read<EngineStep>, RecordError> {
    let json = record.into().to_json()?;
    let mut fields = Fields::of(&json)?;
    let name: Option<String> = fields.take("name")?;
    let mut unknown = Unknown::default();
    let step = read_fields(&mut fields, name.as_deref(), &mut unknown)
        .map_err(|error| error.of_record(name.as_deref()))?;
    unknown.note("", fields);
    Ok(Read {
        record: step,
        unknown_fields: unknown.into_names(),
    })
}

fn read_fields(
    fields: &mut Fields<'_>,
    name: Option<&str>,
    unknown: &mut Unknown,
) -> Result<EngineStep> {
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
    Ok(EngineStep {
        name,
        follows: fields.take("follows")?,
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
            let bodies = rigid::read(bodies, fields, unknown)?;
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
