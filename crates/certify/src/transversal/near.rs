//! Sizes to 64 bits: they propose, and decide where two sizes are further apart than their roundings.

use rug::{Integer, Rational};

/// mantissa 2^exponent, the highest bit of the mantissa set; 0 where the mantissa is 0. Integers, so that
/// it is the same on every machine, and of any exponent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Near {
    exponent: i64,
    mantissa: u64,
}

impl Near {
    /// Two quotients or products of three numbers, each less than 3 parts in 2^63 off, are less than 14 parts apart
    /// from what they stand for: they are in the right order where they differ by a part in 2^56.
    pub const PROVED: u32 = 56;
    /// Less than all others, and far from overflow.
    pub const ZERO: Self = Self {
        exponent: i64::MIN / 2,
        mantissa: 0,
    };

    /// |value|, less than 3 parts in 2^63 off: each of the three numbers is cut to 64 bits.
    pub fn of(value: &Rational) -> Self {
        Self::leading(value.numer()).over(Self::leading(value.denom()))
    }

    fn leading(value: &Integer) -> Self {
        let bits = i64::from(value.significant_bits());
        let mantissa = Integer::from(value.abs_ref()) << (64 - bits) as i32;
        let (mantissa, exponent) = (mantissa.to_u64_wrapping(), bits - 64);
        Self { mantissa, exponent }
    }

    /// The product, and not a part in 2^63 less.
    pub fn times(self, other: Self) -> Self {
        let product = u128::from(self.mantissa) * u128::from(other.mantissa);
        Self::cut(product, self.exponent + other.exponent)
    }

    /// The quotient, and not a part in 2^63 less; what is divided by is not 0.
    pub fn over(self, other: Self) -> Self {
        let quotient = (u128::from(self.mantissa) << 64) / u128::from(other.mantissa.max(1));
        Self::cut(quotient, self.exponent - other.exponent - 64)
    }

    /// A number of at least 64 bits, or 0.
    fn cut(value: u128, exponent: i64) -> Self {
        if value == 0 {
            return Self::ZERO;
        }
        let over = 64_u32.saturating_sub(value.leading_zeros());
        let (mantissa, exponent) = ((value >> over) as u64, exponent + i64::from(over));
        Self { mantissa, exponent }
    }

    /// Whether this is larger than the other; `None` where they are nearer to each other than a part in 2^bits.
    pub fn exceeds(self, other: Self, bits: u32) -> Option<bool> {
        let apart = self.exponent - other.exponent;
        if apart.abs() > 1 {
            return Some(apart > 0);
        }
        let own = u128::from(self.mantissa) << (1 + apart);
        let other = u128::from(other.mantissa) << 1;
        (own.abs_diff(other) > other >> bits).then_some(own > other)
    }

    /// Whether what this stands for is larger than what the other does, beyond what their roundings may come to.
    pub fn surely_exceeds(self, other: Self) -> bool {
        self.exceeds(other, Self::PROVED) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_both_sides_of_a_power_of_two_are_not_told_apart() {
        let (below, at) = (
            Near {
                exponent: 0,
                mantissa: u64::MAX,
            },
            Near {
                exponent: 1,
                mantissa: 1 << 63,
            },
        );
        assert_eq!(below.exceeds(at, Near::PROVED), None);
        assert_eq!(at.exceeds(below, Near::PROVED), None);
        let twice = Near {
            exponent: 2,
            mantissa: 1 << 63,
        };
        assert_eq!(
            (twice.exceeds(at, 56), at.exceeds(twice, 56)),
            (Some(true), Some(false))
        );
    }
}
