//! Numbers below the range that products are safe in, such as a velocity that friction has brought to 1e-120 m/s beside others of 1.
//!
//! No power of two brings both into that range. A solution is sought with 0 in place of the tiny ones, and kept only where it passes the
//! self-check on the problem as it stands.

use crate::problem::LcpRef;
use crate::range::SMALLEST;

/// The problem with 0 in place of tiny entries of M and q; working memory.
#[derive(Debug, Default)]
pub(crate) struct WithoutTiny {
    m: Vec<f64>,
    q: Vec<f64>,
}

/// A product that is lost below 2^-1074 is 2^-174 of this, so that it counts as little as the second order of rounding.
const LEAST_SIZE: f64 = f64::from_bits((1023 - 900) << 52);

/// Whether a number is below the range.
pub(crate) fn is_tiny(value: f64) -> bool {
    value != 0.0 && value.abs() < SMALLEST
}

/// 0 in place of a tiny number.
pub(crate) fn without_tiny(value: f64) -> f64 {
    if is_tiny(value) { 0.0 } else { value }
}

impl WithoutTiny {
    /// Leaves out the tiny entries; whether there are any.
    pub(crate) fn build(&mut self, lcp: LcpRef<'_>) -> bool {
        for (own, given) in [(&mut self.m, lcp.m), (&mut self.q, lcp.q)] {
            own.clear();
            own.extend(given.iter().map(|value| without_tiny(*value)));
        }
        lcp.m.iter().chain(lcp.q).any(|value| is_tiny(*value))
    }

    /// The problem without them.
    pub(crate) fn view<'a>(&'a self, lcp: LcpRef<'a>) -> LcpRef<'a> {
        LcpRef {
            m: &self.m,
            q: &self.q,
            ..lcp
        }
    }
}

/// Whether the size s_i of a row, with these entries and z, is one that lost products leave as it is.
pub(crate) fn keeps_products(mut row: impl Iterator<Item = (f64, f64)>, size: f64) -> bool {
    size >= LEAST_SIZE || !row.any(|(value, z)| is_tiny(value) && z != 0.0)
}
