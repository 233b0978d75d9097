//! The numbers that scenes are made of: exact fractions, or binary64.

use std::cmp::Ordering;
use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use etalon_lcp::Number;
use rug::{Integer, Rational};

use crate::row::{IntegerRow, Row, common_denominator, numerator_over};

/// The common operations of rational and binary64 arithmetic: ring operations, division and order.
/// Operations are exact for [`Rational`] and rounded to nearest for `f64`.
///
/// Division by zero panics for fractions, as integer division does; callers test
/// [`is_zero`](Self::is_zero) first.
pub trait Scalar:
    Clone
    + Debug
    + Display
    + PartialEq
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Div<&'a Self, Output = Self>
    + for<'a> AddAssign<&'a Self>
    + for<'a> SubAssign<&'a Self>
{
    /// Whether results of operations are exact.
    const EXACT: bool;

    /// A row of a matrix under elimination.
    type Row: Row<Self>;

    /// The sum of the products of pairs, in their order where arithmetic rounds.
    fn sum_of_products<'a>(pairs: impl Iterator<Item = (&'a Self, &'a Self)> + Clone) -> Self {
        let mut sum = Self::zero();
        for (a, b) in pairs {
            if !a.is_zero() && !b.is_zero() {
                sum += &(a.clone() * b);
            }
        }
        sum
    }

    /// The nearest value to a fraction; the fraction itself where arithmetic is exact.
    fn from_rational(value: &Rational) -> Self;

    /// Whether the value is zero.
    fn is_zero(&self) -> bool;

    /// Whether the value is a number: neither NaN nor infinite.
    fn is_finite(&self) -> bool;

    /// Whether the value is what rounding may leave of zero beside numbers of size `scale`;
    /// exactly zero where arithmetic is exact.
    fn is_negligible(&self, scale: &Self) -> bool;

    /// The square root, where there is one among these numbers: for fractions only of squares.
    fn sqrt(&self) -> Option<Self>;

    /// The value as data of a problem; `None` unless it is finite.
    fn to_number(&self) -> Option<Number>;

    /// The nearest binary64.
    fn to_f64(&self) -> f64;

    /// An integer.
    fn integer(value: i64) -> Self {
        Self::from_rational(&Rational::from(value))
    }

    /// numerator / denominator, the denominator not zero (zero reads as one).
    fn ratio(numerator: i64, denominator: i64) -> Self {
        let denominator = if denominator == 0 { 1 } else { denominator };
        Self::from_rational(&Rational::from((numerator, denominator)))
    }

    /// 0.
    fn zero() -> Self {
        Self::integer(0)
    }

    /// 1.
    fn one() -> Self {
        Self::integer(1)
    }

    /// A number of a problem's data or of its solution.
    fn from_number(value: &Number) -> Self {
        Self::from_rational(&value.to_rational())
    }

    /// -1, 0 or 1 (0 for NaN).
    fn signum(&self) -> i32 {
        match self.partial_cmp(&Self::zero()) {
            Some(Ordering::Less) => -1,
            Some(Ordering::Greater) => 1,
            _ => 0,
        }
    }

    /// |x|.
    fn abs(&self) -> Self {
        if self.signum() < 0 {
            -self.clone()
        } else {
            self.clone()
        }
    }

    /// x^2.
    fn squared(&self) -> Self {
        self.clone() * self
    }

    /// Whether this is 1, up to rounding where arithmetic rounds.
    fn is_one(&self) -> bool {
        (self.clone() - Self::one()).is_negligible(&Self::one())
    }
}

impl Scalar for Rational {
    const EXACT: bool = true;

    type Row = IntegerRow;

    /// Over one denominator, so that one greatest common divisor is taken in place of one for each product and each sum. For two
    /// products that is no gain.
    fn sum_of_products<'a>(pairs: impl Iterator<Item = (&'a Self, &'a Self)> + Clone) -> Self {
        let pairs = pairs.filter(|(a, b)| !Scalar::is_zero(*a) && !Scalar::is_zero(*b));
        if pairs.clone().nth(2).is_none() {
            return pairs.fold(Self::new(), |sum, (a, b)| sum + Self::from(a * b));
        }
        let left = common_denominator(pairs.clone().map(|(a, _)| a));
        let right = common_denominator(pairs.clone().map(|(_, b)| b));
        let mut sum = Integer::new();
        for (a, b) in pairs {
            sum += numerator_over(a, &left) * numerator_over(b, &right);
        }
        Self::from((sum, left * right))
    }

    fn from_rational(value: &Rational) -> Self {
        value.clone()
    }

    fn is_zero(&self) -> bool {
        self.cmp0().is_eq()
    }

    fn is_finite(&self) -> bool {
        true
    }

    fn is_negligible(&self, _scale: &Self) -> bool {
        Scalar::is_zero(self)
    }

    fn sqrt(&self) -> Option<Self> {
        let (numerator, denominator) = (self.numer(), self.denom());
        let square = numerator.is_perfect_square() && denominator.is_perfect_square();
        square.then(|| Self::from((numerator.clone().sqrt(), denominator.clone().sqrt())))
    }

    fn to_number(&self) -> Option<Number> {
        Some(Number::from(self.clone()))
    }

    fn to_f64(&self) -> f64 {
        Number::from(self.clone()).to_f64()
    }
}

/// The relative size of rounding in binary64: 2^-40, which is 2^13 units of rounding (2^-53). Chosen.
const ROUNDING: f64 = 1.0 / (1u64 << 40) as f64;

impl Scalar for f64 {
    const EXACT: bool = false;

    type Row = Vec<f64>;

    fn from_rational(value: &Rational) -> Self {
        Number::from(value.clone()).to_f64()
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }

    fn is_negligible(&self, scale: &Self) -> bool {
        f64::abs(*self) <= ROUNDING * f64::abs(*scale)
    }

    fn sqrt(&self) -> Option<Self> {
        (*self >= 0.0).then(|| f64::sqrt(*self))
    }

    fn to_number(&self) -> Option<Number> {
        Number::from_f64(*self)
    }

    fn to_f64(&self) -> f64 {
        *self
    }
}

/// Sum of products of two sequences, as long as the shorter one.
pub fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    S::sum_of_products(a.iter().zip(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_fractions_are_exact_or_none() {
        let root = |n, d| Scalar::sqrt(&Rational::from((n, d)));
        assert_eq!(root(9, 25), Some(Rational::from((3, 5))));
        assert_eq!(root(2, 1), None);
        assert_eq!(root(-4, 1), None);
        assert_eq!(Scalar::sqrt(&-1.0), None);
    }

    #[test]
    fn both_arithmetics_agree_on_small_integers() {
        fn value<S: Scalar>() -> f64 {
            let x = S::ratio(3, 4) * &S::integer(8) - S::one();
            (x.squared() / &S::integer(5)).to_f64()
        }
        assert_eq!(value::<f64>(), value::<Rational>());
    }
}
