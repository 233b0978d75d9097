//! A Cholesky factor in binary64 that bounds norms rigorously.
//!
//! D M D = A with powers of two in D, so that A has a diagonal between 1 and 4 and nothing is rounded. The computed L
//! has LL' = A + E with |E| <= γ(n+1) |L||L'| (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3), hence
//! ||E|| <= e = γ(n+1) ||L||_F^2 <= γ(n+1) tr A / (1 - γ(n+1)). With ||L^-1||^2 <= ||L^-1||_1 ||L^-1||_inf and c = e ||L^-1||^2 it follows that
//! (1 - c) LL' <= A <= (1 + c) LL'. The norms of L^-1 are bounded by the inverse of the comparison matrix, whose
//! entries are sums of positive terms.
//!
//! Rows are taken from the last to the first: engines number the joints of a tree from its root, so the factor then has no
//! entry where M has none, and each row of L begins at the first entry of its row of M.

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

/// Whether all data can be computed with.
pub(super) fn are_tame(own: &[f64]) -> bool {
    // Without a way out of the loop it takes several numbers at once.
    let chunk = |own: &[f64]| own.iter().fold(true, |all, own| all & is_tame(*own));
    own.chunks(64).all(chunk)
}

/// A factor of M, its rows from the last to the first.
pub(super) struct Factor {
    n: usize,
    /// L by rows, its lower triangle.
    l: Vec<f64>,
    /// The column that each row of L begins at.
    start: Vec<usize>,
    /// The diagonal of D.
    d: Vec<f64>,
    c: f64,
}

impl Factor {
    /// The factor of a symmetric matrix by rows; `None` where its data are not tame, it is not proved to be
    /// positive definite, or c is over 1/2.
    pub fn new(m: &[f64], n: usize) -> Option<Self> {
        if !are_tame(m) {
            return None;
        }
        let mut d = Vec::with_capacity(n);
        for i in (0..n).rev() {
            let own = m[i * n + i];
            if own <= 0.0 {
                return None;
            }
            let exponent = (own.to_bits() >> 52) as i32 - 1023;
            d.push(2f64.powi(-exponent.div_euclid(2)));
        }
        let (mut l, mut start) = (vec![0.0; n * n], Vec::with_capacity(n));
        let mut trace = 0.0;
        for i in 0..n {
            let (above, own) = l.split_at_mut(i * n);
            // Row i of M, reversed: column j is the entry n - 1 - j.
            let row = &m[(n - 1 - i) * n..(n - i) * n];
            let first = (0..i).find(|j| row[n - 1 - j] != 0.0).unwrap_or(i);
            for j in first..i {
                let a = d[i] * row[n - 1 - j] * d[j];
                let from = first.max(start[j]);
                let other = &above[j * n + from..j * n + j];
                own[j] = (a - dot(&own[from..j], other)) / above[j * n + j];
            }
            let a = d[i] * row[n - 1 - i] * d[i];
            let pivot = a - dot(&own[first..i], &own[first..i]);
            trace += a;
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            own[i] = pivot.sqrt();
            start.push(first);
        }
        let mut factor = Self {
            n,
            l,
            start,
            d,
            c: 0.0,
        };
        let ones = vec![1.0; n];
        let inverse = largest(&factor.compare(&ones)) * largest(&factor.compare_transposed());
        // n + 2 and 1.01 cover the divisor 1 - gamma(n + 1) of the theorem and the rounding of this
        // product.
        factor.c = 1.01 * gamma(n + 2) * trace * inverse;
        // At c = 1/2 the two bounds on a norm are sqrt(3) apart: beyond, they would decide little.
        (factor.c <= 0.5).then_some(factor)
    }

    /// Row i of L: where it begins, its entries before the diagonal, and the diagonal.
    fn row(&self, i: usize) -> (usize, &[f64], f64) {
        let (first, at) = (self.start[i], i * self.n);
        (first, &self.l[at + first..at + i], self.l[at + i])
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
            let (first, row, pivot) = self.row(i);
            let own = self.d[i] * r[n - 1 - i];
            let known = &y[first..i];
            let size = dot_of_sizes(row, known);
            y[i] = (own - dot(row, known)) / pivot;
            let size = size + (pivot * y[i]).abs();
            // d is a power of two, so that r times d is exact.
            let given = self.d[i] * error[n - 1 - i] * (1.0 + 2.0 * UNIT);
            // The y of forward substitution leaves at most gamma(n) |L||y| of each row (Higham, theorem
            // 8.5).
            off[i] = 1.01 * gamma(n + 1) * size + given + TINY;
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
        // The inverse of the comparison matrix of L is at least |L^-1| (Higham, section 8.3). Its sums have
        // positive terms alone, so that a factor covers their rounding.
        let up = 1.0 + gamma(n + 6);
        let mut z = vec![0.0; n];
        for i in 0..n {
            let (first, row, pivot) = self.row(i);
            let sum = dot_of_sizes(row, &z[first..i]);
            z[i] = (b[i] + sum) / pivot * up;
        }
        z
    }

    /// At least |L^-T| 1.
    fn compare_transposed(&self) -> Vec<f64> {
        let n = self.n;
        let up = 1.0 + gamma(n + 6);
        let mut z = vec![1.0; n];
        for i in (0..n).rev() {
            let (first, row, pivot) = self.row(i);
            z[i] = z[i] / pivot * up;
            let own = z[i];
            for (z, l) in z[first..i].iter_mut().zip(row) {
                *z += l.abs() * own;
            }
        }
        z
    }
}

fn largest(own: &[f64]) -> f64 {
    own.iter().copied().fold(0.0, f64::max)
}

/// A scalar product.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum_in_lanes(a, b, |a, b| a * b)
}

/// The sum of the sizes of the products.
fn dot_of_sizes(a: &[f64], b: &[f64]) -> f64 {
    sum_in_lanes(a, b, |a, b| (a * b).abs())
}

/// A sum over pairs, four at a time: its order is of no concern to the bounds.
fn sum_in_lanes(a: &[f64], b: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a4.remainder().iter().zip(b4.remainder());
    let rest: f64 = rest.map(|(a, b)| term(*a, *b)).sum();
    for (a, b) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += term(a[k], b[k]);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
