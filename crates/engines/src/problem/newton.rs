//! Newton's method on the acceleration: the problem of a step is to minimise (a - a0)'M(a - a0) / 2 + s(Ja - r), strongly
//! convex and once differentiable, with the gradient M a - q - J'f(a), f(a) the forces of the law. It needs no more than
//! some Newton steps with a line search (as MuJoCo solves it). What it returns is judged by its bound alone.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::exact::{ExactData, Kind};
use super::law::{multiplier, project};

/// Newton steps at most, and halvings of one.
const STEPS: usize = 200;
const HALVINGS: usize = 60;

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

/// The acceleration, as near as binary64 has it; `None` where M is not positive definite or a number overflows.
pub(super) fn minimise(data: &ExactData, start: &[f64]) -> Option<Vec<f64>> {
    let own = Rounded::of(data);
    let mut a = DVector::from_column_slice(start);
    let mut best = (f64::INFINITY, a.clone());
    for _ in 0..STEPS {
        let law = own.law(&a);
        let gradient = own.gradient(&a, &law);
        let hessian = &own.m + own.j.tr_mul(&(own.curvature(&a) * &own.j));
        let factor = Cholesky::new(hessian)?;
        let step = factor.solve(&gradient);
        let decrement = step.dot(&gradient);
        if decrement < best.0 {
            best = (decrement, a.clone());
        // The decrement is at least |step|_M^2: a step of 1e-12 of |a|_M that brings no further is
        // rounding.
        } else if decrement < 1e-24 * own.size(&a) {
            break;
        }
        let cost = own.cost(&a, &law);
        let mut share = 1.0;
        let mut next = &a - &step;
        for _ in 0..HALVINGS {
            let cost_there = own.cost(&next, &own.law(&next));
            // What rounding hides is no ascent.
            if cost_there <= cost - 1e-4 * share * decrement + 1e-15 * cost.abs() {
                break;
            }
            share /= 2.0;
            next = &a - &step * share;
        }
        if next == a {
            break;
        }
        a = next;
    }
    best.1
        .iter()
        .all(|own| own.is_finite())
        .then(|| best.1.iter().copied().collect())
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

    fn size(&self, a: &DVector<f64>) -> f64 {
        a.dot(&(&self.m * a)).max(f64::MIN_POSITIVE)
    }

    fn gradient(&self, a: &DVector<f64>, law: &Law) -> DVector<f64> {
        &self.m * a - &self.q - self.j.tr_mul(&law.force)
    }

    fn cost(&self, a: &DVector<f64>, law: &Law) -> f64 {
        a.dot(&(&self.m * a)) / 2.0 - self.q.dot(a) + law.cost
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
    // The columns of the reflection that takes the normal to the first axis, without the first.
    let mut v = normal.clone() / normal.norm();
    v[0] += if v[0] < 0.0 { -1.0 } else { 1.0 };
    let reflection = DMatrix::identity(n, n) - &v * v.transpose() * (2.0 / v.norm_squared());
    let across = reflection.columns(1, n - 1).into_owned();
    let within = across.tr_mul(&(DMatrix::from_diagonal(&k) * &across));
    // Any positive curvature leads down. What is returned is judged by its bound, not by the way.
    let Some(factor) = Cholesky::new(within) else {
        return inside();
    };
    let scaled = DMatrix::from_diagonal(&DVector::from_vec(stretch)) * &across;
    &scaled * factor.solve(&scaled.transpose())
}
