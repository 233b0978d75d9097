//! The generalised form: the problem that the engine says it solves.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError};
use serde::Deserialize;

use super::read::{
    Result, Unknown, check_length, maybe_vector, objects, one_or_list, parse, vector, word,
};
use super::{MAX_PARTS, Quantity};

/// A sparse matrix, by rows with ascending columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sparse {
    /// The number of columns.
    pub columns: usize,
    /// The stored entries of each row.
    pub rows: Vec<Vec<(usize, Number)>>,
}

impl Sparse {
    /// The entry at row i and column j, where one is stored.
    pub fn get(&self, i: usize, j: usize) -> Option<&Number> {
        let row = self.rows.get(i)?;
        let at = row.binary_search_by_key(&j, |(column, _)| *column).ok()?;
        Some(&row[at].1)
    }

    /// The first place where the matrix differs from its transpose.
    pub fn asymmetry(&self) -> Option<(usize, usize)> {
        for (i, row) in self.rows.iter().enumerate() {
            for (j, value) in row {
                let mirrored = self.get(*j, i);
                let is_same = match mirrored {
                    Some(other) => other == value || other.to_rational() == value.to_rational(),
                    None => value.is_zero(),
                };
                if !is_same {
                    return Some((i, *j));
                }
            }
        }
        None
    }

    /// Row by row in binary64, where all entries are binary64 numbers.
    pub fn to_dense(&self) -> Option<Vec<f64>> {
        let mut dense = vec![0.0; self.rows.len() * self.columns];
        for (i, row) in self.rows.iter().enumerate() {
            for (j, value) in row {
                dense[i * self.columns + j] = value.as_binary64()?;
            }
        }
        Some(dense)
    }
}

/// M a - J'f = q, w = Ja + Rf - r, f in its sets and w in their duals.
#[derive(Debug, Clone, PartialEq)]
pub struct Generalised {
    /// The mass matrix M, symmetric.
    pub m: Sparse,
    /// The forces q that are no constraint forces (impulses h q + M v0, where the quantity is a velocity).
    pub force: Vec<Number>,
    /// The Jacobian J.
    pub j: Sparse,
    /// The diagonal R of the regularisation; none of a hard model, which level A is not asked about.
    pub r: Option<Vec<Number>>,
    /// The targets r.
    pub target: Option<Vec<Number>>,
    /// The sets of the constraint forces, which cover each row once.
    pub sets: Vec<Set>,
    /// The unknown a.
    pub quantity: Quantity,
    /// The engine's answer.
    pub answer: Option<Answer>,
    /// The generalised velocity before the step.
    pub v0: Option<Vec<Number>>,
    /// The generalised velocity after it.
    pub v1: Option<Vec<Number>>,
}

impl Generalised {
    /// The number of velocities.
    pub fn nv(&self) -> usize {
        self.force.len()
    }

    /// The number of constraint rows.
    pub fn nefc(&self) -> usize {
        self.j.rows.len()
    }
}

/// The set of the forces of one row, or of the rows of a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Set {
    /// Any force: w = 0.
    Equality(usize),
    /// |f| <= bound.
    Box(usize, Number),
    /// f >= 0.
    Nonnegative(usize),
    /// f_0 >= |(f_j / mu_j)|, the normal row first, then one row for each mu > 0.
    Cone(usize, Vec<Number>),
}

impl Set {
    /// Its rows.
    pub fn rows(&self) -> std::ops::Range<usize> {
        match self {
            Self::Equality(i) | Self::Box(i, _) | Self::Nonnegative(i) => *i..*i + 1,
            Self::Cone(first, mu) => *first..*first + 1 + mu.len(),
        }
    }
}

/// The answer of an engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The accelerations (or velocities) a.
    pub motion: Option<Vec<Number>>,
    /// The constraint forces f.
    pub force: Option<Vec<Number>>,
    /// The iterations that the solver took.
    pub iterations: Option<u64>,
    /// The iterations that it may take.
    pub iteration_limit: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseToken {
    shape: (u64, u64),
    entries: Vec<(u64, u64, Number)>,
}

/// A matrix as rows, or sparse; of so many columns, where that is known.
pub(super) fn read_sparse(raw: &str, name: &str, columns: Option<usize>) -> Result<Sparse> {
    let fault = |place: String, why: String| Err(RecordError::new(place, why));
    if !raw.trim_start().starts_with('{') {
        let rows: Vec<Vec<Number>> = parse(raw, name)?;
        let columns = columns.unwrap_or_else(|| rows.first().map_or(0, Vec::len));
        if let Some(i) = rows.iter().position(|row| row.len() != columns) {
            let why = format!("{} numbers where {columns} belong", rows[i].len());
            return fault(format!("{name}[{i}]"), why);
        }
        let row = |row: Vec<Number>| {
            let entries = row.into_iter().enumerate();
            entries.filter(|(_, value)| !value.is_zero()).collect()
        };
        let rows = rows.into_iter().map(row).collect();
        return Ok(Sparse { columns, rows });
    }
    let SparseToken { shape, entries } = parse(raw, name)?;
    let most = MAX_PARTS as u64;
    if shape.0 > most || shape.1 > most {
        let why = format!(
            "{} x {} is over the limit of {most} rows and columns",
            shape.0, shape.1
        );
        return fault(format!("{name}.shape"), why);
    }
    let own = columns.unwrap_or(shape.1 as usize);
    if shape.1 as usize != own {
        let why = format!("{} columns where {own} belong", shape.1);
        return fault(format!("{name}.shape"), why);
    }
    let mut rows: Vec<Vec<(usize, Number)>> = vec![Vec::new(); shape.0 as usize];
    for (at, (i, j, value)) in entries.into_iter().enumerate() {
        if i >= shape.0 || j >= shape.1 {
            let why = format!(
                "({i}, {j}) is outside the shape {} x {} (indices start at 0)",
                shape.0, shape.1
            );
            return fault(format!("{name}.entries[{at}]"), why);
        }
        rows[i as usize].push((j as usize, value));
    }
    for (i, row) in rows.iter_mut().enumerate() {
        row.sort_by_key(|(j, _)| *j);
        if let Some(pair) = row.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let why = format!(
                "({i}, {}) is given twice; add the values up or drop one",
                pair[0].0
            );
            return fault(format!("{name}.entries"), why);
        }
    }
    Ok(Sparse { columns: own, rows })
}

/// Reads M, and what belongs to it.
pub(super) fn read(m: &str, fields: &mut Fields<'_>, unknown: &mut Unknown) -> Result<Generalised> {
    let m = read_sparse(m, "M", None)?;
    let nv = m.columns;
    if m.rows.len() != nv {
        let why = format!("{} x {nv} is not square", m.rows.len());
        return Err(RecordError::new("M", why));
    }
    if let Some((i, j)) = m.asymmetry() {
        let why = format!(
            "entries ({i}, {j}) and ({j}, {i}) differ; M is symmetric, and both triangles are given"
        );
        return Err(RecordError::new("M", why));
    }
    let raw = fields.take_raw("J").ok_or_else(|| fields.missing("J"))?;
    let j = read_sparse(raw, "J", Some(nv))?;
    let nefc = j.rows.len();
    let r = maybe_vector(fields, "R", nefc)?;
    let faulty = r.iter().flatten().position(|own| own.signum() <= 0);
    if let (Some(i), Some(r)) = (faulty, &r) {
        let why = format!(
            "{} must be positive: without R > 0 the answer need not be unique",
            r[i]
        );
        return Err(RecordError::new(format!("R[{i}]"), why));
    }
    let quantity = word(fields, "quantity")?.unwrap_or(Quantity::Acceleration);
    let answer = match fields.take_raw("answer") {
        None => None,
        Some(raw) => {
            let own = answer(raw, (nv, nefc), quantity, unknown);
            Some(own.map_err(|error| error.inside("answer"))?)
        }
    };
    Ok(Generalised {
        force: vector(fields, "force", nv)?,
        target: maybe_vector(fields, "target", nefc)?,
        sets: sets(fields, nefc, unknown)?,
        v0: maybe_vector(fields, "v0", nv)?,
        v1: maybe_vector(fields, "v1", nv)?,
        m,
        j,
        r,
        quantity,
        answer,
    })
}

fn answer(
    raw: &str,
    (nv, nefc): (usize, usize),
    quantity: Quantity,
    unknown: &mut Unknown,
) -> Result<Answer> {
    let mut fields = Fields::of(raw)?;
    let own = Answer {
        motion: maybe_vector(&mut fields, quantity.word(), nv)?,
        force: maybe_vector(&mut fields, "force", nefc)?,
        iterations: fields.take("iterations")?,
        iteration_limit: fields.take("iteration_limit")?,
    };
    unknown.note("answer", fields);
    Ok(own)
}

/// The sets, which cover each row once.
fn sets(fields: &mut Fields<'_>, nefc: usize, unknown: &mut Unknown) -> Result<Vec<Set>> {
    let mut sets = Vec::new();
    for (k, raw) in objects(fields, "sets")?.into_iter().enumerate() {
        let place = format!("sets[{k}]");
        let own = set(raw.get(), nefc, &place, unknown).map_err(|error| error.inside(&place))?;
        sets.extend(own);
    }
    sets.sort_by_key(|set: &Set| set.rows().start);
    let mut next = 0;
    for set in &sets {
        let rows = set.rows();
        if rows.start != next {
            let why = if rows.start < next {
                format!("row {} is in two sets", rows.start)
            } else {
                format!("row {next} is in no set")
            };
            return Err(RecordError::new("sets", why));
        }
        next = rows.end;
    }
    if next != nefc {
        return Err(RecordError::new("sets", format!("row {next} is in no set")));
    }
    Ok(sets)
}

fn set(raw: &str, nefc: usize, place: &str, unknown: &mut Unknown) -> Result<Vec<Set>> {
    let mut fields = Fields::of(raw)?;
    let kind: String = fields.require("kind")?;
    let own = match kind.as_str() {
        "equality" => range(&mut fields, nefc)?.map(Set::Equality).collect(),
        "nonnegative" => {
            let rows = listed(&mut fields, nefc)?.into_iter();
            rows.map(Set::Nonnegative).collect()
        }
        "box" => boxes(&mut fields, nefc)?,
        "cone" => {
            let first: usize = fields.require("first")?;
            let mu: Vec<Number> = fields.require("mu")?;
            if let Some(k) = mu.iter().position(|mu| mu.signum() <= 0) {
                let why = format!(
                    "{} must be positive; a contact without friction is a nonnegative row",
                    mu[k]
                );
                return Err(RecordError::new(format!("mu[{k}]"), why));
            }
            if mu.is_empty() || mu.len() > etalon_lcp::MAX_DISC_ROWS {
                let why = format!(
                    "{} coefficients; a cone has 1 to {}",
                    mu.len(),
                    etalon_lcp::MAX_DISC_ROWS
                );
                return Err(RecordError::new("mu", why));
            }
            if first.saturating_add(mu.len()) >= nefc {
                let why = format!(
                    "its rows end at {}, J has {nefc}",
                    first.saturating_add(mu.len())
                );
                return Err(RecordError::new("first", why));
            }
            vec![Set::Cone(first, mu)]
        }
        other => {
            let why = format!("{other:?} is none of equality, box, nonnegative, cone");
            return Err(RecordError::new("kind", why));
        }
    };
    unknown.note(place, fields);
    Ok(own)
}

/// `rows`: [from, to), within the rows of J.
fn range(fields: &mut Fields<'_>, nefc: usize) -> Result<std::ops::Range<usize>> {
    let (from, to): (usize, usize) = fields.require("rows")?;
    if from > to || to > nefc {
        let why = format!("[{from}, {to}] is no range [from, to) within the {nefc} rows of J");
        return Err(RecordError::new("rows", why));
    }
    Ok(from..to)
}

fn boxes(fields: &mut Fields<'_>, nefc: usize) -> Result<Vec<Set>> {
    let raw = fields
        .take_raw("bound")
        .ok_or_else(|| fields.missing("bound"))?;
    let bounds = one_or_list(raw, "bound")?;
    if let Some(own) = bounds.iter().find(|own| own.signum() < 0) {
        return Err(RecordError::new("bound", format!("{own} is negative")));
    }
    let rows = match fields.take::<usize>("row")? {
        Some(row) => vec![row],
        None => listed(fields, nefc)?,
    };
    check_rows(&rows, nefc)?;
    check_length(&bounds, "bound", rows.len())?;
    let boxes = rows.into_iter().zip(bounds);
    Ok(boxes.map(|(row, bound)| Set::Box(row, bound)).collect())
}

/// `rows`: a list.
fn listed(fields: &mut Fields<'_>, nefc: usize) -> Result<Vec<usize>> {
    let rows: Vec<usize> = fields.require("rows")?;
    check_rows(&rows, nefc)?;
    Ok(rows)
}

fn check_rows(rows: &[usize], nefc: usize) -> Result<()> {
    match rows.iter().find(|row| **row >= nefc) {
        Some(row) => {
            let why = format!("row {row} must be below {nefc}, the rows of J");
            Err(RecordError::new("rows", why))
        }
        None => Ok(()),
    }
}
