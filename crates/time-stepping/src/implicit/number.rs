//! The numbers of the equations of a step: binary64, intervals, and either with derivatives.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use rug::{Float, Rational};

/// A number with the operations that poses, surfaces and impulses need.
pub trait Number:
    Clone
    + Debug
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// A constant, of the precision of `self`.
    fn lift(&self, value: &Rational) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);

    /// The nearest binary64, about.
    fn about(&self) -> f64;

    /// A constant that is no smaller than the absolute value.
    fn magnitude(&self) -> Self;

    /// An integer, of the precision of `self`.
    fn integer(&self, value: i32) -> Self {
        self.lift(&Rational::from(value))
    }
}

impl Number for f64 {
    fn lift(&self, value: &Rational) -> Self {
        value.to_f64()
    }

    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    fn about(&self) -> f64 {
        *self
    }

    fn magnitude(&self) -> Self {
        self.abs()
    }

    /// Correctly rounded, so that it does not depend on the machine.
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = Float::with_val(53, self).sin_cos(Float::new(53));
        (sin.to_f64(), cos.to_f64())
    }
}

/// In the precision of the first operand.
impl Number for Float {
    fn lift(&self, value: &Rational) -> Self {
        Float::with_val(self.prec(), value)
    }

    fn sqrt(self) -> Self {
        Float::sqrt(self)
    }

    fn about(&self) -> f64 {
        self.to_f64()
    }

    fn magnitude(&self) -> Self {
        self.clone().abs()
    }

    fn sin_cos(self) -> (Self, Self) {
        let other = Float::new(self.prec());
        Float::sin_cos(self, other)
    }
}

/// a'b; `zero` where they are empty.
pub fn dot<N: Number>(zero: &N, a: &[N], b: &[N]) -> N {
    let products = a.iter().zip(b).map(|(a, b)| a.clone() * b.clone());
    products.fold(zero.integer(0), |sum, product| sum + product)
}

/// a - b.
pub fn minus<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.clone() - b.clone()).collect()
}

/// factor a.
pub fn times<N: Number>(factor: &N, a: &[N]) -> Vec<N> {
    a.iter().map(|a| factor.clone() * a.clone()).collect()
}

/// a x b in space.
pub fn cross<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    let entry = |i: usize, j: usize| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone();
    vec![entry(1, 2), entry(2, 0), entry(0, 1)]
}
