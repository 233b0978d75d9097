//! A Cholesky factor in binary64 that bounds norms rigorously.
//!
//! D M D = A with powers of two in D, so that A has a diagonal between 1 and 4 and nothing is rounded. The computed L
//! has LL' = A + E with |E| <= γ(n+1) |L||L'| (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3), hence
//! ||E|| <= e = γ(n+1) ||L||_F^2 <= γ(n+1) tr A / (1 - γ(n+1)). With ||L^-1||^2 <= ||L^-1||_1 ||L^-1||_inf and c = e ||L^-1||^2 it follows that
//! (1 - c) LL' <= A <= (1 + c) LL'. The norms of L^-1 are bounded by the inverse of the comparison matrix, whose
//! entries are sums of positive terms.

/// The unit roundoff u = 2^-53.
pub(super) const UNIT: f64 = f64::EPSILON / 2.0;

/// More than what underflow adds to any number here, and less than any datum.
const TINY: f64 = 1e-290;

/// Data in this range neither overflow nor underflow in products of five.
const TAME: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// Whether a datum can be computed with.
pub(super) fn is_tame(own: f64) -> bool {
    own == 0.0 || TAME.contains(&own.abs())
}

/// What k roundings do to a number at most, γ(k) = ku / (1 - ku), rounded up. For k < 2^40.
pub(super) fn gamma(k: usize) -> f64 {
    1.001 * k as f64 * UNIT
}

/// A factor of M.
pub(super) struct Factor {
    n: usize,
    /// L by rows, its lower triangle.
    l: Vec<f64>,
    /// The diagonal of D.
    d: Vec<f64>,
    c: f64,
}

impl Factor {
    /// The factor of a symmetric matrix by rows; `None` where its data are not tame, it is not proved to be
    /// positive definite, or c is over 1/2.
    pub fn new(m: &[f64], n: usize) -> Option<Self> {
        let mut d = Vec::with_capacity(n);
        for i in 0..n {
            let own = m[i * n + i];
            if !(own > 0.0 && is_tame(own)) {
                return None;
            }
            let exponent = (own.to_bits() >> 52) as i32 - 1023;
            d.push(2f64.powi(-exponent.div_euclid(2)));
        }
        let mut l = vec![0.0; n * n];
        let mut trace = 0.0;
        for i in 0..n {
            let (above, own) = l.split_at_mut(i * n);
            for j in 0..=i {
                let entry = m[i * n + j];
                if !is_tame(entry) {
                    return None;
                }
                let a = d[i] * entry * d[j];
                if j < i {
                    let other = &above[j * n..j * n + j];
                    own[j] = (a - dot(&own[..j], other)) / above[j * n + j];
                } else {
                    let pivot = a - dot(&own[..i], &own[..i]);
                    trace += a;
                    if pivot.is_nan() || pivot <= 0.0 {
                        return None;
                    }
                    own[i] = pivot.sqrt();
                }
            }
        }
        let mut factor = Self { n, l, d, c: 0.0 };
        let ones = vec![1.0; n];
        let inverse = largest(&factor.compare(&ones)) * largest(&factor.compare_transposed());
        factor.c = 1.01 * gamma(n + 2) * trace * inverse;
        (factor.c <= 0.5).then_some(factor)
    }

    /// Bounds on the norm |r|_(M^-1) of a vector that is known up to an error, entry by entry.
    pub fn dual_norm(&self, r: &[f64], error: &[f64]) -> (f64, f64) {
        let n = self.n;
        if r.iter().chain(error).all(|own| *own == 0.0) {
            return (0.0, 0.0);
        }
        let mut y = vec![0.0; n];
        let mut off = vec![0.0; n];
        for i in 0..n {
            let row = &self.l[i * n..i * n + i + 1];
            let own = self.d[i] * r[i];
            y[i] = (own - dot(&row[..i], &y[..i])) / row[i];
            let size: f64 = row.iter().zip(&y).map(|(l, y)| (l * y).abs()).sum();
            off[i] = 1.01 * gamma(n + 1) * size + self.d[i] * error[i] * (1.0 + 2.0 * UNIT) + TINY;
        }
        let off = self.compare(&off);
        let (mut above, mut below) = (0.0, 0.0);
        for (y, off) in y.iter().zip(&off) {
            above += (y.abs() + off).powi(2);
            below += (y.abs() - off).max(0.0).powi(2);
        }
        let rounding = gamma(n + 8);
        let above = above.sqrt() / (1.0 - self.c).sqrt() * (1.0 + rounding);
        let below = below.sqrt() / (1.0 + self.c).sqrt() * (1.0 - rounding);
        (below, if above.is_nan() { f64::INFINITY } else { above })
    }

    /// At least |L^-1| b for b >= 0.
    fn compare(&self, b: &[f64]) -> Vec<f64> {
        let n = self.n;
        let up = 1.0 + gamma(n + 6);
        let mut z = vec![0.0; n];
        for i in 0..n {
            let row = &self.l[i * n..i * n + i + 1];
            let sum: f64 = row[..i].iter().zip(&z).map(|(l, z)| l.abs() * z).sum();
            z[i] = (b[i] + sum) / row[i] * up;
        }
        z
    }

    /// At least |L^-T| 1.
    fn compare_transposed(&self) -> Vec<f64> {
        let n = self.n;
        let up = 1.0 + gamma(n + 6);
        let mut z = vec![1.0; n];
        for i in (0..n).rev() {
            let row = &self.l[i * n..i * n + i + 1];
            z[i] = z[i] / row[i] * up;
            let own = z[i];
            for (z, l) in z.iter_mut().zip(&row[..i]) {
                *z += l.abs() * own;
            }
        }
        z
    }
}

fn largest(own: &[f64]) -> f64 {
    own.iter().copied().fold(0.0, f64::max)
}

/// A scalar product; the order of its sum is of no concern to the bounds.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
