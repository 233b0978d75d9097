//! Bounds on z: boxes and free rows.

use super::definite::{definite, gram};
use super::draft::Draft;
use super::draw::Draw;
use super::semidefinite::times;

/// Positive definite M and rows of every kind of bound; at least one has lower = upper, and where
/// n allows one has two different finite bounds. A P-matrix has exactly one solution for any
/// bounds (Facchinei and Pang, section 3.5).
pub(super) fn boxes(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let m = definite(draw, n);
    let q = draw.vector(n, |draw| 4.0 * draw.unit());
    let mut bounds = draw.vector(n, bound);
    let order = draw.permutation(n);
    let low = eighths(draw, -8, 8);
    bounds[order[0]] = (low, low);
    if n > 1 {
        bounds[order[1]] = (low, low + eighths(draw, 1, 8));
    }
    Draft {
        bounds: Some(bounds.into_iter().unzip()),
        ..Draft::new(m, q)
    }
}

/// One row's bounds, each kind as likely as the others.
fn bound(draw: &mut Draw) -> (f64, f64) {
    let low = eighths(draw, -8, 8);
    let width = eighths(draw, 1, 8);
    match draw.below(6) {
        0 => (-width, width),
        1 => (low, low + width),
        2 => (low, low),
        3 => (f64::NEG_INFINITY, low),
        4 => (low, f64::INFINITY),
        _ => (0.0, f64::INFINITY),
    }
}

fn eighths(draw: &mut Draw, low: i64, high: i64) -> f64 {
    draw.between(low, high) as f64 * 0.125
}

/// Joints and contacts of one body system: M = J J' positive semidefinite of integers, q = J a, a
/// third of the rows free. Each free row has a 1 in J in a column of its own among the free rows,
/// with zeros to its right there. So the block of the free rows is positive definite.
pub(super) fn bilateral(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let free = n.div_ceil(3);
    // Enough columns for the joints, too few for all rows to be independent.
    let columns = free.max(2 * n / 3);
    let mut j = draw.matrix(n, columns, |draw| draw.between(-3, 3));
    for (i, row) in j[..free].iter_mut().enumerate() {
        row[i] = 1;
        row[i + 1..free].fill(0);
    }
    // Columns beyond the triangle only add a semidefinite part to the block: J_B J_B' >= L L'.
    let a = draw.vector(columns, |draw| draw.between(-4, 4));
    let order = draw.permutation(n);
    let lower = order
        .iter()
        .map(|&i| if i < free { f64::NEG_INFINITY } else { 0.0 });
    let draft = Draft::from_integers(&gram(&j, &vec![1; columns]), 0, &times(&j, &a), 0);
    Draft {
        bounds: Some((lower.collect(), vec![f64::INFINITY; n])),
        ..draft.permuted(&order)
    }
}
