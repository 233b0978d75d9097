//! Implicit surfaces f(x) = 0 of bodies f(x) <= 0, in the body's own frame.

use rug::Rational;

use super::number::{Number, dot};
use crate::error::StepError;

/// The largest exponent of a superquadric. Chosen: with 16 a unit cube's corner is within 0.07 of its own, and products in
/// binary64 still resolve f.
pub const MAX_EXPONENT: u32 = 16;

/// A body in its own frame: f(x) <= 0 inside, and the gradient of f points outwards.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A point at the centre, which has no surface.
    Point,
    /// f = n'x - b: a half-plane or half-space.
    HalfSpace {
        /// n, outwards, of any length but zero.
        normal: Vec<Rational>,
        /// b.
        offset: Rational,
    },
    /// f = x_1^2/a_1^2 + ... - 1: a disc, ellipse, sphere or ellipsoid of half axes a_i, m.
    Ellipsoid {
        /// a_i.
        half_axes: Vec<Rational>,
    },
    /// f = ((x/a)^m + (y/b)^m)^(n/m) + (z/c)^n - 1 of half axes a, b, c, m, with even m and n of which m divides n (Barr 1981): a
    /// polynomial. m shapes the sections across z, and n the profile. Where both are p it is (x/a)^p + (y/b)^p + (z/c)^p - 1, which the
    /// plane has, too: for p = 2 an ellipsoid, and with p it grows to a box whose edges are round. f is convex, as the n-th power of
    /// a norm. With an exponent above 2 it has no curvature at the ends of its axes.
    Superquadric {
        /// a, b, c.
        half_axes: Vec<Rational>,
        /// m and n.
        exponents: [u32; 2],
    },
    /// f = 1 - x_1^2/a_1^2 - ...: everything outside of an ellipsoid, for a point to move in.
    Cavity {
        /// a_i.
        half_axes: Vec<Rational>,
    },
}

impl Shape {
    /// A disc (two dimensions) or a sphere (three).
    pub fn ball(dimension: usize, radius: Rational) -> Self {
        Self::Ellipsoid {
            half_axes: vec![radius; dimension],
        }
    }

    /// The half axes, where it has some.
    pub fn half_axes(&self) -> &[Rational] {
        match self {
            Self::Point | Self::HalfSpace { .. } => &[],
            Self::Ellipsoid { half_axes }
            | Self::Superquadric { half_axes, .. }
            | Self::Cavity { half_axes } => half_axes,
        }
    }

    pub(super) fn check(&self, dimension: usize) -> Result<(), StepError> {
        let (what, values) = match self {
            Self::Point => return Ok(()),
            Self::HalfSpace { normal, .. } => ("the normal", normal),
            Self::Ellipsoid { half_axes }
            | Self::Superquadric { half_axes, .. }
            | Self::Cavity { half_axes } => ("the half axes", half_axes),
        };
        if values.len() != dimension {
            return Err(StepError::Length {
                what,
                length: values.len(),
                expected: dimension,
            });
        }
        let bad = |value: &Rational, range| StepError::Setting {
            setting: what,
            value: value.to_string(),
            range,
        };
        if let Self::Superquadric { exponents, .. } = self {
            check_exponents(*exponents, dimension)?;
        }
        match self {
            Self::HalfSpace { normal, .. } if normal.iter().all(|n| *n == 0) => {
                Err(bad(&Rational::new(), "other than 0"))
            }
            Self::HalfSpace { .. } => Ok(()),
            _ => match values.iter().find(|axis| **axis <= 0) {
                Some(axis) => Err(bad(axis, "above 0")),
                None => Ok(()),
            },
        }
    }

    /// f at a point; 0 where there is no surface.
    pub fn value<N: Number>(&self, zero: &N, at: &[N]) -> N {
        match self {
            Self::Point => zero.integer(0),
            Self::HalfSpace { normal, offset } => {
                let normal: Vec<N> = normal.iter().map(|n| zero.lift(n)).collect();
                dot(zero, &normal, at) - zero.lift(offset)
            }
            // A quadratic in place of a distance: smooth everywhere, with a constant second derivative.
            Self::Ellipsoid { half_axes } => squares(zero, half_axes, at) - zero.integer(1),
            Self::Cavity { half_axes } => zero.integer(1) - squares(zero, half_axes, at),
            Self::Superquadric {
                half_axes,
                exponents: [m, n],
            } if m == n => {
                let powers = ratios(zero, half_axes, at).map(|r| power(&r, *n));
                powers.fold(zero.integer(-1), |sum, own| sum + own)
            }
            Self::Superquadric {
                half_axes,
                exponents: [m, n],
            } => {
                let (section, along) = section(zero, half_axes, at, *m);
                power(&section, n / m) + power(&along, *n) - zero.integer(1)
            }
        }
    }

    /// The gradient of f at a point.
    pub fn gradient<N: Number>(&self, zero: &N, at: &[N]) -> Vec<N> {
        match self {
            Self::Point => vec![zero.integer(0); at.len()],
            Self::HalfSpace { normal, .. } => normal.iter().map(|n| zero.lift(n)).collect(),
            Self::Superquadric {
                half_axes,
                exponents: [m, n],
            } => {
                let slopes = half_axes.iter().map(|a| Rational::from(*n) / a);
                let ratios = ratios(zero, half_axes, at).zip(slopes);
                // d/dx of S^(n/m) with S = (x/a)^m + (y/b)^m is n/a S^(n/m - 1) (x/a)^(m - 1).
                let inner = (m != n).then(|| {
                    let (section, _) = section(zero, half_axes, at, *m);
                    power(&section, n / m - 1)
                });
                let entry = |(i, (r, slope)): (usize, (N, Rational))| match &inner {
                    Some(inner) if i < 2 => zero.lift(&slope) * inner.clone() * power(&r, m - 1),
                    _ => zero.lift(&slope) * power(&r, n - 1),
                };
                ratios.enumerate().map(entry).collect()
            }
            Self::Ellipsoid { .. } | Self::Cavity { .. } => {
                let diagonal = self.hessian(at.len());
                let entry = |(i, x): (usize, &N)| zero.lift(&diagonal[i][i]) * x.clone();
                at.iter().enumerate().map(entry).collect()
            }
        }
    }

    /// The second derivative of f where it is constant; that of a superquadric is not, and is left out.
    pub fn hessian(&self, dimension: usize) -> Vec<Vec<Rational>> {
        let mut hessian = vec![vec![Rational::new(); dimension]; dimension];
        let (axes, sign) = match self {
            Self::Point | Self::HalfSpace { .. } | Self::Superquadric { .. } => return hessian,
            Self::Ellipsoid { half_axes } => (half_axes, 2),
            Self::Cavity { half_axes } => (half_axes, -2),
        };
        for (i, axis) in axes.iter().enumerate().take(dimension) {
            hessian[i][i] = Rational::from(sign) / axis.clone().square();
        }
        hessian
    }
}

/// x_i/a_i.
fn ratios<'a, N: Number>(
    zero: &'a N,
    half_axes: &'a [Rational],
    at: &'a [N],
) -> impl Iterator<Item = N> + 'a {
    let ratios = at.iter().zip(half_axes);
    ratios.map(|(x, axis)| x.clone() / zero.lift(axis))
}

/// Both exponents are even, and the first divides the second; in the plane there is one.
fn check_exponents([m, n]: [u32; 2], dimension: usize) -> Result<(), StepError> {
    let bad = |value: String, range| {
        Err(StepError::Setting {
            setting: "the exponent of a superquadric",
            value,
            range,
        })
    };
    for own in [m, n] {
        if !(2..=MAX_EXPONENT).contains(&own) || own % 2 != 0 {
            return bad(own.to_string(), "an even number from 2 to 16");
        }
    }
    if m != n && dimension == 2 {
        return bad(format!("{m} and {n}"), "one number in the plane");
    }
    if n % m != 0 {
        let range = "an even number that divides the second one, so that f is a polynomial";
        return bad(format!("{m} beside {n}"), range);
    }
    Ok(())
}

/// (x/a)^m + (y/b)^m, and z/c.
fn section<N: Number>(zero: &N, half_axes: &[Rational], at: &[N], m: u32) -> (N, N) {
    let mut all = ratios(zero, half_axes, at);
    let mut next = || all.next().unwrap_or(zero.integer(0));
    let [x, y, z] = [next(), next(), next()];
    (power(&x, m) + power(&y, m), z)
}

/// The product of a number with itself, that many of it.
fn power<N: Number>(base: &N, exponent: u32) -> N {
    (1..exponent).fold(base.clone(), |product, _| product * base.clone())
}

/// x_1^2/a_1^2 + ...
fn squares<N: Number>(zero: &N, half_axes: &[Rational], at: &[N]) -> N {
    ratios(zero, half_axes, at).fold(zero.integer(0), |sum, r| sum + r.clone() * r)
}
