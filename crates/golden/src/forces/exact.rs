//! Fractions as strings.

use etalon_lcp::parse_rational;
use rug::Rational;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A fraction, written as a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FractionText(pub Rational);

impl Serialize for FractionText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for FractionText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_rational(&text).map(Self).map_err(D::Error::custom)
    }
}

/// Fractions for a record.
pub fn exacts<'a>(values: impl IntoIterator<Item = &'a Rational>) -> Vec<FractionText> {
    values.into_iter().cloned().map(FractionText).collect()
}

/// Fractions of a record.
pub fn values(exacts: &[FractionText]) -> Vec<Rational> {
    exacts.iter().map(|exact| exact.0.clone()).collect()
}
