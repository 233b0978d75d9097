//! Proofs that a pure problem has no solution.

use super::linear::dot;
use malachite::Rational;

/// A cover of all complementary choices, each closed by a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// In every solution `z_row = 0` or `w_row = 0`: both cases are closed.
    Branch {
        /// The row that is split.
        row: usize,
        /// The case `z_row = 0`.
        z_zero: Box<Tree>,
        /// The case `w_row = 0`.
        w_zero: Box<Tree>,
    },
    /// The linear system of the choices made above is empty, as `y` proves.
    Empty {
        /// The multipliers of the rows of `w = M z + q`.
        y: Vec<Rational>,
    },
}

/// Whether `y` proves that even `z >= 0`, `M z + q >= 0` is empty: `y >= 0`, `M'y <= 0`, `q'y < 0`.
#[must_use]
pub fn check_farkas(m: &[Vec<Rational>], q: &[Rational], y: &[Rational]) -> bool {
    is_square(m, q) && closes(m, q, y, &vec![false; q.len()], &vec![false; q.len()])
}

/// Whether the tree proves that the pure problem has no solution.
///
/// A leaf under the choices `z_j = 0` (j in A) and `w_i = 0` (i in B) needs `y_i >= 0` for i not in
/// B, `(M'y)_j <= 0` for j not in A and `q'y < 0`: then `0 <= y'w = (M'y)'z + q'y < 0` for every
/// `z`, `w` of the case.
#[must_use]
pub fn check_cover(m: &[Vec<Rational>], q: &[Rational], tree: &Tree) -> bool {
    is_square(m, q)
        && check_below(
            m,
            q,
            tree,
            &mut vec![false; q.len()],
            &mut vec![false; q.len()],
        )
}

fn is_square(m: &[Vec<Rational>], q: &[Rational]) -> bool {
    m.len() == q.len() && m.iter().all(|row| row.len() == q.len())
}

fn check_below(
    m: &[Vec<Rational>],
    q: &[Rational],
    tree: &Tree,
    z_is_zero: &mut Vec<bool>,
    w_is_zero: &mut Vec<bool>,
) -> bool {
    let (row, z_zero, w_zero) = match tree {
        Tree::Empty { y } => return closes(m, q, y, z_is_zero, w_is_zero),
        Tree::Branch {
            row,
            z_zero,
            w_zero,
        } => (*row, z_zero, w_zero),
    };
    if row >= q.len() {
        return false;
    }
    let before = std::mem::replace(&mut z_is_zero[row], true);
    let first = check_below(m, q, z_zero, z_is_zero, w_is_zero);
    z_is_zero[row] = before;
    if !first {
        return false;
    }
    let before = std::mem::replace(&mut w_is_zero[row], true);
    let second = check_below(m, q, w_zero, z_is_zero, w_is_zero);
    w_is_zero[row] = before;
    second
}

fn closes(
    m: &[Vec<Rational>],
    q: &[Rational],
    y: &[Rational],
    z_is_zero: &[bool],
    w_is_zero: &[bool],
) -> bool {
    let n = q.len();
    let column = |j: usize| m.iter().map(|row| row[j].clone()).collect::<Vec<_>>();
    y.len() == n
        && (0..n).all(|i| w_is_zero[i] || y[i] >= 0)
        && (0..n).all(|j| z_is_zero[j] || dot(&column(j), y) <= 0)
        && dot(q, y) < 0
}
