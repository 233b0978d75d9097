//! Rows of fractions as integers over a common denominator: the only arithmetic of the checker.
//! Whatever may grow is paid for from the check's budget before it does.

use etalon_lcp::{MixedLcp, Number};
use rug::{Integer, Rational};

use super::budget::{Budget, Held, OverBudget, bits, fraction_bits};

/// A row of M with its entry of q, over one positive common denominator.
pub(crate) struct IntegerRow<'b> {
    /// Nonzeros as (column, numerator).
    pub entries: Vec<(usize, Integer)>,
    pub q: Integer,
    pub denominator: Integer,
    _held: Held<'b>,
}

impl<'b> IntegerRow<'b> {
    pub fn new<'a>(
        row: impl Iterator<Item = (usize, &'a Number)>,
        q: &'a Number,
        budget: &'b Budget,
    ) -> Result<Self, OverBudget> {
        let (columns, numbers): (Vec<_>, Vec<_>) = row.unzip();
        let values = exact(numbers.into_iter().chain([q]), budget)?;
        let (mut numerators, denominator, _held) = numerators(&values.0, u64::MAX, budget)?;
        Ok(Self {
            q: numerators.pop().unwrap_or_default(),
            entries: columns.into_iter().zip(numerators).collect(),
            denominator,
            _held,
        })
    }

    /// The most bits of a fraction of the row.
    pub fn longest(&self) -> u64 {
        let numerators = self.entries.iter().map(|(_, value)| value);
        let longest = numerators.chain([&self.q]).map(bits).max();
        longest.unwrap_or(0) + bits(&self.denominator)
    }
}

/// A vector of fractions, and the same over one common denominator where that stays small: the
/// solutions of a basis system share theirs, and binary64 stays within 2^1074.
pub(crate) struct ExactVector<'a> {
    values: &'a [Rational],
    common: Option<(Vec<Integer>, Integer, Held<'a>)>,
}

/// Row i of M times a vector plus q_i: w_i, times a positive number.
pub(crate) struct Sums {
    pub w: Integer,
}

impl<'a> ExactVector<'a> {
    pub fn new(values: &'a [Rational], budget: &'a Budget) -> Result<Self, OverBudget> {
        // There may be three vectors at once, and the rows need room too.
        let common = match numerators(values, budget.left().0 / 4, budget) {
            Ok(common) => Some(common),
            Err(OverBudget::MEMORY) => None,
            Err(error) => return Err(error),
        };
        Ok(Self { values, common })
    }

    /// The sums of a row with the vector.
    pub fn sums(&self, row: &IntegerRow<'_>, budget: &Budget) -> Result<Sums, OverBudget> {
        self.sums_with(row, &row.q, budget)
    }

    /// The same with another entry of q, over the row's denominator.
    pub fn sums_with(
        &self,
        row: &IntegerRow<'_>,
        q: &Integer,
        budget: &Budget,
    ) -> Result<Sums, OverBudget> {
        let columns = row.entries.iter().map(|(j, _)| *j);
        if let Some((numerators, denominator, _)) = &self.common {
            return sums(row, q, columns.map(|j| &numerators[j]), denominator, budget);
        }
        let own: Vec<_> = columns.map(|j| self.values[j].clone()).collect();
        let (numerators, denominator, _held) = numerators(&own, u64::MAX, budget)?;
        sums(row, q, numerators.iter(), &denominator, budget)
    }
}

/// The factors are numerators of the entries that the row's nonzeros meet.
fn sums<'a>(
    row: &IntegerRow<'_>,
    q: &Integer,
    factors: impl Iterator<Item = &'a Integer>,
    denominator: &Integer,
    budget: &Budget,
) -> Result<Sums, OverBudget> {
    budget.multiply(2, bits(q).max(bits(&row.denominator)), bits(denominator))?;
    let mut w = Integer::from(q * denominator);
    for ((_, value), factor) in row.entries.iter().zip(factors) {
        budget.multiply(1, bits(value), bits(factor))?;
        let term = Integer::from(value * factor);
        w += term;
    }
    Ok(Sums { w })
}

/// All rows of [M | q], each times a positive factor that makes it integral.
pub(crate) struct IntegerRows<'b> {
    rows: Vec<IntegerRow<'b>>,
    /// How many entries they have.
    pub entries: u64,
    budget: &'b Budget,
}

/// The linear form y'w - (M'y)'z = q'y, which holds for all z with w = Mz + q, up to a common
/// positive factor.
pub(crate) struct Form<'b> {
    /// y, the coefficients of w.
    pub y: Vec<Integer>,
    /// M'y, the negatives of the coefficients of z.
    pub mt_y: Vec<Integer>,
    /// q'y.
    pub q_y: Integer,
    _held: [Held<'b>; 2],
}

impl<'b> IntegerRows<'b> {
    pub fn new(lcp: &MixedLcp, budget: &'b Budget) -> Result<Self, OverBudget> {
        let row = |i: usize| IntegerRow::new(lcp.m().row(i), &lcp.q()[i], budget);
        let rows = (0..lcp.n()).map(row).collect::<Result<Vec<_>, _>>()?;
        let entries = rows.iter().map(|row| row.entries.len() as u64 + 1).sum();
        Ok(Self {
            rows,
            entries,
            budget,
        })
    }

    pub fn row(&self, i: usize) -> &IntegerRow<'b> {
        &self.rows[i]
    }

    /// Forms the combination of the rows with multipliers y (as many as rows).
    pub fn combine(&self, y: &[Number]) -> Result<Form<'b>, OverBudget> {
        let budget = self.budget;
        let (mut scaled, mut longer) = exact(y, budget)?;
        // Row i of M is rows[i] / d_i, so its integral multiplier is proportional to y_i / d_i.
        for (y, row) in scaled.iter_mut().zip(&self.rows) {
            longer.more(0, bits(&row.denominator))?;
            budget.reduce(1, fraction_bits(y), bits(&row.denominator))?;
            *y /= &row.denominator;
        }
        let (y, _, held) = numerators(&scaled, u64::MAX, budget)?;
        let used = || (self.rows.iter().zip(&y)).filter(|(_, multiplier)| !multiplier.is_zero());
        let mut longest = 0;
        for (row, multiplier) in used() {
            let (products, own) = (row.entries.len() as u64 + 1, row.longest());
            budget.multiply(products, own, bits(multiplier))?;
            longest = longest.max(own + bits(multiplier));
        }
        // A sum of n terms has at most the bits of n more.
        let n = self.rows.len() as u64;
        let sums = budget.hold(n + 1, (n + 1).saturating_mul(longest + 64))?;
        let mut mt_y = vec![Integer::new(); self.rows.len()];
        let mut q_y = Integer::new();
        for (row, multiplier) in used() {
            for (j, value) in &row.entries {
                mt_y[*j] += value * multiplier;
            }
            q_y += &row.q * multiplier;
        }
        let _held = [held, sums];
        Ok(Form {
            y,
            mt_y,
            q_y,
            _held,
        })
    }
}

/// The numbers as fractions.
pub(crate) fn exact<'a, 'b>(
    numbers: impl IntoIterator<Item = &'a Number>,
    budget: &'b Budget,
) -> Result<(Vec<Rational>, Held<'b>), OverBudget> {
    let mut held = budget.hold(0, 0)?;
    let mut values = Vec::new();
    for number in numbers {
        // One alone is no longer than a record; all of them may be, so each is paid for.
        let value = number.to_rational();
        held.more(2, fraction_bits(&value))?;
        values.push(value);
    }
    Ok((values, held))
}

/// The numerators over a common denominator, which comes with them, where they take no more than so
/// many bits. Unrelated denominators multiply, so a short text can ask for far more.
pub(crate) fn numerators<'b>(
    values: &[Rational],
    limit: u64,
    budget: &'b Budget,
) -> Result<(Vec<Integer>, Integer, Held<'b>), OverBudget> {
    let limit = limit.min(budget.left().0);
    let mut common = Integer::from(1);
    for value in values {
        let own = value.denom();
        budget.multiply(1, bits(&common), bits(own))?;
        if !common.is_divisible(own) {
            budget.reduce(1, bits(&common), bits(own))?;
            common.lcm_mut(own);
            if bits(&common).saturating_mul(values.len() as u64) > limit {
                return Err(OverBudget::MEMORY);
            }
        }
    }
    let mut held = budget.hold(0, 0)?;
    let mut numerators = Vec::new();
    for value in values {
        let (numerator, own) = (value.numer(), value.denom());
        let factor = bits(&common) - bits(own) + 1;
        held.more(1, bits(numerator) + factor)?;
        budget.multiply(1, factor, bits(own).max(bits(numerator)))?;
        numerators.push(numerator * Integer::from(common.div_exact_ref(own)));
    }
    Ok((numerators, common, held))
}
