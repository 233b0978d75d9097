//! P-matrices that are not symmetric: exactly one solution, for every q (CPS theorem 3.3.7).

use super::definite::definite;
use super::draft::Draft;
use super::draw::{Draw, power_of_two};

/// A positive definite symmetric part plus a skew part, full mantissas.
pub(super) fn skew(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let mut m = definite(draw, n);
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let skew = 2.0 * draw.unit();
        // Rounding moves the symmetric part by far less than its least eigenvalue, 1/16.
        m[i][j] += skew;
        m[j][i] -= skew;
    }
    Draft::new(m, draw.vector(n, Draw::unit))
}

/// Strictly dominant rows, then columns in other units: still P, for a positive factor on a column
/// is one on every principal minor that holds it. One pair of rows has an entry so large that the
/// symmetric part is indefinite, so no test of definiteness finds the class.
pub(super) fn dominant(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let mut m = draw.matrix(n, n, Draw::unit);
    // |m_01| > |m_02| + ... + |m_0,n-1| makes m_00 < 3 |m_01| below.
    m[0][1] = n as f64;
    for (i, row) in m.iter_mut().enumerate() {
        row[i] = 0.0;
        let sum = row.iter().fold(0.0, |sum, entry| sum + entry.abs());
        // More than the sum by an eighth, of which rounding takes next to nothing.
        row[i] = sum * 1.125 + 0.0625;
    }
    let mut columns = draw.vector(n, |draw| power_of_two(draw.between(-4, 4) as i32));
    // With c_1 = r c_0: (m_01 r + m_10)^2 > 4 m_00 m_11 r, for m_00 < 3n and m_11 < 2n, once
    // r > 40: then a 2 by 2 minor of M + M' is negative.
    columns[1] = columns[0] * power_of_two(6);
    let rows = vec![1.0; n];
    let q = draw.vector(n, Draw::unit);
    let order = draw.permutation(n);
    Draft::new(m, q).scaled(&rows, &columns).permuted(&order)
}

/// The circulant with 1 on the diagonal and c to the right of it, q = -1. Its principal minors are
/// 1 but for the determinant, 1 + c^n for odd n; all z are 1 / (1 + c). All ratios tie, and Lemke
/// with ties to the first row goes round for ever. k = 0 is Kostreva's example, c = 2.
pub(super) fn circulant(draw: &mut Draw, n: usize, k: u64) -> Draft {
    let c = if k == 0 { 2 } else { draw.between(2, 4) };
    let row = |i: usize| {
        let mut row = vec![0; n];
        row[i] = 1;
        row[(i + 1) % n] = c;
        row
    };
    let m: Vec<_> = (0..n).map(row).collect();
    let circulant = Draft::from_integers(&m, 0, &vec![-1; n], 0);
    if k == 0 {
        return circulant;
    }
    let order = draw.permutation(n);
    circulant.permuted(&order)
}
