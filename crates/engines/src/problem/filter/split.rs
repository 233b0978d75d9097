//! Velocities split into a part in the dual set and an error, and what both leave of the bound.

use super::force::Force;
use super::{Filter, Vector};
use crate::problem::factor::gamma;
use crate::problem::view::RowSet;

/// What rows leave: gamma, beta^2 and the largest share.
#[derive(Default)]
pub(super) struct Rest {
    pub gap: f64,
    pub square: f64,
    pub worst: (f64, Option<usize>),
}

impl Rest {
    fn add(&mut self, row: usize, gap: f64, square: f64) {
        self.gap += gap;
        self.square += square;
        let share = gap + square / 4.0;
        if share > self.worst.0 || share.is_nan() {
            self.worst = (share, Some(row));
        }
    }
}

impl Filter<'_> {
    /// Splits w = w+ + e on a group of rows: w+ in the dual set, gamma = f'w+ (of a box f w + bound |w|), and e^2 / R. Of the
    /// ways that serve the one with the least gamma + e^2 / 4R.
    pub(super) fn split(
        &self,
        group: std::ops::Range<usize>,
        force: &Force,
        w: &Vector,
        rest: &mut Rest,
    ) {
        let i = group.start;
        let (f, r) = (force.own[i], self.view.r[i]);
        let (own, off) = (w.own[i], w.error[i]);
        let all = square(own.abs() + off, r);
        match self.view.rows[i] {
            // The force of an equation may be any number, so w+ = 0, and all of w is error.
            RowSet::Equality => rest.add(i, 0.0, all),
            // Without force any w >= 0 is right.
            RowSet::Nonnegative if f == 0.0 => rest.add(i, 0.0, square((off - own).max(0.0), r)),
            RowSet::Nonnegative => {
                // w+ = w costs f w, w+ = 0 costs w^2 / 4R: the cheaper one counts.
                let gap = f * (own + off) * (1.0 + gamma(2));
                let left = square((off - own).max(0.0), r);
                rest.better(i, (0.0, all), (own > 0.0).then_some((gap, left)));
            }
            RowSet::Box(bound) => {
                // f w + bound |w| = (bound + f) w for w > 0, (bound - f) |w| for w < 0.
                let room = if own > 0.0 { bound + f } else { bound - f };
                // Where the sign of w is not known the other side counts too.
                let room = if own.abs() < off {
                    bound + f.abs()
                } else {
                    room
                };
                let gap = room * (own.abs() + off) * (1.0 + gamma(4));
                rest.better(i, (0.0, all), Some((gap, 0.0)));
            }
            RowSet::Normal | RowSet::Tangential(_) => self.split_cone(group, force, w, rest),
        }
    }

    fn split_cone(
        &self,
        group: std::ops::Range<usize>,
        force: &Force,
        w: &Vector,
        rest: &mut Rest,
    ) {
        let i = group.start;
        let tangential = group.start + 1..group.end;
        let mu = |k: usize| match self.view.rows[k] {
            RowSet::Tangential(mu) => mu,
            _ => 1.0,
        };
        let r = self.view.r;
        if force.own[i] == 0.0 {
            // w+ = (max(w_n, |mu w_t|), w_t).
            let parts = tangential.clone().map(|k| (mu(k) * w.own[k]).powi(2));
            let length = parts.sum::<f64>().sqrt() * (1.0 + gamma(16));
            let off: f64 = tangential.map(|k| mu(k) * w.error[k]).sum::<f64>() + w.error[i];
            let lifted = (length - w.own[i] + off * (1.0 + gamma(8))).max(0.0);
            rest.add(i, 0.0, square(lifted * (1.0 + gamma(4)), r[i]));
            return;
        }
        let sticks: f64 = group
            .clone()
            .map(|k| square(w.own[k].abs() + w.error[k], r[k]))
            .sum();
        // w+ = L (f_n, -f_t / mu^2), with the L that leaves least.
        let normal = force.own[i];
        let against = |k: usize| force.own[k] / (mu(k) * mu(k));
        let (mut above, mut below) = (w.own[i] * normal / r[i], normal * normal / r[i]);
        for k in tangential.clone() {
            above -= w.own[k] * against(k) / r[k];
            below += against(k).powi(2) / r[k];
        }
        // The least squares in the weights 1/R that the errors are counted by; nothing is proved by
        // L itself, since what it leaves is bounded.
        let share = (above / below).max(0.0);
        let mut left = 0.0;
        let e = w.own[i] - share * normal;
        let off =
            w.error[i] + share * force.error[i] + gamma(4) * (w.own[i].abs() + share * normal);
        left += square((e.abs() + off) * (1.0 + gamma(4)), r[i]);
        for k in tangential.clone() {
            let part = share * against(k);
            let off = w.error[k] + gamma(8) * (w.own[k].abs() + part.abs());
            left += square(((w.own[k] + part).abs() + off) * (1.0 + gamma(4)), r[k]);
        }
        let gap = if force.on_boundary[i] {
            0.0
        } else {
            let length = self.length(group, &force.own);
            // f_n^2 - |f_t / mu|^2, written so that little cancels near the boundary.
            let room = (normal - length) * (normal + length);
            share * (room + gamma(40) * normal * normal) * (1.0 + gamma(4))
        };
        rest.better(i, (0.0, sticks), share.is_finite().then_some((gap, left)));
    }
}

impl Rest {
    /// Adds the better of two ways to split.
    fn better(&mut self, row: usize, one: (f64, f64), other: Option<(f64, f64)>) {
        let cost = |own: (f64, f64)| own.0 + own.1 / 4.0;
        let best = match other {
            Some(other) if cost(other) < cost(one) => other,
            _ => one,
        };
        self.add(row, best.0, best.1);
    }
}

/// e^2 / R, rounded up.
fn square(e: f64, r: f64) -> f64 {
    e * e / r * (1.0 + gamma(4))
}
