//! Exact numbers as they stand in records: a binary64 value or a fraction, parsed under limits.
//!
//! A JSON *number* means the nearest binary64, taken exactly; a JSON *string* means just what it
//! says (`"0.1"` is one tenth). [`Number`] keeps that difference. So a problem read from a
//! file is written back unchanged, and a problem whose data a float solver can represent
//! exactly is recognisable.

use std::fmt;
use std::sync::Arc;

use rug::{Integer, Rational};

use crate::limits::{MAX_DECIMAL_EXPONENT, MAX_NUMBER_CHARS};
use crate::shared::SharedFraction;

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
        if let Some((_, exponent)) = text.split_once(['e', 'E']) {
            parse_exponent(exponent, MAX_DECIMAL_EXPONENT, text)?;
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

/// The shortest decimal that reads back as `value`, integers without a trailing `.0`.
pub fn format_f64(value: f64) -> String {
    // `{:?}` is the shortest round-trip form and switches to exponents at 1e16 and 1e-5.
    let text = format!("{value:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The smallest binary64 not below `value` (infinite beyond the range): how measures are printed.
pub fn round_up_f64(value: &Rational) -> f64 {
    // rug truncates towards zero.
    let truncated = value.to_f64();
    match Rational::from_f64(truncated) {
        Some(exact) if exact < *value => truncated.next_up(),
        _ => truncated,
    }
}

/// A number for people: as it is where that is short, otherwise four digits, rounded away from 0, so that no
/// error is told smaller than it is.
pub fn short_text(value: &Rational) -> String {
    const SHORT: usize = 20;
    let exact = value.to_string();
    if exact.len() <= SHORT {
        return exact;
    }
    let size = Rational::from(value.abs_ref());
    let sign = if *value < 0 { "-" } else { "" };
    // The power of ten of the first digit, or one more.
    let digits = |part: &rug::Integer| part.to_string_radix(10).len() as i64;
    let mut power = digits(size.numer()) - digits(size.denom());
    let ten = |power: i64| {
        let size =
            rug::Integer::u_pow_u(10, u32::try_from(power.unsigned_abs()).unwrap_or(u32::MAX));
        let size = Rational::from(rug::Integer::from(size));
        if power < 0 { size.recip() } else { size }
    };
    if size < ten(power) {
        power -= 1;
    }
    let mut digits = (size * ten(3 - power)).ceil().numer().to_string();
    if digits.len() > 4 {
        // 9999.1 is rounded to 10000.
        power += 1;
        digits.pop();
    }
    // Without an exponent where that takes few places before or after the point.
    let (places, exponent) = match power {
        0..=4 => (power as usize + 1, String::new()),
        -4..=-1 => {
            digits.insert_str(0, &"0".repeat(power.unsigned_abs() as usize));
            (1, String::new())
        }
        _ => (1, format!("e{power}")),
    };
    if digits.len() < places {
        digits.push_str(&"0".repeat(places - digits.len()));
    }
    let more = digits[places..].trim_end_matches('0');
    let point = if more.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{more}{exponent}", &digits[..places])
}

fn nearest_f64(value: &Rational) -> f64 {
    let below = value.to_f64();
    let Some(low) = Rational::from_f64(below) else {
        return below;
    };
    let above = if *value < 0 {
        below.next_down()
    } else {
        below.next_up()
    };
    let Some(high) = Rational::from_f64(above) else {
        // Beyond the largest finite double: the midpoint to 2^1024 decides, ties to even go up.
        let limit: Rational = (Rational::from(2) << 1023u32) - (Rational::from(1) << 970u32);
        return if Rational::from(value.abs_ref()) >= limit {
            above
        } else {
            below
        };
    };
    let to_low = Rational::from(value - &low).abs();
    let to_high = (high - value).abs();
    match to_low.cmp(&to_high) {
        std::cmp::Ordering::Less => below,
        std::cmp::Ordering::Greater => above,
        std::cmp::Ordering::Equal if below.to_bits() & 1 == 0 => below,
        std::cmp::Ordering::Equal => above,
    }
}

/// Parses an exact number under the documented limits.
///
/// # Errors
/// See [`Number::parse_exact`].
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

fn parse_exponent(text: &str, limit: i64, token: &str) -> Result<i64, NumberError> {
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

fn check_length(text: &str) -> Result<(), NumberError> {
    if text.len() > MAX_NUMBER_CHARS {
        return Err(NumberError::TooLong { length: text.len() });
    }
    Ok(())
}

fn syntax_or_not_finite(token: &str) -> NumberError {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary64_value_is_an_odd_integer_times_a_power_of_two() {
        let least = f64::from_bits(1);
        for value in [
            0.0,
            1.0,
            -1.0,
            0.1,
            -3.5e300,
            f64::MAX,
            f64::MIN_POSITIVE,
            least,
            -3.0 * least,
            96.0,
        ] {
            let (mantissa, exponent) = Number::from_f64(value).unwrap().as_dyadic().unwrap();
            let back = Rational::from(mantissa) << exponent;
            assert_eq!(back, Rational::from_f64(value).unwrap(), "{value:e}");
            assert!(
                mantissa % 2 != 0 || (mantissa, exponent) == (0, 0),
                "{value:e}"
            );
        }
        assert_eq!(Number::from(1).as_dyadic(), None);
    }

    #[test]
    fn numbers_for_people_have_four_digits_and_are_not_told_smaller() {
        let text = |text: &str| short_text(&parse_rational(text).unwrap());
        for (value, shown) in [
            ("0", "0"),
            ("-7/5", "-7/5"),
            ("12345678901234567890", "12345678901234567890"),
            ("123456789012345678901", "1.235e20"),
            ("-123456789012345678901", "-1.235e20"),
            ("100000000000000000000", "1e20"),
            ("1000000000000000000001/1000000000000000000000", "1.001"),
            ("-12345678901234567890123/1000000000000000000", "-12350"),
            ("-1234567890123456789012/100000000000000000000", "-12.35"),
            ("99999000000000000000001/1000000000000000000", "1e5"),
            (
                "1234567890123456789012/10000000000000000000000000",
                "0.0001235",
            ),
            (
                "1234567890123456789012/100000000000000000000000000",
                "1.235e-5",
            ),
            ("999900000000000000000001", "1e24"),
            ("999800000000000000000001", "9.999e23"),
            ("1/3000000000000000000000", "3.334e-22"),
            ("0x1p-60", "8.674e-19"),
            ("1e-400", "1e-400"),
            ("-3e400", "-3e400"),
        ] {
            assert_eq!(text(value), shown, "{value}");
        }
    }

    fn exact(text: &str) -> Rational {
        Number::parse_exact(text).unwrap().into_rational()
    }

    #[test]
    fn strings_are_taken_exactly() {
        for (text, numerator, denominator) in [
            ("3", 3, 1),
            ("-7/5", -7, 5),
            ("0.1", 1, 10),
            ("2.5e-3", 1, 400),
            ("+1E2", 100, 1),
            (".5", 1, 2),
            ("5.", 5, 1),
            ("0x1.8p-3", 3, 16),
            ("-0xA", -10, 1),
            ("6/4", 3, 2),
            ("1e0000000000000002", 100, 1),
        ] {
            assert_eq!(
                exact(text),
                Rational::from((numerator, denominator)),
                "{text}"
            );
        }
    }

    #[test]
    fn json_numbers_are_the_nearest_binary64() {
        let tenth = Number::parse_json_number("0.1").unwrap();
        assert_eq!(
            tenth.to_rational(),
            Rational::from((3602879701896397u64, 36028797018963968u64))
        );
        assert_eq!(Number::parse_json_number("1e-400").unwrap().to_f64(), 0.0);
        assert_eq!(
            Number::parse_json_number("-0.0").unwrap(),
            Number::parse_json_number("0").unwrap()
        );
    }

    #[test]
    fn fractions_over_one_denominator_are_what_they_are() {
        use std::hash::{BuildHasher, RandomState};

        let integers = |values: [i64; 4]| values.map(Integer::from).to_vec();
        for (numerators, denominator) in [([4, -3, 0, 12], 6), ([-4, 3, 0, -12], -6)] {
            let shared = Number::over(integers(numerators), Integer::from(denominator)).unwrap();
            let plain = ["2/3", "-1/2", "0", "2"].map(|text| Number::parse_exact(text).unwrap());
            assert_eq!(shared, plain);
            assert_eq!(plain.as_slice(), shared);
            let state = RandomState::new();
            for (shared, plain) in shared.iter().zip(&plain) {
                assert_eq!(state.hash_one(shared), state.hash_one(plain));
                assert_eq!(shared.to_string(), plain.to_string());
                assert_eq!(shared.to_f64(), plain.to_f64());
                assert_eq!(shared.signum(), plain.signum());
                assert_eq!(shared.is_zero(), plain.is_zero());
                assert_eq!(shared.as_binary64(), None);
                assert_eq!(shared.clone().into_rational(), plain.to_rational());
                assert_ne!(*shared, Number::from_f64(plain.to_f64()).unwrap());
            }
        }
        assert_eq!(Number::over(integers([1, 2, 3, 4]), Integer::new()), None);
    }

    #[test]
    fn bad_tokens_are_typed_errors() {
        use NumberError as E;
        let of = |text: &str| Number::parse_exact(text).unwrap_err();
        assert!(matches!(of("NaN"), E::NotFinite { .. }));
        assert!(matches!(of("-inf"), E::NotFinite { .. }));
        assert!(matches!(of("1/0"), E::ZeroDenominator { .. }));
        assert!(matches!(of("1e999999999"), E::Exponent { .. }));
        assert!(matches!(of("1e-999999999"), E::Exponent { .. }));
        assert!(matches!(of("0x1p99999999999999999999"), E::Exponent { .. }));
        assert!(matches!(of(&"7".repeat(3_000_000)), E::TooLong { .. }));
        for text in [
            "", "-", ".", "1 ", " 1", "1_0", "1/", "/2", "1/-2", "1e", "0x", "0xg", "1.5/2", "٣",
        ] {
            assert!(matches!(of(text), E::Syntax { .. }), "{text:?}");
        }
        let json = |text: &str| Number::parse_json_number(text).unwrap_err();
        assert!(matches!(json("1e999"), E::Overflow { .. }));
        assert!(matches!(json("1e-999999999"), E::Exponent { .. }));
        assert!(matches!(json("NaN"), E::NotFinite { .. }));
    }

    #[test]
    fn rounding_goes_up_and_to_nearest() {
        let third = Rational::from((1, 3));
        let up = round_up_f64(&third);
        assert!(Rational::from_f64(up).unwrap() > third);
        assert!(Rational::from_f64(up.next_down()).unwrap() < third);
        assert_eq!(round_up_f64(&Rational::from((1, 4))), 0.25);
        assert_eq!(Number::from(Rational::from((1, 10))).to_f64(), 0.1);
        assert_eq!(Number::from(Rational::from((-1, 10))).to_f64(), -0.1);
        assert_eq!(
            Number::from(Rational::from(1) << 1024u32).to_f64(),
            f64::INFINITY
        );
        assert_eq!(round_up_f64(&(Rational::from(1) >> 2000u32)), 5e-324);
    }

    #[test]
    fn text_reads_back_as_the_same_number() {
        for value in [1.0, -0.1, 1e300, 5e-324, 123456789.125, 1e16, 0.3] {
            let number = Number::from_f64(value).unwrap();
            assert_eq!(
                Number::parse_json_number(&number.to_string()).unwrap(),
                number
            );
        }
    }
}
