//! Rows of a matrix under elimination.

use rug::{Integer, Rational};

/// A row that multiples of others are subtracted from.
pub trait Row<S>: Clone {
    /// The row with these entries.
    fn new(entries: &[S]) -> Self;

    /// Entry j.
    ///
    /// # Panics
    /// When there is no such entry.
    fn entry(&self, j: usize) -> S;

    /// Whether entry j is zero.
    ///
    /// # Panics
    /// When there is no such entry.
    fn is_zero(&self, j: usize) -> bool;

    /// Divides the row by its entry c, which is not zero.
    fn divide(&mut self, c: usize);

    /// Subtracts the multiple of another row that clears entry c. The other row's entry c is not zero.
    fn clear(&mut self, c: usize, other: &Self);
}

impl Row<f64> for Vec<f64> {
    fn new(entries: &[f64]) -> Self {
        entries.to_vec()
    }

    fn entry(&self, j: usize) -> f64 {
        self[j]
    }

    fn is_zero(&self, j: usize) -> bool {
        self[j] == 0.0
    }

    fn divide(&mut self, c: usize) {
        let pivot = self[c];
        for entry in self.iter_mut().filter(|entry| **entry != 0.0) {
            *entry /= pivot;
        }
    }

    fn clear(&mut self, c: usize, other: &Self) {
        if self[c] == 0.0 {
            return;
        }
        let factor = self[c] / other[c];
        for (own, other) in self.iter_mut().zip(other) {
            if *other != 0.0 {
                *own -= factor * other;
            }
        }
        self[c] = 0.0;
    }
}

/// The least common denominator of fractions.
pub(crate) fn common_denominator<'a>(values: impl Iterator<Item = &'a Rational>) -> Integer {
    let mut common = Integer::from(1);
    for value in values {
        if *value.denom() != common {
            common.lcm_mut(value.denom());
        }
    }
    common
}

/// The numerator of a fraction over a multiple of its denominator.
pub(crate) fn numerator_over(value: &Rational, common: &Integer) -> Integer {
    if value.denom() == common {
        return value.numer().clone();
    }
    Integer::from(common.div_exact_ref(value.denom())) * value.numer()
}

/// A row of fractions as integers without a common divisor, times one fraction.
///
/// A sum of two fractions takes a greatest common divisor of long integers, and so does a product. Here a row takes one for
/// all of its entries: once it is found, the others are divided by it, which is cheaper.
#[derive(Debug, Clone)]
pub struct IntegerRow {
    factor: Rational,
    entries: Vec<Integer>,
}

impl IntegerRow {
    fn divide_by_common_divisor(&mut self) {
        let mut common = Integer::new();
        for entry in self.entries.iter().filter(|entry| !entry.is_zero()) {
            common.gcd_mut(entry);
            if common == 1 {
                return;
            }
        }
        if !common.is_zero() {
            for entry in self.entries.iter_mut().filter(|entry| !entry.is_zero()) {
                entry.div_exact_mut(&common);
            }
            self.factor *= common;
        }
    }
}

impl Row<Rational> for IntegerRow {
    fn new(entries: &[Rational]) -> Self {
        let common = common_denominator(entries.iter());
        let entries = entries.iter();
        let mut own = Self {
            entries: entries.map(|own| numerator_over(own, &common)).collect(),
            factor: Rational::from((1, common)),
        };
        own.divide_by_common_divisor();
        own
    }

    fn entry(&self, j: usize) -> Rational {
        Rational::from(&self.factor * &self.entries[j])
    }

    fn is_zero(&self, j: usize) -> bool {
        self.entries[j].is_zero()
    }

    fn divide(&mut self, c: usize) {
        self.factor = Rational::from((1, &self.entries[c]));
    }

    /// With entries e and factors f the row f e becomes f e - (f e_c)/(f' e'_c) f' e' = f/a (a e - b e'), where a/b is e'_c/e_c in
    /// lowest terms. The other row's factor takes no part.
    fn clear(&mut self, c: usize, other: &Self) {
        if self.entries[c].is_zero() {
            return;
        }
        let common = Integer::from(self.entries[c].gcd_ref(&other.entries[c]));
        let own = Integer::from(other.entries[c].div_exact_ref(&common));
        let others = Integer::from(self.entries[c].div_exact_ref(&common));
        for (entry, other) in self.entries.iter_mut().zip(&other.entries) {
            *entry *= &own;
            *entry -= other * &others;
        }
        self.factor /= own;
        self.divide_by_common_divisor();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Scalar;

    fn fraction() -> impl Strategy<Value = Rational> {
        let zero = Just(Rational::new());
        let small = (-9i64..=9, 1i64..=12).prop_map(Rational::from);
        let long = (any::<i64>(), 1..i64::MAX).prop_map(Rational::from);
        prop_oneof![1 => zero, 2 => small, 1 => long]
    }

    fn entries(row: &IntegerRow, count: usize) -> Vec<Rational> {
        (0..count).map(|j| row.entry(j)).collect()
    }

    proptest! {
        /// Against the same operations, fraction by fraction.
        #[test]
        fn rows_of_integers_are_rows_of_fractions(
            own in prop::collection::vec(fraction(), 5),
            other in prop::collection::vec(fraction(), 5),
            more in prop::collection::vec(fraction(), 5),
        ) {
            let mut row = IntegerRow::new(&own);
            prop_assert_eq!(entries(&row, 5), own.clone());
            let mut plain = own;
            for (c, other) in [(0, &other), (1, &more)] {
                if Scalar::is_zero(&other[c]) {
                    continue;
                }
                row.clear(c, &IntegerRow::new(other));
                let factor = Rational::from(&plain[c] / &other[c]);
                for (entry, other) in plain.iter_mut().zip(other) {
                    *entry -= Rational::from(&factor * other);
                }
                prop_assert_eq!(entries(&row, 5), plain.clone());
                prop_assert!(row.is_zero(c));
            }
            if !Scalar::is_zero(&plain[4]) {
                row.divide(4);
                let pivot = plain[4].clone();
                let divided: Vec<_> = plain.iter().map(|own| Rational::from(own / &pivot)).collect();
                prop_assert_eq!(entries(&row, 5), divided);
            }
        }

        #[test]
        fn sums_over_one_denominator_are_sums(
            a in prop::collection::vec(fraction(), 0..6),
            b in prop::collection::vec(fraction(), 6),
        ) {
            let plain = a.iter().zip(&b).map(|(a, b)| Rational::from(a * b));
            let plain = plain.fold(Rational::new(), |sum, product| sum + product);
            prop_assert_eq!(crate::dot(&a, &b), plain);
        }
    }
}
