//! Medians and fits.

/// The median, of an even number of values the mean of the middle two; `None` of none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted.get(middle).copied(),
        _ => Some(f64::midpoint(
            *sorted.get(middle.checked_sub(1)?)?,
            sorted[middle],
        )),
    }
}

/// A power law, time = constant n^exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// The time at n = 1.
    pub constant: f64,
    /// By how much its logarithm grows with that of n.
    pub exponent: f64,
}

impl PowerLaw {
    /// Least squares on the logarithms of (n, time); `None` for fewer than two different n, or
    /// for values that have no logarithm.
    pub fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let logs: Vec<_> = points.iter().map(|(n, t)| (n.ln(), t.ln())).collect();
        let count = logs.len() as f64;
        let mean = |f: fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / count;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let covariance: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
        let variance: f64 = logs.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
        let exponent = covariance / variance;
        let fit = Self {
            constant: (y - exponent * x).exp(),
            exponent,
        };
        (fit.exponent.is_finite() && fit.constant.is_finite()).then_some(fit)
    }

    /// The time at n.
    pub fn at(&self, n: f64) -> f64 {
        self.constant * n.powf(self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 100.0]), Some(3.0));
    }

    #[test]
    fn a_power_law_is_found_again() {
        let law = PowerLaw {
            constant: 2e-9,
            exponent: 2.75,
        };
        let points = [10.0, 30.0, 100.0, 1000.0].map(|n| (n, law.at(n)));
        let fit = PowerLaw::fit(&points).unwrap();
        assert!((fit.exponent - 2.75).abs() < 1e-12);
        assert!((fit.constant / 2e-9 - 1.0).abs() < 1e-10);
    }

    #[test]
    fn no_law_goes_through_one_size_or_through_no_time() {
        assert_eq!(PowerLaw::fit(&[]), None);
        assert_eq!(PowerLaw::fit(&[(10.0, 1.0), (10.0, 2.0)]), None);
        assert_eq!(PowerLaw::fit(&[(10.0, 0.0), (20.0, 2.0)]), None);
    }
}
