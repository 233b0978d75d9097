//! Kernels on lanes of 64 bits that multiply 52 by 52 bits: products of tiles with vectors, combinations
//! of rows, convolutions of digits. Always inlined, so that each [`dispatch`](crate::dispatch) entry gets
//! code of its own for its instructions.

use crate::prime::Prime;

/// The most lanes that any backend has: what strides are multiples of.
pub(crate) const LANES: usize = 8;

/// Bits of a lower limb, and of the lower half of a product.
pub(crate) const LOW_BITS: u32 = 52;

/// The most limbs of a factor of [`multiply_up`]: twice so many halves of products and a few numbers more add up to less than 2^64.
pub(crate) const MAX_LIMBS: usize = (1 << 11) - 2;

const LOW_MASK: u64 = (1 << LOW_BITS) - 1;

/// Digits that [`convolve`] works out together.
pub(crate) const STEP: usize = 4;

/// The first block column that is kept of a block row.
#[inline(always)]
pub(crate) fn first_block(symmetric: bool, row: usize) -> usize {
    if symmetric { row } else { 0 }
}

/// Eight lanes of 64 bits with the products of 52 bits that [`multiply`] is made of.
pub(crate) trait Lanes: Copy {
    type Vector: Copy;
    fn load(self, values: &[u64; LANES]) -> Self::Vector;
    /// Numbers of 32 bits in lanes of 64.
    fn load_short(self, values: &[u32; LANES]) -> Self::Vector;
    /// Numbers of 16 bits in lanes of 64, times 2^12.
    fn load_shorter_up(self, values: &[u16; LANES]) -> Self::Vector;
    fn splat(self, value: u64) -> Self::Vector;
    /// The sums lane by lane.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn store(self, vector: Self::Vector) -> [u64; LANES];
    /// All but the lower 52 bits, shifted down.
    fn upper(self, vector: Self::Vector) -> Self::Vector;
    /// The lower 52 bits.
    fn lower(self, vector: Self::Vector) -> Self::Vector;
    /// The sum plus the lower 52 bits of the product of the lower 52 bits of a and b.
    fn add_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The sum plus the upper 52 bits of it.
    fn add_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// The operations of every processor.
#[derive(Clone, Copy)]
pub(crate) struct PortableLanes;

impl Lanes for PortableLanes {
    type Vector = [u64; LANES];

    #[inline(always)]
    fn load(self, values: &[u64; LANES]) -> [u64; LANES] {
        *values
    }

    #[inline(always)]
    fn load_short(self, values: &[u32; LANES]) -> [u64; LANES] {
        values.map(u64::from)
    }

    #[inline(always)]
    fn load_shorter_up(self, values: &[u16; LANES]) -> [u64; LANES] {
        values.map(|value| u64::from(value) << 12)
    }

    #[inline(always)]
    fn splat(self, value: u64) -> [u64; LANES] {
        [value; LANES]
    }

    #[inline(always)]
    fn add(self, a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn store(self, vector: [u64; LANES]) -> [u64; LANES] {
        vector
    }

    #[inline(always)]
    fn upper(self, vector: [u64; LANES]) -> [u64; LANES] {
        vector.map(|value| value >> LOW_BITS)
    }

    #[inline(always)]
    fn lower(self, vector: [u64; LANES]) -> [u64; LANES] {
        vector.map(|value| value & LOW_MASK)
    }

    #[inline(always)]
    fn add_low(self, mut sum: [u64; LANES], a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        for (sum, (a, b)) in sum.iter_mut().zip(a.into_iter().zip(b)) {
            *sum += a.wrapping_mul(b) & LOW_MASK;
        }
        sum
    }

    #[inline(always)]
    fn add_high(self, mut sum: [u64; LANES], a: [u64; LANES], b: [u64; LANES]) -> [u64; LANES] {
        for (sum, (a, b)) in sum.iter_mut().zip(a.into_iter().zip(b)) {
            let product = u128::from(a & LOW_MASK) * u128::from(b & LOW_MASK);
            *sum += (product >> LOW_BITS) as u64;
        }
        sum
    }
}

/// An entry of a tile.
pub(crate) trait Entry: Copy {
    fn load<L: Lanes>(lanes: L, row: &[Self; LANES]) -> L::Vector;
}

impl Entry for u64 {
    #[inline(always)]
    fn load<L: Lanes>(lanes: L, row: &[u64; LANES]) -> L::Vector {
        lanes.load(row)
    }
}

impl Entry for u32 {
    #[inline(always)]
    fn load<L: Lanes>(lanes: L, row: &[u32; LANES]) -> L::Vector {
        lanes.load_short(row)
    }
}

/// The statement for each row of a tile, or of half a tile. Rows are written out, not looped over: sums in an array that a loop indexes
/// are written to memory at each tile, which takes as long as the products.
macro_rules! each_row {
    ($r:ident, $body:block) => {
        each_row!(@ $r, $body, 0, 1, 2, 3, 4, 5, 6, 7)
    };
    (half: $r:ident, $body:block) => {
        each_row!(@ $r, $body, 0, 1, 2, 3)
    };
    (@ $r:ident, $body:block, $($index:literal),*) => {
        $({
            const $r: usize = $index;
            $body
        })*
    };
}

/// Adds to `sums` the product of a matrix in tiles with a vector.
#[inline(always)]
pub(crate) fn multiply<L: Lanes, T: Entry>(
    lanes: L,
    tiles: &[[[T; LANES]; LANES]],
    symmetric: bool,
    vector: &[[u64; LANES]],
    sums: &mut [[[u64; LANES]; 2]],
) {
    let blocks = vector.len();
    let mut tiles = tiles;
    let zero = lanes.splat(0);
    for row in 0..blocks {
        let first = first_block(symmetric, row);
        let Some((own, rest)) = tiles.split_at_checked(blocks - first) else {
            return;
        };
        tiles = rest;
        let mut lows = [zero; LANES];
        let mut highs = [zero; LANES];
        let mut own = own.iter().zip(&vector[first..]);
        // The tile on the diagonal has no mirror image.
        let plain = if symmetric { 1 } else { blocks };
        for (tile, x) in own.by_ref().take(plain) {
            let x = lanes.load(x);
            each_row!(R, {
                let values = T::load(lanes, &tile[R]);
                lows[R] = lanes.add_low(lows[R], values, x);
                highs[R] = lanes.add_high(highs[R], values, x);
            });
        }
        let y = vector[row].map(|y| lanes.splat(y));
        for ((tile, x), sums) in own.zip(&mut sums[row + 1..]) {
            let x = lanes.load(x);
            let [low, high] = sums;
            let mut low = [lanes.load(low), zero];
            let mut high = [lanes.load(high), zero];
            each_row!(R, {
                let values = T::load(lanes, &tile[R]);
                lows[R] = lanes.add_low(lows[R], values, x);
                highs[R] = lanes.add_high(highs[R], values, x);
                low[R % 2] = lanes.add_low(low[R % 2], values, y[R]);
                high[R % 2] = lanes.add_high(high[R % 2], values, y[R]);
            });
            *sums = [
                lanes.store(lanes.add(low[0], low[1])),
                lanes.store(lanes.add(high[0], high[1])),
            ];
        }
        let [low, high] = &mut sums[row];
        each_row!(R, {
            low[R] += lanes.store(lows[R]).iter().sum::<u64>();
            high[R] += lanes.store(highs[R]).iter().sum::<u64>();
        });
    }
}

/// A tile of entries of more than 52 bits, for [`multiply_wide`].
pub(crate) trait WideTile: Copy {
    /// The entries of a row: words, of which products take the lower 52 bits, and what is above these.
    fn load<L: Lanes>(self, lanes: L, row: usize) -> [L::Vector; 2];
}

/// Entries of 64 bits.
impl WideTile for &[[u64; LANES]; LANES] {
    #[inline(always)]
    fn load<L: Lanes>(self, lanes: L, row: usize) -> [L::Vector; 2] {
        let words = lanes.load(&self[row]);
        [words, lanes.upper(words)]
    }
}

/// Entries of 80 bits, of which 16 stand apart.
impl WideTile for (&[[u64; LANES]; LANES], &[[u16; LANES]; LANES]) {
    #[inline(always)]
    fn load<L: Lanes>(self, lanes: L, row: usize) -> [L::Vector; 2] {
        let words = lanes.load(&self.0[row]);
        let above = lanes.load_shorter_up(&self.1[row]);
        [words, lanes.add(lanes.upper(words), above)]
    }
}

/// Adds to `sums` the product of a matrix in tiles with a vector of numbers below 2^50: parts that count 1, 2^52 and 2^104.
///
/// An entry is a limb of 52 bits and one of 12 or 28 bits above it. Both products of the second
/// one begin where the upper half of the first one's does, so three sums take all four halves.
#[inline(always)]
pub(crate) fn multiply_wide<L: Lanes, T: WideTile>(
    lanes: L,
    mut tiles: impl Iterator<Item = T> + Clone,
    symmetric: bool,
    vector: &[[u64; LANES]],
    sums: &mut [[[u64; LANES]; 3]],
) {
    let blocks = vector.len();
    for row in 0..blocks {
        let first = first_block(symmetric, row);
        for half in 0..2 {
            let own = tiles.clone().take(blocks - first);
            multiply_half_row(lanes, own, (row, symmetric), half, vector, sums);
        }
        if blocks > first {
            tiles.nth(blocks - first - 1);
        }
    }
}

/// That of four rows, from the first block on that is kept of their block row.
#[inline(always)]
fn multiply_half_row<L: Lanes, T: WideTile>(
    lanes: L,
    mut tiles: impl Iterator<Item = T>,
    (row, symmetric): (usize, bool),
    half: usize,
    vector: &[[u64; LANES]],
    sums: &mut [[[u64; LANES]; 3]],
) {
    const HALF: usize = LANES / 2;
    let zero = lanes.splat(0);
    let (mut lows, mut middles, mut highs) = ([zero; HALF], [zero; HALF], [zero; HALF]);
    // The tile on the diagonal has no mirror image.
    let plain = if symmetric {
        row..row + 1
    } else {
        0..vector.len()
    };
    let mirrored = plain.end..vector.len();
    for (x, tile) in vector[plain].iter().zip(tiles.by_ref()) {
        let x = lanes.load(x);
        each_row!(half: R, {
            let [values, upper] = tile.load(lanes, half * HALF + R);
            lows[R] = lanes.add_low(lows[R], values, x);
            middles[R] = lanes.add_high(middles[R], values, x);
            middles[R] = lanes.add_low(middles[R], upper, x);
            highs[R] = lanes.add_high(highs[R], upper, x);
        });
    }
    let y: [L::Vector; HALF] = {
        let own = vector[row].as_chunks::<HALF>().0[half];
        own.map(|y| lanes.splat(y))
    };
    for ((x, sums), tile) in (vector[mirrored.clone()].iter())
        .zip(&mut sums[mirrored])
        .zip(tiles)
    {
        let x = lanes.load(x);
        let [low, middle, high] = sums;
        let (mut low, mut high) = (lanes.load(low), lanes.load(high));
        let mut middle = [lanes.load(middle), zero];
        each_row!(half: R, {
            let [values, upper] = tile.load(lanes, half * HALF + R);
            lows[R] = lanes.add_low(lows[R], values, x);
            middles[R] = lanes.add_high(middles[R], values, x);
            middles[R] = lanes.add_low(middles[R], upper, x);
            highs[R] = lanes.add_high(highs[R], upper, x);
            low = lanes.add_low(low, values, y[R]);
            middle[0] = lanes.add_high(middle[0], values, y[R]);
            middle[1] = lanes.add_low(middle[1], upper, y[R]);
            high = lanes.add_high(high, upper, y[R]);
        });
        *sums = [
            lanes.store(low),
            lanes.store(lanes.add(middle[0], middle[1])),
            lanes.store(high),
        ];
    }
    add_rows(lanes, [lows, middles, highs], half, &mut sums[row]);
}

/// Adds up the lanes of the sums of four rows.
#[inline(always)]
fn add_rows<L: Lanes>(
    lanes: L,
    [lows, middles, highs]: [[L::Vector; LANES / 2]; 3],
    half: usize,
    [low, middle, high]: &mut [[u64; LANES]; 3],
) {
    each_row!(half: R, {
        let place = half * (LANES / 2) + R;
        low[place] += lanes.store(lows[R]).iter().sum::<u64>();
        middle[place] += lanes.store(middles[R]).iter().sum::<u64>();
        high[place] += lanes.store(highs[R]).iter().sum::<u64>();
    });
}

/// Adds to the first columns of each row of `matrix` the combination of the rows of `pivots` with the row's
/// coefficients, modulo p, as [`crate::kernels::combine`] does.
#[inline(always)]
pub(crate) fn combine<L: Lanes>(
    lanes: L,
    matrix: &mut [u64],
    (stride, columns): (usize, usize),
    pivots: &[u64],
    coefficients: &[u64],
    prime: Prime,
) {
    const ROWS: usize = 4;
    let depth = pivots.len() / stride;
    // Chunk by chunk, row by row.
    let mut packed = Vec::with_capacity(depth * columns / LANES);
    for c in 0..columns / LANES {
        for row in pivots.chunks_exact(stride) {
            packed.push(row.as_chunks::<LANES>().0[c]);
        }
    }
    let blocks = matrix.chunks_mut(ROWS * stride);
    for (block, own) in blocks.zip(coefficients.chunks(ROWS * depth)) {
        for (c, chunk) in packed.chunks_exact(depth).enumerate() {
            let mut lows = [lanes.load(&[0; LANES]); ROWS];
            let mut highs = lows;
            let rows = own.len() / depth;
            if rows == ROWS {
                for (k, values) in chunk.iter().enumerate() {
                    let values = lanes.load(values);
                    for r in 0..ROWS {
                        let factor = lanes.load(&[own[r * depth + k]; LANES]);
                        lows[r] = lanes.add_low(lows[r], values, factor);
                        highs[r] = lanes.add_high(highs[r], values, factor);
                    }
                }
            } else {
                for (k, values) in chunk.iter().enumerate() {
                    let values = lanes.load(values);
                    for r in 0..rows {
                        let factor = lanes.load(&[own[r * depth + k]; LANES]);
                        lows[r] = lanes.add_low(lows[r], values, factor);
                        highs[r] = lanes.add_high(highs[r], values, factor);
                    }
                }
            }
            for (r, row) in block.chunks_exact_mut(stride).enumerate() {
                let (low, high) = (lanes.store(lows[r]), lanes.store(highs[r]));
                let row = &mut row.as_chunks_mut::<LANES>().0[c];
                for lane in 0..LANES {
                    // Products of residues are below 2^100, and panels narrow.
                    row[lane] = prime.reduce(low[lane] + row[lane], 0, high[lane] << 2);
                }
            }
        }
    }
}

/// For each k in turn, the sums of the products of digit j of the columns with digit k - j of the
/// factor, in halves of 52 bits; see [`Positional::scaled`](crate::Positional::scaled) for the factor's zeros in front.
#[inline(always)]
pub(crate) fn convolve<L: Lanes>(
    lanes: L,
    columns: &[[u64; LANES]],
    factor: &[u64],
    emit: &mut dyn FnMut(&[u64; LANES], &[u64; LANES]),
) {
    for k in (0..columns.len()).step_by(STEP) {
        let mut lows = [lanes.load(&[0; LANES]); STEP];
        let mut highs = lows;
        let used = &columns[..k + STEP];
        let reversed = factor[..k + 2 * STEP - 1].windows(STEP).rev();
        for (column, window) in used.iter().zip(reversed) {
            let x = lanes.load(column);
            for r in 0..STEP {
                let y = lanes.load(&[window[r]; LANES]);
                lows[r] = lanes.add_low(lows[r], x, y);
                highs[r] = lanes.add_high(highs[r], x, y);
            }
        }
        for r in 0..STEP {
            emit(&lanes.store(lows[r]), &lanes.store(highs[r]));
        }
    }
}

/// One number in each lane from its digits in base p, below 2^50, the digits of p^0 first: `out` becomes its limbs of 52 bits, as
/// many as it has.
#[inline(always)]
pub(crate) fn horner<L: Lanes>(
    lanes: L,
    digits: &[[u64; LANES]],
    p: u64,
    out: &mut [[u64; LANES]],
) {
    let p = lanes.splat(p);
    out.fill([0; LANES]);
    for digit in digits.iter().rev() {
        let mut carry = lanes.load(digit);
        for limb in &mut *out {
            let own = lanes.load(limb);
            // Two numbers below 2^53.
            let low = lanes.add_low(carry, own, p);
            *limb = lanes.store(lanes.lower(low));
            carry = lanes.add_high(lanes.upper(low), own, p);
        }
    }
}

/// low + high f for numbers in each lane and one factor for all of them, in limbs of 52 bits. The factor has as many limbs as `high`, at
/// most [`MAX_LIMBS`], and [`STEP`] - 1 zeros before and after them; `out` has twice as many.
#[inline(always)]
pub(crate) fn multiply_up<L: Lanes>(
    lanes: L,
    [low, high]: [&[[u64; LANES]]; 2],
    factor: &[u64],
    out: &mut [[u64; LANES]],
) {
    let limbs = high.len();
    debug_assert!(limbs <= MAX_LIMBS, "sums fit 64 bits");
    let zero = lanes.splat(0);
    let (mut carry, mut last) = (zero, zero);
    for (step, out) in out.chunks_mut(STEP).enumerate() {
        let k = step * STEP;
        let (mut lows, mut highs) = ([zero; STEP], [zero; STEP]);
        let first = k.saturating_sub(limbs - 1);
        let end = limbs.min(k + STEP);
        // Limb k - j of the factor stands at k - j + STEP - 1.
        let windows = &factor[k + STEP - end..k + 2 * STEP - 1 - first];
        for (column, window) in high[first..end].iter().zip(windows.windows(STEP).rev()) {
            let x = lanes.load(column);
            for r in 0..STEP {
                let y = lanes.splat(window[r]);
                lows[r] = lanes.add_low(lows[r], x, y);
                highs[r] = lanes.add_high(highs[r], x, y);
            }
        }
        for (r, out) in out.iter_mut().enumerate() {
            let own = low.get(k + r).map_or(zero, |own| lanes.load(own));
            // Twice as many halves as there are limbs, and three numbers of 52 bits.
            let sum = lanes.add(lanes.add(lows[r], last), lanes.add(own, carry));
            *out = lanes.store(lanes.lower(sum));
            carry = lanes.upper(sum);
            last = highs[r];
        }
    }
}
