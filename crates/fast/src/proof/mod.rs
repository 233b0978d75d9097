//! The signs of a solution proved from the factorisation that found it.
//!
//! The places are those of an exact solution if the block A of M in the rows that stand between is
//! regular, A^-1 (-q) >= 0 there, and w >= 0 elsewhere. Cholesky's method that ran to its end on A
//! with its diagonal D^2 times 1 - p bounds the least eigenvalue of D^-1 A D^-1 from below (Demmel
//! 1989, Rump 2006), and with it what the point is off by, in terms of a residual that the
//! self-check has computed with bounds already. So a proof costs O(n) beyond the solution.
//!
//! Derived in `docs/sign-certificate.md`, with the same assumptions: rounding to nearest, tame
//! data (see [`crate::range`]), no fast multiplication of matrices inside the factorisation.

use crate::point::Point;
use crate::problem::LcpRef;
use crate::tolerances::UNIT;

/// The parts p tried, in turn: the bound is as good as p is large, and p has to be less than the
/// least eigenvalue.
pub(crate) const PARTS: [f64; 2] = [1.0 / 65_536.0, 1.0 / 268_435_456.0];

/// More than any rounding of the bounds themselves: products, quotients, roots and sums of
/// nonnegative numbers, with chains of less than 2^30 operations.
const CEIL: f64 = 1.0 + 1.0 / 1_048_576.0;

/// Squares of less would underflow: 1e-300 is still above 2^-1022 = 2.2e-308.
const LEAST: f64 = 1e-150;

/// Roundings of any one product on its way through a factorisation beyond one for each row: that of
/// the inverse of a pivot, of factors made with it, of blocks added up.
const MORE_ROUNDINGS: usize = 16;

/// The largest block.
const MAX_ROWS: usize = 1 << 20;

/// A lower bound for the least eigenvalue of D^-1 A D^-1, A of k rows, where A lowered by that part
/// was factored; `None` where rounding errors may have made it definite.
fn eigenvalue(k: usize, part: f64) -> Option<f64> {
    if k > MAX_ROWS {
        return None;
    }
    let steps = (k + MORE_ROUNDINGS) as f64 * UNIT;
    let error = CEIL * (k as f64 * steps / (1.0 - 2.0 * steps) + 2.0 * UNIT);
    let bound = (part - error) / CEIL;
    (bound >= 0.5 * part).then_some(bound)
}

/// Whether the places of a point, `between` those of the rows that stand between, are proved to be
/// those of an exact solution of a pure LCP. The block of those rows was symmetric, and factored
/// with its diagonal times 1 - `part`; w and s of the point are those of its z, which is tame and 0
/// elsewhere; `largest` is at least every |m_ij|.
pub(crate) fn holds(
    lcp: LcpRef<'_>,
    between: &[usize],
    part: f64,
    largest: f64,
    point: &Point,
) -> bool {
    let Some(eigenvalue) = eigenvalue(between.len(), part) else {
        return false;
    };
    let n = lcp.n();
    let margin = point.margin();
    let diagonal = |j: usize| lcp.m[j * n + j];
    // |D^-1 r| for the exact residual r, and the smallest entry of D^2.
    let (mut squares, mut least) = (0.0, f64::INFINITY);
    for &i in between {
        let residual = (point.w[i].abs() + margin * point.s[i]) / diagonal(i).sqrt();
        // NaN stays.
        let residual = if residual < LEAST { LEAST } else { residual };
        squares += residual * residual;
        least = if diagonal(i) < least {
            diagonal(i)
        } else {
            least
        };
    }
    // |D (z - exact z)|.
    let radius = CEIL * squares.sqrt() / eigenvalue;
    if !(radius.is_finite() && least > 0.0) {
        return false;
    }
    // No entry of D (z - exact z) exceeds its norm, so the exact z_j has the sign of z_j.
    let clear = |&j: &usize| point.z[j] * diagonal(j).sqrt() >= CEIL * radius;
    if !between.iter().all(clear) {
        return false;
    }
    // |m_i' x| <= |D^-1 m_i| |D x| (Cauchy-Schwarz). The k entries of D^-1 m_i are at most max |m_ij| / min
    // D_jj each. This bound is tried first, as it is the same for all rows.
    let weight = CEIL * largest * (between.len() as f64 / least).sqrt();
    let mut inside = between.iter().copied().peekable();
    (0..n).all(|i| {
        if inside.next_if_eq(&i).is_some() {
            return true;
        }
        let reaches = |weight: f64| {
            let off = CEIL * (margin * point.s[i] + radius * weight);
            point.w[i] >= off
        };
        reaches(weight) || reaches(CEIL * row_weight(lcp, i, between))
    })
}

/// |D^-1 m_i| over the rows that stand between: w_i moves by no more than this times |D x|.
fn row_weight(lcp: LcpRef<'_>, i: usize, between: &[usize]) -> f64 {
    let row = lcp.row(i);
    let n = row.len();
    let square = |&j: &usize| row[j] * row[j] / lcp.m[j * n + j];
    between.iter().map(square).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
