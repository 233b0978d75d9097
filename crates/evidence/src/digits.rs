//! Binary64 numbers as people read them.

/// A number with so many digits, without zeros at the end; with an exponent where it is small or large.
pub fn digits(value: f64, count: u8) -> String {
    let after = i32::from(count.max(1)) - 1;
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.*e}", usize::from(count.max(3)) - 2);
    }
    let whole = if value == 0.0 {
        0
    } else {
        value.abs().log10().floor() as i32
    };
    let text = format!("{value:.*}", (after - whole).clamp(0, after + 3) as usize);
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
    fn numbers_have_the_digits_asked_for() {
        let numbers = [0.0, 9.81, 0.25, 12.345, 1234.5, -0.00123, 1e-9, 2.0];
        let three = [
            "0", "9.81", "0.25", "12.3", "1234", "-0.00123", "1.0e-9", "2",
        ];
        assert_eq!(numbers.map(|value| digits(value, 3)), three);
        let four = [
            "0", "9.81", "0.25", "12.35", "1234", "-0.00123", "1.00e-9", "2",
        ];
        assert_eq!(numbers.map(|value| digits(value, 4)), four);
    }
}
