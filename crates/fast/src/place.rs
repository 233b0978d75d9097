//! Where each variable stands between its bounds.

use etalon_lcp::Basis;

use crate::problem::LcpRef;

/// Where z_i stands: at a bound, with the sign of w_i free to one side, or between, with w_i = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// At the lower bound: w_i >= 0.
    #[default]
    Lower,
    /// At the upper bound: w_i <= 0.
    Upper,
    /// Between: w_i = 0. In a pure LCP: z_i is basic.
    Between,
}

/// What is known before solving.
#[derive(Debug, Clone, Copy, Default)]
pub enum Start<'a> {
    /// Nothing.
    #[default]
    Cold,
    /// The places of a problem nearby, n of them.
    Places(&'a [Place]),
    /// The basis of a problem nearby: a bit for each row of the mixed form (the n rows, then one
    /// for each row bounded on both sides, as [`etalon_lcp::Reduction`] orders them). The first
    /// n bits suffice.
    Basis(&'a Basis),
    /// A solution of a problem nearby, n values: what stands on a bound is taken to stay there.
    Point(&'a [f64]),
}

/// Where row i stands in a cold start.
pub(crate) fn nearest_bound(lcp: LcpRef<'_>, i: usize) -> Place {
    let (lower, upper) = lcp.bounds(i);
    if lower.is_finite() {
        Place::Lower
    } else if upper.is_finite() {
        Place::Upper
    } else {
        Place::Between
    }
}
