//! Numbers as JSON tokens, their text kept until the limits are checked.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

use crate::number::{Number, NumberError, quote};
use crate::problem::Bound;

/// A JSON number (nearest binary64) or string (exact).
pub(super) struct NumberToken(pub Number);

/// A JSON number is the nearest binary64, a string is exact; limits are checked before any arithmetic.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NumberToken::deserialize(deserializer).map(|token| token.0)
    }
}

/// A [`NumberToken`] or one of the strings `"inf"` and `"-inf"`.
pub(super) struct BoundToken(pub Bound);

impl<'de> Deserialize<'de> for NumberToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        number(raw).map(Self).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for BoundToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let bound = match raw {
            r#""inf""# | r#""+inf""# => Bound::Infinity,
            r#""-inf""# => Bound::NegativeInfinity,
            _ => Bound::Finite(number(raw).map_err(D::Error::custom)?),
        };
        Ok(Self(bound))
    }
}

/// The number that a token stands for.
pub(super) fn number(raw: &str) -> Result<Number, NumberError> {
    match raw.as_bytes().first() {
        // Numbers have no escapes.
        Some(b'"') => Number::parse_exact(raw.trim_matches('"')),
        Some(b'-' | b'0'..=b'9') => Number::parse_json_number(raw),
        Some(b'n') => Err(NumberError::Null),
        _ => Err(NumberError::Syntax { token: quote(raw) }),
    }
}

pub(super) fn plain(tokens: Vec<NumberToken>) -> Vec<Number> {
    tokens.into_iter().map(|token| token.0).collect()
}
