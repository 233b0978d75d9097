//! Binary64 data straight from their bits: symmetric systems in integers, and signs that rounding leaves no doubt about.

use std::cmp::Ordering;

use etalon_lcp::MixedLcp;
use rug::Integer;

use crate::basis::row::Units;
use crate::cores::share;
use crate::lifting::{Entries, Fractions, IntegerMatrix, NARROW_BITS, is_symmetric, to_float};

/// Rows that a thread works on before it takes the next ones.
const PART: usize = 16;

/// A binary64 value as mantissa 2^exponent, the mantissa without its sign.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    }
}

/// The power of two in a value; none in 0.
fn shift(value: f64) -> Option<i32> {
    let (mantissa, exponent) = parts(value);
    (mantissa != 0).then(|| exponent + mantissa.trailing_zeros() as i32)
}

/// value 2^power, which must be an integer of at most [`NARROW_BITS`] bits.
fn scaled(value: f64, power: i32) -> i128 {
    let (mantissa, exponent) = parts(value);
    let mantissa = i128::from(mantissa);
    let size = match exponent + power {
        // Zeros alone are shifted out; those of 0 may be many.
        down @ ..0 => mantissa >> down.unsigned_abs().min(127),
        up => mantissa << (up as u32 & 127),
    };
    if value < 0.0 { -size } else { size }
}

/// A symmetric system: rows and columns share their units.
pub(super) struct Symmetric {
    pub matrix: IntegerMatrix,
    pub b: Vec<Integer>,
    pub units: Units,
}

impl Symmetric {
    /// The system of these rows of a problem, in machine words; `None` where data are not binary64 or not symmetric, or
    /// where that takes more bits.
    pub fn new(
        lcp: &MixedLcp,
        alpha: &[usize],
        place: &[Option<u32>],
        helpers: usize,
    ) -> Option<Self> {
        let n = alpha.len();
        let values = gathered(lcp, alpha, place, helpers)?;
        if !is_symmetric(&values, n) {
            return None;
        }
        let q = alpha.iter().map(|&i| lcp.q()[i].as_binary64());
        let q: Option<Vec<f64>> = q.collect();
        let q = q?;
        let units = units(&values, &q);
        let columns = &units.columns;
        let entries = share(n.div_ceil(PART), helpers, |part| {
            let rows = part * PART..n.min((part + 1) * PART);
            let mut entries = Vec::with_capacity(rows.len() * n);
            for i in rows {
                let row = values[i * n..(i + 1) * n].iter().zip(columns);
                for (value, column) in row {
                    let power = columns[i] + column;
                    // Below 2^(exponent + 53 + power).
                    let fits =
                        *value == 0.0 || self::parts(*value).1 + 53 + power <= NARROW_BITS as i32;
                    entries.push(fits.then(|| scaled(*value, power))?);
                }
            }
            Some(entries)
        });
        let entries: Option<Vec<_>> = entries.into_iter().collect();
        let b = q.iter().zip(columns).map(|(q, column)| {
            let (mantissa, exponent) = self::parts(*q);
            let mantissa = Integer::from(mantissa);
            let size = match exponent + column + units.q {
                down @ ..0 => mantissa >> down.unsigned_abs(),
                up => mantissa << up,
            };
            if *q > 0.0 { -size } else { size }
        });
        Some(Self {
            b: b.collect(),
            matrix: IntegerMatrix {
                n,
                entries: Entries::Narrow(entries?.concat()),
            },
            units,
        })
    }
}

/// The entries of these rows and columns, row by row; `None` where one is not binary64.
fn gathered(
    lcp: &MixedLcp,
    alpha: &[usize],
    place: &[Option<u32>],
    helpers: usize,
) -> Option<Vec<f64>> {
    let n = alpha.len();
    let rows = share(n.div_ceil(PART), helpers, |part| {
        let own = &alpha[part * PART..n.min((part + 1) * PART)];
        let mut rows = vec![0.0; own.len() * n];
        for (&i, row) in own.iter().zip(rows.chunks_exact_mut(n)) {
            for (j, value) in lcp.m().row(i) {
                if let Some(k) = place[j] {
                    row[k as usize] = value.as_binary64()?;
                }
            }
        }
        Some(rows)
    });
    let rows: Option<Vec<_>> = rows.into_iter().collect();
    Some(rows?.concat())
}

/// With c_i^2 the least unit that makes row i integral, or a factor 2 more, c_i c_j makes entry (i, j) integral.
fn units(values: &[f64], q: &[f64]) -> Units {
    let rows = values.chunks_exact(q.len().max(1));
    // c_i = ceil(-least_i / 2). The power of two in entry (i, j) is not below least_i or least_j, nor below
    // their mean, so adding c_i + c_j leaves none negative.
    let unit = |row: &[f64]| {
        let least = row.iter().filter_map(|value| shift(*value)).min();
        (1 - least.unwrap_or(0)).div_euclid(2)
    };
    let columns: Vec<i32> = rows.map(unit).collect();
    let filled = q.iter().zip(&columns);
    let filled = filled.filter_map(|(q, unit)| Some(shift(*q)? + unit)).min();
    Units {
        q: -filled.unwrap_or(0),
        columns,
        symmetric: true,
    }
}

/// A solution rounded to binary64, for the signs of rows that are far from 0.
pub(super) struct Rounded {
    /// By column of the problem; 0 off the basis.
    z: Vec<f64>,
}

impl Rounded {
    /// The solution of the system with these units; `None` where binary64 has no room for an entry.
    pub fn new(n: usize, alpha: &[usize], units: &Units, solution: &Fractions) -> Option<Self> {
        let (by, down) = to_float(&solution.denominator);
        let mut z = vec![0.0; n];
        for ((&j, numerator), unit) in alpha.iter().zip(&solution.numerators).zip(&units.columns) {
            let (mantissa, exponent) = to_float(numerator);
            if mantissa == 0.0 {
                continue;
            }
            // Far from underflow, so that all errors are relative ones. The mantissas are cut off, by less than 2^-52 of
            // themselves, and their quotient is rounded by 2^-53 of itself: 2^-50 is more than all of that.
            let power = exponent - down + unit - units.q;
            if !(-500..500).contains(&power) {
                return None;
            }
            z[j] = mantissa / by * f64::from_bits(((1023 + power) as u64) << 52);
        }
        Some(Self { z })
    }

    /// The sign of w_i, where it is sure; of a row of binary64 data.
    ///
    /// With m columns and u = 2^-53 the sum of the rounded terms is off by at most 8 u of the sum of their sizes for those of z, by u for the
    /// rounding of each product, and by (m + 1) u for that of the sums, each of these to first order (Higham 2002, section 3.1).
    /// Twice (m + 16) u is more than all, and more than what is lost below 2^-1022, where sizes add up to 2^-900 or more.
    pub fn sign(&self, lcp: &MixedLcp, i: usize) -> Option<Ordering> {
        let mut sum = lcp.q()[i].as_binary64()?;
        let mut sizes = sum.abs();
        for (j, value) in lcp.m().row(i) {
            let term = value.as_binary64()? * self.z[j];
            sum += term;
            sizes += term.abs();
        }
        let bound = (self.z.len() + 16) as f64 * f64::EPSILON * sizes;
        let is_sure = sum.abs() > bound && sizes > 1e-270 && sizes.is_finite();
        is_sure.then(|| sum.total_cmp(&0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::system::BasisSystem;
    use etalon_lcp::{Matrix, Number};
    use proptest::prelude::*;

    fn lcp(n: usize, values: &[f64], q: &[f64]) -> MixedLcp {
        let number = |value: &f64| Number::from_f64(*value).unwrap();
        let rows = values.chunks_exact(n);
        let rows = rows.map(|row| row.iter().map(number).collect()).collect();
        let q: Vec<Number> = q.iter().map(number).collect();
        MixedLcp::new(Matrix::from_rows(rows).unwrap(), q, vec![false; n]).unwrap()
    }

    /// Values of any size within so many powers of two; zeros and powers of two among them.
    fn value(range: i32) -> impl Strategy<Value = f64> {
        (any::<i64>(), -range..=range, 0_u32..64).prop_map(|(lead, power, zeros)| {
            ((lead >> 10 >> (zeros % 54)) as f64) * f64::from(power).exp2()
        })
    }

    proptest! {
        #[test]
        fn systems_from_their_bits_are_those_of_integers(
            n in 1_usize..20, range in prop_oneof![Just(5), Just(30), Just(200)],
            values in prop::collection::vec(value(5), 400), powers in prop::collection::vec(-200..200_i32, 20),
            q in prop::collection::vec(value(20), 20), bits in prop::collection::vec(any::<bool>(), 20),
        ) {
            let mut m = vec![0.0; n * n];
            for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                let power = (powers[i] + powers[j]) % range;
                m[i * n + j] = values[i * 20 + j] * f64::from(power).exp2();
                m[j * n + i] = m[i * n + j];
            }
            let lcp = lcp(n, &m, &q[..n]);
            let alpha: Vec<usize> = (0..n).filter(|&i| bits[i]).collect();
            let general = BasisSystem::general(&lcp, alpha.clone(), 0);
            let mut place = vec![None; n];
            alpha.iter().enumerate().for_each(|(k, &i)| place[i] = Some(k as u32));
            if let Some(own) = Symmetric::new(&lcp, &alpha, &place, 0) {
                let Entries::Narrow(expected) = &general.matrix.entries else {
                    return Err(TestCaseError::fail("these are long"));
                };
                let Entries::Narrow(found) = &own.matrix.entries else {
                    return Err(TestCaseError::fail("these are short"));
                };
                prop_assert_eq!(found, expected);
                prop_assert_eq!(own.b, general.b);
            } else {
                // All are symmetric, so these are long.
                prop_assert!(general.matrix.bits() > NARROW_BITS - 53);
            }
        }
    }

    #[test]
    fn what_is_not_symmetric_is_left_to_others() {
        let alpha = [0, 1];
        let place = [Some(0), Some(1)];
        let found =
            |m: &[f64]| Symmetric::new(&lcp(2, m, &[1.0, 2.0]), &alpha, &place, 0).is_some();
        assert!(found(&[1.0, 2.0, 2.0, 3.0]));
        assert!(!found(&[1.0, 2.0, 2.5, 3.0]));
        assert!(!found(&[1.0, 2.0, 0.0, 3.0]));
    }

    #[test]
    fn signs_are_sure_only_far_from_zero() {
        // w_1 = q_1 + z_0 with z_0 = 1/3, and w_2 = q_1 - z_0.
        let third = 1.0 / 3.0;
        let solution = Fractions {
            numerators: vec![Integer::from(1)],
            denominator: Integer::from(3),
        };
        let units = Units {
            columns: vec![0],
            q: 0,
            symmetric: true,
        };
        let sign = |q: f64, entry: f64| {
            let lcp = lcp(2, &[1.0, 0.0, entry, 0.0], &[0.0, q]);
            let rounded = Rounded::new(2, &[0], &units, &solution).unwrap();
            rounded.sign(&lcp, 1)
        };
        assert_eq!(sign(0.0, 1.0), Some(Ordering::Greater));
        assert_eq!(sign(0.0, -1.0), Some(Ordering::Less));
        assert_eq!(sign(-third, 1.0), None);
        assert_eq!(sign(-third * (1.0 - 1e-15), 1.0), None);
        assert_eq!(sign(-third * (1.0 - 1e-13), 1.0), Some(Ordering::Greater));
        // Where sizes are too small or too large for relative errors.
        assert_eq!(sign(0.0, 1e-300), None);
        assert_eq!(sign(f64::MAX, f64::MAX), None);
        // Entries with no room in binary64.
        let long = Fractions {
            numerators: vec![Integer::from(1) << 600_u32],
            denominator: Integer::from(3),
        };
        assert!(Rounded::new(2, &[0], &units, &long).is_none());
    }
}
