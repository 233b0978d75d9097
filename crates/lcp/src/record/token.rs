//! Numbers as JSON tokens, their text kept until the limits are checked.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
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

/// Lists of numbers, mostly of the same length: memory for each is taken at once.
pub(super) struct Rows(pub Vec<Vec<Number>>);

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Rows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut lists: A) -> Result<Rows, A::Error> {
                let mut rows: Vec<Vec<Number>> = Vec::new();
                while let Some(row) =
                    lists.next_element_seed(Row(rows.last().map_or(0, Vec::len)))?
                {
                    rows.push(row);
                }
                Ok(Rows(rows))
            }
        }
        deserializer.deserialize_seq(Collect)
    }
}

/// A list that is expected to have so many numbers.
struct Row(usize);

impl<'de> DeserializeSeed<'de> for Row {
    type Value = Vec<Number>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row {
    type Value = Vec<Number>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tokens: A) -> Result<Self::Value, A::Error> {
        let mut row = Vec::with_capacity(self.0);
        while let Some(number) = tokens.next_element()? {
            row.push(number);
        }
        Ok(row)
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
