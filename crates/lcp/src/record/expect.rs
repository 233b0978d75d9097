//! The `expect` field of problem records.

use super::fields::Fields;
use super::write::Object;
use super::{RecordError, certificate};
use crate::expect::{Expect, SourceAnswer, Status, Unique};
use crate::number::{Number, format_f64};

pub(super) fn read(raw: &str, n: usize) -> Result<Expect, RecordError> {
    read_fields(raw, n).map_err(|error| error.inside("expect"))
}

fn read_fields(raw: &str, n: usize) -> Result<Expect, RecordError> {
    let mut fields = Fields::of(raw)?;
    let status: String = fields.require("status")?;
    let status = [
        Status::Solvable,
        Status::Unsolvable,
        Status::Perturbed,
        Status::Unknown,
    ]
    .into_iter()
    .find(|known| known.word() == status)
    .ok_or_else(|| no_word("status", &status, STATUSES))?;
    let unique = |word: String| {
        let mut all = [Unique::Z, Unique::W].into_iter();
        let found = all.find(|known| known.word() == word);
        found.ok_or_else(|| no_word("unique", &word, "\"z\", \"w\" or null"))
    };
    let unique = fields.take("unique")?.map(unique).transpose()?;
    let solutions: Vec<Vec<Number>> = fields.take("solutions")?.unwrap_or_default();
    if let Some(k) = solutions.iter().position(|z| z.len() != n) {
        let place = format!("solutions[{k}]");
        return Err(wrong_length(&place, solutions[k].len(), n));
    }
    let raw_certificate = fields.take_raw("certificate");
    let answer = fields.take_raw("answer");
    let answer = answer.map(|raw| read_answer(raw, n)).transpose()?;
    let certificate = raw_certificate.map(|raw| certificate::read("certificate", raw));
    Ok(Expect {
        status,
        solutions,
        unique,
        certificate: certificate.transpose()?,
        answer,
    })
}

fn read_answer(raw: &str, n: usize) -> Result<SourceAnswer, RecordError> {
    let read = || {
        let mut fields = Fields::of(raw)?;
        let z: Vec<Number> = fields.require("z")?;
        if z.len() != n {
            return Err(wrong_length("z", z.len(), n));
        }
        let backward_error = fields.require("backward_error")?;
        let block_error = fields.take("block_error")?;
        Ok(SourceAnswer {
            z,
            backward_error,
            block_error,
        })
    };
    read().map_err(|error: RecordError| error.inside("answer"))
}

const STATUSES: &str = "solvable, unsolvable, perturbed or unknown";

fn no_word(field: &str, word: &str, words: &str) -> RecordError {
    RecordError::new(field, format!("{word:?} is not {words}"))
}

pub(super) fn wrong_length(field: &str, length: usize, n: usize) -> RecordError {
    RecordError::new(
        field,
        format!("{length} entries where the problem has {n} rows"),
    )
}

pub(super) fn write(expect: &Expect) -> String {
    let mut object = Object::compact();
    object.text("status", expect.status.word());
    object.raw("solutions", super::write::vectors(&expect.solutions));
    let unique = expect
        .unique
        .map_or("null".to_owned(), |unique| format!("{:?}", unique.word()));
    object.raw("unique", unique);
    let certificate = expect.certificate.as_ref();
    object.maybe("certificate", certificate.map(certificate::write));
    object.maybe("answer", expect.answer.as_ref().map(write_answer));
    object.finish()
}

fn write_answer(answer: &SourceAnswer) -> String {
    let mut object = Object::compact();
    object.numbers("z", &answer.z);
    object.raw("backward_error", format_f64(answer.backward_error));
    object.maybe("block_error", answer.block_error.map(format_f64));
    object.finish()
}
