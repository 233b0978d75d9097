//! The inverse of any matrix modulo p, by blocks of Gauss-Jordan steps.

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

/// The inverse of any matrix, with pivots from any row.
pub(crate) fn inverse(
    matrix: &mut [u64],
    n: usize,
    prime: Prime,
    backend: Backend,
) -> Result<(), SingularModulo> {
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

/// Wide panels cost more steps on single columns, narrow ones more reductions.
pub(crate) fn panel_width(n: usize) -> usize {
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
        let shape = (self.stride, self.stride);
        self.backend
            .combine(&mut self.rows, shape, &pivots, panel, self.prime);
    }
}

pub(crate) fn swap_rows(rows: &mut [u64], stride: usize, a: usize, b: usize) {
    let (low, high) = (a.min(b), a.max(b));
    let (before, after) = rows.split_at_mut(high * stride);
    before[low * stride..(low + 1) * stride].swap_with_slice(&mut after[..stride]);
}
