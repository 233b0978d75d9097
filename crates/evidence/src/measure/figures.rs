//! Figures as people read them: times and counts with three significant digits and a unit that suits, physical quantities and
//! errors with four. Records for programs hold the whole numbers.

/// A ratio or a count with three significant digits, `-` where there is none.
pub fn ratio(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value >= 99.5 => format!("{value:.0}"),
        Some(value) if value >= 9.95 => format!("{value:.1}"),
        Some(value) if value >= 0.0995 => format!("{value:.2}"),
        Some(value) => format!("{value:.3}"),
    }
}

/// Seconds in a unit that suits them.
pub fn seconds(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value < 1e-3 => format!("{} us", ratio(Some(value * 1e6))),
        Some(value) if value < 1.0 => format!("{} ms", ratio(Some(value * 1e3))),
        Some(value) => format!("{} s", ratio(Some(value))),
    }
}

/// A quantity with at most four significant digits, with an exponent where it is small or large.
pub fn four_digits(value: f64) -> String {
    shortest(rounded(value))
}

/// As [`four_digits`], never below the value: an error over the tolerance is not to be shown as one within it.
pub fn four_digits_up(value: f64) -> String {
    let near = rounded(value);
    if near >= value {
        return shortest(near);
    }
    let text = format!("{value:.3e}");
    let up = text.split_once('e').and_then(|(mantissa, exponent)| {
        let mantissa = mantissa.parse::<f64>().ok()? + 0.001;
        format!("{mantissa:.3}e{exponent}").parse().ok()
    });
    shortest(up.unwrap_or(value))
}

fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Without an exponent where that takes at most five places before or after the point.
fn shortest(value: f64) -> String {
    if value == 0.0 || (1e-4..1e5).contains(&value.abs()) {
        return (value + 0.0).to_string();
    }
    format!("{value:e}")
}

/// A share in percent, never rounded up to the full 100.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    if part == whole {
        return "100".to_owned();
    }
    let hundredths = u128::from(part) * 10_000 / u128::from(whole);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_or_so() {
        let shown = [0.0123, 0.5, 1.0, 9.96, 24.04, 130.7].map(|v| ratio(Some(v)));
        assert_eq!(shown, ["0.012", "0.50", "1.00", "10.0", "24.0", "131"]);
        assert_eq!(ratio(None), "-");
        assert_eq!(seconds(Some(3.4e-7)), "0.34 us");
        assert_eq!(seconds(Some(0.0221)), "22.1 ms");
    }

    #[test]
    fn quantities_have_four_digits() {
        let shown = [0.0, -0.0, 0.123456, -2.0, 12345.6, 4.44444e-9, 1e5, 1e-4];
        let shown = shown.map(four_digits);
        let expected = [
            "0", "0", "0.1235", "-2", "12350", "4.444e-9", "1e5", "0.0001",
        ];
        assert_eq!(shown, expected);
        assert_eq!(four_digits(f64::INFINITY), "inf");
    }

    #[test]
    fn errors_are_never_shown_too_small() {
        let shown = [1e-9, 1.00001e-9, 9.9991e-9, 0.5, 0.0, 1.2345].map(four_digits_up);
        assert_eq!(shown, ["1e-9", "1.001e-9", "1e-8", "0.5", "0", "1.235"]);
        let mut value = 1.234567890123e-300;
        while value < 1e300 {
            let text = four_digits_up(value);
            let up: f64 = text.parse().unwrap();
            assert!(up >= value && up <= value * 1.001_001, "{value:e}: {text}");
            value *= 1.000_37e3;
        }
    }

    #[test]
    fn a_share_below_all_is_never_shown_as_all() {
        assert_eq!(percent(99_999, 100_000), "99.99");
        assert_eq!(percent(5, 5), "100");
        assert_eq!(percent(0, 0), "-");
    }
}
