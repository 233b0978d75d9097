//! The diagonal E that makes a semidefinite M definite.

use super::Block;
use crate::problem::LcpRef;

/// E relative to the diagonal of M, from the largest to the smallest.
///
/// The last value, 1e-10, is bounded from both sides. A pivot of M_FF that is 0 in exact arithmetic
/// comes out as some n u of its diagonal entry, u = 2^-53, 1e-13 for n = 1000: E has to be far
/// larger, so that the pivot counts as positive ([`crate::dense`] refuses below 1e-13). And a
/// proximal step leaves the part E / (lambda + E) of the error along an eigenvector of eigenvalue
/// lambda, so E has to be far smaller than the eigenvalues that are not 0.
///
/// With so small an E, contacts that can share a load may take turns in F without end. A larger E,
/// 1e-3 or 0.1, settles them, and its solution is the centre of the next smaller one. These two
/// values are measured on generated redundant contacts, not derived.
pub(super) const SHIFTS: [f64; 3] = [0.1, 1e-3, 1e-10];

/// The largest E: after more sweeps, where the exchange with another E did not settle.
pub(super) const LARGEST: usize = 0;

/// The E after sweeps.
pub(super) const AFTER_SWEEPS: usize = 1;

/// The smallest E, which alone may end a run. Places from elsewhere are nearly right, and a larger
/// E would only lead away from them.
pub(super) const SMALLEST: usize = SHIFTS.len() - 1;

impl Block {
    /// Takes E = 1e-10 of the diagonal from here on.
    pub(crate) fn regularise(&mut self, lcp: LcpRef<'_>) {
        self.shift_to(lcp, SMALLEST);
    }

    /// E = 0 from here on.
    pub(crate) fn unshift(&mut self) {
        self.shift.clear();
    }

    /// The diagonal E; empty: none.
    pub(crate) fn shift(&self) -> &[f64] {
        &self.shift
    }

    /// Takes the E of that level. A row whose diagonal entry is 0 takes the largest of the others as
    /// its unit, or 1 where all are 0.
    pub(super) fn shift_to(&mut self, lcp: LcpRef<'_>, level: usize) {
        let n = lcp.n();
        let largest = (0..n).fold(0.0f64, |most, i| most.max(lcp.m[i * n + i].abs()));
        self.level = level;
        self.shift.clear();
        self.shift.extend((0..n).map(|i| {
            let own = lcp.m[i * n + i].abs();
            let unit = if largest > 0.0 { largest } else { 1.0 };
            SHIFTS[level] * if own > 0.0 { own } else { unit }
        }));
    }

    /// The centre is what sweeps left; it stays where there were none.
    pub(super) fn centre_on_sweeps(&mut self) {
        if self.swept.len() == self.centre.len() {
            self.centre.copy_from_slice(&self.swept);
        }
    }
}
