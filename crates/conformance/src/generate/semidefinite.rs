//! Symmetric positive semidefinite matrices as contacts make them: M = J W J' with fewer columns
//! in J than rows, exactly, because all integers are small.
//!
//! With q = J a (an acceleration without contact forces, seen at each contact) q is in the range
//! of M: the convex function z'Mz / 2 + q'z is bounded below on z >= 0, so it has a minimum there,
//! and its minima are the solutions (CPS section 1.2).

use super::definite::gram;
use super::draft::{Draft, Rows};
use super::draw::Draw;

/// J in units of 1/16: see [`contacts`].
const J_BITS: i32 = 4;
/// W in units of 1/8: inverse masses 1, 1/2, 1/4, 1/8.
const W_BITS: i32 = 3;
/// a in units of 1/4.
const A_BITS: i32 = 2;

/// Redundant contacts, solvable.
pub(super) fn solvable(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let (j, weights) = contacts(draw, n);
    finish(draw, &j, &weights, &[])
}

/// As [`solvable`], with a few contacts that hold each other, y'J = 0 for some y >= 0, y != 0, but
/// y'q < 0: My = 0, so no z makes y'(Mz + q) nonnegative, and y is a Farkas vector.
pub(super) fn infeasible(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let (mut j, weights) = contacts(draw, n);
    let order = draw.permutation(n);
    let size = 2 + draw.index(n.min(4) - 1);
    let (opposed, others) = (order[0], &order[1..size]);
    let mut row = vec![0; weights.len()];
    for &other in others {
        let y = draw.between(1, 3);
        for (sum, entry) in row.iter_mut().zip(&j[other]) {
            *sum -= y * entry;
        }
    }
    j[opposed] = row;
    let lowered = order[draw.index(size)];
    let by = draw.between(1, 32);
    finish(draw, &j, &weights, &[(lowered, by)])
}

/// The rows of J, each of (n + 1) / 2 numbers, and the weights on the diagonal of W. The first
/// half of the rows is random; the rest repeats rows, lies half way between two, or is random, as
/// the contacts of a face on a plane do.
fn contacts(draw: &mut Draw, n: usize) -> (Rows<i64>, Vec<i64>) {
    let rank = n.div_ceil(2);
    let weights = draw.vector(rank, |draw| 1 << draw.index(1 + W_BITS as usize));
    // Even, so that the middle of two rows is on the grid too.
    let mut j = draw.matrix(rank, rank, |draw| 2 * draw.between(-8, 8));
    while j.len() < n {
        let (one, two) = (draw.index(rank), draw.index(rank));
        let row = match draw.below(3) {
            0 => j[one].clone(),
            1 => middle(&j[one], &j[two]),
            _ => draw.vector(rank, |draw| 2 * draw.between(-8, 8)),
        };
        j.push(row);
    }
    let order = draw.permutation(n);
    (order.iter().map(|&i| j[i].clone()).collect(), weights)
}

fn middle(one: &[i64], two: &[i64]) -> Vec<i64> {
    one.iter().zip(two).map(|(a, b)| (a + b) / 2).collect()
}

/// M = J W J' and q = J a, some entries of q lowered by so many units.
fn finish(draw: &mut Draw, j: &[Vec<i64>], weights: &[i64], lowered: &[(usize, i64)]) -> Draft {
    let a = draw.vector(weights.len(), |draw| draw.between(-16, 16));
    let mut q = times(j, &a);
    for &(row, by) in lowered {
        q[row] -= by;
    }
    Draft::from_integers(&gram(j, weights), 2 * J_BITS + W_BITS, &q, J_BITS + A_BITS)
}

/// J a.
pub(super) fn times(j: &[Vec<i64>], a: &[i64]) -> Vec<i64> {
    j.iter()
        .map(|row| row.iter().zip(a).map(|(x, y)| x * y).sum())
        .collect()
}
