//! Rows of fractions as integers over a common denominator: the only arithmetic of the checker.

use etalon_lcp::Number;
use rug::{Integer, Rational};

/// A row of M with its entry of q, over one positive common denominator.
pub(crate) struct IntegerRow {
    /// Nonzeros as (column, numerator).
    pub entries: Vec<(usize, Integer)>,
    pub q: Integer,
    pub denominator: Integer,
}

impl IntegerRow {
    pub fn new<'a>(row: impl Iterator<Item = (usize, &'a Number)>, q: &Number) -> Self {
        let exact: Vec<_> = row.map(|(j, value)| (j, value.to_rational())).collect();
        let q = q.to_rational();
        let mut denominator = q.denom().clone();
        for (_, value) in &exact {
            include(&mut denominator, value.denom());
        }
        let entries = exact
            .into_iter()
            .map(|(j, value)| (j, over(value, &denominator)))
            .collect();
        let q = over(q, &denominator);
        Self {
            entries,
            q,
            denominator,
        }
    }
}

/// A vector of fractions, over one common denominator where that stays small.
pub(crate) enum ExactVector {
    Common {
        numerators: Vec<Integer>,
        denominator: Integer,
    },
    Separate(Vec<Rational>),
}

/// The common denominator may have this many bits for each bit of the largest one. Solutions of
/// a basis system share a denominator; unrelated fractions would make it grow without end.
const COMMON_GROWTH: u32 = 4;

impl ExactVector {
    pub fn new(values: Vec<Rational>) -> Self {
        let bits = |value: &Rational| value.denom().significant_bits();
        let largest = values.iter().map(bits).max().unwrap_or(1);
        let mut denominator = Integer::from(1);
        for value in &values {
            include(&mut denominator, value.denom());
            if denominator.significant_bits() > COMMON_GROWTH * largest + 4096 {
                return Self::Separate(values);
            }
        }
        let numerators = values
            .into_iter()
            .map(|value| over(value, &denominator))
            .collect();
        Self::Common {
            numerators,
            denominator,
        }
    }

    /// Row i of M times the vector plus q_i, and the same with absolute values throughout:
    /// (w_i, s_i).
    pub fn row_sums(&self, row: &IntegerRow) -> (Rational, Rational) {
        match self {
            Self::Common {
                numerators,
                denominator,
            } => {
                let mut w = Integer::from(&row.q * denominator);
                let mut s = Integer::from(w.abs_ref());
                for (j, value) in &row.entries {
                    let term = Integer::from(value * &numerators[*j]);
                    w += &term;
                    s += term.abs();
                }
                let common = Integer::from(&row.denominator * denominator);
                (
                    Rational::from((w, common.clone())),
                    Rational::from((s, common)),
                )
            }
            Self::Separate(values) => {
                let mut w = Rational::from(&row.q);
                let mut s = Rational::from(w.abs_ref());
                for (j, value) in &row.entries {
                    let term = Rational::from(&values[*j] * value);
                    w += &term;
                    s += term.abs();
                }
                (w / &row.denominator, s / &row.denominator)
            }
        }
    }
}

/// All rows of [M | q], each times a positive factor that makes it integral.
pub(crate) struct IntegerRows {
    rows: Vec<IntegerRow>,
}

/// The linear form y'w - (M'y)'z = q'y, which holds for all z with w = Mz + q, up to a common
/// positive factor.
pub(crate) struct Form {
    /// y, the coefficients of w.
    pub y: Vec<Integer>,
    /// M'y, the negatives of the coefficients of z.
    pub mt_y: Vec<Integer>,
    /// q'y.
    pub q_y: Integer,
}

impl IntegerRows {
    pub fn new(lcp: &etalon_lcp::MixedLcp) -> Self {
        let row = |i: usize| IntegerRow::new(lcp.m().row(i), &lcp.q()[i]);
        Self {
            rows: (0..lcp.n()).map(row).collect(),
        }
    }

    pub fn row(&self, i: usize) -> &IntegerRow {
        &self.rows[i]
    }

    /// Forms the combination of the rows with multipliers y (as many as rows).
    pub fn combine(&self, y: &[Number]) -> Form {
        // Row i of M is rows[i] / d_i, so its integral multiplier is proportional to y_i / d_i.
        let scaled = y.iter().zip(&self.rows);
        let scaled = scaled.map(|(y, row)| y.to_rational() / &row.denominator);
        let multipliers = common_numerators(scaled.collect());
        let mut mt_y = vec![Integer::new(); self.rows.len()];
        let mut q_y = Integer::new();
        for (row, multiplier) in self.rows.iter().zip(&multipliers) {
            if multiplier.is_zero() {
                continue;
            }
            for (j, value) in &row.entries {
                mt_y[*j] += value * multiplier;
            }
            q_y += &row.q * multiplier;
        }
        Form {
            y: multipliers,
            mt_y,
            q_y,
        }
    }
}

/// The numerators over the common denominator.
fn common_numerators(values: Vec<Rational>) -> Vec<Integer> {
    let mut denominator = Integer::from(1);
    for value in &values {
        include(&mut denominator, value.denom());
    }
    values
        .into_iter()
        .map(|value| over(value, &denominator))
        .collect()
}

/// Makes `common` a multiple of `denominator` too.
fn include(common: &mut Integer, denominator: &Integer) {
    if !common.is_divisible(denominator) {
        common.lcm_mut(denominator);
    }
}

/// The numerator over a denominator that is a multiple of the value's own.
fn over(value: Rational, denominator: &Integer) -> Integer {
    let (numerator, own) = value.into_numer_denom();
    if own == *denominator {
        return numerator;
    }
    numerator * Integer::from(denominator.div_exact_ref(&own))
}
