//! LDL' of a symmetric positive definite matrix, upper triangle by rows.

use pulp::Simd;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{self, LltRegularization};
use faer::{MatMut, Par};

use crate::simd::{Kernel, axpy, axpy4, axpy4x4, dispatch, dot, four_rows};
use crate::tolerances::NEARLY_SINGULAR;

/// From here on faer's blocked Cholesky is faster than the loops below. Measured on AVX-512.
const BLOCKED_FROM: usize = 160;

/// A = U' D^-1 U, or U' U where blocked; reused from one factorisation to the next.
#[derive(Debug, Default)]
pub(crate) struct Ldl {
    /// Row-major k * k, upper triangle.
    pub(crate) upper: Vec<f64>,
    inverse: Vec<f64>,
    blocked: bool,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch(Option<MemBuffer>);

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scratch")
    }
}

impl Ldl {
    /// Room for systems of up to n rows.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.upper.resize(self.upper.len().max(n * n), 0.0);
        self.inverse.resize(self.inverse.len().max(n), 0.0);
        if n >= BLOCKED_FROM {
            let needs = factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
            let short = |buffer: &MemBuffer| buffer.len() < needs.size_bytes();
            if self.scratch.0.as_ref().is_none_or(short) {
                self.scratch.0 = MemBuffer::try_new(needs).ok();
            }
        }
    }

    /// Factors the matrix whose upper triangle the caller wrote to the first k * k values of
    /// `upper`. `false` when it is not positive definite to working precision.
    pub(crate) fn factor(&mut self, k: usize) -> bool {
        let scratch = self.scratch.0.as_mut();
        self.blocked = k >= BLOCKED_FROM && scratch.is_some();
        let upper = &mut self.upper[..k * k];
        let inverse = &mut self.inverse[..k];
        match scratch {
            Some(scratch) if k >= BLOCKED_FROM => factor_blocked(upper, inverse, scratch),
            _ => dispatch(Factor { upper, inverse }),
        }
    }

    /// Solves A x = b in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let k = x.len();
        dispatch(Solve {
            upper: &self.upper[..k * k],
            inverse: &self.inverse[..k],
            blocked: self.blocked,
            x,
        });
    }
}

/// The lower triangle by columns, which faer wants, is the upper triangle by rows.
fn factor_blocked(upper: &mut [f64], inverse: &mut [f64], scratch: &mut MemBuffer) -> bool {
    let k = inverse.len();
    for i in 0..k {
        inverse[i] = upper[i * k + i];
    }
    let lower = MatMut::from_column_major_slice_mut(&mut *upper, k, k);
    let factored = factor::cholesky_in_place(
        lower,
        LltRegularization::default(),
        Par::Seq,
        MemStack::new(scratch),
        Default::default(),
    );
    if factored.is_err() {
        return false;
    }
    for i in 0..k {
        // The square of the root is the pivot of the elimination, held against the diagonal as in
        // `factor_panel`.
        let root = upper[i * k + i];
        // Written so that NaN fails.
        let good = root * root > NEARLY_SINGULAR * inverse[i];
        if !good {
            return false;
        }
        inverse[i] = 1.0 / root;
    }
    true
}

struct Factor<'a> {
    upper: &'a mut [f64],
    inverse: &'a mut [f64],
}

impl Kernel for Factor<'_> {
    type Output = bool;

    /// Right-looking elimination, four pivot rows at a time.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let k = self.inverse.len();
        for i in 0..k {
            self.inverse[i] = self.upper[i * k + i];
        }
        for p in (0..k).step_by(4) {
            let end = (p + 4).min(k);
            let (head, tail) = self.upper.split_at_mut(end * k);
            let panel = &mut head[p * k..];
            if !factor_panel(simd, panel, self.inverse, p, end) {
                return false;
            }
            // Only the last panel is narrower, and no row is below it.
            if end - p < 4 {
                break;
            }
            let [a, b, c, d] = four_rows(panel, 0, k);
            let inverse = &self.inverse[p..p + 4];
            let mut i = end;
            let mut fours = tail.chunks_exact_mut(4 * k);
            for four in &mut fours {
                let (y0, rest) = four.split_at_mut(k);
                let (y1, rest) = rest.split_at_mut(k);
                let (y2, y3) = rest.split_at_mut(k);
                // Row r of the factors: of the pivot row r for the four rows from i on.
                let factors = [
                    column_factors(a, i, inverse[0]),
                    column_factors(b, i, inverse[1]),
                    column_factors(c, i, inverse[2]),
                    column_factors(d, i, inverse[3]),
                ];
                // Entries below the diagonal are written too, and never read.
                axpy4x4(
                    simd,
                    factors,
                    [&a[i..], &b[i..], &c[i..], &d[i..]],
                    [&mut y0[i..], &mut y1[i..], &mut y2[i..], &mut y3[i..]],
                );
                i += 4;
            }
            for (i, row) in (i..k).zip(fours.into_remainder().chunks_exact_mut(k)) {
                let factors = [
                    -a[i] * inverse[0],
                    -b[i] * inverse[1],
                    -c[i] * inverse[2],
                    -d[i] * inverse[3],
                ];
                axpy4(
                    simd,
                    factors,
                    [&a[i..], &b[i..], &c[i..], &d[i..]],
                    &mut row[i..],
                );
            }
        }
        true
    }
}

#[inline(always)]
fn column_factors(row: &[f64], i: usize, inverse: f64) -> [f64; 4] {
    let x = &row[i..i + 4];
    [
        -x[0] * inverse,
        -x[1] * inverse,
        -x[2] * inverse,
        -x[3] * inverse,
    ]
}

#[inline(always)]
fn factor_panel<S: Simd>(
    simd: S,
    panel: &mut [f64],
    inverse: &mut [f64],
    p: usize,
    end: usize,
) -> bool {
    let k = inverse.len();
    for r in p..end {
        let (above, row) = panel.split_at_mut((r - p) * k);
        let row = &mut row[..k];
        for (t, other) in (p..r).zip(above.chunks_exact(k)) {
            axpy(simd, -other[r] * inverse[t], &other[r..], &mut row[r..]);
        }
        let good = row[r] > NEARLY_SINGULAR * inverse[r];
        if !good {
            return false;
        }
        inverse[r] = 1.0 / row[r];
    }
    true
}

struct Solve<'a> {
    upper: &'a [f64],
    inverse: &'a [f64],
    blocked: bool,
    x: &'a mut [f64],
}

impl Kernel for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let k = self.x.len();
        for j in 0..k {
            let t = self.x[j] * self.inverse[j];
            axpy(
                simd,
                -t,
                &self.upper[j * k + j + 1..(j + 1) * k],
                &mut self.x[j + 1..],
            );
            // U' D^-1 has a unit diagonal, so x_j stays as it is. The U' of the blocked factor has the
            // roots there.
            if self.blocked {
                self.x[j] = t;
            }
        }
        for j in (0..k).rev() {
            let rest = dot(
                simd,
                &self.upper[j * k + j + 1..(j + 1) * k],
                &self.x[j + 1..],
            );
            self.x[j] = (self.x[j] - rest) * self.inverse[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [[1, 1], [1, 1 + d]] in the midst of a unit matrix has the pivot d. It counts as lost below [`NEARLY_SINGULAR`] of *its*
    /// diagonal entry, 1 here: the other entries of its row, which are 0, say nothing. Both ways of factoring say the same.
    #[test]
    fn a_pivot_is_held_against_its_own_diagonal_entry() {
        for k in [20, BLOCKED_FROM] {
            for (d, is_regular) in [(4e-15, false), (1e-10, true)] {
                let mut ldl = Ldl::default();
                ldl.reserve(k);
                ldl.upper.fill(0.0);
                for i in 0..k {
                    ldl.upper[i * k + i] = 1.0;
                }
                ldl.upper[10 * k + 11] = 1.0;
                ldl.upper[11 * k + 11] = 1.0 + d;
                assert_eq!(ldl.factor(k), is_regular, "{k} rows, d = {d}");
            }
        }
    }

    /// Diagonal entries of other sizes do not matter: diag(1, 1e8, 1e-8, 1, ...) is as regular as a matrix can be.
    #[test]
    fn units_of_rows_do_not_make_a_matrix_singular() {
        for k in [20, BLOCKED_FROM] {
            let mut ldl = Ldl::default();
            ldl.reserve(k);
            ldl.upper.fill(0.0);
            for i in 0..k {
                ldl.upper[i * k + i] = [1.0, 1e8, 1e-8][i % 3];
            }
            assert!(ldl.factor(k), "{k} rows");
        }
    }
}
