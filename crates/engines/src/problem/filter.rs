//! The bound of `docs/engines.md` in binary64, with all rounding counted: what decides most steps without exact
//! arithmetic.
//!
//! A sum of k products has an error of at most γ(k) times the sum of their sizes, whatever its order. Where the force of
//! a sliding contact must be on the boundary of its cone, the point that is meant is the real one, f_n = |(f_t / mu)|, and
//! the computed normal force is within an error of it: so a sliding contact costs no square root of a rounding error.

use super::factor::{Factor, UNIT, are_tame, gamma, is_tame};
use super::law::project;
use super::view::{RowSet, StepView};

/// A proved upper bound on the distance of an acceleration from the only right one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterBound {
    /// |a - a*|_M / max(|a|_M, |a0|_M).
    pub relative: f64,
    /// |a - a*|_M.
    pub acceleration: f64,
    /// The row that the bound owes most to, where there is one.
    pub worst_row: Option<usize>,
}

/// More than what underflow takes from a sum of squares.
const UNDERFLOW: f64 = 1e-280;

/// Numbers with bounds on their errors.
struct Vector {
    own: Vec<f64>,
    error: Vec<f64>,
}

/// A force within its set; of a boundary point the normal force is known up to an error.
struct Force {
    own: Vec<f64>,
    error: Vec<f64>,
    /// Whether the force of the cone that begins at this row is on its boundary.
    on_boundary: Vec<bool>,
}

/// What rows leave: gamma, beta^2 and the largest share.
#[derive(Default)]
struct Rest {
    gap: f64,
    square: f64,
    worst: (f64, Option<usize>),
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

/// Bounds |a - a*|_M for the acceleration of a step, the better of two: with the engine's own forces, and with those
/// that the law gives at its acceleration. `None` where binary64 proves nothing: the data are out of range, or M is not
/// proved to be positive definite.
///
/// The slices must have passed [`StepView::check`]. Takes nv^3 / 3 + 4 nv nefc operations.
pub fn filter_bound(view: &StepView<'_>) -> Option<FilterBound> {
    Filter::new(view)?.bound()
}

/// As [`filter_bound`], with the engine's own forces alone, where it reports some: accepts motion and forces at once, and so
/// agrees with the judge of records.
///
/// The slices must have passed [`StepView::check`].
pub fn filter_bound_of_pair(view: &StepView<'_>) -> Option<FilterBound> {
    Filter::new(view)?.bound_of_pair()
}

/// The parts of the bound that do not depend on the forces.
pub(super) struct Filter<'a> {
    view: &'a StepView<'a>,
    factor: Factor,
    /// M a - q.
    inertia: Vector,
    /// J a - r.
    drift: Vector,
    /// At most max(|a|_M, |a0|_M).
    scale: f64,
    /// Whether a row of J has an entry.
    felt: Vec<bool>,
}

impl<'a> Filter<'a> {
    pub fn new(view: &'a StepView<'a>) -> Option<Self> {
        let data = [view.force, view.j, view.r, view.target, view.motion];
        let sets = view.rows.iter().all(|row| match row {
            RowSet::Box(own) | RowSet::Tangential(own) => is_tame(*own),
            _ => true,
        });
        if !sets || !data.into_iter().all(are_tame) {
            return None;
        }
        let nv = view.nv();
        let factor = Factor::new(view.m, nv)?;
        let mut inertia = Vector {
            own: Vec::with_capacity(nv),
            error: Vec::with_capacity(nv),
        };
        let (mut energy, mut energy_size) = (0.0, 0.0);
        for i in 0..nv {
            let (sum, size) = dot(&view.m[i * nv..(i + 1) * nv], view.motion);
            energy += view.motion[i] * sum;
            energy_size += view.motion[i].abs() * size;
            let q = view.force[i];
            inertia.own.push(sum - q);
            inertia.error.push(gamma(nv + 4) * (size + q.abs()));
        }
        let below = (energy - gamma(2 * nv + 6) * energy_size).max(0.0).sqrt();
        let nothing = vec![0.0; nv];
        let (free, _) = factor.dual_norm(view.force, &nothing);
        let scale = (below * (1.0 - 4.0 * UNIT)).max(free);
        let mut drift = Vector {
            own: Vec::with_capacity(view.nefc()),
            error: Vec::with_capacity(view.nefc()),
        };
        let mut felt = Vec::with_capacity(view.nefc());
        for k in 0..view.nefc() {
            let row = &view.j[k * nv..(k + 1) * nv];
            felt.push(row.iter().any(|own| *own != 0.0));
            let (sum, size) = dot(row, view.motion);
            let target = view.target[k];
            drift.own.push(sum - target);
            drift.error.push(gamma(nv + 4) * (size + target.abs()));
        }
        Some(Self {
            view,
            factor,
            inertia,
            drift,
            scale,
            felt,
        })
    }

    /// The better of both bounds.
    fn bound(&self) -> Option<FilterBound> {
        let own = self.bound_of_pair();
        match (own, self.with(&self.lawful())) {
            (Some(own), Some(other)) if own.relative <= other.relative => Some(own),
            (own, other) => other.or(own),
        }
    }

    /// The bound with the engine's own forces, which accepts motion and forces at once: |M a - J'f - q|_(M^-1) is below it.
    pub fn bound_of_pair(&self) -> Option<FilterBound> {
        match self.view.constraint_force {
            Some(own) => self.with(own),
            None => self.with(&self.lawful()),
        }
    }

    /// The bound with these forces, moved into their sets.
    fn with(&self, force: &[f64]) -> Option<FilterBound> {
        if !are_tame(force) {
            return None;
        }
        let view = self.view;
        let (nv, nefc) = (view.nv(), view.nefc());
        let force = self.taken_inside(force);
        let w = self.velocities(&force);
        let mut rest = Rest::default();
        for group in view.groups() {
            // What no velocity feels is no part of the problem.
            if self.felt[group.clone()].iter().any(|felt| *felt) {
                self.split(group, &force, &w, &mut rest);
            }
        }
        let mut residual = self.inertia.own.clone();
        let mut size: Vec<f64> = residual.iter().map(|own| own.abs()).collect();
        let mut error = self.inertia.error.clone();
        for k in 0..nefc {
            let (own, off) = (force.own[k], force.error[k]);
            if own == 0.0 && off == 0.0 {
                continue;
            }
            for (i, j) in view.j[k * nv..(k + 1) * nv].iter().enumerate() {
                let part = j * own;
                residual[i] -= part;
                size[i] += part.abs();
                error[i] += j.abs() * off;
            }
        }
        let up = 1.0 + gamma(nefc + 4);
        for (error, size) in error.iter_mut().zip(&size) {
            *error = (*error + gamma(nefc + 3) * size) * up;
        }
        let (_, alpha) = self.factor.dual_norm(&residual, &error);
        let up = 1.0 + gamma(8 * nefc + 16);
        let root = (rest.gap + (alpha * alpha + rest.square) / 4.0) * up + UNDERFLOW;
        let acceleration = (alpha / 2.0 + root.sqrt()) * (1.0 + gamma(8));
        if !acceleration.is_finite() {
            return None;
        }
        let relative = acceleration / self.scale * (1.0 + gamma(2));
        Some(FilterBound {
            relative,
            acceleration,
            worst_row: rest.worst.1,
        })
    }

    /// w = Ja + Rf - r.
    fn velocities(&self, force: &Force) -> Vector {
        let rows = (0..self.view.nefc()).map(|k| {
            let part = self.view.r[k] * force.own[k];
            let own = self.drift.own[k] + part;
            let rounding = gamma(3) * (self.drift.own[k].abs() + part.abs());
            let known = self.drift.error[k] + self.view.r[k] * force.error[k];
            (own, (known + rounding) * (1.0 + gamma(4)))
        });
        let (own, error) = rows.unzip();
        Vector { own, error }
    }

    /// The forces moved into their sets: with certainty, whatever is rounded.
    fn taken_inside(&self, given: &[f64]) -> Force {
        let n = given.len();
        let mut force = Force {
            own: given.to_vec(),
            error: vec![0.0; n],
            on_boundary: vec![false; n],
        };
        for group in self.view.groups() {
            let i = group.start;
            match self.view.rows[i] {
                RowSet::Equality => {}
                RowSet::Nonnegative => force.own[i] = given[i].max(0.0),
                RowSet::Box(bound) => force.own[i] = given[i].clamp(-bound, bound),
                RowSet::Normal | RowSet::Tangential(_) => self.cone_inside(group, &mut force),
            }
        }
        force
    }

    fn cone_inside(&self, group: std::ops::Range<usize>, force: &mut Force) {
        let i = group.start;
        let normal = force.own[i].max(0.0);
        let length = self.length(group.clone(), &force.own);
        if normal == 0.0 || length.is_nan() {
            force.own[group].fill(0.0);
            return;
        }
        if length < normal * (1.0 - 1e-8) {
            // Inside, with room for the 16 roundings of the length.
            force.own[i] = normal;
            return;
        }
        if length > normal {
            let share = normal / length;
            force.own[group.start + 1..group.end]
                .iter_mut()
                .for_each(|own| *own *= share);
        }
        let length = self.length(group, &force.own);
        force.own[i] = length;
        force.error[i] = gamma(16) * length;
        force.on_boundary[i] = true;
    }

    /// |(f_k / mu_k)| over the tangential rows of a cone, up to 16 roundings.
    fn length(&self, group: std::ops::Range<usize>, own: &[f64]) -> f64 {
        let squares = group.filter_map(|k| match self.view.rows[k] {
            RowSet::Tangential(mu) => Some((own[k] / mu).powi(2)),
            _ => None,
        });
        squares.sum::<f64>().sqrt()
    }

    /// The forces that the law gives at the engine's acceleration, as near as binary64 has them.
    fn lawful(&self) -> Vec<f64> {
        let (x, r) = (&self.drift.own, self.view.r);
        let mut force = vec![0.0; x.len()];
        for group in self.view.groups() {
            let i = group.start;
            let own = -x[i] / r[i];
            match self.view.rows[i] {
                RowSet::Equality => force[i] = own,
                RowSet::Nonnegative => force[i] = own.max(0.0),
                RowSet::Box(bound) => force[i] = own.clamp(-bound, bound),
                RowSet::Normal | RowSet::Tangential(_) => {
                    let mu = self.view.mu(group.clone());
                    project(&x[group.clone()], &r[group.clone()], &mu, &mut force[group]);
                }
            }
        }
        force
    }

    /// Splits w = w+ + e on a group of rows: w+ in the dual set, gamma = f'w+ (of a box f w + bound |w|), and e^2 / R. Of the
    /// ways that serve the one with the least gamma + e^2 / 4R.
    fn split(&self, group: std::ops::Range<usize>, force: &Force, w: &Vector, rest: &mut Rest) {
        let i = group.start;
        let (f, r) = (force.own[i], self.view.r[i]);
        let (own, off) = (w.own[i], w.error[i]);
        let all = square(own.abs() + off, r);
        match self.view.rows[i] {
            RowSet::Equality => rest.add(i, 0.0, all),
            RowSet::Nonnegative if f == 0.0 => rest.add(i, 0.0, square((off - own).max(0.0), r)),
            RowSet::Nonnegative => {
                let gap = f * (own + off) * (1.0 + gamma(2));
                let left = square((off - own).max(0.0), r);
                rest.better(i, (0.0, all), (own > 0.0).then_some((gap, left)));
            }
            RowSet::Box(bound) => {
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

/// A sum of products, and of their sizes.
fn dot(a: &[f64], b: &[f64]) -> (f64, f64) {
    let mut sums = [(0.0, 0.0); 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let (mut sum, mut size) = (0.0, 0.0);
    for (a, b) in a4.remainder().iter().zip(b4.remainder()) {
        let part = a * b;
        sum += part;
        size += f64::abs(part);
    }
    for (a, b) in a4.zip(b4) {
        for k in 0..4 {
            let part: f64 = a[k] * b[k];
            sums[k].0 += part;
            sums[k].1 += part.abs();
        }
    }
    for own in sums {
        sum += own.0;
        size += own.1;
    }
    (sum, size)
}
