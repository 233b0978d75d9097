//! Numbers as JSON tokens, their text kept until the limits are checked.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

use crate::matrix::Entry;
use crate::number::{Number, NumberError, quote};
use crate::problem::Bound;

/// A JSON number is the nearest binary64, a string is exact; limits are checked before any arithmetic.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        number(raw).map_err(D::Error::custom)
    }
}

/// A [`Number`] or one of the strings `"inf"` and `"-inf"`.
impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        Ok(match raw {
            r#""inf""# | r#""+inf""# => Self::Infinity,
            r#""-inf""# => Self::NegativeInfinity,
            _ => Self::Finite(number(raw).map_err(D::Error::custom)?),
        })
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

/// A list of JSON numbers, which most lists are; `None` for anything else, and for faults: these are found by who reads token by token.
/// The text must be JSON: what stands between two commas is a number then, or no number.
pub(super) fn plain_list(list: &str) -> Option<Vec<Number>> {
    let tokens = list.strip_prefix('[')?.strip_suffix(']')?;
    let commas = tokens.bytes().filter(|byte| *byte == b',').count();
    // No more than there may be in such a text: a string may hold commas, too.
    let mut numbers = Vec::with_capacity((commas + 1).min(list.len() / 2));
    for token in tokens.as_bytes().split(|byte| *byte == b',') {
        numbers.push(plain_number(token)?);
    }
    Some(numbers)
}

/// As [`plain_list`], a list of such lists.
pub(super) fn plain_lists(text: &str) -> Option<Vec<Vec<Number>>> {
    lists(text)?.map(|list| plain_list(list?)).collect()
}

/// As [`plain_list`], the entries of a sparse matrix: there are so many of some that room for twice as many would be felt.
pub(super) fn plain_entries(text: &str) -> Option<Vec<Entry>> {
    let count = text.bytes().filter(|byte| *byte == b'[').count();
    // None is shorter than `[0,0,0]`, and strings may hold brackets, too.
    let mut entries = Vec::with_capacity(count.min(text.len() / 7));
    for entry in lists(text)? {
        let mut tokens = entry?.strip_prefix('[')?.strip_suffix(']')?.split(',');
        let mut index = || tokens.next()?.trim_ascii().parse().ok();
        let (row, column) = (index()?, index()?);
        entries.push((row, column, plain_number(tokens.next()?.as_bytes())?));
        let None = tokens.next() else { return None };
    }
    Some(entries)
}

/// The texts of the lists in a list of lists, if that is what it is.
fn lists(text: &str) -> Option<impl Iterator<Item = Option<&str>>> {
    let lists = text.strip_prefix('[')?.strip_suffix(']')?.trim_ascii_end();
    let lists = lists.split_inclusive(']').enumerate();
    Some(lists.map(|(k, list)| {
        let list = list.trim_ascii_start();
        let list = if k == 0 {
            list
        } else {
            list.strip_prefix(',')?
        };
        Some(list.trim_ascii_start())
    }))
}

fn plain_number(token: &[u8]) -> Option<Number> {
    let token = token.trim_ascii();
    let exact = || Number::parse_json_number(str::from_utf8(token).ok()?).ok();
    short_decimal(token).or_else(exact)
}

/// The number that a few digits stand for, with a point among them or not. Both the digits without the point and the power of ten
/// that they are to be divided by are exact in binary64, so that the quotient is the nearest one (Clinger, 1990, "How to read
/// floating point numbers accurately").
fn short_decimal(token: &[u8]) -> Option<Number> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    if !digits.first()?.is_ascii_digit() || digits.len() > 15 {
        return None;
    }
    let (mut mantissa, mut power) = (0_i64, 0_i64);
    for byte in digits {
        (mantissa, power) = match byte {
            b'0'..=b'9' => (10 * mantissa + i64::from(byte - b'0'), 10 * power),
            b'.' if power == 0 => (mantissa, 1),
            _ => return None,
        };
    }
    let sign = if digits.len() < token.len() { -1 } else { 1 };
    Number::from_f64((sign * mantissa) as f64 / power.max(1) as f64)
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of few digits and of many, of all that JSON has.
    fn token() -> impl Strategy<Value = String> {
        prop_oneof![
            "-?(0|[1-9][0-9]{0,17})",
            "-?(0|[1-9][0-9]{0,8})\\.[0-9]{1,12}",
            "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,4})?[eE][+-]?[0-9]{1,2}",
            any::<f64>()
                .prop_filter("finite", |value| value.is_finite())
                .prop_map(|value| value.to_string()),
        ]
    }

    proptest! {
        #[test]
        fn a_plain_list_is_what_its_tokens_are(
            tokens in proptest::collection::vec(token(), 1..9),
            space in "[ \\t\\n\\r]{0,2}",
        ) {
            let list = format!("[{space}{}{space}]", tokens.join(&format!("{space},{space}")));
            let each: Vec<Number> = serde_json::from_str(&list).unwrap();
            prop_assert_eq!(plain_list(&list), Some(each.clone()), "{}", list);
            let lists = format!("[{space}{list}{space},{space}{list}{space}]");
            prop_assert_eq!(plain_lists(&lists), Some(vec![each.clone(), each]), "{}", lists);
        }

        #[test]
        fn plain_entries_are_what_their_tokens_are(
            entries in proptest::collection::vec((0..1_u64 << 40, 0..9_u64, token()), 1..9),
            space in "[ \\t\\n\\r]{0,2}",
        ) {
            let entry = |(i, j, value): &(u64, u64, String)| {
                format!("{space}[{space}{i}{space},{j},{space}{value}{space}]{space}")
            };
            let entries: Vec<_> = entries.iter().map(entry).collect();
            let text = format!("[{}]", entries.join(","));
            let each: Vec<Entry> = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(plain_entries(&text), Some(each), "{}", text);
        }
    }

    #[test]
    fn what_is_no_plain_list_is_left_to_who_finds_faults() {
        for list in [
            "[]",
            "[1,\"2\"]",
            "[\"1,2\"]",
            "[null]",
            "[[1]]",
            "[1e999]",
            "[1e99999]",
            "{}",
            "[\"]\"]",
            "[true]",
        ] {
            assert_eq!(plain_list(list), None, "{list}");
        }
        for lists in [
            "[[]]",
            "[[1],2]",
            "[[1],[\"],[\"]]",
            "[[1],[2],[]]",
            "[[[1]]]",
            "{\"a\":[1]}",
        ] {
            assert_eq!(plain_lists(lists), None, "{lists}");
        }
        assert_eq!(plain_lists("[]"), Some(Vec::new()));
        for entries in [
            "[[0,0]]",
            "[[0,0,1,2]]",
            "[[0,0,\"1/3\"]]",
            "[[0.0,0,1]]",
            "[[-1,0,1]]",
            "[[18446744073709551616,0,1]]",
        ] {
            assert_eq!(plain_entries(entries), None, "{entries}");
        }
    }

    #[test]
    fn decimals_beyond_2_to_the_53_are_not_divided() {
        // Their digits as an integer are rounded, and the quotient is rounded again, to another value.
        for token in [
            "964806478696907.9",
            "-9648064786.969079",
            "9648064.786969079",
        ] {
            let nearest = Number::from_f64(token.parse().unwrap()).unwrap();
            assert_eq!(plain_list(&format!("[{token}]")), Some(vec![nearest]));
        }
    }

    #[test]
    fn brackets_and_commas_inside_of_strings_are_no_entries() {
        let long = "x".repeat(1 << 20);
        assert_eq!(
            plain_list(&format!("[\"{}\"]", long.replace('x', ","))),
            None
        );
        assert_eq!(
            plain_entries(&format!("[[0,0,\"{}\"]]", long.replace('x', "["))),
            None
        );
    }
}
