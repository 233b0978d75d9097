//! How a round changes the places: by the signs of z and w, or by sweeps.

use super::{Block, Rules};
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::sweep::{Sweeps, sweep};
use crate::tolerances::limit;

impl Block {
    /// Moves every wrong row to where it should stand, and returns how many there were. Values
    /// outside their bounds by no more than `reach` are not wrong.
    pub(super) fn exchange(
        &self,
        lcp: LcpRef<'_>,
        reach: f64,
        places: &mut [Place],
        point: &Point,
    ) -> usize {
        // Half of what the self-check allows beyond rounding: a row let pass here passes there.
        let slack = 0.5 * (limit(lcp.n()) - point.margin());
        let pure = lcp.is_pure();
        let mut wrong = 0;
        for (i, place) in places.iter_mut().enumerate() {
            let z = point.z[i];
            // The w of the proximal problem LCP(q - E c, M + E), of which this z is a point.
            let shift = self.shift.get(i).map_or(0.0, |e| e * (z - self.centre[i]));
            let w = point.w[i] + shift;
            let (lower, upper) = if pure {
                (0.0, f64::INFINITY)
            } else {
                point.bounds(lcp, i)
            };
            let next = match *place {
                Place::Between if z < lower - reach => Place::Lower,
                Place::Between if z > upper + reach => Place::Upper,
                // Where the bounds leave z_i one value, any w_i is right, and the row stays.
                Place::Lower if w < -slack * point.s[i] && lower < upper => Place::Between,
                Place::Upper if w > slack * point.s[i] && lower < upper => Place::Between,
                same => same,
            };
            wrong += usize::from(next != *place);
            *place = next;
        }
        wrong
    }

    /// Sweeps on from where the last sweeps ended, and takes the places from there. `false`, and
    /// nothing changed, where the values leave the finite numbers.
    pub(super) fn sweep(&mut self, lcp: LcpRef<'_>, count: u32, places: &mut [Place]) -> bool {
        let n = lcp.n();
        if self.swept.len() != n {
            self.swept.clear();
            self.swept.resize(n, 0.0);
            self.swept_w.clear();
            // w = q at z = 0.
            self.swept_w.extend_from_slice(lcp.q);
        }
        let finite = sweep(Sweeps {
            lcp,
            count,
            z: &mut self.swept,
            w: &mut self.swept_w,
        });
        if !finite {
            // w is now that of no z: the next sweeps begin anew.
            self.swept.clear();
            return false;
        }
        for (place, z) in places.iter_mut().zip(&self.swept) {
            *place = if *z > 0.0 {
                Place::Between
            } else {
                Place::Lower
            };
        }
        true
    }

    /// Moves values near a bound onto it, or noise onto 0, and returns the backward error where that
    /// passes the self-check. Otherwise the point stays as it was.
    pub(super) fn snap(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &[Place],
        point: &mut Point,
    ) -> Option<f64> {
        self.saved.clear();
        self.saved.extend_from_slice(&point.z);
        for snap in [Point::snap, Point::snap_to_zero] {
            if !snap(point, lcp, places) {
                continue;
            }
            point.evaluate(lcp, rules.symmetric);
            let backward_error = point.backward_error(lcp, places);
            if backward_error <= limit(lcp.n()) {
                return Some(backward_error);
            }
            point.z.copy_from_slice(&self.saved);
            point.evaluate(lcp, rules.symmetric);
        }
        None
    }
}
