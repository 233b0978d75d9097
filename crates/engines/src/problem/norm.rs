//! |r|_(M^-1), enclosed.

use etalon_certify::{inverse_form, root_above, root_below};
use etalon_lcp::{Matrix, Number};
use rug::Rational;

use super::factor::Factor;
use crate::exact::{ROOT_BITS, power};
use crate::step::Sparse;

/// The norm that M^-1 gives: by a factor in binary64 with a proved bound, or by exact elimination where M is so
/// ill-conditioned, or so exact, that there is none.
pub(super) enum DualNorm {
    Factor(Box<Factor>),
    Exact(Matrix),
}

impl DualNorm {
    /// The norm of a symmetric matrix.
    pub fn of(m: &Sparse) -> Option<Self> {
        let factor = m
            .to_dense()
            .and_then(|dense| Factor::new(&dense, m.columns));
        if let Some(factor) = factor {
            return Some(Self::Factor(Box::new(factor)));
        }
        let n = m.columns as u64;
        let entries = m.rows.iter().enumerate().flat_map(|(i, row)| {
            row.iter()
                .map(move |(j, own)| (i as u64, *j as u64, Number::clone(own)))
        });
        let matrix = Matrix::from_entries((n, n), entries.collect()).ok()?;
        Some(Self::Exact(matrix))
    }

    /// Bounds on the norm of r.
    ///
    /// # Errors
    /// Why there are none: M is not positive definite, or couples too many rows for exact elimination.
    pub fn enclose(&self, r: &[Rational]) -> Result<(Rational, Rational), String> {
        let largest = r
            .iter()
            .map(|own| own.clone().abs())
            .max()
            .unwrap_or_default();
        if largest.is_zero() {
            return Ok((Rational::new(), Rational::new()));
        }
        match self {
            Self::Factor(factor) => Ok(by_factor(factor, r, &largest)),
            Self::Exact(m) => {
                let rows: Vec<_> = (0..r.len()).collect();
                let square = inverse_form(m, &rows, r).map_err(|error| error.to_string())?;
                Ok((
                    root_below(&square, ROOT_BITS),
                    root_above(&square, ROOT_BITS),
                ))
            }
        }
    }
}

fn by_factor(factor: &Factor, r: &[Rational], largest: &Rational) -> (Rational, Rational) {
    // Scaled so that the largest entry is about 1, each entry is truncated by less than 2^-52 of it.
    let bits = |own: &rug::Integer| i64::from(own.significant_bits());
    let exponent = (bits(largest.numer()) - bits(largest.denom())) as i32;
    let scale = power(-exponent);
    let own: Vec<f64> = r
        .iter()
        .map(|own| Rational::from(own * &scale).to_f64())
        .collect();
    // What is below the range of binary64 is less than 1e-300.
    let error: Vec<f64> = own
        .iter()
        .map(|own| own.abs() * f64::EPSILON + 1e-300)
        .collect();
    // A norm is homogeneous, so the power of two comes off again without rounding.
    let (below, above) = factor.dual_norm(&own, &error);
    let back = |own: f64| Rational::from_f64(own).map(|own| own / &scale);
    let below = back(below).unwrap_or_default();
    let all = || {
        // An overflow: |r| over the least eigenvalue is of no use, so say as much as a number can.
        power(1 << 20)
    };
    (below, back(above).unwrap_or_else(all))
}
