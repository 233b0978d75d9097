//! Square roots between fractions.

use super::Rational;
use malachite::Natural;
use malachite::base::num::arithmetic::traits::{
    CheckedSqrt, Floor, FloorLogBase2, FloorSqrt, PowerOf2, UnsignedAbs,
};
use malachite::base::num::basic::traits::One;

/// A number between two fractions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    /// It is at least this.
    pub low: Rational,
    /// It is at most this.
    pub high: Rational,
}

impl Between {
    /// A fraction.
    pub fn exactly(value: Rational) -> Self {
        Self {
            low: value.clone(),
            high: value,
        }
    }

    /// The square root of a fraction that is not negative, to so many bits of its own size.
    pub fn root(value: &Rational, bits: u64) -> Self {
        if let Some(root) = value.checked_sqrt() {
            return Self::exactly(root);
        }
        let size = value.floor_log_base_2();
        let bits = i64::try_from(bits).unwrap_or(i64::MAX / 4);
        let places = (bits - size / 2).max(0).unsigned_abs();
        let scaled = value * Rational::power_of_2(2 * places);
        let root = scaled.floor().unsigned_abs().floor_sqrt();
        let unit = Rational::power_of_2(places);
        Self {
            low: Rational::from(&root) / &unit,
            high: Rational::from(root + Natural::ONE) / unit,
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            low: &self.low + &other.low,
            high: &self.high + &other.high,
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            low: &self.low - &other.high,
            high: &self.high - &other.low,
        }
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        let ends = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let [a, b, c, d] = ends;
        let low = a.clone().min(b.clone()).min(c.clone()).min(d.clone());
        Self {
            low,
            high: a.max(b).max(c).max(d),
        }
    }

    /// The quotient by something positive.
    pub fn over(&self, other: &Self) -> Self {
        let one = Rational::ONE;
        self.times(&Self {
            low: &one / &other.high,
            high: one / &other.low,
        })
    }

    /// The square, which is never negative.
    pub fn squared(&self) -> Self {
        let product = self.times(self);
        Self {
            low: product.low.max(Rational::from(0)),
            high: product.high,
        }
    }

    /// The positive part.
    pub fn positive(&self) -> Self {
        let zero = Rational::from(0);
        Self {
            low: self.low.clone().max(zero.clone()),
            high: self.high.clone().max(zero),
        }
    }

    /// Either of the two.
    pub fn or(&self, other: &Self) -> Self {
        Self {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// The square root of something that is not negative.
    pub fn square_root(&self, bits: u64) -> Self {
        Self {
            low: Self::root(&self.low.clone().max(Rational::from(0)), bits).low,
            high: Self::root(&self.high, bits).high,
        }
    }
}

/// Whether the square roots of these fractions, none of them negative, sum to at most `limit`.
///
/// Rational roots go over to the limit. If some root is left the sum is no fraction: the roots of different
/// squarefree numbers are linearly independent over the fractions (Besicovitch 1940), and none of them has a
/// negative factor here. So equality cannot occur, and some number of bits decides.
pub fn sum_of_roots_at_most(squares: &[Rational], limit: &Rational) -> bool {
    let mut left = limit.clone();
    let mut irrational = Vec::new();
    for square in squares {
        match square.checked_sqrt() {
            Some(root) => left -= root,
            None => irrational.push(square),
        }
    }
    if irrational.is_empty() || left <= 0 {
        return irrational.is_empty() && left >= 0;
    }
    let mut bits = 64;
    loop {
        let sum = irrational
            .iter()
            .map(|square| Between::root(square, bits))
            .reduce(|sum, root| sum.plus(&root));
        let Some(sum) = sum else { return true };
        if sum.high <= left {
            return true;
        }
        if sum.low > left {
            return false;
        }
        bits *= 2;
    }
}
