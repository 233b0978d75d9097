//! Values that are 0, or a bound, but for rounding.

use super::Point;
use crate::place::Place;
use crate::problem::LcpRef;

/// How near a bound a value may be to mean the bound, relative to max|z|.
///
/// A computed z_i is off by some n u times the condition of its system, relative to max|z|: with
/// n = 100 this is enough for a condition of 100. What is moved in error is refused by the
/// self-check, so a larger value does no harm but to try more in vain.
const SNAP: f64 = 1e-12;

impl Point {
    /// Moves every z_i that stands between but within 1e-12 max|z| of a bound onto it, and returns
    /// whether any moved. In a degenerate solution such a value means 0, and a row of nothing but
    /// such values is wrong by all of its size.
    pub(crate) fn snap(&mut self, lcp: LcpRef<'_>, places: &[Place]) -> bool {
        let reach = self.reach();
        let mut moved = false;
        for (i, place) in places.iter().enumerate() {
            if *place != Place::Between {
                continue;
            }
            let (lower, upper) = self.bounds(lcp, i);
            let z = self.z[i];
            // An infinite bound is not near, as `reach` is finite where z is.
            let near = if (z - lower).abs() <= reach {
                lower
            } else if (z - upper).abs() <= reach {
                upper
            } else {
                z
            };
            moved |= near != z;
            self.z[i] = near;
        }
        if moved && !self.ties.is_empty() {
            self.put(lcp, places);
        }
        moved
    }

    /// Moves every z_i that stands between and is noise onto 0, and returns whether any moved. w and
    /// s have to be those of z.
    ///
    /// Where 0 is meant for all unknowns of a row without q, what rounding leaves there is wrong by
    /// all of its size, and max|z| is no measure of it. So each unknown has a natural size: the
    /// displacement that changes its row by the row's own size s_i. Then each row is taken at the
    /// size that it has when all unknowns are displaced so far, and an unknown is noise below 1e-12
    /// of the displacement that such a row would notice. This only proposes: the self-check decides.
    pub(crate) fn snap_to_zero(&mut self, lcp: LcpRef<'_>, places: &[Place]) -> bool {
        let n = lcp.n();
        // A diagonal entry of 0 says nothing. Then the row in which the unknown matters least.
        let natural = |sizes: &[f64], j: usize| {
            let share = |i: usize| {
                let entry = lcp.m[i * n + j].abs();
                if entry > 0.0 { sizes[i] / entry } else { 0.0 }
            };
            let own = share(j);
            if own > 0.0 {
                own
            } else {
                (0..n).map(share).fold(0.0, f64::max)
            }
        };
        let [mut unknowns, mut rows] = std::mem::take(&mut self.sizes);
        let displaced = |j: usize| natural(&self.s, j).max(self.z[j].abs());
        unknowns.clear();
        unknowns.extend((0..n).map(displaced));
        let size = |i: usize| {
            let products = lcp.row(i).iter().zip(&unknowns);
            lcp.q[i].abs() + products.map(|(m, z)| m.abs() * z).sum::<f64>()
        };
        rows.clear();
        rows.extend((0..n).map(size));
        let mut moved = false;
        for (j, place) in places.iter().enumerate() {
            let (lower, upper) = self.bounds(lcp, j);
            let allowed = *place == Place::Between && lower <= 0.0 && upper >= 0.0;
            if allowed && self.z[j] != 0.0 && self.z[j].abs() <= SNAP * natural(&rows, j) {
                self.z[j] = 0.0;
                moved = true;
            }
        }
        self.sizes = [unknowns, rows];
        if moved && !self.ties.is_empty() {
            self.put(lcp, places);
        }
        moved
    }

    /// How near a bound means the bound.
    pub(crate) fn reach(&self) -> f64 {
        SNAP * self.z.iter().fold(0.0f64, |most, z| most.max(z.abs()))
    }
}
