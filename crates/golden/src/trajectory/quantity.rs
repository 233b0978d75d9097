//! A number of a trajectory, as it is written.

use std::fmt;

use etalon_lcp::{Number, parse_rational};
use rug::Rational;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A number as a line has it: the text of a fraction, or a JSON number, which is in binary64. Writing what
/// was read gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A fraction, `-7/5`.
    Fraction(String),
    /// In binary64.
    Binary64(serde_json::Number),
    /// Null: there is no such number.
    #[default]
    None,
}

impl Quantity {
    /// The number in binary64, with its sign of zero; none where it is not finite.
    pub fn binary64(value: f64) -> Self {
        serde_json::Number::from_f64(value).map_or(Self::None, Self::Binary64)
    }

    /// The number exactly.
    pub fn fraction(value: &Rational) -> Self {
        Self::Fraction(value.to_string())
    }

    /// Its value.
    pub fn exact(&self) -> Option<Rational> {
        match self {
            Self::Fraction(text) => parse_rational(text).ok(),
            Self::Binary64(number) => Rational::from_f64(number.as_f64()?),
            Self::None => None,
        }
    }

    /// The nearest binary64; not a number where there is none.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Fraction(_) => self
                .exact()
                .map_or(f64::NAN, |exact| Number::from(exact).to_f64()),
            Self::Binary64(number) => number.as_f64().unwrap_or(f64::NAN),
            Self::None => f64::NAN,
        }
    }

    /// The nearest binary64, where it is finite.
    pub fn finite(&self) -> Option<f64> {
        Some(self.to_f64()).filter(|value| value.is_finite())
    }
}

/// Each to the nearest binary64.
pub fn to_f64s(quantities: &[Quantity]) -> Vec<f64> {
    quantities.iter().map(Quantity::to_f64).collect()
}

/// As it is written.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fraction(text) => f.write_str(text),
            Self::Binary64(number) => number.fmt(f),
            Self::None => f.write_str("null"),
        }
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

/// Reads a quantity in one pass. An untagged enum would read it twice, and lose its place in the line.
struct Written;

impl Visitor<'_> for Written {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a fraction in a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Quantity, E> {
        parse_rational(text).map_err(E::custom)?;
        Ok(Quantity::Fraction(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Quantity, E> {
        Ok(Quantity::Binary64(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Quantity, E> {
        Ok(Quantity::Binary64(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Quantity, E> {
        Ok(Quantity::binary64(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Quantity, E> {
        Ok(Quantity::None)
    }
}
