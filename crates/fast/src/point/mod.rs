//! A candidate z, its w, and how far it is from a solution: the self-check.
//!
//! Let u = 2^-53, c the number of nonzeros in z, and s_i = (|M||z| + |q|)_i. Every computed w_i is
//! within (c + 4) u s_i of the true one, in whatever order the products are summed, fused or not
//! (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). No product underflows,
//! because [`crate::range`] keeps exponents within +-600. So the computed residual plus that margin
//! bounds the componentwise backward error, and no extended precision is needed to promise it.

mod evaluate;
mod snap;

use crate::place::Place;
use crate::problem::LcpRef;
use crate::range;
use crate::tolerances::{SECOND_ORDER, UNIT};

/// z, w = Mz + q and s = |M||z| + |q|, n values each.
#[derive(Debug, Default)]
pub(crate) struct Point {
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
    pub(crate) s: Vec<f64>,
    /// Columns of nonzero z.
    touched: Vec<usize>,
    /// Sizes of unknowns and of rows, while noise is moved onto 0.
    sizes: [Vec<f64>; 2],
    /// Per row (normal, mu) of a friction row; empty without friction.
    ties: Vec<Option<(usize, f64)>>,
}

impl Point {
    /// z = 0 for a problem of n rows.
    pub(crate) fn reset(&mut self, lcp: LcpRef<'_>) {
        let n = lcp.n();
        for vector in [&mut self.z, &mut self.w, &mut self.s] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.touched.clear();
        self.touched.reserve(n);
        for sizes in &mut self.sizes {
            sizes.clear();
            sizes.reserve(n);
        }
        self.ties.clear();
        if !lcp.friction.is_empty() {
            self.ties.resize(n, None);
            for f in lcp.friction {
                self.ties[f.row] = Some((f.normal, f.mu));
            }
        }
    }

    /// The bounds of row i at the present z.
    #[inline]
    pub(crate) fn bounds(&self, lcp: LcpRef<'_>, i: usize) -> (f64, f64) {
        match self.ties.get(i).copied().flatten() {
            None => lcp.bounds(i),
            Some((normal, mu)) => {
                let limit = mu * self.z[normal];
                (-limit, limit)
            }
        }
    }

    /// Puts every z_i that stands at a bound exactly there, and leaves the others.
    pub(crate) fn put(&mut self, lcp: LcpRef<'_>, places: &[Place]) {
        if lcp.is_pure() {
            for (z, place) in self.z.iter_mut().zip(places) {
                if *place != Place::Between {
                    *z = 0.0;
                }
            }
            return;
        }
        // Friction rows last: their bounds depend on the others.
        for friction in [false, true] {
            for (i, place) in places.iter().enumerate() {
                if self.ties.get(i).copied().flatten().is_some() != friction {
                    continue;
                }
                let (lower, upper) = self.bounds(lcp, i);
                match place {
                    Place::Lower => self.z[i] = lower,
                    Place::Upper => self.z[i] = upper,
                    Place::Between => {}
                }
            }
        }
    }

    /// The rounding error of a computed w_i is at most this times s_i. A friction row adds a product
    /// and a rounding: its bound is mu z_normal.
    pub(crate) fn margin(&self) -> f64 {
        let friction = if self.ties.is_empty() { 0 } else { 2 };
        (self.touched.len() + 4 + friction) as f64 * UNIT
    }

    /// A bound on the componentwise backward error of z at `places`, whatever rounding did.
    /// Infinite where an exponent left the range in which that can be promised.
    pub(crate) fn backward_error(&self, lcp: LcpRef<'_>, places: &[Place]) -> f64 {
        // The largest |r_i| / s_i (Oettli and Prager 1964, with |M| and |q| as the changes allowed). Of a
        // row at a bound only the wrong sign of w counts.
        let mut worst = 0.0;
        if !self.stands(lcp, places) || self.has_lost_q(lcp) {
            return f64::INFINITY;
        }
        for (i, place) in places.iter().enumerate() {
            let (w, s) = (self.w[i], self.s[i]);
            let wrong = match place {
                Place::Lower if w < 0.0 => -w,
                Place::Upper if w > 0.0 => w,
                Place::Between => w.abs(),
                _ => 0.0,
            };
            // Written so that NaN counts as wrong. A row with l = u may have any w.
            let fine = wrong <= worst * s;
            if !fine && (*place == Place::Between || !self.is_fixed(lcp, i)) {
                // |w| <= s but for rounding. At s itself, or with NaN, only a change of the data by
                // all of themselves would make w = 0: nothing of the row is right.
                worst = if wrong < s { wrong / s } else { f64::INFINITY };
            }
        }
        // Only for tame z does no product underflow, which the margin takes for granted.
        if !self.touched.iter().all(|&j| range::is_tame(self.z[j])) {
            return f64::INFINITY;
        }
        (worst + self.margin()) * SECOND_ORDER
    }

    /// Whether z is so large that q is lost in the rounding errors of w, in every row with q_i not 0.
    /// Such a z would do as well for q = 0. It says nothing of the problem, which may have no
    /// solution, however small the backward error.
    fn has_lost_q(&self, lcp: LcpRef<'_>) -> bool {
        let margin = self.margin();
        let mut given = false;
        for (q, s) in lcp.q.iter().zip(&self.s) {
            if q.abs() > margin * s {
                return false;
            }
            given |= *q != 0.0;
        }
        given
    }

    /// Whether every z_i is where its place says: on a bound that exists, or inside.
    fn stands(&self, lcp: LcpRef<'_>, places: &[Place]) -> bool {
        if lcp.is_pure() {
            let mut both = self.z.iter().zip(places);
            return both.all(|(z, place)| match place {
                Place::Lower => *z == 0.0,
                Place::Upper => false,
                Place::Between => *z >= 0.0,
            });
        }
        places.iter().enumerate().all(|(i, place)| {
            let (lower, upper) = self.bounds(lcp, i);
            let z = self.z[i];
            match place {
                // To the bit: `put` has written the bounds themselves.
                Place::Lower => z == lower,
                Place::Upper => z == upper,
                Place::Between => lower <= z && z <= upper,
            }
        })
    }

    /// Whether the bounds leave z_i one value.
    pub(crate) fn is_fixed(&self, lcp: LcpRef<'_>, i: usize) -> bool {
        if lcp.is_pure() {
            return false;
        }
        let (lower, upper) = self.bounds(lcp, i);
        lower == upper
    }
}

#[cfg(test)]
mod tests;
