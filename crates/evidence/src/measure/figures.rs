//! Figures as people read them: three significant digits, and a unit that suits.

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
    fn a_share_below_all_is_never_shown_as_all() {
        assert_eq!(percent(99_999, 100_000), "99.99");
        assert_eq!(percent(5, 5), "100");
        assert_eq!(percent(0, 0), "-");
    }
}
