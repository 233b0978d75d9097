//! Time against n.

use std::hint::black_box;
use std::time::Duration;

use etalon_benches::case::{Case, FAMILIES, find};
use etalon_benches::statistics::{PowerLaw, median};
use etalon_benches::table::{ratio, render, seconds};
use etalon_benches::timing::{Contender, race, timed};
use etalon_evidence::plot::{Axes, Line, PlotError, PlotFrame, svg};

use etalon_fast::{SparseLcp, Start, solve_sparse};

use crate::measure::Measurement;
use crate::ratios::typical;

/// Sizes of sparse problems; those that a family does not have are the next larger.
const SPARSE: [usize; 9] = [30, 100, 300, 1_000, 3_000, 6_000, 10_000, 30_000, 100_000];

/// Families that are kept sparse, the largest n of each, and the seconds that may pass there. Piles stop earlier: the factors of
/// contacts in space have more nonzeros.
const LARGE_FAMILIES: [(&str, usize, f64); 8] = [
    ("stack", 100_000, 0.5),
    ("wall", 100_000, 0.5),
    ("column", 100_000, 0.5),
    ("pile-3d", 30_000, 0.5),
    ("friction-wall", 100_000, 60.0),
    ("friction-column", 100_000, 60.0),
    ("friction-pile-3d", 10_000, 60.0),
    ("friction-pile-eight", 10_000, 60.0),
];

/// Times of one family.
#[derive(Debug, Clone)]
pub struct Growth {
    /// Its name for people.
    pub label: &'static str,
    /// (n, seconds).
    pub points: Vec<(f64, f64)>,
    /// Sizes at which the solver failed.
    pub failed: Vec<usize>,
    /// The seconds that may pass at the largest size, where there is such a target.
    pub limit: Option<f64>,
}

/// Problems that are kept sparse.
pub fn sparse(largest: usize, budget: Duration) -> Vec<Growth> {
    let growth = LARGE_FAMILIES
        .iter()
        .filter_map(|&(name, own_largest, limit)| {
            let family = find(name)?;
            let mut growth = Growth {
                label: family.label,
                points: Vec::new(),
                failed: Vec::new(),
                limit: Some(limit),
            };
            for n in SPARSE
                .into_iter()
                .filter(|n| *n <= largest.min(own_largest))
            {
                eprintln!("sparse: {}, n = {n}", family.label);
                match Case::new(family, n, 0).and_then(|case| cold(&case, budget)) {
                    Some((n, time)) => growth.points.push((n as f64, time)),
                    None => growth.failed.push(n),
                }
            }
            Some(growth)
        });
    growth.collect()
}

/// n and the seconds of a cold solution; none where the sparse method fails.
fn cold(case: &Case, budget: Duration) -> Option<(usize, f64)> {
    let lcp = SparseLcp::general(&case.data.entries, &case.data.q).ok()?;
    let run = || solve_sparse(black_box(&lcp), Start::Cold);
    let (solution, first) = timed(run);
    solution.ok()?;
    if first > budget {
        return Some((lcp.n(), first.as_secs_f64()));
    }
    let contender = Contender::new((), || {
        let _ = black_box(run());
    });
    let times = race(vec![contender], budget);
    Some((lcp.n(), times.first()?.1))
}

/// The dense families, the median over the problems of a size.
pub fn dense(measurements: &[Measurement]) -> Vec<Growth> {
    let families = FAMILIES.iter().filter(|family| family.largest > 30);
    let is_large = |name: &str| LARGE_FAMILIES.iter().any(|(large, _, _)| *large == name);
    let not_sparse = families.filter(|family| !is_large(family.name));
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
            limit: None,
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
        limit: None,
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
