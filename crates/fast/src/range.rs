//! Exponents: which data can be computed with as they are, and powers of two for the others.

use std::ops::Range;

use pulp::Simd;

use crate::failure::Failure;
use crate::problem::LcpRef;
use crate::simd::{Kernel, dispatch};

/// Data within these sizes (or 0) cannot overflow or underflow in a sum of products with a z within
/// them: a product is between 2^-600 and 2^600, and binary64 reaches from 2^-1022 to 2^1023.
pub(crate) const SMALLEST: f64 = f64::from_bits((1023 - 300) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 300) << 52);

/// Whether products with tame data neither overflow nor underflow.
#[inline]
pub(crate) fn is_tame(value: f64) -> bool {
    // NaN and the infinities lie in no range: they are not tame.
    value == 0.0 || (SMALLEST..=LARGEST).contains(&value.abs())
}

/// What one look at the data shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    /// All data can be computed with as they are.
    pub(crate) tame: bool,
    /// M = M', to the bit.
    pub(crate) symmetric: bool,
    /// Every diagonal entry is >= 0, and every one > 0.
    pub(crate) diagonal: (bool, bool),
    /// The largest |m_ij|.
    pub(crate) largest: f64,
    /// The largest |q_i|.
    pub(crate) largest_q: f64,
}

/// Looks at all data once.
///
/// # Errors
/// [`Failure::NotFinite`].
pub(crate) fn look(lcp: LcpRef<'_>) -> Result<Look, Failure> {
    let n = lcp.n();
    let (m, symmetric) = if n < LARGE {
        (dispatch(Sizes(lcp.m)), mirrors(lcp.m, n, 0..n, 0..n))
    } else {
        look_at_large(lcp.m, n)
    };
    let q = dispatch(Sizes(lcp.q));
    if !(m.finite && q.finite) {
        return Err(Failure::NotFinite);
    }
    let bounds = lcp.lower.iter().chain(lcp.upper);
    let mu = lcp.friction.iter().map(|f| f.mu);
    let tame = m.tame()
        && q.tame()
        && bounds.clone().all(|b| b.is_infinite() || is_tame(*b))
        && mu.into_iter().all(is_tame);
    let least = (0..n).map(|i| lcp.m[i * n + i]);
    // `f64::min` drops NaN. There is none: the data were seen to be finite above.
    let least = least.fold(f64::INFINITY, f64::min);
    Ok(Look {
        tame,
        symmetric,
        diagonal: (least >= 0.0, least > 0.0),
        largest: m.largest,
        largest_q: q.largest,
    })
}

/// Compared in tiles, so that both triangles stay in the cache.
const TILE: usize = 8;

/// Up to here M is one tile: to choose vector instructions takes longer than they save.
const SMALL: usize = 16;

/// Whether a tile below the diagonal has the bits of its mirror image. Loops of a fixed length become vectors.
#[inline(always)]
fn whole_tile_mirrors(m: &[f64], n: usize, top: usize, left: usize) -> bool {
    let mut columns = [[0.0; TILE]; TILE];
    for (k, column) in columns.iter_mut().enumerate() {
        column.copy_from_slice(&m[(left + k) * n + top..][..TILE]);
    }
    let mut differ = [0; TILE];
    for i in 0..TILE {
        let row = &m[(top + i) * n + left..][..TILE];
        for j in 0..TILE {
            differ[j] |= row[j].to_bits() ^ columns[j][i].to_bits();
        }
    }
    differ == [0; TILE]
}

/// Whether a tile on or below the diagonal, of so many rows and columns, equals its mirror image.
fn tile_mirrors(m: &[f64], n: usize, top: usize, left: usize, size: usize) -> bool {
    // Compared as bits, without a branch per entry; 0 and -0 are looked at again.
    let (rows, end) = (top..(top + size).min(n), left + size);
    let mut differ = 0;
    for i in rows.clone() {
        let row = &m[i * n..(i + 1) * n];
        for j in left..end.min(i) {
            differ |= row[j].to_bits() ^ m[j * n + i].to_bits();
        }
    }
    let same = |i: usize| (left..end.min(i)).all(|j| m[i * n + j] == m[j * n + i]);
    differ == 0 || rows.into_iter().all(same)
}

/// Whether a block on or below the diagonal equals its mirror image.
fn mirrors(m: &[f64], n: usize, rows: Range<usize>, columns: Range<usize>) -> bool {
    if n <= SMALL {
        return tile_mirrors(m, n, 0, 0, n);
    }
    dispatch(Mirrors {
        m,
        n,
        rows,
        columns,
    })
}

struct Mirrors<'a> {
    m: &'a [f64],
    n: usize,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Kernel for Mirrors<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        let Self { m, n, .. } = self;
        self.rows.step_by(TILE).all(|top| {
            // Tiles right of the diagonal are the mirror images of those on the left.
            let end = self.columns.end.min(top + TILE);
            let mut tiles = (self.columns.start..end).step_by(TILE);
            tiles.all(|left| {
                let is_whole = left < top && top + TILE <= n;
                (is_whole && whole_tile_mirrors(m, n, top, left))
                    || tile_mirrors(m, n, top, left, TILE)
            })
        })
    }
}

/// From here on M has half a megabyte, more than the nearer caches hold, and is read only once.
const LARGE: usize = 256;

/// The sizes of the entries of a large M, and whether M = M'.
fn look_at_large(m: &[f64], n: usize) -> (Extremes, bool) {
    /// Long enough for the memory to stream, short enough for the cache to hold two blocks.
    const BLOCK: usize = 64;
    let blocks = || (0..n).step_by(BLOCK).map(|at| at..(at + BLOCK).min(n));
    let mut sizes = Lanes::default();
    let mut symmetric = true;
    for rows in blocks() {
        for columns in blocks().take_while(|columns| columns.start <= rows.start) {
            let block = |rows: &Range<usize>, columns: &Range<usize>, sizes| Block {
                m,
                n,
                rows: rows.clone(),
                columns: columns.clone(),
                sizes,
            };
            sizes = dispatch(block(&rows, &columns, sizes));
            if columns != rows {
                sizes = dispatch(block(&columns, &rows, sizes));
            }
            symmetric = symmetric && mirrors(m, n, rows.clone(), columns);
        }
    }
    (sizes.extremes(), symmetric)
}

/// The extremes of a block of M, added to others.
struct Block<'a> {
    m: &'a [f64],
    n: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    sizes: Lanes,
}

impl Kernel for Block<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run<S: Simd>(mut self, _: S) -> Lanes {
        for i in self.rows {
            let row = &self.m[i * self.n..(i + 1) * self.n];
            self.sizes.add(&row[self.columns.clone()]);
        }
        self.sizes
    }
}

struct Extremes {
    finite: bool,
    smallest: f64,
    largest: f64,
}

impl Extremes {
    fn tame(&self) -> bool {
        self.largest <= LARGEST && self.smallest >= SMALLEST
    }
}

/// Smallest nonzero and largest absolute value.
struct Sizes<'a>(&'a [f64]);

impl Kernel for Sizes<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Extremes {
        let mut sizes = Lanes::default();
        sizes.add(self.0);
        sizes.extremes()
    }
}

const LANES: usize = 8;

/// The extremes so far of every eighth value.
#[derive(Clone, Copy)]
struct Lanes {
    low: [f64; LANES],
    high: [f64; LANES],
    /// 0 unless a value was NaN or infinite.
    zero: [f64; LANES],
}

impl Default for Lanes {
    #[inline(always)]
    fn default() -> Self {
        Self {
            low: [f64::INFINITY; LANES],
            high: [0.0; LANES],
            zero: [0.0; LANES],
        }
    }
}

impl Lanes {
    #[inline(always)]
    fn add(&mut self, values: &[f64]) {
        let (chunks, rest) = values.as_chunks::<LANES>();
        for chunk in chunks {
            self.add_chunk(chunk);
        }
        if !rest.is_empty() {
            // Zeros fill the last chunk: they are neither a largest nor a smallest nonzero size.
            let mut last = [0.0; LANES];
            last[..rest.len()].copy_from_slice(rest);
            self.add_chunk(&last);
        }
    }

    #[inline(always)]
    fn add_chunk(&mut self, chunk: &[f64; LANES]) {
        let Self { low, high, zero } = self;
        for k in 0..LANES {
            // A comparison with NaN is false, so NaN changes neither extreme. `zero` keeps it.
            let size = chunk[k].abs();
            high[k] = if size > high[k] { size } else { high[k] };
            let nonzero = if size == 0.0 { f64::INFINITY } else { size };
            low[k] = if nonzero < low[k] { nonzero } else { low[k] };
            // NaN where the value is NaN or infinite, and then for good: no branch in the loop.
            zero[k] += chunk[k] * 0.0;
        }
    }

    #[inline(always)]
    fn extremes(&self) -> Extremes {
        Extremes {
            finite: self.zero.iter().all(|value| *value == 0.0),
            smallest: self.low.iter().copied().fold(f64::INFINITY, f64::min),
            largest: self.high.iter().copied().fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes around those of tiles and of blocks, and each pair of entries.
    #[test]
    fn one_entry_unlike_its_mirror_image_is_seen() {
        let sizes = (2..=26).chain([100, LARGE + 1, LARGE + 63]);
        for n in sizes {
            let entry = |k: usize| ((k / n) * (k % n) + k / n + k % n) as f64;
            let mut m: Vec<_> = (0..n * n).map(entry).collect();
            let q = vec![1.0; n];
            let symmetric = |m: &[f64]| look(LcpRef::new(m, &q).unwrap()).unwrap().symmetric;
            assert!(symmetric(&m), "{n}");
            // Of large matrices some hundred pairs.
            let step = if n <= 26 { 1 } else { 5 + n * n / 200 };
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            for (i, j) in pairs.step_by(step) {
                let (own, mirrored) = (i * n + j, j * n + i);
                let before = m[own];
                m[own] += 1.0;
                assert!(!symmetric(&m), "{n}: {i}, {j}");
                // 0 and -0 are alike.
                (m[own], m[mirrored]) = (0.0, -0.0);
                assert!(n > 26 || symmetric(&m), "{n}: {i}, {j}");
                (m[own], m[mirrored]) = (before, before);
            }
        }
    }
}
