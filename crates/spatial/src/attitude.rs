//! How a body is turned: a quaternion of unit length up to rounding.

use etalon_rigid::{Rotation3, Vector, Vector3};
use etalon_time_stepping::{Arithmetic, Grid};
use rug::Rational;

use crate::grid::{ATTITUDE_BITS, rounded};

/// A quaternion (w, x, y, z), not zero. The rotation is that of its direction, whatever its length is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quaternion(pub [Rational; 4]);

impl Quaternion {
    /// No rotation.
    pub fn identity() -> Self {
        Self([1, 0, 0, 0].map(Rational::from))
    }

    /// The square of its length.
    pub fn norm_squared(&self) -> Rational {
        let squares = self.0.iter().map(|value| value.clone().square());
        squares.fold(Rational::new(), |sum, square| sum + square)
    }

    /// First `other`, then this one.
    pub fn after(&self, other: &Self) -> Self {
        let [a, b, c, d] = &self.0;
        let [w, x, y, z] = &other.0;
        let sum = |terms: [(i32, &Rational, &Rational); 4]| {
            terms
                .into_iter()
                .fold(Rational::new(), |sum, (sign, a, b)| {
                    sum + Rational::from(a * b) * sign
                })
        };
        Self([
            sum([(1, a, w), (-1, b, x), (-1, c, y), (-1, d, z)]),
            sum([(1, a, x), (1, b, w), (1, c, z), (-1, d, y)]),
            sum([(1, a, y), (-1, b, z), (1, c, w), (1, d, x)]),
            sum([(1, a, z), (1, b, y), (-1, c, x), (1, d, w)]),
        ])
    }

    /// The quaternion of Cayley's transform of an angle vector a, (1, a/2): a rotation about a by 2 arctan(|a|/2).
    pub fn cayley(angle: &Vector3<Rational>) -> Self {
        let half = |k: usize| Rational::from(&angle[k] / 2u32);
        Self([Rational::from(1), half(0), half(1), half(2)])
    }

    /// The rotation, exactly.
    pub fn rotation(&self) -> Rotation3<Rational> {
        Rotation3::from_quaternion(&self.0).unwrap_or_else(Rotation3::identity)
    }

    /// The quaternion of unit length in this direction, its entries on the grid; `None` of zero.
    ///
    /// Each entry is within half a step u of the exact one plus 2^-80, so that the square of the length is within
    /// 4 u + 4 u^2 of 1, up to the same: |sum of (q_i + d_i)^2 - 1| <= 2 u sum of |q_i| + 4 u^2, and the
    /// sum is at most 2.
    pub fn unit(&self) -> Option<Self> {
        let squared = self.norm_squared();
        // Length and quotient are wanted to some 2^-80, far below a step of the grid.
        let shift = crate::grid::exponent(&squared) / 2;
        let scaled = Rational::from(&squared >> (2 * shift));
        let length = Grid::new(96).and_then(|grid| grid.sqrt(&scaled)).ok()?;
        if length == 0 {
            return None;
        }
        let length = length << shift;
        let entry = |value: &Rational| rounded(&Rational::from(value / &length), -ATTITUDE_BITS);
        Some(Self(self.0.each_ref().map(entry)))
    }

    /// The quaternion of a rotation; entries on the grid.
    pub fn of_rotation(rotation: &Rotation3<Rational>) -> Option<Self> {
        let m = rotation.matrix();
        let one = Rational::from(1);
        // 4 times the square of each entry; the largest is at least 1, and the others follow from it.
        let signs = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]];
        let squares = signs.map(|s| {
            (0..3).fold(one.clone(), |sum, k| {
                sum + Rational::from(&m[(k, k)] * s[k])
            })
        });
        let off = |i: usize, j: usize, sign: i32| m[(i, j)].clone() + m[(j, i)].clone() * sign;
        let best = (0..4).max_by(|&i, &j| squares[i].cmp(&squares[j]))?;
        let first = squares[best].clone();
        let quaternion = match best {
            0 => [first, off(2, 1, -1), off(0, 2, -1), off(1, 0, -1)],
            1 => [off(2, 1, -1), first, off(1, 0, 1), off(0, 2, 1)],
            2 => [off(0, 2, -1), off(1, 0, 1), first, off(2, 1, 1)],
            _ => [off(1, 0, -1), off(0, 2, 1), off(2, 1, 1), first],
        };
        Self(quaternion).unit()
    }
}

/// R'v: a vector of the world in body coordinates.
pub fn into_body(rotation: &Rotation3<Rational>, vector: &Vector3<Rational>) -> Vector3<Rational> {
    let turned = rotation.matrix().transposed();
    let turned = turned.times(vector.coordinates());
    Vector::new(std::array::from_fn(|i| turned[i].clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(values: [i64; 4]) -> Quaternion {
        Quaternion(values.map(Rational::from))
    }

    #[test]
    fn products_of_quaternions_are_products_of_rotations() {
        let (a, b) = (q([1, -2, 3, 5]), q([2, 1, -1, 4]));
        assert_eq!(a.after(&b).rotation(), a.rotation().after(&b.rotation()));
    }

    #[test]
    fn a_unit_quaternion_is_one_to_four_half_steps() {
        let u = Rational::from(1) >> (ATTITUDE_BITS + 1);
        for values in [
            [1, -2, 3, 5],
            [1, 1, 1, 1],
            [0, 0, 7, 0],
            [1, 0, 0, 100_000],
        ] {
            let unit = q(values).unit().unwrap();
            let off = (unit.norm_squared() - 1u32).abs();
            assert!(off <= Rational::from(&u * 5u32), "{values:?}");
        }
        assert_eq!(q([0, 0, 0, 0]).unit(), None);
    }

    #[test]
    fn rotations_lead_back_to_their_quaternions() {
        for values in [
            [1, -2, 3, 5],
            [5, 1, 1, 1],
            [1, 8, 2, 1],
            [1, 2, 8, 1],
            [0, 0, 1, 0],
        ] {
            let rotation = q(values).rotation();
            let back = Quaternion::of_rotation(&rotation).unwrap().rotation();
            for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                let off = back.matrix()[(i, j)].clone() - &rotation.matrix()[(i, j)];
                assert!(off.abs() < Rational::from(1) >> 48, "{values:?}");
            }
        }
    }
}
