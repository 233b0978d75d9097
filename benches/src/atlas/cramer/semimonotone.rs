//! Classes by the signs of x_i (Mx)_i, each decided by linear systems on principal blocks.

use super::system::is_satisfiable;
use super::{Matrix, Vector};

fn columns(block: &Matrix) -> Vec<Vector> {
    (0..block.n).map(|j| block.column(j)).collect()
}

/// The vector of n equal entries.
fn all(n: usize, value: i64) -> Vector {
    let mut all = [0; 3];
    all[..n].fill(value);
    all
}

/// E_0: for each x >= 0 but 0 there is an i with x_i > 0 and (Mx)_i >= 0 (Cottle, Pang and Stone 1992,
/// section 3.9).
///
/// Not so exactly if a principal block has x >= 0 with Tx < 0 in all rows, which scales to Tx <= -e. An x with
/// entries 0 counts, too: it stays one after a small change that makes it positive.
pub fn is_semimonotone(m: &Matrix) -> bool {
    let fails = |block: Matrix| is_satisfiable(block.n, &columns(&block), &all(block.n, -1));
    !m.principals().any(fails)
}

/// E: for each x >= 0 but 0 there is an i with x_i > 0 and (Mx)_i > 0 (section 3.9).
///
/// Not so exactly if a principal block has x >= 0 with x_j >= 1 for some j and Tx <= 0: rows off the support of x are
/// then left out. x = I_j + x' with x' >= 0 makes it Tx' <= -T_j.
pub fn is_strictly_semimonotone(m: &Matrix) -> bool {
    let fails = |block: Matrix| {
        let columns = columns(&block);
        let mut right = columns.iter().map(|column| column.map(|value| -value));
        right.any(|right| is_satisfiable(block.n, &columns, &right))
    };
    !m.principals().any(fails)
}

/// S: there is an x >= 0 with Mx > 0, so that every q is feasible (section 3.1).
pub fn is_s(m: &Matrix) -> bool {
    let turned: Vec<Vector> = columns(m).iter().map(|c| c.map(|value| -value)).collect();
    is_satisfiable(m.n, &turned, &all(m.n, -1))
}

/// Column sufficient: x_i (Mx)_i <= 0 for all i only where all are 0 (section 3.5).
///
/// A counterexample has a support, signs D on it, and a row i with x_i (Mx)_i < 0. With y = Dx > 0 on the support
/// and T the block of DMD: Ty <= 0 and (Ty)_i < 0, scaled so that y_i >= 1 and (Ty)_i <= -1. Conversely every y >= 0 with these is one on
/// its own support. y = I_i + y' makes it Ty' <= -T_i - I_i.
pub fn is_column_sufficient(m: &Matrix) -> bool {
    let fails = |block: Matrix| {
        let columns = columns(&block);
        (0..block.n).any(|i| {
            let mut right = columns[i].map(|value| -value);
            right[i] -= 1;
            is_satisfiable(block.n, &columns, &right)
        })
    };
    // x and -x are the same counterexample, so the last sign is left as it is.
    let signs = 0..1 << (m.n - 1);
    let signed = |negative: usize| m.signed(negative).principals().any(fails);
    !signs.into_iter().any(signed)
}

/// Row sufficient: M' is column sufficient (section 3.5).
pub fn is_row_sufficient(m: &Matrix) -> bool {
    is_column_sufficient(&m.transposed())
}
