//! The generalised form: the problem that the engine says it solves.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError};

use super::Quantity;
use super::fields::{Result, Unknown, maybe_vector, vector, word};
use super::sets::{Set, sets};
use super::sparse::{Sparse, read_sparse};

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
    pub answer: Option<EngineAnswer>,
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

/// The answer of an engine.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineAnswer {
    /// The accelerations (or velocities) a.
    pub motion: Option<Vec<Number>>,
    /// The constraint forces f.
    pub force: Option<Vec<Number>>,
    /// The iterations that the solver took.
    pub iterations: Option<u64>,
    /// The iterations that it may take.
    pub iteration_limit: Option<u64>,
    /// The engine may stop where its objective is at most this above the minimum, in the unit of a'Ma.
    pub stop_gap: Option<Number>,
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
    let sets = sets(fields, nefc, unknown)?;
    if let Some(r) = &r {
        check_r(r, &sets)?;
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
        sets,
        v0: maybe_vector(fields, "v0", nv)?,
        v1: maybe_vector(fields, "v1", nv)?,
        m,
        j,
        r,
        quantity,
        answer,
    })
}

/// R > 0, or R >= 0 where forces are bounded.
fn check_r(r: &[Number], sets: &[Set]) -> Result<()> {
    for set in sets {
        let least = if set.is_bounded() { 0 } else { 1 };
        let mut rows = set.rows();
        if let Some(i) = rows.find(|i| r[*i].signum() < least) {
            let why = if least == 0 {
                format!("{} is negative", r[i])
            } else {
                format!(
                    "{} must be positive: without R > 0 there need be no answer; only rows of kind box and disc may have R = 0",
                    r[i]
                )
            };
            return Err(RecordError::new(format!("R[{i}]"), why));
        }
    }
    Ok(())
}

fn answer(
    raw: &str,
    (nv, nefc): (usize, usize),
    quantity: Quantity,
    unknown: &mut Unknown,
) -> Result<EngineAnswer> {
    let mut fields = Fields::of(raw)?;
    let own = EngineAnswer {
        motion: maybe_vector(&mut fields, quantity.word(), nv)?,
        force: maybe_vector(&mut fields, "force", nefc)?,
        iterations: fields.take("iterations")?,
        iteration_limit: fields.take("iteration_limit")?,
        stop_gap: fields.take("stop_gap")?,
    };
    if let Some(own) = own.stop_gap.as_ref().filter(|own| own.signum() < 0) {
        return Err(RecordError::new("stop_gap", format!("{own} is negative")));
    }
    unknown.note("answer", fields);
    Ok(own)
}
