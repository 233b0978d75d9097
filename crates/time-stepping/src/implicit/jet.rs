//! Forward derivatives: a number with its slope in every unknown.

use std::ops::{Add, Div, Mul, Neg, Sub};

use rug::Rational;

use super::number::Number;

/// A value with its derivatives by all unknowns; a constant has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Jet<N> {
    value: N,
    /// Empty for constants.
    slope: Vec<N>,
}

impl<N: Number> Jet<N> {
    /// The unknowns at a point.
    pub fn unknowns(point: &[N]) -> Vec<Self> {
        let unit = |i: usize, value: &N| {
            let slope = (0..point.len()).map(|j| value.integer(i32::from(i == j)));
            Self {
                value: value.clone(),
                slope: slope.collect(),
            }
        };
        point.iter().enumerate().map(|(i, v)| unit(i, v)).collect()
    }

    /// The value.
    pub fn value(&self) -> &N {
        &self.value
    }

    /// The derivative by each of n unknowns.
    pub fn row(&self, n: usize) -> Vec<N> {
        if self.slope.is_empty() {
            return vec![self.value.integer(0); n];
        }
        self.slope.clone()
    }

    /// With another value, and the slope times a factor.
    fn chain(self, value: N, factor: &N) -> Self {
        let slope = self.slope.into_iter().map(|s| s * factor.clone());
        Self {
            value,
            slope: slope.collect(),
        }
    }

    fn merge(a: Vec<N>, b: Vec<N>) -> Vec<N> {
        // Data are constants: they carry no row of zeros through every operation.
        match (a.is_empty(), b.is_empty()) {
            (true, _) => b,
            (_, true) => a,
            _ => a.into_iter().zip(b).map(|(a, b)| a + b).collect(),
        }
    }
}

impl<N: Number> Neg for Jet<N> {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            value: -self.value,
            slope: self.slope.into_iter().map(Neg::neg).collect(),
        }
    }
}

impl<N: Number> Add for Jet<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: Self::merge(self.slope, other.slope),
        }
    }
}

impl<N: Number> Sub for Jet<N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<N: Number> Mul for Jet<N> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let value = self.value.clone() * other.value.clone();
        let factors = (self.value.clone(), other.value.clone());
        let left = self.chain(value.clone(), &factors.1);
        let right = other.chain(value.clone(), &factors.0);
        Self {
            value,
            slope: Self::merge(left.slope, right.slope),
        }
    }
}

impl<N: Number> Div for Jet<N> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let one = other.value.integer(1);
        let inverse = one / other.value.clone();
        let factor = -(inverse.clone() * inverse.clone());
        self * other.chain(inverse, &factor)
    }
}

impl<N: Number> Number for Jet<N> {
    fn lift(&self, value: &Rational) -> Self {
        Self {
            value: self.value.lift(value),
            slope: Vec::new(),
        }
    }

    fn sqrt(self) -> Self {
        let root = self.value.clone().sqrt();
        let factor = root.integer(1) / (root.integer(2) * root.clone());
        self.chain(root, &factor)
    }

    fn about(&self) -> f64 {
        self.value.about()
    }

    fn magnitude(&self) -> Self {
        Self {
            value: self.value.magnitude(),
            slope: Vec::new(),
        }
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.clone().sin_cos();
        let down = -sin.clone();
        let cosine = self.clone().chain(cos.clone(), &down);
        (self.chain(sin, &cos), cosine)
    }
}
