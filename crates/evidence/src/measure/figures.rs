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

/// The same text, its decimal numbers with four significant digits: for people, of a sentence that programs get whole. Integers
/// and fractions stay, errors are rounded up.
pub fn with_four_digits(text: &str) -> String {
    let mut short = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(of_a_word) {
        let word = &rest[start..];
        let word = &word[..word.find(|c| !of_a_word(c)).unwrap_or(word.len())];
        // A full stop ends the sentence, not the number.
        let word = word.trim_end_matches('.');
        short += &rest[..start];
        match decimal(word) {
            Some(value) if short.ends_with("error ") => short += &four_digits_up(value),
            Some(value) => short += &four_digits(value),
            None => short += word,
        }
        let end = start + word.len();
        let stops = rest[end..].find(|c| c != '.').unwrap_or(rest.len() - end);
        short += &rest[end..end + stops];
        rest = &rest[end + stops..];
    }
    short + rest
}

/// What may stand in a number, or in a word or path that only has digits in it.
fn of_a_word(c: char) -> bool {
    c.is_alphanumeric() || "._/+-".contains(c)
}

/// The number that a word is, if it is a decimal one.
fn decimal(word: &str) -> Option<f64> {
    let is_decimal = word.contains(['.', 'e']) && word.contains(|c: char| c.is_ascii_digit());
    is_decimal.then(|| word.parse().ok()).flatten()
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
    fn sentences_keep_words_integers_and_fractions() {
        for (whole, short) in [
            (
                "row 1: w = 1.0000000050247593e-8 must be 0; error 4.4444444470236215e-9",
                "row 1: w = 1e-8 must be 0; error 4.445e-9",
            ),
            (
                "w = -103437499997/4, z_12 = 100000.",
                "w = -103437499997/4, z_12 = 100000.",
            ),
            ("z = (1.3333333333333333e0, 0.5).", "z = (1.333, 0.5)."),
            (
                "/tmp/1.23456/v1.23456 not 1.23456...",
                "/tmp/1.23456/v1.23456 not 1.235...",
            ),
            ("e. or inf", "e. or inf"),
        ] {
            assert_eq!(with_four_digits(whole), short);
        }
    }

    #[test]
    fn a_share_below_all_is_never_shown_as_all() {
        assert_eq!(percent(99_999, 100_000), "99.99");
        assert_eq!(percent(5, 5), "100");
        assert_eq!(percent(0, 0), "-");
    }
}
