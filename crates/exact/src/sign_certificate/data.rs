//! The basis system in floating point, scaled by powers of two.

use etalon_lcp::{Basis, MixedLcp};

use super::simd::{Kernel, dispatch};

/// The largest dense system: three matrices of it take some 400 MB.
const MAX_ROWS: usize = 4096;

/// A x = b with A = R M_alpha,alpha C and b = -R q_alpha, exact.
pub(super) struct System {
    pub k: usize,
    /// The rows of the basis, ascending.
    pub alpha: Vec<usize>,
    /// A, k by k, row by row.
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// C: z_j = c_j x_j, powers of two.
    pub columns: Vec<f64>,
    pub symmetric: bool,
}

impl System {
    /// `None` when the data are not binary64, or the rows too many, or too far apart for scaling
    /// them exactly.
    pub fn new(lcp: &MixedLcp, basis: &Basis) -> Option<Self> {
        let in_alpha = |&i: &usize| basis.z_is_basic(i) || lcp.bilateral()[i];
        let alpha: Vec<usize> = (0..lcp.n()).filter(in_alpha).collect();
        let k = alpha.len();
        if k > MAX_ROWS {
            return None;
        }
        let mut a = vec![0.0; k * k];
        let mut b = Vec::with_capacity(k);
        for (&i, row) in alpha.iter().zip(a.chunks_exact_mut(k.max(1))) {
            gather(lcp, i, &alpha, row)?;
            b.push(-lcp.q()[i].as_binary64()?);
        }
        let mut system = Self {
            columns: units(k, &a),
            symmetric: dispatch(Symmetry { k, a: &a }),
            k,
            alpha,
            a,
            b,
        };
        dispatch(Scaling(&mut system)).then_some(system)
    }

    /// The entries of z in alpha, in the units of x.
    pub fn scaled(&self, z: &[f64]) -> Vec<f64> {
        let entries = self.alpha.iter().zip(&self.columns);
        entries.map(|(&j, unit)| z[j] / unit).collect()
    }

    #[inline(always)]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.a[i * self.k..(i + 1) * self.k]
    }
}

/// Overwrites `out` with the entries of row i of M in the columns of alpha, ascending; `None` where
/// one is not binary64.
pub(super) fn gather(lcp: &MixedLcp, i: usize, alpha: &[usize], out: &mut [f64]) -> Option<()> {
    if !lcp.m().is_sparse() {
        for (out, &j) in out.iter_mut().zip(alpha) {
            *out = lcp.m().get(i, j)?.as_binary64()?;
        }
        return Some(());
    }
    out.fill(0.0);
    for (j, value) in lcp.m().row(i) {
        if let Ok(k) = alpha.binary_search(&j) {
            out[k] = value.as_binary64()?;
        }
    }
    Some(())
}

/// Powers of two near 1 / sqrt(a_jj) for rows and columns alike, which keeps symmetry; where a
/// diagonal entry is not positive, near 1 / sqrt of the row's largest entry.
fn units(k: usize, a: &[f64]) -> Vec<f64> {
    let unit = |i: usize| {
        let row = &a[i * k..(i + 1) * k];
        let size = if row[i] > 0.0 {
            row[i]
        } else {
            row.iter().fold(0.0_f64, |most, v| most.max(v.abs()))
        };
        power_of_two(if size > 0.0 { size.sqrt().recip() } else { 1.0 })
    };
    (0..k).map(unit).collect()
}

struct Symmetry<'a> {
    k: usize,
    a: &'a [f64],
}

impl Kernel for Symmetry<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> bool {
        /// Tiles, so that columns are not read line by line.
        const TILE: usize = 16;
        let Self { k, a } = self;
        let mut same = true;
        for rows in (0..k).step_by(TILE) {
            for columns in (0..=rows).step_by(TILE) {
                for i in rows..k.min(rows + TILE) {
                    for j in columns..k.min(columns + TILE) {
                        same &= a[i * k + j] == a[j * k + i];
                    }
                }
                if !same {
                    return false;
                }
            }
        }
        true
    }
}

/// Multiplies by the units; whether that is exact, which it is where neither of two products with
/// powers of two leaves the range of normal numbers.
struct Scaling<'a>(&'a mut System);

impl Kernel for Scaling<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> bool {
        let System {
            k, a, b, columns, ..
        } = self.0;
        let mut exact = true;
        let fits = |value: f64, from: f64| value.is_normal() || from == 0.0;
        for (row, unit) in a.chunks_exact_mut((*k).max(1)).zip(&*columns) {
            for (value, column) in row.iter_mut().zip(&*columns) {
                let half = *value * unit;
                let scaled = half * column;
                exact &= fits(half, *value) & fits(scaled, *value);
                *value = scaled;
            }
        }
        for (value, unit) in b.iter_mut().zip(&*columns) {
            let scaled = *value * unit;
            exact &= fits(scaled, *value);
            *value = scaled;
        }
        exact
    }
}

/// The largest power of two that is at most a positive value.
fn power_of_two(value: f64) -> f64 {
    let bits = value.to_bits() & !((1 << 52) - 1);
    f64::from_bits(bits.max(f64::MIN_POSITIVE.to_bits()))
}
