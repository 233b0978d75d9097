//! Games of two players, on which Lemke's method with a positive covering vector ends in a ray.
//!
//! M = [[0, A], [B', 0]] with A, B > 0 and q < 0 is not copositive-plus. The path of Lemke and Howson
//! (1964; CPS algorithm 4.4.21) needs no covering vector: one z_k alone makes half of the rows
//! feasible, the z of the row that blocks it the other half, and from there on complementary pivots
//! lead to the point where one of w_k and z_k is 0, whatever k.

use super::Lemke;
use crate::failure::Failure;
use crate::meter::Meter;

impl Lemke {
    /// Whether the pure problem has the shape of a game: q < 0, and rows of two kinds, each with 0
    /// in all columns of its own kind and positive entries in all others. Nearly everything else is
    /// told apart by a look at q and the diagonal.
    pub(crate) fn is_game(&mut self, m: &[f64], q: &[f64]) -> bool {
        let n = q.len();
        let possible = n > 1 && q.iter().all(|q| *q < 0.0);
        if !possible || (0..n).any(|i| m[i * n + i] != 0.0) {
            return false;
        }
        let sides = &mut self.sides;
        sides.clear();
        sides.extend(m[..n].iter().map(|entry| *entry != 0.0));
        m.chunks_exact(n).enumerate().all(|(i, row)| {
            let mut entries = row.iter().zip(sides.iter());
            // The sides are read off the first row: its zeros are in the columns of its own kind.
            entries.all(|(entry, side)| (*side != sides[i]) == (*entry > 0.0) && *entry >= 0.0)
        })
    }

    /// Follows the path of a game that begins with z_k, from w = q + M z.
    pub(super) fn walk_game(
        &mut self,
        k: usize,
        budget: u64,
        meter: &mut Meter,
    ) -> Result<(), Failure> {
        let n = self.tableau.n;
        let mut entering = n + k;
        // z_k raises the rows of the other kind, and the z of the row that is last raises those of k's own
        // kind. So two exchanges make every row but that of w_k and z_k both complementary and feasible.
        for _ in 0..2 {
            self.tableau.look_at(entering);
            let row = self.last_to_become_positive()?;
            // Up to here the basic variables of the rows in question are their own w.
            let leaving = self.tableau.exchange(row, entering);
            meter.pivots += 1;
            // w_k leaves, so the pair k is complementary, and both halves of the rows are feasible.
            if leaving == k {
                return Ok(());
            }
            entering = leaving + n;
        }
        loop {
            if meter.pivots > budget {
                return Err(Failure::Pivots { pivots: budget });
            }
            meter.until.check()?;
            self.tableau.look_at(entering);
            let row = self.ratio_test()?;
            let leaving = self.tableau.exchange(row, entering);
            meter.pivots += 1;
            if leaving == k || leaving == n + k {
                return Ok(());
            }
            entering = if leaving < n {
                leaving + n
            } else {
                leaving - n
            };
        }
    }

    /// The row of those that the entering variable raises whose basic variable is the last to be
    /// nonnegative.
    fn last_to_become_positive(&self) -> Result<usize, Failure> {
        let t = &self.tableau;
        let mut best: Option<(usize, f64, f64)> = None;
        for (r, &d) in t.column.iter().enumerate() {
            if d <= 0.0 || t.rhs[r] >= 0.0 {
                continue;
            }
            let (q, tie) = (t.rhs[r] / d, t.ties[r] / d);
            if best.is_none_or(|(_, q0, tie0)| q < q0 || (q == q0 && tie < tie0)) {
                best = Some((r, q, tie));
            }
        }
        best.map(|(r, ..)| r).ok_or(Failure::Ray)
    }
}
