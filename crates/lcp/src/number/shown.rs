//! Numbers rounded: to binary64 and to texts for people.

use rug::Rational;

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

pub(super) fn nearest_f64(value: &Rational) -> f64 {
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
