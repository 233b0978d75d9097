//! The inverse modulo p, by blocks of Gauss-Jordan steps.

use crate::dispatch::Backend;
use crate::lanes::LANES;
use crate::prime::Prime;

/// The matrix is singular modulo p.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular modulo {p}: after {rank} steps no pivot was left")]
pub struct SingularModulo {
    /// The prime.
    pub p: u64,
    /// How many columns had a pivot before the first one that has none.
    pub rank: usize,
}

/// Replaces the n by n matrix of residues (row by row) by its inverse modulo p.
///
/// Columns are taken in panels. All Gauss-Jordan steps of a panel together are one matrix that
/// differs from the identity in the panel's columns only; it is found from the panel alone and
/// then applied to the rest by one product. n^3 products in all, n^2 residues of extra memory.
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
    if n == 0 {
        return Ok(());
    }
    let stride = n.next_multiple_of(LANES);
    let mut rows = vec![0; n * stride];
    for (row, own) in rows.chunks_exact_mut(stride).zip(matrix.chunks_exact(n)) {
        row[..n].copy_from_slice(own);
    }
    let mut state = State {
        rows,
        n,
        stride,
        order: (0..n).collect(),
        prime,
        backend,
    };
    let width = panel_width(n);
    for start in (0..n).step_by(width) {
        state.panel(start, width.min(n - start))?;
    }
    // The rows were permuted to find pivots; the inverse has its columns permuted back.
    let State { rows, order, .. } = state;
    for (own, row) in matrix.chunks_exact_mut(n).zip(rows.chunks_exact(stride)) {
        for (&column, &value) in order.iter().zip(row) {
            own[column] = value;
        }
    }
    Ok(())
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

/// Wide panels cost more steps on single columns, narrow ones more reductions.
fn panel_width(n: usize) -> usize {
    match n {
        0..64 => 8,
        64..256 => 16,
        _ => 32,
    }
}

struct State {
    /// n rows of `stride` residues, zero beyond the n-th.
    rows: Vec<u64>,
    n: usize,
    stride: usize,
    /// Which row of the given matrix stands at each place.
    order: Vec<usize>,
    prime: Prime,
    backend: Backend,
}

impl State {
    fn panel(&mut self, start: usize, width: usize) -> Result<(), SingularModulo> {
        let mut panel = Vec::with_capacity(self.n * width);
        for row in self.rows.chunks_exact(self.stride) {
            panel.extend_from_slice(&row[start..start + width]);
        }
        for column in 0..width {
            let row = start + column;
            let pivot = (row..self.n).find(|&i| panel[i * width + column] != 0);
            let Some(pivot) = pivot else {
                let (p, rank) = (self.prime.p(), row);
                return Err(SingularModulo { p, rank });
            };
            if pivot != row {
                swap_rows(&mut panel, width, row, pivot);
                swap_rows(&mut self.rows, self.stride, row, pivot);
                self.order.swap(row, pivot);
            }
            self.backend
                .eliminate(&mut panel, width, (row, column), self.prime);
        }
        self.apply(start, width, &panel);
        Ok(())
    }

    /// Multiplies the matrix by the identity with the panel in its columns.
    fn apply(&mut self, start: usize, width: usize, panel: &[u64]) {
        let own = start * self.stride..(start + width) * self.stride;
        let mut pivots = self.rows[own.clone()].to_vec();
        self.rows[own].fill(0);
        // The panel's own columns are known already.
        for row in pivots.chunks_exact_mut(self.stride) {
            row[start..start + width].fill(0);
        }
        let rows = self.rows.chunks_exact_mut(self.stride);
        for (row, values) in rows.zip(panel.chunks_exact(width)) {
            row[start..start + width].copy_from_slice(values);
        }
        self.backend
            .combine(&mut self.rows, self.stride, &pivots, panel, self.prime);
    }
}

fn swap_rows(rows: &mut [u64], stride: usize, a: usize, b: usize) {
    let (low, high) = (a.min(b), a.max(b));
    let (before, after) = rows.split_at_mut(high * stride);
    before[low * stride..(low + 1) * stride].swap_with_slice(&mut after[..stride]);
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_backend_finds_the_same_inverse(
            n in 1_usize..80, seed in 1_u64.., zeros in 0_u64..8, k in 0..Prime::COUNT,
        ) {
            let prime = Prime::nth(k).unwrap();
            let a = matrix(n, seed, zeros, prime);
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
