//! Time against n.

use std::time::Duration;

use etalon_benches::case::{Case, FAMILIES, find};
use etalon_benches::statistics::{PowerLaw, median};
use etalon_benches::table::{ratio, render, seconds};
use etalon_evidence::plot::{Axes, Line, PlotError, PlotFrame, svg};

use crate::measure::{Measurement, What, sparse as race_sparse};
use crate::ratios::typical;

/// Sizes of sparse problems.
const SPARSE: [usize; 8] = [30, 100, 300, 1_000, 3_000, 6_000, 10_000, 20_000];

/// Times of one family.
#[derive(Debug, Clone)]
pub struct Growth {
    /// Its name for people.
    pub label: &'static str,
    /// (n, seconds).
    pub points: Vec<(f64, f64)>,
    /// Sizes at which the solver failed.
    pub failed: Vec<usize>,
}

/// Stacks and walls, kept sparse.
pub fn sparse(largest: usize, budget: Duration) -> Vec<Growth> {
    let families = ["stack", "wall"].into_iter().filter_map(find);
    let growth = families.map(|family| {
        let mut growth = Growth {
            label: family.label,
            points: Vec::new(),
            failed: Vec::new(),
        };
        for n in SPARSE.into_iter().filter(|n| *n <= largest) {
            let times = Case::new(family, n, 0).map(|case| race_sparse(&case, budget));
            let cold = times
                .iter()
                .flatten()
                .find(|(what, _)| *what == What::Sparse);
            match cold {
                Some((_, time)) => growth.points.push((n as f64, *time)),
                None => growth.failed.push(n),
            }
        }
        growth
    });
    growth.collect()
}

/// The dense families, the median over the problems of a size.
pub fn dense(measurements: &[Measurement]) -> Vec<Growth> {
    let families = FAMILIES.iter().filter(|family| family.largest > 30);
    let not_sparse = families.filter(|family| !family.label.contains("sparse"));
    let growth = not_sparse.map(|family| {
        let of_family = |m: &&Measurement| m.family.name == family.name;
        let mut sizes: Vec<_> = measurements
            .iter()
            .filter(of_family)
            .map(|m| (m.nominal, m.n))
            .collect();
        sizes.dedup();
        let time = |&(nominal, n): &(usize, usize)| {
            let seconds = typical(measurements, &[family.name], nominal, Measurement::fast)?;
            Some((n as f64, seconds))
        };
        Growth {
            label: family.label,
            points: sizes.iter().filter_map(time).collect(),
            failed: Vec::new(),
        }
    });
    growth.collect()
}

/// The faster LU, the median over the problems of a size, whatever their family.
pub fn lu(measurements: &[Measurement]) -> Growth {
    let mut sizes: Vec<_> = measurements.iter().map(|m| m.nominal).collect();
    sizes.dedup();
    let time = |&nominal: &usize| {
        let of_size = measurements.iter().filter(|m| m.nominal == nominal);
        let times: Vec<_> = of_size.filter_map(Measurement::lu).collect();
        Some((nominal as f64, median(&times)?))
    };
    Growth {
        label: "dense LU, the faster",
        points: sizes.iter().filter_map(time).collect(),
        failed: Vec::new(),
    }
}

/// From here on the cubic terms lead.
const LARGE: f64 = 100.0;

/// The table of times and exponents.
pub fn table(growths: &[Growth]) -> String {
    let rows = growths.iter().map(|growth| {
        let exponent = |from: f64| {
            let large: Vec<_> = growth
                .points
                .iter()
                .copied()
                .filter(|p| p.0 >= from)
                .collect();
            PowerLaw::fit(&large).map(|law| law.exponent)
        };
        let last = growth.points.last();
        let failed: Vec<_> = growth.failed.iter().map(usize::to_string).collect();
        vec![
            growth.label.to_owned(),
            ratio(exponent(0.0)),
            ratio(exponent(LARGE)),
            last.map_or_else(String::new, |(n, _)| n.to_string()),
            seconds(last.map(|(_, time)| *time)),
            failed.join(", "),
        ]
    });
    let header = [
        "family",
        "exponent, all n",
        "n >= 100",
        "largest n",
        "time there",
        "failed at",
    ];
    render(&header, 1, rows)
}

/// The plot, on logarithmic axes.
pub fn plot(growths: &[Growth]) -> Result<String, PlotError> {
    let lines: Vec<_> = growths
        .iter()
        .map(|growth| Line {
            name: growth.label.to_owned(),
            points: growth.points.clone(),
            marked: true,
        })
        .collect();
    let frame = PlotFrame {
        title: "Time of a cold solution against n",
        x: "n",
        y: "seconds",
        axes: Axes::Logarithmic,
    };
    svg(&frame, &lines)
}
