//! A regular basis out of a basis that is singular, next to a solution in floating point.
//!
//! Where M is singular, an approximate solution has more positive entries than columns of M that are independent: forces of
//! redundant contacts, all above 0. With S the rows of the basis, M_SS z_S = -q_S holds for all forces that differ by a null
//! vector of M_SS. So a column that depends on others is pushed to 0 along such a vector, or exchanged for one that reaches
//! 0 first (purification: Charnes and Kortanek 1963; the crossover of interior-point methods, Megiddo 1991). What is left is regular,
//! and its point has no negative entry. For symmetric positive semidefinite M the null vectors change no w.
//!
//! All of it is in binary64 and proposes a basis, nothing more.

use etalon_lcp::{Basis, MixedLcp};

use super::elimination::{Elimination, ROUNDING};
use crate::budget::Budget;

/// The basis without columns that depend on others, so that its point has no negative entry; none where bilateral
/// rows depend on each other, numbers are out of the range of binary64, or the time runs out. `z` has n entries.
pub(super) fn purified(
    lcp: &MixedLcp,
    (basis, z): (&Basis, &[f64]),
    budget: &Budget,
) -> Option<Basis> {
    let is_row = |i: &usize| lcp.bilateral()[*i] || basis.z_is_basic(*i);
    let rows: Vec<usize> = (0..lcp.n()).filter(is_row).collect();
    let mut system = Elimination::new(lcp, rows.clone(), rows, z)?;
    let dependent = system.eliminate(budget)?;
    if dependent.iter().any(|&column| system.is_free[column]) {
        return None;
    }
    system.push_to_bounds(&dependent);
    let mut bits = vec![false; lcp.n()];
    for unknown in system.basic_unknowns() {
        bits[unknown] = true;
    }
    Some(Basis::new(bits))
}

impl Elimination {
    /// Takes the unknowns of the dependent columns to 0, or into the basis in the place of others that are 0.
    fn push_to_bounds(&mut self, dependent: &[usize]) {
        for (k, &column) in dependent.iter().enumerate() {
            let value = std::mem::take(&mut self.z[column]);
            // Down to 0 where nothing else is in the way; else down or up to the exchange with the larger pivot.
            let down = self
                .blocking(column, -1.0)
                .filter(|(_, reach)| *reach < value);
            let Some(down) = down else {
                self.move_along(column, -value);
                continue;
            };
            let up = self.blocking(column, 1.0);
            let size = |row: usize| self.matrix[row][column].abs();
            let (row, step) = match up {
                Some((row, reach)) if size(row) > size(down.0) => (row, reach),
                _ => (down.0, -down.1),
            };
            self.move_along(column, step);
            self.z[column] = value + step;
            self.z[self.basic[row]] = 0.0;
            self.basic[row] = column;
            let mut own = std::mem::take(&mut self.matrix[row]);
            let inverse = own[column].recip();
            let left = &dependent[k + 1..];
            left.iter().for_each(|&other| own[other] *= inverse);
            for row in self.matrix.iter_mut().filter(|row| !row.is_empty()) {
                let factor = row[column];
                if factor != 0.0 {
                    left.iter()
                        .for_each(|&other| row[other] -= factor * own[other]);
                }
            }
            self.matrix[row] = own;
        }
    }

    /// The row whose unknown reaches 0 first where that of the column changes with this sign, and after how much. Of rows that
    /// tie within rounding it is the one with the largest pivot (Harris 1973).
    fn blocking(&self, column: usize, sign: f64) -> Option<(usize, f64)> {
        let largest = self.z.iter().fold(0.0_f64, |most, own| most.max(own.abs()));
        let room = ROUNDING * self.unknowns.len() as f64;
        let falls = |row: usize| sign * self.matrix[row][column];
        let candidates = || {
            let rows = 0..self.basic.len();
            rows.filter(|&row| !self.is_free[self.basic[row]] && falls(row) > room)
        };
        let left = |row: usize| self.z[self.basic[row]].max(0.0);
        let reach = |row: usize, more: f64| (left(row) + more) / falls(row);
        let least = candidates().map(|row| reach(row, room * largest));
        let least = least.min_by(f64::total_cmp)?;
        let tied = candidates().filter(|&row| reach(row, 0.0) <= least);
        let row = tied.max_by(|&i, &j| falls(i).total_cmp(&falls(j)))?;
        Some((row, reach(row, 0.0)))
    }

    /// Basic unknowns follow where that of a column changes by so much.
    fn move_along(&mut self, column: usize, step: f64) {
        for (row, &basic) in self.matrix.iter().zip(&self.basic) {
            self.z[basic] -= step * row[column];
        }
    }
}
