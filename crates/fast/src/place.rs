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
    /// A point near a solution, n values: what stands on a bound is taken to stay there.
    Point(&'a [f64]),
    /// The solution of a problem nearby, n places and n values, as [`Solution`](crate::Solution) and [`SparseSolution`](crate::SparseSolution)
    /// have them. With friction it is a better start than its places: where contacts share a load, these do not say how.
    Solution {
        /// The places, n of them.
        places: &'a [Place],
        /// z, n values.
        z: &'a [f64],
    },
}

impl<'a> Start<'a> {
    /// z of a known point of a problem of n rows.
    pub(crate) fn z(self, n: usize) -> Option<&'a [f64]> {
        match self {
            Self::Point(z) | Self::Solution { z, .. } if z.len() == n => Some(z),
            _ => None,
        }
    }
}

/// z_i of a known point of a pure problem, as the centre of proximal steps: not below 0, and finite.
pub(crate) fn centre(z: f64) -> f64 {
    if z.is_finite() { z.max(0.0) } else { 0.0 }
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
