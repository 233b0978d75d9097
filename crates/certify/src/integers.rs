//! Rows of fractions as integers over a common denominator: the only arithmetic of the checker.

use etalon_lcp::Number;
use rug::{Integer, Rational};

use crate::CertificateError;

/// A row of M with its entry of q, over one positive common denominator.
pub(crate) struct IntegerRow {
    /// Nonzeros as (column, numerator).
    pub entries: Vec<(usize, Integer)>,
    pub q: Integer,
    pub denominator: Integer,
}

impl IntegerRow {
    /// `None` when the denominators have no common multiple of manageable size.
    fn new(exact: &[(usize, Rational)], q: &Rational) -> Option<Self> {
        let denominators = exact.iter().map(|(_, value)| value.denom());
        let denominator = common_denominator(denominators.chain([q.denom()]), exact.len() + 1)?;
        let entries = exact
            .iter()
            .map(|(j, value)| (*j, over(value.clone(), &denominator)))
            .collect();
        let q = over(q.clone(), &denominator);
        Some(Self {
            entries,
            q,
            denominator,
        })
    }
}

/// A row of M with its entry of q.
pub(crate) enum ExactRow {
    Integers(IntegerRow),
    /// Unrelated denominators: the nonzeros as they are.
    Fractions {
        entries: Vec<(usize, Rational)>,
        q: Rational,
    },
}

impl ExactRow {
    pub fn new<'a>(row: impl Iterator<Item = (usize, &'a Number)>, q: &Number) -> Self {
        let entries: Vec<_> = row.map(|(j, value)| (j, value.to_rational())).collect();
        let q = q.to_rational();
        match IntegerRow::new(&entries, &q) {
            Some(row) => Self::Integers(row),
            None => Self::Fractions { entries, q },
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
    pub fn sums(&self, row: &ExactRow) -> (Rational, Rational) {
        let (entries, q) = match row {
            ExactRow::Integers(row) => return self.row_sums(row),
            ExactRow::Fractions { entries, q } => (entries, q),
        };
        let terms = entries.iter().map(|(j, value)| self.value(*j) * value);
        let terms: Vec<Rational> = terms.chain([q.clone()]).collect();
        let sizes: Vec<Rational> = terms.iter().map(|term| term.clone().abs()).collect();
        (sum(&terms), sum(&sizes))
    }

    fn value(&self, j: usize) -> Rational {
        match self {
            Self::Common {
                numerators,
                denominator,
            } => Rational::from((&numerators[j], denominator)),
            Self::Separate(values) => values[j].clone(),
        }
    }

    /// As [`sums`](Self::sums), for a row of integers.
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
    /// # Errors
    /// When a row has no common denominator of manageable size.
    pub fn new(lcp: &etalon_lcp::MixedLcp) -> Result<Self, CertificateError> {
        let row = |i: usize| match ExactRow::new(lcp.m().row(i), &lcp.q()[i]) {
            ExactRow::Integers(row) => Ok(row),
            ExactRow::Fractions { .. } => Err(unmanageable(&format!("row {i} of M"))),
        };
        let rows = (0..lcp.n()).map(row).collect::<Result<_, _>>()?;
        Ok(Self { rows })
    }

    pub fn row(&self, i: usize) -> &IntegerRow {
        &self.rows[i]
    }

    /// Forms the combination of the rows with multipliers y (as many as rows).
    ///
    /// # Errors
    /// When the multipliers have no common denominator of manageable size.
    pub fn combine(&self, y: &[Number]) -> Result<Form, CertificateError> {
        // Row i of M is rows[i] / d_i, so its integral multiplier is proportional to y_i / d_i.
        let scaled = y.iter().zip(&self.rows);
        let scaled = scaled.map(|(y, row)| y.to_rational() / &row.denominator);
        let multipliers = common_numerators(scaled.collect())?;
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
        Ok(Form {
            y: multipliers,
            mt_y,
            q_y,
        })
    }
}

/// Numbers over a common denominator may take this many bits in all (256 MiB). Unrelated
/// denominators multiply, so a short text can ask for far more.
const MAX_COMMON_BITS: u64 = 1 << 31;

/// A common multiple of the denominators of so many values, where that stays within bounds.
fn common_denominator<'a>(
    denominators: impl Iterator<Item = &'a Integer>,
    values: usize,
) -> Option<Integer> {
    let mut common = Integer::from(1);
    for denominator in denominators {
        include(&mut common, denominator);
        if u64::from(common.significant_bits()) * values as u64 > MAX_COMMON_BITS {
            return None;
        }
    }
    Some(common)
}

fn unmanageable(what: &str) -> CertificateError {
    CertificateError::new(format!(
        "{what} have no common denominator of manageable size"
    ))
}

/// The sum by halves: the large denominators meet last.
fn sum(terms: &[Rational]) -> Rational {
    match terms {
        [] => Rational::new(),
        [term] => term.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            sum(left) + sum(right)
        }
    }
}

/// The numerators over the common denominator.
fn common_numerators(values: Vec<Rational>) -> Result<Vec<Integer>, CertificateError> {
    let denominators = values.iter().map(Rational::denom);
    let common = common_denominator(denominators, values.len())
        .ok_or_else(|| unmanageable("the multipliers"))?;
    Ok(values
        .into_iter()
        .map(|value| over(value, &common))
        .collect())
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
