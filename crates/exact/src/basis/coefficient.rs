//! Integers as a leading part and a power of two, which is all there is of a binary64 value.

use etalon_lcp::Number;
use rug::Integer;

/// An integer lead * 2^shift, or one that begins so.
#[derive(Debug, Clone)]
pub(crate) struct Coefficient {
    /// From -2^54 to 2^54 - 1: a long negative integer is rounded down to it, away from 0.
    pub lead: i64,
    pub shift: i32,
    /// The integer itself, where the leading part (rounded down) is not all of it.
    pub full: Option<Box<Integer>>,
}

/// Bits of a leading part.
const LEAD_BITS: u32 = 54;

impl Coefficient {
    /// The exact value of a binary64 number with an odd leading part; `None` where the number
    /// does not stand as one.
    pub fn of_binary64(number: &Number) -> Option<Self> {
        let value = number.as_binary64()?;
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (lead, shift) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        let zeros = if lead == 0 { 0 } else { lead.trailing_zeros() };
        let lead = lead >> zeros;
        Some(Self {
            lead: if value < 0.0 { -lead } else { lead },
            shift: if lead == 0 { 0 } else { shift + zeros as i32 },
            full: None,
        })
    }

    /// Any integer.
    pub fn of_integer(value: Integer) -> Self {
        let bits = value.significant_bits();
        let shift = bits.saturating_sub(LEAD_BITS);
        let lead = Integer::from(&value >> shift).to_i64_wrapping();
        let exact = shift == 0 || value.is_divisible_2pow(shift);
        Self {
            lead,
            // Lengths are limited on input to far below 2^31 bits.
            shift: shift as i32,
            full: (!exact).then(|| Box::new(value)),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.lead == 0 && self.full.is_none()
    }

    /// The bits of the integer.
    pub fn bits(&self) -> u32 {
        match &self.full {
            Some(full) => full.significant_bits(),
            None if self.lead == 0 => 0,
            None => 64 - self.lead.unsigned_abs().leading_zeros() + self.shift as u32,
        }
    }

    /// The integer; the shift must not be negative.
    pub fn integer(&self) -> Integer {
        match &self.full {
            Some(full) => (**full).clone(),
            None => Integer::from(self.lead) << self.shift,
        }
    }

    /// The integer in a machine word, for at most 120 bits.
    pub fn narrow(&self) -> i128 {
        match &self.full {
            Some(full) => full.to_i128_wrapping(),
            None => i128::from(self.lead) << self.shift,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_begins_with_its_leading_part() {
        let below = |bits: u32| -> Integer { (Integer::from(1) << bits) - 1u32 };
        let least = -1_i64 << LEAD_BITS;
        for (value, lead, shift) in [
            (below(54), (1 << 54) - 1, 0),
            (-below(54), 1 - (1 << 54), 0),
            (below(55), (1 << 54) - 1, 1),
            // Minus 2^54 and a half is rounded down: 55 bits.
            (-below(55), least, 1),
            (-below(300), least, 246),
            (-(below(55) + 1u32), least / 2, 2),
        ] {
            let own = Coefficient::of_integer(value.clone());
            assert_eq!((own.lead, own.shift), (lead, shift), "{value}");
            assert_eq!(own.integer(), value);
            let (low, high) = (Integer::from(own.lead), Integer::from(own.lead + 1));
            assert!(low << own.shift <= value && value < high << own.shift);
        }
    }

    #[test]
    fn a_binary64_value_is_its_leading_part_times_a_power() {
        for value in [
            0.0,
            1.0,
            -1.0,
            0.75,
            1e300,
            -1e-300,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            -1.5e-310,
        ] {
            let number = Number::from_f64(value).unwrap();
            let own = Coefficient::of_binary64(&number).unwrap();
            let exact = rug::Rational::from(own.lead) << own.shift;
            assert_eq!(exact, number.to_rational(), "{value:e}");
            assert!(own.lead == 0 || own.lead % 2 != 0);
            assert_eq!(own.is_zero(), value == 0.0);
        }
    }
}
