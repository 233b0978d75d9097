//! Claim records.

use super::array::Array;
use super::fields::{A_MATRIX, Fields, parse};
use super::token::{number, plain_list};
use super::write::{Object, array, text};
use super::{CLAIM_FORMAT, Encoded, Read, RecordError, certificate};
use serde_json::value::RawValue;

use crate::claim::{Claim, ClaimedAnswer, Enumeration, SolutionFace};
use crate::number::{Number, format_f64};

/// Reads one claim record. An enumeration that a claim carries is not read back: the checker
/// takes the proof from the certificate.
///
/// # Errors
/// [`RecordError`] naming record, field and token.
pub fn read_claim<'a>(record: impl Into<Encoded<'a>>) -> Result<Read<Claim>, RecordError> {
    let opened = record.into().open()?;
    let mut fields = opened.fields()?;
    let name: Option<String> = fields.take("name")?;
    let claim = read_fields(&mut fields, name.as_deref())
        .map_err(|error| error.of_record(name.as_deref()))?;
    Ok(fields.finish(claim))
}

fn read_fields(fields: &mut Fields<'_>, name: Option<&str>) -> Result<Claim, RecordError> {
    fields.check_format(CLAIM_FORMAT)?;
    let name = name.ok_or_else(|| fields.missing("name"))?;
    let status: String = fields.require("status")?;
    let z = match status.as_str() {
        "solved" => Some(candidate(fields)?),
        // A solver that failed may show where it stood, NaN and all: that is not looked at.
        _ => {
            fields.take_raw("z");
            fields.take_array("z");
            None
        }
    };
    let answer = match (status.as_str(), z) {
        ("solved", Some(z)) => ClaimedAnswer::Solved { z },
        ("unsolvable", _) => ClaimedAnswer::Unsolvable,
        ("failed", _) => ClaimedAnswer::Failed,
        (other, _) => {
            let problem = format!("{other:?} is not solved, unsolvable or failed");
            return Err(RecordError::new("status", problem));
        }
    };
    let mut claim = Claim::new(name, answer);
    let certificate = fields.take_raw("certificate");
    let read = |raw| certificate::read("certificate", raw);
    claim.certificate = certificate.map(read).transpose()?;
    let basis = fields.take("basis")?.map(|bits: String| bits.parse());
    let basis = basis.transpose();
    claim.basis = basis.map_err(|error| RecordError::new("basis", error))?;
    claim.method = fields.take("method")?;
    claim.pivots = fields.take("pivots")?;
    claim.seconds = fields.take("seconds")?;
    claim.message = fields.take("message")?;
    for output_only in ["complete", "solutions", "faces"] {
        fields.take_raw(output_only);
    }
    Ok(claim)
}

/// The z of a solver. A value that is not finite is told from other faults: it is the most frequent one of float solvers.
fn candidate(fields: &mut Fields<'_>) -> Result<Vec<Number>, RecordError> {
    match fields.take_array("z") {
        Some(Array::Vector(values)) => return values.numbers("z"),
        Some(_) => return Err(RecordError::new("z", A_MATRIX)),
        None => {}
    }
    let raw = fields
        .take_raw("z")
        .ok_or_else(|| fields.without("z", "a list of numbers"))?;
    if let Some(z) = plain_list(raw) {
        return Ok(z);
    }
    let tokens: Vec<&RawValue> = parse("z", raw)?;
    let read = |(i, token): (usize, &&RawValue)| {
        number(token.get()).map_err(|error| RecordError {
            not_finite: error.is_not_finite(),
            ..RecordError::new(format!("z[{i}]"), error)
        })
    };
    tokens.iter().enumerate().map(read).collect()
}

/// Writes a claim as one line (without the line's end).
pub fn write_claim(claim: &Claim) -> String {
    write_claim_with(claim, super::write_numbers)
}

/// As [`write_claim`], with z as `text` writes it, which has to be as [`write_numbers`](super::write_numbers) does: several threads write a
/// long one sooner.
pub fn write_claim_with(claim: &Claim, text: impl FnOnce(&[Number]) -> String) -> String {
    write(claim, |object, z| object.raw("z", text(z))).finish()
}

/// Writes a claim in CBOR: z is a typed array where all of it is binary64, all else is as in JSON.
#[cfg(feature = "cbor")]
pub fn write_claim_cbor(claim: &Claim) -> Vec<u8> {
    write(claim, |object, z| object.floats("z", z)).finish_cbor()
}

fn write(claim: &Claim, write_z: impl FnOnce(&mut Object, &[Number])) -> Object {
    let mut object = Object::compact();
    object.text("format", CLAIM_FORMAT);
    object.text("name", &claim.name);
    match &claim.answer {
        ClaimedAnswer::Solved { z } => {
            object.text("status", "solved");
            write_z(&mut object, z);
        }
        ClaimedAnswer::Unsolvable => object.text("status", "unsolvable"),
        ClaimedAnswer::Failed => object.text("status", "failed"),
    }
    if let Some(enumeration) = &claim.enumeration {
        write_enumeration(enumeration, &mut object);
    }
    let basis = claim.basis.as_ref().map(ToString::to_string);
    object.maybe("basis", basis.as_deref().map(text));
    let certificate = claim.certificate.as_ref();
    object.maybe("certificate", certificate.map(certificate::write));
    object.maybe("method", claim.method.as_deref().map(text));
    object.maybe("pivots", claim.pivots.map(|pivots| pivots.to_string()));
    object.maybe("seconds", claim.seconds.map(format_f64));
    object.maybe("message", claim.message.as_deref().map(text));
    object
}

fn write_enumeration(enumeration: &Enumeration, object: &mut Object) {
    object.raw("complete", enumeration.complete.to_string());
    object.raw("solutions", super::write::vectors(&enumeration.isolated));
    object.raw("faces", array(enumeration.faces.iter().map(face)));
}

fn face(face: &SolutionFace) -> String {
    let vectors = |vectors: &[Vec<Number>]| super::write::vectors(vectors);
    let mut object = Object::compact();
    object.raw("vertices", vectors(&face.vertices));
    object.raw("rays", vectors(&face.rays));
    object.finish()
}
