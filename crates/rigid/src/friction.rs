//! Friction cones: polyhedral with k directions, and circular.

use rug::float::Constant;
use rug::{Float, Rational};

use crate::error::SceneError;
use crate::scalar::{Scalar, dot};

/// k unit vectors in the tangent plane, in tangent coordinates, counterclockwise: direction
/// j + k/2 is the opposite of direction j.
#[derive(Debug, Clone, PartialEq)]
pub struct Directions<S>(Vec<Vec<S>>);

/// (x, y, hypotenuse).
type Triple = (i64, i64, i64);

/// First-quadrant unit vectors after (1, 0), for each number of directions.
const TRIPLES: [(usize, &[Triple]); 5] = [
    (4, &[]),
    (8, &[(20, 21, 29)]),
    (12, &[(4, 3, 5), (3, 4, 5)]),
    (16, &[(12, 5, 13), (20, 21, 29), (5, 12, 13)]),
    (
        24,
        &[
            (24, 7, 25),
            (15, 8, 17),
            (20, 21, 29),
            (8, 15, 17),
            (7, 24, 25),
        ],
    ),
];

impl<S: Scalar> Directions<S> {
    /// The two directions of the plane.
    pub fn planar() -> Self {
        Self(vec![vec![S::one()], vec![-S::one()]])
    }

    /// k directions of space: Pythagorean ones, of rational coordinates, exactly of length 1, about evenly spread. In binary64 these are
    /// rounded, so that the problem is that of fractions but for rounding. Other even numbers are of binary64 alone, evenly spread
    /// and rounded to nearest, the same on every machine.
    ///
    /// # Errors
    /// [`SceneError::Directions`] when there is no such set.
    pub fn spatial(k: usize) -> Result<Self, SceneError> {
        match Self::pythagorean(k) {
            Err(_) if !S::EXACT => Self::even(k),
            known => known,
        }
    }

    /// k = 4, 8, 12, 16 or 24 Pythagorean directions.
    ///
    /// # Errors
    /// [`SceneError::Directions`] for other k.
    pub fn pythagorean(k: usize) -> Result<Self, SceneError> {
        let known = TRIPLES.iter().find(|(count, _)| *count == k);
        let (_, triples) = known.ok_or(SceneError::Directions { count: k })?;
        let mut quadrant = vec![(S::one(), S::zero())];
        let unit = |&(x, y, length)| (S::ratio(x, length), S::ratio(y, length));
        quadrant.extend(triples.iter().map(unit));
        let mut directions = Vec::with_capacity(k);
        for _ in 0..4 {
            directions.extend(quadrant.iter().map(|(x, y)| vec![x.clone(), y.clone()]));
            for (x, y) in &mut quadrant {
                (*x, *y) = (-y.clone(), x.clone());
            }
        }
        Ok(Self(directions))
    }

    /// An even number k >= 4 of directions at angles 2 pi j/k, rounded to nearest binary64.
    fn even(k: usize) -> Result<Self, SceneError> {
        const PRECISION: u32 = 256;
        let count = u32::try_from(k).ok().filter(|k| *k >= 4 && k % 2 == 0);
        let count = count.ok_or(SceneError::RoundedDirections { count: k })?;
        let half: Vec<Vec<S>> = (0..count / 2)
            .map(|j| {
                let pi = Float::with_val(PRECISION, Constant::Pi);
                let (sin, cos) = (pi * (2 * j) / count).sin_cos(Float::new(PRECISION));
                [cos, sin].map(|value| rounded(&value)).to_vec()
            })
            .collect();
        let opposite = half.iter().map(|d| d.iter().map(|v| -v.clone()).collect());
        let opposite: Vec<Vec<S>> = opposite.collect();
        Ok(Self(half.into_iter().chain(opposite).collect()))
    }

    /// The directions, each of as many coordinates as a contact has tangents.
    pub fn vectors(&self) -> &[Vec<S>] {
        &self.0
    }
}

/// To the nearest binary64; values of 256 bits that should be 0 come out as such.
fn rounded<S: Scalar>(value: &Float) -> S {
    let value = value.to_f64();
    let value = if value.abs() < 1e-60 { 0.0 } else { value };
    S::from_rational(&Rational::from_f64(value).unwrap_or_default())
}

/// Whether |f_t|^2 <= mu^2 f_n^2 with f_n >= 0: membership in the circular Coulomb cone, decided
/// without a square root.
pub fn in_circular_cone<S: Scalar>(normal: &S, tangential: &[S], mu_squared: &S) -> bool {
    normal.signum() >= 0 && dot(tangential, tangential) <= normal.squared() * mu_squared
}

/// Whether f_t is a combination of directions d_j with nonnegative weights of sum at most
/// mu f_n: membership in the polyhedral cone, by the halfplanes of its edges.
pub fn in_polyhedral_cone<S: Scalar>(
    normal: &S,
    tangential: &[S],
    mu: &S,
    directions: &Directions<S>,
) -> bool {
    let limit = mu.clone() * normal;
    let corners = directions.vectors();
    let inside = |j: usize| {
        let (a, b) = (&corners[j], &corners[(j + 1) % corners.len()]);
        match (a.as_slice(), b.as_slice(), tangential) {
            ([_], _, [f]) => a[0].clone() * f <= limit,
            ([ax, ay], [bx, by], [fx, fy]) => {
                // (f - mu f_n a) is to the left of the edge from a to b.
                let (ex, ey) = (bx.clone() - ax, by.clone() - ay);
                let (x, y) = (
                    fx.clone() - limit.clone() * ax,
                    fy.clone() - limit.clone() * ay,
                );
                (ex * &y - ey * &x).signum() >= 0
            }
            _ => false,
        }
    };
    normal.signum() >= 0 && (0..corners.len()).all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_directions_are_unit_vectors_with_their_opposites() {
        for k in [4, 8, 12, 16, 24] {
            let directions = Directions::<Rational>::spatial(k).unwrap();
            let vectors = directions.vectors();
            assert_eq!(vectors.len(), k);
            for (j, d) in vectors.iter().enumerate() {
                assert_eq!(dot(d, d), 1);
                let opposite: Vec<_> = vectors[(j + k / 2) % k]
                    .iter()
                    .map(|v| -v.clone())
                    .collect();
                assert_eq!(*d, opposite);
            }
        }
        let second = Directions::<Rational>::spatial(8).unwrap().vectors()[1].clone();
        assert_eq!(second, [Rational::from((20, 29)), Rational::from((21, 29))]);
        assert!(Directions::<Rational>::spatial(6).is_err());
        assert!(Directions::<f64>::spatial(7).is_err());
    }

    #[test]
    fn rounded_directions_are_those_of_fractions_or_correctly_rounded() {
        for k in [4, 8, 12, 16, 24] {
            let rounded = Directions::<f64>::spatial(k).unwrap();
            let exact = Directions::<Rational>::spatial(k).unwrap();
            for (own, exact) in rounded.vectors().iter().zip(exact.vectors()) {
                let exact: Vec<_> = exact.iter().map(Scalar::to_f64).collect();
                assert_eq!(*own, exact);
            }
        }
        let directions = Directions::<f64>::spatial(6).unwrap();
        assert_eq!(directions.vectors()[1], [0.5, 0.75_f64.sqrt()]);
        assert_eq!(directions.vectors()[3], [-1.0, 0.0]);
    }

    #[test]
    fn membership_in_both_cones_is_decided_on_the_boundary() {
        let r = |n: i64, d: i64| Rational::from((n, d));
        let mu = r(1, 2);
        let on = [r(3, 10), r(4, 10)];
        assert!(in_circular_cone(&r(1, 1), &on, &mu.squared()));
        let above = [r(3, 10), r(41, 100)];
        assert!(!in_circular_cone(&r(1, 1), &above, &mu.squared()));
        assert!(!in_circular_cone(&r(-1, 1), &[r(0, 1)], &mu.squared()));
        let four = Directions::spatial(4).unwrap();
        assert!(in_polyhedral_cone(
            &r(1, 1),
            &[r(1, 4), r(1, 4)],
            &mu,
            &four
        ));
        assert!(!in_polyhedral_cone(&r(1, 1), &on, &mu, &four));
        let planar = Directions::planar();
        assert!(in_polyhedral_cone(&r(2, 1), &[r(-1, 1)], &mu, &planar));
        assert!(!in_polyhedral_cone(&r(2, 1), &[r(-11, 10)], &mu, &planar));
    }
}
