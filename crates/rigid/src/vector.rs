//! Vectors of the plane and of space.

use std::ops::{Add, Index, IndexMut, Neg, Sub};

use crate::scalar::{Scalar, dot};

/// A vector of D coordinates in the world frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector<S, const D: usize>([S; D]);

/// A vector of the plane: x to the right, y upwards.
pub type Vector2<S> = Vector<S, 2>;

/// A vector of space, right-handed.
pub type Vector3<S> = Vector<S, 3>;

impl<S: Scalar, const D: usize> Vector<S, D> {
    /// A vector from its coordinates.
    pub fn new(coordinates: [S; D]) -> Self {
        Self(coordinates)
    }

    /// The zero vector.
    pub fn zero() -> Self {
        Self(std::array::from_fn(|_| S::zero()))
    }

    /// A vector of fractions (numerator, denominator).
    pub fn ratios(coordinates: [(i64, i64); D]) -> Self {
        Self(coordinates.map(|(n, d)| S::ratio(n, d)))
    }

    /// A vector of integers.
    pub fn integers(coordinates: [i64; D]) -> Self {
        Self(coordinates.map(S::integer))
    }

    /// The unit vector along axis `k`; zero when there is no such axis.
    pub fn axis(k: usize) -> Self {
        Self(std::array::from_fn(|i| S::integer(i64::from(i == k))))
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &[S; D] {
        &self.0
    }

    /// The scalar product.
    pub fn dot(&self, other: &Self) -> S {
        dot(&self.0, &other.0)
    }

    /// The square of the length.
    pub fn norm_squared(&self) -> S {
        self.dot(self)
    }

    /// The vector times a number.
    pub fn times(&self, factor: &S) -> Self {
        self.map(|value| value.clone() * factor)
    }

    /// A function of each coordinate.
    pub fn map(&self, function: impl Fn(&S) -> S) -> Self {
        Self(std::array::from_fn(|i| function(&self.0[i])))
    }

    /// Whether every coordinate is zero.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(S::is_zero)
    }

    /// Whether every coordinate is finite.
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(S::is_finite)
    }
}

impl<S: Scalar> Vector2<S> {
    /// A quarter turn counterclockwise: (-y, x).
    pub fn quarter_turn(&self) -> Self {
        let [x, y] = &self.0;
        Self([-y.clone(), x.clone()])
    }

    /// The third coordinate of the vector product: x1 y2 - y1 x2.
    pub fn cross(&self, other: &Self) -> S {
        self.quarter_turn().dot(other)
    }
}

impl<S: Scalar> Vector3<S> {
    /// The vector product.
    pub fn cross(&self, other: &Self) -> Self {
        let component =
            |i: usize, j: usize| self.0[i].clone() * &other.0[j] - self.0[j].clone() * &other.0[i];
        Self([component(1, 2), component(2, 0), component(0, 1)])
    }
}

impl<S, const D: usize> Index<usize> for Vector<S, D> {
    type Output = S;

    fn index(&self, k: usize) -> &S {
        &self.0[k]
    }
}

impl<S, const D: usize> IndexMut<usize> for Vector<S, D> {
    fn index_mut(&mut self, k: usize) -> &mut S {
        &mut self.0[k]
    }
}

impl<S: Scalar, const D: usize> Add for &Vector<S, D> {
    type Output = Vector<S, D>;

    fn add(self, other: Self) -> Vector<S, D> {
        Vector(std::array::from_fn(|i| self.0[i].clone() + &other.0[i]))
    }
}

impl<S: Scalar, const D: usize> Sub for &Vector<S, D> {
    type Output = Vector<S, D>;

    fn sub(self, other: Self) -> Vector<S, D> {
        Vector(std::array::from_fn(|i| self.0[i].clone() - &other.0[i]))
    }
}

impl<S: Scalar, const D: usize> Neg for &Vector<S, D> {
    type Output = Vector<S, D>;

    fn neg(self) -> Vector<S, D> {
        self.map(|value| -value.clone())
    }
}
