//! The two loops that take the time, written for the compiler to put into vector registers of
//! `LANES` lanes of 64 bits. Always inlined, so that each [`dispatch`](crate::dispatch) entry gets
//! a copy compiled for its own instruction set.

use crate::prime::{HALF, HALF_MASK, Prime};

/// Rows handled together, so that what is loaded of the vector is used several times.
pub(crate) const ROWS: usize = 4;

/// For each row of the matrix of 32-bit entries, its products with two vectors: rows of `stride`
/// entries (a multiple of `LANES`), as many as `sums`.
#[inline(always)]
pub(crate) fn products<const LANES: usize>(
    matrix: &[u32],
    stride: usize,
    vectors: [&[u32]; 2],
    sums: &mut [[u64; 2]],
) {
    let blocks = matrix.chunks_exact(ROWS * stride);
    let rest = blocks.remainder();
    let (full, last) = sums.split_at_mut(sums.len() / ROWS * ROWS);
    for (block, sums) in blocks.zip(full.chunks_exact_mut(ROWS)) {
        sums.copy_from_slice(&products_of_block::<LANES, ROWS>(block, stride, vectors));
    }
    for (row, sums) in rest.chunks_exact(stride).zip(last) {
        [*sums] = products_of_block::<LANES, 1>(row, stride, vectors);
    }
}

#[inline(always)]
fn products_of_block<const LANES: usize, const N: usize>(
    block: &[u32],
    stride: usize,
    vectors: [&[u32]; 2],
) -> [[u64; 2]; N] {
    let mut sums = [[[0_u64; LANES]; 2]; N];
    let chunks = stride / LANES;
    let vectors = vectors.map(|v| &v.as_chunks::<LANES>().0[..chunks]);
    let rows: [&[[u32; LANES]]; N] =
        std::array::from_fn(|r| &block[r * stride..(r + 1) * stride].as_chunks().0[..chunks]);
    for c in 0..chunks {
        for (row, sums) in rows.iter().zip(&mut sums) {
            for (vector, sums) in vectors.iter().zip(sums) {
                for lane in 0..LANES {
                    sums[lane] += u64::from(row[c][lane]) * u64::from(vector[c][lane]);
                }
            }
        }
    }
    sums.map(|sums| sums.map(|lanes| lanes.iter().sum()))
}

/// Adds to the first columns of each row of `matrix` the combination of the rows of `pivots` with the row's
/// `depth` coefficients, modulo p. All entries are residues; `stride` and `columns` are multiples of `LANES`.
#[inline(always)]
pub(crate) fn combine<const LANES: usize>(
    matrix: &mut [u64],
    (stride, columns): (usize, usize),
    pivots: &[u64],
    coefficients: &[u64],
    prime: Prime,
) {
    let depth = pivots.len() / stride;
    let packed = pack::<LANES>(pivots, (stride, columns));
    let coefficients: Vec<[u32; 2]> = coefficients.iter().map(|&g| halves(g)).collect();
    let mut coefficients = coefficients.chunks(ROWS * depth);
    for block in matrix.chunks_mut(ROWS * stride) {
        let Some(coefficients) = coefficients.next() else {
            return;
        };
        if block.len() == ROWS * stride {
            combine_block::<LANES, ROWS>(block, stride, &packed, coefficients, prime);
            continue;
        }
        let rows = block.chunks_exact_mut(stride);
        for (row, coefficients) in rows.zip(coefficients.chunks_exact(depth)) {
            combine_block::<LANES, 1>(row, stride, &packed, coefficients, prime);
        }
    }
}

/// The halves of residues: [low, high].
#[inline(always)]
pub(crate) fn halves(residue: u64) -> [u32; 2] {
    [(residue & HALF_MASK) as u32, (residue >> HALF) as u32]
}

/// The first columns of the rows cut into columns of `LANES`, each column contiguous: chunk by chunk, row by row.
#[inline(always)]
fn pack<const LANES: usize>(
    rows: &[u64],
    (stride, columns): (usize, usize),
) -> Vec<[[u32; LANES]; 2]> {
    let depth = rows.len() / stride;
    let mut packed = Vec::with_capacity(depth * columns / LANES);
    for c in 0..columns / LANES {
        for k in 0..depth {
            let start = k * stride + c * LANES;
            let chunk = &rows[start..start + LANES];
            packed.push([0, 1].map(|half| std::array::from_fn(|lane| halves(chunk[lane])[half])));
        }
    }
    packed
}

#[inline(always)]
fn combine_block<const LANES: usize, const N: usize>(
    block: &mut [u64],
    stride: usize,
    packed: &[[[u32; LANES]; 2]],
    coefficients: &[[u32; 2]],
    prime: Prime,
) {
    let depth = coefficients.len() / N;
    let coefficients: [&[[u32; 2]]; N] =
        std::array::from_fn(|r| &coefficients[r * depth..(r + 1) * depth]);
    for (c, chunk) in packed.chunks_exact(depth).enumerate() {
        let mut sums = [[[0_u64; LANES]; 3]; N];
        for (k, [low, high]) in chunk.iter().enumerate() {
            for r in 0..N {
                let [g0, g1] = coefficients[r][k].map(u64::from);
                for lane in 0..LANES {
                    let (x0, x1) = (u64::from(low[lane]), u64::from(high[lane]));
                    sums[r][0][lane] += g0 * x0;
                    sums[r][1][lane] += g0 * x1 + g1 * x0;
                    sums[r][2][lane] += g1 * x1;
                }
            }
        }
        for (r, [s0, s1, s2]) in sums.iter().enumerate() {
            let start = r * stride + c * LANES;
            for (lane, value) in block[start..start + LANES].iter_mut().enumerate() {
                *value = prime.reduce(s0[lane] + *value, s1[lane], s2[lane]);
            }
        }
    }
}

/// One Gauss-Jordan step in place on a panel of rows of `width` residues: the pivot, at (row,
/// column), must not be zero. Afterwards its column holds what the step does to a unit column.
#[inline(always)]
pub(crate) fn eliminate(
    panel: &mut [u64],
    width: usize,
    (row, column): (usize, usize),
    prime: Prime,
) {
    let (before, rest) = panel.split_at_mut(row * width);
    let (pivot_row, after) = rest.split_at_mut(width);
    let inverse = prime.invert(pivot_row[column]);
    pivot_row[column] = 1;
    for value in pivot_row.iter_mut() {
        *value = prime.multiply(*value, inverse);
    }
    let others = before.chunks_exact_mut(width);
    for row in others.chain(after.chunks_exact_mut(width)) {
        let factor = prime.negate(std::mem::take(&mut row[column]));
        if factor == 0 {
            continue;
        }
        for (value, &across) in row.iter_mut().zip(&*pivot_row) {
            let sum = prime.multiply(factor, across) + *value;
            *value = sum.min(sum.wrapping_sub(prime.p()));
        }
    }
}
