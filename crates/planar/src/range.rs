//! Ranges of the numbers that come from outside, in scenes and in commands.

use crate::error::{CommandError, WorldError};
use crate::tolerances::MOST_FRICTION;

/// A number outside of its range; `W` is the text that names it.
#[derive(Debug)]
pub(crate) struct OutOfRange<W> {
    pub what: W,
    pub value: f64,
    pub range: &'static str,
}

impl<W: Into<String>> From<OutOfRange<W>> for WorldError {
    fn from(out: OutOfRange<W>) -> Self {
        Self::Range {
            what: out.what.into(),
            value: out.value,
            range: out.range,
        }
    }
}

impl From<OutOfRange<&'static str>> for CommandError {
    fn from(out: OutOfRange<&'static str>) -> Self {
        Self::Range {
            what: out.what,
            value: out.value,
            range: out.range,
        }
    }
}

/// Refuses a value for which `holds` is false; `range` says in words what it has to be.
pub(crate) fn check<W>(
    holds: bool,
    what: W,
    value: f64,
    range: &'static str,
) -> Result<(), OutOfRange<W>> {
    if holds {
        return Ok(());
    }
    Err(OutOfRange { what, value, range })
}

pub(crate) fn finite<W>(what: W, values: &[f64]) -> Result<(), OutOfRange<W>> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => check(false, what, value, "finite"),
        None => Ok(()),
    }
}

pub(crate) fn positive<W>(what: W, value: f64) -> Result<(), OutOfRange<W>> {
    let holds = value > 0.0 && value.is_finite();
    check(holds, what, value, "finite and over 0")
}

pub(crate) fn nonnegative<W>(what: W, value: f64) -> Result<(), OutOfRange<W>> {
    let holds = value >= 0.0 && value.is_finite();
    check(holds, what, value, "finite and at least 0")
}

/// The range of elasticities.
pub(crate) fn elasticity<W>(what: W, value: f64) -> Result<(), OutOfRange<W>> {
    let holds = (0.0..=1.0).contains(&value);
    check(holds, what, value, "from 0 to 1")
}

/// The range of coefficients of friction.
pub(crate) fn friction<W>(what: W, value: f64) -> Result<(), OutOfRange<W>> {
    let holds = (0.0..=MOST_FRICTION).contains(&value);
    check(holds, what, value, "from 0 to 1000000")
}

/// Refuses more bodies, connectors or forces than a world takes.
pub(crate) fn limit(what: &'static str, count: usize) -> Result<(), WorldError> {
    if count > LIMIT {
        return Err(WorldError::TooMany {
            what,
            count,
            limit: LIMIT,
        });
    }
    Ok(())
}

/// A world takes at most so many bodies, connectors and forces each: all pairs of bodies are looked at in each evaluation.
const LIMIT: usize = 1000;
