//! Exact numbers as they stand in records: a binary64 value or a fraction, parsed under limits.
//!
//! A JSON *number* means the nearest binary64, taken exactly; a JSON *string* means just what it
//! says (`"0.1"` is one tenth). [`Number`] keeps that difference. So a problem read from a
//! file is written back unchanged, and a problem whose data a float solver can represent
//! exactly is recognisable.

mod parse;
mod shown;
#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests;

use std::fmt;
use std::sync::Arc;

use rug::{Integer, Rational};

use crate::limits::MAX_DECIMAL_EXPONENT;
use crate::shared::SharedFraction;
pub(crate) use parse::quote;
pub use parse::{NumberError, parse_rational};
use parse::{check_length, parse_exponent, syntax_or_not_finite};
use shown::nearest_f64;
pub use shown::{format_f64, round_up_f64, short_text};

/// A finite number of a record: exactly a binary64 value, or an exact fraction.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// Finite and never -0.
    Binary64(f64),
    Exact(Box<Rational>),
    /// Exact too.
    Shared(Box<SharedFraction>),
}

impl Repr {
    /// The fraction, unless the number stands as a binary64 value.
    fn fraction(&self) -> Option<&Rational> {
        match self {
            Self::Binary64(_) => None,
            Self::Exact(value) => Some(value),
            Self::Shared(value) => Some(value.reduced()),
        }
    }
}

impl PartialEq for Repr {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Binary64(a), Self::Binary64(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a.fraction().is_some() && a.fraction() == b.fraction(),
        }
    }
}

impl Eq for Repr {}

impl std::hash::Hash for Repr {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Self::Binary64(value) => value.to_bits().hash(state),
            Self::Exact(value) => value.hash(state),
            Self::Shared(value) => value.reduced().hash(state),
        }
    }
}

impl Number {
    /// The exact value of a finite double; `None` for NaN and infinities.
    pub fn from_f64(value: f64) -> Option<Self> {
        // -0 and 0 are one number; one of them must go for equality to mean equality.
        value
            .is_finite()
            .then_some(Self(Repr::Binary64(value + 0.0)))
    }

    /// The fractions numerator / denominator, as exact as any; `None` for a denominator of 0. They are
    /// reduced when they are looked at, one by one: until then, they cost no time.
    ///
    /// ```
    /// use etalon_lcp::Number;
    ///
    /// let z = Number::over(vec![2.into(), 3.into()], 6.into());
    /// assert_eq!(format!("{z:?}"), "Some([1/3, 1/2])");
    /// ```
    pub fn over(numerators: Vec<Integer>, denominator: Integer) -> Option<Vec<Self>> {
        let negative = match denominator.cmp0() {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => false,
        };
        let common = Arc::new(denominator.abs());
        let fraction = |numerator: Integer| {
            if numerator.is_zero() {
                return Self::from(0);
            }
            let numerator = if negative { -numerator } else { numerator };
            let value = SharedFraction::new(numerator, Arc::clone(&common));
            Self(Repr::Shared(Box::new(value)))
        };
        Some(numerators.into_iter().map(fraction).collect())
    }

    /// Parses the text of a JSON *string*: `3`, `-7/5`, `0.1`, `2.5e-3`, `0x1.8p-3`, taken exactly.
    ///
    /// # Errors
    /// [`NumberError`] when the text is no finite number or is over the documented limits, which
    /// are checked before any arithmetic.
    pub fn parse_exact(text: &str) -> Result<Self, NumberError> {
        parse_rational(text).map(Self::from)
    }

    /// Parses the text of a JSON *number*: the nearest binary64.
    ///
    /// # Errors
    /// [`NumberError`] when the text is no number, overflows, or is over the documented limits.
    pub fn parse_json_number(text: &str) -> Result<Self, NumberError> {
        check_length(text)?;
        if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return Err(syntax_or_not_finite(text));
        }
        if let Some(mark) = text.bytes().position(|byte| matches!(byte, b'e' | b'E')) {
            parse_exponent(&text[mark + 1..], MAX_DECIMAL_EXPONENT, text)?;
        }
        let value: f64 = text.parse().map_err(|_| syntax_or_not_finite(text))?;
        Self::from_f64(value).ok_or_else(|| NumberError::Overflow { token: quote(text) })
    }

    /// The exact value.
    pub fn to_rational(&self) -> Rational {
        match &self.0 {
            // `from_f64` admits finite values only.
            Repr::Binary64(value) => Rational::from_f64(*value).unwrap_or_default(),
            Repr::Exact(value) => (**value).clone(),
            Repr::Shared(value) => value.reduced().clone(),
        }
    }

    /// The binary64 value, when the number stands in its record as one.
    pub fn as_binary64(&self) -> Option<f64> {
        match &self.0 {
            Repr::Binary64(value) => Some(*value),
            Repr::Exact(_) | Repr::Shared(_) => None,
        }
    }

    /// Integers m and e with m 2^e the value, m odd or 0, when the number stands as a binary64 value.
    #[inline]
    pub fn as_dyadic(&self) -> Option<(i64, i32)> {
        let value = self.as_binary64()?;
        let bits = value.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        // Subnormal numbers have no hidden bit, and the exponent of the least normal ones.
        let (mantissa, exponent) = match field {
            0 => (fraction, -1074),
            field => (fraction | 1 << 52, field - 1075),
        };
        if mantissa == 0 {
            return Some((0, 0));
        }
        let zeros = mantissa.trailing_zeros();
        let odd = (mantissa >> zeros) as i64;
        let signed = if value < 0.0 { -odd } else { odd };
        Some((signed, exponent + zeros as i32))
    }

    /// The nearest binary64; infinite when the value is beyond the range.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Binary64(value) => *value,
            Repr::Exact(value) => nearest_f64(value),
            Repr::Shared(value) => nearest_f64(value.reduced()),
        }
    }

    /// Whether the value is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Binary64(value) => *value == 0.0,
            Repr::Exact(value) => value.is_zero(),
            Repr::Shared(value) => value.signum() == 0,
        }
    }

    /// The sign: -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Binary64(value) if *value == 0.0 => 0,
            Repr::Binary64(value) => value.signum() as i32,
            Repr::Exact(value) => value.cmp0() as i32,
            Repr::Shared(value) => value.signum(),
        }
    }

    /// The value as numerator over denominator, in lowest terms.
    pub fn into_rational(self) -> Rational {
        match self.0 {
            Repr::Exact(value) => *value,
            Repr::Shared(value) => value.into_reduced(),
            Repr::Binary64(_) => self.to_rational(),
        }
    }
}

impl From<Rational> for Number {
    fn from(value: Rational) -> Self {
        Self(Repr::Exact(Box::new(value)))
    }
}

impl From<Integer> for Number {
    fn from(value: Integer) -> Self {
        Self::from(Rational::from(value))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::from(Rational::from(value))
    }
}

/// Writes the shortest text that reads back as the same number: `0.5`, `1e300`, `-7/5`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Binary64(value) => f.write_str(&format_f64(*value)),
            Repr::Exact(value) => write!(f, "{value}"),
            Repr::Shared(value) => write!(f, "{}", value.reduced()),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
