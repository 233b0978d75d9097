//! From exact fractions to small integers.
//!
//! The unknowns are measured in other units, w'_i = r_i w_i and z'_j = s z_j / c_j with positive
//! r, c, s, so that M' = R M C and q' = s R q are integral. Powers of two are chosen per row and
//! per column (binary64 data need nothing else); odd denominators go to the rows. No sign, no
//! zero and no ratio test depends on the units, so neither does any pivot.

use etalon_lcp::{MixedLcp, Number};
use rug::{Integer, Rational, ops::NegAssign};

use crate::tableau::Variable;

/// An integral mixed LCP, with the units to go back.
#[derive(Debug, Clone)]
pub(crate) struct IntegerLcp {
    pub n: usize,
    /// n rows of n + 1 integers: M' and, last, q'.
    pub rows: Vec<Vec<Integer>>,
    pub bilateral: Vec<bool>,
    /// r_i: w'_i = r_i w_i.
    row_units: Vec<Rational>,
    /// z_j = z'_j * 2^(column_units[j] - column_units[n]).
    column_units: Vec<i32>,
    /// z_0 = z'_0 * artificial_unit / 2^column_units[n].
    artificial_unit: Rational,
}

impl IntegerLcp {
    pub fn new(lcp: &MixedLcp) -> Self {
        let n = lcp.n();
        let exact = exact_rows(lcp);
        let (row_powers, column_powers) = equilibrate(&exact);
        let mut rows = Vec::with_capacity(n);
        let mut row_units = Vec::with_capacity(n);
        for (mut row, power) in exact.into_iter().zip(row_powers) {
            let shifts = column_powers.iter().map(|column| column + power);
            row.iter_mut()
                .zip(shifts)
                .for_each(|(value, shift)| *value <<= shift);
            let (integers, factor) = clear_odd(row);
            row_units.push((factor << power) as Rational);
            rows.push(integers);
        }
        let bilateral = lcp.bilateral().to_vec();
        let column_units = column_powers;
        Self {
            n,
            rows,
            bilateral,
            row_units,
            column_units,
            artificial_unit: Rational::from(1),
        }
    }

    /// The variable's value for that of the scaled one.
    pub fn value(&self, variable: Variable, scaled: Rational) -> Rational {
        self.direction(variable, scaled) >> self.column_units[self.n]
    }

    /// The variable's component of a direction for that of the scaled one (q plays no part).
    pub fn direction(&self, variable: Variable, scaled: Rational) -> Rational {
        match variable {
            Variable::W(i) => scaled / &self.row_units[i],
            Variable::Z(j) => scaled << self.column_units[j],
            Variable::Artificial => scaled * &self.artificial_unit,
        }
    }

    /// r_i up to a common factor: what a change of q_i counts for in the scaled problem.
    pub fn row_unit(&self, i: usize) -> &Rational {
        &self.row_units[i]
    }

    /// The integral column of a covering vector d given in the original units of w.
    pub fn cover(&mut self, d: &[Rational]) -> Vec<Integer> {
        let scaled: Vec<_> = d
            .iter()
            .zip(&self.row_units)
            .map(|(value, unit)| Rational::from(value * unit))
            .collect();
        let (column, factor) = integral(scaled);
        self.artificial_unit = factor;
        column
    }

    /// z_j for the value of z'_j.
    pub fn z(&self, j: usize, scaled: Rational) -> Rational {
        scaled << (self.column_units[j] - self.column_units[self.n])
    }

    /// The direction's component for that of z'_j, in the units of a ray (q plays no part).
    pub fn z_direction(&self, j: usize, scaled: Rational) -> Rational {
        scaled << self.column_units[j]
    }

    /// The multiplier y_i of row i for the multiplier of w'_i.
    pub fn multiplier(&self, i: usize, scaled: &Rational) -> Rational {
        Rational::from(scaled * &self.row_units[i])
    }
}

fn exact_rows(lcp: &MixedLcp) -> Vec<Vec<Rational>> {
    let n = lcp.n();
    (0..n)
        .map(|i| {
            let mut row = vec![Rational::new(); n + 1];
            for (j, value) in lcp.m().row(i) {
                row[j] = Number::to_rational(value);
            }
            row[n] = lcp.q()[i].to_rational();
            row
        })
        .collect()
}

/// Powers of two for rows and columns that leave no common factor of two in either, and no
/// denominator of two anywhere.
fn equilibrate(rows: &[Vec<Rational>]) -> (Vec<i32>, Vec<i32>) {
    let columns = rows.first().map_or(1, Vec::len);
    let valuations: Vec<Vec<Option<i32>>> = rows
        .iter()
        .map(|row| row.iter().map(valuation).collect())
        .collect();
    let row_powers: Vec<i32> = valuations
        .iter()
        .map(|row| -row.iter().flatten().min().copied().unwrap_or(0))
        .collect();
    let column_powers: Vec<i32> = (0..columns)
        .map(|j| {
            let shifted = valuations
                .iter()
                .zip(&row_powers)
                .filter_map(|(row, power)| row[j].map(|v| v + power));
            -shifted.min().unwrap_or(0)
        })
        .collect();
    // Taking factors out of the columns may have left some in the rows.
    let rest = valuations.iter().zip(row_powers).map(|(row, power)| {
        let shifted = row
            .iter()
            .zip(&column_powers)
            .filter_map(|(v, c)| v.map(|v| v + c));
        shifted.min().map_or(power, |least| -least)
    });
    (rest.collect(), column_powers)
}

/// The exponent of two in a nonzero fraction.
fn valuation(value: &Rational) -> Option<i32> {
    let numerator = value.numer().find_one(0)?;
    let denominator = value.denom().find_one(0)?;
    // Exponents and lengths are limited on input to far below 2^31.
    Some(numerator as i32 - denominator as i32)
}

/// Multiplies a row by its common denominator and divides it by its common factor.
fn clear_odd(row: Vec<Rational>) -> (Vec<Integer>, Rational) {
    let (mut integers, mut factor) = integral(row);
    let mut content = Integer::new();
    for value in &integers {
        content.gcd_mut(value);
        if content == 1 {
            break;
        }
    }
    if content > 1 {
        integers
            .iter_mut()
            .for_each(|value| value.div_exact_mut(&content));
        factor /= content;
    }
    (integers, factor)
}

/// The values over their common denominator, and that denominator.
fn integral(values: Vec<Rational>) -> (Vec<Integer>, Rational) {
    let mut denominator = Integer::from(1);
    for value in &values {
        if *value.denom() != 1 {
            denominator.lcm_mut(value.denom());
        }
    }
    let integers = values.into_iter().map(|value| {
        let (numerator, own) = value.into_numer_denom();
        if own == denominator {
            numerator
        } else {
            numerator * Integer::from(denominator.div_exact_ref(&own))
        }
    });
    (integers.collect(), Rational::from(denominator.clone()))
}

/// Changes all signs in place.
pub(crate) fn negate(values: &mut [Integer]) {
    values.iter_mut().for_each(Integer::neg_assign);
}
