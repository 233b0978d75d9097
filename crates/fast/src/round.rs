//! Exact numbers of records rounded to the nearest binary64.

use etalon_lcp::{Bound, Number, Problem};

use crate::problem::DataError;

/// The nearest binary64, which is within 2^-53 of the number itself. Below the normal doubles it
/// need not be: 1e-400 would become 0, and 3e-324 the double of half as much again.
pub(crate) fn rounded(field: &'static str, value: &Number) -> Result<f64, DataError> {
    let nearest = value.to_f64();
    let same = || Number::from_f64(nearest).is_some_and(|n| n.to_rational() == value.to_rational());
    if value.as_binary64().is_some() || nearest.is_normal() || same() {
        return Ok(nearest);
    }
    Err(DataError::Range { field })
}

pub(crate) fn rounded_q(problem: &Problem) -> Result<Vec<f64>, DataError> {
    problem
        .q()
        .iter()
        .map(|value| rounded("q", value))
        .collect()
}

pub(crate) fn rounded_bound(field: &'static str, bound: &Bound) -> Result<f64, DataError> {
    match bound {
        Bound::NegativeInfinity => Ok(f64::NEG_INFINITY),
        Bound::Finite(value) => rounded(field, value),
        Bound::Infinity => Ok(f64::INFINITY),
    }
}
