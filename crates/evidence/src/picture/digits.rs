//! Numbers in pictures.

/// Three digits, without zeros at the end.
pub fn digits(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let whole = if value == 0.0 {
        0.0
    } else {
        value.abs().log10().floor()
    };
    let places = (2.0 - whole).clamp(0.0, 5.0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A vector in parentheses; what is 0 but for rounding is 0.
pub fn vector(own: &[f64]) -> String {
    let largest = own.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let entry = |x: &f64| {
        let is_noise = x.abs() <= 1e-12 * largest;
        digits(if is_noise { 0.0 } else { *x })
    };
    let entries: Vec<_> = own.iter().map(entry).collect();
    format!("({})", entries.join(", "))
}

/// At most four digits of a positive number, rounded down: what is proved is at least this.
pub fn digits_down(value: f64) -> String {
    if !(value > 0.0 && value.is_finite()) {
        return digits(value);
    }
    // So many digits are the value itself; those after the fourth are cut.
    let text = format!("{value:.40e}");
    let text = match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa:.5}e{exponent}"),
        None => text,
    };
    let small = (1e-3..1e5).contains(&value);
    match text.parse::<f64>() {
        Ok(own) if small => own.to_string(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let all = [0.0, 9.81, 0.25, 12.345, 1234.5, -0.00123, 1e-9, 2.0].map(digits);
        let expected = [
            "0", "9.81", "0.25", "12.3", "1234", "-0.00123", "1.0e-9", "2",
        ];
        assert_eq!(all, expected);
        assert_eq!(vector(&[1.0, 1e-17, -0.5]), "(1, 0, -0.5)");
        assert_eq!(vector(&[0.0]), "(0)");
    }

    #[test]
    fn a_proved_number_is_rounded_down() {
        let all = [0.55726, 9.99999, 1.00001, 123.4567, 1.2479e-7, 1.24789e-7].map(digits_down);
        let expected = ["0.5572", "9.999", "1", "123.4", "1.247e-7", "1.247e-7"];
        assert_eq!(all, expected);
    }
}
