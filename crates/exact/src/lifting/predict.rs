//! How large the solution's numbers will be, by an elimination in short floats. A guess: what is
//! made of it is proved afterwards, and a wrong one costs time only.

use rug::Integer;

use crate::lifting::integers::{IntegerMatrix, to_float};
use crate::sign_certificate::simd::{Kernel, dispatch};

/// The guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prediction {
    /// log2 |det A|.
    determinant: f64,
    /// log2 of the largest entry of the solution; 0 where it is not known.
    solution: f64,
}

impl Prediction {
    /// n^3 / 3 floating-point products in single precision, or half of them where A is symmetric and seems definite.
    pub fn new(matrix: &IntegerMatrix, b: &[Integer], is_symmetric: bool) -> Self {
        let definite = || {
            let mut system = Floats::definite(matrix, b)?;
            let determinant = dispatch(Definite(&mut system))?;
            Some((system, determinant))
        };
        let found = is_symmetric.then(definite).flatten();
        let (system, determinant) = found.unwrap_or_else(|| {
            let mut system = Floats::new(matrix, b);
            let determinant = dispatch(General(&mut system));
            (system, determinant)
        });
        Self {
            determinant: determinant.max(0.0),
            solution: system.largest().unwrap_or(0.0),
        }
    }

    /// One that is not worked out.
    pub fn guess(determinant: f64, solution: f64) -> Self {
        Self {
            determinant,
            solution,
        }
    }

    /// Digits in base p for a fraction with the largest numerator and denominator, and so many
    /// bits to spare.
    pub fn digits(&self, spare: u32) -> usize {
        let bits = 2.0 * self.determinant + self.solution.max(0.0) + f64::from(spare);
        // Of a prime a little below 2^50.
        (bits / 49.99).ceil() as usize + 1
    }

    /// Bits of the denominator if numerator and denominator together have so many.
    pub fn denominator(&self, bits: u32) -> u32 {
        let own = (f64::from(bits) - self.solution) / 2.0;
        own.clamp(0.0, f64::from(bits)) as u32
    }
}

/// The eliminations, compiled for the vectors of this machine.
struct General<'a>(&'a mut Floats);
struct Definite<'a>(&'a mut Floats);

impl Kernel for General<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> f64 {
        self.0.eliminate()
    }
}

impl Kernel for Definite<'_> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> Option<f64> {
        self.0.eliminate_definite()
    }
}

/// 2^exponent; 0 or infinity where that is out of range, as in single precision it is all the same.
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        ..-1022 => 0.0,
        _ => f64::INFINITY,
    }
}

/// (A | b) with rows and columns scaled by powers of two to entries of at most 1.
struct Floats {
    n: usize,
    /// n rows of n + 1 entries.
    rows: Vec<f32>,
    row_powers: Vec<f64>,
    column_powers: Vec<f64>,
}

impl Floats {
    fn new(matrix: &IntegerMatrix, b: &[Integer]) -> Self {
        let n = matrix.n;
        let mut entries = Vec::with_capacity(n * (n + 1));
        for (i, b) in b.iter().enumerate() {
            entries.extend((i * n..(i + 1) * n).map(|k| matrix.float(k)));
            entries.push(to_float(b));
        }
        let width = n + 1;
        let mut row_powers = vec![0; n];
        let mut column_powers = vec![i32::MIN; width];
        for (row, power) in entries.chunks_exact(width).zip(&mut row_powers) {
            let nonzero = row[..n].iter().filter(|entry| entry.0 != 0.0);
            *power = nonzero.map(|entry| entry.1).max().unwrap_or(0);
            for (entry, column) in row.iter().zip(&mut column_powers) {
                if entry.0 != 0.0 {
                    *column = (*column).max(entry.1 - *power);
                }
            }
        }
        Self::scaled(n, &entries, &row_powers, &column_powers)
    }

    /// Those of a symmetric matrix with a positive diagonal: rows and columns alike, to a diagonal between 1 and 4.
    fn definite(matrix: &IntegerMatrix, b: &[Integer]) -> Option<Self> {
        let n = matrix.n;
        let mut powers = Vec::with_capacity(n + 1);
        for i in 0..n {
            let (mantissa, exponent) = matrix.float(i * (n + 1));
            (mantissa > 0.0).then(|| powers.push(exponent.div_euclid(2)))?;
        }
        let mut entries = Vec::with_capacity(n * (n + 1));
        let mut most = i32::MIN;
        for (i, b) in b.iter().enumerate() {
            // Nothing looks below the diagonal.
            entries.resize(i * (n + 1) + i, (0.0, 0));
            entries.extend((i * n + i..(i + 1) * n).map(|k| matrix.float(k)));
            let b = to_float(b);
            if b.0 != 0.0 {
                most = most.max(b.1 - powers[i]);
            }
            entries.push(b);
        }
        let columns = [&powers[..], &[most]].concat();
        Some(Self::scaled(n, &entries, &powers, &columns))
    }

    /// Entries divided by powers of two of their row and column.
    fn scaled(n: usize, entries: &[(f64, i32)], rows: &[i32], columns: &[i32]) -> Self {
        let (width, row_powers) = (n + 1, rows);
        let columns = columns.iter();
        let column_powers = columns.map(|power| if *power == i32::MIN { 0 } else { *power });
        let column_powers: Vec<i32> = column_powers.collect();
        let scaled = entries
            .iter()
            .enumerate()
            .map(|(k, &(mantissa, exponent))| {
                let shift = exponent - row_powers[k / width] - column_powers[k % width];
                (mantissa * power_of_two(shift)) as f32
            });
        Self {
            n,
            rows: scaled.collect(),
            row_powers: row_powers.iter().copied().map(f64::from).collect(),
            column_powers: column_powers.into_iter().map(f64::from).collect(),
        }
    }

    /// Gaussian elimination with pivots on the diagonal and above it alone; log2 det A, or `None` where a pivot is not
    /// positive, beyond rounding.
    #[inline(always)]
    fn eliminate_definite(&mut self) -> Option<f64> {
        let width = self.n + 1;
        let mut logarithm = 0.0;
        for k in 0..self.n {
            let (done, rest) = self.rows.split_at_mut((k + 1) * width);
            let pivot_row = &done[k * width..];
            let pivot = pivot_row[k];
            // The diagonal is below 4, so that less than this is rounding.
            if pivot.is_nan() || pivot < 4.0 * f32::EPSILON {
                return None;
            }
            logarithm += f64::from(pivot.log2());
            let inverse = 1.0 / pivot;
            for (i, row) in (k + 1..).zip(rest.chunks_exact_mut(width)) {
                let factor = pivot_row[i] * inverse;
                for (value, across) in row[i..].iter_mut().zip(&pivot_row[i..]) {
                    *value -= factor * across;
                }
            }
        }
        let columns = self.column_powers[..self.n].iter();
        Some(logarithm + self.row_powers.iter().chain(columns).sum::<f64>())
    }

    /// Gaussian elimination with row pivoting; log2 |det A|. A pivot that vanishes counts for
    /// what rounding leaves of one.
    #[inline(always)]
    fn eliminate(&mut self) -> f64 {
        let width = self.n + 1;
        let mut logarithm = 0.0;
        for k in 0..self.n {
            let (done, rest) = self.rows.split_at_mut((k + 1) * width);
            let pivot_row = &mut done[k * width..];
            let size = |row: &[f32]| row[k].abs();
            let (best, largest) = rest.chunks_exact(width).enumerate().fold(
                (None, size(pivot_row)),
                |(best, largest), (i, row)| {
                    if size(row) > largest {
                        (Some(i), size(row))
                    } else {
                        (best, largest)
                    }
                },
            );
            if let Some(i) = best {
                pivot_row.swap_with_slice(&mut rest[i * width..(i + 1) * width]);
            }
            // Entries are at most 1, so that less than this is rounding. A singular matrix is found
            // out modulo primes, not here.
            if largest < f32::EPSILON {
                pivot_row[k] = f32::EPSILON;
            }
            logarithm += f64::from(pivot_row[k].abs().log2());
            let inverse = 1.0 / pivot_row[k];
            for row in rest.chunks_exact_mut(width) {
                let factor = row[k] * inverse;
                if factor != 0.0 {
                    for (value, across) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                        *value -= factor * across;
                    }
                }
            }
        }
        let columns = self.column_powers[..self.n].iter();
        logarithm + self.row_powers.iter().chain(columns).sum::<f64>()
    }

    /// log2 of the largest entry of the solution, after the elimination.
    fn largest(&self) -> Option<f64> {
        let n = self.n;
        let mut x = vec![0.0_f32; n];
        let mut largest: Option<f64> = None;
        for (k, row) in self.rows.chunks_exact(n + 1).enumerate().rev() {
            let known = row[k + 1..n].iter().zip(&x[k + 1..]);
            let sum: f32 = known.map(|(a, x)| a * x).sum();
            x[k] = (row[n] - sum) / row[k];
            let bits = f64::from(x[k].abs().log2()) - self.column_powers[k];
            // Not a number and infinities are no guess.
            if bits.is_finite() {
                let bits = bits + self.column_powers[n];
                largest = Some(largest.map_or(bits, |most| most.max(bits)));
            }
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifting::Entries;

    /// The prediction for a matrix of small integers, columns times 2^shift.
    fn predicted(n: usize, a: &[i64], shifts: &[u32], b: &[i64]) -> Prediction {
        let entry = |(k, value): (usize, &i64)| i128::from(*value) << shifts[k % n];
        let matrix = IntegerMatrix {
            n,
            entries: Entries::Narrow(a.iter().enumerate().map(entry).collect()),
        };
        let b: Vec<Integer> = b.iter().map(|&value| Integer::from(value)).collect();
        let found = Prediction::new(&matrix, &b, false);
        if matrix.is_symmetric() {
            // Where it is not definite that is noticed.
            let own = Prediction::new(&matrix, &b, true);
            check(own, found.determinant, found.solution);
        }
        found
    }

    fn check(found: Prediction, determinant: f64, solution: f64) {
        let near = |a: f64, b: f64| (a - b).abs() < 0.01;
        assert!(near(found.determinant, determinant), "{found:?}");
        assert!(near(found.solution, solution), "{found:?}");
    }

    #[test]
    fn sizes_of_well_conditioned_systems_are_foretold() {
        let (a, b) = ([2, 1, 0, 1, 3, 1, 0, 1, 2], [2, -1, 3]);
        let (x, det) = ([15, -14, 19], 8_i64);
        for (row, b) in a.chunks(3).zip(b) {
            let sum: i64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert_eq!(sum, b * det);
        }
        check(predicted(3, &a, &[0; 3], &b), 3.0, (19.0_f64 / 8.0).log2());
        // Pivots that are no powers of two, and one that has to be looked for.
        let two = predicted(2, &[3, 1, 1, 2], &[0; 2], &[1, 0]);
        check(two, 5.0_f64.log2(), 0.4_f64.log2());
        let exchanged = predicted(2, &[0, 1, 1, 0], &[0; 2], &[1, 2]);
        check(exchanged, 0.0, 1.0);
        // In other units of the unknowns. The first one is now the largest.
        let shifts = [0, 40, 30];
        check(predicted(3, &a, &shifts, &b), 73.0, (15.0_f64 / 8.0).log2());
        // And of the right-hand side.
        let long = b.map(|value| value << 20);
        check(
            predicted(3, &a, &[0; 3], &long),
            3.0,
            (19.0_f64 / 8.0).log2() + 20.0,
        );
    }

    #[test]
    fn as_many_digits_as_the_fraction_has_and_few_more() {
        for (determinant, solution) in [(0.0, 0.0), (300.5, 70.0), (10.0, -40.0), (5000.0, 900.0)] {
            let guess = Prediction::guess(determinant, solution);
            for spare in [0, 88, 500] {
                // The denominator, the numerator, which is no longer where |x| < 1, and the rest.
                let bits = 2.0 * determinant + solution.max(0.0) + f64::from(spare);
                let room = 49.99 * guess.digits(spare) as f64;
                assert!(room >= bits && room < bits + 100.0, "{guess:?} {spare}");
            }
        }
    }

    #[test]
    fn numerator_and_denominator_share_the_bits() {
        for solution in [0.0, 30.0, -30.0] {
            let own = f64::from(Prediction::guess(1.0, solution).denominator(400));
            assert!((own + (own + solution) - 400.0).abs() <= 2.0);
        }
        assert_eq!(Prediction::guess(1.0, 500.0).denominator(400), 0);
        assert_eq!(Prediction::guess(1.0, -900.0).denominator(400), 400);
    }
}
