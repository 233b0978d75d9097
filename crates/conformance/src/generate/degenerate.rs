//! Problems full of exact ties and zeros.

use super::definite::gram;
use super::draft::{Draft, Rows};
use super::draw::Draw;
use super::semidefinite::times;

/// In turn: positive semidefinite with q in the range, positive definite, unit triangular.
pub(super) fn ties(draw: &mut Draw, n: usize, k: u64) -> Draft {
    match k % 3 {
        0 => semidefinite(draw, n).tagged("positive-semidefinite"),
        1 => definite(draw, n).tagged("positive-definite"),
        _ => triangular(draw, n).tagged("p-matrix"),
    }
}

fn semidefinite(draw: &mut Draw, n: usize) -> Draft {
    let rank = n.div_ceil(2);
    let j = signs(draw, n, rank);
    let a = draw.vector(rank, |draw| draw.between(-1, 1));
    Draft::from_integers(&gram(&j, &vec![1; rank]), 0, &times(&j, &a), 0)
}

fn definite(draw: &mut Draw, n: usize) -> Draft {
    let rank = n.div_ceil(2);
    let j = signs(draw, n, rank);
    let mut m = gram(&j, &vec![1; rank]);
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 1;
    }
    Draft::from_integers(&m, 0, &few_values(draw, n), 0)
}

/// 1 on the diagonal: all principal minors are 1.
fn triangular(draw: &mut Draw, n: usize) -> Draft {
    let mut m = draw.matrix(n, n, |draw| draw.between(-1, 2));
    for (i, row) in m.iter_mut().enumerate() {
        row[i] = 1;
        row[i + 1..].fill(0);
    }
    let q = few_values(draw, n);
    let order = draw.permutation(n);
    Draft::from_integers(&m, 0, &q, 0).permuted(&order)
}

fn signs(draw: &mut Draw, rows: usize, columns: usize) -> Rows<i64> {
    draw.matrix(rows, columns, |draw| draw.between(-1, 1))
}

/// -1 half of the time, else 0 or 1.
fn few_values(draw: &mut Draw, n: usize) -> Vec<i64> {
    draw.vector(n, |draw| [-1, -1, 0, 1][draw.index(4)])
}
