//! The worst problems beside the typical ones.

use std::time::Duration;

use etalon_benches::case::{Case, FAMILIES, Family};
use etalon_benches::table::{ratio, render};

use crate::measure::{Measurement, What, measure_fast_and_certified};

/// The sizes, with a share of the count: problems of 300 rows take long.
const SIZES: [(usize, u64); 4] = [(10, 1), (30, 1), (100, 1), (300, 4)];

/// The ratios of a family at a size, in ascending order.
#[derive(Debug, Clone)]
pub struct Spread {
    family: &'static Family,
    nominal: usize,
    cold: Vec<f64>,
    warm: Vec<f64>,
    /// Warm in units of cold, of the same two problems.
    gain: Vec<f64>,
    certified: Vec<f64>,
    /// Problems without a solution of `fast-auto`.
    failed: usize,
}

/// Measures so many problems of each family and size, a quarter of them at n = 300; `begins` is told each family and size.
pub fn measure(
    count: u64,
    largest: usize,
    seed: u64,
    budget: Duration,
    begins: &dyn Fn(&str, usize),
) -> Vec<Spread> {
    let mut spreads = Vec::new();
    for (nominal, share) in SIZES.into_iter().filter(|(n, _)| *n <= largest) {
        for family in FAMILIES.iter().filter(|family| nominal <= family.largest) {
            let cases =
                (0..count.div_ceil(share)).filter_map(|k| Case::seeded(family, nominal, k, seed));
            begins(family.label, nominal);
            let measurements: Vec<_> = cases
                .map(|case| measure_fast_and_certified(&case, budget))
                .collect();
            spreads.push(spread(family, nominal, &measurements));
        }
    }
    spreads
}

fn spread(family: &'static Family, nominal: usize, all: &[Measurement]) -> Spread {
    let sorted = |of: &dyn Fn(&Measurement) -> Option<f64>| {
        let mut ratios: Vec<f64> = all.iter().filter_map(of).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    };
    Spread {
        family,
        nominal,
        cold: sorted(&|m| Some(m.fast()? / m.lu()?)),
        warm: sorted(&|m| Some(m.warm()? / m.lu()?)),
        gain: sorted(&|m| Some(m.warm()? / m.cold_both()?)),
        certified: sorted(&|m| Some((m.fast()? + m.seconds(What::Certified)?) / m.lu()?)),
        failed: all.iter().filter(|m| m.fast().is_none()).count(),
    }
}

/// The value that 95 of 100 do not exceed: the least with at least that share at or below it.
fn ninety_five(sorted: &[f64]) -> Option<f64> {
    let rank = (sorted.len() * 95).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

/// The value in the middle, the lower of two.
fn middle(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

/// The table.
pub fn table(spreads: &[Spread]) -> String {
    let rows = spreads.iter().map(|spread| {
        let mut row = vec![
            spread.family.label.to_owned(),
            spread.nominal.to_string(),
            (spread.cold.len() + spread.failed).to_string(),
        ];
        for sorted in [&spread.cold, &spread.warm, &spread.gain, &spread.certified] {
            let cells = [middle(sorted), ninety_five(sorted), sorted.last().copied()];
            row.extend(cells.map(ratio));
        }
        row.push(spread.failed.to_string());
        row
    });
    let header = [
        "family",
        "n",
        "problems",
        "cold",
        "95 %",
        "worst",
        "warm",
        "95 %",
        "worst",
        "warm / cold",
        "95 %",
        "worst",
        "certified",
        "95 %",
        "worst",
        "failed",
    ];
    render(&header, 1, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_in_a_hundred_are_above() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(ninety_five(&values), Some(95.0));
        assert_eq!(middle(&values), Some(50.0));
        assert_eq!(ninety_five(&values[..10]), Some(10.0));
        assert_eq!((ninety_five(&[]), middle(&[])), (None, None));
    }
}
