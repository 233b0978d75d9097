//! Symmetric positive definite matrices: exactly one solution, for every q.

use super::draft::{Draft, Rows};
use super::draw::{Draw, power_of_two};

/// Dense, every entry with a full mantissa.
pub(super) fn dense(draw: &mut Draw, n: usize, _: u64) -> Draft {
    Draft::new(definite(draw, n), draw.vector(n, Draw::unit))
}

/// Small integers.
pub(super) fn integer(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let m = integer_definite(draw, n);
    let q = draw.vector(n, |draw| draw.between(-9, 9));
    Draft::from_integers(&m, 0, &q, 0)
}

/// D M D and D q with D from 2^-40 to 2^40: powers of two, or in every other problem not.
pub(super) fn badly_scaled(draw: &mut Draw, n: usize, k: u64) -> Draft {
    let mut m = definite(draw, n);
    let rounded = k % 2 == 1;
    let d = draw.vector(n, |draw| {
        let power = power_of_two(draw.between(-40, 40) as i32);
        // A rounded product is off by less than 2^-51 of itself, which leaves D M D definite.
        let factor = if rounded {
            1.0 + draw.unit().abs()
        } else {
            1.0
        };
        power * factor
    });
    for i in 0..n {
        for j in 0..=i {
            m[i][j] = m[i][j] * d[i] * d[j];
            m[j][i] = m[i][j];
        }
    }
    let q = d.iter().map(|d| draw.unit() * d).collect();
    let tag = if rounded {
        "full-mantissa"
    } else {
        "powers-of-two"
    };
    Draft::new(m, q).tagged(tag)
}

/// q with entries of size 1e-17 among ordinary ones: what rounding leaves of a zero.
pub(super) fn tiny_q(draw: &mut Draw, n: usize, k: u64) -> Draft {
    let tiny = draw.index(n);
    let q: Vec<_> = (0..n)
        .map(|i| {
            let factor = if i == tiny || draw.one_in(3) { -56 } else { 0 };
            draw.unit() * power_of_two(factor)
        })
        .collect();
    if k % 2 == 1 {
        return Draft::new(definite(draw, n), q).tagged("full-mantissa");
    }
    let m = integer_definite(draw, n);
    let zeros = vec![0; n];
    let m = Draft::from_integers(&m, 0, &zeros, 0).m;
    Draft::new(m, q).tagged("integer-matrix")
}

/// B B' + D, D from 1/16 to 17/16: the sums err by less than n^2 2^-53 each, and n times that is
/// far below 1/16, so the result is positive definite in spite of rounding.
pub(super) fn definite(draw: &mut Draw, n: usize) -> Rows<f64> {
    let b = draw.matrix(n, n, Draw::unit);
    let mut m = products(&b);
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 0.0625 + draw.unit().abs();
    }
    m
}

/// Rows of B that meet another row together: two entries of binary64 fit a register of every x86-64, and
/// 2 rows times 8 are 8 of its 16 registers.
const TOGETHER: usize = 8;

/// Rows of B that meet all others before the next do: of 5,000 entries each, they take 1.3 MB, less than a cache.
const AT_ONCE: usize = 32;

/// B B'. Each entry is the sum of its products from the first to the last, in this order, because rounding depends on
/// it. Entries side by side are independent, and their sums are made together.
fn products(b: &[Vec<f64>]) -> Rows<f64> {
    let n = b.len();
    let panels: Vec<_> = b.chunks(TOGETHER).map(panel).collect();
    let mut m = vec![vec![0.0; n]; n];
    for first in (0..n).step_by(AT_ONCE) {
        let end = n.min(first + AT_ONCE);
        for (columns, panel) in (0..end).step_by(TOGETHER).zip(&panels) {
            for i in (first..end).step_by(2) {
                // The last of an odd number of rows is taken twice.
                let rows = [i, (i + 1).min(end - 1)];
                let sums = two_rows(rows.map(|i| &b[i][..]), panel);
                for (i, sums) in rows.into_iter().zip(sums) {
                    for (j, sum) in (columns..=i).zip(sums) {
                        m[i][j] = sum;
                        m[j][i] = sum;
                    }
                }
            }
        }
    }
    m
}

/// Column by column the entries of a few rows, with zeros for rows that are not there.
fn panel(rows: &[Vec<f64>]) -> Vec<[f64; TOGETHER]> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut panel = vec![[0.0; TOGETHER]; columns];
    for (l, row) in rows.iter().enumerate() {
        for (column, entry) in panel.iter_mut().zip(row) {
            column[l] = *entry;
        }
    }
    panel
}

/// The products of two rows with those of a panel.
fn two_rows([x, y]: [&[f64]; 2], panel: &[[f64; TOGETHER]]) -> [[f64; TOGETHER]; 2] {
    let mut sums = [[0.0; TOGETHER]; 2];
    for ((x, y), column) in x.iter().zip(y).zip(panel) {
        for l in 0..TOGETHER {
            sums[0][l] += x * column[l];
            sums[1][l] += y * column[l];
        }
    }
    sums
}

/// B B' + D of small integers.
fn integer_definite(draw: &mut Draw, n: usize) -> Rows<i64> {
    let b = draw.matrix(n, n, |draw| draw.between(-3, 3));
    let mut m = gram(&b, &vec![1; n]);
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += draw.between(1, 3);
    }
    m
}

/// B W B' for rows B of as many integers as W has weights on its diagonal.
pub(super) fn gram(b: &[Vec<i64>], weights: &[i64]) -> Rows<i64> {
    let product = |x: &[i64], y: &[i64]| -> i64 {
        x.iter()
            .zip(y)
            .zip(weights)
            .map(|((x, y), w)| x * y * w)
            .sum()
    };
    b.iter()
        .map(|x| b.iter().map(|y| product(x, y)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_summed_from_the_first_to_the_last() {
        for n in [1, 2, 7, 8, 9, 31, 32, 33, 67] {
            let b = Draw::new("products", n, 1, 0).matrix(n, n, Draw::unit);
            let product = |i: usize, j: usize| (0..n).fold(0.0, |sum, k| sum + b[i][k] * b[j][k]);
            let m = products(&b);
            for (i, row) in m.iter().enumerate() {
                for (j, entry) in row.iter().enumerate() {
                    let (i, j) = (i.max(j), i.min(j));
                    assert_eq!(entry.to_bits(), product(i, j).to_bits(), "{n}: {i}, {j}");
                }
            }
        }
    }
}
