//! The inverse modulo p, and which columns are independent there.

use crate::dispatch::Backend;
use crate::general::{self, SingularModulo, swap_rows};
use crate::prime::Prime;
use crate::symmetric;

/// Replaces the n by n matrix of residues (row by row) by its inverse modulo p.
///
/// Columns are taken in panels. All Gauss-Jordan steps of a panel together are one matrix that
/// differs from the identity in the panel's columns only; it is found from the panel alone and
/// then applied to the rest by one product. n^3 products in all, n^2 residues of extra memory.
///
/// A symmetric matrix takes half of the products, unless a block on its diagonal is singular.
///
/// # Errors
/// [`SingularModulo`]; the matrix is then in no useful state.
///
/// # Panics
/// When `matrix` has not n * n entries.
pub fn inverse(
    matrix: &mut [u64],
    n: usize,
    prime: Prime,
    backend: Backend,
) -> Result<(), SingularModulo> {
    assert_eq!(matrix.len(), n * n, "an n by n matrix");
    let is_symmetric = (0..n).all(|i| (0..i).all(|j| matrix[i * n + j] == matrix[j * n + i]));
    if is_symmetric && symmetric::inverse(matrix, n, prime, backend).is_some() {
        return Ok(());
    }
    general::inverse(matrix, n, prime, backend)
}

/// The columns of an n by n matrix of residues that do not depend on those before them, modulo p.
///
/// n^3 products, each reduced at once: some times slower than [`inverse`].
///
/// # Panics
/// When `matrix` has not n * n entries.
pub fn independent_columns(
    mut matrix: Vec<u64>,
    n: usize,
    prime: Prime,
    backend: Backend,
) -> Vec<usize> {
    assert_eq!(matrix.len(), n * n, "an n by n matrix");
    let mut independent = Vec::new();
    for column in 0..n {
        let row = independent.len();
        let Some(pivot) = (row..n).find(|&i| matrix[i * n + column] != 0) else {
            continue;
        };
        if pivot != row {
            swap_rows(&mut matrix, n, row, pivot);
        }
        // Columns are not looked at again, so it does not matter what becomes of this one.
        backend.eliminate(&mut matrix, n, (row, column), prime);
        independent.push(column);
    }
    independent
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn product(a: &[u64], b: &[u64], n: usize, prime: Prime) -> Vec<u64> {
        let entry = |i: usize, j: usize| {
            (0..n).fold(0, |sum, k| {
                prime.residue(sum + prime.multiply(a[i * n + k], b[k * n + j]))
            })
        };
        (0..n * n).map(|k| entry(k / n, k % n)).collect()
    }

    fn identity(n: usize) -> Vec<u64> {
        (0..n * n).map(|k| u64::from(k / n == k % n)).collect()
    }

    /// Residues of an xorshift generator; zeros where a coin of the given odds falls.
    fn matrix(n: usize, mut seed: u64, zeros: u64, prime: Prime) -> Vec<u64> {
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let mut entry = |_| {
            let value = prime.residue(next());
            if next() % 10 < zeros { 0 } else { value }
        };
        (0..n * n).map(&mut entry).collect()
    }

    /// Makes the lower triangle the mirror image of the upper one.
    fn reflect(matrix: &mut [u64], n: usize) {
        for k in 0..n * n {
            let (i, j) = (k / n, k % n);
            matrix[k] = matrix[i.min(j) * n + i.max(j)];
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_backend_finds_the_same_inverse(
            n in 1_usize..80, seed in 1_u64.., zeros in 0_u64..8, k in 0..Prime::COUNT,
            is_symmetric: bool,
        ) {
            let prime = Prime::nth(k).unwrap();
            let mut a = matrix(n, seed, zeros, prime);
            if is_symmetric {
                reflect(&mut a, n);
            }
            let mut results = Vec::new();
            for backend in Backend::available() {
                let mut inverted = a.clone();
                let result = inverse(&mut inverted, n, prime, backend);
                if result.is_ok() {
                    prop_assert_eq!(product(&a, &inverted, n, prime), identity(n));
                    prop_assert_eq!(product(&inverted, &a, n, prime), identity(n));
                }
                results.push(result.map(|()| inverted));
            }
            prop_assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
        }

        #[test]
        fn a_matrix_of_too_small_a_rank_is_singular(
            n in 2_usize..60, seed in 1_u64.., twin in 0_usize..60,
        ) {
            let prime = Prime::nth(0).unwrap();
            let mut a = matrix(n, seed, 0, prime);
            // The last row becomes twice another one.
            let twin = twin % (n - 1);
            for j in 0..n {
                a[(n - 1) * n + j] = prime.residue(2 * a[twin * n + j]);
            }
            for backend in Backend::available() {
                let error = inverse(&mut a.clone(), n, prime, backend).unwrap_err();
                prop_assert!(error.rank < n);
            }
        }
    }

    #[test]
    fn sweeping_finds_the_inverse_of_symmetric_matrices_of_any_size() {
        let prime = Prime::nth(2).unwrap();
        for n in [1, 8, 9, 63, 64, 65, 71, 130, 257] {
            let mut a = matrix(n, n as u64, 0, prime);
            reflect(&mut a, n);
            let mut expected = a.clone();
            general::inverse(&mut expected, n, prime, Backend::detect()).unwrap();
            symmetric::inverse(&mut a, n, prime, Backend::detect()).unwrap();
            assert!(a == expected, "{n}");
        }
    }

    #[test]
    fn dependent_columns_are_found() {
        let prime = Prime::nth(0).unwrap();
        let a = vec![1, 2, 0, 3, 2, 4, 1, 0, 3, 6, 1, 3, 0, 0, 5, 7];
        for backend in Backend::available() {
            // The second column is twice the first, the third row the sum of the two before.
            assert_eq!(independent_columns(a.clone(), 4, prime, backend), [0, 2, 3]);
        }
        assert!(independent_columns(vec![0; 9], 3, prime, Backend::PORTABLE).is_empty());
    }

    #[test]
    fn blocks_of_zeros_on_the_diagonal_are_no_obstacle() {
        let prime = Prime::nth(1).unwrap();
        for n in [2, 20, 70, 300] {
            // The exchange matrix is its own inverse.
            let exchange: Vec<u64> = (0..n * n)
                .map(|k| u64::from(k / n + k % n == n - 1))
                .collect();
            for backend in Backend::available() {
                let mut inverted = exchange.clone();
                inverse(&mut inverted, n, prime, backend).unwrap();
                assert_eq!(inverted, exchange);
            }
        }
        inverse(&mut [], 0, prime, Backend::PORTABLE).unwrap();
    }
}
