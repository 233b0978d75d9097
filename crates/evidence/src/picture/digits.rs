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
    }
}
