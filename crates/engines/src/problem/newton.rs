//! Newton's method on the acceleration: the problem of a step is to minimise (a - a0)'M(a - a0) / 2 + s(Ja - r), strongly
//! convex and once differentiable, with the gradient M a - q - J'f(a), f(a) the forces of the law. It needs no more than
//! some Newton steps with a line search (as MuJoCo solves it). Where bounded rows have no R, each round adds a small one about
//! the forces of the round before (the proximal point method). What it returns is judged by its bound alone.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::exact::{ExactData, Kind};
use super::law::{disc_multiplier, multiplier, project, project_disc};

/// Newton steps at most, and halvings of one.
const STEPS: usize = 200;
const HALVINGS: usize = 60;
/// Rounds of the proximal point method at most, and the R that it adds relative to J M^-1 J': so much at first, a tenth in each
/// further round, and no less than the last.
const ROUNDS: usize = 30;
const ADDED: [f64; 2] = [1e-3, 1e-8];

/// The problem in binary64.
struct Rounded<'a> {
    data: &'a ExactData,
    m: DMatrix<f64>,
    q: DVector<f64>,
    j: DMatrix<f64>,
    r: Vec<f64>,
    target: DVector<f64>,
}

/// Forces, the cost of the law, and the blocks of its curvature.
struct Law {
    force: DVector<f64>,
    cost: f64,
}

/// The acceleration and the forces, as near as binary64 has them; `None` where M is not positive definite or a number
/// overflows.
pub(super) fn minimise(data: &ExactData, start: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut own = Rounded::of(data);
    let a = DVector::from_column_slice(start);
    if data.is_regularised() {
        let a = own.minimise(a)?;
        let force = own.law(&a).force;
        return finite(&a, &force);
    }
    own.minimise_by_rounds(a)
}

fn finite(a: &DVector<f64>, force: &DVector<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
    let all = a.iter().chain(force.iter());
    let lists = || (a.as_slice().to_vec(), force.as_slice().to_vec());
    all.copied().all(f64::is_finite).then(lists)
}

impl Rounded<'_> {
    /// Newton's method, R > 0 in every row.
    fn minimise(&self, mut a: DVector<f64>) -> Option<DVector<f64>> {
        let mut best = (f64::INFINITY, a.clone());
        for _ in 0..STEPS {
            let law = self.law(&a);
            let gradient = self.gradient(&a, &law);
            let hessian = &self.m + self.j.tr_mul(&(self.curvature(&a) * &self.j));
            let factor = Cholesky::new(hessian)?;
            let step = factor.solve(&gradient);
            let decrement = step.dot(&gradient);
            let (cost, rounding) = self.cost(&a, &law);
            // Costs that differ by less than their rounding cannot be compared, so no line search is made there.
            let is_rounding = decrement <= rounding;
            if decrement < best.0 {
                best = (decrement, a.clone());
            // Full steps converge quadratically, so one that gains nothing is rounding.
            } else if is_rounding {
                break;
            }
            let mut share = 1.0;
            let mut next = &a - &step;
            for _ in 0..HALVINGS {
                if is_rounding {
                    break;
                }
                let (cost_there, rounding_there) = self.cost(&next, &self.law(&next));
                // What rounding hides is no ascent.
                let most = cost - 1e-4 * share * decrement + rounding.max(rounding_there);
                if cost_there <= most {
                    break;
                }
                share /= 2.0;
                next = &a - &step * share;
            }
            // The step is below the rounding of a.
            if next == a {
                break;
            }
            a = next;
        }
        Some(best.1)
    }

    /// The proximal point method: rows without R get one about the forces of the round before.
    fn minimise_by_rounds(&mut self, mut a: DVector<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
        let bare: Vec<usize> = (0..self.r.len()).filter(|k| self.r[*k] == 0.0).collect();
        let factor = Cholesky::new(self.m.clone())?;
        let weights = bare.iter().map(|k| {
            let row = self.j.row(*k).transpose();
            row.dot(&factor.solve(&row))
        });
        let weights: Vec<f64> = weights.collect();
        let most = weights.iter().copied().fold(0.0, f64::max);
        let target = self.target.clone();
        let mut force: DVector<f64> = DVector::zeros(self.r.len());
        let mut added = ADDED[0];
        for _ in 0..ROUNDS {
            for (k, weight) in bare.iter().zip(&weights) {
                // Above 0 also where a row weighs next to nothing: the law divides by R.
                self.r[*k] = added * weight.max(1e-6 * most);
                self.target[*k] = target[*k] + self.r[*k] * force[*k];
            }
            a = self.minimise(a)?;
            let next = self.law(&a).force;
            let (moved, size) = ((&next - &force).amax(), next.amax());
            force = next;
            if added <= ADDED[1] && moved <= 1e-9 * size {
                break;
            }
            added = (added / 10.0).max(ADDED[1]);
        }
        // The motion is that of the last round: what it leaves of the dynamics counts as it is, a velocity of a row that
        // sticks by its root.
        finite(&a, &force)
    }
}

impl<'a> Rounded<'a> {
    fn of(data: &'a ExactData) -> Self {
        let (nv, nefc) = (data.nv(), data.j.len());
        let mut m = DMatrix::zeros(nv, nv);
        for (i, row) in data.m.iter().enumerate() {
            row.iter().for_each(|(k, own)| m[(i, *k)] = own.to_f64());
        }
        let mut j = DMatrix::zeros(nefc, nv);
        for (i, row) in data.j.iter().enumerate() {
            row.iter().for_each(|(k, own)| j[(i, *k)] = own.to_f64());
        }
        let floats =
            |own: &[rug::Rational]| own.iter().map(rug::Rational::to_f64).collect::<Vec<_>>();
        Self {
            data,
            m,
            q: DVector::from_vec(floats(&data.q)),
            j,
            r: floats(&data.r),
            target: DVector::from_vec(floats(&data.target)),
        }
    }

    fn gradient(&self, a: &DVector<f64>, law: &Law) -> DVector<f64> {
        &self.m * a - &self.q - self.j.tr_mul(&law.force)
    }

    /// The cost, and the size of its rounding: epsilon times the terms that it is the sum of, x = Ja - r written out.
    fn cost(&self, a: &DVector<f64>, law: &Law) -> (f64, f64) {
        let (energy, work) = (a.dot(&(&self.m * a)) / 2.0, self.q.dot(a));
        let reach = self.j.abs() * a.abs() + self.target.abs();
        let terms = energy.abs() + self.q.abs().dot(&a.abs()) + law.force.abs().dot(&reach);
        (energy - work + law.cost, f64::EPSILON * terms)
    }

    /// The forces f of least f'Rf / 2 + x'f in their sets, and minus that value.
    fn law(&self, a: &DVector<f64>) -> Law {
        let x = &self.j * a - &self.target;
        let mut force = DVector::zeros(x.len());
        let mut cost = 0.0;
        for group in &self.data.groups {
            let rows = group.rows.clone();
            let i = rows.start;
            let own = -x[i] / self.r[i];
            match &group.kind {
                Kind::Equality => force[i] = own,
                Kind::Nonnegative => force[i] = own.max(0.0),
                Kind::Box(bound) => {
                    let bound = bound.to_f64();
                    force[i] = own.clamp(-bound, bound);
                }
                Kind::Cone(mu) => {
                    let mu: Vec<_> = mu.iter().map(rug::Rational::to_f64).collect();
                    let mut f = vec![0.0; rows.len()];
                    project(
                        &x.as_slice()[rows.clone()],
                        &self.r[rows.clone()],
                        &mu,
                        &mut f,
                    );
                    force.as_mut_slice()[rows.clone()].copy_from_slice(&f);
                }
                Kind::Disc(mu, bound) => {
                    let mu: Vec<_> = mu.iter().map(rug::Rational::to_f64).collect();
                    let mut f = vec![0.0; rows.len()];
                    let x = &x.as_slice()[rows.clone()];
                    project_disc(x, &self.r[rows.clone()], (&mu, bound.to_f64()), &mut f);
                    force.as_mut_slice()[rows.clone()].copy_from_slice(&f);
                }
            }
            for k in rows {
                cost -= force[k] * (self.r[k] * force[k] / 2.0 + x[k]);
            }
        }
        Law { force, cost }
    }

    /// -df/dx, by blocks.
    fn curvature(&self, a: &DVector<f64>) -> DMatrix<f64> {
        let x = &self.j * a - &self.target;
        let mut curvature = DMatrix::zeros(x.len(), x.len());
        for group in &self.data.groups {
            let rows = group.rows.clone();
            let i = rows.start;
            let own = -x[i] / self.r[i];
            let is_free = match &group.kind {
                Kind::Equality => true,
                Kind::Nonnegative => own > 0.0,
                Kind::Box(bound) => own.abs() < bound.to_f64(),
                Kind::Cone(mu) => {
                    let mu: Vec<_> = mu.iter().map(rug::Rational::to_f64).collect();
                    let block =
                        cone_curvature(&x.as_slice()[rows.clone()], &self.r[rows.clone()], &mu);
                    curvature
                        .view_mut((i, i), (rows.len(), rows.len()))
                        .copy_from(&block);
                    continue;
                }
                Kind::Disc(mu, bound) => {
                    let mu: Vec<_> = mu.iter().map(rug::Rational::to_f64).collect();
                    let disc = (&mu[..], bound.to_f64());
                    let x = &x.as_slice()[rows.clone()];
                    let block = disc_curvature(x, &self.r[rows.clone()], disc);
                    curvature
                        .view_mut((i, i), (rows.len(), rows.len()))
                        .copy_from(&block);
                    continue;
                }
            };
            if is_free {
                curvature[(i, i)] = 1.0 / self.r[i];
            }
        }
        curvature
    }
}

/// The curvature of the law of a cone: 0 at the apex, 1/R inside; on the boundary, in coordinates in which the cone is round,
/// T (T'KT)^-1 T' with K = diag(R_n - L, c + L), L the multiplier of the cone, and T across its normal.
fn cone_curvature(x: &[f64], r: &[f64], mu: &[f64]) -> DMatrix<f64> {
    let n = x.len();
    let mut f = vec![0.0; n];
    project(x, r, mu, &mut f);
    if f[0] == 0.0 {
        return DMatrix::zeros(n, n);
    }
    let inside = || DMatrix::from_diagonal(&DVector::from_iterator(n, r.iter().map(|r| 1.0 / r)));
    let Some(l) = multiplier(x, r, mu) else {
        return inside();
    };
    let stretch: Vec<f64> = std::iter::once(1.0).chain(mu.iter().copied()).collect();
    let k = DVector::from_fn(n, |i, _| {
        if i == 0 {
            r[0] - l
        } else {
            r[i] * mu[i - 1].powi(2) + l
        }
    });
    let normal = DVector::from_fn(n, |i, _| if i == 0 { -f[0] } else { f[i] / stretch[i] });
    let stretch = DVector::from_vec(stretch);
    on_boundary(&normal, &k, &stretch).unwrap_or_else(inside)
}

/// The curvature of the law of a disc: 1/R inside; on the boundary as of a cone, with K = R mu^2 + L.
fn disc_curvature(x: &[f64], r: &[f64], (mu, bound): (&[f64], f64)) -> DMatrix<f64> {
    let n = x.len();
    let Some(l) = disc_multiplier(x, r, (mu, bound)) else {
        return DMatrix::from_diagonal(&DVector::from_iterator(n, r.iter().map(|r| 1.0 / r)));
    };
    if n == 1 || bound == 0.0 {
        return DMatrix::zeros(n, n);
    }
    let mut f = vec![0.0; n];
    project_disc(x, r, (mu, bound), &mut f);
    let normal = DVector::from_fn(n, |i, _| f[i] / mu[i]);
    let k = DVector::from_fn(n, |i, _| r[i] * mu[i].powi(2) + l);
    let stretch = DVector::from_column_slice(mu);
    on_boundary(&normal, &k, &stretch).unwrap_or_else(|| DMatrix::zeros(n, n))
}

/// T (T'KT)^-1 T', T across the normal, in stretched coordinates.
fn on_boundary(
    normal: &DVector<f64>,
    k: &DVector<f64>,
    stretch: &DVector<f64>,
) -> Option<DMatrix<f64>> {
    let n = normal.len();
    // The columns of the reflection that takes the normal to the first axis, without the first.
    let mut v = normal / normal.norm();
    // The sign that does not cancel (Householder; Higham, chapter 19).
    v[0] += if v[0] < 0.0 { -1.0 } else { 1.0 };
    let reflection = DMatrix::identity(n, n) - &v * v.transpose() * (2.0 / v.norm_squared());
    let across = reflection.columns(1, n - 1).into_owned();
    let within = across.tr_mul(&(DMatrix::from_diagonal(k) * &across));
    let factor = Cholesky::new(within)?;
    let scaled = DMatrix::from_diagonal(stretch) * &across;
    Some(&scaled * factor.solve(&scaled.transpose()))
}
