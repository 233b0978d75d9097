//! The bound of `docs/engines.md` in binary64, with all rounding counted: what decides most steps without exact
//! arithmetic.
//!
//! A sum of k products has an error of at most γ(k) times the sum of their sizes, whatever its order. A result x that k
//! roundings may have made too small is raised to x (1 + γ(k + 2)): that factor is rounded too, and the second order needs
//! room. Single terms of a sum are left as they are where the factor on the sum counts their roundings. Where the force of
//! a sliding contact must be on the boundary of its cone, the point that is meant is the real one, f_n = |(f_t / mu)|, and
//! the computed normal force is within an error of it: so a sliding contact costs no square root of a rounding error.

mod force;
mod split;

use super::factor::{Factor, UNIT, are_tame, gamma, is_tame};
use super::view::{RowSet, StepView};
use force::Force;
use split::Rest;

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

/// More than what underflow takes from a sum of squares: 2^-1075 of each, over an R of at least 1e-50, for fewer than 2^40
/// rows, which is below 1e-261.
const UNDERFLOW: f64 = 1e-260;

/// Numbers with bounds on their errors.
struct Vector {
    own: Vec<f64>,
    error: Vec<f64>,
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
            // A sum of nv products and q, whatever its order: gamma(nv + 1) times the sum of sizes. The
            // rest is for the rounding of that sum itself.
            inertia.error.push(gamma(nv + 4) * (size + q.abs()));
        }
        // A lower bound: a scale that is too large would make the relative distance too small.
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
        let Some(own) = self.view.constraint_force else {
            return self.with(&self.lawful());
        };
        let bound = self.with(own)?;
        // The bound holds for forces in their sets. By the triangle inequality the reported ones leave at
        // most |J'(f - g)| more of the dynamics.
        let stray = self.stray(own);
        if stray == 0.0 {
            return Some(bound);
        }
        // Rounded up: a quotient, a sum and this product are three roundings.
        let up = 1.0 + gamma(5);
        Some(FilterBound {
            relative: (bound.relative + stray / self.scale) * up,
            acceleration: (bound.acceleration + stray) * up,
            ..bound
        })
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
        // A term of a row has five roundings more than its own factor counts at most, and there are as many sums as rows.
        let up = 1.0 + gamma(8 * nefc + 16);
        // (X - alpha/2)^2 + (Y - beta/2)^2 <= gamma + (alpha^2 + beta^2)/4, solved for the largest
        // X (`docs/engines.md`, level A).
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
