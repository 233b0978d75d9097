//! Symmetric positive definite systems: one factorisation bounds the least eigenvalue and
//! solves.
//!
//! Cholesky's method is tried on A - s I. If it runs to its end, A - s I is positive definite up
//! to bounded rounding errors (Demmel 1989, Rump 2006). So the least eigenvalue of A is at least s
//! minus their bound. The factor is good enough to solve A x = b by refinement.

use super::Enclosure;
use super::bounds::{gamma, underflow, up};
use super::data::System;
use super::simd::{Kernel, LANES, dispatch, dot, multiply_add};

/// The shifts s that are tried, 2^-16, 2^-28 and 2^-36, for matrices with diagonal entries around 1. The
/// largest comes first: the enclosure |r| / lambda is the smaller the larger lambda < s is. lambda > s / 2 needs
/// about k^2 2^-53 < s / 2 for k rows, so 2^-28 suffices for all 4096 rows and 2^-36 for 256.
const SHIFTS: [f64; 3] = [1.0 / 65_536.0, 1.0 / 268_435_456.0, 1.0 / 68_719_476_736.0];

/// The largest number of refining steps. Each halves the residual or is the last, so 40 gain 40 bits, more than
/// a first solution with a shift of 2^-16 lacks.
const MAX_STEPS: usize = 40;

/// Solves from `near` on, if there is such a vector; `None` when A is not found to be positive definite.
pub(super) fn enclose(system: &System, near: Option<Vec<f64>>) -> Option<Enclosure> {
    let positive = (0..system.k).all(|i| system.row(i)[i] > 0.0);
    let (factor, eigenvalue) = positive.then(|| shifted_factor(system)).flatten()?;
    let given = near.and_then(|x| Some((system.residual(&x)?, x)));
    let (mut residual, mut x) = given.or_else(|| {
        let mut x = system.b.clone();
        factor.solve(&mut x);
        Some((system.residual(&x)?, x))
    })?;
    for _ in 0..MAX_STEPS {
        // Most of the bound is then what the residual's own rounding may hide.
        if residual.norm <= 2.0 * residual.floor {
            break;
        }
        let mut moved = residual.values.clone();
        factor.solve(&mut moved);
        moved.iter_mut().zip(&x).for_each(|(d, x)| *d += x);
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
        let factor = dispatch(Factorisation { system, shift })?;
        let error = factor.error(system)?;
        let eigenvalue = (shift - error).next_down();
        (eigenvalue > shift / 2.0).then_some((factor, eigenvalue))
    })
}

/// The error bound of the factor that is found, with its size and the sum of its squares.
#[cfg(test)]
pub(super) fn shifted_error(system: &System) -> Option<(f64, usize, f64)> {
    let (factor, _) = shifted_factor(system)?;
    Some((factor.error(system)?, factor.size, factor.squares))
}

/// The lower bound for the least eigenvalue that is found.
#[cfg(test)]
pub(super) fn least_eigenvalue(system: &System) -> Option<f64> {
    shifted_factor(system).map(|(_, eigenvalue)| eigenvalue)
}

/// L with L L' = A - s I, about; row by row. To whole lanes of rows, the matrix is continued by
/// that of the identity.
struct Factor {
    /// Rows and columns: k, rounded up to whole lanes.
    size: usize,
    l: Vec<f64>,
    /// About 1 / l_ii.
    inverses: Vec<f64>,
    /// The sum of the squares of L, as computed.
    squares: f64,
}

struct Factorisation<'a> {
    system: &'a System,
    shift: f64,
}

impl Kernel for Factorisation<'_> {
    /// `None` when a pivot is not positive.
    type Output = Option<Factor>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Option<Factor> {
        let k = self.system.k;
        let size = k.next_multiple_of(LANES);
        let mut l = vec![0.0; size * size];
        for (i, row) in l.chunks_exact_mut(size.max(1)).enumerate() {
            if i < k {
                row[..=i].copy_from_slice(&self.system.row(i)[..=i]);
                row[i] -= self.shift;
            } else {
                row[i] = 1.0;
            }
        }
        let mut inverses = vec![0.0; size];
        for start in (0..size).step_by(LANES) {
            let (done, rest) = l.split_at_mut(start * size);
            let rows = &mut rest[..LANES * size];
            for (c, upper) in done.chunks_exact(LANES * size).enumerate() {
                let column = c * LANES;
                eliminate::<FUSED>(rows, upper, size, column, &inverses[column..column + LANES]);
            }
            let own = &mut inverses[start..start + LANES];
            diagonal::<FUSED>(rows, size, start, own)?;
        }
        let squares = dot(&l, &l);
        Some(Factor {
            size,
            l,
            inverses,
            squares,
        })
    }
}

/// A block of L or of sums: column by column, a lane for each row.
type Block = [[f64; LANES]; LANES];

/// The block of L in some rows at a column, from the rows of L that have it on their diagonal.
#[inline(always)]
fn eliminate<const FUSED: bool>(
    rows: &mut [f64],
    upper: &[f64],
    size: usize,
    column: usize,
    inverses: &[f64],
) {
    let mut block = remainder::<FUSED>(rows, upper, size, column);
    for q in 0..LANES {
        let mut values = block[q];
        for (t, known) in block[..q].iter().enumerate() {
            let factor = upper[q * size + column + t];
            for lane in 0..LANES {
                values[lane] = multiply_add::<FUSED>(-factor, known[lane], values[lane]);
            }
        }
        block[q] = values.map(|value| value * inverses[q]);
    }
    store(rows, &block, size, column);
}

/// The block of L on the diagonal; `None` when a pivot is not positive.
#[inline(always)]
fn diagonal<const FUSED: bool>(
    rows: &mut [f64],
    size: usize,
    column: usize,
    inverses: &mut [f64],
) -> Option<()> {
    let mut block = remainder::<FUSED>(rows, rows, size, column);
    for q in 0..LANES {
        let mut values = block[q];
        for known in &block[..q] {
            for lane in 0..LANES {
                values[lane] = multiply_add::<FUSED>(-known[q], known[lane], values[lane]);
            }
        }
        let square = values[q];
        // Neither zero, negative, infinite nor NaN.
        if !(square > 0.0 && square.is_finite()) {
            return None;
        }
        let pivot = square.sqrt();
        inverses[q] = 1.0 / pivot;
        for (lane, value) in values.iter_mut().enumerate() {
            *value = match lane.cmp(&q) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => pivot,
                std::cmp::Ordering::Greater => *value * inverses[q],
            };
        }
        block[q] = values;
    }
    store(rows, &block, size, column);
    Some(())
}

/// The entries of some rows at a column, minus the products of the rows before it.
#[inline(always)]
fn remainder<const FUSED: bool>(rows: &[f64], upper: &[f64], size: usize, column: usize) -> Block {
    /// Rows and columns of sums that fit sixteen registers together.
    const TALL: usize = 4;
    const WIDE: usize = 2;
    const SHORT: usize = 4;
    let mut block = [[0.0; LANES]; LANES];
    for first in (0..LANES).step_by(TALL) {
        let left: [&[[f64; SHORT]]; TALL] =
            std::array::from_fn(|i| row_chunks(rows, size, first + i, column));
        for q in (0..LANES).step_by(WIDE) {
            let right: [&[[f64; SHORT]]; WIDE] =
                std::array::from_fn(|i| row_chunks(upper, size, q + i, column));
            let mut sums = [[[0.0; SHORT]; WIDE]; TALL];
            for c in 0..column / SHORT {
                for (left, sums) in left.iter().zip(&mut sums) {
                    for (right, sums) in right.iter().zip(sums) {
                        for lane in 0..SHORT {
                            let (left, right) = (left[c][lane], right[c][lane]);
                            sums[lane] = multiply_add::<FUSED>(left, right, sums[lane]);
                        }
                    }
                }
            }
            for (i, sums) in sums.iter().enumerate() {
                for (j, [s0, s1, s2, s3]) in sums.iter().enumerate() {
                    let value = rows[(first + i) * size + column + q + j];
                    block[q + j][first + i] = value - ((s0 + s2) + (s1 + s3));
                }
            }
        }
    }
    block
}

#[inline(always)]
fn row_chunks<const N: usize>(rows: &[f64], size: usize, i: usize, length: usize) -> &[[f64; N]] {
    let row = &rows[i * size..i * size + length];
    &row.as_chunks().0[..length / N]
}

#[inline(always)]
fn store(rows: &mut [f64], block: &Block, size: usize, column: usize) {
    for (r, row) in rows.chunks_exact_mut(size).enumerate() {
        for (q, values) in block.iter().enumerate() {
            row[column + q] = values[r];
        }
    }
}

impl Factor {
    /// A bound for the norm of (A - s I) - L L'.
    fn error(&self, system: &System) -> Option<f64> {
        // |error| <= gamma_(size+2) |L||L'| entry by entry, as docs/sign-certificate.md has it.
        let squares = up(self.squares, self.size * self.size);
        // The sum of the squares of L bounds the norm of |L||L'|. One rounding more than needed is counted.
        let cholesky = gamma(self.size + 3)? * squares;
        // Subtracting s from a diagonal entry rounds once.
        let largest = (0..system.k).fold(0.0_f64, |most, i| most.max(system.row(i)[i]));
        // |a_ii - s| is at most max a_ii + 1, as s < 1.
        let subtraction = gamma(1)? * (largest + 1.0);
        // Each of size^2 entries may lose its products and one with the inverse of a pivot.
        let largest = largest + 2.0;
        let lost = underflow(self.size * self.size * (self.size + 4)) * largest;
        let error = up(cholesky + subtraction + lost, 8);
        error.is_finite().then_some(error)
    }

    /// L L' x = b in place, about.
    fn solve(&self, b: &mut [f64]) {
        dispatch(Substitution { factor: self, b });
    }
}

struct Substitution<'a> {
    factor: &'a Factor,
    b: &'a mut [f64],
}

impl Kernel for Substitution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Factor {
            size, l, inverses, ..
        } = self.factor;
        let b = self.b;
        let row = |i: usize| &l[i * size..(i + 1) * size];
        for i in 0..b.len() {
            let sum = dot(&row(i)[..i], &b[..i]);
            b[i] = (b[i] - sum) * inverses[i];
        }
        for i in (0..b.len()).rev() {
            let value = b[i] * inverses[i];
            b[i] = value;
            for (b, l) in b[..i].iter_mut().zip(row(i)) {
                *b -= value * l;
            }
        }
    }
}
