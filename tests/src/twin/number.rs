//! Exact numbers from text and from binary64.

use malachite::base::num::arithmetic::traits::Pow;
use malachite::base::num::basic::traits::{One, Zero};
use malachite::{Natural, Rational};

/// The longest text and the largest exponent that [`parse`] takes: enough for every binary64
/// number, and small enough that no input can use up the memory.
const LIMIT: usize = 10_000;

/// Reads a number exactly: `"3"`, `"-7/5"`, `"0.1"` (one tenth), `"2.5e-3"`, `"0x1.8p-3"`.
///
/// # Errors
/// Says what is wrong with a text that is none of these, has a zero denominator, or is beyond the
/// limits on length and exponent.
pub fn parse(text: &str) -> Result<Rational, String> {
    if text.len() > LIMIT {
        return Err(format!("a number of {} characters", text.len()));
    }
    let (negative, size) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let value = if let Some((top, bottom)) = size.split_once('/') {
        let (top, bottom) = (natural(top, 10)?, natural(bottom, 10)?);
        if bottom == 0 {
            return Err(format!("zero denominator in {text:?}"));
        }
        Rational::from_naturals(top, bottom)
    } else if let Some(hex) = size.strip_prefix("0x").or_else(|| size.strip_prefix("0X")) {
        positional(hex, 16, ['p', 'P'], (2, 4))?
    } else {
        positional(size, 10, ['e', 'E'], (10, 1))?
    };
    Ok(if negative { -value } else { value })
}

/// Digits with at most one point and an exponent after one of `marks`. The exponent counts powers
/// of `step.0`, and one digit after the point is worth `step.1` of them.
fn positional(
    text: &str,
    radix: u32,
    marks: [char; 2],
    step: (u32, i64),
) -> Result<Rational, String> {
    let (digits, exponent) = match text.split_once(marks) {
        Some((digits, exponent)) => {
            let number: i64 = exponent
                .parse()
                .map_err(|_| format!("bad exponent {exponent:?}"))?;
            (digits, number)
        }
        None => (text, 0),
    };
    if exponent.unsigned_abs() > LIMIT as u64 {
        return Err(format!("exponent {exponent} is out of range"));
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = natural(&format!("{whole}{fraction}"), radix)?;
    let length = i64::try_from(fraction.len()).map_err(|error| error.to_string())?;
    let places = exponent - step.1 * length;
    let scale = Rational::from(Natural::from(step.0).pow(places.unsigned_abs()));
    let mantissa = Rational::from(mantissa);
    Ok(if places < 0 {
        mantissa / scale
    } else {
        mantissa * scale
    })
}

/// A run of one or more digits.
fn natural(digits: &str, radix: u32) -> Result<Natural, String> {
    if digits.is_empty() {
        return Err("a number without digits".to_owned());
    }
    let mut value = Natural::ZERO;
    for symbol in digits.chars() {
        let digit = symbol
            .to_digit(radix)
            .ok_or_else(|| format!("{symbol:?} is no digit of base {radix}"))?;
        value = value * Natural::from(radix) + Natural::from(digit);
    }
    Ok(value)
}

/// The exact value of a binary64 number, from its bits; `None` for infinities and NaN.
#[must_use]
pub fn from_f64(value: f64) -> Option<Rational> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let field = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    // Subnormal numbers have no hidden one, and the exponent of the smallest normal ones.
    let (mantissa, exponent) = match field {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), field.cast_signed() - 1075),
    };
    let power = Rational::from((Natural::ONE + Natural::ONE).pow(exponent.unsigned_abs()));
    let mantissa = Rational::from(mantissa);
    let size = if exponent < 0 {
        mantissa / power
    } else {
        mantissa * power
    };
    Some(if value.is_sign_negative() {
        -size
    } else {
        size
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(top: i64, bottom: i64) -> Rational {
        Rational::from_signeds(top, bottom)
    }

    #[test]
    fn texts_are_read_exactly() {
        let cases = [
            ("3", fraction(3, 1)),
            ("-7/5", fraction(-7, 5)),
            ("6/4", fraction(3, 2)),
            ("+2", fraction(2, 1)),
            ("0.1", fraction(1, 10)),
            ("-0.25", fraction(-1, 4)),
            ("-0", fraction(0, 1)),
            ("2.5e-3", fraction(1, 400)),
            ("1.25E+2", fraction(125, 1)),
            ("0x1.8p-3", fraction(3, 16)),
            ("-0x10", fraction(-16, 1)),
            ("0xap1", fraction(20, 1)),
        ];
        for (text, value) in cases {
            assert_eq!(parse(text).as_ref(), Ok(&value), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let bad = [
            "", "-", "+-1", ".", "1/0", "1/", "/2", "1/-2", "0.5/2", "1e", "e3", "1.2.3", "nan",
            "inf", "1_000", " 1", "0x", "0x1.8q3", "1e99999", "é",
        ];
        for text in bad {
            assert!(parse(text).is_err(), "{text:?} was accepted");
        }
        assert!(parse(&"1".repeat(LIMIT + 1)).is_err());
    }

    #[test]
    fn binary64_numbers_are_taken_exactly() {
        let tenth = fraction(3_602_879_701_896_397, 36_028_797_018_963_968);
        assert_eq!(from_f64(0.1), Some(tenth));
        assert_eq!(from_f64(-0.0), Some(Rational::ZERO));
        assert_eq!(from_f64(f64::NAN), None);
        assert_eq!(from_f64(f64::NEG_INFINITY), None);
        let values = [
            1.0,
            -1.5,
            1e300,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            -2.2e-310,
            9_007_199_254_740_993.0,
        ];
        for value in values {
            assert_eq!(from_f64(value), Rational::try_from(value).ok(), "{value:e}");
        }
    }
}
