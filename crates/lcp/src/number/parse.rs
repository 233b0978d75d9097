//! Exact numbers from texts, under the limits.

use rug::{Integer, Rational};

use crate::limits::{MAX_DECIMAL_EXPONENT, MAX_NUMBER_CHARS};

/// Why a token is no number; says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The token follows none of the accepted forms.
    #[error(
        "{token} is no number; write an integer, a decimal, a fraction like \"-7/5\" or a hexadecimal float like \"0x1.8p-3\""
    )]
    Syntax {
        /// The token, shortened.
        token: String,
    },
    /// NaN or an infinity where a finite number is needed.
    #[error("{token} is not finite; only bounds may be \"inf\" or \"-inf\"")]
    NotFinite {
        /// The token, shortened.
        token: String,
    },
    /// `null` where a number is needed.
    #[error("null is not finite: writers of JSON put it for NaN and infinities")]
    Null,
    /// A JSON number beyond the range of binary64.
    #[error(
        "{token} is beyond the range of binary64; write it as a string to have it taken exactly"
    )]
    Overflow {
        /// The token, shortened.
        token: String,
    },
    /// The denominator is zero.
    #[error("{token} has a zero denominator")]
    ZeroDenominator {
        /// The token, shortened.
        token: String,
    },
    /// More characters than [`MAX_NUMBER_CHARS`].
    #[error("a number of {length} characters is over the limit of {MAX_NUMBER_CHARS}")]
    TooLong {
        /// How many characters the token has.
        length: usize,
    },
    /// An exponent beyond [`MAX_DECIMAL_EXPONENT`] (or four times that for powers of two).
    #[error(
        "{token} has an exponent beyond the limit of {MAX_DECIMAL_EXPONENT} (for powers of two {})",
        4 * MAX_DECIMAL_EXPONENT
    )]
    Exponent {
        /// The token, shortened.
        token: String,
    },
}

impl NumberError {
    /// Whether the token stands for NaN or an infinity. A JSON number beyond the range of binary64 is an infinity to
    /// every reader that has nothing but binary64.
    pub fn is_not_finite(&self) -> bool {
        matches!(
            self,
            Self::NotFinite { .. } | Self::Null | Self::Overflow { .. }
        )
    }
}

/// Parses an exact number under the documented limits.
///
/// # Errors
/// See [`Number::parse_exact`](super::Number::parse_exact).
pub fn parse_rational(text: &str) -> Result<Rational, NumberError> {
    check_length(text)?;
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        parse_scientific(hex, HEXADECIMAL, text)?
    } else if let Some((numerator, denominator)) = body.split_once('/') {
        let denominator = parse_digits(denominator, 10, text)?;
        if denominator.is_zero() {
            return Err(NumberError::ZeroDenominator { token: quote(text) });
        }
        Rational::from((parse_digits(numerator, 10, text)?, denominator))
    } else {
        parse_scientific(body, DECIMAL, text)?
    };
    Ok(if negative { -magnitude } else { magnitude })
}

/// How a positional notation writes its digits and its exponent.
#[derive(Clone, Copy)]
struct Notation {
    radix: i32,
    marks: [char; 2],
    /// The exponent counts powers of this base.
    exponent_base: u32,
    /// One digit after the point is worth this many powers of the base.
    exponent_per_digit: i64,
    limit: i64,
}

const DECIMAL: Notation = Notation {
    radix: 10,
    marks: ['e', 'E'],
    exponent_base: 10,
    exponent_per_digit: 1,
    limit: MAX_DECIMAL_EXPONENT,
};

const HEXADECIMAL: Notation = Notation {
    radix: 16,
    marks: ['p', 'P'],
    exponent_base: 2,
    exponent_per_digit: 4,
    limit: 4 * MAX_DECIMAL_EXPONENT,
};

fn parse_scientific(body: &str, notation: Notation, token: &str) -> Result<Rational, NumberError> {
    let (mantissa, exponent) = match body.split_once(notation.marks) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent, notation.limit, token)?),
        None => (body, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(syntax_or_not_finite(token));
    }
    let digits = parse_digits(&format!("{whole}{fraction}"), notation.radix, token)?;
    // Both terms are bounded: the fraction by the length limit, the exponent by its own.
    let exponent = exponent - notation.exponent_per_digit * fraction.len() as i64;
    let power = Integer::from(Integer::u_pow_u(
        notation.exponent_base,
        exponent.unsigned_abs() as u32,
    ));
    Ok(if exponent < 0 {
        Rational::from((digits, power))
    } else {
        Rational::from(digits * power)
    })
}

fn parse_digits(digits: &str, radix: i32, token: &str) -> Result<Integer, NumberError> {
    // rug skips white space and underscores; the format has neither.
    let plain = digits.chars().all(|c| c.is_digit(radix as u32));
    if digits.is_empty() || !plain {
        return Err(syntax_or_not_finite(token));
    }
    Integer::from_str_radix(digits, radix).map_err(|_| syntax_or_not_finite(token))
}

pub(super) fn parse_exponent(text: &str, limit: i64, token: &str) -> Result<i64, NumberError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(syntax_or_not_finite(token));
    }
    let digits = digits.trim_start_matches('0');
    let magnitude = match digits {
        "" => 0,
        _ if digits.len() > 9 => i64::MAX,
        _ => digits.parse().unwrap_or(i64::MAX),
    };
    if magnitude > limit {
        return Err(NumberError::Exponent {
            token: quote(token),
        });
    }
    Ok(if negative { -magnitude } else { magnitude })
}

pub(super) fn check_length(text: &str) -> Result<(), NumberError> {
    if text.len() > MAX_NUMBER_CHARS {
        return Err(NumberError::TooLong { length: text.len() });
    }
    Ok(())
}

pub(super) fn syntax_or_not_finite(token: &str) -> NumberError {
    let word = token.trim_start_matches(['-', '+']).to_ascii_lowercase();
    let token = quote(token);
    match word.as_str() {
        "nan" | "inf" | "infinity" => NumberError::NotFinite { token },
        _ => NumberError::Syntax { token },
    }
}

/// A token as errors show it: quoted, control characters escaped, no longer than 40 characters.
pub(crate) fn quote(token: &str) -> String {
    let mut shown: String = token.chars().take(40).collect();
    if shown.len() < token.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
