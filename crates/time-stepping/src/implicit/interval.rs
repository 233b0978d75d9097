//! Intervals with outward rounding.

use std::ops::{Add, Div, Mul, Neg, Sub};

use rug::float::Round;
use rug::ops::{AddAssignRound, NegAssign};
use rug::{Float, Rational};

use super::number::Number;

/// All real numbers between two ends, both included. Every operation rounds its ends outwards
/// (MPFR), so that the result holds whatever the operation makes of numbers of its arguments;
/// where that is nothing or no bounded set (division by an interval with 0, a root of negative
/// numbers), it is the whole line.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    low: Float,
    high: Float,
}

impl Interval {
    /// The numbers from low to high; the whole line where low <= high fails.
    pub fn new(low: Float, high: Float) -> Self {
        // NaN fails the comparison, so that an undefined end becomes the whole line and no bound.
        if low <= high && low.is_finite() && high.is_finite() {
            return Self { low, high };
        }
        Self::line(low.prec())
    }

    /// One number.
    pub fn point(value: &Float) -> Self {
        Self::new(value.clone(), value.clone())
    }

    /// The numbers within a radius of a centre.
    pub fn around(centre: &Float, radius: &Float) -> Self {
        let p = centre.prec();
        Self::new(
            Float::with_val_round(p, centre - radius, Round::Down).0,
            Float::with_val_round(p, centre + radius, Round::Up).0,
        )
    }

    /// A fraction, between its roundings.
    pub fn fraction(precision: u32, value: &Rational) -> Self {
        Self::new(
            Float::with_val_round(precision, value, Round::Down).0,
            Float::with_val_round(precision, value, Round::Up).0,
        )
    }

    fn line(precision: u32) -> Self {
        use rug::float::Special;
        Self {
            low: Float::with_val(precision, Special::NegInfinity),
            high: Float::with_val(precision, Special::Infinity),
        }
    }

    /// The lower end.
    pub fn low(&self) -> &Float {
        &self.low
    }

    /// The upper end.
    pub fn high(&self) -> &Float {
        &self.high
    }

    /// The precision of the ends, bits.
    pub fn precision(&self) -> u32 {
        self.low.prec()
    }

    /// A number near the middle, within the interval.
    pub fn middle(&self) -> Float {
        // Rounding is monotone and both ends are representable: the rounded middle cannot leave the
        // interval.
        let sum = Float::with_val(self.precision() + 1, &self.low + &self.high);
        Float::with_val(self.precision(), sum / 2u32)
    }

    /// An upper bound on the absolute values.
    pub fn magnitude(&self) -> Float {
        let low = self.low.clone().abs();
        low.max(&self.high.clone().abs())
    }

    /// Whether all numbers are above 0.
    pub fn is_positive(&self) -> bool {
        self.low > 0
    }

    /// Whether no number is negative, or none is positive; `None` where 0 is strictly inside.
    fn sign(&self) -> Option<bool> {
        if self.low >= 0 {
            Some(true)
        } else {
            (self.high <= 0).then_some(false)
        }
    }

    /// Whether 0 is among the numbers.
    pub fn holds_zero(&self) -> bool {
        self.low <= 0 && self.high >= 0
    }

    /// Whether the ends are finite.
    pub fn is_bounded(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Whether a fraction is among the numbers.
    pub fn holds(&self, value: &Rational) -> bool {
        self.low <= *value && self.high >= *value
    }

    /// Whether all numbers are strictly between the ends of another interval.
    pub fn is_inside(&self, other: &Self) -> bool {
        // Krawczyk's test asks for the interior, so equal ends do not count.
        self.low > other.low && self.high < other.high && self.is_bounded()
    }

    /// The numbers of both, which must have one in common.
    pub fn and(&self, other: &Self) -> Self {
        let low = self.low.clone().max(&other.low);
        Self::new(low, self.high.clone().min(&other.high))
    }

    /// Wider by a radius on either side, but not beyond -1 and 1.
    fn widened_sine(value: &Float, radius: &Float, sine: impl Fn(&mut Float, Round)) -> Self {
        let end = |round, radius: Float| {
            let mut end = value.clone();
            sine(&mut end, round);
            end.add_assign_round(radius, round);
            end
        };
        // The slopes of sine and cosine are at most 1, so over the interval they leave their value in the
        // middle by the radius at most.
        let mut negative = radius.clone();
        negative.neg_assign();
        let one = Float::with_val(value.prec(), 1);
        let low = end(Round::Down, negative).max(&-one.clone());
        Self::new(low, end(Round::Up, radius.clone()).min(&one))
    }
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let p = self.precision();
        Self::new(
            Float::with_val_round(p, &self.low + &other.low, Round::Down).0,
            Float::with_val_round(p, &self.high + &other.high, Round::Up).0,
        )
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let p = self.precision();
        // An infinite end times 0 is NaN, which MPFR's minimum and maximum pass over: the ends
        // would bound nothing.
        if !self.is_bounded() || !other.is_bounded() {
            return Self::line(p);
        }
        let down = |x: &Float, y: &Float| Float::with_val_round(p, x * y, Round::Down).0;
        let up = |x: &Float, y: &Float| Float::with_val_round(p, x * y, Round::Up).0;
        // A product is linear in each factor, so its extremes over two intervals are at their ends; the signs
        // say at which, unless 0 is strictly inside of both.
        let (a, b) = ((&self.low, &self.high), (&other.low, &other.high));
        let extremes = match (self.sign(), other.sign()) {
            (Some(true), Some(true)) => (a.0, b.0, a.1, b.1),
            (Some(true), Some(false)) => (a.1, b.0, a.0, b.1),
            (Some(true), None) => (a.1, b.0, a.1, b.1),
            (Some(false), Some(true)) => (a.0, b.1, a.1, b.0),
            (Some(false), Some(false)) => (a.1, b.1, a.0, b.0),
            (Some(false), None) => (a.0, b.1, a.0, b.0),
            (None, Some(true)) => (a.0, b.1, a.1, b.1),
            (None, Some(false)) => (a.1, b.0, a.0, b.0),
            (None, None) => {
                let low = down(a.0, b.1).min(&down(a.1, b.0));
                return Self::new(low, up(a.0, b.0).max(&up(a.1, b.1)));
            }
        };
        Self::new(down(extremes.0, extremes.1), up(extremes.2, extremes.3))
    }
}

impl Div for Interval {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let p = self.precision();
        if other.holds_zero() || !other.is_bounded() {
            return Self::line(p);
        }
        // 1/x falls on either side of 0, so the ends change places.
        let inverse = Self::new(
            Float::with_val_round(p, 1 / &other.high, Round::Down).0,
            Float::with_val_round(p, 1 / &other.low, Round::Up).0,
        );
        self * inverse
    }
}

impl Number for Interval {
    fn lift(&self, value: &Rational) -> Self {
        Self::fraction(self.precision(), value)
    }

    fn sqrt(self) -> Self {
        if self.low < 0 || !self.is_bounded() {
            return Self::line(self.precision());
        }
        let (mut low, mut high) = (self.low, self.high);
        low.sqrt_round(Round::Down);
        high.sqrt_round(Round::Up);
        Self::new(low, high)
    }

    fn about(&self) -> f64 {
        self.middle().to_f64()
    }

    fn magnitude(&self) -> Self {
        Self::point(&Self::magnitude(self))
    }

    /// From the middle, by the Lipschitz constant 1.
    fn sin_cos(self) -> (Self, Self) {
        if !self.is_bounded() {
            let one = Float::with_val(self.precision(), 1);
            let all = Self::new(-one.clone(), one);
            return (all.clone(), all);
        }
        // No extrema to look for: slopes are at most 1, so the value at the middle and the radius
        // enclose all others. That is wide only where the slope is far below 1.
        let middle = self.middle();
        let p = self.precision();
        // The rounded middle need not be equally far from both ends.
        let up = Float::with_val_round(p, &self.high - &middle, Round::Up).0;
        let down = Float::with_val_round(p, &middle - &self.low, Round::Up).0;
        let radius = up.max(&down);
        let sin = |value: &mut Float, round| {
            value.sin_round(round);
        };
        let cos = |value: &mut Float, round| {
            value.cos_round(round);
        };
        (
            Self::widened_sine(&middle, &radius, sin),
            Self::widened_sine(&middle, &radius, cos),
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(n: i64, d: i64) -> (Rational, Interval) {
        let value = Rational::from((n, d));
        let interval = Interval::fraction(24, &value);
        (value, interval)
    }

    /// A wide interval with a number of it.
    fn wide((value, thin): (Rational, Interval), radius: i64) -> (Rational, Interval) {
        let radius = Float::with_val(24, radius) / 64u32;
        (value, Interval::around(&thin.middle(), &radius).hull(&thin))
    }

    impl Interval {
        fn hull(&self, other: &Self) -> Self {
            let low = self.low.clone().min(&other.low);
            Self::new(low, self.high.clone().max(&other.high))
        }
    }

    proptest! {
        #[test]
        fn operations_hold_the_exact_results(
            a in (-500i64..500, 1i64..50), b in (-500i64..500, 1i64..50), r in 0i64..64,
        ) {
            let (x, xs) = wide(of(a.0, a.1), r);
            let (y, ys) = of(b.0, b.1);
            prop_assert!((xs.clone() + ys.clone()).holds(&Rational::from(&x + &y)));
            prop_assert!((xs.clone() - ys.clone()).holds(&Rational::from(&x - &y)));
            prop_assert!((xs.clone() * ys.clone()).holds(&Rational::from(&x * &y)));
            if y != 0 {
                prop_assert!((xs.clone() / ys).holds(&Rational::from(&x / &y)));
            }
            let (sin, cos) = xs.clone().sin_cos();
            for (interval, exact) in [
                (sin, Float::with_val(300, &x).sin()),
                (cos, Float::with_val(300, &x).cos()),
            ] {
                prop_assert!(interval.holds(&exact.to_rational().unwrap_or_default()));
                prop_assert!(*interval.low() >= -1 && *interval.high() <= 1);
            }
            let root = xs.clone().sqrt();
            let (low, high) = (root.low().to_rational(), root.high().to_rational());
            if let (Some(low), Some(high), true) = (low, high, x >= 0) {
                prop_assert!(low.square() <= x && high.square() >= x);
            }
        }
    }

    /// Every choice of signs, against the four products of the ends.
    #[test]
    fn a_product_ends_where_products_of_the_ends_do() {
        let ends: Vec<i64> = (-3..=3).collect();
        let of = |low: i64, high: i64| {
            let third = |n: i64, round| Float::with_val_round(24, Rational::from((n, 3)), round).0;
            Interval::new(third(low, Round::Down), third(high, Round::Up))
        };
        for (a, b, c, d) in ends.iter().flat_map(|&a| {
            let ends = &ends;
            ends.iter().flat_map(move |&b| {
                ends.iter()
                    .flat_map(move |&c| ends.iter().map(move |&d| (a, b, c, d)))
            })
        }) {
            if a > b || c > d {
                continue;
            }
            let (x, y) = (of(a, b), of(c, d));
            let corners = |round| {
                [
                    (x.low(), y.low()),
                    (x.low(), y.high()),
                    (x.high(), y.low()),
                    (x.high(), y.high()),
                ]
                .map(|(p, q)| Float::with_val_round(24, p * q, round).0)
            };
            let low = corners(Round::Down).into_iter().reduce(|p, q| p.min(&q));
            let high = corners(Round::Up).into_iter().reduce(|p, q| p.max(&q));
            let product = x.clone() * y.clone();
            assert_eq!(Some(product.low()), low.as_ref(), "{x:?} {y:?}");
            assert_eq!(Some(product.high()), high.as_ref(), "{x:?} {y:?}");
        }
    }

    #[test]
    fn what_is_undefined_somewhere_is_the_whole_line() {
        let zero = Interval::around(&Float::new(53), &Float::with_val(53, 1));
        let one = zero.integer(1);
        assert!(!(one.clone() / zero.clone()).is_bounded());
        assert!(!zero.clone().sqrt().is_bounded());
        assert!(!((one / zero.clone()) * zero.integer(0)).is_bounded());
        assert!(!zero.is_inside(&zero));
    }
}
