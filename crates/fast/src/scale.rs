//! Equilibration by powers of two: R M C with entries near 1, exactly the same problem. By the largest entries of rows and
//! columns, or by the mean exponents of M and q together.

use crate::problem::{Lcp, LcpRef};

/// The problem in other units: w = R w', z = C z' with powers of two R and C.
#[derive(Debug, Default)]
pub(crate) struct Scaled {
    pub(crate) lcp: Lcp,
    /// Exponents of C and of R^-1.
    columns: Vec<i32>,
    rows: Vec<i32>,
    /// z' = 2^-units C^-1 z.
    units: i32,
}

/// value * 2^exponent, exact unless it leaves the range.
pub(crate) fn times_power(mut value: f64, mut exponent: i32) -> f64 {
    // Doubles span 2^-1074 to 2^1024, and 4400 is above twice that: more changes nothing.
    exponent = exponent.clamp(-4400, 4400);
    while exponent != 0 {
        // 2^1023 is the largest power of two that is a double, so a larger one is applied in parts.
        let step = exponent.clamp(-1000, 1000);
        value *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    value
}

/// The exponent of the largest of some values; `None` when all are 0.
fn exponent(values: impl Iterator<Item = f64>) -> Option<i32> {
    let largest = values.fold(0.0f64, |most, value| most.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    let biased = (largest.to_bits() >> 52) as i32;
    if biased == 0 {
        // A denormal: measured where it is normal.
        return exponent([times_power(largest, 200)].into_iter()).map(|e| e - 200);
    }
    Some(biased - 1023)
}

/// The mean, rounded; 0 of nothing.
fn mean(exponents: impl Iterator<Item = i32>) -> i32 {
    let (sum, count) = exponents.fold((0_i64, 0_i64), |(sum, count), e| {
        (sum + i64::from(e), count + 1)
    });
    // No exponent is far beyond 2^13, so neither is their mean.
    (sum / count.max(1)) as i32
}

impl Scaled {
    /// Equilibrates; a symmetric M stays so. `false` when even the scaled problem has entries
    /// that underflow, so that it would be another problem.
    pub(crate) fn build(&mut self, lcp: LcpRef<'_>, symmetric: bool) -> bool {
        let n = lcp.n();
        self.columns.clear();
        self.columns.resize(n, 0);
        self.rows.clear();
        self.rows.resize(n, 0);
        // In the manner of Ruiz (2001), whose passes converge with the rate 1/2: three leave an
        // eighth of the exponents. Powers of two round nothing, so only the walk depends on it.
        for _ in 0..3 {
            self.pass(lcp, symmetric);
        }
        self.tie_friction(lcp);
        // q is brought to a largest entry in [1, 2) by a power common to q, z and w. The LCP is homogeneous
        // in (q, z, w), so M stays.
        let scaled_q = |i: usize| exponent([lcp.q[i]].into_iter()).map(|e| e + self.rows[i]);
        let q_units = (0..n).filter_map(scaled_q).max();
        self.units = q_units.unwrap_or(0);
        self.fill(lcp)
    }

    /// As [`build`](Self::build), by mean exponents (Curtis and Reid 1972), with q as one more column: where z or the rows have sizes far
    /// apart, no largest entries of M show these. Symmetry is lost.
    pub(crate) fn build_by_means(&mut self, lcp: LcpRef<'_>) -> bool {
        let n = lcp.n();
        self.columns.clear();
        self.columns.resize(n, 0);
        self.rows.clear();
        self.rows.resize(n, 0);
        self.units = 0;
        // What is left of an exponent falls to a half or less in a pass as a rule, and within 2^300 any will do.
        for _ in 0..20 {
            self.pass_of_means(lcp);
        }
        self.tie_friction(lcp);
        self.fill(lcp)
    }

    fn pass_of_means(&mut self, lcp: LcpRef<'_>) {
        let n = lcp.n();
        let size = |value: f64| exponent([value].into_iter());
        for i in 0..n {
            let row = lcp.row(i).iter().zip(&self.columns);
            let entries = row.filter_map(|(m, c)| size(*m).map(|e| e + c));
            let q = size(lcp.q[i]).map(|e| e - self.units);
            self.rows[i] = -mean(entries.chain(q));
        }
        for j in 0..n {
            let rows = self.rows.iter().enumerate();
            let entries = rows.filter_map(|(i, r)| size(lcp.m[i * n + j]).map(|e| e + r));
            self.columns[j] = -mean(entries);
        }
        let q = lcp.q.iter().zip(&self.rows);
        self.units = mean(q.filter_map(|(q, r)| size(*q).map(|e| e + r)));
    }

    fn pass(&mut self, lcp: LcpRef<'_>, symmetric: bool) {
        let n = lcp.n();
        for i in 0..n {
            let row = lcp.row(i).iter().zip(&self.columns);
            let size = row.filter_map(|(m, c)| exponent([*m].into_iter()).map(|e| e + c));
            let size = size.max().map_or(0, |e| e + self.rows[i]);
            if symmetric {
                // Both sides share the correction.
                // Rounded down, so that a row is at rest only where its largest exponent is 0 or 1. The
                // rows after this one see its correction in the same pass.
                let half = size.div_euclid(2);
                self.rows[i] -= half;
                self.columns[i] -= half;
            } else {
                self.rows[i] -= size;
            }
        }
        if symmetric {
            return;
        }
        // The columns see the rows as this pass has corrected them.
        for j in 0..n {
            let entry = |i: usize| {
                exponent([lcp.m[i * n + j]].into_iter()).map(|e| e + self.rows[i] + self.columns[j])
            };
            let size = (0..n).filter_map(entry).max();
            self.columns[j] -= size.unwrap_or(0);
        }
    }

    /// A friction row keeps its mu: it takes the unit of its normal row.
    fn tie_friction(&mut self, lcp: LcpRef<'_>) {
        for f in lcp.friction {
            self.columns[f.row] = self.columns[f.normal];
        }
    }

    fn fill(&mut self, lcp: LcpRef<'_>) -> bool {
        let n = lcp.n();
        let mut exact = true;
        let mut scale = |value: f64, exponent: i32| {
            let scaled = times_power(value, exponent);
            // Times a power of two is exact unless the result underflows or overflows. The way back shows
            // both.
            exact &= times_power(scaled, -exponent) == value || value.is_infinite();
            scaled
        };
        let target = &mut self.lcp;
        target.m.clear();
        target.q.clear();
        target.lower.clear();
        target.upper.clear();
        for i in 0..n {
            let row = lcp.row(i).iter().zip(&self.columns);
            let scaled = row.map(|(m, c)| scale(*m, self.rows[i] + c));
            target.m.extend(scaled);
            target.q.push(scale(lcp.q[i], self.rows[i] - self.units));
        }
        for (from, to) in [
            (lcp.lower, &mut target.lower),
            (lcp.upper, &mut target.upper),
        ] {
            let bounds = from.iter().zip(&self.columns);
            to.extend(bounds.map(|(b, c)| scale(*b, -c - self.units)));
        }
        target.friction.clear();
        target.friction.extend_from_slice(lcp.friction);
        exact
    }

    /// z from z'; `None` when it leaves the range of normal numbers or a digit is lost.
    pub(crate) fn unscale(&self, scaled: &[f64], z: &mut Vec<f64>) -> Option<()> {
        z.clear();
        for (value, c) in scaled.iter().zip(&self.columns) {
            let own = times_power(*value, c + self.units);
            // A digit lost below the normal numbers does not come back.
            let back = times_power(own, -(c + self.units));
            if !own.is_finite() || back != *value {
                return None;
            }
            z.push(own);
        }
        Some(())
    }

    /// A start in the units of the scaled problem.
    pub(crate) fn scale_point(&self, z: &[f64]) -> Vec<f64> {
        let entries = z.iter().zip(&self.columns);
        entries
            .map(|(z, c)| times_power(*z, -(c + self.units)))
            .collect()
    }

    /// w from w'. No range is asked for as it is of z: w is a report, rounded, and an entry that leaves the range of binary64 says
    /// nothing against z.
    pub(crate) fn unscale_w(&self, scaled: &[f64], w: &mut Vec<f64>) {
        w.clear();
        let rows = scaled.iter().zip(&self.rows);
        w.extend(rows.map(|(value, r)| times_power(*value, self.units - r)));
    }
}
