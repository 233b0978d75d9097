//! Gaussian elimination over the rationals.

use malachite::Rational;
use malachite::base::num::basic::traits::{One, Zero};

/// The solutions of a linear system: `point` plus every combination of the (independent)
/// `directions`.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    /// One solution.
    pub(super) point: Vec<Rational>,
    /// A basis of the null space.
    pub(super) directions: Vec<Vec<Rational>>,
}

/// The inner product.
pub(super) fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    let mut sum = Rational::ZERO;
    for (x, y) in a.iter().zip(b) {
        if *x != 0 && *y != 0 {
            sum += x * y;
        }
    }
    sum
}

/// All solutions of `a x = b` in `unknowns` unknowns, or `None` if there is none.
pub(super) fn solve(a: &[Vec<Rational>], b: &[Rational], unknowns: usize) -> Option<Affine> {
    let mut rows: Vec<Vec<Rational>> = Vec::with_capacity(a.len());
    for (row, right) in a.iter().zip(b) {
        let mut line = row.clone();
        line.push(right.clone());
        rows.push(line);
    }
    let pivots = reduce(&mut rows, unknowns);
    if rows[pivots.len()..].iter().any(|row| row[unknowns] != 0) {
        return None;
    }
    let mut point = vec![Rational::ZERO; unknowns];
    for (row, &column) in rows.iter().zip(&pivots) {
        point[column] = row[unknowns].clone();
    }
    let mut directions = Vec::new();
    for free in (0..unknowns).filter(|column| !pivots.contains(column)) {
        let mut direction = vec![Rational::ZERO; unknowns];
        direction[free] = Rational::ONE;
        for (row, &column) in rows.iter().zip(&pivots) {
            direction[column] = -&row[free];
        }
        directions.push(direction);
    }
    Some(Affine { point, directions })
}

/// A basis of `{x : a x = 0}`.
pub(super) fn null_space(a: &[Vec<Rational>], unknowns: usize) -> Vec<Vec<Rational>> {
    let zero = vec![Rational::ZERO; a.len()];
    // A homogeneous system always has a solution, so nothing is lost here.
    solve(a, &zero, unknowns).map_or_else(Vec::new, |set| set.directions)
}

/// Brings the first `columns` columns into reduced row echelon form; returns the pivot column of
/// each leading row.
fn reduce(rows: &mut [Vec<Rational>], columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        let Some(found) = (top..rows.len()).find(|&r| rows[r][column] != 0) else {
            continue;
        };
        rows.swap(top, found);
        let pivot = rows[top][column].clone();
        for entry in &mut rows[top][column..] {
            *entry /= &pivot;
        }
        let pivot_row = rows[top].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != top && row[column] != 0 {
                let factor = row[column].clone();
                for (entry, above) in row[column..].iter_mut().zip(&pivot_row[column..]) {
                    *entry -= &factor * above;
                }
            }
        }
        pivots.push(column);
    }
    pivots
}

/// The determinant of a square matrix.
pub(super) fn determinant(m: &[Vec<Rational>]) -> Rational {
    let n = m.len();
    let mut rows = m.to_vec();
    let mut value = Rational::ONE;
    for k in 0..n {
        let Some(found) = (k..n).find(|&r| rows[r][k] != 0) else {
            return Rational::ZERO;
        };
        if found != k {
            rows.swap(k, found);
            value = -value;
        }
        let pivot_row = rows[k].clone();
        value *= &pivot_row[k];
        for row in &mut rows[k + 1..] {
            let factor = &row[k] / &pivot_row[k];
            for (entry, above) in row[k..].iter_mut().zip(&pivot_row[k..]) {
                *entry -= &factor * above;
            }
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[i32]]) -> Vec<Vec<Rational>> {
        let exact = |row: &&[i32]| row.iter().map(|&v| Rational::from(v)).collect();
        rows.iter().map(exact).collect()
    }

    #[test]
    fn a_singular_system_gives_a_line_or_nothing() {
        let a = matrix(&[&[1, 2, 3], &[2, 4, 7], &[3, 6, 10]]);
        let b = matrix(&[&[1, 3, 4], &[1, 3, 5]]);
        let set = solve(&a, &b[0], 3).expect("the third equation is the sum of the others");
        assert_eq!(set.directions, matrix(&[&[-2, 1, 0]]));
        assert_eq!(set.point, matrix(&[&[-2, 0, 1]])[0]);
        assert!(solve(&a, &b[1], 3).is_none());
        assert_eq!(null_space(&a, 3).len(), 1);
    }

    #[test]
    fn no_equations_leave_everything_free() {
        assert_eq!(null_space(&[], 2), matrix(&[&[1, 0], &[0, 1]]));
        assert!(solve(&[], &[], 0).is_some_and(|set| set.point.is_empty()));
    }

    #[test]
    fn determinants() {
        assert_eq!(determinant(&[]), 1);
        assert_eq!(determinant(&matrix(&[&[0, 2], &[3, 4]])), -6);
        assert_eq!(
            determinant(&matrix(&[&[1, 2, 3], &[2, 4, 7], &[3, 6, 10]])),
            0
        );
        assert_eq!(
            determinant(&matrix(&[&[2, -1, 0], &[-1, 2, -1], &[0, -1, 2]])),
            4
        );
    }
}
