//! The inverse of a symmetric matrix modulo p, of which one triangle is kept.
//!
//! Sweeping (Goodnight 1979) is Gauss-Jordan elimination with signs that leave a symmetric matrix symmetric. With D the block of
//! some rows and columns K, and B the columns K of all other rows,
//!
//! D becomes -D^-1, B becomes B D^-1, and all other entries lose B D^-1 B'.
//!
//! Once all have been swept, the matrix is -A^-1. Products take half of those of [`inverse`](crate::inverse), because the other
//! triangle is known. Pivots come from the block, so a block that is singular ends it: `inverse` goes on with another method.

use crate::dispatch::Backend;
use crate::general::{self, panel_width};
use crate::lanes::LANES;
use crate::prime::Prime;

/// Rows whose products are worked out together, up to the diagonal of the last one.
const ROWS: usize = 64;

/// Replaces a symmetric matrix by its inverse; `None`, with the matrix as it was, where a block on the diagonal is
/// singular. n^3 / 2 products, n^2 residues of extra memory.
pub(crate) fn inverse(matrix: &mut [u64], n: usize, prime: Prime, backend: Backend) -> Option<()> {
    let stride = n.next_multiple_of(LANES);
    let mut rows = vec![0; n * stride];
    for (row, own) in rows
        .chunks_exact_mut(stride.max(1))
        .zip(matrix.chunks_exact(n.max(1)))
    {
        row[..n].copy_from_slice(own);
    }
    let mut state = State {
        rows,
        n,
        stride,
        prime,
        backend,
    };
    let width = panel_width(n);
    for start in (0..n).step_by(width) {
        state.sweep(start, width.min(n - start))?;
    }
    for i in 0..n {
        for j in 0..=i {
            let value = prime.negate(state.rows[i * stride + j]);
            matrix[i * n + j] = value;
            matrix[j * n + i] = value;
        }
    }
    Some(())
}

struct State {
    /// n rows of `stride` residues, of which those up to the diagonal count.
    rows: Vec<u64>,
    n: usize,
    stride: usize,
    prime: Prime,
    backend: Backend,
}

impl State {
    /// The entry (i, j), from the triangle that is kept.
    fn entry(&self, i: usize, j: usize) -> u64 {
        self.rows[i.max(j) * self.stride + i.min(j)]
    }

    /// Sweeps the block of so many rows from `start` on.
    fn sweep(&mut self, start: usize, width: usize) -> Option<()> {
        let (n, stride, prime) = (self.n, self.stride, self.prime);
        let block = start..start + width;
        let mut inverted = Vec::with_capacity(width * width);
        for i in block.clone() {
            inverted.extend(block.clone().map(|j| self.entry(i, j)));
        }
        general::inverse(&mut inverted, width, prime, self.backend).ok()?;
        // B' row by row, with zeros in its own columns, and B.
        let mut across = vec![0; width * stride];
        let mut columns = vec![0; n * width];
        for j in (0..n).filter(|j| !block.contains(j)) {
            for k in 0..width {
                let value = self.entry(start + k, j);
                across[k * stride + j] = value;
                columns[j * width + k] = value;
            }
        }
        let scaled = self.scaled(&columns, &inverted, width);
        for (column, value) in columns.iter_mut().zip(&scaled) {
            *column = prime.negate(*value);
        }
        let coefficients = columns.chunks(ROWS * width);
        let blocks = self.rows.chunks_mut(ROWS * stride).zip(coefficients);
        for (k, (rows, coefficients)) in blocks.enumerate() {
            let last = n.min((k + 1) * ROWS).next_multiple_of(LANES);
            self.backend
                .combine(rows, (stride, last), &across, coefficients, prime);
        }
        for j in 0..n {
            let row = &mut self.rows[j * stride..(j + 1) * stride];
            if j >= block.end {
                row[block.clone()].copy_from_slice(&scaled[j * width..(j + 1) * width]);
            } else if block.contains(&j) {
                let k = j - start;
                for (i, value) in row[..start].iter_mut().enumerate() {
                    *value = scaled[i * width + k];
                }
                for (i, value) in row[block.clone()].iter_mut().enumerate() {
                    *value = prime.negate(inverted[k * width + i]);
                }
            }
        }
        Some(())
    }

    /// B D^-1, row by row.
    fn scaled(&self, columns: &[u64], inverted: &[u64], width: usize) -> Vec<u64> {
        let stride = width.next_multiple_of(LANES);
        let mut pivots = vec![0; width * stride];
        for (row, own) in pivots
            .chunks_exact_mut(stride)
            .zip(inverted.chunks_exact(width))
        {
            row[..width].copy_from_slice(own);
        }
        let mut scaled = vec![0; self.n * stride];
        self.backend
            .combine(&mut scaled, (stride, stride), &pivots, columns, self.prime);
        let rows = scaled.chunks_exact(stride);
        rows.flat_map(|row| &row[..width]).copied().collect()
    }
}
