//! From exact fractions to small integers.
//!
//! The unknowns are measured in other units: w'_i = r_i w_i and z'_j = s z_j / c_j with positive
//! r, c, s. M' = R M C and q' = s R q are integral in these units. Each row and each column gets a
//! power of two, which is enough for binary64 data; odd denominators go to the rows. No sign, no
//! zero and no ratio test depends on the units, so neither does any pivot.

use etalon_lcp::{Matrix, MixedLcp, Number};
use rug::{Integer, Rational};

use crate::budget::{Exhausted, MAX_TABLEAU, Meter};
use crate::memory::{self, Memory};
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
    /// The factor of q', beside 2^column_units[n].
    refinement: Integer,
}

/// What common denominators may take, asked before it is taken: unrelated denominators multiply, so a row of short
/// fractions can become one of long integers.
pub(crate) struct Room<'m> {
    meter: &'m Meter,
    memory: Memory,
}

impl<'m> Room<'m> {
    pub fn new(meter: &'m Meter) -> Self {
        Self::up_to(MAX_TABLEAU, meter)
    }

    fn up_to(bytes: u64, meter: &'m Meter) -> Self {
        let memory = Memory::up_to(bytes);
        Self { meter, memory }
    }

    fn take(&mut self, bytes: u64) -> Result<(), Exhausted> {
        self.memory.take(bytes).map_err(|over| match over {
            Exhausted::Memory(limit) => Exhausted::Tableau(limit),
            other => other,
        })
    }
}

impl IntegerLcp {
    pub fn new(lcp: &MixedLcp, room: &mut Room<'_>) -> Result<Self, Exhausted> {
        let q = lcp.q().iter().map(Number::to_rational).collect();
        Self::from_parts(lcp.m(), q, lcp.bilateral().to_vec(), room)
    }

    /// From M, q and which rows are bilateral, all of n rows.
    pub fn from_parts(
        m: &Matrix,
        q: Vec<Rational>,
        bilateral: Vec<bool>,
        room: &mut Room<'_>,
    ) -> Result<Self, Exhausted> {
        let n = m.n();
        let exact = exact_rows(m, q, room.meter)?;
        let (row_powers, column_powers) = equilibrate(&exact);
        let mut rows = Vec::with_capacity(n);
        let mut row_units = Vec::with_capacity(n);
        for (mut row, power) in exact.into_iter().zip(row_powers) {
            let shifts = column_powers.iter().map(|column| column + power);
            row.iter_mut()
                .zip(shifts)
                .for_each(|(value, shift)| *value <<= shift);
            let (integers, factor) = clear_odd(row, room)?;
            row_units.push((factor << power) as Rational);
            rows.push(integers);
        }
        let column_units = column_powers;
        Ok(Self {
            n,
            rows,
            bilateral,
            row_units,
            column_units,
            artificial_unit: Rational::from(1),
            refinement: Integer::from(1),
        })
    }

    /// The variable's value for that of the scaled one.
    pub fn value(&self, variable: Variable, scaled: Rational) -> Rational {
        let coarse = self.direction(variable, scaled) >> self.column_units[self.n];
        if self.refinement == 1 {
            coarse
        } else {
            coarse / &self.refinement
        }
    }

    /// Distances h_j on the axes of z, where there are any, as integers in the units of z'; q' is
    /// refined to make them so. Once only.
    pub fn widths(
        &mut self,
        widths: Vec<Option<Rational>>,
        room: &mut Room<'_>,
    ) -> Result<Vec<Option<Integer>>, Exhausted> {
        let scaled = widths.into_iter().enumerate().map(|(j, width)| {
            width.map(|width| width << (self.column_units[self.n] - self.column_units[j]))
        });
        let scaled: Vec<Option<Rational>> = scaled.collect();
        let (integers, factor) = integral(scaled.iter().flatten().cloned().collect(), room)?;
        self.refinement = factor.into_numer_denom().0;
        for q in self.rows.iter_mut().filter_map(|row| row.last_mut()) {
            *q *= &self.refinement;
        }
        let mut integers = integers.into_iter();
        let take = |width: Option<Rational>| width.and_then(|_| integers.next());
        Ok(scaled.into_iter().map(take).collect())
    }

    /// The variable's component of a direction for that of the scaled one (q plays no part).
    pub fn direction(&self, variable: Variable, scaled: Rational) -> Rational {
        match variable {
            Variable::W(i) => scaled / &self.row_units[i],
            Variable::Z(j) => scaled << self.column_units[j],
            Variable::Artificial => scaled * &self.artificial_unit,
        }
    }

    /// The integral column of a covering vector d given in the original units of w.
    pub fn cover(
        &mut self,
        d: &[Rational],
        room: &mut Room<'_>,
    ) -> Result<Vec<Integer>, Exhausted> {
        let scaled: Vec<_> = d
            .iter()
            .zip(&self.row_units)
            .map(|(value, unit)| Rational::from(value * unit))
            .collect();
        let (column, factor) = integral(scaled, room)?;
        self.artificial_unit = factor;
        Ok(column)
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

fn exact_rows(
    m: &Matrix,
    q: Vec<Rational>,
    meter: &Meter,
) -> Result<Vec<Vec<Rational>>, Exhausted> {
    let rows = q.into_iter().enumerate().map(|(i, constant)| {
        meter.goes_on()?;
        let mut row = vec![Rational::new(); m.n()];
        for (j, value) in m.row(i) {
            row[j] = Number::to_rational(value);
        }
        row.push(constant);
        Ok(row)
    });
    rows.collect()
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
fn clear_odd(
    row: Vec<Rational>,
    room: &mut Room<'_>,
) -> Result<(Vec<Integer>, Rational), Exhausted> {
    let (mut integers, mut factor) = integral(row, room)?;
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
    Ok((integers, factor))
}

/// The values over their common denominator, and that denominator.
fn integral(
    values: Vec<Rational>,
    room: &mut Room<'_>,
) -> Result<(Vec<Integer>, Rational), Exhausted> {
    room.meter.goes_on()?;
    let mut denominator = Integer::from(1);
    for own in values.iter().map(Rational::denom) {
        if !denominator.is_divisible(own) {
            let longest = bits(&denominator) + bits(own);
            room.meter.uncounted(longest, 1)?;
            denominator.lcm_mut(own);
        }
    }
    let size = |value: &Rational| {
        let zero = value.cmp0().is_eq();
        let length = bits(value.numer()) + bits(&denominator) - bits(value.denom());
        memory::integers(1, if zero { 0 } else { length })
    };
    room.take(values.iter().map(size).sum())?;
    let mut integers = Vec::with_capacity(values.len());
    for value in values {
        let (numerator, own) = value.into_numer_denom();
        integers.push(if own == denominator || numerator == 0 {
            numerator
        } else {
            room.meter.uncounted(bits(&denominator), 1)?;
            numerator * Integer::from(denominator.div_exact_ref(&own))
        });
    }
    Ok((integers, Rational::from(denominator)))
}

fn bits(value: &Integer) -> u64 {
    u64::from(value.significant_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use proptest::prelude::*;

    /// M of one row 1/p_0, 1/p_1, ... over and over, and q = 0.
    fn fractions(n: usize, denominators: &[u32]) -> MixedLcp {
        let entry = |j: usize| Number::from(Rational::from((1, denominators[j])));
        let rows = (0..n).map(|_| (0..n).map(entry).collect());
        let m = Matrix::from_rows(rows.collect()).unwrap();
        MixedLcp::new(m, vec![Number::from(0); n], vec![false; n]).unwrap()
    }

    #[test]
    fn common_denominators_are_paid_for_before_they_are_made() {
        let lcp = fractions(3, &[3, 5, 7]);
        let prepare = |bytes: u64, budget: &Budget| {
            let meter = Meter::new(budget);
            IntegerLcp::new(&lcp, &mut Room::up_to(bytes, &meter)).map(|lcp| lcp.rows)
        };
        // Rows of 35, 21, 15 and 0, each number with 48 bytes beside its digits, which take less than one.
        let all = 3 * 4 * 48;
        let rows = prepare(all, &Budget::default()).unwrap();
        assert_eq!(rows[2], [35, 21, 15, 0]);
        let short = prepare(all - 1, &Budget::default());
        assert_eq!(short, Err(Exhausted::Tableau(all - 1)));
        // Each row has three multiples and two or three quotients to pay for.
        let work = |work| Budget {
            work,
            ..Budget::default()
        };
        let one = 63;
        assert_eq!(prepare(all, &work(one)), Err(Exhausted::Work(one)));
        assert_eq!(prepare(all, &work(3 * 6 * one)), Ok(rows));
        let few = Budget {
            bits: 6,
            ..Budget::default()
        };
        assert_eq!(prepare(all, &few), Err(Exhausted::Bits(6)));
    }

    #[test]
    fn rows_are_asked_for_time_even_where_they_have_no_denominators() {
        let budget = Budget::default();
        budget.stop.stop();
        let meter = Meter::new(&budget);
        let lcp = fractions(2, &[1, 1]);
        let stopped = IntegerLcp::new(&lcp, &mut Room::new(&meter));
        assert_eq!(stopped.err(), Some(Exhausted::Stopped));
    }

    fn scaled(entries: &[i64], rows: &[i32], columns: &[i32]) -> IntegerLcp {
        let n = rows.len();
        let value = |i: usize, j: usize| {
            let shift = rows[i] + columns[j];
            Rational::from(entries[i * (n + 1) + j]) << shift
        };
        let matrix = (0..n).map(|i| (0..n).map(|j| Number::from(value(i, j))).collect());
        let m = Matrix::from_rows(matrix.collect()).unwrap();
        let q = (0..n).map(|i| value(i, n)).collect();
        let meter = Meter::new(&Budget::default());
        IntegerLcp::from_parts(&m, q, vec![false; n], &mut Room::new(&meter)).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// Powers of two as units of the rows of binary64 data make no difference to the integers. In every row one
        /// is odd, and in every column: nothing is left to divide by.
        #[test]
        fn powers_of_two_in_the_units_leave_the_same_integers(
            entries in prop::collection::vec(prop_oneof![1 => Just(0i64), 9 => -99i64..=99], 12),
            rows in prop::collection::vec(-40i32..40, 3),
            columns in prop::collection::vec(-40i32..40, 4),
        ) {
            let plain = scaled(&entries, &[0; 3], &[0; 4]);
            let other = scaled(&entries, &rows, &[0; 4]);
            prop_assert_eq!(&plain.rows, &other.rows);
            let other = scaled(&entries, &rows, &columns);
            for row in other.rows.iter().filter(|row| row.iter().any(|value| *value != 0)) {
                prop_assert!(row.iter().any(Integer::is_odd), "{:?}", other.rows);
            }
            for j in 0..4 {
                let mut column = other.rows.iter().map(|row| &row[j]).filter(|value| **value != 0);
                prop_assert!(column.clone().next().is_none() || column.any(Integer::is_odd));
            }
        }
    }
}
