//! Dantzig's principal pivoting as Baraff states it (Fast contact force computation, 1994,
//! section 4.3). The rows are settled one by one: each is driven until its w is 0, while all settled
//! rows keep their conditions. The factor of the clamped rows is updated (section 4.5), and boxes
//! and bilateral rows are allowed.
//!
//! For symmetric positive definite M + E each drive ends: z_d grows, and no set of clamped rows
//! comes back within it.

mod factor;
mod update;

use crate::failure::Failure;
use crate::meter::Meter;
use crate::place::{Place, nearest_bound};
use crate::point::Point;
use crate::problem::LcpRef;
use crate::simd::dispatch;
use factor::ClampedFactor;
use update::{Advance, Combine};

/// The pivots that a run may take: so many for each row, and so many more. In exact arithmetic a run
/// ends, usually after some two pivots a row (`docs/baraff-claims.md`); one of a hundred circles by
/// rounding. Chosen.
const PIVOTS_A_ROW: u64 = 100;
const MORE_PIVOTS: u64 = 1000;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Dantzig {
    factor: ClampedFactor,
    /// C, in the order of the factor.
    clamped: Vec<usize>,
    settled: Vec<bool>,
    /// Change of z_C and of w per unit of z_d.
    dz: Vec<f64>,
    dw: Vec<f64>,
    multipliers: Vec<(f64, f64)>,
}

/// What ends a step.
#[derive(Clone, Copy)]
enum Event {
    /// w_d is 0.
    Settled,
    /// z_d is at its other bound.
    Opposite,
    /// The clamped row at this position of C is at a bound.
    Leaves(usize, Place),
    /// w of this row is 0.
    Enters(usize),
}

impl Dantzig {
    /// Room for n rows.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.factor.reset(n);
        for vector in [&mut self.dz, &mut self.dw] {
            vector.clear();
            vector.reserve(n);
        }
        self.multipliers.clear();
        self.multipliers.reserve(n);
        self.clamped.clear();
        self.clamped.reserve(n);
        self.settled.clear();
        self.settled.resize(n, false);
    }

    /// Pivots from `places` to a solution of LCP(q, M + E), M symmetric, E the diagonal `shift`
    /// (empty: none). Leaves `places` and z; w only nearly.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        shift: &[f64],
        places: &mut [Place],
        point: &mut Point,
        meter: &mut Meter,
    ) -> Result<(), Failure> {
        let n = lcp.n();
        self.reserve(n);
        self.begin(lcp, shift, places, point)?;
        let budget = meter.pivots + PIVOTS_A_ROW * n as u64 + MORE_PIVOTS;
        // A settled row stays settled while others are driven, so one pass over the rows is enough.
        for row in 0..n {
            while !self.settled[row] {
                meter.pivot(budget)?;
                self.drive(lcp, shift, row, places, point)?;
            }
        }
        Ok(())
    }

    /// Clamps the rows that `places` has between their bounds, as far as they fit together.
    fn begin(
        &mut self,
        lcp: LcpRef<'_>,
        shift: &[f64],
        places: &mut [Place],
        point: &mut Point,
    ) -> Result<(), Failure> {
        for (i, place) in places.iter_mut().enumerate() {
            if *place == Place::Between && !self.clamp(lcp, shift, i) {
                // A free row has no bound to stand at in place of C.
                if lcp.bounds(i) == (f64::NEG_INFINITY, f64::INFINITY) {
                    return Err(Failure::Singular);
                }
                *place = nearest_bound(lcp, i);
            }
        }
        loop {
            point.z.fill(0.0);
            point.put(lcp, places);
            point.evaluate(lcp, true);
            self.dz.clear();
            // Every round but the last releases a row, so there are at most as many as rows of C.
            self.dz.extend(self.clamped.iter().map(|&i| -point.w[i]));
            self.factor.solve(&mut self.dz);
            let mut all_inside = true;
            // From the last one on: a row taken out moves only the positions after it.
            for p in (0..self.clamped.len()).rev() {
                let i = self.clamped[p];
                let (lower, upper) = lcp.bounds(i);
                let outside = if self.dz[p] < lower {
                    Place::Lower
                } else if self.dz[p] > upper {
                    Place::Upper
                } else {
                    continue;
                };
                places[i] = outside;
                self.release(p);
                all_inside = false;
            }
            if all_inside {
                break;
            }
        }
        for (&i, z) in self.clamped.iter().zip(&self.dz) {
            point.z[i] = *z;
        }
        point.evaluate(lcp, true);
        for (i, place) in places.iter().enumerate() {
            if let (Some(e), false) = (shift.get(i), *place == Place::Between) {
                point.w[i] += e * point.z[i];
            }
            let (lower, upper) = lcp.bounds(i);
            // Where the bounds leave z_i one value, any w_i is right.
            self.settled[i] = lower == upper
                || match place {
                    Place::Between => true,
                    Place::Lower => point.w[i] >= 0.0,
                    Place::Upper => point.w[i] <= 0.0,
                };
        }
        Ok(())
    }

    fn clamp(&mut self, lcp: LcpRef<'_>, shift: &[f64], i: usize) -> bool {
        let row = lcp.row(i);
        let diagonal = row[i] + shift.get(i).copied().unwrap_or(0.0);
        self.dz.clear();
        self.dz.extend(self.clamped.iter().map(|&j| row[j]));
        let fits = self.factor.append(&mut self.dz, diagonal);
        if fits {
            self.clamped.push(i);
        }
        fits
    }

    fn release(&mut self, position: usize) {
        self.factor.remove(position, &mut self.multipliers);
        self.clamped.remove(position);
    }

    /// One step of driving w_d to 0.
    fn drive(
        &mut self,
        lcp: LcpRef<'_>,
        shift: &[f64],
        d: usize,
        places: &mut [Place],
        point: &mut Point,
    ) -> Result<(), Failure> {
        // w_d does not fall as z_d grows, as M + E is semidefinite. So w_d < 0 asks for more of z_d, w_d >
        // 0 for less.
        let sign = if point.w[d] < 0.0 { 1.0 } else { -1.0 };
        self.direction(lcp, shift, d, sign);
        let (event, length) = self.step_length(lcp, d, sign, places, point);
        // No event stops z_d. In exact arithmetic this is a ray; a rounded dw_d of a semidefinite M can
        // look the same, so nothing is proved.
        if !length.is_finite() {
            return Err(Failure::Unbounded);
        }
        dispatch(Advance {
            length,
            dw: &self.dw,
            w: &mut point.w,
        });
        for (&i, dz) in self.clamped.iter().zip(&self.dz) {
            point.z[i] += length * dz;
            // 0 by the choice of dz. Kept as 0, so that the errors of many steps do not add up in
            // it.
            point.w[i] = 0.0;
        }
        point.z[d] += length * sign;
        let entered = match event {
            Event::Settled => d,
            Event::Enters(i) => i,
            Event::Opposite => {
                places[d] = if sign > 0.0 {
                    Place::Upper
                } else {
                    Place::Lower
                };
                self.settled[d] = true;
                self.put(lcp, d, places, point);
                return Ok(());
            }
            Event::Leaves(position, place) => {
                let i = self.clamped[position];
                places[i] = place;
                self.release(position);
                self.put(lcp, i, places, point);
                return Ok(());
            }
        };
        point.w[entered] = 0.0;
        places[entered] = Place::Between;
        self.settled[entered] = true;
        // A row that depends on those of C would make A_CC singular, and z_C would not be determined. The
        // caller begins again with M + E.
        if self.clamp(lcp, shift, entered) {
            Ok(())
        } else {
            Err(Failure::Singular)
        }
    }

    fn put(&self, lcp: LcpRef<'_>, i: usize, places: &[Place], point: &mut Point) {
        let (lower, upper) = lcp.bounds(i);
        point.z[i] = if places[i] == Place::Lower {
            lower
        } else {
            upper
        };
    }

    /// dz_C = -sign A_CC^-1 A_Cd, dw = A_C' dz_C + sign A_d.
    fn direction(&mut self, lcp: LcpRef<'_>, shift: &[f64], d: usize, sign: f64) {
        let row = lcp.row(d);
        self.dz.clear();
        self.dz.extend(self.clamped.iter().map(|&j| -sign * row[j]));
        self.factor.solve(&mut self.dz);
        self.dw.clear();
        self.dw.extend(row.iter().map(|value| sign * value));
        self.dw[d] += sign * shift.get(d).copied().unwrap_or(0.0);
        dispatch(Combine {
            lcp,
            rows: &self.clamped,
            factors: &self.dz,
            out: &mut self.dw,
        });
    }

    fn step_length(
        &self,
        lcp: LcpRef<'_>,
        d: usize,
        sign: f64,
        places: &[Place],
        point: &Point,
    ) -> (Event, f64) {
        let (lower, upper) = lcp.bounds(d);
        let room = if sign > 0.0 {
            upper - point.z[d]
        } else {
            point.z[d] - lower
        };
        // Of equal lengths the event looked at first stands: what ends the drive comes before a
        // change of C, which might be taken back at length 0.
        let mut best = (Event::Opposite, room.max(0.0));
        // sign dw_d is the Schur complement A_dd - A_dC A_CC^-1 A_Cd: positive where M + E is
        // definite, 0 or noise where row d depends on those of C.
        let own = -point.w[d] / self.dw[d];
        if self.dw[d] * sign > 0.0 && own < best.1 {
            best = (Event::Settled, own);
        }
        for (position, (&i, &dz)) in self.clamped.iter().zip(&self.dz).enumerate() {
            let (lower, upper) = lcp.bounds(i);
            let (room, place) = if dz < 0.0 {
                (lower - point.z[i], Place::Lower)
            } else if dz > 0.0 {
                (upper - point.z[i], Place::Upper)
            } else {
                continue;
            };
            let length = room / dz;
            if length < best.1 {
                // A length below 0 is rounding: a clamped row is within its bounds when a step begins.
                best = (Event::Leaves(position, place), length.max(0.0));
            }
        }
        for (i, place) in places.iter().enumerate() {
            let dw = self.dw[i];
            let towards = match place {
                Place::Lower => dw < 0.0,
                Place::Upper => dw > 0.0,
                Place::Between => false,
            };
            // The product spares most rows the quotient. Rows that are not settled yet may have any w.
            if towards && self.settled[i] && point.w[i].abs() < best.1 * dw.abs() && i != d {
                let (lower, upper) = lcp.bounds(i);
                let length = (-point.w[i] / dw).max(0.0);
                if lower < upper && length < best.1 {
                    best = (Event::Enters(i), length);
                }
            }
        }
        best
    }
}
