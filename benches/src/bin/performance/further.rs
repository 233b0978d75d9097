//! Targets that are no ratios to LU.

use etalon_benches::table::{ratio, render, seconds};

use crate::growth::Growth;
use crate::measure::{Measurement, What};
use crate::ratios::typical;

/// Times of CGAL's exact QP solver on positive definite problems of full mantissas, measured
/// elsewhere: n, seconds, and how many times faster the certified route must be.
const EXACT_PEER: [(usize, f64, f64); 2] = [(100, 0.22, 30.0), (300, 9.0, 100.0)];

/// The most memory.
const MEBIBYTES: u64 = 2048;

/// The table, missed targets in bold.
pub fn table(all: &[Measurement], sparse: &[Growth], peak: [Option<u64>; 2]) -> String {
    let mut rows = vec![];
    for (n, peer, least) in EXACT_PEER {
        let time = typical(all, &["pd"], n, |m| {
            Some(m.fast()? + m.seconds(What::Certified)?)
        });
        let times = time.map(|time| peer / time);
        rows.push(row(
            format!("certified PD n = {n}, times faster than CGAL's exact QP ({peer} s, measured elsewhere)"),
            ratio(times),
            format!(">= {least}"),
            times.is_some_and(|times| times >= least),
        ));
    }
    for growth in sparse {
        let (Some((n, time)), Some(limit)) = (growth.points.last(), growth.limit) else {
            continue;
        };
        rows.push(row(
            format!("{}, n = {n}", growth.label),
            seconds(Some(*time)),
            format!("<= {limit} s"),
            *time <= limit,
        ));
    }
    let names = [
        "memory of the sparse problems",
        "memory of all, certified PD at the largest n among it",
    ];
    for (name, mebibytes) in names.into_iter().zip(peak) {
        rows.push(row(
            name.to_owned(),
            mebibytes.map_or_else(|| "-".to_owned(), |m| format!("{m} MiB")),
            format!("< {MEBIBYTES} MiB"),
            mebibytes.is_some_and(|m| m < MEBIBYTES),
        ));
    }
    render(&["", "measured", "target"], 1, rows)
}

fn row(what: String, measured: String, target: String, met: bool) -> Vec<String> {
    let measured = if met {
        measured
    } else {
        format!("**{measured}**")
    };
    vec![what, measured, target]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slow_and_the_large_stand_out() {
        let growth = |time| Growth {
            label: "walls",
            points: vec![(20_000.0, time)],
            failed: Vec::new(),
            limit: Some(1.0),
        };
        let quick = table(&[], &[growth(0.5)], [Some(100), Some(100)]);
        assert!(quick.contains(" 500 ms |") && !quick.contains("**500 ms**"));
        let slow = table(&[], &[growth(2.0)], [Some(100), Some(5000)]);
        assert!(slow.contains("**2.00 s**") && slow.contains("**5000 MiB**"));
    }
}
