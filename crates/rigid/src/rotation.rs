//! Rotations with exact coordinates.
//!
//! A rotation of the plane by theta has the rational cosine (1 - t^2)/(1 + t^2) and sine
//! 2t/(1 + t^2) for rational t = tan(theta/2), the half-angle; a rotation of space has a
//! rational matrix for a rational quaternion.

use crate::dense::Dense;
use crate::scalar::Scalar;
use crate::vector::{Vector, Vector2, Vector3};

/// Rotation of the plane, counterclockwise: a unit vector (cos, sin).
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation2<S> {
    cos: S,
    sin: S,
}

impl<S: Scalar> Rotation2<S> {
    /// No rotation.
    pub fn identity() -> Self {
        Self::from_cos_sin(S::one(), S::zero())
    }

    /// From cosine and sine, which scenes check to be of a unit vector.
    pub fn from_cos_sin(cos: S, sin: S) -> Self {
        Self { cos, sin }
    }

    /// From t = tan(theta/2).
    pub fn from_half_angle(t: &S) -> Self {
        let denominator = S::one() + t.squared();
        let cos = (S::one() - t.squared()) / &denominator;
        let sin = (t.clone() + t) / &denominator;
        Self { cos, sin }
    }

    /// cos theta.
    pub fn cos(&self) -> &S {
        &self.cos
    }

    /// sin theta.
    pub fn sin(&self) -> &S {
        &self.sin
    }

    /// Whether cos^2 + sin^2 = 1, up to rounding where arithmetic rounds.
    pub fn is_valid(&self) -> bool {
        (self.cos.squared() + self.sin.squared()).is_one()
    }

    /// The vector rotated.
    pub fn apply(&self, vector: &Vector2<S>) -> Vector2<S> {
        &vector.times(&self.cos) + &vector.quarter_turn().times(&self.sin)
    }

    /// First `other`, then this rotation.
    pub fn after(&self, other: &Self) -> Self {
        let turned = self.apply(&Vector::new([other.cos.clone(), other.sin.clone()]));
        let [cos, sin] = turned.coordinates().clone();
        Self { cos, sin }
    }
}

/// Rotation of space: a matrix R that takes body coordinates to world coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation3<S>(Dense<S>);

impl<S: Scalar> Rotation3<S> {
    /// No rotation.
    pub fn identity() -> Self {
        Self(Dense::identity(3))
    }

    /// From the rows of a matrix, which scenes check to be a rotation.
    pub fn from_rows(rows: [[S; 3]; 3]) -> Self {
        Self(Dense::from_fn(3, 3, |i, j| rows[i][j].clone()))
    }

    /// From a quaternion (w, x, y, z) of any length but zero (for which there is no rotation).
    pub fn from_quaternion([w, x, y, z]: &[S; 4]) -> Option<Self> {
        let two = S::integer(2);
        let norm = w.squared() + x.squared() + y.squared() + z.squared();
        if norm.is_zero() {
            return None;
        }
        let twice = |a: &S, b: &S| two.clone() * a * b / &norm;
        let diagonal = |a: &S, b: &S| S::one() - twice(a, a) - twice(b, b);
        Some(Self::from_rows([
            [
                diagonal(y, z),
                twice(x, y) - twice(w, z),
                twice(x, z) + twice(w, y),
            ],
            [
                twice(x, y) + twice(w, z),
                diagonal(x, z),
                twice(y, z) - twice(w, x),
            ],
            [
                twice(x, z) - twice(w, y),
                twice(y, z) + twice(w, x),
                diagonal(x, y),
            ],
        ]))
    }

    /// By an angle about an axis of unit length (Rodrigues): with the axis a,
    /// cos 1 + sin \[a x\] + (1 - cos) a a'.
    pub fn about_axis(axis: &Vector3<S>, angle: &Rotation2<S>) -> Self {
        let versine = S::one() - angle.cos();
        Self(Dense::from_fn(3, 3, |i, j| {
            let across = axis.cross(&Vector::axis(j));
            let along = versine.clone() * &axis[i] * &axis[j];
            let own = along + across[i].clone() * angle.sin();
            if i == j { own + angle.cos() } else { own }
        }))
    }

    /// The matrix, 3 by 3.
    pub fn matrix(&self) -> &Dense<S> {
        &self.0
    }

    /// Whether R R' = 1 and det R = 1, up to rounding where arithmetic rounds.
    pub fn is_valid(&self) -> bool {
        let product = self.0.product(&self.0.transposed());
        let identity = Dense::<S>::identity(3);
        let close = |i, j| (product[(i, j)].clone() - &identity[(i, j)]).is_negligible(&S::one());
        (0..3).all(|i| (0..3).all(|j| close(i, j))) && self.0.determinant().is_one()
    }

    /// The vector rotated.
    pub fn apply(&self, vector: &Vector3<S>) -> Vector3<S> {
        let rotated = self.0.times(vector.coordinates());
        Vector::new(std::array::from_fn(|i| rotated[i].clone()))
    }

    /// First `other`, then this rotation.
    pub fn after(&self, other: &Self) -> Self {
        Self(self.0.product(&other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Rational;

    #[test]
    fn half_angles_make_pythagorean_triples() {
        let rotation = Rotation2::from_half_angle(&Rational::from((1, 2)));
        assert_eq!(*rotation.cos(), Rational::from((3, 5)));
        assert_eq!(*rotation.sin(), Rational::from((4, 5)));
        assert!(rotation.is_valid());
        let x = rotation.apply(&Vector::axis(0));
        assert_eq!(x, Vector::ratios([(3, 5), (4, 5)]));
    }

    #[test]
    fn every_quaternion_is_a_rotation() {
        let quaternion = [1, -2, 3, 5].map(Rational::from);
        let rotation = Rotation3::from_quaternion(&quaternion).unwrap();
        assert!(rotation.is_valid());
        assert!(rotation.after(&rotation).is_valid());
        let reflection = Rotation3::from_rows(
            [[-1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|row| row.map(Rational::from)),
        );
        assert!(!reflection.is_valid());
        assert_eq!(Rotation3::from_quaternion(&[0.0; 4]), None);
    }
}
