//! Matrix classes, by all principal minors.

use super::linear;
use super::polyhedron::subsets;
use malachite::Rational;

fn is_square(m: &[Vec<Rational>]) -> bool {
    m.iter().all(|row| row.len() == m.len())
}

/// The determinant; `None` for a matrix that is not square.
#[must_use]
pub fn determinant(m: &[Vec<Rational>]) -> Option<Rational> {
    is_square(m).then(|| linear::determinant(m))
}

/// Whether every principal minor passes.
fn all_principal_minors(m: &[Vec<Rational>], passes: impl Fn(&Rational) -> bool) -> bool {
    (1..=m.len()).all(|size| {
        subsets(m.len(), size).iter().all(|chosen| {
            let row = |&i: &usize| chosen.iter().map(|&j| m[i][j].clone()).collect();
            let part: Vec<Vec<Rational>> = chosen.iter().map(row).collect();
            passes(&linear::determinant(&part))
        })
    })
}

/// Whether the matrix is symmetric and positive semidefinite: no principal minor is negative.
#[must_use]
pub fn is_positive_semidefinite(m: &[Vec<Rational>]) -> bool {
    let n = m.len();
    is_square(m)
        && (0..n).all(|i| (0..i).all(|j| m[i][j] == m[j][i]))
        && all_principal_minors(m, |minor| *minor >= 0)
}

/// Whether all principal minors are positive: exactly then there is one solution for every `q`.
#[must_use]
pub fn is_p_matrix(m: &[Vec<Rational>]) -> bool {
    is_square(m) && all_principal_minors(m, |minor| *minor > 0)
}

/// `(M + M') / 2`, whose definiteness decides monotonicity; `None` for a matrix that is not square.
#[must_use]
pub fn symmetric_part(m: &[Vec<Rational>]) -> Option<Vec<Vec<Rational>>> {
    let n = m.len();
    let two = Rational::from(2);
    let entry = |i: usize, j: usize| (&m[i][j] + &m[j][i]) / &two;
    is_square(m).then(|| {
        (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect()
    })
}
