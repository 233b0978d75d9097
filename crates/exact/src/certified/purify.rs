//! A regular basis out of a basis that is singular, next to a solution in floating point.
//!
//! Where M is singular, an approximate solution has more positive entries than columns of M that are independent: forces of
//! redundant contacts, all above 0. With S the rows of the basis, M_SS z_S = -q_S holds for all forces that differ by a null
//! vector of M_SS. So a column that depends on others is pushed to 0 along such a vector, or exchanged for one that reaches
//! 0 first (purification: Charnes and Kortanek 1963; the crossover of interior-point methods, Megiddo 1991). What is left is regular,
//! and its point has no negative entry. For symmetric positive semidefinite M the null vectors change no w.
//!
//! All of it is in binary64 and proposes a basis, nothing more.

use etalon_lcp::{Basis, MixedLcp, Number};

/// What is left of entries of size 1 after elimination counts as 0 below this multiple of the number of rows: some roundings each.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Larger bases are left alone: the rows are kept as a dense matrix.
const MAX_ROWS: usize = 2048;

/// The basis without columns that depend on others, so that its point has no negative entry; none where bilateral
/// rows depend on each other, or numbers are out of the range of binary64. `z` has n entries.
pub(super) fn purified(lcp: &MixedLcp, basis: &Basis, z: &[f64]) -> Option<Basis> {
    let mut system = Push::new(lcp, basis, z)?;
    let dependent = system.eliminate();
    if dependent.iter().any(|&column| system.is_free[column]) {
        return None;
    }
    system.push_to_bounds(&dependent);
    let mut bits = vec![false; lcp.n()];
    for &column in &system.basic {
        bits[system.rows[column]] = true;
    }
    Some(Basis::new(bits))
}

/// The system of the basis, with the columns in the order in which they become basic.
struct Push {
    /// The row of the problem of each column.
    rows: Vec<usize>,
    /// Whether the row is bilateral: its unknown may have any sign.
    is_free: Vec<bool>,
    /// The unknowns, in the units of the columns.
    z: Vec<f64>,
    /// The rows of the system; those of `basic` come first after elimination.
    matrix: Vec<Vec<f64>>,
    /// The column that is basic in each of the first rows.
    basic: Vec<usize>,
}

impl Push {
    fn new(lcp: &MixedLcp, basis: &Basis, z: &[f64]) -> Option<Self> {
        let n = lcp.n();
        let mut rows: Vec<usize> = (0..n)
            .filter(|&i| lcp.bilateral()[i] || basis.z_is_basic(i))
            .collect();
        if rows.len() > MAX_ROWS || z.len() != n || !z.iter().all(|z| z.is_finite()) {
            return None;
        }
        // Columns in units of their diagonal entries, so that sizes of unknowns can be compared; rows in units of their largest
        // entry. Powers of two do not round.
        let entries: Vec<Vec<(usize, f64)>> = (0..n)
            .map(|i| {
                lcp.m()
                    .row(i)
                    .map(|(j, own)| (j, Number::to_f64(own)))
                    .collect()
            })
            .collect();
        let unit = units(&rows, &entries)?;
        let size = |i: usize| (!lcp.bilateral()[i], -(z[i] / unit[i]));
        // The largest unknowns first, for they are the least likely to be 0.
        rows.sort_by(|&i, &j| {
            let ((i, of_i), (j, of_j)) = (size(i), size(j));
            i.cmp(&j).then(of_i.total_cmp(&of_j))
        });
        let mut place = vec![None; n];
        rows.iter()
            .enumerate()
            .for_each(|(k, &i)| place[i] = Some(k));
        let mut matrix = Vec::with_capacity(rows.len());
        for &i in &rows {
            let mut row = vec![0.0; rows.len()];
            for &(j, value) in &entries[i] {
                if let Some(k) = place[j] {
                    row[k] = value * unit[j];
                }
            }
            let largest = row.iter().fold(0.0_f64, |most, own| most.max(own.abs()));
            if largest > 0.0 {
                let unit = power_of_two(largest)?.recip();
                row.iter_mut().for_each(|own| *own *= unit);
            }
            matrix.push(row);
        }
        let z = rows.iter().map(|&i| z[i] / unit[i]).collect::<Vec<_>>();
        let is_finite = z
            .iter()
            .chain(matrix.iter().flatten())
            .all(|own| own.is_finite());
        is_finite.then(|| Self {
            is_free: rows.iter().map(|&i| lcp.bilateral()[i]).collect(),
            rows,
            z,
            matrix,
            basic: Vec::new(),
        })
    }

    /// Gauss-Jordan elimination, column by column with the largest pivot of each. The columns that depend on basic ones, in which the
    /// first rows then hold what the basic unknowns lose where those of the columns rise.
    fn eliminate(&mut self) -> Vec<usize> {
        let count = self.rows.len();
        let least = ROUNDING * count as f64;
        let mut dependent = Vec::new();
        for column in 0..count {
            let step = self.basic.len();
            let largest = (step..count).max_by(|&i, &j| {
                self.matrix[i][column]
                    .abs()
                    .total_cmp(&self.matrix[j][column].abs())
            });
            let pivot = largest.filter(|&i| self.matrix[i][column].abs() > least);
            let Some(pivot) = pivot else {
                dependent.push(column);
                continue;
            };
            self.matrix.swap(step, pivot);
            let mut row = std::mem::take(&mut self.matrix[step]);
            let inverse = row[column].recip();
            row[column..].iter_mut().for_each(|own| *own *= inverse);
            for other in &mut self.matrix {
                subtract(other, &row, column);
            }
            self.matrix[step] = row;
            self.basic.push(column);
        }
        self.matrix.truncate(self.basic.len());
        dependent
    }

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
        let room = ROUNDING * self.rows.len() as f64;
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

/// The units of the unknowns of these rows: their diagonal entries become about 1.
fn units(rows: &[usize], entries: &[Vec<(usize, f64)>]) -> Option<Vec<f64>> {
    let mut unit = vec![1.0; entries.len()];
    for &i in rows {
        let own = entries[i].iter().find(|(j, _)| *j == i);
        let diagonal = own.map_or(0.0, |(_, value)| value.abs());
        if diagonal > 0.0 {
            unit[i] = power_of_two(diagonal.sqrt())?.recip();
        }
    }
    Some(unit)
}

/// Subtracts the multiple of a row that leaves nothing in the column.
fn subtract(other: &mut [f64], row: &[f64], column: usize) {
    let Some(factor) = other.get(column).copied().filter(|own| *own != 0.0) else {
        return;
    };
    for (own, value) in other[column + 1..].iter_mut().zip(&row[column + 1..]) {
        *own -= factor * value;
    }
    other[column] = 0.0;
}

/// The largest power of two that is not above a positive number; none where its reciprocal is out of the range of binary64.
fn power_of_two(own: f64) -> Option<f64> {
    let power = f64::from_bits(own.to_bits() & (0x7ff << 52));
    power.recip().is_normal().then_some(power)
}
