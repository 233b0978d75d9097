//! Problems on which pivoting methods take some 2^n steps. k = 0 is the published form; the others
//! are the same in another order and in other units (powers of two).

use super::draft::{Draft, Rows, powers_of_two};
use super::draw::Draw;

/// Murty's lower triangular matrix, q = -1: z = (1, 0, ..., 0).
pub(super) fn murty(draw: &mut Draw, n: usize, k: u64) -> Draft {
    let draft = Draft::from_integers(&lower_triangle(n), 0, &vec![-1; n], 0);
    variant(draw, draft, k, Units::Free)
}

/// The transpose, with q_i = 2^i - 2^(n+1), i = 1 to n: z = (0, ..., 0, 2^n).
pub(super) fn birge_gana(draw: &mut Draw, n: usize, k: u64) -> Draft {
    let lower = lower_triangle(n);
    let upper: Rows<i64> = (0..n)
        .map(|i| lower.iter().map(|row| row[i]).collect())
        .collect();
    let q: Vec<_> = (1..=n).map(|i| (1_i64 << i) - (1_i64 << (n + 1))).collect();
    let draft = Draft::from_integers(&upper, 0, &q, 0);
    variant(draw, draft, k, Units::Free)
}

/// Fathi's symmetric positive definite L L', L Murty's matrix, q = -1: z = (1, 0, ..., 0).
pub(super) fn fathi(draw: &mut Draw, n: usize, k: u64) -> Draft {
    let m = super::definite::gram(&lower_triangle(n), &vec![1; n]);
    let draft = Draft::from_integers(&m, 0, &vec![-1; n], 0);
    variant(draw, draft, k, Units::Symmetric)
}

/// 1 on the diagonal and 2 below it.
fn lower_triangle(n: usize) -> Rows<i64> {
    let entry = |i: usize, j: usize| i64::from(j <= i) + i64::from(j < i);
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// How the units of rows and columns belong together.
enum Units {
    Free,
    Symmetric,
}

fn variant(draw: &mut Draw, published: Draft, k: u64, units: Units) -> Draft {
    if k == 0 {
        return published.tagged("published");
    }
    let n = published.q.len();
    let order = draw.permutation(n);
    let rows = powers_of_two(draw, n, 3);
    let columns = match units {
        Units::Free => powers_of_two(draw, n, 3),
        Units::Symmetric => rows.clone(),
    };
    published.permuted(&order).scaled(&rows, &columns)
}
