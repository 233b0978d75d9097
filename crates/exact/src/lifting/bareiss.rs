//! Small systems by integer-preserving elimination (Bareiss 1968), which a few rows do not make
//! long numbers of.

use rug::{Assign, Integer};

use crate::lifting::Fractions;
use crate::lifting::integers::{Entries, IntegerMatrix};

/// Up to so many rows this is faster than lifting.
pub(crate) const MAX_ROWS: usize = 12;

/// Solves A x = b; `None` when A is singular.
pub(crate) fn solve(matrix: &IntegerMatrix, b: &[Integer]) -> Option<Fractions> {
    let n = matrix.n;
    let mut previous = Integer::from(1);
    let mut scratch = room(matrix, b);
    let mut rows: Vec<Vec<Integer>> = (0..n).map(|i| row(matrix, i, b, &scratch)).collect();
    for k in 0..n {
        // Any pivot that is not 0 does: nothing is rounded, and all entries that are left are
        // minors of one size, of about the same length.
        let pivot = (k..n).find(|&i| rows[i][k] != 0)?;
        rows.swap(k, pivot);
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivot_row = &done[k];
        for row in rest {
            let factor = std::mem::take(&mut row[k]);
            for (value, across) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                scratch.assign(&*value * &pivot_row[k]);
                scratch -= &factor * across;
                // The quotient is a minor of (A | b) by Sylvester's identity, so the division leaves no
                // remainder.
                if k > 0 {
                    scratch.div_exact_mut(&previous);
                }
                std::mem::swap(value, &mut scratch);
            }
        }
        previous.assign(&done[k][k]);
    }
    Some(back_substitute(&rows, previous))
}

/// Zero, with memory for any number of an elimination but the largest products, so that little is
/// moved while numbers grow.
fn room(matrix: &IntegerMatrix, b: &[Integer]) -> Integer {
    let b_bits = b.iter().map(Integer::significant_bits).max().unwrap_or(0);
    let bits = matrix.bits().max(b_bits) as usize + 4;
    Integer::with_capacity(bits * (matrix.n + 1))
}

/// Row i of (A | b), with memory to grow.
fn row(matrix: &IntegerMatrix, i: usize, b: &[Integer], room: &Integer) -> Vec<Integer> {
    let n = matrix.n;
    let value = |j: usize| {
        let mut value = Integer::with_capacity(room.capacity());
        match &matrix.entries {
            _ if j == n => value.assign(&b[i]),
            Entries::Narrow(values) => value.assign(values[i * n + j]),
            Entries::Wide(values) => value.assign(&values[i * n + j]),
        }
        value
    };
    (0..=n).map(value).collect()
}

/// The numerators over det A from the last row up: by Cramer's rule they are integers.
fn back_substitute(rows: &[Vec<Integer>], mut determinant: Integer) -> Fractions {
    let n = rows.len();
    let mut numerators = vec![Integer::new(); n];
    for (k, row) in rows.iter().enumerate().rev() {
        let mut sum = Integer::from(&row[n] * &determinant);
        for (value, num) in row[k + 1..n].iter().zip(&numerators[k + 1..]) {
            sum -= value * num;
        }
        numerators[k] = sum.div_exact(&row[k]);
    }
    if determinant < 0 {
        determinant = -determinant;
        numerators.iter_mut().for_each(|num| *num *= -1);
    }
    Fractions {
        numerators,
        denominator: determinant,
    }
}
