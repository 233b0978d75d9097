//! Gauss-Jordan elimination in binary64 that tells which columns of a system are independent, and by which rows.

use etalon_lcp::{MixedLcp, Number};

use crate::budget::{Budget, Meter};

/// What is left of entries of size 1 after elimination counts as 0 below this multiple of the number of rows: some roundings each.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Larger systems are left alone: the rows are kept as a dense matrix.
const MAX_ROWS: usize = 2048;

/// Rows of a problem in some of its unknowns, with the columns in the order in which they become basic.
pub(super) struct Elimination {
    /// The unknown of each column.
    pub unknowns: Vec<usize>,
    /// Whether it is that of a bilateral row: it may have any sign.
    pub is_free: Vec<bool>,
    /// The unknowns' values, in the units of the columns.
    pub z: Vec<f64>,
    /// The rows of the system; those of `basic` come first after elimination.
    pub matrix: Vec<Vec<f64>>,
    /// The column that is basic in each of the first rows.
    pub basic: Vec<usize>,
    /// The row of the problem that each row of the matrix was made from.
    equations: Vec<usize>,
}

impl Elimination {
    /// The system of these rows and unknowns; `z` has n entries. None where it is large, or numbers are out of the range of
    /// binary64.
    pub(super) fn new(
        lcp: &MixedLcp,
        equations: Vec<usize>,
        mut unknowns: Vec<usize>,
        z: &[f64],
    ) -> Option<Self> {
        let n = lcp.n();
        if equations.len().max(unknowns.len()) > MAX_ROWS
            || z.len() != n
            || !z.iter().all(|z| z.is_finite())
        {
            return None;
        }
        // Columns in units of their diagonal entries, so that sizes of unknowns can be compared; rows in units of their largest
        // entry. Powers of two do not round.
        let unit = units(lcp, &unknowns)?;
        let size = |i: usize| (!lcp.bilateral()[i], -(z[i] / unit[i]));
        // The largest unknowns first, for they are the least likely to be 0.
        unknowns.sort_by(|&i, &j| {
            let ((i, of_i), (j, of_j)) = (size(i), size(j));
            i.cmp(&j).then(of_i.total_cmp(&of_j))
        });
        let mut place = vec![None; n];
        unknowns
            .iter()
            .enumerate()
            .for_each(|(k, &i)| place[i] = Some(k));
        let mut matrix = Vec::with_capacity(equations.len());
        for &i in &equations {
            let mut row = vec![0.0; unknowns.len()];
            for (j, value) in lcp.m().row(i) {
                if let Some(k) = place[j] {
                    row[k] = value.to_f64() * unit[j];
                }
            }
            let largest = row.iter().fold(0.0_f64, |most, own| most.max(own.abs()));
            if largest > 0.0 {
                let unit = power_of_two(largest)?.recip();
                row.iter_mut().for_each(|own| *own *= unit);
            }
            matrix.push(row);
        }
        let z: Vec<f64> = unknowns.iter().map(|&i| z[i] / unit[i]).collect();
        let mut all = z.iter().chain(matrix.iter().flatten());
        let is_finite = all.all(|own| own.is_finite());
        is_finite.then(|| Self {
            is_free: unknowns.iter().map(|&i| lcp.bilateral()[i]).collect(),
            unknowns,
            z,
            matrix,
            basic: Vec::new(),
            equations,
        })
    }

    /// Eliminates column by column with the largest pivot of each. The columns that depend on basic ones, in which the
    /// first rows then hold what the basic unknowns lose where those of the columns rise. None where the time runs out.
    pub(super) fn eliminate(&mut self, budget: &Budget) -> Option<Vec<usize>> {
        let meter = Meter::new(budget);
        let (rows, columns) = (self.matrix.len(), self.unknowns.len());
        let least = ROUNDING * rows.max(columns) as f64;
        let mut dependent = Vec::new();
        for column in 0..columns {
            meter.goes_on().ok()?;
            let step = self.basic.len();
            let largest = (step..rows).max_by(|&i, &j| {
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
            self.equations.swap(step, pivot);
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
        self.equations.truncate(self.basic.len());
        Some(dependent)
    }

    /// After elimination, the rows of the problem that make the basic columns independent, one for each.
    pub(super) fn pivot_rows(&self) -> &[usize] {
        &self.equations
    }

    /// The unknowns of the basic columns.
    pub(super) fn basic_unknowns(&self) -> Vec<usize> {
        self.basic.iter().map(|&k| self.unknowns[k]).collect()
    }
}

/// The units of these unknowns, by n: their diagonal entries become about 1.
fn units(lcp: &MixedLcp, unknowns: &[usize]) -> Option<Vec<f64>> {
    let mut unit = vec![1.0; lcp.n()];
    for &i in unknowns {
        let diagonal = lcp.m().get(i, i).map_or(0.0, Number::to_f64).abs();
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
