//! Problems without a solution, by construction.

use super::draft::{Draft, Rows, powers_of_two};
use super::draw::Draw;

/// Not even z >= 0, Mz + q >= 0: one row is minus a positive combination of others, less
/// something, in M and in q. With y the combination (and 1 for that row) y >= 0, M'y <= 0 and
/// q'y < 0, a Farkas vector.
pub(super) fn infeasible(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let mut m = draw.matrix(n, n, |draw| draw.between(-3, 3));
    let mut q = draw.vector(n, |draw| draw.between(-5, 5));
    let order = draw.permutation(n);
    let (last, others) = (order[0], &order[1..1 + draw.index(n.min(4))]);
    let mut row = draw.vector(n, |draw| draw.between(-1, 0));
    let mut value = -draw.between(1, 3);
    for &other in others {
        let y = draw.between(1, 2);
        for (sum, entry) in row.iter_mut().zip(&m[other]) {
            *sum -= y * entry;
        }
        value -= y * q[other];
    }
    m[last] = row;
    q[last] = value;
    Draft::from_integers(&m, 0, &q, 0)
}

/// Some z >= 0 has Mz + q >= 0, but none is complementary.
///
/// There are rows J with M_J >= 0 and q_J > 0, so w_J > 0 for every z >= 0, and
/// complementarity requires z_J = 0. There is also a row i with q_i < 0 and M_ij <= 0 for all j outside
/// J, so w_i >= 0 requires z_j > 0 for some j in J. The column of one j in J is positive outside J,
/// so a large z_j alone satisfies all inequalities. Three changes then hide the rows: principal pivots
/// on entries of +-1, a new order, and new units. A principal pivot exchanges w_k and z_k; it keeps
/// the solutions and the integers.
pub(super) fn feasible(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let mut m = draw.matrix(n, n, |draw| draw.between(-3, 3));
    let mut q = draw.vector(n, |draw| draw.between(-5, 5));
    // J is 0 to last, the forcing row i is n - 1.
    let last = draw.index((n / 3).max(1));
    for j in 0..=last {
        m[j].iter_mut().for_each(|entry| *entry = entry.abs());
        q[j] = q[j].abs() + 1;
    }
    for row in &mut m[last + 1..] {
        row[0] = draw.between(1, 3);
    }
    m[n - 1][last + 1..]
        .iter_mut()
        .for_each(|entry| *entry = -entry.abs());
    q[n - 1] = -draw.between(1, 5);
    for _ in 0..2 {
        exchange(draw, &mut m, &mut q);
    }
    let order = draw.permutation(n);
    let (rows, columns) = (powers_of_two(draw, n, 2), powers_of_two(draw, n, 2));
    Draft::from_integers(&m, 0, &q, 0)
        .permuted(&order)
        .scaled(&rows, &columns)
}

/// A principal pivot on a random diagonal entry of +-1, where there is one.
fn exchange(draw: &mut Draw, m: &mut Rows<i64>, q: &mut [i64]) {
    let n = q.len();
    let units: Vec<_> = (0..n).filter(|&k| m[k][k].abs() == 1).collect();
    if units.is_empty() {
        return;
    }
    let k = units[draw.index(units.len())];
    // z_k = (w_k - sum_j m_kj z_j - q_k) / m_kk; dividing by +-1 is multiplying by it.
    let pivot = m[k][k];
    let row: Vec<_> = (0..n)
        .map(|j| if j == k { pivot } else { -pivot * m[k][j] })
        .collect();
    let value = -pivot * q[k];
    for i in (0..n).filter(|&i| i != k) {
        let factor = std::mem::take(&mut m[i][k]);
        for (entry, substitute) in m[i].iter_mut().zip(&row) {
            *entry += factor * substitute;
        }
        q[i] += factor * value;
    }
    m[k] = row;
    q[k] = value;
}
