//! Games of two players.

use super::draft::Draft;
use super::draw::Draw;

/// w = [[0, A], [B', 0]] z - 1 for costs A, B > 0, n / 2 moves of the first player and the rest of
/// the second: every equilibrium, scaled, is a solution, and there is at least one (CPS section 1.2). M is
/// not copositive-plus, and Lemke with d = 1 may end in a ray.
pub(super) fn bimatrix(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let first = n / 2;
    let cost = |i: usize, j: usize, draw: &mut Draw| {
        let zero = (i < first) == (j < first);
        if zero { 0 } else { draw.between(1, 99) }
    };
    let m: Vec<Vec<_>> = (0..n)
        .map(|i| (0..n).map(|j| cost(i, j, draw)).collect())
        .collect();
    Draft::from_integers(&m, 0, &vec![-1; n], 0)
}
