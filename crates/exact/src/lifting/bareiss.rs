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
    let mut rows: Vec<Vec<Integer>> = (0..n).map(|i| row(matrix, i, &b[i])).collect();
    let mut previous = Integer::from(1);
    let mut scratch = Integer::new();
    for k in 0..n {
        let pivot = (k..n).find(|&i| rows[i][k] != 0)?;
        rows.swap(k, pivot);
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivot_row = &done[k];
        for row in rest {
            let factor = std::mem::take(&mut row[k]);
            for (value, across) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                scratch.assign(&*value * &pivot_row[k]);
                scratch -= &factor * across;
                scratch.div_exact_mut(&previous);
                value.assign(&scratch);
            }
        }
        previous.assign(&done[k][k]);
    }
    Some(back_substitute(&rows, previous))
}

fn row(matrix: &IntegerMatrix, i: usize, b: &Integer) -> Vec<Integer> {
    let own = i * matrix.n..(i + 1) * matrix.n;
    let mut row: Vec<Integer> = match &matrix.entries {
        Entries::Narrow(values) => values[own].iter().map(|&v| Integer::from(v)).collect(),
        Entries::Wide(values) => values[own].to_vec(),
    };
    row.push(b.clone());
    row
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
