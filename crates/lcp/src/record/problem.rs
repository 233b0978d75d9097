//! Problem records.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::fields::{self, Fields};
use super::token::{BoundToken, NumberToken};
use super::write::{Object, array, number, numbers, text};
use super::{PROBLEM_FORMAT, Read, RecordError, cone, expect};
use crate::matrix::Matrix;
use crate::problem::{Bound, Friction, Problem, ProblemError, Remarks};

/// Reads one problem record.
///
/// # Errors
/// [`RecordError`] naming record, field and token.
pub fn read_problem(record: &str) -> Result<Read<Problem>, RecordError> {
    let mut fields = Fields::of(record)?;
    let name: Option<String> = fields.take("name")?;
    let problem = read_fields(&mut fields, name.as_deref())
        .map_err(|error| error.of_record(name.as_deref()))?;
    Ok(fields.finish(problem))
}

fn read_fields(fields: &mut Fields<'_>, name: Option<&str>) -> Result<Problem, RecordError> {
    fields.check_format(PROBLEM_FORMAT)?;
    let name = name.ok_or_else(|| fields.missing("name"))?;
    let m = read_matrix(fields.take_raw("M").ok_or_else(|| fields.missing("M"))?)?;
    let q: Vec<NumberToken> = fields.require("q")?;
    let lower = read_bounds(fields, "lower")?;
    let upper = read_bounds(fields, "upper")?;
    let friction: Vec<FrictionToken> = fields.take("friction")?.unwrap_or_default();
    let friction = friction.into_iter().map(Friction::from).collect();
    let cones = cone::read(fields)?;
    let blocks: Vec<Vec<usize>> = fields.take("blocks")?.unwrap_or_default();
    let scale: Option<Vec<NumberToken>> = fields.take("scale")?;
    let mut problem = Problem::new(name, m, q.into_iter().map(|token| token.0).collect())
        .and_then(|problem| problem.with_bounds(lower, upper))
        .and_then(|problem| problem.with_friction(friction))
        .and_then(|problem| problem.with_cones(cones))
        .and_then(|problem| problem.with_blocks(blocks))
        .and_then(|problem| match scale {
            None => Ok(problem),
            Some(scale) => problem.with_scale(scale.into_iter().map(|token| token.0).collect()),
        })
        .map_err(|error| place(&error))?;
    problem.expect = match fields.take_raw("expect") {
        None => None,
        Some(raw) => Some(expect::read(raw, problem.n())?),
    };
    problem.remarks = Remarks {
        tags: fields.take("tags")?.unwrap_or_default(),
        source: fields.take("source")?,
        notes: fields.take("notes")?,
        digest: fields.take("digest")?,
    };
    Ok(problem)
}

/// The messages of these errors already begin with the field.
fn place(error: &ProblemError) -> RecordError {
    RecordError::new("", error)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseToken {
    shape: (u64, u64),
    entries: Vec<(u64, u64, NumberToken)>,
}

fn read_matrix(raw: &str) -> Result<Matrix, RecordError> {
    let matrix = if raw.starts_with('{') {
        let sparse: SparseToken = fields::parse("M", raw)?;
        let entries = sparse
            .entries
            .into_iter()
            .map(|(i, j, value)| (i, j, value.0));
        Matrix::from_entries(sparse.shape, entries.collect())
    } else {
        let rows: Vec<Vec<NumberToken>> = fields::parse("M", raw)?;
        let numbers = |row: Vec<NumberToken>| row.into_iter().map(|token| token.0).collect();
        Matrix::from_rows(rows.into_iter().map(numbers).collect())
    };
    matrix.map_err(|error| RecordError::new("", error))
}

fn read_bounds(
    fields: &mut Fields<'_>,
    name: &'static str,
) -> Result<Option<Vec<Bound>>, RecordError> {
    let tokens: Option<Vec<BoundToken>> = fields.take(name)?;
    Ok(tokens.map(|tokens| tokens.into_iter().map(|token| token.0).collect()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrictionToken {
    row: usize,
    normal: usize,
    mu: NumberToken,
}

impl From<FrictionToken> for Friction {
    fn from(token: FrictionToken) -> Self {
        Self {
            row: token.row,
            normal: token.normal,
            mu: token.mu.0,
        }
    }
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
    object.maybe("scale", problem.scale().map(numbers));
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
    object.finish()
}

fn write_matrix(m: &Matrix, object: &mut Object) {
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

fn bounds(bounds: &[Bound]) -> String {
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
