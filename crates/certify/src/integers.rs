//! Rows of fractions as integers over a common denominator, for measures.
//! Whatever may grow is paid for from the check's budget before it does.

use etalon_lcp::{Number, Problem};
use rug::{Assign, Integer, Rational};

use crate::bounds::Vector;
use crate::budget::{Budget, DIVISION, Held, OverBudget, bits, fraction_bits};

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
        let (columns, mut numbers): (Vec<_>, Vec<_>) = row.unzip();
        numbers.push(q);
        let (mut over, _held) = integers(&numbers, budget)?;
        Ok(Self {
            q: over.values.pop().unwrap_or_default(),
            entries: columns.into_iter().zip(over.values).collect(),
            denominator: over.denominator,
            _held,
        })
    }

    /// The row of these nonzeros, over one positive denominator.
    pub fn of(
        entries: Vec<(usize, Integer)>,
        q: Integer,
        denominator: Integer,
        budget: &'b Budget,
    ) -> Result<Self, OverBudget> {
        let held = entries.iter().map(|(_, value)| bits(value)).sum::<u64>();
        let numbers = entries.len() as u64 + 2;
        let _held = budget.hold(numbers, held + bits(&q) + bits(&denominator))?;
        Ok(Self {
            entries,
            q,
            denominator,
            _held,
        })
    }
}

/// Numbers as integers over one positive denominator, which comes with them.
pub(crate) fn integers<'b>(
    numbers: &[&Number],
    budget: &'b Budget,
) -> Result<(Numerators, Held<'b>), OverBudget> {
    let dyadic: Option<Vec<_>> = numbers.iter().map(|number| number.as_dyadic()).collect();
    let Some(dyadic) = dyadic else {
        let values = exact(numbers.iter().copied(), budget)?;
        return numerators(values.0.iter(), u64::MAX, budget);
    };
    // Of binary64 values, the common denominator is a power of two: nothing needs a division.
    let least = dyadic.iter().map(|(_, exponent)| *exponent).min();
    let least = least.unwrap_or_default().min(0);
    let mut held = budget.hold(1, u64::from(least.unsigned_abs()))?;
    let mut values = Vec::with_capacity(dyadic.len());
    for (mantissa, exponent) in dyadic {
        let by = exponent.abs_diff(least);
        held.more(1, 64 + u64::from(by))?;
        budget.multiply(1, 64 + u64::from(by), 1)?;
        values.push(Integer::from(mantissa) << by);
    }
    let denominator = Integer::from(1) << least.unsigned_abs();
    let numerators = Numerators {
        values,
        denominator,
    };
    Ok((numerators, held))
}

/// The numerators of a vector over one positive denominator.
pub(crate) struct Numerators {
    pub values: Vec<Integer>,
    pub denominator: Integer,
}

/// Those of a vector, where they stay small.
enum Common<'a> {
    Own(
        Numerators,
        #[expect(dead_code, reason = "held until it is dropped")] Held<'a>,
    ),
    /// Held by another owner.
    Of(&'a Numerators),
}

/// A vector of fractions, and the same over one common denominator where that stays small: the
/// solutions of a basis system share theirs, and binary64 stays within 2^1074.
pub(crate) struct ExactVector<'a, V: ?Sized> {
    values: &'a V,
    common: Option<Common<'a>>,
    /// The numerators over this power of two, where 128 bits hold each.
    short: Option<(Vec<i128>, u32)>,
}

/// Row i of M times a vector plus q_i, and the same with absolute values throughout: w_i and s_i,
/// over a positive denominator, not in lowest terms. (To bring long fractions there takes longer
/// than all else, and neither a sign nor the quotient of the two needs it.)
#[derive(Clone)]
pub(crate) struct Sums {
    pub w: Integer,
    pub s: Integer,
    pub denominator: Integer,
}

impl Sums {
    /// The same with a number >= 0 more in s.
    pub fn with_more(self, more: &Rational, budget: &Budget) -> Result<Self, OverBudget> {
        let (w, (s, denominator)) = (Integer::new(), more.clone().into_numer_denom());
        self.plus(Self { w, s, denominator }, budget)
    }

    /// The sums of terms, at least one, each an entry times a number. Two halves are taken together: what unrelated
    /// denominators come to is multiplied by what is as long, and nothing is longer than all terms.
    fn of(terms: &[(&Number, &Rational)], held: &mut Held<'_>) -> Result<Self, OverBudget> {
        let [(entry, by)] = terms else {
            let (some, others) = terms.split_at(terms.len() / 2);
            return Self::of(some, held)?.plus(Self::of(others, held)?, held.budget);
        };
        let entry = entry.to_rational();
        let (a, b) = (fraction_bits(&entry), fraction_bits(by));
        held.more(3, 2 * (a + b))?;
        held.budget.reduce(1, a, b)?;
        let (w, denominator) = (entry * *by).into_numer_denom();
        let s = w.clone().abs();
        Ok(Self { w, s, denominator })
    }

    /// Both together, over their least common denominator.
    fn plus(self, other: Self, budget: &Budget) -> Result<Self, OverBudget> {
        let long = |sums: &Self| bits(&sums.s).max(bits(&sums.denominator));
        budget.reduce(2, long(&self), long(&other))?;
        let gcd = Integer::from(self.denominator.gcd_ref(&other.denominator));
        let own = self.denominator.div_exact(&gcd);
        let by = other.denominator.div_exact(&gcd);
        let w = self.w * &by + other.w * &own;
        let s = self.s * &by + other.s * &own;
        let denominator = own * by * gcd;
        Ok(Self { w, s, denominator })
    }

    /// (w_i, s_i) in lowest terms.
    pub fn reduced(self, budget: &Budget) -> Result<(Rational, Rational), OverBudget> {
        budget.reduce(2, bits(&self.s), bits(&self.denominator))?;
        // Over a power of two nothing but the common twos goes, and a shift finds them.
        if let Some(by) = power_of_two(&self.denominator) {
            return Ok((Rational::from(self.w) >> by, Rational::from(self.s) >> by));
        }
        let w = Rational::from((self.w, self.denominator.clone()));
        Ok((w, Rational::from((self.s, self.denominator))))
    }
}

impl<'a> ExactVector<'a, [Rational]> {
    pub fn new(values: &'a [Rational], budget: &'a Budget) -> Result<Self, OverBudget> {
        // There may be three vectors at once, and the rows need room too.
        let mut short = None;
        let common = match numerators(values.iter(), budget.left().0 / 4, budget) {
            Ok((own, held)) => {
                let numerators: Option<_> = own.values.iter().map(Integer::to_i128).collect();
                short = numerators.zip(power_of_two(&own.denominator));
                Some(Common::Own(own, held))
            }
            Err(OverBudget::MEMORY) => None,
            Err(error) => return Err(error),
        };
        Ok(Self {
            values,
            common,
            short,
        })
    }
}

impl<'a, V: Vector + ?Sized> ExactVector<'a, V> {
    /// A vector whose numerators are known; without them each row finds the denominator of its own entries.
    pub fn over(values: &'a V, common: Option<&'a Numerators>) -> Self {
        let common = common.map(Common::Of);
        Self {
            values,
            common,
            short: None,
        }
    }

    fn common(&self) -> Option<&Numerators> {
        match self.common.as_ref()? {
            Common::Own(numerators, _) => Some(numerators),
            Common::Of(numerators) => Some(numerators),
        }
    }

    /// Some of its entries over one positive denominator.
    pub fn entries(&self, of: &[usize], budget: &Budget) -> Result<Numerators, OverBudget> {
        if let Some(common) = self.common() {
            return Ok(Numerators {
                values: of.iter().map(|&j| common.values[j].clone()).collect(),
                denominator: common.denominator.clone(),
            });
        }
        let own = of.iter().map(|&j| self.values.at(j));
        Ok(numerators(own, u64::MAX, budget)?.0)
    }

    /// The sums of row i of a problem with the vector.
    pub fn sums_of(
        &self,
        problem: &Problem,
        i: usize,
        budget: &Budget,
    ) -> Result<Sums, OverBudget> {
        let (row, q) = (|| problem.m().row(i), &problem.q()[i]);
        budget.multiply(row().count() as u64 + 1, 127, 127)?;
        if let Some(sums) = self.short_sums(row, q) {
            return Ok(sums);
        }
        if row().all(|(_, value)| value.as_dyadic().is_some()) {
            return self.sums(&IntegerRow::new(row(), q, budget)?, budget);
        }
        let (mut held, one) = (budget.hold(0, 0)?, Rational::from(1));
        let terms = row().map(|(j, value)| (value, self.values.at(j)));
        let terms: Vec<_> = terms.chain([(q, &one)]).collect();
        Sums::of(&terms, &mut held)
    }

    /// The sums of a row of binary64 values in 128 bits; `None` where these do not hold each term and sum.
    fn short_sums<'n, R: Iterator<Item = (usize, &'n Number)>>(
        &self,
        row: impl Fn() -> R,
        q: &Number,
    ) -> Option<Sums> {
        let (numerators, power) = self.short.as_ref()?;
        let mut least = q.as_dyadic()?.1.min(0);
        for (_, value) in row() {
            least = least.min(value.as_dyadic()?.1);
        }
        let shifted = |value: &Number, by: u32| {
            let (mantissa, exponent) = value.as_dyadic()?;
            let by = exponent.abs_diff(least).checked_add(by)?;
            // A mantissa has 53 bits and a sign.
            let fits = mantissa == 0 || by <= 127 - 54;
            fits.then(|| i128::from(mantissa) << (by & 127))
        };
        let mut w = shifted(q, *power)?;
        let mut s = w.abs();
        for (j, value) in row() {
            let term = shifted(value, 0)?.checked_mul(*numerators.get(j)?)?;
            w = w.checked_add(term)?;
            s = s.checked_add(term.checked_abs()?)?;
        }
        Some(Sums {
            w: Integer::from(w),
            s: Integer::from(s),
            denominator: Integer::from(1) << power.checked_add(least.unsigned_abs())?,
        })
    }

    /// The sums of a row with the vector.
    pub fn sums(&self, row: &IntegerRow<'_>, budget: &Budget) -> Result<Sums, OverBudget> {
        let columns = row.entries.iter().map(|(j, _)| *j);
        if let Some(common) = self.common() {
            let factors = columns.map(|j| &common.values[j]);
            return sums(row, factors, &common.denominator, budget);
        }
        let own = columns.map(|j| self.values.at(j));
        let (own, _held) = numerators(own, u64::MAX, budget)?;
        sums(row, own.values.iter(), &own.denominator, budget)
    }
}

/// The factors are numerators of the entries that the row's nonzeros meet.
fn sums<'a>(
    row: &IntegerRow<'_>,
    factors: impl Iterator<Item = &'a Integer>,
    denominator: &Integer,
    budget: &Budget,
) -> Result<Sums, OverBudget> {
    let q = &row.q;
    budget.multiply(2, bits(q).max(bits(&row.denominator)), bits(denominator))?;
    let mut w = Integer::from(q * denominator);
    let mut s = Integer::from(w.abs_ref());
    let mut term = Integer::new();
    for ((_, value), factor) in row.entries.iter().zip(factors) {
        budget.multiply(1, bits(value), bits(factor))?;
        term.assign(value * factor);
        w += &term;
        if term.cmp0().is_lt() {
            s -= &term;
        } else {
            s += &term;
        }
    }
    let denominator = Integer::from(&row.denominator * denominator);
    Ok(Sums { w, s, denominator })
}

/// Of a positive integer the k for which it is 2^k, if there is one.
fn power_of_two(value: &Integer) -> Option<u32> {
    let power = value.significant_bits().checked_sub(1);
    power.filter(|_| value.is_power_of_two())
}

/// The numbers as fractions.
pub(crate) fn exact<'a, 'b>(
    numbers: impl IntoIterator<Item = &'a Number>,
    budget: &'b Budget,
) -> Result<(Vec<Rational>, Held<'b>), OverBudget> {
    let (mut held, mut values) = (budget.hold(0, 0)?, Vec::new());
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
pub(crate) fn numerators<'v, 'b>(
    values: impl ExactSizeIterator<Item = &'v Rational> + Clone,
    limit: u64,
    budget: &'b Budget,
) -> Result<(Numerators, Held<'b>), OverBudget> {
    let limit = limit.min(budget.left().0);
    let mut common = Integer::from(1);
    for value in values.clone() {
        let own = value.denom();
        budget.multiply(1, bits(&common), bits(own) + DIVISION)?;
        if *own == common || common.is_divisible(own) {
            continue;
        }
        budget.reduce(1, bits(&common), bits(own))?;
        common.lcm_mut(own);
        if bits(&common).saturating_mul(values.len() as u64) > limit {
            return Err(OverBudget::MEMORY);
        }
    }
    let power = power_of_two(&common);
    let (mut held, mut numerators) = (budget.hold(0, 0)?, Vec::with_capacity(values.len()));
    for value in values {
        let (numerator, own) = (value.numer(), value.denom());
        let factor = bits(&common) - bits(own) + 1;
        held.more(1, bits(numerator) + factor)?;
        budget.multiply(1, factor, bits(own).max(bits(numerator)) + DIVISION)?;
        // Of powers of two, nothing needs a division.
        let by = power.map(|power| power + 1 - own.significant_bits());
        let divided = || numerator * Integer::from(common.div_exact_ref(own));
        numerators.push(by.map_or_else(divided, |by| numerator.clone() << by));
    }
    let numerators = Numerators {
        values: numerators,
        denominator: common,
    };
    Ok((numerators, held))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::Matrix;

    fn numbers(text: &str) -> Vec<Number> {
        let number = |token| Number::parse_exact(token).unwrap();
        text.split_whitespace().map(number).collect()
    }

    fn row<'b>(text: &str, budget: &'b Budget) -> IntegerRow<'b> {
        let numbers = numbers(text);
        let (q, entries) = numbers.split_last().unwrap();
        IntegerRow::new(entries.iter().enumerate(), q, budget).unwrap()
    }

    /// The row's numbers and the vector's, and what comes of them: w and s.
    #[test]
    fn sums_are_the_same_with_and_without_a_common_denominator() {
        let cases = [
            ("1 2 3", "4 5", "17", "17"),
            ("1/2 -1/3 1/5", "2/7 -3/11", "1/7 1/11 1/5", "1/7 1/11 1/5"),
            (
                "-1/2 1/3 -1/5",
                "2/7 -3/11",
                "-1/7 -1/11 -1/5",
                "1/7 1/11 1/5",
            ),
            ("0 1/3 0", "1/97 3/2", "1/2", "1/2"),
        ];
        let sum = |text| {
            numbers(text)
                .iter()
                .map(Number::to_rational)
                .sum::<Rational>()
        };
        for (of_row, z, w, s) in cases {
            // What the row takes is left for it; then the vector may have its quarter, or not.
            for scarce in [false, true] {
                let budget = Budget::default();
                let row = row(of_row, &budget);
                let z: Vec<_> = numbers(z).iter().map(Number::to_rational).collect();
                let vector = if scarce {
                    ExactVector::over(&z[..], None)
                } else {
                    ExactVector::new(&z, &budget).unwrap()
                };
                assert_eq!(vector.common.is_none(), scarce);
                let sums = vector.sums(&row, &budget).unwrap();
                assert!(sums.denominator > 0);
                assert_eq!(sums.reduced(&budget).unwrap(), (sum(w), sum(s)), "{of_row}");
                let (entries, one) = (numbers(of_row), Rational::from(1));
                let terms: Vec<_> = entries.iter().zip(z.iter().chain([&one])).collect();
                let sums = Sums::of(&terms, &mut budget.hold(0, 0).unwrap()).unwrap();
                assert!(sums.denominator > 0);
                assert_eq!(sums.reduced(&budget).unwrap(), (sum(w), sum(s)), "{of_row}");
            }
        }
    }

    /// 1/3, 1/5, 1/7, ... times 1/2: what the row comes to over one denominator, two terms by two, costs a small part of
    /// what it costs to bring each entry there first.
    #[test]
    fn sums_of_unrelated_denominators_are_made_two_by_two() {
        let n = 300;
        let entry = |j: usize| {
            (
                0,
                j as u64,
                Number::from(Rational::from((1, 2 * j as u32 + 3))),
            )
        };
        let m = Matrix::from_entries((n as u64, n as u64), (0..n).map(entry).collect()).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(1); n]).unwrap();
        let z = vec![Rational::from((1, 2)); n];
        let budget = Budget::new(1 << 30, 1 << 40);
        let vector = ExactVector::new(&z, &budget).unwrap();
        let spent = |sums: &dyn Fn() -> Sums| {
            let before = budget.left();
            let sums = sums();
            assert_eq!(budget.left().0, before.0);
            (before.1 - budget.left().1, sums.reduced(&budget).unwrap())
        };
        let (few, own) = spent(&|| vector.sums_of(&problem, 0, &budget).unwrap());
        let row = || IntegerRow::new(problem.m().row(0), &problem.q()[0], &budget).unwrap();
        let (many, other) = spent(&|| vector.sums(&row(), &budget).unwrap());
        assert_eq!(own, other);
        assert!(8 * few < many, "{few} {many}");
    }

    /// Of one row of binary64 values: the sums in 128 bits, where these hold them, and those of long integers.
    fn both_ways(row: &str, z: &str) -> (Option<[Integer; 3]>, [Integer; 3]) {
        let numbers = |text: &str| -> Vec<_> {
            let tokens = text.split_whitespace();
            tokens
                .map(|own| Number::parse_json_number(own).unwrap())
                .collect()
        };
        let row = numbers(row);
        let (q, entries) = row.split_last().unwrap();
        let z: Vec<_> = numbers(z).iter().map(Number::to_rational).collect();
        let budget = Budget::default();
        let vector = ExactVector::new(&z, &budget).unwrap();
        let all = |sums: Sums| {
            let (w, s) = sums.reduced(&budget).unwrap();
            let over = w.denom().clone().max(s.denom().clone());
            let by = |own: Rational| (own * &over).numer().clone();
            [by(w), by(s), over.clone()]
        };
        let short = vector.short_sums(|| entries.iter().enumerate(), q);
        let long = IntegerRow::new(entries.iter().enumerate(), q, &budget).unwrap();
        (short.map(all), all(vector.sums(&long, &budget).unwrap()))
    }

    #[test]
    fn sums_in_128_bits_are_those_of_long_integers_or_are_not_there() {
        // 2^53 - 1, over 2^10 and over 2^12.
        let (long, by_10, by_12) = (
            "9007199254740991",
            "8796093022207.0224609375",
            "2199023255551.755615234375",
        );
        let (row, z) = (
            |by: &str| format!("{long} {by} 0 0"),
            |by: &str| format!("{long} {by} 1"),
        );
        for (row, z, fits) in [
            ("1 -2.5 0 3.25", "0.1 0.2 1e300", false),
            ("1 -2.5 0 3.25", "0.1 0.2 7", true),
            ("0 0 0 0", "0.1 0.2 7", true),
            (
                "0.3333333333333333 1e-3 -1.5 0.7",
                "0.6 1.2 0.14285714285714285",
                true,
            ),
            ("1e200 1e-200 1 1", "1 1 1", false),
            ("2.2250738585072014e-308 0 0 0", "1 1 1", true),
            ("5e-324 5e-324 0 -5e-324", "1 2 1", true),
            // Entries of 53 bits, shifted by 73 and by 74.
            (
                "9.671406556917032e+24 1.1368683772161603e-13 0 0",
                "1 1 1",
                true,
            ),
            (
                "9.671406556917032e+24 5.684341886080802e-14 0 0",
                "1 1 1",
                false,
            ),
            (
                "9.671406556917032e+24 8.673617379884035e-19 0 0",
                "1 1 1",
                false,
            ),
            // Terms of 53 + 53 bits, shifted by up to 20: below 2^127, or not.
            (&row(by_10), &z(by_10), true),
            (&row(by_12), &z(by_12), false),
        ] {
            let (short, long) = both_ways(row, z);
            assert_eq!(short.is_some(), fits, "{row}; {z}");
            assert!(short.is_none_or(|short| short == long), "{row}; {z}");
        }
    }

    proptest::proptest! {
        #[test]
        fn sums_in_128_bits_are_right(
            numbers in proptest::collection::vec((-1_i64 << 53..1 << 53, -9_i32..9), 9),
        ) {
            let text = |own: &[(i64, i32)]| -> String {
                own.iter().map(|(m, e)| format!("{m}e{e} ")).collect()
            };
            let (short, long) = both_ways(&text(&numbers[..5]), &text(&numbers[5..]));
            proptest::prop_assert!(short.is_none_or(|short| short == long));
        }
    }

    #[test]
    fn a_vector_takes_a_quarter_of_what_is_left() {
        // 40 primes' multiple has some 240 bits: 40 times that are 9,600.
        let primes = (3..180u32).filter(|n| (2..*n).all(|d| n % d != 0)).take(40);
        let z: Vec<_> = primes.map(|p| Rational::from((1, p))).collect();
        let takes = |bits| {
            ExactVector::new(&z, &Budget::new(bits, 1 << 32))
                .unwrap()
                .common
                .is_some()
        };
        assert!(takes(1 << 20) && !takes(30_000));
        let no_work = Budget::new(1 << 20, 10);
        assert!(
            matches!(ExactVector::new(&z, &no_work), Err(error) if error != OverBudget::MEMORY)
        );
    }

    #[test]
    fn what_is_made_is_paid_for_before() {
        let budget = Budget::default();
        let all = budget.left();
        {
            let long = "1/3 1e30 1/7 -1e-40";
            let row = row(long, &budget);
            // Each number at least once, over a denominator of 136 bits.
            let taken = all.0 - budget.left().0;
            assert!(taken >= 3 * bits(&row.denominator), "{taken}");
        }
        assert_eq!(budget.left().0, all.0, "all given back");
        assert!(budget.left().1 < all.1);
    }

    /// The numerators of values, their denominator, and what is held for them.
    fn over<'b>(
        values: &[Rational],
        limit: u64,
        budget: &'b Budget,
    ) -> Result<(Vec<Integer>, Integer, Held<'b>), OverBudget> {
        let (own, held) = numerators(values.iter(), limit, budget)?;
        Ok((own.values, own.denominator, held))
    }

    #[test]
    fn a_growing_denominator_is_noticed_before_it_has_grown() {
        // 60 unrelated numbers of 400 digits: over their denominator 60 * 60 * 1,300 bits.
        let long =
            |k: u32| Rational::from((1, Integer::from(Integer::u_pow_u(10, 400)) + (2 * k + 1)));
        let values: Vec<_> = (0..60).map(long).collect();
        let budget = Budget::new(1 << 20, 1 << 32);
        assert_eq!(
            over(&values, u64::MAX, &budget).err(),
            Some(OverBudget::MEMORY)
        );
        assert_eq!(budget.left().0, 1 << 20);
        let refused = over(&values, 1 << 20, &Budget::default()).err();
        assert_eq!(refused, Some(OverBudget::MEMORY));
        let enough = Budget::default();
        let (numerators, denominator, _held) = over(&values, u64::MAX, &enough).unwrap();
        for (value, numerator) in values.iter().zip(numerators) {
            assert_eq!(Rational::from((numerator, denominator.clone())), *value);
        }
    }

    #[test]
    fn a_common_denominator_may_take_all_that_it_is_allowed() {
        let budget = Budget::default();
        let before = budget.left().0;
        let values = [Rational::from((1, 2)), Rational::from(3)];
        let (found, common, held) = over(&values, u64::MAX, &budget).unwrap();
        assert_eq!((found, common), (vec![1.into(), 6.into()], 2.into()));
        // Two numbers: of 1 bit and a factor of 1, and of 2 bits and a factor of 2.
        assert_eq!(before - budget.left().0, 2 * 512 + (1 + 1) + (2 + 2));
        drop(held);
        assert_eq!(budget.left().0, before);
        // Two numerators over 6, of 3 bits.
        let values = [Rational::from((1, 2)), Rational::from((1, 3))];
        assert!(over(&values, 6, &budget).is_ok());
        assert_eq!(over(&values, 5, &budget).err(), Some(OverBudget::MEMORY));
    }
}
