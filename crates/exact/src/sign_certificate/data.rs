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
        // A denormal product may have lost digits, an infinite one all of them.
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

#[cfg(test)]
mod tests {
    use etalon_lcp::{Matrix, Number};
    use rug::Rational;

    use super::*;

    fn number(value: f64) -> Number {
        Number::from_f64(value).unwrap()
    }

    fn exact(value: f64) -> Rational {
        Rational::from_f64(value).unwrap()
    }

    fn lcp(rows: &[Vec<f64>], q: &[f64]) -> MixedLcp {
        let rows = rows
            .iter()
            .map(|row| row.iter().copied().map(number).collect());
        let m = Matrix::from_rows(rows.collect()).unwrap();
        let q: Vec<Number> = q.iter().copied().map(number).collect();
        let bilateral = vec![false; q.len()];
        MixedLcp::new(m, q, bilateral).unwrap()
    }

    /// The system of all rows.
    fn whole(rows: &[Vec<f64>], q: &[f64]) -> Option<System> {
        System::new(&lcp(rows, q), &Basis::new(vec![true; q.len()]))
    }

    /// Numbers between 2^-limit and 2^limit, and zeros.
    fn wild(state: &mut u64, limit: u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let bits = *state >> 20;
        let power = (bits % (2 * limit)) as i32 - limit as i32;
        let sign = [1.0, -1.0, 0.0][(bits >> 12) as usize % 3];
        sign * (1.0 + (bits >> 14) as f64 * 2_f64.powi(-30)) * 2_f64.powi(power)
    }

    #[test]
    fn what_is_scaled_is_scaled_exactly() {
        let mut state = 1;
        let mut counts = [0; 2];
        for round in 0..600 {
            let k = 1 + round % 4;
            let limit = [40, 400, 1000][round / 4 % 3];
            let mut row = || (0..k).map(|_| wild(&mut state, limit)).collect();
            let rows: Vec<Vec<f64>> = (0..k).map(|_| row()).collect();
            let q: Vec<f64> = row();
            let Some(system) = whole(&rows, &q) else {
                // Small powers are always in range.
                assert!(limit > 40);
                counts[0] += 1;
                continue;
            };
            counts[1] += 1;
            let units: Vec<Rational> = system.columns.iter().map(|c| exact(*c)).collect();
            for i in 0..k {
                assert_eq!(exact(system.b[i]), -exact(q[i]) * &units[i]);
                for j in 0..k {
                    let scaled = exact(rows[i][j]) * &units[i] * &units[j];
                    assert_eq!(exact(system.row(i)[j]), scaled);
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }

    #[test]
    fn scaling_that_loses_bits_on_the_way_is_refused() {
        let odd = 1.0 + f64::EPSILON;
        let large = 2_f64.powi(100);
        // The first product loses the last bit, the second makes it normal again.
        let tiny = 2_f64.powi(-1000) * odd;
        let half = [vec![large, tiny], vec![0.0, 1.0 / large]];
        assert!(whole(&half, &[1.0, 1.0]).is_none());
        // Only the second loses it.
        let tiny = 2_f64.powi(-940) * odd;
        let twice = [vec![large, tiny], vec![0.0, large]];
        assert!(whole(&twice, &[1.0, 1.0]).is_none());
        // Only b loses it.
        assert!(whole(&[vec![large]], &[2_f64.powi(-1000) * odd]).is_none());
        assert!(whole(&[vec![large]], &[2_f64.powi(-940) * odd]).is_some());
    }

    #[test]
    fn a_diagonal_comes_near_one() {
        let one = |size: f64| (0.25..=1.0).contains(&size);
        let rows = [
            vec![3e10, 1.0, -2.0, 0.0],
            vec![1e3, 7e-8, 5e20, 0.0],
            vec![2e-9, -6e5, 0.0, 0.0],
            vec![0.0, 1e-3, -5e-4, -1e-9],
        ];
        let system = whole(&rows, &[1.0; 4]).unwrap();
        assert!(one(system.row(0)[0]) && one(system.row(1)[1]));
        // Where it is not positive, the largest entry of the row counts.
        let unit = |i: usize| system.columns[i] * system.columns[i];
        assert!(one(6e5 * unit(2)) && one(1e-3 * unit(3)));
        // A row of zeros keeps its unit.
        let zero = whole(&[vec![0.0]], &[3.0]).unwrap();
        assert_eq!((zero.columns[0], zero.b[0]), (1.0, -3.0));
        for (value, power) in [
            (1.0, 1.0),
            (1.99, 1.0),
            (2.0, 2.0),
            (0.99, 0.5),
            (5e300, 2_f64.powi(998)),
        ] {
            assert_eq!(power_of_two(value), power);
        }
    }

    #[test]
    fn a_point_goes_into_the_units_of_x() {
        let rows = [vec![5e6, 1.0], vec![1.0, 3e-7]];
        let system = whole(&rows, &[1.0; 2]).unwrap();
        assert!(system.columns[0] < 1.0 && system.columns[1] > 1.0);
        let scaled = system.scaled(&[0.7, -1.3]);
        assert_eq!(scaled[0] * system.columns[0], 0.7);
        assert_eq!(scaled[1] * system.columns[1], -1.3);
    }

    #[test]
    fn one_entry_anywhere_breaks_symmetry() {
        for k in [1, 2, 15, 16, 17, 35] {
            let mut a: Vec<f64> = (0..k * k).map(|at| (at / k * (at % k)) as f64).collect();
            let symmetric = |a: &[f64]| dispatch(Symmetry { k, a });
            assert!(symmetric(&a), "{k}");
            for at in (0..k * k).filter(|at| at / k != at % k) {
                a[at] += 1.0;
                assert!(!symmetric(&a), "{k}: {} {}", at / k, at % k);
                a[at] -= 1.0;
            }
        }
    }

    #[test]
    fn sparse_and_dense_matrices_have_the_same_systems() {
        let rows = [
            vec![2.0, 0.0, 1.0],
            vec![0.0, 4.0, 0.0],
            vec![1.0, 0.0, 0.0],
        ];
        let q = [1.0, 2.0, 3.0];
        let dense = lcp(&rows, &q);
        let entries = (0..9).filter(|at| rows[at / 3][at % 3] != 0.0);
        let entries = entries.map(|at| {
            let (i, j) = (at / 3, at % 3);
            (i as u64, j as u64, number(rows[i][j]))
        });
        let m = Matrix::from_entries((3, 3), entries.collect()).unwrap();
        assert!(m.is_sparse() && !dense.m().is_sparse());
        let sparse = MixedLcp::new(m, dense.q().to_vec(), vec![false; 3]).unwrap();
        for basis in ["111", "101", "011", "100"] {
            let basis: Basis = basis.parse().unwrap();
            let (dense, sparse) = (System::new(&dense, &basis), System::new(&sparse, &basis));
            let (dense, sparse) = (dense.unwrap(), sparse.unwrap());
            assert_eq!((dense.a, dense.b), (sparse.a, sparse.b));
        }
    }
}
