//! The diagonal E that makes a semidefinite M definite.

use super::Block;
use crate::problem::LcpRef;
use crate::tolerances::SMALLEST_SHIFT;

/// E relative to the diagonal of M, from the largest to the smallest.
///
/// With the smallest E alone, contacts that can share a load may take turns in F without end. A
/// larger one, 1e-3 or 0.1, settles them, and its solution is the centre of the next smaller one.
/// These two are chosen between 1 and [`SMALLEST_SHIFT`]. Measured ([`crate::tolerances`]): with any
/// of the three as the first after sweeps, `fast-auto` solves the same problems; the pivots change by
/// -2 and +6 in a hundred.
pub(super) const SHIFTS: [f64; 3] = [0.1, 1e-3, SMALLEST_SHIFT];

/// The largest E: after more sweeps, where the exchange with another E did not settle.
pub(super) const LARGEST: usize = 0;

/// The E after sweeps.
pub(super) const AFTER_SWEEPS: usize = 1;

/// The smallest E, which alone may end a run. Places from elsewhere are nearly right, and a larger
/// E would only lead away from them.
pub(super) const SMALLEST: usize = SHIFTS.len() - 1;

/// E for a diagonal of M, so large relative to it. A row whose entry is 0 takes the largest of the others as its unit, or 1
/// where all are 0: so E follows M in all units.
pub(crate) fn shifts(
    relative: f64,
    diagonal: impl Iterator<Item = f64> + Clone,
) -> impl Iterator<Item = f64> {
    let largest = (diagonal.clone()).fold(0.0f64, |most, own| most.max(own.abs()));
    let unit = if largest > 0.0 { largest } else { 1.0 };
    diagonal.map(move |own| relative * if own.abs() > 0.0 { own.abs() } else { unit })
}

impl Block {
    /// Takes the smallest E from here on.
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

    /// Takes the E of that level.
    pub(super) fn shift_to(&mut self, lcp: LcpRef<'_>, level: usize) {
        let n = lcp.n();
        self.level = level;
        self.shift.clear();
        let diagonal = (0..n).map(|i| lcp.m[i * n + i]);
        self.shift.extend(shifts(SHIFTS[level], diagonal));
    }

    /// The centre is what sweeps left; it stays where there were none.
    pub(super) fn centre_on_sweeps(&mut self) {
        if self.swept.len() == self.centre.len() {
            self.centre.copy_from_slice(&self.swept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_follow_the_units_of_the_matrix() {
        let of = |diagonal: &[f64]| shifts(0.5, diagonal.iter().copied()).collect::<Vec<_>>();
        assert_eq!(of(&[0.0, 8.0, -2.0]), [4.0, 4.0, 1.0]);
        // The same matrix in units 2^40 times as large.
        let small = 2_f64.powi(-40);
        let scaled = of(&[0.0, 8.0 * small, -2.0 * small]);
        assert_eq!(scaled, [4.0 * small, 4.0 * small, small]);
        assert_eq!(of(&[0.0, 0.0]), [0.5, 0.5]);
        assert!(of(&[]).is_empty());
    }
}
