//! Exponents: which data can be computed with as they are, and powers of two for the others.

use pulp::Simd;

use crate::failure::Failure;
use crate::problem::LcpRef;
use crate::simd::{Kernel, dispatch};

/// Data within these sizes (or 0) cannot overflow or underflow in a sum of products with a z
/// within them.
const SMALLEST: f64 = f64::from_bits((1023 - 300) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 300) << 52);

/// Whether products with tame data neither overflow nor underflow.
#[inline]
pub(crate) fn is_tame(value: f64) -> bool {
    value == 0.0 || (SMALLEST..=LARGEST).contains(&value.abs())
}

/// What one look at the data shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// All data can be computed with as they are.
    pub(crate) tame: bool,
    /// M = M', to the bit.
    pub(crate) symmetric: bool,
    /// Every diagonal entry is >= 0, and every one > 0.
    pub(crate) diagonal: (bool, bool),
}

/// Looks at all data once.
///
/// # Errors
/// [`Failure::NotFinite`].
pub(crate) fn look(lcp: LcpRef<'_>) -> Result<Look, Failure> {
    let n = lcp.n();
    let m = dispatch(Sizes(lcp.m));
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
    let least = least.fold(f64::INFINITY, f64::min);
    Ok(Look {
        tame,
        symmetric: is_symmetric(lcp.m, n),
        diagonal: (least >= 0.0, least > 0.0),
    })
}

/// In tiles, so that both triangles stay in the cache.
fn is_symmetric(m: &[f64], n: usize) -> bool {
    const TILE: usize = 16;
    for top in (0..n).step_by(TILE) {
        for left in (0..=top).step_by(TILE) {
            // Compared as bits, without a branch per entry; 0 and -0 are looked at again.
            let mut differ = 0;
            let mut equal = true;
            for i in top..(top + TILE).min(n) {
                let end = (left + TILE).min(i);
                let row = &m[i * n..(i + 1) * n];
                for j in left..end {
                    differ |= row[j].to_bits() ^ m[j * n + i].to_bits();
                }
            }
            if differ != 0 {
                for i in top..(top + TILE).min(n) {
                    equal &= (left..(left + TILE).min(i)).all(|j| m[i * n + j] == m[j * n + i]);
                }
            }
            if !equal {
                return false;
            }
        }
    }
    true
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
        const LANES: usize = 8;
        let mut low = [f64::INFINITY; LANES];
        let mut high = [0.0f64; LANES];
        let mut zero = [0.0f64; LANES];
        let (chunks, rest) = self.0.as_chunks::<LANES>();
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        for chunk in chunks.iter().chain([&last]) {
            for k in 0..LANES {
                let size = chunk[k].abs();
                high[k] = if size > high[k] { size } else { high[k] };
                let nonzero = if size == 0.0 { f64::INFINITY } else { size };
                low[k] = if nonzero < low[k] { nonzero } else { low[k] };
                // 0 unless the value is NaN or infinite.
                zero[k] += chunk[k] * 0.0;
            }
        }
        Extremes {
            finite: zero.iter().all(|value| *value == 0.0),
            smallest: low.into_iter().fold(f64::INFINITY, f64::min),
            largest: high.into_iter().fold(0.0, f64::max),
        }
    }
}
