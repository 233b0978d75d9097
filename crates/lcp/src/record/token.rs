//! Numbers as JSON tokens, their text kept until the limits are checked.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

use crate::number::{Number, NumberError, quote};
use crate::problem::Bound;

/// A JSON number (nearest binary64) or string (exact).
pub(super) struct NumberToken(pub Number);

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

fn number(raw: &str) -> Result<Number, NumberError> {
    match raw.as_bytes().first() {
        Some(b'"') => Number::parse_exact(&unquote(raw)),
        Some(b'-' | b'0'..=b'9') => Number::parse_json_number(raw),
        _ => Err(NumberError::Syntax { token: quote(raw) }),
    }
}

/// The text of a JSON string token; numbers hold no escapes, so they are borrowed.
fn unquote(raw: &str) -> Cow<'_, str> {
    let inner = raw
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        _ => Cow::Owned(serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned())),
    }
}
