//! Symmetric positive definite systems: one factorisation bounds the least eigenvalue and
//! solves.
//!
//! Cholesky's method is tried on A - s I. If it runs to its end, A - s I is positive definite but
//! for rounding errors that are bounded (Demmel 1989, Rump 2006), so the least eigenvalue of A is
//! at least s minus that; and its factor is good enough to solve A x = b by refinement.

use super::Enclosure;
use super::bounds::{gamma, underflow, up};
use super::data::System;

/// The shifts s tried, for matrices with diagonal entries around 1.
const SHIFTS: [f64; 3] = [1.0 / 65_536.0, 1.0 / 268_435_456.0, 1.0 / 68_719_476_736.0];

/// Refinement halves the error at least once a step, or is given up.
const MAX_STEPS: usize = 40;

/// `None` when A is not found to be positive definite.
pub(super) fn enclose(system: &System) -> Option<Enclosure> {
    let positive = (0..system.k).all(|i| system.row(i)[i] > 0.0);
    let (factor, eigenvalue) = positive.then(|| shifted_factor(system)).flatten()?;
    let mut x = vec![0.0; system.k];
    let mut residual = system.residual(&x)?;
    for _ in 0..MAX_STEPS {
        let mut step = residual.values.clone();
        factor.solve(&mut step);
        let moved: Vec<f64> = x.iter().zip(&step).map(|(x, d)| x + d).collect();
        let next = system.residual(&moved)?;
        let better = next.norm < 0.5 * residual.norm;
        if next.norm < residual.norm {
            (x, residual) = (moved, next);
        }
        if !better {
            break;
        }
    }
    // The norm of x - A^-1 b is at most that of its image over the least eigenvalue.
    let radius = up(residual.norm / eigenvalue, 1);
    radius.is_finite().then_some(Enclosure { x, radius })
}

/// The factor of A - s I for the first shift s that works, and a positive lower bound for the
/// least eigenvalue of A.
fn shifted_factor(system: &System) -> Option<(Factor, f64)> {
    SHIFTS.into_iter().find_map(|shift| {
        let factor = Factor::new(system, shift)?;
        let error = factor.error(system)?;
        let eigenvalue = (shift - error).next_down();
        (eigenvalue > shift / 2.0).then_some((factor, eigenvalue))
    })
}

/// Rows handled together.
const ROWS: usize = 2;
const COLUMNS: usize = 4;
const LANES: usize = 8;

/// L with L L' = A - s I, about; row by row, each row padded to whole lanes.
struct Factor {
    k: usize,
    stride: usize,
    l: Vec<f64>,
}

impl Factor {
    /// `None` when a pivot is not positive.
    fn new(system: &System, shift: f64) -> Option<Self> {
        let k = system.k;
        let stride = k.next_multiple_of(LANES);
        let mut l = vec![0.0; k * stride];
        for (i, row) in l.chunks_exact_mut(stride.max(1)).enumerate() {
            row[..=i].copy_from_slice(&system.row(i)[..=i]);
            row[i] -= shift;
        }
        let mut factor = Self { k, stride, l };
        for start in (0..k).step_by(ROWS) {
            factor.rows(start, ROWS.min(k - start))?;
        }
        Some(factor)
    }

    /// Rows start.. of L from those before.
    fn rows(&mut self, start: usize, count: usize) -> Option<()> {
        let (done, rest) = self.l.split_at_mut(start * self.stride);
        let mut block = rest[..count * self.stride].chunks_exact_mut(self.stride);
        let first = block.next()?;
        let mut second = block.next();
        for j in (0..start).step_by(COLUMNS) {
            let width = COLUMNS.min(start - j);
            let upper = &done[j * self.stride..(j + width) * self.stride];
            eliminate(first, upper, self.stride, j);
            if let Some(second) = second.as_deref_mut() {
                eliminate(second, upper, self.stride, j);
            }
        }
        pivot(first, start)?;
        if let Some(second) = second {
            let sum = dot(&second[..start], &first[..start]);
            second[start] = (second[start] - sum) / first[start];
            pivot(second, start + 1)?;
        }
        Some(())
    }

    /// A bound for the norm of (A - s I) - L L'.
    fn error(&self, system: &System) -> Option<f64> {
        // |error| <= gamma_(k+1) |L||L'| entry by entry (Higham 2002, theorem 10.3).
        let frobenius: f64 = self.l.iter().map(|l| l * l).sum();
        let cholesky = gamma(self.k + 2)? * up(frobenius, self.k * self.k);
        // Subtracting s from a diagonal entry rounds once.
        let largest = (0..self.k).fold(0.0_f64, |most, i| most.max(system.row(i)[i]));
        let subtraction = gamma(1)? * (largest + 1.0);
        // Each of k^2 entries may lose k products and a division by a pivot.
        let largest = largest + 2.0;
        let lost = underflow(self.k * self.k * (self.k + 4)) * largest;
        let error = up(cholesky + subtraction + lost, 8);
        error.is_finite().then_some(error)
    }

    /// L L' x = b in place, about.
    fn solve(&self, b: &mut [f64]) {
        let row = |i: usize| &self.l[i * self.stride..(i + 1) * self.stride];
        for i in 0..self.k {
            let sum = dot(&row(i)[..i], &b[..i]);
            b[i] = (b[i] - sum) / row(i)[i];
        }
        for i in (0..self.k).rev() {
            let value = b[i] / row(i)[i];
            b[i] = value;
            for (b, l) in b[..i].iter_mut().zip(row(i)) {
                *b -= value * l;
            }
        }
    }
}

/// Entries j.. of a row of L, from the rows j.. of L that are known.
fn eliminate(row: &mut [f64], upper: &[f64], stride: usize, j: usize) {
    let mut sums = [0.0; COLUMNS];
    for (sum, other) in sums.iter_mut().zip(upper.chunks_exact(stride)) {
        *sum = dot(&row[..j], &other[..j]);
    }
    for (c, other) in upper.chunks_exact(stride).enumerate() {
        let inner = dot_short(&row[j..j + c], &other[j..j + c]);
        row[j + c] = (row[j + c] - sums[c] - inner) / other[j + c];
    }
}

fn pivot(row: &mut [f64], i: usize) -> Option<()> {
    let square = row[i] - dot(&row[..i], &row[..i]);
    // Neither zero, negative, infinite nor NaN.
    (square > 0.0 && square.is_finite()).then_some(())?;
    row[i] = square.sqrt();
    Some(())
}

fn dot_short(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A sum of products in several lanes; the bounds hold for any order of summation.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + dot_short(a_rest, b_rest)
}

/// b - A x for some x.
pub(super) struct Residual {
    values: Vec<f64>,
    /// A bound for the Euclidean norm of the exact one.
    norm: f64,
}

impl System {
    /// The residual with bounds on its rounding errors.
    pub(super) fn residual(&self, x: &[f64]) -> Option<Residual> {
        let mut values = Vec::with_capacity(self.k);
        let mut squares = 0.0;
        for (i, b) in self.b.iter().enumerate() {
            let (value, radius) = self.residual_row(i, *b, x)?;
            values.push(value);
            // Squares of less would underflow.
            let largest = up(value.abs() + radius, 1).max(1e-150);
            squares += largest * largest;
        }
        let norm = up(up(squares, self.k + 2).sqrt(), 2);
        norm.is_finite().then_some(Residual { values, norm })
    }

    /// b_i - row i times x, and what it may be off by.
    pub(super) fn residual_row(&self, i: usize, b: f64, x: &[f64]) -> Option<(f64, f64)> {
        let row = self.row(i);
        let value = b - dot(row, x);
        let size: f64 = b.abs() + absolute_dot(row, x);
        let radius = gamma(self.k + 2)? * up(size, self.k + 1) + underflow(self.k + 1);
        Some((value, up(radius, 4)))
    }
}

pub(super) fn absolute_dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += (a[lane] * b[lane]).abs();
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| (a * b).abs());
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}
