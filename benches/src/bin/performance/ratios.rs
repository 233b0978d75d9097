//! The table of targets.

use etalon_benches::statistics::median;
use etalon_benches::table::{ratio, render};
use etalon_fast::FastMethod;

use crate::measure::{Measurement, What};

/// A row of the table: families, a ratio, and what it must not exceed at n = 10, 100, 1000.
struct Target {
    what: &'static str,
    families: &'static [&'static str],
    of: fn(&Measurement) -> Option<f64>,
    limits: [f64; 3],
}

const TARGETS: [Target; 8] = [
    Target {
        what: "fast / best LU, PD, cold",
        families: &["pd"],
        of: cold,
        limits: [1.0, 0.5, 0.5],
    },
    Target {
        what: "fast / best LU, PSD contact, cold",
        families: &["psd"],
        of: cold,
        limits: [1.3, 1.0, 1.0],
    },
    Target {
        what: "fast, sparse 2D stacks and walls / dense LU of the same n",
        families: &["stack", "wall"],
        of: cold,
        limits: [1.3, 1.0, 0.3],
    },
    Target {
        what: "fast Lemke, friction of 4 and 8 directions / best LU",
        families: &["friction-four", "friction-eight"],
        of: |m| Some(m.seconds(What::Cold(FastMethod::Lemke))? / m.lu()?),
        limits: [2.0, 2.0, 4.0],
    },
    Target {
        what: "warm (1% change) / best LU, PD",
        families: &["pd"],
        of: |m| Some(m.warm()? / m.lu()?),
        limits: [0.5, 0.25, 0.1],
    },
    Target {
        what: "certified / fast, PD, binary64 data",
        families: &["pd"],
        of: certified,
        limits: [15.0, 25.0, 25.0],
    },
    Target {
        what: "certified / fast, friction",
        families: &["friction-four", "friction-eight"],
        of: certified,
        limits: [15.0, 3.0, 2.0],
    },
    Target {
        what: "sign-only certificate, extra over fast, PD",
        families: &["pd"],
        of: |m| Some(m.seconds(What::Proving)? / m.seconds(What::Cold(FastMethod::Auto))? - 1.0),
        limits: [1.0, 0.5, 0.35],
    },
];

fn cold(m: &Measurement) -> Option<f64> {
    Some(m.fast()? / m.lu()?)
}

/// The whole answer, proposal included, in units of the proposal.
fn certified(m: &Measurement) -> Option<f64> {
    let fast = m.fast()?;
    Some((fast + m.seconds(What::Certified)?) / fast)
}

/// The median of a ratio over the measured problems of some families at a size.
pub fn typical(
    measurements: &[Measurement],
    families: &[&str],
    nominal: usize,
    of: impl Fn(&Measurement) -> Option<f64>,
) -> Option<f64> {
    let chosen = measurements
        .iter()
        .filter(|m| m.nominal == nominal && families.contains(&m.family.name));
    median(&chosen.filter_map(of).collect::<Vec<_>>())
}

/// The table, missed targets in bold, and how many there are of all.
pub fn targets(measurements: &[Measurement]) -> (String, usize) {
    let mut missed = 0;
    let rows = TARGETS.iter().map(|target| {
        let cells = [10, 100, 1000]
            .into_iter()
            .zip(target.limits)
            .map(|(n, limit)| {
                let value = typical(measurements, target.families, n, target.of);
                let met = value.is_some_and(|value| value <= limit);
                missed += usize::from(!met);
                cell(value, limit, met)
            });
        [target.what.to_owned()].into_iter().chain(cells).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (render(&["", "n = 10", "100", "1000"], 1, rows), missed)
}

fn cell(value: Option<f64>, limit: f64, met: bool) -> String {
    let shown = ratio(value);
    if met {
        format!("{shown} (<= {limit})")
    } else {
        format!("**{shown}** (<= {limit})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_target_stands_out() {
        assert_eq!(cell(Some(0.5), 0.5, true), "0.50 (<= 0.5)");
        assert_eq!(cell(Some(0.51), 0.5, false), "**0.51** (<= 0.5)");
        assert_eq!(cell(None, 2.0, false), "**-** (<= 2)");
    }

    #[test]
    fn nothing_measured_is_nothing_met() {
        let (table, missed) = targets(&[]);
        assert_eq!(missed, 3 * TARGETS.len());
        assert_eq!(table.lines().count(), 2 + TARGETS.len());
    }
}
