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
    let (mut rest, mut numbers) = (list.as_bytes(), Vec::with_capacity(room(list, b',', 2)));
    take_list(&mut rest, |rest| take_number(rest, &mut numbers))?;
    rest.is_empty().then_some(numbers)
}

/// As [`plain_list`], as many such lists of as many numbers: how many, and the numbers of all of them.
pub(super) fn plain_square(text: &str) -> Option<(usize, Vec<Number>)> {
    let (mut rest, mut numbers) = (text.as_bytes(), Vec::with_capacity(room(text, b',', 2)));
    let (mut rows, mut width) = (0, 0);
    take_list(&mut rest, |rest| {
        take_list(rest, |rest| take_number(rest, &mut numbers))?;
        (rows, width) = (rows + 1, width.max(numbers.len() - rows * width));
        (numbers.len() == rows * width).then_some(())
    })?;
    (rest.is_empty() && rows == width).then_some((rows, numbers))
}

/// As [`plain_list`], the entries of a sparse matrix, one by one: there are so many of some that a list of them would be felt.
pub(super) fn plain_entries(text: &str, mut push: impl FnMut(Entry) -> Option<()>) -> Option<()> {
    let (mut rest, mut values, mut at) = (text.as_bytes(), Vec::with_capacity(1), [0; 2]);
    take_list(&mut rest, |rest| {
        expect(rest, b'[')?;
        for index in &mut at {
            let end = rest.iter().position(|byte| *byte == b',')?;
            *index = str::from_utf8(&rest[..end]).ok()?.trim().parse().ok()?;
            *rest = &rest[end + 1..];
        }
        take_number(rest, &mut values)?;
        push((at[0], at[1], values.pop()?))?;
        expect(rest, b']')
    })?;
    rest.is_empty().then_some(())
}

/// How many things a text has at most, with such a byte between each and the next, each of which is as long at least: strings may hold such
/// bytes, too.
pub(super) fn room(text: &str, byte: u8, length: usize) -> usize {
    (1 + text.bytes().filter(|own| *own == byte).count()).min(text.len() / length)
}

/// Takes a list with something in it from the start of a text, each item by `take`.
fn take_list(rest: &mut &[u8], mut take: impl FnMut(&mut &[u8]) -> Option<()>) -> Option<()> {
    expect(rest, b'[')?;
    loop {
        take(rest)?;
        if expect(rest, b',').is_none() {
            return expect(rest, b']');
        }
    }
}

fn expect(rest: &mut &[u8], byte: u8) -> Option<()> {
    *rest = rest.trim_ascii_start().strip_prefix(&[byte])?;
    Some(())
}

fn take_number(rest: &mut &[u8], numbers: &mut Vec<Number>) -> Option<()> {
    let is_end = |byte: &u8| matches!(byte, b',' | b']');
    let (token, after) = rest.split_at(rest.iter().position(is_end)?);
    let token = token.trim_ascii();
    let exact = || Number::parse_json_number(str::from_utf8(token).ok()?).ok();
    numbers.push(short_decimal(token).or_else(exact)?);
    *rest = after;
    Some(())
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

    fn plain(text: &str) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        plain_entries(text, |entry| {
            entries.push(entry);
            Some(())
        })?;
        Some(entries)
    }

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
            let n = each.len();
            let rows = |count: usize| format!("[{space}{}{space}]", vec![&*list; count].join(&format!("{space},{space}")));
            prop_assert_eq!(plain_square(&rows(n)), Some((n, vec![each; n].concat())), "{}", rows(n));
            prop_assert_eq!(plain_square(&rows(n + 1)), None, "{}", rows(n + 1));
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
            prop_assert_eq!(plain(&text), Some(each), "{}", text);
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
            "[]",
            "[[1],[2]]",
            "[[1,2],[3]]",
            "[[1],[2,3]]",
            "[[1,2],[3],[4,5,6]]",
            "[[1],[\"],[\"]]",
            "[[1],[2],[]]",
            "[[[1]]]",
            "{\"a\":[1]}",
        ] {
            assert_eq!(plain_square(lists), None, "{lists}");
        }
        for entries in [
            "[[0,0]]",
            "[[0,0,1,2]]",
            "[[0,0,\"1/3\"]]",
            "[[0.0,0,1]]",
            "[[-1,0,1]]",
            "[[18446744073709551616,0,1]]",
        ] {
            assert_eq!(plain(entries), None, "{entries}");
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
            plain(&format!("[[0,0,\"{}\"]]", long.replace('x', "["))),
            None
        );
    }
}
