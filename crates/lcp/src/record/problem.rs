//! Problem records.

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::array::Array;
use super::fields::{self, Fields};
use super::token::{plain_entries, plain_square, room};
use super::write::{Object, array, number, text};
use super::{Encoded, PROBLEM_FORMAT, Read, RecordError, cone, expect};
use crate::matrix::Matrix;
use crate::number::Number;
use crate::problem::{Bound, Friction, Problem, Remarks};

/// Reads one problem record.
///
/// # Errors
/// [`RecordError`] naming record, field and token.
pub fn read_problem<'a>(record: impl Into<Encoded<'a>>) -> Result<Read<Problem>, RecordError> {
    let opened = record.into().open()?;
    let mut fields = opened.fields()?;
    let name: Option<String> = fields.take("name")?;
    let problem = read_fields(&mut fields, name.as_deref())
        .map_err(|error| error.of_record(name.as_deref()))?;
    Ok(fields.finish(problem))
}

fn read_fields(fields: &mut Fields<'_>, name: Option<&str>) -> Result<Problem, RecordError> {
    fields.check_format(PROBLEM_FORMAT)?;
    let name = name.ok_or_else(|| fields.missing("name"))?;
    let m = match fields.take_array("M") {
        Some(array) => array.matrix()?,
        None => read_matrix(
            fields
                .take_raw("M")
                .ok_or_else(|| fields.without("M", "a matrix"))?,
        )?,
    };
    let q = fields::vector(fields, "q")?;
    let lower = read_bounds(fields, "lower")?;
    let upper = read_bounds(fields, "upper")?;
    let friction: Vec<Friction> = fields.take("friction")?.unwrap_or_default();
    let cones = cone::read(fields)?;
    let blocks: Vec<Vec<usize>> = fields.take("blocks")?.unwrap_or_default();
    let scale = fields.take_numbers("scale")?;
    let mut problem = Problem::new(name, m, q)
        .and_then(|problem| problem.with_bounds(lower, upper))
        .and_then(|problem| problem.with_friction(friction))
        .and_then(|problem| problem.with_cones(cones))
        .and_then(|problem| problem.with_blocks(blocks))
        .and_then(|problem| match scale {
            None => Ok(problem),
            Some(scale) => problem.with_scale(scale),
        })
        // The messages of these errors already begin with the field.
        .map_err(|error| RecordError::new("", error))?;
    let (expect, n) = (fields.take_raw("expect"), problem.n());
    problem.expect = expect.map(|raw| expect::read(raw, n)).transpose()?;
    problem.remarks = Remarks {
        tags: fields.take("tags")?.unwrap_or_default(),
        source: fields.take("source")?,
        notes: fields.take("notes")?,
        digest: fields.take("digest")?,
    };
    Ok(problem)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseToken<'a> {
    shape: (u64, u64),
    #[serde(borrow)]
    entries: &'a RawValue,
}

fn read_matrix(raw: &str) -> Result<Matrix, RecordError> {
    let matrix = if raw.starts_with('{') {
        let sparse: SparseToken<'_> = fields::parse("M", raw)?;
        let (shape, raw) = (sparse.shape, sparse.entries.get());
        // None is shorter than `[0,0,0]`.
        let room = room(raw, b'[', 7);
        if let Some(rows) = Matrix::from_ascending(shape, room, |push| plain_entries(raw, push)) {
            return Ok(rows);
        }
        let mut entries = Vec::with_capacity(room);
        let plain = plain_entries(raw, |entry| {
            entries.push(entry);
            Some(())
        });
        if plain.is_none() {
            entries = fields::parse("M.entries", raw)?;
        }
        Matrix::from_entries(shape, entries)
    } else if let Some((n, numbers)) = plain_square(raw) {
        // No more rows than the square root of what a record has in bytes.
        Ok(Matrix::from_row_major(n, numbers))
    } else {
        Matrix::from_rows(fields::parse("M", raw)?)
    };
    matrix.map_err(|error| RecordError::new("", error))
}

fn read_bounds(
    fields: &mut Fields<'_>,
    name: &'static str,
) -> Result<Option<Vec<Bound>>, RecordError> {
    match fields.take_array(name) {
        Some(Array::Vector(values)) => return values.bounds(name).map(Some),
        Some(_) => return Err(RecordError::new(name, fields::A_MATRIX)),
        None => {}
    }
    fields.take(name)
}

/// Writes a problem as one line (without the line's end).
pub fn write_problem(problem: &Problem) -> String {
    write(problem, Object::compact(), true)
}

/// Writes a problem for people: one field a line, one matrix row a line.
pub fn write_problem_pretty(problem: &Problem) -> String {
    write(problem, Object::pretty(), true)
}

/// The checksum of a record: SHA-256 of its one-line form without the `digest` field. It finds
/// the corrupted digit that changes no truth.
pub fn digest(problem: &Problem) -> String {
    let record = write(problem, Object::compact(), false);
    let hash = Sha256::digest(record.as_bytes());
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

fn write(problem: &Problem, mut object: Object, with_digest: bool) -> String {
    object.text("format", PROBLEM_FORMAT);
    object.text("name", problem.name());
    write_matrix(problem.m(), &mut object);
    object.numbers("q", problem.q());
    object.maybe("lower", problem.lower().map(bounds));
    object.maybe("upper", problem.upper().map(bounds));
    write_rest(problem, &mut object, with_digest, |object, own| {
        object.numbers("scale", own);
    });
    object.finish()
}

/// What comes after the bounds.
pub(super) fn write_rest(
    problem: &Problem,
    object: &mut Object,
    with_digest: bool,
    write_scale: fn(&mut Object, &[Number]),
) {
    if !problem.friction().is_empty() {
        object.rows("friction", problem.friction().iter().map(friction));
    }
    if !problem.cones().is_empty() {
        object.rows("cones", problem.cones().iter().map(cone::write));
    }
    if !problem.blocks().is_empty() {
        let block = |block: &Vec<usize>| array(block.iter().map(ToString::to_string));
        object.raw("blocks", array(problem.blocks().iter().map(block)));
    }
    if let Some(scale) = problem.scale() {
        write_scale(object, scale);
    }
    object.maybe("expect", problem.expect.as_ref().map(expect::write));
    let remarks = &problem.remarks;
    if !remarks.tags.is_empty() {
        object.raw("tags", array(remarks.tags.iter().map(|tag| text(tag))));
    }
    object.maybe("source", remarks.source.as_ref().map(ToString::to_string));
    object.maybe("notes", remarks.notes.as_deref().map(text));
    if with_digest {
        object.maybe("digest", remarks.digest.as_deref().map(text));
    }
}

pub(super) fn write_matrix(m: &Matrix, object: &mut Object) {
    if m.is_sparse() {
        let n = m.n();
        let entries = (0..n).flat_map(|i| {
            m.stored_row(i)
                .map(move |(j, value)| format!("[{i},{j},{}]", number(value)))
        });
        let entries = array(entries);
        object.raw(
            "M",
            format!("{{\"shape\":[{n},{n}],\"entries\":{entries}}}"),
        );
    } else {
        let row = |i| array(m.stored_row(i).map(|(_, value)| number(value)));
        object.rows("M", (0..m.n()).map(row));
    }
}

pub(super) fn bounds(bounds: &[Bound]) -> String {
    array(bounds.iter().map(|bound| match bound {
        Bound::NegativeInfinity => "\"-inf\"".to_owned(),
        Bound::Finite(value) => number(value),
        Bound::Infinity => "\"inf\"".to_owned(),
    }))
}

fn friction(friction: &Friction) -> String {
    let Friction { row, normal, mu } = friction;
    format!(
        "{{\"row\":{row},\"normal\":{normal},\"mu\":{}}}",
        number(mu)
    )
}
