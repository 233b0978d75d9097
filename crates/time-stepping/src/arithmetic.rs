//! The three arithmetics of a trajectory: fractions, states on a grid, binary64.
//!
//! Beyond field operations a step needs square roots, sines and cosines, and a rule for
//! the numbers that are kept. Fractions keep all digits and have no irrational values. On the grid
//! all arithmetic is exact inside a step. The kept numbers (states, and the entries of n and D) are
//! rounded to multiples of 2^-k, ties to even; sin, cos and sqrt are correctly rounded to that
//! grid. In binary64 sin and cos are correctly rounded, so they do not depend on the machine.

use std::cmp::Ordering;
use std::fmt::Debug;

use etalon_rigid::Scalar;
use rug::float::Constant;
use rug::ops::{DivRounding, Pow};
use rug::{Float, Integer, Rational};

use crate::error::StepError;

/// The kind of an arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Fractions without rounding.
    Rational,
    /// Fractions inside a step, multiples of 2^-k between steps.
    Grid(u32),
    /// binary64.
    Binary64,
}

impl Kind {
    /// The name in trajectories: `rational`, `grid` or `binary64`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rational => "rational",
            Self::Grid(_) => "grid",
            Self::Binary64 => "binary64",
        }
    }

    /// k of a grid.
    pub fn grid_bits(self) -> Option<u32> {
        match self {
            Self::Grid(bits) => Some(bits),
            _ => None,
        }
    }
}

/// Rounding and irrational functions for one kind of numbers.
pub trait Arithmetic<S: Scalar>: Debug + Send + Sync {
    /// Which arithmetic this is.
    fn kind(&self) -> Kind;

    /// The number rounded to the numbers that are kept.
    fn round(&self, value: S) -> S;

    /// Sine and cosine of an angle in radians, each correctly rounded.
    ///
    /// # Errors
    /// [`StepError::Irrational`] where fractions are exact.
    fn sin_cos(&self, angle: &S) -> Result<(S, S), StepError>;

    /// The largest distance of a kept number from the exact one: half a step of a grid, and zero where
    /// states are not rounded.
    fn half_step(&self) -> S {
        S::zero()
    }

    /// The square root, correctly rounded.
    ///
    /// # Errors
    /// [`StepError::Irrational`] where fractions are exact, [`StepError::Domain`] below zero.
    fn sqrt(&self, value: &S) -> Result<S, StepError>;

    /// 2 pi times a fraction of a turn, in radians, correctly rounded.
    ///
    /// # Errors
    /// [`StepError::Irrational`] where fractions are exact.
    fn angle(&self, turns: &Rational) -> Result<S, StepError>;

    /// Cosine and sine of a fraction of a turn, each correctly rounded.
    ///
    /// # Errors
    /// [`StepError::Irrational`] where fractions are exact.
    fn direction(&self, turns: &Rational) -> Result<(S, S), StepError>;

    /// The size of a closed gap after rounding: 0 for fractions.
    fn slack(&self) -> S;
}

/// Fractions without rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fractions;

impl Arithmetic<Rational> for Fractions {
    fn kind(&self) -> Kind {
        Kind::Rational
    }

    fn round(&self, value: Rational) -> Rational {
        value
    }

    fn sin_cos(&self, angle: &Rational) -> Result<(Rational, Rational), StepError> {
        // The sine of a rational angle is rational at zero alone (Niven).
        match angle.cmp0() {
            Ordering::Equal => Ok((Rational::new(), Rational::from(1))),
            _ => Err(irrational("sin", angle)),
        }
    }

    fn sqrt(&self, value: &Rational) -> Result<Rational, StepError> {
        domain(value)?;
        Scalar::sqrt(value).ok_or_else(|| irrational("square root", value))
    }

    fn angle(&self, turns: &Rational) -> Result<Rational, StepError> {
        match turns.cmp0() {
            Ordering::Equal => Ok(Rational::new()),
            _ => Err(irrational("2 pi times", turns)),
        }
    }

    fn direction(&self, turns: &Rational) -> Result<(Rational, Rational), StepError> {
        let quarters = Rational::from(turns * 4u32);
        if !quarters.is_integer() {
            return Err(irrational("cos 2 pi times", turns));
        }
        let quarter = quarters.numer().mod_u(4);
        let (cos, sin) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter as usize];
        Ok((Rational::from(cos), Rational::from(sin)))
    }

    fn slack(&self) -> Rational {
        Rational::new()
    }
}

/// Exact inside a step, multiples of 2^-k between steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    bits: u32,
}

impl Grid {
    /// The finest grid on offer.
    pub const MAX_BITS: u32 = 4096;

    /// Multiples of 2^-bits, 8 <= bits <= [`MAX_BITS`](Self::MAX_BITS).
    ///
    /// # Errors
    /// [`StepError::Setting`].
    pub fn new(bits: u32) -> Result<Self, StepError> {
        if (8..=Self::MAX_BITS).contains(&bits) {
            return Ok(Self { bits });
        }
        Err(StepError::Setting {
            setting: "grid bits",
            value: bits.to_string(),
            range: "from 8 to 4096",
        })
    }

    /// The multiple of 2^-k nearest to n/d, ties to even.
    fn nearest(self, numerator: &Integer, denominator: &Integer) -> Rational {
        let shifted = Integer::from(numerator << self.bits);
        let (mut quotient, remainder) = shifted.div_rem_floor(denominator.clone());
        let twice: Integer = remainder << 1;
        let up = match twice.cmp(denominator) {
            Ordering::Less => false,
            Ordering::Equal => quotient.is_odd(),
            Ordering::Greater => true,
        };
        if up {
            quotient += 1;
        }
        Rational::from(quotient) >> self.bits
    }

    fn nearest_fraction(self, value: &Rational) -> Rational {
        self.nearest(value.numer(), value.denom())
    }

    /// Rounds a real number that can be computed to any precision: `approximation(p)` is within
    /// 2^(slack - p) of it. The number must not be the middle between two grid points.
    fn nearest_real(self, slack: u32, approximation: impl Fn(u32) -> Float) -> Rational {
        // 64 bits beyond the grid: the chance that the first try fails is some 2^-63.
        let mut precision = self.bits + slack + 64;
        loop {
            let value = approximation(precision);
            // Finite: the functions here are bounded.
            let value = value.to_rational().unwrap_or_default();
            let error = Rational::from(1) >> (precision - slack);
            let low = self.nearest_fraction(&Rational::from(&value - &error));
            // Rounding is monotone: where both ends of the enclosure round to one grid point, so does the
            // number between them. It is no tie, so some precision is enough.
            if low == self.nearest_fraction(&(value + error)) {
                return low;
            }
            precision *= 2;
        }
    }
}

/// Bits that the argument of a periodic function needs before the point, and some for the roundings
/// of argument and result.
fn magnitude(value: &Rational) -> u32 {
    let integer = Integer::from(value.numer().abs_ref()).div_ceil(value.denom().clone());
    integer.significant_bits() + 4
}

impl Arithmetic<Rational> for Grid {
    fn kind(&self) -> Kind {
        Kind::Grid(self.bits)
    }

    fn round(&self, value: Rational) -> Rational {
        self.nearest_fraction(&value)
    }

    fn half_step(&self) -> Rational {
        Rational::from(1) >> (self.bits + 1)
    }

    fn sin_cos(&self, angle: &Rational) -> Result<(Rational, Rational), StepError> {
        if *angle == 0 {
            return Ok((Rational::new(), Rational::from(1)));
        }
        // At any other rational angle sine and cosine are irrational, so never ties.
        let slack = magnitude(angle);
        let at = |p| Float::with_val(p, angle);
        let sin = self.nearest_real(slack, |p| at(p).sin());
        let cos = self.nearest_real(slack, |p| at(p).cos());
        Ok((sin, cos))
    }

    fn sqrt(&self, value: &Rational) -> Result<Rational, StepError> {
        domain(value)?;
        // The root in units of half a grid step, rounded down.
        let shifted = Rational::from(value << (2 * (self.bits + 1)));
        let floor = shifted.numer().clone().div_floor(shifted.denom());
        let mut half_steps = floor.sqrt();
        let is_exact = Rational::from((&half_steps).pow(2u32)) == shifted;
        if half_steps.is_odd() {
            // Between two grid points, or just in the middle, where the even one is taken.
            let down = is_exact && half_steps.mod_u(4) == 1;
            half_steps += if down { -1 } else { 1 };
        }
        Ok(Rational::from(half_steps) >> (self.bits + 1))
    }

    fn angle(&self, turns: &Rational) -> Result<Rational, StepError> {
        if *turns == 0 {
            return Ok(Rational::new());
        }
        Ok(self.nearest_real(magnitude(turns) + 4, |p| radians(p, turns)))
    }

    fn direction(&self, turns: &Rational) -> Result<(Rational, Rational), StepError> {
        // Rational values are 0, 1/2 and 1 (Niven), which are grid points and no ties.
        let slack = magnitude(turns) + 4;
        let cos = self.nearest_real(slack, |p| radians(p, turns).cos());
        let sin = self.nearest_real(slack, |p| radians(p, turns).sin());
        Ok((cos, sin))
    }

    fn slack(&self) -> Rational {
        // Rounded sines and positions, each by half a step, times lengths of a few units.
        Rational::from(64) >> self.bits
    }
}

/// 2 pi times a fraction of a turn.
fn radians(precision: u32, turns: &Rational) -> Float {
    Float::with_val(precision, Constant::Pi) * 2u32 * Float::with_val(precision, turns)
}

/// binary64, with correctly rounded functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Binary64;

/// Bits of precision for constants.
const CONSTANT: u32 = 256;

impl Arithmetic<f64> for Binary64 {
    fn kind(&self) -> Kind {
        Kind::Binary64
    }

    fn round(&self, value: f64) -> f64 {
        value
    }

    fn sin_cos(&self, angle: &f64) -> Result<(f64, f64), StepError> {
        if !angle.is_finite() {
            return Err(StepError::Domain {
                what: "sin",
                argument: angle.to_string(),
            });
        }
        let (sin, cos) = Float::with_val(53, angle).sin_cos(Float::new(53));
        Ok((sin.to_f64(), cos.to_f64()))
    }

    fn sqrt(&self, value: &f64) -> Result<f64, StepError> {
        if *value >= 0.0 {
            return Ok(f64::sqrt(*value));
        }
        Err(StepError::Domain {
            what: "square root",
            argument: value.to_string(),
        })
    }

    fn angle(&self, turns: &Rational) -> Result<f64, StepError> {
        Ok(radians(CONSTANT, turns).to_f64())
    }

    fn direction(&self, turns: &Rational) -> Result<(f64, f64), StepError> {
        let (sin, cos) = radians(CONSTANT, turns).sin_cos(Float::new(CONSTANT));
        Ok((negligible_to_zero(&cos), negligible_to_zero(&sin)))
    }

    fn slack(&self) -> f64 {
        // Chosen: some 4500 units of rounding (2^-52) beside lengths of 1.
        1e-12
    }
}

/// To binary64. With 256 bits the remnant of an exact zero is about 1e-77, so a value below 1e-60 becomes 0.
fn negligible_to_zero(value: &Float) -> f64 {
    let value = value.to_f64();
    if value.abs() < 1e-60 { 0.0 } else { value }
}

fn irrational(what: &'static str, argument: &Rational) -> StepError {
    StepError::Irrational {
        what,
        argument: argument.to_string(),
    }
}

fn domain(value: &Rational) -> Result<(), StepError> {
    if *value >= 0 {
        return Ok(());
    }
    Err(StepError::Domain {
        what: "square root",
        argument: value.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn q(n: i64, d: i64) -> Rational {
        Rational::from((n, d))
    }

    #[test]
    fn ties_go_to_even_on_both_sides_of_zero() {
        let grid = Grid::new(8).unwrap();
        let unit = q(1, 256);
        for (n, rounded) in [(1, 0), (3, 2), (5, 2), (-1, 0), (-3, -2), (-5, -2), (7, 4)] {
            let value = Rational::from(&unit * n) / 2u32;
            assert_eq!(grid.round(value), Rational::from(&unit * rounded), "{n}/2");
        }
        assert_eq!(grid.round(q(1, 3)), q(85, 256));
        assert!(Grid::new(7).is_err());
    }

    #[test]
    fn a_root_in_the_middle_of_two_grid_points_goes_to_the_even_one() {
        let grid = Grid::new(8).unwrap();
        for (n, rounded) in [(1, 0), (3, 2), (5, 2), (7, 4)] {
            let root = q(n, 512);
            assert_eq!(grid.sqrt(&root.clone().square()).unwrap(), q(rounded, 256));
        }
        assert_eq!(grid.sqrt(&q(2, 1)).unwrap(), q(362, 256));
        assert!(grid.sqrt(&q(-1, 1)).is_err());
    }

    #[test]
    fn directions_of_quarter_turns_are_exact_in_every_arithmetic() {
        for quarter in 0..8 {
            let turns = q(quarter, 4);
            let exact = Fractions.direction(&turns).unwrap();
            assert_eq!(Grid::new(40).unwrap().direction(&turns).unwrap(), exact);
            let (cos, sin) = Binary64.direction(&turns).unwrap();
            assert_eq!((cos, sin), (exact.0.to_f64(), exact.1.to_f64()));
        }
        assert!(Fractions.direction(&q(1, 8)).is_err());
    }

    proptest! {
        #[test]
        fn grid_functions_are_within_half_a_step(n in -2000i64..2000, d in 1i64..50) {
            let grid = Grid::new(30).unwrap();
            let half = Rational::from(1) >> 31;
            let x = q(n, d);
            let (sin, cos) = grid.sin_cos(&x).unwrap();
            for (value, function) in [(sin, Float::sin as fn(Float) -> Float), (cos, Float::cos)] {
                let truth = function(Float::with_val(300, &x)).to_rational().unwrap();
                prop_assert!((value - truth).abs() <= half);
            }
            let root = grid.sqrt(&q(n.abs(), d)).unwrap();
            let low = Rational::from(&root - &half).max(Rational::new());
            prop_assert!(low.square() <= q(n.abs(), d));
            let high = Rational::from(&root + &half);
            prop_assert!(high.square() >= q(n.abs(), d));
        }
    }
}
